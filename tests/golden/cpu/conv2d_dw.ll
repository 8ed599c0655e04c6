define void @k_9300b4de8cbda056(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v11 = phi i64 [ %lo, %entry ], [ %v12, %co_i.second.done234 ]
  br label %kh.loop13
kh.loop13:
  %v15 = phi i64 [ 0, %items.loop8 ], [ %v16, %n_o.done18 ]
  %v111 = mul nsw i64 %v15, 384
  %v112 = getelementptr i8, ptr %v2, i64 %v111
  %v207 = mul nsw i64 %v15, 192
  %v208 = getelementptr i8, ptr %v7, i64 %v207
  br label %n_o.loop17
n_o.loop17:
  %v19 = phi i64 [ 0, %kh.loop13 ], [ %v20, %oh.done46 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v170, %oh.done46 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v173, %oh.done46 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v176, %oh.done46 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v179, %oh.done46 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v180, %oh.done46 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v181, %oh.done46 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v182, %oh.done46 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v183, %oh.done46 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v184, %oh.done46 ]
  %v30 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v185, %oh.done46 ]
  %v31 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v186, %oh.done46 ]
  %v32 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v187, %oh.done46 ]
  %v33 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v188, %oh.done46 ]
  %v34 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v189, %oh.done46 ]
  %v35 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v190, %oh.done46 ]
  %v36 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v191, %oh.done46 ]
  %v37 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v194, %oh.done46 ]
  %v38 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v195, %oh.done46 ]
  %v39 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v196, %oh.done46 ]
  %v40 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v197, %oh.done46 ]
  %v41 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v200, %oh.done46 ]
  %v42 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v201, %oh.done46 ]
  %v43 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v202, %oh.done46 ]
  %v44 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v203, %oh.done46 ]
  %v101 = mul nsw i64 %v19, 4096
  %v102 = getelementptr i8, ptr %v4, i64 %v101
  %v113 = mul nsw i64 %v19, 4608
  %v114 = getelementptr i8, ptr %v112, i64 %v113
  br label %oh.loop45
oh.loop45:
  %v47 = phi i64 [ 0, %n_o.loop17 ], [ %v48, %ow_o.done74 ]
  %v49 = phi <16 x float> [ %v21, %n_o.loop17 ], [ %v170, %ow_o.done74 ]
  %v50 = phi <16 x float> [ %v22, %n_o.loop17 ], [ %v173, %ow_o.done74 ]
  %v51 = phi <16 x float> [ %v23, %n_o.loop17 ], [ %v176, %ow_o.done74 ]
  %v52 = phi <16 x float> [ %v24, %n_o.loop17 ], [ %v179, %ow_o.done74 ]
  %v53 = phi <16 x float> [ %v25, %n_o.loop17 ], [ %v180, %ow_o.done74 ]
  %v54 = phi <16 x float> [ %v26, %n_o.loop17 ], [ %v181, %ow_o.done74 ]
  %v55 = phi <16 x float> [ %v27, %n_o.loop17 ], [ %v182, %ow_o.done74 ]
  %v56 = phi <16 x float> [ %v28, %n_o.loop17 ], [ %v183, %ow_o.done74 ]
  %v57 = phi <16 x float> [ %v29, %n_o.loop17 ], [ %v184, %ow_o.done74 ]
  %v58 = phi <16 x float> [ %v30, %n_o.loop17 ], [ %v185, %ow_o.done74 ]
  %v59 = phi <16 x float> [ %v31, %n_o.loop17 ], [ %v186, %ow_o.done74 ]
  %v60 = phi <16 x float> [ %v32, %n_o.loop17 ], [ %v187, %ow_o.done74 ]
  %v61 = phi <16 x float> [ %v33, %n_o.loop17 ], [ %v188, %ow_o.done74 ]
  %v62 = phi <16 x float> [ %v34, %n_o.loop17 ], [ %v189, %ow_o.done74 ]
  %v63 = phi <16 x float> [ %v35, %n_o.loop17 ], [ %v190, %ow_o.done74 ]
  %v64 = phi <16 x float> [ %v36, %n_o.loop17 ], [ %v191, %ow_o.done74 ]
  %v65 = phi <16 x float> [ %v37, %n_o.loop17 ], [ %v194, %ow_o.done74 ]
  %v66 = phi <16 x float> [ %v38, %n_o.loop17 ], [ %v195, %ow_o.done74 ]
  %v67 = phi <16 x float> [ %v39, %n_o.loop17 ], [ %v196, %ow_o.done74 ]
  %v68 = phi <16 x float> [ %v40, %n_o.loop17 ], [ %v197, %ow_o.done74 ]
  %v69 = phi <16 x float> [ %v41, %n_o.loop17 ], [ %v200, %ow_o.done74 ]
  %v70 = phi <16 x float> [ %v42, %n_o.loop17 ], [ %v201, %ow_o.done74 ]
  %v71 = phi <16 x float> [ %v43, %n_o.loop17 ], [ %v202, %ow_o.done74 ]
  %v72 = phi <16 x float> [ %v44, %n_o.loop17 ], [ %v203, %ow_o.done74 ]
  %v103 = mul nsw i64 %v47, 256
  %v104 = getelementptr i8, ptr %v102, i64 %v103
  %v115 = mul nsw i64 %v47, 384
  %v116 = getelementptr i8, ptr %v114, i64 %v115
  br label %ow_o.loop73
