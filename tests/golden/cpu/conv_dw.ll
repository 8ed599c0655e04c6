define void @k_9fc75d1e06d0c52e(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v11 = phi i64 [ %lo, %entry ], [ %v12, %co_i.second.done222 ]
  br label %kh.loop13
kh.loop13:
  %v15 = phi i64 [ 0, %items.loop8 ], [ %v16, %n_o.done18 ]
  %v101 = mul nsw i64 %v15, 384
  %v102 = getelementptr i8, ptr %v2, i64 %v101
  %v195 = mul nsw i64 %v15, 192
  %v196 = getelementptr i8, ptr %v7, i64 %v195
  br label %n_o.loop17
n_o.loop17:
  %v19 = phi i64 [ 0, %kh.loop13 ], [ %v20, %oh.done46 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v158, %oh.done46 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v161, %oh.done46 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v164, %oh.done46 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v167, %oh.done46 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v168, %oh.done46 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v169, %oh.done46 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v170, %oh.done46 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v171, %oh.done46 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v172, %oh.done46 ]
  %v30 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v173, %oh.done46 ]
  %v31 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v174, %oh.done46 ]
  %v32 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v175, %oh.done46 ]
  %v33 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v176, %oh.done46 ]
  %v34 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v177, %oh.done46 ]
  %v35 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v178, %oh.done46 ]
  %v36 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v179, %oh.done46 ]
  %v37 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v182, %oh.done46 ]
  %v38 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v183, %oh.done46 ]
  %v39 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v184, %oh.done46 ]
  %v40 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v185, %oh.done46 ]
  %v41 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v188, %oh.done46 ]
  %v42 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v189, %oh.done46 ]
  %v43 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v190, %oh.done46 ]
  %v44 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v191, %oh.done46 ]
  %v103 = mul nsw i64 %v19, 4608
  %v104 = getelementptr i8, ptr %v102, i64 %v103
  %v110 = mul nsw i64 %v19, 4096
  %v111 = getelementptr i8, ptr %v4, i64 %v110
  br label %oh.loop45
oh.loop45:
  %v47 = phi i64 [ 0, %n_o.loop17 ], [ %v48, %ow_o.done74 ]
  %v49 = phi <16 x float> [ %v21, %n_o.loop17 ], [ %v158, %ow_o.done74 ]
  %v50 = phi <16 x float> [ %v22, %n_o.loop17 ], [ %v161, %ow_o.done74 ]
  %v51 = phi <16 x float> [ %v23, %n_o.loop17 ], [ %v164, %ow_o.done74 ]
  %v52 = phi <16 x float> [ %v24, %n_o.loop17 ], [ %v167, %ow_o.done74 ]
  %v53 = phi <16 x float> [ %v25, %n_o.loop17 ], [ %v168, %ow_o.done74 ]
  %v54 = phi <16 x float> [ %v26, %n_o.loop17 ], [ %v169, %ow_o.done74 ]
  %v55 = phi <16 x float> [ %v27, %n_o.loop17 ], [ %v170, %ow_o.done74 ]
  %v56 = phi <16 x float> [ %v28, %n_o.loop17 ], [ %v171, %ow_o.done74 ]
  %v57 = phi <16 x float> [ %v29, %n_o.loop17 ], [ %v172, %ow_o.done74 ]
  %v58 = phi <16 x float> [ %v30, %n_o.loop17 ], [ %v173, %ow_o.done74 ]
  %v59 = phi <16 x float> [ %v31, %n_o.loop17 ], [ %v174, %ow_o.done74 ]
  %v60 = phi <16 x float> [ %v32, %n_o.loop17 ], [ %v175, %ow_o.done74 ]
  %v61 = phi <16 x float> [ %v33, %n_o.loop17 ], [ %v176, %ow_o.done74 ]
  %v62 = phi <16 x float> [ %v34, %n_o.loop17 ], [ %v177, %ow_o.done74 ]
  %v63 = phi <16 x float> [ %v35, %n_o.loop17 ], [ %v178, %ow_o.done74 ]
  %v64 = phi <16 x float> [ %v36, %n_o.loop17 ], [ %v179, %ow_o.done74 ]
  %v65 = phi <16 x float> [ %v37, %n_o.loop17 ], [ %v182, %ow_o.done74 ]
  %v66 = phi <16 x float> [ %v38, %n_o.loop17 ], [ %v183, %ow_o.done74 ]
  %v67 = phi <16 x float> [ %v39, %n_o.loop17 ], [ %v184, %ow_o.done74 ]
  %v68 = phi <16 x float> [ %v40, %n_o.loop17 ], [ %v185, %ow_o.done74 ]
  %v69 = phi <16 x float> [ %v41, %n_o.loop17 ], [ %v188, %ow_o.done74 ]
  %v70 = phi <16 x float> [ %v42, %n_o.loop17 ], [ %v189, %ow_o.done74 ]
  %v71 = phi <16 x float> [ %v43, %n_o.loop17 ], [ %v190, %ow_o.done74 ]
  %v72 = phi <16 x float> [ %v44, %n_o.loop17 ], [ %v191, %ow_o.done74 ]
  %v105 = mul nsw i64 %v47, 384
  %v106 = getelementptr i8, ptr %v104, i64 %v105
  %v112 = mul nsw i64 %v47, 256
  %v113 = getelementptr i8, ptr %v111, i64 %v112
  br label %ow_o.loop73
