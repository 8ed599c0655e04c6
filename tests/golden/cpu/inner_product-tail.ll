define void @k_bb1105cdfd7399c8(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr inbounds ptr, ptr %args, i64 3
  %v8 = load ptr, ptr %v7, align 8
  %v9 = getelementptr i8, ptr %scratch, i64 0
  %v10 = getelementptr i8, ptr %scratch, i64 448
  %v11 = sub i64 %lo, 0
  %v12 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %v13 = sub i64 %hi, 0
  %v14 = call i64 @llvm.smin.i64(i64 %v13, i64 2)
  %v206 = mul nsw i64 %v12, 16
  %v207 = mul nsw i64 %v14, 16
  %v210 = mul nsw i64 %v12, 96
  %v211 = getelementptr i8, ptr %v4, i64 %v210
  %v17 = icmp slt i64 %v12, %v14
  br i1 %v17, label %items.loop15, label %items.done16
items.loop15:
  %v203 = phi i64 [ %v206, %entry ], [ %v205, %n_o.done179 ]
  %v33 = phi ptr [ %v211, %entry ], [ %v209, %n_o.done179 ]
  %v22 = getelementptr i8, ptr %v6, i64 %v203
  %v183 = getelementptr i8, ptr %v8, i64 %v203
  %v31 = getelementptr i8, ptr %v9, i64 400
  br label %n_o.loop19
n_o.loop19:
  %v24 = phi ptr [ %v9, %items.loop15 ], [ %v30, %n_o.loop19 ]
  %v23 = load <4 x float>, ptr %v22, align 4
  store <4 x float> %v23, ptr %v24, align 16
  %v25 = getelementptr i8, ptr %v24, i64 16
  store <4 x float> %v23, ptr %v25, align 16
  %v26 = getelementptr i8, ptr %v24, i64 32
  store <4 x float> %v23, ptr %v26, align 16
  %v27 = getelementptr i8, ptr %v24, i64 48
  store <4 x float> %v23, ptr %v27, align 16
  %v28 = getelementptr i8, ptr %v24, i64 64
  store <4 x float> %v23, ptr %v28, align 16
  %v29 = getelementptr i8, ptr %v24, i64 80
  %v30 = freeze ptr %v29
  %v32 = icmp ne ptr %v30, %v31
  br i1 %v32, label %n_o.loop19, label %n_o.done20
n_o.done20:
  %v34 = load <4 x float>, ptr %v33, align 4
  %v35 = getelementptr i8, ptr %v33, i64 24
  %v36 = load <4 x float>, ptr %v35, align 4
  %v37 = getelementptr i8, ptr %v33, i64 48
  %v38 = load <4 x float>, ptr %v37, align 4
  %v39 = getelementptr i8, ptr %v33, i64 72
  %v40 = load <4 x float>, ptr %v39, align 4
  %v41 = shufflevector <4 x float> %v34, <4 x float> %v36, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v42 = shufflevector <4 x float> %v34, <4 x float> %v36, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v43 = shufflevector <4 x float> %v38, <4 x float> %v40, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v44 = shufflevector <4 x float> %v38, <4 x float> %v40, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v45 = shufflevector <4 x float> %v41, <4 x float> %v43, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v46 = shufflevector <4 x float> %v41, <4 x float> %v43, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v47 = shufflevector <4 x float> %v42, <4 x float> %v44, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v48 = shufflevector <4 x float> %v42, <4 x float> %v44, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x float> %v45, ptr %v10, align 16
  %v49 = getelementptr i8, ptr %v10, i64 16
  store <4 x float> %v47, ptr %v49, align 16
  %v50 = getelementptr i8, ptr %v10, i64 32
  store <4 x float> %v46, ptr %v50, align 16
  %v51 = getelementptr i8, ptr %v10, i64 48
  store <4 x float> %v48, ptr %v51, align 16
  %v52 = getelementptr i8, ptr %v33, i64 16
  %v53 = load <2 x float>, ptr %v52, align 4
  %v54 = getelementptr i8, ptr %v33, i64 40
  %v55 = load <2 x float>, ptr %v54, align 4
  %v56 = getelementptr i8, ptr %v33, i64 64
  %v57 = load <2 x float>, ptr %v56, align 4
  %v58 = getelementptr i8, ptr %v33, i64 88
  %v59 = load <2 x float>, ptr %v58, align 4
  %v60 = shufflevector <2 x float> %v53, <2 x float> %v53, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %v61 = shufflevector <2 x float> %v55, <2 x float> %v55, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %v62 = shufflevector <2 x float> %v57, <2 x float> %v57, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %v63 = shufflevector <2 x float> %v59, <2 x float> %v59, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %v64 = shufflevector <4 x float> %v60, <4 x float> %v61, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v65 = shufflevector <4 x float> %v60, <4 x float> %v61, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v66 = shufflevector <4 x float> %v62, <4 x float> %v63, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v67 = shufflevector <4 x float> %v62, <4 x float> %v63, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v68 = shufflevector <4 x float> %v64, <4 x float> %v66, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v69 = shufflevector <4 x float> %v64, <4 x float> %v66, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v70 = shufflevector <4 x float> %v65, <4 x float> %v67, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v71 = shufflevector <4 x float> %v65, <4 x float> %v67, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v72 = getelementptr i8, ptr %v10, i64 64
  store <4 x float> %v68, ptr %v72, align 16
  %v73 = getelementptr i8, ptr %v10, i64 80
  store <4 x float> %v70, ptr %v73, align 16
  %v174 = getelementptr i8, ptr %v9, i64 400
  br label %n_o.loop74
n_o.loop74:
  %v77 = phi ptr [ %v9, %n_o.done20 ], [ %v173, %f_i_i.done130 ]
  %v95 = phi ptr [ %v2, %n_o.done20 ], [ %v176, %f_i_i.done130 ]
  %v78 = load <4 x float>, ptr %v77, align 16
  %v79 = getelementptr i8, ptr %v77, i64 16
  %v80 = load <4 x float>, ptr %v79, align 16
  %v81 = getelementptr i8, ptr %v77, i64 32
  %v82 = load <4 x float>, ptr %v81, align 16
  %v83 = getelementptr i8, ptr %v77, i64 48
  %v84 = load <4 x float>, ptr %v83, align 16
  %v85 = getelementptr i8, ptr %v77, i64 64
  %v86 = load <4 x float>, ptr %v85, align 16
  %v125 = getelementptr i8, ptr %v95, i64 16
  br label %f_i_i.loop87
f_i_i.loop87:
  %v96 = phi ptr [ %v95, %n_o.loop74 ], [ %v124, %f_i_i.loop87 ]
  %v98 = phi ptr [ %v10, %n_o.loop74 ], [ %v127, %f_i_i.loop87 ]
  %v90 = phi <4 x float> [ %v78, %n_o.loop74 ], [ %v102, %f_i_i.loop87 ]
  %v91 = phi <4 x float> [ %v80, %n_o.loop74 ], [ %v107, %f_i_i.loop87 ]
  %v92 = phi <4 x float> [ %v82, %n_o.loop74 ], [ %v112, %f_i_i.loop87 ]
  %v93 = phi <4 x float> [ %v84, %n_o.loop74 ], [ %v117, %f_i_i.loop87 ]
  %v94 = phi <4 x float> [ %v86, %n_o.loop74 ], [ %v122, %f_i_i.loop87 ]
  %v97 = load float, ptr %v96, align 4
  %v99 = load <4 x float>, ptr %v98, align 16
  %v100 = insertelement <4 x float> poison, float %v97, i64 0
  %v101 = shufflevector <4 x float> %v100, <4 x float> poison, <4 x i32> zeroinitializer
  %v102 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v101, <4 x float> %v99, <4 x float> %v90)
  %v103 = getelementptr i8, ptr %v96, i64 24
  %v104 = load float, ptr %v103, align 4
  %v105 = insertelement <4 x float> poison, float %v104, i64 0
  %v106 = shufflevector <4 x float> %v105, <4 x float> poison, <4 x i32> zeroinitializer
  %v107 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v106, <4 x float> %v99, <4 x float> %v91)
  %v108 = getelementptr i8, ptr %v96, i64 48
  %v109 = load float, ptr %v108, align 4
  %v110 = insertelement <4 x float> poison, float %v109, i64 0
  %v111 = shufflevector <4 x float> %v110, <4 x float> poison, <4 x i32> zeroinitializer
  %v112 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v111, <4 x float> %v99, <4 x float> %v92)
  %v113 = getelementptr i8, ptr %v96, i64 72
  %v114 = load float, ptr %v113, align 4
  %v115 = insertelement <4 x float> poison, float %v114, i64 0
  %v116 = shufflevector <4 x float> %v115, <4 x float> poison, <4 x i32> zeroinitializer
  %v117 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v116, <4 x float> %v99, <4 x float> %v93)
  %v118 = getelementptr i8, ptr %v96, i64 96
  %v119 = load float, ptr %v118, align 4
  %v120 = insertelement <4 x float> poison, float %v119, i64 0
  %v121 = shufflevector <4 x float> %v120, <4 x float> poison, <4 x i32> zeroinitializer
  %v122 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v121, <4 x float> %v99, <4 x float> %v94)
  %v123 = getelementptr i8, ptr %v96, i64 4
  %v124 = freeze ptr %v123
  %v126 = getelementptr i8, ptr %v98, i64 16
  %v127 = freeze ptr %v126
  %v128 = icmp ne ptr %v124, %v125
  br i1 %v128, label %f_i_i.loop87, label %f_i_i.done88
