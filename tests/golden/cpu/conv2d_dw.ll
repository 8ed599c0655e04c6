define void @k_a1c6932e68c52649(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr i8, ptr %scratch, i64 0
  %v10 = icmp slt i64 %lo, %hi
  br i1 %v10, label %loop8, label %done9
loop8:
  %v11 = phi i64 [ %lo, %entry ], [ %v12, %done199 ]
  br label %loop13
loop13:
  %v15 = phi i64 [ 0, %loop8 ], [ %v16, %done18 ]
  %v21 = mul nsw i64 %v15, 2304
  %v22 = getelementptr i8, ptr %v7, i64 %v21
  br label %loop17
loop17:
  %v19 = phi i64 [ 0, %loop13 ], [ %v20, %loop17 ]
  %v23 = mul nsw i64 %v19, 768
  %v24 = getelementptr i8, ptr %v22, i64 %v23
  store <16 x float> splat (float 0x0000000000000000), ptr %v24, align 64
  %v25 = getelementptr i8, ptr %v24, i64 64
  store <16 x float> splat (float 0x0000000000000000), ptr %v25, align 64
  %v26 = getelementptr i8, ptr %v24, i64 128
  store <16 x float> splat (float 0x0000000000000000), ptr %v26, align 64
  %v27 = getelementptr i8, ptr %v24, i64 192
  store <16 x float> splat (float 0x0000000000000000), ptr %v27, align 64
  %v28 = getelementptr i8, ptr %v24, i64 256
  store <16 x float> splat (float 0x0000000000000000), ptr %v28, align 64
  %v29 = getelementptr i8, ptr %v24, i64 320
  store <16 x float> splat (float 0x0000000000000000), ptr %v29, align 64
  %v30 = getelementptr i8, ptr %v24, i64 384
  store <16 x float> splat (float 0x0000000000000000), ptr %v30, align 64
  %v31 = getelementptr i8, ptr %v24, i64 448
  store <16 x float> splat (float 0x0000000000000000), ptr %v31, align 64
  %v32 = getelementptr i8, ptr %v24, i64 512
  store <16 x float> splat (float 0x0000000000000000), ptr %v32, align 64
  %v33 = getelementptr i8, ptr %v24, i64 576
  store <16 x float> splat (float 0x0000000000000000), ptr %v33, align 64
  %v34 = getelementptr i8, ptr %v24, i64 640
  store <16 x float> splat (float 0x0000000000000000), ptr %v34, align 64
  %v35 = getelementptr i8, ptr %v24, i64 704
  store <16 x float> splat (float 0x0000000000000000), ptr %v35, align 64
  %v20 = add nuw nsw i64 %v19, 1
  %v36 = icmp ne i64 %v20, 3
  br i1 %v36, label %loop17, label %done18
done18:
  %v16 = add nuw nsw i64 %v15, 1
  %v37 = icmp ne i64 %v16, 2
  br i1 %v37, label %loop13, label %done14
done14:
  br label %loop38
loop38:
  %v40 = phi i64 [ 0, %done14 ], [ %v41, %done43 ]
  %v93 = mul nsw i64 %v40, 4608
  %v94 = getelementptr i8, ptr %v2, i64 %v93
  %v101 = mul nsw i64 %v40, 4096
  %v102 = getelementptr i8, ptr %v4, i64 %v101
  br label %loop42
loop42:
  %v44 = phi i64 [ 0, %loop38 ], [ %v45, %done47 ]
  %v50 = mul nsw i64 %v44, 2304
  %v51 = getelementptr i8, ptr %v7, i64 %v50
  %v95 = getelementptr i8, ptr %v94, i64 %v50
  br label %loop46
loop46:
  %v48 = phi i64 [ 0, %loop42 ], [ %v49, %done78 ]
  %v52 = mul nsw i64 %v48, 768
  %v53 = getelementptr i8, ptr %v51, i64 %v52
  %v96 = mul nsw i64 %v48, 384
  %v97 = getelementptr i8, ptr %v95, i64 %v96
  %v54 = load <16 x float>, ptr %v53, align 64
  %v55 = getelementptr i8, ptr %v53, i64 64
  %v56 = load <16 x float>, ptr %v55, align 64
  %v57 = getelementptr i8, ptr %v53, i64 128
  %v58 = load <16 x float>, ptr %v57, align 64
  %v59 = getelementptr i8, ptr %v53, i64 192
  %v60 = load <16 x float>, ptr %v59, align 64
  %v61 = getelementptr i8, ptr %v53, i64 256
  %v62 = load <16 x float>, ptr %v61, align 64
  %v63 = getelementptr i8, ptr %v53, i64 320
  %v64 = load <16 x float>, ptr %v63, align 64
  %v65 = getelementptr i8, ptr %v53, i64 384
  %v66 = load <16 x float>, ptr %v65, align 64
  %v67 = getelementptr i8, ptr %v53, i64 448
  %v68 = load <16 x float>, ptr %v67, align 64
  %v69 = getelementptr i8, ptr %v53, i64 512
  %v70 = load <16 x float>, ptr %v69, align 64
  %v71 = getelementptr i8, ptr %v53, i64 576
  %v72 = load <16 x float>, ptr %v71, align 64
  %v73 = getelementptr i8, ptr %v53, i64 640
  %v74 = load <16 x float>, ptr %v73, align 64
  %v75 = getelementptr i8, ptr %v53, i64 704
  %v76 = load <16 x float>, ptr %v75, align 64
  br label %loop77
loop77:
  %v79 = phi i64 [ 0, %loop46 ], [ %v80, %loop77 ]
  %v81 = phi <16 x float> [ %v54, %loop46 ], [ %v174, %loop77 ]
  %v82 = phi <16 x float> [ %v56, %loop46 ], [ %v177, %loop77 ]
  %v83 = phi <16 x float> [ %v58, %loop46 ], [ %v180, %loop77 ]
  %v84 = phi <16 x float> [ %v60, %loop46 ], [ %v183, %loop77 ]
  %v85 = phi <16 x float> [ %v62, %loop46 ], [ %v184, %loop77 ]
  %v86 = phi <16 x float> [ %v64, %loop46 ], [ %v185, %loop77 ]
  %v87 = phi <16 x float> [ %v66, %loop46 ], [ %v186, %loop77 ]
  %v88 = phi <16 x float> [ %v68, %loop46 ], [ %v187, %loop77 ]
  %v89 = phi <16 x float> [ %v70, %loop46 ], [ %v190, %loop77 ]
  %v90 = phi <16 x float> [ %v72, %loop46 ], [ %v191, %loop77 ]
  %v91 = phi <16 x float> [ %v74, %loop46 ], [ %v192, %loop77 ]
  %v92 = phi <16 x float> [ %v76, %loop46 ], [ %v193, %loop77 ]
  %v98 = mul nsw i64 %v79, 384
  %v99 = getelementptr i8, ptr %v97, i64 %v98
  %v103 = mul nsw i64 %v79, 256
  %v104 = getelementptr i8, ptr %v102, i64 %v103
  %v100 = load <16 x float>, ptr %v99, align 64
  %v105 = load <16 x float>, ptr %v104, align 64
  %v106 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v105, <16 x float> %v81)
  %v107 = getelementptr i8, ptr %v104, i64 1024
  %v108 = load <16 x float>, ptr %v107, align 64
  %v109 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v108, <16 x float> %v82)
  %v110 = getelementptr i8, ptr %v104, i64 2048
  %v111 = load <16 x float>, ptr %v110, align 64
  %v112 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v111, <16 x float> %v83)
  %v113 = getelementptr i8, ptr %v104, i64 3072
  %v114 = load <16 x float>, ptr %v113, align 64
  %v115 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v114, <16 x float> %v84)
  %v116 = getelementptr i8, ptr %v99, i64 64
  %v117 = load <16 x float>, ptr %v116, align 64
  %v118 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v117, <16 x float> %v105, <16 x float> %v85)
  %v119 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v117, <16 x float> %v108, <16 x float> %v86)
  %v120 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v117, <16 x float> %v111, <16 x float> %v87)
  %v121 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v117, <16 x float> %v114, <16 x float> %v88)
  %v122 = getelementptr i8, ptr %v99, i64 128
  %v123 = load <16 x float>, ptr %v122, align 64
  %v124 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v105, <16 x float> %v89)
  %v125 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v108, <16 x float> %v90)
  %v126 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v111, <16 x float> %v91)
  %v127 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v114, <16 x float> %v92)
  %v128 = getelementptr i8, ptr %v104, i64 64
  %v129 = load <16 x float>, ptr %v128, align 64
  %v130 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v117, <16 x float> %v129, <16 x float> %v106)
  %v131 = getelementptr i8, ptr %v104, i64 1088
  %v132 = load <16 x float>, ptr %v131, align 64
  %v133 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v117, <16 x float> %v132, <16 x float> %v109)
  %v134 = getelementptr i8, ptr %v104, i64 2112
  %v135 = load <16 x float>, ptr %v134, align 64
  %v136 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v117, <16 x float> %v135, <16 x float> %v112)
  %v137 = getelementptr i8, ptr %v104, i64 3136
  %v138 = load <16 x float>, ptr %v137, align 64
  %v139 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v117, <16 x float> %v138, <16 x float> %v115)
  %v140 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v129, <16 x float> %v118)
  %v141 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v132, <16 x float> %v119)
  %v142 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v135, <16 x float> %v120)
  %v143 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v138, <16 x float> %v121)
  %v144 = getelementptr i8, ptr %v99, i64 192
  %v145 = load <16 x float>, ptr %v144, align 64
  %v146 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v129, <16 x float> %v124)
  %v147 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v132, <16 x float> %v125)
  %v148 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v135, <16 x float> %v126)
  %v149 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v138, <16 x float> %v127)
  %v150 = getelementptr i8, ptr %v104, i64 128
  %v151 = load <16 x float>, ptr %v150, align 64
  %v152 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v151, <16 x float> %v130)
  %v153 = getelementptr i8, ptr %v104, i64 1152
  %v154 = load <16 x float>, ptr %v153, align 64
  %v155 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v154, <16 x float> %v133)
  %v156 = getelementptr i8, ptr %v104, i64 2176
  %v157 = load <16 x float>, ptr %v156, align 64
  %v158 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v157, <16 x float> %v136)
  %v159 = getelementptr i8, ptr %v104, i64 3200
  %v160 = load <16 x float>, ptr %v159, align 64
  %v161 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v160, <16 x float> %v139)
  %v162 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v151, <16 x float> %v140)
  %v163 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v154, <16 x float> %v141)
  %v164 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v157, <16 x float> %v142)
  %v165 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v160, <16 x float> %v143)
  %v166 = getelementptr i8, ptr %v99, i64 256
  %v167 = load <16 x float>, ptr %v166, align 64
  %v168 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v167, <16 x float> %v151, <16 x float> %v146)
  %v169 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v167, <16 x float> %v154, <16 x float> %v147)
  %v170 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v167, <16 x float> %v157, <16 x float> %v148)
  %v171 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v167, <16 x float> %v160, <16 x float> %v149)
  %v172 = getelementptr i8, ptr %v104, i64 192
  %v173 = load <16 x float>, ptr %v172, align 64
  %v174 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v173, <16 x float> %v152)
  %v175 = getelementptr i8, ptr %v104, i64 1216
  %v176 = load <16 x float>, ptr %v175, align 64
  %v177 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v176, <16 x float> %v155)
  %v178 = getelementptr i8, ptr %v104, i64 2240
  %v179 = load <16 x float>, ptr %v178, align 64
  %v180 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v179, <16 x float> %v158)
  %v181 = getelementptr i8, ptr %v104, i64 3264
  %v182 = load <16 x float>, ptr %v181, align 64
  %v183 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v182, <16 x float> %v161)
  %v184 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v167, <16 x float> %v173, <16 x float> %v162)
  %v185 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v167, <16 x float> %v176, <16 x float> %v163)
  %v186 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v167, <16 x float> %v179, <16 x float> %v164)
  %v187 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v167, <16 x float> %v182, <16 x float> %v165)
  %v188 = getelementptr i8, ptr %v99, i64 320
  %v189 = load <16 x float>, ptr %v188, align 64
  %v190 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v189, <16 x float> %v173, <16 x float> %v168)
  %v191 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v189, <16 x float> %v176, <16 x float> %v169)
  %v192 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v189, <16 x float> %v179, <16 x float> %v170)
  %v193 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v189, <16 x float> %v182, <16 x float> %v171)
  %v80 = add nuw nsw i64 %v79, 1
  %v194 = icmp ne i64 %v80, 4
  br i1 %v194, label %loop77, label %done78
