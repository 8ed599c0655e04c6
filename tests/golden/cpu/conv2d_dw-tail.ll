define void @k_f73763e798d3ff9e(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v11 = phi i64 [ %lo, %entry ], [ %v12, %co_i.second.done191 ]
  br label %co_i.first.loop13
co_i.first.loop13:
  %v15 = phi i64 [ 0, %items.loop8 ], [ %v16, %kh.first.done18 ]
  %v25 = mul nsw i64 %v15, 256
  %v26 = getelementptr i8, ptr %v7, i64 %v25
  br label %kh.first.loop17
kh.first.loop17:
  %v19 = phi i64 [ 0, %co_i.first.loop13 ], [ %v20, %kw.first.done22 ]
  %v27 = mul nsw i64 %v19, 128
  %v28 = getelementptr i8, ptr %v26, i64 %v27
  br label %kw.first.loop21
kw.first.loop21:
  %v23 = phi i64 [ 0, %kh.first.loop17 ], [ %v24, %kw.first.loop21 ]
  %v29 = mul nsw i64 %v23, 64
  %v30 = getelementptr i8, ptr %v28, i64 %v29
  store <16 x float> splat (float 0x0000000000000000), ptr %v30, align 64
  %v24 = add nuw nsw i64 %v23, 1
  %v31 = icmp ne i64 %v24, 2
  br i1 %v31, label %kw.first.loop21, label %kw.first.done22
kw.first.done22:
  %v20 = add nuw nsw i64 %v19, 1
  %v32 = icmp ne i64 %v20, 2
  br i1 %v32, label %kh.first.loop17, label %kh.first.done18
kh.first.done18:
  %v16 = add nuw nsw i64 %v15, 1
  %v33 = icmp ne i64 %v16, 2
  br i1 %v33, label %co_i.first.loop13, label %co_i.first.done14
co_i.first.done14:
  br label %kh.loop34
kh.loop34:
  %v36 = phi i64 [ 0, %co_i.first.done14 ], [ %v37, %oh_i.done48 ]
  %v38 = mul nsw i64 %v36, 128
  %v39 = getelementptr i8, ptr %v7, i64 %v38
  %v59 = mul nsw i64 %v36, 256
  %v60 = getelementptr i8, ptr %v2, i64 %v59
  %v40 = load <16 x float>, ptr %v39, align 64
  %v41 = getelementptr i8, ptr %v39, i64 256
  %v42 = load <16 x float>, ptr %v41, align 64
  %v43 = getelementptr i8, ptr %v39, i64 64
  %v44 = load <16 x float>, ptr %v43, align 64
  %v45 = getelementptr i8, ptr %v39, i64 320
  %v46 = load <16 x float>, ptr %v45, align 64
  br label %oh_i.loop47
oh_i.loop47:
  %v49 = phi i64 [ 0, %kh.loop34 ], [ %v50, %oh_i.loop47 ]
  %v51 = phi <16 x float> [ %v40, %kh.loop34 ], [ %v92, %oh_i.loop47 ]
  %v52 = phi <16 x float> [ %v42, %kh.loop34 ], [ %v95, %oh_i.loop47 ]
  %v53 = phi <16 x float> [ %v44, %kh.loop34 ], [ %v98, %oh_i.loop47 ]
  %v54 = phi <16 x float> [ %v46, %kh.loop34 ], [ %v99, %oh_i.loop47 ]
  %v55 = mul nsw i64 %v49, 192
  %v56 = getelementptr i8, ptr %v4, i64 %v55
  %v61 = mul nsw i64 %v49, 256
  %v62 = getelementptr i8, ptr %v60, i64 %v61
  %v57 = getelementptr i8, ptr %v56, i64 192
  call void @llvm.prefetch.p0(ptr %v57, i32 0, i32 3, i32 1)
  %v58 = getelementptr i8, ptr %v56, i64 768
  call void @llvm.prefetch.p0(ptr %v58, i32 0, i32 3, i32 1)
  %v63 = getelementptr i8, ptr %v62, i64 1024
  call void @llvm.prefetch.p0(ptr %v63, i32 0, i32 3, i32 1)
  %v64 = load <16 x float>, ptr %v62, align 64
  %v65 = load <16 x float>, ptr %v56, align 64
  %v66 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v65, <16 x float> %v51)
  %v67 = getelementptr i8, ptr %v56, i64 576
  %v68 = load <16 x float>, ptr %v67, align 64
  %v69 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v68, <16 x float> %v52)
  %v70 = getelementptr i8, ptr %v62, i64 64
  %v71 = load <16 x float>, ptr %v70, align 64
  %v72 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v65, <16 x float> %v53)
  %v73 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v68, <16 x float> %v54)
  %v74 = getelementptr i8, ptr %v56, i64 256
  call void @llvm.prefetch.p0(ptr %v74, i32 0, i32 3, i32 1)
  %v75 = getelementptr i8, ptr %v56, i64 832
  call void @llvm.prefetch.p0(ptr %v75, i32 0, i32 3, i32 1)
  %v76 = getelementptr i8, ptr %v62, i64 1088
  call void @llvm.prefetch.p0(ptr %v76, i32 0, i32 3, i32 1)
  %v77 = getelementptr i8, ptr %v56, i64 64
  %v78 = load <16 x float>, ptr %v77, align 64
  %v79 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v78, <16 x float> %v66)
  %v80 = getelementptr i8, ptr %v56, i64 640
  %v81 = load <16 x float>, ptr %v80, align 64
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %v81, <16 x float> %v69)
  %v83 = getelementptr i8, ptr %v62, i64 128
  %v84 = load <16 x float>, ptr %v83, align 64
  %v85 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v78, <16 x float> %v72)
  %v86 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v81, <16 x float> %v73)
  %v87 = getelementptr i8, ptr %v56, i64 320
  call void @llvm.prefetch.p0(ptr %v87, i32 0, i32 3, i32 1)
  %v88 = getelementptr i8, ptr %v56, i64 896
  call void @llvm.prefetch.p0(ptr %v88, i32 0, i32 3, i32 1)
  %v89 = getelementptr i8, ptr %v62, i64 1152
  call void @llvm.prefetch.p0(ptr %v89, i32 0, i32 3, i32 1)
  %v90 = getelementptr i8, ptr %v56, i64 128
  %v91 = load <16 x float>, ptr %v90, align 64
  %v92 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v91, <16 x float> %v79)
  %v93 = getelementptr i8, ptr %v56, i64 704
  %v94 = load <16 x float>, ptr %v93, align 64
  %v95 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v94, <16 x float> %v82)
  %v96 = getelementptr i8, ptr %v62, i64 192
  %v97 = load <16 x float>, ptr %v96, align 64
  %v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v97, <16 x float> %v91, <16 x float> %v85)
  %v99 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v97, <16 x float> %v94, <16 x float> %v86)
  %v50 = add nuw nsw i64 %v49, 1
  %v100 = icmp ne i64 %v50, 3
  br i1 %v100, label %oh_i.loop47, label %oh_i.done48