f_i_i.done88:
  %v168 = getelementptr i8, ptr %v95, i64 8
  br label %f_i_i.loop129
f_i_i.loop129:
  %v137 = phi ptr [ %v95, %f_i_i.done88 ], [ %v167, %f_i_i.loop129 ]
  %v140 = phi ptr [ %v10, %f_i_i.done88 ], [ %v170, %f_i_i.loop129 ]
  %v132 = phi <4 x float> [ %v102, %f_i_i.done88 ], [ %v145, %f_i_i.loop129 ]
  %v133 = phi <4 x float> [ %v107, %f_i_i.done88 ], [ %v150, %f_i_i.loop129 ]
  %v134 = phi <4 x float> [ %v112, %f_i_i.done88 ], [ %v155, %f_i_i.loop129 ]
  %v135 = phi <4 x float> [ %v117, %f_i_i.done88 ], [ %v160, %f_i_i.loop129 ]
  %v136 = phi <4 x float> [ %v122, %f_i_i.done88 ], [ %v165, %f_i_i.loop129 ]
  %v138 = getelementptr i8, ptr %v137, i64 16
  %v139 = load float, ptr %v138, align 4
  %v141 = getelementptr i8, ptr %v140, i64 64
  %v142 = load <4 x float>, ptr %v141, align 16
  %v143 = insertelement <4 x float> poison, float %v139, i64 0
  %v144 = shufflevector <4 x float> %v143, <4 x float> poison, <4 x i32> zeroinitializer
  %v145 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v144, <4 x float> %v142, <4 x float> %v132)
  %v146 = getelementptr i8, ptr %v137, i64 40
  %v147 = load float, ptr %v146, align 4
  %v148 = insertelement <4 x float> poison, float %v147, i64 0
  %v149 = shufflevector <4 x float> %v148, <4 x float> poison, <4 x i32> zeroinitializer
  %v150 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v149, <4 x float> %v142, <4 x float> %v133)
  %v151 = getelementptr i8, ptr %v137, i64 64
  %v152 = load float, ptr %v151, align 4
  %v153 = insertelement <4 x float> poison, float %v152, i64 0
  %v154 = shufflevector <4 x float> %v153, <4 x float> poison, <4 x i32> zeroinitializer
  %v155 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v154, <4 x float> %v142, <4 x float> %v134)
  %v156 = getelementptr i8, ptr %v137, i64 88
  %v157 = load float, ptr %v156, align 4
  %v158 = insertelement <4 x float> poison, float %v157, i64 0
  %v159 = shufflevector <4 x float> %v158, <4 x float> poison, <4 x i32> zeroinitializer
  %v160 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v159, <4 x float> %v142, <4 x float> %v135)
  %v161 = getelementptr i8, ptr %v137, i64 112
  %v162 = load float, ptr %v161, align 4
  %v163 = insertelement <4 x float> poison, float %v162, i64 0
  %v164 = shufflevector <4 x float> %v163, <4 x float> poison, <4 x i32> zeroinitializer
  %v165 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v164, <4 x float> %v142, <4 x float> %v136)
  %v166 = getelementptr i8, ptr %v137, i64 4
  %v167 = freeze ptr %v166
  %v169 = getelementptr i8, ptr %v140, i64 16
  %v170 = freeze ptr %v169
  %v171 = icmp ne ptr %v167, %v168
  br i1 %v171, label %f_i_i.loop129, label %f_i_i.done130
