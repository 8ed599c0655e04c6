define void @k_de763c12ca870ab5(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = sub i64 %lo, 0
  %v11 = call i64 @llvm.smax.i64(i64 %v10, i64 0)
  %v12 = sub i64 %hi, 0
  %v13 = call i64 @llvm.smin.i64(i64 %v12, i64 2)
  %v164 = mul nsw i64 %v11, 16
  %v165 = mul nsw i64 %v13, 16
  %v168 = mul nsw i64 %v11, 96
  %v169 = getelementptr i8, ptr %v4, i64 %v168
  %v16 = icmp slt i64 %v11, %v13
  br i1 %v16, label %items.loop14, label %items.done15
items.loop14:
  %v161 = phi i64 [ %v164, %entry ], [ %v163, %n_o.done60 ]
  %v18 = phi ptr [ %v169, %entry ], [ %v167, %n_o.done60 ]
  %v62 = getelementptr i8, ptr %v6, i64 %v161
  %v149 = getelementptr i8, ptr %v8, i64 %v161
  %v19 = load <4 x float>, ptr %v18, align 4
  %v20 = getelementptr i8, ptr %v18, i64 24
  %v21 = load <4 x float>, ptr %v20, align 4
  %v22 = getelementptr i8, ptr %v18, i64 48
  %v23 = load <4 x float>, ptr %v22, align 4
  %v24 = getelementptr i8, ptr %v18, i64 72
  %v25 = load <4 x float>, ptr %v24, align 4
  %v26 = shufflevector <4 x float> %v19, <4 x float> %v21, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v27 = shufflevector <4 x float> %v19, <4 x float> %v21, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v28 = shufflevector <4 x float> %v23, <4 x float> %v25, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v29 = shufflevector <4 x float> %v23, <4 x float> %v25, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v30 = shufflevector <4 x float> %v26, <4 x float> %v28, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v31 = shufflevector <4 x float> %v26, <4 x float> %v28, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v32 = shufflevector <4 x float> %v27, <4 x float> %v29, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v33 = shufflevector <4 x float> %v27, <4 x float> %v29, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x float> %v30, ptr %v9, align 16
  %v34 = getelementptr i8, ptr %v9, i64 16
  store <4 x float> %v32, ptr %v34, align 16
  %v35 = getelementptr i8, ptr %v9, i64 32
  store <4 x float> %v31, ptr %v35, align 16
  %v36 = getelementptr i8, ptr %v9, i64 48
  store <4 x float> %v33, ptr %v36, align 16
  %v37 = getelementptr i8, ptr %v18, i64 16
  %v38 = load <2 x float>, ptr %v37, align 4
  %v39 = getelementptr i8, ptr %v18, i64 40
  %v40 = load <2 x float>, ptr %v39, align 4
  %v41 = getelementptr i8, ptr %v18, i64 64
  %v42 = load <2 x float>, ptr %v41, align 4
  %v43 = getelementptr i8, ptr %v18, i64 88
  %v44 = load <2 x float>, ptr %v43, align 4
  %v45 = shufflevector <2 x float> %v38, <2 x float> %v38, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %v46 = shufflevector <2 x float> %v40, <2 x float> %v40, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %v47 = shufflevector <2 x float> %v42, <2 x float> %v42, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %v48 = shufflevector <2 x float> %v44, <2 x float> %v44, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %v49 = shufflevector <4 x float> %v45, <4 x float> %v46, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v50 = shufflevector <4 x float> %v45, <4 x float> %v46, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v51 = shufflevector <4 x float> %v47, <4 x float> %v48, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v52 = shufflevector <4 x float> %v47, <4 x float> %v48, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v53 = shufflevector <4 x float> %v49, <4 x float> %v51, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v54 = shufflevector <4 x float> %v49, <4 x float> %v51, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v55 = shufflevector <4 x float> %v50, <4 x float> %v52, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v56 = shufflevector <4 x float> %v50, <4 x float> %v52, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v57 = getelementptr i8, ptr %v9, i64 64
  store <4 x float> %v53, ptr %v57, align 16
  %v58 = getelementptr i8, ptr %v9, i64 80
  store <4 x float> %v55, ptr %v58, align 16
  %v157 = getelementptr i8, ptr %v2, i64 600
  br label %n_o.loop59
n_o.loop59:
  %v72 = phi ptr [ %v2, %items.loop14 ], [ %v156, %f_i.done107 ]
  %v150 = phi ptr [ %v149, %items.loop14 ], [ %v159, %f_i.done107 ]
  %v63 = load <4 x float>, ptr %v62, align 4
  %v102 = getelementptr i8, ptr %v72, i64 16
  br label %f_i.loop64
f_i.loop64:
  %v73 = phi ptr [ %v72, %n_o.loop59 ], [ %v101, %f_i.loop64 ]
  %v75 = phi ptr [ %v9, %n_o.loop59 ], [ %v104, %f_i.loop64 ]
  %v67 = phi <4 x float> [ %v63, %n_o.loop59 ], [ %v79, %f_i.loop64 ]
  %v68 = phi <4 x float> [ %v63, %n_o.loop59 ], [ %v84, %f_i.loop64 ]
  %v69 = phi <4 x float> [ %v63, %n_o.loop59 ], [ %v89, %f_i.loop64 ]
  %v70 = phi <4 x float> [ %v63, %n_o.loop59 ], [ %v94, %f_i.loop64 ]
  %v71 = phi <4 x float> [ %v63, %n_o.loop59 ], [ %v99, %f_i.loop64 ]
  %v74 = load float, ptr %v73, align 4
  %v76 = load <4 x float>, ptr %v75, align 16
  %v77 = insertelement <4 x float> poison, float %v74, i64 0
  %v78 = shufflevector <4 x float> %v77, <4 x float> poison, <4 x i32> zeroinitializer
  %v79 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v78, <4 x float> %v76, <4 x float> %v67)
  %v80 = getelementptr i8, ptr %v73, i64 24
  %v81 = load float, ptr %v80, align 4
  %v82 = insertelement <4 x float> poison, float %v81, i64 0
  %v83 = shufflevector <4 x float> %v82, <4 x float> poison, <4 x i32> zeroinitializer
  %v84 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v83, <4 x float> %v76, <4 x float> %v68)
  %v85 = getelementptr i8, ptr %v73, i64 48
  %v86 = load float, ptr %v85, align 4
  %v87 = insertelement <4 x float> poison, float %v86, i64 0
  %v88 = shufflevector <4 x float> %v87, <4 x float> poison, <4 x i32> zeroinitializer
  %v89 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v88, <4 x float> %v76, <4 x float> %v69)
  %v90 = getelementptr i8, ptr %v73, i64 72
  %v91 = load float, ptr %v90, align 4
  %v92 = insertelement <4 x float> poison, float %v91, i64 0
  %v93 = shufflevector <4 x float> %v92, <4 x float> poison, <4 x i32> zeroinitializer
  %v94 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v93, <4 x float> %v76, <4 x float> %v70)
  %v95 = getelementptr i8, ptr %v73, i64 96
  %v96 = load float, ptr %v95, align 4
  %v97 = insertelement <4 x float> poison, float %v96, i64 0
  %v98 = shufflevector <4 x float> %v97, <4 x float> poison, <4 x i32> zeroinitializer
  %v99 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v98, <4 x float> %v76, <4 x float> %v71)
  %v100 = getelementptr i8, ptr %v73, i64 4
  %v101 = freeze ptr %v100
  %v103 = getelementptr i8, ptr %v75, i64 16
  %v104 = freeze ptr %v103
  %v105 = icmp ne ptr %v101, %v102
  br i1 %v105, label %f_i.loop64, label %f_i.done65
