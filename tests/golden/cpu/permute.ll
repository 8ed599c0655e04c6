define void @k_56eabbbd4bd08fcd(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = sub i64 %lo, 0
  %v6 = call i64 @llvm.smax.i64(i64 %v5, i64 0)
  %v7 = sub i64 %hi, 0
  %v8 = call i64 @llvm.smin.i64(i64 %v7, i64 2)
  %v218 = mul nsw i64 %v6, 64
  %v219 = getelementptr i8, ptr %v2, i64 %v218
  %v220 = mul nsw i64 %v8, 64
  %v221 = getelementptr i8, ptr %v2, i64 %v220
  %v224 = mul nsw i64 %v6, 4032
  %v225 = getelementptr i8, ptr %v4, i64 %v224
  %v11 = icmp slt i64 %v6, %v8
  br i1 %v11, label %items.loop9, label %items.done10
items.loop9:
  %v16 = phi ptr [ %v219, %entry ], [ %v217, %a1.done14 ]
  %v113 = phi ptr [ %v225, %entry ], [ %v223, %a1.done14 ]
  %v212 = getelementptr i8, ptr %v16, i64 420
  br label %a1.loop13
a1.loop13:
  %v17 = phi ptr [ %v16, %items.loop9 ], [ %v211, %a1.loop13 ]
  %v114 = phi ptr [ %v113, %items.loop9 ], [ %v214, %a1.loop13 ]
  %v18 = load <16 x float>, ptr %v17, align 4
  %v19 = getelementptr i8, ptr %v17, i64 420
  %v20 = load <16 x float>, ptr %v19, align 4
  %v21 = getelementptr i8, ptr %v17, i64 840
  %v22 = load <16 x float>, ptr %v21, align 4
  %v23 = getelementptr i8, ptr %v17, i64 1260
  %v24 = load <16 x float>, ptr %v23, align 4
  %v25 = getelementptr i8, ptr %v17, i64 1680
  %v26 = load <16 x float>, ptr %v25, align 4
  %v27 = getelementptr i8, ptr %v17, i64 2100
  %v28 = load <16 x float>, ptr %v27, align 4
  %v29 = getelementptr i8, ptr %v17, i64 2520
  %v30 = load <16 x float>, ptr %v29, align 4
  %v31 = getelementptr i8, ptr %v17, i64 2940
  %v32 = load <16 x float>, ptr %v31, align 4
  %v33 = getelementptr i8, ptr %v17, i64 3360
  %v34 = load <16 x float>, ptr %v33, align 4
  %v35 = getelementptr i8, ptr %v17, i64 3780
  %v36 = load <16 x float>, ptr %v35, align 4
  %v37 = getelementptr i8, ptr %v17, i64 4200
  %v38 = load <16 x float>, ptr %v37, align 4
  %v39 = getelementptr i8, ptr %v17, i64 4620
  %v40 = load <16 x float>, ptr %v39, align 4
  %v41 = getelementptr i8, ptr %v17, i64 5040
  %v42 = load <16 x float>, ptr %v41, align 4
  %v43 = getelementptr i8, ptr %v17, i64 5460
  %v44 = load <16 x float>, ptr %v43, align 4
  %v45 = getelementptr i8, ptr %v17, i64 5880
  %v46 = load <16 x float>, ptr %v45, align 4
  %v47 = getelementptr i8, ptr %v17, i64 6300
  %v48 = load <16 x float>, ptr %v47, align 4
  %v49 = shufflevector <16 x float> %v18, <16 x float> %v20, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v50 = shufflevector <16 x float> %v18, <16 x float> %v20, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v51 = shufflevector <16 x float> %v22, <16 x float> %v24, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v52 = shufflevector <16 x float> %v22, <16 x float> %v24, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v53 = shufflevector <16 x float> %v26, <16 x float> %v28, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v54 = shufflevector <16 x float> %v26, <16 x float> %v28, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v55 = shufflevector <16 x float> %v30, <16 x float> %v32, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v56 = shufflevector <16 x float> %v30, <16 x float> %v32, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v57 = shufflevector <16 x float> %v34, <16 x float> %v36, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v58 = shufflevector <16 x float> %v34, <16 x float> %v36, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v59 = shufflevector <16 x float> %v38, <16 x float> %v40, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v60 = shufflevector <16 x float> %v38, <16 x float> %v40, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v61 = shufflevector <16 x float> %v42, <16 x float> %v44, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v62 = shufflevector <16 x float> %v42, <16 x float> %v44, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v63 = shufflevector <16 x float> %v46, <16 x float> %v48, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v64 = shufflevector <16 x float> %v46, <16 x float> %v48, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v65 = shufflevector <16 x float> %v49, <16 x float> %v51, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v66 = shufflevector <16 x float> %v49, <16 x float> %v51, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v67 = shufflevector <16 x float> %v50, <16 x float> %v52, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v68 = shufflevector <16 x float> %v50, <16 x float> %v52, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v69 = shufflevector <16 x float> %v53, <16 x float> %v55, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v70 = shufflevector <16 x float> %v53, <16 x float> %v55, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v71 = shufflevector <16 x float> %v54, <16 x float> %v56, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v72 = shufflevector <16 x float> %v54, <16 x float> %v56, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v73 = shufflevector <16 x float> %v57, <16 x float> %v59, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v74 = shufflevector <16 x float> %v57, <16 x float> %v59, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v75 = shufflevector <16 x float> %v58, <16 x float> %v60, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v76 = shufflevector <16 x float> %v58, <16 x float> %v60, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v77 = shufflevector <16 x float> %v61, <16 x float> %v63, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v78 = shufflevector <16 x float> %v61, <16 x float> %v63, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v79 = shufflevector <16 x float> %v62, <16 x float> %v64, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v80 = shufflevector <16 x float> %v62, <16 x float> %v64, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v81 = shufflevector <16 x float> %v65, <16 x float> %v69, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v82 = shufflevector <16 x float> %v65, <16 x float> %v69, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v83 = shufflevector <16 x float> %v67, <16 x float> %v71, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v84 = shufflevector <16 x float> %v67, <16 x float> %v71, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v85 = shufflevector <16 x float> %v66, <16 x float> %v70, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v86 = shufflevector <16 x float> %v66, <16 x float> %v70, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v87 = shufflevector <16 x float> %v68, <16 x float> %v72, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v88 = shufflevector <16 x float> %v68, <16 x float> %v72, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v89 = shufflevector <16 x float> %v73, <16 x float> %v77, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v90 = shufflevector <16 x float> %v73, <16 x float> %v77, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v91 = shufflevector <16 x float> %v75, <16 x float> %v79, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v92 = shufflevector <16 x float> %v75, <16 x float> %v79, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v93 = shufflevector <16 x float> %v74, <16 x float> %v78, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v94 = shufflevector <16 x float> %v74, <16 x float> %v78, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v95 = shufflevector <16 x float> %v76, <16 x float> %v80, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v96 = shufflevector <16 x float> %v76, <16 x float> %v80, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v97 = shufflevector <16 x float> %v81, <16 x float> %v89, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v98 = shufflevector <16 x float> %v81, <16 x float> %v89, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v99 = shufflevector <16 x float> %v83, <16 x float> %v91, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v100 = shufflevector <16 x float> %v83, <16 x float> %v91, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v101 = shufflevector <16 x float> %v85, <16 x float> %v93, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v102 = shufflevector <16 x float> %v85, <16 x float> %v93, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v103 = shufflevector <16 x float> %v87, <16 x float> %v95, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v104 = shufflevector <16 x float> %v87, <16 x float> %v95, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v105 = shufflevector <16 x float> %v82, <16 x float> %v90, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v106 = shufflevector <16 x float> %v82, <16 x float> %v90, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v107 = shufflevector <16 x float> %v84, <16 x float> %v92, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v108 = shufflevector <16 x float> %v84, <16 x float> %v92, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v109 = shufflevector <16 x float> %v86, <16 x float> %v94, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v110 = shufflevector <16 x float> %v86, <16 x float> %v94, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v111 = shufflevector <16 x float> %v88, <16 x float> %v96, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v112 = shufflevector <16 x float> %v88, <16 x float> %v96, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  store <16 x float> %v97, ptr %v114, align 4
  %v115 = getelementptr i8, ptr %v114, i64 252
  store <16 x float> %v99, ptr %v115, align 4
  %v116 = getelementptr i8, ptr %v114, i64 504
  store <16 x float> %v101, ptr %v116, align 4
  %v117 = getelementptr i8, ptr %v114, i64 756
  store <16 x float> %v103, ptr %v117, align 4
  %v118 = getelementptr i8, ptr %v114, i64 1008
  store <16 x float> %v105, ptr %v118, align 4
  %v119 = getelementptr i8, ptr %v114, i64 1260
  store <16 x float> %v107, ptr %v119, align 4
  %v120 = getelementptr i8, ptr %v114, i64 1512
  store <16 x float> %v109, ptr %v120, align 4
  %v121 = getelementptr i8, ptr %v114, i64 1764
  store <16 x float> %v111, ptr %v121, align 4
  %v122 = getelementptr i8, ptr %v114, i64 2016
  store <16 x float> %v98, ptr %v122, align 4
  %v123 = getelementptr i8, ptr %v114, i64 2268
  store <16 x float> %v100, ptr %v123, align 4
  %v124 = getelementptr i8, ptr %v114, i64 2520
  store <16 x float> %v102, ptr %v124, align 4
  %v125 = getelementptr i8, ptr %v114, i64 2772
  store <16 x float> %v104, ptr %v125, align 4
  %v126 = getelementptr i8, ptr %v114, i64 3024
  store <16 x float> %v106, ptr %v126, align 4
  %v127 = getelementptr i8, ptr %v114, i64 3276
  store <16 x float> %v108, ptr %v127, align 4
  %v128 = getelementptr i8, ptr %v114, i64 3528
  store <16 x float> %v110, ptr %v128, align 4
  %v129 = getelementptr i8, ptr %v114, i64 3780
  store <16 x float> %v112, ptr %v129, align 4
  %v130 = getelementptr i8, ptr %v17, i64 6720
  %v131 = load <16 x float>, ptr %v130, align 4
  %v132 = getelementptr i8, ptr %v17, i64 7140
  %v133 = load <16 x float>, ptr %v132, align 4
  %v134 = getelementptr i8, ptr %v17, i64 7560
  %v135 = load <16 x float>, ptr %v134, align 4
  %v136 = getelementptr i8, ptr %v17, i64 7980
  %v137 = load <16 x float>, ptr %v136, align 4
  %v138 = getelementptr i8, ptr %v17, i64 8400
  %v139 = load <16 x float>, ptr %v138, align 4
  %v140 = shufflevector <16 x float> %v131, <16 x float> %v133, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v141 = shufflevector <16 x float> %v131, <16 x float> %v133, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v142 = shufflevector <16 x float> %v135, <16 x float> %v137, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v143 = shufflevector <16 x float> %v135, <16 x float> %v137, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v144 = shufflevector <16 x float> %v139, <16 x float> poison, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v145 = shufflevector <16 x float> %v139, <16 x float> poison, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v146 = shufflevector <16 x float> %v140, <16 x float> %v142, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v147 = shufflevector <16 x float> %v140, <16 x float> %v142, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v148 = shufflevector <16 x float> %v141, <16 x float> %v143, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v149 = shufflevector <16 x float> %v141, <16 x float> %v143, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v150 = shufflevector <16 x float> %v144, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v151 = shufflevector <16 x float> %v144, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v152 = shufflevector <16 x float> %v145, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v153 = shufflevector <16 x float> %v145, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v154 = shufflevector <16 x float> %v146, <16 x float> %v150, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v155 = shufflevector <16 x float> %v146, <16 x float> %v150, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v156 = shufflevector <16 x float> %v148, <16 x float> %v152, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v157 = shufflevector <16 x float> %v148, <16 x float> %v152, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v158 = shufflevector <16 x float> %v147, <16 x float> %v151, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v159 = shufflevector <16 x float> %v147, <16 x float> %v151, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v160 = shufflevector <16 x float> %v149, <16 x float> %v153, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v161 = shufflevector <16 x float> %v149, <16 x float> %v153, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v162 = shufflevector <16 x float> %v154, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v163 = shufflevector <16 x float> %v154, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v164 = shufflevector <16 x float> %v156, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v165 = shufflevector <16 x float> %v156, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v166 = shufflevector <16 x float> %v158, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v167 = shufflevector <16 x float> %v158, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v168 = shufflevector <16 x float> %v160, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v169 = shufflevector <16 x float> %v160, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v170 = shufflevector <16 x float> %v155, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v171 = shufflevector <16 x float> %v155, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v172 = shufflevector <16 x float> %v157, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v173 = shufflevector <16 x float> %v157, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v174 = shufflevector <16 x float> %v159, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v175 = shufflevector <16 x float> %v159, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v176 = shufflevector <16 x float> %v161, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v177 = shufflevector <16 x float> %v161, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v178 = shufflevector <16 x float> %v162, <16 x float> %v162, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v179 = shufflevector <16 x float> %v164, <16 x float> %v164, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v180 = shufflevector <16 x float> %v166, <16 x float> %v166, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v181 = shufflevector <16 x float> %v168, <16 x float> %v168, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v182 = shufflevector <16 x float> %v170, <16 x float> %v170, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v183 = shufflevector <16 x float> %v172, <16 x float> %v172, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v184 = shufflevector <16 x float> %v174, <16 x float> %v174, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v185 = shufflevector <16 x float> %v176, <16 x float> %v176, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v186 = shufflevector <16 x float> %v163, <16 x float> %v163, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v187 = shufflevector <16 x float> %v165, <16 x float> %v165, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v188 = shufflevector <16 x float> %v167, <16 x float> %v167, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v189 = shufflevector <16 x float> %v169, <16 x float> %v169, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v190 = shufflevector <16 x float> %v171, <16 x float> %v171, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v191 = shufflevector <16 x float> %v173, <16 x float> %v173, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v192 = shufflevector <16 x float> %v175, <16 x float> %v175, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v193 = shufflevector <16 x float> %v177, <16 x float> %v177, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v194 = getelementptr i8, ptr %v114, i64 64
  store <5 x float> %v178, ptr %v194, align 4
  %v195 = getelementptr i8, ptr %v114, i64 316
  store <5 x float> %v179, ptr %v195, align 4
  %v196 = getelementptr i8, ptr %v114, i64 568
  store <5 x float> %v180, ptr %v196, align 4
  %v197 = getelementptr i8, ptr %v114, i64 820
  store <5 x float> %v181, ptr %v197, align 4
  %v198 = getelementptr i8, ptr %v114, i64 1072
  store <5 x float> %v182, ptr %v198, align 4
  %v199 = getelementptr i8, ptr %v114, i64 1324
  store <5 x float> %v183, ptr %v199, align 4
  %v200 = getelementptr i8, ptr %v114, i64 1576
  store <5 x float> %v184, ptr %v200, align 4
  %v201 = getelementptr i8, ptr %v114, i64 1828
  store <5 x float> %v185, ptr %v201, align 4
  %v202 = getelementptr i8, ptr %v114, i64 2080
  store <5 x float> %v186, ptr %v202, align 4
  %v203 = getelementptr i8, ptr %v114, i64 2332
  store <5 x float> %v187, ptr %v203, align 4
  %v204 = getelementptr i8, ptr %v114, i64 2584
  store <5 x float> %v188, ptr %v204, align 4
  %v205 = getelementptr i8, ptr %v114, i64 2836
  store <5 x float> %v189, ptr %v205, align 4
  %v206 = getelementptr i8, ptr %v114, i64 3088
  store <5 x float> %v190, ptr %v206, align 4
  %v207 = getelementptr i8, ptr %v114, i64 3340
  store <5 x float> %v191, ptr %v207, align 4
  %v208 = getelementptr i8, ptr %v114, i64 3592
  store <5 x float> %v192, ptr %v208, align 4
  %v209 = getelementptr i8, ptr %v114, i64 3844
  store <5 x float> %v193, ptr %v209, align 4
  %v210 = getelementptr i8, ptr %v17, i64 140
  %v211 = freeze ptr %v210
  %v213 = getelementptr i8, ptr %v114, i64 84
  %v214 = freeze ptr %v213
  %v215 = icmp ne ptr %v211, %v212
  br i1 %v215, label %a1.loop13, label %a1.done14
a1.done14:
  %v216 = getelementptr i8, ptr %v16, i64 64
  %v217 = freeze ptr %v216
  %v222 = getelementptr i8, ptr %v113, i64 4032
  %v223 = freeze ptr %v222
  %v226 = icmp ne ptr %v217, %v221
  br i1 %v226, label %items.loop9, label %items.done10
items.done10:
  %v227 = sub i64 %lo, 2
  %v228 = call i64 @llvm.smax.i64(i64 %v227, i64 0)
  %v229 = sub i64 %hi, 2
  %v230 = call i64 @llvm.smin.i64(i64 %v229, i64 1)
  %v233 = icmp slt i64 %v228, %v230
  br i1 %v233, label %items.loop231, label %items.done232
items.loop231:
  %v409 = phi i64 [ %v228, %items.done10 ], [ %v411, %a1.done236 ]
  %v405 = getelementptr i8, ptr %v2, i64 420
  br label %a1.loop235
a1.loop235:
  %v238 = phi ptr [ %v2, %items.loop231 ], [ %v404, %a1.loop235 ]
  %v351 = phi ptr [ %v4, %items.loop231 ], [ %v407, %a1.loop235 ]
  %v239 = getelementptr i8, ptr %v238, i64 128
  %v240 = load <3 x float>, ptr %v239, align 4
  %v241 = getelementptr i8, ptr %v238, i64 548
  %v242 = load <3 x float>, ptr %v241, align 4
  %v243 = getelementptr i8, ptr %v238, i64 968
  %v244 = load <3 x float>, ptr %v243, align 4
  %v245 = getelementptr i8, ptr %v238, i64 1388
  %v246 = load <3 x float>, ptr %v245, align 4
  %v247 = getelementptr i8, ptr %v238, i64 1808
  %v248 = load <3 x float>, ptr %v247, align 4
  %v249 = getelementptr i8, ptr %v238, i64 2228
  %v250 = load <3 x float>, ptr %v249, align 4
  %v251 = getelementptr i8, ptr %v238, i64 2648
  %v252 = load <3 x float>, ptr %v251, align 4
  %v253 = getelementptr i8, ptr %v238, i64 3068
  %v254 = load <3 x float>, ptr %v253, align 4
  %v255 = getelementptr i8, ptr %v238, i64 3488
  %v256 = load <3 x float>, ptr %v255, align 4
  %v257 = getelementptr i8, ptr %v238, i64 3908
  %v258 = load <3 x float>, ptr %v257, align 4
  %v259 = getelementptr i8, ptr %v238, i64 4328
  %v260 = load <3 x float>, ptr %v259, align 4
  %v261 = getelementptr i8, ptr %v238, i64 4748
  %v262 = load <3 x float>, ptr %v261, align 4
  %v263 = getelementptr i8, ptr %v238, i64 5168
  %v264 = load <3 x float>, ptr %v263, align 4
  %v265 = getelementptr i8, ptr %v238, i64 5588
  %v266 = load <3 x float>, ptr %v265, align 4
  %v267 = getelementptr i8, ptr %v238, i64 6008
  %v268 = load <3 x float>, ptr %v267, align 4
  %v269 = getelementptr i8, ptr %v238, i64 6428
  %v270 = load <3 x float>, ptr %v269, align 4
  %v271 = shufflevector <3 x float> %v240, <3 x float> %v240, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v272 = shufflevector <3 x float> %v242, <3 x float> %v242, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v273 = shufflevector <3 x float> %v244, <3 x float> %v244, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v274 = shufflevector <3 x float> %v246, <3 x float> %v246, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v275 = shufflevector <3 x float> %v248, <3 x float> %v248, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v276 = shufflevector <3 x float> %v250, <3 x float> %v250, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v277 = shufflevector <3 x float> %v252, <3 x float> %v252, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v278 = shufflevector <3 x float> %v254, <3 x float> %v254, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v279 = shufflevector <3 x float> %v256, <3 x float> %v256, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v280 = shufflevector <3 x float> %v258, <3 x float> %v258, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v281 = shufflevector <3 x float> %v260, <3 x float> %v260, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v282 = shufflevector <3 x float> %v262, <3 x float> %v262, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v283 = shufflevector <3 x float> %v264, <3 x float> %v264, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v284 = shufflevector <3 x float> %v266, <3 x float> %v266, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v285 = shufflevector <3 x float> %v268, <3 x float> %v268, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v286 = shufflevector <3 x float> %v270, <3 x float> %v270, <16 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v287 = shufflevector <16 x float> %v271, <16 x float> %v272, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v288 = shufflevector <16 x float> %v271, <16 x float> %v272, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v289 = shufflevector <16 x float> %v273, <16 x float> %v274, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v290 = shufflevector <16 x float> %v273, <16 x float> %v274, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v291 = shufflevector <16 x float> %v275, <16 x float> %v276, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v292 = shufflevector <16 x float> %v275, <16 x float> %v276, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v293 = shufflevector <16 x float> %v277, <16 x float> %v278, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v294 = shufflevector <16 x float> %v277, <16 x float> %v278, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v295 = shufflevector <16 x float> %v279, <16 x float> %v280, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v296 = shufflevector <16 x float> %v279, <16 x float> %v280, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v297 = shufflevector <16 x float> %v281, <16 x float> %v282, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v298 = shufflevector <16 x float> %v281, <16 x float> %v282, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v299 = shufflevector <16 x float> %v283, <16 x float> %v284, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v300 = shufflevector <16 x float> %v283, <16 x float> %v284, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v301 = shufflevector <16 x float> %v285, <16 x float> %v286, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v302 = shufflevector <16 x float> %v285, <16 x float> %v286, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v303 = shufflevector <16 x float> %v287, <16 x float> %v289, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v304 = shufflevector <16 x float> %v287, <16 x float> %v289, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v305 = shufflevector <16 x float> %v288, <16 x float> %v290, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v306 = shufflevector <16 x float> %v288, <16 x float> %v290, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v307 = shufflevector <16 x float> %v291, <16 x float> %v293, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v308 = shufflevector <16 x float> %v291, <16 x float> %v293, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v309 = shufflevector <16 x float> %v292, <16 x float> %v294, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v310 = shufflevector <16 x float> %v292, <16 x float> %v294, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v311 = shufflevector <16 x float> %v295, <16 x float> %v297, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v312 = shufflevector <16 x float> %v295, <16 x float> %v297, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v313 = shufflevector <16 x float> %v296, <16 x float> %v298, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v314 = shufflevector <16 x float> %v296, <16 x float> %v298, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v315 = shufflevector <16 x float> %v299, <16 x float> %v301, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v316 = shufflevector <16 x float> %v299, <16 x float> %v301, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v317 = shufflevector <16 x float> %v300, <16 x float> %v302, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v318 = shufflevector <16 x float> %v300, <16 x float> %v302, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v319 = shufflevector <16 x float> %v303, <16 x float> %v307, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v320 = shufflevector <16 x float> %v303, <16 x float> %v307, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v321 = shufflevector <16 x float> %v305, <16 x float> %v309, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v322 = shufflevector <16 x float> %v305, <16 x float> %v309, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v323 = shufflevector <16 x float> %v304, <16 x float> %v308, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v324 = shufflevector <16 x float> %v304, <16 x float> %v308, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v325 = shufflevector <16 x float> %v306, <16 x float> %v310, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v326 = shufflevector <16 x float> %v306, <16 x float> %v310, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v327 = shufflevector <16 x float> %v311, <16 x float> %v315, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v328 = shufflevector <16 x float> %v311, <16 x float> %v315, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v329 = shufflevector <16 x float> %v313, <16 x float> %v317, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v330 = shufflevector <16 x float> %v313, <16 x float> %v317, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v331 = shufflevector <16 x float> %v312, <16 x float> %v316, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v332 = shufflevector <16 x float> %v312, <16 x float> %v316, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v333 = shufflevector <16 x float> %v314, <16 x float> %v318, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v334 = shufflevector <16 x float> %v314, <16 x float> %v318, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v335 = shufflevector <16 x float> %v319, <16 x float> %v327, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v336 = shufflevector <16 x float> %v319, <16 x float> %v327, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v337 = shufflevector <16 x float> %v321, <16 x float> %v329, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v338 = shufflevector <16 x float> %v321, <16 x float> %v329, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v339 = shufflevector <16 x float> %v323, <16 x float> %v331, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v340 = shufflevector <16 x float> %v323, <16 x float> %v331, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v341 = shufflevector <16 x float> %v325, <16 x float> %v333, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v342 = shufflevector <16 x float> %v325, <16 x float> %v333, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v343 = shufflevector <16 x float> %v320, <16 x float> %v328, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v344 = shufflevector <16 x float> %v320, <16 x float> %v328, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v345 = shufflevector <16 x float> %v322, <16 x float> %v330, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v346 = shufflevector <16 x float> %v322, <16 x float> %v330, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v347 = shufflevector <16 x float> %v324, <16 x float> %v332, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v348 = shufflevector <16 x float> %v324, <16 x float> %v332, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v349 = shufflevector <16 x float> %v326, <16 x float> %v334, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v350 = shufflevector <16 x float> %v326, <16 x float> %v334, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v352 = getelementptr i8, ptr %v351, i64 8064
  store <16 x float> %v335, ptr %v352, align 4
  %v353 = getelementptr i8, ptr %v351, i64 8316
  store <16 x float> %v337, ptr %v353, align 4
  %v354 = getelementptr i8, ptr %v351, i64 8568
  store <16 x float> %v339, ptr %v354, align 4
  %v355 = getelementptr i8, ptr %v238, i64 6848
  %v356 = load <3 x float>, ptr %v355, align 4
  %v357 = getelementptr i8, ptr %v238, i64 7268
  %v358 = load <3 x float>, ptr %v357, align 4
  %v359 = getelementptr i8, ptr %v238, i64 7688
  %v360 = load <3 x float>, ptr %v359, align 4
  %v361 = getelementptr i8, ptr %v238, i64 8108
  %v362 = load <3 x float>, ptr %v361, align 4
  %v363 = getelementptr i8, ptr %v238, i64 8528
  %v364 = load <3 x float>, ptr %v363, align 4
  %v365 = shufflevector <3 x float> %v356, <3 x float> %v356, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v366 = shufflevector <3 x float> %v358, <3 x float> %v358, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v367 = shufflevector <3 x float> %v360, <3 x float> %v360, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v368 = shufflevector <3 x float> %v362, <3 x float> %v362, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v369 = shufflevector <3 x float> %v364, <3 x float> %v364, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v370 = shufflevector <8 x float> %v365, <8 x float> %v366, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v371 = shufflevector <8 x float> %v365, <8 x float> %v366, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v372 = shufflevector <8 x float> %v367, <8 x float> %v368, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v373 = shufflevector <8 x float> %v367, <8 x float> %v368, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v374 = shufflevector <8 x float> %v369, <8 x float> poison, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v375 = shufflevector <8 x float> %v369, <8 x float> poison, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v376 = shufflevector <8 x float> %v370, <8 x float> %v372, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v377 = shufflevector <8 x float> %v370, <8 x float> %v372, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v378 = shufflevector <8 x float> %v371, <8 x float> %v373, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v379 = shufflevector <8 x float> %v371, <8 x float> %v373, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v380 = shufflevector <8 x float> %v374, <8 x float> poison, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v381 = shufflevector <8 x float> %v374, <8 x float> poison, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v382 = shufflevector <8 x float> %v375, <8 x float> poison, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v383 = shufflevector <8 x float> %v375, <8 x float> poison, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v384 = shufflevector <8 x float> %v376, <8 x float> %v380, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v385 = shufflevector <8 x float> %v376, <8 x float> %v380, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v386 = shufflevector <8 x float> %v378, <8 x float> %v382, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v387 = shufflevector <8 x float> %v378, <8 x float> %v382, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v388 = shufflevector <8 x float> %v377, <8 x float> %v381, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v389 = shufflevector <8 x float> %v377, <8 x float> %v381, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v390 = shufflevector <8 x float> %v379, <8 x float> %v383, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v391 = shufflevector <8 x float> %v379, <8 x float> %v383, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v392 = shufflevector <8 x float> %v384, <8 x float> %v384, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v393 = shufflevector <8 x float> %v386, <8 x float> %v386, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v394 = shufflevector <8 x float> %v388, <8 x float> %v388, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v395 = shufflevector <8 x float> %v390, <8 x float> %v390, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v396 = shufflevector <8 x float> %v385, <8 x float> %v385, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v397 = shufflevector <8 x float> %v387, <8 x float> %v387, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v398 = shufflevector <8 x float> %v389, <8 x float> %v389, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v399 = shufflevector <8 x float> %v391, <8 x float> %v391, <5 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4>
  %v400 = getelementptr i8, ptr %v351, i64 8128
  store <5 x float> %v392, ptr %v400, align 4
  %v401 = getelementptr i8, ptr %v351, i64 8380
  store <5 x float> %v393, ptr %v401, align 4
  %v402 = getelementptr i8, ptr %v351, i64 8632
  store <5 x float> %v394, ptr %v402, align 4
  %v403 = getelementptr i8, ptr %v238, i64 140
  %v404 = freeze ptr %v403
  %v406 = getelementptr i8, ptr %v351, i64 84
  %v407 = freeze ptr %v406
  %v408 = icmp ne ptr %v404, %v405
  br i1 %v408, label %a1.loop235, label %a1.done236
a1.done236:
  %v410 = add nsw i64 %v409, 1
  %v411 = freeze i64 %v410
  %v412 = icmp ne i64 %v411, %v230
  br i1 %v412, label %items.loop231, label %items.done232
items.done232:
  ret void
}
