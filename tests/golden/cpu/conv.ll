define void @k_93ebf0f58a25d1d1(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr inbounds ptr, ptr %args, i64 3
  %v8 = load ptr, ptr %v7, align 8
  %v11 = icmp slt i64 %lo, %hi
  br i1 %v11, label %items.loop9, label %items.done10
items.loop9:
  %v12 = phi i64 [ %lo, %entry ], [ %v13, %ci.done32 ]
  %v14 = urem i64 %v12, 4
  %v15 = udiv i64 %v12, 4
  %v76 = mul nsw i64 %v15, 4608
  %v77 = getelementptr i8, ptr %v2, i64 %v76
  %v78 = mul nsw i64 %v14, 384
  %v79 = getelementptr i8, ptr %v77, i64 %v78
  %v191 = mul nsw i64 %v15, 4096
  %v192 = getelementptr i8, ptr %v8, i64 %v191
  %v193 = mul nsw i64 %v14, 256
  %v194 = getelementptr i8, ptr %v192, i64 %v193
  %v16 = load float, ptr %v6, align 4
  %v17 = insertelement <16 x float> poison, float %v16, i64 0
  %v18 = shufflevector <16 x float> %v17, <16 x float> poison, <16 x i32> zeroinitializer
  %v19 = getelementptr i8, ptr %v6, i64 4
  %v20 = load float, ptr %v19, align 4
  %v21 = insertelement <16 x float> poison, float %v20, i64 0
  %v22 = shufflevector <16 x float> %v21, <16 x float> poison, <16 x i32> zeroinitializer
  %v23 = getelementptr i8, ptr %v6, i64 8
  %v24 = load float, ptr %v23, align 4
  %v25 = insertelement <16 x float> poison, float %v24, i64 0
  %v26 = shufflevector <16 x float> %v25, <16 x float> poison, <16 x i32> zeroinitializer
  %v27 = getelementptr i8, ptr %v6, i64 12
  %v28 = load float, ptr %v27, align 4
  %v29 = insertelement <16 x float> poison, float %v28, i64 0
  %v30 = shufflevector <16 x float> %v29, <16 x float> poison, <16 x i32> zeroinitializer
  br label %ci.loop31
ci.loop31:
  %v33 = phi i64 [ 0, %items.loop9 ], [ %v34, %kh.done52 ]
  %v35 = phi <16 x float> [ %v18, %items.loop9 ], [ %v159, %kh.done52 ]
  %v36 = phi <16 x float> [ %v18, %items.loop9 ], [ %v160, %kh.done52 ]
  %v37 = phi <16 x float> [ %v18, %items.loop9 ], [ %v161, %kh.done52 ]
  %v38 = phi <16 x float> [ %v18, %items.loop9 ], [ %v164, %kh.done52 ]
  %v39 = phi <16 x float> [ %v22, %items.loop9 ], [ %v169, %kh.done52 ]
  %v40 = phi <16 x float> [ %v22, %items.loop9 ], [ %v170, %kh.done52 ]
  %v41 = phi <16 x float> [ %v22, %items.loop9 ], [ %v171, %kh.done52 ]
  %v42 = phi <16 x float> [ %v22, %items.loop9 ], [ %v172, %kh.done52 ]
  %v43 = phi <16 x float> [ %v26, %items.loop9 ], [ %v177, %kh.done52 ]
  %v44 = phi <16 x float> [ %v26, %items.loop9 ], [ %v178, %kh.done52 ]
  %v45 = phi <16 x float> [ %v26, %items.loop9 ], [ %v179, %kh.done52 ]
  %v46 = phi <16 x float> [ %v26, %items.loop9 ], [ %v180, %kh.done52 ]
  %v47 = phi <16 x float> [ %v30, %items.loop9 ], [ %v185, %kh.done52 ]
  %v48 = phi <16 x float> [ %v30, %items.loop9 ], [ %v186, %kh.done52 ]
  %v49 = phi <16 x float> [ %v30, %items.loop9 ], [ %v187, %kh.done52 ]
  %v50 = phi <16 x float> [ %v30, %items.loop9 ], [ %v188, %kh.done52 ]
  %v71 = mul nsw i64 %v33, 36
  %v72 = getelementptr i8, ptr %v4, i64 %v71
  %v80 = mul nsw i64 %v33, 2304
  %v81 = getelementptr i8, ptr %v79, i64 %v80
  br label %kh.loop51
kh.loop51:
  %v53 = phi i64 [ 0, %ci.loop31 ], [ %v54, %kh.loop51 ]
  %v55 = phi <16 x float> [ %v35, %ci.loop31 ], [ %v159, %kh.loop51 ]
  %v56 = phi <16 x float> [ %v36, %ci.loop31 ], [ %v160, %kh.loop51 ]
  %v57 = phi <16 x float> [ %v37, %ci.loop31 ], [ %v161, %kh.loop51 ]
  %v58 = phi <16 x float> [ %v38, %ci.loop31 ], [ %v164, %kh.loop51 ]
  %v59 = phi <16 x float> [ %v39, %ci.loop31 ], [ %v169, %kh.loop51 ]
  %v60 = phi <16 x float> [ %v40, %ci.loop31 ], [ %v170, %kh.loop51 ]
  %v61 = phi <16 x float> [ %v41, %ci.loop31 ], [ %v171, %kh.loop51 ]
  %v62 = phi <16 x float> [ %v42, %ci.loop31 ], [ %v172, %kh.loop51 ]
  %v63 = phi <16 x float> [ %v43, %ci.loop31 ], [ %v177, %kh.loop51 ]
  %v64 = phi <16 x float> [ %v44, %ci.loop31 ], [ %v178, %kh.loop51 ]
  %v65 = phi <16 x float> [ %v45, %ci.loop31 ], [ %v179, %kh.loop51 ]
  %v66 = phi <16 x float> [ %v46, %ci.loop31 ], [ %v180, %kh.loop51 ]
  %v67 = phi <16 x float> [ %v47, %ci.loop31 ], [ %v185, %kh.loop51 ]
  %v68 = phi <16 x float> [ %v48, %ci.loop31 ], [ %v186, %kh.loop51 ]
  %v69 = phi <16 x float> [ %v49, %ci.loop31 ], [ %v187, %kh.loop51 ]
  %v70 = phi <16 x float> [ %v50, %ci.loop31 ], [ %v188, %kh.loop51 ]
  %v73 = mul nsw i64 %v53, 12
  %v74 = getelementptr i8, ptr %v72, i64 %v73
  %v82 = mul nsw i64 %v53, 384
  %v83 = getelementptr i8, ptr %v81, i64 %v82
  %v75 = load float, ptr %v74, align 4
  %v84 = load <16 x float>, ptr %v83, align 64
  %v85 = insertelement <16 x float> poison, float %v75, i64 0
  %v86 = shufflevector <16 x float> %v85, <16 x float> poison, <16 x i32> zeroinitializer
  %v87 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v86, <16 x float> %v55)
  %v88 = getelementptr i8, ptr %v83, i64 64
  %v89 = load <16 x float>, ptr %v88, align 64
  %v90 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v86, <16 x float> %v56)
  %v91 = getelementptr i8, ptr %v83, i64 128
  %v92 = load <16 x float>, ptr %v91, align 64
  %v93 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v86, <16 x float> %v57)
  %v94 = getelementptr i8, ptr %v83, i64 192
  %v95 = load <16 x float>, ptr %v94, align 64
  %v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v86, <16 x float> %v58)
  %v97 = getelementptr i8, ptr %v74, i64 72
  %v98 = load float, ptr %v97, align 4
  %v99 = insertelement <16 x float> poison, float %v98, i64 0
  %v100 = shufflevector <16 x float> %v99, <16 x float> poison, <16 x i32> zeroinitializer
  %v101 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v100, <16 x float> %v59)
  %v102 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v100, <16 x float> %v60)
  %v103 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v100, <16 x float> %v61)
  %v104 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v100, <16 x float> %v62)
  %v105 = getelementptr i8, ptr %v74, i64 144
  %v106 = load float, ptr %v105, align 4
  %v107 = insertelement <16 x float> poison, float %v106, i64 0
  %v108 = shufflevector <16 x float> %v107, <16 x float> poison, <16 x i32> zeroinitializer
  %v109 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v108, <16 x float> %v63)
  %v110 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v108, <16 x float> %v64)
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v108, <16 x float> %v65)
  %v112 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v108, <16 x float> %v66)
  %v113 = getelementptr i8, ptr %v74, i64 216
  %v114 = load float, ptr %v113, align 4
  %v115 = insertelement <16 x float> poison, float %v114, i64 0
  %v116 = shufflevector <16 x float> %v115, <16 x float> poison, <16 x i32> zeroinitializer
  %v117 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v116, <16 x float> %v67)
  %v118 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v116, <16 x float> %v68)
  %v119 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v116, <16 x float> %v69)
  %v120 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v116, <16 x float> %v70)
  %v121 = getelementptr i8, ptr %v74, i64 4
  %v122 = load float, ptr %v121, align 4
  %v123 = insertelement <16 x float> poison, float %v122, i64 0
  %v124 = shufflevector <16 x float> %v123, <16 x float> poison, <16 x i32> zeroinitializer
  %v125 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v124, <16 x float> %v87)
  %v126 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v124, <16 x float> %v90)
  %v127 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v124, <16 x float> %v93)
  %v128 = getelementptr i8, ptr %v83, i64 256
  %v129 = load <16 x float>, ptr %v128, align 64
  %v130 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v129, <16 x float> %v124, <16 x float> %v96)
  %v131 = getelementptr i8, ptr %v74, i64 76
  %v132 = load float, ptr %v131, align 4
  %v133 = insertelement <16 x float> poison, float %v132, i64 0
  %v134 = shufflevector <16 x float> %v133, <16 x float> poison, <16 x i32> zeroinitializer
  %v135 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v134, <16 x float> %v101)
  %v136 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v134, <16 x float> %v102)
  %v137 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v134, <16 x float> %v103)
  %v138 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v129, <16 x float> %v134, <16 x float> %v104)
  %v139 = getelementptr i8, ptr %v74, i64 148
  %v140 = load float, ptr %v139, align 4
  %v141 = insertelement <16 x float> poison, float %v140, i64 0
  %v142 = shufflevector <16 x float> %v141, <16 x float> poison, <16 x i32> zeroinitializer
  %v143 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v142, <16 x float> %v109)
  %v144 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v142, <16 x float> %v110)
  %v145 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v142, <16 x float> %v111)
  %v146 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v129, <16 x float> %v142, <16 x float> %v112)
  %v147 = getelementptr i8, ptr %v74, i64 220
  %v148 = load float, ptr %v147, align 4
  %v149 = insertelement <16 x float> poison, float %v148, i64 0
  %v150 = shufflevector <16 x float> %v149, <16 x float> poison, <16 x i32> zeroinitializer
  %v151 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v150, <16 x float> %v117)
  %v152 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v150, <16 x float> %v118)
  %v153 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v150, <16 x float> %v119)
  %v154 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v129, <16 x float> %v150, <16 x float> %v120)
  %v155 = getelementptr i8, ptr %v74, i64 8
  %v156 = load float, ptr %v155, align 4
  %v157 = insertelement <16 x float> poison, float %v156, i64 0
  %v158 = shufflevector <16 x float> %v157, <16 x float> poison, <16 x i32> zeroinitializer
  %v159 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v158, <16 x float> %v125)
  %v160 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v158, <16 x float> %v126)
  %v161 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v129, <16 x float> %v158, <16 x float> %v127)
  %v162 = getelementptr i8, ptr %v83, i64 320
  %v163 = load <16 x float>, ptr %v162, align 64
  %v164 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v163, <16 x float> %v158, <16 x float> %v130)
  %v165 = getelementptr i8, ptr %v74, i64 80
  %v166 = load float, ptr %v165, align 4
  %v167 = insertelement <16 x float> poison, float %v166, i64 0
  %v168 = shufflevector <16 x float> %v167, <16 x float> poison, <16 x i32> zeroinitializer
  %v169 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v168, <16 x float> %v135)
  %v170 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v168, <16 x float> %v136)
  %v171 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v129, <16 x float> %v168, <16 x float> %v137)
  %v172 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v163, <16 x float> %v168, <16 x float> %v138)
  %v173 = getelementptr i8, ptr %v74, i64 152
  %v174 = load float, ptr %v173, align 4
  %v175 = insertelement <16 x float> poison, float %v174, i64 0
  %v176 = shufflevector <16 x float> %v175, <16 x float> poison, <16 x i32> zeroinitializer
  %v177 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v176, <16 x float> %v143)
  %v178 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v176, <16 x float> %v144)
  %v179 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v129, <16 x float> %v176, <16 x float> %v145)
  %v180 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v163, <16 x float> %v176, <16 x float> %v146)
  %v181 = getelementptr i8, ptr %v74, i64 224
  %v182 = load float, ptr %v181, align 4
  %v183 = insertelement <16 x float> poison, float %v182, i64 0
  %v184 = shufflevector <16 x float> %v183, <16 x float> poison, <16 x i32> zeroinitializer
  %v185 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v184, <16 x float> %v151)
  %v186 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v184, <16 x float> %v152)
  %v187 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v129, <16 x float> %v184, <16 x float> %v153)
  %v188 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v163, <16 x float> %v184, <16 x float> %v154)
  %v54 = add nuw nsw i64 %v53, 1
  %v189 = icmp ne i64 %v54, 3
  br i1 %v189, label %kh.loop51, label %kh.done52
