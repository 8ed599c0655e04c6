define void @k_432eaf0eb4d0b52b(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v9, %dh.done151 ]
  %v10 = urem i64 %v8, 2
  %v11 = udiv i64 %v8, 2
  %v12 = urem i64 %v11, 3
  %v13 = udiv i64 %v11, 3
  %v14 = urem i64 %v13, 2
  %v15 = udiv i64 %v13, 2
  %v16 = add nsw i64 %v12, 1
  %v17 = mul nsw i64 %v10, -1
  %v18 = add nsw i64 %v17, 3
  %v44 = mul nsw i64 %v14, 1536
  %v45 = getelementptr i8, ptr %v2, i64 %v44
  %v46 = mul nsw i64 %v15, 3072
  %v47 = getelementptr i8, ptr %v45, i64 %v46
  %v48 = mul nsw i64 %v12, 512
  %v49 = getelementptr i8, ptr %v47, i64 %v48
  %v108 = mul nsw i64 %v14, 6528
  %v109 = getelementptr i8, ptr %v4, i64 %v108
  %v110 = mul nsw i64 %v15, 13056
  %v111 = getelementptr i8, ptr %v109, i64 %v110
  %v112 = mul nsw i64 %v10, 1088
  %v113 = getelementptr i8, ptr %v111, i64 %v112
  %v114 = mul nsw i64 %v12, 2176
  %v115 = getelementptr i8, ptr %v113, i64 %v114
  %v19 = add i64 %v18, 2097153
  %v20 = udiv i64 %v19, 2
  %v21 = sub i64 %v20, 1048576
  %v22 = call i64 @llvm.smin.i64(i64 %v16, i64 %v21)
  %v25 = icmp slt i64 0, %v22
  br i1 %v25, label %dh.loop23, label %dh.done24
dh.loop23:
  %v26 = phi i64 [ 0, %items.loop5 ], [ %v27, %dh.loop23 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v53, %dh.loop23 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v54, %dh.loop23 ]
  %v30 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v83, %dh.loop23 ]
  %v31 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v58, %dh.loop23 ]
  %v32 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v84, %dh.loop23 ]
  %v33 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v62, %dh.loop23 ]
  %v34 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v85, %dh.loop23 ]
  %v35 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v66, %dh.loop23 ]
  %v36 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v86, %dh.loop23 ]
  %v37 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v70, %dh.loop23 ]
  %v38 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v87, %dh.loop23 ]
  %v39 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v74, %dh.loop23 ]
  %v40 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v88, %dh.loop23 ]
  %v41 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v78, %dh.loop23 ]
  %v42 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v89, %dh.loop23 ]
  %v43 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v82, %dh.loop23 ]
  %v50 = mul nsw i64 %v26, -512
  %v51 = getelementptr i8, ptr %v49, i64 %v50
  %v52 = load <16 x float>, ptr %v51, align 64
  %v53 = fadd <16 x float> %v52, %v28
  %v54 = fadd <16 x float> %v52, %v29
  %v55 = getelementptr i8, ptr %v51, i64 64
  %v56 = load <16 x float>, ptr %v55, align 64
  %v57 = fadd <16 x float> %v56, %v30
  %v58 = fadd <16 x float> %v56, %v31
  %v59 = getelementptr i8, ptr %v51, i64 128
  %v60 = load <16 x float>, ptr %v59, align 64
  %v61 = fadd <16 x float> %v60, %v32
  %v62 = fadd <16 x float> %v60, %v33
  %v63 = getelementptr i8, ptr %v51, i64 192
  %v64 = load <16 x float>, ptr %v63, align 64
  %v65 = fadd <16 x float> %v64, %v34
  %v66 = fadd <16 x float> %v64, %v35
  %v67 = getelementptr i8, ptr %v51, i64 256
  %v68 = load <16 x float>, ptr %v67, align 64
  %v69 = fadd <16 x float> %v68, %v36
  %v70 = fadd <16 x float> %v68, %v37
  %v71 = getelementptr i8, ptr %v51, i64 320
  %v72 = load <16 x float>, ptr %v71, align 64
  %v73 = fadd <16 x float> %v72, %v38
  %v74 = fadd <16 x float> %v72, %v39
  %v75 = getelementptr i8, ptr %v51, i64 384
  %v76 = load <16 x float>, ptr %v75, align 64
  %v77 = fadd <16 x float> %v76, %v40
  %v78 = fadd <16 x float> %v76, %v41
  %v79 = getelementptr i8, ptr %v51, i64 448
  %v80 = load <16 x float>, ptr %v79, align 64
  %v81 = fadd <16 x float> %v80, %v42
  %v82 = fadd <16 x float> %v80, %v43
  %v83 = fadd <16 x float> %v52, %v57
  %v84 = fadd <16 x float> %v56, %v61
  %v85 = fadd <16 x float> %v60, %v65
  %v86 = fadd <16 x float> %v64, %v69
  %v87 = fadd <16 x float> %v68, %v73
  %v88 = fadd <16 x float> %v72, %v77
  %v89 = fadd <16 x float> %v76, %v81
  %v27 = add nuw nsw i64 %v26, 1
  %v90 = icmp ne i64 %v27, %v22
  br i1 %v90, label %dh.loop23, label %dh.done24