f_i_i.done130:
  store <4 x float> %v145, ptr %v77, align 16
  store <4 x float> %v150, ptr %v79, align 16
  store <4 x float> %v155, ptr %v81, align 16
  store <4 x float> %v160, ptr %v83, align 16
  store <4 x float> %v165, ptr %v85, align 16
  %v172 = getelementptr i8, ptr %v77, i64 80
  %v173 = freeze ptr %v172
  %v175 = getelementptr i8, ptr %v95, i64 120
  %v176 = freeze ptr %v175
  %v177 = icmp ne ptr %v173, %v174
  br i1 %v177, label %n_o.loop74, label %n_o.done75
n_o.done75:
  %v199 = getelementptr i8, ptr %v9, i64 400
  br label %n_o.loop178
n_o.loop178:
  %v181 = phi ptr [ %v9, %n_o.done75 ], [ %v198, %n_o.loop178 ]
  %v184 = phi ptr [ %v183, %n_o.done75 ], [ %v201, %n_o.loop178 ]
  %v182 = load <4 x float>, ptr %v181, align 16
  store <4 x float> %v182, ptr %v184, align 4
  %v185 = getelementptr i8, ptr %v181, i64 16
  %v186 = load <4 x float>, ptr %v185, align 16
  %v187 = getelementptr i8, ptr %v184, i64 40
  store <4 x float> %v186, ptr %v187, align 4
  %v188 = getelementptr i8, ptr %v181, i64 32
  %v189 = load <4 x float>, ptr %v188, align 16
  %v190 = getelementptr i8, ptr %v184, i64 80
  store <4 x float> %v189, ptr %v190, align 4
  %v191 = getelementptr i8, ptr %v181, i64 48
  %v192 = load <4 x float>, ptr %v191, align 16
  %v193 = getelementptr i8, ptr %v184, i64 120
  store <4 x float> %v192, ptr %v193, align 4
  %v194 = getelementptr i8, ptr %v181, i64 64
  %v195 = load <4 x float>, ptr %v194, align 16
  %v196 = getelementptr i8, ptr %v184, i64 160
  store <4 x float> %v195, ptr %v196, align 4
  %v197 = getelementptr i8, ptr %v181, i64 80
  %v198 = freeze ptr %v197
  %v200 = getelementptr i8, ptr %v184, i64 200
  %v201 = freeze ptr %v200
  %v202 = icmp ne ptr %v198, %v199
  br i1 %v202, label %n_o.loop178, label %n_o.done179
