define void @k_b1b7a7b4b1ced6cf(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
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
  %v414 = phi i64 [ %lo, %entry ], [ %v416, %co_i.second.done228 ]
  %v223 = getelementptr i8, ptr %v2, i64 1152
  br label %kh.loop12
kh.loop12:
  %v96 = phi ptr [ %v2, %items.loop8 ], [ %v222, %n_o.done16 ]
  %v197 = phi ptr [ %v7, %items.loop8 ], [ %v225, %n_o.done16 ]
  %v193 = getelementptr i8, ptr %v96, i64 9216
  br label %n_o.loop15
n_o.loop15:
  %v97 = phi ptr [ %v96, %kh.loop12 ], [ %v192, %oh.done43 ]
  %v101 = phi ptr [ %v4, %kh.loop12 ], [ %v195, %oh.done43 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v147, %oh.done43 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v150, %oh.done43 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v153, %oh.done43 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v156, %oh.done43 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v157, %oh.done43 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v158, %oh.done43 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v159, %oh.done43 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v160, %oh.done43 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v161, %oh.done43 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v162, %oh.done43 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v163, %oh.done43 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v164, %oh.done43 ]
  %v30 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v165, %oh.done43 ]
  %v31 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v166, %oh.done43 ]
  %v32 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v167, %oh.done43 ]
  %v33 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v168, %oh.done43 ]
  %v34 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v171, %oh.done43 ]
  %v35 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v172, %oh.done43 ]
  %v36 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v173, %oh.done43 ]
  %v37 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v174, %oh.done43 ]
  %v38 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v177, %oh.done43 ]
  %v39 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v178, %oh.done43 ]
  %v40 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v179, %oh.done43 ]
  %v41 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v180, %oh.done43 ]
  %v187 = getelementptr i8, ptr %v97, i64 1536
  br label %oh.loop42
oh.loop42:
  %v98 = phi ptr [ %v97, %n_o.loop15 ], [ %v186, %ow_o.done70 ]
  %v102 = phi ptr [ %v101, %n_o.loop15 ], [ %v189, %ow_o.done70 ]
  %v45 = phi <16 x float> [ %v18, %n_o.loop15 ], [ %v147, %ow_o.done70 ]
  %v46 = phi <16 x float> [ %v19, %n_o.loop15 ], [ %v150, %ow_o.done70 ]
  %v47 = phi <16 x float> [ %v20, %n_o.loop15 ], [ %v153, %ow_o.done70 ]
  %v48 = phi <16 x float> [ %v21, %n_o.loop15 ], [ %v156, %ow_o.done70 ]
  %v49 = phi <16 x float> [ %v22, %n_o.loop15 ], [ %v157, %ow_o.done70 ]
  %v50 = phi <16 x float> [ %v23, %n_o.loop15 ], [ %v158, %ow_o.done70 ]
  %v51 = phi <16 x float> [ %v24, %n_o.loop15 ], [ %v159, %ow_o.done70 ]
  %v52 = phi <16 x float> [ %v25, %n_o.loop15 ], [ %v160, %ow_o.done70 ]
  %v53 = phi <16 x float> [ %v26, %n_o.loop15 ], [ %v161, %ow_o.done70 ]
  %v54 = phi <16 x float> [ %v27, %n_o.loop15 ], [ %v162, %ow_o.done70 ]
  %v55 = phi <16 x float> [ %v28, %n_o.loop15 ], [ %v163, %ow_o.done70 ]
  %v56 = phi <16 x float> [ %v29, %n_o.loop15 ], [ %v164, %ow_o.done70 ]
  %v57 = phi <16 x float> [ %v30, %n_o.loop15 ], [ %v165, %ow_o.done70 ]
  %v58 = phi <16 x float> [ %v31, %n_o.loop15 ], [ %v166, %ow_o.done70 ]
  %v59 = phi <16 x float> [ %v32, %n_o.loop15 ], [ %v167, %ow_o.done70 ]
  %v60 = phi <16 x float> [ %v33, %n_o.loop15 ], [ %v168, %ow_o.done70 ]
  %v61 = phi <16 x float> [ %v34, %n_o.loop15 ], [ %v171, %ow_o.done70 ]
  %v62 = phi <16 x float> [ %v35, %n_o.loop15 ], [ %v172, %ow_o.done70 ]
  %v63 = phi <16 x float> [ %v36, %n_o.loop15 ], [ %v173, %ow_o.done70 ]
  %v64 = phi <16 x float> [ %v37, %n_o.loop15 ], [ %v174, %ow_o.done70 ]
  %v65 = phi <16 x float> [ %v38, %n_o.loop15 ], [ %v177, %ow_o.done70 ]
  %v66 = phi <16 x float> [ %v39, %n_o.loop15 ], [ %v178, %ow_o.done70 ]
  %v67 = phi <16 x float> [ %v40, %n_o.loop15 ], [ %v179, %ow_o.done70 ]
  %v68 = phi <16 x float> [ %v41, %n_o.loop15 ], [ %v180, %ow_o.done70 ]
  br label %ow_o.loop69
