define void @k_ce29bf473bba1ad8(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = getelementptr i8, ptr %scratch, i64 640
  %v13 = icmp slt i64 %lo, %hi
  br i1 %v13, label %loop11, label %done12
loop11:
  %v14 = phi i64 [ %lo, %entry ], [ %v15, %done623 ]
  %v16 = load <16 x float>, ptr %v6, align 4
  store <16 x float> %v16, ptr %v9, align 64
  %v17 = getelementptr i8, ptr %v9, i64 64
  store <16 x float> %v16, ptr %v17, align 64
  %v18 = getelementptr i8, ptr %v9, i64 128
  store <16 x float> %v16, ptr %v18, align 64
  %v19 = getelementptr i8, ptr %v9, i64 192
  store <16 x float> %v16, ptr %v19, align 64
  %v20 = getelementptr i8, ptr %v9, i64 256
  store <16 x float> %v16, ptr %v20, align 64
  %v21 = getelementptr i8, ptr %v9, i64 320
  store <16 x float> %v16, ptr %v21, align 64
  %v22 = getelementptr i8, ptr %v9, i64 384
  store <16 x float> %v16, ptr %v22, align 64
  %v23 = getelementptr i8, ptr %v9, i64 448
  store <16 x float> %v16, ptr %v23, align 64
  %v24 = getelementptr i8, ptr %v9, i64 512
  store <16 x float> %v16, ptr %v24, align 64
  %v25 = getelementptr i8, ptr %v9, i64 576
  store <16 x float> %v16, ptr %v25, align 64
  %v26 = load <16 x float>, ptr %v4, align 4
  %v27 = getelementptr i8, ptr %v4, i64 80
  %v28 = load <16 x float>, ptr %v27, align 4
  %v29 = getelementptr i8, ptr %v4, i64 160
  %v30 = load <16 x float>, ptr %v29, align 4
  %v31 = getelementptr i8, ptr %v4, i64 240
  %v32 = load <16 x float>, ptr %v31, align 4
  %v33 = getelementptr i8, ptr %v4, i64 320
  %v34 = load <16 x float>, ptr %v33, align 4
  %v35 = getelementptr i8, ptr %v4, i64 400
  %v36 = load <16 x float>, ptr %v35, align 4
  %v37 = getelementptr i8, ptr %v4, i64 480
  %v38 = load <16 x float>, ptr %v37, align 4
  %v39 = getelementptr i8, ptr %v4, i64 560
  %v40 = load <16 x float>, ptr %v39, align 4
  %v41 = getelementptr i8, ptr %v4, i64 640
  %v42 = load <16 x float>, ptr %v41, align 4
  %v43 = getelementptr i8, ptr %v4, i64 720
  %v44 = load <16 x float>, ptr %v43, align 4
  %v45 = getelementptr i8, ptr %v4, i64 800
  %v46 = load <16 x float>, ptr %v45, align 4
  %v47 = getelementptr i8, ptr %v4, i64 880
  %v48 = load <16 x float>, ptr %v47, align 4
  %v49 = getelementptr i8, ptr %v4, i64 960
  %v50 = load <16 x float>, ptr %v49, align 4
  %v51 = getelementptr i8, ptr %v4, i64 1040
  %v52 = load <16 x float>, ptr %v51, align 4
  %v53 = getelementptr i8, ptr %v4, i64 1120
  %v54 = load <16 x float>, ptr %v53, align 4
  %v55 = getelementptr i8, ptr %v4, i64 1200
  %v56 = load <16 x float>, ptr %v55, align 4
  %v57 = shufflevector <16 x float> %v26, <16 x float> %v28, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v58 = shufflevector <16 x float> %v26, <16 x float> %v28, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v59 = shufflevector <16 x float> %v30, <16 x float> %v32, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v60 = shufflevector <16 x float> %v30, <16 x float> %v32, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v61 = shufflevector <16 x float> %v34, <16 x float> %v36, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v62 = shufflevector <16 x float> %v34, <16 x float> %v36, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v63 = shufflevector <16 x float> %v38, <16 x float> %v40, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v64 = shufflevector <16 x float> %v38, <16 x float> %v40, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v65 = shufflevector <16 x float> %v42, <16 x float> %v44, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v66 = shufflevector <16 x float> %v42, <16 x float> %v44, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v67 = shufflevector <16 x float> %v46, <16 x float> %v48, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v68 = shufflevector <16 x float> %v46, <16 x float> %v48, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v69 = shufflevector <16 x float> %v50, <16 x float> %v52, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v70 = shufflevector <16 x float> %v50, <16 x float> %v52, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v71 = shufflevector <16 x float> %v54, <16 x float> %v56, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v72 = shufflevector <16 x float> %v54, <16 x float> %v56, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v73 = shufflevector <16 x float> %v57, <16 x float> %v59, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v74 = shufflevector <16 x float> %v57, <16 x float> %v59, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v75 = shufflevector <16 x float> %v58, <16 x float> %v60, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v76 = shufflevector <16 x float> %v58, <16 x float> %v60, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v77 = shufflevector <16 x float> %v61, <16 x float> %v63, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v78 = shufflevector <16 x float> %v61, <16 x float> %v63, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v79 = shufflevector <16 x float> %v62, <16 x float> %v64, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v80 = shufflevector <16 x float> %v62, <16 x float> %v64, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v81 = shufflevector <16 x float> %v65, <16 x float> %v67, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v82 = shufflevector <16 x float> %v65, <16 x float> %v67, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v83 = shufflevector <16 x float> %v66, <16 x float> %v68, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v84 = shufflevector <16 x float> %v66, <16 x float> %v68, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v85 = shufflevector <16 x float> %v69, <16 x float> %v71, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v86 = shufflevector <16 x float> %v69, <16 x float> %v71, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v87 = shufflevector <16 x float> %v70, <16 x float> %v72, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v88 = shufflevector <16 x float> %v70, <16 x float> %v72, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v89 = shufflevector <16 x float> %v73, <16 x float> %v77, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v90 = shufflevector <16 x float> %v73, <16 x float> %v77, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v91 = shufflevector <16 x float> %v75, <16 x float> %v79, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v92 = shufflevector <16 x float> %v75, <16 x float> %v79, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v93 = shufflevector <16 x float> %v74, <16 x float> %v78, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v94 = shufflevector <16 x float> %v74, <16 x float> %v78, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v95 = shufflevector <16 x float> %v76, <16 x float> %v80, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v96 = shufflevector <16 x float> %v76, <16 x float> %v80, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v97 = shufflevector <16 x float> %v81, <16 x float> %v85, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v98 = shufflevector <16 x float> %v81, <16 x float> %v85, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v99 = shufflevector <16 x float> %v83, <16 x float> %v87, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v100 = shufflevector <16 x float> %v83, <16 x float> %v87, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v101 = shufflevector <16 x float> %v82, <16 x float> %v86, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v102 = shufflevector <16 x float> %v82, <16 x float> %v86, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v103 = shufflevector <16 x float> %v84, <16 x float> %v88, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v104 = shufflevector <16 x float> %v84, <16 x float> %v88, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v105 = shufflevector <16 x float> %v89, <16 x float> %v97, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v106 = shufflevector <16 x float> %v89, <16 x float> %v97, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v107 = shufflevector <16 x float> %v91, <16 x float> %v99, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v108 = shufflevector <16 x float> %v91, <16 x float> %v99, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v109 = shufflevector <16 x float> %v93, <16 x float> %v101, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v110 = shufflevector <16 x float> %v93, <16 x float> %v101, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v111 = shufflevector <16 x float> %v95, <16 x float> %v103, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v112 = shufflevector <16 x float> %v95, <16 x float> %v103, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v113 = shufflevector <16 x float> %v90, <16 x float> %v98, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v114 = shufflevector <16 x float> %v90, <16 x float> %v98, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v115 = shufflevector <16 x float> %v92, <16 x float> %v100, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v116 = shufflevector <16 x float> %v92, <16 x float> %v100, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v117 = shufflevector <16 x float> %v94, <16 x float> %v102, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v118 = shufflevector <16 x float> %v94, <16 x float> %v102, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v119 = shufflevector <16 x float> %v96, <16 x float> %v104, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v120 = shufflevector <16 x float> %v96, <16 x float> %v104, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  store <16 x float> %v105, ptr %v10, align 64
  %v121 = getelementptr i8, ptr %v10, i64 64
  store <16 x float> %v107, ptr %v121, align 64
  %v122 = getelementptr i8, ptr %v10, i64 128
  store <16 x float> %v109, ptr %v122, align 64
  %v123 = getelementptr i8, ptr %v10, i64 192
  store <16 x float> %v111, ptr %v123, align 64
  %v124 = getelementptr i8, ptr %v10, i64 256
  store <16 x float> %v113, ptr %v124, align 64
  %v125 = getelementptr i8, ptr %v10, i64 320
  store <16 x float> %v115, ptr %v125, align 64
  %v126 = getelementptr i8, ptr %v10, i64 384
  store <16 x float> %v117, ptr %v126, align 64
  %v127 = getelementptr i8, ptr %v10, i64 448
  store <16 x float> %v119, ptr %v127, align 64
  %v128 = getelementptr i8, ptr %v10, i64 512
  store <16 x float> %v106, ptr %v128, align 64
  %v129 = getelementptr i8, ptr %v10, i64 576
  store <16 x float> %v108, ptr %v129, align 64
  %v130 = getelementptr i8, ptr %v10, i64 640
  store <16 x float> %v110, ptr %v130, align 64
  %v131 = getelementptr i8, ptr %v10, i64 704
  store <16 x float> %v112, ptr %v131, align 64
  %v132 = getelementptr i8, ptr %v10, i64 768
  store <16 x float> %v114, ptr %v132, align 64
  %v133 = getelementptr i8, ptr %v10, i64 832
  store <16 x float> %v116, ptr %v133, align 64
  %v134 = getelementptr i8, ptr %v10, i64 896
  store <16 x float> %v118, ptr %v134, align 64
  %v135 = getelementptr i8, ptr %v10, i64 960
  store <16 x float> %v120, ptr %v135, align 64
  %v136 = getelementptr i8, ptr %v4, i64 64
  %v137 = load <4 x float>, ptr %v136, align 4
  %v138 = getelementptr i8, ptr %v4, i64 144
  %v139 = load <4 x float>, ptr %v138, align 4
  %v140 = getelementptr i8, ptr %v4, i64 224
  %v141 = load <4 x float>, ptr %v140, align 4
  %v142 = getelementptr i8, ptr %v4, i64 304
  %v143 = load <4 x float>, ptr %v142, align 4
  %v144 = getelementptr i8, ptr %v4, i64 384
  %v145 = load <4 x float>, ptr %v144, align 4
  %v146 = getelementptr i8, ptr %v4, i64 464
  %v147 = load <4 x float>, ptr %v146, align 4
  %v148 = getelementptr i8, ptr %v4, i64 544
  %v149 = load <4 x float>, ptr %v148, align 4
  %v150 = getelementptr i8, ptr %v4, i64 624
  %v151 = load <4 x float>, ptr %v150, align 4
  %v152 = getelementptr i8, ptr %v4, i64 704
  %v153 = load <4 x float>, ptr %v152, align 4
  %v154 = getelementptr i8, ptr %v4, i64 784
  %v155 = load <4 x float>, ptr %v154, align 4
  %v156 = getelementptr i8, ptr %v4, i64 864
  %v157 = load <4 x float>, ptr %v156, align 4
  %v158 = getelementptr i8, ptr %v4, i64 944
  %v159 = load <4 x float>, ptr %v158, align 4
  %v160 = getelementptr i8, ptr %v4, i64 1024
  %v161 = load <4 x float>, ptr %v160, align 4
  %v162 = getelementptr i8, ptr %v4, i64 1104
  %v163 = load <4 x float>, ptr %v162, align 4
  %v164 = getelementptr i8, ptr %v4, i64 1184
  %v165 = load <4 x float>, ptr %v164, align 4
  %v166 = getelementptr i8, ptr %v4, i64 1264
  %v167 = load <4 x float>, ptr %v166, align 4
  %v168 = shufflevector <4 x float> %v137, <4 x float> %v137, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v169 = shufflevector <4 x float> %v139, <4 x float> %v139, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v170 = shufflevector <4 x float> %v141, <4 x float> %v141, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v171 = shufflevector <4 x float> %v143, <4 x float> %v143, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v172 = shufflevector <4 x float> %v145, <4 x float> %v145, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v173 = shufflevector <4 x float> %v147, <4 x float> %v147, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v174 = shufflevector <4 x float> %v149, <4 x float> %v149, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v175 = shufflevector <4 x float> %v151, <4 x float> %v151, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v176 = shufflevector <4 x float> %v153, <4 x float> %v153, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v177 = shufflevector <4 x float> %v155, <4 x float> %v155, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v178 = shufflevector <4 x float> %v157, <4 x float> %v157, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v179 = shufflevector <4 x float> %v159, <4 x float> %v159, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v180 = shufflevector <4 x float> %v161, <4 x float> %v161, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v181 = shufflevector <4 x float> %v163, <4 x float> %v163, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v182 = shufflevector <4 x float> %v165, <4 x float> %v165, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v183 = shufflevector <4 x float> %v167, <4 x float> %v167, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v184 = shufflevector <16 x float> %v168, <16 x float> %v169, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v185 = shufflevector <16 x float> %v168, <16 x float> %v169, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v186 = shufflevector <16 x float> %v170, <16 x float> %v171, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v187 = shufflevector <16 x float> %v170, <16 x float> %v171, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v188 = shufflevector <16 x float> %v172, <16 x float> %v173, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v189 = shufflevector <16 x float> %v172, <16 x float> %v173, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v190 = shufflevector <16 x float> %v174, <16 x float> %v175, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v191 = shufflevector <16 x float> %v174, <16 x float> %v175, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v192 = shufflevector <16 x float> %v176, <16 x float> %v177, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v193 = shufflevector <16 x float> %v176, <16 x float> %v177, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v194 = shufflevector <16 x float> %v178, <16 x float> %v179, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v195 = shufflevector <16 x float> %v178, <16 x float> %v179, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v196 = shufflevector <16 x float> %v180, <16 x float> %v181, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v197 = shufflevector <16 x float> %v180, <16 x float> %v181, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v198 = shufflevector <16 x float> %v182, <16 x float> %v183, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v199 = shufflevector <16 x float> %v182, <16 x float> %v183, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v200 = shufflevector <16 x float> %v184, <16 x float> %v186, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v201 = shufflevector <16 x float> %v184, <16 x float> %v186, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v202 = shufflevector <16 x float> %v185, <16 x float> %v187, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v203 = shufflevector <16 x float> %v185, <16 x float> %v187, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v204 = shufflevector <16 x float> %v188, <16 x float> %v190, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v205 = shufflevector <16 x float> %v188, <16 x float> %v190, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v206 = shufflevector <16 x float> %v189, <16 x float> %v191, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v207 = shufflevector <16 x float> %v189, <16 x float> %v191, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v208 = shufflevector <16 x float> %v192, <16 x float> %v194, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v209 = shufflevector <16 x float> %v192, <16 x float> %v194, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v210 = shufflevector <16 x float> %v193, <16 x float> %v195, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v211 = shufflevector <16 x float> %v193, <16 x float> %v195, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v212 = shufflevector <16 x float> %v196, <16 x float> %v198, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v213 = shufflevector <16 x float> %v196, <16 x float> %v198, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v214 = shufflevector <16 x float> %v197, <16 x float> %v199, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v215 = shufflevector <16 x float> %v197, <16 x float> %v199, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v216 = shufflevector <16 x float> %v200, <16 x float> %v204, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v217 = shufflevector <16 x float> %v200, <16 x float> %v204, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v218 = shufflevector <16 x float> %v202, <16 x float> %v206, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v219 = shufflevector <16 x float> %v202, <16 x float> %v206, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v220 = shufflevector <16 x float> %v201, <16 x float> %v205, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v221 = shufflevector <16 x float> %v201, <16 x float> %v205, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v222 = shufflevector <16 x float> %v203, <16 x float> %v207, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v223 = shufflevector <16 x float> %v203, <16 x float> %v207, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v224 = shufflevector <16 x float> %v208, <16 x float> %v212, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v225 = shufflevector <16 x float> %v208, <16 x float> %v212, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v226 = shufflevector <16 x float> %v210, <16 x float> %v214, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v227 = shufflevector <16 x float> %v210, <16 x float> %v214, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v228 = shufflevector <16 x float> %v209, <16 x float> %v213, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v229 = shufflevector <16 x float> %v209, <16 x float> %v213, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v230 = shufflevector <16 x float> %v211, <16 x float> %v215, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v231 = shufflevector <16 x float> %v211, <16 x float> %v215, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v232 = shufflevector <16 x float> %v216, <16 x float> %v224, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v233 = shufflevector <16 x float> %v216, <16 x float> %v224, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v234 = shufflevector <16 x float> %v218, <16 x float> %v226, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v235 = shufflevector <16 x float> %v218, <16 x float> %v226, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v236 = shufflevector <16 x float> %v220, <16 x float> %v228, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v237 = shufflevector <16 x float> %v220, <16 x float> %v228, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v238 = shufflevector <16 x float> %v222, <16 x float> %v230, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v239 = shufflevector <16 x float> %v222, <16 x float> %v230, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v240 = shufflevector <16 x float> %v217, <16 x float> %v225, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v241 = shufflevector <16 x float> %v217, <16 x float> %v225, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v242 = shufflevector <16 x float> %v219, <16 x float> %v227, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v243 = shufflevector <16 x float> %v219, <16 x float> %v227, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v244 = shufflevector <16 x float> %v221, <16 x float> %v229, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v245 = shufflevector <16 x float> %v221, <16 x float> %v229, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v246 = shufflevector <16 x float> %v223, <16 x float> %v231, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v247 = shufflevector <16 x float> %v223, <16 x float> %v231, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v248 = getelementptr i8, ptr %v10, i64 1024
  store <16 x float> %v232, ptr %v248, align 64
  %v249 = getelementptr i8, ptr %v10, i64 1088
  store <16 x float> %v234, ptr %v249, align 64
  %v250 = getelementptr i8, ptr %v10, i64 1152
  store <16 x float> %v236, ptr %v250, align 64
  %v251 = getelementptr i8, ptr %v10, i64 1216
  store <16 x float> %v238, ptr %v251, align 64
  %v252 = load <16 x float>, ptr %v9, align 64
  %v253 = load <16 x float>, ptr %v17, align 64
  %v254 = load <16 x float>, ptr %v18, align 64
  %v255 = load <16 x float>, ptr %v19, align 64
  %v256 = load <16 x float>, ptr %v20, align 64
  %v257 = load <16 x float>, ptr %v21, align 64
  %v258 = load <16 x float>, ptr %v22, align 64
  %v259 = load <16 x float>, ptr %v23, align 64
  %v260 = load <16 x float>, ptr %v24, align 64
  %v261 = load <16 x float>, ptr %v25, align 64
  br label %loop262
loop262:
  %v264 = phi i64 [ 0, %loop11 ], [ %v265, %loop262 ]
  %v266 = phi <16 x float> [ %v252, %loop11 ], [ %v284, %loop262 ]
  %v267 = phi <16 x float> [ %v253, %loop11 ], [ %v289, %loop262 ]
  %v268 = phi <16 x float> [ %v254, %loop11 ], [ %v294, %loop262 ]
  %v269 = phi <16 x float> [ %v255, %loop11 ], [ %v299, %loop262 ]
  %v270 = phi <16 x float> [ %v256, %loop11 ], [ %v304, %loop262 ]
  %v271 = phi <16 x float> [ %v257, %loop11 ], [ %v309, %loop262 ]
  %v272 = phi <16 x float> [ %v258, %loop11 ], [ %v314, %loop262 ]
  %v273 = phi <16 x float> [ %v259, %loop11 ], [ %v319, %loop262 ]
  %v274 = phi <16 x float> [ %v260, %loop11 ], [ %v324, %loop262 ]
  %v275 = phi <16 x float> [ %v261, %loop11 ], [ %v329, %loop262 ]
  %v276 = mul nsw i64 %v264, 4
  %v277 = getelementptr i8, ptr %v2, i64 %v276
  %v279 = mul nsw i64 %v264, 64
  %v280 = getelementptr i8, ptr %v10, i64 %v279
  %v278 = load float, ptr %v277, align 4
  %v281 = load <16 x float>, ptr %v280, align 64
  %v282 = insertelement <16 x float> poison, float %v278, i64 0
  %v283 = shufflevector <16 x float> %v282, <16 x float> poison, <16 x i32> zeroinitializer
  %v284 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v283, <16 x float> %v281, <16 x float> %v266)
  %v285 = getelementptr i8, ptr %v277, i64 80
  %v286 = load float, ptr %v285, align 4
  %v287 = insertelement <16 x float> poison, float %v286, i64 0
  %v288 = shufflevector <16 x float> %v287, <16 x float> poison, <16 x i32> zeroinitializer
  %v289 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v288, <16 x float> %v281, <16 x float> %v267)
  %v290 = getelementptr i8, ptr %v277, i64 160
  %v291 = load float, ptr %v290, align 4
  %v292 = insertelement <16 x float> poison, float %v291, i64 0
  %v293 = shufflevector <16 x float> %v292, <16 x float> poison, <16 x i32> zeroinitializer
  %v294 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v293, <16 x float> %v281, <16 x float> %v268)
  %v295 = getelementptr i8, ptr %v277, i64 240
  %v296 = load float, ptr %v295, align 4
  %v297 = insertelement <16 x float> poison, float %v296, i64 0
  %v298 = shufflevector <16 x float> %v297, <16 x float> poison, <16 x i32> zeroinitializer
  %v299 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v298, <16 x float> %v281, <16 x float> %v269)
  %v300 = getelementptr i8, ptr %v277, i64 320
  %v301 = load float, ptr %v300, align 4
  %v302 = insertelement <16 x float> poison, float %v301, i64 0
  %v303 = shufflevector <16 x float> %v302, <16 x float> poison, <16 x i32> zeroinitializer
  %v304 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v303, <16 x float> %v281, <16 x float> %v270)
  %v305 = getelementptr i8, ptr %v277, i64 400
  %v306 = load float, ptr %v305, align 4
  %v307 = insertelement <16 x float> poison, float %v306, i64 0
  %v308 = shufflevector <16 x float> %v307, <16 x float> poison, <16 x i32> zeroinitializer
  %v309 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v308, <16 x float> %v281, <16 x float> %v271)
  %v310 = getelementptr i8, ptr %v277, i64 480
  %v311 = load float, ptr %v310, align 4
  %v312 = insertelement <16 x float> poison, float %v311, i64 0
  %v313 = shufflevector <16 x float> %v312, <16 x float> poison, <16 x i32> zeroinitializer
  %v314 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v313, <16 x float> %v281, <16 x float> %v272)
  %v315 = getelementptr i8, ptr %v277, i64 560
  %v316 = load float, ptr %v315, align 4
  %v317 = insertelement <16 x float> poison, float %v316, i64 0
  %v318 = shufflevector <16 x float> %v317, <16 x float> poison, <16 x i32> zeroinitializer
  %v319 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v318, <16 x float> %v281, <16 x float> %v273)
  %v320 = getelementptr i8, ptr %v277, i64 640
  %v321 = load float, ptr %v320, align 4
  %v322 = insertelement <16 x float> poison, float %v321, i64 0
  %v323 = shufflevector <16 x float> %v322, <16 x float> poison, <16 x i32> zeroinitializer
  %v324 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v323, <16 x float> %v281, <16 x float> %v274)
  %v325 = getelementptr i8, ptr %v277, i64 720
  %v326 = load float, ptr %v325, align 4
  %v327 = insertelement <16 x float> poison, float %v326, i64 0
  %v328 = shufflevector <16 x float> %v327, <16 x float> poison, <16 x i32> zeroinitializer
  %v329 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v328, <16 x float> %v281, <16 x float> %v275)
  %v265 = add nuw nsw i64 %v264, 1
  %v330 = icmp ne i64 %v265, 16
  br i1 %v330, label %loop262, label %done263
