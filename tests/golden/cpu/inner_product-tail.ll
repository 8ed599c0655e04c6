define void @k_856f4d3b05093008(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = getelementptr i8, ptr %scratch, i64 2560
  %v13 = icmp slt i64 %lo, %hi
  br i1 %v13, label %items.loop11, label %items.done12
items.loop11:
  %v14 = phi i64 [ %lo, %entry ], [ %v15, %nt.done771 ]
  br label %nt.loop16
nt.loop16:
  %v18 = phi i64 [ 0, %items.loop11 ], [ %v19, %nt.loop16 ]
  %v21 = mul nsw i64 %v18, 640
  %v22 = getelementptr i8, ptr %v9, i64 %v21
  %v20 = load <16 x float>, ptr %v6, align 4
  store <16 x float> %v20, ptr %v22, align 64
  %v23 = getelementptr i8, ptr %v22, i64 64
  store <16 x float> %v20, ptr %v23, align 64
  %v24 = getelementptr i8, ptr %v22, i64 128
  store <16 x float> %v20, ptr %v24, align 64
  %v25 = getelementptr i8, ptr %v22, i64 192
  store <16 x float> %v20, ptr %v25, align 64
  %v26 = getelementptr i8, ptr %v22, i64 256
  store <16 x float> %v20, ptr %v26, align 64
  %v27 = getelementptr i8, ptr %v22, i64 320
  store <16 x float> %v20, ptr %v27, align 64
  %v28 = getelementptr i8, ptr %v22, i64 384
  store <16 x float> %v20, ptr %v28, align 64
  %v29 = getelementptr i8, ptr %v22, i64 448
  store <16 x float> %v20, ptr %v29, align 64
  %v30 = getelementptr i8, ptr %v22, i64 512
  store <16 x float> %v20, ptr %v30, align 64
  %v31 = getelementptr i8, ptr %v22, i64 576
  store <16 x float> %v20, ptr %v31, align 64
  %v19 = add nuw nsw i64 %v18, 1
  %v32 = icmp ne i64 %v19, 4
  br i1 %v32, label %nt.loop16, label %nt.done17
nt.done17:
  %v33 = load <16 x float>, ptr %v4, align 4
  %v34 = getelementptr i8, ptr %v4, i64 80
  %v35 = load <16 x float>, ptr %v34, align 4
  %v36 = getelementptr i8, ptr %v4, i64 160
  %v37 = load <16 x float>, ptr %v36, align 4
  %v38 = getelementptr i8, ptr %v4, i64 240
  %v39 = load <16 x float>, ptr %v38, align 4
  %v40 = getelementptr i8, ptr %v4, i64 320
  %v41 = load <16 x float>, ptr %v40, align 4
  %v42 = getelementptr i8, ptr %v4, i64 400
  %v43 = load <16 x float>, ptr %v42, align 4
  %v44 = getelementptr i8, ptr %v4, i64 480
  %v45 = load <16 x float>, ptr %v44, align 4
  %v46 = getelementptr i8, ptr %v4, i64 560
  %v47 = load <16 x float>, ptr %v46, align 4
  %v48 = getelementptr i8, ptr %v4, i64 640
  %v49 = load <16 x float>, ptr %v48, align 4
  %v50 = getelementptr i8, ptr %v4, i64 720
  %v51 = load <16 x float>, ptr %v50, align 4
  %v52 = getelementptr i8, ptr %v4, i64 800
  %v53 = load <16 x float>, ptr %v52, align 4
  %v54 = getelementptr i8, ptr %v4, i64 880
  %v55 = load <16 x float>, ptr %v54, align 4
  %v56 = getelementptr i8, ptr %v4, i64 960
  %v57 = load <16 x float>, ptr %v56, align 4
  %v58 = getelementptr i8, ptr %v4, i64 1040
  %v59 = load <16 x float>, ptr %v58, align 4
  %v60 = getelementptr i8, ptr %v4, i64 1120
  %v61 = load <16 x float>, ptr %v60, align 4
  %v62 = getelementptr i8, ptr %v4, i64 1200
  %v63 = load <16 x float>, ptr %v62, align 4
  %v64 = shufflevector <16 x float> %v33, <16 x float> %v35, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v65 = shufflevector <16 x float> %v33, <16 x float> %v35, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v66 = shufflevector <16 x float> %v37, <16 x float> %v39, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v67 = shufflevector <16 x float> %v37, <16 x float> %v39, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v68 = shufflevector <16 x float> %v41, <16 x float> %v43, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v69 = shufflevector <16 x float> %v41, <16 x float> %v43, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v70 = shufflevector <16 x float> %v45, <16 x float> %v47, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v71 = shufflevector <16 x float> %v45, <16 x float> %v47, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v72 = shufflevector <16 x float> %v49, <16 x float> %v51, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v73 = shufflevector <16 x float> %v49, <16 x float> %v51, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v74 = shufflevector <16 x float> %v53, <16 x float> %v55, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v75 = shufflevector <16 x float> %v53, <16 x float> %v55, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v76 = shufflevector <16 x float> %v57, <16 x float> %v59, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v77 = shufflevector <16 x float> %v57, <16 x float> %v59, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v78 = shufflevector <16 x float> %v61, <16 x float> %v63, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v79 = shufflevector <16 x float> %v61, <16 x float> %v63, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v80 = shufflevector <16 x float> %v64, <16 x float> %v66, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v81 = shufflevector <16 x float> %v64, <16 x float> %v66, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v82 = shufflevector <16 x float> %v65, <16 x float> %v67, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v83 = shufflevector <16 x float> %v65, <16 x float> %v67, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v84 = shufflevector <16 x float> %v68, <16 x float> %v70, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v85 = shufflevector <16 x float> %v68, <16 x float> %v70, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v86 = shufflevector <16 x float> %v69, <16 x float> %v71, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v87 = shufflevector <16 x float> %v69, <16 x float> %v71, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v88 = shufflevector <16 x float> %v72, <16 x float> %v74, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v89 = shufflevector <16 x float> %v72, <16 x float> %v74, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v90 = shufflevector <16 x float> %v73, <16 x float> %v75, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v91 = shufflevector <16 x float> %v73, <16 x float> %v75, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v92 = shufflevector <16 x float> %v76, <16 x float> %v78, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v93 = shufflevector <16 x float> %v76, <16 x float> %v78, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v94 = shufflevector <16 x float> %v77, <16 x float> %v79, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v95 = shufflevector <16 x float> %v77, <16 x float> %v79, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v96 = shufflevector <16 x float> %v80, <16 x float> %v84, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v97 = shufflevector <16 x float> %v80, <16 x float> %v84, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v98 = shufflevector <16 x float> %v82, <16 x float> %v86, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v99 = shufflevector <16 x float> %v82, <16 x float> %v86, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v100 = shufflevector <16 x float> %v81, <16 x float> %v85, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v101 = shufflevector <16 x float> %v81, <16 x float> %v85, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v102 = shufflevector <16 x float> %v83, <16 x float> %v87, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v103 = shufflevector <16 x float> %v83, <16 x float> %v87, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v104 = shufflevector <16 x float> %v88, <16 x float> %v92, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v105 = shufflevector <16 x float> %v88, <16 x float> %v92, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v106 = shufflevector <16 x float> %v90, <16 x float> %v94, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v107 = shufflevector <16 x float> %v90, <16 x float> %v94, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v108 = shufflevector <16 x float> %v89, <16 x float> %v93, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v109 = shufflevector <16 x float> %v89, <16 x float> %v93, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v110 = shufflevector <16 x float> %v91, <16 x float> %v95, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v111 = shufflevector <16 x float> %v91, <16 x float> %v95, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v112 = shufflevector <16 x float> %v96, <16 x float> %v104, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v113 = shufflevector <16 x float> %v96, <16 x float> %v104, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v114 = shufflevector <16 x float> %v98, <16 x float> %v106, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v115 = shufflevector <16 x float> %v98, <16 x float> %v106, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v116 = shufflevector <16 x float> %v100, <16 x float> %v108, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v117 = shufflevector <16 x float> %v100, <16 x float> %v108, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v118 = shufflevector <16 x float> %v102, <16 x float> %v110, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v119 = shufflevector <16 x float> %v102, <16 x float> %v110, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v120 = shufflevector <16 x float> %v97, <16 x float> %v105, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v121 = shufflevector <16 x float> %v97, <16 x float> %v105, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v122 = shufflevector <16 x float> %v99, <16 x float> %v107, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v123 = shufflevector <16 x float> %v99, <16 x float> %v107, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v124 = shufflevector <16 x float> %v101, <16 x float> %v109, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v125 = shufflevector <16 x float> %v101, <16 x float> %v109, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v126 = shufflevector <16 x float> %v103, <16 x float> %v111, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v127 = shufflevector <16 x float> %v103, <16 x float> %v111, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  store <16 x float> %v112, ptr %v10, align 64
  %v128 = getelementptr i8, ptr %v10, i64 64
  store <16 x float> %v114, ptr %v128, align 64
  %v129 = getelementptr i8, ptr %v10, i64 128
  store <16 x float> %v116, ptr %v129, align 64
  %v130 = getelementptr i8, ptr %v10, i64 192
  store <16 x float> %v118, ptr %v130, align 64
  %v131 = getelementptr i8, ptr %v10, i64 256
  store <16 x float> %v120, ptr %v131, align 64
  %v132 = getelementptr i8, ptr %v10, i64 320
  store <16 x float> %v122, ptr %v132, align 64
  %v133 = getelementptr i8, ptr %v10, i64 384
  store <16 x float> %v124, ptr %v133, align 64
  %v134 = getelementptr i8, ptr %v10, i64 448
  store <16 x float> %v126, ptr %v134, align 64
  %v135 = getelementptr i8, ptr %v10, i64 512
  store <16 x float> %v113, ptr %v135, align 64
  %v136 = getelementptr i8, ptr %v10, i64 576
  store <16 x float> %v115, ptr %v136, align 64
  %v137 = getelementptr i8, ptr %v10, i64 640
  store <16 x float> %v117, ptr %v137, align 64
  %v138 = getelementptr i8, ptr %v10, i64 704
  store <16 x float> %v119, ptr %v138, align 64
  %v139 = getelementptr i8, ptr %v10, i64 768
  store <16 x float> %v121, ptr %v139, align 64
  %v140 = getelementptr i8, ptr %v10, i64 832
  store <16 x float> %v123, ptr %v140, align 64
  %v141 = getelementptr i8, ptr %v10, i64 896
  store <16 x float> %v125, ptr %v141, align 64
  %v142 = getelementptr i8, ptr %v10, i64 960
  store <16 x float> %v127, ptr %v142, align 64
  %v143 = getelementptr i8, ptr %v4, i64 64
  %v144 = load <4 x float>, ptr %v143, align 4
  %v145 = getelementptr i8, ptr %v4, i64 144
  %v146 = load <4 x float>, ptr %v145, align 4
  %v147 = getelementptr i8, ptr %v4, i64 224
  %v148 = load <4 x float>, ptr %v147, align 4
  %v149 = getelementptr i8, ptr %v4, i64 304
  %v150 = load <4 x float>, ptr %v149, align 4
  %v151 = getelementptr i8, ptr %v4, i64 384
  %v152 = load <4 x float>, ptr %v151, align 4
  %v153 = getelementptr i8, ptr %v4, i64 464
  %v154 = load <4 x float>, ptr %v153, align 4
  %v155 = getelementptr i8, ptr %v4, i64 544
  %v156 = load <4 x float>, ptr %v155, align 4
  %v157 = getelementptr i8, ptr %v4, i64 624
  %v158 = load <4 x float>, ptr %v157, align 4
  %v159 = getelementptr i8, ptr %v4, i64 704
  %v160 = load <4 x float>, ptr %v159, align 4
  %v161 = getelementptr i8, ptr %v4, i64 784
  %v162 = load <4 x float>, ptr %v161, align 4
  %v163 = getelementptr i8, ptr %v4, i64 864
  %v164 = load <4 x float>, ptr %v163, align 4
  %v165 = getelementptr i8, ptr %v4, i64 944
  %v166 = load <4 x float>, ptr %v165, align 4
  %v167 = getelementptr i8, ptr %v4, i64 1024
  %v168 = load <4 x float>, ptr %v167, align 4
  %v169 = getelementptr i8, ptr %v4, i64 1104
  %v170 = load <4 x float>, ptr %v169, align 4
  %v171 = getelementptr i8, ptr %v4, i64 1184
  %v172 = load <4 x float>, ptr %v171, align 4
  %v173 = getelementptr i8, ptr %v4, i64 1264
  %v174 = load <4 x float>, ptr %v173, align 4
  %v175 = shufflevector <4 x float> %v144, <4 x float> %v144, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v176 = shufflevector <4 x float> %v146, <4 x float> %v146, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v177 = shufflevector <4 x float> %v148, <4 x float> %v148, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v178 = shufflevector <4 x float> %v150, <4 x float> %v150, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v179 = shufflevector <4 x float> %v152, <4 x float> %v152, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v180 = shufflevector <4 x float> %v154, <4 x float> %v154, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v181 = shufflevector <4 x float> %v156, <4 x float> %v156, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v182 = shufflevector <4 x float> %v158, <4 x float> %v158, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v183 = shufflevector <4 x float> %v160, <4 x float> %v160, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v184 = shufflevector <4 x float> %v162, <4 x float> %v162, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v185 = shufflevector <4 x float> %v164, <4 x float> %v164, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v186 = shufflevector <4 x float> %v166, <4 x float> %v166, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v187 = shufflevector <4 x float> %v168, <4 x float> %v168, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v188 = shufflevector <4 x float> %v170, <4 x float> %v170, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v189 = shufflevector <4 x float> %v172, <4 x float> %v172, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v190 = shufflevector <4 x float> %v174, <4 x float> %v174, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v191 = shufflevector <16 x float> %v175, <16 x float> %v176, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v192 = shufflevector <16 x float> %v175, <16 x float> %v176, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v193 = shufflevector <16 x float> %v177, <16 x float> %v178, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v194 = shufflevector <16 x float> %v177, <16 x float> %v178, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v195 = shufflevector <16 x float> %v179, <16 x float> %v180, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v196 = shufflevector <16 x float> %v179, <16 x float> %v180, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v197 = shufflevector <16 x float> %v181, <16 x float> %v182, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v198 = shufflevector <16 x float> %v181, <16 x float> %v182, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v199 = shufflevector <16 x float> %v183, <16 x float> %v184, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v200 = shufflevector <16 x float> %v183, <16 x float> %v184, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v201 = shufflevector <16 x float> %v185, <16 x float> %v186, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v202 = shufflevector <16 x float> %v185, <16 x float> %v186, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v203 = shufflevector <16 x float> %v187, <16 x float> %v188, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v204 = shufflevector <16 x float> %v187, <16 x float> %v188, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v205 = shufflevector <16 x float> %v189, <16 x float> %v190, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v206 = shufflevector <16 x float> %v189, <16 x float> %v190, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v207 = shufflevector <16 x float> %v191, <16 x float> %v193, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v208 = shufflevector <16 x float> %v191, <16 x float> %v193, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v209 = shufflevector <16 x float> %v192, <16 x float> %v194, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v210 = shufflevector <16 x float> %v192, <16 x float> %v194, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v211 = shufflevector <16 x float> %v195, <16 x float> %v197, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v212 = shufflevector <16 x float> %v195, <16 x float> %v197, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v213 = shufflevector <16 x float> %v196, <16 x float> %v198, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v214 = shufflevector <16 x float> %v196, <16 x float> %v198, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v215 = shufflevector <16 x float> %v199, <16 x float> %v201, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v216 = shufflevector <16 x float> %v199, <16 x float> %v201, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v217 = shufflevector <16 x float> %v200, <16 x float> %v202, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v218 = shufflevector <16 x float> %v200, <16 x float> %v202, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v219 = shufflevector <16 x float> %v203, <16 x float> %v205, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v220 = shufflevector <16 x float> %v203, <16 x float> %v205, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v221 = shufflevector <16 x float> %v204, <16 x float> %v206, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v222 = shufflevector <16 x float> %v204, <16 x float> %v206, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v223 = shufflevector <16 x float> %v207, <16 x float> %v211, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v224 = shufflevector <16 x float> %v207, <16 x float> %v211, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v225 = shufflevector <16 x float> %v209, <16 x float> %v213, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v226 = shufflevector <16 x float> %v209, <16 x float> %v213, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v227 = shufflevector <16 x float> %v208, <16 x float> %v212, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v228 = shufflevector <16 x float> %v208, <16 x float> %v212, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v229 = shufflevector <16 x float> %v210, <16 x float> %v214, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v230 = shufflevector <16 x float> %v210, <16 x float> %v214, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v231 = shufflevector <16 x float> %v215, <16 x float> %v219, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v232 = shufflevector <16 x float> %v215, <16 x float> %v219, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v233 = shufflevector <16 x float> %v217, <16 x float> %v221, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v234 = shufflevector <16 x float> %v217, <16 x float> %v221, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v235 = shufflevector <16 x float> %v216, <16 x float> %v220, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v236 = shufflevector <16 x float> %v216, <16 x float> %v220, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v237 = shufflevector <16 x float> %v218, <16 x float> %v222, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v238 = shufflevector <16 x float> %v218, <16 x float> %v222, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v239 = shufflevector <16 x float> %v223, <16 x float> %v231, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v240 = shufflevector <16 x float> %v223, <16 x float> %v231, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v241 = shufflevector <16 x float> %v225, <16 x float> %v233, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v242 = shufflevector <16 x float> %v225, <16 x float> %v233, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v243 = shufflevector <16 x float> %v227, <16 x float> %v235, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v244 = shufflevector <16 x float> %v227, <16 x float> %v235, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v245 = shufflevector <16 x float> %v229, <16 x float> %v237, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v246 = shufflevector <16 x float> %v229, <16 x float> %v237, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v247 = shufflevector <16 x float> %v224, <16 x float> %v232, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v248 = shufflevector <16 x float> %v224, <16 x float> %v232, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v249 = shufflevector <16 x float> %v226, <16 x float> %v234, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v250 = shufflevector <16 x float> %v226, <16 x float> %v234, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v251 = shufflevector <16 x float> %v228, <16 x float> %v236, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v252 = shufflevector <16 x float> %v228, <16 x float> %v236, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v253 = shufflevector <16 x float> %v230, <16 x float> %v238, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v254 = shufflevector <16 x float> %v230, <16 x float> %v238, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v255 = getelementptr i8, ptr %v10, i64 1024
  store <16 x float> %v239, ptr %v255, align 64
  %v256 = getelementptr i8, ptr %v10, i64 1088
  store <16 x float> %v241, ptr %v256, align 64
  %v257 = getelementptr i8, ptr %v10, i64 1152
  store <16 x float> %v243, ptr %v257, align 64
  %v258 = getelementptr i8, ptr %v10, i64 1216
  store <16 x float> %v245, ptr %v258, align 64
  br label %nt.loop259
nt.loop259:
  %v261 = phi i64 [ 0, %nt.done17 ], [ %v262, %k.done356 ]
  %v263 = mul nsw i64 %v261, 640
  %v264 = getelementptr i8, ptr %v9, i64 %v263
  %v298 = mul nsw i64 %v261, 800
  %v299 = getelementptr i8, ptr %v2, i64 %v298
  %v265 = load <16 x float>, ptr %v264, align 64
  %v266 = getelementptr i8, ptr %v264, i64 64
  %v267 = load <16 x float>, ptr %v266, align 64
  %v268 = getelementptr i8, ptr %v264, i64 128
  %v269 = load <16 x float>, ptr %v268, align 64
  %v270 = getelementptr i8, ptr %v264, i64 192
  %v271 = load <16 x float>, ptr %v270, align 64
  %v272 = getelementptr i8, ptr %v264, i64 256
  %v273 = load <16 x float>, ptr %v272, align 64
  %v274 = getelementptr i8, ptr %v264, i64 320
  %v275 = load <16 x float>, ptr %v274, align 64
  %v276 = getelementptr i8, ptr %v264, i64 384
  %v277 = load <16 x float>, ptr %v276, align 64
  %v278 = getelementptr i8, ptr %v264, i64 448
  %v279 = load <16 x float>, ptr %v278, align 64
  %v280 = getelementptr i8, ptr %v264, i64 512
  %v281 = load <16 x float>, ptr %v280, align 64
  %v282 = getelementptr i8, ptr %v264, i64 576
  %v283 = load <16 x float>, ptr %v282, align 64
  br label %k.loop284
k.loop284:
  %v286 = phi i64 [ 0, %nt.loop259 ], [ %v287, %k.loop284 ]
  %v288 = phi <16 x float> [ %v265, %nt.loop259 ], [ %v308, %k.loop284 ]
  %v289 = phi <16 x float> [ %v267, %nt.loop259 ], [ %v313, %k.loop284 ]
  %v290 = phi <16 x float> [ %v269, %nt.loop259 ], [ %v318, %k.loop284 ]
  %v291 = phi <16 x float> [ %v271, %nt.loop259 ], [ %v323, %k.loop284 ]
  %v292 = phi <16 x float> [ %v273, %nt.loop259 ], [ %v328, %k.loop284 ]
  %v293 = phi <16 x float> [ %v275, %nt.loop259 ], [ %v333, %k.loop284 ]
  %v294 = phi <16 x float> [ %v277, %nt.loop259 ], [ %v338, %k.loop284 ]
  %v295 = phi <16 x float> [ %v279, %nt.loop259 ], [ %v343, %k.loop284 ]
  %v296 = phi <16 x float> [ %v281, %nt.loop259 ], [ %v348, %k.loop284 ]
  %v297 = phi <16 x float> [ %v283, %nt.loop259 ], [ %v353, %k.loop284 ]
  %v300 = mul nsw i64 %v286, 4
  %v301 = getelementptr i8, ptr %v299, i64 %v300
  %v303 = mul nsw i64 %v286, 64
  %v304 = getelementptr i8, ptr %v10, i64 %v303
  %v302 = load float, ptr %v301, align 4
  %v305 = load <16 x float>, ptr %v304, align 64
  %v306 = insertelement <16 x float> poison, float %v302, i64 0
  %v307 = shufflevector <16 x float> %v306, <16 x float> poison, <16 x i32> zeroinitializer
  %v308 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v307, <16 x float> %v305, <16 x float> %v288)
  %v309 = getelementptr i8, ptr %v301, i64 80
  %v310 = load float, ptr %v309, align 4
  %v311 = insertelement <16 x float> poison, float %v310, i64 0
  %v312 = shufflevector <16 x float> %v311, <16 x float> poison, <16 x i32> zeroinitializer
  %v313 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v312, <16 x float> %v305, <16 x float> %v289)
  %v314 = getelementptr i8, ptr %v301, i64 160
  %v315 = load float, ptr %v314, align 4
  %v316 = insertelement <16 x float> poison, float %v315, i64 0
  %v317 = shufflevector <16 x float> %v316, <16 x float> poison, <16 x i32> zeroinitializer
  %v318 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v317, <16 x float> %v305, <16 x float> %v290)
  %v319 = getelementptr i8, ptr %v301, i64 240
  %v320 = load float, ptr %v319, align 4
  %v321 = insertelement <16 x float> poison, float %v320, i64 0
  %v322 = shufflevector <16 x float> %v321, <16 x float> poison, <16 x i32> zeroinitializer
  %v323 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v322, <16 x float> %v305, <16 x float> %v291)
  %v324 = getelementptr i8, ptr %v301, i64 320
  %v325 = load float, ptr %v324, align 4
  %v326 = insertelement <16 x float> poison, float %v325, i64 0
  %v327 = shufflevector <16 x float> %v326, <16 x float> poison, <16 x i32> zeroinitializer
  %v328 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v327, <16 x float> %v305, <16 x float> %v292)
  %v329 = getelementptr i8, ptr %v301, i64 400
  %v330 = load float, ptr %v329, align 4
  %v331 = insertelement <16 x float> poison, float %v330, i64 0
  %v332 = shufflevector <16 x float> %v331, <16 x float> poison, <16 x i32> zeroinitializer
  %v333 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v332, <16 x float> %v305, <16 x float> %v293)
  %v334 = getelementptr i8, ptr %v301, i64 480
  %v335 = load float, ptr %v334, align 4
  %v336 = insertelement <16 x float> poison, float %v335, i64 0
  %v337 = shufflevector <16 x float> %v336, <16 x float> poison, <16 x i32> zeroinitializer
  %v338 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v337, <16 x float> %v305, <16 x float> %v294)
  %v339 = getelementptr i8, ptr %v301, i64 560
  %v340 = load float, ptr %v339, align 4
  %v341 = insertelement <16 x float> poison, float %v340, i64 0
  %v342 = shufflevector <16 x float> %v341, <16 x float> poison, <16 x i32> zeroinitializer
  %v343 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v342, <16 x float> %v305, <16 x float> %v295)
  %v344 = getelementptr i8, ptr %v301, i64 640
  %v345 = load float, ptr %v344, align 4
  %v346 = insertelement <16 x float> poison, float %v345, i64 0
  %v347 = shufflevector <16 x float> %v346, <16 x float> poison, <16 x i32> zeroinitializer
  %v348 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v347, <16 x float> %v305, <16 x float> %v296)
  %v349 = getelementptr i8, ptr %v301, i64 720
  %v350 = load float, ptr %v349, align 4
  %v351 = insertelement <16 x float> poison, float %v350, i64 0
  %v352 = shufflevector <16 x float> %v351, <16 x float> poison, <16 x i32> zeroinitializer
  %v353 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v352, <16 x float> %v305, <16 x float> %v297)
  %v287 = add nuw nsw i64 %v286, 1
  %v354 = icmp ne i64 %v287, 16
  br i1 %v354, label %k.loop284, label %k.done285
