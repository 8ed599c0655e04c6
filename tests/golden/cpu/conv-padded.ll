define void @k_5a67ae27cfcf2b63(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v353, %ci.done188 ]
  %v26 = urem i64 %v10, 6
  %v27 = mul nsw i64 %v26, -1
  %v28 = add nsw i64 %v27, 1
  %v30 = add nsw i64 %v27, 7
  %v51 = udiv i64 %v10, 6
  %v52 = mul nsw i64 %v51, 4608
  %v53 = getelementptr i8, ptr %v2, i64 %v52
  %v54 = mul nsw i64 %v26, 384
  %v55 = getelementptr i8, ptr %v53, i64 %v54
  %v173 = mul nsw i64 %v51, 9216
  %v174 = getelementptr i8, ptr %v6, i64 %v173
  %v175 = getelementptr i8, ptr %v174, i64 %v54
  %v169 = getelementptr i8, ptr %v4, i64 72
  br label %ci.loop11
ci.loop11:
  %v48 = phi ptr [ %v4, %items.loop7 ], [ %v168, %kh.done33 ]
  %v56 = phi ptr [ %v55, %items.loop7 ], [ %v171, %kh.done33 ]
  %v14 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v155, %kh.done33 ]
  %v15 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v156, %kh.done33 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v157, %kh.done33 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v158, %kh.done33 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v159, %kh.done33 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v160, %kh.done33 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v161, %kh.done33 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v162, %kh.done33 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v163, %kh.done33 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v164, %kh.done33 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v165, %kh.done33 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v166, %kh.done33 ]
  %v29 = call i64 @llvm.smax.i64(i64 0, i64 %v28)
  %v31 = call i64 @llvm.smin.i64(i64 3, i64 %v30)
  %v146 = mul nsw i64 %v29, 12
  %v147 = getelementptr i8, ptr %v48, i64 %v146
  %v148 = mul nsw i64 %v31, 12
  %v149 = getelementptr i8, ptr %v48, i64 %v148
  %v152 = mul nsw i64 %v29, 384
  %v153 = getelementptr i8, ptr %v56, i64 %v152
  %v34 = icmp slt i64 %v29, %v31
  br i1 %v34, label %kh.loop32, label %kh.done33
