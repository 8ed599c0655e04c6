define void @k_a9b54ad403b1e112(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v9, %th.done117 ]
  %v10 = urem i64 %v8, 2
  %v11 = udiv i64 %v8, 2
  %v12 = mul nsw i64 %v10, 1536
  %v13 = getelementptr i8, ptr %v2, i64 %v12
  %v14 = mul nsw i64 %v11, 3072
  %v15 = getelementptr i8, ptr %v13, i64 %v14
  %v24 = mul nsw i64 %v10, 6528
  %v25 = getelementptr i8, ptr %v4, i64 %v24
  %v26 = mul nsw i64 %v11, 13056
  %v27 = getelementptr i8, ptr %v25, i64 %v26
  %v16 = load <16 x float>, ptr %v15, align 64
  %v17 = getelementptr i8, ptr %v15, i64 64
  %v18 = load <16 x float>, ptr %v17, align 64
  %v19 = getelementptr i8, ptr %v15, i64 128
  %v20 = load <16 x float>, ptr %v19, align 64
  %v21 = fadd <16 x float> %v16, %v18
  %v22 = fadd <16 x float> %v18, %v20
  %v23 = fmul <16 x float> %v16, splat (float 0x3FBC71C720000000)
  store <16 x float> %v23, ptr %v27, align 64
  %v28 = fmul <16 x float> %v16, splat (float 0x3FBC71C720000000)
  %v29 = getelementptr i8, ptr %v27, i64 64
  store <16 x float> %v28, ptr %v29, align 64
  %v30 = fmul <16 x float> %v21, splat (float 0x3FBC71C720000000)
  %v31 = getelementptr i8, ptr %v27, i64 128
  store <16 x float> %v30, ptr %v31, align 64
  %v32 = fmul <16 x float> %v18, splat (float 0x3FBC71C720000000)
  %v33 = getelementptr i8, ptr %v27, i64 192
  store <16 x float> %v32, ptr %v33, align 64
  %v34 = fmul <16 x float> %v22, splat (float 0x3FBC71C720000000)
  %v35 = getelementptr i8, ptr %v27, i64 256
  store <16 x float> %v34, ptr %v35, align 64
  %v36 = fmul <16 x float> %v20, splat (float 0x3FBC71C720000000)
  %v37 = getelementptr i8, ptr %v27, i64 320
  store <16 x float> %v36, ptr %v37, align 64
  %v38 = getelementptr i8, ptr %v15, i64 192
  %v39 = load <16 x float>, ptr %v38, align 64
  %v40 = getelementptr i8, ptr %v15, i64 256
  %v41 = load <16 x float>, ptr %v40, align 64
  %v42 = getelementptr i8, ptr %v15, i64 320
  %v43 = load <16 x float>, ptr %v42, align 64
  %v44 = fadd <16 x float> %v20, %v39
  %v45 = fadd <16 x float> %v39, %v41
  %v46 = fadd <16 x float> %v41, %v43
  %v47 = fmul <16 x float> %v44, splat (float 0x3FBC71C720000000)
  %v48 = getelementptr i8, ptr %v27, i64 384
  store <16 x float> %v47, ptr %v48, align 64
  %v49 = fmul <16 x float> %v39, splat (float 0x3FBC71C720000000)
  %v50 = getelementptr i8, ptr %v27, i64 448
  store <16 x float> %v49, ptr %v50, align 64
  %v51 = fmul <16 x float> %v45, splat (float 0x3FBC71C720000000)
  %v52 = getelementptr i8, ptr %v27, i64 512
  store <16 x float> %v51, ptr %v52, align 64
  %v53 = fmul <16 x float> %v41, splat (float 0x3FBC71C720000000)
  %v54 = getelementptr i8, ptr %v27, i64 576
  store <16 x float> %v53, ptr %v54, align 64
  %v55 = fmul <16 x float> %v46, splat (float 0x3FBC71C720000000)
  %v56 = getelementptr i8, ptr %v27, i64 640
  store <16 x float> %v55, ptr %v56, align 64
  %v57 = fmul <16 x float> %v43, splat (float 0x3FBC71C720000000)
  %v58 = getelementptr i8, ptr %v27, i64 704
  store <16 x float> %v57, ptr %v58, align 64
  %v59 = getelementptr i8, ptr %v15, i64 384
  %v60 = load <16 x float>, ptr %v59, align 64
  %v61 = getelementptr i8, ptr %v15, i64 448
  %v62 = load <16 x float>, ptr %v61, align 64
  %v63 = fadd <16 x float> %v43, %v60
  %v64 = fadd <16 x float> %v60, %v62
  %v65 = fmul <16 x float> %v63, splat (float 0x3FBC71C720000000)
  %v66 = getelementptr i8, ptr %v27, i64 768
  store <16 x float> %v65, ptr %v66, align 64
  %v67 = fmul <16 x float> %v60, splat (float 0x3FBC71C720000000)
  %v68 = getelementptr i8, ptr %v27, i64 832
  store <16 x float> %v67, ptr %v68, align 64
  %v69 = fmul <16 x float> %v64, splat (float 0x3FBC71C720000000)
  %v70 = getelementptr i8, ptr %v27, i64 896
  store <16 x float> %v69, ptr %v70, align 64
  %v71 = fmul <16 x float> %v62, splat (float 0x3FBC71C720000000)
  %v72 = getelementptr i8, ptr %v27, i64 960
  store <16 x float> %v71, ptr %v72, align 64
  %v73 = fmul <16 x float> %v62, splat (float 0x3FBC71C720000000)
  %v74 = getelementptr i8, ptr %v27, i64 1024
  store <16 x float> %v73, ptr %v74, align 64
  %v75 = fadd <16 x float> %v16, %v18
  %v76 = fadd <16 x float> %v18, %v20
  %v77 = fmul <16 x float> %v16, splat (float 0x3FBC71C720000000)
  %v78 = getelementptr i8, ptr %v27, i64 1088
  store <16 x float> %v77, ptr %v78, align 64
  %v79 = fmul <16 x float> %v16, splat (float 0x3FBC71C720000000)
  %v80 = getelementptr i8, ptr %v27, i64 1152
  store <16 x float> %v79, ptr %v80, align 64
  %v81 = fmul <16 x float> %v75, splat (float 0x3FBC71C720000000)
  %v82 = getelementptr i8, ptr %v27, i64 1216
  store <16 x float> %v81, ptr %v82, align 64
  %v83 = fmul <16 x float> %v18, splat (float 0x3FBC71C720000000)
  %v84 = getelementptr i8, ptr %v27, i64 1280
  store <16 x float> %v83, ptr %v84, align 64
  %v85 = fmul <16 x float> %v76, splat (float 0x3FBC71C720000000)
  %v86 = getelementptr i8, ptr %v27, i64 1344
  store <16 x float> %v85, ptr %v86, align 64
  %v87 = fmul <16 x float> %v20, splat (float 0x3FBC71C720000000)
  %v88 = getelementptr i8, ptr %v27, i64 1408
  store <16 x float> %v87, ptr %v88, align 64
  %v89 = fadd <16 x float> %v20, %v39
  %v90 = fadd <16 x float> %v39, %v41
  %v91 = fadd <16 x float> %v41, %v43
  %v92 = fmul <16 x float> %v89, splat (float 0x3FBC71C720000000)
  %v93 = getelementptr i8, ptr %v27, i64 1472
  store <16 x float> %v92, ptr %v93, align 64
  %v94 = fmul <16 x float> %v39, splat (float 0x3FBC71C720000000)
  %v95 = getelementptr i8, ptr %v27, i64 1536
  store <16 x float> %v94, ptr %v95, align 64
  %v96 = fmul <16 x float> %v90, splat (float 0x3FBC71C720000000)
  %v97 = getelementptr i8, ptr %v27, i64 1600
  store <16 x float> %v96, ptr %v97, align 64
  %v98 = fmul <16 x float> %v41, splat (float 0x3FBC71C720000000)
  %v99 = getelementptr i8, ptr %v27, i64 1664
  store <16 x float> %v98, ptr %v99, align 64
  %v100 = fmul <16 x float> %v91, splat (float 0x3FBC71C720000000)
  %v101 = getelementptr i8, ptr %v27, i64 1728
  store <16 x float> %v100, ptr %v101, align 64
  %v102 = fmul <16 x float> %v43, splat (float 0x3FBC71C720000000)
  %v103 = getelementptr i8, ptr %v27, i64 1792
  store <16 x float> %v102, ptr %v103, align 64
  %v104 = fadd <16 x float> %v43, %v60
  %v105 = fadd <16 x float> %v60, %v62
  %v106 = fmul <16 x float> %v104, splat (float 0x3FBC71C720000000)
  %v107 = getelementptr i8, ptr %v27, i64 1856
  store <16 x float> %v106, ptr %v107, align 64
  %v108 = fmul <16 x float> %v60, splat (float 0x3FBC71C720000000)
  %v109 = getelementptr i8, ptr %v27, i64 1920
  store <16 x float> %v108, ptr %v109, align 64
  %v110 = fmul <16 x float> %v105, splat (float 0x3FBC71C720000000)
  %v111 = getelementptr i8, ptr %v27, i64 1984
  store <16 x float> %v110, ptr %v111, align 64
  %v112 = fmul <16 x float> %v62, splat (float 0x3FBC71C720000000)
  %v113 = getelementptr i8, ptr %v27, i64 2048
  store <16 x float> %v112, ptr %v113, align 64
  %v114 = fmul <16 x float> %v62, splat (float 0x3FBC71C720000000)
  %v115 = getelementptr i8, ptr %v27, i64 2112
  store <16 x float> %v114, ptr %v115, align 64
  br label %th.loop116
