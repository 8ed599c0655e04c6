define void @k_5c9cacd00f7ab554(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr inbounds ptr, ptr %args, i64 3
  %v8 = load ptr, ptr %v7, align 8
  %v9 = getelementptr i8, ptr %scratch, i64 0
  %v12 = icmp slt i64 %lo, %hi
  br i1 %v12, label %items.loop10, label %items.done11
items.loop10:
  %v13 = phi i64 [ %lo, %entry ], [ %v14, %ft.done669 ]
  br label %ft.loop15
ft.loop15:
  %v17 = phi i64 [ 0, %items.loop10 ], [ %v18, %ft.loop15 ]
  %v19 = mul nsw i64 %v17, 16
  %v20 = getelementptr i8, ptr %v2, i64 %v19
  %v35 = mul nsw i64 %v17, 256
  %v36 = getelementptr i8, ptr %v9, i64 %v35
  %v21 = load <4 x float>, ptr %v20, align 4
  %v22 = shufflevector <4 x float> %v21, <4 x float> %v21, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v23 = getelementptr i8, ptr %v20, i64 88
  %v24 = load <4 x float>, ptr %v23, align 4
  %v25 = shufflevector <4 x float> %v24, <4 x float> %v24, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v26 = shufflevector <16 x float> %v22, <16 x float> %v25, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v27 = getelementptr i8, ptr %v20, i64 176
  %v28 = load <4 x float>, ptr %v27, align 4
  %v29 = shufflevector <4 x float> %v28, <4 x float> %v28, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v30 = shufflevector <16 x float> %v26, <16 x float> %v29, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 12, i32 13, i32 14, i32 15>
  %v31 = getelementptr i8, ptr %v20, i64 264
  %v32 = load <4 x float>, ptr %v31, align 4
  %v33 = shufflevector <4 x float> %v32, <4 x float> %v32, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v34 = shufflevector <16 x float> %v30, <16 x float> %v33, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 28, i32 29, i32 30, i32 31>
  store <16 x float> %v34, ptr %v36, align 64
  %v37 = getelementptr i8, ptr %v20, i64 352
  %v38 = load <4 x float>, ptr %v37, align 4
  %v39 = shufflevector <4 x float> %v38, <4 x float> %v38, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v40 = getelementptr i8, ptr %v37, i64 88
  %v41 = load <4 x float>, ptr %v40, align 4
  %v42 = shufflevector <4 x float> %v41, <4 x float> %v41, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v43 = shufflevector <16 x float> %v39, <16 x float> %v42, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v44 = getelementptr i8, ptr %v37, i64 176
  %v45 = load <4 x float>, ptr %v44, align 4
  %v46 = shufflevector <4 x float> %v45, <4 x float> %v45, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v47 = shufflevector <16 x float> %v43, <16 x float> %v46, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 12, i32 13, i32 14, i32 15>
  %v48 = getelementptr i8, ptr %v37, i64 264
  %v49 = load <4 x float>, ptr %v48, align 4
  %v50 = shufflevector <4 x float> %v49, <4 x float> %v49, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v51 = shufflevector <16 x float> %v47, <16 x float> %v50, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 28, i32 29, i32 30, i32 31>
  %v52 = getelementptr i8, ptr %v36, i64 64
  store <16 x float> %v51, ptr %v52, align 64
  %v53 = getelementptr i8, ptr %v20, i64 704
  %v54 = load <4 x float>, ptr %v53, align 4
  %v55 = shufflevector <4 x float> %v54, <4 x float> %v54, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v56 = getelementptr i8, ptr %v53, i64 88
  %v57 = load <4 x float>, ptr %v56, align 4
  %v58 = shufflevector <4 x float> %v57, <4 x float> %v57, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v59 = shufflevector <16 x float> %v55, <16 x float> %v58, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v60 = getelementptr i8, ptr %v53, i64 176
  %v61 = load <4 x float>, ptr %v60, align 4
  %v62 = shufflevector <4 x float> %v61, <4 x float> %v61, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v63 = shufflevector <16 x float> %v59, <16 x float> %v62, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 12, i32 13, i32 14, i32 15>
  %v64 = getelementptr i8, ptr %v53, i64 264
  %v65 = load <4 x float>, ptr %v64, align 4
  %v66 = shufflevector <4 x float> %v65, <4 x float> %v65, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v67 = shufflevector <16 x float> %v63, <16 x float> %v66, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 28, i32 29, i32 30, i32 31>
  %v68 = getelementptr i8, ptr %v36, i64 128
  store <16 x float> %v67, ptr %v68, align 64
  %v69 = getelementptr i8, ptr %v20, i64 1056
  %v70 = load <4 x float>, ptr %v69, align 4
  %v71 = shufflevector <4 x float> %v70, <4 x float> %v70, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v72 = getelementptr i8, ptr %v69, i64 88
  %v73 = load <4 x float>, ptr %v72, align 4
  %v74 = shufflevector <4 x float> %v73, <4 x float> %v73, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v75 = shufflevector <16 x float> %v71, <16 x float> %v74, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v76 = getelementptr i8, ptr %v69, i64 176
  %v77 = load <4 x float>, ptr %v76, align 4
  %v78 = shufflevector <4 x float> %v77, <4 x float> %v77, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v79 = shufflevector <16 x float> %v75, <16 x float> %v78, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 12, i32 13, i32 14, i32 15>
  %v80 = getelementptr i8, ptr %v69, i64 264
  %v81 = load <4 x float>, ptr %v80, align 4
  %v82 = shufflevector <4 x float> %v81, <4 x float> %v81, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v83 = shufflevector <16 x float> %v79, <16 x float> %v82, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 28, i32 29, i32 30, i32 31>
  %v84 = getelementptr i8, ptr %v36, i64 192
  store <16 x float> %v83, ptr %v84, align 64
  %v18 = add nuw nsw i64 %v17, 1
  %v85 = icmp ne i64 %v18, 5
  br i1 %v85, label %ft.loop15, label %ft.done16
ft.done16:
  %v86 = getelementptr i8, ptr %v2, i64 80
  %v87 = load <2 x float>, ptr %v86, align 4
  %v88 = shufflevector <2 x float> %v87, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v89 = shufflevector <4 x float> %v88, <4 x float> %v88, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v90 = getelementptr i8, ptr %v86, i64 88
  %v91 = load <2 x float>, ptr %v90, align 4
  %v92 = shufflevector <2 x float> %v91, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v93 = shufflevector <4 x float> %v92, <4 x float> %v92, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v94 = shufflevector <16 x float> %v89, <16 x float> %v93, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v95 = getelementptr i8, ptr %v86, i64 176
  %v96 = load <2 x float>, ptr %v95, align 4
  %v97 = shufflevector <2 x float> %v96, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v98 = shufflevector <4 x float> %v97, <4 x float> %v97, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v99 = shufflevector <16 x float> %v94, <16 x float> %v98, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 12, i32 13, i32 14, i32 15>
  %v100 = getelementptr i8, ptr %v86, i64 264
  %v101 = load <2 x float>, ptr %v100, align 4
  %v102 = shufflevector <2 x float> %v101, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v103 = shufflevector <4 x float> %v102, <4 x float> %v102, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v104 = shufflevector <16 x float> %v99, <16 x float> %v103, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 28, i32 29, i32 30, i32 31>
  %v105 = getelementptr i8, ptr %v9, i64 1280
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v104, ptr %v105, i32 64, <16 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>)
  %v106 = getelementptr i8, ptr %v2, i64 432
  %v107 = load <2 x float>, ptr %v106, align 4
  %v108 = shufflevector <2 x float> %v107, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v109 = shufflevector <4 x float> %v108, <4 x float> %v108, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v110 = getelementptr i8, ptr %v106, i64 88
  %v111 = load <2 x float>, ptr %v110, align 4
  %v112 = shufflevector <2 x float> %v111, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v113 = shufflevector <4 x float> %v112, <4 x float> %v112, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v114 = shufflevector <16 x float> %v109, <16 x float> %v113, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v115 = getelementptr i8, ptr %v106, i64 176
  %v116 = load <2 x float>, ptr %v115, align 4
  %v117 = shufflevector <2 x float> %v116, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v118 = shufflevector <4 x float> %v117, <4 x float> %v117, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v119 = shufflevector <16 x float> %v114, <16 x float> %v118, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 12, i32 13, i32 14, i32 15>
  %v120 = getelementptr i8, ptr %v106, i64 264
  %v121 = load <2 x float>, ptr %v120, align 4
  %v122 = shufflevector <2 x float> %v121, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v123 = shufflevector <4 x float> %v122, <4 x float> %v122, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v124 = shufflevector <16 x float> %v119, <16 x float> %v123, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 28, i32 29, i32 30, i32 31>
  %v125 = getelementptr i8, ptr %v9, i64 1344
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v124, ptr %v125, i32 64, <16 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>)
  %v126 = getelementptr i8, ptr %v2, i64 784
  %v127 = load <2 x float>, ptr %v126, align 4
  %v128 = shufflevector <2 x float> %v127, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v129 = shufflevector <4 x float> %v128, <4 x float> %v128, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v130 = getelementptr i8, ptr %v126, i64 88
  %v131 = load <2 x float>, ptr %v130, align 4
  %v132 = shufflevector <2 x float> %v131, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v133 = shufflevector <4 x float> %v132, <4 x float> %v132, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v134 = shufflevector <16 x float> %v129, <16 x float> %v133, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v135 = getelementptr i8, ptr %v126, i64 176
  %v136 = load <2 x float>, ptr %v135, align 4
  %v137 = shufflevector <2 x float> %v136, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v138 = shufflevector <4 x float> %v137, <4 x float> %v137, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v139 = shufflevector <16 x float> %v134, <16 x float> %v138, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 12, i32 13, i32 14, i32 15>
  %v140 = getelementptr i8, ptr %v126, i64 264
  %v141 = load <2 x float>, ptr %v140, align 4
  %v142 = shufflevector <2 x float> %v141, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v143 = shufflevector <4 x float> %v142, <4 x float> %v142, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v144 = shufflevector <16 x float> %v139, <16 x float> %v143, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 28, i32 29, i32 30, i32 31>
  %v145 = getelementptr i8, ptr %v9, i64 1408
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v144, ptr %v145, i32 64, <16 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>)
  %v146 = getelementptr i8, ptr %v2, i64 1136
  %v147 = load <2 x float>, ptr %v146, align 4
  %v148 = shufflevector <2 x float> %v147, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v149 = shufflevector <4 x float> %v148, <4 x float> %v148, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v150 = getelementptr i8, ptr %v146, i64 88
  %v151 = load <2 x float>, ptr %v150, align 4
  %v152 = shufflevector <2 x float> %v151, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v153 = shufflevector <4 x float> %v152, <4 x float> %v152, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v154 = shufflevector <16 x float> %v149, <16 x float> %v153, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 20, i32 21, i32 22, i32 23, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v155 = getelementptr i8, ptr %v146, i64 176
  %v156 = load <2 x float>, ptr %v155, align 4
  %v157 = shufflevector <2 x float> %v156, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v158 = shufflevector <4 x float> %v157, <4 x float> %v157, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v159 = shufflevector <16 x float> %v154, <16 x float> %v158, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 24, i32 25, i32 26, i32 27, i32 12, i32 13, i32 14, i32 15>
  %v160 = getelementptr i8, ptr %v146, i64 264
  %v161 = load <2 x float>, ptr %v160, align 4
  %v162 = shufflevector <2 x float> %v161, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v163 = shufflevector <4 x float> %v162, <4 x float> %v162, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v164 = shufflevector <16 x float> %v159, <16 x float> %v163, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 28, i32 29, i32 30, i32 31>
  %v165 = getelementptr i8, ptr %v9, i64 1472
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v164, ptr %v165, i32 64, <16 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>)
  br label %ft.loop166
