define void @k_a1b154515308dd97(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v18 = urem i64 %v17, 2
  %v19 = udiv i64 %v17, 2
  %v20 = urem i64 %v19, 2
  %v21 = udiv i64 %v19, 2
  %v22 = mul nsw i64 %v20, 256
  %v23 = getelementptr i8, ptr %v2, i64 %v22
  %v24 = mul nsw i64 %v18, 128
  %v25 = getelementptr i8, ptr %v23, i64 %v24
  %v26 = mul nsw i64 %v16, 64
  %v27 = getelementptr i8, ptr %v25, i64 %v26
  %v28 = mul nsw i64 %v21, 512
  %v29 = getelementptr i8, ptr %v27, i64 %v28
  %v31 = mul nsw i64 %v20, 64
  %v32 = getelementptr i8, ptr %v4, i64 %v31
  %v33 = mul nsw i64 %v18, 32
  %v34 = getelementptr i8, ptr %v32, i64 %v33
  %v35 = mul nsw i64 %v16, 16
  %v36 = getelementptr i8, ptr %v34, i64 %v35
  %v37 = mul nsw i64 %v21, 128
  %v38 = getelementptr i8, ptr %v36, i64 %v37
  %v41 = mul nsw i64 %v14, 2
  %v42 = add nsw i64 %v41, %v12
  %v48 = mul nsw i64 %v20, 1024
  %v49 = getelementptr i8, ptr %v6, i64 %v48
  %v50 = mul nsw i64 %v14, 256
  %v51 = getelementptr i8, ptr %v49, i64 %v50
  %v52 = mul nsw i64 %v12, 64
  %v53 = getelementptr i8, ptr %v51, i64 %v52
  %v54 = mul nsw i64 %v18, 512
  %v55 = getelementptr i8, ptr %v53, i64 %v54
  %v56 = mul nsw i64 %v16, 128
  %v57 = getelementptr i8, ptr %v55, i64 %v56
  %v58 = mul nsw i64 %v21, 2048
  %v59 = getelementptr i8, ptr %v57, i64 %v58
  %v30 = load <16 x float>, ptr %v29, align 64
  %v39 = load <16 x i8>, ptr %v38, align 16
  %v40 = sext <16 x i8> %v39 to <16 x i32>
  %v43 = trunc i64 %v42 to i32
  %v44 = insertelement <16 x i32> poison, i32 %v43, i64 0
  %v45 = shufflevector <16 x i32> %v44, <16 x i32> poison, <16 x i32> zeroinitializer
  %v46 = icmp eq <16 x i32> %v40, %v45
  %v47 = select <16 x i1> %v46, <16 x float> %v30, <16 x float> splat (float 0x0000000000000000)
  store <16 x float> %v47, ptr %v59, align 64
  %v11 = add nuw nsw i64 %v10, 1
  %v60 = icmp ne i64 %v11, %hi
  br i1 %v60, label %loop7, label %done8
done8:
  ret void
}
