define void @k_fe1786924a34e075(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr i8, ptr %scratch, i64 0
  %v10 = icmp slt i64 %lo, %hi
  br i1 %v10, label %loop8, label %done9
loop8:
  %v11 = phi i64 [ %lo, %entry ], [ %v12, %done142 ]
  br label %loop13
loop13:
  %v15 = phi i64 [ 0, %loop8 ], [ %v16, %loop13 ]
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
  br i1 %v22, label %loop13, label %done14
done14:
  br label %loop23
loop23:
  %v25 = phi i64 [ 0, %done14 ], [ %v26, %done37 ]
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
  br label %loop36
loop36:
  %v38 = phi i64 [ 0, %loop23 ], [ %v39, %loop36 ]
  %v40 = phi <16 x float> [ %v29, %loop23 ], [ %v71, %loop36 ]
  %v41 = phi <16 x float> [ %v31, %loop23 ], [ %v74, %loop36 ]
  %v42 = phi <16 x float> [ %v33, %loop23 ], [ %v77, %loop36 ]
  %v43 = phi <16 x float> [ %v35, %loop23 ], [ %v78, %loop36 ]
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
  br i1 %v79, label %loop36, label %done37
done37:
  store <16 x float> %v71, ptr %v28, align 64
  store <16 x float> %v74, ptr %v30, align 64
  store <16 x float> %v77, ptr %v32, align 64
  store <16 x float> %v78, ptr %v34, align 64
  %v26 = add nuw nsw i64 %v25, 1
  %v80 = icmp ne i64 %v26, 2
  br i1 %v80, label %loop23, label %done24
done24:
  br label %loop81
loop81:
  %v83 = phi i64 [ 0, %done24 ], [ %v84, %done95 ]
  %v85 = mul nsw i64 %v83, 256
  %v86 = getelementptr i8, ptr %v7, i64 %v85
  %v102 = getelementptr i8, ptr %v2, i64 %v85
  %v87 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v86, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v88 = getelementptr i8, ptr %v86, i64 64
  %v89 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v88, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v90 = getelementptr i8, ptr %v86, i64 128
  %v91 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v90, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v92 = getelementptr i8, ptr %v86, i64 192
  %v93 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v92, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  br label %loop94
loop94:
  %v96 = phi i64 [ 0, %loop81 ], [ %v97, %loop94 ]
  %v98 = phi <16 x float> [ %v87, %loop81 ], [ %v131, %loop94 ]
  %v99 = phi <16 x float> [ %v89, %loop81 ], [ %v134, %loop94 ]
  %v100 = phi <16 x float> [ %v91, %loop81 ], [ %v137, %loop94 ]
  %v101 = phi <16 x float> [ %v93, %loop81 ], [ %v138, %loop94 ]
  %v103 = mul nsw i64 %v96, 256
  %v104 = getelementptr i8, ptr %v102, i64 %v103
  %v107 = mul nsw i64 %v96, 192
  %v108 = getelementptr i8, ptr %v4, i64 %v107
  %v105 = getelementptr i8, ptr %v104, i64 1024
  %v106 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v105, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v109 = getelementptr i8, ptr %v108, i64 1152
  %v110 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v109, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v106, <16 x float> %v110, <16 x float> %v98)
  %v112 = getelementptr i8, ptr %v108, i64 1728
  %v113 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v112, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v114 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v106, <16 x float> %v113, <16 x float> %v99)
  %v115 = getelementptr i8, ptr %v104, i64 1088
  %v116 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v115, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v117 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v110, <16 x float> %v100)
  %v118 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v113, <16 x float> %v101)
  %v119 = getelementptr i8, ptr %v108, i64 1216
  %v120 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v119, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v121 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v120, <16 x float> %v111)
  %v122 = getelementptr i8, ptr %v108, i64 1792
  %v123 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v122, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v124 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v123, <16 x float> %v114)
  %v125 = getelementptr i8, ptr %v104, i64 1152
  %v126 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v125, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v127 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v126, <16 x float> %v120, <16 x float> %v117)
  %v128 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v126, <16 x float> %v123, <16 x float> %v118)
  %v129 = getelementptr i8, ptr %v108, i64 1280
  %v130 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v129, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v131 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v126, <16 x float> %v130, <16 x float> %v121)
  %v132 = getelementptr i8, ptr %v108, i64 1856
  %v133 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v132, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v134 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v126, <16 x float> %v133, <16 x float> %v124)
  %v135 = getelementptr i8, ptr %v104, i64 1216
  %v136 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v135, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v137 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v136, <16 x float> %v130, <16 x float> %v127)
  %v138 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v136, <16 x float> %v133, <16 x float> %v128)
  %v97 = add nuw nsw i64 %v96, 1
  %v139 = icmp ne i64 %v97, 3
  br i1 %v139, label %loop94, label %done95
done95:
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v131, ptr %v86, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v134, ptr %v88, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v137, ptr %v90, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v138, ptr %v92, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %v84 = add nuw nsw i64 %v83, 1
  %v140 = icmp ne i64 %v84, 2
  br i1 %v140, label %loop81, label %done82
done82:
  br label %loop141