ow_o.loop69:
  %v181 = phi i64 [ 0, %oh.loop42 ], [ %v183, %ow_o.loop69 ]
  %v72 = phi <16 x float> [ %v45, %oh.loop42 ], [ %v147, %ow_o.loop69 ]
  %v73 = phi <16 x float> [ %v46, %oh.loop42 ], [ %v150, %ow_o.loop69 ]
  %v74 = phi <16 x float> [ %v47, %oh.loop42 ], [ %v153, %ow_o.loop69 ]
  %v75 = phi <16 x float> [ %v48, %oh.loop42 ], [ %v156, %ow_o.loop69 ]
  %v76 = phi <16 x float> [ %v49, %oh.loop42 ], [ %v157, %ow_o.loop69 ]
  %v77 = phi <16 x float> [ %v50, %oh.loop42 ], [ %v158, %ow_o.loop69 ]
  %v78 = phi <16 x float> [ %v51, %oh.loop42 ], [ %v159, %ow_o.loop69 ]
  %v79 = phi <16 x float> [ %v52, %oh.loop42 ], [ %v160, %ow_o.loop69 ]
  %v80 = phi <16 x float> [ %v53, %oh.loop42 ], [ %v161, %ow_o.loop69 ]
  %v81 = phi <16 x float> [ %v54, %oh.loop42 ], [ %v162, %ow_o.loop69 ]
  %v82 = phi <16 x float> [ %v55, %oh.loop42 ], [ %v163, %ow_o.loop69 ]
  %v83 = phi <16 x float> [ %v56, %oh.loop42 ], [ %v164, %ow_o.loop69 ]
  %v84 = phi <16 x float> [ %v57, %oh.loop42 ], [ %v165, %ow_o.loop69 ]
  %v85 = phi <16 x float> [ %v58, %oh.loop42 ], [ %v166, %ow_o.loop69 ]
  %v86 = phi <16 x float> [ %v59, %oh.loop42 ], [ %v167, %ow_o.loop69 ]
  %v87 = phi <16 x float> [ %v60, %oh.loop42 ], [ %v168, %ow_o.loop69 ]
  %v88 = phi <16 x float> [ %v61, %oh.loop42 ], [ %v171, %ow_o.loop69 ]
  %v89 = phi <16 x float> [ %v62, %oh.loop42 ], [ %v172, %ow_o.loop69 ]
  %v90 = phi <16 x float> [ %v63, %oh.loop42 ], [ %v173, %ow_o.loop69 ]
  %v91 = phi <16 x float> [ %v64, %oh.loop42 ], [ %v174, %ow_o.loop69 ]
  %v92 = phi <16 x float> [ %v65, %oh.loop42 ], [ %v177, %ow_o.loop69 ]
  %v93 = phi <16 x float> [ %v66, %oh.loop42 ], [ %v178, %ow_o.loop69 ]
  %v94 = phi <16 x float> [ %v67, %oh.loop42 ], [ %v179, %ow_o.loop69 ]
  %v95 = phi <16 x float> [ %v68, %oh.loop42 ], [ %v180, %ow_o.loop69 ]
  %v99 = getelementptr i8, ptr %v98, i64 %v181
  %v103 = getelementptr i8, ptr %v102, i64 %v181
  %v100 = load <16 x float>, ptr %v99, align 64
  %v104 = load <16 x float>, ptr %v103, align 64
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v104, <16 x float> %v72)
  %v106 = getelementptr i8, ptr %v103, i64 1024
  %v107 = load <16 x float>, ptr %v106, align 64
  %v108 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v107, <16 x float> %v73)
  %v109 = getelementptr i8, ptr %v103, i64 2048
  %v110 = load <16 x float>, ptr %v109, align 64
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v110, <16 x float> %v74)
  %v112 = getelementptr i8, ptr %v103, i64 3072
  %v113 = load <16 x float>, ptr %v112, align 64
  %v114 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v113, <16 x float> %v75)
  %v115 = getelementptr i8, ptr %v99, i64 2304
  %v116 = load <16 x float>, ptr %v115, align 64
  %v117 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v104, <16 x float> %v76)
  %v118 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v107, <16 x float> %v77)
  %v119 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v110, <16 x float> %v78)
  %v120 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v113, <16 x float> %v79)
  %v121 = getelementptr i8, ptr %v99, i64 64
  %v122 = load <16 x float>, ptr %v121, align 64
  %v123 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v104, <16 x float> %v80)
  %v124 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v107, <16 x float> %v81)
  %v125 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v110, <16 x float> %v82)
  %v126 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v113, <16 x float> %v83)
  %v127 = getelementptr i8, ptr %v99, i64 2368
  %v128 = load <16 x float>, ptr %v127, align 64
  %v129 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v104, <16 x float> %v84)
  %v130 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v107, <16 x float> %v85)
  %v131 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v110, <16 x float> %v86)
  %v132 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v113, <16 x float> %v87)
  %v133 = getelementptr i8, ptr %v99, i64 128
  %v134 = load <16 x float>, ptr %v133, align 64
  %v135 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v134, <16 x float> %v104, <16 x float> %v88)
  %v136 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v134, <16 x float> %v107, <16 x float> %v89)
  %v137 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v134, <16 x float> %v110, <16 x float> %v90)
  %v138 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v134, <16 x float> %v113, <16 x float> %v91)
  %v139 = getelementptr i8, ptr %v99, i64 2432
  %v140 = load <16 x float>, ptr %v139, align 64
  %v141 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v140, <16 x float> %v104, <16 x float> %v92)
  %v142 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v140, <16 x float> %v107, <16 x float> %v93)
  %v143 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v140, <16 x float> %v110, <16 x float> %v94)
  %v144 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v140, <16 x float> %v113, <16 x float> %v95)
  %v145 = getelementptr i8, ptr %v103, i64 64
  %v146 = load <16 x float>, ptr %v145, align 64
  %v147 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v146, <16 x float> %v105)
  %v148 = getelementptr i8, ptr %v103, i64 1088
  %v149 = load <16 x float>, ptr %v148, align 64
  %v150 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v149, <16 x float> %v108)
  %v151 = getelementptr i8, ptr %v103, i64 2112
  %v152 = load <16 x float>, ptr %v151, align 64
  %v153 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v152, <16 x float> %v111)
  %v154 = getelementptr i8, ptr %v103, i64 3136
  %v155 = load <16 x float>, ptr %v154, align 64
  %v156 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v155, <16 x float> %v114)
  %v157 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v146, <16 x float> %v117)
  %v158 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v149, <16 x float> %v118)
  %v159 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v152, <16 x float> %v119)
  %v160 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v155, <16 x float> %v120)
  %v161 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v134, <16 x float> %v146, <16 x float> %v123)
  %v162 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v134, <16 x float> %v149, <16 x float> %v124)
  %v163 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v134, <16 x float> %v152, <16 x float> %v125)
  %v164 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v134, <16 x float> %v155, <16 x float> %v126)
  %v165 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v140, <16 x float> %v146, <16 x float> %v129)
  %v166 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v140, <16 x float> %v149, <16 x float> %v130)
  %v167 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v140, <16 x float> %v152, <16 x float> %v131)
  %v168 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v140, <16 x float> %v155, <16 x float> %v132)
  %v169 = getelementptr i8, ptr %v99, i64 192
  %v170 = load <16 x float>, ptr %v169, align 64
  %v171 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v170, <16 x float> %v146, <16 x float> %v135)
  %v172 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v170, <16 x float> %v149, <16 x float> %v136)
  %v173 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v170, <16 x float> %v152, <16 x float> %v137)
  %v174 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v170, <16 x float> %v155, <16 x float> %v138)
  %v175 = getelementptr i8, ptr %v99, i64 2496
  %v176 = load <16 x float>, ptr %v175, align 64
  %v177 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v176, <16 x float> %v146, <16 x float> %v141)
  %v178 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v176, <16 x float> %v149, <16 x float> %v142)
  %v179 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v176, <16 x float> %v152, <16 x float> %v143)
  %v180 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v176, <16 x float> %v155, <16 x float> %v144)
  %v182 = add nsw i64 %v181, 128
  %v183 = freeze i64 %v182
  %v184 = icmp ne i64 %v183, 256
  br i1 %v184, label %ow_o.loop69, label %ow_o.done70
