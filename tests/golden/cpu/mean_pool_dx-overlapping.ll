define void @k_ccf5129ae5455b91(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v265, %th.done116 ]
  %v9 = urem i64 %v8, 2
  %v10 = udiv i64 %v8, 2
  %v11 = mul nsw i64 %v9, 1536
  %v12 = getelementptr i8, ptr %v2, i64 %v11
  %v13 = mul nsw i64 %v10, 3072
  %v14 = getelementptr i8, ptr %v12, i64 %v13
  %v23 = mul nsw i64 %v9, 6528
  %v24 = getelementptr i8, ptr %v4, i64 %v23
  %v25 = mul nsw i64 %v10, 13056
  %v26 = getelementptr i8, ptr %v24, i64 %v25
  %v15 = load <16 x float>, ptr %v14, align 64
  %v16 = getelementptr i8, ptr %v14, i64 64
  %v17 = load <16 x float>, ptr %v16, align 64
  %v18 = getelementptr i8, ptr %v14, i64 128
  %v19 = load <16 x float>, ptr %v18, align 64
  %v20 = fadd <16 x float> %v15, %v17
  %v21 = fadd <16 x float> %v17, %v19
  %v22 = fmul <16 x float> %v15, splat (float 0x3FBC71C720000000)
  store <16 x float> %v22, ptr %v26, align 64
  %v27 = fmul <16 x float> %v15, splat (float 0x3FBC71C720000000)
  %v28 = getelementptr i8, ptr %v26, i64 64
  store <16 x float> %v27, ptr %v28, align 64
  %v29 = fmul <16 x float> %v20, splat (float 0x3FBC71C720000000)
  %v30 = getelementptr i8, ptr %v26, i64 128
  store <16 x float> %v29, ptr %v30, align 64
  %v31 = fmul <16 x float> %v17, splat (float 0x3FBC71C720000000)
  %v32 = getelementptr i8, ptr %v26, i64 192
  store <16 x float> %v31, ptr %v32, align 64
  %v33 = fmul <16 x float> %v21, splat (float 0x3FBC71C720000000)
  %v34 = getelementptr i8, ptr %v26, i64 256
  store <16 x float> %v33, ptr %v34, align 64
  %v35 = fmul <16 x float> %v19, splat (float 0x3FBC71C720000000)
  %v36 = getelementptr i8, ptr %v26, i64 320
  store <16 x float> %v35, ptr %v36, align 64
  %v37 = getelementptr i8, ptr %v14, i64 192
  %v38 = load <16 x float>, ptr %v37, align 64
  %v39 = getelementptr i8, ptr %v14, i64 256
  %v40 = load <16 x float>, ptr %v39, align 64
  %v41 = getelementptr i8, ptr %v14, i64 320
  %v42 = load <16 x float>, ptr %v41, align 64
  %v43 = fadd <16 x float> %v19, %v38
  %v44 = fadd <16 x float> %v38, %v40
  %v45 = fadd <16 x float> %v40, %v42
  %v46 = fmul <16 x float> %v43, splat (float 0x3FBC71C720000000)
  %v47 = getelementptr i8, ptr %v26, i64 384
  store <16 x float> %v46, ptr %v47, align 64
  %v48 = fmul <16 x float> %v38, splat (float 0x3FBC71C720000000)
  %v49 = getelementptr i8, ptr %v26, i64 448
  store <16 x float> %v48, ptr %v49, align 64
  %v50 = fmul <16 x float> %v44, splat (float 0x3FBC71C720000000)
  %v51 = getelementptr i8, ptr %v26, i64 512
  store <16 x float> %v50, ptr %v51, align 64
  %v52 = fmul <16 x float> %v40, splat (float 0x3FBC71C720000000)
  %v53 = getelementptr i8, ptr %v26, i64 576
  store <16 x float> %v52, ptr %v53, align 64
  %v54 = fmul <16 x float> %v45, splat (float 0x3FBC71C720000000)
  %v55 = getelementptr i8, ptr %v26, i64 640
  store <16 x float> %v54, ptr %v55, align 64
  %v56 = fmul <16 x float> %v42, splat (float 0x3FBC71C720000000)
  %v57 = getelementptr i8, ptr %v26, i64 704
  store <16 x float> %v56, ptr %v57, align 64
  %v58 = getelementptr i8, ptr %v14, i64 384
  %v59 = load <16 x float>, ptr %v58, align 64
  %v60 = getelementptr i8, ptr %v14, i64 448
  %v61 = load <16 x float>, ptr %v60, align 64
  %v62 = fadd <16 x float> %v42, %v59
  %v63 = fadd <16 x float> %v59, %v61
  %v64 = fmul <16 x float> %v62, splat (float 0x3FBC71C720000000)
  %v65 = getelementptr i8, ptr %v26, i64 768
  store <16 x float> %v64, ptr %v65, align 64
  %v66 = fmul <16 x float> %v59, splat (float 0x3FBC71C720000000)
  %v67 = getelementptr i8, ptr %v26, i64 832
  store <16 x float> %v66, ptr %v67, align 64
  %v68 = fmul <16 x float> %v63, splat (float 0x3FBC71C720000000)
  %v69 = getelementptr i8, ptr %v26, i64 896
  store <16 x float> %v68, ptr %v69, align 64
  %v70 = fmul <16 x float> %v61, splat (float 0x3FBC71C720000000)
  %v71 = getelementptr i8, ptr %v26, i64 960
  store <16 x float> %v70, ptr %v71, align 64
  %v72 = fmul <16 x float> %v61, splat (float 0x3FBC71C720000000)
  %v73 = getelementptr i8, ptr %v26, i64 1024
  store <16 x float> %v72, ptr %v73, align 64
  %v74 = fadd <16 x float> %v15, %v17
  %v75 = fadd <16 x float> %v17, %v19
  %v76 = fmul <16 x float> %v15, splat (float 0x3FBC71C720000000)
  %v77 = getelementptr i8, ptr %v26, i64 1088
  store <16 x float> %v76, ptr %v77, align 64
  %v78 = fmul <16 x float> %v15, splat (float 0x3FBC71C720000000)
  %v79 = getelementptr i8, ptr %v26, i64 1152
  store <16 x float> %v78, ptr %v79, align 64
  %v80 = fmul <16 x float> %v74, splat (float 0x3FBC71C720000000)
  %v81 = getelementptr i8, ptr %v26, i64 1216
  store <16 x float> %v80, ptr %v81, align 64
  %v82 = fmul <16 x float> %v17, splat (float 0x3FBC71C720000000)
  %v83 = getelementptr i8, ptr %v26, i64 1280
  store <16 x float> %v82, ptr %v83, align 64
  %v84 = fmul <16 x float> %v75, splat (float 0x3FBC71C720000000)
  %v85 = getelementptr i8, ptr %v26, i64 1344
  store <16 x float> %v84, ptr %v85, align 64
  %v86 = fmul <16 x float> %v19, splat (float 0x3FBC71C720000000)
  %v87 = getelementptr i8, ptr %v26, i64 1408
  store <16 x float> %v86, ptr %v87, align 64
  %v88 = fadd <16 x float> %v19, %v38
  %v89 = fadd <16 x float> %v38, %v40
  %v90 = fadd <16 x float> %v40, %v42
  %v91 = fmul <16 x float> %v88, splat (float 0x3FBC71C720000000)
  %v92 = getelementptr i8, ptr %v26, i64 1472
  store <16 x float> %v91, ptr %v92, align 64
  %v93 = fmul <16 x float> %v38, splat (float 0x3FBC71C720000000)
  %v94 = getelementptr i8, ptr %v26, i64 1536
  store <16 x float> %v93, ptr %v94, align 64
  %v95 = fmul <16 x float> %v89, splat (float 0x3FBC71C720000000)
  %v96 = getelementptr i8, ptr %v26, i64 1600
  store <16 x float> %v95, ptr %v96, align 64
  %v97 = fmul <16 x float> %v40, splat (float 0x3FBC71C720000000)
  %v98 = getelementptr i8, ptr %v26, i64 1664
  store <16 x float> %v97, ptr %v98, align 64
  %v99 = fmul <16 x float> %v90, splat (float 0x3FBC71C720000000)
  %v100 = getelementptr i8, ptr %v26, i64 1728
  store <16 x float> %v99, ptr %v100, align 64
  %v101 = fmul <16 x float> %v42, splat (float 0x3FBC71C720000000)
  %v102 = getelementptr i8, ptr %v26, i64 1792
  store <16 x float> %v101, ptr %v102, align 64
  %v103 = fadd <16 x float> %v42, %v59
  %v104 = fadd <16 x float> %v59, %v61
  %v105 = fmul <16 x float> %v103, splat (float 0x3FBC71C720000000)
  %v106 = getelementptr i8, ptr %v26, i64 1856
  store <16 x float> %v105, ptr %v106, align 64
  %v107 = fmul <16 x float> %v59, splat (float 0x3FBC71C720000000)
  %v108 = getelementptr i8, ptr %v26, i64 1920
  store <16 x float> %v107, ptr %v108, align 64
  %v109 = fmul <16 x float> %v104, splat (float 0x3FBC71C720000000)
  %v110 = getelementptr i8, ptr %v26, i64 1984
  store <16 x float> %v109, ptr %v110, align 64
  %v111 = fmul <16 x float> %v61, splat (float 0x3FBC71C720000000)
  %v112 = getelementptr i8, ptr %v26, i64 2048
  store <16 x float> %v111, ptr %v112, align 64
  %v113 = fmul <16 x float> %v61, splat (float 0x3FBC71C720000000)
  %v114 = getelementptr i8, ptr %v26, i64 2112
  store <16 x float> %v113, ptr %v114, align 64
  %v258 = getelementptr i8, ptr %v14, i64 512
  %v259 = getelementptr i8, ptr %v14, i64 1536
  %v262 = getelementptr i8, ptr %v26, i64 2176
  br label %th.loop115