done78:
  store <16 x float> %v174, ptr %v53, align 64
  store <16 x float> %v177, ptr %v55, align 64
  store <16 x float> %v180, ptr %v57, align 64
  store <16 x float> %v183, ptr %v59, align 64
  store <16 x float> %v184, ptr %v61, align 64
  store <16 x float> %v185, ptr %v63, align 64
  store <16 x float> %v186, ptr %v65, align 64
  store <16 x float> %v187, ptr %v67, align 64
  store <16 x float> %v190, ptr %v69, align 64
  store <16 x float> %v191, ptr %v71, align 64
  store <16 x float> %v192, ptr %v73, align 64
  store <16 x float> %v193, ptr %v75, align 64
  %v49 = add nuw nsw i64 %v48, 1
  %v195 = icmp ne i64 %v49, 3
  br i1 %v195, label %loop46, label %done47
done47:
  %v45 = add nuw nsw i64 %v44, 1
  %v196 = icmp ne i64 %v45, 2
  br i1 %v196, label %loop42, label %done43
done43:
  %v41 = add nuw nsw i64 %v40, 1
  %v197 = icmp ne i64 %v41, 2
  br i1 %v197, label %loop38, label %done39
done39:
  br label %loop198
loop198:
  %v200 = phi i64 [ 0, %done39 ], [ %v201, %done203 ]
  %v206 = mul nsw i64 %v200, 2304
  %v207 = getelementptr i8, ptr %v7, i64 %v206
  %v224 = mul nsw i64 %v200, 36
  %v225 = getelementptr i8, ptr %v6, i64 %v224
  br label %loop202
