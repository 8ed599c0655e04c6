define void @k_2b24ccccb5e8b935(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v155, %co.done12 ]
  %v26 = urem i64 %v10, 6
  %v27 = add nsw i64 %v26, -3
  %v29 = add nsw i64 %v26, 1
  %v50 = udiv i64 %v10, 6
  %v51 = mul nsw i64 %v26, 256
  %v52 = getelementptr i8, ptr %v2, i64 %v51
  %v53 = mul nsw i64 %v50, 4096
  %v54 = getelementptr i8, ptr %v52, i64 %v53
  %v139 = mul nsw i64 %v26, 384
  %v140 = getelementptr i8, ptr %v6, i64 %v139
  %v141 = mul nsw i64 %v50, 4608
  %v142 = getelementptr i8, ptr %v140, i64 %v141
  %v135 = getelementptr i8, ptr %v4, i64 288
  br label %co.loop11
co.loop11:
  %v47 = phi ptr [ %v4, %items.loop7 ], [ %v134, %kh.done32 ]
  %v55 = phi ptr [ %v54, %items.loop7 ], [ %v137, %kh.done32 ]
  %v14 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v121, %kh.done32 ]
  %v15 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v122, %kh.done32 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v123, %kh.done32 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v124, %kh.done32 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v125, %kh.done32 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v126, %kh.done32 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v127, %kh.done32 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v128, %kh.done32 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v129, %kh.done32 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v130, %kh.done32 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v131, %kh.done32 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v132, %kh.done32 ]
  %v28 = call i64 @llvm.smax.i64(i64 0, i64 %v27)
  %v30 = call i64 @llvm.smin.i64(i64 3, i64 %v29)
  %v112 = mul nsw i64 %v28, 12
  %v113 = getelementptr i8, ptr %v47, i64 %v112
  %v114 = mul nsw i64 %v30, 12
  %v115 = getelementptr i8, ptr %v47, i64 %v114
  %v118 = mul nsw i64 %v28, -256
  %v119 = getelementptr i8, ptr %v55, i64 %v118
  %v33 = icmp slt i64 %v28, %v30
  br i1 %v33, label %kh.loop31, label %kh.done32
kh.loop31:
  %v48 = phi ptr [ %v113, %co.loop11 ], [ %v111, %kh.loop31 ]
  %v56 = phi ptr [ %v119, %co.loop11 ], [ %v117, %kh.loop31 ]
  %v35 = phi <16 x float> [ %v14, %co.loop11 ], [ %v60, %kh.loop31 ]
  %v36 = phi <16 x float> [ %v15, %co.loop11 ], [ %v82, %kh.loop31 ]
  %v37 = phi <16 x float> [ %v16, %co.loop11 ], [ %v98, %kh.loop31 ]
  %v38 = phi <16 x float> [ %v17, %co.loop11 ], [ %v99, %kh.loop31 ]
  %v39 = phi <16 x float> [ %v18, %co.loop11 ], [ %v100, %kh.loop31 ]
  %v40 = phi <16 x float> [ %v19, %co.loop11 ], [ %v101, %kh.loop31 ]
  %v41 = phi <16 x float> [ %v20, %co.loop11 ], [ %v74, %kh.loop31 ]
  %v42 = phi <16 x float> [ %v21, %co.loop11 ], [ %v90, %kh.loop31 ]
  %v43 = phi <16 x float> [ %v22, %co.loop11 ], [ %v106, %kh.loop31 ]
  %v44 = phi <16 x float> [ %v23, %co.loop11 ], [ %v107, %kh.loop31 ]
  %v45 = phi <16 x float> [ %v24, %co.loop11 ], [ %v108, %kh.loop31 ]
  %v46 = phi <16 x float> [ %v25, %co.loop11 ], [ %v109, %kh.loop31 ]
  %v49 = load float, ptr %v48, align 4
  %v57 = load <16 x float>, ptr %v56, align 64
  %v58 = insertelement <16 x float> poison, float %v49, i64 0
  %v59 = shufflevector <16 x float> %v58, <16 x float> poison, <16 x i32> zeroinitializer
  %v60 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v59, <16 x float> %v35)
  %v61 = getelementptr i8, ptr %v56, i64 64
  %v62 = load <16 x float>, ptr %v61, align 64
  %v63 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v62, <16 x float> %v59, <16 x float> %v36)
  %v64 = getelementptr i8, ptr %v56, i64 128
  %v65 = load <16 x float>, ptr %v64, align 64
  %v66 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v65, <16 x float> %v59, <16 x float> %v37)
  %v67 = getelementptr i8, ptr %v56, i64 192
  %v68 = load <16 x float>, ptr %v67, align 64
  %v69 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v59, <16 x float> %v38)
  %v70 = getelementptr i8, ptr %v48, i64 36
  %v71 = load float, ptr %v70, align 4
  %v72 = insertelement <16 x float> poison, float %v71, i64 0
  %v73 = shufflevector <16 x float> %v72, <16 x float> poison, <16 x i32> zeroinitializer
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v73, <16 x float> %v41)
  %v75 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v62, <16 x float> %v73, <16 x float> %v42)
  %v76 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v65, <16 x float> %v73, <16 x float> %v43)
  %v77 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v73, <16 x float> %v44)
  %v78 = getelementptr i8, ptr %v48, i64 4
  %v79 = load float, ptr %v78, align 4
  %v80 = insertelement <16 x float> poison, float %v79, i64 0
  %v81 = shufflevector <16 x float> %v80, <16 x float> poison, <16 x i32> zeroinitializer
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v81, <16 x float> %v63)
  %v83 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v62, <16 x float> %v81, <16 x float> %v66)
  %v84 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v65, <16 x float> %v81, <16 x float> %v69)
  %v85 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v81, <16 x float> %v39)
  %v86 = getelementptr i8, ptr %v48, i64 40
  %v87 = load float, ptr %v86, align 4
  %v88 = insertelement <16 x float> poison, float %v87, i64 0
  %v89 = shufflevector <16 x float> %v88, <16 x float> poison, <16 x i32> zeroinitializer
  %v90 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v89, <16 x float> %v75)
  %v91 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v62, <16 x float> %v89, <16 x float> %v76)
  %v92 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v65, <16 x float> %v89, <16 x float> %v77)
  %v93 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v89, <16 x float> %v45)
  %v94 = getelementptr i8, ptr %v48, i64 8
  %v95 = load float, ptr %v94, align 4
  %v96 = insertelement <16 x float> poison, float %v95, i64 0
  %v97 = shufflevector <16 x float> %v96, <16 x float> poison, <16 x i32> zeroinitializer
  %v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v97, <16 x float> %v83)
  %v99 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v62, <16 x float> %v97, <16 x float> %v84)
  %v100 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v65, <16 x float> %v97, <16 x float> %v85)
  %v101 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v97, <16 x float> %v40)
  %v102 = getelementptr i8, ptr %v48, i64 44
  %v103 = load float, ptr %v102, align 4
  %v104 = insertelement <16 x float> poison, float %v103, i64 0
  %v105 = shufflevector <16 x float> %v104, <16 x float> poison, <16 x i32> zeroinitializer
  %v106 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v105, <16 x float> %v91)
  %v107 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v62, <16 x float> %v105, <16 x float> %v92)
  %v108 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v65, <16 x float> %v105, <16 x float> %v93)
  %v109 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v105, <16 x float> %v46)
  %v110 = getelementptr i8, ptr %v48, i64 12
  %v111 = freeze ptr %v110
  %v116 = getelementptr i8, ptr %v56, i64 -256
  %v117 = freeze ptr %v116
  %v120 = icmp ne ptr %v111, %v115
  br i1 %v120, label %kh.loop31, label %kh.done32
