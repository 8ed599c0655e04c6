define void @k_49f59c77ea9fdb5c(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr i8, ptr %scratch, i64 0
  %v8 = getelementptr i8, ptr %scratch, i64 512
  %v9 = getelementptr i8, ptr %scratch, i64 832
  %v12 = icmp slt i64 %lo, %hi
  br i1 %v12, label %items.loop10, label %items.done11
items.loop10:
  %v241 = phi i64 [ %lo, %entry ], [ %v243, %co_i.second.done161 ]
  %v45 = getelementptr i8, ptr %v4, i64 1152
  br label %pack.1.loop14
pack.1.loop14:
  %v23 = phi ptr [ %v4, %items.loop10 ], [ %v44, %pack.2.done18 ]
  %v28 = phi ptr [ %v8, %items.loop10 ], [ %v47, %pack.2.done18 ]
  %v39 = getelementptr i8, ptr %v23, i64 576
  br label %pack.2.loop17
pack.2.loop17:
  %v24 = phi ptr [ %v23, %pack.1.loop14 ], [ %v38, %pack.3.done21 ]
  %v29 = phi ptr [ %v28, %pack.1.loop14 ], [ %v41, %pack.3.done21 ]
  %v33 = getelementptr i8, ptr %v24, i64 192
  br label %pack.3.loop20
pack.3.loop20:
  %v25 = phi ptr [ %v24, %pack.2.loop17 ], [ %v32, %pack.3.loop20 ]
  %v30 = phi ptr [ %v29, %pack.2.loop17 ], [ %v35, %pack.3.loop20 ]
  %v26 = getelementptr i8, ptr %v25, i64 1152
  %v27 = load <4 x float>, ptr %v26, align 16
  store <4 x float> %v27, ptr %v30, align 16
  %v31 = getelementptr i8, ptr %v25, i64 64
  %v32 = freeze ptr %v31
  %v34 = getelementptr i8, ptr %v30, i64 16
  %v35 = freeze ptr %v34
  %v36 = icmp ne ptr %v32, %v33
  br i1 %v36, label %pack.3.loop20, label %pack.3.done21
pack.3.done21:
  %v37 = getelementptr i8, ptr %v24, i64 192
  %v38 = freeze ptr %v37
  %v40 = getelementptr i8, ptr %v29, i64 48
  %v41 = freeze ptr %v40
  %v42 = icmp ne ptr %v38, %v39
  br i1 %v42, label %pack.2.loop17, label %pack.2.done18
pack.2.done18:
  %v43 = getelementptr i8, ptr %v23, i64 576
  %v44 = freeze ptr %v43
  %v46 = getelementptr i8, ptr %v28, i64 144
  %v47 = freeze ptr %v46
  %v48 = icmp ne ptr %v44, %v45
  br i1 %v48, label %pack.1.loop14, label %pack.1.done15
pack.1.done15:
  %v69 = getelementptr i8, ptr %v2, i64 1024
  br label %pack.2.loop49
pack.2.loop49:
  %v55 = phi ptr [ %v2, %pack.1.done15 ], [ %v68, %pack.3.done53 ]
  %v59 = phi ptr [ %v9, %pack.1.done15 ], [ %v71, %pack.3.done53 ]
  %v63 = getelementptr i8, ptr %v55, i64 256
  br label %pack.3.loop52
pack.3.loop52:
  %v56 = phi ptr [ %v55, %pack.2.loop49 ], [ %v62, %pack.3.loop52 ]
  %v60 = phi ptr [ %v59, %pack.2.loop49 ], [ %v65, %pack.3.loop52 ]
  %v57 = getelementptr i8, ptr %v56, i64 1024
  %v58 = load <4 x float>, ptr %v57, align 16
  store <4 x float> %v58, ptr %v60, align 16
  %v61 = getelementptr i8, ptr %v56, i64 64
  %v62 = freeze ptr %v61
  %v64 = getelementptr i8, ptr %v60, i64 16
  %v65 = freeze ptr %v64
  %v66 = icmp ne ptr %v62, %v63
  br i1 %v66, label %pack.3.loop52, label %pack.3.done53
pack.3.done53:
  %v67 = getelementptr i8, ptr %v55, i64 256
  %v68 = freeze ptr %v67
  %v70 = getelementptr i8, ptr %v59, i64 64
  %v71 = freeze ptr %v70
  %v72 = icmp ne ptr %v68, %v69
  br i1 %v72, label %pack.2.loop49, label %pack.2.done50
pack.2.done50:
  %v154 = getelementptr i8, ptr %v2, i64 512
  br label %kh.loop73
kh.loop73:
  %v83 = phi ptr [ %v2, %pack.2.done50 ], [ %v153, %oh.tail.done123 ]
  %v129 = phi ptr [ %v9, %pack.2.done50 ], [ %v156, %oh.tail.done123 ]
  %v148 = phi ptr [ %v7, %pack.2.done50 ], [ %v158, %oh.tail.done123 ]
  %v118 = getelementptr i8, ptr %v83, i64 768
  br label %oh.loop76
oh.loop76:
  %v84 = phi ptr [ %v83, %kh.loop73 ], [ %v117, %oh.loop76 ]
  %v86 = phi ptr [ %v4, %kh.loop73 ], [ %v120, %oh.loop76 ]
  %v79 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop73 ], [ %v108, %oh.loop76 ]
  %v80 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop73 ], [ %v111, %oh.loop76 ]
  %v81 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop73 ], [ %v114, %oh.loop76 ]
  %v82 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop73 ], [ %v115, %oh.loop76 ]
  %v85 = load <16 x float>, ptr %v84, align 64
  %v87 = load <16 x float>, ptr %v86, align 64
  %v88 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v87, <16 x float> %v79)
  %v89 = getelementptr i8, ptr %v86, i64 576
  %v90 = load <16 x float>, ptr %v89, align 64
  %v91 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v90, <16 x float> %v80)
  %v92 = getelementptr i8, ptr %v84, i64 64
  %v93 = load <16 x float>, ptr %v92, align 64
  %v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v87, <16 x float> %v81)
  %v95 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v90, <16 x float> %v82)
  %v96 = getelementptr i8, ptr %v86, i64 64
  %v97 = load <16 x float>, ptr %v96, align 64
  %v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v97, <16 x float> %v88)
  %v99 = getelementptr i8, ptr %v86, i64 640
  %v100 = load <16 x float>, ptr %v99, align 64
  %v101 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v100, <16 x float> %v91)
  %v102 = getelementptr i8, ptr %v84, i64 128
  %v103 = load <16 x float>, ptr %v102, align 64
  %v104 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v103, <16 x float> %v97, <16 x float> %v94)
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v103, <16 x float> %v100, <16 x float> %v95)
  %v106 = getelementptr i8, ptr %v86, i64 128
  %v107 = load <16 x float>, ptr %v106, align 64
  %v108 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v103, <16 x float> %v107, <16 x float> %v98)
  %v109 = getelementptr i8, ptr %v86, i64 704
  %v110 = load <16 x float>, ptr %v109, align 64
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v103, <16 x float> %v110, <16 x float> %v101)
  %v112 = getelementptr i8, ptr %v84, i64 192
  %v113 = load <16 x float>, ptr %v112, align 64
  %v114 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v113, <16 x float> %v107, <16 x float> %v104)
  %v115 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v113, <16 x float> %v110, <16 x float> %v105)
  %v116 = getelementptr i8, ptr %v84, i64 256
  %v117 = freeze ptr %v116
  %v119 = getelementptr i8, ptr %v86, i64 192
  %v120 = freeze ptr %v119
  %v121 = icmp ne ptr %v117, %v118
  br i1 %v121, label %oh.loop76, label %oh.done77
