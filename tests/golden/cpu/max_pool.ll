define void @k_e0e48631fd7f5859(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v9 = icmp slt i64 %lo, %hi
  br i1 %v9, label %loop7, label %done8
loop7:
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %loop7 ]
  %v12 = urem i64 %v10, 2
  %v13 = udiv i64 %v10, 2
  %v14 = urem i64 %v13, 2
  %v15 = udiv i64 %v13, 2
  %v16 = urem i64 %v15, 2
  %v17 = udiv i64 %v15, 2
  %v18 = mul nsw i64 %v16, 1024
  %v19 = getelementptr i8, ptr %v2, i64 %v18
  %v20 = mul nsw i64 %v14, 512
  %v21 = getelementptr i8, ptr %v19, i64 %v20
  %v22 = mul nsw i64 %v12, 128
  %v23 = getelementptr i8, ptr %v21, i64 %v22
  %v24 = mul nsw i64 %v17, 2048
  %v25 = getelementptr i8, ptr %v23, i64 %v24
  %v54 = mul nsw i64 %v16, 256
  %v55 = getelementptr i8, ptr %v4, i64 %v54
  %v56 = mul nsw i64 %v14, 128
  %v57 = getelementptr i8, ptr %v55, i64 %v56
  %v58 = mul nsw i64 %v12, 64
  %v59 = getelementptr i8, ptr %v57, i64 %v58
  %v60 = mul nsw i64 %v17, 512
  %v61 = getelementptr i8, ptr %v59, i64 %v60
  %v62 = mul nsw i64 %v16, 64
  %v63 = getelementptr i8, ptr %v6, i64 %v62
  %v64 = mul nsw i64 %v14, 32
  %v65 = getelementptr i8, ptr %v63, i64 %v64
  %v66 = mul nsw i64 %v12, 16
  %v67 = getelementptr i8, ptr %v65, i64 %v66
  %v68 = mul nsw i64 %v17, 128
  %v69 = getelementptr i8, ptr %v67, i64 %v68
  %v26 = load <16 x float>, ptr %v25, align 64
  %v27 = fcmp ogt <16 x float> %v26, splat (float 0xFFF0000000000000)
  %v28 = fcmp uno <16 x float> %v26, %v26
  %v29 = or <16 x i1> %v27, %v28
  %v30 = select <16 x i1> %v29, <16 x float> %v26, <16 x float> splat (float 0xFFF0000000000000)
  %v31 = select <16 x i1> %v29, <16 x i32> splat (i32 0), <16 x i32> splat (i32 0)
  %v32 = getelementptr i8, ptr %v25, i64 64
  %v33 = load <16 x float>, ptr %v32, align 64
  %v34 = fcmp ogt <16 x float> %v33, %v30
  %v35 = fcmp uno <16 x float> %v33, %v33
  %v36 = or <16 x i1> %v34, %v35
  %v37 = select <16 x i1> %v36, <16 x float> %v33, <16 x float> %v30
  %v38 = select <16 x i1> %v36, <16 x i32> splat (i32 1), <16 x i32> %v31
  %v39 = getelementptr i8, ptr %v25, i64 256
  %v40 = load <16 x float>, ptr %v39, align 64
  %v41 = fcmp ogt <16 x float> %v40, %v37
  %v42 = fcmp uno <16 x float> %v40, %v40
  %v43 = or <16 x i1> %v41, %v42
  %v44 = select <16 x i1> %v43, <16 x float> %v40, <16 x float> %v37
  %v45 = select <16 x i1> %v43, <16 x i32> splat (i32 2), <16 x i32> %v38
  %v46 = getelementptr i8, ptr %v25, i64 320
  %v47 = load <16 x float>, ptr %v46, align 64
  %v48 = fcmp ogt <16 x float> %v47, %v44
  %v49 = fcmp uno <16 x float> %v47, %v47
  %v50 = or <16 x i1> %v48, %v49
  %v51 = select <16 x i1> %v50, <16 x float> %v47, <16 x float> %v44
  %v52 = select <16 x i1> %v50, <16 x i32> splat (i32 3), <16 x i32> %v45
  %v53 = trunc <16 x i32> %v52 to <16 x i8>
  store <16 x float> %v51, ptr %v61, align 64
  store <16 x i8> %v53, ptr %v69, align 16
  %v11 = add nuw nsw i64 %v10, 1
  %v70 = icmp ne i64 %v11, %hi
  br i1 %v70, label %loop7, label %done8
done8:
  ret void
}
