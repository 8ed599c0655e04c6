define void @k_449f086d9383474f(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %ci.done15 ]
  %v12 = urem i64 %v10, 6
  %v13 = udiv i64 %v10, 6
  %v42 = mul nsw i64 %v12, -1
  %v43 = add nsw i64 %v42, 1
  %v45 = add nsw i64 %v42, 7
  %v81 = mul nsw i64 %v12, 384
  %v82 = getelementptr i8, ptr %v2, i64 %v81
  %v83 = mul nsw i64 %v13, 4608
  %v84 = getelementptr i8, ptr %v82, i64 %v83
  %v237 = getelementptr i8, ptr %v6, i64 %v81
  %v238 = mul nsw i64 %v13, 9216
  %v239 = getelementptr i8, ptr %v237, i64 %v238
  br label %ci.loop14
ci.loop14:
  %v16 = phi i64 [ 0, %items.loop7 ], [ %v17, %kh.done48 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v212, %kh.done48 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v213, %kh.done48 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v214, %kh.done48 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v215, %kh.done48 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v216, %kh.done48 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v217, %kh.done48 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v218, %kh.done48 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v219, %kh.done48 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v220, %kh.done48 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v221, %kh.done48 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v222, %kh.done48 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v223, %kh.done48 ]
  %v30 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v224, %kh.done48 ]
  %v31 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v225, %kh.done48 ]
  %v32 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v226, %kh.done48 ]
  %v33 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v227, %kh.done48 ]
  %v34 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v228, %kh.done48 ]
  %v35 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v229, %kh.done48 ]
  %v36 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v230, %kh.done48 ]
  %v37 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v231, %kh.done48 ]
  %v38 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v232, %kh.done48 ]
  %v39 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v233, %kh.done48 ]
  %v40 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v234, %kh.done48 ]
  %v41 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v235, %kh.done48 ]
  %v76 = mul nsw i64 %v16, 36
  %v77 = getelementptr i8, ptr %v4, i64 %v76
  %v85 = mul nsw i64 %v16, 2304
  %v86 = getelementptr i8, ptr %v84, i64 %v85
  %v44 = call i64 @llvm.smax.i64(i64 0, i64 %v43)
  %v46 = call i64 @llvm.smin.i64(i64 3, i64 %v45)
  %v49 = icmp slt i64 %v44, %v46
  br i1 %v49, label %kh.loop47, label %kh.done48