oh.done77:
  %v144 = getelementptr i8, ptr %v129, i64 192
  br label %oh.tail.loop122
oh.tail.loop122:
  %v130 = phi ptr [ %v129, %oh.done77 ], [ %v143, %oh.tail.loop122 ]
  %v132 = phi ptr [ %v8, %oh.done77 ], [ %v146, %oh.tail.loop122 ]
  %v125 = phi <16 x float> [ %v108, %oh.done77 ], [ %v134, %oh.tail.loop122 ]
  %v126 = phi <16 x float> [ %v111, %oh.done77 ], [ %v137, %oh.tail.loop122 ]
  %v127 = phi <16 x float> [ %v114, %oh.done77 ], [ %v140, %oh.tail.loop122 ]
  %v128 = phi <16 x float> [ %v115, %oh.done77 ], [ %v141, %oh.tail.loop122 ]
  %v131 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v130, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v133 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v132, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v134 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v131, <16 x float> %v133, <16 x float> %v125)
  %v135 = getelementptr i8, ptr %v132, i64 144
  %v136 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v135, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v137 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v131, <16 x float> %v136, <16 x float> %v126)
  %v138 = getelementptr i8, ptr %v130, i64 16
  %v139 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v138, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v140 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v133, <16 x float> %v127)
  %v141 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v139, <16 x float> %v136, <16 x float> %v128)
  %v142 = getelementptr i8, ptr %v130, i64 64
  %v143 = freeze ptr %v142
  %v145 = getelementptr i8, ptr %v132, i64 48
  %v146 = freeze ptr %v145
  %v147 = icmp ne ptr %v143, %v144
  br i1 %v147, label %oh.tail.loop122, label %oh.tail.done123