ft.loop166:
  %v168 = phi i64 [ 0, %ft.done16 ], [ %v169, %ft.loop166 ]
  %v170 = mul nsw i64 %v168, 16
  %v171 = getelementptr i8, ptr %v2, i64 %v170
  %v179 = mul nsw i64 %v168, 256
  %v180 = getelementptr i8, ptr %v9, i64 %v179
  %v172 = getelementptr i8, ptr %v171, i64 1408
  %v173 = load <4 x float>, ptr %v172, align 4
  %v174 = shufflevector <4 x float> %v173, <4 x float> %v173, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v175 = getelementptr i8, ptr %v172, i64 88
  %v176 = load <4 x float>, ptr %v175, align 4
  %v177 = shufflevector <4 x float> %v176, <4 x float> %v176, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v178 = shufflevector <8 x float> %v174, <8 x float> %v177, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  %v181 = getelementptr i8, ptr %v180, i64 1536
  store <8 x float> %v178, ptr %v181, align 32
  %v169 = add nuw nsw i64 %v168, 1
  %v182 = icmp ne i64 %v169, 5
  br i1 %v182, label %ft.loop166, label %ft.done167
ft.done167:
  %v183 = getelementptr i8, ptr %v2, i64 1488
  %v184 = load <2 x float>, ptr %v183, align 4
  %v185 = shufflevector <2 x float> %v184, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v186 = shufflevector <4 x float> %v185, <4 x float> %v185, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v187 = getelementptr i8, ptr %v183, i64 88
  %v188 = load <2 x float>, ptr %v187, align 4
  %v189 = shufflevector <2 x float> %v188, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v190 = shufflevector <4 x float> %v189, <4 x float> %v189, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v191 = shufflevector <8 x float> %v186, <8 x float> %v190, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  %v192 = getelementptr i8, ptr %v9, i64 2816
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v191, ptr %v192, i32 32, <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>)
  br label %ot.loop193
ot.loop193:
  %v195 = phi i64 [ 0, %ft.done167 ], [ %v196, %ft.done410 ]
  %v217 = mul nsw i64 %v195, 352
  %v218 = getelementptr i8, ptr %v4, i64 %v217
  %v322 = mul nsw i64 %v195, 16
  %v323 = getelementptr i8, ptr %v6, i64 %v322
  %v377 = getelementptr i8, ptr %v8, i64 %v322
  br label %ft.loop197