k.done285:
  br label %k.loop355
k.loop355:
  %v357 = phi i64 [ 0, %k.done285 ], [ %v358, %k.loop355 ]
  %v359 = phi <16 x float> [ %v308, %k.done285 ], [ %v379, %k.loop355 ]
  %v360 = phi <16 x float> [ %v313, %k.done285 ], [ %v384, %k.loop355 ]
  %v361 = phi <16 x float> [ %v318, %k.done285 ], [ %v389, %k.loop355 ]
  %v362 = phi <16 x float> [ %v323, %k.done285 ], [ %v394, %k.loop355 ]
  %v363 = phi <16 x float> [ %v328, %k.done285 ], [ %v399, %k.loop355 ]
  %v364 = phi <16 x float> [ %v333, %k.done285 ], [ %v404, %k.loop355 ]
  %v365 = phi <16 x float> [ %v338, %k.done285 ], [ %v409, %k.loop355 ]
  %v366 = phi <16 x float> [ %v343, %k.done285 ], [ %v414, %k.loop355 ]
  %v367 = phi <16 x float> [ %v348, %k.done285 ], [ %v419, %k.loop355 ]
  %v368 = phi <16 x float> [ %v353, %k.done285 ], [ %v424, %k.loop355 ]
  %v369 = mul nsw i64 %v357, 4
  %v370 = getelementptr i8, ptr %v299, i64 %v369
  %v373 = mul nsw i64 %v357, 64
  %v374 = getelementptr i8, ptr %v10, i64 %v373
  %v371 = getelementptr i8, ptr %v370, i64 64
  %v372 = load float, ptr %v371, align 4
  %v375 = getelementptr i8, ptr %v374, i64 1024
  %v376 = load <16 x float>, ptr %v375, align 64
  %v377 = insertelement <16 x float> poison, float %v372, i64 0
  %v378 = shufflevector <16 x float> %v377, <16 x float> poison, <16 x i32> zeroinitializer
  %v379 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v378, <16 x float> %v376, <16 x float> %v359)
  %v380 = getelementptr i8, ptr %v370, i64 144
  %v381 = load float, ptr %v380, align 4
  %v382 = insertelement <16 x float> poison, float %v381, i64 0
  %v383 = shufflevector <16 x float> %v382, <16 x float> poison, <16 x i32> zeroinitializer
  %v384 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v383, <16 x float> %v376, <16 x float> %v360)
  %v385 = getelementptr i8, ptr %v370, i64 224
  %v386 = load float, ptr %v385, align 4
  %v387 = insertelement <16 x float> poison, float %v386, i64 0
  %v388 = shufflevector <16 x float> %v387, <16 x float> poison, <16 x i32> zeroinitializer
  %v389 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v388, <16 x float> %v376, <16 x float> %v361)
  %v390 = getelementptr i8, ptr %v370, i64 304
  %v391 = load float, ptr %v390, align 4
  %v392 = insertelement <16 x float> poison, float %v391, i64 0
  %v393 = shufflevector <16 x float> %v392, <16 x float> poison, <16 x i32> zeroinitializer
  %v394 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v393, <16 x float> %v376, <16 x float> %v362)
  %v395 = getelementptr i8, ptr %v370, i64 384
  %v396 = load float, ptr %v395, align 4
  %v397 = insertelement <16 x float> poison, float %v396, i64 0
  %v398 = shufflevector <16 x float> %v397, <16 x float> poison, <16 x i32> zeroinitializer
  %v399 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v398, <16 x float> %v376, <16 x float> %v363)
  %v400 = getelementptr i8, ptr %v370, i64 464
  %v401 = load float, ptr %v400, align 4
  %v402 = insertelement <16 x float> poison, float %v401, i64 0
  %v403 = shufflevector <16 x float> %v402, <16 x float> poison, <16 x i32> zeroinitializer
  %v404 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v403, <16 x float> %v376, <16 x float> %v364)
  %v405 = getelementptr i8, ptr %v370, i64 544
  %v406 = load float, ptr %v405, align 4
  %v407 = insertelement <16 x float> poison, float %v406, i64 0
  %v408 = shufflevector <16 x float> %v407, <16 x float> poison, <16 x i32> zeroinitializer
  %v409 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v408, <16 x float> %v376, <16 x float> %v365)
  %v410 = getelementptr i8, ptr %v370, i64 624
  %v411 = load float, ptr %v410, align 4
  %v412 = insertelement <16 x float> poison, float %v411, i64 0
  %v413 = shufflevector <16 x float> %v412, <16 x float> poison, <16 x i32> zeroinitializer
  %v414 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v413, <16 x float> %v376, <16 x float> %v366)
  %v415 = getelementptr i8, ptr %v370, i64 704
  %v416 = load float, ptr %v415, align 4
  %v417 = insertelement <16 x float> poison, float %v416, i64 0
  %v418 = shufflevector <16 x float> %v417, <16 x float> poison, <16 x i32> zeroinitializer
  %v419 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v418, <16 x float> %v376, <16 x float> %v367)
  %v420 = getelementptr i8, ptr %v370, i64 784
  %v421 = load float, ptr %v420, align 4
  %v422 = insertelement <16 x float> poison, float %v421, i64 0
  %v423 = shufflevector <16 x float> %v422, <16 x float> poison, <16 x i32> zeroinitializer
  %v424 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v423, <16 x float> %v376, <16 x float> %v368)
  %v358 = add nuw nsw i64 %v357, 1
  %v425 = icmp ne i64 %v358, 4
  br i1 %v425, label %k.loop355, label %k.done356