kh.done32:
  %v121 = phi <16 x float> [ %v14, %co.loop11 ], [ %v60, %kh.loop31 ]
  %v122 = phi <16 x float> [ %v15, %co.loop11 ], [ %v82, %kh.loop31 ]
  %v123 = phi <16 x float> [ %v16, %co.loop11 ], [ %v98, %kh.loop31 ]
  %v124 = phi <16 x float> [ %v17, %co.loop11 ], [ %v99, %kh.loop31 ]
  %v125 = phi <16 x float> [ %v18, %co.loop11 ], [ %v100, %kh.loop31 ]
  %v126 = phi <16 x float> [ %v19, %co.loop11 ], [ %v101, %kh.loop31 ]
  %v127 = phi <16 x float> [ %v20, %co.loop11 ], [ %v74, %kh.loop31 ]
  %v128 = phi <16 x float> [ %v21, %co.loop11 ], [ %v90, %kh.loop31 ]
  %v129 = phi <16 x float> [ %v22, %co.loop11 ], [ %v106, %kh.loop31 ]
  %v130 = phi <16 x float> [ %v23, %co.loop11 ], [ %v107, %kh.loop31 ]
  %v131 = phi <16 x float> [ %v24, %co.loop11 ], [ %v108, %kh.loop31 ]
  %v132 = phi <16 x float> [ %v25, %co.loop11 ], [ %v109, %kh.loop31 ]
  %v133 = getelementptr i8, ptr %v47, i64 72
  %v134 = freeze ptr %v133
  %v136 = getelementptr i8, ptr %v55, i64 1024
  %v137 = freeze ptr %v136
  %v138 = icmp ne ptr %v134, %v135
  br i1 %v138, label %co.loop11, label %co.done12
co.done12:
  store <16 x float> %v121, ptr %v142, align 64
  %v143 = getelementptr i8, ptr %v142, i64 64
  store <16 x float> %v122, ptr %v143, align 64
  %v144 = getelementptr i8, ptr %v142, i64 128
  store <16 x float> %v123, ptr %v144, align 64
  %v145 = getelementptr i8, ptr %v142, i64 192
  store <16 x float> %v124, ptr %v145, align 64
  %v146 = getelementptr i8, ptr %v142, i64 256
  store <16 x float> %v125, ptr %v146, align 64
  %v147 = getelementptr i8, ptr %v142, i64 320
  store <16 x float> %v126, ptr %v147, align 64
  %v148 = getelementptr i8, ptr %v142, i64 2304
  store <16 x float> %v127, ptr %v148, align 64
  %v149 = getelementptr i8, ptr %v142, i64 2368
  store <16 x float> %v128, ptr %v149, align 64
  %v150 = getelementptr i8, ptr %v142, i64 2432
  store <16 x float> %v129, ptr %v150, align 64
  %v151 = getelementptr i8, ptr %v142, i64 2496
  store <16 x float> %v130, ptr %v151, align 64
  %v152 = getelementptr i8, ptr %v142, i64 2560
  store <16 x float> %v131, ptr %v152, align 64
  %v153 = getelementptr i8, ptr %v142, i64 2624
  store <16 x float> %v132, ptr %v153, align 64
  %v154 = add nsw i64 %v10, 1
  %v155 = freeze i64 %v154
  %v156 = icmp ne i64 %v155, %hi
  br i1 %v156, label %items.loop7, label %items.done8
items.done8:
  ret void
}