done263:
  br label %loop331
loop331:
  %v333 = phi i64 [ 0, %done263 ], [ %v334, %loop331 ]
  %v335 = phi <16 x float> [ %v284, %done263 ], [ %v355, %loop331 ]
  %v336 = phi <16 x float> [ %v289, %done263 ], [ %v360, %loop331 ]
  %v337 = phi <16 x float> [ %v294, %done263 ], [ %v365, %loop331 ]
  %v338 = phi <16 x float> [ %v299, %done263 ], [ %v370, %loop331 ]
  %v339 = phi <16 x float> [ %v304, %done263 ], [ %v375, %loop331 ]
  %v340 = phi <16 x float> [ %v309, %done263 ], [ %v380, %loop331 ]
  %v341 = phi <16 x float> [ %v314, %done263 ], [ %v385, %loop331 ]
  %v342 = phi <16 x float> [ %v319, %done263 ], [ %v390, %loop331 ]
  %v343 = phi <16 x float> [ %v324, %done263 ], [ %v395, %loop331 ]
  %v344 = phi <16 x float> [ %v329, %done263 ], [ %v400, %loop331 ]
  %v345 = mul nsw i64 %v333, 4
  %v346 = getelementptr i8, ptr %v2, i64 %v345
  %v349 = mul nsw i64 %v333, 64
  %v350 = getelementptr i8, ptr %v10, i64 %v349
  %v347 = getelementptr i8, ptr %v346, i64 64
  %v348 = load float, ptr %v347, align 4
  %v351 = getelementptr i8, ptr %v350, i64 1024
  %v352 = load <16 x float>, ptr %v351, align 64
  %v353 = insertelement <16 x float> poison, float %v348, i64 0
  %v354 = shufflevector <16 x float> %v353, <16 x float> poison, <16 x i32> zeroinitializer
  %v355 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v354, <16 x float> %v352, <16 x float> %v335)
  %v356 = getelementptr i8, ptr %v346, i64 144
  %v357 = load float, ptr %v356, align 4
  %v358 = insertelement <16 x float> poison, float %v357, i64 0
  %v359 = shufflevector <16 x float> %v358, <16 x float> poison, <16 x i32> zeroinitializer
  %v360 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v359, <16 x float> %v352, <16 x float> %v336)
  %v361 = getelementptr i8, ptr %v346, i64 224
  %v362 = load float, ptr %v361, align 4
  %v363 = insertelement <16 x float> poison, float %v362, i64 0
  %v364 = shufflevector <16 x float> %v363, <16 x float> poison, <16 x i32> zeroinitializer
  %v365 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v364, <16 x float> %v352, <16 x float> %v337)
  %v366 = getelementptr i8, ptr %v346, i64 304
  %v367 = load float, ptr %v366, align 4
  %v368 = insertelement <16 x float> poison, float %v367, i64 0
  %v369 = shufflevector <16 x float> %v368, <16 x float> poison, <16 x i32> zeroinitializer
  %v370 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v369, <16 x float> %v352, <16 x float> %v338)
  %v371 = getelementptr i8, ptr %v346, i64 384
  %v372 = load float, ptr %v371, align 4
  %v373 = insertelement <16 x float> poison, float %v372, i64 0
  %v374 = shufflevector <16 x float> %v373, <16 x float> poison, <16 x i32> zeroinitializer
  %v375 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v374, <16 x float> %v352, <16 x float> %v339)
  %v376 = getelementptr i8, ptr %v346, i64 464
  %v377 = load float, ptr %v376, align 4
  %v378 = insertelement <16 x float> poison, float %v377, i64 0
  %v379 = shufflevector <16 x float> %v378, <16 x float> poison, <16 x i32> zeroinitializer
  %v380 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v379, <16 x float> %v352, <16 x float> %v340)
  %v381 = getelementptr i8, ptr %v346, i64 544
  %v382 = load float, ptr %v381, align 4
  %v383 = insertelement <16 x float> poison, float %v382, i64 0
  %v384 = shufflevector <16 x float> %v383, <16 x float> poison, <16 x i32> zeroinitializer
  %v385 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v384, <16 x float> %v352, <16 x float> %v341)
  %v386 = getelementptr i8, ptr %v346, i64 624
  %v387 = load float, ptr %v386, align 4
  %v388 = insertelement <16 x float> poison, float %v387, i64 0
  %v389 = shufflevector <16 x float> %v388, <16 x float> poison, <16 x i32> zeroinitializer
  %v390 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v389, <16 x float> %v352, <16 x float> %v342)
  %v391 = getelementptr i8, ptr %v346, i64 704
  %v392 = load float, ptr %v391, align 4
  %v393 = insertelement <16 x float> poison, float %v392, i64 0
  %v394 = shufflevector <16 x float> %v393, <16 x float> poison, <16 x i32> zeroinitializer
  %v395 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v394, <16 x float> %v352, <16 x float> %v343)
  %v396 = getelementptr i8, ptr %v346, i64 784
  %v397 = load float, ptr %v396, align 4
  %v398 = insertelement <16 x float> poison, float %v397, i64 0
  %v399 = shufflevector <16 x float> %v398, <16 x float> poison, <16 x i32> zeroinitializer
  %v400 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v399, <16 x float> %v352, <16 x float> %v344)
  %v334 = add nuw nsw i64 %v333, 1
  %v401 = icmp ne i64 %v334, 4
  br i1 %v401, label %loop331, label %done332
