define void @k_f15c64b29156b60f(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = sub i64 %lo, 0
  %v8 = call i64 @llvm.smax.i64(i64 %v7, i64 0)
  %v9 = sub i64 %hi, 0
  %v10 = call i64 @llvm.smin.i64(i64 %v9, i64 1)
  %v13 = icmp slt i64 %v8, %v10
  br i1 %v13, label %items.loop11, label %items.done12
items.loop11:
  %v95 = phi i64 [ %v8, %entry ], [ %v97, %o.done16 ]
  %v82 = getelementptr i8, ptr %v2, i64 96
  br label %o.loop15
o.loop15:
  %v28 = phi ptr [ %v2, %items.loop11 ], [ %v81, %o.loop15 ]
  %v30 = phi ptr [ %v4, %items.loop11 ], [ %v84, %o.loop15 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop11 ], [ %v34, %o.loop15 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop11 ], [ %v39, %o.loop15 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop11 ], [ %v44, %o.loop15 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop11 ], [ %v49, %o.loop15 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop11 ], [ %v54, %o.loop15 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop11 ], [ %v59, %o.loop15 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop11 ], [ %v64, %o.loop15 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop11 ], [ %v69, %o.loop15 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop11 ], [ %v74, %o.loop15 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop11 ], [ %v79, %o.loop15 ]
  %v29 = load float, ptr %v28, align 4
  %v31 = load <16 x float>, ptr %v30, align 4
  %v32 = insertelement <16 x float> poison, float %v29, i64 0
  %v33 = shufflevector <16 x float> %v32, <16 x float> poison, <16 x i32> zeroinitializer
  %v34 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v33, <16 x float> %v31, <16 x float> %v18)
  %v35 = getelementptr i8, ptr %v28, i64 96
  %v36 = load float, ptr %v35, align 4
  %v37 = insertelement <16 x float> poison, float %v36, i64 0
  %v38 = shufflevector <16 x float> %v37, <16 x float> poison, <16 x i32> zeroinitializer
  %v39 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v31, <16 x float> %v19)
  %v40 = getelementptr i8, ptr %v28, i64 192
  %v41 = load float, ptr %v40, align 4
  %v42 = insertelement <16 x float> poison, float %v41, i64 0
  %v43 = shufflevector <16 x float> %v42, <16 x float> poison, <16 x i32> zeroinitializer
  %v44 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v31, <16 x float> %v20)
  %v45 = getelementptr i8, ptr %v28, i64 288
  %v46 = load float, ptr %v45, align 4
  %v47 = insertelement <16 x float> poison, float %v46, i64 0
  %v48 = shufflevector <16 x float> %v47, <16 x float> poison, <16 x i32> zeroinitializer
  %v49 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v31, <16 x float> %v21)
  %v50 = getelementptr i8, ptr %v28, i64 384
  %v51 = load float, ptr %v50, align 4
  %v52 = insertelement <16 x float> poison, float %v51, i64 0
  %v53 = shufflevector <16 x float> %v52, <16 x float> poison, <16 x i32> zeroinitializer
  %v54 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v53, <16 x float> %v31, <16 x float> %v22)
  %v55 = getelementptr i8, ptr %v28, i64 480
  %v56 = load float, ptr %v55, align 4
  %v57 = insertelement <16 x float> poison, float %v56, i64 0
  %v58 = shufflevector <16 x float> %v57, <16 x float> poison, <16 x i32> zeroinitializer
  %v59 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v58, <16 x float> %v31, <16 x float> %v23)
  %v60 = getelementptr i8, ptr %v28, i64 576
  %v61 = load float, ptr %v60, align 4
  %v62 = insertelement <16 x float> poison, float %v61, i64 0
  %v63 = shufflevector <16 x float> %v62, <16 x float> poison, <16 x i32> zeroinitializer
  %v64 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v63, <16 x float> %v31, <16 x float> %v24)
  %v65 = getelementptr i8, ptr %v28, i64 672
  %v66 = load float, ptr %v65, align 4
  %v67 = insertelement <16 x float> poison, float %v66, i64 0
  %v68 = shufflevector <16 x float> %v67, <16 x float> poison, <16 x i32> zeroinitializer
  %v69 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v31, <16 x float> %v25)
  %v70 = getelementptr i8, ptr %v28, i64 768
  %v71 = load float, ptr %v70, align 4
  %v72 = insertelement <16 x float> poison, float %v71, i64 0
  %v73 = shufflevector <16 x float> %v72, <16 x float> poison, <16 x i32> zeroinitializer
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v31, <16 x float> %v26)
  %v75 = getelementptr i8, ptr %v28, i64 864
  %v76 = load float, ptr %v75, align 4
  %v77 = insertelement <16 x float> poison, float %v76, i64 0
  %v78 = shufflevector <16 x float> %v77, <16 x float> poison, <16 x i32> zeroinitializer
  %v79 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v78, <16 x float> %v31, <16 x float> %v27)
  %v80 = getelementptr i8, ptr %v28, i64 4
  %v81 = freeze ptr %v80
  %v83 = getelementptr i8, ptr %v30, i64 80
  %v84 = freeze ptr %v83
  %v85 = icmp ne ptr %v81, %v82
  br i1 %v85, label %o.loop15, label %o.done16