k.done356:
  store <16 x float> %v379, ptr %v264, align 64
  store <16 x float> %v384, ptr %v266, align 64
  store <16 x float> %v389, ptr %v268, align 64
  store <16 x float> %v394, ptr %v270, align 64
  store <16 x float> %v399, ptr %v272, align 64
  store <16 x float> %v404, ptr %v274, align 64
  store <16 x float> %v409, ptr %v276, align 64
  store <16 x float> %v414, ptr %v278, align 64
  store <16 x float> %v419, ptr %v280, align 64
  store <16 x float> %v424, ptr %v282, align 64
  %v262 = add nuw nsw i64 %v261, 1
  %v426 = icmp ne i64 %v262, 4
  br i1 %v426, label %nt.loop259, label %nt.done260
nt.done260:
  br label %nt.loop427
nt.loop427:
  %v429 = phi i64 [ 0, %nt.done260 ], [ %v430, %nt.loop427 ]
  %v431 = mul nsw i64 %v429, 640
  %v432 = getelementptr i8, ptr %v9, i64 %v431
  %v434 = mul nsw i64 %v429, 960
  %v435 = getelementptr i8, ptr %v8, i64 %v434
  %v433 = load <16 x float>, ptr %v432, align 64
  store <16 x float> %v433, ptr %v435, align 4
  %v436 = getelementptr i8, ptr %v432, i64 64
  %v437 = load <16 x float>, ptr %v436, align 64
  %v438 = getelementptr i8, ptr %v435, i64 96
  store <16 x float> %v437, ptr %v438, align 4
  %v439 = getelementptr i8, ptr %v432, i64 128
  %v440 = load <16 x float>, ptr %v439, align 64
  %v441 = getelementptr i8, ptr %v435, i64 192
  store <16 x float> %v440, ptr %v441, align 4
  %v442 = getelementptr i8, ptr %v432, i64 192
  %v443 = load <16 x float>, ptr %v442, align 64
  %v444 = getelementptr i8, ptr %v435, i64 288
  store <16 x float> %v443, ptr %v444, align 4
  %v445 = getelementptr i8, ptr %v432, i64 256
  %v446 = load <16 x float>, ptr %v445, align 64
  %v447 = getelementptr i8, ptr %v435, i64 384
  store <16 x float> %v446, ptr %v447, align 4
  %v448 = getelementptr i8, ptr %v432, i64 320
  %v449 = load <16 x float>, ptr %v448, align 64
  %v450 = getelementptr i8, ptr %v435, i64 480
  store <16 x float> %v449, ptr %v450, align 4
  %v451 = getelementptr i8, ptr %v432, i64 384
  %v452 = load <16 x float>, ptr %v451, align 64
  %v453 = getelementptr i8, ptr %v435, i64 576
  store <16 x float> %v452, ptr %v453, align 4
  %v454 = getelementptr i8, ptr %v432, i64 448
  %v455 = load <16 x float>, ptr %v454, align 64
  %v456 = getelementptr i8, ptr %v435, i64 672
  store <16 x float> %v455, ptr %v456, align 4
  %v457 = getelementptr i8, ptr %v432, i64 512
  %v458 = load <16 x float>, ptr %v457, align 64
  %v459 = getelementptr i8, ptr %v435, i64 768
  store <16 x float> %v458, ptr %v459, align 4
  %v460 = getelementptr i8, ptr %v432, i64 576
  %v461 = load <16 x float>, ptr %v460, align 64
  %v462 = getelementptr i8, ptr %v435, i64 864
  store <16 x float> %v461, ptr %v462, align 4
  %v430 = add nuw nsw i64 %v429, 1
  %v463 = icmp ne i64 %v430, 4
  br i1 %v463, label %nt.loop427, label %nt.done428
