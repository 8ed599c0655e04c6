define void @k_1c81887a114d4dcd(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v11 = phi i64 [ %lo, %entry ], [ %v12, %done154 ]
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
  %v22 = icmp slt i64 %v16, 2
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
  %v79 = icmp slt i64 %v39, 3
  br i1 %v79, label %loop36, label %done37
done37:
  store <16 x float> %v71, ptr %v28, align 64
  store <16 x float> %v74, ptr %v30, align 64
  store <16 x float> %v77, ptr %v32, align 64
  store <16 x float> %v78, ptr %v34, align 64
  %v26 = add nuw nsw i64 %v25, 1
  %v80 = icmp slt i64 %v26, 2
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
  %v98 = phi <16 x float> [ %v87, %loop81 ], [ %v140, %loop94 ]
  %v99 = phi <16 x float> [ %v89, %loop81 ], [ %v144, %loop94 ]
  %v100 = phi <16 x float> [ %v91, %loop81 ], [ %v148, %loop94 ]
  %v101 = phi <16 x float> [ %v93, %loop81 ], [ %v150, %loop94 ]
  %v103 = mul nsw i64 %v96, 256
  %v104 = getelementptr i8, ptr %v102, i64 %v103
  %v107 = mul nsw i64 %v96, 192
  %v108 = getelementptr i8, ptr %v4, i64 %v107
  %v105 = getelementptr i8, ptr %v104, i64 1024
  %v106 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v105, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v109 = getelementptr i8, ptr %v108, i64 1152
  %v110 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v109, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v106, <16 x float> %v110, <16 x float> %v98)
  %v112 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v111, <16 x float> %v98
  %v113 = getelementptr i8, ptr %v108, i64 1728
  %v114 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v113, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v115 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v106, <16 x float> %v114, <16 x float> %v99)
  %v116 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v115, <16 x float> %v99
  %v117 = getelementptr i8, ptr %v104, i64 1088
  %v118 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v117, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v119 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v118, <16 x float> %v110, <16 x float> %v100)
  %v120 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v119, <16 x float> %v100
  %v121 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v118, <16 x float> %v114, <16 x float> %v101)
  %v122 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v121, <16 x float> %v101
  %v123 = getelementptr i8, ptr %v108, i64 1216
  %v124 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v123, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v125 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v118, <16 x float> %v124, <16 x float> %v112)
  %v126 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v125, <16 x float> %v112
  %v127 = getelementptr i8, ptr %v108, i64 1792
  %v128 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v127, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v129 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v118, <16 x float> %v128, <16 x float> %v116)
  %v130 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v129, <16 x float> %v116
  %v131 = getelementptr i8, ptr %v104, i64 1152
  %v132 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v131, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v133 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v132, <16 x float> %v124, <16 x float> %v120)
  %v134 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v133, <16 x float> %v120
  %v135 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v132, <16 x float> %v128, <16 x float> %v122)
  %v136 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v135, <16 x float> %v122
  %v137 = getelementptr i8, ptr %v108, i64 1280
  %v138 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v137, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v139 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v132, <16 x float> %v138, <16 x float> %v126)
  %v140 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v139, <16 x float> %v126
  %v141 = getelementptr i8, ptr %v108, i64 1856
  %v142 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v141, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v143 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v132, <16 x float> %v142, <16 x float> %v130)
  %v144 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v143, <16 x float> %v130
  %v145 = getelementptr i8, ptr %v104, i64 1216
  %v146 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v145, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v147 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v146, <16 x float> %v138, <16 x float> %v134)
  %v148 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v147, <16 x float> %v134
  %v149 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v146, <16 x float> %v142, <16 x float> %v136)
  %v150 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v149, <16 x float> %v136
  %v97 = add nuw nsw i64 %v96, 1
  %v151 = icmp slt i64 %v97, 3
  br i1 %v151, label %loop94, label %done95
done95:
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v140, ptr %v86, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v144, ptr %v88, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v148, ptr %v90, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v150, ptr %v92, i32 64, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %v84 = add nuw nsw i64 %v83, 1
  %v152 = icmp slt i64 %v84, 2
  br i1 %v152, label %loop81, label %done82
done82:
  br label %loop153
