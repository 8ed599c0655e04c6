define void @k_3e8f4e4cb2b46ed7(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v9 = icmp slt i64 %lo, %hi
  br i1 %v9, label %items.loop7, label %items.done8
items.loop7:
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %co.done15 ]
  %v12 = urem i64 %v10, 6
  %v13 = udiv i64 %v10, 6
  %v30 = add nsw i64 %v12, -3
  %v32 = add nsw i64 %v12, 1
  %v56 = mul nsw i64 %v12, 256
  %v57 = getelementptr i8, ptr %v2, i64 %v56
  %v58 = mul nsw i64 %v13, 4096
  %v59 = getelementptr i8, ptr %v57, i64 %v58
  %v131 = mul nsw i64 %v12, 384
  %v132 = getelementptr i8, ptr %v6, i64 %v131
  %v133 = mul nsw i64 %v13, 4608
  %v134 = getelementptr i8, ptr %v132, i64 %v133
  br label %co.loop14
co.loop14:
  %v16 = phi i64 [ 0, %items.loop7 ], [ %v17, %kh.done35 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v118, %kh.done35 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v119, %kh.done35 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v120, %kh.done35 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v121, %kh.done35 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v122, %kh.done35 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v123, %kh.done35 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v124, %kh.done35 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v125, %kh.done35 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v126, %kh.done35 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v127, %kh.done35 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v128, %kh.done35 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v129, %kh.done35 ]
  %v51 = mul nsw i64 %v16, 72
  %v52 = getelementptr i8, ptr %v4, i64 %v51
  %v60 = mul nsw i64 %v16, 1024
  %v61 = getelementptr i8, ptr %v59, i64 %v60
  %v31 = call i64 @llvm.smax.i64(i64 0, i64 %v30)
  %v33 = call i64 @llvm.smin.i64(i64 3, i64 %v32)
  %v36 = icmp slt i64 %v31, %v33
  br i1 %v36, label %kh.loop34, label %kh.done35
kh.loop34:
  %v37 = phi i64 [ %v31, %co.loop14 ], [ %v38, %kh.loop34 ]
  %v39 = phi <16 x float> [ %v18, %co.loop14 ], [ %v67, %kh.loop34 ]
  %v40 = phi <16 x float> [ %v19, %co.loop14 ], [ %v89, %kh.loop34 ]
  %v41 = phi <16 x float> [ %v20, %co.loop14 ], [ %v105, %kh.loop34 ]
  %v42 = phi <16 x float> [ %v21, %co.loop14 ], [ %v106, %kh.loop34 ]
  %v43 = phi <16 x float> [ %v22, %co.loop14 ], [ %v107, %kh.loop34 ]
  %v44 = phi <16 x float> [ %v23, %co.loop14 ], [ %v108, %kh.loop34 ]
  %v45 = phi <16 x float> [ %v24, %co.loop14 ], [ %v81, %kh.loop34 ]
  %v46 = phi <16 x float> [ %v25, %co.loop14 ], [ %v97, %kh.loop34 ]
  %v47 = phi <16 x float> [ %v26, %co.loop14 ], [ %v113, %kh.loop34 ]
  %v48 = phi <16 x float> [ %v27, %co.loop14 ], [ %v114, %kh.loop34 ]
  %v49 = phi <16 x float> [ %v28, %co.loop14 ], [ %v115, %kh.loop34 ]
  %v50 = phi <16 x float> [ %v29, %co.loop14 ], [ %v116, %kh.loop34 ]
  %v53 = mul nsw i64 %v37, 12
  %v54 = getelementptr i8, ptr %v52, i64 %v53
  %v62 = mul nsw i64 %v37, -256
  %v63 = getelementptr i8, ptr %v61, i64 %v62
  %v55 = load float, ptr %v54, align 4
  %v64 = load <16 x float>, ptr %v63, align 64
  %v65 = insertelement <16 x float> poison, float %v55, i64 0
  %v66 = shufflevector <16 x float> %v65, <16 x float> poison, <16 x i32> zeroinitializer
  %v67 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v66, <16 x float> %v39)
  %v68 = getelementptr i8, ptr %v63, i64 64
  %v69 = load <16 x float>, ptr %v68, align 64
  %v70 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v69, <16 x float> %v66, <16 x float> %v40)
  %v71 = getelementptr i8, ptr %v63, i64 128
  %v72 = load <16 x float>, ptr %v71, align 64
  %v73 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v72, <16 x float> %v66, <16 x float> %v41)
  %v74 = getelementptr i8, ptr %v63, i64 192
  %v75 = load <16 x float>, ptr %v74, align 64
  %v76 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v75, <16 x float> %v66, <16 x float> %v42)
  %v77 = getelementptr i8, ptr %v54, i64 36
  %v78 = load float, ptr %v77, align 4
  %v79 = insertelement <16 x float> poison, float %v78, i64 0
  %v80 = shufflevector <16 x float> %v79, <16 x float> poison, <16 x i32> zeroinitializer
  %v81 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v80, <16 x float> %v45)
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v69, <16 x float> %v80, <16 x float> %v46)
  %v83 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v72, <16 x float> %v80, <16 x float> %v47)
  %v84 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v75, <16 x float> %v80, <16 x float> %v48)
  %v85 = getelementptr i8, ptr %v54, i64 4
  %v86 = load float, ptr %v85, align 4
  %v87 = insertelement <16 x float> poison, float %v86, i64 0
  %v88 = shufflevector <16 x float> %v87, <16 x float> poison, <16 x i32> zeroinitializer
  %v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v88, <16 x float> %v70)
  %v90 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v69, <16 x float> %v88, <16 x float> %v73)
  %v91 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v72, <16 x float> %v88, <16 x float> %v76)
  %v92 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v75, <16 x float> %v88, <16 x float> %v43)
  %v93 = getelementptr i8, ptr %v54, i64 40
  %v94 = load float, ptr %v93, align 4
  %v95 = insertelement <16 x float> poison, float %v94, i64 0
  %v96 = shufflevector <16 x float> %v95, <16 x float> poison, <16 x i32> zeroinitializer
  %v97 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v96, <16 x float> %v82)
  %v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v69, <16 x float> %v96, <16 x float> %v83)
  %v99 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v72, <16 x float> %v96, <16 x float> %v84)
  %v100 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v75, <16 x float> %v96, <16 x float> %v49)
  %v101 = getelementptr i8, ptr %v54, i64 8
  %v102 = load float, ptr %v101, align 4
  %v103 = insertelement <16 x float> poison, float %v102, i64 0
  %v104 = shufflevector <16 x float> %v103, <16 x float> poison, <16 x i32> zeroinitializer
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v104, <16 x float> %v90)
  %v106 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v69, <16 x float> %v104, <16 x float> %v91)
  %v107 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v72, <16 x float> %v104, <16 x float> %v92)
  %v108 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v75, <16 x float> %v104, <16 x float> %v44)
  %v109 = getelementptr i8, ptr %v54, i64 44
  %v110 = load float, ptr %v109, align 4
  %v111 = insertelement <16 x float> poison, float %v110, i64 0
  %v112 = shufflevector <16 x float> %v111, <16 x float> poison, <16 x i32> zeroinitializer
  %v113 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v112, <16 x float> %v98)
  %v114 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v69, <16 x float> %v112, <16 x float> %v99)
  %v115 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v72, <16 x float> %v112, <16 x float> %v100)
  %v116 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v75, <16 x float> %v112, <16 x float> %v50)
  %v38 = add nuw nsw i64 %v37, 1
  %v117 = icmp ne i64 %v38, %v33
  br i1 %v117, label %kh.loop34, label %kh.done35