dh.done24:
  %v91 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v53, %dh.loop23 ]
  %v92 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v54, %dh.loop23 ]
  %v93 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v83, %dh.loop23 ]
  %v94 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v58, %dh.loop23 ]
  %v95 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v84, %dh.loop23 ]
  %v96 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v62, %dh.loop23 ]
  %v97 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v85, %dh.loop23 ]
  %v98 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v66, %dh.loop23 ]
  %v99 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v86, %dh.loop23 ]
  %v100 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v70, %dh.loop23 ]
  %v101 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v87, %dh.loop23 ]
  %v102 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v74, %dh.loop23 ]
  %v103 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v88, %dh.loop23 ]
  %v104 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v78, %dh.loop23 ]
  %v105 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v89, %dh.loop23 ]
  %v106 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v82, %dh.loop23 ]
  %v107 = fmul <16 x float> %v91, splat (float 0x3FBC71C720000000)
  store <16 x float> %v107, ptr %v115, align 64
  %v116 = fmul <16 x float> %v92, splat (float 0x3FBC71C720000000)
  %v117 = getelementptr i8, ptr %v115, i64 64
  store <16 x float> %v116, ptr %v117, align 64
  %v118 = fmul <16 x float> %v93, splat (float 0x3FBC71C720000000)
  %v119 = getelementptr i8, ptr %v115, i64 128
  store <16 x float> %v118, ptr %v119, align 64
  %v120 = fmul <16 x float> %v94, splat (float 0x3FBC71C720000000)
  %v121 = getelementptr i8, ptr %v115, i64 192
  store <16 x float> %v120, ptr %v121, align 64
  %v122 = fmul <16 x float> %v95, splat (float 0x3FBC71C720000000)
  %v123 = getelementptr i8, ptr %v115, i64 256
  store <16 x float> %v122, ptr %v123, align 64
  %v124 = fmul <16 x float> %v96, splat (float 0x3FBC71C720000000)
  %v125 = getelementptr i8, ptr %v115, i64 320
  store <16 x float> %v124, ptr %v125, align 64
  %v126 = fmul <16 x float> %v97, splat (float 0x3FBC71C720000000)
  %v127 = getelementptr i8, ptr %v115, i64 384
  store <16 x float> %v126, ptr %v127, align 64
  %v128 = fmul <16 x float> %v98, splat (float 0x3FBC71C720000000)
  %v129 = getelementptr i8, ptr %v115, i64 448
  store <16 x float> %v128, ptr %v129, align 64
  %v130 = fmul <16 x float> %v99, splat (float 0x3FBC71C720000000)
  %v131 = getelementptr i8, ptr %v115, i64 512
  store <16 x float> %v130, ptr %v131, align 64
  %v132 = fmul <16 x float> %v100, splat (float 0x3FBC71C720000000)
  %v133 = getelementptr i8, ptr %v115, i64 576
  store <16 x float> %v132, ptr %v133, align 64
  %v134 = fmul <16 x float> %v101, splat (float 0x3FBC71C720000000)
  %v135 = getelementptr i8, ptr %v115, i64 640
  store <16 x float> %v134, ptr %v135, align 64
  %v136 = fmul <16 x float> %v102, splat (float 0x3FBC71C720000000)
  %v137 = getelementptr i8, ptr %v115, i64 704
  store <16 x float> %v136, ptr %v137, align 64
  %v138 = fmul <16 x float> %v103, splat (float 0x3FBC71C720000000)
  %v139 = getelementptr i8, ptr %v115, i64 768
  store <16 x float> %v138, ptr %v139, align 64
  %v140 = fmul <16 x float> %v104, splat (float 0x3FBC71C720000000)
  %v141 = getelementptr i8, ptr %v115, i64 832
  store <16 x float> %v140, ptr %v141, align 64
  %v142 = fmul <16 x float> %v105, splat (float 0x3FBC71C720000000)
  %v143 = getelementptr i8, ptr %v115, i64 896
  store <16 x float> %v142, ptr %v143, align 64
  %v144 = fmul <16 x float> %v106, splat (float 0x3FBC71C720000000)
  %v145 = getelementptr i8, ptr %v115, i64 960
  store <16 x float> %v144, ptr %v145, align 64
  %v146 = add i64 %v18, 2097153
  %v147 = udiv i64 %v146, 2
  %v148 = sub i64 %v147, 1048576
  %v149 = call i64 @llvm.smin.i64(i64 %v16, i64 %v148)
  %v152 = icmp slt i64 0, %v149
  br i1 %v152, label %dh.loop150, label %dh.done151