done332:
  store <16 x float> %v355, ptr %v9, align 64
  store <16 x float> %v360, ptr %v17, align 64
  store <16 x float> %v365, ptr %v18, align 64
  store <16 x float> %v370, ptr %v19, align 64
  store <16 x float> %v375, ptr %v20, align 64
  store <16 x float> %v380, ptr %v21, align 64
  store <16 x float> %v385, ptr %v22, align 64
  store <16 x float> %v390, ptr %v23, align 64
  store <16 x float> %v395, ptr %v24, align 64
  store <16 x float> %v400, ptr %v25, align 64
  %v402 = load <16 x float>, ptr %v9, align 64
  store <16 x float> %v402, ptr %v8, align 4
  %v403 = load <16 x float>, ptr %v17, align 64
  %v404 = getelementptr i8, ptr %v8, i64 96
  store <16 x float> %v403, ptr %v404, align 4
  %v405 = load <16 x float>, ptr %v18, align 64
  %v406 = getelementptr i8, ptr %v8, i64 192
  store <16 x float> %v405, ptr %v406, align 4
  %v407 = load <16 x float>, ptr %v19, align 64
  %v408 = getelementptr i8, ptr %v8, i64 288
  store <16 x float> %v407, ptr %v408, align 4
  %v409 = load <16 x float>, ptr %v20, align 64
  %v410 = getelementptr i8, ptr %v8, i64 384
  store <16 x float> %v409, ptr %v410, align 4
  %v411 = load <16 x float>, ptr %v21, align 64
  %v412 = getelementptr i8, ptr %v8, i64 480
  store <16 x float> %v411, ptr %v412, align 4
  %v413 = load <16 x float>, ptr %v22, align 64
  %v414 = getelementptr i8, ptr %v8, i64 576
  store <16 x float> %v413, ptr %v414, align 4
  %v415 = load <16 x float>, ptr %v23, align 64
  %v416 = getelementptr i8, ptr %v8, i64 672
  store <16 x float> %v415, ptr %v416, align 4
  %v417 = load <16 x float>, ptr %v24, align 64
  %v418 = getelementptr i8, ptr %v8, i64 768
  store <16 x float> %v417, ptr %v418, align 4
  %v419 = load <16 x float>, ptr %v25, align 64
  %v420 = getelementptr i8, ptr %v8, i64 864
  store <16 x float> %v419, ptr %v420, align 4
  %v421 = getelementptr i8, ptr %v6, i64 64
  %v422 = load <8 x float>, ptr %v421, align 4
  store <8 x float> %v422, ptr %v9, align 32
  store <8 x float> %v422, ptr %v17, align 32
  store <8 x float> %v422, ptr %v18, align 32
  store <8 x float> %v422, ptr %v19, align 32
  store <8 x float> %v422, ptr %v20, align 32
  store <8 x float> %v422, ptr %v21, align 32
  store <8 x float> %v422, ptr %v22, align 32
  store <8 x float> %v422, ptr %v23, align 32
  store <8 x float> %v422, ptr %v24, align 32
  store <8 x float> %v422, ptr %v25, align 32
  %v423 = getelementptr i8, ptr %v4, i64 1280
  %v424 = load <16 x float>, ptr %v423, align 4
  %v425 = getelementptr i8, ptr %v4, i64 1360
  %v426 = load <16 x float>, ptr %v425, align 4
  %v427 = getelementptr i8, ptr %v4, i64 1440
  %v428 = load <16 x float>, ptr %v427, align 4
  %v429 = getelementptr i8, ptr %v4, i64 1520
  %v430 = load <16 x float>, ptr %v429, align 4
  %v431 = getelementptr i8, ptr %v4, i64 1600
  %v432 = load <16 x float>, ptr %v431, align 4
  %v433 = getelementptr i8, ptr %v4, i64 1680
  %v434 = load <16 x float>, ptr %v433, align 4
  %v435 = getelementptr i8, ptr %v4, i64 1760
  %v436 = load <16 x float>, ptr %v435, align 4
  %v437 = getelementptr i8, ptr %v4, i64 1840
  %v438 = load <16 x float>, ptr %v437, align 4
  %v439 = shufflevector <16 x float> %v424, <16 x float> %v426, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v440 = shufflevector <16 x float> %v424, <16 x float> %v426, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v441 = shufflevector <16 x float> %v428, <16 x float> %v430, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v442 = shufflevector <16 x float> %v428, <16 x float> %v430, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v443 = shufflevector <16 x float> %v432, <16 x float> %v434, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v444 = shufflevector <16 x float> %v432, <16 x float> %v434, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v445 = shufflevector <16 x float> %v436, <16 x float> %v438, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v446 = shufflevector <16 x float> %v436, <16 x float> %v438, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v447 = shufflevector <16 x float> %v439, <16 x float> %v441, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v448 = shufflevector <16 x float> %v439, <16 x float> %v441, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v449 = shufflevector <16 x float> %v440, <16 x float> %v442, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v450 = shufflevector <16 x float> %v440, <16 x float> %v442, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v451 = shufflevector <16 x float> %v443, <16 x float> %v445, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v452 = shufflevector <16 x float> %v443, <16 x float> %v445, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v453 = shufflevector <16 x float> %v444, <16 x float> %v446, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v454 = shufflevector <16 x float> %v444, <16 x float> %v446, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v455 = shufflevector <16 x float> %v447, <16 x float> %v451, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v456 = shufflevector <16 x float> %v447, <16 x float> %v451, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v457 = shufflevector <16 x float> %v449, <16 x float> %v453, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v458 = shufflevector <16 x float> %v449, <16 x float> %v453, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v459 = shufflevector <16 x float> %v448, <16 x float> %v452, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v460 = shufflevector <16 x float> %v448, <16 x float> %v452, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v461 = shufflevector <16 x float> %v450, <16 x float> %v454, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v462 = shufflevector <16 x float> %v450, <16 x float> %v454, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v463 = shufflevector <16 x float> %v455, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v464 = shufflevector <16 x float> %v455, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v465 = shufflevector <16 x float> %v457, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v466 = shufflevector <16 x float> %v457, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v467 = shufflevector <16 x float> %v459, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v468 = shufflevector <16 x float> %v459, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v469 = shufflevector <16 x float> %v461, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v470 = shufflevector <16 x float> %v461, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v471 = shufflevector <16 x float> %v456, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v472 = shufflevector <16 x float> %v456, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v473 = shufflevector <16 x float> %v458, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v474 = shufflevector <16 x float> %v458, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v475 = shufflevector <16 x float> %v460, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v476 = shufflevector <16 x float> %v460, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v477 = shufflevector <16 x float> %v462, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v478 = shufflevector <16 x float> %v462, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v479 = shufflevector <16 x float> %v463, <16 x float> %v463, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v480 = shufflevector <16 x float> %v465, <16 x float> %v465, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v481 = shufflevector <16 x float> %v467, <16 x float> %v467, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v482 = shufflevector <16 x float> %v469, <16 x float> %v469, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v483 = shufflevector <16 x float> %v471, <16 x float> %v471, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v484 = shufflevector <16 x float> %v473, <16 x float> %v473, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v485 = shufflevector <16 x float> %v475, <16 x float> %v475, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v486 = shufflevector <16 x float> %v477, <16 x float> %v477, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v487 = shufflevector <16 x float> %v464, <16 x float> %v464, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v488 = shufflevector <16 x float> %v466, <16 x float> %v466, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v489 = shufflevector <16 x float> %v468, <16 x float> %v468, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v490 = shufflevector <16 x float> %v470, <16 x float> %v470, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v491 = shufflevector <16 x float> %v472, <16 x float> %v472, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v492 = shufflevector <16 x float> %v474, <16 x float> %v474, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v493 = shufflevector <16 x float> %v476, <16 x float> %v476, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v494 = shufflevector <16 x float> %v478, <16 x float> %v478, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v479, ptr %v10, align 32
  store <8 x float> %v480, ptr %v121, align 32
  store <8 x float> %v481, ptr %v122, align 32
  store <8 x float> %v482, ptr %v123, align 32
  store <8 x float> %v483, ptr %v124, align 32
  store <8 x float> %v484, ptr %v125, align 32
  store <8 x float> %v485, ptr %v126, align 32
  store <8 x float> %v486, ptr %v127, align 32
  store <8 x float> %v487, ptr %v128, align 32
  store <8 x float> %v488, ptr %v129, align 32
  store <8 x float> %v489, ptr %v130, align 32
  store <8 x float> %v490, ptr %v131, align 32
  store <8 x float> %v491, ptr %v132, align 32
  store <8 x float> %v492, ptr %v133, align 32
  store <8 x float> %v493, ptr %v134, align 32
  store <8 x float> %v494, ptr %v135, align 32
  %v495 = getelementptr i8, ptr %v4, i64 1344
  %v496 = load <4 x float>, ptr %v495, align 4
  %v497 = getelementptr i8, ptr %v4, i64 1424
  %v498 = load <4 x float>, ptr %v497, align 4
  %v499 = getelementptr i8, ptr %v4, i64 1504
  %v500 = load <4 x float>, ptr %v499, align 4
  %v501 = getelementptr i8, ptr %v4, i64 1584
  %v502 = load <4 x float>, ptr %v501, align 4
  %v503 = getelementptr i8, ptr %v4, i64 1664
  %v504 = load <4 x float>, ptr %v503, align 4
  %v505 = getelementptr i8, ptr %v4, i64 1744
  %v506 = load <4 x float>, ptr %v505, align 4
  %v507 = getelementptr i8, ptr %v4, i64 1824
  %v508 = load <4 x float>, ptr %v507, align 4
  %v509 = getelementptr i8, ptr %v4, i64 1904
  %v510 = load <4 x float>, ptr %v509, align 4
  %v511 = shufflevector <4 x float> %v496, <4 x float> %v496, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v512 = shufflevector <4 x float> %v498, <4 x float> %v498, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v513 = shufflevector <4 x float> %v500, <4 x float> %v500, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v514 = shufflevector <4 x float> %v502, <4 x float> %v502, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v515 = shufflevector <4 x float> %v504, <4 x float> %v504, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v516 = shufflevector <4 x float> %v506, <4 x float> %v506, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v517 = shufflevector <4 x float> %v508, <4 x float> %v508, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v518 = shufflevector <4 x float> %v510, <4 x float> %v510, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v519 = shufflevector <8 x float> %v511, <8 x float> %v512, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v520 = shufflevector <8 x float> %v511, <8 x float> %v512, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v521 = shufflevector <8 x float> %v513, <8 x float> %v514, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v522 = shufflevector <8 x float> %v513, <8 x float> %v514, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v523 = shufflevector <8 x float> %v515, <8 x float> %v516, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v524 = shufflevector <8 x float> %v515, <8 x float> %v516, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v525 = shufflevector <8 x float> %v517, <8 x float> %v518, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v526 = shufflevector <8 x float> %v517, <8 x float> %v518, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v527 = shufflevector <8 x float> %v519, <8 x float> %v521, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v528 = shufflevector <8 x float> %v519, <8 x float> %v521, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v529 = shufflevector <8 x float> %v520, <8 x float> %v522, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v530 = shufflevector <8 x float> %v520, <8 x float> %v522, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v531 = shufflevector <8 x float> %v523, <8 x float> %v525, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v532 = shufflevector <8 x float> %v523, <8 x float> %v525, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v533 = shufflevector <8 x float> %v524, <8 x float> %v526, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v534 = shufflevector <8 x float> %v524, <8 x float> %v526, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v535 = shufflevector <8 x float> %v527, <8 x float> %v531, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v536 = shufflevector <8 x float> %v527, <8 x float> %v531, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v537 = shufflevector <8 x float> %v529, <8 x float> %v533, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v538 = shufflevector <8 x float> %v529, <8 x float> %v533, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v539 = shufflevector <8 x float> %v528, <8 x float> %v532, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v540 = shufflevector <8 x float> %v528, <8 x float> %v532, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v541 = shufflevector <8 x float> %v530, <8 x float> %v534, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v542 = shufflevector <8 x float> %v530, <8 x float> %v534, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v535, ptr %v248, align 32
  store <8 x float> %v537, ptr %v249, align 32
  store <8 x float> %v539, ptr %v250, align 32
  store <8 x float> %v541, ptr %v251, align 32
  %v543 = load <8 x float>, ptr %v9, align 32
  %v544 = load <8 x float>, ptr %v17, align 32
  %v545 = load <8 x float>, ptr %v18, align 32
  %v546 = load <8 x float>, ptr %v19, align 32
  %v547 = load <8 x float>, ptr %v20, align 32
  %v548 = load <8 x float>, ptr %v21, align 32
  %v549 = load <8 x float>, ptr %v22, align 32
  %v550 = load <8 x float>, ptr %v23, align 32
  %v551 = load <8 x float>, ptr %v24, align 32
  %v552 = load <8 x float>, ptr %v25, align 32
  br label %loop553
