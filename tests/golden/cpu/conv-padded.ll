define void @k_72072cf9d9df72d8(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %ci.done180 ]
  %v12 = urem i64 %v10, 6
  %v13 = udiv i64 %v10, 6
  %v30 = mul nsw i64 %v12, -1
  %v31 = add nsw i64 %v30, 1
  %v33 = add nsw i64 %v30, 7
  %v57 = mul nsw i64 %v13, 4608
  %v58 = getelementptr i8, ptr %v2, i64 %v57
  %v59 = mul nsw i64 %v12, 384
  %v60 = getelementptr i8, ptr %v58, i64 %v59
  %v165 = mul nsw i64 %v13, 9216
  %v166 = getelementptr i8, ptr %v6, i64 %v165
  %v167 = getelementptr i8, ptr %v166, i64 %v59
  br label %ci.loop14
ci.loop14:
  %v16 = phi i64 [ 0, %items.loop7 ], [ %v17, %kh.done36 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v152, %kh.done36 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v153, %kh.done36 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v154, %kh.done36 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v155, %kh.done36 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v156, %kh.done36 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v157, %kh.done36 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v158, %kh.done36 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v159, %kh.done36 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v160, %kh.done36 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v161, %kh.done36 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v162, %kh.done36 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v163, %kh.done36 ]
  %v52 = mul nsw i64 %v16, 36
  %v53 = getelementptr i8, ptr %v4, i64 %v52
  %v61 = mul nsw i64 %v16, 2304
  %v62 = getelementptr i8, ptr %v60, i64 %v61
  %v32 = call i64 @llvm.smax.i64(i64 0, i64 %v31)
  %v34 = call i64 @llvm.smin.i64(i64 3, i64 %v33)
  %v37 = icmp slt i64 %v32, %v34
  br i1 %v37, label %kh.loop35, label %kh.done36