loop153:
  %v155 = phi i64 [ 0, %done82 ], [ %v156, %loop153 ]
  %v157 = mul nsw i64 %v155, 256
  %v158 = getelementptr i8, ptr %v7, i64 %v157
  %v173 = mul nsw i64 %v155, 8
  %v174 = getelementptr i8, ptr %v6, i64 %v173
  %v159 = load <16 x float>, ptr %v158, align 64
  %v160 = shufflevector <16 x float> %v159, <16 x float> %v159, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v161 = shufflevector <16 x float> %v159, <16 x float> %v159, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v162 = fadd <8 x float> %v161, %v160
  %v163 = shufflevector <8 x float> %v162, <8 x float> %v162, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v164 = shufflevector <8 x float> %v162, <8 x float> %v162, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v165 = fadd <4 x float> %v164, %v163
  %v166 = shufflevector <4 x float> %v165, <4 x float> %v165, <2 x i32> <i32 0, i32 1>
  %v167 = shufflevector <4 x float> %v165, <4 x float> %v165, <2 x i32> <i32 2, i32 3>
  %v168 = fadd <2 x float> %v167, %v166
  %v169 = extractelement <2 x float> %v168, i64 0
  %v170 = extractelement <2 x float> %v168, i64 1
  %v171 = fadd float %v170, %v169
  %v172 = fadd float %v171, 0x0000000000000000
  store float %v172, ptr %v174, align 4
  %v175 = getelementptr i8, ptr %v158, i64 64
  %v176 = load <16 x float>, ptr %v175, align 64
  %v177 = shufflevector <16 x float> %v176, <16 x float> %v176, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v178 = shufflevector <16 x float> %v176, <16 x float> %v176, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v179 = fadd <8 x float> %v178, %v177
  %v180 = shufflevector <8 x float> %v179, <8 x float> %v179, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v181 = shufflevector <8 x float> %v179, <8 x float> %v179, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v182 = fadd <4 x float> %v181, %v180
  %v183 = shufflevector <4 x float> %v182, <4 x float> %v182, <2 x i32> <i32 0, i32 1>
  %v184 = shufflevector <4 x float> %v182, <4 x float> %v182, <2 x i32> <i32 2, i32 3>
  %v185 = fadd <2 x float> %v184, %v183
  %v186 = extractelement <2 x float> %v185, i64 0
  %v187 = extractelement <2 x float> %v185, i64 1
  %v188 = fadd float %v187, %v186
  %v189 = fadd float %v188, 0x0000000000000000
  %v190 = getelementptr i8, ptr %v174, i64 16
  store float %v189, ptr %v190, align 4
  %v191 = getelementptr i8, ptr %v158, i64 128
  %v192 = load <16 x float>, ptr %v191, align 64
  %v193 = shufflevector <16 x float> %v192, <16 x float> %v192, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v194 = shufflevector <16 x float> %v192, <16 x float> %v192, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v195 = fadd <8 x float> %v194, %v193
  %v196 = shufflevector <8 x float> %v195, <8 x float> %v195, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v197 = shufflevector <8 x float> %v195, <8 x float> %v195, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v198 = fadd <4 x float> %v197, %v196
  %v199 = shufflevector <4 x float> %v198, <4 x float> %v198, <2 x i32> <i32 0, i32 1>
  %v200 = shufflevector <4 x float> %v198, <4 x float> %v198, <2 x i32> <i32 2, i32 3>
  %v201 = fadd <2 x float> %v200, %v199
  %v202 = extractelement <2 x float> %v201, i64 0
  %v203 = extractelement <2 x float> %v201, i64 1
  %v204 = fadd float %v203, %v202
  %v205 = fadd float %v204, 0x0000000000000000
  %v206 = getelementptr i8, ptr %v174, i64 4
  store float %v205, ptr %v206, align 4
  %v207 = getelementptr i8, ptr %v158, i64 192
  %v208 = load <16 x float>, ptr %v207, align 64
  %v209 = shufflevector <16 x float> %v208, <16 x float> %v208, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v210 = shufflevector <16 x float> %v208, <16 x float> %v208, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v211 = fadd <8 x float> %v210, %v209
  %v212 = shufflevector <8 x float> %v211, <8 x float> %v211, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v213 = shufflevector <8 x float> %v211, <8 x float> %v211, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v214 = fadd <4 x float> %v213, %v212
  %v215 = shufflevector <4 x float> %v214, <4 x float> %v214, <2 x i32> <i32 0, i32 1>
  %v216 = shufflevector <4 x float> %v214, <4 x float> %v214, <2 x i32> <i32 2, i32 3>
  %v217 = fadd <2 x float> %v216, %v215
  %v218 = extractelement <2 x float> %v217, i64 0
  %v219 = extractelement <2 x float> %v217, i64 1
  %v220 = fadd float %v219, %v218
  %v221 = fadd float %v220, 0x0000000000000000
  %v222 = getelementptr i8, ptr %v174, i64 20
  store float %v221, ptr %v222, align 4
  %v156 = add nuw nsw i64 %v155, 1
  %v223 = icmp slt i64 %v156, 2
  br i1 %v223, label %loop153, label %done154
done154:
  %v12 = add nuw nsw i64 %v11, 1
  %v224 = icmp slt i64 %v12, %hi
  br i1 %v224, label %loop8, label %done9
done9:
  ret void
}
