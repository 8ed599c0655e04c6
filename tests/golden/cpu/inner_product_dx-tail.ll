define void @k_069577e329879a10(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
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
  %v134 = phi i64 [ %lo, %entry ], [ %v136, %o.done12 ]
  %v101 = getelementptr i8, ptr %v2, i64 96
  br label %o.loop11
o.loop11:
  %v34 = phi ptr [ %v2, %items.loop7 ], [ %v100, %o.loop11 ]
  %v36 = phi ptr [ %v4, %items.loop7 ], [ %v103, %o.loop11 ]
  %v14 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v40, %o.loop11 ]
  %v15 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v44, %o.loop11 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v49, %o.loop11 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v50, %o.loop11 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v55, %o.loop11 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v56, %o.loop11 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v61, %o.loop11 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v62, %o.loop11 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v67, %o.loop11 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v68, %o.loop11 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v73, %o.loop11 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v74, %o.loop11 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v79, %o.loop11 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v80, %o.loop11 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v85, %o.loop11 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v86, %o.loop11 ]
  %v30 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v91, %o.loop11 ]
  %v31 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v92, %o.loop11 ]
  %v32 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v97, %o.loop11 ]
  %v33 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v98, %o.loop11 ]
  %v35 = load float, ptr %v34, align 4
  %v37 = load <16 x float>, ptr %v36, align 4
  %v38 = insertelement <16 x float> poison, float %v35, i64 0
  %v39 = shufflevector <16 x float> %v38, <16 x float> poison, <16 x i32> zeroinitializer
  %v40 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v39, <16 x float> %v37, <16 x float> %v14)
  %v41 = getelementptr i8, ptr %v36, i64 64
  %v42 = load <4 x float>, ptr %v41, align 4
  %v43 = shufflevector <4 x float> %v42, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v44 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v39, <16 x float> %v43, <16 x float> %v15)
  %v45 = getelementptr i8, ptr %v34, i64 96
  %v46 = load float, ptr %v45, align 4
  %v47 = insertelement <16 x float> poison, float %v46, i64 0
  %v48 = shufflevector <16 x float> %v47, <16 x float> poison, <16 x i32> zeroinitializer
  %v49 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v37, <16 x float> %v16)
  %v50 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v43, <16 x float> %v17)
  %v51 = getelementptr i8, ptr %v34, i64 192
  %v52 = load float, ptr %v51, align 4
  %v53 = insertelement <16 x float> poison, float %v52, i64 0
  %v54 = shufflevector <16 x float> %v53, <16 x float> poison, <16 x i32> zeroinitializer
  %v55 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v54, <16 x float> %v37, <16 x float> %v18)
  %v56 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v54, <16 x float> %v43, <16 x float> %v19)
  %v57 = getelementptr i8, ptr %v34, i64 288
  %v58 = load float, ptr %v57, align 4
  %v59 = insertelement <16 x float> poison, float %v58, i64 0
  %v60 = shufflevector <16 x float> %v59, <16 x float> poison, <16 x i32> zeroinitializer
  %v61 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v37, <16 x float> %v20)
  %v62 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v43, <16 x float> %v21)
  %v63 = getelementptr i8, ptr %v34, i64 384
  %v64 = load float, ptr %v63, align 4
  %v65 = insertelement <16 x float> poison, float %v64, i64 0
  %v66 = shufflevector <16 x float> %v65, <16 x float> poison, <16 x i32> zeroinitializer
  %v67 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v37, <16 x float> %v22)
  %v68 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v43, <16 x float> %v23)
  %v69 = getelementptr i8, ptr %v34, i64 480
  %v70 = load float, ptr %v69, align 4
  %v71 = insertelement <16 x float> poison, float %v70, i64 0
  %v72 = shufflevector <16 x float> %v71, <16 x float> poison, <16 x i32> zeroinitializer
  %v73 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v72, <16 x float> %v37, <16 x float> %v24)
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v72, <16 x float> %v43, <16 x float> %v25)
  %v75 = getelementptr i8, ptr %v34, i64 576
  %v76 = load float, ptr %v75, align 4
  %v77 = insertelement <16 x float> poison, float %v76, i64 0
  %v78 = shufflevector <16 x float> %v77, <16 x float> poison, <16 x i32> zeroinitializer
  %v79 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v78, <16 x float> %v37, <16 x float> %v26)
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v78, <16 x float> %v43, <16 x float> %v27)
  %v81 = getelementptr i8, ptr %v34, i64 672
  %v82 = load float, ptr %v81, align 4
  %v83 = insertelement <16 x float> poison, float %v82, i64 0
  %v84 = shufflevector <16 x float> %v83, <16 x float> poison, <16 x i32> zeroinitializer
  %v85 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v37, <16 x float> %v28)
  %v86 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v43, <16 x float> %v29)
  %v87 = getelementptr i8, ptr %v34, i64 768
  %v88 = load float, ptr %v87, align 4
  %v89 = insertelement <16 x float> poison, float %v88, i64 0
  %v90 = shufflevector <16 x float> %v89, <16 x float> poison, <16 x i32> zeroinitializer
  %v91 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v37, <16 x float> %v30)
  %v92 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v43, <16 x float> %v31)
  %v93 = getelementptr i8, ptr %v34, i64 864
  %v94 = load float, ptr %v93, align 4
  %v95 = insertelement <16 x float> poison, float %v94, i64 0
  %v96 = shufflevector <16 x float> %v95, <16 x float> poison, <16 x i32> zeroinitializer
  %v97 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v96, <16 x float> %v37, <16 x float> %v32)
  %v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v96, <16 x float> %v43, <16 x float> %v33)
  %v99 = getelementptr i8, ptr %v34, i64 4
  %v100 = freeze ptr %v99
  %v102 = getelementptr i8, ptr %v36, i64 80
  %v103 = freeze ptr %v102
  %v104 = icmp ne ptr %v100, %v101
  br i1 %v104, label %o.loop11, label %o.done12