f_i.done65:
  %v145 = getelementptr i8, ptr %v72, i64 8
  br label %f_i.loop106
f_i.loop106:
  %v114 = phi ptr [ %v72, %f_i.done65 ], [ %v144, %f_i.loop106 ]
  %v117 = phi ptr [ %v9, %f_i.done65 ], [ %v147, %f_i.loop106 ]
  %v109 = phi <4 x float> [ %v79, %f_i.done65 ], [ %v122, %f_i.loop106 ]
  %v110 = phi <4 x float> [ %v84, %f_i.done65 ], [ %v127, %f_i.loop106 ]
  %v111 = phi <4 x float> [ %v89, %f_i.done65 ], [ %v132, %f_i.loop106 ]
  %v112 = phi <4 x float> [ %v94, %f_i.done65 ], [ %v137, %f_i.loop106 ]
  %v113 = phi <4 x float> [ %v99, %f_i.done65 ], [ %v142, %f_i.loop106 ]
  %v115 = getelementptr i8, ptr %v114, i64 16
  %v116 = load float, ptr %v115, align 4
  %v118 = getelementptr i8, ptr %v117, i64 64
  %v119 = load <4 x float>, ptr %v118, align 16
  %v120 = insertelement <4 x float> poison, float %v116, i64 0
  %v121 = shufflevector <4 x float> %v120, <4 x float> poison, <4 x i32> zeroinitializer
  %v122 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v121, <4 x float> %v119, <4 x float> %v109)
  %v123 = getelementptr i8, ptr %v114, i64 40
  %v124 = load float, ptr %v123, align 4
  %v125 = insertelement <4 x float> poison, float %v124, i64 0
  %v126 = shufflevector <4 x float> %v125, <4 x float> poison, <4 x i32> zeroinitializer
  %v127 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v126, <4 x float> %v119, <4 x float> %v110)
  %v128 = getelementptr i8, ptr %v114, i64 64
  %v129 = load float, ptr %v128, align 4
  %v130 = insertelement <4 x float> poison, float %v129, i64 0
  %v131 = shufflevector <4 x float> %v130, <4 x float> poison, <4 x i32> zeroinitializer
  %v132 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v131, <4 x float> %v119, <4 x float> %v111)
  %v133 = getelementptr i8, ptr %v114, i64 88
  %v134 = load float, ptr %v133, align 4
  %v135 = insertelement <4 x float> poison, float %v134, i64 0
  %v136 = shufflevector <4 x float> %v135, <4 x float> poison, <4 x i32> zeroinitializer
  %v137 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v136, <4 x float> %v119, <4 x float> %v112)
  %v138 = getelementptr i8, ptr %v114, i64 112
  %v139 = load float, ptr %v138, align 4
  %v140 = insertelement <4 x float> poison, float %v139, i64 0
  %v141 = shufflevector <4 x float> %v140, <4 x float> poison, <4 x i32> zeroinitializer
  %v142 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v141, <4 x float> %v119, <4 x float> %v113)
  %v143 = getelementptr i8, ptr %v114, i64 4
  %v144 = freeze ptr %v143
  %v146 = getelementptr i8, ptr %v117, i64 16
  %v147 = freeze ptr %v146
  %v148 = icmp ne ptr %v144, %v145
  br i1 %v148, label %f_i.loop106, label %f_i.done107