kh.loop35:
  %v38 = phi i64 [ %v32, %ci.loop14 ], [ %v39, %kh.loop35 ]
  %v40 = phi <16 x float> [ %v18, %ci.loop14 ], [ %v125, %kh.loop35 ]
  %v41 = phi <16 x float> [ %v19, %ci.loop14 ], [ %v126, %kh.loop35 ]
  %v42 = phi <16 x float> [ %v20, %ci.loop14 ], [ %v129, %kh.loop35 ]
  %v43 = phi <16 x float> [ %v21, %ci.loop14 ], [ %v134, %kh.loop35 ]
  %v44 = phi <16 x float> [ %v22, %ci.loop14 ], [ %v135, %kh.loop35 ]
  %v45 = phi <16 x float> [ %v23, %ci.loop14 ], [ %v136, %kh.loop35 ]
  %v46 = phi <16 x float> [ %v24, %ci.loop14 ], [ %v141, %kh.loop35 ]
  %v47 = phi <16 x float> [ %v25, %ci.loop14 ], [ %v142, %kh.loop35 ]
  %v48 = phi <16 x float> [ %v26, %ci.loop14 ], [ %v143, %kh.loop35 ]
  %v49 = phi <16 x float> [ %v27, %ci.loop14 ], [ %v148, %kh.loop35 ]
  %v50 = phi <16 x float> [ %v28, %ci.loop14 ], [ %v149, %kh.loop35 ]
  %v51 = phi <16 x float> [ %v29, %ci.loop14 ], [ %v150, %kh.loop35 ]
  %v54 = mul nsw i64 %v38, 12
  %v55 = getelementptr i8, ptr %v53, i64 %v54
  %v63 = mul nsw i64 %v38, 384
  %v64 = getelementptr i8, ptr %v62, i64 %v63
  %v56 = load float, ptr %v55, align 4
  %v65 = getelementptr i8, ptr %v64, i64 -384
  %v66 = load <16 x float>, ptr %v65, align 64
  %v67 = insertelement <16 x float> poison, float %v56, i64 0
  %v68 = shufflevector <16 x float> %v67, <16 x float> poison, <16 x i32> zeroinitializer
  %v69 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v68, <16 x float> %v41)
  %v70 = getelementptr i8, ptr %v64, i64 -320
  %v71 = load <16 x float>, ptr %v70, align 64
  %v72 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v68, <16 x float> %v42)
  %v73 = getelementptr i8, ptr %v55, i64 72
  %v74 = load float, ptr %v73, align 4
  %v75 = insertelement <16 x float> poison, float %v74, i64 0
  %v76 = shufflevector <16 x float> %v75, <16 x float> poison, <16 x i32> zeroinitializer
  %v77 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v76, <16 x float> %v44)
  %v78 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v76, <16 x float> %v45)
  %v79 = getelementptr i8, ptr %v55, i64 144
  %v80 = load float, ptr %v79, align 4
  %v81 = insertelement <16 x float> poison, float %v80, i64 0
  %v82 = shufflevector <16 x float> %v81, <16 x float> poison, <16 x i32> zeroinitializer
  %v83 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v82, <16 x float> %v47)
  %v84 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v82, <16 x float> %v48)
  %v85 = getelementptr i8, ptr %v55, i64 216
  %v86 = load float, ptr %v85, align 4
  %v87 = insertelement <16 x float> poison, float %v86, i64 0
  %v88 = shufflevector <16 x float> %v87, <16 x float> poison, <16 x i32> zeroinitializer
  %v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v88, <16 x float> %v50)
  %v90 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v88, <16 x float> %v51)
  %v91 = getelementptr i8, ptr %v55, i64 4
  %v92 = load float, ptr %v91, align 4
  %v93 = insertelement <16 x float> poison, float %v92, i64 0
  %v94 = shufflevector <16 x float> %v93, <16 x float> poison, <16 x i32> zeroinitializer
  %v95 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v94, <16 x float> %v40)
  %v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v94, <16 x float> %v69)
  %v97 = getelementptr i8, ptr %v64, i64 -256
  %v98 = load <16 x float>, ptr %v97, align 64
  %v99 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v94, <16 x float> %v72)
  %v100 = getelementptr i8, ptr %v55, i64 76
  %v101 = load float, ptr %v100, align 4
  %v102 = insertelement <16 x float> poison, float %v101, i64 0
  %v103 = shufflevector <16 x float> %v102, <16 x float> poison, <16 x i32> zeroinitializer
  %v104 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v103, <16 x float> %v43)
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v103, <16 x float> %v77)
  %v106 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v103, <16 x float> %v78)
  %v107 = getelementptr i8, ptr %v55, i64 148
  %v108 = load float, ptr %v107, align 4
  %v109 = insertelement <16 x float> poison, float %v108, i64 0
  %v110 = shufflevector <16 x float> %v109, <16 x float> poison, <16 x i32> zeroinitializer
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v110, <16 x float> %v46)
  %v112 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v110, <16 x float> %v83)
  %v113 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v110, <16 x float> %v84)
  %v114 = getelementptr i8, ptr %v55, i64 220
  %v115 = load float, ptr %v114, align 4
  %v116 = insertelement <16 x float> poison, float %v115, i64 0
  %v117 = shufflevector <16 x float> %v116, <16 x float> poison, <16 x i32> zeroinitializer
  %v118 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v117, <16 x float> %v49)
  %v119 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v117, <16 x float> %v89)
  %v120 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v117, <16 x float> %v90)
  %v121 = getelementptr i8, ptr %v55, i64 8
  %v122 = load float, ptr %v121, align 4
  %v123 = insertelement <16 x float> poison, float %v122, i64 0
  %v124 = shufflevector <16 x float> %v123, <16 x float> poison, <16 x i32> zeroinitializer
  %v125 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v124, <16 x float> %v95)
  %v126 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v124, <16 x float> %v96)
  %v127 = getelementptr i8, ptr %v64, i64 -192
  %v128 = load <16 x float>, ptr %v127, align 64
  %v129 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v124, <16 x float> %v99)
  %v130 = getelementptr i8, ptr %v55, i64 80
  %v131 = load float, ptr %v130, align 4
  %v132 = insertelement <16 x float> poison, float %v131, i64 0
  %v133 = shufflevector <16 x float> %v132, <16 x float> poison, <16 x i32> zeroinitializer
  %v134 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v133, <16 x float> %v104)
  %v135 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v133, <16 x float> %v105)
  %v136 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v133, <16 x float> %v106)
  %v137 = getelementptr i8, ptr %v55, i64 152
  %v138 = load float, ptr %v137, align 4
  %v139 = insertelement <16 x float> poison, float %v138, i64 0
  %v140 = shufflevector <16 x float> %v139, <16 x float> poison, <16 x i32> zeroinitializer
  %v141 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v140, <16 x float> %v111)
  %v142 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v140, <16 x float> %v112)
  %v143 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v140, <16 x float> %v113)
  %v144 = getelementptr i8, ptr %v55, i64 224
  %v145 = load float, ptr %v144, align 4
  %v146 = insertelement <16 x float> poison, float %v145, i64 0
  %v147 = shufflevector <16 x float> %v146, <16 x float> poison, <16 x i32> zeroinitializer
  %v148 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v147, <16 x float> %v118)
  %v149 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v147, <16 x float> %v119)
  %v150 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v147, <16 x float> %v120)
  %v39 = add nuw nsw i64 %v38, 1
  %v151 = icmp ne i64 %v39, %v34
  br i1 %v151, label %kh.loop35, label %kh.done36