ow_o.loop73:
  %v75 = phi i64 [ 0, %oh.loop45 ], [ %v76, %ow_o.loop73 ]
  %v77 = phi <16 x float> [ %v49, %oh.loop45 ], [ %v158, %ow_o.loop73 ]
  %v78 = phi <16 x float> [ %v50, %oh.loop45 ], [ %v161, %ow_o.loop73 ]
  %v79 = phi <16 x float> [ %v51, %oh.loop45 ], [ %v164, %ow_o.loop73 ]
  %v80 = phi <16 x float> [ %v52, %oh.loop45 ], [ %v167, %ow_o.loop73 ]
  %v81 = phi <16 x float> [ %v53, %oh.loop45 ], [ %v168, %ow_o.loop73 ]
  %v82 = phi <16 x float> [ %v54, %oh.loop45 ], [ %v169, %ow_o.loop73 ]
  %v83 = phi <16 x float> [ %v55, %oh.loop45 ], [ %v170, %ow_o.loop73 ]
  %v84 = phi <16 x float> [ %v56, %oh.loop45 ], [ %v171, %ow_o.loop73 ]
  %v85 = phi <16 x float> [ %v57, %oh.loop45 ], [ %v172, %ow_o.loop73 ]
  %v86 = phi <16 x float> [ %v58, %oh.loop45 ], [ %v173, %ow_o.loop73 ]
  %v87 = phi <16 x float> [ %v59, %oh.loop45 ], [ %v174, %ow_o.loop73 ]
  %v88 = phi <16 x float> [ %v60, %oh.loop45 ], [ %v175, %ow_o.loop73 ]
  %v89 = phi <16 x float> [ %v61, %oh.loop45 ], [ %v176, %ow_o.loop73 ]
  %v90 = phi <16 x float> [ %v62, %oh.loop45 ], [ %v177, %ow_o.loop73 ]
  %v91 = phi <16 x float> [ %v63, %oh.loop45 ], [ %v178, %ow_o.loop73 ]
  %v92 = phi <16 x float> [ %v64, %oh.loop45 ], [ %v179, %ow_o.loop73 ]
  %v93 = phi <16 x float> [ %v65, %oh.loop45 ], [ %v182, %ow_o.loop73 ]
  %v94 = phi <16 x float> [ %v66, %oh.loop45 ], [ %v183, %ow_o.loop73 ]
  %v95 = phi <16 x float> [ %v67, %oh.loop45 ], [ %v184, %ow_o.loop73 ]
  %v96 = phi <16 x float> [ %v68, %oh.loop45 ], [ %v185, %ow_o.loop73 ]
  %v97 = phi <16 x float> [ %v69, %oh.loop45 ], [ %v188, %ow_o.loop73 ]
  %v98 = phi <16 x float> [ %v70, %oh.loop45 ], [ %v189, %ow_o.loop73 ]
  %v99 = phi <16 x float> [ %v71, %oh.loop45 ], [ %v190, %ow_o.loop73 ]
  %v100 = phi <16 x float> [ %v72, %oh.loop45 ], [ %v191, %ow_o.loop73 ]
  %v107 = mul nsw i64 %v75, 128
  %v108 = getelementptr i8, ptr %v106, i64 %v107
  %v114 = getelementptr i8, ptr %v113, i64 %v107
  %v109 = load <16 x float>, ptr %v108, align 64
  %v115 = load <16 x float>, ptr %v114, align 64
  %v116 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v109, <16 x float> %v115, <16 x float> %v77)
  %v117 = getelementptr i8, ptr %v114, i64 1024
  %v118 = load <16 x float>, ptr %v117, align 64
  %v119 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v109, <16 x float> %v118, <16 x float> %v78)
  %v120 = getelementptr i8, ptr %v114, i64 2048
  %v121 = load <16 x float>, ptr %v120, align 64
  %v122 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v109, <16 x float> %v121, <16 x float> %v79)
  %v123 = getelementptr i8, ptr %v114, i64 3072
  %v124 = load <16 x float>, ptr %v123, align 64
  %v125 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v109, <16 x float> %v124, <16 x float> %v80)
  %v126 = getelementptr i8, ptr %v108, i64 2304
  %v127 = load <16 x float>, ptr %v126, align 64
  %v128 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v127, <16 x float> %v115, <16 x float> %v81)
  %v129 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v127, <16 x float> %v118, <16 x float> %v82)
  %v130 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v127, <16 x float> %v121, <16 x float> %v83)
  %v131 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v127, <16 x float> %v124, <16 x float> %v84)
  %v132 = getelementptr i8, ptr %v108, i64 64
  %v133 = load <16 x float>, ptr %v132, align 64
  %v134 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v115, <16 x float> %v85)
  %v135 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v118, <16 x float> %v86)
  %v136 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v121, <16 x float> %v87)
  %v137 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v124, <16 x float> %v88)
  %v138 = getelementptr i8, ptr %v108, i64 2368
  %v139 = load <16 x float>, ptr %v138, align 64
  %v140 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v115, <16 x float> %v89)
  %v141 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v118, <16 x float> %v90)
  %v142 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v121, <16 x float> %v91)
  %v143 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v124, <16 x float> %v92)
  %v144 = getelementptr i8, ptr %v108, i64 128
  %v145 = load <16 x float>, ptr %v144, align 64
  %v146 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v115, <16 x float> %v93)
  %v147 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v118, <16 x float> %v94)
  %v148 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v121, <16 x float> %v95)
  %v149 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v124, <16 x float> %v96)
  %v150 = getelementptr i8, ptr %v108, i64 2432
  %v151 = load <16 x float>, ptr %v150, align 64
  %v152 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v115, <16 x float> %v97)
  %v153 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v118, <16 x float> %v98)
  %v154 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v121, <16 x float> %v99)
  %v155 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v124, <16 x float> %v100)
  %v156 = getelementptr i8, ptr %v114, i64 64
  %v157 = load <16 x float>, ptr %v156, align 64
  %v158 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v157, <16 x float> %v116)
  %v159 = getelementptr i8, ptr %v114, i64 1088
  %v160 = load <16 x float>, ptr %v159, align 64
  %v161 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v160, <16 x float> %v119)
  %v162 = getelementptr i8, ptr %v114, i64 2112
  %v163 = load <16 x float>, ptr %v162, align 64
  %v164 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v163, <16 x float> %v122)
  %v165 = getelementptr i8, ptr %v114, i64 3136
  %v166 = load <16 x float>, ptr %v165, align 64
  %v167 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v166, <16 x float> %v125)
  %v168 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v157, <16 x float> %v128)
  %v169 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v160, <16 x float> %v129)
  %v170 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v163, <16 x float> %v130)
  %v171 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v166, <16 x float> %v131)
  %v172 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v157, <16 x float> %v134)
  %v173 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v160, <16 x float> %v135)
  %v174 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v163, <16 x float> %v136)
  %v175 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v166, <16 x float> %v137)
  %v176 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v157, <16 x float> %v140)
  %v177 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v160, <16 x float> %v141)
  %v178 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v163, <16 x float> %v142)
  %v179 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v166, <16 x float> %v143)
  %v180 = getelementptr i8, ptr %v108, i64 192
  %v181 = load <16 x float>, ptr %v180, align 64
  %v182 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v181, <16 x float> %v157, <16 x float> %v146)
  %v183 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v181, <16 x float> %v160, <16 x float> %v147)
  %v184 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v181, <16 x float> %v163, <16 x float> %v148)
  %v185 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v181, <16 x float> %v166, <16 x float> %v149)
  %v186 = getelementptr i8, ptr %v108, i64 2496
  %v187 = load <16 x float>, ptr %v186, align 64
  %v188 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v187, <16 x float> %v157, <16 x float> %v152)
  %v189 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v187, <16 x float> %v160, <16 x float> %v153)
  %v190 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v187, <16 x float> %v163, <16 x float> %v154)
  %v191 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v187, <16 x float> %v166, <16 x float> %v155)
  %v76 = add nuw nsw i64 %v75, 1
  %v192 = icmp ne i64 %v76, 2
  br i1 %v192, label %ow_o.loop73, label %ow_o.done74