f_i.done107:
  store <4 x float> %v122, ptr %v150, align 4
  %v151 = getelementptr i8, ptr %v150, i64 40
  store <4 x float> %v127, ptr %v151, align 4
  %v152 = getelementptr i8, ptr %v150, i64 80
  store <4 x float> %v132, ptr %v152, align 4
  %v153 = getelementptr i8, ptr %v150, i64 120
  store <4 x float> %v137, ptr %v153, align 4
  %v154 = getelementptr i8, ptr %v150, i64 160
  store <4 x float> %v142, ptr %v154, align 4
  %v155 = getelementptr i8, ptr %v72, i64 120
  %v156 = freeze ptr %v155
  %v158 = getelementptr i8, ptr %v150, i64 200
  %v159 = freeze ptr %v158
  %v160 = icmp ne ptr %v156, %v157
  br i1 %v160, label %n_o.loop59, label %n_o.done60
n_o.done60:
  %v162 = add nsw i64 %v161, 16
  %v163 = freeze i64 %v162
  %v166 = getelementptr i8, ptr %v18, i64 96
  %v167 = freeze ptr %v166
  %v170 = icmp ne i64 %v163, %v165
  br i1 %v170, label %items.loop14, label %items.done15
items.done15:
  %v171 = sub i64 %lo, 2
  %v172 = call i64 @llvm.smax.i64(i64 %v171, i64 0)
  %v173 = sub i64 %hi, 2
  %v174 = call i64 @llvm.smin.i64(i64 %v173, i64 1)
  %v177 = icmp slt i64 %v172, %v174
  br i1 %v177, label %items.loop175, label %items.done176