n_o.done179:
  %v204 = add nsw i64 %v203, 16
  %v205 = freeze i64 %v204
  %v208 = getelementptr i8, ptr %v33, i64 96
  %v209 = freeze ptr %v208
  %v212 = icmp ne i64 %v205, %v207
  br i1 %v212, label %items.loop15, label %items.done16
items.done16:
  %v213 = sub i64 %lo, 2
  %v214 = call i64 @llvm.smax.i64(i64 %v213, i64 0)
  %v215 = sub i64 %hi, 2
  %v216 = call i64 @llvm.smin.i64(i64 %v215, i64 1)
  %v219 = icmp slt i64 %v214, %v216
  br i1 %v219, label %items.loop217, label %items.done218
items.loop217:
  %v389 = phi i64 [ %v214, %items.done16 ], [ %v391, %n_o.done365 ]
  %v233 = getelementptr i8, ptr %v9, i64 400
  br label %n_o.loop221
n_o.loop221:
  %v226 = phi ptr [ %v9, %items.loop217 ], [ %v232, %n_o.loop221 ]
  %v224 = getelementptr i8, ptr %v6, i64 32
  %v225 = load <2 x float>, ptr %v224, align 4
  store <2 x float> %v225, ptr %v226, align 8
  %v227 = getelementptr i8, ptr %v226, i64 16
  store <2 x float> %v225, ptr %v227, align 8
  %v228 = getelementptr i8, ptr %v226, i64 32
  store <2 x float> %v225, ptr %v228, align 8
  %v229 = getelementptr i8, ptr %v226, i64 48
  store <2 x float> %v225, ptr %v229, align 8
  %v230 = getelementptr i8, ptr %v226, i64 64
  store <2 x float> %v225, ptr %v230, align 8
  %v231 = getelementptr i8, ptr %v226, i64 80
  %v232 = freeze ptr %v231
  %v234 = icmp ne ptr %v232, %v233
  br i1 %v234, label %n_o.loop221, label %n_o.done222