ow_o.done74:
  %v48 = add nuw nsw i64 %v47, 1
  %v193 = icmp ne i64 %v48, 4
  br i1 %v193, label %oh.loop45, label %oh.done46
oh.done46:
  %v20 = add nuw nsw i64 %v19, 1
  %v194 = icmp ne i64 %v20, 2
  br i1 %v194, label %n_o.loop17, label %n_o.done18
n_o.done18:
  store <16 x float> %v158, ptr %v196, align 64
  %v197 = getelementptr i8, ptr %v196, i64 1152
  store <16 x float> %v161, ptr %v197, align 64
  %v198 = getelementptr i8, ptr %v196, i64 2304
  store <16 x float> %v164, ptr %v198, align 64
  %v199 = getelementptr i8, ptr %v196, i64 3456
  store <16 x float> %v167, ptr %v199, align 64
  %v200 = getelementptr i8, ptr %v196, i64 576
  store <16 x float> %v168, ptr %v200, align 64
  %v201 = getelementptr i8, ptr %v196, i64 1728
  store <16 x float> %v169, ptr %v201, align 64
  %v202 = getelementptr i8, ptr %v196, i64 2880
  store <16 x float> %v170, ptr %v202, align 64
  %v203 = getelementptr i8, ptr %v196, i64 4032
  store <16 x float> %v171, ptr %v203, align 64
  %v204 = getelementptr i8, ptr %v196, i64 64
  store <16 x float> %v172, ptr %v204, align 64
  %v205 = getelementptr i8, ptr %v196, i64 1216
  store <16 x float> %v173, ptr %v205, align 64
  %v206 = getelementptr i8, ptr %v196, i64 2368
  store <16 x float> %v174, ptr %v206, align 64
  %v207 = getelementptr i8, ptr %v196, i64 3520
  store <16 x float> %v175, ptr %v207, align 64
  %v208 = getelementptr i8, ptr %v196, i64 640
  store <16 x float> %v176, ptr %v208, align 64
  %v209 = getelementptr i8, ptr %v196, i64 1792
  store <16 x float> %v177, ptr %v209, align 64
  %v210 = getelementptr i8, ptr %v196, i64 2944
  store <16 x float> %v178, ptr %v210, align 64
  %v211 = getelementptr i8, ptr %v196, i64 4096
  store <16 x float> %v179, ptr %v211, align 64
  %v212 = getelementptr i8, ptr %v196, i64 128
  store <16 x float> %v182, ptr %v212, align 64
  %v213 = getelementptr i8, ptr %v196, i64 1280
  store <16 x float> %v183, ptr %v213, align 64
  %v214 = getelementptr i8, ptr %v196, i64 2432
  store <16 x float> %v184, ptr %v214, align 64
  %v215 = getelementptr i8, ptr %v196, i64 3584
  store <16 x float> %v185, ptr %v215, align 64
  %v216 = getelementptr i8, ptr %v196, i64 704
  store <16 x float> %v188, ptr %v216, align 64
  %v217 = getelementptr i8, ptr %v196, i64 1856
  store <16 x float> %v189, ptr %v217, align 64
  %v218 = getelementptr i8, ptr %v196, i64 3008
  store <16 x float> %v190, ptr %v218, align 64
  %v219 = getelementptr i8, ptr %v196, i64 4160
  store <16 x float> %v191, ptr %v219, align 64
  %v16 = add nuw nsw i64 %v15, 1
  %v220 = icmp ne i64 %v16, 3
  br i1 %v220, label %kh.loop13, label %kh.done14