kh.done52:
  %v34 = add nuw nsw i64 %v33, 1
  %v190 = icmp ne i64 %v34, 2
  br i1 %v190, label %ci.loop31, label %ci.done32
ci.done32:
  store <16 x float> %v159, ptr %v194, align 64
  %v195 = getelementptr i8, ptr %v194, i64 64
  store <16 x float> %v160, ptr %v195, align 64
  %v196 = getelementptr i8, ptr %v194, i64 128
  store <16 x float> %v161, ptr %v196, align 64
  %v197 = getelementptr i8, ptr %v194, i64 192
  store <16 x float> %v164, ptr %v197, align 64
  %v198 = getelementptr i8, ptr %v194, i64 1024
  store <16 x float> %v169, ptr %v198, align 64
  %v199 = getelementptr i8, ptr %v194, i64 1088
  store <16 x float> %v170, ptr %v199, align 64
  %v200 = getelementptr i8, ptr %v194, i64 1152
  store <16 x float> %v171, ptr %v200, align 64
  %v201 = getelementptr i8, ptr %v194, i64 1216
  store <16 x float> %v172, ptr %v201, align 64
  %v202 = getelementptr i8, ptr %v194, i64 2048
  store <16 x float> %v177, ptr %v202, align 64
  %v203 = getelementptr i8, ptr %v194, i64 2112
  store <16 x float> %v178, ptr %v203, align 64
  %v204 = getelementptr i8, ptr %v194, i64 2176
  store <16 x float> %v179, ptr %v204, align 64
  %v205 = getelementptr i8, ptr %v194, i64 2240
  store <16 x float> %v180, ptr %v205, align 64
  %v206 = getelementptr i8, ptr %v194, i64 3072
  store <16 x float> %v185, ptr %v206, align 64
  %v207 = getelementptr i8, ptr %v194, i64 3136
  store <16 x float> %v186, ptr %v207, align 64
  %v208 = getelementptr i8, ptr %v194, i64 3200
  store <16 x float> %v187, ptr %v208, align 64
  %v209 = getelementptr i8, ptr %v194, i64 3264
  store <16 x float> %v188, ptr %v209, align 64
  %v13 = add nuw nsw i64 %v12, 1
  %v210 = icmp ne i64 %v13, %hi
  br i1 %v210, label %items.loop9, label %items.done10
items.done10:
  ret void
}