ow_o.loop73:
  %v75 = phi i64 [ 0, %oh.loop45 ], [ %v76, %ow_o.loop73 ]
  %v77 = phi <16 x float> [ %v49, %oh.loop45 ], [ %v170, %ow_o.loop73 ]
  %v78 = phi <16 x float> [ %v50, %oh.loop45 ], [ %v173, %ow_o.loop73 ]
  %v79 = phi <16 x float> [ %v51, %oh.loop45 ], [ %v176, %ow_o.loop73 ]
  %v80 = phi <16 x float> [ %v52, %oh.loop45 ], [ %v179, %ow_o.loop73 ]
  %v81 = phi <16 x float> [ %v53, %oh.loop45 ], [ %v180, %ow_o.loop73 ]
  %v82 = phi <16 x float> [ %v54, %oh.loop45 ], [ %v181, %ow_o.loop73 ]
  %v83 = phi <16 x float> [ %v55, %oh.loop45 ], [ %v182, %ow_o.loop73 ]
  %v84 = phi <16 x float> [ %v56, %oh.loop45 ], [ %v183, %ow_o.loop73 ]
  %v85 = phi <16 x float> [ %v57, %oh.loop45 ], [ %v184, %ow_o.loop73 ]
  %v86 = phi <16 x float> [ %v58, %oh.loop45 ], [ %v185, %ow_o.loop73 ]
  %v87 = phi <16 x float> [ %v59, %oh.loop45 ], [ %v186, %ow_o.loop73 ]
  %v88 = phi <16 x float> [ %v60, %oh.loop45 ], [ %v187, %ow_o.loop73 ]
  %v89 = phi <16 x float> [ %v61, %oh.loop45 ], [ %v188, %ow_o.loop73 ]
  %v90 = phi <16 x float> [ %v62, %oh.loop45 ], [ %v189, %ow_o.loop73 ]
  %v91 = phi <16 x float> [ %v63, %oh.loop45 ], [ %v190, %ow_o.loop73 ]
  %v92 = phi <16 x float> [ %v64, %oh.loop45 ], [ %v191, %ow_o.loop73 ]
  %v93 = phi <16 x float> [ %v65, %oh.loop45 ], [ %v194, %ow_o.loop73 ]
  %v94 = phi <16 x float> [ %v66, %oh.loop45 ], [ %v195, %ow_o.loop73 ]
  %v95 = phi <16 x float> [ %v67, %oh.loop45 ], [ %v196, %ow_o.loop73 ]
  %v96 = phi <16 x float> [ %v68, %oh.loop45 ], [ %v197, %ow_o.loop73 ]
  %v97 = phi <16 x float> [ %v69, %oh.loop45 ], [ %v200, %ow_o.loop73 ]
  %v98 = phi <16 x float> [ %v70, %oh.loop45 ], [ %v201, %ow_o.loop73 ]
  %v99 = phi <16 x float> [ %v71, %oh.loop45 ], [ %v202, %ow_o.loop73 ]
  %v100 = phi <16 x float> [ %v72, %oh.loop45 ], [ %v203, %ow_o.loop73 ]
  %v105 = mul nsw i64 %v75, 128
  %v106 = getelementptr i8, ptr %v104, i64 %v105
  %v117 = getelementptr i8, ptr %v116, i64 %v105
  %v107 = getelementptr i8, ptr %v106, i64 256
  call void @llvm.prefetch.p0(ptr %v107, i32 0, i32 3, i32 1)
  %v108 = getelementptr i8, ptr %v106, i64 1280
  call void @llvm.prefetch.p0(ptr %v108, i32 0, i32 3, i32 1)
  %v109 = getelementptr i8, ptr %v106, i64 2304
  call void @llvm.prefetch.p0(ptr %v109, i32 0, i32 3, i32 1)
  %v110 = getelementptr i8, ptr %v106, i64 3328
  call void @llvm.prefetch.p0(ptr %v110, i32 0, i32 3, i32 1)
  %v118 = getelementptr i8, ptr %v117, i64 4608
  call void @llvm.prefetch.p0(ptr %v118, i32 0, i32 3, i32 1)
  %v119 = getelementptr i8, ptr %v117, i64 6912
  call void @llvm.prefetch.p0(ptr %v119, i32 0, i32 3, i32 1)
  %v120 = load <16 x float>, ptr %v117, align 64
  %v121 = load <16 x float>, ptr %v106, align 64
  %v122 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v120, <16 x float> %v121, <16 x float> %v77)
  %v123 = getelementptr i8, ptr %v106, i64 1024
  %v124 = load <16 x float>, ptr %v123, align 64
  %v125 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v120, <16 x float> %v124, <16 x float> %v78)
  %v126 = getelementptr i8, ptr %v106, i64 2048
  %v127 = load <16 x float>, ptr %v126, align 64
  %v128 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v120, <16 x float> %v127, <16 x float> %v79)
  %v129 = getelementptr i8, ptr %v106, i64 3072
  %v130 = load <16 x float>, ptr %v129, align 64
  %v131 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v120, <16 x float> %v130, <16 x float> %v80)
  %v132 = getelementptr i8, ptr %v117, i64 2304
  %v133 = load <16 x float>, ptr %v132, align 64
  %v134 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v121, <16 x float> %v81)
  %v135 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v124, <16 x float> %v82)
  %v136 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v127, <16 x float> %v83)
  %v137 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v130, <16 x float> %v84)
  %v138 = getelementptr i8, ptr %v117, i64 64
  %v139 = load <16 x float>, ptr %v138, align 64
  %v140 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v121, <16 x float> %v85)
  %v141 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v124, <16 x float> %v86)
  %v142 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v127, <16 x float> %v87)
  %v143 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v130, <16 x float> %v88)
  %v144 = getelementptr i8, ptr %v117, i64 2368
  %v145 = load <16 x float>, ptr %v144, align 64
  %v146 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v121, <16 x float> %v89)
  %v147 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v124, <16 x float> %v90)
  %v148 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v127, <16 x float> %v91)
  %v149 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v130, <16 x float> %v92)
  %v150 = getelementptr i8, ptr %v117, i64 128
  %v151 = load <16 x float>, ptr %v150, align 64
  %v152 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v121, <16 x float> %v93)
  %v153 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v124, <16 x float> %v94)
  %v154 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v127, <16 x float> %v95)
  %v155 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v130, <16 x float> %v96)
  %v156 = getelementptr i8, ptr %v117, i64 2432
  %v157 = load <16 x float>, ptr %v156, align 64
  %v158 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v157, <16 x float> %v121, <16 x float> %v97)
  %v159 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v157, <16 x float> %v124, <16 x float> %v98)
  %v160 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v157, <16 x float> %v127, <16 x float> %v99)
  %v161 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v157, <16 x float> %v130, <16 x float> %v100)
  %v162 = getelementptr i8, ptr %v106, i64 320
  call void @llvm.prefetch.p0(ptr %v162, i32 0, i32 3, i32 1)
  %v163 = getelementptr i8, ptr %v106, i64 1344
  call void @llvm.prefetch.p0(ptr %v163, i32 0, i32 3, i32 1)
  %v164 = getelementptr i8, ptr %v106, i64 2368
  call void @llvm.prefetch.p0(ptr %v164, i32 0, i32 3, i32 1)
  %v165 = getelementptr i8, ptr %v106, i64 3392
  call void @llvm.prefetch.p0(ptr %v165, i32 0, i32 3, i32 1)
  %v166 = getelementptr i8, ptr %v117, i64 4672
  call void @llvm.prefetch.p0(ptr %v166, i32 0, i32 3, i32 1)
  %v167 = getelementptr i8, ptr %v117, i64 6976
  call void @llvm.prefetch.p0(ptr %v167, i32 0, i32 3, i32 1)
  %v168 = getelementptr i8, ptr %v106, i64 64
  %v169 = load <16 x float>, ptr %v168, align 64
  %v170 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v169, <16 x float> %v122)
  %v171 = getelementptr i8, ptr %v106, i64 1088
  %v172 = load <16 x float>, ptr %v171, align 64
  %v173 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v172, <16 x float> %v125)
  %v174 = getelementptr i8, ptr %v106, i64 2112
  %v175 = load <16 x float>, ptr %v174, align 64
  %v176 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v175, <16 x float> %v128)
  %v177 = getelementptr i8, ptr %v106, i64 3136
  %v178 = load <16 x float>, ptr %v177, align 64
  %v179 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v178, <16 x float> %v131)
  %v180 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v169, <16 x float> %v134)
  %v181 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v172, <16 x float> %v135)
  %v182 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v175, <16 x float> %v136)
  %v183 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v145, <16 x float> %v178, <16 x float> %v137)
  %v184 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v169, <16 x float> %v140)
  %v185 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v172, <16 x float> %v141)
  %v186 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v175, <16 x float> %v142)
  %v187 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v151, <16 x float> %v178, <16 x float> %v143)
  %v188 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v157, <16 x float> %v169, <16 x float> %v146)
  %v189 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v157, <16 x float> %v172, <16 x float> %v147)
  %v190 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v157, <16 x float> %v175, <16 x float> %v148)
  %v191 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v157, <16 x float> %v178, <16 x float> %v149)
  %v192 = getelementptr i8, ptr %v117, i64 192
  %v193 = load <16 x float>, ptr %v192, align 64
  %v194 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v193, <16 x float> %v169, <16 x float> %v152)
  %v195 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v193, <16 x float> %v172, <16 x float> %v153)
  %v196 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v193, <16 x float> %v175, <16 x float> %v154)
  %v197 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v193, <16 x float> %v178, <16 x float> %v155)
  %v198 = getelementptr i8, ptr %v117, i64 2496
  %v199 = load <16 x float>, ptr %v198, align 64
  %v200 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v199, <16 x float> %v169, <16 x float> %v158)
  %v201 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v199, <16 x float> %v172, <16 x float> %v159)
  %v202 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v199, <16 x float> %v175, <16 x float> %v160)
  %v203 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v199, <16 x float> %v178, <16 x float> %v161)
  %v76 = add nuw nsw i64 %v75, 1
  %v204 = icmp ne i64 %v76, 2
  br i1 %v204, label %ow_o.loop73, label %ow_o.done74