kh.done14:
  br label %co_i.second.loop221
co_i.second.loop221:
  %v223 = phi i64 [ 0, %kh.done14 ], [ %v224, %co_i.second.loop221 ]
  %v225 = mul nsw i64 %v223, 1152
  %v226 = getelementptr i8, ptr %v7, i64 %v225
  %v337 = mul nsw i64 %v223, 72
  %v338 = getelementptr i8, ptr %v6, i64 %v337
  %v227 = load <16 x float>, ptr %v226, align 64
  %v228 = getelementptr i8, ptr %v226, i64 64
  %v229 = load <16 x float>, ptr %v228, align 64
  %v230 = getelementptr i8, ptr %v226, i64 128
  %v231 = load <16 x float>, ptr %v230, align 64
  %v232 = getelementptr i8, ptr %v226, i64 192
  %v233 = load <16 x float>, ptr %v232, align 64
  %v234 = getelementptr i8, ptr %v226, i64 256
  %v235 = load <16 x float>, ptr %v234, align 64
  %v236 = getelementptr i8, ptr %v226, i64 320
  %v237 = load <16 x float>, ptr %v236, align 64
  %v238 = getelementptr i8, ptr %v226, i64 384
  %v239 = load <16 x float>, ptr %v238, align 64
  %v240 = getelementptr i8, ptr %v226, i64 448
  %v241 = load <16 x float>, ptr %v240, align 64
  %v242 = getelementptr i8, ptr %v226, i64 512
  %v243 = load <16 x float>, ptr %v242, align 64
  %v244 = getelementptr i8, ptr %v226, i64 576
  %v245 = load <16 x float>, ptr %v244, align 64
  %v246 = getelementptr i8, ptr %v226, i64 640
  %v247 = load <16 x float>, ptr %v246, align 64
  %v248 = getelementptr i8, ptr %v226, i64 704
  %v249 = load <16 x float>, ptr %v248, align 64
  %v250 = getelementptr i8, ptr %v226, i64 768
  %v251 = load <16 x float>, ptr %v250, align 64
  %v252 = getelementptr i8, ptr %v226, i64 832
  %v253 = load <16 x float>, ptr %v252, align 64
  %v254 = getelementptr i8, ptr %v226, i64 896
  %v255 = load <16 x float>, ptr %v254, align 64
  %v256 = getelementptr i8, ptr %v226, i64 960
  %v257 = load <16 x float>, ptr %v256, align 64
  %v258 = shufflevector <16 x float> %v227, <16 x float> %v229, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v259 = shufflevector <16 x float> %v227, <16 x float> %v229, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v260 = shufflevector <16 x float> %v231, <16 x float> %v233, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v261 = shufflevector <16 x float> %v231, <16 x float> %v233, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v262 = shufflevector <16 x float> %v235, <16 x float> %v237, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v263 = shufflevector <16 x float> %v235, <16 x float> %v237, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v264 = shufflevector <16 x float> %v239, <16 x float> %v241, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v265 = shufflevector <16 x float> %v239, <16 x float> %v241, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v266 = shufflevector <16 x float> %v243, <16 x float> %v245, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v267 = shufflevector <16 x float> %v243, <16 x float> %v245, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v268 = shufflevector <16 x float> %v247, <16 x float> %v249, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v269 = shufflevector <16 x float> %v247, <16 x float> %v249, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v270 = shufflevector <16 x float> %v251, <16 x float> %v253, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v271 = shufflevector <16 x float> %v251, <16 x float> %v253, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v272 = shufflevector <16 x float> %v255, <16 x float> %v257, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v273 = shufflevector <16 x float> %v255, <16 x float> %v257, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v274 = shufflevector <16 x float> %v258, <16 x float> %v260, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v275 = shufflevector <16 x float> %v258, <16 x float> %v260, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v276 = shufflevector <16 x float> %v259, <16 x float> %v261, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v277 = shufflevector <16 x float> %v259, <16 x float> %v261, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v278 = shufflevector <16 x float> %v262, <16 x float> %v264, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v279 = shufflevector <16 x float> %v262, <16 x float> %v264, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v280 = shufflevector <16 x float> %v263, <16 x float> %v265, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v281 = shufflevector <16 x float> %v263, <16 x float> %v265, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v282 = shufflevector <16 x float> %v266, <16 x float> %v268, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v283 = shufflevector <16 x float> %v266, <16 x float> %v268, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v284 = shufflevector <16 x float> %v267, <16 x float> %v269, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v285 = shufflevector <16 x float> %v267, <16 x float> %v269, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v286 = shufflevector <16 x float> %v270, <16 x float> %v272, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v287 = shufflevector <16 x float> %v270, <16 x float> %v272, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v288 = shufflevector <16 x float> %v271, <16 x float> %v273, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v289 = shufflevector <16 x float> %v271, <16 x float> %v273, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v290 = shufflevector <16 x float> %v274, <16 x float> %v278, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v291 = shufflevector <16 x float> %v274, <16 x float> %v278, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v292 = shufflevector <16 x float> %v276, <16 x float> %v280, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v293 = shufflevector <16 x float> %v276, <16 x float> %v280, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v294 = shufflevector <16 x float> %v275, <16 x float> %v279, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v295 = shufflevector <16 x float> %v275, <16 x float> %v279, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v296 = shufflevector <16 x float> %v277, <16 x float> %v281, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v297 = shufflevector <16 x float> %v277, <16 x float> %v281, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v298 = shufflevector <16 x float> %v282, <16 x float> %v286, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v299 = shufflevector <16 x float> %v282, <16 x float> %v286, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v300 = shufflevector <16 x float> %v284, <16 x float> %v288, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v301 = shufflevector <16 x float> %v284, <16 x float> %v288, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v302 = shufflevector <16 x float> %v283, <16 x float> %v287, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v303 = shufflevector <16 x float> %v283, <16 x float> %v287, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v304 = shufflevector <16 x float> %v285, <16 x float> %v289, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v305 = shufflevector <16 x float> %v285, <16 x float> %v289, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v306 = shufflevector <16 x float> %v290, <16 x float> %v298, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v307 = shufflevector <16 x float> %v290, <16 x float> %v298, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v308 = shufflevector <16 x float> %v292, <16 x float> %v300, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v309 = shufflevector <16 x float> %v292, <16 x float> %v300, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v310 = shufflevector <16 x float> %v294, <16 x float> %v302, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v311 = shufflevector <16 x float> %v294, <16 x float> %v302, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v312 = shufflevector <16 x float> %v296, <16 x float> %v304, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v313 = shufflevector <16 x float> %v296, <16 x float> %v304, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v314 = shufflevector <16 x float> %v291, <16 x float> %v299, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v315 = shufflevector <16 x float> %v291, <16 x float> %v299, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v316 = shufflevector <16 x float> %v293, <16 x float> %v301, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v317 = shufflevector <16 x float> %v293, <16 x float> %v301, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v318 = shufflevector <16 x float> %v295, <16 x float> %v303, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v319 = shufflevector <16 x float> %v295, <16 x float> %v303, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v320 = shufflevector <16 x float> %v297, <16 x float> %v305, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v321 = shufflevector <16 x float> %v297, <16 x float> %v305, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v322 = fadd <16 x float> %v308, %v306
  %v323 = fadd <16 x float> %v310, %v322
  %v324 = fadd <16 x float> %v312, %v323
  %v325 = fadd <16 x float> %v314, %v324
  %v326 = fadd <16 x float> %v316, %v325
  %v327 = fadd <16 x float> %v318, %v326
  %v328 = fadd <16 x float> %v320, %v327
  %v329 = fadd <16 x float> %v307, %v328
  %v330 = fadd <16 x float> %v309, %v329
  %v331 = fadd <16 x float> %v311, %v330
  %v332 = fadd <16 x float> %v313, %v331
  %v333 = fadd <16 x float> %v315, %v332
  %v334 = fadd <16 x float> %v317, %v333
  %v335 = fadd <16 x float> %v319, %v334
  %v336 = fadd <16 x float> %v321, %v335
  store <16 x float> %v336, ptr %v338, align 4
  %v339 = getelementptr i8, ptr %v226, i64 1024
  %v340 = load <16 x float>, ptr %v339, align 64
  %v341 = getelementptr i8, ptr %v226, i64 1088
  %v342 = load <16 x float>, ptr %v341, align 64
  %v343 = shufflevector <16 x float> %v340, <16 x float> %v342, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v344 = shufflevector <16 x float> %v340, <16 x float> %v342, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v345 = shufflevector <16 x float> %v343, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v346 = shufflevector <16 x float> %v343, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v347 = shufflevector <16 x float> %v344, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v348 = shufflevector <16 x float> %v344, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v349 = shufflevector <16 x float> %v345, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v350 = shufflevector <16 x float> %v345, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v351 = shufflevector <16 x float> %v347, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v352 = shufflevector <16 x float> %v347, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v353 = shufflevector <16 x float> %v346, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v354 = shufflevector <16 x float> %v346, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v355 = shufflevector <16 x float> %v348, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v356 = shufflevector <16 x float> %v348, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v357 = shufflevector <16 x float> %v349, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v358 = shufflevector <16 x float> %v349, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v359 = shufflevector <16 x float> %v351, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v360 = shufflevector <16 x float> %v351, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v361 = shufflevector <16 x float> %v353, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v362 = shufflevector <16 x float> %v353, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v363 = shufflevector <16 x float> %v355, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v364 = shufflevector <16 x float> %v355, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v365 = shufflevector <16 x float> %v350, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v366 = shufflevector <16 x float> %v350, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v367 = shufflevector <16 x float> %v352, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v368 = shufflevector <16 x float> %v352, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v369 = shufflevector <16 x float> %v354, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v370 = shufflevector <16 x float> %v354, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v371 = shufflevector <16 x float> %v356, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v372 = shufflevector <16 x float> %v356, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v373 = shufflevector <16 x float> %v357, <16 x float> %v357, <2 x i32> <i32 0, i32 1>
  %v374 = shufflevector <16 x float> %v359, <16 x float> %v359, <2 x i32> <i32 0, i32 1>
  %v375 = shufflevector <16 x float> %v361, <16 x float> %v361, <2 x i32> <i32 0, i32 1>
  %v376 = shufflevector <16 x float> %v363, <16 x float> %v363, <2 x i32> <i32 0, i32 1>
  %v377 = shufflevector <16 x float> %v365, <16 x float> %v365, <2 x i32> <i32 0, i32 1>
  %v378 = shufflevector <16 x float> %v367, <16 x float> %v367, <2 x i32> <i32 0, i32 1>
  %v379 = shufflevector <16 x float> %v369, <16 x float> %v369, <2 x i32> <i32 0, i32 1>
  %v380 = shufflevector <16 x float> %v371, <16 x float> %v371, <2 x i32> <i32 0, i32 1>
  %v381 = shufflevector <16 x float> %v358, <16 x float> %v358, <2 x i32> <i32 0, i32 1>
  %v382 = shufflevector <16 x float> %v360, <16 x float> %v360, <2 x i32> <i32 0, i32 1>
  %v383 = shufflevector <16 x float> %v362, <16 x float> %v362, <2 x i32> <i32 0, i32 1>
  %v384 = shufflevector <16 x float> %v364, <16 x float> %v364, <2 x i32> <i32 0, i32 1>
  %v385 = shufflevector <16 x float> %v366, <16 x float> %v366, <2 x i32> <i32 0, i32 1>
  %v386 = shufflevector <16 x float> %v368, <16 x float> %v368, <2 x i32> <i32 0, i32 1>
  %v387 = shufflevector <16 x float> %v370, <16 x float> %v370, <2 x i32> <i32 0, i32 1>
  %v388 = shufflevector <16 x float> %v372, <16 x float> %v372, <2 x i32> <i32 0, i32 1>
  %v389 = fadd <2 x float> %v374, %v373
  %v390 = fadd <2 x float> %v375, %v389
  %v391 = fadd <2 x float> %v376, %v390
  %v392 = fadd <2 x float> %v377, %v391
  %v393 = fadd <2 x float> %v378, %v392
  %v394 = fadd <2 x float> %v379, %v393
  %v395 = fadd <2 x float> %v380, %v394
  %v396 = fadd <2 x float> %v381, %v395
  %v397 = fadd <2 x float> %v382, %v396
  %v398 = fadd <2 x float> %v383, %v397
  %v399 = fadd <2 x float> %v384, %v398
  %v400 = fadd <2 x float> %v385, %v399
  %v401 = fadd <2 x float> %v386, %v400
  %v402 = fadd <2 x float> %v387, %v401
  %v403 = fadd <2 x float> %v388, %v402
  %v404 = getelementptr i8, ptr %v338, i64 64
  store <2 x float> %v403, ptr %v404, align 4
  %v224 = add nuw nsw i64 %v223, 1
  %v405 = icmp ne i64 %v224, 4
  br i1 %v405, label %co_i.second.loop221, label %co_i.second.done222
co_i.second.done222:
  %v12 = add nuw nsw i64 %v11, 1
  %v406 = icmp ne i64 %v12, %hi
  br i1 %v406, label %items.loop8, label %items.done9
items.done9:
  ret void
}