ft.loop197:
  %v199 = phi i64 [ 0, %ot.loop193 ], [ %v200, %ft.loop197 ]
  %v201 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v231, %ft.loop197 ]
  %v202 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v234, %ft.loop197 ]
  %v203 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v237, %ft.loop197 ]
  %v204 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v240, %ft.loop197 ]
  %v205 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v247, %ft.loop197 ]
  %v206 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v248, %ft.loop197 ]
  %v207 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v249, %ft.loop197 ]
  %v208 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v250, %ft.loop197 ]
  %v209 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v257, %ft.loop197 ]
  %v210 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v258, %ft.loop197 ]
  %v211 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v259, %ft.loop197 ]
  %v212 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v260, %ft.loop197 ]
  %v213 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v267, %ft.loop197 ]
  %v214 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v268, %ft.loop197 ]
  %v215 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v269, %ft.loop197 ]
  %v216 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.loop193 ], [ %v270, %ft.loop197 ]
  %v219 = mul nsw i64 %v199, 16
  %v220 = getelementptr i8, ptr %v218, i64 %v219
  %v228 = mul nsw i64 %v199, 256
  %v229 = getelementptr i8, ptr %v9, i64 %v228
  %v221 = getelementptr i8, ptr %v220, i64 352
  call void @llvm.prefetch.p0(ptr %v221, i32 0, i32 3, i32 1)
  %v222 = getelementptr i8, ptr %v220, i64 440
  call void @llvm.prefetch.p0(ptr %v222, i32 0, i32 3, i32 1)
  %v223 = load <4 x float>, ptr %v220, align 4
  %v224 = shufflevector <4 x float> %v223, <4 x float> %v223, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v225 = shufflevector <4 x float> %v223, <4 x float> %v223, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v226 = shufflevector <4 x float> %v223, <4 x float> %v223, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v227 = shufflevector <4 x float> %v223, <4 x float> %v223, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v230 = load <16 x float>, ptr %v229, align 64
  %v231 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v230, <16 x float> %v227, <16 x float> %v201)
  %v232 = getelementptr i8, ptr %v229, i64 64
  %v233 = load <16 x float>, ptr %v232, align 64
  %v234 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v233, <16 x float> %v227, <16 x float> %v202)
  %v235 = getelementptr i8, ptr %v229, i64 128
  %v236 = load <16 x float>, ptr %v235, align 64
  %v237 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v236, <16 x float> %v227, <16 x float> %v203)
  %v238 = getelementptr i8, ptr %v229, i64 192
  %v239 = load <16 x float>, ptr %v238, align 64
  %v240 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v239, <16 x float> %v227, <16 x float> %v204)
  %v241 = getelementptr i8, ptr %v220, i64 88
  %v242 = load <4 x float>, ptr %v241, align 4
  %v243 = shufflevector <4 x float> %v242, <4 x float> %v242, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v244 = shufflevector <4 x float> %v242, <4 x float> %v242, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v245 = shufflevector <4 x float> %v242, <4 x float> %v242, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v246 = shufflevector <4 x float> %v242, <4 x float> %v242, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v247 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v230, <16 x float> %v246, <16 x float> %v205)
  %v248 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v233, <16 x float> %v246, <16 x float> %v206)
  %v249 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v236, <16 x float> %v246, <16 x float> %v207)
  %v250 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v239, <16 x float> %v246, <16 x float> %v208)
  %v251 = getelementptr i8, ptr %v220, i64 176
  %v252 = load <4 x float>, ptr %v251, align 4
  %v253 = shufflevector <4 x float> %v252, <4 x float> %v252, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v254 = shufflevector <4 x float> %v252, <4 x float> %v252, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v255 = shufflevector <4 x float> %v252, <4 x float> %v252, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v256 = shufflevector <4 x float> %v252, <4 x float> %v252, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v257 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v230, <16 x float> %v256, <16 x float> %v209)
  %v258 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v233, <16 x float> %v256, <16 x float> %v210)
  %v259 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v236, <16 x float> %v256, <16 x float> %v211)
  %v260 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v239, <16 x float> %v256, <16 x float> %v212)
  %v261 = getelementptr i8, ptr %v220, i64 264
  %v262 = load <4 x float>, ptr %v261, align 4
  %v263 = shufflevector <4 x float> %v262, <4 x float> %v262, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v264 = shufflevector <4 x float> %v262, <4 x float> %v262, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v265 = shufflevector <4 x float> %v262, <4 x float> %v262, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v266 = shufflevector <4 x float> %v262, <4 x float> %v262, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v267 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v230, <16 x float> %v266, <16 x float> %v213)
  %v268 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v233, <16 x float> %v266, <16 x float> %v214)
  %v269 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v236, <16 x float> %v266, <16 x float> %v215)
  %v270 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v239, <16 x float> %v266, <16 x float> %v216)
  %v200 = add nuw nsw i64 %v199, 1
  %v271 = icmp ne i64 %v200, 5
  br i1 %v271, label %ft.loop197, label %ft.done198