loop202:
  %v204 = phi i64 [ 0, %loop198 ], [ %v205, %loop202 ]
  %v208 = mul nsw i64 %v204, 768
  %v209 = getelementptr i8, ptr %v207, i64 %v208
  %v226 = mul nsw i64 %v204, 12
  %v227 = getelementptr i8, ptr %v225, i64 %v226
  %v210 = load <16 x float>, ptr %v209, align 64
  %v211 = shufflevector <16 x float> %v210, <16 x float> %v210, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v212 = shufflevector <16 x float> %v210, <16 x float> %v210, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v213 = fadd <8 x float> %v212, %v211
  %v214 = shufflevector <8 x float> %v213, <8 x float> %v213, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v215 = shufflevector <8 x float> %v213, <8 x float> %v213, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v216 = fadd <4 x float> %v215, %v214
  %v217 = shufflevector <4 x float> %v216, <4 x float> %v216, <2 x i32> <i32 0, i32 1>
  %v218 = shufflevector <4 x float> %v216, <4 x float> %v216, <2 x i32> <i32 2, i32 3>
  %v219 = fadd <2 x float> %v218, %v217
  %v220 = extractelement <2 x float> %v219, i64 0
  %v221 = extractelement <2 x float> %v219, i64 1
  %v222 = fadd float %v221, %v220
  %v223 = fadd float %v222, 0x0000000000000000
  store float %v223, ptr %v227, align 4
  %v228 = getelementptr i8, ptr %v209, i64 64
  %v229 = load <16 x float>, ptr %v228, align 64
  %v230 = shufflevector <16 x float> %v229, <16 x float> %v229, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v231 = shufflevector <16 x float> %v229, <16 x float> %v229, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v232 = fadd <8 x float> %v231, %v230
  %v233 = shufflevector <8 x float> %v232, <8 x float> %v232, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v234 = shufflevector <8 x float> %v232, <8 x float> %v232, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v235 = fadd <4 x float> %v234, %v233
  %v236 = shufflevector <4 x float> %v235, <4 x float> %v235, <2 x i32> <i32 0, i32 1>
  %v237 = shufflevector <4 x float> %v235, <4 x float> %v235, <2 x i32> <i32 2, i32 3>
  %v238 = fadd <2 x float> %v237, %v236
  %v239 = extractelement <2 x float> %v238, i64 0
  %v240 = extractelement <2 x float> %v238, i64 1
  %v241 = fadd float %v240, %v239
  %v242 = fadd float %v241, 0x0000000000000000
  %v243 = getelementptr i8, ptr %v227, i64 72
  store float %v242, ptr %v243, align 4
  %v244 = getelementptr i8, ptr %v209, i64 128
  %v245 = load <16 x float>, ptr %v244, align 64
  %v246 = shufflevector <16 x float> %v245, <16 x float> %v245, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v247 = shufflevector <16 x float> %v245, <16 x float> %v245, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v248 = fadd <8 x float> %v247, %v246
  %v249 = shufflevector <8 x float> %v248, <8 x float> %v248, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v250 = shufflevector <8 x float> %v248, <8 x float> %v248, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v251 = fadd <4 x float> %v250, %v249
  %v252 = shufflevector <4 x float> %v251, <4 x float> %v251, <2 x i32> <i32 0, i32 1>
  %v253 = shufflevector <4 x float> %v251, <4 x float> %v251, <2 x i32> <i32 2, i32 3>
  %v254 = fadd <2 x float> %v253, %v252
  %v255 = extractelement <2 x float> %v254, i64 0
  %v256 = extractelement <2 x float> %v254, i64 1
  %v257 = fadd float %v256, %v255
  %v258 = fadd float %v257, 0x0000000000000000
  %v259 = getelementptr i8, ptr %v227, i64 144
  store float %v258, ptr %v259, align 4
  %v260 = getelementptr i8, ptr %v209, i64 192
  %v261 = load <16 x float>, ptr %v260, align 64
  %v262 = shufflevector <16 x float> %v261, <16 x float> %v261, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v263 = shufflevector <16 x float> %v261, <16 x float> %v261, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v264 = fadd <8 x float> %v263, %v262
  %v265 = shufflevector <8 x float> %v264, <8 x float> %v264, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v266 = shufflevector <8 x float> %v264, <8 x float> %v264, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v267 = fadd <4 x float> %v266, %v265
  %v268 = shufflevector <4 x float> %v267, <4 x float> %v267, <2 x i32> <i32 0, i32 1>
  %v269 = shufflevector <4 x float> %v267, <4 x float> %v267, <2 x i32> <i32 2, i32 3>
  %v270 = fadd <2 x float> %v269, %v268
  %v271 = extractelement <2 x float> %v270, i64 0
  %v272 = extractelement <2 x float> %v270, i64 1
  %v273 = fadd float %v272, %v271
  %v274 = fadd float %v273, 0x0000000000000000
  %v275 = getelementptr i8, ptr %v227, i64 216
  store float %v274, ptr %v275, align 4
  %v276 = getelementptr i8, ptr %v209, i64 256
  %v277 = load <16 x float>, ptr %v276, align 64
  %v278 = shufflevector <16 x float> %v277, <16 x float> %v277, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v279 = shufflevector <16 x float> %v277, <16 x float> %v277, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v280 = fadd <8 x float> %v279, %v278
  %v281 = shufflevector <8 x float> %v280, <8 x float> %v280, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v282 = shufflevector <8 x float> %v280, <8 x float> %v280, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v283 = fadd <4 x float> %v282, %v281
  %v284 = shufflevector <4 x float> %v283, <4 x float> %v283, <2 x i32> <i32 0, i32 1>
  %v285 = shufflevector <4 x float> %v283, <4 x float> %v283, <2 x i32> <i32 2, i32 3>
  %v286 = fadd <2 x float> %v285, %v284
  %v287 = extractelement <2 x float> %v286, i64 0
  %v288 = extractelement <2 x float> %v286, i64 1
  %v289 = fadd float %v288, %v287
  %v290 = fadd float %v289, 0x0000000000000000
  %v291 = getelementptr i8, ptr %v227, i64 4
  store float %v290, ptr %v291, align 4
  %v292 = getelementptr i8, ptr %v209, i64 320
  %v293 = load <16 x float>, ptr %v292, align 64
  %v294 = shufflevector <16 x float> %v293, <16 x float> %v293, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v295 = shufflevector <16 x float> %v293, <16 x float> %v293, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v296 = fadd <8 x float> %v295, %v294
  %v297 = shufflevector <8 x float> %v296, <8 x float> %v296, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v298 = shufflevector <8 x float> %v296, <8 x float> %v296, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v299 = fadd <4 x float> %v298, %v297
  %v300 = shufflevector <4 x float> %v299, <4 x float> %v299, <2 x i32> <i32 0, i32 1>
  %v301 = shufflevector <4 x float> %v299, <4 x float> %v299, <2 x i32> <i32 2, i32 3>
  %v302 = fadd <2 x float> %v301, %v300
  %v303 = extractelement <2 x float> %v302, i64 0
  %v304 = extractelement <2 x float> %v302, i64 1
  %v305 = fadd float %v304, %v303
  %v306 = fadd float %v305, 0x0000000000000000
  %v307 = getelementptr i8, ptr %v227, i64 76
  store float %v306, ptr %v307, align 4
  %v308 = getelementptr i8, ptr %v209, i64 384
  %v309 = load <16 x float>, ptr %v308, align 64
  %v310 = shufflevector <16 x float> %v309, <16 x float> %v309, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v311 = shufflevector <16 x float> %v309, <16 x float> %v309, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v312 = fadd <8 x float> %v311, %v310
  %v313 = shufflevector <8 x float> %v312, <8 x float> %v312, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v314 = shufflevector <8 x float> %v312, <8 x float> %v312, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v315 = fadd <4 x float> %v314, %v313
  %v316 = shufflevector <4 x float> %v315, <4 x float> %v315, <2 x i32> <i32 0, i32 1>
  %v317 = shufflevector <4 x float> %v315, <4 x float> %v315, <2 x i32> <i32 2, i32 3>
  %v318 = fadd <2 x float> %v317, %v316
  %v319 = extractelement <2 x float> %v318, i64 0
  %v320 = extractelement <2 x float> %v318, i64 1
  %v321 = fadd float %v320, %v319
  %v322 = fadd float %v321, 0x0000000000000000
  %v323 = getelementptr i8, ptr %v227, i64 148
  store float %v322, ptr %v323, align 4
  %v324 = getelementptr i8, ptr %v209, i64 448
  %v325 = load <16 x float>, ptr %v324, align 64
  %v326 = shufflevector <16 x float> %v325, <16 x float> %v325, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v327 = shufflevector <16 x float> %v325, <16 x float> %v325, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v328 = fadd <8 x float> %v327, %v326
  %v329 = shufflevector <8 x float> %v328, <8 x float> %v328, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v330 = shufflevector <8 x float> %v328, <8 x float> %v328, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v331 = fadd <4 x float> %v330, %v329
  %v332 = shufflevector <4 x float> %v331, <4 x float> %v331, <2 x i32> <i32 0, i32 1>
  %v333 = shufflevector <4 x float> %v331, <4 x float> %v331, <2 x i32> <i32 2, i32 3>
  %v334 = fadd <2 x float> %v333, %v332
  %v335 = extractelement <2 x float> %v334, i64 0
  %v336 = extractelement <2 x float> %v334, i64 1
  %v337 = fadd float %v336, %v335
  %v338 = fadd float %v337, 0x0000000000000000
  %v339 = getelementptr i8, ptr %v227, i64 220
  store float %v338, ptr %v339, align 4
  %v340 = getelementptr i8, ptr %v209, i64 512
  %v341 = load <16 x float>, ptr %v340, align 64
  %v342 = shufflevector <16 x float> %v341, <16 x float> %v341, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v343 = shufflevector <16 x float> %v341, <16 x float> %v341, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v344 = fadd <8 x float> %v343, %v342
  %v345 = shufflevector <8 x float> %v344, <8 x float> %v344, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v346 = shufflevector <8 x float> %v344, <8 x float> %v344, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v347 = fadd <4 x float> %v346, %v345
  %v348 = shufflevector <4 x float> %v347, <4 x float> %v347, <2 x i32> <i32 0, i32 1>
  %v349 = shufflevector <4 x float> %v347, <4 x float> %v347, <2 x i32> <i32 2, i32 3>
  %v350 = fadd <2 x float> %v349, %v348
  %v351 = extractelement <2 x float> %v350, i64 0
  %v352 = extractelement <2 x float> %v350, i64 1
  %v353 = fadd float %v352, %v351
  %v354 = fadd float %v353, 0x0000000000000000
  %v355 = getelementptr i8, ptr %v227, i64 8
  store float %v354, ptr %v355, align 4
  %v356 = getelementptr i8, ptr %v209, i64 576
  %v357 = load <16 x float>, ptr %v356, align 64
  %v358 = shufflevector <16 x float> %v357, <16 x float> %v357, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v359 = shufflevector <16 x float> %v357, <16 x float> %v357, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v360 = fadd <8 x float> %v359, %v358
  %v361 = shufflevector <8 x float> %v360, <8 x float> %v360, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v362 = shufflevector <8 x float> %v360, <8 x float> %v360, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v363 = fadd <4 x float> %v362, %v361
  %v364 = shufflevector <4 x float> %v363, <4 x float> %v363, <2 x i32> <i32 0, i32 1>
  %v365 = shufflevector <4 x float> %v363, <4 x float> %v363, <2 x i32> <i32 2, i32 3>
  %v366 = fadd <2 x float> %v365, %v364
  %v367 = extractelement <2 x float> %v366, i64 0
  %v368 = extractelement <2 x float> %v366, i64 1
  %v369 = fadd float %v368, %v367
  %v370 = fadd float %v369, 0x0000000000000000
  %v371 = getelementptr i8, ptr %v227, i64 80
  store float %v370, ptr %v371, align 4
  %v372 = getelementptr i8, ptr %v209, i64 640
  %v373 = load <16 x float>, ptr %v372, align 64
  %v374 = shufflevector <16 x float> %v373, <16 x float> %v373, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v375 = shufflevector <16 x float> %v373, <16 x float> %v373, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v376 = fadd <8 x float> %v375, %v374
  %v377 = shufflevector <8 x float> %v376, <8 x float> %v376, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v378 = shufflevector <8 x float> %v376, <8 x float> %v376, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v379 = fadd <4 x float> %v378, %v377
  %v380 = shufflevector <4 x float> %v379, <4 x float> %v379, <2 x i32> <i32 0, i32 1>
  %v381 = shufflevector <4 x float> %v379, <4 x float> %v379, <2 x i32> <i32 2, i32 3>
  %v382 = fadd <2 x float> %v381, %v380
  %v383 = extractelement <2 x float> %v382, i64 0
  %v384 = extractelement <2 x float> %v382, i64 1
  %v385 = fadd float %v384, %v383
  %v386 = fadd float %v385, 0x0000000000000000
  %v387 = getelementptr i8, ptr %v227, i64 152
  store float %v386, ptr %v387, align 4
  %v388 = getelementptr i8, ptr %v209, i64 704
  %v389 = load <16 x float>, ptr %v388, align 64
  %v390 = shufflevector <16 x float> %v389, <16 x float> %v389, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v391 = shufflevector <16 x float> %v389, <16 x float> %v389, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v392 = fadd <8 x float> %v391, %v390
  %v393 = shufflevector <8 x float> %v392, <8 x float> %v392, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v394 = shufflevector <8 x float> %v392, <8 x float> %v392, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v395 = fadd <4 x float> %v394, %v393
  %v396 = shufflevector <4 x float> %v395, <4 x float> %v395, <2 x i32> <i32 0, i32 1>
  %v397 = shufflevector <4 x float> %v395, <4 x float> %v395, <2 x i32> <i32 2, i32 3>
  %v398 = fadd <2 x float> %v397, %v396
  %v399 = extractelement <2 x float> %v398, i64 0
  %v400 = extractelement <2 x float> %v398, i64 1
  %v401 = fadd float %v400, %v399
  %v402 = fadd float %v401, 0x0000000000000000
  %v403 = getelementptr i8, ptr %v227, i64 224
  store float %v402, ptr %v403, align 4
  %v205 = add nuw nsw i64 %v204, 1
  %v404 = icmp ne i64 %v205, 3
  br i1 %v404, label %loop202, label %done203
done203:
  %v201 = add nuw nsw i64 %v200, 1
  %v405 = icmp ne i64 %v201, 2
  br i1 %v405, label %loop198, label %done199
done199:
  %v12 = add nuw nsw i64 %v11, 1
  %v406 = icmp ne i64 %v12, %hi
  br i1 %v406, label %loop8, label %done9
done9:
  ret void
}
