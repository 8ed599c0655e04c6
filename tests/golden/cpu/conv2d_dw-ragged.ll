define void @k_e205b35244356e07(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v11 = phi i64 [ %lo, %entry ], [ %v12, %kh.done160 ]
  br label %kh.loop13
kh.loop13:
  %v15 = phi i64 [ 0, %items.loop8 ], [ %v16, %kh.loop13 ]
  %v17 = mul nsw i64 %v15, 256
  %v18 = getelementptr i8, ptr %v7, i64 %v17
  store <16 x float> splat (float 0x0000000000000000), ptr %v18, align 64
  %v19 = getelementptr i8, ptr %v18, i64 64
  store <16 x float> splat (float 0x0000000000000000), ptr %v19, align 64
  %v20 = getelementptr i8, ptr %v18, i64 128
  store <16 x float> splat (float 0x0000000000000000), ptr %v20, align 64
  %v21 = getelementptr i8, ptr %v18, i64 192
  store <16 x float> splat (float 0x0000000000000000), ptr %v21, align 64
  %v16 = add nuw nsw i64 %v15, 1
  %v22 = icmp ne i64 %v16, 2
  br i1 %v22, label %kh.loop13, label %kh.done14
kh.done14:
  br label %kh.loop23
kh.loop23:
  %v25 = phi i64 [ 0, %kh.done14 ], [ %v26, %oh.done37 ]
  %v27 = mul nsw i64 %v25, 256
  %v28 = getelementptr i8, ptr %v7, i64 %v27
  %v44 = getelementptr i8, ptr %v2, i64 %v27
  %v29 = load <16 x float>, ptr %v28, align 64
  %v30 = getelementptr i8, ptr %v28, i64 64
  %v31 = load <16 x float>, ptr %v30, align 64
  %v32 = getelementptr i8, ptr %v28, i64 128
  %v33 = load <16 x float>, ptr %v32, align 64
  %v34 = getelementptr i8, ptr %v28, i64 192
  %v35 = load <16 x float>, ptr %v34, align 64
  br label %oh.loop36
oh.loop36:
  %v38 = phi i64 [ 0, %kh.loop23 ], [ %v39, %oh.loop36 ]
  %v40 = phi <16 x float> [ %v29, %kh.loop23 ], [ %v71, %oh.loop36 ]
  %v41 = phi <16 x float> [ %v31, %kh.loop23 ], [ %v74, %oh.loop36 ]
  %v42 = phi <16 x float> [ %v33, %kh.loop23 ], [ %v77, %oh.loop36 ]
  %v43 = phi <16 x float> [ %v35, %kh.loop23 ], [ %v78, %oh.loop36 ]
  %v45 = mul nsw i64 %v38, 256
  %v46 = getelementptr i8, ptr %v44, i64 %v45
  %v48 = mul nsw i64 %v38, 192
  %v49 = getelementptr i8, ptr %v4, i64 %v48
  %v47 = load <16 x float>, ptr %v46, align 64
  %v50 = load <16 x float>, ptr %v49, align 64
  %v51 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v47, <16 x float> %v50, <16 x float> %v40)
  %v52 = getelementptr i8, ptr %v49, i64 576
  %v53 = load <16 x float>, ptr %v52, align 64
  %v54 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v47, <16 x float> %v53, <16 x float> %v41)
  %v55 = getelementptr i8, ptr %v46, i64 64
  %v56 = load <16 x float>, ptr %v55, align 64
  %v57 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v56, <16 x float> %v50, <16 x float> %v42)
  %v58 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v56, <16 x float> %v53, <16 x float> %v43)
  %v59 = getelementptr i8, ptr %v49, i64 64
  %v60 = load <16 x float>, ptr %v59, align 64
  %v61 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v56, <16 x float> %v60, <16 x float> %v51)
  %v62 = getelementptr i8, ptr %v49, i64 640
  %v63 = load <16 x float>, ptr %v62, align 64
  %v64 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v56, <16 x float> %v63, <16 x float> %v54)
  %v65 = getelementptr i8, ptr %v46, i64 128
  %v66 = load <16 x float>, ptr %v65, align 64
  %v67 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v60, <16 x float> %v57)
  %v68 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v63, <16 x float> %v58)
  %v69 = getelementptr i8, ptr %v49, i64 128
  %v70 = load <16 x float>, ptr %v69, align 64
  %v71 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v70, <16 x float> %v61)
  %v72 = getelementptr i8, ptr %v49, i64 704
  %v73 = load <16 x float>, ptr %v72, align 64
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v66, <16 x float> %v73, <16 x float> %v64)
  %v75 = getelementptr i8, ptr %v46, i64 192
  %v76 = load <16 x float>, ptr %v75, align 64
  %v77 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v70, <16 x float> %v67)
  %v78 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v73, <16 x float> %v68)
  %v39 = add nuw nsw i64 %v38, 1
  %v79 = icmp ne i64 %v39, 3
  br i1 %v79, label %oh.loop36, label %oh.done37
