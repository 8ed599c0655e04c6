define void @k_4d667f6ed59006a2(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr i8, ptr %scratch, i64 0
  %v8 = getelementptr i8, ptr %scratch, i64 256
  %v9 = getelementptr i8, ptr %scratch, i64 448
  %v201 = mul nsw i64 %lo, 576
  %v202 = getelementptr i8, ptr %v4, i64 %v201
  %v203 = mul nsw i64 %hi, 576
  %v204 = getelementptr i8, ptr %v4, i64 %v203
  %v207 = mul nsw i64 %lo, 16
  %v208 = getelementptr i8, ptr %v6, i64 %v207
  %v12 = icmp slt i64 %lo, %hi
  br i1 %v12, label %items.loop10, label %items.done11
items.loop10:
  %v20 = phi ptr [ %v202, %entry ], [ %v200, %kh.done64 ]
  %v198 = phi ptr [ %v208, %entry ], [ %v206, %kh.done64 ]
  %v35 = getelementptr i8, ptr %v20, i64 576
  br label %pack.2.loop14
pack.2.loop14:
  %v21 = phi ptr [ %v20, %items.loop10 ], [ %v34, %pack.3.done18 ]
  %v25 = phi ptr [ %v8, %items.loop10 ], [ %v37, %pack.3.done18 ]
  %v29 = getelementptr i8, ptr %v21, i64 192
  br label %pack.3.loop17
pack.3.loop17:
  %v22 = phi ptr [ %v21, %pack.2.loop14 ], [ %v28, %pack.3.loop17 ]
  %v26 = phi ptr [ %v25, %pack.2.loop14 ], [ %v31, %pack.3.loop17 ]
  %v23 = getelementptr i8, ptr %v22, i64 1152
  %v24 = load <4 x float>, ptr %v23, align 16
  store <4 x float> %v24, ptr %v26, align 16
  %v27 = getelementptr i8, ptr %v22, i64 64
  %v28 = freeze ptr %v27
  %v30 = getelementptr i8, ptr %v26, i64 16
  %v31 = freeze ptr %v30
  %v32 = icmp ne ptr %v28, %v29
  br i1 %v32, label %pack.3.loop17, label %pack.3.done18
pack.3.done18:
  %v33 = getelementptr i8, ptr %v21, i64 192
  %v34 = freeze ptr %v33
  %v36 = getelementptr i8, ptr %v25, i64 48
  %v37 = freeze ptr %v36
  %v38 = icmp ne ptr %v34, %v35
  br i1 %v38, label %pack.2.loop14, label %pack.2.done15
pack.2.done15:
  %v59 = getelementptr i8, ptr %v2, i64 1024
  br label %pack.2.loop39
pack.2.loop39:
  %v45 = phi ptr [ %v2, %pack.2.done15 ], [ %v58, %pack.3.done43 ]
  %v49 = phi ptr [ %v9, %pack.2.done15 ], [ %v61, %pack.3.done43 ]
  %v53 = getelementptr i8, ptr %v45, i64 256
  br label %pack.3.loop42
pack.3.loop42:
  %v46 = phi ptr [ %v45, %pack.2.loop39 ], [ %v52, %pack.3.loop42 ]
  %v50 = phi ptr [ %v49, %pack.2.loop39 ], [ %v55, %pack.3.loop42 ]
  %v47 = getelementptr i8, ptr %v46, i64 1024
  %v48 = load <4 x float>, ptr %v47, align 16
  store <4 x float> %v48, ptr %v50, align 16
  %v51 = getelementptr i8, ptr %v46, i64 64
  %v52 = freeze ptr %v51
  %v54 = getelementptr i8, ptr %v50, i64 16
  %v55 = freeze ptr %v54
  %v56 = icmp ne ptr %v52, %v53
  br i1 %v56, label %pack.3.loop42, label %pack.3.done43
pack.3.done43:
  %v57 = getelementptr i8, ptr %v45, i64 256
  %v58 = freeze ptr %v57
  %v60 = getelementptr i8, ptr %v49, i64 64
  %v61 = freeze ptr %v60
  %v62 = icmp ne ptr %v58, %v59
  br i1 %v62, label %pack.2.loop39, label %pack.2.done40
pack.2.done40:
  %v122 = getelementptr i8, ptr %v2, i64 512
  br label %kh.loop63
kh.loop63:
  %v71 = phi ptr [ %v2, %pack.2.done40 ], [ %v121, %oh.tail.done99 ]
  %v103 = phi ptr [ %v9, %pack.2.done40 ], [ %v124, %oh.tail.done99 ]
  %v118 = phi ptr [ %v7, %pack.2.done40 ], [ %v126, %oh.tail.done99 ]
  %v94 = getelementptr i8, ptr %v71, i64 768
  br label %oh.loop66
oh.loop66:
  %v72 = phi ptr [ %v71, %kh.loop63 ], [ %v93, %oh.loop66 ]
  %v74 = phi ptr [ %v20, %kh.loop63 ], [ %v96, %oh.loop66 ]
  %v69 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop63 ], [ %v88, %oh.loop66 ]
  %v70 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop63 ], [ %v91, %oh.loop66 ]
  %v73 = load <16 x float>, ptr %v72, align 64
  %v75 = load <16 x float>, ptr %v74, align 64
  %v76 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v75, <16 x float> %v69)
  %v77 = getelementptr i8, ptr %v72, i64 64
  %v78 = load <16 x float>, ptr %v77, align 64
  %v79 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v78, <16 x float> %v75, <16 x float> %v70)
  %v80 = getelementptr i8, ptr %v74, i64 64
  %v81 = load <16 x float>, ptr %v80, align 64
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v78, <16 x float> %v81, <16 x float> %v76)
  %v83 = getelementptr i8, ptr %v72, i64 128
  %v84 = load <16 x float>, ptr %v83, align 64
  %v85 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v81, <16 x float> %v79)
  %v86 = getelementptr i8, ptr %v74, i64 128
  %v87 = load <16 x float>, ptr %v86, align 64
  %v88 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v87, <16 x float> %v82)
  %v89 = getelementptr i8, ptr %v72, i64 192
  %v90 = load <16 x float>, ptr %v89, align 64
  %v91 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v87, <16 x float> %v85)
  %v92 = getelementptr i8, ptr %v72, i64 256
  %v93 = freeze ptr %v92
  %v95 = getelementptr i8, ptr %v74, i64 192
  %v96 = freeze ptr %v95
  %v97 = icmp ne ptr %v93, %v94
  br i1 %v97, label %oh.loop66, label %oh.done67