ft.done198:
  %v272 = getelementptr i8, ptr %v218, i64 432
  call void @llvm.prefetch.p0(ptr %v272, i32 0, i32 3, i32 1)
  %v273 = getelementptr i8, ptr %v218, i64 520
  call void @llvm.prefetch.p0(ptr %v273, i32 0, i32 3, i32 1)
  %v274 = getelementptr i8, ptr %v218, i64 80
  %v275 = load <2 x float>, ptr %v274, align 4
  %v276 = shufflevector <2 x float> %v275, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v277 = shufflevector <4 x float> %v276, <4 x float> %v276, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v278 = shufflevector <4 x float> %v276, <4 x float> %v276, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v279 = shufflevector <4 x float> %v276, <4 x float> %v276, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v280 = shufflevector <4 x float> %v276, <4 x float> %v276, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v281 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v105, i32 64, <16 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v282 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v281, <16 x float> %v280, <16 x float> %v231)
  %v283 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v125, i32 64, <16 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v284 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v283, <16 x float> %v280, <16 x float> %v234)
  %v285 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v145, i32 64, <16 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v286 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v285, <16 x float> %v280, <16 x float> %v237)
  %v287 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v165, i32 64, <16 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v288 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v287, <16 x float> %v280, <16 x float> %v240)
  %v289 = getelementptr i8, ptr %v218, i64 168
  %v290 = load <2 x float>, ptr %v289, align 4
  %v291 = shufflevector <2 x float> %v290, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v292 = shufflevector <4 x float> %v291, <4 x float> %v291, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v293 = shufflevector <4 x float> %v291, <4 x float> %v291, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v294 = shufflevector <4 x float> %v291, <4 x float> %v291, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v295 = shufflevector <4 x float> %v291, <4 x float> %v291, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v296 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v281, <16 x float> %v295, <16 x float> %v247)
  %v297 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v283, <16 x float> %v295, <16 x float> %v248)
  %v298 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v285, <16 x float> %v295, <16 x float> %v249)
  %v299 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v287, <16 x float> %v295, <16 x float> %v250)
  %v300 = getelementptr i8, ptr %v218, i64 256
  %v301 = load <2 x float>, ptr %v300, align 4
  %v302 = shufflevector <2 x float> %v301, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v303 = shufflevector <4 x float> %v302, <4 x float> %v302, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v304 = shufflevector <4 x float> %v302, <4 x float> %v302, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v305 = shufflevector <4 x float> %v302, <4 x float> %v302, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v306 = shufflevector <4 x float> %v302, <4 x float> %v302, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v307 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v281, <16 x float> %v306, <16 x float> %v257)
  %v308 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v283, <16 x float> %v306, <16 x float> %v258)
  %v309 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v285, <16 x float> %v306, <16 x float> %v259)
  %v310 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v287, <16 x float> %v306, <16 x float> %v260)
  %v311 = getelementptr i8, ptr %v218, i64 344
  %v312 = load <2 x float>, ptr %v311, align 4
  %v313 = shufflevector <2 x float> %v312, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v314 = shufflevector <4 x float> %v313, <4 x float> %v313, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v315 = shufflevector <4 x float> %v313, <4 x float> %v313, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v316 = shufflevector <4 x float> %v313, <4 x float> %v313, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v317 = shufflevector <4 x float> %v313, <4 x float> %v313, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v318 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v281, <16 x float> %v317, <16 x float> %v267)
  %v319 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v283, <16 x float> %v317, <16 x float> %v268)
  %v320 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v285, <16 x float> %v317, <16 x float> %v269)
  %v321 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v287, <16 x float> %v317, <16 x float> %v270)
  %v324 = load <4 x float>, ptr %v323, align 4
  %v325 = shufflevector <4 x float> %v324, <4 x float> %v324, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v326 = shufflevector <4 x float> %v324, <4 x float> %v324, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v327 = shufflevector <4 x float> %v324, <4 x float> %v324, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v328 = shufflevector <4 x float> %v324, <4 x float> %v324, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v329 = shufflevector <16 x float> %v282, <16 x float> %v296, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v330 = shufflevector <16 x float> %v282, <16 x float> %v296, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v331 = shufflevector <16 x float> %v307, <16 x float> %v318, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v332 = shufflevector <16 x float> %v307, <16 x float> %v318, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v333 = shufflevector <16 x float> %v329, <16 x float> %v331, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v334 = shufflevector <16 x float> %v329, <16 x float> %v331, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v335 = shufflevector <16 x float> %v330, <16 x float> %v332, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v336 = shufflevector <16 x float> %v330, <16 x float> %v332, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v337 = fadd <16 x float> %v333, %v328
  %v338 = shufflevector <16 x float> %v284, <16 x float> %v297, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v339 = shufflevector <16 x float> %v284, <16 x float> %v297, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v340 = shufflevector <16 x float> %v308, <16 x float> %v319, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v341 = shufflevector <16 x float> %v308, <16 x float> %v319, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v342 = shufflevector <16 x float> %v338, <16 x float> %v340, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v343 = shufflevector <16 x float> %v338, <16 x float> %v340, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v344 = shufflevector <16 x float> %v339, <16 x float> %v341, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v345 = shufflevector <16 x float> %v339, <16 x float> %v341, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v346 = fadd <16 x float> %v342, %v328
  %v347 = shufflevector <16 x float> %v286, <16 x float> %v298, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v348 = shufflevector <16 x float> %v286, <16 x float> %v298, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v349 = shufflevector <16 x float> %v309, <16 x float> %v320, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v350 = shufflevector <16 x float> %v309, <16 x float> %v320, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v351 = shufflevector <16 x float> %v347, <16 x float> %v349, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v352 = shufflevector <16 x float> %v347, <16 x float> %v349, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v353 = shufflevector <16 x float> %v348, <16 x float> %v350, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v354 = shufflevector <16 x float> %v348, <16 x float> %v350, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v355 = fadd <16 x float> %v351, %v328
  %v356 = shufflevector <16 x float> %v288, <16 x float> %v299, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v357 = shufflevector <16 x float> %v288, <16 x float> %v299, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v358 = shufflevector <16 x float> %v310, <16 x float> %v321, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v359 = shufflevector <16 x float> %v310, <16 x float> %v321, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v360 = shufflevector <16 x float> %v356, <16 x float> %v358, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v361 = shufflevector <16 x float> %v356, <16 x float> %v358, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v362 = shufflevector <16 x float> %v357, <16 x float> %v359, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v363 = shufflevector <16 x float> %v357, <16 x float> %v359, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v364 = fadd <16 x float> %v360, %v328
  %v365 = fadd <16 x float> %v335, %v337
  %v366 = fadd <16 x float> %v344, %v346
  %v367 = fadd <16 x float> %v353, %v355
  %v368 = fadd <16 x float> %v362, %v364
  %v369 = fadd <16 x float> %v334, %v365
  %v370 = fadd <16 x float> %v343, %v366
  %v371 = fadd <16 x float> %v352, %v367
  %v372 = fadd <16 x float> %v361, %v368
  %v373 = fadd <16 x float> %v336, %v369
  %v374 = fadd <16 x float> %v345, %v370
  %v375 = fadd <16 x float> %v354, %v371
  %v376 = fadd <16 x float> %v363, %v372
  %v378 = shufflevector <16 x float> %v373, <16 x float> %v373, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v378, ptr %v377, align 4
  %v379 = getelementptr i8, ptr %v377, i64 200
  %v380 = shufflevector <16 x float> %v373, <16 x float> %v373, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %v380, ptr %v379, align 4
  %v381 = getelementptr i8, ptr %v377, i64 400
  %v382 = shufflevector <16 x float> %v373, <16 x float> %v373, <4 x i32> <i32 8, i32 9, i32 10, i32 11>
  store <4 x float> %v382, ptr %v381, align 4
  %v383 = getelementptr i8, ptr %v377, i64 600
  %v384 = shufflevector <16 x float> %v373, <16 x float> %v373, <4 x i32> <i32 12, i32 13, i32 14, i32 15>
  store <4 x float> %v384, ptr %v383, align 4
  %v385 = getelementptr i8, ptr %v377, i64 800
  %v386 = shufflevector <16 x float> %v374, <16 x float> %v374, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v386, ptr %v385, align 4
  %v387 = getelementptr i8, ptr %v385, i64 200
  %v388 = shufflevector <16 x float> %v374, <16 x float> %v374, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %v388, ptr %v387, align 4
  %v389 = getelementptr i8, ptr %v385, i64 400
  %v390 = shufflevector <16 x float> %v374, <16 x float> %v374, <4 x i32> <i32 8, i32 9, i32 10, i32 11>
  store <4 x float> %v390, ptr %v389, align 4
  %v391 = getelementptr i8, ptr %v385, i64 600
  %v392 = shufflevector <16 x float> %v374, <16 x float> %v374, <4 x i32> <i32 12, i32 13, i32 14, i32 15>
  store <4 x float> %v392, ptr %v391, align 4
  %v393 = getelementptr i8, ptr %v377, i64 1600
  %v394 = shufflevector <16 x float> %v375, <16 x float> %v375, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v394, ptr %v393, align 4
  %v395 = getelementptr i8, ptr %v393, i64 200
  %v396 = shufflevector <16 x float> %v375, <16 x float> %v375, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %v396, ptr %v395, align 4
  %v397 = getelementptr i8, ptr %v393, i64 400
  %v398 = shufflevector <16 x float> %v375, <16 x float> %v375, <4 x i32> <i32 8, i32 9, i32 10, i32 11>
  store <4 x float> %v398, ptr %v397, align 4
  %v399 = getelementptr i8, ptr %v393, i64 600
  %v400 = shufflevector <16 x float> %v375, <16 x float> %v375, <4 x i32> <i32 12, i32 13, i32 14, i32 15>
  store <4 x float> %v400, ptr %v399, align 4
  %v401 = getelementptr i8, ptr %v377, i64 2400
  %v402 = shufflevector <16 x float> %v376, <16 x float> %v376, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v402, ptr %v401, align 4
  %v403 = getelementptr i8, ptr %v401, i64 200
  %v404 = shufflevector <16 x float> %v376, <16 x float> %v376, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %v404, ptr %v403, align 4
  %v405 = getelementptr i8, ptr %v401, i64 400
  %v406 = shufflevector <16 x float> %v376, <16 x float> %v376, <4 x i32> <i32 8, i32 9, i32 10, i32 11>
  store <4 x float> %v406, ptr %v405, align 4
  %v407 = getelementptr i8, ptr %v401, i64 600
  %v408 = shufflevector <16 x float> %v376, <16 x float> %v376, <4 x i32> <i32 12, i32 13, i32 14, i32 15>
  store <4 x float> %v408, ptr %v407, align 4
  br label %ft.loop409