kh.loop32:
  %v49 = phi ptr [ %v147, %ci.loop11 ], [ %v145, %kh.loop32 ]
  %v57 = phi ptr [ %v153, %ci.loop11 ], [ %v151, %kh.loop32 ]
  %v36 = phi <16 x float> [ %v14, %ci.loop11 ], [ %v118, %kh.loop32 ]
  %v37 = phi <16 x float> [ %v15, %ci.loop11 ], [ %v119, %kh.loop32 ]
  %v38 = phi <16 x float> [ %v16, %ci.loop11 ], [ %v122, %kh.loop32 ]
  %v39 = phi <16 x float> [ %v17, %ci.loop11 ], [ %v127, %kh.loop32 ]
  %v40 = phi <16 x float> [ %v18, %ci.loop11 ], [ %v128, %kh.loop32 ]
  %v41 = phi <16 x float> [ %v19, %ci.loop11 ], [ %v129, %kh.loop32 ]
  %v42 = phi <16 x float> [ %v20, %ci.loop11 ], [ %v134, %kh.loop32 ]
  %v43 = phi <16 x float> [ %v21, %ci.loop11 ], [ %v135, %kh.loop32 ]
  %v44 = phi <16 x float> [ %v22, %ci.loop11 ], [ %v136, %kh.loop32 ]
  %v45 = phi <16 x float> [ %v23, %ci.loop11 ], [ %v141, %kh.loop32 ]
  %v46 = phi <16 x float> [ %v24, %ci.loop11 ], [ %v142, %kh.loop32 ]
  %v47 = phi <16 x float> [ %v25, %ci.loop11 ], [ %v143, %kh.loop32 ]
  %v50 = load float, ptr %v49, align 4
  %v58 = getelementptr i8, ptr %v57, i64 -384
  %v59 = load <16 x float>, ptr %v58, align 64
  %v60 = insertelement <16 x float> poison, float %v50, i64 0
  %v61 = shufflevector <16 x float> %v60, <16 x float> poison, <16 x i32> zeroinitializer
  %v62 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v61, <16 x float> %v37)
  %v63 = getelementptr i8, ptr %v57, i64 -320
  %v64 = load <16 x float>, ptr %v63, align 64
  %v65 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v61, <16 x float> %v38)
  %v66 = getelementptr i8, ptr %v49, i64 72
  %v67 = load float, ptr %v66, align 4
  %v68 = insertelement <16 x float> poison, float %v67, i64 0
  %v69 = shufflevector <16 x float> %v68, <16 x float> poison, <16 x i32> zeroinitializer
  %v70 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v69, <16 x float> %v40)
  %v71 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v69, <16 x float> %v41)
  %v72 = getelementptr i8, ptr %v49, i64 144
  %v73 = load float, ptr %v72, align 4
  %v74 = insertelement <16 x float> poison, float %v73, i64 0
  %v75 = shufflevector <16 x float> %v74, <16 x float> poison, <16 x i32> zeroinitializer
  %v76 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v75, <16 x float> %v43)
  %v77 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v75, <16 x float> %v44)
  %v78 = getelementptr i8, ptr %v49, i64 216
  %v79 = load float, ptr %v78, align 4
  %v80 = insertelement <16 x float> poison, float %v79, i64 0
  %v81 = shufflevector <16 x float> %v80, <16 x float> poison, <16 x i32> zeroinitializer
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v81, <16 x float> %v46)
  %v83 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v81, <16 x float> %v47)
  %v84 = getelementptr i8, ptr %v49, i64 4
  %v85 = load float, ptr %v84, align 4
  %v86 = insertelement <16 x float> poison, float %v85, i64 0
  %v87 = shufflevector <16 x float> %v86, <16 x float> poison, <16 x i32> zeroinitializer
  %v88 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v87, <16 x float> %v36)
  %v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v87, <16 x float> %v62)
  %v90 = getelementptr i8, ptr %v57, i64 -256
  %v91 = load <16 x float>, ptr %v90, align 64
  %v92 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v91, <16 x float> %v87, <16 x float> %v65)
  %v93 = getelementptr i8, ptr %v49, i64 76
  %v94 = load float, ptr %v93, align 4
  %v95 = insertelement <16 x float> poison, float %v94, i64 0
  %v96 = shufflevector <16 x float> %v95, <16 x float> poison, <16 x i32> zeroinitializer
  %v97 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v96, <16 x float> %v39)
  %v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v96, <16 x float> %v70)
  %v99 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v91, <16 x float> %v96, <16 x float> %v71)
  %v100 = getelementptr i8, ptr %v49, i64 148
  %v101 = load float, ptr %v100, align 4
  %v102 = insertelement <16 x float> poison, float %v101, i64 0
  %v103 = shufflevector <16 x float> %v102, <16 x float> poison, <16 x i32> zeroinitializer
  %v104 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v103, <16 x float> %v42)
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v103, <16 x float> %v76)
  %v106 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v91, <16 x float> %v103, <16 x float> %v77)
  %v107 = getelementptr i8, ptr %v49, i64 220
  %v108 = load float, ptr %v107, align 4
  %v109 = insertelement <16 x float> poison, float %v108, i64 0
  %v110 = shufflevector <16 x float> %v109, <16 x float> poison, <16 x i32> zeroinitializer
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v110, <16 x float> %v45)
  %v112 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v110, <16 x float> %v82)
  %v113 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v91, <16 x float> %v110, <16 x float> %v83)
  %v114 = getelementptr i8, ptr %v49, i64 8
  %v115 = load float, ptr %v114, align 4
  %v116 = insertelement <16 x float> poison, float %v115, i64 0
  %v117 = shufflevector <16 x float> %v116, <16 x float> poison, <16 x i32> zeroinitializer
  %v118 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v117, <16 x float> %v88)
  %v119 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v91, <16 x float> %v117, <16 x float> %v89)
  %v120 = getelementptr i8, ptr %v57, i64 -192
  %v121 = load <16 x float>, ptr %v120, align 64
  %v122 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v121, <16 x float> %v117, <16 x float> %v92)
  %v123 = getelementptr i8, ptr %v49, i64 80
  %v124 = load float, ptr %v123, align 4
  %v125 = insertelement <16 x float> poison, float %v124, i64 0
  %v126 = shufflevector <16 x float> %v125, <16 x float> poison, <16 x i32> zeroinitializer
  %v127 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v126, <16 x float> %v97)
  %v128 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v91, <16 x float> %v126, <16 x float> %v98)
  %v129 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v121, <16 x float> %v126, <16 x float> %v99)
  %v130 = getelementptr i8, ptr %v49, i64 152
  %v131 = load float, ptr %v130, align 4
  %v132 = insertelement <16 x float> poison, float %v131, i64 0
  %v133 = shufflevector <16 x float> %v132, <16 x float> poison, <16 x i32> zeroinitializer
  %v134 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v133, <16 x float> %v104)
  %v135 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v91, <16 x float> %v133, <16 x float> %v105)
  %v136 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v121, <16 x float> %v133, <16 x float> %v106)
  %v137 = getelementptr i8, ptr %v49, i64 224
  %v138 = load float, ptr %v137, align 4
  %v139 = insertelement <16 x float> poison, float %v138, i64 0
  %v140 = shufflevector <16 x float> %v139, <16 x float> poison, <16 x i32> zeroinitializer
  %v141 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v140, <16 x float> %v111)
  %v142 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v91, <16 x float> %v140, <16 x float> %v112)
  %v143 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v121, <16 x float> %v140, <16 x float> %v113)
  %v144 = getelementptr i8, ptr %v49, i64 12
  %v145 = freeze ptr %v144
  %v150 = getelementptr i8, ptr %v57, i64 384
  %v151 = freeze ptr %v150
  %v154 = icmp ne ptr %v145, %v149
  br i1 %v154, label %kh.loop32, label %kh.done33