n_o.done222:
  %v235 = getelementptr i8, ptr %v4, i64 192
  %v236 = load <4 x float>, ptr %v235, align 4
  %v237 = getelementptr i8, ptr %v4, i64 216
  %v238 = load <4 x float>, ptr %v237, align 4
  %v239 = shufflevector <4 x float> %v236, <4 x float> %v238, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v240 = shufflevector <4 x float> %v236, <4 x float> %v238, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v241 = shufflevector <4 x float> %v239, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v242 = shufflevector <4 x float> %v239, <4 x float> poison, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v243 = shufflevector <4 x float> %v240, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v244 = shufflevector <4 x float> %v240, <4 x float> poison, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v245 = shufflevector <4 x float> %v241, <4 x float> %v241, <2 x i32> <i32 0, i32 1>
  %v246 = shufflevector <4 x float> %v243, <4 x float> %v243, <2 x i32> <i32 0, i32 1>
  %v247 = shufflevector <4 x float> %v242, <4 x float> %v242, <2 x i32> <i32 0, i32 1>
  %v248 = shufflevector <4 x float> %v244, <4 x float> %v244, <2 x i32> <i32 0, i32 1>
  store <2 x float> %v245, ptr %v10, align 8
  %v249 = getelementptr i8, ptr %v10, i64 16
  store <2 x float> %v246, ptr %v249, align 8
  %v250 = getelementptr i8, ptr %v10, i64 32
  store <2 x float> %v247, ptr %v250, align 8
  %v251 = getelementptr i8, ptr %v10, i64 48
  store <2 x float> %v248, ptr %v251, align 8
  %v252 = getelementptr i8, ptr %v4, i64 208
  %v253 = load <2 x float>, ptr %v252, align 4
  %v254 = getelementptr i8, ptr %v4, i64 232
  %v255 = load <2 x float>, ptr %v254, align 4
  %v256 = shufflevector <2 x float> %v253, <2 x float> %v255, <2 x i32> <i32 0, i32 2>
  %v257 = shufflevector <2 x float> %v253, <2 x float> %v255, <2 x i32> <i32 1, i32 3>
  %v258 = getelementptr i8, ptr %v10, i64 64
  store <2 x float> %v256, ptr %v258, align 8
  %v259 = getelementptr i8, ptr %v10, i64 80
  store <2 x float> %v257, ptr %v259, align 8
  %v360 = getelementptr i8, ptr %v9, i64 400
  br label %n_o.loop260
n_o.loop260:
  %v263 = phi ptr [ %v9, %n_o.done222 ], [ %v359, %f_i_i.done316 ]
  %v281 = phi ptr [ %v2, %n_o.done222 ], [ %v362, %f_i_i.done316 ]
  %v264 = load <2 x float>, ptr %v263, align 8
  %v265 = getelementptr i8, ptr %v263, i64 16
  %v266 = load <2 x float>, ptr %v265, align 8
  %v267 = getelementptr i8, ptr %v263, i64 32
  %v268 = load <2 x float>, ptr %v267, align 8
  %v269 = getelementptr i8, ptr %v263, i64 48
  %v270 = load <2 x float>, ptr %v269, align 8
  %v271 = getelementptr i8, ptr %v263, i64 64
  %v272 = load <2 x float>, ptr %v271, align 8
  %v311 = getelementptr i8, ptr %v281, i64 16
  br label %f_i_i.loop273