nt.done428:
  br label %nt.loop464
nt.loop464:
  %v466 = phi i64 [ 0, %nt.done428 ], [ %v467, %nt.loop464 ]
  %v470 = mul nsw i64 %v466, 640
  %v471 = getelementptr i8, ptr %v9, i64 %v470
  %v468 = getelementptr i8, ptr %v6, i64 64
  %v469 = load <8 x float>, ptr %v468, align 4
  store <8 x float> %v469, ptr %v471, align 32
  %v472 = getelementptr i8, ptr %v471, i64 64
  store <8 x float> %v469, ptr %v472, align 32
  %v473 = getelementptr i8, ptr %v471, i64 128
  store <8 x float> %v469, ptr %v473, align 32
  %v474 = getelementptr i8, ptr %v471, i64 192
  store <8 x float> %v469, ptr %v474, align 32
  %v475 = getelementptr i8, ptr %v471, i64 256
  store <8 x float> %v469, ptr %v475, align 32
  %v476 = getelementptr i8, ptr %v471, i64 320
  store <8 x float> %v469, ptr %v476, align 32
  %v477 = getelementptr i8, ptr %v471, i64 384
  store <8 x float> %v469, ptr %v477, align 32
  %v478 = getelementptr i8, ptr %v471, i64 448
  store <8 x float> %v469, ptr %v478, align 32
  %v479 = getelementptr i8, ptr %v471, i64 512
  store <8 x float> %v469, ptr %v479, align 32
  %v480 = getelementptr i8, ptr %v471, i64 576
  store <8 x float> %v469, ptr %v480, align 32
  %v467 = add nuw nsw i64 %v466, 1
  %v481 = icmp ne i64 %v467, 4
  br i1 %v481, label %nt.loop464, label %nt.done465