kh.done33:
  %v155 = phi <16 x float> [ %v14, %ci.loop11 ], [ %v118, %kh.loop32 ]
  %v156 = phi <16 x float> [ %v15, %ci.loop11 ], [ %v119, %kh.loop32 ]
  %v157 = phi <16 x float> [ %v16, %ci.loop11 ], [ %v122, %kh.loop32 ]
  %v158 = phi <16 x float> [ %v17, %ci.loop11 ], [ %v127, %kh.loop32 ]
  %v159 = phi <16 x float> [ %v18, %ci.loop11 ], [ %v128, %kh.loop32 ]
  %v160 = phi <16 x float> [ %v19, %ci.loop11 ], [ %v129, %kh.loop32 ]
  %v161 = phi <16 x float> [ %v20, %ci.loop11 ], [ %v134, %kh.loop32 ]
  %v162 = phi <16 x float> [ %v21, %ci.loop11 ], [ %v135, %kh.loop32 ]
  %v163 = phi <16 x float> [ %v22, %ci.loop11 ], [ %v136, %kh.loop32 ]
  %v164 = phi <16 x float> [ %v23, %ci.loop11 ], [ %v141, %kh.loop32 ]
  %v165 = phi <16 x float> [ %v24, %ci.loop11 ], [ %v142, %kh.loop32 ]
  %v166 = phi <16 x float> [ %v25, %ci.loop11 ], [ %v143, %kh.loop32 ]
  %v167 = getelementptr i8, ptr %v48, i64 36
  %v168 = freeze ptr %v167
  %v170 = getelementptr i8, ptr %v56, i64 2304
  %v171 = freeze ptr %v170
  %v172 = icmp ne ptr %v168, %v169
  br i1 %v172, label %ci.loop11, label %ci.done12