loop141:
  %v143 = phi i64 [ 0, %done82 ], [ %v144, %loop141 ]
  %v145 = mul nsw i64 %v143, 256
  %v146 = getelementptr i8, ptr %v7, i64 %v145
  %v160 = mul nsw i64 %v143, 8
  %v161 = getelementptr i8, ptr %v6, i64 %v160
  %v147 = load <16 x float>, ptr %v146, align 64
  %v148 = shufflevector <16 x float> %v147, <16 x float> %v147, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v149 = shufflevector <16 x float> %v147, <16 x float> %v147, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v150 = fadd <8 x float> %v149, %v148
  %v151 = shufflevector <8 x float> %v150, <8 x float> %v150, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v152 = shufflevector <8 x float> %v150, <8 x float> %v150, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v153 = fadd <4 x float> %v152, %v151
  %v154 = shufflevector <4 x float> %v153, <4 x float> %v153, <2 x i32> <i32 0, i32 1>
  %v155 = shufflevector <4 x float> %v153, <4 x float> %v153, <2 x i32> <i32 2, i32 3>
  %v156 = fadd <2 x float> %v155, %v154
  %v157 = extractelement <2 x float> %v156, i64 0
  %v158 = extractelement <2 x float> %v156, i64 1
  %v159 = fadd float %v158, %v157
  store float %v159, ptr %v161, align 4
  %v162 = getelementptr i8, ptr %v146, i64 64
  %v163 = load <16 x float>, ptr %v162, align 64
  %v164 = shufflevector <16 x float> %v163, <16 x float> %v163, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v165 = shufflevector <16 x float> %v163, <16 x float> %v163, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v166 = fadd <8 x float> %v165, %v164
  %v167 = shufflevector <8 x float> %v166, <8 x float> %v166, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v168 = shufflevector <8 x float> %v166, <8 x float> %v166, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v169 = fadd <4 x float> %v168, %v167
  %v170 = shufflevector <4 x float> %v169, <4 x float> %v169, <2 x i32> <i32 0, i32 1>
  %v171 = shufflevector <4 x float> %v169, <4 x float> %v169, <2 x i32> <i32 2, i32 3>
  %v172 = fadd <2 x float> %v171, %v170
  %v173 = extractelement <2 x float> %v172, i64 0
  %v174 = extractelement <2 x float> %v172, i64 1
  %v175 = fadd float %v174, %v173
  %v176 = getelementptr i8, ptr %v161, i64 16
  store float %v175, ptr %v176, align 4
  %v177 = getelementptr i8, ptr %v146, i64 128
  %v178 = load <16 x float>, ptr %v177, align 64
  %v179 = shufflevector <16 x float> %v178, <16 x float> %v178, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v180 = shufflevector <16 x float> %v178, <16 x float> %v178, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v181 = fadd <8 x float> %v180, %v179
  %v182 = shufflevector <8 x float> %v181, <8 x float> %v181, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v183 = shufflevector <8 x float> %v181, <8 x float> %v181, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v184 = fadd <4 x float> %v183, %v182
  %v185 = shufflevector <4 x float> %v184, <4 x float> %v184, <2 x i32> <i32 0, i32 1>
  %v186 = shufflevector <4 x float> %v184, <4 x float> %v184, <2 x i32> <i32 2, i32 3>
  %v187 = fadd <2 x float> %v186, %v185
  %v188 = extractelement <2 x float> %v187, i64 0
  %v189 = extractelement <2 x float> %v187, i64 1
  %v190 = fadd float %v189, %v188
  %v191 = getelementptr i8, ptr %v161, i64 4
  store float %v190, ptr %v191, align 4
  %v192 = getelementptr i8, ptr %v146, i64 192
  %v193 = load <16 x float>, ptr %v192, align 64
  %v194 = shufflevector <16 x float> %v193, <16 x float> %v193, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v195 = shufflevector <16 x float> %v193, <16 x float> %v193, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v196 = fadd <8 x float> %v195, %v194
  %v197 = shufflevector <8 x float> %v196, <8 x float> %v196, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v198 = shufflevector <8 x float> %v196, <8 x float> %v196, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v199 = fadd <4 x float> %v198, %v197
  %v200 = shufflevector <4 x float> %v199, <4 x float> %v199, <2 x i32> <i32 0, i32 1>
  %v201 = shufflevector <4 x float> %v199, <4 x float> %v199, <2 x i32> <i32 2, i32 3>
  %v202 = fadd <2 x float> %v201, %v200
  %v203 = extractelement <2 x float> %v202, i64 0
  %v204 = extractelement <2 x float> %v202, i64 1
  %v205 = fadd float %v204, %v203
  %v206 = getelementptr i8, ptr %v161, i64 20
  store float %v205, ptr %v206, align 4
  %v144 = add nuw nsw i64 %v143, 1
  %v207 = icmp ne i64 %v144, 2
  br i1 %v207, label %loop141, label %done142
done142:
  %v12 = add nuw nsw i64 %v11, 1
  %v208 = icmp ne i64 %v12, %hi
  br i1 %v208, label %loop8, label %done9
done9:
  ret void
}