ft.loop409:
  %v411 = phi i64 [ 0, %ft.done198 ], [ %v412, %ft.loop409 ]
  %v413 = phi <8 x float> [ splat (float 0x0000000000000000), %ft.done198 ], [ %v440, %ft.loop409 ]
  %v414 = phi <16 x float> [ %v284, %ft.done198 ], [ %v414, %ft.loop409 ]
  %v415 = phi <16 x float> [ %v286, %ft.done198 ], [ %v415, %ft.loop409 ]
  %v416 = phi <16 x float> [ %v288, %ft.done198 ], [ %v416, %ft.loop409 ]
  %v417 = phi <8 x float> [ splat (float 0x0000000000000000), %ft.done198 ], [ %v445, %ft.loop409 ]
  %v418 = phi <16 x float> [ %v297, %ft.done198 ], [ %v418, %ft.loop409 ]
  %v419 = phi <16 x float> [ %v298, %ft.done198 ], [ %v419, %ft.loop409 ]
  %v420 = phi <16 x float> [ %v299, %ft.done198 ], [ %v420, %ft.loop409 ]
  %v421 = phi <8 x float> [ splat (float 0x0000000000000000), %ft.done198 ], [ %v450, %ft.loop409 ]
  %v422 = phi <16 x float> [ %v308, %ft.done198 ], [ %v422, %ft.loop409 ]
  %v423 = phi <16 x float> [ %v309, %ft.done198 ], [ %v423, %ft.loop409 ]
  %v424 = phi <16 x float> [ %v310, %ft.done198 ], [ %v424, %ft.loop409 ]
  %v425 = phi <8 x float> [ splat (float 0x0000000000000000), %ft.done198 ], [ %v455, %ft.loop409 ]
  %v426 = phi <16 x float> [ %v319, %ft.done198 ], [ %v426, %ft.loop409 ]
  %v427 = phi <16 x float> [ %v320, %ft.done198 ], [ %v427, %ft.loop409 ]
  %v428 = phi <16 x float> [ %v321, %ft.done198 ], [ %v428, %ft.loop409 ]
  %v429 = mul nsw i64 %v411, 16
  %v430 = getelementptr i8, ptr %v218, i64 %v429
  %v436 = mul nsw i64 %v411, 256
  %v437 = getelementptr i8, ptr %v9, i64 %v436
  %v431 = getelementptr i8, ptr %v430, i64 528
  call void @llvm.prefetch.p0(ptr %v431, i32 0, i32 3, i32 1)
  %v432 = getelementptr i8, ptr %v430, i64 616
  call void @llvm.prefetch.p0(ptr %v432, i32 0, i32 3, i32 1)
  %v433 = load <4 x float>, ptr %v430, align 4
  %v434 = shufflevector <4 x float> %v433, <4 x float> %v433, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v435 = shufflevector <4 x float> %v433, <4 x float> %v433, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v438 = getelementptr i8, ptr %v437, i64 1536
  %v439 = load <8 x float>, ptr %v438, align 32
  %v440 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v439, <8 x float> %v435, <8 x float> %v413)
  %v441 = getelementptr i8, ptr %v430, i64 88
  %v442 = load <4 x float>, ptr %v441, align 4
  %v443 = shufflevector <4 x float> %v442, <4 x float> %v442, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v444 = shufflevector <4 x float> %v442, <4 x float> %v442, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v445 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v439, <8 x float> %v444, <8 x float> %v417)
  %v446 = getelementptr i8, ptr %v430, i64 176
  %v447 = load <4 x float>, ptr %v446, align 4
  %v448 = shufflevector <4 x float> %v447, <4 x float> %v447, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v449 = shufflevector <4 x float> %v447, <4 x float> %v447, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v450 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v439, <8 x float> %v449, <8 x float> %v421)
  %v451 = getelementptr i8, ptr %v430, i64 264
  %v452 = load <4 x float>, ptr %v451, align 4
  %v453 = shufflevector <4 x float> %v452, <4 x float> %v452, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v454 = shufflevector <4 x float> %v452, <4 x float> %v452, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v455 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v439, <8 x float> %v454, <8 x float> %v425)
  %v412 = add nuw nsw i64 %v411, 1
  %v456 = icmp ne i64 %v412, 5
  br i1 %v456, label %ft.loop409, label %ft.done410