loop553:
  %v555 = phi i64 [ 0, %done332 ], [ %v556, %loop553 ]
  %v557 = phi <8 x float> [ %v543, %done332 ], [ %v575, %loop553 ]
  %v558 = phi <8 x float> [ %v544, %done332 ], [ %v580, %loop553 ]
  %v559 = phi <8 x float> [ %v545, %done332 ], [ %v585, %loop553 ]
  %v560 = phi <8 x float> [ %v546, %done332 ], [ %v590, %loop553 ]
  %v561 = phi <8 x float> [ %v547, %done332 ], [ %v595, %loop553 ]
  %v562 = phi <8 x float> [ %v548, %done332 ], [ %v600, %loop553 ]
  %v563 = phi <8 x float> [ %v549, %done332 ], [ %v605, %loop553 ]
  %v564 = phi <8 x float> [ %v550, %done332 ], [ %v610, %loop553 ]
  %v565 = phi <8 x float> [ %v551, %done332 ], [ %v615, %loop553 ]
  %v566 = phi <8 x float> [ %v552, %done332 ], [ %v620, %loop553 ]
  %v567 = mul nsw i64 %v555, 4
  %v568 = getelementptr i8, ptr %v2, i64 %v567
  %v570 = mul nsw i64 %v555, 64
  %v571 = getelementptr i8, ptr %v10, i64 %v570
  %v569 = load float, ptr %v568, align 4
  %v572 = load <8 x float>, ptr %v571, align 32
  %v573 = insertelement <8 x float> poison, float %v569, i64 0
  %v574 = shufflevector <8 x float> %v573, <8 x float> poison, <8 x i32> zeroinitializer
  %v575 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v574, <8 x float> %v572, <8 x float> %v557)
  %v576 = getelementptr i8, ptr %v568, i64 80
  %v577 = load float, ptr %v576, align 4
  %v578 = insertelement <8 x float> poison, float %v577, i64 0
  %v579 = shufflevector <8 x float> %v578, <8 x float> poison, <8 x i32> zeroinitializer
  %v580 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v579, <8 x float> %v572, <8 x float> %v558)
  %v581 = getelementptr i8, ptr %v568, i64 160
  %v582 = load float, ptr %v581, align 4
  %v583 = insertelement <8 x float> poison, float %v582, i64 0
  %v584 = shufflevector <8 x float> %v583, <8 x float> poison, <8 x i32> zeroinitializer
  %v585 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v584, <8 x float> %v572, <8 x float> %v559)
  %v586 = getelementptr i8, ptr %v568, i64 240
  %v587 = load float, ptr %v586, align 4
  %v588 = insertelement <8 x float> poison, float %v587, i64 0
  %v589 = shufflevector <8 x float> %v588, <8 x float> poison, <8 x i32> zeroinitializer
  %v590 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v589, <8 x float> %v572, <8 x float> %v560)
  %v591 = getelementptr i8, ptr %v568, i64 320
  %v592 = load float, ptr %v591, align 4
  %v593 = insertelement <8 x float> poison, float %v592, i64 0
  %v594 = shufflevector <8 x float> %v593, <8 x float> poison, <8 x i32> zeroinitializer
  %v595 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v594, <8 x float> %v572, <8 x float> %v561)
  %v596 = getelementptr i8, ptr %v568, i64 400
  %v597 = load float, ptr %v596, align 4
  %v598 = insertelement <8 x float> poison, float %v597, i64 0
  %v599 = shufflevector <8 x float> %v598, <8 x float> poison, <8 x i32> zeroinitializer
  %v600 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v599, <8 x float> %v572, <8 x float> %v562)
  %v601 = getelementptr i8, ptr %v568, i64 480
  %v602 = load float, ptr %v601, align 4
  %v603 = insertelement <8 x float> poison, float %v602, i64 0
  %v604 = shufflevector <8 x float> %v603, <8 x float> poison, <8 x i32> zeroinitializer
  %v605 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v604, <8 x float> %v572, <8 x float> %v563)
  %v606 = getelementptr i8, ptr %v568, i64 560
  %v607 = load float, ptr %v606, align 4
  %v608 = insertelement <8 x float> poison, float %v607, i64 0
  %v609 = shufflevector <8 x float> %v608, <8 x float> poison, <8 x i32> zeroinitializer
  %v610 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v609, <8 x float> %v572, <8 x float> %v564)
  %v611 = getelementptr i8, ptr %v568, i64 640
  %v612 = load float, ptr %v611, align 4
  %v613 = insertelement <8 x float> poison, float %v612, i64 0
  %v614 = shufflevector <8 x float> %v613, <8 x float> poison, <8 x i32> zeroinitializer
  %v615 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v614, <8 x float> %v572, <8 x float> %v565)
  %v616 = getelementptr i8, ptr %v568, i64 720
  %v617 = load float, ptr %v616, align 4
  %v618 = insertelement <8 x float> poison, float %v617, i64 0
  %v619 = shufflevector <8 x float> %v618, <8 x float> poison, <8 x i32> zeroinitializer
  %v620 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v619, <8 x float> %v572, <8 x float> %v566)
  %v556 = add nuw nsw i64 %v555, 1
  %v621 = icmp ne i64 %v556, 16
  br i1 %v621, label %loop553, label %done554
