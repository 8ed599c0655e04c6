define void @k_9a44b1a7422c7732(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v209 = phi i64 [ %lo, %entry ], [ %v211, %co_i.second.done129 ]
  %v124 = getelementptr i8, ptr %v2, i64 512
  br label %kh.loop12
kh.loop12:
  %v22 = phi ptr [ %v2, %items.loop8 ], [ %v123, %oh.done62 ]
  %v118 = phi ptr [ %v7, %items.loop8 ], [ %v126, %oh.done62 ]
  %v57 = getelementptr i8, ptr %v22, i64 768
  br label %oh.loop15
oh.loop15:
  %v23 = phi ptr [ %v22, %kh.loop12 ], [ %v56, %oh.loop15 ]
  %v25 = phi ptr [ %v4, %kh.loop12 ], [ %v59, %oh.loop15 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v47, %oh.loop15 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v50, %oh.loop15 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v53, %oh.loop15 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop12 ], [ %v54, %oh.loop15 ]
  %v24 = load <16 x float>, ptr %v23, align 64
  %v26 = load <16 x float>, ptr %v25, align 64
  %v27 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v24, <16 x float> %v26, <16 x float> %v18)
  %v28 = getelementptr i8, ptr %v25, i64 576
  %v29 = load <16 x float>, ptr %v28, align 64
  %v30 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v24, <16 x float> %v29, <16 x float> %v19)
  %v31 = getelementptr i8, ptr %v23, i64 64
  %v32 = load <16 x float>, ptr %v31, align 64
  %v33 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v32, <16 x float> %v26, <16 x float> %v20)
  %v34 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v32, <16 x float> %v29, <16 x float> %v21)
  %v35 = getelementptr i8, ptr %v25, i64 64
  %v36 = load <16 x float>, ptr %v35, align 64
  %v37 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v32, <16 x float> %v36, <16 x float> %v27)
  %v38 = getelementptr i8, ptr %v25, i64 640
  %v39 = load <16 x float>, ptr %v38, align 64
  %v40 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v32, <16 x float> %v39, <16 x float> %v30)
  %v41 = getelementptr i8, ptr %v23, i64 128
  %v42 = load <16 x float>, ptr %v41, align 64
  %v43 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v42, <16 x float> %v36, <16 x float> %v33)
  %v44 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v42, <16 x float> %v39, <16 x float> %v34)
  %v45 = getelementptr i8, ptr %v25, i64 128
  %v46 = load <16 x float>, ptr %v45, align 64
  %v47 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v42, <16 x float> %v46, <16 x float> %v37)
  %v48 = getelementptr i8, ptr %v25, i64 704
  %v49 = load <16 x float>, ptr %v48, align 64
  %v50 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v42, <16 x float> %v49, <16 x float> %v40)
  %v51 = getelementptr i8, ptr %v23, i64 192
  %v52 = load <16 x float>, ptr %v51, align 64
  %v53 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v52, <16 x float> %v46, <16 x float> %v43)
  %v54 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v52, <16 x float> %v49, <16 x float> %v44)
  %v55 = getelementptr i8, ptr %v23, i64 256
  %v56 = freeze ptr %v55
  %v58 = getelementptr i8, ptr %v25, i64 192
  %v59 = freeze ptr %v58
  %v60 = icmp ne ptr %v56, %v57
  br i1 %v60, label %oh.loop15, label %oh.done16
oh.done16:
  %v114 = getelementptr i8, ptr %v22, i64 768
  br label %oh.loop61
