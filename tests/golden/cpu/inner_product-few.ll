define void @k_30ec376af16dd7bd(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
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
  %v280 = phi i64 [ %lo, %entry ], [ %v282, %f_i.done248 ]
  %v14 = load <16 x float>, ptr %v4, align 4
  %v15 = getelementptr i8, ptr %v4, i64 80
  %v16 = load <16 x float>, ptr %v15, align 4
  %v17 = getelementptr i8, ptr %v4, i64 160
  %v18 = load <16 x float>, ptr %v17, align 4
  %v19 = getelementptr i8, ptr %v4, i64 240
  %v20 = load <16 x float>, ptr %v19, align 4
  %v21 = getelementptr i8, ptr %v4, i64 320
  %v22 = load <16 x float>, ptr %v21, align 4
  %v23 = getelementptr i8, ptr %v4, i64 400
  %v24 = load <16 x float>, ptr %v23, align 4
  %v25 = getelementptr i8, ptr %v4, i64 480
  %v26 = load <16 x float>, ptr %v25, align 4
  %v27 = getelementptr i8, ptr %v4, i64 560
  %v28 = load <16 x float>, ptr %v27, align 4
  %v29 = getelementptr i8, ptr %v4, i64 640
  %v30 = load <16 x float>, ptr %v29, align 4
  %v31 = shufflevector <16 x float> %v14, <16 x float> %v16, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v32 = shufflevector <16 x float> %v14, <16 x float> %v16, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v33 = shufflevector <16 x float> %v18, <16 x float> %v20, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v34 = shufflevector <16 x float> %v18, <16 x float> %v20, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v35 = shufflevector <16 x float> %v22, <16 x float> %v24, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v36 = shufflevector <16 x float> %v22, <16 x float> %v24, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v37 = shufflevector <16 x float> %v26, <16 x float> %v28, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v38 = shufflevector <16 x float> %v26, <16 x float> %v28, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v39 = shufflevector <16 x float> %v30, <16 x float> poison, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v40 = shufflevector <16 x float> %v30, <16 x float> poison, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v41 = shufflevector <16 x float> %v31, <16 x float> %v33, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v42 = shufflevector <16 x float> %v31, <16 x float> %v33, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v43 = shufflevector <16 x float> %v32, <16 x float> %v34, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v44 = shufflevector <16 x float> %v32, <16 x float> %v34, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v45 = shufflevector <16 x float> %v35, <16 x float> %v37, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v46 = shufflevector <16 x float> %v35, <16 x float> %v37, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v47 = shufflevector <16 x float> %v36, <16 x float> %v38, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v48 = shufflevector <16 x float> %v36, <16 x float> %v38, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v49 = shufflevector <16 x float> %v39, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v50 = shufflevector <16 x float> %v39, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v51 = shufflevector <16 x float> %v40, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v52 = shufflevector <16 x float> %v40, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v53 = shufflevector <16 x float> %v41, <16 x float> %v45, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v54 = shufflevector <16 x float> %v41, <16 x float> %v45, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v55 = shufflevector <16 x float> %v43, <16 x float> %v47, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v56 = shufflevector <16 x float> %v43, <16 x float> %v47, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v57 = shufflevector <16 x float> %v42, <16 x float> %v46, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v58 = shufflevector <16 x float> %v42, <16 x float> %v46, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v59 = shufflevector <16 x float> %v44, <16 x float> %v48, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v60 = shufflevector <16 x float> %v44, <16 x float> %v48, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v61 = shufflevector <16 x float> %v49, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v62 = shufflevector <16 x float> %v49, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v63 = shufflevector <16 x float> %v51, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v64 = shufflevector <16 x float> %v51, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v65 = shufflevector <16 x float> %v50, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v66 = shufflevector <16 x float> %v50, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v67 = shufflevector <16 x float> %v52, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v68 = shufflevector <16 x float> %v52, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v69 = shufflevector <16 x float> %v53, <16 x float> %v61, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v70 = shufflevector <16 x float> %v53, <16 x float> %v61, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v71 = shufflevector <16 x float> %v55, <16 x float> %v63, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v72 = shufflevector <16 x float> %v55, <16 x float> %v63, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v73 = shufflevector <16 x float> %v57, <16 x float> %v65, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v74 = shufflevector <16 x float> %v57, <16 x float> %v65, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v75 = shufflevector <16 x float> %v59, <16 x float> %v67, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v76 = shufflevector <16 x float> %v59, <16 x float> %v67, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v77 = shufflevector <16 x float> %v54, <16 x float> %v62, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v78 = shufflevector <16 x float> %v54, <16 x float> %v62, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v79 = shufflevector <16 x float> %v56, <16 x float> %v64, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v80 = shufflevector <16 x float> %v56, <16 x float> %v64, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v81 = shufflevector <16 x float> %v58, <16 x float> %v66, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v82 = shufflevector <16 x float> %v58, <16 x float> %v66, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v83 = shufflevector <16 x float> %v60, <16 x float> %v68, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v84 = shufflevector <16 x float> %v60, <16 x float> %v68, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v85 = shufflevector <16 x float> %v69, <16 x float> %v69, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v86 = shufflevector <16 x float> %v71, <16 x float> %v71, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v87 = shufflevector <16 x float> %v73, <16 x float> %v73, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v88 = shufflevector <16 x float> %v75, <16 x float> %v75, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v89 = shufflevector <16 x float> %v77, <16 x float> %v77, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v90 = shufflevector <16 x float> %v79, <16 x float> %v79, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v91 = shufflevector <16 x float> %v81, <16 x float> %v81, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v92 = shufflevector <16 x float> %v83, <16 x float> %v83, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v93 = shufflevector <16 x float> %v70, <16 x float> %v70, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v94 = shufflevector <16 x float> %v72, <16 x float> %v72, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v95 = shufflevector <16 x float> %v74, <16 x float> %v74, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v96 = shufflevector <16 x float> %v76, <16 x float> %v76, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v97 = shufflevector <16 x float> %v78, <16 x float> %v78, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v98 = shufflevector <16 x float> %v80, <16 x float> %v80, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v99 = shufflevector <16 x float> %v82, <16 x float> %v82, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v100 = shufflevector <16 x float> %v84, <16 x float> %v84, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  store <9 x float> %v85, ptr %v9, align 4
  %v101 = getelementptr i8, ptr %v9, i64 36
  store <9 x float> %v86, ptr %v101, align 4
  %v102 = getelementptr i8, ptr %v9, i64 72
  store <9 x float> %v87, ptr %v102, align 4
  %v103 = getelementptr i8, ptr %v9, i64 108
  store <9 x float> %v88, ptr %v103, align 4
  %v104 = getelementptr i8, ptr %v9, i64 144
  store <9 x float> %v89, ptr %v104, align 4
  %v105 = getelementptr i8, ptr %v9, i64 180
  store <9 x float> %v90, ptr %v105, align 4
  %v106 = getelementptr i8, ptr %v9, i64 216
  store <9 x float> %v91, ptr %v106, align 4
  %v107 = getelementptr i8, ptr %v9, i64 252
  store <9 x float> %v92, ptr %v107, align 4
  %v108 = getelementptr i8, ptr %v9, i64 288
  store <9 x float> %v93, ptr %v108, align 4
  %v109 = getelementptr i8, ptr %v9, i64 324
  store <9 x float> %v94, ptr %v109, align 4
  %v110 = getelementptr i8, ptr %v9, i64 360
  store <9 x float> %v95, ptr %v110, align 4
  %v111 = getelementptr i8, ptr %v9, i64 396
  store <9 x float> %v96, ptr %v111, align 4
  %v112 = getelementptr i8, ptr %v9, i64 432
  store <9 x float> %v97, ptr %v112, align 4
  %v113 = getelementptr i8, ptr %v9, i64 468
  store <9 x float> %v98, ptr %v113, align 4
  %v114 = getelementptr i8, ptr %v9, i64 504
  store <9 x float> %v99, ptr %v114, align 4
  %v115 = getelementptr i8, ptr %v9, i64 540
  store <9 x float> %v100, ptr %v115, align 4
  %v116 = getelementptr i8, ptr %v4, i64 64
  %v117 = load <4 x float>, ptr %v116, align 4
  %v118 = getelementptr i8, ptr %v4, i64 144
  %v119 = load <4 x float>, ptr %v118, align 4
  %v120 = getelementptr i8, ptr %v4, i64 224
  %v121 = load <4 x float>, ptr %v120, align 4
  %v122 = getelementptr i8, ptr %v4, i64 304
  %v123 = load <4 x float>, ptr %v122, align 4
  %v124 = getelementptr i8, ptr %v4, i64 384
  %v125 = load <4 x float>, ptr %v124, align 4
  %v126 = getelementptr i8, ptr %v4, i64 464
  %v127 = load <4 x float>, ptr %v126, align 4
  %v128 = getelementptr i8, ptr %v4, i64 544
  %v129 = load <4 x float>, ptr %v128, align 4
  %v130 = getelementptr i8, ptr %v4, i64 624
  %v131 = load <4 x float>, ptr %v130, align 4
  %v132 = getelementptr i8, ptr %v4, i64 704
  %v133 = load <4 x float>, ptr %v132, align 4
  %v134 = shufflevector <4 x float> %v117, <4 x float> %v117, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v135 = shufflevector <4 x float> %v119, <4 x float> %v119, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v136 = shufflevector <4 x float> %v121, <4 x float> %v121, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v137 = shufflevector <4 x float> %v123, <4 x float> %v123, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v138 = shufflevector <4 x float> %v125, <4 x float> %v125, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v139 = shufflevector <4 x float> %v127, <4 x float> %v127, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v140 = shufflevector <4 x float> %v129, <4 x float> %v129, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v141 = shufflevector <4 x float> %v131, <4 x float> %v131, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v142 = shufflevector <4 x float> %v133, <4 x float> %v133, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v143 = shufflevector <16 x float> %v134, <16 x float> %v135, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v144 = shufflevector <16 x float> %v134, <16 x float> %v135, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v145 = shufflevector <16 x float> %v136, <16 x float> %v137, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v146 = shufflevector <16 x float> %v136, <16 x float> %v137, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v147 = shufflevector <16 x float> %v138, <16 x float> %v139, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v148 = shufflevector <16 x float> %v138, <16 x float> %v139, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v149 = shufflevector <16 x float> %v140, <16 x float> %v141, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v150 = shufflevector <16 x float> %v140, <16 x float> %v141, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v151 = shufflevector <16 x float> %v142, <16 x float> poison, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v152 = shufflevector <16 x float> %v142, <16 x float> poison, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v153 = shufflevector <16 x float> %v143, <16 x float> %v145, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v154 = shufflevector <16 x float> %v143, <16 x float> %v145, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v155 = shufflevector <16 x float> %v144, <16 x float> %v146, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v156 = shufflevector <16 x float> %v144, <16 x float> %v146, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v157 = shufflevector <16 x float> %v147, <16 x float> %v149, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v158 = shufflevector <16 x float> %v147, <16 x float> %v149, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v159 = shufflevector <16 x float> %v148, <16 x float> %v150, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v160 = shufflevector <16 x float> %v148, <16 x float> %v150, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v161 = shufflevector <16 x float> %v151, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v162 = shufflevector <16 x float> %v151, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v163 = shufflevector <16 x float> %v152, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v164 = shufflevector <16 x float> %v152, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v165 = shufflevector <16 x float> %v153, <16 x float> %v157, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v166 = shufflevector <16 x float> %v153, <16 x float> %v157, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v167 = shufflevector <16 x float> %v155, <16 x float> %v159, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v168 = shufflevector <16 x float> %v155, <16 x float> %v159, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v169 = shufflevector <16 x float> %v154, <16 x float> %v158, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v170 = shufflevector <16 x float> %v154, <16 x float> %v158, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v171 = shufflevector <16 x float> %v156, <16 x float> %v160, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v172 = shufflevector <16 x float> %v156, <16 x float> %v160, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v173 = shufflevector <16 x float> %v161, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v174 = shufflevector <16 x float> %v161, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v175 = shufflevector <16 x float> %v163, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v176 = shufflevector <16 x float> %v163, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v177 = shufflevector <16 x float> %v162, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v178 = shufflevector <16 x float> %v162, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v179 = shufflevector <16 x float> %v164, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v180 = shufflevector <16 x float> %v164, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v181 = shufflevector <16 x float> %v165, <16 x float> %v173, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v182 = shufflevector <16 x float> %v165, <16 x float> %v173, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v183 = shufflevector <16 x float> %v167, <16 x float> %v175, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v184 = shufflevector <16 x float> %v167, <16 x float> %v175, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v185 = shufflevector <16 x float> %v169, <16 x float> %v177, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v186 = shufflevector <16 x float> %v169, <16 x float> %v177, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v187 = shufflevector <16 x float> %v171, <16 x float> %v179, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v188 = shufflevector <16 x float> %v171, <16 x float> %v179, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v189 = shufflevector <16 x float> %v166, <16 x float> %v174, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v190 = shufflevector <16 x float> %v166, <16 x float> %v174, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v191 = shufflevector <16 x float> %v168, <16 x float> %v176, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v192 = shufflevector <16 x float> %v168, <16 x float> %v176, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v193 = shufflevector <16 x float> %v170, <16 x float> %v178, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v194 = shufflevector <16 x float> %v170, <16 x float> %v178, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v195 = shufflevector <16 x float> %v172, <16 x float> %v180, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v196 = shufflevector <16 x float> %v172, <16 x float> %v180, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v197 = shufflevector <16 x float> %v181, <16 x float> %v181, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v198 = shufflevector <16 x float> %v183, <16 x float> %v183, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v199 = shufflevector <16 x float> %v185, <16 x float> %v185, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v200 = shufflevector <16 x float> %v187, <16 x float> %v187, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v201 = shufflevector <16 x float> %v189, <16 x float> %v189, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v202 = shufflevector <16 x float> %v191, <16 x float> %v191, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v203 = shufflevector <16 x float> %v193, <16 x float> %v193, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v204 = shufflevector <16 x float> %v195, <16 x float> %v195, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v205 = shufflevector <16 x float> %v182, <16 x float> %v182, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v206 = shufflevector <16 x float> %v184, <16 x float> %v184, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v207 = shufflevector <16 x float> %v186, <16 x float> %v186, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v208 = shufflevector <16 x float> %v188, <16 x float> %v188, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v209 = shufflevector <16 x float> %v190, <16 x float> %v190, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v210 = shufflevector <16 x float> %v192, <16 x float> %v192, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v211 = shufflevector <16 x float> %v194, <16 x float> %v194, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v212 = shufflevector <16 x float> %v196, <16 x float> %v196, <9 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>
  %v213 = getelementptr i8, ptr %v9, i64 576
  store <9 x float> %v197, ptr %v213, align 4
  %v214 = getelementptr i8, ptr %v9, i64 612
  store <9 x float> %v198, ptr %v214, align 4
  %v215 = getelementptr i8, ptr %v9, i64 648
  store <9 x float> %v199, ptr %v215, align 4
  %v216 = getelementptr i8, ptr %v9, i64 684
  store <9 x float> %v200, ptr %v216, align 4
  %v217 = load <9 x float>, ptr %v6, align 4
  %v243 = getelementptr i8, ptr %v2, i64 64
  br label %f_i.loop218
f_i.loop218:
  %v224 = phi ptr [ %v2, %items.loop10 ], [ %v242, %f_i.loop218 ]
  %v226 = phi ptr [ %v9, %items.loop10 ], [ %v245, %f_i.loop218 ]
  %v221 = phi <9 x float> [ %v217, %items.loop10 ], [ %v230, %f_i.loop218 ]
  %v222 = phi <9 x float> [ %v217, %items.loop10 ], [ %v235, %f_i.loop218 ]
  %v223 = phi <9 x float> [ %v217, %items.loop10 ], [ %v240, %f_i.loop218 ]
  %v225 = load float, ptr %v224, align 4
  %v227 = load <9 x float>, ptr %v226, align 4
  %v228 = insertelement <9 x float> poison, float %v225, i64 0
  %v229 = shufflevector <9 x float> %v228, <9 x float> poison, <9 x i32> zeroinitializer
  %v230 = call <9 x float> @llvm.fma.v9f32(<9 x float> %v229, <9 x float> %v227, <9 x float> %v221)
  %v231 = getelementptr i8, ptr %v224, i64 80
  %v232 = load float, ptr %v231, align 4
  %v233 = insertelement <9 x float> poison, float %v232, i64 0
  %v234 = shufflevector <9 x float> %v233, <9 x float> poison, <9 x i32> zeroinitializer
  %v235 = call <9 x float> @llvm.fma.v9f32(<9 x float> %v234, <9 x float> %v227, <9 x float> %v222)
  %v236 = getelementptr i8, ptr %v224, i64 160
  %v237 = load float, ptr %v236, align 4
  %v238 = insertelement <9 x float> poison, float %v237, i64 0
  %v239 = shufflevector <9 x float> %v238, <9 x float> poison, <9 x i32> zeroinitializer
  %v240 = call <9 x float> @llvm.fma.v9f32(<9 x float> %v239, <9 x float> %v227, <9 x float> %v223)
  %v241 = getelementptr i8, ptr %v224, i64 4
  %v242 = freeze ptr %v241
  %v244 = getelementptr i8, ptr %v226, i64 36
  %v245 = freeze ptr %v244
  %v246 = icmp ne ptr %v242, %v243
  br i1 %v246, label %f_i.loop218, label %f_i.done219
f_i.done219:
  %v274 = getelementptr i8, ptr %v2, i64 16
  br label %f_i.loop247
f_i.loop247:
  %v253 = phi ptr [ %v2, %f_i.done219 ], [ %v273, %f_i.loop247 ]
  %v256 = phi ptr [ %v9, %f_i.done219 ], [ %v276, %f_i.loop247 ]
  %v250 = phi <9 x float> [ %v230, %f_i.done219 ], [ %v261, %f_i.loop247 ]
  %v251 = phi <9 x float> [ %v235, %f_i.done219 ], [ %v266, %f_i.loop247 ]
  %v252 = phi <9 x float> [ %v240, %f_i.done219 ], [ %v271, %f_i.loop247 ]
  %v254 = getelementptr i8, ptr %v253, i64 64
  %v255 = load float, ptr %v254, align 4
  %v257 = getelementptr i8, ptr %v256, i64 576
  %v258 = load <9 x float>, ptr %v257, align 4
  %v259 = insertelement <9 x float> poison, float %v255, i64 0
  %v260 = shufflevector <9 x float> %v259, <9 x float> poison, <9 x i32> zeroinitializer
  %v261 = call <9 x float> @llvm.fma.v9f32(<9 x float> %v260, <9 x float> %v258, <9 x float> %v250)
  %v262 = getelementptr i8, ptr %v253, i64 144
  %v263 = load float, ptr %v262, align 4
  %v264 = insertelement <9 x float> poison, float %v263, i64 0
  %v265 = shufflevector <9 x float> %v264, <9 x float> poison, <9 x i32> zeroinitializer
  %v266 = call <9 x float> @llvm.fma.v9f32(<9 x float> %v265, <9 x float> %v258, <9 x float> %v251)
  %v267 = getelementptr i8, ptr %v253, i64 224
  %v268 = load float, ptr %v267, align 4
  %v269 = insertelement <9 x float> poison, float %v268, i64 0
  %v270 = shufflevector <9 x float> %v269, <9 x float> poison, <9 x i32> zeroinitializer
  %v271 = call <9 x float> @llvm.fma.v9f32(<9 x float> %v270, <9 x float> %v258, <9 x float> %v252)
  %v272 = getelementptr i8, ptr %v253, i64 4
  %v273 = freeze ptr %v272
  %v275 = getelementptr i8, ptr %v256, i64 36
  %v276 = freeze ptr %v275
  %v277 = icmp ne ptr %v273, %v274
  br i1 %v277, label %f_i.loop247, label %f_i.done248
f_i.done248:
  store <9 x float> %v261, ptr %v8, align 4
  %v278 = getelementptr i8, ptr %v8, i64 36
  store <9 x float> %v266, ptr %v278, align 4
  %v279 = getelementptr i8, ptr %v8, i64 72
  store <9 x float> %v271, ptr %v279, align 4
  %v281 = add nsw i64 %v280, 1
  %v282 = freeze i64 %v281
  %v283 = icmp ne i64 %v282, %hi
  br i1 %v283, label %items.loop10, label %items.done11
items.done11:
  ret void
}