done554:
  br label %loop622
loop622:
  %v624 = phi i64 [ 0, %done554 ], [ %v625, %loop622 ]
  %v626 = phi <8 x float> [ %v575, %done554 ], [ %v646, %loop622 ]
  %v627 = phi <8 x float> [ %v580, %done554 ], [ %v651, %loop622 ]
  %v628 = phi <8 x float> [ %v585, %done554 ], [ %v656, %loop622 ]
  %v629 = phi <8 x float> [ %v590, %done554 ], [ %v661, %loop622 ]
  %v630 = phi <8 x float> [ %v595, %done554 ], [ %v666, %loop622 ]
  %v631 = phi <8 x float> [ %v600, %done554 ], [ %v671, %loop622 ]
  %v632 = phi <8 x float> [ %v605, %done554 ], [ %v676, %loop622 ]
  %v633 = phi <8 x float> [ %v610, %done554 ], [ %v681, %loop622 ]
  %v634 = phi <8 x float> [ %v615, %done554 ], [ %v686, %loop622 ]
  %v635 = phi <8 x float> [ %v620, %done554 ], [ %v691, %loop622 ]
  %v636 = mul nsw i64 %v624, 4
  %v637 = getelementptr i8, ptr %v2, i64 %v636
  %v640 = mul nsw i64 %v624, 64
  %v641 = getelementptr i8, ptr %v10, i64 %v640
  %v638 = getelementptr i8, ptr %v637, i64 64
  %v639 = load float, ptr %v638, align 4
  %v642 = getelementptr i8, ptr %v641, i64 1024
  %v643 = load <8 x float>, ptr %v642, align 32
  %v644 = insertelement <8 x float> poison, float %v639, i64 0
  %v645 = shufflevector <8 x float> %v644, <8 x float> poison, <8 x i32> zeroinitializer
  %v646 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v645, <8 x float> %v643, <8 x float> %v626)
  %v647 = getelementptr i8, ptr %v637, i64 144
  %v648 = load float, ptr %v647, align 4
  %v649 = insertelement <8 x float> poison, float %v648, i64 0
  %v650 = shufflevector <8 x float> %v649, <8 x float> poison, <8 x i32> zeroinitializer
  %v651 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v650, <8 x float> %v643, <8 x float> %v627)
  %v652 = getelementptr i8, ptr %v637, i64 224
  %v653 = load float, ptr %v652, align 4
  %v654 = insertelement <8 x float> poison, float %v653, i64 0
  %v655 = shufflevector <8 x float> %v654, <8 x float> poison, <8 x i32> zeroinitializer
  %v656 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v655, <8 x float> %v643, <8 x float> %v628)
  %v657 = getelementptr i8, ptr %v637, i64 304
  %v658 = load float, ptr %v657, align 4
  %v659 = insertelement <8 x float> poison, float %v658, i64 0
  %v660 = shufflevector <8 x float> %v659, <8 x float> poison, <8 x i32> zeroinitializer
  %v661 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v660, <8 x float> %v643, <8 x float> %v629)
  %v662 = getelementptr i8, ptr %v637, i64 384
  %v663 = load float, ptr %v662, align 4
  %v664 = insertelement <8 x float> poison, float %v663, i64 0
  %v665 = shufflevector <8 x float> %v664, <8 x float> poison, <8 x i32> zeroinitializer
  %v666 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v665, <8 x float> %v643, <8 x float> %v630)
  %v667 = getelementptr i8, ptr %v637, i64 464
  %v668 = load float, ptr %v667, align 4
  %v669 = insertelement <8 x float> poison, float %v668, i64 0
  %v670 = shufflevector <8 x float> %v669, <8 x float> poison, <8 x i32> zeroinitializer
  %v671 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v670, <8 x float> %v643, <8 x float> %v631)
  %v672 = getelementptr i8, ptr %v637, i64 544
  %v673 = load float, ptr %v672, align 4
  %v674 = insertelement <8 x float> poison, float %v673, i64 0
  %v675 = shufflevector <8 x float> %v674, <8 x float> poison, <8 x i32> zeroinitializer
  %v676 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v675, <8 x float> %v643, <8 x float> %v632)
  %v677 = getelementptr i8, ptr %v637, i64 624
  %v678 = load float, ptr %v677, align 4
  %v679 = insertelement <8 x float> poison, float %v678, i64 0
  %v680 = shufflevector <8 x float> %v679, <8 x float> poison, <8 x i32> zeroinitializer
  %v681 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v680, <8 x float> %v643, <8 x float> %v633)
  %v682 = getelementptr i8, ptr %v637, i64 704
  %v683 = load float, ptr %v682, align 4
  %v684 = insertelement <8 x float> poison, float %v683, i64 0
  %v685 = shufflevector <8 x float> %v684, <8 x float> poison, <8 x i32> zeroinitializer
  %v686 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v685, <8 x float> %v643, <8 x float> %v634)
  %v687 = getelementptr i8, ptr %v637, i64 784
  %v688 = load float, ptr %v687, align 4
  %v689 = insertelement <8 x float> poison, float %v688, i64 0
  %v690 = shufflevector <8 x float> %v689, <8 x float> poison, <8 x i32> zeroinitializer
  %v691 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v690, <8 x float> %v643, <8 x float> %v635)
  %v625 = add nuw nsw i64 %v624, 1
  %v692 = icmp ne i64 %v625, 4
  br i1 %v692, label %loop622, label %done623