kh.done36:
  %v152 = phi <16 x float> [ %v18, %ci.loop14 ], [ %v125, %kh.loop35 ]
  %v153 = phi <16 x float> [ %v19, %ci.loop14 ], [ %v126, %kh.loop35 ]
  %v154 = phi <16 x float> [ %v20, %ci.loop14 ], [ %v129, %kh.loop35 ]
  %v155 = phi <16 x float> [ %v21, %ci.loop14 ], [ %v134, %kh.loop35 ]
  %v156 = phi <16 x float> [ %v22, %ci.loop14 ], [ %v135, %kh.loop35 ]
  %v157 = phi <16 x float> [ %v23, %ci.loop14 ], [ %v136, %kh.loop35 ]
  %v158 = phi <16 x float> [ %v24, %ci.loop14 ], [ %v141, %kh.loop35 ]
  %v159 = phi <16 x float> [ %v25, %ci.loop14 ], [ %v142, %kh.loop35 ]
  %v160 = phi <16 x float> [ %v26, %ci.loop14 ], [ %v143, %kh.loop35 ]
  %v161 = phi <16 x float> [ %v27, %ci.loop14 ], [ %v148, %kh.loop35 ]
  %v162 = phi <16 x float> [ %v28, %ci.loop14 ], [ %v149, %kh.loop35 ]
  %v163 = phi <16 x float> [ %v29, %ci.loop14 ], [ %v150, %kh.loop35 ]
  %v17 = add nuw nsw i64 %v16, 1
  %v164 = icmp ne i64 %v17, 2
  br i1 %v164, label %ci.loop14, label %ci.done15
ci.done15:
  store <16 x float> %v152, ptr %v167, align 64
  %v168 = getelementptr i8, ptr %v167, i64 64
  store <16 x float> %v153, ptr %v168, align 64
  %v169 = getelementptr i8, ptr %v167, i64 128
  store <16 x float> %v154, ptr %v169, align 64
  %v170 = getelementptr i8, ptr %v167, i64 2304
  store <16 x float> %v155, ptr %v170, align 64
  %v171 = getelementptr i8, ptr %v167, i64 2368
  store <16 x float> %v156, ptr %v171, align 64
  %v172 = getelementptr i8, ptr %v167, i64 2432
  store <16 x float> %v157, ptr %v172, align 64
  %v173 = getelementptr i8, ptr %v167, i64 4608
  store <16 x float> %v158, ptr %v173, align 64
  %v174 = getelementptr i8, ptr %v167, i64 4672
  store <16 x float> %v159, ptr %v174, align 64
  %v175 = getelementptr i8, ptr %v167, i64 4736
  store <16 x float> %v160, ptr %v175, align 64
  %v176 = getelementptr i8, ptr %v167, i64 6912
  store <16 x float> %v161, ptr %v176, align 64
  %v177 = getelementptr i8, ptr %v167, i64 6976
  store <16 x float> %v162, ptr %v177, align 64
  %v178 = getelementptr i8, ptr %v167, i64 7040
  store <16 x float> %v163, ptr %v178, align 64
  br label %ci.loop179