oh.loop61:
  %v68 = phi ptr [ %v22, %oh.done16 ], [ %v113, %oh.loop61 ]
  %v72 = phi ptr [ %v4, %oh.done16 ], [ %v116, %oh.loop61 ]
  %v64 = phi <16 x float> [ %v47, %oh.done16 ], [ %v102, %oh.loop61 ]
  %v65 = phi <16 x float> [ %v50, %oh.done16 ], [ %v106, %oh.loop61 ]
  %v66 = phi <16 x float> [ %v53, %oh.done16 ], [ %v110, %oh.loop61 ]
  %v67 = phi <16 x float> [ %v54, %oh.done16 ], [ %v111, %oh.loop61 ]
  %v69 = getelementptr i8, ptr %v68, i64 1024
  %v70 = load <4 x float>, ptr %v69, align 4
  %v71 = shufflevector <4 x float> %v70, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v73 = getelementptr i8, ptr %v72, i64 1152
  %v74 = load <4 x float>, ptr %v73, align 4
  %v75 = shufflevector <4 x float> %v74, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v76 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v75, <16 x float> %v64)
  %v77 = getelementptr i8, ptr %v72, i64 1728
  %v78 = load <4 x float>, ptr %v77, align 4
  %v79 = shufflevector <4 x float> %v78, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v79, <16 x float> %v65)
  %v81 = getelementptr i8, ptr %v68, i64 1088
  %v82 = load <4 x float>, ptr %v81, align 4
  %v83 = shufflevector <4 x float> %v82, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v84 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v83, <16 x float> %v75, <16 x float> %v66)
  %v85 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v83, <16 x float> %v79, <16 x float> %v67)
  %v86 = getelementptr i8, ptr %v72, i64 1216
  %v87 = load <4 x float>, ptr %v86, align 4
  %v88 = shufflevector <4 x float> %v87, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v83, <16 x float> %v88, <16 x float> %v76)
  %v90 = getelementptr i8, ptr %v72, i64 1792
  %v91 = load <4 x float>, ptr %v90, align 4
  %v92 = shufflevector <4 x float> %v91, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v93 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v83, <16 x float> %v92, <16 x float> %v80)
  %v94 = getelementptr i8, ptr %v68, i64 1152
  %v95 = load <4 x float>, ptr %v94, align 4
  %v96 = shufflevector <4 x float> %v95, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v97 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v96, <16 x float> %v88, <16 x float> %v84)
  %v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v96, <16 x float> %v92, <16 x float> %v85)
  %v99 = getelementptr i8, ptr %v72, i64 1280
  %v100 = load <4 x float>, ptr %v99, align 4
  %v101 = shufflevector <4 x float> %v100, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v102 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v96, <16 x float> %v101, <16 x float> %v89)
  %v103 = getelementptr i8, ptr %v72, i64 1856
  %v104 = load <4 x float>, ptr %v103, align 4
  %v105 = shufflevector <4 x float> %v104, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v106 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v96, <16 x float> %v105, <16 x float> %v93)
  %v107 = getelementptr i8, ptr %v68, i64 1216
  %v108 = load <4 x float>, ptr %v107, align 4
  %v109 = shufflevector <4 x float> %v108, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v110 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v109, <16 x float> %v101, <16 x float> %v97)
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v109, <16 x float> %v105, <16 x float> %v98)
  %v112 = getelementptr i8, ptr %v68, i64 256
  %v113 = freeze ptr %v112
  %v115 = getelementptr i8, ptr %v72, i64 192
  %v116 = freeze ptr %v115
  %v117 = icmp ne ptr %v113, %v114
  br i1 %v117, label %oh.loop61, label %oh.done62
oh.done62:
  store <16 x float> %v102, ptr %v118, align 64
  %v119 = getelementptr i8, ptr %v118, i64 256
  store <16 x float> %v106, ptr %v119, align 64
  %v120 = getelementptr i8, ptr %v118, i64 64
  store <16 x float> %v110, ptr %v120, align 64
  %v121 = getelementptr i8, ptr %v118, i64 320
  store <16 x float> %v111, ptr %v121, align 64
  %v122 = getelementptr i8, ptr %v22, i64 256
  %v123 = freeze ptr %v122
  %v125 = getelementptr i8, ptr %v118, i64 128
  %v126 = freeze ptr %v125
  %v127 = icmp ne ptr %v123, %v124
  br i1 %v127, label %kh.loop12, label %kh.done13
kh.done13:
  %v205 = getelementptr i8, ptr %v7, i64 512
  br label %co_i.second.loop128
