define void @k_9a8612af0aeb9e23(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
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
  %v173 = phi i64 [ %lo, %entry ], [ %v175, %o.done92 ]
  %v78 = getelementptr i8, ptr %v2, i64 96
  br label %o.loop11
o.loop11:
  %v24 = phi ptr [ %v2, %items.loop7 ], [ %v77, %o.loop11 ]
  %v26 = phi ptr [ %v4, %items.loop7 ], [ %v80, %o.loop11 ]
  %v14 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v30, %o.loop11 ]
  %v15 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v35, %o.loop11 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v40, %o.loop11 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v45, %o.loop11 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v50, %o.loop11 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v55, %o.loop11 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v60, %o.loop11 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v65, %o.loop11 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v70, %o.loop11 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v75, %o.loop11 ]
  %v25 = load float, ptr %v24, align 4
  %v27 = load <16 x float>, ptr %v26, align 4
  %v28 = insertelement <16 x float> poison, float %v25, i64 0
  %v29 = shufflevector <16 x float> %v28, <16 x float> poison, <16 x i32> zeroinitializer
  %v30 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v29, <16 x float> %v27, <16 x float> %v14)
  %v31 = getelementptr i8, ptr %v24, i64 96
  %v32 = load float, ptr %v31, align 4
  %v33 = insertelement <16 x float> poison, float %v32, i64 0
  %v34 = shufflevector <16 x float> %v33, <16 x float> poison, <16 x i32> zeroinitializer
  %v35 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v34, <16 x float> %v27, <16 x float> %v15)
  %v36 = getelementptr i8, ptr %v24, i64 192
  %v37 = load float, ptr %v36, align 4
  %v38 = insertelement <16 x float> poison, float %v37, i64 0
  %v39 = shufflevector <16 x float> %v38, <16 x float> poison, <16 x i32> zeroinitializer
  %v40 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v39, <16 x float> %v27, <16 x float> %v16)
  %v41 = getelementptr i8, ptr %v24, i64 288
  %v42 = load float, ptr %v41, align 4
  %v43 = insertelement <16 x float> poison, float %v42, i64 0
  %v44 = shufflevector <16 x float> %v43, <16 x float> poison, <16 x i32> zeroinitializer
  %v45 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v44, <16 x float> %v27, <16 x float> %v17)
  %v46 = getelementptr i8, ptr %v24, i64 384
  %v47 = load float, ptr %v46, align 4
  %v48 = insertelement <16 x float> poison, float %v47, i64 0
  %v49 = shufflevector <16 x float> %v48, <16 x float> poison, <16 x i32> zeroinitializer
  %v50 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v49, <16 x float> %v27, <16 x float> %v18)
  %v51 = getelementptr i8, ptr %v24, i64 480
  %v52 = load float, ptr %v51, align 4
  %v53 = insertelement <16 x float> poison, float %v52, i64 0
  %v54 = shufflevector <16 x float> %v53, <16 x float> poison, <16 x i32> zeroinitializer
  %v55 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v54, <16 x float> %v27, <16 x float> %v19)
  %v56 = getelementptr i8, ptr %v24, i64 576
  %v57 = load float, ptr %v56, align 4
  %v58 = insertelement <16 x float> poison, float %v57, i64 0
  %v59 = shufflevector <16 x float> %v58, <16 x float> poison, <16 x i32> zeroinitializer
  %v60 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v27, <16 x float> %v20)
  %v61 = getelementptr i8, ptr %v24, i64 672
  %v62 = load float, ptr %v61, align 4
  %v63 = insertelement <16 x float> poison, float %v62, i64 0
  %v64 = shufflevector <16 x float> %v63, <16 x float> poison, <16 x i32> zeroinitializer
  %v65 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v27, <16 x float> %v21)
  %v66 = getelementptr i8, ptr %v24, i64 768
  %v67 = load float, ptr %v66, align 4
  %v68 = insertelement <16 x float> poison, float %v67, i64 0
  %v69 = shufflevector <16 x float> %v68, <16 x float> poison, <16 x i32> zeroinitializer
  %v70 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v69, <16 x float> %v27, <16 x float> %v22)
  %v71 = getelementptr i8, ptr %v24, i64 864
  %v72 = load float, ptr %v71, align 4
  %v73 = insertelement <16 x float> poison, float %v72, i64 0
  %v74 = shufflevector <16 x float> %v73, <16 x float> poison, <16 x i32> zeroinitializer
  %v75 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v74, <16 x float> %v27, <16 x float> %v23)
  %v76 = getelementptr i8, ptr %v24, i64 4
  %v77 = freeze ptr %v76
  %v79 = getelementptr i8, ptr %v26, i64 80
  %v80 = freeze ptr %v79
  %v81 = icmp ne ptr %v77, %v78
  br i1 %v81, label %o.loop11, label %o.done12