ow_o.done74:
  %v48 = add nuw nsw i64 %v47, 1
  %v205 = icmp ne i64 %v48, 4
  br i1 %v205, label %oh.loop45, label %oh.done46
oh.done46:
  %v20 = add nuw nsw i64 %v19, 1
  %v206 = icmp ne i64 %v20, 2
  br i1 %v206, label %n_o.loop17, label %n_o.done18
n_o.done18:
  store <16 x float> %v170, ptr %v208, align 64
  %v209 = getelementptr i8, ptr %v208, i64 1152
  store <16 x float> %v173, ptr %v209, align 64
  %v210 = getelementptr i8, ptr %v208, i64 2304
  store <16 x float> %v176, ptr %v210, align 64
  %v211 = getelementptr i8, ptr %v208, i64 3456
  store <16 x float> %v179, ptr %v211, align 64
  %v212 = getelementptr i8, ptr %v208, i64 576
  store <16 x float> %v180, ptr %v212, align 64
  %v213 = getelementptr i8, ptr %v208, i64 1728
  store <16 x float> %v181, ptr %v213, align 64
  %v214 = getelementptr i8, ptr %v208, i64 2880
  store <16 x float> %v182, ptr %v214, align 64
  %v215 = getelementptr i8, ptr %v208, i64 4032
  store <16 x float> %v183, ptr %v215, align 64
  %v216 = getelementptr i8, ptr %v208, i64 64
  store <16 x float> %v184, ptr %v216, align 64
  %v217 = getelementptr i8, ptr %v208, i64 1216
  store <16 x float> %v185, ptr %v217, align 64
  %v218 = getelementptr i8, ptr %v208, i64 2368
  store <16 x float> %v186, ptr %v218, align 64
  %v219 = getelementptr i8, ptr %v208, i64 3520
  store <16 x float> %v187, ptr %v219, align 64
  %v220 = getelementptr i8, ptr %v208, i64 640
  store <16 x float> %v188, ptr %v220, align 64
  %v221 = getelementptr i8, ptr %v208, i64 1792
  store <16 x float> %v189, ptr %v221, align 64
  %v222 = getelementptr i8, ptr %v208, i64 2944
  store <16 x float> %v190, ptr %v222, align 64
  %v223 = getelementptr i8, ptr %v208, i64 4096
  store <16 x float> %v191, ptr %v223, align 64
  %v224 = getelementptr i8, ptr %v208, i64 128
  store <16 x float> %v194, ptr %v224, align 64
  %v225 = getelementptr i8, ptr %v208, i64 1280
  store <16 x float> %v195, ptr %v225, align 64
  %v226 = getelementptr i8, ptr %v208, i64 2432
  store <16 x float> %v196, ptr %v226, align 64
  %v227 = getelementptr i8, ptr %v208, i64 3584
  store <16 x float> %v197, ptr %v227, align 64
  %v228 = getelementptr i8, ptr %v208, i64 704
  store <16 x float> %v200, ptr %v228, align 64
  %v229 = getelementptr i8, ptr %v208, i64 1856
  store <16 x float> %v201, ptr %v229, align 64
  %v230 = getelementptr i8, ptr %v208, i64 3008
  store <16 x float> %v202, ptr %v230, align 64
  %v231 = getelementptr i8, ptr %v208, i64 4160
  store <16 x float> %v203, ptr %v231, align 64
  %v16 = add nuw nsw i64 %v15, 1
  %v232 = icmp ne i64 %v16, 3
  br i1 %v232, label %kh.loop13, label %kh.done14