co_i.second.loop128:
  %v131 = phi ptr [ %v7, %kh.done13 ], [ %v204, %co_i.second.loop128 ]
  %v202 = phi ptr [ %v6, %kh.done13 ], [ %v207, %co_i.second.loop128 ]
  %v132 = load <16 x float>, ptr %v131, align 64
  %v133 = getelementptr i8, ptr %v131, i64 64
  %v134 = load <16 x float>, ptr %v133, align 64
  %v135 = getelementptr i8, ptr %v131, i64 128
  %v136 = load <16 x float>, ptr %v135, align 64
  %v137 = getelementptr i8, ptr %v131, i64 192
  %v138 = load <16 x float>, ptr %v137, align 64
  %v139 = shufflevector <16 x float> %v132, <16 x float> %v134, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v140 = shufflevector <16 x float> %v132, <16 x float> %v134, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v141 = shufflevector <16 x float> %v136, <16 x float> %v138, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v142 = shufflevector <16 x float> %v136, <16 x float> %v138, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v143 = shufflevector <16 x float> %v139, <16 x float> %v141, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v144 = shufflevector <16 x float> %v139, <16 x float> %v141, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v145 = shufflevector <16 x float> %v140, <16 x float> %v142, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v146 = shufflevector <16 x float> %v140, <16 x float> %v142, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v147 = shufflevector <16 x float> %v143, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v148 = shufflevector <16 x float> %v143, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v149 = shufflevector <16 x float> %v145, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v150 = shufflevector <16 x float> %v145, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v151 = shufflevector <16 x float> %v144, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v152 = shufflevector <16 x float> %v144, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v153 = shufflevector <16 x float> %v146, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v154 = shufflevector <16 x float> %v146, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v155 = shufflevector <16 x float> %v147, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v156 = shufflevector <16 x float> %v147, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v157 = shufflevector <16 x float> %v149, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v158 = shufflevector <16 x float> %v149, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v159 = shufflevector <16 x float> %v151, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v160 = shufflevector <16 x float> %v151, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v161 = shufflevector <16 x float> %v153, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v162 = shufflevector <16 x float> %v153, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v163 = shufflevector <16 x float> %v148, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v164 = shufflevector <16 x float> %v148, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v165 = shufflevector <16 x float> %v150, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v166 = shufflevector <16 x float> %v150, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v167 = shufflevector <16 x float> %v152, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v168 = shufflevector <16 x float> %v152, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v169 = shufflevector <16 x float> %v154, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v170 = shufflevector <16 x float> %v154, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v171 = shufflevector <16 x float> %v155, <16 x float> %v155, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v172 = shufflevector <16 x float> %v157, <16 x float> %v157, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v173 = shufflevector <16 x float> %v159, <16 x float> %v159, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v174 = shufflevector <16 x float> %v161, <16 x float> %v161, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v175 = shufflevector <16 x float> %v163, <16 x float> %v163, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v176 = shufflevector <16 x float> %v165, <16 x float> %v165, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v177 = shufflevector <16 x float> %v167, <16 x float> %v167, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v178 = shufflevector <16 x float> %v169, <16 x float> %v169, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v179 = shufflevector <16 x float> %v156, <16 x float> %v156, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v180 = shufflevector <16 x float> %v158, <16 x float> %v158, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v181 = shufflevector <16 x float> %v160, <16 x float> %v160, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v182 = shufflevector <16 x float> %v162, <16 x float> %v162, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v183 = shufflevector <16 x float> %v164, <16 x float> %v164, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v184 = shufflevector <16 x float> %v166, <16 x float> %v166, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v185 = shufflevector <16 x float> %v168, <16 x float> %v168, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v186 = shufflevector <16 x float> %v170, <16 x float> %v170, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v187 = fadd <4 x float> %v172, %v171
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
  %v198 = fadd <4 x float> %v183, %v197
  %v199 = fadd <4 x float> %v184, %v198
  %v200 = fadd <4 x float> %v185, %v199
  %v201 = fadd <4 x float> %v186, %v200
  store <4 x float> %v201, ptr %v202, align 4
  %v203 = getelementptr i8, ptr %v131, i64 256
  %v204 = freeze ptr %v203
  %v206 = getelementptr i8, ptr %v202, i64 16
  %v207 = freeze ptr %v206
  %v208 = icmp ne ptr %v204, %v205
  br i1 %v208, label %co_i.second.loop128, label %co_i.second.done129
co_i.second.done129:
  %v210 = add nsw i64 %v209, 1
  %v211 = freeze i64 %v210
  %v212 = icmp ne i64 %v211, %hi
  br i1 %v212, label %items.loop8, label %items.done9
items.done9:
  ret void
}