items.loop175:
  %v306 = phi i64 [ %v172, %items.done15 ], [ %v308, %n_o.done205 ]
  %v179 = getelementptr i8, ptr %v4, i64 192
  %v180 = load <4 x float>, ptr %v179, align 4
  %v181 = getelementptr i8, ptr %v4, i64 216
  %v182 = load <4 x float>, ptr %v181, align 4
  %v183 = shufflevector <4 x float> %v180, <4 x float> %v182, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v184 = shufflevector <4 x float> %v180, <4 x float> %v182, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v185 = shufflevector <4 x float> %v183, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v186 = shufflevector <4 x float> %v183, <4 x float> poison, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v187 = shufflevector <4 x float> %v184, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v188 = shufflevector <4 x float> %v184, <4 x float> poison, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v189 = shufflevector <4 x float> %v185, <4 x float> %v185, <2 x i32> <i32 0, i32 1>
  %v190 = shufflevector <4 x float> %v187, <4 x float> %v187, <2 x i32> <i32 0, i32 1>
  %v191 = shufflevector <4 x float> %v186, <4 x float> %v186, <2 x i32> <i32 0, i32 1>
  %v192 = shufflevector <4 x float> %v188, <4 x float> %v188, <2 x i32> <i32 0, i32 1>
  store <2 x float> %v189, ptr %v9, align 8
  %v193 = getelementptr i8, ptr %v9, i64 16
  store <2 x float> %v190, ptr %v193, align 8
  %v194 = getelementptr i8, ptr %v9, i64 32
  store <2 x float> %v191, ptr %v194, align 8
  %v195 = getelementptr i8, ptr %v9, i64 48
  store <2 x float> %v192, ptr %v195, align 8
  %v196 = getelementptr i8, ptr %v4, i64 208
  %v197 = load <2 x float>, ptr %v196, align 4
  %v198 = getelementptr i8, ptr %v4, i64 232
  %v199 = load <2 x float>, ptr %v198, align 4
  %v200 = shufflevector <2 x float> %v197, <2 x float> %v199, <2 x i32> <i32 0, i32 2>
  %v201 = shufflevector <2 x float> %v197, <2 x float> %v199, <2 x i32> <i32 1, i32 3>
  %v202 = getelementptr i8, ptr %v9, i64 64
  store <2 x float> %v200, ptr %v202, align 8
  %v203 = getelementptr i8, ptr %v9, i64 80
  store <2 x float> %v201, ptr %v203, align 8
  %v302 = getelementptr i8, ptr %v2, i64 600
  br label %n_o.loop204
n_o.loop204:
  %v217 = phi ptr [ %v2, %items.loop175 ], [ %v301, %f_i.done252 ]
  %v294 = phi ptr [ %v8, %items.loop175 ], [ %v304, %f_i.done252 ]
  %v207 = getelementptr i8, ptr %v6, i64 32
  %v208 = load <2 x float>, ptr %v207, align 4
  %v247 = getelementptr i8, ptr %v217, i64 16
  br label %f_i.loop209