ft.done410:
  %v457 = getelementptr i8, ptr %v218, i64 608
  call void @llvm.prefetch.p0(ptr %v457, i32 0, i32 3, i32 1)
  %v458 = getelementptr i8, ptr %v218, i64 696
  call void @llvm.prefetch.p0(ptr %v458, i32 0, i32 3, i32 1)
  %v459 = load <2 x float>, ptr %v274, align 4
  %v460 = shufflevector <2 x float> %v459, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v461 = shufflevector <4 x float> %v460, <4 x float> %v460, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v462 = shufflevector <4 x float> %v460, <4 x float> %v460, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v463 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v192, i32 32, <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>, <8 x float> zeroinitializer)
  %v464 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v463, <8 x float> %v462, <8 x float> %v440)
  %v465 = load <2 x float>, ptr %v289, align 4
  %v466 = shufflevector <2 x float> %v465, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v467 = shufflevector <4 x float> %v466, <4 x float> %v466, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v468 = shufflevector <4 x float> %v466, <4 x float> %v466, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v469 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v463, <8 x float> %v468, <8 x float> %v445)
  %v470 = load <2 x float>, ptr %v300, align 4
  %v471 = shufflevector <2 x float> %v470, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v472 = shufflevector <4 x float> %v471, <4 x float> %v471, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v473 = shufflevector <4 x float> %v471, <4 x float> %v471, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v474 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v463, <8 x float> %v473, <8 x float> %v450)
  %v475 = load <2 x float>, ptr %v311, align 4
  %v476 = shufflevector <2 x float> %v475, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v477 = shufflevector <4 x float> %v476, <4 x float> %v476, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v478 = shufflevector <4 x float> %v476, <4 x float> %v476, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v479 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v463, <8 x float> %v478, <8 x float> %v455)
  %v480 = load <4 x float>, ptr %v323, align 4
  %v481 = shufflevector <4 x float> %v480, <4 x float> %v480, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v482 = shufflevector <4 x float> %v480, <4 x float> %v480, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v483 = shufflevector <8 x float> %v464, <8 x float> %v469, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v484 = shufflevector <8 x float> %v464, <8 x float> %v469, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v485 = shufflevector <8 x float> %v474, <8 x float> %v479, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v486 = shufflevector <8 x float> %v474, <8 x float> %v479, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v487 = shufflevector <8 x float> %v483, <8 x float> %v485, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v488 = shufflevector <8 x float> %v483, <8 x float> %v485, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v489 = shufflevector <8 x float> %v484, <8 x float> %v486, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v490 = shufflevector <8 x float> %v484, <8 x float> %v486, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v491 = fadd <8 x float> %v487, %v482
  %v492 = fadd <8 x float> %v489, %v491
  %v493 = fadd <8 x float> %v488, %v492
  %v494 = fadd <8 x float> %v490, %v493
  %v495 = getelementptr i8, ptr %v377, i64 3200
  %v496 = shufflevector <8 x float> %v494, <8 x float> %v494, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v496, ptr %v495, align 4
  %v497 = getelementptr i8, ptr %v495, i64 200
  %v498 = shufflevector <8 x float> %v494, <8 x float> %v494, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %v498, ptr %v497, align 4
  %v196 = add nuw nsw i64 %v195, 1
  %v499 = icmp ne i64 %v196, 12
  br i1 %v499, label %ot.loop193, label %ot.done194
ot.done194:
  br label %ft.loop500
ft.loop500:
  %v502 = phi i64 [ 0, %ot.done194 ], [ %v503, %ft.loop500 ]
  %v504 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.done194 ], [ %v525, %ft.loop500 ]
  %v505 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.done194 ], [ %v528, %ft.loop500 ]
  %v506 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.done194 ], [ %v531, %ft.loop500 ]
  %v507 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.done194 ], [ %v534, %ft.loop500 ]
  %v508 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.done194 ], [ %v541, %ft.loop500 ]
  %v509 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.done194 ], [ %v542, %ft.loop500 ]
  %v510 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.done194 ], [ %v543, %ft.loop500 ]
  %v511 = phi <16 x float> [ splat (float 0x0000000000000000), %ot.done194 ], [ %v544, %ft.loop500 ]
  %v512 = mul nsw i64 %v502, 16
  %v513 = getelementptr i8, ptr %v4, i64 %v512
  %v522 = mul nsw i64 %v502, 256
  %v523 = getelementptr i8, ptr %v9, i64 %v522
  %v514 = getelementptr i8, ptr %v513, i64 4400
  call void @llvm.prefetch.p0(ptr %v514, i32 0, i32 3, i32 1)
  %v515 = getelementptr i8, ptr %v513, i64 4488
  call void @llvm.prefetch.p0(ptr %v515, i32 0, i32 3, i32 1)
  %v516 = getelementptr i8, ptr %v513, i64 4224
  %v517 = load <4 x float>, ptr %v516, align 4
  %v518 = shufflevector <4 x float> %v517, <4 x float> %v517, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v519 = shufflevector <4 x float> %v517, <4 x float> %v517, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v520 = shufflevector <4 x float> %v517, <4 x float> %v517, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v521 = shufflevector <4 x float> %v517, <4 x float> %v517, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v524 = load <16 x float>, ptr %v523, align 64
  %v525 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v524, <16 x float> %v521, <16 x float> %v504)
  %v526 = getelementptr i8, ptr %v523, i64 64
  %v527 = load <16 x float>, ptr %v526, align 64
  %v528 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v527, <16 x float> %v521, <16 x float> %v505)
  %v529 = getelementptr i8, ptr %v523, i64 128
  %v530 = load <16 x float>, ptr %v529, align 64
  %v531 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v530, <16 x float> %v521, <16 x float> %v506)
  %v532 = getelementptr i8, ptr %v523, i64 192
  %v533 = load <16 x float>, ptr %v532, align 64
  %v534 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v533, <16 x float> %v521, <16 x float> %v507)
  %v535 = getelementptr i8, ptr %v513, i64 4312
  %v536 = load <4 x float>, ptr %v535, align 4
  %v537 = shufflevector <4 x float> %v536, <4 x float> %v536, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v538 = shufflevector <4 x float> %v536, <4 x float> %v536, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v539 = shufflevector <4 x float> %v536, <4 x float> %v536, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v540 = shufflevector <4 x float> %v536, <4 x float> %v536, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v541 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v524, <16 x float> %v540, <16 x float> %v508)
  %v542 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v527, <16 x float> %v540, <16 x float> %v509)
  %v543 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v530, <16 x float> %v540, <16 x float> %v510)
  %v544 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v533, <16 x float> %v540, <16 x float> %v511)
  %v503 = add nuw nsw i64 %v502, 1
  %v545 = icmp ne i64 %v503, 5
  br i1 %v545, label %ft.loop500, label %ft.done501