oh.tail.done123:
  store <16 x float> %v134, ptr %v148, align 64
  %v149 = getelementptr i8, ptr %v148, i64 256
  store <16 x float> %v137, ptr %v149, align 64
  %v150 = getelementptr i8, ptr %v148, i64 64
  store <16 x float> %v140, ptr %v150, align 64
  %v151 = getelementptr i8, ptr %v148, i64 320
  store <16 x float> %v141, ptr %v151, align 64
  %v152 = getelementptr i8, ptr %v83, i64 256
  %v153 = freeze ptr %v152
  %v155 = getelementptr i8, ptr %v129, i64 64
  %v156 = freeze ptr %v155
  %v157 = getelementptr i8, ptr %v148, i64 128
  %v158 = freeze ptr %v157
  %v159 = icmp ne ptr %v153, %v154
  br i1 %v159, label %kh.loop73, label %kh.done74
kh.done74:
  %v237 = getelementptr i8, ptr %v7, i64 512
  br label %co_i.second.loop160
co_i.second.loop160:
  %v163 = phi ptr [ %v7, %kh.done74 ], [ %v236, %co_i.second.loop160 ]
  %v234 = phi ptr [ %v6, %kh.done74 ], [ %v239, %co_i.second.loop160 ]
  %v164 = load <16 x float>, ptr %v163, align 64
  %v165 = getelementptr i8, ptr %v163, i64 64
  %v166 = load <16 x float>, ptr %v165, align 64
  %v167 = getelementptr i8, ptr %v163, i64 128
  %v168 = load <16 x float>, ptr %v167, align 64
  %v169 = getelementptr i8, ptr %v163, i64 192
  %v170 = load <16 x float>, ptr %v169, align 64
  %v171 = shufflevector <16 x float> %v164, <16 x float> %v166, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v172 = shufflevector <16 x float> %v164, <16 x float> %v166, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v173 = shufflevector <16 x float> %v168, <16 x float> %v170, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v174 = shufflevector <16 x float> %v168, <16 x float> %v170, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v175 = shufflevector <16 x float> %v171, <16 x float> %v173, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v176 = shufflevector <16 x float> %v171, <16 x float> %v173, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v177 = shufflevector <16 x float> %v172, <16 x float> %v174, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v178 = shufflevector <16 x float> %v172, <16 x float> %v174, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v179 = shufflevector <16 x float> %v175, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v180 = shufflevector <16 x float> %v175, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v181 = shufflevector <16 x float> %v177, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v182 = shufflevector <16 x float> %v177, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v183 = shufflevector <16 x float> %v176, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v184 = shufflevector <16 x float> %v176, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v185 = shufflevector <16 x float> %v178, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v186 = shufflevector <16 x float> %v178, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v187 = shufflevector <16 x float> %v179, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v188 = shufflevector <16 x float> %v179, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v189 = shufflevector <16 x float> %v181, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v190 = shufflevector <16 x float> %v181, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v191 = shufflevector <16 x float> %v183, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v192 = shufflevector <16 x float> %v183, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v193 = shufflevector <16 x float> %v185, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v194 = shufflevector <16 x float> %v185, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v195 = shufflevector <16 x float> %v180, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v196 = shufflevector <16 x float> %v180, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v197 = shufflevector <16 x float> %v182, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v198 = shufflevector <16 x float> %v182, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v199 = shufflevector <16 x float> %v184, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v200 = shufflevector <16 x float> %v184, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v201 = shufflevector <16 x float> %v186, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v202 = shufflevector <16 x float> %v186, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v203 = shufflevector <16 x float> %v187, <16 x float> %v187, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v204 = shufflevector <16 x float> %v189, <16 x float> %v189, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v205 = shufflevector <16 x float> %v191, <16 x float> %v191, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v206 = shufflevector <16 x float> %v193, <16 x float> %v193, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v207 = shufflevector <16 x float> %v195, <16 x float> %v195, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v208 = shufflevector <16 x float> %v197, <16 x float> %v197, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v209 = shufflevector <16 x float> %v199, <16 x float> %v199, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v210 = shufflevector <16 x float> %v201, <16 x float> %v201, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v211 = shufflevector <16 x float> %v188, <16 x float> %v188, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v212 = shufflevector <16 x float> %v190, <16 x float> %v190, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v213 = shufflevector <16 x float> %v192, <16 x float> %v192, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v214 = shufflevector <16 x float> %v194, <16 x float> %v194, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v215 = shufflevector <16 x float> %v196, <16 x float> %v196, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v216 = shufflevector <16 x float> %v198, <16 x float> %v198, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v217 = shufflevector <16 x float> %v200, <16 x float> %v200, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v218 = shufflevector <16 x float> %v202, <16 x float> %v202, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v219 = fadd <4 x float> %v204, %v203
  %v220 = fadd <4 x float> %v205, %v219
  %v221 = fadd <4 x float> %v206, %v220
  %v222 = fadd <4 x float> %v207, %v221
  %v223 = fadd <4 x float> %v208, %v222
  %v224 = fadd <4 x float> %v209, %v223
  %v225 = fadd <4 x float> %v210, %v224
  %v226 = fadd <4 x float> %v211, %v225
  %v227 = fadd <4 x float> %v212, %v226
  %v228 = fadd <4 x float> %v213, %v227
  %v229 = fadd <4 x float> %v214, %v228
  %v230 = fadd <4 x float> %v215, %v229
  %v231 = fadd <4 x float> %v216, %v230
  %v232 = fadd <4 x float> %v217, %v231
  %v233 = fadd <4 x float> %v218, %v232
  store <4 x float> %v233, ptr %v234, align 4
  %v235 = getelementptr i8, ptr %v163, i64 256
  %v236 = freeze ptr %v235
  %v238 = getelementptr i8, ptr %v234, i64 16
  %v239 = freeze ptr %v238
  %v240 = icmp ne ptr %v236, %v237
  br i1 %v240, label %co_i.second.loop160, label %co_i.second.done161
co_i.second.done161:
  %v242 = add nsw i64 %v241, 1
  %v243 = freeze i64 %v242
  %v244 = icmp ne i64 %v243, %hi
  br i1 %v244, label %items.loop10, label %items.done11
items.done11:
  ret void
}