nt.done465:
  %v482 = getelementptr i8, ptr %v4, i64 1280
  %v483 = load <16 x float>, ptr %v482, align 4
  %v484 = getelementptr i8, ptr %v4, i64 1360
  %v485 = load <16 x float>, ptr %v484, align 4
  %v486 = getelementptr i8, ptr %v4, i64 1440
  %v487 = load <16 x float>, ptr %v486, align 4
  %v488 = getelementptr i8, ptr %v4, i64 1520
  %v489 = load <16 x float>, ptr %v488, align 4
  %v490 = getelementptr i8, ptr %v4, i64 1600
  %v491 = load <16 x float>, ptr %v490, align 4
  %v492 = getelementptr i8, ptr %v4, i64 1680
  %v493 = load <16 x float>, ptr %v492, align 4
  %v494 = getelementptr i8, ptr %v4, i64 1760
  %v495 = load <16 x float>, ptr %v494, align 4
  %v496 = getelementptr i8, ptr %v4, i64 1840
  %v497 = load <16 x float>, ptr %v496, align 4
  %v498 = shufflevector <16 x float> %v483, <16 x float> %v485, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v499 = shufflevector <16 x float> %v483, <16 x float> %v485, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v500 = shufflevector <16 x float> %v487, <16 x float> %v489, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v501 = shufflevector <16 x float> %v487, <16 x float> %v489, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v502 = shufflevector <16 x float> %v491, <16 x float> %v493, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v503 = shufflevector <16 x float> %v491, <16 x float> %v493, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v504 = shufflevector <16 x float> %v495, <16 x float> %v497, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v505 = shufflevector <16 x float> %v495, <16 x float> %v497, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v506 = shufflevector <16 x float> %v498, <16 x float> %v500, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v507 = shufflevector <16 x float> %v498, <16 x float> %v500, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v508 = shufflevector <16 x float> %v499, <16 x float> %v501, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v509 = shufflevector <16 x float> %v499, <16 x float> %v501, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v510 = shufflevector <16 x float> %v502, <16 x float> %v504, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v511 = shufflevector <16 x float> %v502, <16 x float> %v504, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v512 = shufflevector <16 x float> %v503, <16 x float> %v505, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v513 = shufflevector <16 x float> %v503, <16 x float> %v505, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v514 = shufflevector <16 x float> %v506, <16 x float> %v510, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v515 = shufflevector <16 x float> %v506, <16 x float> %v510, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v516 = shufflevector <16 x float> %v508, <16 x float> %v512, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v517 = shufflevector <16 x float> %v508, <16 x float> %v512, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v518 = shufflevector <16 x float> %v507, <16 x float> %v511, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v519 = shufflevector <16 x float> %v507, <16 x float> %v511, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v520 = shufflevector <16 x float> %v509, <16 x float> %v513, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v521 = shufflevector <16 x float> %v509, <16 x float> %v513, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v522 = shufflevector <16 x float> %v514, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v523 = shufflevector <16 x float> %v514, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v524 = shufflevector <16 x float> %v516, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v525 = shufflevector <16 x float> %v516, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v526 = shufflevector <16 x float> %v518, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v527 = shufflevector <16 x float> %v518, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v528 = shufflevector <16 x float> %v520, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v529 = shufflevector <16 x float> %v520, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v530 = shufflevector <16 x float> %v515, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v531 = shufflevector <16 x float> %v515, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v532 = shufflevector <16 x float> %v517, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v533 = shufflevector <16 x float> %v517, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v534 = shufflevector <16 x float> %v519, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v535 = shufflevector <16 x float> %v519, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v536 = shufflevector <16 x float> %v521, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v537 = shufflevector <16 x float> %v521, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v538 = shufflevector <16 x float> %v522, <16 x float> %v522, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v539 = shufflevector <16 x float> %v524, <16 x float> %v524, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v540 = shufflevector <16 x float> %v526, <16 x float> %v526, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v541 = shufflevector <16 x float> %v528, <16 x float> %v528, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v542 = shufflevector <16 x float> %v530, <16 x float> %v530, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v543 = shufflevector <16 x float> %v532, <16 x float> %v532, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v544 = shufflevector <16 x float> %v534, <16 x float> %v534, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v545 = shufflevector <16 x float> %v536, <16 x float> %v536, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v546 = shufflevector <16 x float> %v523, <16 x float> %v523, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v547 = shufflevector <16 x float> %v525, <16 x float> %v525, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v548 = shufflevector <16 x float> %v527, <16 x float> %v527, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v549 = shufflevector <16 x float> %v529, <16 x float> %v529, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v550 = shufflevector <16 x float> %v531, <16 x float> %v531, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v551 = shufflevector <16 x float> %v533, <16 x float> %v533, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v552 = shufflevector <16 x float> %v535, <16 x float> %v535, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v553 = shufflevector <16 x float> %v537, <16 x float> %v537, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v538, ptr %v10, align 32
  store <8 x float> %v539, ptr %v128, align 32
  store <8 x float> %v540, ptr %v129, align 32
  store <8 x float> %v541, ptr %v130, align 32
  store <8 x float> %v542, ptr %v131, align 32
  store <8 x float> %v543, ptr %v132, align 32
  store <8 x float> %v544, ptr %v133, align 32
  store <8 x float> %v545, ptr %v134, align 32
  store <8 x float> %v546, ptr %v135, align 32
  store <8 x float> %v547, ptr %v136, align 32
  store <8 x float> %v548, ptr %v137, align 32
  store <8 x float> %v549, ptr %v138, align 32
  store <8 x float> %v550, ptr %v139, align 32
  store <8 x float> %v551, ptr %v140, align 32
  store <8 x float> %v552, ptr %v141, align 32
  store <8 x float> %v553, ptr %v142, align 32
  %v554 = getelementptr i8, ptr %v4, i64 1344
  %v555 = load <4 x float>, ptr %v554, align 4
  %v556 = getelementptr i8, ptr %v4, i64 1424
  %v557 = load <4 x float>, ptr %v556, align 4
  %v558 = getelementptr i8, ptr %v4, i64 1504
  %v559 = load <4 x float>, ptr %v558, align 4
  %v560 = getelementptr i8, ptr %v4, i64 1584
  %v561 = load <4 x float>, ptr %v560, align 4
  %v562 = getelementptr i8, ptr %v4, i64 1664
  %v563 = load <4 x float>, ptr %v562, align 4
  %v564 = getelementptr i8, ptr %v4, i64 1744
  %v565 = load <4 x float>, ptr %v564, align 4
  %v566 = getelementptr i8, ptr %v4, i64 1824
  %v567 = load <4 x float>, ptr %v566, align 4
  %v568 = getelementptr i8, ptr %v4, i64 1904
  %v569 = load <4 x float>, ptr %v568, align 4
  %v570 = shufflevector <4 x float> %v555, <4 x float> %v555, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v571 = shufflevector <4 x float> %v557, <4 x float> %v557, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v572 = shufflevector <4 x float> %v559, <4 x float> %v559, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v573 = shufflevector <4 x float> %v561, <4 x float> %v561, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v574 = shufflevector <4 x float> %v563, <4 x float> %v563, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v575 = shufflevector <4 x float> %v565, <4 x float> %v565, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v576 = shufflevector <4 x float> %v567, <4 x float> %v567, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v577 = shufflevector <4 x float> %v569, <4 x float> %v569, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3>
  %v578 = shufflevector <8 x float> %v570, <8 x float> %v571, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v579 = shufflevector <8 x float> %v570, <8 x float> %v571, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v580 = shufflevector <8 x float> %v572, <8 x float> %v573, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v581 = shufflevector <8 x float> %v572, <8 x float> %v573, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v582 = shufflevector <8 x float> %v574, <8 x float> %v575, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v583 = shufflevector <8 x float> %v574, <8 x float> %v575, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v584 = shufflevector <8 x float> %v576, <8 x float> %v577, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v585 = shufflevector <8 x float> %v576, <8 x float> %v577, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v586 = shufflevector <8 x float> %v578, <8 x float> %v580, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v587 = shufflevector <8 x float> %v578, <8 x float> %v580, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v588 = shufflevector <8 x float> %v579, <8 x float> %v581, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v589 = shufflevector <8 x float> %v579, <8 x float> %v581, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v590 = shufflevector <8 x float> %v582, <8 x float> %v584, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v591 = shufflevector <8 x float> %v582, <8 x float> %v584, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v592 = shufflevector <8 x float> %v583, <8 x float> %v585, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v593 = shufflevector <8 x float> %v583, <8 x float> %v585, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v594 = shufflevector <8 x float> %v586, <8 x float> %v590, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v595 = shufflevector <8 x float> %v586, <8 x float> %v590, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v596 = shufflevector <8 x float> %v588, <8 x float> %v592, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v597 = shufflevector <8 x float> %v588, <8 x float> %v592, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v598 = shufflevector <8 x float> %v587, <8 x float> %v591, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v599 = shufflevector <8 x float> %v587, <8 x float> %v591, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v600 = shufflevector <8 x float> %v589, <8 x float> %v593, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v601 = shufflevector <8 x float> %v589, <8 x float> %v593, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v594, ptr %v255, align 32
  store <8 x float> %v596, ptr %v256, align 32
  store <8 x float> %v598, ptr %v257, align 32
  store <8 x float> %v600, ptr %v258, align 32
  br label %nt.loop602