ci.loop179:
  %v181 = phi i64 [ 0, %ci.done15 ], [ %v182, %kh.done198 ]
  %v183 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done15 ], [ %v310, %kh.done198 ]
  %v184 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done15 ], [ %v311, %kh.done198 ]
  %v185 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done15 ], [ %v312, %kh.done198 ]
  %v186 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done15 ], [ %v313, %kh.done198 ]
  %v187 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done15 ], [ %v314, %kh.done198 ]
  %v188 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done15 ], [ %v315, %kh.done198 ]
  %v189 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done15 ], [ %v316, %kh.done198 ]
  %v190 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done15 ], [ %v317, %kh.done198 ]
  %v191 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done15 ], [ %v318, %kh.done198 ]
  %v192 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done15 ], [ %v319, %kh.done198 ]
  %v193 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done15 ], [ %v320, %kh.done198 ]
  %v194 = phi <16 x float> [ splat (float 0x0000000000000000), %ci.done15 ], [ %v321, %kh.done198 ]
  %v214 = mul nsw i64 %v181, 36
  %v215 = getelementptr i8, ptr %v4, i64 %v214
  %v219 = mul nsw i64 %v181, 2304
  %v220 = getelementptr i8, ptr %v60, i64 %v219
  %v195 = call i64 @llvm.smax.i64(i64 0, i64 %v31)
  %v196 = call i64 @llvm.smin.i64(i64 3, i64 %v33)
  %v199 = icmp slt i64 %v195, %v196
  br i1 %v199, label %kh.loop197, label %kh.done198
