define void @k_36ddd2dc547f58f9(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v264 = mul nsw i64 %lo, 1536
  %v265 = getelementptr i8, ptr %v2, i64 %v264
  %v266 = mul nsw i64 %hi, 1536
  %v267 = getelementptr i8, ptr %v2, i64 %v266
  %v270 = mul nsw i64 %lo, 6528
  %v271 = getelementptr i8, ptr %v4, i64 %v270
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v9 = phi ptr [ %v265, %entry ], [ %v263, %th.done108 ]
  %v18 = phi ptr [ %v271, %entry ], [ %v269, %th.done108 ]
  %v10 = load <16 x float>, ptr %v9, align 64
  %v11 = getelementptr i8, ptr %v9, i64 64
  %v12 = load <16 x float>, ptr %v11, align 64
  %v13 = getelementptr i8, ptr %v9, i64 128
  %v14 = load <16 x float>, ptr %v13, align 64
  %v15 = fadd <16 x float> %v10, %v12
  %v16 = fadd <16 x float> %v12, %v14
  %v17 = fmul <16 x float> %v10, splat (float 0x3FBC71C720000000)
  store <16 x float> %v17, ptr %v18, align 64
  %v19 = fmul <16 x float> %v10, splat (float 0x3FBC71C720000000)
  %v20 = getelementptr i8, ptr %v18, i64 64
  store <16 x float> %v19, ptr %v20, align 64
  %v21 = fmul <16 x float> %v15, splat (float 0x3FBC71C720000000)
  %v22 = getelementptr i8, ptr %v18, i64 128
  store <16 x float> %v21, ptr %v22, align 64
  %v23 = fmul <16 x float> %v12, splat (float 0x3FBC71C720000000)
  %v24 = getelementptr i8, ptr %v18, i64 192
  store <16 x float> %v23, ptr %v24, align 64
  %v25 = fmul <16 x float> %v16, splat (float 0x3FBC71C720000000)
  %v26 = getelementptr i8, ptr %v18, i64 256
  store <16 x float> %v25, ptr %v26, align 64
  %v27 = fmul <16 x float> %v14, splat (float 0x3FBC71C720000000)
  %v28 = getelementptr i8, ptr %v18, i64 320
  store <16 x float> %v27, ptr %v28, align 64
  %v29 = getelementptr i8, ptr %v9, i64 192
  %v30 = load <16 x float>, ptr %v29, align 64
  %v31 = getelementptr i8, ptr %v9, i64 256
  %v32 = load <16 x float>, ptr %v31, align 64
  %v33 = getelementptr i8, ptr %v9, i64 320
  %v34 = load <16 x float>, ptr %v33, align 64
  %v35 = fadd <16 x float> %v14, %v30
  %v36 = fadd <16 x float> %v30, %v32
  %v37 = fadd <16 x float> %v32, %v34
  %v38 = fmul <16 x float> %v35, splat (float 0x3FBC71C720000000)
  %v39 = getelementptr i8, ptr %v18, i64 384
  store <16 x float> %v38, ptr %v39, align 64
  %v40 = fmul <16 x float> %v30, splat (float 0x3FBC71C720000000)
  %v41 = getelementptr i8, ptr %v18, i64 448
  store <16 x float> %v40, ptr %v41, align 64
  %v42 = fmul <16 x float> %v36, splat (float 0x3FBC71C720000000)
  %v43 = getelementptr i8, ptr %v18, i64 512
  store <16 x float> %v42, ptr %v43, align 64
  %v44 = fmul <16 x float> %v32, splat (float 0x3FBC71C720000000)
  %v45 = getelementptr i8, ptr %v18, i64 576
  store <16 x float> %v44, ptr %v45, align 64
  %v46 = fmul <16 x float> %v37, splat (float 0x3FBC71C720000000)
  %v47 = getelementptr i8, ptr %v18, i64 640
  store <16 x float> %v46, ptr %v47, align 64
  %v48 = fmul <16 x float> %v34, splat (float 0x3FBC71C720000000)
  %v49 = getelementptr i8, ptr %v18, i64 704
  store <16 x float> %v48, ptr %v49, align 64
  %v50 = getelementptr i8, ptr %v9, i64 384
  %v51 = load <16 x float>, ptr %v50, align 64
  %v52 = getelementptr i8, ptr %v9, i64 448
  %v53 = load <16 x float>, ptr %v52, align 64
  %v54 = fadd <16 x float> %v34, %v51
  %v55 = fadd <16 x float> %v51, %v53
  %v56 = fmul <16 x float> %v54, splat (float 0x3FBC71C720000000)
  %v57 = getelementptr i8, ptr %v18, i64 768
  store <16 x float> %v56, ptr %v57, align 64
  %v58 = fmul <16 x float> %v51, splat (float 0x3FBC71C720000000)
  %v59 = getelementptr i8, ptr %v18, i64 832
  store <16 x float> %v58, ptr %v59, align 64
  %v60 = fmul <16 x float> %v55, splat (float 0x3FBC71C720000000)
  %v61 = getelementptr i8, ptr %v18, i64 896
  store <16 x float> %v60, ptr %v61, align 64
  %v62 = fmul <16 x float> %v53, splat (float 0x3FBC71C720000000)
  %v63 = getelementptr i8, ptr %v18, i64 960
  store <16 x float> %v62, ptr %v63, align 64
  %v64 = fmul <16 x float> %v53, splat (float 0x3FBC71C720000000)
  %v65 = getelementptr i8, ptr %v18, i64 1024
  store <16 x float> %v64, ptr %v65, align 64
  %v66 = fadd <16 x float> %v10, %v12
  %v67 = fadd <16 x float> %v12, %v14
  %v68 = fmul <16 x float> %v10, splat (float 0x3FBC71C720000000)
  %v69 = getelementptr i8, ptr %v18, i64 1088
  store <16 x float> %v68, ptr %v69, align 64
  %v70 = fmul <16 x float> %v10, splat (float 0x3FBC71C720000000)
  %v71 = getelementptr i8, ptr %v18, i64 1152
  store <16 x float> %v70, ptr %v71, align 64
  %v72 = fmul <16 x float> %v66, splat (float 0x3FBC71C720000000)
  %v73 = getelementptr i8, ptr %v18, i64 1216
  store <16 x float> %v72, ptr %v73, align 64
  %v74 = fmul <16 x float> %v12, splat (float 0x3FBC71C720000000)
  %v75 = getelementptr i8, ptr %v18, i64 1280
  store <16 x float> %v74, ptr %v75, align 64
  %v76 = fmul <16 x float> %v67, splat (float 0x3FBC71C720000000)
  %v77 = getelementptr i8, ptr %v18, i64 1344
  store <16 x float> %v76, ptr %v77, align 64
  %v78 = fmul <16 x float> %v14, splat (float 0x3FBC71C720000000)
  %v79 = getelementptr i8, ptr %v18, i64 1408
  store <16 x float> %v78, ptr %v79, align 64
  %v80 = fadd <16 x float> %v14, %v30
  %v81 = fadd <16 x float> %v30, %v32
  %v82 = fadd <16 x float> %v32, %v34
  %v83 = fmul <16 x float> %v80, splat (float 0x3FBC71C720000000)
  %v84 = getelementptr i8, ptr %v18, i64 1472
  store <16 x float> %v83, ptr %v84, align 64
  %v85 = fmul <16 x float> %v30, splat (float 0x3FBC71C720000000)
  %v86 = getelementptr i8, ptr %v18, i64 1536
  store <16 x float> %v85, ptr %v86, align 64
  %v87 = fmul <16 x float> %v81, splat (float 0x3FBC71C720000000)
  %v88 = getelementptr i8, ptr %v18, i64 1600
  store <16 x float> %v87, ptr %v88, align 64
  %v89 = fmul <16 x float> %v32, splat (float 0x3FBC71C720000000)
  %v90 = getelementptr i8, ptr %v18, i64 1664
  store <16 x float> %v89, ptr %v90, align 64
  %v91 = fmul <16 x float> %v82, splat (float 0x3FBC71C720000000)
  %v92 = getelementptr i8, ptr %v18, i64 1728
  store <16 x float> %v91, ptr %v92, align 64
  %v93 = fmul <16 x float> %v34, splat (float 0x3FBC71C720000000)
  %v94 = getelementptr i8, ptr %v18, i64 1792
  store <16 x float> %v93, ptr %v94, align 64
  %v95 = fadd <16 x float> %v34, %v51
  %v96 = fadd <16 x float> %v51, %v53
  %v97 = fmul <16 x float> %v95, splat (float 0x3FBC71C720000000)
  %v98 = getelementptr i8, ptr %v18, i64 1856
  store <16 x float> %v97, ptr %v98, align 64
  %v99 = fmul <16 x float> %v51, splat (float 0x3FBC71C720000000)
  %v100 = getelementptr i8, ptr %v18, i64 1920
  store <16 x float> %v99, ptr %v100, align 64
  %v101 = fmul <16 x float> %v96, splat (float 0x3FBC71C720000000)
  %v102 = getelementptr i8, ptr %v18, i64 1984
  store <16 x float> %v101, ptr %v102, align 64
  %v103 = fmul <16 x float> %v53, splat (float 0x3FBC71C720000000)
  %v104 = getelementptr i8, ptr %v18, i64 2048
  store <16 x float> %v103, ptr %v104, align 64
  %v105 = fmul <16 x float> %v53, splat (float 0x3FBC71C720000000)
  %v106 = getelementptr i8, ptr %v18, i64 2112
  store <16 x float> %v105, ptr %v106, align 64
  %v256 = getelementptr i8, ptr %v9, i64 512
  %v257 = getelementptr i8, ptr %v9, i64 1536
  %v260 = getelementptr i8, ptr %v18, i64 2176
  br label %th.loop107
th.loop107:
  %v116 = phi ptr [ %v256, %items.loop5 ], [ %v255, %th.loop107 ]
  %v139 = phi ptr [ %v260, %items.loop5 ], [ %v259, %th.loop107 ]
  %v117 = load <16 x float>, ptr %v116, align 64
  %v118 = getelementptr i8, ptr %v116, i64 64
  %v119 = load <16 x float>, ptr %v118, align 64
  %v120 = getelementptr i8, ptr %v116, i64 128
  %v121 = load <16 x float>, ptr %v120, align 64
  %v122 = fadd <16 x float> %v117, %v119
  %v123 = fadd <16 x float> %v119, %v121
  %v124 = getelementptr i8, ptr %v116, i64 -512
  %v125 = load <16 x float>, ptr %v124, align 64
  %v126 = fadd <16 x float> %v125, %v117
  %v127 = fadd <16 x float> %v125, %v117
  %v128 = getelementptr i8, ptr %v116, i64 -448
  %v129 = load <16 x float>, ptr %v128, align 64
  %v130 = fadd <16 x float> %v129, %v122
  %v131 = fadd <16 x float> %v129, %v119
  %v132 = getelementptr i8, ptr %v116, i64 -384
  %v133 = load <16 x float>, ptr %v132, align 64
  %v134 = fadd <16 x float> %v133, %v123
  %v135 = fadd <16 x float> %v133, %v121
  %v136 = fadd <16 x float> %v125, %v130
  %v137 = fadd <16 x float> %v129, %v134
  %v138 = fmul <16 x float> %v126, splat (float 0x3FBC71C720000000)
  store <16 x float> %v138, ptr %v139, align 64
  %v140 = fmul <16 x float> %v127, splat (float 0x3FBC71C720000000)
  %v141 = getelementptr i8, ptr %v139, i64 64
  store <16 x float> %v140, ptr %v141, align 64
  %v142 = fmul <16 x float> %v136, splat (float 0x3FBC71C720000000)
  %v143 = getelementptr i8, ptr %v139, i64 128
  store <16 x float> %v142, ptr %v143, align 64
  %v144 = fmul <16 x float> %v131, splat (float 0x3FBC71C720000000)
  %v145 = getelementptr i8, ptr %v139, i64 192
  store <16 x float> %v144, ptr %v145, align 64
  %v146 = fmul <16 x float> %v137, splat (float 0x3FBC71C720000000)
  %v147 = getelementptr i8, ptr %v139, i64 256
  store <16 x float> %v146, ptr %v147, align 64
  %v148 = fmul <16 x float> %v135, splat (float 0x3FBC71C720000000)
  %v149 = getelementptr i8, ptr %v139, i64 320
  store <16 x float> %v148, ptr %v149, align 64
  %v150 = getelementptr i8, ptr %v116, i64 192
  %v151 = load <16 x float>, ptr %v150, align 64
  %v152 = getelementptr i8, ptr %v116, i64 256
  %v153 = load <16 x float>, ptr %v152, align 64
  %v154 = getelementptr i8, ptr %v116, i64 320
  %v155 = load <16 x float>, ptr %v154, align 64
  %v156 = fadd <16 x float> %v121, %v151
  %v157 = fadd <16 x float> %v151, %v153
  %v158 = fadd <16 x float> %v153, %v155
  %v159 = getelementptr i8, ptr %v116, i64 -320
  %v160 = load <16 x float>, ptr %v159, align 64
  %v161 = fadd <16 x float> %v160, %v156
  %v162 = fadd <16 x float> %v160, %v151
  %v163 = getelementptr i8, ptr %v116, i64 -256
  %v164 = load <16 x float>, ptr %v163, align 64
  %v165 = fadd <16 x float> %v164, %v157
  %v166 = fadd <16 x float> %v164, %v153
  %v167 = getelementptr i8, ptr %v116, i64 -192
  %v168 = load <16 x float>, ptr %v167, align 64
  %v169 = fadd <16 x float> %v168, %v158
  %v170 = fadd <16 x float> %v168, %v155
  %v171 = fadd <16 x float> %v133, %v161
  %v172 = fadd <16 x float> %v160, %v165
  %v173 = fadd <16 x float> %v164, %v169
  %v174 = fmul <16 x float> %v171, splat (float 0x3FBC71C720000000)
  %v175 = getelementptr i8, ptr %v139, i64 384
  store <16 x float> %v174, ptr %v175, align 64
  %v176 = fmul <16 x float> %v162, splat (float 0x3FBC71C720000000)
  %v177 = getelementptr i8, ptr %v139, i64 448
  store <16 x float> %v176, ptr %v177, align 64
  %v178 = fmul <16 x float> %v172, splat (float 0x3FBC71C720000000)
  %v179 = getelementptr i8, ptr %v139, i64 512
  store <16 x float> %v178, ptr %v179, align 64
  %v180 = fmul <16 x float> %v166, splat (float 0x3FBC71C720000000)
  %v181 = getelementptr i8, ptr %v139, i64 576
  store <16 x float> %v180, ptr %v181, align 64
  %v182 = fmul <16 x float> %v173, splat (float 0x3FBC71C720000000)
  %v183 = getelementptr i8, ptr %v139, i64 640
  store <16 x float> %v182, ptr %v183, align 64
  %v184 = fmul <16 x float> %v170, splat (float 0x3FBC71C720000000)
  %v185 = getelementptr i8, ptr %v139, i64 704
  store <16 x float> %v184, ptr %v185, align 64
  %v186 = getelementptr i8, ptr %v116, i64 384
  %v187 = load <16 x float>, ptr %v186, align 64
  %v188 = getelementptr i8, ptr %v116, i64 448
  %v189 = load <16 x float>, ptr %v188, align 64
  %v190 = fadd <16 x float> %v155, %v187
  %v191 = fadd <16 x float> %v187, %v189
  %v192 = getelementptr i8, ptr %v116, i64 -128
  %v193 = load <16 x float>, ptr %v192, align 64
  %v194 = fadd <16 x float> %v193, %v190
  %v195 = fadd <16 x float> %v193, %v187
  %v196 = getelementptr i8, ptr %v116, i64 -64
  %v197 = load <16 x float>, ptr %v196, align 64
  %v198 = fadd <16 x float> %v197, %v191
  %v199 = fadd <16 x float> %v197, %v189
  %v200 = fadd <16 x float> %v168, %v194
  %v201 = fadd <16 x float> %v193, %v198
  %v202 = fadd <16 x float> %v197, %v189
  %v203 = fmul <16 x float> %v200, splat (float 0x3FBC71C720000000)
  %v204 = getelementptr i8, ptr %v139, i64 768
  store <16 x float> %v203, ptr %v204, align 64
  %v205 = fmul <16 x float> %v195, splat (float 0x3FBC71C720000000)
  %v206 = getelementptr i8, ptr %v139, i64 832
  store <16 x float> %v205, ptr %v206, align 64
  %v207 = fmul <16 x float> %v201, splat (float 0x3FBC71C720000000)
  %v208 = getelementptr i8, ptr %v139, i64 896
  store <16 x float> %v207, ptr %v208, align 64
  %v209 = fmul <16 x float> %v199, splat (float 0x3FBC71C720000000)
  %v210 = getelementptr i8, ptr %v139, i64 960
  store <16 x float> %v209, ptr %v210, align 64
  %v211 = fmul <16 x float> %v202, splat (float 0x3FBC71C720000000)
  %v212 = getelementptr i8, ptr %v139, i64 1024
  store <16 x float> %v211, ptr %v212, align 64
  %v213 = fadd <16 x float> %v117, %v119
  %v214 = fadd <16 x float> %v119, %v121
  %v215 = fmul <16 x float> %v117, splat (float 0x3FBC71C720000000)
  %v216 = getelementptr i8, ptr %v139, i64 1088
  store <16 x float> %v215, ptr %v216, align 64
  %v217 = fmul <16 x float> %v117, splat (float 0x3FBC71C720000000)
  %v218 = getelementptr i8, ptr %v139, i64 1152
  store <16 x float> %v217, ptr %v218, align 64
  %v219 = fmul <16 x float> %v213, splat (float 0x3FBC71C720000000)
  %v220 = getelementptr i8, ptr %v139, i64 1216
  store <16 x float> %v219, ptr %v220, align 64
  %v221 = fmul <16 x float> %v119, splat (float 0x3FBC71C720000000)
  %v222 = getelementptr i8, ptr %v139, i64 1280
  store <16 x float> %v221, ptr %v222, align 64
  %v223 = fmul <16 x float> %v214, splat (float 0x3FBC71C720000000)
  %v224 = getelementptr i8, ptr %v139, i64 1344
  store <16 x float> %v223, ptr %v224, align 64
  %v225 = fmul <16 x float> %v121, splat (float 0x3FBC71C720000000)
  %v226 = getelementptr i8, ptr %v139, i64 1408
  store <16 x float> %v225, ptr %v226, align 64
  %v227 = fadd <16 x float> %v121, %v151
  %v228 = fadd <16 x float> %v151, %v153
  %v229 = fadd <16 x float> %v153, %v155
  %v230 = fmul <16 x float> %v227, splat (float 0x3FBC71C720000000)
  %v231 = getelementptr i8, ptr %v139, i64 1472
  store <16 x float> %v230, ptr %v231, align 64
  %v232 = fmul <16 x float> %v151, splat (float 0x3FBC71C720000000)
  %v233 = getelementptr i8, ptr %v139, i64 1536
  store <16 x float> %v232, ptr %v233, align 64
  %v234 = fmul <16 x float> %v228, splat (float 0x3FBC71C720000000)
  %v235 = getelementptr i8, ptr %v139, i64 1600
  store <16 x float> %v234, ptr %v235, align 64
  %v236 = fmul <16 x float> %v153, splat (float 0x3FBC71C720000000)
  %v237 = getelementptr i8, ptr %v139, i64 1664
  store <16 x float> %v236, ptr %v237, align 64
  %v238 = fmul <16 x float> %v229, splat (float 0x3FBC71C720000000)
  %v239 = getelementptr i8, ptr %v139, i64 1728
  store <16 x float> %v238, ptr %v239, align 64
  %v240 = fmul <16 x float> %v155, splat (float 0x3FBC71C720000000)
  %v241 = getelementptr i8, ptr %v139, i64 1792
  store <16 x float> %v240, ptr %v241, align 64
  %v242 = fadd <16 x float> %v155, %v187
  %v243 = fadd <16 x float> %v187, %v189
  %v244 = fmul <16 x float> %v242, splat (float 0x3FBC71C720000000)
  %v245 = getelementptr i8, ptr %v139, i64 1856
  store <16 x float> %v244, ptr %v245, align 64
  %v246 = fmul <16 x float> %v187, splat (float 0x3FBC71C720000000)
  %v247 = getelementptr i8, ptr %v139, i64 1920
  store <16 x float> %v246, ptr %v247, align 64
  %v248 = fmul <16 x float> %v243, splat (float 0x3FBC71C720000000)
  %v249 = getelementptr i8, ptr %v139, i64 1984
  store <16 x float> %v248, ptr %v249, align 64
  %v250 = fmul <16 x float> %v189, splat (float 0x3FBC71C720000000)
  %v251 = getelementptr i8, ptr %v139, i64 2048
  store <16 x float> %v250, ptr %v251, align 64
  %v252 = fmul <16 x float> %v189, splat (float 0x3FBC71C720000000)
  %v253 = getelementptr i8, ptr %v139, i64 2112
  store <16 x float> %v252, ptr %v253, align 64
  %v254 = getelementptr i8, ptr %v116, i64 512
  %v255 = freeze ptr %v254
  %v258 = getelementptr i8, ptr %v139, i64 2176
  %v259 = freeze ptr %v258
  %v261 = icmp ne ptr %v255, %v257
  br i1 %v261, label %th.loop107, label %th.done108
th.done108:
  %v262 = getelementptr i8, ptr %v9, i64 1536
  %v263 = freeze ptr %v262
  %v268 = getelementptr i8, ptr %v18, i64 6528
  %v269 = freeze ptr %v268
  %v272 = icmp ne ptr %v263, %v267
  br i1 %v272, label %items.loop5, label %items.done6
items.done6:
  ret void
}