oh.done67:
  %v114 = getelementptr i8, ptr %v103, i64 192
  br label %oh.tail.loop98
oh.tail.loop98:
  %v104 = phi ptr [ %v103, %oh.done67 ], [ %v113, %oh.tail.loop98 ]
  %v106 = phi ptr [ %v8, %oh.done67 ], [ %v116, %oh.tail.loop98 ]
  %v101 = phi <16 x float> [ %v88, %oh.done67 ], [ %v108, %oh.tail.loop98 ]
  %v102 = phi <16 x float> [ %v91, %oh.done67 ], [ %v111, %oh.tail.loop98 ]
  %v105 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v104, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v107 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v106, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v108 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v105, <16 x float> %v107, <16 x float> %v101)
  %v109 = getelementptr i8, ptr %v104, i64 16
  %v110 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v109, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v110, <16 x float> %v107, <16 x float> %v102)
  %v112 = getelementptr i8, ptr %v104, i64 64
  %v113 = freeze ptr %v112
  %v115 = getelementptr i8, ptr %v106, i64 48
  %v116 = freeze ptr %v115
  %v117 = icmp ne ptr %v113, %v114
  br i1 %v117, label %oh.tail.loop98, label %oh.tail.done99
oh.tail.done99:
  store <16 x float> %v108, ptr %v118, align 64
  %v119 = getelementptr i8, ptr %v118, i64 64
  store <16 x float> %v111, ptr %v119, align 64
  %v120 = getelementptr i8, ptr %v71, i64 256
  %v121 = freeze ptr %v120
  %v123 = getelementptr i8, ptr %v103, i64 64
  %v124 = freeze ptr %v123
  %v125 = getelementptr i8, ptr %v118, i64 128
  %v126 = freeze ptr %v125
  %v127 = icmp ne ptr %v121, %v122
  br i1 %v127, label %kh.loop63, label %kh.done64