th.loop115:
  %v118 = phi ptr [ %v258, %items.loop5 ], [ %v257, %th.loop115 ]
  %v141 = phi ptr [ %v262, %items.loop5 ], [ %v261, %th.loop115 ]
  %v119 = load <16 x float>, ptr %v118, align 64
  %v120 = getelementptr i8, ptr %v118, i64 64
  %v121 = load <16 x float>, ptr %v120, align 64
  %v122 = getelementptr i8, ptr %v118, i64 128
  %v123 = load <16 x float>, ptr %v122, align 64
  %v124 = fadd <16 x float> %v119, %v121
  %v125 = fadd <16 x float> %v121, %v123
  %v126 = getelementptr i8, ptr %v118, i64 -512
  %v127 = load <16 x float>, ptr %v126, align 64
  %v128 = fadd <16 x float> %v127, %v119
  %v129 = fadd <16 x float> %v127, %v119
  %v130 = getelementptr i8, ptr %v118, i64 -448
  %v131 = load <16 x float>, ptr %v130, align 64
  %v132 = fadd <16 x float> %v131, %v124
  %v133 = fadd <16 x float> %v131, %v121
  %v134 = getelementptr i8, ptr %v118, i64 -384
  %v135 = load <16 x float>, ptr %v134, align 64
  %v136 = fadd <16 x float> %v135, %v125
  %v137 = fadd <16 x float> %v135, %v123
  %v138 = fadd <16 x float> %v127, %v132
  %v139 = fadd <16 x float> %v131, %v136
  %v140 = fmul <16 x float> %v128, splat (float 0x3FBC71C720000000)
  store <16 x float> %v140, ptr %v141, align 64
  %v142 = fmul <16 x float> %v129, splat (float 0x3FBC71C720000000)
  %v143 = getelementptr i8, ptr %v141, i64 64
  store <16 x float> %v142, ptr %v143, align 64
  %v144 = fmul <16 x float> %v138, splat (float 0x3FBC71C720000000)
  %v145 = getelementptr i8, ptr %v141, i64 128
  store <16 x float> %v144, ptr %v145, align 64
  %v146 = fmul <16 x float> %v133, splat (float 0x3FBC71C720000000)
  %v147 = getelementptr i8, ptr %v141, i64 192
  store <16 x float> %v146, ptr %v147, align 64
  %v148 = fmul <16 x float> %v139, splat (float 0x3FBC71C720000000)
  %v149 = getelementptr i8, ptr %v141, i64 256
  store <16 x float> %v148, ptr %v149, align 64
  %v150 = fmul <16 x float> %v137, splat (float 0x3FBC71C720000000)
  %v151 = getelementptr i8, ptr %v141, i64 320
  store <16 x float> %v150, ptr %v151, align 64
  %v152 = getelementptr i8, ptr %v118, i64 192
  %v153 = load <16 x float>, ptr %v152, align 64
  %v154 = getelementptr i8, ptr %v118, i64 256
  %v155 = load <16 x float>, ptr %v154, align 64
  %v156 = getelementptr i8, ptr %v118, i64 320
  %v157 = load <16 x float>, ptr %v156, align 64
  %v158 = fadd <16 x float> %v123, %v153
  %v159 = fadd <16 x float> %v153, %v155
  %v160 = fadd <16 x float> %v155, %v157
  %v161 = getelementptr i8, ptr %v118, i64 -320
  %v162 = load <16 x float>, ptr %v161, align 64
  %v163 = fadd <16 x float> %v162, %v158
  %v164 = fadd <16 x float> %v162, %v153
  %v165 = getelementptr i8, ptr %v118, i64 -256
  %v166 = load <16 x float>, ptr %v165, align 64
  %v167 = fadd <16 x float> %v166, %v159
  %v168 = fadd <16 x float> %v166, %v155
  %v169 = getelementptr i8, ptr %v118, i64 -192
  %v170 = load <16 x float>, ptr %v169, align 64
  %v171 = fadd <16 x float> %v170, %v160
  %v172 = fadd <16 x float> %v170, %v157
  %v173 = fadd <16 x float> %v135, %v163
  %v174 = fadd <16 x float> %v162, %v167
  %v175 = fadd <16 x float> %v166, %v171
  %v176 = fmul <16 x float> %v173, splat (float 0x3FBC71C720000000)
  %v177 = getelementptr i8, ptr %v141, i64 384
  store <16 x float> %v176, ptr %v177, align 64
  %v178 = fmul <16 x float> %v164, splat (float 0x3FBC71C720000000)
  %v179 = getelementptr i8, ptr %v141, i64 448
  store <16 x float> %v178, ptr %v179, align 64
  %v180 = fmul <16 x float> %v174, splat (float 0x3FBC71C720000000)
  %v181 = getelementptr i8, ptr %v141, i64 512
  store <16 x float> %v180, ptr %v181, align 64
  %v182 = fmul <16 x float> %v168, splat (float 0x3FBC71C720000000)
  %v183 = getelementptr i8, ptr %v141, i64 576
  store <16 x float> %v182, ptr %v183, align 64
  %v184 = fmul <16 x float> %v175, splat (float 0x3FBC71C720000000)
  %v185 = getelementptr i8, ptr %v141, i64 640
  store <16 x float> %v184, ptr %v185, align 64
  %v186 = fmul <16 x float> %v172, splat (float 0x3FBC71C720000000)
  %v187 = getelementptr i8, ptr %v141, i64 704
  store <16 x float> %v186, ptr %v187, align 64
  %v188 = getelementptr i8, ptr %v118, i64 384
  %v189 = load <16 x float>, ptr %v188, align 64
  %v190 = getelementptr i8, ptr %v118, i64 448
  %v191 = load <16 x float>, ptr %v190, align 64
  %v192 = fadd <16 x float> %v157, %v189
  %v193 = fadd <16 x float> %v189, %v191
  %v194 = getelementptr i8, ptr %v118, i64 -128
  %v195 = load <16 x float>, ptr %v194, align 64
  %v196 = fadd <16 x float> %v195, %v192
  %v197 = fadd <16 x float> %v195, %v189
  %v198 = getelementptr i8, ptr %v118, i64 -64
  %v199 = load <16 x float>, ptr %v198, align 64
  %v200 = fadd <16 x float> %v199, %v193
  %v201 = fadd <16 x float> %v199, %v191
  %v202 = fadd <16 x float> %v170, %v196
  %v203 = fadd <16 x float> %v195, %v200
  %v204 = fadd <16 x float> %v199, %v191
  %v205 = fmul <16 x float> %v202, splat (float 0x3FBC71C720000000)
  %v206 = getelementptr i8, ptr %v141, i64 768
  store <16 x float> %v205, ptr %v206, align 64
  %v207 = fmul <16 x float> %v197, splat (float 0x3FBC71C720000000)
  %v208 = getelementptr i8, ptr %v141, i64 832
  store <16 x float> %v207, ptr %v208, align 64
  %v209 = fmul <16 x float> %v203, splat (float 0x3FBC71C720000000)
  %v210 = getelementptr i8, ptr %v141, i64 896
  store <16 x float> %v209, ptr %v210, align 64
  %v211 = fmul <16 x float> %v201, splat (float 0x3FBC71C720000000)
  %v212 = getelementptr i8, ptr %v141, i64 960
  store <16 x float> %v211, ptr %v212, align 64
  %v213 = fmul <16 x float> %v204, splat (float 0x3FBC71C720000000)
  %v214 = getelementptr i8, ptr %v141, i64 1024
  store <16 x float> %v213, ptr %v214, align 64
  %v215 = fadd <16 x float> %v119, %v121
  %v216 = fadd <16 x float> %v121, %v123
  %v217 = fmul <16 x float> %v119, splat (float 0x3FBC71C720000000)
  %v218 = getelementptr i8, ptr %v141, i64 1088
  store <16 x float> %v217, ptr %v218, align 64
  %v219 = fmul <16 x float> %v119, splat (float 0x3FBC71C720000000)
  %v220 = getelementptr i8, ptr %v141, i64 1152
  store <16 x float> %v219, ptr %v220, align 64
  %v221 = fmul <16 x float> %v215, splat (float 0x3FBC71C720000000)
  %v222 = getelementptr i8, ptr %v141, i64 1216
  store <16 x float> %v221, ptr %v222, align 64
  %v223 = fmul <16 x float> %v121, splat (float 0x3FBC71C720000000)
  %v224 = getelementptr i8, ptr %v141, i64 1280
  store <16 x float> %v223, ptr %v224, align 64
  %v225 = fmul <16 x float> %v216, splat (float 0x3FBC71C720000000)
  %v226 = getelementptr i8, ptr %v141, i64 1344
  store <16 x float> %v225, ptr %v226, align 64
  %v227 = fmul <16 x float> %v123, splat (float 0x3FBC71C720000000)
  %v228 = getelementptr i8, ptr %v141, i64 1408
  store <16 x float> %v227, ptr %v228, align 64
  %v229 = fadd <16 x float> %v123, %v153
  %v230 = fadd <16 x float> %v153, %v155
  %v231 = fadd <16 x float> %v155, %v157
  %v232 = fmul <16 x float> %v229, splat (float 0x3FBC71C720000000)
  %v233 = getelementptr i8, ptr %v141, i64 1472
  store <16 x float> %v232, ptr %v233, align 64
  %v234 = fmul <16 x float> %v153, splat (float 0x3FBC71C720000000)
  %v235 = getelementptr i8, ptr %v141, i64 1536
  store <16 x float> %v234, ptr %v235, align 64
  %v236 = fmul <16 x float> %v230, splat (float 0x3FBC71C720000000)
  %v237 = getelementptr i8, ptr %v141, i64 1600
  store <16 x float> %v236, ptr %v237, align 64
  %v238 = fmul <16 x float> %v155, splat (float 0x3FBC71C720000000)
  %v239 = getelementptr i8, ptr %v141, i64 1664
  store <16 x float> %v238, ptr %v239, align 64
  %v240 = fmul <16 x float> %v231, splat (float 0x3FBC71C720000000)
  %v241 = getelementptr i8, ptr %v141, i64 1728
  store <16 x float> %v240, ptr %v241, align 64
  %v242 = fmul <16 x float> %v157, splat (float 0x3FBC71C720000000)
  %v243 = getelementptr i8, ptr %v141, i64 1792
  store <16 x float> %v242, ptr %v243, align 64
  %v244 = fadd <16 x float> %v157, %v189
  %v245 = fadd <16 x float> %v189, %v191
  %v246 = fmul <16 x float> %v244, splat (float 0x3FBC71C720000000)
  %v247 = getelementptr i8, ptr %v141, i64 1856
  store <16 x float> %v246, ptr %v247, align 64
  %v248 = fmul <16 x float> %v189, splat (float 0x3FBC71C720000000)
  %v249 = getelementptr i8, ptr %v141, i64 1920
  store <16 x float> %v248, ptr %v249, align 64
  %v250 = fmul <16 x float> %v245, splat (float 0x3FBC71C720000000)
  %v251 = getelementptr i8, ptr %v141, i64 1984
  store <16 x float> %v250, ptr %v251, align 64
  %v252 = fmul <16 x float> %v191, splat (float 0x3FBC71C720000000)
  %v253 = getelementptr i8, ptr %v141, i64 2048
  store <16 x float> %v252, ptr %v253, align 64
  %v254 = fmul <16 x float> %v191, splat (float 0x3FBC71C720000000)
  %v255 = getelementptr i8, ptr %v141, i64 2112
  store <16 x float> %v254, ptr %v255, align 64
  %v256 = getelementptr i8, ptr %v118, i64 512
  %v257 = freeze ptr %v256
  %v260 = getelementptr i8, ptr %v141, i64 2176
  %v261 = freeze ptr %v260
  %v263 = icmp ne ptr %v257, %v259
  br i1 %v263, label %th.loop115, label %th.done116
th.done116:
  %v264 = add nsw i64 %v8, 1
  %v265 = freeze i64 %v264
  %v266 = icmp ne i64 %v265, %hi
  br i1 %v266, label %items.loop5, label %items.done6
items.done6:
  ret void
}
