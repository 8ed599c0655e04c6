define void @k_50e86abf277cf99b(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v11 = phi i64 [ %lo, %entry ], [ %v12, %co_i.second.done124 ]
  br label %kh.loop13
kh.loop13:
  %v15 = phi i64 [ 0, %items.loop8 ], [ %v16, %oh.done63 ]
  %v25 = mul nsw i64 %v15, 256
  %v26 = getelementptr i8, ptr %v2, i64 %v25
  %v117 = mul nsw i64 %v15, 128
  %v118 = getelementptr i8, ptr %v7, i64 %v117
  br label %oh.loop17
oh.loop17:
  %v19 = phi i64 [ 0, %kh.loop13 ], [ %v20, %oh.loop17 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v53, %oh.loop17 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v56, %oh.loop17 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v59, %oh.loop17 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %kh.loop13 ], [ %v60, %oh.loop17 ]
  %v27 = mul nsw i64 %v19, 256
  %v28 = getelementptr i8, ptr %v26, i64 %v27
  %v30 = mul nsw i64 %v19, 192
  %v31 = getelementptr i8, ptr %v4, i64 %v30
  %v29 = load <16 x float>, ptr %v28, align 64
  %v32 = load <16 x float>, ptr %v31, align 64
  %v33 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v29, <16 x float> %v32, <16 x float> %v21)
  %v34 = getelementptr i8, ptr %v31, i64 576
  %v35 = load <16 x float>, ptr %v34, align 64
  %v36 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v29, <16 x float> %v35, <16 x float> %v22)
  %v37 = getelementptr i8, ptr %v28, i64 64
  %v38 = load <16 x float>, ptr %v37, align 64
  %v39 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v32, <16 x float> %v23)
  %v40 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v35, <16 x float> %v24)
  %v41 = getelementptr i8, ptr %v31, i64 64
  %v42 = load <16 x float>, ptr %v41, align 64
  %v43 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v42, <16 x float> %v33)
  %v44 = getelementptr i8, ptr %v31, i64 640
  %v45 = load <16 x float>, ptr %v44, align 64
  %v46 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v45, <16 x float> %v36)
  %v47 = getelementptr i8, ptr %v28, i64 128
  %v48 = load <16 x float>, ptr %v47, align 64
  %v49 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v42, <16 x float> %v39)
  %v50 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v45, <16 x float> %v40)
  %v51 = getelementptr i8, ptr %v31, i64 128
  %v52 = load <16 x float>, ptr %v51, align 64
  %v53 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v52, <16 x float> %v43)
  %v54 = getelementptr i8, ptr %v31, i64 704
  %v55 = load <16 x float>, ptr %v54, align 64
  %v56 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v55, <16 x float> %v46)
  %v57 = getelementptr i8, ptr %v28, i64 192
  %v58 = load <16 x float>, ptr %v57, align 64
  %v59 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v58, <16 x float> %v52, <16 x float> %v49)
  %v60 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v58, <16 x float> %v55, <16 x float> %v50)
  %v20 = add nuw nsw i64 %v19, 1
  %v61 = icmp ne i64 %v20, 3
  br i1 %v61, label %oh.loop17, label %oh.done18
oh.done18:
  br label %oh.loop62