oh.done37:
  store <16 x float> %v71, ptr %v28, align 64
  store <16 x float> %v74, ptr %v30, align 64
  store <16 x float> %v77, ptr %v32, align 64
  store <16 x float> %v78, ptr %v34, align 64
  %v26 = add nuw nsw i64 %v25, 1
  %v80 = icmp ne i64 %v26, 2
  br i1 %v80, label %kh.loop23, label %kh.done24
kh.done24:
  br label %kh.loop81
kh.loop81:
  %v83 = phi i64 [ 0, %kh.done24 ], [ %v84, %oh.done99 ]
  %v85 = mul nsw i64 %v83, 256
  %v86 = getelementptr i8, ptr %v7, i64 %v85
  %v106 = getelementptr i8, ptr %v2, i64 %v85
  %v87 = load <4 x float>, ptr %v86, align 4
  %v88 = shufflevector <4 x float> %v87, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v89 = getelementptr i8, ptr %v86, i64 64
  %v90 = load <4 x float>, ptr %v89, align 4
  %v91 = shufflevector <4 x float> %v90, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v92 = getelementptr i8, ptr %v86, i64 128
  %v93 = load <4 x float>, ptr %v92, align 4
  %v94 = shufflevector <4 x float> %v93, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v95 = getelementptr i8, ptr %v86, i64 192
  %v96 = load <4 x float>, ptr %v95, align 4
  %v97 = shufflevector <4 x float> %v96, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  br label %oh.loop98
