define void @k_2fd970fbd7208068(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v130 = mul nsw i64 %lo, 1024
  %v131 = getelementptr i8, ptr %v4, i64 %v130
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v127, %items.loop5 ]
  %v110 = phi ptr [ %v131, %entry ], [ %v129, %items.loop5 ]
  %v9 = udiv i64 %v8, 2
  %v10 = urem i64 %v8, 2
  %v11 = mul nsw i64 %v9, 2048
  %v12 = getelementptr i8, ptr %v2, i64 %v11
  %v13 = mul nsw i64 %v10, 64
  %v14 = getelementptr i8, ptr %v12, i64 %v13
  %v15 = load <16 x float>, ptr %v14, align 4
  %v16 = getelementptr i8, ptr %v14, i64 128
  %v17 = load <16 x float>, ptr %v16, align 4
  %v18 = getelementptr i8, ptr %v14, i64 256
  %v19 = load <16 x float>, ptr %v18, align 4
  %v20 = getelementptr i8, ptr %v14, i64 384
  %v21 = load <16 x float>, ptr %v20, align 4
  %v22 = getelementptr i8, ptr %v14, i64 512
  %v23 = load <16 x float>, ptr %v22, align 4
  %v24 = getelementptr i8, ptr %v14, i64 640
  %v25 = load <16 x float>, ptr %v24, align 4
  %v26 = getelementptr i8, ptr %v14, i64 768
  %v27 = load <16 x float>, ptr %v26, align 4
  %v28 = getelementptr i8, ptr %v14, i64 896
  %v29 = load <16 x float>, ptr %v28, align 4
  %v30 = getelementptr i8, ptr %v14, i64 1024
  %v31 = load <16 x float>, ptr %v30, align 4
  %v32 = getelementptr i8, ptr %v14, i64 1152
  %v33 = load <16 x float>, ptr %v32, align 4
  %v34 = getelementptr i8, ptr %v14, i64 1280
  %v35 = load <16 x float>, ptr %v34, align 4
  %v36 = getelementptr i8, ptr %v14, i64 1408
  %v37 = load <16 x float>, ptr %v36, align 4
  %v38 = getelementptr i8, ptr %v14, i64 1536
  %v39 = load <16 x float>, ptr %v38, align 4
  %v40 = getelementptr i8, ptr %v14, i64 1664
  %v41 = load <16 x float>, ptr %v40, align 4
  %v42 = getelementptr i8, ptr %v14, i64 1792
  %v43 = load <16 x float>, ptr %v42, align 4
  %v44 = getelementptr i8, ptr %v14, i64 1920
  %v45 = load <16 x float>, ptr %v44, align 4
  %v46 = shufflevector <16 x float> %v15, <16 x float> %v17, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v47 = shufflevector <16 x float> %v15, <16 x float> %v17, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v48 = shufflevector <16 x float> %v19, <16 x float> %v21, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v49 = shufflevector <16 x float> %v19, <16 x float> %v21, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v50 = shufflevector <16 x float> %v23, <16 x float> %v25, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v51 = shufflevector <16 x float> %v23, <16 x float> %v25, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v52 = shufflevector <16 x float> %v27, <16 x float> %v29, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v53 = shufflevector <16 x float> %v27, <16 x float> %v29, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v54 = shufflevector <16 x float> %v31, <16 x float> %v33, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v55 = shufflevector <16 x float> %v31, <16 x float> %v33, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v56 = shufflevector <16 x float> %v35, <16 x float> %v37, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v57 = shufflevector <16 x float> %v35, <16 x float> %v37, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v58 = shufflevector <16 x float> %v39, <16 x float> %v41, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v59 = shufflevector <16 x float> %v39, <16 x float> %v41, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v60 = shufflevector <16 x float> %v43, <16 x float> %v45, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v61 = shufflevector <16 x float> %v43, <16 x float> %v45, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v62 = shufflevector <16 x float> %v46, <16 x float> %v48, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v63 = shufflevector <16 x float> %v46, <16 x float> %v48, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v64 = shufflevector <16 x float> %v47, <16 x float> %v49, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v65 = shufflevector <16 x float> %v47, <16 x float> %v49, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
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
  %v78 = shufflevector <16 x float> %v62, <16 x float> %v66, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v79 = shufflevector <16 x float> %v62, <16 x float> %v66, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v80 = shufflevector <16 x float> %v64, <16 x float> %v68, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v81 = shufflevector <16 x float> %v64, <16 x float> %v68, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v82 = shufflevector <16 x float> %v63, <16 x float> %v67, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v83 = shufflevector <16 x float> %v63, <16 x float> %v67, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v84 = shufflevector <16 x float> %v65, <16 x float> %v69, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v85 = shufflevector <16 x float> %v65, <16 x float> %v69, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v86 = shufflevector <16 x float> %v70, <16 x float> %v74, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v87 = shufflevector <16 x float> %v70, <16 x float> %v74, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v88 = shufflevector <16 x float> %v72, <16 x float> %v76, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v89 = shufflevector <16 x float> %v72, <16 x float> %v76, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v90 = shufflevector <16 x float> %v71, <16 x float> %v75, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v91 = shufflevector <16 x float> %v71, <16 x float> %v75, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v92 = shufflevector <16 x float> %v73, <16 x float> %v77, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v93 = shufflevector <16 x float> %v73, <16 x float> %v77, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v94 = shufflevector <16 x float> %v78, <16 x float> %v86, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v95 = shufflevector <16 x float> %v78, <16 x float> %v86, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v96 = shufflevector <16 x float> %v80, <16 x float> %v88, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v97 = shufflevector <16 x float> %v80, <16 x float> %v88, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v98 = shufflevector <16 x float> %v82, <16 x float> %v90, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v99 = shufflevector <16 x float> %v82, <16 x float> %v90, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v100 = shufflevector <16 x float> %v84, <16 x float> %v92, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v101 = shufflevector <16 x float> %v84, <16 x float> %v92, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v102 = shufflevector <16 x float> %v79, <16 x float> %v87, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v103 = shufflevector <16 x float> %v79, <16 x float> %v87, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v104 = shufflevector <16 x float> %v81, <16 x float> %v89, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v105 = shufflevector <16 x float> %v81, <16 x float> %v89, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v106 = shufflevector <16 x float> %v83, <16 x float> %v91, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v107 = shufflevector <16 x float> %v83, <16 x float> %v91, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v108 = shufflevector <16 x float> %v85, <16 x float> %v93, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v109 = shufflevector <16 x float> %v85, <16 x float> %v93, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  store <16 x float> %v94, ptr %v110, align 64
  %v111 = getelementptr i8, ptr %v110, i64 64
  store <16 x float> %v96, ptr %v111, align 64
  %v112 = getelementptr i8, ptr %v110, i64 128
  store <16 x float> %v98, ptr %v112, align 64
  %v113 = getelementptr i8, ptr %v110, i64 192
  store <16 x float> %v100, ptr %v113, align 64
  %v114 = getelementptr i8, ptr %v110, i64 256
  store <16 x float> %v102, ptr %v114, align 64
  %v115 = getelementptr i8, ptr %v110, i64 320
  store <16 x float> %v104, ptr %v115, align 64
  %v116 = getelementptr i8, ptr %v110, i64 384
  store <16 x float> %v106, ptr %v116, align 64
  %v117 = getelementptr i8, ptr %v110, i64 448
  store <16 x float> %v108, ptr %v117, align 64
  %v118 = getelementptr i8, ptr %v110, i64 512
  store <16 x float> %v95, ptr %v118, align 64
  %v119 = getelementptr i8, ptr %v110, i64 576
  store <16 x float> %v97, ptr %v119, align 64
  %v120 = getelementptr i8, ptr %v110, i64 640
  store <16 x float> %v99, ptr %v120, align 64
  %v121 = getelementptr i8, ptr %v110, i64 704
  store <16 x float> %v101, ptr %v121, align 64
  %v122 = getelementptr i8, ptr %v110, i64 768
  store <16 x float> %v103, ptr %v122, align 64
  %v123 = getelementptr i8, ptr %v110, i64 832
  store <16 x float> %v105, ptr %v123, align 64
  %v124 = getelementptr i8, ptr %v110, i64 896
  store <16 x float> %v107, ptr %v124, align 64
  %v125 = getelementptr i8, ptr %v110, i64 960
  store <16 x float> %v109, ptr %v125, align 64
  %v126 = add nsw i64 %v8, 1
  %v127 = freeze i64 %v126
  %v128 = getelementptr i8, ptr %v110, i64 1024
  %v129 = freeze ptr %v128
  %v132 = icmp ne i64 %v127, %hi
  br i1 %v132, label %items.loop5, label %items.done6
items.done6:
  ret void
}