kh.done64:
  %v128 = load <16 x float>, ptr %v7, align 64
  %v129 = getelementptr i8, ptr %v7, i64 64
  %v130 = load <16 x float>, ptr %v129, align 64
  %v131 = getelementptr i8, ptr %v7, i64 128
  %v132 = load <16 x float>, ptr %v131, align 64
  %v133 = getelementptr i8, ptr %v7, i64 192
  %v134 = load <16 x float>, ptr %v133, align 64
  %v135 = shufflevector <16 x float> %v128, <16 x float> %v130, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v136 = shufflevector <16 x float> %v128, <16 x float> %v130, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v137 = shufflevector <16 x float> %v132, <16 x float> %v134, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v138 = shufflevector <16 x float> %v132, <16 x float> %v134, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v139 = shufflevector <16 x float> %v135, <16 x float> %v137, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v140 = shufflevector <16 x float> %v135, <16 x float> %v137, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v141 = shufflevector <16 x float> %v136, <16 x float> %v138, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v142 = shufflevector <16 x float> %v136, <16 x float> %v138, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v143 = shufflevector <16 x float> %v139, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v144 = shufflevector <16 x float> %v139, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v145 = shufflevector <16 x float> %v141, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v146 = shufflevector <16 x float> %v141, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v147 = shufflevector <16 x float> %v140, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v148 = shufflevector <16 x float> %v140, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v149 = shufflevector <16 x float> %v142, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v150 = shufflevector <16 x float> %v142, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v151 = shufflevector <16 x float> %v143, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v152 = shufflevector <16 x float> %v143, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v153 = shufflevector <16 x float> %v145, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v154 = shufflevector <16 x float> %v145, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v155 = shufflevector <16 x float> %v147, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v156 = shufflevector <16 x float> %v147, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v157 = shufflevector <16 x float> %v149, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v158 = shufflevector <16 x float> %v149, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v159 = shufflevector <16 x float> %v144, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v160 = shufflevector <16 x float> %v144, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v161 = shufflevector <16 x float> %v146, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v162 = shufflevector <16 x float> %v146, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v163 = shufflevector <16 x float> %v148, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v164 = shufflevector <16 x float> %v148, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v165 = shufflevector <16 x float> %v150, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v166 = shufflevector <16 x float> %v150, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v167 = shufflevector <16 x float> %v151, <16 x float> %v151, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v168 = shufflevector <16 x float> %v153, <16 x float> %v153, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v169 = shufflevector <16 x float> %v155, <16 x float> %v155, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v170 = shufflevector <16 x float> %v157, <16 x float> %v157, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v171 = shufflevector <16 x float> %v159, <16 x float> %v159, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v172 = shufflevector <16 x float> %v161, <16 x float> %v161, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v173 = shufflevector <16 x float> %v163, <16 x float> %v163, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v174 = shufflevector <16 x float> %v165, <16 x float> %v165, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v175 = shufflevector <16 x float> %v152, <16 x float> %v152, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v176 = shufflevector <16 x float> %v154, <16 x float> %v154, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v177 = shufflevector <16 x float> %v156, <16 x float> %v156, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v178 = shufflevector <16 x float> %v158, <16 x float> %v158, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v179 = shufflevector <16 x float> %v160, <16 x float> %v160, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v180 = shufflevector <16 x float> %v162, <16 x float> %v162, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v181 = shufflevector <16 x float> %v164, <16 x float> %v164, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v182 = shufflevector <16 x float> %v166, <16 x float> %v166, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v183 = fadd <4 x float> %v168, %v167
  %v184 = fadd <4 x float> %v169, %v183
  %v185 = fadd <4 x float> %v170, %v184
  %v186 = fadd <4 x float> %v171, %v185
  %v187 = fadd <4 x float> %v172, %v186
  %v188 = fadd <4 x float> %v173, %v187
  %v189 = fadd <4 x float> %v174, %v188
  %v190 = fadd <4 x float> %v175, %v189
  %v191 = fadd <4 x float> %v176, %v190
  %v192 = fadd <4 x float> %v177, %v191
  %v193 = fadd <4 x float> %v178, %v192
  %v194 = fadd <4 x float> %v179, %v193
  %v195 = fadd <4 x float> %v180, %v194
  %v196 = fadd <4 x float> %v181, %v195
  %v197 = fadd <4 x float> %v182, %v196
  store <4 x float> %v197, ptr %v198, align 4
  %v199 = getelementptr i8, ptr %v20, i64 576
  %v200 = freeze ptr %v199
  %v205 = getelementptr i8, ptr %v198, i64 16
  %v206 = freeze ptr %v205
  %v209 = icmp ne ptr %v200, %v204
  br i1 %v209, label %items.loop10, label %items.done11
items.done11:
  ret void
}