o.done12:
  store <16 x float> %v40, ptr %v6, align 4
  %v105 = getelementptr i8, ptr %v6, i64 64
  %v106 = shufflevector <16 x float> %v44, <16 x float> %v44, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v106, ptr %v105, align 4
  %v107 = getelementptr i8, ptr %v6, i64 80
  store <16 x float> %v49, ptr %v107, align 4
  %v108 = getelementptr i8, ptr %v6, i64 144
  %v109 = shufflevector <16 x float> %v50, <16 x float> %v50, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v109, ptr %v108, align 4
  %v110 = getelementptr i8, ptr %v6, i64 160
  store <16 x float> %v55, ptr %v110, align 4
  %v111 = getelementptr i8, ptr %v6, i64 224
  %v112 = shufflevector <16 x float> %v56, <16 x float> %v56, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v112, ptr %v111, align 4
  %v113 = getelementptr i8, ptr %v6, i64 240
  store <16 x float> %v61, ptr %v113, align 4
  %v114 = getelementptr i8, ptr %v6, i64 304
  %v115 = shufflevector <16 x float> %v62, <16 x float> %v62, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v115, ptr %v114, align 4
  %v116 = getelementptr i8, ptr %v6, i64 320
  store <16 x float> %v67, ptr %v116, align 4
  %v117 = getelementptr i8, ptr %v6, i64 384
  %v118 = shufflevector <16 x float> %v68, <16 x float> %v68, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v118, ptr %v117, align 4
  %v119 = getelementptr i8, ptr %v6, i64 400
  store <16 x float> %v73, ptr %v119, align 4
  %v120 = getelementptr i8, ptr %v6, i64 464
  %v121 = shufflevector <16 x float> %v74, <16 x float> %v74, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v121, ptr %v120, align 4
  %v122 = getelementptr i8, ptr %v6, i64 480
  store <16 x float> %v79, ptr %v122, align 4
  %v123 = getelementptr i8, ptr %v6, i64 544
  %v124 = shufflevector <16 x float> %v80, <16 x float> %v80, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v124, ptr %v123, align 4
  %v125 = getelementptr i8, ptr %v6, i64 560
  store <16 x float> %v85, ptr %v125, align 4
  %v126 = getelementptr i8, ptr %v6, i64 624
  %v127 = shufflevector <16 x float> %v86, <16 x float> %v86, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v127, ptr %v126, align 4
  %v128 = getelementptr i8, ptr %v6, i64 640
  store <16 x float> %v91, ptr %v128, align 4
  %v129 = getelementptr i8, ptr %v6, i64 704
  %v130 = shufflevector <16 x float> %v92, <16 x float> %v92, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v130, ptr %v129, align 4
  %v131 = getelementptr i8, ptr %v6, i64 720
  store <16 x float> %v97, ptr %v131, align 4
  %v132 = getelementptr i8, ptr %v6, i64 784
  %v133 = shufflevector <16 x float> %v98, <16 x float> %v98, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v133, ptr %v132, align 4
  %v135 = add nsw i64 %v134, 1
  %v136 = freeze i64 %v135
  %v137 = icmp ne i64 %v136, %hi
  br i1 %v137, label %items.loop7, label %items.done8
items.done8:
  ret void
}