f_i_i.loop273:
  %v282 = phi ptr [ %v281, %n_o.loop260 ], [ %v310, %f_i_i.loop273 ]
  %v284 = phi ptr [ %v10, %n_o.loop260 ], [ %v313, %f_i_i.loop273 ]
  %v276 = phi <2 x float> [ %v264, %n_o.loop260 ], [ %v288, %f_i_i.loop273 ]
  %v277 = phi <2 x float> [ %v266, %n_o.loop260 ], [ %v293, %f_i_i.loop273 ]
  %v278 = phi <2 x float> [ %v268, %n_o.loop260 ], [ %v298, %f_i_i.loop273 ]
  %v279 = phi <2 x float> [ %v270, %n_o.loop260 ], [ %v303, %f_i_i.loop273 ]
  %v280 = phi <2 x float> [ %v272, %n_o.loop260 ], [ %v308, %f_i_i.loop273 ]
  %v283 = load float, ptr %v282, align 4
  %v285 = load <2 x float>, ptr %v284, align 8
  %v286 = insertelement <2 x float> poison, float %v283, i64 0
  %v287 = shufflevector <2 x float> %v286, <2 x float> poison, <2 x i32> zeroinitializer
  %v288 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v287, <2 x float> %v285, <2 x float> %v276)
  %v289 = getelementptr i8, ptr %v282, i64 24
  %v290 = load float, ptr %v289, align 4
  %v291 = insertelement <2 x float> poison, float %v290, i64 0
  %v292 = shufflevector <2 x float> %v291, <2 x float> poison, <2 x i32> zeroinitializer
  %v293 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v292, <2 x float> %v285, <2 x float> %v277)
  %v294 = getelementptr i8, ptr %v282, i64 48
  %v295 = load float, ptr %v294, align 4
  %v296 = insertelement <2 x float> poison, float %v295, i64 0
  %v297 = shufflevector <2 x float> %v296, <2 x float> poison, <2 x i32> zeroinitializer
  %v298 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v297, <2 x float> %v285, <2 x float> %v278)
  %v299 = getelementptr i8, ptr %v282, i64 72
  %v300 = load float, ptr %v299, align 4
  %v301 = insertelement <2 x float> poison, float %v300, i64 0
  %v302 = shufflevector <2 x float> %v301, <2 x float> poison, <2 x i32> zeroinitializer
  %v303 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v302, <2 x float> %v285, <2 x float> %v279)
  %v304 = getelementptr i8, ptr %v282, i64 96
  %v305 = load float, ptr %v304, align 4
  %v306 = insertelement <2 x float> poison, float %v305, i64 0
  %v307 = shufflevector <2 x float> %v306, <2 x float> poison, <2 x i32> zeroinitializer
  %v308 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v307, <2 x float> %v285, <2 x float> %v280)
  %v309 = getelementptr i8, ptr %v282, i64 4
  %v310 = freeze ptr %v309
  %v312 = getelementptr i8, ptr %v284, i64 16
  %v313 = freeze ptr %v312
  %v314 = icmp ne ptr %v310, %v311
  br i1 %v314, label %f_i_i.loop273, label %f_i_i.done274
f_i_i.done274:
  %v354 = getelementptr i8, ptr %v281, i64 8
  br label %f_i_i.loop315
f_i_i.loop315:
  %v323 = phi ptr [ %v281, %f_i_i.done274 ], [ %v353, %f_i_i.loop315 ]
  %v326 = phi ptr [ %v10, %f_i_i.done274 ], [ %v356, %f_i_i.loop315 ]
  %v318 = phi <2 x float> [ %v288, %f_i_i.done274 ], [ %v331, %f_i_i.loop315 ]
  %v319 = phi <2 x float> [ %v293, %f_i_i.done274 ], [ %v336, %f_i_i.loop315 ]
  %v320 = phi <2 x float> [ %v298, %f_i_i.done274 ], [ %v341, %f_i_i.loop315 ]
  %v321 = phi <2 x float> [ %v303, %f_i_i.done274 ], [ %v346, %f_i_i.loop315 ]
  %v322 = phi <2 x float> [ %v308, %f_i_i.done274 ], [ %v351, %f_i_i.loop315 ]
  %v324 = getelementptr i8, ptr %v323, i64 16
  %v325 = load float, ptr %v324, align 4
  %v327 = getelementptr i8, ptr %v326, i64 64
  %v328 = load <2 x float>, ptr %v327, align 8
  %v329 = insertelement <2 x float> poison, float %v325, i64 0
  %v330 = shufflevector <2 x float> %v329, <2 x float> poison, <2 x i32> zeroinitializer
  %v331 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v330, <2 x float> %v328, <2 x float> %v318)
  %v332 = getelementptr i8, ptr %v323, i64 40
  %v333 = load float, ptr %v332, align 4
  %v334 = insertelement <2 x float> poison, float %v333, i64 0
  %v335 = shufflevector <2 x float> %v334, <2 x float> poison, <2 x i32> zeroinitializer
  %v336 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v335, <2 x float> %v328, <2 x float> %v319)
  %v337 = getelementptr i8, ptr %v323, i64 64
  %v338 = load float, ptr %v337, align 4
  %v339 = insertelement <2 x float> poison, float %v338, i64 0
  %v340 = shufflevector <2 x float> %v339, <2 x float> poison, <2 x i32> zeroinitializer
  %v341 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v340, <2 x float> %v328, <2 x float> %v320)
  %v342 = getelementptr i8, ptr %v323, i64 88
  %v343 = load float, ptr %v342, align 4
  %v344 = insertelement <2 x float> poison, float %v343, i64 0
  %v345 = shufflevector <2 x float> %v344, <2 x float> poison, <2 x i32> zeroinitializer
  %v346 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v345, <2 x float> %v328, <2 x float> %v321)
  %v347 = getelementptr i8, ptr %v323, i64 112
  %v348 = load float, ptr %v347, align 4
  %v349 = insertelement <2 x float> poison, float %v348, i64 0
  %v350 = shufflevector <2 x float> %v349, <2 x float> poison, <2 x i32> zeroinitializer
  %v351 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v350, <2 x float> %v328, <2 x float> %v322)
  %v352 = getelementptr i8, ptr %v323, i64 4
  %v353 = freeze ptr %v352
  %v355 = getelementptr i8, ptr %v326, i64 16
  %v356 = freeze ptr %v355
  %v357 = icmp ne ptr %v353, %v354
  br i1 %v357, label %f_i_i.loop315, label %f_i_i.done316