f_i.loop209:
  %v218 = phi ptr [ %v217, %n_o.loop204 ], [ %v246, %f_i.loop209 ]
  %v220 = phi ptr [ %v9, %n_o.loop204 ], [ %v249, %f_i.loop209 ]
  %v212 = phi <2 x float> [ %v208, %n_o.loop204 ], [ %v224, %f_i.loop209 ]
  %v213 = phi <2 x float> [ %v208, %n_o.loop204 ], [ %v229, %f_i.loop209 ]
  %v214 = phi <2 x float> [ %v208, %n_o.loop204 ], [ %v234, %f_i.loop209 ]
  %v215 = phi <2 x float> [ %v208, %n_o.loop204 ], [ %v239, %f_i.loop209 ]
  %v216 = phi <2 x float> [ %v208, %n_o.loop204 ], [ %v244, %f_i.loop209 ]
  %v219 = load float, ptr %v218, align 4
  %v221 = load <2 x float>, ptr %v220, align 8
  %v222 = insertelement <2 x float> poison, float %v219, i64 0
  %v223 = shufflevector <2 x float> %v222, <2 x float> poison, <2 x i32> zeroinitializer
  %v224 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v223, <2 x float> %v221, <2 x float> %v212)
  %v225 = getelementptr i8, ptr %v218, i64 24
  %v226 = load float, ptr %v225, align 4
  %v227 = insertelement <2 x float> poison, float %v226, i64 0
  %v228 = shufflevector <2 x float> %v227, <2 x float> poison, <2 x i32> zeroinitializer
  %v229 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v228, <2 x float> %v221, <2 x float> %v213)
  %v230 = getelementptr i8, ptr %v218, i64 48
  %v231 = load float, ptr %v230, align 4
  %v232 = insertelement <2 x float> poison, float %v231, i64 0
  %v233 = shufflevector <2 x float> %v232, <2 x float> poison, <2 x i32> zeroinitializer
  %v234 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v233, <2 x float> %v221, <2 x float> %v214)
  %v235 = getelementptr i8, ptr %v218, i64 72
  %v236 = load float, ptr %v235, align 4
  %v237 = insertelement <2 x float> poison, float %v236, i64 0
  %v238 = shufflevector <2 x float> %v237, <2 x float> poison, <2 x i32> zeroinitializer
  %v239 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v238, <2 x float> %v221, <2 x float> %v215)
  %v240 = getelementptr i8, ptr %v218, i64 96
  %v241 = load float, ptr %v240, align 4
  %v242 = insertelement <2 x float> poison, float %v241, i64 0
  %v243 = shufflevector <2 x float> %v242, <2 x float> poison, <2 x i32> zeroinitializer
  %v244 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v243, <2 x float> %v221, <2 x float> %v216)
  %v245 = getelementptr i8, ptr %v218, i64 4
  %v246 = freeze ptr %v245
  %v248 = getelementptr i8, ptr %v220, i64 16
  %v249 = freeze ptr %v248
  %v250 = icmp ne ptr %v246, %v247
  br i1 %v250, label %f_i.loop209, label %f_i.done210
f_i.done210:
  %v290 = getelementptr i8, ptr %v217, i64 8
  br label %f_i.loop251