ow_o.done70:
  %v185 = getelementptr i8, ptr %v98, i64 384
  %v186 = freeze ptr %v185
  %v188 = getelementptr i8, ptr %v102, i64 256
  %v189 = freeze ptr %v188
  %v190 = icmp ne ptr %v186, %v187
  br i1 %v190, label %oh.loop42, label %oh.done43
oh.done43:
  %v191 = getelementptr i8, ptr %v97, i64 4608
  %v192 = freeze ptr %v191
  %v194 = getelementptr i8, ptr %v101, i64 4096
  %v195 = freeze ptr %v194
  %v196 = icmp ne ptr %v192, %v193
  br i1 %v196, label %n_o.loop15, label %n_o.done16
n_o.done16:
  store <16 x float> %v147, ptr %v197, align 64
  %v198 = getelementptr i8, ptr %v197, i64 1152
  store <16 x float> %v150, ptr %v198, align 64
  %v199 = getelementptr i8, ptr %v197, i64 2304
  store <16 x float> %v153, ptr %v199, align 64
  %v200 = getelementptr i8, ptr %v197, i64 3456
  store <16 x float> %v156, ptr %v200, align 64
  %v201 = getelementptr i8, ptr %v197, i64 576
  store <16 x float> %v157, ptr %v201, align 64
  %v202 = getelementptr i8, ptr %v197, i64 1728
  store <16 x float> %v158, ptr %v202, align 64
  %v203 = getelementptr i8, ptr %v197, i64 2880
  store <16 x float> %v159, ptr %v203, align 64
  %v204 = getelementptr i8, ptr %v197, i64 4032
  store <16 x float> %v160, ptr %v204, align 64
  %v205 = getelementptr i8, ptr %v197, i64 64
  store <16 x float> %v161, ptr %v205, align 64
  %v206 = getelementptr i8, ptr %v197, i64 1216
  store <16 x float> %v162, ptr %v206, align 64
  %v207 = getelementptr i8, ptr %v197, i64 2368
  store <16 x float> %v163, ptr %v207, align 64
  %v208 = getelementptr i8, ptr %v197, i64 3520
  store <16 x float> %v164, ptr %v208, align 64
  %v209 = getelementptr i8, ptr %v197, i64 640
  store <16 x float> %v165, ptr %v209, align 64
  %v210 = getelementptr i8, ptr %v197, i64 1792
  store <16 x float> %v166, ptr %v210, align 64
  %v211 = getelementptr i8, ptr %v197, i64 2944
  store <16 x float> %v167, ptr %v211, align 64
  %v212 = getelementptr i8, ptr %v197, i64 4096
  store <16 x float> %v168, ptr %v212, align 64
  %v213 = getelementptr i8, ptr %v197, i64 128
  store <16 x float> %v171, ptr %v213, align 64
  %v214 = getelementptr i8, ptr %v197, i64 1280
  store <16 x float> %v172, ptr %v214, align 64
  %v215 = getelementptr i8, ptr %v197, i64 2432
  store <16 x float> %v173, ptr %v215, align 64
  %v216 = getelementptr i8, ptr %v197, i64 3584
  store <16 x float> %v174, ptr %v216, align 64
  %v217 = getelementptr i8, ptr %v197, i64 704
  store <16 x float> %v177, ptr %v217, align 64
  %v218 = getelementptr i8, ptr %v197, i64 1856
  store <16 x float> %v178, ptr %v218, align 64
  %v219 = getelementptr i8, ptr %v197, i64 3008
  store <16 x float> %v179, ptr %v219, align 64
  %v220 = getelementptr i8, ptr %v197, i64 4160
  store <16 x float> %v180, ptr %v220, align 64
  %v221 = getelementptr i8, ptr %v96, i64 384
  %v222 = freeze ptr %v221
  %v224 = getelementptr i8, ptr %v197, i64 192
  %v225 = freeze ptr %v224
  %v226 = icmp ne ptr %v222, %v223
  br i1 %v226, label %kh.loop12, label %kh.done13