ci.done12:
  store <16 x float> %v155, ptr %v175, align 64
  %v176 = getelementptr i8, ptr %v175, i64 64
  store <16 x float> %v156, ptr %v176, align 64
  %v177 = getelementptr i8, ptr %v175, i64 128
  store <16 x float> %v157, ptr %v177, align 64
  %v178 = getelementptr i8, ptr %v175, i64 2304
  store <16 x float> %v158, ptr %v178, align 64
  %v179 = getelementptr i8, ptr %v175, i64 2368
  store <16 x float> %v159, ptr %v179, align 64
  %v180 = getelementptr i8, ptr %v175, i64 2432
  store <16 x float> %v160, ptr %v180, align 64
  %v181 = getelementptr i8, ptr %v175, i64 4608
  store <16 x float> %v161, ptr %v181, align 64
  %v182 = getelementptr i8, ptr %v175, i64 4672
  store <16 x float> %v162, ptr %v182, align 64
  %v183 = getelementptr i8, ptr %v175, i64 4736
  store <16 x float> %v163, ptr %v183, align 64
  %v184 = getelementptr i8, ptr %v175, i64 6912
  store <16 x float> %v164, ptr %v184, align 64
  %v185 = getelementptr i8, ptr %v175, i64 6976
  store <16 x float> %v165, ptr %v185, align 64
  %v186 = getelementptr i8, ptr %v175, i64 7040
  store <16 x float> %v166, ptr %v186, align 64
  %v336 = getelementptr i8, ptr %v4, i64 72
  br label %ci.loop187
ci.loop187:
  %v220 = phi ptr [ %v4, %ci.done12 ], [ %v335, %kh.done205 ]
  %v223 = phi ptr [ %v55, %ci.done12 ], [ %v338, %kh.done205 ]
  %v190 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done12 ], [ %v322, %kh.done205 ]
  %v191 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done12 ], [ %v323, %kh.done205 ]
  %v192 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done12 ], [ %v324, %kh.done205 ]
  %v193 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done12 ], [ %v325, %kh.done205 ]
  %v194 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done12 ], [ %v326, %kh.done205 ]
  %v195 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done12 ], [ %v327, %kh.done205 ]
  %v196 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done12 ], [ %v328, %kh.done205 ]
  %v197 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done12 ], [ %v329, %kh.done205 ]
  %v198 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done12 ], [ %v330, %kh.done205 ]
  %v199 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done12 ], [ %v331, %kh.done205 ]
  %v200 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done12 ], [ %v332, %kh.done205 ]
  %v201 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done12 ], [ %v333, %kh.done205 ]
  %v202 = call i64 @llvm.smax.i64(i64 0, i64 %v28)
  %v203 = call i64 @llvm.smin.i64(i64 3, i64 %v30)
  %v313 = mul nsw i64 %v202, 12
  %v314 = getelementptr i8, ptr %v220, i64 %v313
  %v315 = mul nsw i64 %v203, 12
  %v316 = getelementptr i8, ptr %v220, i64 %v315
  %v319 = mul nsw i64 %v202, 384
  %v320 = getelementptr i8, ptr %v223, i64 %v319
  %v206 = icmp slt i64 %v202, %v203
  br i1 %v206, label %kh.loop204, label %kh.done205