f_i.loop251:
  %v259 = phi ptr [ %v217, %f_i.done210 ], [ %v289, %f_i.loop251 ]
  %v262 = phi ptr [ %v9, %f_i.done210 ], [ %v292, %f_i.loop251 ]
  %v254 = phi <2 x float> [ %v224, %f_i.done210 ], [ %v267, %f_i.loop251 ]
  %v255 = phi <2 x float> [ %v229, %f_i.done210 ], [ %v272, %f_i.loop251 ]
  %v256 = phi <2 x float> [ %v234, %f_i.done210 ], [ %v277, %f_i.loop251 ]
  %v257 = phi <2 x float> [ %v239, %f_i.done210 ], [ %v282, %f_i.loop251 ]
  %v258 = phi <2 x float> [ %v244, %f_i.done210 ], [ %v287, %f_i.loop251 ]
  %v260 = getelementptr i8, ptr %v259, i64 16
  %v261 = load float, ptr %v260, align 4
  %v263 = getelementptr i8, ptr %v262, i64 64
  %v264 = load <2 x float>, ptr %v263, align 8
  %v265 = insertelement <2 x float> poison, float %v261, i64 0
  %v266 = shufflevector <2 x float> %v265, <2 x float> poison, <2 x i32> zeroinitializer
  %v267 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v266, <2 x float> %v264, <2 x float> %v254)
  %v268 = getelementptr i8, ptr %v259, i64 40
  %v269 = load float, ptr %v268, align 4
  %v270 = insertelement <2 x float> poison, float %v269, i64 0
  %v271 = shufflevector <2 x float> %v270, <2 x float> poison, <2 x i32> zeroinitializer
  %v272 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v271, <2 x float> %v264, <2 x float> %v255)
  %v273 = getelementptr i8, ptr %v259, i64 64
  %v274 = load float, ptr %v273, align 4
  %v275 = insertelement <2 x float> poison, float %v274, i64 0
  %v276 = shufflevector <2 x float> %v275, <2 x float> poison, <2 x i32> zeroinitializer
  %v277 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v276, <2 x float> %v264, <2 x float> %v256)
  %v278 = getelementptr i8, ptr %v259, i64 88
  %v279 = load float, ptr %v278, align 4
  %v280 = insertelement <2 x float> poison, float %v279, i64 0
  %v281 = shufflevector <2 x float> %v280, <2 x float> poison, <2 x i32> zeroinitializer
  %v282 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v281, <2 x float> %v264, <2 x float> %v257)
  %v283 = getelementptr i8, ptr %v259, i64 112
  %v284 = load float, ptr %v283, align 4
  %v285 = insertelement <2 x float> poison, float %v284, i64 0
  %v286 = shufflevector <2 x float> %v285, <2 x float> poison, <2 x i32> zeroinitializer
  %v287 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v286, <2 x float> %v264, <2 x float> %v258)
  %v288 = getelementptr i8, ptr %v259, i64 4
  %v289 = freeze ptr %v288
  %v291 = getelementptr i8, ptr %v262, i64 16
  %v292 = freeze ptr %v291
  %v293 = icmp ne ptr %v289, %v290
  br i1 %v293, label %f_i.loop251, label %f_i.done252
f_i.done252:
  %v295 = getelementptr i8, ptr %v294, i64 32
  store <2 x float> %v267, ptr %v295, align 4
  %v296 = getelementptr i8, ptr %v294, i64 72
  store <2 x float> %v272, ptr %v296, align 4
  %v297 = getelementptr i8, ptr %v294, i64 112
  store <2 x float> %v277, ptr %v297, align 4
  %v298 = getelementptr i8, ptr %v294, i64 152
  store <2 x float> %v282, ptr %v298, align 4
  %v299 = getelementptr i8, ptr %v294, i64 192
  store <2 x float> %v287, ptr %v299, align 4
  %v300 = getelementptr i8, ptr %v217, i64 120
  %v301 = freeze ptr %v300
  %v303 = getelementptr i8, ptr %v294, i64 200
  %v304 = freeze ptr %v303
  %v305 = icmp ne ptr %v301, %v302
  br i1 %v305, label %n_o.loop204, label %n_o.done205
n_o.done205:
  %v307 = add nsw i64 %v306, 1
  %v308 = freeze i64 %v307
  %v309 = icmp ne i64 %v308, %v174
  br i1 %v309, label %items.loop175, label %items.done176
items.done176:
  ret void
}
