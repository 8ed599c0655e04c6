define void @k_6df3b0deebd91e9a(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = sub i64 %lo, 0
  %v6 = call i64 @llvm.smax.i64(i64 %v5, i64 0)
  %v7 = sub i64 %hi, 0
  %v8 = call i64 @llvm.smin.i64(i64 %v7, i64 6)
  %v11 = icmp slt i64 %v6, %v8
  br i1 %v11, label %items.loop9, label %items.done10
items.loop9:
  %v12 = phi i64 [ %v6, %entry ], [ %v214, %items.loop9 ]
  %v13 = udiv i64 %v12, 3
  %v14 = urem i64 %v12, 3
  %v15 = mul nsw i64 %v13, 64
  %v16 = getelementptr i8, ptr %v2, i64 %v15
  %v17 = mul nsw i64 %v14, 140
  %v18 = getelementptr i8, ptr %v16, i64 %v17
  %v114 = mul nsw i64 %v13, 4032
  %v115 = getelementptr i8, ptr %v4, i64 %v114
  %v116 = mul nsw i64 %v14, 84
  %v117 = getelementptr i8, ptr %v115, i64 %v116
  %v19 = load <16 x float>, ptr %v18, align 4
  %v20 = getelementptr i8, ptr %v18, i64 420
  %v21 = load <16 x float>, ptr %v20, align 4
  %v22 = getelementptr i8, ptr %v18, i64 840
  %v23 = load <16 x float>, ptr %v22, align 4
  %v24 = getelementptr i8, ptr %v18, i64 1260
  %v25 = load <16 x float>, ptr %v24, align 4
  %v26 = getelementptr i8, ptr %v18, i64 1680
  %v27 = load <16 x float>, ptr %v26, align 4
  %v28 = getelementptr i8, ptr %v18, i64 2100
  %v29 = load <16 x float>, ptr %v28, align 4
  %v30 = getelementptr i8, ptr %v18, i64 2520
  %v31 = load <16 x float>, ptr %v30, align 4
  %v32 = getelementptr i8, ptr %v18, i64 2940
  %v33 = load <16 x float>, ptr %v32, align 4
  %v34 = getelementptr i8, ptr %v18, i64 3360
  %v35 = load <16 x float>, ptr %v34, align 4
  %v36 = getelementptr i8, ptr %v18, i64 3780
  %v37 = load <16 x float>, ptr %v36, align 4
  %v38 = getelementptr i8, ptr %v18, i64 4200
  %v39 = load <16 x float>, ptr %v38, align 4
  %v40 = getelementptr i8, ptr %v18, i64 4620
  %v41 = load <16 x float>, ptr %v40, align 4
  %v42 = getelementptr i8, ptr %v18, i64 5040
  %v43 = load <16 x float>, ptr %v42, align 4
  %v44 = getelementptr i8, ptr %v18, i64 5460
  %v45 = load <16 x float>, ptr %v44, align 4
  %v46 = getelementptr i8, ptr %v18, i64 5880
  %v47 = load <16 x float>, ptr %v46, align 4
  %v48 = getelementptr i8, ptr %v18, i64 6300
  %v49 = load <16 x float>, ptr %v48, align 4
  %v50 = shufflevector <16 x float> %v19, <16 x float> %v21, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v51 = shufflevector <16 x float> %v19, <16 x float> %v21, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v52 = shufflevector <16 x float> %v23, <16 x float> %v25, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v53 = shufflevector <16 x float> %v23, <16 x float> %v25, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v54 = shufflevector <16 x float> %v27, <16 x float> %v29, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v55 = shufflevector <16 x float> %v27, <16 x float> %v29, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v56 = shufflevector <16 x float> %v31, <16 x float> %v33, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v57 = shufflevector <16 x float> %v31, <16 x float> %v33, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v58 = shufflevector <16 x float> %v35, <16 x float> %v37, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v59 = shufflevector <16 x float> %v35, <16 x float> %v37, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v60 = shufflevector <16 x float> %v39, <16 x float> %v41, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v61 = shufflevector <16 x float> %v39, <16 x float> %v41, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v62 = shufflevector <16 x float> %v43, <16 x float> %v45, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v63 = shufflevector <16 x float> %v43, <16 x float> %v45, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v64 = shufflevector <16 x float> %v47, <16 x float> %v49, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v65 = shufflevector <16 x float> %v47, <16 x float> %v49, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v66 = shufflevector <16 x float> %v50, <16 x float> %v52, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v67 = shufflevector <16 x float> %v50, <16 x float> %v52, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v68 = shufflevector <16 x float> %v51, <16 x float> %v53, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v69 = shufflevector <16 x float> %v51, <16 x float> %v53, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v70 = shufflevector <16 x float> %v54, <16 x float> %v56, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v71 = shufflevector <16 x float> %v54, <16 x float> %v56, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v72 = shufflevector <16 x float> %v55, <16 x float> %v57, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v73 = shufflevector <16 x float> %v55, <16 x float> %v57, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v74 = shufflevector <16 x float> %v58, <16 x float> %v60, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v75 = shufflevector <16 x float> %v58, <16 x float> %v60, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v76 = shufflevector <16 x float> %v59, <16 x float> %v61, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v77 = shufflevector <16 x float> %v59, <16 x float> %v61, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v78 = shufflevector <16 x float> %v62, <16 x float> %v64, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v79 = shufflevector <16 x float> %v62, <16 x float> %v64, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v80 = shufflevector <16 x float> %v63, <16 x float> %v65, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v81 = shufflevector <16 x float> %v63, <16 x float> %v65, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v82 = shufflevector <16 x float> %v66, <16 x float> %v70, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v83 = shufflevector <16 x float> %v66, <16 x float> %v70, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v84 = shufflevector <16 x float> %v68, <16 x float> %v72, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v85 = shufflevector <16 x float> %v68, <16 x float> %v72, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v86 = shufflevector <16 x float> %v67, <16 x float> %v71, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v87 = shufflevector <16 x float> %v67, <16 x float> %v71, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v88 = shufflevector <16 x float> %v69, <16 x float> %v73, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v89 = shufflevector <16 x float> %v69, <16 x float> %v73, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v90 = shufflevector <16 x float> %v74, <16 x float> %v78, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v91 = shufflevector <16 x float> %v74, <16 x float> %v78, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v92 = shufflevector <16 x float> %v76, <16 x float> %v80, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v93 = shufflevector <16 x float> %v76, <16 x float> %v80, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v94 = shufflevector <16 x float> %v75, <16 x float> %v79, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v95 = shufflevector <16 x float> %v75, <16 x float> %v79, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v96 = shufflevector <16 x float> %v77, <16 x float> %v81, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v97 = shufflevector <16 x float> %v77, <16 x float> %v81, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v98 = shufflevector <16 x float> %v82, <16 x float> %v90, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v99 = shufflevector <16 x float> %v82, <16 x float> %v90, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v100 = shufflevector <16 x float> %v84, <16 x float> %v92, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v101 = shufflevector <16 x float> %v84, <16 x float> %v92, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v102 = shufflevector <16 x float> %v86, <16 x float> %v94, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v103 = shufflevector <16 x float> %v86, <16 x float> %v94, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v104 = shufflevector <16 x float> %v88, <16 x float> %v96, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v105 = shufflevector <16 x float> %v88, <16 x float> %v96, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v106 = shufflevector <16 x float> %v83, <16 x float> %v91, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v107 = shufflevector <16 x float> %v83, <16 x float> %v91, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v108 = shufflevector <16 x float> %v85, <16 x float> %v93, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v109 = shufflevector <16 x float> %v85, <16 x float> %v93, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v110 = shufflevector <16 x float> %v87, <16 x float> %v95, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v111 = shufflevector <16 x float> %v87, <16 x float> %v95, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v112 = shufflevector <16 x float> %v89, <16 x float> %v97, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v113 = shufflevector <16 x float> %v89, <16 x float> %v97, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  store <16 x float> %v98, ptr %v117, align 4
  %v118 = getelementptr i8, ptr %v117, i64 252
  store <16 x float> %v100, ptr %v118, align 4
  %v119 = getelementptr i8, ptr %v117, i64 504
  store <16 x float> %v102, ptr %v119, align 4
  %v120 = getelementptr i8, ptr %v117, i64 756
  store <16 x float> %v104, ptr %v120, align 4
  %v121 = getelementptr i8, ptr %v117, i64 1008
  store <16 x float> %v106, ptr %v121, align 4
  %v122 = getelementptr i8, ptr %v117, i64 1260
  store <16 x float> %v108, ptr %v122, align 4
  %v123 = getelementptr i8, ptr %v117, i64 1512
  store <16 x float> %v110, ptr %v123, align 4
  %v124 = getelementptr i8, ptr %v117, i64 1764
  store <16 x float> %v112, ptr %v124, align 4
  %v125 = getelementptr i8, ptr %v117, i64 2016
  store <16 x float> %v99, ptr %v125, align 4
  %v126 = getelementptr i8, ptr %v117, i64 2268
  store <16 x float> %v101, ptr %v126, align 4
  %v127 = getelementptr i8, ptr %v117, i64 2520
  store <16 x float> %v103, ptr %v127, align 4
  %v128 = getelementptr i8, ptr %v117, i64 2772
  store <16 x float> %v105, ptr %v128, align 4
  %v129 = getelementptr i8, ptr %v117, i64 3024
  store <16 x float> %v107, ptr %v129, align 4
  %v130 = getelementptr i8, ptr %v117, i64 3276
  store <16 x float> %v109, ptr %v130, align 4
  %v131 = getelementptr i8, ptr %v117, i64 3528
  store <16 x float> %v111, ptr %v131, align 4
  %v132 = getelementptr i8, ptr %v117, i64 3780
  store <16 x float> %v113, ptr %v132, align 4
  %v133 = getelementptr i8, ptr %v18, i64 6720
  %v134 = load <16 x float>, ptr %v133, align 4
  %v135 = getelementptr i8, ptr %v18, i64 7140
  %v136 = load <16 x float>, ptr %v135, align 4
  %v137 = getelementptr i8, ptr %v18, i64 7560
  %v138 = load <16 x float>, ptr %v137, align 4
  %v139 = getelementptr i8, ptr %v18, i64 7980
  %v140 = load <16 x float>, ptr %v139, align 4
  %v141 = getelementptr i8, ptr %v18, i64 8400
  %v142 = load <16 x float>, ptr %v141, align 4
  %v143 = shufflevector <16 x float> %v134, <16 x float> %v136, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v144 = shufflevector <16 x float> %v134, <16 x float> %v136, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v145 = shufflevector <16 x float> %v138, <16 x float> %v140, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v146 = shufflevector <16 x float> %v138, <16 x float> %v140, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v147 = shufflevector <16 x float> %v142, <16 x float> poison, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v148 = shufflevector <16 x float> %v142, <16 x float> poison, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v149 = shufflevector <16 x float> %v143, <16 x float> %v145, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v150 = shufflevector <16 x float> %v143, <16 x float> %v145, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v151 = shufflevector <16 x float> %v144, <16 x float> %v146, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v152 = shufflevector <16 x float> %v144, <16 x float> %v146, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v153 = shufflevector <16 x float> %v147, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v154 = shufflevector <16 x float> %v147, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v155 = shufflevector <16 x float> %v148, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v156 = shufflevector <16 x float> %v148, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v157 = shufflevector <16 x float> %v149, <16 x float> %v153, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v158 = shufflevector <16 x float> %v149, <16 x float> %v153, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v159 = shufflevector <16 x float> %v151, <16 x float> %v155, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v160 = shufflevector <16 x float> %v151, <16 x float> %v155, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v161 = shufflevector <16 x float> %v150, <16 x float> %v154, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v162 = shufflevector <16 x float> %v150, <16 x float> %v154, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v163 = shufflevector <16 x float> %v152, <16 x float> %v156, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v164 = shufflevector <16 x float> %v152, <16 x float> %v156, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v165 = shufflevector <16 x float> %v157, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v166 = shufflevector <16 x float> %v157, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v167 = shufflevector <16 x float> %v159, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v168 = shufflevector <16 x float> %v159, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v169 = shufflevector <16 x float> %v161, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v170 = shufflevector <16 x float> %v161, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v171 = shufflevector <16 x float> %v163, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v172 = shufflevector <16 x float> %v163, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v173 = shufflevector <16 x float> %v158, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v174 = shufflevector <16 x float> %v158, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v175 = shufflevector <16 x float> %v160, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v176 = shufflevector <16 x float> %v160, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v177 = shufflevector <16 x float> %v162, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v178 = shufflevector <16 x float> %v162, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v179 = shufflevector <16 x float> %v164, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v180 = shufflevector <16 x float> %v164, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v181 = shufflevector <16 x float> %v165, <16 x float> %v165, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v182 = shufflevector <16 x float> %v167, <16 x float> %v167, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v183 = shufflevector <16 x float> %v169, <16 x float> %v169, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v184 = shufflevector <16 x float> %v171, <16 x float> %v171, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v185 = shufflevector <16 x float> %v173, <16 x float> %v173, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v186 = shufflevector <16 x float> %v175, <16 x float> %v175, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v187 = shufflevector <16 x float> %v177, <16 x float> %v177, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v188 = shufflevector <16 x float> %v179, <16 x float> %v179, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v189 = shufflevector <16 x float> %v166, <16 x float> %v166, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v190 = shufflevector <16 x float> %v168, <16 x float> %v168, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v191 = shufflevector <16 x float> %v170, <16 x float> %v170, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v192 = shufflevector <16 x float> %v172, <16 x float> %v172, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v193 = shufflevector <16 x float> %v174, <16 x float> %v174, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v194 = shufflevector <16 x float> %v176, <16 x float> %v176, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v195 = shufflevector <16 x float> %v178, <16 x float> %v178, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v196 = shufflevector <16 x float> %v180, <16 x float> %v180, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v197 = getelementptr i8, ptr %v117, i64 64
  store <5 x float> %v181, ptr %v197, align 4
  %v198 = getelementptr i8, ptr %v117, i64 316
  store <5 x float> %v182, ptr %v198, align 4
  %v199 = getelementptr i8, ptr %v117, i64 568
  store <5 x float> %v183, ptr %v199, align 4
  %v200 = getelementptr i8, ptr %v117, i64 820
  store <5 x float> %v184, ptr %v200, align 4
  %v201 = getelementptr i8, ptr %v117, i64 1072
  store <5 x float> %v185, ptr %v201, align 4
  %v202 = getelementptr i8, ptr %v117, i64 1324
  store <5 x float> %v186, ptr %v202, align 4
  %v203 = getelementptr i8, ptr %v117, i64 1576
  store <5 x float> %v187, ptr %v203, align 4
  %v204 = getelementptr i8, ptr %v117, i64 1828
  store <5 x float> %v188, ptr %v204, align 4
  %v205 = getelementptr i8, ptr %v117, i64 2080
  store <5 x float> %v189, ptr %v205, align 4
  %v206 = getelementptr i8, ptr %v117, i64 2332
  store <5 x float> %v190, ptr %v206, align 4
  %v207 = getelementptr i8, ptr %v117, i64 2584
  store <5 x float> %v191, ptr %v207, align 4
  %v208 = getelementptr i8, ptr %v117, i64 2836
  store <5 x float> %v192, ptr %v208, align 4
  %v209 = getelementptr i8, ptr %v117, i64 3088
  store <5 x float> %v193, ptr %v209, align 4
  %v210 = getelementptr i8, ptr %v117, i64 3340
  store <5 x float> %v194, ptr %v210, align 4
  %v211 = getelementptr i8, ptr %v117, i64 3592
  store <5 x float> %v195, ptr %v211, align 4
  %v212 = getelementptr i8, ptr %v117, i64 3844
  store <5 x float> %v196, ptr %v212, align 4
  %v213 = add nsw i64 %v12, 1
  %v214 = freeze i64 %v213
  %v215 = icmp ne i64 %v214, %v8
  br i1 %v215, label %items.loop9, label %items.done10
items.done10:
  %v216 = sub i64 %lo, 6
  %v217 = call i64 @llvm.smax.i64(i64 %v216, i64 0)
  %v218 = sub i64 %hi, 6
  %v219 = call i64 @llvm.smin.i64(i64 %v218, i64 3)
  %v391 = mul nsw i64 %v217, 140
  %v392 = getelementptr i8, ptr %v2, i64 %v391
  %v393 = mul nsw i64 %v219, 140
  %v394 = getelementptr i8, ptr %v2, i64 %v393
  %v397 = mul nsw i64 %v217, 84
  %v398 = getelementptr i8, ptr %v4, i64 %v397
  %v222 = icmp slt i64 %v217, %v219
  br i1 %v222, label %items.loop220, label %items.done221
items.loop220:
  %v224 = phi ptr [ %v392, %items.done10 ], [ %v390, %items.loop220 ]
  %v337 = phi ptr [ %v398, %items.done10 ], [ %v396, %items.loop220 ]
  %v225 = getelementptr i8, ptr %v224, i64 128
  %v226 = load <3 x float>, ptr %v225, align 4
  %v227 = getelementptr i8, ptr %v224, i64 548
  %v228 = load <3 x float>, ptr %v227, align 4
  %v229 = getelementptr i8, ptr %v224, i64 968
  %v230 = load <3 x float>, ptr %v229, align 4
  %v231 = getelementptr i8, ptr %v224, i64 1388
  %v232 = load <3 x float>, ptr %v231, align 4
  %v233 = getelementptr i8, ptr %v224, i64 1808
  %v234 = load <3 x float>, ptr %v233, align 4
  %v235 = getelementptr i8, ptr %v224, i64 2228
  %v236 = load <3 x float>, ptr %v235, align 4
  %v237 = getelementptr i8, ptr %v224, i64 2648
  %v238 = load <3 x float>, ptr %v237, align 4
  %v239 = getelementptr i8, ptr %v224, i64 3068
  %v240 = load <3 x float>, ptr %v239, align 4
  %v241 = getelementptr i8, ptr %v224, i64 3488
  %v242 = load <3 x float>, ptr %v241, align 4
  %v243 = getelementptr i8, ptr %v224, i64 3908
  %v244 = load <3 x float>, ptr %v243, align 4
  %v245 = getelementptr i8, ptr %v224, i64 4328
  %v246 = load <3 x float>, ptr %v245, align 4
  %v247 = getelementptr i8, ptr %v224, i64 4748
  %v248 = load <3 x float>, ptr %v247, align 4
  %v249 = getelementptr i8, ptr %v224, i64 5168
  %v250 = load <3 x float>, ptr %v249, align 4
  %v251 = getelementptr i8, ptr %v224, i64 5588
  %v252 = load <3 x float>, ptr %v251, align 4
  %v253 = getelementptr i8, ptr %v224, i64 6008
  %v254 = load <3 x float>, ptr %v253, align 4
  %v255 = getelementptr i8, ptr %v224, i64 6428
  %v256 = load <3 x float>, ptr %v255, align 4
  %v257 = shufflevector <3 x float> %v226, <3 x float> %v226, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v258 = shufflevector <3 x float> %v228, <3 x float> %v228, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v259 = shufflevector <3 x float> %v230, <3 x float> %v230, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v260 = shufflevector <3 x float> %v232, <3 x float> %v232, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v261 = shufflevector <3 x float> %v234, <3 x float> %v234, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v262 = shufflevector <3 x float> %v236, <3 x float> %v236, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v263 = shufflevector <3 x float> %v238, <3 x float> %v238, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v264 = shufflevector <3 x float> %v240, <3 x float> %v240, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v265 = shufflevector <3 x float> %v242, <3 x float> %v242, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v266 = shufflevector <3 x float> %v244, <3 x float> %v244, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v267 = shufflevector <3 x float> %v246, <3 x float> %v246, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v268 = shufflevector <3 x float> %v248, <3 x float> %v248, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v269 = shufflevector <3 x float> %v250, <3 x float> %v250, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v270 = shufflevector <3 x float> %v252, <3 x float> %v252, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v271 = shufflevector <3 x float> %v254, <3 x float> %v254, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v272 = shufflevector <3 x float> %v256, <3 x float> %v256, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v273 = shufflevector <16 x float> %v257, <16 x float> %v258, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v274 = shufflevector <16 x float> %v257, <16 x float> %v258, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v275 = shufflevector <16 x float> %v259, <16 x float> %v260, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v276 = shufflevector <16 x float> %v259, <16 x float> %v260, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v277 = shufflevector <16 x float> %v261, <16 x float> %v262, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v278 = shufflevector <16 x float> %v261, <16 x float> %v262, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v279 = shufflevector <16 x float> %v263, <16 x float> %v264, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v280 = shufflevector <16 x float> %v263, <16 x float> %v264, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v281 = shufflevector <16 x float> %v265, <16 x float> %v266, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v282 = shufflevector <16 x float> %v265, <16 x float> %v266, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v283 = shufflevector <16 x float> %v267, <16 x float> %v268, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v284 = shufflevector <16 x float> %v267, <16 x float> %v268, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v285 = shufflevector <16 x float> %v269, <16 x float> %v270, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v286 = shufflevector <16 x float> %v269, <16 x float> %v270, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v287 = shufflevector <16 x float> %v271, <16 x float> %v272, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v288 = shufflevector <16 x float> %v271, <16 x float> %v272, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v289 = shufflevector <16 x float> %v273, <16 x float> %v275, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v290 = shufflevector <16 x float> %v273, <16 x float> %v275, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v291 = shufflevector <16 x float> %v274, <16 x float> %v276, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v292 = shufflevector <16 x float> %v274, <16 x float> %v276, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v293 = shufflevector <16 x float> %v277, <16 x float> %v279, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v294 = shufflevector <16 x float> %v277, <16 x float> %v279, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v295 = shufflevector <16 x float> %v278, <16 x float> %v280, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v296 = shufflevector <16 x float> %v278, <16 x float> %v280, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v297 = shufflevector <16 x float> %v281, <16 x float> %v283, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v298 = shufflevector <16 x float> %v281, <16 x float> %v283, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v299 = shufflevector <16 x float> %v282, <16 x float> %v284, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v300 = shufflevector <16 x float> %v282, <16 x float> %v284, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v301 = shufflevector <16 x float> %v285, <16 x float> %v287, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v302 = shufflevector <16 x float> %v285, <16 x float> %v287, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v303 = shufflevector <16 x float> %v286, <16 x float> %v288, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v304 = shufflevector <16 x float> %v286, <16 x float> %v288, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v305 = shufflevector <16 x float> %v289, <16 x float> %v293, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v306 = shufflevector <16 x float> %v289, <16 x float> %v293, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v307 = shufflevector <16 x float> %v291, <16 x float> %v295, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v308 = shufflevector <16 x float> %v291, <16 x float> %v295, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v309 = shufflevector <16 x float> %v290, <16 x float> %v294, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v310 = shufflevector <16 x float> %v290, <16 x float> %v294, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v311 = shufflevector <16 x float> %v292, <16 x float> %v296, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v312 = shufflevector <16 x float> %v292, <16 x float> %v296, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v313 = shufflevector <16 x float> %v297, <16 x float> %v301, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v314 = shufflevector <16 x float> %v297, <16 x float> %v301, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v315 = shufflevector <16 x float> %v299, <16 x float> %v303, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v316 = shufflevector <16 x float> %v299, <16 x float> %v303, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v317 = shufflevector <16 x float> %v298, <16 x float> %v302, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v318 = shufflevector <16 x float> %v298, <16 x float> %v302, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v319 = shufflevector <16 x float> %v300, <16 x float> %v304, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v320 = shufflevector <16 x float> %v300, <16 x float> %v304, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v321 = shufflevector <16 x float> %v305, <16 x float> %v313, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v322 = shufflevector <16 x float> %v305, <16 x float> %v313, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v323 = shufflevector <16 x float> %v307, <16 x float> %v315, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v324 = shufflevector <16 x float> %v307, <16 x float> %v315, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v325 = shufflevector <16 x float> %v309, <16 x float> %v317, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v326 = shufflevector <16 x float> %v309, <16 x float> %v317, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v327 = shufflevector <16 x float> %v311, <16 x float> %v319, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v328 = shufflevector <16 x float> %v311, <16 x float> %v319, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v329 = shufflevector <16 x float> %v306, <16 x float> %v314, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v330 = shufflevector <16 x float> %v306, <16 x float> %v314, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v331 = shufflevector <16 x float> %v308, <16 x float> %v316, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v332 = shufflevector <16 x float> %v308, <16 x float> %v316, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v333 = shufflevector <16 x float> %v310, <16 x float> %v318, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v334 = shufflevector <16 x float> %v310, <16 x float> %v318, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v335 = shufflevector <16 x float> %v312, <16 x float> %v320, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v336 = shufflevector <16 x float> %v312, <16 x float> %v320, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v338 = getelementptr i8, ptr %v337, i64 8064
  store <16 x float> %v321, ptr %v338, align 4
  %v339 = getelementptr i8, ptr %v337, i64 8316
  store <16 x float> %v323, ptr %v339, align 4
  %v340 = getelementptr i8, ptr %v337, i64 8568
  store <16 x float> %v325, ptr %v340, align 4
  %v341 = getelementptr i8, ptr %v224, i64 6848
  %v342 = load <3 x float>, ptr %v341, align 4
  %v343 = getelementptr i8, ptr %v224, i64 7268
  %v344 = load <3 x float>, ptr %v343, align 4
  %v345 = getelementptr i8, ptr %v224, i64 7688
  %v346 = load <3 x float>, ptr %v345, align 4
  %v347 = getelementptr i8, ptr %v224, i64 8108
  %v348 = load <3 x float>, ptr %v347, align 4
  %v349 = getelementptr i8, ptr %v224, i64 8528
  %v350 = load <3 x float>, ptr %v349, align 4
  %v351 = shufflevector <3 x float> %v342, <3 x float> %v342, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v352 = shufflevector <3 x float> %v344, <3 x float> %v344, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v353 = shufflevector <3 x float> %v346, <3 x float> %v346, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v354 = shufflevector <3 x float> %v348, <3 x float> %v348, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v355 = shufflevector <3 x float> %v350, <3 x float> %v350, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v356 = shufflevector <8 x float> %v351, <8 x float> %v352, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v357 = shufflevector <8 x float> %v351, <8 x float> %v352, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v358 = shufflevector <8 x float> %v353, <8 x float> %v354, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v359 = shufflevector <8 x float> %v353, <8 x float> %v354, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v360 = shufflevector <8 x float> %v355, <8 x float> poison, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v361 = shufflevector <8 x float> %v355, <8 x float> poison, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v362 = shufflevector <8 x float> %v356, <8 x float> %v358, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v363 = shufflevector <8 x float> %v356, <8 x float> %v358, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v364 = shufflevector <8 x float> %v357, <8 x float> %v359, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v365 = shufflevector <8 x float> %v357, <8 x float> %v359, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v366 = shufflevector <8 x float> %v360, <8 x float> poison, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v367 = shufflevector <8 x float> %v360, <8 x float> poison, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v368 = shufflevector <8 x float> %v361, <8 x float> poison, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v369 = shufflevector <8 x float> %v361, <8 x float> poison, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v370 = shufflevector <8 x float> %v362, <8 x float> %v366, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v371 = shufflevector <8 x float> %v362, <8 x float> %v366, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v372 = shufflevector <8 x float> %v364, <8 x float> %v368, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v373 = shufflevector <8 x float> %v364, <8 x float> %v368, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v374 = shufflevector <8 x float> %v363, <8 x float> %v367, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v375 = shufflevector <8 x float> %v363, <8 x float> %v367, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v376 = shufflevector <8 x float> %v365, <8 x float> %v369, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v377 = shufflevector <8 x float> %v365, <8 x float> %v369, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v378 = shufflevector <8 x float> %v370, <8 x float> %v370, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v379 = shufflevector <8 x float> %v372, <8 x float> %v372, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v380 = shufflevector <8 x float> %v374, <8 x float> %v374, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v381 = shufflevector <8 x float> %v376, <8 x float> %v376, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v382 = shufflevector <8 x float> %v371, <8 x float> %v371, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v383 = shufflevector <8 x float> %v373, <8 x float> %v373, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v384 = shufflevector <8 x float> %v375, <8 x float> %v375, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v385 = shufflevector <8 x float> %v377, <8 x float> %v377, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v386 = getelementptr i8, ptr %v337, i64 8128
  store <5 x float> %v378, ptr %v386, align 4
  %v387 = getelementptr i8, ptr %v337, i64 8380
  store <5 x float> %v379, ptr %v387, align 4
  %v388 = getelementptr i8, ptr %v337, i64 8632
  store <5 x float> %v380, ptr %v388, align 4
  %v389 = getelementptr i8, ptr %v224, i64 140
  %v390 = freeze ptr %v389
  %v395 = getelementptr i8, ptr %v337, i64 84
  %v396 = freeze ptr %v395
  %v399 = icmp ne ptr %v390, %v394
  br i1 %v399, label %items.loop220, label %items.done221
items.done221:
  ret void
}