kh.loop47:
  %v50 = phi i64 [ %v44, %ci.loop14 ], [ %v51, %kh.loop47 ]
  %v52 = phi <16 x float> [ %v18, %ci.loop14 ], [ %v179, %kh.loop47 ]
  %v53 = phi <16 x float> [ %v19, %ci.loop14 ], [ %v180, %kh.loop47 ]
  %v54 = phi <16 x float> [ %v20, %ci.loop14 ], [ %v181, %kh.loop47 ]
  %v55 = phi <16 x float> [ %v21, %ci.loop14 ], [ %v182, %kh.loop47 ]
  %v56 = phi <16 x float> [ %v22, %ci.loop14 ], [ %v183, %kh.loop47 ]
  %v57 = phi <16 x float> [ %v23, %ci.loop14 ], [ %v144, %kh.loop47 ]
  %v58 = phi <16 x float> [ %v24, %ci.loop14 ], [ %v188, %kh.loop47 ]
  %v59 = phi <16 x float> [ %v25, %ci.loop14 ], [ %v189, %kh.loop47 ]
  %v60 = phi <16 x float> [ %v26, %ci.loop14 ], [ %v190, %kh.loop47 ]
  %v61 = phi <16 x float> [ %v27, %ci.loop14 ], [ %v191, %kh.loop47 ]
  %v62 = phi <16 x float> [ %v28, %ci.loop14 ], [ %v192, %kh.loop47 ]
  %v63 = phi <16 x float> [ %v29, %ci.loop14 ], [ %v154, %kh.loop47 ]
  %v64 = phi <16 x float> [ %v30, %ci.loop14 ], [ %v197, %kh.loop47 ]
  %v65 = phi <16 x float> [ %v31, %ci.loop14 ], [ %v198, %kh.loop47 ]
  %v66 = phi <16 x float> [ %v32, %ci.loop14 ], [ %v199, %kh.loop47 ]
  %v67 = phi <16 x float> [ %v33, %ci.loop14 ], [ %v200, %kh.loop47 ]
  %v68 = phi <16 x float> [ %v34, %ci.loop14 ], [ %v201, %kh.loop47 ]
  %v69 = phi <16 x float> [ %v35, %ci.loop14 ], [ %v164, %kh.loop47 ]
  %v70 = phi <16 x float> [ %v36, %ci.loop14 ], [ %v206, %kh.loop47 ]
  %v71 = phi <16 x float> [ %v37, %ci.loop14 ], [ %v207, %kh.loop47 ]
  %v72 = phi <16 x float> [ %v38, %ci.loop14 ], [ %v208, %kh.loop47 ]
  %v73 = phi <16 x float> [ %v39, %ci.loop14 ], [ %v209, %kh.loop47 ]
  %v74 = phi <16 x float> [ %v40, %ci.loop14 ], [ %v210, %kh.loop47 ]
  %v75 = phi <16 x float> [ %v41, %ci.loop14 ], [ %v174, %kh.loop47 ]
  %v78 = mul nsw i64 %v50, 12
  %v79 = getelementptr i8, ptr %v77, i64 %v78
  %v87 = mul nsw i64 %v50, 384
  %v88 = getelementptr i8, ptr %v86, i64 %v87
  %v80 = load float, ptr %v79, align 4
  %v89 = getelementptr i8, ptr %v88, i64 -384
  %v90 = load <16 x float>, ptr %v89, align 64
  %v91 = insertelement <16 x float> poison, float %v80, i64 0
  %v92 = shufflevector <16 x float> %v91, <16 x float> poison, <16 x i32> zeroinitializer
  %v93 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v92, <16 x float> %v53)
  %v94 = getelementptr i8, ptr %v88, i64 -320
  %v95 = load <16 x float>, ptr %v94, align 64
  %v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v92, <16 x float> %v54)
  %v97 = getelementptr i8, ptr %v88, i64 -256
  %v98 = load <16 x float>, ptr %v97, align 64
  %v99 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v92, <16 x float> %v55)
  %v100 = getelementptr i8, ptr %v88, i64 -192
  %v101 = load <16 x float>, ptr %v100, align 64
  %v102 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v101, <16 x float> %v92, <16 x float> %v56)
  %v103 = getelementptr i8, ptr %v88, i64 -128
  %v104 = load <16 x float>, ptr %v103, align 64
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %v92, <16 x float> %v57)
  %v106 = getelementptr i8, ptr %v79, i64 72
  %v107 = load float, ptr %v106, align 4
  %v108 = insertelement <16 x float> poison, float %v107, i64 0
  %v109 = shufflevector <16 x float> %v108, <16 x float> poison, <16 x i32> zeroinitializer
  %v110 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v109, <16 x float> %v59)
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v109, <16 x float> %v60)
  %v112 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v109, <16 x float> %v61)
  %v113 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v101, <16 x float> %v109, <16 x float> %v62)
  %v114 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %v109, <16 x float> %v63)
  %v115 = getelementptr i8, ptr %v79, i64 144
  %v116 = load float, ptr %v115, align 4
  %v117 = insertelement <16 x float> poison, float %v116, i64 0
  %v118 = shufflevector <16 x float> %v117, <16 x float> poison, <16 x i32> zeroinitializer
  %v119 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v118, <16 x float> %v65)
  %v120 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v118, <16 x float> %v66)
  %v121 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v118, <16 x float> %v67)
  %v122 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v101, <16 x float> %v118, <16 x float> %v68)
  %v123 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %v118, <16 x float> %v69)
  %v124 = getelementptr i8, ptr %v79, i64 216
  %v125 = load float, ptr %v124, align 4
  %v126 = insertelement <16 x float> poison, float %v125, i64 0
  %v127 = shufflevector <16 x float> %v126, <16 x float> poison, <16 x i32> zeroinitializer
  %v128 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v127, <16 x float> %v71)
  %v129 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v127, <16 x float> %v72)
  %v130 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v127, <16 x float> %v73)
  %v131 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v101, <16 x float> %v127, <16 x float> %v74)
  %v132 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %v127, <16 x float> %v75)
  %v133 = getelementptr i8, ptr %v79, i64 4
  %v134 = load float, ptr %v133, align 4
  %v135 = insertelement <16 x float> poison, float %v134, i64 0
  %v136 = shufflevector <16 x float> %v135, <16 x float> poison, <16 x i32> zeroinitializer
  %v137 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v136, <16 x float> %v52)
  %v138 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v136, <16 x float> %v93)
  %v139 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v136, <16 x float> %v96)
  %v140 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v101, <16 x float> %v136, <16 x float> %v99)
  %v141 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %v136, <16 x float> %v102)
  %v142 = getelementptr i8, ptr %v88, i64 -64
  %v143 = load <16 x float>, ptr %v142, align 64
  %v144 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v143, <16 x float> %v136, <16 x float> %v105)
  %v145 = getelementptr i8, ptr %v79, i64 76
  %v146 = load float, ptr %v145, align 4
  %v147 = insertelement <16 x float> poison, float %v146, i64 0
  %v148 = shufflevector <16 x float> %v147, <16 x float> poison, <16 x i32> zeroinitializer
  %v149 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v148, <16 x float> %v58)
  %v150 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v148, <16 x float> %v110)
  %v151 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v148, <16 x float> %v111)
  %v152 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v101, <16 x float> %v148, <16 x float> %v112)
  %v153 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %v148, <16 x float> %v113)
  %v154 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v143, <16 x float> %v148, <16 x float> %v114)
  %v155 = getelementptr i8, ptr %v79, i64 148
  %v156 = load float, ptr %v155, align 4
  %v157 = insertelement <16 x float> poison, float %v156, i64 0
  %v158 = shufflevector <16 x float> %v157, <16 x float> poison, <16 x i32> zeroinitializer
  %v159 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v158, <16 x float> %v64)
  %v160 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v158, <16 x float> %v119)
  %v161 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v158, <16 x float> %v120)
  %v162 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v101, <16 x float> %v158, <16 x float> %v121)
  %v163 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %v158, <16 x float> %v122)
  %v164 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v143, <16 x float> %v158, <16 x float> %v123)
  %v165 = getelementptr i8, ptr %v79, i64 220
  %v166 = load float, ptr %v165, align 4
  %v167 = insertelement <16 x float> poison, float %v166, i64 0
  %v168 = shufflevector <16 x float> %v167, <16 x float> poison, <16 x i32> zeroinitializer
  %v169 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v168, <16 x float> %v70)
  %v170 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v168, <16 x float> %v128)
  %v171 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v168, <16 x float> %v129)
  %v172 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v101, <16 x float> %v168, <16 x float> %v130)
  %v173 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %v168, <16 x float> %v131)
  %v174 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v143, <16 x float> %v168, <16 x float> %v132)
  %v175 = getelementptr i8, ptr %v79, i64 8
  %v176 = load float, ptr %v175, align 4
  %v177 = insertelement <16 x float> poison, float %v176, i64 0
  %v178 = shufflevector <16 x float> %v177, <16 x float> poison, <16 x i32> zeroinitializer
  %v179 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v178, <16 x float> %v137)
  %v180 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v178, <16 x float> %v138)
  %v181 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v101, <16 x float> %v178, <16 x float> %v139)
  %v182 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %v178, <16 x float> %v140)
  %v183 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v143, <16 x float> %v178, <16 x float> %v141)
  %v184 = getelementptr i8, ptr %v79, i64 80
  %v185 = load float, ptr %v184, align 4
  %v186 = insertelement <16 x float> poison, float %v185, i64 0
  %v187 = shufflevector <16 x float> %v186, <16 x float> poison, <16 x i32> zeroinitializer
  %v188 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v187, <16 x float> %v149)
  %v189 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v187, <16 x float> %v150)
  %v190 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v101, <16 x float> %v187, <16 x float> %v151)
  %v191 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %v187, <16 x float> %v152)
  %v192 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v143, <16 x float> %v187, <16 x float> %v153)
  %v193 = getelementptr i8, ptr %v79, i64 152
  %v194 = load float, ptr %v193, align 4
  %v195 = insertelement <16 x float> poison, float %v194, i64 0
  %v196 = shufflevector <16 x float> %v195, <16 x float> poison, <16 x i32> zeroinitializer
  %v197 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v196, <16 x float> %v159)
  %v198 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v196, <16 x float> %v160)
  %v199 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v101, <16 x float> %v196, <16 x float> %v161)
  %v200 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %v196, <16 x float> %v162)
  %v201 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v143, <16 x float> %v196, <16 x float> %v163)
  %v202 = getelementptr i8, ptr %v79, i64 224
  %v203 = load float, ptr %v202, align 4
  %v204 = insertelement <16 x float> poison, float %v203, i64 0
  %v205 = shufflevector <16 x float> %v204, <16 x float> poison, <16 x i32> zeroinitializer
  %v206 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v205, <16 x float> %v169)
  %v207 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v205, <16 x float> %v170)
  %v208 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v101, <16 x float> %v205, <16 x float> %v171)
  %v209 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %v205, <16 x float> %v172)
  %v210 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v143, <16 x float> %v205, <16 x float> %v173)
  %v51 = add nuw nsw i64 %v50, 1
  %v211 = icmp ne i64 %v51, %v46
  br i1 %v211, label %kh.loop47, label %kh.done48