th.loop116:
  %v118 = phi i64 [ 1, %items.loop5 ], [ %v119, %th.loop116 ]
  %v120 = mul nsw i64 %v118, 512
  %v121 = getelementptr i8, ptr %v15, i64 %v120
  %v144 = mul nsw i64 %v118, 2176
  %v145 = getelementptr i8, ptr %v27, i64 %v144
  %v122 = load <16 x float>, ptr %v121, align 64
  %v123 = getelementptr i8, ptr %v121, i64 64
  %v124 = load <16 x float>, ptr %v123, align 64
  %v125 = getelementptr i8, ptr %v121, i64 128
  %v126 = load <16 x float>, ptr %v125, align 64
  %v127 = fadd <16 x float> %v122, %v124
  %v128 = fadd <16 x float> %v124, %v126
  %v129 = getelementptr i8, ptr %v121, i64 -512
  %v130 = load <16 x float>, ptr %v129, align 64
  %v131 = fadd <16 x float> %v130, %v122
  %v132 = fadd <16 x float> %v130, %v122
  %v133 = getelementptr i8, ptr %v121, i64 -448
  %v134 = load <16 x float>, ptr %v133, align 64
  %v135 = fadd <16 x float> %v134, %v127
  %v136 = fadd <16 x float> %v134, %v124
  %v137 = getelementptr i8, ptr %v121, i64 -384
  %v138 = load <16 x float>, ptr %v137, align 64
  %v139 = fadd <16 x float> %v138, %v128
  %v140 = fadd <16 x float> %v138, %v126
  %v141 = fadd <16 x float> %v130, %v135
  %v142 = fadd <16 x float> %v134, %v139
  %v143 = fmul <16 x float> %v131, splat (float 0x3FBC71C720000000)
  store <16 x float> %v143, ptr %v145, align 64
  %v146 = fmul <16 x float> %v132, splat (float 0x3FBC71C720000000)
  %v147 = getelementptr i8, ptr %v145, i64 64
  store <16 x float> %v146, ptr %v147, align 64
  %v148 = fmul <16 x float> %v141, splat (float 0x3FBC71C720000000)
  %v149 = getelementptr i8, ptr %v145, i64 128
  store <16 x float> %v148, ptr %v149, align 64
  %v150 = fmul <16 x float> %v136, splat (float 0x3FBC71C720000000)
  %v151 = getelementptr i8, ptr %v145, i64 192
  store <16 x float> %v150, ptr %v151, align 64
  %v152 = fmul <16 x float> %v142, splat (float 0x3FBC71C720000000)
  %v153 = getelementptr i8, ptr %v145, i64 256
  store <16 x float> %v152, ptr %v153, align 64
  %v154 = fmul <16 x float> %v140, splat (float 0x3FBC71C720000000)
  %v155 = getelementptr i8, ptr %v145, i64 320
  store <16 x float> %v154, ptr %v155, align 64
  %v156 = getelementptr i8, ptr %v121, i64 192
  %v157 = load <16 x float>, ptr %v156, align 64
  %v158 = getelementptr i8, ptr %v121, i64 256
  %v159 = load <16 x float>, ptr %v158, align 64
  %v160 = getelementptr i8, ptr %v121, i64 320
  %v161 = load <16 x float>, ptr %v160, align 64
  %v162 = fadd <16 x float> %v126, %v157
  %v163 = fadd <16 x float> %v157, %v159
  %v164 = fadd <16 x float> %v159, %v161
  %v165 = getelementptr i8, ptr %v121, i64 -320
  %v166 = load <16 x float>, ptr %v165, align 64
  %v167 = fadd <16 x float> %v166, %v162
  %v168 = fadd <16 x float> %v166, %v157
  %v169 = getelementptr i8, ptr %v121, i64 -256
  %v170 = load <16 x float>, ptr %v169, align 64
  %v171 = fadd <16 x float> %v170, %v163
  %v172 = fadd <16 x float> %v170, %v159
  %v173 = getelementptr i8, ptr %v121, i64 -192
  %v174 = load <16 x float>, ptr %v173, align 64
  %v175 = fadd <16 x float> %v174, %v164
  %v176 = fadd <16 x float> %v174, %v161
  %v177 = fadd <16 x float> %v138, %v167
  %v178 = fadd <16 x float> %v166, %v171
  %v179 = fadd <16 x float> %v170, %v175
  %v180 = fmul <16 x float> %v177, splat (float 0x3FBC71C720000000)
  %v181 = getelementptr i8, ptr %v145, i64 384
  store <16 x float> %v180, ptr %v181, align 64
  %v182 = fmul <16 x float> %v168, splat (float 0x3FBC71C720000000)
  %v183 = getelementptr i8, ptr %v145, i64 448
  store <16 x float> %v182, ptr %v183, align 64
  %v184 = fmul <16 x float> %v178, splat (float 0x3FBC71C720000000)
  %v185 = getelementptr i8, ptr %v145, i64 512
  store <16 x float> %v184, ptr %v185, align 64
  %v186 = fmul <16 x float> %v172, splat (float 0x3FBC71C720000000)
  %v187 = getelementptr i8, ptr %v145, i64 576
  store <16 x float> %v186, ptr %v187, align 64
  %v188 = fmul <16 x float> %v179, splat (float 0x3FBC71C720000000)
  %v189 = getelementptr i8, ptr %v145, i64 640
  store <16 x float> %v188, ptr %v189, align 64
  %v190 = fmul <16 x float> %v176, splat (float 0x3FBC71C720000000)
  %v191 = getelementptr i8, ptr %v145, i64 704
  store <16 x float> %v190, ptr %v191, align 64
  %v192 = getelementptr i8, ptr %v121, i64 384
  %v193 = load <16 x float>, ptr %v192, align 64
  %v194 = getelementptr i8, ptr %v121, i64 448
  %v195 = load <16 x float>, ptr %v194, align 64
  %v196 = fadd <16 x float> %v161, %v193
  %v197 = fadd <16 x float> %v193, %v195
  %v198 = getelementptr i8, ptr %v121, i64 -128
  %v199 = load <16 x float>, ptr %v198, align 64
  %v200 = fadd <16 x float> %v199, %v196
  %v201 = fadd <16 x float> %v199, %v193
  %v202 = getelementptr i8, ptr %v121, i64 -64
  %v203 = load <16 x float>, ptr %v202, align 64
  %v204 = fadd <16 x float> %v203, %v197
  %v205 = fadd <16 x float> %v203, %v195
  %v206 = fadd <16 x float> %v174, %v200
  %v207 = fadd <16 x float> %v199, %v204
  %v208 = fadd <16 x float> %v203, %v195
  %v209 = fmul <16 x float> %v206, splat (float 0x3FBC71C720000000)
  %v210 = getelementptr i8, ptr %v145, i64 768
  store <16 x float> %v209, ptr %v210, align 64
  %v211 = fmul <16 x float> %v201, splat (float 0x3FBC71C720000000)
  %v212 = getelementptr i8, ptr %v145, i64 832
  store <16 x float> %v211, ptr %v212, align 64
  %v213 = fmul <16 x float> %v207, splat (float 0x3FBC71C720000000)
  %v214 = getelementptr i8, ptr %v145, i64 896
  store <16 x float> %v213, ptr %v214, align 64
  %v215 = fmul <16 x float> %v205, splat (float 0x3FBC71C720000000)
  %v216 = getelementptr i8, ptr %v145, i64 960
  store <16 x float> %v215, ptr %v216, align 64
  %v217 = fmul <16 x float> %v208, splat (float 0x3FBC71C720000000)
  %v218 = getelementptr i8, ptr %v145, i64 1024
  store <16 x float> %v217, ptr %v218, align 64
  %v219 = fadd <16 x float> %v122, %v124
  %v220 = fadd <16 x float> %v124, %v126
  %v221 = fmul <16 x float> %v122, splat (float 0x3FBC71C720000000)
  %v222 = getelementptr i8, ptr %v145, i64 1088
  store <16 x float> %v221, ptr %v222, align 64
  %v223 = fmul <16 x float> %v122, splat (float 0x3FBC71C720000000)
  %v224 = getelementptr i8, ptr %v145, i64 1152
  store <16 x float> %v223, ptr %v224, align 64
  %v225 = fmul <16 x float> %v219, splat (float 0x3FBC71C720000000)
  %v226 = getelementptr i8, ptr %v145, i64 1216
  store <16 x float> %v225, ptr %v226, align 64
  %v227 = fmul <16 x float> %v124, splat (float 0x3FBC71C720000000)
  %v228 = getelementptr i8, ptr %v145, i64 1280
  store <16 x float> %v227, ptr %v228, align 64
  %v229 = fmul <16 x float> %v220, splat (float 0x3FBC71C720000000)
  %v230 = getelementptr i8, ptr %v145, i64 1344
  store <16 x float> %v229, ptr %v230, align 64
  %v231 = fmul <16 x float> %v126, splat (float 0x3FBC71C720000000)
  %v232 = getelementptr i8, ptr %v145, i64 1408
  store <16 x float> %v231, ptr %v232, align 64
  %v233 = fadd <16 x float> %v126, %v157
  %v234 = fadd <16 x float> %v157, %v159
  %v235 = fadd <16 x float> %v159, %v161
  %v236 = fmul <16 x float> %v233, splat (float 0x3FBC71C720000000)
  %v237 = getelementptr i8, ptr %v145, i64 1472
  store <16 x float> %v236, ptr %v237, align 64
  %v238 = fmul <16 x float> %v157, splat (float 0x3FBC71C720000000)
  %v239 = getelementptr i8, ptr %v145, i64 1536
  store <16 x float> %v238, ptr %v239, align 64
  %v240 = fmul <16 x float> %v234, splat (float 0x3FBC71C720000000)
  %v241 = getelementptr i8, ptr %v145, i64 1600
  store <16 x float> %v240, ptr %v241, align 64
  %v242 = fmul <16 x float> %v159, splat (float 0x3FBC71C720000000)
  %v243 = getelementptr i8, ptr %v145, i64 1664
  store <16 x float> %v242, ptr %v243, align 64
  %v244 = fmul <16 x float> %v235, splat (float 0x3FBC71C720000000)
  %v245 = getelementptr i8, ptr %v145, i64 1728
  store <16 x float> %v244, ptr %v245, align 64
  %v246 = fmul <16 x float> %v161, splat (float 0x3FBC71C720000000)
  %v247 = getelementptr i8, ptr %v145, i64 1792
  store <16 x float> %v246, ptr %v247, align 64
  %v248 = fadd <16 x float> %v161, %v193
  %v249 = fadd <16 x float> %v193, %v195
  %v250 = fmul <16 x float> %v248, splat (float 0x3FBC71C720000000)
  %v251 = getelementptr i8, ptr %v145, i64 1856
  store <16 x float> %v250, ptr %v251, align 64
  %v252 = fmul <16 x float> %v193, splat (float 0x3FBC71C720000000)
  %v253 = getelementptr i8, ptr %v145, i64 1920
  store <16 x float> %v252, ptr %v253, align 64
  %v254 = fmul <16 x float> %v249, splat (float 0x3FBC71C720000000)
  %v255 = getelementptr i8, ptr %v145, i64 1984
  store <16 x float> %v254, ptr %v255, align 64
  %v256 = fmul <16 x float> %v195, splat (float 0x3FBC71C720000000)
  %v257 = getelementptr i8, ptr %v145, i64 2048
  store <16 x float> %v256, ptr %v257, align 64
  %v258 = fmul <16 x float> %v195, splat (float 0x3FBC71C720000000)
  %v259 = getelementptr i8, ptr %v145, i64 2112
  store <16 x float> %v258, ptr %v259, align 64
  %v119 = add nuw nsw i64 %v118, 1
  %v260 = icmp ne i64 %v119, 3
  br i1 %v260, label %th.loop116, label %th.done117
th.done117:
  %v9 = add nuw nsw i64 %v8, 1
  %v261 = icmp ne i64 %v9, %hi
  br i1 %v261, label %items.loop5, label %items.done6
items.done6:
  ret void
}