kh.loop204:
  %v221 = phi ptr [ %v314, %ci.loop187 ], [ %v312, %kh.loop204 ]
  %v224 = phi ptr [ %v320, %ci.loop187 ], [ %v318, %kh.loop204 ]
  %v208 = phi <16 x float> [ %v190, %ci.loop187 ], [ %v291, %kh.loop204 ]
  %v209 = phi <16 x float> [ %v191, %ci.loop187 ], [ %v292, %kh.loop204 ]
  %v210 = phi <16 x float> [ %v192, %ci.loop187 ], [ %v265, %kh.loop204 ]
  %v211 = phi <16 x float> [ %v193, %ci.loop187 ], [ %v297, %kh.loop204 ]
  %v212 = phi <16 x float> [ %v194, %ci.loop187 ], [ %v298, %kh.loop204 ]
  %v213 = phi <16 x float> [ %v195, %ci.loop187 ], [ %v272, %kh.loop204 ]
  %v214 = phi <16 x float> [ %v196, %ci.loop187 ], [ %v303, %kh.loop204 ]
  %v215 = phi <16 x float> [ %v197, %ci.loop187 ], [ %v304, %kh.loop204 ]
  %v216 = phi <16 x float> [ %v198, %ci.loop187 ], [ %v279, %kh.loop204 ]
  %v217 = phi <16 x float> [ %v199, %ci.loop187 ], [ %v309, %kh.loop204 ]
  %v218 = phi <16 x float> [ %v200, %ci.loop187 ], [ %v310, %kh.loop204 ]
  %v219 = phi <16 x float> [ %v201, %ci.loop187 ], [ %v286, %kh.loop204 ]
  %v222 = load float, ptr %v221, align 4
  %v225 = getelementptr i8, ptr %v224, i64 -256
  %v226 = load <16 x float>, ptr %v225, align 64
  %v227 = insertelement <16 x float> poison, float %v222, i64 0
  %v228 = shufflevector <16 x float> %v227, <16 x float> poison, <16 x i32> zeroinitializer
  %v229 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v226, <16 x float> %v228, <16 x float> %v208)
  %v230 = getelementptr i8, ptr %v224, i64 -192
  %v231 = load <16 x float>, ptr %v230, align 64
  %v232 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v231, <16 x float> %v228, <16 x float> %v209)
  %v233 = getelementptr i8, ptr %v224, i64 -128
  %v234 = load <16 x float>, ptr %v233, align 64
  %v235 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v234, <16 x float> %v228, <16 x float> %v210)
  %v236 = getelementptr i8, ptr %v221, i64 72
  %v237 = load float, ptr %v236, align 4
  %v238 = insertelement <16 x float> poison, float %v237, i64 0
  %v239 = shufflevector <16 x float> %v238, <16 x float> poison, <16 x i32> zeroinitializer
  %v240 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v226, <16 x float> %v239, <16 x float> %v211)
  %v241 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v231, <16 x float> %v239, <16 x float> %v212)
  %v242 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v234, <16 x float> %v239, <16 x float> %v213)
  %v243 = getelementptr i8, ptr %v221, i64 144
  %v244 = load float, ptr %v243, align 4
  %v245 = insertelement <16 x float> poison, float %v244, i64 0
  %v246 = shufflevector <16 x float> %v245, <16 x float> poison, <16 x i32> zeroinitializer
  %v247 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v226, <16 x float> %v246, <16 x float> %v214)
  %v248 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v231, <16 x float> %v246, <16 x float> %v215)
  %v249 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v234, <16 x float> %v246, <16 x float> %v216)
  %v250 = getelementptr i8, ptr %v221, i64 216
  %v251 = load float, ptr %v250, align 4
  %v252 = insertelement <16 x float> poison, float %v251, i64 0
  %v253 = shufflevector <16 x float> %v252, <16 x float> poison, <16 x i32> zeroinitializer
  %v254 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v226, <16 x float> %v253, <16 x float> %v217)
  %v255 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v231, <16 x float> %v253, <16 x float> %v218)
  %v256 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v234, <16 x float> %v253, <16 x float> %v219)
  %v257 = getelementptr i8, ptr %v221, i64 4
  %v258 = load float, ptr %v257, align 4
  %v259 = insertelement <16 x float> poison, float %v258, i64 0
  %v260 = shufflevector <16 x float> %v259, <16 x float> poison, <16 x i32> zeroinitializer
  %v261 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v231, <16 x float> %v260, <16 x float> %v229)
  %v262 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v234, <16 x float> %v260, <16 x float> %v232)
  %v263 = getelementptr i8, ptr %v224, i64 -64
  %v264 = load <16 x float>, ptr %v263, align 64
  %v265 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v264, <16 x float> %v260, <16 x float> %v235)
  %v266 = getelementptr i8, ptr %v221, i64 76
  %v267 = load float, ptr %v266, align 4
  %v268 = insertelement <16 x float> poison, float %v267, i64 0
  %v269 = shufflevector <16 x float> %v268, <16 x float> poison, <16 x i32> zeroinitializer
  %v270 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v231, <16 x float> %v269, <16 x float> %v240)
  %v271 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v234, <16 x float> %v269, <16 x float> %v241)
  %v272 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v264, <16 x float> %v269, <16 x float> %v242)
  %v273 = getelementptr i8, ptr %v221, i64 148
  %v274 = load float, ptr %v273, align 4
  %v275 = insertelement <16 x float> poison, float %v274, i64 0
  %v276 = shufflevector <16 x float> %v275, <16 x float> poison, <16 x i32> zeroinitializer
  %v277 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v231, <16 x float> %v276, <16 x float> %v247)
  %v278 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v234, <16 x float> %v276, <16 x float> %v248)
  %v279 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v264, <16 x float> %v276, <16 x float> %v249)
  %v280 = getelementptr i8, ptr %v221, i64 220
  %v281 = load float, ptr %v280, align 4
  %v282 = insertelement <16 x float> poison, float %v281, i64 0
  %v283 = shufflevector <16 x float> %v282, <16 x float> poison, <16 x i32> zeroinitializer
  %v284 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v231, <16 x float> %v283, <16 x float> %v254)
  %v285 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v234, <16 x float> %v283, <16 x float> %v255)
  %v286 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v264, <16 x float> %v283, <16 x float> %v256)
  %v287 = getelementptr i8, ptr %v221, i64 8
  %v288 = load float, ptr %v287, align 4
  %v289 = insertelement <16 x float> poison, float %v288, i64 0
  %v290 = shufflevector <16 x float> %v289, <16 x float> poison, <16 x i32> zeroinitializer
  %v291 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v234, <16 x float> %v290, <16 x float> %v261)
  %v292 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v264, <16 x float> %v290, <16 x float> %v262)
  %v293 = getelementptr i8, ptr %v221, i64 80
  %v294 = load float, ptr %v293, align 4
  %v295 = insertelement <16 x float> poison, float %v294, i64 0
  %v296 = shufflevector <16 x float> %v295, <16 x float> poison, <16 x i32> zeroinitializer
  %v297 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v234, <16 x float> %v296, <16 x float> %v270)
  %v298 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v264, <16 x float> %v296, <16 x float> %v271)
  %v299 = getelementptr i8, ptr %v221, i64 152
  %v300 = load float, ptr %v299, align 4
  %v301 = insertelement <16 x float> poison, float %v300, i64 0
  %v302 = shufflevector <16 x float> %v301, <16 x float> poison, <16 x i32> zeroinitializer
  %v303 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v234, <16 x float> %v302, <16 x float> %v277)
  %v304 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v264, <16 x float> %v302, <16 x float> %v278)
  %v305 = getelementptr i8, ptr %v221, i64 224
  %v306 = load float, ptr %v305, align 4
  %v307 = insertelement <16 x float> poison, float %v306, i64 0
  %v308 = shufflevector <16 x float> %v307, <16 x float> poison, <16 x i32> zeroinitializer
  %v309 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v234, <16 x float> %v308, <16 x float> %v284)
  %v310 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v264, <16 x float> %v308, <16 x float> %v285)
  %v311 = getelementptr i8, ptr %v221, i64 12
  %v312 = freeze ptr %v311
  %v317 = getelementptr i8, ptr %v224, i64 384
  %v318 = freeze ptr %v317
  %v321 = icmp ne ptr %v312, %v316
  br i1 %v321, label %kh.loop204, label %kh.done205