kh.done48:
  %v212 = phi <16 x float> [ %v18, %ci.loop14 ], [ %v179, %kh.loop47 ]
  %v213 = phi <16 x float> [ %v19, %ci.loop14 ], [ %v180, %kh.loop47 ]
  %v214 = phi <16 x float> [ %v20, %ci.loop14 ], [ %v181, %kh.loop47 ]
  %v215 = phi <16 x float> [ %v21, %ci.loop14 ], [ %v182, %kh.loop47 ]
  %v216 = phi <16 x float> [ %v22, %ci.loop14 ], [ %v183, %kh.loop47 ]
  %v217 = phi <16 x float> [ %v23, %ci.loop14 ], [ %v144, %kh.loop47 ]
  %v218 = phi <16 x float> [ %v24, %ci.loop14 ], [ %v188, %kh.loop47 ]
  %v219 = phi <16 x float> [ %v25, %ci.loop14 ], [ %v189, %kh.loop47 ]
  %v220 = phi <16 x float> [ %v26, %ci.loop14 ], [ %v190, %kh.loop47 ]
  %v221 = phi <16 x float> [ %v27, %ci.loop14 ], [ %v191, %kh.loop47 ]
  %v222 = phi <16 x float> [ %v28, %ci.loop14 ], [ %v192, %kh.loop47 ]
  %v223 = phi <16 x float> [ %v29, %ci.loop14 ], [ %v154, %kh.loop47 ]
  %v224 = phi <16 x float> [ %v30, %ci.loop14 ], [ %v197, %kh.loop47 ]
  %v225 = phi <16 x float> [ %v31, %ci.loop14 ], [ %v198, %kh.loop47 ]
  %v226 = phi <16 x float> [ %v32, %ci.loop14 ], [ %v199, %kh.loop47 ]
  %v227 = phi <16 x float> [ %v33, %ci.loop14 ], [ %v200, %kh.loop47 ]
  %v228 = phi <16 x float> [ %v34, %ci.loop14 ], [ %v201, %kh.loop47 ]
  %v229 = phi <16 x float> [ %v35, %ci.loop14 ], [ %v164, %kh.loop47 ]
  %v230 = phi <16 x float> [ %v36, %ci.loop14 ], [ %v206, %kh.loop47 ]
  %v231 = phi <16 x float> [ %v37, %ci.loop14 ], [ %v207, %kh.loop47 ]
  %v232 = phi <16 x float> [ %v38, %ci.loop14 ], [ %v208, %kh.loop47 ]
  %v233 = phi <16 x float> [ %v39, %ci.loop14 ], [ %v209, %kh.loop47 ]
  %v234 = phi <16 x float> [ %v40, %ci.loop14 ], [ %v210, %kh.loop47 ]
  %v235 = phi <16 x float> [ %v41, %ci.loop14 ], [ %v174, %kh.loop47 ]
  %v17 = add nuw nsw i64 %v16, 1
  %v236 = icmp ne i64 %v17, 2
  br i1 %v236, label %ci.loop14, label %ci.done15