kh.done13:
  %v410 = getelementptr i8, ptr %v7, i64 4608
  br label %co_i.second.loop227
co_i.second.loop227:
  %v230 = phi ptr [ %v7, %kh.done13 ], [ %v409, %co_i.second.loop227 ]
  %v341 = phi ptr [ %v6, %kh.done13 ], [ %v412, %co_i.second.loop227 ]
  %v231 = load <16 x float>, ptr %v230, align 64
  %v232 = getelementptr i8, ptr %v230, i64 64
  %v233 = load <16 x float>, ptr %v232, align 64
  %v234 = getelementptr i8, ptr %v230, i64 128
  %v235 = load <16 x float>, ptr %v234, align 64
  %v236 = getelementptr i8, ptr %v230, i64 192
  %v237 = load <16 x float>, ptr %v236, align 64
  %v238 = getelementptr i8, ptr %v230, i64 256
  %v239 = load <16 x float>, ptr %v238, align 64
  %v240 = getelementptr i8, ptr %v230, i64 320
  %v241 = load <16 x float>, ptr %v240, align 64
  %v242 = getelementptr i8, ptr %v230, i64 384
  %v243 = load <16 x float>, ptr %v242, align 64
  %v244 = getelementptr i8, ptr %v230, i64 448
  %v245 = load <16 x float>, ptr %v244, align 64
  %v246 = getelementptr i8, ptr %v230, i64 512
  %v247 = load <16 x float>, ptr %v246, align 64
  %v248 = getelementptr i8, ptr %v230, i64 576
  %v249 = load <16 x float>, ptr %v248, align 64
  %v250 = getelementptr i8, ptr %v230, i64 640
  %v251 = load <16 x float>, ptr %v250, align 64
  %v252 = getelementptr i8, ptr %v230, i64 704
  %v253 = load <16 x float>, ptr %v252, align 64
  %v254 = getelementptr i8, ptr %v230, i64 768
  %v255 = load <16 x float>, ptr %v254, align 64
  %v256 = getelementptr i8, ptr %v230, i64 832
  %v257 = load <16 x float>, ptr %v256, align 64
  %v258 = getelementptr i8, ptr %v230, i64 896
  %v259 = load <16 x float>, ptr %v258, align 64
  %v260 = getelementptr i8, ptr %v230, i64 960
  %v261 = load <16 x float>, ptr %v260, align 64
  %v262 = shufflevector <16 x float> %v231, <16 x float> %v233, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v263 = shufflevector <16 x float> %v231, <16 x float> %v233, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v264 = shufflevector <16 x float> %v235, <16 x float> %v237, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v265 = shufflevector <16 x float> %v235, <16 x float> %v237, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v266 = shufflevector <16 x float> %v239, <16 x float> %v241, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v267 = shufflevector <16 x float> %v239, <16 x float> %v241, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v268 = shufflevector <16 x float> %v243, <16 x float> %v245, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v269 = shufflevector <16 x float> %v243, <16 x float> %v245, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v270 = shufflevector <16 x float> %v247, <16 x float> %v249, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v271 = shufflevector <16 x float> %v247, <16 x float> %v249, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v272 = shufflevector <16 x float> %v251, <16 x float> %v253, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v273 = shufflevector <16 x float> %v251, <16 x float> %v253, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v274 = shufflevector <16 x float> %v255, <16 x float> %v257, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v275 = shufflevector <16 x float> %v255, <16 x float> %v257, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v276 = shufflevector <16 x float> %v259, <16 x float> %v261, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v277 = shufflevector <16 x float> %v259, <16 x float> %v261, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
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
  %v290 = shufflevector <16 x float> %v274, <16 x float> %v276, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v291 = shufflevector <16 x float> %v274, <16 x float> %v276, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v292 = shufflevector <16 x float> %v275, <16 x float> %v277, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v293 = shufflevector <16 x float> %v275, <16 x float> %v277, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v294 = shufflevector <16 x float> %v278, <16 x float> %v282, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v295 = shufflevector <16 x float> %v278, <16 x float> %v282, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v296 = shufflevector <16 x float> %v280, <16 x float> %v284, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v297 = shufflevector <16 x float> %v280, <16 x float> %v284, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v298 = shufflevector <16 x float> %v279, <16 x float> %v283, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v299 = shufflevector <16 x float> %v279, <16 x float> %v283, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v300 = shufflevector <16 x float> %v281, <16 x float> %v285, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v301 = shufflevector <16 x float> %v281, <16 x float> %v285, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v302 = shufflevector <16 x float> %v286, <16 x float> %v290, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v303 = shufflevector <16 x float> %v286, <16 x float> %v290, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v304 = shufflevector <16 x float> %v288, <16 x float> %v292, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v305 = shufflevector <16 x float> %v288, <16 x float> %v292, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v306 = shufflevector <16 x float> %v287, <16 x float> %v291, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v307 = shufflevector <16 x float> %v287, <16 x float> %v291, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v308 = shufflevector <16 x float> %v289, <16 x float> %v293, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v309 = shufflevector <16 x float> %v289, <16 x float> %v293, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v310 = shufflevector <16 x float> %v294, <16 x float> %v302, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v311 = shufflevector <16 x float> %v294, <16 x float> %v302, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v312 = shufflevector <16 x float> %v296, <16 x float> %v304, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v313 = shufflevector <16 x float> %v296, <16 x float> %v304, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v314 = shufflevector <16 x float> %v298, <16 x float> %v306, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v315 = shufflevector <16 x float> %v298, <16 x float> %v306, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v316 = shufflevector <16 x float> %v300, <16 x float> %v308, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v317 = shufflevector <16 x float> %v300, <16 x float> %v308, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v318 = shufflevector <16 x float> %v295, <16 x float> %v303, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v319 = shufflevector <16 x float> %v295, <16 x float> %v303, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v320 = shufflevector <16 x float> %v297, <16 x float> %v305, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v321 = shufflevector <16 x float> %v297, <16 x float> %v305, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v322 = shufflevector <16 x float> %v299, <16 x float> %v307, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v323 = shufflevector <16 x float> %v299, <16 x float> %v307, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v324 = shufflevector <16 x float> %v301, <16 x float> %v309, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v325 = shufflevector <16 x float> %v301, <16 x float> %v309, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v326 = fadd <16 x float> %v312, %v310
  %v327 = fadd <16 x float> %v314, %v326
  %v328 = fadd <16 x float> %v316, %v327
  %v329 = fadd <16 x float> %v318, %v328
  %v330 = fadd <16 x float> %v320, %v329
  %v331 = fadd <16 x float> %v322, %v330
  %v332 = fadd <16 x float> %v324, %v331
  %v333 = fadd <16 x float> %v311, %v332
  %v334 = fadd <16 x float> %v313, %v333
  %v335 = fadd <16 x float> %v315, %v334
  %v336 = fadd <16 x float> %v317, %v335
  %v337 = fadd <16 x float> %v319, %v336
  %v338 = fadd <16 x float> %v321, %v337
  %v339 = fadd <16 x float> %v323, %v338
  %v340 = fadd <16 x float> %v325, %v339
  store <16 x float> %v340, ptr %v341, align 4
  %v342 = getelementptr i8, ptr %v230, i64 1024
  %v343 = load <16 x float>, ptr %v342, align 64
  %v344 = getelementptr i8, ptr %v230, i64 1088
  %v345 = load <16 x float>, ptr %v344, align 64
  %v346 = shufflevector <16 x float> %v343, <16 x float> %v345, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v347 = shufflevector <16 x float> %v343, <16 x float> %v345, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v348 = shufflevector <16 x float> %v346, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v349 = shufflevector <16 x float> %v346, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v350 = shufflevector <16 x float> %v347, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v351 = shufflevector <16 x float> %v347, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v352 = shufflevector <16 x float> %v348, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v353 = shufflevector <16 x float> %v348, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v354 = shufflevector <16 x float> %v350, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v355 = shufflevector <16 x float> %v350, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v356 = shufflevector <16 x float> %v349, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v357 = shufflevector <16 x float> %v349, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v358 = shufflevector <16 x float> %v351, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v359 = shufflevector <16 x float> %v351, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v360 = shufflevector <16 x float> %v352, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v361 = shufflevector <16 x float> %v352, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v362 = shufflevector <16 x float> %v354, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v363 = shufflevector <16 x float> %v354, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v364 = shufflevector <16 x float> %v356, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v365 = shufflevector <16 x float> %v356, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v366 = shufflevector <16 x float> %v358, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v367 = shufflevector <16 x float> %v358, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v368 = shufflevector <16 x float> %v353, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v369 = shufflevector <16 x float> %v353, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v370 = shufflevector <16 x float> %v355, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v371 = shufflevector <16 x float> %v355, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v372 = shufflevector <16 x float> %v357, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v373 = shufflevector <16 x float> %v357, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v374 = shufflevector <16 x float> %v359, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v375 = shufflevector <16 x float> %v359, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v376 = shufflevector <16 x float> %v360, <16 x float> %v360, <2 x i32> <i32 0, i32 1>
  %v377 = shufflevector <16 x float> %v362, <16 x float> %v362, <2 x i32> <i32 0, i32 1>
  %v378 = shufflevector <16 x float> %v364, <16 x float> %v364, <2 x i32> <i32 0, i32 1>
  %v379 = shufflevector <16 x float> %v366, <16 x float> %v366, <2 x i32> <i32 0, i32 1>
  %v380 = shufflevector <16 x float> %v368, <16 x float> %v368, <2 x i32> <i32 0, i32 1>
  %v381 = shufflevector <16 x float> %v370, <16 x float> %v370, <2 x i32> <i32 0, i32 1>
  %v382 = shufflevector <16 x float> %v372, <16 x float> %v372, <2 x i32> <i32 0, i32 1>
  %v383 = shufflevector <16 x float> %v374, <16 x float> %v374, <2 x i32> <i32 0, i32 1>
  %v384 = shufflevector <16 x float> %v361, <16 x float> %v361, <2 x i32> <i32 0, i32 1>
  %v385 = shufflevector <16 x float> %v363, <16 x float> %v363, <2 x i32> <i32 0, i32 1>
  %v386 = shufflevector <16 x float> %v365, <16 x float> %v365, <2 x i32> <i32 0, i32 1>
  %v387 = shufflevector <16 x float> %v367, <16 x float> %v367, <2 x i32> <i32 0, i32 1>
  %v388 = shufflevector <16 x float> %v369, <16 x float> %v369, <2 x i32> <i32 0, i32 1>
  %v389 = shufflevector <16 x float> %v371, <16 x float> %v371, <2 x i32> <i32 0, i32 1>
  %v390 = shufflevector <16 x float> %v373, <16 x float> %v373, <2 x i32> <i32 0, i32 1>
  %v391 = shufflevector <16 x float> %v375, <16 x float> %v375, <2 x i32> <i32 0, i32 1>
  %v392 = fadd <2 x float> %v377, %v376
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
  %v404 = fadd <2 x float> %v389, %v403
  %v405 = fadd <2 x float> %v390, %v404
  %v406 = fadd <2 x float> %v391, %v405
  %v407 = getelementptr i8, ptr %v341, i64 64
  store <2 x float> %v406, ptr %v407, align 4
  %v408 = getelementptr i8, ptr %v230, i64 1152
  %v409 = freeze ptr %v408
  %v411 = getelementptr i8, ptr %v341, i64 72
  %v412 = freeze ptr %v411
  %v413 = icmp ne ptr %v409, %v410
  br i1 %v413, label %co_i.second.loop227, label %co_i.second.done228
co_i.second.done228:
  %v415 = add nsw i64 %v414, 1
  %v416 = freeze i64 %v415
  %v417 = icmp ne i64 %v416, %hi
  br i1 %v417, label %items.loop8, label %items.done9
items.done9:
  ret void
}