oh.loop62:
  %v64 = phi i64 [ 0, %oh.done18 ], [ %v65, %oh.loop62 ]
  %v66 = phi <16 x float> [ %v53, %oh.done18 ], [ %v106, %oh.loop62 ]
  %v67 = phi <16 x float> [ %v56, %oh.done18 ], [ %v110, %oh.loop62 ]
  %v68 = phi <16 x float> [ %v59, %oh.done18 ], [ %v114, %oh.loop62 ]
  %v69 = phi <16 x float> [ %v60, %oh.done18 ], [ %v115, %oh.loop62 ]
  %v70 = mul nsw i64 %v64, 256
  %v71 = getelementptr i8, ptr %v26, i64 %v70
  %v75 = mul nsw i64 %v64, 192
  %v76 = getelementptr i8, ptr %v4, i64 %v75
  %v72 = getelementptr i8, ptr %v71, i64 1024
  %v73 = load <4 x float>, ptr %v72, align 4
  %v74 = shufflevector <4 x float> %v73, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v77 = getelementptr i8, ptr %v76, i64 1152
  %v78 = load <4 x float>, ptr %v77, align 4
  %v79 = shufflevector <4 x float> %v78, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v74, <16 x float> %v79, <16 x float> %v66)
  %v81 = getelementptr i8, ptr %v76, i64 1728
  %v82 = load <4 x float>, ptr %v81, align 4
  %v83 = shufflevector <4 x float> %v82, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v84 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v74, <16 x float> %v83, <16 x float> %v67)
  %v85 = getelementptr i8, ptr %v71, i64 1088
  %v86 = load <4 x float>, ptr %v85, align 4
  %v87 = shufflevector <4 x float> %v86, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v88 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v87, <16 x float> %v79, <16 x float> %v68)
  %v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v87, <16 x float> %v83, <16 x float> %v69)
  %v90 = getelementptr i8, ptr %v76, i64 1216
  %v91 = load <4 x float>, ptr %v90, align 4
  %v92 = shufflevector <4 x float> %v91, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v93 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v87, <16 x float> %v92, <16 x float> %v80)
  %v94 = getelementptr i8, ptr %v76, i64 1792
  %v95 = load <4 x float>, ptr %v94, align 4
  %v96 = shufflevector <4 x float> %v95, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v97 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v87, <16 x float> %v96, <16 x float> %v84)
  %v98 = getelementptr i8, ptr %v71, i64 1152
  %v99 = load <4 x float>, ptr %v98, align 4
  %v100 = shufflevector <4 x float> %v99, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v101 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v92, <16 x float> %v88)
  %v102 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v96, <16 x float> %v89)
  %v103 = getelementptr i8, ptr %v76, i64 1280
  %v104 = load <4 x float>, ptr %v103, align 4
  %v105 = shufflevector <4 x float> %v104, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v106 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v105, <16 x float> %v93)
  %v107 = getelementptr i8, ptr %v76, i64 1856
  %v108 = load <4 x float>, ptr %v107, align 4
  %v109 = shufflevector <4 x float> %v108, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v110 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v109, <16 x float> %v97)
  %v111 = getelementptr i8, ptr %v71, i64 1216
  %v112 = load <4 x float>, ptr %v111, align 4
  %v113 = shufflevector <4 x float> %v112, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v114 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v113, <16 x float> %v105, <16 x float> %v101)
  %v115 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v113, <16 x float> %v109, <16 x float> %v102)
  %v65 = add nuw nsw i64 %v64, 1
  %v116 = icmp ne i64 %v65, 3
  br i1 %v116, label %oh.loop62, label %oh.done63
oh.done63:
  store <16 x float> %v106, ptr %v118, align 64
  %v119 = getelementptr i8, ptr %v118, i64 256
  store <16 x float> %v110, ptr %v119, align 64
  %v120 = getelementptr i8, ptr %v118, i64 64
  store <16 x float> %v114, ptr %v120, align 64
  %v121 = getelementptr i8, ptr %v118, i64 320
  store <16 x float> %v115, ptr %v121, align 64
  %v16 = add nuw nsw i64 %v15, 1
  %v122 = icmp ne i64 %v16, 2
  br i1 %v122, label %kh.loop13, label %kh.done14
kh.done14:
  br label %co_i.second.loop123