o.done12:
  store <16 x float> %v30, ptr %v6, align 4
  %v82 = getelementptr i8, ptr %v6, i64 80
  store <16 x float> %v35, ptr %v82, align 4
  %v83 = getelementptr i8, ptr %v6, i64 160
  store <16 x float> %v40, ptr %v83, align 4
  %v84 = getelementptr i8, ptr %v6, i64 240
  store <16 x float> %v45, ptr %v84, align 4
  %v85 = getelementptr i8, ptr %v6, i64 320
  store <16 x float> %v50, ptr %v85, align 4
  %v86 = getelementptr i8, ptr %v6, i64 400
  store <16 x float> %v55, ptr %v86, align 4
  %v87 = getelementptr i8, ptr %v6, i64 480
  store <16 x float> %v60, ptr %v87, align 4
  %v88 = getelementptr i8, ptr %v6, i64 560
  store <16 x float> %v65, ptr %v88, align 4
  %v89 = getelementptr i8, ptr %v6, i64 640
  store <16 x float> %v70, ptr %v89, align 4
  %v90 = getelementptr i8, ptr %v6, i64 720
  store <16 x float> %v75, ptr %v90, align 4
  %v159 = getelementptr i8, ptr %v2, i64 96
  br label %o.loop91
o.loop91:
  %v104 = phi ptr [ %v2, %o.done12 ], [ %v158, %o.loop91 ]
  %v106 = phi ptr [ %v4, %o.done12 ], [ %v161, %o.loop91 ]
  %v94 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done12 ], [ %v111, %o.loop91 ]
  %v95 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done12 ], [ %v116, %o.loop91 ]
  %v96 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done12 ], [ %v121, %o.loop91 ]
  %v97 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done12 ], [ %v126, %o.loop91 ]
  %v98 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done12 ], [ %v131, %o.loop91 ]
  %v99 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done12 ], [ %v136, %o.loop91 ]
  %v100 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done12 ], [ %v141, %o.loop91 ]
  %v101 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done12 ], [ %v146, %o.loop91 ]
  %v102 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done12 ], [ %v151, %o.loop91 ]
  %v103 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done12 ], [ %v156, %o.loop91 ]
  %v105 = load float, ptr %v104, align 4
  %v107 = getelementptr i8, ptr %v106, i64 64
  %v108 = load <4 x float>, ptr %v107, align 4
  %v109 = insertelement <4 x float> poison, float %v105, i64 0
  %v110 = shufflevector <4 x float> %v109, <4 x float> poison, <4 x i32> zeroinitializer
  %v111 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v110, <4 x float> %v108, <4 x float> %v94)
  %v112 = getelementptr i8, ptr %v104, i64 96
  %v113 = load float, ptr %v112, align 4
  %v114 = insertelement <4 x float> poison, float %v113, i64 0
  %v115 = shufflevector <4 x float> %v114, <4 x float> poison, <4 x i32> zeroinitializer
  %v116 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v115, <4 x float> %v108, <4 x float> %v95)
  %v117 = getelementptr i8, ptr %v104, i64 192
  %v118 = load float, ptr %v117, align 4
  %v119 = insertelement <4 x float> poison, float %v118, i64 0
  %v120 = shufflevector <4 x float> %v119, <4 x float> poison, <4 x i32> zeroinitializer
  %v121 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v120, <4 x float> %v108, <4 x float> %v96)
  %v122 = getelementptr i8, ptr %v104, i64 288
  %v123 = load float, ptr %v122, align 4
  %v124 = insertelement <4 x float> poison, float %v123, i64 0
  %v125 = shufflevector <4 x float> %v124, <4 x float> poison, <4 x i32> zeroinitializer
  %v126 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v125, <4 x float> %v108, <4 x float> %v97)
  %v127 = getelementptr i8, ptr %v104, i64 384
  %v128 = load float, ptr %v127, align 4
  %v129 = insertelement <4 x float> poison, float %v128, i64 0
  %v130 = shufflevector <4 x float> %v129, <4 x float> poison, <4 x i32> zeroinitializer
  %v131 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v130, <4 x float> %v108, <4 x float> %v98)
  %v132 = getelementptr i8, ptr %v104, i64 480
  %v133 = load float, ptr %v132, align 4
  %v134 = insertelement <4 x float> poison, float %v133, i64 0
  %v135 = shufflevector <4 x float> %v134, <4 x float> poison, <4 x i32> zeroinitializer
  %v136 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v135, <4 x float> %v108, <4 x float> %v99)
  %v137 = getelementptr i8, ptr %v104, i64 576
  %v138 = load float, ptr %v137, align 4
  %v139 = insertelement <4 x float> poison, float %v138, i64 0
  %v140 = shufflevector <4 x float> %v139, <4 x float> poison, <4 x i32> zeroinitializer
  %v141 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v140, <4 x float> %v108, <4 x float> %v100)
  %v142 = getelementptr i8, ptr %v104, i64 672
  %v143 = load float, ptr %v142, align 4
  %v144 = insertelement <4 x float> poison, float %v143, i64 0
  %v145 = shufflevector <4 x float> %v144, <4 x float> poison, <4 x i32> zeroinitializer
  %v146 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v145, <4 x float> %v108, <4 x float> %v101)
  %v147 = getelementptr i8, ptr %v104, i64 768
  %v148 = load float, ptr %v147, align 4
  %v149 = insertelement <4 x float> poison, float %v148, i64 0
  %v150 = shufflevector <4 x float> %v149, <4 x float> poison, <4 x i32> zeroinitializer
  %v151 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v150, <4 x float> %v108, <4 x float> %v102)
  %v152 = getelementptr i8, ptr %v104, i64 864
  %v153 = load float, ptr %v152, align 4
  %v154 = insertelement <4 x float> poison, float %v153, i64 0
  %v155 = shufflevector <4 x float> %v154, <4 x float> poison, <4 x i32> zeroinitializer
  %v156 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v155, <4 x float> %v108, <4 x float> %v103)
  %v157 = getelementptr i8, ptr %v104, i64 4
  %v158 = freeze ptr %v157
  %v160 = getelementptr i8, ptr %v106, i64 80
  %v161 = freeze ptr %v160
  %v162 = icmp ne ptr %v158, %v159
  br i1 %v162, label %o.loop91, label %o.done92