done623:
  store <8 x float> %v646, ptr %v9, align 32
  store <8 x float> %v651, ptr %v17, align 32
  store <8 x float> %v656, ptr %v18, align 32
  store <8 x float> %v661, ptr %v19, align 32
  store <8 x float> %v666, ptr %v20, align 32
  store <8 x float> %v671, ptr %v21, align 32
  store <8 x float> %v676, ptr %v22, align 32
  store <8 x float> %v681, ptr %v23, align 32
  store <8 x float> %v686, ptr %v24, align 32
  store <8 x float> %v691, ptr %v25, align 32
  %v693 = load <8 x float>, ptr %v9, align 32
  %v694 = getelementptr i8, ptr %v8, i64 64
  store <8 x float> %v693, ptr %v694, align 4
  %v695 = load <8 x float>, ptr %v17, align 32
  %v696 = getelementptr i8, ptr %v8, i64 160
  store <8 x float> %v695, ptr %v696, align 4
  %v697 = load <8 x float>, ptr %v18, align 32
  %v698 = getelementptr i8, ptr %v8, i64 256
  store <8 x float> %v697, ptr %v698, align 4
  %v699 = load <8 x float>, ptr %v19, align 32
  %v700 = getelementptr i8, ptr %v8, i64 352
  store <8 x float> %v699, ptr %v700, align 4
  %v701 = load <8 x float>, ptr %v20, align 32
  %v702 = getelementptr i8, ptr %v8, i64 448
  store <8 x float> %v701, ptr %v702, align 4
  %v703 = load <8 x float>, ptr %v21, align 32
  %v704 = getelementptr i8, ptr %v8, i64 544
  store <8 x float> %v703, ptr %v704, align 4
  %v705 = load <8 x float>, ptr %v22, align 32
  %v706 = getelementptr i8, ptr %v8, i64 640
  store <8 x float> %v705, ptr %v706, align 4
  %v707 = load <8 x float>, ptr %v23, align 32
  %v708 = getelementptr i8, ptr %v8, i64 736
  store <8 x float> %v707, ptr %v708, align 4
  %v709 = load <8 x float>, ptr %v24, align 32
  %v710 = getelementptr i8, ptr %v8, i64 832
  store <8 x float> %v709, ptr %v710, align 4
  %v711 = load <8 x float>, ptr %v25, align 32
  %v712 = getelementptr i8, ptr %v8, i64 928
  store <8 x float> %v711, ptr %v712, align 4
  %v15 = add nuw nsw i64 %v14, 1
  %v713 = icmp ne i64 %v15, %hi
  br i1 %v713, label %loop11, label %done12
done12:
  ret void
}
