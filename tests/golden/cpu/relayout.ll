define void @k_99eae96ef7654628(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v9, %items.loop5 ]
  %v10 = urem i64 %v8, 2
  %v11 = udiv i64 %v8, 2
  %v12 = mul nsw i64 %v11, 2048
  %v13 = getelementptr i8, ptr %v2, i64 %v12
  %v14 = mul nsw i64 %v10, 64
  %v15 = getelementptr i8, ptr %v13, i64 %v14
  %v111 = getelementptr i8, ptr %v4, i64 %v12
  %v112 = mul nsw i64 %v10, 1024
  %v113 = getelementptr i8, ptr %v111, i64 %v112
  %v16 = load <16 x float>, ptr %v15, align 4
  %v17 = getelementptr i8, ptr %v15, i64 128
  %v18 = load <16 x float>, ptr %v17, align 4
  %v19 = getelementptr i8, ptr %v15, i64 256
  %v20 = load <16 x float>, ptr %v19, align 4
  %v21 = getelementptr i8, ptr %v15, i64 384
  %v22 = load <16 x float>, ptr %v21, align 4
  %v23 = getelementptr i8, ptr %v15, i64 512
  %v24 = load <16 x float>, ptr %v23, align 4
  %v25 = getelementptr i8, ptr %v15, i64 640
  %v26 = load <16 x float>, ptr %v25, align 4
  %v27 = getelementptr i8, ptr %v15, i64 768
  %v28 = load <16 x float>, ptr %v27, align 4
  %v29 = getelementptr i8, ptr %v15, i64 896
  %v30 = load <16 x float>, ptr %v29, align 4
  %v31 = getelementptr i8, ptr %v15, i64 1024
  %v32 = load <16 x float>, ptr %v31, align 4
  %v33 = getelementptr i8, ptr %v15, i64 1152
  %v34 = load <16 x float>, ptr %v33, align 4
  %v35 = getelementptr i8, ptr %v15, i64 1280
  %v36 = load <16 x float>, ptr %v35, align 4
  %v37 = getelementptr i8, ptr %v15, i64 1408
  %v38 = load <16 x float>, ptr %v37, align 4
  %v39 = getelementptr i8, ptr %v15, i64 1536
  %v40 = load <16 x float>, ptr %v39, align 4
  %v41 = getelementptr i8, ptr %v15, i64 1664
  %v42 = load <16 x float>, ptr %v41, align 4
  %v43 = getelementptr i8, ptr %v15, i64 1792
  %v44 = load <16 x float>, ptr %v43, align 4
  %v45 = getelementptr i8, ptr %v15, i64 1920
  %v46 = load <16 x float>, ptr %v45, align 4
  %v47 = shufflevector <16 x float> %v16, <16 x float> %v18, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v48 = shufflevector <16 x float> %v16, <16 x float> %v18, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v49 = shufflevector <16 x float> %v20, <16 x float> %v22, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v50 = shufflevector <16 x float> %v20, <16 x float> %v22, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v51 = shufflevector <16 x float> %v24, <16 x float> %v26, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v52 = shufflevector <16 x float> %v24, <16 x float> %v26, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v53 = shufflevector <16 x float> %v28, <16 x float> %v30, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v54 = shufflevector <16 x float> %v28, <16 x float> %v30, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v55 = shufflevector <16 x float> %v32, <16 x float> %v34, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v56 = shufflevector <16 x float> %v32, <16 x float> %v34, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v57 = shufflevector <16 x float> %v36, <16 x float> %v38, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v58 = shufflevector <16 x float> %v36, <16 x float> %v38, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v59 = shufflevector <16 x float> %v40, <16 x float> %v42, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v60 = shufflevector <16 x float> %v40, <16 x float> %v42, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v61 = shufflevector <16 x float> %v44, <16 x float> %v46, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v62 = shufflevector <16 x float> %v44, <16 x float> %v46, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v63 = shufflevector <16 x float> %v47, <16 x float> %v49, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v64 = shufflevector <16 x float> %v47, <16 x float> %v49, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v65 = shufflevector <16 x float> %v48, <16 x float> %v50, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v66 = shufflevector <16 x float> %v48, <16 x float> %v50, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v67 = shufflevector <16 x float> %v51, <16 x float> %v53, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v68 = shufflevector <16 x float> %v51, <16 x float> %v53, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v69 = shufflevector <16 x float> %v52, <16 x float> %v54, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v70 = shufflevector <16 x float> %v52, <16 x float> %v54, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v71 = shufflevector <16 x float> %v55, <16 x float> %v57, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v72 = shufflevector <16 x float> %v55, <16 x float> %v57, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v73 = shufflevector <16 x float> %v56, <16 x float> %v58, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v74 = shufflevector <16 x float> %v56, <16 x float> %v58, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v75 = shufflevector <16 x float> %v59, <16 x float> %v61, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v76 = shufflevector <16 x float> %v59, <16 x float> %v61, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v77 = shufflevector <16 x float> %v60, <16 x float> %v62, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v78 = shufflevector <16 x float> %v60, <16 x float> %v62, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v79 = shufflevector <16 x float> %v63, <16 x float> %v67, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v80 = shufflevector <16 x float> %v63, <16 x float> %v67, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v81 = shufflevector <16 x float> %v65, <16 x float> %v69, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v82 = shufflevector <16 x float> %v65, <16 x float> %v69, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v83 = shufflevector <16 x float> %v64, <16 x float> %v68, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v84 = shufflevector <16 x float> %v64, <16 x float> %v68, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v85 = shufflevector <16 x float> %v66, <16 x float> %v70, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v86 = shufflevector <16 x float> %v66, <16 x float> %v70, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v87 = shufflevector <16 x float> %v71, <16 x float> %v75, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v88 = shufflevector <16 x float> %v71, <16 x float> %v75, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v89 = shufflevector <16 x float> %v73, <16 x float> %v77, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v90 = shufflevector <16 x float> %v73, <16 x float> %v77, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v91 = shufflevector <16 x float> %v72, <16 x float> %v76, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v92 = shufflevector <16 x float> %v72, <16 x float> %v76, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v93 = shufflevector <16 x float> %v74, <16 x float> %v78, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v94 = shufflevector <16 x float> %v74, <16 x float> %v78, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v95 = shufflevector <16 x float> %v79, <16 x float> %v87, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v96 = shufflevector <16 x float> %v79, <16 x float> %v87, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v97 = shufflevector <16 x float> %v81, <16 x float> %v89, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v98 = shufflevector <16 x float> %v81, <16 x float> %v89, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v99 = shufflevector <16 x float> %v83, <16 x float> %v91, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v100 = shufflevector <16 x float> %v83, <16 x float> %v91, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v101 = shufflevector <16 x float> %v85, <16 x float> %v93, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v102 = shufflevector <16 x float> %v85, <16 x float> %v93, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v103 = shufflevector <16 x float> %v80, <16 x float> %v88, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v104 = shufflevector <16 x float> %v80, <16 x float> %v88, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v105 = shufflevector <16 x float> %v82, <16 x float> %v90, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v106 = shufflevector <16 x float> %v82, <16 x float> %v90, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v107 = shufflevector <16 x float> %v84, <16 x float> %v92, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v108 = shufflevector <16 x float> %v84, <16 x float> %v92, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v109 = shufflevector <16 x float> %v86, <16 x float> %v94, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v110 = shufflevector <16 x float> %v86, <16 x float> %v94, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  store <16 x float> %v95, ptr %v113, align 64
  %v114 = getelementptr i8, ptr %v113, i64 64
  store <16 x float> %v97, ptr %v114, align 64
  %v115 = getelementptr i8, ptr %v113, i64 128
  store <16 x float> %v99, ptr %v115, align 64
  %v116 = getelementptr i8, ptr %v113, i64 192
  store <16 x float> %v101, ptr %v116, align 64
  %v117 = getelementptr i8, ptr %v113, i64 256
  store <16 x float> %v103, ptr %v117, align 64
  %v118 = getelementptr i8, ptr %v113, i64 320
  store <16 x float> %v105, ptr %v118, align 64
  %v119 = getelementptr i8, ptr %v113, i64 384
  store <16 x float> %v107, ptr %v119, align 64
  %v120 = getelementptr i8, ptr %v113, i64 448
  store <16 x float> %v109, ptr %v120, align 64
  %v121 = getelementptr i8, ptr %v113, i64 512
  store <16 x float> %v96, ptr %v121, align 64
  %v122 = getelementptr i8, ptr %v113, i64 576
  store <16 x float> %v98, ptr %v122, align 64
  %v123 = getelementptr i8, ptr %v113, i64 640
  store <16 x float> %v100, ptr %v123, align 64
  %v124 = getelementptr i8, ptr %v113, i64 704
  store <16 x float> %v102, ptr %v124, align 64
  %v125 = getelementptr i8, ptr %v113, i64 768
  store <16 x float> %v104, ptr %v125, align 64
  %v126 = getelementptr i8, ptr %v113, i64 832
  store <16 x float> %v106, ptr %v126, align 64
  %v127 = getelementptr i8, ptr %v113, i64 896
  store <16 x float> %v108, ptr %v127, align 64
  %v128 = getelementptr i8, ptr %v113, i64 960
  store <16 x float> %v110, ptr %v128, align 64
  %v9 = add nuw nsw i64 %v8, 1
  %v129 = icmp ne i64 %v9, %hi
  br i1 %v129, label %items.loop5, label %items.done6
items.done6:
  ret void
}
