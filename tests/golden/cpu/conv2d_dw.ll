define void @k_b0f99f6a5d27991e(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr i8, ptr %scratch, i64 0
  %v10 = icmp slt i64 %lo, %hi
  br i1 %v10, label %items.loop8, label %items.done9
items.loop8:
  %v11 = phi i64 [ %lo, %entry ], [ %v12, %ci.done199 ]
  br label %ci.loop13
ci.loop13:
  %v15 = phi i64 [ 0, %items.loop8 ], [ %v16, %kh.done18 ]
  %v21 = mul nsw i64 %v15, 2304
  %v22 = getelementptr i8, ptr %v7, i64 %v21
  br label %kh.loop17
kh.loop17:
  %v19 = phi i64 [ 0, %ci.loop13 ], [ %v20, %kh.loop17 ]
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
  br i1 %v36, label %kh.loop17, label %kh.done18
kh.done18:
  %v16 = add nuw nsw i64 %v15, 1
  %v37 = icmp ne i64 %v16, 2
  br i1 %v37, label %ci.loop13, label %ci.done14
ci.done14:
  br label %q.loop38
q.loop38:
  %v40 = phi i64 [ 0, %ci.done14 ], [ %v41, %ci.done43 ]
  %v93 = mul nsw i64 %v40, 4608
  %v94 = getelementptr i8, ptr %v2, i64 %v93
  %v101 = mul nsw i64 %v40, 4096
  %v102 = getelementptr i8, ptr %v4, i64 %v101
  br label %ci.loop42
ci.loop42:
  %v44 = phi i64 [ 0, %q.loop38 ], [ %v45, %kh.done47 ]
  %v50 = mul nsw i64 %v44, 2304
  %v51 = getelementptr i8, ptr %v7, i64 %v50
  %v95 = getelementptr i8, ptr %v94, i64 %v50
  br label %kh.loop46
kh.loop46:
  %v48 = phi i64 [ 0, %ci.loop42 ], [ %v49, %oh.done78 ]
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
  br label %oh.loop77
oh.loop77:
  %v79 = phi i64 [ 0, %kh.loop46 ], [ %v80, %oh.loop77 ]
  %v81 = phi <16 x float> [ %v54, %kh.loop46 ], [ %v174, %oh.loop77 ]
  %v82 = phi <16 x float> [ %v56, %kh.loop46 ], [ %v177, %oh.loop77 ]
  %v83 = phi <16 x float> [ %v58, %kh.loop46 ], [ %v180, %oh.loop77 ]
  %v84 = phi <16 x float> [ %v60, %kh.loop46 ], [ %v183, %oh.loop77 ]
  %v85 = phi <16 x float> [ %v62, %kh.loop46 ], [ %v184, %oh.loop77 ]
  %v86 = phi <16 x float> [ %v64, %kh.loop46 ], [ %v185, %oh.loop77 ]
  %v87 = phi <16 x float> [ %v66, %kh.loop46 ], [ %v186, %oh.loop77 ]
  %v88 = phi <16 x float> [ %v68, %kh.loop46 ], [ %v187, %oh.loop77 ]
  %v89 = phi <16 x float> [ %v70, %kh.loop46 ], [ %v190, %oh.loop77 ]
  %v90 = phi <16 x float> [ %v72, %kh.loop46 ], [ %v191, %oh.loop77 ]
  %v91 = phi <16 x float> [ %v74, %kh.loop46 ], [ %v192, %oh.loop77 ]
  %v92 = phi <16 x float> [ %v76, %kh.loop46 ], [ %v193, %oh.loop77 ]
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
  br i1 %v194, label %oh.loop77, label %oh.done78
oh.done78:
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
  br i1 %v195, label %kh.loop46, label %kh.done47
kh.done47:
  %v45 = add nuw nsw i64 %v44, 1
  %v196 = icmp ne i64 %v45, 2
  br i1 %v196, label %ci.loop42, label %ci.done43
ci.done43:
  %v41 = add nuw nsw i64 %v40, 1
  %v197 = icmp ne i64 %v41, 2
  br i1 %v197, label %q.loop38, label %q.done39
q.done39:
  br label %ci.loop198
ci.loop198:
  %v200 = phi i64 [ 0, %q.done39 ], [ %v201, %kh.done203 ]
  %v206 = mul nsw i64 %v200, 2304
  %v207 = getelementptr i8, ptr %v7, i64 %v206
  %v223 = mul nsw i64 %v200, 36
  %v224 = getelementptr i8, ptr %v6, i64 %v223
  br label %kh.loop202
kh.loop202:
  %v204 = phi i64 [ 0, %ci.loop198 ], [ %v205, %kh.loop202 ]
  %v208 = mul nsw i64 %v204, 768
  %v209 = getelementptr i8, ptr %v207, i64 %v208
  %v225 = mul nsw i64 %v204, 12
  %v226 = getelementptr i8, ptr %v224, i64 %v225
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
  store float %v222, ptr %v226, align 4
  %v227 = getelementptr i8, ptr %v209, i64 64
  %v228 = load <16 x float>, ptr %v227, align 64
  %v229 = shufflevector <16 x float> %v228, <16 x float> %v228, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v230 = shufflevector <16 x float> %v228, <16 x float> %v228, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v231 = fadd <8 x float> %v230, %v229
  %v232 = shufflevector <8 x float> %v231, <8 x float> %v231, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v233 = shufflevector <8 x float> %v231, <8 x float> %v231, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v234 = fadd <4 x float> %v233, %v232
  %v235 = shufflevector <4 x float> %v234, <4 x float> %v234, <2 x i32> <i32 0, i32 1>
  %v236 = shufflevector <4 x float> %v234, <4 x float> %v234, <2 x i32> <i32 2, i32 3>
  %v237 = fadd <2 x float> %v236, %v235
  %v238 = extractelement <2 x float> %v237, i64 0
  %v239 = extractelement <2 x float> %v237, i64 1
  %v240 = fadd float %v239, %v238
  %v241 = getelementptr i8, ptr %v226, i64 72
  store float %v240, ptr %v241, align 4
  %v242 = getelementptr i8, ptr %v209, i64 128
  %v243 = load <16 x float>, ptr %v242, align 64
  %v244 = shufflevector <16 x float> %v243, <16 x float> %v243, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v245 = shufflevector <16 x float> %v243, <16 x float> %v243, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v246 = fadd <8 x float> %v245, %v244
  %v247 = shufflevector <8 x float> %v246, <8 x float> %v246, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v248 = shufflevector <8 x float> %v246, <8 x float> %v246, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v249 = fadd <4 x float> %v248, %v247
  %v250 = shufflevector <4 x float> %v249, <4 x float> %v249, <2 x i32> <i32 0, i32 1>
  %v251 = shufflevector <4 x float> %v249, <4 x float> %v249, <2 x i32> <i32 2, i32 3>
  %v252 = fadd <2 x float> %v251, %v250
  %v253 = extractelement <2 x float> %v252, i64 0
  %v254 = extractelement <2 x float> %v252, i64 1
  %v255 = fadd float %v254, %v253
  %v256 = getelementptr i8, ptr %v226, i64 144
  store float %v255, ptr %v256, align 4
  %v257 = getelementptr i8, ptr %v209, i64 192
  %v258 = load <16 x float>, ptr %v257, align 64
  %v259 = shufflevector <16 x float> %v258, <16 x float> %v258, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v260 = shufflevector <16 x float> %v258, <16 x float> %v258, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v261 = fadd <8 x float> %v260, %v259
  %v262 = shufflevector <8 x float> %v261, <8 x float> %v261, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v263 = shufflevector <8 x float> %v261, <8 x float> %v261, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v264 = fadd <4 x float> %v263, %v262
  %v265 = shufflevector <4 x float> %v264, <4 x float> %v264, <2 x i32> <i32 0, i32 1>
  %v266 = shufflevector <4 x float> %v264, <4 x float> %v264, <2 x i32> <i32 2, i32 3>
  %v267 = fadd <2 x float> %v266, %v265
  %v268 = extractelement <2 x float> %v267, i64 0
  %v269 = extractelement <2 x float> %v267, i64 1
  %v270 = fadd float %v269, %v268
  %v271 = getelementptr i8, ptr %v226, i64 216
  store float %v270, ptr %v271, align 4
  %v272 = getelementptr i8, ptr %v209, i64 256
  %v273 = load <16 x float>, ptr %v272, align 64
  %v274 = shufflevector <16 x float> %v273, <16 x float> %v273, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v275 = shufflevector <16 x float> %v273, <16 x float> %v273, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v276 = fadd <8 x float> %v275, %v274
  %v277 = shufflevector <8 x float> %v276, <8 x float> %v276, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v278 = shufflevector <8 x float> %v276, <8 x float> %v276, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v279 = fadd <4 x float> %v278, %v277
  %v280 = shufflevector <4 x float> %v279, <4 x float> %v279, <2 x i32> <i32 0, i32 1>
  %v281 = shufflevector <4 x float> %v279, <4 x float> %v279, <2 x i32> <i32 2, i32 3>
  %v282 = fadd <2 x float> %v281, %v280
  %v283 = extractelement <2 x float> %v282, i64 0
  %v284 = extractelement <2 x float> %v282, i64 1
  %v285 = fadd float %v284, %v283
  %v286 = getelementptr i8, ptr %v226, i64 4
  store float %v285, ptr %v286, align 4
  %v287 = getelementptr i8, ptr %v209, i64 320
  %v288 = load <16 x float>, ptr %v287, align 64
  %v289 = shufflevector <16 x float> %v288, <16 x float> %v288, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v290 = shufflevector <16 x float> %v288, <16 x float> %v288, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v291 = fadd <8 x float> %v290, %v289
  %v292 = shufflevector <8 x float> %v291, <8 x float> %v291, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v293 = shufflevector <8 x float> %v291, <8 x float> %v291, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v294 = fadd <4 x float> %v293, %v292
  %v295 = shufflevector <4 x float> %v294, <4 x float> %v294, <2 x i32> <i32 0, i32 1>
  %v296 = shufflevector <4 x float> %v294, <4 x float> %v294, <2 x i32> <i32 2, i32 3>
  %v297 = fadd <2 x float> %v296, %v295
  %v298 = extractelement <2 x float> %v297, i64 0
  %v299 = extractelement <2 x float> %v297, i64 1
  %v300 = fadd float %v299, %v298
  %v301 = getelementptr i8, ptr %v226, i64 76
  store float %v300, ptr %v301, align 4
  %v302 = getelementptr i8, ptr %v209, i64 384
  %v303 = load <16 x float>, ptr %v302, align 64
  %v304 = shufflevector <16 x float> %v303, <16 x float> %v303, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v305 = shufflevector <16 x float> %v303, <16 x float> %v303, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v306 = fadd <8 x float> %v305, %v304
  %v307 = shufflevector <8 x float> %v306, <8 x float> %v306, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v308 = shufflevector <8 x float> %v306, <8 x float> %v306, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v309 = fadd <4 x float> %v308, %v307
  %v310 = shufflevector <4 x float> %v309, <4 x float> %v309, <2 x i32> <i32 0, i32 1>
  %v311 = shufflevector <4 x float> %v309, <4 x float> %v309, <2 x i32> <i32 2, i32 3>
  %v312 = fadd <2 x float> %v311, %v310
  %v313 = extractelement <2 x float> %v312, i64 0
  %v314 = extractelement <2 x float> %v312, i64 1
  %v315 = fadd float %v314, %v313
  %v316 = getelementptr i8, ptr %v226, i64 148
  store float %v315, ptr %v316, align 4
  %v317 = getelementptr i8, ptr %v209, i64 448
  %v318 = load <16 x float>, ptr %v317, align 64
  %v319 = shufflevector <16 x float> %v318, <16 x float> %v318, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v320 = shufflevector <16 x float> %v318, <16 x float> %v318, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v321 = fadd <8 x float> %v320, %v319
  %v322 = shufflevector <8 x float> %v321, <8 x float> %v321, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v323 = shufflevector <8 x float> %v321, <8 x float> %v321, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v324 = fadd <4 x float> %v323, %v322
  %v325 = shufflevector <4 x float> %v324, <4 x float> %v324, <2 x i32> <i32 0, i32 1>
  %v326 = shufflevector <4 x float> %v324, <4 x float> %v324, <2 x i32> <i32 2, i32 3>
  %v327 = fadd <2 x float> %v326, %v325
  %v328 = extractelement <2 x float> %v327, i64 0
  %v329 = extractelement <2 x float> %v327, i64 1
  %v330 = fadd float %v329, %v328
  %v331 = getelementptr i8, ptr %v226, i64 220
  store float %v330, ptr %v331, align 4
  %v332 = getelementptr i8, ptr %v209, i64 512
  %v333 = load <16 x float>, ptr %v332, align 64
  %v334 = shufflevector <16 x float> %v333, <16 x float> %v333, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v335 = shufflevector <16 x float> %v333, <16 x float> %v333, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v336 = fadd <8 x float> %v335, %v334
  %v337 = shufflevector <8 x float> %v336, <8 x float> %v336, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v338 = shufflevector <8 x float> %v336, <8 x float> %v336, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v339 = fadd <4 x float> %v338, %v337
  %v340 = shufflevector <4 x float> %v339, <4 x float> %v339, <2 x i32> <i32 0, i32 1>
  %v341 = shufflevector <4 x float> %v339, <4 x float> %v339, <2 x i32> <i32 2, i32 3>
  %v342 = fadd <2 x float> %v341, %v340
  %v343 = extractelement <2 x float> %v342, i64 0
  %v344 = extractelement <2 x float> %v342, i64 1
  %v345 = fadd float %v344, %v343
  %v346 = getelementptr i8, ptr %v226, i64 8
  store float %v345, ptr %v346, align 4
  %v347 = getelementptr i8, ptr %v209, i64 576
  %v348 = load <16 x float>, ptr %v347, align 64
  %v349 = shufflevector <16 x float> %v348, <16 x float> %v348, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v350 = shufflevector <16 x float> %v348, <16 x float> %v348, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v351 = fadd <8 x float> %v350, %v349
  %v352 = shufflevector <8 x float> %v351, <8 x float> %v351, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v353 = shufflevector <8 x float> %v351, <8 x float> %v351, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v354 = fadd <4 x float> %v353, %v352
  %v355 = shufflevector <4 x float> %v354, <4 x float> %v354, <2 x i32> <i32 0, i32 1>
  %v356 = shufflevector <4 x float> %v354, <4 x float> %v354, <2 x i32> <i32 2, i32 3>
  %v357 = fadd <2 x float> %v356, %v355
  %v358 = extractelement <2 x float> %v357, i64 0
  %v359 = extractelement <2 x float> %v357, i64 1
  %v360 = fadd float %v359, %v358
  %v361 = getelementptr i8, ptr %v226, i64 80
  store float %v360, ptr %v361, align 4
  %v362 = getelementptr i8, ptr %v209, i64 640
  %v363 = load <16 x float>, ptr %v362, align 64
  %v364 = shufflevector <16 x float> %v363, <16 x float> %v363, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v365 = shufflevector <16 x float> %v363, <16 x float> %v363, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v366 = fadd <8 x float> %v365, %v364
  %v367 = shufflevector <8 x float> %v366, <8 x float> %v366, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v368 = shufflevector <8 x float> %v366, <8 x float> %v366, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v369 = fadd <4 x float> %v368, %v367
  %v370 = shufflevector <4 x float> %v369, <4 x float> %v369, <2 x i32> <i32 0, i32 1>
  %v371 = shufflevector <4 x float> %v369, <4 x float> %v369, <2 x i32> <i32 2, i32 3>
  %v372 = fadd <2 x float> %v371, %v370
  %v373 = extractelement <2 x float> %v372, i64 0
  %v374 = extractelement <2 x float> %v372, i64 1
  %v375 = fadd float %v374, %v373
  %v376 = getelementptr i8, ptr %v226, i64 152
  store float %v375, ptr %v376, align 4
  %v377 = getelementptr i8, ptr %v209, i64 704
  %v378 = load <16 x float>, ptr %v377, align 64
  %v379 = shufflevector <16 x float> %v378, <16 x float> %v378, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v380 = shufflevector <16 x float> %v378, <16 x float> %v378, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v381 = fadd <8 x float> %v380, %v379
  %v382 = shufflevector <8 x float> %v381, <8 x float> %v381, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v383 = shufflevector <8 x float> %v381, <8 x float> %v381, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v384 = fadd <4 x float> %v383, %v382
  %v385 = shufflevector <4 x float> %v384, <4 x float> %v384, <2 x i32> <i32 0, i32 1>
  %v386 = shufflevector <4 x float> %v384, <4 x float> %v384, <2 x i32> <i32 2, i32 3>
  %v387 = fadd <2 x float> %v386, %v385
  %v388 = extractelement <2 x float> %v387, i64 0
  %v389 = extractelement <2 x float> %v387, i64 1
  %v390 = fadd float %v389, %v388
  %v391 = getelementptr i8, ptr %v226, i64 224
  store float %v390, ptr %v391, align 4
  %v205 = add nuw nsw i64 %v204, 1
  %v392 = icmp ne i64 %v205, 3
  br i1 %v392, label %kh.loop202, label %kh.done203
kh.done203:
  %v201 = add nuw nsw i64 %v200, 1
  %v393 = icmp ne i64 %v201, 2
  br i1 %v393, label %ci.loop198, label %ci.done199
ci.done199:
  %v12 = add nuw nsw i64 %v11, 1
  %v394 = icmp ne i64 %v12, %hi
  br i1 %v394, label %items.loop8, label %items.done9
items.done9:
  ret void
}