o.done92:
  %v163 = getelementptr i8, ptr %v6, i64 64
  store <4 x float> %v111, ptr %v163, align 4
  %v164 = getelementptr i8, ptr %v6, i64 144
  store <4 x float> %v116, ptr %v164, align 4
  %v165 = getelementptr i8, ptr %v6, i64 224
  store <4 x float> %v121, ptr %v165, align 4
  %v166 = getelementptr i8, ptr %v6, i64 304
  store <4 x float> %v126, ptr %v166, align 4
  %v167 = getelementptr i8, ptr %v6, i64 384
  store <4 x float> %v131, ptr %v167, align 4
  %v168 = getelementptr i8, ptr %v6, i64 464
  store <4 x float> %v136, ptr %v168, align 4
  %v169 = getelementptr i8, ptr %v6, i64 544
  store <4 x float> %v141, ptr %v169, align 4
  %v170 = getelementptr i8, ptr %v6, i64 624
  store <4 x float> %v146, ptr %v170, align 4
  %v171 = getelementptr i8, ptr %v6, i64 704
  store <4 x float> %v151, ptr %v171, align 4
  %v172 = getelementptr i8, ptr %v6, i64 784
  store <4 x float> %v156, ptr %v172, align 4
  %v174 = add nsw i64 %v173, 1
  %v175 = freeze i64 %v174
  %v176 = icmp ne i64 %v175, %hi
  br i1 %v176, label %items.loop7, label %items.done8
items.done8:
  ret void
}