oh_i.done48:
  store <16 x float> %v92, ptr %v39, align 64
  store <16 x float> %v95, ptr %v41, align 64
  store <16 x float> %v98, ptr %v43, align 64
  store <16 x float> %v99, ptr %v45, align 64
  %v37 = add nuw nsw i64 %v36, 1
  %v101 = icmp ne i64 %v37, 2
  br i1 %v101, label %kh.loop34, label %kh.done35
kh.done35:
  br label %kh.loop102
kh.loop102:
  %v104 = phi i64 [ 0, %kh.done35 ], [ %v105, %oh_i.done120 ]
  %v106 = mul nsw i64 %v104, 128
  %v107 = getelementptr i8, ptr %v7, i64 %v106
  %v131 = mul nsw i64 %v104, 256
  %v132 = getelementptr i8, ptr %v2, i64 %v131
  %v108 = load <4 x float>, ptr %v107, align 4
  %v109 = shufflevector <4 x float> %v108, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v110 = getelementptr i8, ptr %v107, i64 256
  %v111 = load <4 x float>, ptr %v110, align 4
  %v112 = shufflevector <4 x float> %v111, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v113 = getelementptr i8, ptr %v107, i64 64
  %v114 = load <4 x float>, ptr %v113, align 4
  %v115 = shufflevector <4 x float> %v114, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v116 = getelementptr i8, ptr %v107, i64 320
  %v117 = load <4 x float>, ptr %v116, align 4
  %v118 = shufflevector <4 x float> %v117, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  br label %oh_i.loop119