oh.loop98:
  %v100 = phi i64 [ 0, %kh.loop81 ], [ %v101, %oh.loop98 ]
  %v102 = phi <16 x float> [ %v88, %kh.loop81 ], [ %v143, %oh.loop98 ]
  %v103 = phi <16 x float> [ %v91, %kh.loop81 ], [ %v147, %oh.loop98 ]
  %v104 = phi <16 x float> [ %v94, %kh.loop81 ], [ %v151, %oh.loop98 ]
  %v105 = phi <16 x float> [ %v97, %kh.loop81 ], [ %v152, %oh.loop98 ]
  %v107 = mul nsw i64 %v100, 256
  %v108 = getelementptr i8, ptr %v106, i64 %v107
  %v112 = mul nsw i64 %v100, 192
  %v113 = getelementptr i8, ptr %v4, i64 %v112
  %v109 = getelementptr i8, ptr %v108, i64 1024
  %v110 = load <4 x float>, ptr %v109, align 4
  %v111 = shufflevector <4 x float> %v110, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v114 = getelementptr i8, ptr %v113, i64 1152
  %v115 = load <4 x float>, ptr %v114, align 4
  %v116 = shufflevector <4 x float> %v115, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v117 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v111, <16 x float> %v116, <16 x float> %v102)
  %v118 = getelementptr i8, ptr %v113, i64 1728
  %v119 = load <4 x float>, ptr %v118, align 4
  %v120 = shufflevector <4 x float> %v119, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v121 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v111, <16 x float> %v120, <16 x float> %v103)
  %v122 = getelementptr i8, ptr %v108, i64 1088
  %v123 = load <4 x float>, ptr %v122, align 4
  %v124 = shufflevector <4 x float> %v123, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v125 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v124, <16 x float> %v116, <16 x float> %v104)
  %v126 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v124, <16 x float> %v120, <16 x float> %v105)
  %v127 = getelementptr i8, ptr %v113, i64 1216
  %v128 = load <4 x float>, ptr %v127, align 4
  %v129 = shufflevector <4 x float> %v128, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v130 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v124, <16 x float> %v129, <16 x float> %v117)
  %v131 = getelementptr i8, ptr %v113, i64 1792
  %v132 = load <4 x float>, ptr %v131, align 4
  %v133 = shufflevector <4 x float> %v132, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v134 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v124, <16 x float> %v133, <16 x float> %v121)
  %v135 = getelementptr i8, ptr %v108, i64 1152
  %v136 = load <4 x float>, ptr %v135, align 4
  %v137 = shufflevector <4 x float> %v136, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v138 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v137, <16 x float> %v129, <16 x float> %v125)
  %v139 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v137, <16 x float> %v133, <16 x float> %v126)
  %v140 = getelementptr i8, ptr %v113, i64 1280
  %v141 = load <4 x float>, ptr %v140, align 4
  %v142 = shufflevector <4 x float> %v141, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v143 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v137, <16 x float> %v142, <16 x float> %v130)
  %v144 = getelementptr i8, ptr %v113, i64 1856
  %v145 = load <4 x float>, ptr %v144, align 4
  %v146 = shufflevector <4 x float> %v145, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v147 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v137, <16 x float> %v146, <16 x float> %v134)
  %v148 = getelementptr i8, ptr %v108, i64 1216
  %v149 = load <4 x float>, ptr %v148, align 4
  %v150 = shufflevector <4 x float> %v149, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v151 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v150, <16 x float> %v142, <16 x float> %v138)
  %v152 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v150, <16 x float> %v146, <16 x float> %v139)
  %v101 = add nuw nsw i64 %v100, 1
  %v153 = icmp ne i64 %v101, 3
  br i1 %v153, label %oh.loop98, label %oh.done99
oh.done99:
  %v154 = shufflevector <16 x float> %v143, <16 x float> %v143, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v154, ptr %v86, align 4
  %v155 = shufflevector <16 x float> %v147, <16 x float> %v147, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v155, ptr %v89, align 4
  %v156 = shufflevector <16 x float> %v151, <16 x float> %v151, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v156, ptr %v92, align 4
  %v157 = shufflevector <16 x float> %v152, <16 x float> %v152, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v157, ptr %v95, align 4
  %v84 = add nuw nsw i64 %v83, 1
  %v158 = icmp ne i64 %v84, 2
  br i1 %v158, label %kh.loop81, label %kh.done82
kh.done82:
  br label %kh.loop159