nt.loop602:
  %v604 = phi i64 [ 0, %nt.done465 ], [ %v605, %k.done699 ]
  %v606 = mul nsw i64 %v604, 640
  %v607 = getelementptr i8, ptr %v9, i64 %v606
  %v641 = mul nsw i64 %v604, 800
  %v642 = getelementptr i8, ptr %v2, i64 %v641
  %v608 = load <8 x float>, ptr %v607, align 32
  %v609 = getelementptr i8, ptr %v607, i64 64
  %v610 = load <8 x float>, ptr %v609, align 32
  %v611 = getelementptr i8, ptr %v607, i64 128
  %v612 = load <8 x float>, ptr %v611, align 32
  %v613 = getelementptr i8, ptr %v607, i64 192
  %v614 = load <8 x float>, ptr %v613, align 32
  %v615 = getelementptr i8, ptr %v607, i64 256
  %v616 = load <8 x float>, ptr %v615, align 32
  %v617 = getelementptr i8, ptr %v607, i64 320
  %v618 = load <8 x float>, ptr %v617, align 32
  %v619 = getelementptr i8, ptr %v607, i64 384
  %v620 = load <8 x float>, ptr %v619, align 32
  %v621 = getelementptr i8, ptr %v607, i64 448
  %v622 = load <8 x float>, ptr %v621, align 32
  %v623 = getelementptr i8, ptr %v607, i64 512
  %v624 = load <8 x float>, ptr %v623, align 32
  %v625 = getelementptr i8, ptr %v607, i64 576
  %v626 = load <8 x float>, ptr %v625, align 32
  br label %k.loop627