ft.done501:
  %v546 = getelementptr i8, ptr %v4, i64 4480
  call void @llvm.prefetch.p0(ptr %v546, i32 0, i32 3, i32 1)
  %v547 = getelementptr i8, ptr %v4, i64 4568
  call void @llvm.prefetch.p0(ptr %v547, i32 0, i32 3, i32 1)
  %v548 = getelementptr i8, ptr %v4, i64 4304
  %v549 = load <2 x float>, ptr %v548, align 4
  %v550 = shufflevector <2 x float> %v549, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v551 = shufflevector <4 x float> %v550, <4 x float> %v550, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v552 = shufflevector <4 x float> %v550, <4 x float> %v550, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v553 = shufflevector <4 x float> %v550, <4 x float> %v550, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v554 = shufflevector <4 x float> %v550, <4 x float> %v550, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v555 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v105, i32 64, <16 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v556 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v555, <16 x float> %v554, <16 x float> %v525)
  %v557 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v125, i32 64, <16 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v558 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v557, <16 x float> %v554, <16 x float> %v528)
  %v559 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v145, i32 64, <16 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v560 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v559, <16 x float> %v554, <16 x float> %v531)
  %v561 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v165, i32 64, <16 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v562 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v561, <16 x float> %v554, <16 x float> %v534)
  %v563 = getelementptr i8, ptr %v4, i64 4392
  %v564 = load <2 x float>, ptr %v563, align 4
  %v565 = shufflevector <2 x float> %v564, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v566 = shufflevector <4 x float> %v565, <4 x float> %v565, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v567 = shufflevector <4 x float> %v565, <4 x float> %v565, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v568 = shufflevector <4 x float> %v565, <4 x float> %v565, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v569 = shufflevector <4 x float> %v565, <4 x float> %v565, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v570 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v555, <16 x float> %v569, <16 x float> %v541)
  %v571 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v557, <16 x float> %v569, <16 x float> %v542)
  %v572 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v559, <16 x float> %v569, <16 x float> %v543)
  %v573 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v561, <16 x float> %v569, <16 x float> %v544)
  %v574 = getelementptr i8, ptr %v6, i64 192
  %v575 = load <2 x float>, ptr %v574, align 4
  %v576 = shufflevector <2 x float> %v575, <2 x float> %v575, <8 x i32> <i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1>
  %v577 = shufflevector <2 x float> %v575, <2 x float> %v575, <8 x i32> <i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1>
  %v578 = shufflevector <2 x float> %v575, <2 x float> %v575, <8 x i32> <i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1>
  %v579 = shufflevector <2 x float> %v575, <2 x float> %v575, <8 x i32> <i32 0, i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 1>
  %v580 = shufflevector <16 x float> %v556, <16 x float> %v570, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v581 = shufflevector <16 x float> %v556, <16 x float> %v570, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v582 = shufflevector <16 x float> %v580, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v583 = shufflevector <16 x float> %v580, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v584 = shufflevector <16 x float> %v581, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v585 = shufflevector <16 x float> %v581, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v586 = shufflevector <16 x float> %v582, <16 x float> %v582, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v587 = shufflevector <16 x float> %v584, <16 x float> %v584, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v588 = shufflevector <16 x float> %v583, <16 x float> %v583, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v589 = shufflevector <16 x float> %v585, <16 x float> %v585, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v590 = fadd <8 x float> %v586, %v579
  %v591 = shufflevector <16 x float> %v558, <16 x float> %v571, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v592 = shufflevector <16 x float> %v558, <16 x float> %v571, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v593 = shufflevector <16 x float> %v591, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v594 = shufflevector <16 x float> %v591, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v595 = shufflevector <16 x float> %v592, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v596 = shufflevector <16 x float> %v592, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v597 = shufflevector <16 x float> %v593, <16 x float> %v593, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v598 = shufflevector <16 x float> %v595, <16 x float> %v595, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v599 = shufflevector <16 x float> %v594, <16 x float> %v594, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v600 = shufflevector <16 x float> %v596, <16 x float> %v596, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v601 = fadd <8 x float> %v597, %v579
  %v602 = shufflevector <16 x float> %v560, <16 x float> %v572, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v603 = shufflevector <16 x float> %v560, <16 x float> %v572, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v604 = shufflevector <16 x float> %v602, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v605 = shufflevector <16 x float> %v602, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v606 = shufflevector <16 x float> %v603, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v607 = shufflevector <16 x float> %v603, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v608 = shufflevector <16 x float> %v604, <16 x float> %v604, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v609 = shufflevector <16 x float> %v606, <16 x float> %v606, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v610 = shufflevector <16 x float> %v605, <16 x float> %v605, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v611 = shufflevector <16 x float> %v607, <16 x float> %v607, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v612 = fadd <8 x float> %v608, %v579
  %v613 = shufflevector <16 x float> %v562, <16 x float> %v573, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v614 = shufflevector <16 x float> %v562, <16 x float> %v573, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v615 = shufflevector <16 x float> %v613, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v616 = shufflevector <16 x float> %v613, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v617 = shufflevector <16 x float> %v614, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v618 = shufflevector <16 x float> %v614, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v619 = shufflevector <16 x float> %v615, <16 x float> %v615, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v620 = shufflevector <16 x float> %v617, <16 x float> %v617, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v621 = shufflevector <16 x float> %v616, <16 x float> %v616, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v622 = shufflevector <16 x float> %v618, <16 x float> %v618, <8 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13>
  %v623 = fadd <8 x float> %v619, %v579
  %v624 = fadd <8 x float> %v587, %v590
  %v625 = fadd <8 x float> %v598, %v601
  %v626 = fadd <8 x float> %v609, %v612
  %v627 = fadd <8 x float> %v620, %v623
  %v628 = fadd <8 x float> %v588, %v624
  %v629 = fadd <8 x float> %v599, %v625
  %v630 = fadd <8 x float> %v610, %v626
  %v631 = fadd <8 x float> %v621, %v627
  %v632 = fadd <8 x float> %v589, %v628
  %v633 = fadd <8 x float> %v600, %v629
  %v634 = fadd <8 x float> %v611, %v630
  %v635 = fadd <8 x float> %v622, %v631
  %v636 = getelementptr i8, ptr %v8, i64 192
  %v637 = shufflevector <8 x float> %v632, <8 x float> %v632, <2 x i32> <i32 0, i32 1>
  store <2 x float> %v637, ptr %v636, align 4
  %v638 = getelementptr i8, ptr %v636, i64 200
  %v639 = shufflevector <8 x float> %v632, <8 x float> %v632, <2 x i32> <i32 2, i32 3>
  store <2 x float> %v639, ptr %v638, align 4
  %v640 = getelementptr i8, ptr %v636, i64 400
  %v641 = shufflevector <8 x float> %v632, <8 x float> %v632, <2 x i32> <i32 4, i32 5>
  store <2 x float> %v641, ptr %v640, align 4
  %v642 = getelementptr i8, ptr %v636, i64 600
  %v643 = shufflevector <8 x float> %v632, <8 x float> %v632, <2 x i32> <i32 6, i32 7>
  store <2 x float> %v643, ptr %v642, align 4
  %v644 = getelementptr i8, ptr %v8, i64 992
  %v645 = shufflevector <8 x float> %v633, <8 x float> %v633, <2 x i32> <i32 0, i32 1>
  store <2 x float> %v645, ptr %v644, align 4
  %v646 = getelementptr i8, ptr %v644, i64 200
  %v647 = shufflevector <8 x float> %v633, <8 x float> %v633, <2 x i32> <i32 2, i32 3>
  store <2 x float> %v647, ptr %v646, align 4
  %v648 = getelementptr i8, ptr %v644, i64 400
  %v649 = shufflevector <8 x float> %v633, <8 x float> %v633, <2 x i32> <i32 4, i32 5>
  store <2 x float> %v649, ptr %v648, align 4
  %v650 = getelementptr i8, ptr %v644, i64 600
  %v651 = shufflevector <8 x float> %v633, <8 x float> %v633, <2 x i32> <i32 6, i32 7>
  store <2 x float> %v651, ptr %v650, align 4
  %v652 = getelementptr i8, ptr %v8, i64 1792
  %v653 = shufflevector <8 x float> %v634, <8 x float> %v634, <2 x i32> <i32 0, i32 1>
  store <2 x float> %v653, ptr %v652, align 4
  %v654 = getelementptr i8, ptr %v652, i64 200
  %v655 = shufflevector <8 x float> %v634, <8 x float> %v634, <2 x i32> <i32 2, i32 3>
  store <2 x float> %v655, ptr %v654, align 4
  %v656 = getelementptr i8, ptr %v652, i64 400
  %v657 = shufflevector <8 x float> %v634, <8 x float> %v634, <2 x i32> <i32 4, i32 5>
  store <2 x float> %v657, ptr %v656, align 4
  %v658 = getelementptr i8, ptr %v652, i64 600
  %v659 = shufflevector <8 x float> %v634, <8 x float> %v634, <2 x i32> <i32 6, i32 7>
  store <2 x float> %v659, ptr %v658, align 4
  %v660 = getelementptr i8, ptr %v8, i64 2592
  %v661 = shufflevector <8 x float> %v635, <8 x float> %v635, <2 x i32> <i32 0, i32 1>
  store <2 x float> %v661, ptr %v660, align 4
  %v662 = getelementptr i8, ptr %v660, i64 200
  %v663 = shufflevector <8 x float> %v635, <8 x float> %v635, <2 x i32> <i32 2, i32 3>
  store <2 x float> %v663, ptr %v662, align 4
  %v664 = getelementptr i8, ptr %v660, i64 400
  %v665 = shufflevector <8 x float> %v635, <8 x float> %v635, <2 x i32> <i32 4, i32 5>
  store <2 x float> %v665, ptr %v664, align 4
  %v666 = getelementptr i8, ptr %v660, i64 600
  %v667 = shufflevector <8 x float> %v635, <8 x float> %v635, <2 x i32> <i32 6, i32 7>
  store <2 x float> %v667, ptr %v666, align 4
  br label %ft.loop668