f_i_i.done316:
  store <2 x float> %v331, ptr %v263, align 8
  store <2 x float> %v336, ptr %v265, align 8
  store <2 x float> %v341, ptr %v267, align 8
  store <2 x float> %v346, ptr %v269, align 8
  store <2 x float> %v351, ptr %v271, align 8
  %v358 = getelementptr i8, ptr %v263, i64 80
  %v359 = freeze ptr %v358
  %v361 = getelementptr i8, ptr %v281, i64 120
  %v362 = freeze ptr %v361
  %v363 = icmp ne ptr %v359, %v360
  br i1 %v363, label %n_o.loop260, label %n_o.done261
n_o.done261:
  %v385 = getelementptr i8, ptr %v9, i64 400
  br label %n_o.loop364
n_o.loop364:
  %v367 = phi ptr [ %v9, %n_o.done261 ], [ %v384, %n_o.loop364 ]
  %v369 = phi ptr [ %v8, %n_o.done261 ], [ %v387, %n_o.loop364 ]
  %v368 = load <2 x float>, ptr %v367, align 8
  %v370 = getelementptr i8, ptr %v369, i64 32
  store <2 x float> %v368, ptr %v370, align 4
  %v371 = getelementptr i8, ptr %v367, i64 16
  %v372 = load <2 x float>, ptr %v371, align 8
  %v373 = getelementptr i8, ptr %v369, i64 72
  store <2 x float> %v372, ptr %v373, align 4
  %v374 = getelementptr i8, ptr %v367, i64 32
  %v375 = load <2 x float>, ptr %v374, align 8
  %v376 = getelementptr i8, ptr %v369, i64 112
  store <2 x float> %v375, ptr %v376, align 4
  %v377 = getelementptr i8, ptr %v367, i64 48
  %v378 = load <2 x float>, ptr %v377, align 8
  %v379 = getelementptr i8, ptr %v369, i64 152
  store <2 x float> %v378, ptr %v379, align 4
  %v380 = getelementptr i8, ptr %v367, i64 64
  %v381 = load <2 x float>, ptr %v380, align 8
  %v382 = getelementptr i8, ptr %v369, i64 192
  store <2 x float> %v381, ptr %v382, align 4
  %v383 = getelementptr i8, ptr %v367, i64 80
  %v384 = freeze ptr %v383
  %v386 = getelementptr i8, ptr %v369, i64 200
  %v387 = freeze ptr %v386
  %v388 = icmp ne ptr %v384, %v385
  br i1 %v388, label %n_o.loop364, label %n_o.done365
n_o.done365:
  %v390 = add nsw i64 %v389, 1
  %v391 = freeze i64 %v390
  %v392 = icmp ne i64 %v391, %v216
  br i1 %v392, label %items.loop217, label %items.done218
items.done218:
  ret void
}