kh.loop197:
  %v200 = phi i64 [ %v195, %ci.loop179 ], [ %v201, %kh.loop197 ]
  %v202 = phi <16 x float> [ %v183, %ci.loop179 ], [ %v289, %kh.loop197 ]
  %v203 = phi <16 x float> [ %v184, %ci.loop179 ], [ %v290, %kh.loop197 ]
  %v204 = phi <16 x float> [ %v185, %ci.loop179 ], [ %v263, %kh.loop197 ]
  %v205 = phi <16 x float> [ %v186, %ci.loop179 ], [ %v295, %kh.loop197 ]
  %v206 = phi <16 x float> [ %v187, %ci.loop179 ], [ %v296, %kh.loop197 ]
  %v207 = phi <16 x float> [ %v188, %ci.loop179 ], [ %v270, %kh.loop197 ]
  %v208 = phi <16 x float> [ %v189, %ci.loop179 ], [ %v301, %kh.loop197 ]
  %v209 = phi <16 x float> [ %v190, %ci.loop179 ], [ %v302, %kh.loop197 ]
  %v210 = phi <16 x float> [ %v191, %ci.loop179 ], [ %v277, %kh.loop197 ]
  %v211 = phi <16 x float> [ %v192, %ci.loop179 ], [ %v307, %kh.loop197 ]
  %v212 = phi <16 x float> [ %v193, %ci.loop179 ], [ %v308, %kh.loop197 ]
  %v213 = phi <16 x float> [ %v194, %ci.loop179 ], [ %v284, %kh.loop197 ]
  %v216 = mul nsw i64 %v200, 12
  %v217 = getelementptr i8, ptr %v215, i64 %v216
  %v221 = mul nsw i64 %v200, 384
  %v222 = getelementptr i8, ptr %v220, i64 %v221
  %v218 = load float, ptr %v217, align 4
  %v223 = getelementptr i8, ptr %v222, i64 -256
  %v224 = load <16 x float>, ptr %v223, align 64
  %v225 = insertelement <16 x float> poison, float %v218, i64 0
  %v226 = shufflevector <16 x float> %v225, <16 x float> poison, <16 x i32> zeroinitializer
  %v227 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v224, <16 x float> %v226, <16 x float> %v202)
  %v228 = getelementptr i8, ptr %v222, i64 -192
  %v229 = load <16 x float>, ptr %v228, align 64
  %v230 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v229, <16 x float> %v226, <16 x float> %v203)
  %v231 = getelementptr i8, ptr %v222, i64 -128
  %v232 = load <16 x float>, ptr %v231, align 64
  %v233 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v232, <16 x float> %v226, <16 x float> %v204)
  %v234 = getelementptr i8, ptr %v217, i64 72
  %v235 = load float, ptr %v234, align 4
  %v236 = insertelement <16 x float> poison, float %v235, i64 0
  %v237 = shufflevector <16 x float> %v236, <16 x float> poison, <16 x i32> zeroinitializer
  %v238 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v224, <16 x float> %v237, <16 x float> %v205)
  %v239 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v229, <16 x float> %v237, <16 x float> %v206)
  %v240 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v232, <16 x float> %v237, <16 x float> %v207)
  %v241 = getelementptr i8, ptr %v217, i64 144
  %v242 = load float, ptr %v241, align 4
  %v243 = insertelement <16 x float> poison, float %v242, i64 0
  %v244 = shufflevector <16 x float> %v243, <16 x float> poison, <16 x i32> zeroinitializer
  %v245 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v224, <16 x float> %v244, <16 x float> %v208)
  %v246 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v229, <16 x float> %v244, <16 x float> %v209)
  %v247 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v232, <16 x float> %v244, <16 x float> %v210)
  %v248 = getelementptr i8, ptr %v217, i64 216
  %v249 = load float, ptr %v248, align 4
  %v250 = insertelement <16 x float> poison, float %v249, i64 0
  %v251 = shufflevector <16 x float> %v250, <16 x float> poison, <16 x i32> zeroinitializer
  %v252 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v224, <16 x float> %v251, <16 x float> %v211)
  %v253 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v229, <16 x float> %v251, <16 x float> %v212)
  %v254 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v232, <16 x float> %v251, <16 x float> %v213)
  %v255 = getelementptr i8, ptr %v217, i64 4
  %v256 = load float, ptr %v255, align 4
  %v257 = insertelement <16 x float> poison, float %v256, i64 0
  %v258 = shufflevector <16 x float> %v257, <16 x float> poison, <16 x i32> zeroinitializer
  %v259 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v229, <16 x float> %v258, <16 x float> %v227)
  %v260 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v232, <16 x float> %v258, <16 x float> %v230)
  %v261 = getelementptr i8, ptr %v222, i64 -64
  %v262 = load <16 x float>, ptr %v261, align 64
  %v263 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v262, <16 x float> %v258, <16 x float> %v233)
  %v264 = getelementptr i8, ptr %v217, i64 76
  %v265 = load float, ptr %v264, align 4
  %v266 = insertelement <16 x float> poison, float %v265, i64 0
  %v267 = shufflevector <16 x float> %v266, <16 x float> poison, <16 x i32> zeroinitializer
  %v268 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v229, <16 x float> %v267, <16 x float> %v238)
  %v269 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v232, <16 x float> %v267, <16 x float> %v239)
  %v270 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v262, <16 x float> %v267, <16 x float> %v240)
  %v271 = getelementptr i8, ptr %v217, i64 148
  %v272 = load float, ptr %v271, align 4
  %v273 = insertelement <16 x float> poison, float %v272, i64 0
  %v274 = shufflevector <16 x float> %v273, <16 x float> poison, <16 x i32> zeroinitializer
  %v275 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v229, <16 x float> %v274, <16 x float> %v245)
  %v276 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v232, <16 x float> %v274, <16 x float> %v246)
  %v277 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v262, <16 x float> %v274, <16 x float> %v247)
  %v278 = getelementptr i8, ptr %v217, i64 220
  %v279 = load float, ptr %v278, align 4
  %v280 = insertelement <16 x float> poison, float %v279, i64 0
  %v281 = shufflevector <16 x float> %v280, <16 x float> poison, <16 x i32> zeroinitializer
  %v282 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v229, <16 x float> %v281, <16 x float> %v252)
  %v283 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v232, <16 x float> %v281, <16 x float> %v253)
  %v284 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v262, <16 x float> %v281, <16 x float> %v254)
  %v285 = getelementptr i8, ptr %v217, i64 8
  %v286 = load float, ptr %v285, align 4
  %v287 = insertelement <16 x float> poison, float %v286, i64 0
  %v288 = shufflevector <16 x float> %v287, <16 x float> poison, <16 x i32> zeroinitializer
  %v289 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v232, <16 x float> %v288, <16 x float> %v259)
  %v290 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v262, <16 x float> %v288, <16 x float> %v260)
  %v291 = getelementptr i8, ptr %v217, i64 80
  %v292 = load float, ptr %v291, align 4
  %v293 = insertelement <16 x float> poison, float %v292, i64 0
  %v294 = shufflevector <16 x float> %v293, <16 x float> poison, <16 x i32> zeroinitializer
  %v295 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v232, <16 x float> %v294, <16 x float> %v268)
  %v296 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v262, <16 x float> %v294, <16 x float> %v269)
  %v297 = getelementptr i8, ptr %v217, i64 152
  %v298 = load float, ptr %v297, align 4
  %v299 = insertelement <16 x float> poison, float %v298, i64 0
  %v300 = shufflevector <16 x float> %v299, <16 x float> poison, <16 x i32> zeroinitializer
  %v301 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v232, <16 x float> %v300, <16 x float> %v275)
  %v302 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v262, <16 x float> %v300, <16 x float> %v276)
  %v303 = getelementptr i8, ptr %v217, i64 224
  %v304 = load float, ptr %v303, align 4
  %v305 = insertelement <16 x float> poison, float %v304, i64 0
  %v306 = shufflevector <16 x float> %v305, <16 x float> poison, <16 x i32> zeroinitializer
  %v307 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v232, <16 x float> %v306, <16 x float> %v282)
  %v308 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v262, <16 x float> %v306, <16 x float> %v283)
  %v201 = add nuw nsw i64 %v200, 1
  %v309 = icmp ne i64 %v201, %v196
  br i1 %v309, label %kh.loop197, label %kh.done198