kh.done14:
  br label %co_i.second.loop233
co_i.second.loop233:
  %v235 = phi i64 [ 0, %kh.done14 ], [ %v236, %co_i.second.loop233 ]
  %v237 = mul nsw i64 %v235, 1152
  %v238 = getelementptr i8, ptr %v7, i64 %v237
  %v349 = mul nsw i64 %v235, 72
  %v350 = getelementptr i8, ptr %v6, i64 %v349
  %v239 = load <16 x float>, ptr %v238, align 64
  %v240 = getelementptr i8, ptr %v238, i64 64
  %v241 = load <16 x float>, ptr %v240, align 64
  %v242 = getelementptr i8, ptr %v238, i64 128
  %v243 = load <16 x float>, ptr %v242, align 64
  %v244 = getelementptr i8, ptr %v238, i64 192
  %v245 = load <16 x float>, ptr %v244, align 64
  %v246 = getelementptr i8, ptr %v238, i64 256
  %v247 = load <16 x float>, ptr %v246, align 64
  %v248 = getelementptr i8, ptr %v238, i64 320
  %v249 = load <16 x float>, ptr %v248, align 64
  %v250 = getelementptr i8, ptr %v238, i64 384
  %v251 = load <16 x float>, ptr %v250, align 64
  %v252 = getelementptr i8, ptr %v238, i64 448
  %v253 = load <16 x float>, ptr %v252, align 64
  %v254 = getelementptr i8, ptr %v238, i64 512
  %v255 = load <16 x float>, ptr %v254, align 64
  %v256 = getelementptr i8, ptr %v238, i64 576
  %v257 = load <16 x float>, ptr %v256, align 64
  %v258 = getelementptr i8, ptr %v238, i64 640
  %v259 = load <16 x float>, ptr %v258, align 64
  %v260 = getelementptr i8, ptr %v238, i64 704
  %v261 = load <16 x float>, ptr %v260, align 64
  %v262 = getelementptr i8, ptr %v238, i64 768
  %v263 = load <16 x float>, ptr %v262, align 64
  %v264 = getelementptr i8, ptr %v238, i64 832
  %v265 = load <16 x float>, ptr %v264, align 64
  %v266 = getelementptr i8, ptr %v238, i64 896
  %v267 = load <16 x float>, ptr %v266, align 64
  %v268 = getelementptr i8, ptr %v238, i64 960
  %v269 = load <16 x float>, ptr %v268, align 64
  %v270 = shufflevector <16 x float> %v239, <16 x float> %v241, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v271 = shufflevector <16 x float> %v239, <16 x float> %v241, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v272 = shufflevector <16 x float> %v243, <16 x float> %v245, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v273 = shufflevector <16 x float> %v243, <16 x float> %v245, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v274 = shufflevector <16 x float> %v247, <16 x float> %v249, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v275 = shufflevector <16 x float> %v247, <16 x float> %v249, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v276 = shufflevector <16 x float> %v251, <16 x float> %v253, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v277 = shufflevector <16 x float> %v251, <16 x float> %v253, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v278 = shufflevector <16 x float> %v255, <16 x float> %v257, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v279 = shufflevector <16 x float> %v255, <16 x float> %v257, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v280 = shufflevector <16 x float> %v259, <16 x float> %v261, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v281 = shufflevector <16 x float> %v259, <16 x float> %v261, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v282 = shufflevector <16 x float> %v263, <16 x float> %v265, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v283 = shufflevector <16 x float> %v263, <16 x float> %v265, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v284 = shufflevector <16 x float> %v267, <16 x float> %v269, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v285 = shufflevector <16 x float> %v267, <16 x float> %v269, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v286 = shufflevector <16 x float> %v270, <16 x float> %v272, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v287 = shufflevector <16 x float> %v270, <16 x float> %v272, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v288 = shufflevector <16 x float> %v271, <16 x float> %v273, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v289 = shufflevector <16 x float> %v271, <16 x float> %v273, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v290 = shufflevector <16 x float> %v274, <16 x float> %v276, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v291 = shufflevector <16 x float> %v274, <16 x float> %v276, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v292 = shufflevector <16 x float> %v275, <16 x float> %v277, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v293 = shufflevector <16 x float> %v275, <16 x float> %v277, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v294 = shufflevector <16 x float> %v278, <16 x float> %v280, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v295 = shufflevector <16 x float> %v278, <16 x float> %v280, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v296 = shufflevector <16 x float> %v279, <16 x float> %v281, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v297 = shufflevector <16 x float> %v279, <16 x float> %v281, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v298 = shufflevector <16 x float> %v282, <16 x float> %v284, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v299 = shufflevector <16 x float> %v282, <16 x float> %v284, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v300 = shufflevector <16 x float> %v283, <16 x float> %v285, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v301 = shufflevector <16 x float> %v283, <16 x float> %v285, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v302 = shufflevector <16 x float> %v286, <16 x float> %v290, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v303 = shufflevector <16 x float> %v286, <16 x float> %v290, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v304 = shufflevector <16 x float> %v288, <16 x float> %v292, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v305 = shufflevector <16 x float> %v288, <16 x float> %v292, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v306 = shufflevector <16 x float> %v287, <16 x float> %v291, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v307 = shufflevector <16 x float> %v287, <16 x float> %v291, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v308 = shufflevector <16 x float> %v289, <16 x float> %v293, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v309 = shufflevector <16 x float> %v289, <16 x float> %v293, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v310 = shufflevector <16 x float> %v294, <16 x float> %v298, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v311 = shufflevector <16 x float> %v294, <16 x float> %v298, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v312 = shufflevector <16 x float> %v296, <16 x float> %v300, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v313 = shufflevector <16 x float> %v296, <16 x float> %v300, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v314 = shufflevector <16 x float> %v295, <16 x float> %v299, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v315 = shufflevector <16 x float> %v295, <16 x float> %v299, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v316 = shufflevector <16 x float> %v297, <16 x float> %v301, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v317 = shufflevector <16 x float> %v297, <16 x float> %v301, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v318 = shufflevector <16 x float> %v302, <16 x float> %v310, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v319 = shufflevector <16 x float> %v302, <16 x float> %v310, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v320 = shufflevector <16 x float> %v304, <16 x float> %v312, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v321 = shufflevector <16 x float> %v304, <16 x float> %v312, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v322 = shufflevector <16 x float> %v306, <16 x float> %v314, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v323 = shufflevector <16 x float> %v306, <16 x float> %v314, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v324 = shufflevector <16 x float> %v308, <16 x float> %v316, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v325 = shufflevector <16 x float> %v308, <16 x float> %v316, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v326 = shufflevector <16 x float> %v303, <16 x float> %v311, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v327 = shufflevector <16 x float> %v303, <16 x float> %v311, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v328 = shufflevector <16 x float> %v305, <16 x float> %v313, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v329 = shufflevector <16 x float> %v305, <16 x float> %v313, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v330 = shufflevector <16 x float> %v307, <16 x float> %v315, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v331 = shufflevector <16 x float> %v307, <16 x float> %v315, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v332 = shufflevector <16 x float> %v309, <16 x float> %v317, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v333 = shufflevector <16 x float> %v309, <16 x float> %v317, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v334 = fadd <16 x float> %v320, %v318
  %v335 = fadd <16 x float> %v322, %v334
  %v336 = fadd <16 x float> %v324, %v335
  %v337 = fadd <16 x float> %v326, %v336
  %v338 = fadd <16 x float> %v328, %v337
  %v339 = fadd <16 x float> %v330, %v338
  %v340 = fadd <16 x float> %v332, %v339
  %v341 = fadd <16 x float> %v319, %v340
  %v342 = fadd <16 x float> %v321, %v341
  %v343 = fadd <16 x float> %v323, %v342
  %v344 = fadd <16 x float> %v325, %v343
  %v345 = fadd <16 x float> %v327, %v344
  %v346 = fadd <16 x float> %v329, %v345
  %v347 = fadd <16 x float> %v331, %v346
  %v348 = fadd <16 x float> %v333, %v347
  store <16 x float> %v348, ptr %v350, align 4
  %v351 = getelementptr i8, ptr %v238, i64 1024
  %v352 = load <16 x float>, ptr %v351, align 64
  %v353 = getelementptr i8, ptr %v238, i64 1088
  %v354 = load <16 x float>, ptr %v353, align 64
  %v355 = shufflevector <16 x float> %v352, <16 x float> %v354, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v356 = shufflevector <16 x float> %v352, <16 x float> %v354, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v357 = shufflevector <16 x float> %v355, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v358 = shufflevector <16 x float> %v355, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v359 = shufflevector <16 x float> %v356, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v360 = shufflevector <16 x float> %v356, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v361 = shufflevector <16 x float> %v357, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v362 = shufflevector <16 x float> %v357, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v363 = shufflevector <16 x float> %v359, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v364 = shufflevector <16 x float> %v359, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v365 = shufflevector <16 x float> %v358, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v366 = shufflevector <16 x float> %v358, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v367 = shufflevector <16 x float> %v360, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v368 = shufflevector <16 x float> %v360, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v369 = shufflevector <16 x float> %v361, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v370 = shufflevector <16 x float> %v361, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v371 = shufflevector <16 x float> %v363, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v372 = shufflevector <16 x float> %v363, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v373 = shufflevector <16 x float> %v365, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v374 = shufflevector <16 x float> %v365, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v375 = shufflevector <16 x float> %v367, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v376 = shufflevector <16 x float> %v367, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v377 = shufflevector <16 x float> %v362, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v378 = shufflevector <16 x float> %v362, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v379 = shufflevector <16 x float> %v364, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v380 = shufflevector <16 x float> %v364, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v381 = shufflevector <16 x float> %v366, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v382 = shufflevector <16 x float> %v366, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v383 = shufflevector <16 x float> %v368, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v384 = shufflevector <16 x float> %v368, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v385 = shufflevector <16 x float> %v369, <16 x float> %v369, <2 x i32> <i32 0, i32 1>
  %v386 = shufflevector <16 x float> %v371, <16 x float> %v371, <2 x i32> <i32 0, i32 1>
  %v387 = shufflevector <16 x float> %v373, <16 x float> %v373, <2 x i32> <i32 0, i32 1>
  %v388 = shufflevector <16 x float> %v375, <16 x float> %v375, <2 x i32> <i32 0, i32 1>
  %v389 = shufflevector <16 x float> %v377, <16 x float> %v377, <2 x i32> <i32 0, i32 1>
  %v390 = shufflevector <16 x float> %v379, <16 x float> %v379, <2 x i32> <i32 0, i32 1>
  %v391 = shufflevector <16 x float> %v381, <16 x float> %v381, <2 x i32> <i32 0, i32 1>
  %v392 = shufflevector <16 x float> %v383, <16 x float> %v383, <2 x i32> <i32 0, i32 1>
  %v393 = shufflevector <16 x float> %v370, <16 x float> %v370, <2 x i32> <i32 0, i32 1>
  %v394 = shufflevector <16 x float> %v372, <16 x float> %v372, <2 x i32> <i32 0, i32 1>
  %v395 = shufflevector <16 x float> %v374, <16 x float> %v374, <2 x i32> <i32 0, i32 1>
  %v396 = shufflevector <16 x float> %v376, <16 x float> %v376, <2 x i32> <i32 0, i32 1>
  %v397 = shufflevector <16 x float> %v378, <16 x float> %v378, <2 x i32> <i32 0, i32 1>
  %v398 = shufflevector <16 x float> %v380, <16 x float> %v380, <2 x i32> <i32 0, i32 1>
  %v399 = shufflevector <16 x float> %v382, <16 x float> %v382, <2 x i32> <i32 0, i32 1>
  %v400 = shufflevector <16 x float> %v384, <16 x float> %v384, <2 x i32> <i32 0, i32 1>
  %v401 = fadd <2 x float> %v386, %v385
  %v402 = fadd <2 x float> %v387, %v401
  %v403 = fadd <2 x float> %v388, %v402
  %v404 = fadd <2 x float> %v389, %v403
  %v405 = fadd <2 x float> %v390, %v404
  %v406 = fadd <2 x float> %v391, %v405
  %v407 = fadd <2 x float> %v392, %v406
  %v408 = fadd <2 x float> %v393, %v407
  %v409 = fadd <2 x float> %v394, %v408
  %v410 = fadd <2 x float> %v395, %v409
  %v411 = fadd <2 x float> %v396, %v410
  %v412 = fadd <2 x float> %v397, %v411
  %v413 = fadd <2 x float> %v398, %v412
  %v414 = fadd <2 x float> %v399, %v413
  %v415 = fadd <2 x float> %v400, %v414
  %v416 = getelementptr i8, ptr %v350, i64 64
  store <2 x float> %v415, ptr %v416, align 4
  %v236 = add nuw nsw i64 %v235, 1
  %v417 = icmp ne i64 %v236, 4
  br i1 %v417, label %co_i.second.loop233, label %co_i.second.done234
co_i.second.done234:
  %v12 = add nuw nsw i64 %v11, 1
  %v418 = icmp ne i64 %v12, %hi
  br i1 %v418, label %items.loop8, label %items.done9
items.done9:
  ret void
}