o.done16:
  store <16 x float> %v34, ptr %v6, align 4
  %v86 = getelementptr i8, ptr %v6, i64 80
  store <16 x float> %v39, ptr %v86, align 4
  %v87 = getelementptr i8, ptr %v6, i64 160
  store <16 x float> %v44, ptr %v87, align 4
  %v88 = getelementptr i8, ptr %v6, i64 240
  store <16 x float> %v49, ptr %v88, align 4
  %v89 = getelementptr i8, ptr %v6, i64 320
  store <16 x float> %v54, ptr %v89, align 4
  %v90 = getelementptr i8, ptr %v6, i64 400
  store <16 x float> %v59, ptr %v90, align 4
  %v91 = getelementptr i8, ptr %v6, i64 480
  store <16 x float> %v64, ptr %v91, align 4
  %v92 = getelementptr i8, ptr %v6, i64 560
  store <16 x float> %v69, ptr %v92, align 4
  %v93 = getelementptr i8, ptr %v6, i64 640
  store <16 x float> %v74, ptr %v93, align 4
  %v94 = getelementptr i8, ptr %v6, i64 720
  store <16 x float> %v79, ptr %v94, align 4
  %v96 = add nsw i64 %v95, 1
  %v97 = freeze i64 %v96
  %v98 = icmp ne i64 %v97, %v10
  br i1 %v98, label %items.loop11, label %items.done12
items.done12:
  %v99 = sub i64 %lo, 1
  %v100 = call i64 @llvm.smax.i64(i64 %v99, i64 0)
  %v101 = sub i64 %hi, 1
  %v102 = call i64 @llvm.smin.i64(i64 %v101, i64 1)
  %v105 = icmp slt i64 %v100, %v102
  br i1 %v105, label %items.loop103, label %items.done104
items.loop103:
  %v189 = phi i64 [ %v100, %items.done12 ], [ %v191, %o.done108 ]
  %v175 = getelementptr i8, ptr %v2, i64 96
  br label %o.loop107