kh.done205:
  %v322 = phi <16 x float> [ %v190, %ci.loop187 ], [ %v291, %kh.loop204 ]
  %v323 = phi <16 x float> [ %v191, %ci.loop187 ], [ %v292, %kh.loop204 ]
  %v324 = phi <16 x float> [ %v192, %ci.loop187 ], [ %v265, %kh.loop204 ]
  %v325 = phi <16 x float> [ %v193, %ci.loop187 ], [ %v297, %kh.loop204 ]
  %v326 = phi <16 x float> [ %v194, %ci.loop187 ], [ %v298, %kh.loop204 ]
  %v327 = phi <16 x float> [ %v195, %ci.loop187 ], [ %v272, %kh.loop204 ]
  %v328 = phi <16 x float> [ %v196, %ci.loop187 ], [ %v303, %kh.loop204 ]
  %v329 = phi <16 x float> [ %v197, %ci.loop187 ], [ %v304, %kh.loop204 ]
  %v330 = phi <16 x float> [ %v198, %ci.loop187 ], [ %v279, %kh.loop204 ]
  %v331 = phi <16 x float> [ %v199, %ci.loop187 ], [ %v309, %kh.loop204 ]
  %v332 = phi <16 x float> [ %v200, %ci.loop187 ], [ %v310, %kh.loop204 ]
  %v333 = phi <16 x float> [ %v201, %ci.loop187 ], [ %v286, %kh.loop204 ]
  %v334 = getelementptr i8, ptr %v220, i64 36
  %v335 = freeze ptr %v334
  %v337 = getelementptr i8, ptr %v223, i64 2304
  %v338 = freeze ptr %v337
  %v339 = icmp ne ptr %v335, %v336
  br i1 %v339, label %ci.loop187, label %ci.done188