ft.loop668:
  %v670 = phi i64 [ 0, %ft.done501 ], [ %v671, %ft.loop668 ]
  %v672 = phi <8 x float> [ splat (float 0x0000000000000000), %ft.done501 ], [ %v692, %ft.loop668 ]
  %v673 = phi <16 x float> [ %v558, %ft.done501 ], [ %v673, %ft.loop668 ]
  %v674 = phi <16 x float> [ %v560, %ft.done501 ], [ %v674, %ft.loop668 ]
  %v675 = phi <16 x float> [ %v562, %ft.done501 ], [ %v675, %ft.loop668 ]
  %v676 = phi <8 x float> [ splat (float 0x0000000000000000), %ft.done501 ], [ %v697, %ft.loop668 ]
  %v677 = phi <16 x float> [ %v571, %ft.done501 ], [ %v677, %ft.loop668 ]
  %v678 = phi <16 x float> [ %v572, %ft.done501 ], [ %v678, %ft.loop668 ]
  %v679 = phi <16 x float> [ %v573, %ft.done501 ], [ %v679, %ft.loop668 ]
  %v680 = mul nsw i64 %v670, 16
  %v681 = getelementptr i8, ptr %v4, i64 %v680
  %v688 = mul nsw i64 %v670, 256
  %v689 = getelementptr i8, ptr %v9, i64 %v688
  %v682 = getelementptr i8, ptr %v681, i64 4576
  call void @llvm.prefetch.p0(ptr %v682, i32 0, i32 3, i32 1)
  %v683 = getelementptr i8, ptr %v681, i64 4664
  call void @llvm.prefetch.p0(ptr %v683, i32 0, i32 3, i32 1)
  %v684 = getelementptr i8, ptr %v681, i64 4224
  %v685 = load <4 x float>, ptr %v684, align 4
  %v686 = shufflevector <4 x float> %v685, <4 x float> %v685, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v687 = shufflevector <4 x float> %v685, <4 x float> %v685, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v690 = getelementptr i8, ptr %v689, i64 1536
  %v691 = load <8 x float>, ptr %v690, align 32
  %v692 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v691, <8 x float> %v687, <8 x float> %v672)
  %v693 = getelementptr i8, ptr %v681, i64 4312
  %v694 = load <4 x float>, ptr %v693, align 4
  %v695 = shufflevector <4 x float> %v694, <4 x float> %v694, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v696 = shufflevector <4 x float> %v694, <4 x float> %v694, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v697 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v691, <8 x float> %v696, <8 x float> %v676)
  %v671 = add nuw nsw i64 %v670, 1
  %v698 = icmp ne i64 %v671, 5
  br i1 %v698, label %ft.loop668, label %ft.done669
ft.done669:
  %v699 = getelementptr i8, ptr %v4, i64 4656
  call void @llvm.prefetch.p0(ptr %v699, i32 0, i32 3, i32 1)
  %v700 = getelementptr i8, ptr %v4, i64 4744
  call void @llvm.prefetch.p0(ptr %v700, i32 0, i32 3, i32 1)
  %v701 = load <2 x float>, ptr %v548, align 4
  %v702 = shufflevector <2 x float> %v701, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v703 = shufflevector <4 x float> %v702, <4 x float> %v702, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v704 = shufflevector <4 x float> %v702, <4 x float> %v702, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v705 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v192, i32 32, <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>, <8 x float> zeroinitializer)
  %v706 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v705, <8 x float> %v704, <8 x float> %v692)
  %v707 = load <2 x float>, ptr %v563, align 4
  %v708 = shufflevector <2 x float> %v707, <2 x float> splat (float 0x0000000000000000), <4 x i32> <i32 0, i32 1, i32 2, i32 2>
  %v709 = shufflevector <4 x float> %v708, <4 x float> %v708, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v710 = shufflevector <4 x float> %v708, <4 x float> %v708, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v711 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v705, <8 x float> %v710, <8 x float> %v697)
  %v712 = load <2 x float>, ptr %v574, align 4
  %v713 = shufflevector <2 x float> %v712, <2 x float> %v712, <4 x i32> <i32 0, i32 1, i32 0, i32 1>
  %v714 = shufflevector <2 x float> %v712, <2 x float> %v712, <4 x i32> <i32 0, i32 1, i32 0, i32 1>
  %v715 = shufflevector <8 x float> %v706, <8 x float> %v711, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v716 = shufflevector <8 x float> %v706, <8 x float> %v711, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v717 = shufflevector <8 x float> %v715, <8 x float> poison, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v718 = shufflevector <8 x float> %v715, <8 x float> poison, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v719 = shufflevector <8 x float> %v716, <8 x float> poison, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v720 = shufflevector <8 x float> %v716, <8 x float> poison, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v721 = shufflevector <8 x float> %v717, <8 x float> %v717, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v722 = shufflevector <8 x float> %v719, <8 x float> %v719, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v723 = shufflevector <8 x float> %v718, <8 x float> %v718, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v724 = shufflevector <8 x float> %v720, <8 x float> %v720, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v725 = fadd <4 x float> %v721, %v714
  %v726 = fadd <4 x float> %v722, %v725
  %v727 = fadd <4 x float> %v723, %v726
  %v728 = fadd <4 x float> %v724, %v727
  %v729 = getelementptr i8, ptr %v8, i64 3392
  %v730 = shufflevector <4 x float> %v728, <4 x float> %v728, <2 x i32> <i32 0, i32 1>
  store <2 x float> %v730, ptr %v729, align 4
  %v731 = getelementptr i8, ptr %v729, i64 200
  %v732 = shufflevector <4 x float> %v728, <4 x float> %v728, <2 x i32> <i32 2, i32 3>
  store <2 x float> %v732, ptr %v731, align 4
  %v14 = add nuw nsw i64 %v13, 1
  %v733 = icmp ne i64 %v14, %hi
  br i1 %v733, label %items.loop10, label %items.done11
items.done11:
  ret void
}