kh.loop159:
  %v161 = phi i64 [ 0, %kh.done82 ], [ %v162, %kh.loop159 ]
  %v163 = mul nsw i64 %v161, 256
  %v164 = getelementptr i8, ptr %v7, i64 %v163
  %v178 = mul nsw i64 %v161, 8
  %v179 = getelementptr i8, ptr %v6, i64 %v178
  %v165 = load <16 x float>, ptr %v164, align 64
  %v166 = shufflevector <16 x float> %v165, <16 x float> %v165, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v167 = shufflevector <16 x float> %v165, <16 x float> %v165, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v168 = fadd <8 x float> %v167, %v166
  %v169 = shufflevector <8 x float> %v168, <8 x float> %v168, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v170 = shufflevector <8 x float> %v168, <8 x float> %v168, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v171 = fadd <4 x float> %v170, %v169
  %v172 = shufflevector <4 x float> %v171, <4 x float> %v171, <2 x i32> <i32 0, i32 1>
  %v173 = shufflevector <4 x float> %v171, <4 x float> %v171, <2 x i32> <i32 2, i32 3>
  %v174 = fadd <2 x float> %v173, %v172
  %v175 = extractelement <2 x float> %v174, i64 0
  %v176 = extractelement <2 x float> %v174, i64 1
  %v177 = fadd float %v176, %v175
  store float %v177, ptr %v179, align 4
  %v180 = getelementptr i8, ptr %v164, i64 64
  %v181 = load <16 x float>, ptr %v180, align 64
  %v182 = shufflevector <16 x float> %v181, <16 x float> %v181, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v183 = shufflevector <16 x float> %v181, <16 x float> %v181, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v184 = fadd <8 x float> %v183, %v182
  %v185 = shufflevector <8 x float> %v184, <8 x float> %v184, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v186 = shufflevector <8 x float> %v184, <8 x float> %v184, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v187 = fadd <4 x float> %v186, %v185
  %v188 = shufflevector <4 x float> %v187, <4 x float> %v187, <2 x i32> <i32 0, i32 1>
  %v189 = shufflevector <4 x float> %v187, <4 x float> %v187, <2 x i32> <i32 2, i32 3>
  %v190 = fadd <2 x float> %v189, %v188
  %v191 = extractelement <2 x float> %v190, i64 0
  %v192 = extractelement <2 x float> %v190, i64 1
  %v193 = fadd float %v192, %v191
  %v194 = getelementptr i8, ptr %v179, i64 16
  store float %v193, ptr %v194, align 4
  %v195 = getelementptr i8, ptr %v164, i64 128
  %v196 = load <16 x float>, ptr %v195, align 64
  %v197 = shufflevector <16 x float> %v196, <16 x float> %v196, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v198 = shufflevector <16 x float> %v196, <16 x float> %v196, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v199 = fadd <8 x float> %v198, %v197
  %v200 = shufflevector <8 x float> %v199, <8 x float> %v199, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v201 = shufflevector <8 x float> %v199, <8 x float> %v199, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v202 = fadd <4 x float> %v201, %v200
  %v203 = shufflevector <4 x float> %v202, <4 x float> %v202, <2 x i32> <i32 0, i32 1>
  %v204 = shufflevector <4 x float> %v202, <4 x float> %v202, <2 x i32> <i32 2, i32 3>
  %v205 = fadd <2 x float> %v204, %v203
  %v206 = extractelement <2 x float> %v205, i64 0
  %v207 = extractelement <2 x float> %v205, i64 1
  %v208 = fadd float %v207, %v206
  %v209 = getelementptr i8, ptr %v179, i64 4
  store float %v208, ptr %v209, align 4
  %v210 = getelementptr i8, ptr %v164, i64 192
  %v211 = load <16 x float>, ptr %v210, align 64
  %v212 = shufflevector <16 x float> %v211, <16 x float> %v211, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v213 = shufflevector <16 x float> %v211, <16 x float> %v211, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v214 = fadd <8 x float> %v213, %v212
  %v215 = shufflevector <8 x float> %v214, <8 x float> %v214, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v216 = shufflevector <8 x float> %v214, <8 x float> %v214, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v217 = fadd <4 x float> %v216, %v215
  %v218 = shufflevector <4 x float> %v217, <4 x float> %v217, <2 x i32> <i32 0, i32 1>
  %v219 = shufflevector <4 x float> %v217, <4 x float> %v217, <2 x i32> <i32 2, i32 3>
  %v220 = fadd <2 x float> %v219, %v218
  %v221 = extractelement <2 x float> %v220, i64 0
  %v222 = extractelement <2 x float> %v220, i64 1
  %v223 = fadd float %v222, %v221
  %v224 = getelementptr i8, ptr %v179, i64 20
  store float %v223, ptr %v224, align 4
  %v162 = add nuw nsw i64 %v161, 1
  %v225 = icmp ne i64 %v162, 2
  br i1 %v225, label %kh.loop159, label %kh.done160
kh.done160:
  %v12 = add nuw nsw i64 %v11, 1
  %v226 = icmp ne i64 %v12, %hi
  br i1 %v226, label %items.loop8, label %items.done9
items.done9:
  ret void
}