kh.done198:
  %v310 = phi <16 x float> [ %v183, %ci.loop179 ], [ %v289, %kh.loop197 ]
  %v311 = phi <16 x float> [ %v184, %ci.loop179 ], [ %v290, %kh.loop197 ]
  %v312 = phi <16 x float> [ %v185, %ci.loop179 ], [ %v263, %kh.loop197 ]
  %v313 = phi <16 x float> [ %v186, %ci.loop179 ], [ %v295, %kh.loop197 ]
  %v314 = phi <16 x float> [ %v187, %ci.loop179 ], [ %v296, %kh.loop197 ]
  %v315 = phi <16 x float> [ %v188, %ci.loop179 ], [ %v270, %kh.loop197 ]
  %v316 = phi <16 x float> [ %v189, %ci.loop179 ], [ %v301, %kh.loop197 ]
  %v317 = phi <16 x float> [ %v190, %ci.loop179 ], [ %v302, %kh.loop197 ]
  %v318 = phi <16 x float> [ %v191, %ci.loop179 ], [ %v277, %kh.loop197 ]
  %v319 = phi <16 x float> [ %v192, %ci.loop179 ], [ %v307, %kh.loop197 ]
  %v320 = phi <16 x float> [ %v193, %ci.loop179 ], [ %v308, %kh.loop197 ]
  %v321 = phi <16 x float> [ %v194, %ci.loop179 ], [ %v284, %kh.loop197 ]
  %v182 = add nuw nsw i64 %v181, 1
  %v322 = icmp ne i64 %v182, 2
  br i1 %v322, label %ci.loop179, label %ci.done180
ci.done180:
  %v323 = getelementptr i8, ptr %v167, i64 192
  store <16 x float> %v310, ptr %v323, align 64
  %v324 = getelementptr i8, ptr %v167, i64 256
  store <16 x float> %v311, ptr %v324, align 64
  %v325 = getelementptr i8, ptr %v167, i64 320
  store <16 x float> %v312, ptr %v325, align 64
  %v326 = getelementptr i8, ptr %v167, i64 2496
  store <16 x float> %v313, ptr %v326, align 64
  %v327 = getelementptr i8, ptr %v167, i64 2560
  store <16 x float> %v314, ptr %v327, align 64
  %v328 = getelementptr i8, ptr %v167, i64 2624
  store <16 x float> %v315, ptr %v328, align 64
  %v329 = getelementptr i8, ptr %v167, i64 4800
  store <16 x float> %v316, ptr %v329, align 64
  %v330 = getelementptr i8, ptr %v167, i64 4864
  store <16 x float> %v317, ptr %v330, align 64
  %v331 = getelementptr i8, ptr %v167, i64 4928
  store <16 x float> %v318, ptr %v331, align 64
  %v332 = getelementptr i8, ptr %v167, i64 7104
  store <16 x float> %v319, ptr %v332, align 64
  %v333 = getelementptr i8, ptr %v167, i64 7168
  store <16 x float> %v320, ptr %v333, align 64
  %v334 = getelementptr i8, ptr %v167, i64 7232
  store <16 x float> %v321, ptr %v334, align 64
  %v11 = add nuw nsw i64 %v10, 1
  %v335 = icmp ne i64 %v11, %hi
  br i1 %v335, label %items.loop7, label %items.done8
items.done8:
  ret void
}