co_i.second.loop123:
  %v125 = phi i64 [ 0, %kh.done14 ], [ %v126, %co_i.second.loop123 ]
  %v127 = mul nsw i64 %v125, 256
  %v128 = getelementptr i8, ptr %v7, i64 %v127
  %v199 = mul nsw i64 %v125, 16
  %v200 = getelementptr i8, ptr %v6, i64 %v199
  %v129 = load <16 x float>, ptr %v128, align 64
  %v130 = getelementptr i8, ptr %v128, i64 64
  %v131 = load <16 x float>, ptr %v130, align 64
  %v132 = getelementptr i8, ptr %v128, i64 128
  %v133 = load <16 x float>, ptr %v132, align 64
  %v134 = getelementptr i8, ptr %v128, i64 192
  %v135 = load <16 x float>, ptr %v134, align 64
  %v136 = shufflevector <16 x float> %v129, <16 x float> %v131, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v137 = shufflevector <16 x float> %v129, <16 x float> %v131, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v138 = shufflevector <16 x float> %v133, <16 x float> %v135, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v139 = shufflevector <16 x float> %v133, <16 x float> %v135, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v140 = shufflevector <16 x float> %v136, <16 x float> %v138, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v141 = shufflevector <16 x float> %v136, <16 x float> %v138, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v142 = shufflevector <16 x float> %v137, <16 x float> %v139, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v143 = shufflevector <16 x float> %v137, <16 x float> %v139, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v144 = shufflevector <16 x float> %v140, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v145 = shufflevector <16 x float> %v140, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v146 = shufflevector <16 x float> %v142, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v147 = shufflevector <16 x float> %v142, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v148 = shufflevector <16 x float> %v141, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v149 = shufflevector <16 x float> %v141, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v150 = shufflevector <16 x float> %v143, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v151 = shufflevector <16 x float> %v143, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v152 = shufflevector <16 x float> %v144, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v153 = shufflevector <16 x float> %v144, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v154 = shufflevector <16 x float> %v146, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v155 = shufflevector <16 x float> %v146, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v156 = shufflevector <16 x float> %v148, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v157 = shufflevector <16 x float> %v148, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v158 = shufflevector <16 x float> %v150, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v159 = shufflevector <16 x float> %v150, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v160 = shufflevector <16 x float> %v145, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v161 = shufflevector <16 x float> %v145, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v162 = shufflevector <16 x float> %v147, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v163 = shufflevector <16 x float> %v147, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v164 = shufflevector <16 x float> %v149, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v165 = shufflevector <16 x float> %v149, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v166 = shufflevector <16 x float> %v151, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v167 = shufflevector <16 x float> %v151, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v168 = shufflevector <16 x float> %v152, <16 x float> %v152, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v169 = shufflevector <16 x float> %v154, <16 x float> %v154, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v170 = shufflevector <16 x float> %v156, <16 x float> %v156, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v171 = shufflevector <16 x float> %v158, <16 x float> %v158, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v172 = shufflevector <16 x float> %v160, <16 x float> %v160, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v173 = shufflevector <16 x float> %v162, <16 x float> %v162, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v174 = shufflevector <16 x float> %v164, <16 x float> %v164, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v175 = shufflevector <16 x float> %v166, <16 x float> %v166, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v176 = shufflevector <16 x float> %v153, <16 x float> %v153, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v177 = shufflevector <16 x float> %v155, <16 x float> %v155, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v178 = shufflevector <16 x float> %v157, <16 x float> %v157, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v179 = shufflevector <16 x float> %v159, <16 x float> %v159, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v180 = shufflevector <16 x float> %v161, <16 x float> %v161, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v181 = shufflevector <16 x float> %v163, <16 x float> %v163, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v182 = shufflevector <16 x float> %v165, <16 x float> %v165, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v183 = shufflevector <16 x float> %v167, <16 x float> %v167, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v184 = fadd <4 x float> %v169, %v168
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
  %v198 = fadd <4 x float> %v183, %v197
  store <4 x float> %v198, ptr %v200, align 4
  %v126 = add nuw nsw i64 %v125, 1
  %v201 = icmp ne i64 %v126, 2
  br i1 %v201, label %co_i.second.loop123, label %co_i.second.done124
co_i.second.done124:
  %v12 = add nuw nsw i64 %v11, 1
  %v202 = icmp ne i64 %v12, %hi
  br i1 %v202, label %items.loop8, label %items.done9
items.done9:
  ret void
}