oh_i.loop119:
  %v121 = phi i64 [ 0, %kh.loop102 ], [ %v122, %oh_i.loop119 ]
  %v123 = phi <16 x float> [ %v109, %kh.loop102 ], [ %v174, %oh_i.loop119 ]
  %v124 = phi <16 x float> [ %v112, %kh.loop102 ], [ %v178, %oh_i.loop119 ]
  %v125 = phi <16 x float> [ %v115, %kh.loop102 ], [ %v182, %oh_i.loop119 ]
  %v126 = phi <16 x float> [ %v118, %kh.loop102 ], [ %v183, %oh_i.loop119 ]
  %v127 = mul nsw i64 %v121, 192
  %v128 = getelementptr i8, ptr %v4, i64 %v127
  %v133 = mul nsw i64 %v121, 256
  %v134 = getelementptr i8, ptr %v132, i64 %v133
  %v129 = getelementptr i8, ptr %v128, i64 1344
  call void @llvm.prefetch.p0(ptr %v129, i32 0, i32 3, i32 1)
  %v130 = getelementptr i8, ptr %v128, i64 1920
  call void @llvm.prefetch.p0(ptr %v130, i32 0, i32 3, i32 1)
  %v135 = getelementptr i8, ptr %v134, i64 2048
  call void @llvm.prefetch.p0(ptr %v135, i32 0, i32 3, i32 1)
  %v136 = getelementptr i8, ptr %v134, i64 1024
  %v137 = load <4 x float>, ptr %v136, align 4
  %v138 = shufflevector <4 x float> %v137, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v139 = getelementptr i8, ptr %v128, i64 1152
  %v140 = load <4 x float>, ptr %v139, align 4
  %v141 = shufflevector <4 x float> %v140, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v142 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v138, <16 x float> %v141, <16 x float> %v123)
  %v143 = getelementptr i8, ptr %v128, i64 1728
  %v144 = load <4 x float>, ptr %v143, align 4
  %v145 = shufflevector <4 x float> %v144, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v146 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v138, <16 x float> %v145, <16 x float> %v124)
  %v147 = getelementptr i8, ptr %v134, i64 1088
  %v148 = load <4 x float>, ptr %v147, align 4
  %v149 = shufflevector <4 x float> %v148, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v150 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v149, <16 x float> %v141, <16 x float> %v125)
  %v151 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v149, <16 x float> %v145, <16 x float> %v126)
  %v152 = getelementptr i8, ptr %v128, i64 1408
  call void @llvm.prefetch.p0(ptr %v152, i32 0, i32 3, i32 1)
  %v153 = getelementptr i8, ptr %v128, i64 1984
  call void @llvm.prefetch.p0(ptr %v153, i32 0, i32 3, i32 1)
  %v154 = getelementptr i8, ptr %v134, i64 2112
  call void @llvm.prefetch.p0(ptr %v154, i32 0, i32 3, i32 1)
  %v155 = getelementptr i8, ptr %v128, i64 1216
  %v156 = load <4 x float>, ptr %v155, align 4
  %v157 = shufflevector <4 x float> %v156, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v158 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v149, <16 x float> %v157, <16 x float> %v142)
  %v159 = getelementptr i8, ptr %v128, i64 1792
  %v160 = load <4 x float>, ptr %v159, align 4
  %v161 = shufflevector <4 x float> %v160, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v162 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v149, <16 x float> %v161, <16 x float> %v146)
  %v163 = getelementptr i8, ptr %v134, i64 1152
  %v164 = load <4 x float>, ptr %v163, align 4
  %v165 = shufflevector <4 x float> %v164, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v166 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v165, <16 x float> %v157, <16 x float> %v150)
  %v167 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v165, <16 x float> %v161, <16 x float> %v151)
  %v168 = getelementptr i8, ptr %v128, i64 1472
  call void @llvm.prefetch.p0(ptr %v168, i32 0, i32 3, i32 1)
  %v169 = getelementptr i8, ptr %v128, i64 2048
  call void @llvm.prefetch.p0(ptr %v169, i32 0, i32 3, i32 1)
  %v170 = getelementptr i8, ptr %v134, i64 2176
  call void @llvm.prefetch.p0(ptr %v170, i32 0, i32 3, i32 1)
  %v171 = getelementptr i8, ptr %v128, i64 1280
  %v172 = load <4 x float>, ptr %v171, align 4
  %v173 = shufflevector <4 x float> %v172, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v174 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v165, <16 x float> %v173, <16 x float> %v158)
  %v175 = getelementptr i8, ptr %v128, i64 1856
  %v176 = load <4 x float>, ptr %v175, align 4
  %v177 = shufflevector <4 x float> %v176, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v178 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v165, <16 x float> %v177, <16 x float> %v162)
  %v179 = getelementptr i8, ptr %v134, i64 1216
  %v180 = load <4 x float>, ptr %v179, align 4
  %v181 = shufflevector <4 x float> %v180, <4 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %v182 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v181, <16 x float> %v173, <16 x float> %v166)
  %v183 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v181, <16 x float> %v177, <16 x float> %v167)
  %v122 = add nuw nsw i64 %v121, 1
  %v184 = icmp ne i64 %v122, 3
  br i1 %v184, label %oh_i.loop119, label %oh_i.done120