k.loop627:
  %v629 = phi i64 [ 0, %nt.loop602 ], [ %v630, %k.loop627 ]
  %v631 = phi <8 x float> [ %v608, %nt.loop602 ], [ %v651, %k.loop627 ]
  %v632 = phi <8 x float> [ %v610, %nt.loop602 ], [ %v656, %k.loop627 ]
  %v633 = phi <8 x float> [ %v612, %nt.loop602 ], [ %v661, %k.loop627 ]
  %v634 = phi <8 x float> [ %v614, %nt.loop602 ], [ %v666, %k.loop627 ]
  %v635 = phi <8 x float> [ %v616, %nt.loop602 ], [ %v671, %k.loop627 ]
  %v636 = phi <8 x float> [ %v618, %nt.loop602 ], [ %v676, %k.loop627 ]
  %v637 = phi <8 x float> [ %v620, %nt.loop602 ], [ %v681, %k.loop627 ]
  %v638 = phi <8 x float> [ %v622, %nt.loop602 ], [ %v686, %k.loop627 ]
  %v639 = phi <8 x float> [ %v624, %nt.loop602 ], [ %v691, %k.loop627 ]
  %v640 = phi <8 x float> [ %v626, %nt.loop602 ], [ %v696, %k.loop627 ]
  %v643 = mul nsw i64 %v629, 4
  %v644 = getelementptr i8, ptr %v642, i64 %v643
  %v646 = mul nsw i64 %v629, 64
  %v647 = getelementptr i8, ptr %v10, i64 %v646
  %v645 = load float, ptr %v644, align 4
  %v648 = load <8 x float>, ptr %v647, align 32
  %v649 = insertelement <8 x float> poison, float %v645, i64 0
  %v650 = shufflevector <8 x float> %v649, <8 x float> poison, <8 x i32> zeroinitializer
  %v651 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v650, <8 x float> %v648, <8 x float> %v631)
  %v652 = getelementptr i8, ptr %v644, i64 80
  %v653 = load float, ptr %v652, align 4
  %v654 = insertelement <8 x float> poison, float %v653, i64 0
  %v655 = shufflevector <8 x float> %v654, <8 x float> poison, <8 x i32> zeroinitializer
  %v656 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v655, <8 x float> %v648, <8 x float> %v632)
  %v657 = getelementptr i8, ptr %v644, i64 160
  %v658 = load float, ptr %v657, align 4
  %v659 = insertelement <8 x float> poison, float %v658, i64 0
  %v660 = shufflevector <8 x float> %v659, <8 x float> poison, <8 x i32> zeroinitializer
  %v661 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v660, <8 x float> %v648, <8 x float> %v633)
  %v662 = getelementptr i8, ptr %v644, i64 240
  %v663 = load float, ptr %v662, align 4
  %v664 = insertelement <8 x float> poison, float %v663, i64 0
  %v665 = shufflevector <8 x float> %v664, <8 x float> poison, <8 x i32> zeroinitializer
  %v666 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v665, <8 x float> %v648, <8 x float> %v634)
  %v667 = getelementptr i8, ptr %v644, i64 320
  %v668 = load float, ptr %v667, align 4
  %v669 = insertelement <8 x float> poison, float %v668, i64 0
  %v670 = shufflevector <8 x float> %v669, <8 x float> poison, <8 x i32> zeroinitializer
  %v671 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v670, <8 x float> %v648, <8 x float> %v635)
  %v672 = getelementptr i8, ptr %v644, i64 400
  %v673 = load float, ptr %v672, align 4
  %v674 = insertelement <8 x float> poison, float %v673, i64 0
  %v675 = shufflevector <8 x float> %v674, <8 x float> poison, <8 x i32> zeroinitializer
  %v676 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v675, <8 x float> %v648, <8 x float> %v636)
  %v677 = getelementptr i8, ptr %v644, i64 480
  %v678 = load float, ptr %v677, align 4
  %v679 = insertelement <8 x float> poison, float %v678, i64 0
  %v680 = shufflevector <8 x float> %v679, <8 x float> poison, <8 x i32> zeroinitializer
  %v681 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v680, <8 x float> %v648, <8 x float> %v637)
  %v682 = getelementptr i8, ptr %v644, i64 560
  %v683 = load float, ptr %v682, align 4
  %v684 = insertelement <8 x float> poison, float %v683, i64 0
  %v685 = shufflevector <8 x float> %v684, <8 x float> poison, <8 x i32> zeroinitializer
  %v686 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v685, <8 x float> %v648, <8 x float> %v638)
  %v687 = getelementptr i8, ptr %v644, i64 640
  %v688 = load float, ptr %v687, align 4
  %v689 = insertelement <8 x float> poison, float %v688, i64 0
  %v690 = shufflevector <8 x float> %v689, <8 x float> poison, <8 x i32> zeroinitializer
  %v691 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v690, <8 x float> %v648, <8 x float> %v639)
  %v692 = getelementptr i8, ptr %v644, i64 720
  %v693 = load float, ptr %v692, align 4
  %v694 = insertelement <8 x float> poison, float %v693, i64 0
  %v695 = shufflevector <8 x float> %v694, <8 x float> poison, <8 x i32> zeroinitializer
  %v696 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v695, <8 x float> %v648, <8 x float> %v640)
  %v630 = add nuw nsw i64 %v629, 1
  %v697 = icmp ne i64 %v630, 16
  br i1 %v697, label %k.loop627, label %k.done628
k.done628:
  br label %k.loop698