dh.loop150:
  %v153 = phi i64 [ 0, %dh.done24 ], [ %v154, %dh.loop150 ]
  %v155 = phi <16 x float> [ splat (float 0x0000000000000000), %dh.done24 ], [ %v175, %dh.loop150 ]
  %v156 = phi <16 x float> [ %v92, %dh.done24 ], [ %v156, %dh.loop150 ]
  %v157 = phi <16 x float> [ %v93, %dh.done24 ], [ %v157, %dh.loop150 ]
  %v158 = phi <16 x float> [ %v94, %dh.done24 ], [ %v158, %dh.loop150 ]
  %v159 = phi <16 x float> [ %v95, %dh.done24 ], [ %v159, %dh.loop150 ]
  %v160 = phi <16 x float> [ %v96, %dh.done24 ], [ %v160, %dh.loop150 ]
  %v161 = phi <16 x float> [ %v97, %dh.done24 ], [ %v161, %dh.loop150 ]
  %v162 = phi <16 x float> [ %v98, %dh.done24 ], [ %v162, %dh.loop150 ]
  %v163 = phi <16 x float> [ %v99, %dh.done24 ], [ %v163, %dh.loop150 ]
  %v164 = phi <16 x float> [ %v100, %dh.done24 ], [ %v164, %dh.loop150 ]
  %v165 = phi <16 x float> [ %v101, %dh.done24 ], [ %v165, %dh.loop150 ]
  %v166 = phi <16 x float> [ %v102, %dh.done24 ], [ %v166, %dh.loop150 ]
  %v167 = phi <16 x float> [ %v103, %dh.done24 ], [ %v167, %dh.loop150 ]
  %v168 = phi <16 x float> [ %v104, %dh.done24 ], [ %v168, %dh.loop150 ]
  %v169 = phi <16 x float> [ %v105, %dh.done24 ], [ %v169, %dh.loop150 ]
  %v170 = phi <16 x float> [ %v106, %dh.done24 ], [ %v170, %dh.loop150 ]
  %v171 = mul nsw i64 %v153, -512
  %v172 = getelementptr i8, ptr %v49, i64 %v171
  %v173 = getelementptr i8, ptr %v172, i64 448
  %v174 = load <16 x float>, ptr %v173, align 64
  %v175 = fadd <16 x float> %v174, %v155
  %v154 = add nuw nsw i64 %v153, 1
  %v176 = icmp ne i64 %v154, %v149
  br i1 %v176, label %dh.loop150, label %dh.done151
dh.done151:
  %v177 = phi <16 x float> [ splat (float 0x0000000000000000), %dh.done24 ], [ %v175, %dh.loop150 ]
  %v178 = phi <16 x float> [ %v92, %dh.done24 ], [ %v156, %dh.loop150 ]
  %v179 = phi <16 x float> [ %v93, %dh.done24 ], [ %v157, %dh.loop150 ]
  %v180 = phi <16 x float> [ %v94, %dh.done24 ], [ %v158, %dh.loop150 ]
  %v181 = phi <16 x float> [ %v95, %dh.done24 ], [ %v159, %dh.loop150 ]
  %v182 = phi <16 x float> [ %v96, %dh.done24 ], [ %v160, %dh.loop150 ]
  %v183 = phi <16 x float> [ %v97, %dh.done24 ], [ %v161, %dh.loop150 ]
  %v184 = phi <16 x float> [ %v98, %dh.done24 ], [ %v162, %dh.loop150 ]
  %v185 = phi <16 x float> [ %v99, %dh.done24 ], [ %v163, %dh.loop150 ]
  %v186 = phi <16 x float> [ %v100, %dh.done24 ], [ %v164, %dh.loop150 ]
  %v187 = phi <16 x float> [ %v101, %dh.done24 ], [ %v165, %dh.loop150 ]
  %v188 = phi <16 x float> [ %v102, %dh.done24 ], [ %v166, %dh.loop150 ]
  %v189 = phi <16 x float> [ %v103, %dh.done24 ], [ %v167, %dh.loop150 ]
  %v190 = phi <16 x float> [ %v104, %dh.done24 ], [ %v168, %dh.loop150 ]
  %v191 = phi <16 x float> [ %v105, %dh.done24 ], [ %v169, %dh.loop150 ]
  %v192 = phi <16 x float> [ %v106, %dh.done24 ], [ %v170, %dh.loop150 ]
  %v193 = fmul <16 x float> %v177, splat (float 0x3FBC71C720000000)
  %v194 = getelementptr i8, ptr %v115, i64 1024
  store <16 x float> %v193, ptr %v194, align 64
  %v9 = add nuw nsw i64 %v8, 1
  %v195 = icmp ne i64 %v9, %hi
  br i1 %v195, label %items.loop5, label %items.done6
items.done6:
  ret void
}