kh.done35:
  %v118 = phi <16 x float> [ %v18, %co.loop14 ], [ %v67, %kh.loop34 ]
  %v119 = phi <16 x float> [ %v19, %co.loop14 ], [ %v89, %kh.loop34 ]
  %v120 = phi <16 x float> [ %v20, %co.loop14 ], [ %v105, %kh.loop34 ]
  %v121 = phi <16 x float> [ %v21, %co.loop14 ], [ %v106, %kh.loop34 ]
  %v122 = phi <16 x float> [ %v22, %co.loop14 ], [ %v107, %kh.loop34 ]
  %v123 = phi <16 x float> [ %v23, %co.loop14 ], [ %v108, %kh.loop34 ]
  %v124 = phi <16 x float> [ %v24, %co.loop14 ], [ %v81, %kh.loop34 ]
  %v125 = phi <16 x float> [ %v25, %co.loop14 ], [ %v97, %kh.loop34 ]
  %v126 = phi <16 x float> [ %v26, %co.loop14 ], [ %v113, %kh.loop34 ]
  %v127 = phi <16 x float> [ %v27, %co.loop14 ], [ %v114, %kh.loop34 ]
  %v128 = phi <16 x float> [ %v28, %co.loop14 ], [ %v115, %kh.loop34 ]
  %v129 = phi <16 x float> [ %v29, %co.loop14 ], [ %v116, %kh.loop34 ]
  %v17 = add nuw nsw i64 %v16, 1
  %v130 = icmp ne i64 %v17, 4
  br i1 %v130, label %co.loop14, label %co.done15
co.done15:
  store <16 x float> %v118, ptr %v134, align 64
  %v135 = getelementptr i8, ptr %v134, i64 64
  store <16 x float> %v119, ptr %v135, align 64
  %v136 = getelementptr i8, ptr %v134, i64 128
  store <16 x float> %v120, ptr %v136, align 64
  %v137 = getelementptr i8, ptr %v134, i64 192
  store <16 x float> %v121, ptr %v137, align 64
  %v138 = getelementptr i8, ptr %v134, i64 256
  store <16 x float> %v122, ptr %v138, align 64
  %v139 = getelementptr i8, ptr %v134, i64 320
  store <16 x float> %v123, ptr %v139, align 64
  %v140 = getelementptr i8, ptr %v134, i64 2304
  store <16 x float> %v124, ptr %v140, align 64
  %v141 = getelementptr i8, ptr %v134, i64 2368
  store <16 x float> %v125, ptr %v141, align 64
  %v142 = getelementptr i8, ptr %v134, i64 2432
  store <16 x float> %v126, ptr %v142, align 64
  %v143 = getelementptr i8, ptr %v134, i64 2496
  store <16 x float> %v127, ptr %v143, align 64
  %v144 = getelementptr i8, ptr %v134, i64 2560
  store <16 x float> %v128, ptr %v144, align 64
  %v145 = getelementptr i8, ptr %v134, i64 2624
  store <16 x float> %v129, ptr %v145, align 64
  %v11 = add nuw nsw i64 %v10, 1
  %v146 = icmp ne i64 %v11, %hi
  br i1 %v146, label %items.loop7, label %items.done8
items.done8:
  ret void
}