o.loop107:
  %v120 = phi ptr [ %v2, %items.loop103 ], [ %v174, %o.loop107 ]
  %v122 = phi ptr [ %v4, %items.loop103 ], [ %v177, %o.loop107 ]
  %v110 = phi <4 x float> [ splat (float 0x0000000000000000), %items.loop103 ], [ %v127, %o.loop107 ]
  %v111 = phi <4 x float> [ splat (float 0x0000000000000000), %items.loop103 ], [ %v132, %o.loop107 ]
  %v112 = phi <4 x float> [ splat (float 0x0000000000000000), %items.loop103 ], [ %v137, %o.loop107 ]
  %v113 = phi <4 x float> [ splat (float 0x0000000000000000), %items.loop103 ], [ %v142, %o.loop107 ]
  %v114 = phi <4 x float> [ splat (float 0x0000000000000000), %items.loop103 ], [ %v147, %o.loop107 ]
  %v115 = phi <4 x float> [ splat (float 0x0000000000000000), %items.loop103 ], [ %v152, %o.loop107 ]
  %v116 = phi <4 x float> [ splat (float 0x0000000000000000), %items.loop103 ], [ %v157, %o.loop107 ]
  %v117 = phi <4 x float> [ splat (float 0x0000000000000000), %items.loop103 ], [ %v162, %o.loop107 ]
  %v118 = phi <4 x float> [ splat (float 0x0000000000000000), %items.loop103 ], [ %v167, %o.loop107 ]
  %v119 = phi <4 x float> [ splat (float 0x0000000000000000), %items.loop103 ], [ %v172, %o.loop107 ]
  %v121 = load float, ptr %v120, align 4
  %v123 = getelementptr i8, ptr %v122, i64 64
  %v124 = load <4 x float>, ptr %v123, align 4
  %v125 = insertelement <4 x float> poison, float %v121, i64 0
  %v126 = shufflevector <4 x float> %v125, <4 x float> poison, <4 x i32> zeroinitializer
  %v127 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v126, <4 x float> %v124, <4 x float> %v110)
  %v128 = getelementptr i8, ptr %v120, i64 96
  %v129 = load float, ptr %v128, align 4
  %v130 = insertelement <4 x float> poison, float %v129, i64 0
  %v131 = shufflevector <4 x float> %v130, <4 x float> poison, <4 x i32> zeroinitializer
  %v132 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v131, <4 x float> %v124, <4 x float> %v111)
  %v133 = getelementptr i8, ptr %v120, i64 192
  %v134 = load float, ptr %v133, align 4
  %v135 = insertelement <4 x float> poison, float %v134, i64 0
  %v136 = shufflevector <4 x float> %v135, <4 x float> poison, <4 x i32> zeroinitializer
  %v137 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v136, <4 x float> %v124, <4 x float> %v112)
  %v138 = getelementptr i8, ptr %v120, i64 288
  %v139 = load float, ptr %v138, align 4
  %v140 = insertelement <4 x float> poison, float %v139, i64 0
  %v141 = shufflevector <4 x float> %v140, <4 x float> poison, <4 x i32> zeroinitializer
  %v142 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v141, <4 x float> %v124, <4 x float> %v113)
  %v143 = getelementptr i8, ptr %v120, i64 384
  %v144 = load float, ptr %v143, align 4
  %v145 = insertelement <4 x float> poison, float %v144, i64 0
  %v146 = shufflevector <4 x float> %v145, <4 x float> poison, <4 x i32> zeroinitializer
  %v147 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v146, <4 x float> %v124, <4 x float> %v114)
  %v148 = getelementptr i8, ptr %v120, i64 480
  %v149 = load float, ptr %v148, align 4
  %v150 = insertelement <4 x float> poison, float %v149, i64 0
  %v151 = shufflevector <4 x float> %v150, <4 x float> poison, <4 x i32> zeroinitializer
  %v152 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v151, <4 x float> %v124, <4 x float> %v115)
  %v153 = getelementptr i8, ptr %v120, i64 576
  %v154 = load float, ptr %v153, align 4
  %v155 = insertelement <4 x float> poison, float %v154, i64 0
  %v156 = shufflevector <4 x float> %v155, <4 x float> poison, <4 x i32> zeroinitializer
  %v157 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v156, <4 x float> %v124, <4 x float> %v116)
  %v158 = getelementptr i8, ptr %v120, i64 672
  %v159 = load float, ptr %v158, align 4
  %v160 = insertelement <4 x float> poison, float %v159, i64 0
  %v161 = shufflevector <4 x float> %v160, <4 x float> poison, <4 x i32> zeroinitializer
  %v162 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v161, <4 x float> %v124, <4 x float> %v117)
  %v163 = getelementptr i8, ptr %v120, i64 768
  %v164 = load float, ptr %v163, align 4
  %v165 = insertelement <4 x float> poison, float %v164, i64 0
  %v166 = shufflevector <4 x float> %v165, <4 x float> poison, <4 x i32> zeroinitializer
  %v167 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v166, <4 x float> %v124, <4 x float> %v118)
  %v168 = getelementptr i8, ptr %v120, i64 864
  %v169 = load float, ptr %v168, align 4
  %v170 = insertelement <4 x float> poison, float %v169, i64 0
  %v171 = shufflevector <4 x float> %v170, <4 x float> poison, <4 x i32> zeroinitializer
  %v172 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v171, <4 x float> %v124, <4 x float> %v119)
  %v173 = getelementptr i8, ptr %v120, i64 4
  %v174 = freeze ptr %v173
  %v176 = getelementptr i8, ptr %v122, i64 80
  %v177 = freeze ptr %v176
  %v178 = icmp ne ptr %v174, %v175
  br i1 %v178, label %o.loop107, label %o.done108
o.done108:
  %v179 = getelementptr i8, ptr %v6, i64 64
  store <4 x float> %v127, ptr %v179, align 4
  %v180 = getelementptr i8, ptr %v6, i64 144
  store <4 x float> %v132, ptr %v180, align 4
  %v181 = getelementptr i8, ptr %v6, i64 224
  store <4 x float> %v137, ptr %v181, align 4
  %v182 = getelementptr i8, ptr %v6, i64 304
  store <4 x float> %v142, ptr %v182, align 4
  %v183 = getelementptr i8, ptr %v6, i64 384
  store <4 x float> %v147, ptr %v183, align 4
  %v184 = getelementptr i8, ptr %v6, i64 464
  store <4 x float> %v152, ptr %v184, align 4
  %v185 = getelementptr i8, ptr %v6, i64 544
  store <4 x float> %v157, ptr %v185, align 4
  %v186 = getelementptr i8, ptr %v6, i64 624
  store <4 x float> %v162, ptr %v186, align 4
  %v187 = getelementptr i8, ptr %v6, i64 704
  store <4 x float> %v167, ptr %v187, align 4
  %v188 = getelementptr i8, ptr %v6, i64 784
  store <4 x float> %v172, ptr %v188, align 4
  %v190 = add nsw i64 %v189, 1
  %v191 = freeze i64 %v190
  %v192 = icmp ne i64 %v191, %v102
  br i1 %v192, label %items.loop103, label %items.done104
items.done104:
  ret void
}