k.loop698:
  %v700 = phi i64 [ 0, %k.done628 ], [ %v701, %k.loop698 ]
  %v702 = phi <8 x float> [ %v651, %k.done628 ], [ %v722, %k.loop698 ]
  %v703 = phi <8 x float> [ %v656, %k.done628 ], [ %v727, %k.loop698 ]
  %v704 = phi <8 x float> [ %v661, %k.done628 ], [ %v732, %k.loop698 ]
  %v705 = phi <8 x float> [ %v666, %k.done628 ], [ %v737, %k.loop698 ]
  %v706 = phi <8 x float> [ %v671, %k.done628 ], [ %v742, %k.loop698 ]
  %v707 = phi <8 x float> [ %v676, %k.done628 ], [ %v747, %k.loop698 ]
  %v708 = phi <8 x float> [ %v681, %k.done628 ], [ %v752, %k.loop698 ]
  %v709 = phi <8 x float> [ %v686, %k.done628 ], [ %v757, %k.loop698 ]
  %v710 = phi <8 x float> [ %v691, %k.done628 ], [ %v762, %k.loop698 ]
  %v711 = phi <8 x float> [ %v696, %k.done628 ], [ %v767, %k.loop698 ]
  %v712 = mul nsw i64 %v700, 4
  %v713 = getelementptr i8, ptr %v642, i64 %v712
  %v716 = mul nsw i64 %v700, 64
  %v717 = getelementptr i8, ptr %v10, i64 %v716
  %v714 = getelementptr i8, ptr %v713, i64 64
  %v715 = load float, ptr %v714, align 4
  %v718 = getelementptr i8, ptr %v717, i64 1024
  %v719 = load <8 x float>, ptr %v718, align 32
  %v720 = insertelement <8 x float> poison, float %v715, i64 0
  %v721 = shufflevector <8 x float> %v720, <8 x float> poison, <8 x i32> zeroinitializer
  %v722 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v721, <8 x float> %v719, <8 x float> %v702)
  %v723 = getelementptr i8, ptr %v713, i64 144
  %v724 = load float, ptr %v723, align 4
  %v725 = insertelement <8 x float> poison, float %v724, i64 0
  %v726 = shufflevector <8 x float> %v725, <8 x float> poison, <8 x i32> zeroinitializer
  %v727 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v726, <8 x float> %v719, <8 x float> %v703)
  %v728 = getelementptr i8, ptr %v713, i64 224
  %v729 = load float, ptr %v728, align 4
  %v730 = insertelement <8 x float> poison, float %v729, i64 0
  %v731 = shufflevector <8 x float> %v730, <8 x float> poison, <8 x i32> zeroinitializer
  %v732 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v731, <8 x float> %v719, <8 x float> %v704)
  %v733 = getelementptr i8, ptr %v713, i64 304
  %v734 = load float, ptr %v733, align 4
  %v735 = insertelement <8 x float> poison, float %v734, i64 0
  %v736 = shufflevector <8 x float> %v735, <8 x float> poison, <8 x i32> zeroinitializer
  %v737 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v736, <8 x float> %v719, <8 x float> %v705)
  %v738 = getelementptr i8, ptr %v713, i64 384
  %v739 = load float, ptr %v738, align 4
  %v740 = insertelement <8 x float> poison, float %v739, i64 0
  %v741 = shufflevector <8 x float> %v740, <8 x float> poison, <8 x i32> zeroinitializer
  %v742 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v741, <8 x float> %v719, <8 x float> %v706)
  %v743 = getelementptr i8, ptr %v713, i64 464
  %v744 = load float, ptr %v743, align 4
  %v745 = insertelement <8 x float> poison, float %v744, i64 0
  %v746 = shufflevector <8 x float> %v745, <8 x float> poison, <8 x i32> zeroinitializer
  %v747 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v746, <8 x float> %v719, <8 x float> %v707)
  %v748 = getelementptr i8, ptr %v713, i64 544
  %v749 = load float, ptr %v748, align 4
  %v750 = insertelement <8 x float> poison, float %v749, i64 0
  %v751 = shufflevector <8 x float> %v750, <8 x float> poison, <8 x i32> zeroinitializer
  %v752 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v751, <8 x float> %v719, <8 x float> %v708)
  %v753 = getelementptr i8, ptr %v713, i64 624
  %v754 = load float, ptr %v753, align 4
  %v755 = insertelement <8 x float> poison, float %v754, i64 0
  %v756 = shufflevector <8 x float> %v755, <8 x float> poison, <8 x i32> zeroinitializer
  %v757 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v756, <8 x float> %v719, <8 x float> %v709)
  %v758 = getelementptr i8, ptr %v713, i64 704
  %v759 = load float, ptr %v758, align 4
  %v760 = insertelement <8 x float> poison, float %v759, i64 0
  %v761 = shufflevector <8 x float> %v760, <8 x float> poison, <8 x i32> zeroinitializer
  %v762 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v761, <8 x float> %v719, <8 x float> %v710)
  %v763 = getelementptr i8, ptr %v713, i64 784
  %v764 = load float, ptr %v763, align 4
  %v765 = insertelement <8 x float> poison, float %v764, i64 0
  %v766 = shufflevector <8 x float> %v765, <8 x float> poison, <8 x i32> zeroinitializer
  %v767 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v766, <8 x float> %v719, <8 x float> %v711)
  %v701 = add nuw nsw i64 %v700, 1
  %v768 = icmp ne i64 %v701, 4
  br i1 %v768, label %k.loop698, label %k.done699
k.done699:
  store <8 x float> %v722, ptr %v607, align 32
  store <8 x float> %v727, ptr %v609, align 32
  store <8 x float> %v732, ptr %v611, align 32
  store <8 x float> %v737, ptr %v613, align 32
  store <8 x float> %v742, ptr %v615, align 32
  store <8 x float> %v747, ptr %v617, align 32
  store <8 x float> %v752, ptr %v619, align 32
  store <8 x float> %v757, ptr %v621, align 32
  store <8 x float> %v762, ptr %v623, align 32
  store <8 x float> %v767, ptr %v625, align 32
  %v605 = add nuw nsw i64 %v604, 1
  %v769 = icmp ne i64 %v605, 4
  br i1 %v769, label %nt.loop602, label %nt.done603
nt.done603:
  br label %nt.loop770
nt.loop770:
  %v772 = phi i64 [ 0, %nt.done603 ], [ %v773, %nt.loop770 ]
  %v774 = mul nsw i64 %v772, 640
  %v775 = getelementptr i8, ptr %v9, i64 %v774
  %v777 = mul nsw i64 %v772, 960
  %v778 = getelementptr i8, ptr %v8, i64 %v777
  %v776 = load <8 x float>, ptr %v775, align 32
  %v779 = getelementptr i8, ptr %v778, i64 64
  store <8 x float> %v776, ptr %v779, align 4
  %v780 = getelementptr i8, ptr %v775, i64 64
  %v781 = load <8 x float>, ptr %v780, align 32
  %v782 = getelementptr i8, ptr %v778, i64 160
  store <8 x float> %v781, ptr %v782, align 4
  %v783 = getelementptr i8, ptr %v775, i64 128
  %v784 = load <8 x float>, ptr %v783, align 32
  %v785 = getelementptr i8, ptr %v778, i64 256
  store <8 x float> %v784, ptr %v785, align 4
  %v786 = getelementptr i8, ptr %v775, i64 192
  %v787 = load <8 x float>, ptr %v786, align 32
  %v788 = getelementptr i8, ptr %v778, i64 352
  store <8 x float> %v787, ptr %v788, align 4
  %v789 = getelementptr i8, ptr %v775, i64 256
  %v790 = load <8 x float>, ptr %v789, align 32
  %v791 = getelementptr i8, ptr %v778, i64 448
  store <8 x float> %v790, ptr %v791, align 4
  %v792 = getelementptr i8, ptr %v775, i64 320
  %v793 = load <8 x float>, ptr %v792, align 32
  %v794 = getelementptr i8, ptr %v778, i64 544
  store <8 x float> %v793, ptr %v794, align 4
  %v795 = getelementptr i8, ptr %v775, i64 384
  %v796 = load <8 x float>, ptr %v795, align 32
  %v797 = getelementptr i8, ptr %v778, i64 640
  store <8 x float> %v796, ptr %v797, align 4
  %v798 = getelementptr i8, ptr %v775, i64 448
  %v799 = load <8 x float>, ptr %v798, align 32
  %v800 = getelementptr i8, ptr %v778, i64 736
  store <8 x float> %v799, ptr %v800, align 4
  %v801 = getelementptr i8, ptr %v775, i64 512
  %v802 = load <8 x float>, ptr %v801, align 32
  %v803 = getelementptr i8, ptr %v778, i64 832
  store <8 x float> %v802, ptr %v803, align 4
  %v804 = getelementptr i8, ptr %v775, i64 576
  %v805 = load <8 x float>, ptr %v804, align 32
  %v806 = getelementptr i8, ptr %v778, i64 928
  store <8 x float> %v805, ptr %v806, align 4
  %v773 = add nuw nsw i64 %v772, 1
  %v807 = icmp ne i64 %v773, 4
  br i1 %v807, label %nt.loop770, label %nt.done771
nt.done771:
  %v15 = add nuw nsw i64 %v14, 1
  %v808 = icmp ne i64 %v15, %hi
  br i1 %v808, label %items.loop11, label %items.done12
items.done12:
  ret void
}