ci.done15:
  store <16 x float> %v212, ptr %v239, align 64
  %v240 = getelementptr i8, ptr %v239, i64 64
  store <16 x float> %v213, ptr %v240, align 64
  %v241 = getelementptr i8, ptr %v239, i64 128
  store <16 x float> %v214, ptr %v241, align 64
  %v242 = getelementptr i8, ptr %v239, i64 192
  store <16 x float> %v215, ptr %v242, align 64
  %v243 = getelementptr i8, ptr %v239, i64 256
  store <16 x float> %v216, ptr %v243, align 64
  %v244 = getelementptr i8, ptr %v239, i64 320
  store <16 x float> %v217, ptr %v244, align 64
  %v245 = getelementptr i8, ptr %v239, i64 2304
  store <16 x float> %v218, ptr %v245, align 64
  %v246 = getelementptr i8, ptr %v239, i64 2368
  store <16 x float> %v219, ptr %v246, align 64
  %v247 = getelementptr i8, ptr %v239, i64 2432
  store <16 x float> %v220, ptr %v247, align 64
  %v248 = getelementptr i8, ptr %v239, i64 2496
  store <16 x float> %v221, ptr %v248, align 64
  %v249 = getelementptr i8, ptr %v239, i64 2560
  store <16 x float> %v222, ptr %v249, align 64
  %v250 = getelementptr i8, ptr %v239, i64 2624
  store <16 x float> %v223, ptr %v250, align 64
  %v251 = getelementptr i8, ptr %v239, i64 4608
  store <16 x float> %v224, ptr %v251, align 64
  %v252 = getelementptr i8, ptr %v239, i64 4672
  store <16 x float> %v225, ptr %v252, align 64
  %v253 = getelementptr i8, ptr %v239, i64 4736
  store <16 x float> %v226, ptr %v253, align 64
  %v254 = getelementptr i8, ptr %v239, i64 4800
  store <16 x float> %v227, ptr %v254, align 64
  %v255 = getelementptr i8, ptr %v239, i64 4864
  store <16 x float> %v228, ptr %v255, align 64
  %v256 = getelementptr i8, ptr %v239, i64 4928
  store <16 x float> %v229, ptr %v256, align 64
  %v257 = getelementptr i8, ptr %v239, i64 6912
  store <16 x float> %v230, ptr %v257, align 64
  %v258 = getelementptr i8, ptr %v239, i64 6976
  store <16 x float> %v231, ptr %v258, align 64
  %v259 = getelementptr i8, ptr %v239, i64 7040
  store <16 x float> %v232, ptr %v259, align 64
  %v260 = getelementptr i8, ptr %v239, i64 7104
  store <16 x float> %v233, ptr %v260, align 64
  %v261 = getelementptr i8, ptr %v239, i64 7168
  store <16 x float> %v234, ptr %v261, align 64
  %v262 = getelementptr i8, ptr %v239, i64 7232
  store <16 x float> %v235, ptr %v262, align 64
  %v11 = add nuw nsw i64 %v10, 1
  %v263 = icmp ne i64 %v11, %hi
  br i1 %v263, label %items.loop7, label %items.done8
items.done8:
  ret void
}