ci.done188:
  %v340 = getelementptr i8, ptr %v175, i64 192
  store <16 x float> %v322, ptr %v340, align 64
  %v341 = getelementptr i8, ptr %v175, i64 256
  store <16 x float> %v323, ptr %v341, align 64
  %v342 = getelementptr i8, ptr %v175, i64 320
  store <16 x float> %v324, ptr %v342, align 64
  %v343 = getelementptr i8, ptr %v175, i64 2496
  store <16 x float> %v325, ptr %v343, align 64
  %v344 = getelementptr i8, ptr %v175, i64 2560
  store <16 x float> %v326, ptr %v344, align 64
  %v345 = getelementptr i8, ptr %v175, i64 2624
  store <16 x float> %v327, ptr %v345, align 64
  %v346 = getelementptr i8, ptr %v175, i64 4800
  store <16 x float> %v328, ptr %v346, align 64
  %v347 = getelementptr i8, ptr %v175, i64 4864
  store <16 x float> %v329, ptr %v347, align 64
  %v348 = getelementptr i8, ptr %v175, i64 4928
  store <16 x float> %v330, ptr %v348, align 64
  %v349 = getelementptr i8, ptr %v175, i64 7104
  store <16 x float> %v331, ptr %v349, align 64
  %v350 = getelementptr i8, ptr %v175, i64 7168
  store <16 x float> %v332, ptr %v350, align 64
  %v351 = getelementptr i8, ptr %v175, i64 7232
  store <16 x float> %v333, ptr %v351, align 64
  %v352 = add nsw i64 %v10, 1
  %v353 = freeze i64 %v352
  %v354 = icmp ne i64 %v353, %hi
  br i1 %v354, label %items.loop7, label %items.done8
items.done8:
  ret void
}
