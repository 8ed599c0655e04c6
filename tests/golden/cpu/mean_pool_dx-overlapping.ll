define void @k_85432ed64f5299cb(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v258 = mul nsw i64 %lo, 1536
  %v259 = getelementptr i8, ptr %v2, i64 %v258
  %v260 = mul nsw i64 %hi, 1536
  %v261 = getelementptr i8, ptr %v2, i64 %v260
  %v264 = mul nsw i64 %lo, 6528
  %v265 = getelementptr i8, ptr %v4, i64 %v264
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v9 = phi ptr [ %v259, %entry ], [ %v257, %th.done108 ]
  %v18 = phi ptr [ %v265, %entry ], [ %v263, %th.done108 ]
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
  %v250 = getelementptr i8, ptr %v9, i64 512
  %v251 = getelementptr i8, ptr %v9, i64 1536
  %v254 = getelementptr i8, ptr %v18, i64 2176
  br label %th.loop107
th.loop107:
  %v110 = phi ptr [ %v250, %items.loop5 ], [ %v249, %th.loop107 ]
  %v133 = phi ptr [ %v254, %items.loop5 ], [ %v253, %th.loop107 ]
  %v111 = load <16 x float>, ptr %v110, align 64
  %v112 = getelementptr i8, ptr %v110, i64 64
  %v113 = load <16 x float>, ptr %v112, align 64
  %v114 = getelementptr i8, ptr %v110, i64 128
  %v115 = load <16 x float>, ptr %v114, align 64
  %v116 = fadd <16 x float> %v111, %v113
  %v117 = fadd <16 x float> %v113, %v115
  %v118 = getelementptr i8, ptr %v110, i64 -512
  %v119 = load <16 x float>, ptr %v118, align 64
  %v120 = fadd <16 x float> %v119, %v111
  %v121 = fadd <16 x float> %v119, %v111
  %v122 = getelementptr i8, ptr %v110, i64 -448
  %v123 = load <16 x float>, ptr %v122, align 64
  %v124 = fadd <16 x float> %v123, %v116
  %v125 = fadd <16 x float> %v123, %v113
  %v126 = getelementptr i8, ptr %v110, i64 -384
  %v127 = load <16 x float>, ptr %v126, align 64
  %v128 = fadd <16 x float> %v127, %v117
  %v129 = fadd <16 x float> %v127, %v115
  %v130 = fadd <16 x float> %v119, %v124
  %v131 = fadd <16 x float> %v123, %v128
  %v132 = fmul <16 x float> %v120, splat (float 0x3FBC71C720000000)
  store <16 x float> %v132, ptr %v133, align 64
  %v134 = fmul <16 x float> %v121, splat (float 0x3FBC71C720000000)
  %v135 = getelementptr i8, ptr %v133, i64 64
  store <16 x float> %v134, ptr %v135, align 64
  %v136 = fmul <16 x float> %v130, splat (float 0x3FBC71C720000000)
  %v137 = getelementptr i8, ptr %v133, i64 128
  store <16 x float> %v136, ptr %v137, align 64
  %v138 = fmul <16 x float> %v125, splat (float 0x3FBC71C720000000)
  %v139 = getelementptr i8, ptr %v133, i64 192
  store <16 x float> %v138, ptr %v139, align 64
  %v140 = fmul <16 x float> %v131, splat (float 0x3FBC71C720000000)
  %v141 = getelementptr i8, ptr %v133, i64 256
  store <16 x float> %v140, ptr %v141, align 64
  %v142 = fmul <16 x float> %v129, splat (float 0x3FBC71C720000000)
  %v143 = getelementptr i8, ptr %v133, i64 320
  store <16 x float> %v142, ptr %v143, align 64
  %v144 = getelementptr i8, ptr %v110, i64 192
  %v145 = load <16 x float>, ptr %v144, align 64
  %v146 = getelementptr i8, ptr %v110, i64 256
  %v147 = load <16 x float>, ptr %v146, align 64
  %v148 = getelementptr i8, ptr %v110, i64 320
  %v149 = load <16 x float>, ptr %v148, align 64
  %v150 = fadd <16 x float> %v115, %v145
  %v151 = fadd <16 x float> %v145, %v147
  %v152 = fadd <16 x float> %v147, %v149
  %v153 = getelementptr i8, ptr %v110, i64 -320
  %v154 = load <16 x float>, ptr %v153, align 64
  %v155 = fadd <16 x float> %v154, %v150
  %v156 = fadd <16 x float> %v154, %v145
  %v157 = getelementptr i8, ptr %v110, i64 -256
  %v158 = load <16 x float>, ptr %v157, align 64
  %v159 = fadd <16 x float> %v158, %v151
  %v160 = fadd <16 x float> %v158, %v147
  %v161 = getelementptr i8, ptr %v110, i64 -192
  %v162 = load <16 x float>, ptr %v161, align 64
  %v163 = fadd <16 x float> %v162, %v152
  %v164 = fadd <16 x float> %v162, %v149
  %v165 = fadd <16 x float> %v127, %v155
  %v166 = fadd <16 x float> %v154, %v159
  %v167 = fadd <16 x float> %v158, %v163
  %v168 = fmul <16 x float> %v165, splat (float 0x3FBC71C720000000)
  %v169 = getelementptr i8, ptr %v133, i64 384
  store <16 x float> %v168, ptr %v169, align 64
  %v170 = fmul <16 x float> %v156, splat (float 0x3FBC71C720000000)
  %v171 = getelementptr i8, ptr %v133, i64 448
  store <16 x float> %v170, ptr %v171, align 64
  %v172 = fmul <16 x float> %v166, splat (float 0x3FBC71C720000000)
  %v173 = getelementptr i8, ptr %v133, i64 512
  store <16 x float> %v172, ptr %v173, align 64
  %v174 = fmul <16 x float> %v160, splat (float 0x3FBC71C720000000)
  %v175 = getelementptr i8, ptr %v133, i64 576
  store <16 x float> %v174, ptr %v175, align 64
  %v176 = fmul <16 x float> %v167, splat (float 0x3FBC71C720000000)
  %v177 = getelementptr i8, ptr %v133, i64 640
  store <16 x float> %v176, ptr %v177, align 64
  %v178 = fmul <16 x float> %v164, splat (float 0x3FBC71C720000000)
  %v179 = getelementptr i8, ptr %v133, i64 704
  store <16 x float> %v178, ptr %v179, align 64
  %v180 = getelementptr i8, ptr %v110, i64 384
  %v181 = load <16 x float>, ptr %v180, align 64
  %v182 = getelementptr i8, ptr %v110, i64 448
  %v183 = load <16 x float>, ptr %v182, align 64
  %v184 = fadd <16 x float> %v149, %v181
  %v185 = fadd <16 x float> %v181, %v183
  %v186 = getelementptr i8, ptr %v110, i64 -128
  %v187 = load <16 x float>, ptr %v186, align 64
  %v188 = fadd <16 x float> %v187, %v184
  %v189 = fadd <16 x float> %v187, %v181
  %v190 = getelementptr i8, ptr %v110, i64 -64
  %v191 = load <16 x float>, ptr %v190, align 64
  %v192 = fadd <16 x float> %v191, %v185
  %v193 = fadd <16 x float> %v191, %v183
  %v194 = fadd <16 x float> %v162, %v188
  %v195 = fadd <16 x float> %v187, %v192
  %v196 = fadd <16 x float> %v191, %v183
  %v197 = fmul <16 x float> %v194, splat (float 0x3FBC71C720000000)
  %v198 = getelementptr i8, ptr %v133, i64 768
  store <16 x float> %v197, ptr %v198, align 64
  %v199 = fmul <16 x float> %v189, splat (float 0x3FBC71C720000000)
  %v200 = getelementptr i8, ptr %v133, i64 832
  store <16 x float> %v199, ptr %v200, align 64
  %v201 = fmul <16 x float> %v195, splat (float 0x3FBC71C720000000)
  %v202 = getelementptr i8, ptr %v133, i64 896
  store <16 x float> %v201, ptr %v202, align 64
  %v203 = fmul <16 x float> %v193, splat (float 0x3FBC71C720000000)
  %v204 = getelementptr i8, ptr %v133, i64 960
  store <16 x float> %v203, ptr %v204, align 64
  %v205 = fmul <16 x float> %v196, splat (float 0x3FBC71C720000000)
  %v206 = getelementptr i8, ptr %v133, i64 1024
  store <16 x float> %v205, ptr %v206, align 64
  %v207 = fadd <16 x float> %v111, %v113
  %v208 = fadd <16 x float> %v113, %v115
  %v209 = fmul <16 x float> %v111, splat (float 0x3FBC71C720000000)
  %v210 = getelementptr i8, ptr %v133, i64 1088
  store <16 x float> %v209, ptr %v210, align 64
  %v211 = fmul <16 x float> %v111, splat (float 0x3FBC71C720000000)
  %v212 = getelementptr i8, ptr %v133, i64 1152
  store <16 x float> %v211, ptr %v212, align 64
  %v213 = fmul <16 x float> %v207, splat (float 0x3FBC71C720000000)
  %v214 = getelementptr i8, ptr %v133, i64 1216
  store <16 x float> %v213, ptr %v214, align 64
  %v215 = fmul <16 x float> %v113, splat (float 0x3FBC71C720000000)
  %v216 = getelementptr i8, ptr %v133, i64 1280
  store <16 x float> %v215, ptr %v216, align 64
  %v217 = fmul <16 x float> %v208, splat (float 0x3FBC71C720000000)
  %v218 = getelementptr i8, ptr %v133, i64 1344
  store <16 x float> %v217, ptr %v218, align 64
  %v219 = fmul <16 x float> %v115, splat (float 0x3FBC71C720000000)
  %v220 = getelementptr i8, ptr %v133, i64 1408
  store <16 x float> %v219, ptr %v220, align 64
  %v221 = fadd <16 x float> %v115, %v145
  %v222 = fadd <16 x float> %v145, %v147
  %v223 = fadd <16 x float> %v147, %v149
  %v224 = fmul <16 x float> %v221, splat (float 0x3FBC71C720000000)
  %v225 = getelementptr i8, ptr %v133, i64 1472
  store <16 x float> %v224, ptr %v225, align 64
  %v226 = fmul <16 x float> %v145, splat (float 0x3FBC71C720000000)
  %v227 = getelementptr i8, ptr %v133, i64 1536
  store <16 x float> %v226, ptr %v227, align 64
  %v228 = fmul <16 x float> %v222, splat (float 0x3FBC71C720000000)
  %v229 = getelementptr i8, ptr %v133, i64 1600
  store <16 x float> %v228, ptr %v229, align 64
  %v230 = fmul <16 x float> %v147, splat (float 0x3FBC71C720000000)
  %v231 = getelementptr i8, ptr %v133, i64 1664
  store <16 x float> %v230, ptr %v231, align 64
  %v232 = fmul <16 x float> %v223, splat (float 0x3FBC71C720000000)
  %v233 = getelementptr i8, ptr %v133, i64 1728
  store <16 x float> %v232, ptr %v233, align 64
  %v234 = fmul <16 x float> %v149, splat (float 0x3FBC71C720000000)
  %v235 = getelementptr i8, ptr %v133, i64 1792
  store <16 x float> %v234, ptr %v235, align 64
  %v236 = fadd <16 x float> %v149, %v181
  %v237 = fadd <16 x float> %v181, %v183
  %v238 = fmul <16 x float> %v236, splat (float 0x3FBC71C720000000)
  %v239 = getelementptr i8, ptr %v133, i64 1856
  store <16 x float> %v238, ptr %v239, align 64
  %v240 = fmul <16 x float> %v181, splat (float 0x3FBC71C720000000)
  %v241 = getelementptr i8, ptr %v133, i64 1920
  store <16 x float> %v240, ptr %v241, align 64
  %v242 = fmul <16 x float> %v237, splat (float 0x3FBC71C720000000)
  %v243 = getelementptr i8, ptr %v133, i64 1984
  store <16 x float> %v242, ptr %v243, align 64
  %v244 = fmul <16 x float> %v183, splat (float 0x3FBC71C720000000)
  %v245 = getelementptr i8, ptr %v133, i64 2048
  store <16 x float> %v244, ptr %v245, align 64
  %v246 = fmul <16 x float> %v183, splat (float 0x3FBC71C720000000)
  %v247 = getelementptr i8, ptr %v133, i64 2112
  store <16 x float> %v246, ptr %v247, align 64
  %v248 = getelementptr i8, ptr %v110, i64 512
  %v249 = freeze ptr %v248
  %v252 = getelementptr i8, ptr %v133, i64 2176
  %v253 = freeze ptr %v252
  %v255 = icmp ne ptr %v249, %v251
  br i1 %v255, label %th.loop107, label %th.done108
th.done108:
  %v256 = getelementptr i8, ptr %v9, i64 1536
  %v257 = freeze ptr %v256
  %v262 = getelementptr i8, ptr %v18, i64 6528
  %v263 = freeze ptr %v262
  %v266 = icmp ne ptr %v257, %v261
  br i1 %v266, label %items.loop5, label %items.done6
items.done6:
  ret void
}