oh_i.done120:
  %v185 = shufflevector <16 x float> %v174, <16 x float> %v174, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v185, ptr %v107, align 4
  %v186 = shufflevector <16 x float> %v178, <16 x float> %v178, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v186, ptr %v110, align 4
  %v187 = shufflevector <16 x float> %v182, <16 x float> %v182, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v187, ptr %v113, align 4
  %v188 = shufflevector <16 x float> %v183, <16 x float> %v183, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v188, ptr %v116, align 4
  %v105 = add nuw nsw i64 %v104, 1
  %v189 = icmp ne i64 %v105, 2
  br i1 %v189, label %kh.loop102, label %kh.done103
kh.done103:
  br label %co_i.second.loop190
co_i.second.loop190:
  %v192 = phi i64 [ 0, %kh.done103 ], [ %v193, %co_i.second.loop190 ]
  %v194 = mul nsw i64 %v192, 256
  %v195 = getelementptr i8, ptr %v7, i64 %v194
  %v266 = mul nsw i64 %v192, 16
  %v267 = getelementptr i8, ptr %v6, i64 %v266
  %v196 = load <16 x float>, ptr %v195, align 64
  %v197 = getelementptr i8, ptr %v195, i64 64
  %v198 = load <16 x float>, ptr %v197, align 64
  %v199 = getelementptr i8, ptr %v195, i64 128
  %v200 = load <16 x float>, ptr %v199, align 64
  %v201 = getelementptr i8, ptr %v195, i64 192
  %v202 = load <16 x float>, ptr %v201, align 64
  %v203 = shufflevector <16 x float> %v196, <16 x float> %v198, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v204 = shufflevector <16 x float> %v196, <16 x float> %v198, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v205 = shufflevector <16 x float> %v200, <16 x float> %v202, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v206 = shufflevector <16 x float> %v200, <16 x float> %v202, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v207 = shufflevector <16 x float> %v203, <16 x float> %v205, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v208 = shufflevector <16 x float> %v203, <16 x float> %v205, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v209 = shufflevector <16 x float> %v204, <16 x float> %v206, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v210 = shufflevector <16 x float> %v204, <16 x float> %v206, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v211 = shufflevector <16 x float> %v207, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v212 = shufflevector <16 x float> %v207, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v213 = shufflevector <16 x float> %v209, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v214 = shufflevector <16 x float> %v209, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v215 = shufflevector <16 x float> %v208, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v216 = shufflevector <16 x float> %v208, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v217 = shufflevector <16 x float> %v210, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v218 = shufflevector <16 x float> %v210, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v219 = shufflevector <16 x float> %v211, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v220 = shufflevector <16 x float> %v211, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v221 = shufflevector <16 x float> %v213, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v222 = shufflevector <16 x float> %v213, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v223 = shufflevector <16 x float> %v215, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v224 = shufflevector <16 x float> %v215, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v225 = shufflevector <16 x float> %v217, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v226 = shufflevector <16 x float> %v217, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v227 = shufflevector <16 x float> %v212, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v228 = shufflevector <16 x float> %v212, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v229 = shufflevector <16 x float> %v214, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v230 = shufflevector <16 x float> %v214, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v231 = shufflevector <16 x float> %v216, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v232 = shufflevector <16 x float> %v216, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v233 = shufflevector <16 x float> %v218, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v234 = shufflevector <16 x float> %v218, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v235 = shufflevector <16 x float> %v219, <16 x float> %v219, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v236 = shufflevector <16 x float> %v221, <16 x float> %v221, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v237 = shufflevector <16 x float> %v223, <16 x float> %v223, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v238 = shufflevector <16 x float> %v225, <16 x float> %v225, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v239 = shufflevector <16 x float> %v227, <16 x float> %v227, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v240 = shufflevector <16 x float> %v229, <16 x float> %v229, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v241 = shufflevector <16 x float> %v231, <16 x float> %v231, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v242 = shufflevector <16 x float> %v233, <16 x float> %v233, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v243 = shufflevector <16 x float> %v220, <16 x float> %v220, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v244 = shufflevector <16 x float> %v222, <16 x float> %v222, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v245 = shufflevector <16 x float> %v224, <16 x float> %v224, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v246 = shufflevector <16 x float> %v226, <16 x float> %v226, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v247 = shufflevector <16 x float> %v228, <16 x float> %v228, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v248 = shufflevector <16 x float> %v230, <16 x float> %v230, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v249 = shufflevector <16 x float> %v232, <16 x float> %v232, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v250 = shufflevector <16 x float> %v234, <16 x float> %v234, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v251 = fadd <4 x float> %v236, %v235
  %v252 = fadd <4 x float> %v237, %v251
  %v253 = fadd <4 x float> %v238, %v252
  %v254 = fadd <4 x float> %v239, %v253
  %v255 = fadd <4 x float> %v240, %v254
  %v256 = fadd <4 x float> %v241, %v255
  %v257 = fadd <4 x float> %v242, %v256
  %v258 = fadd <4 x float> %v243, %v257
  %v259 = fadd <4 x float> %v244, %v258
  %v260 = fadd <4 x float> %v245, %v259
  %v261 = fadd <4 x float> %v246, %v260
  %v262 = fadd <4 x float> %v247, %v261
  %v263 = fadd <4 x float> %v248, %v262
  %v264 = fadd <4 x float> %v249, %v263
  %v265 = fadd <4 x float> %v250, %v264
  store <4 x float> %v265, ptr %v267, align 4
  %v193 = add nuw nsw i64 %v192, 1
  %v268 = icmp ne i64 %v193, 2
  br i1 %v268, label %co_i.second.loop190, label %co_i.second.done191
co_i.second.done191:
  %v12 = add nuw nsw i64 %v11, 1
  %v269 = icmp ne i64 %v12, %hi
  br i1 %v269, label %items.loop8, label %items.done9
items.done9:
  ret void
}
