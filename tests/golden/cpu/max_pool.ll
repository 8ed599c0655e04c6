define void @k_fa4184d26a75a6b1(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v9 = icmp slt i64 %lo, %hi
  br i1 %v9, label %items.loop7, label %items.done8
items.loop7:
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %i.done17 ]
  %v12 = urem i64 %v10, 2
  %v13 = udiv i64 %v10, 2
  %v14 = urem i64 %v13, 2
  %v15 = udiv i64 %v13, 2
  %v24 = mul nsw i64 %v14, 1024
  %v25 = getelementptr i8, ptr %v2, i64 %v24
  %v26 = mul nsw i64 %v15, 2048
  %v27 = getelementptr i8, ptr %v25, i64 %v26
  %v28 = mul nsw i64 %v12, 512
  %v29 = getelementptr i8, ptr %v27, i64 %v28
  %v69 = mul nsw i64 %v14, 256
  %v70 = getelementptr i8, ptr %v4, i64 %v69
  %v71 = mul nsw i64 %v15, 512
  %v72 = getelementptr i8, ptr %v70, i64 %v71
  %v73 = mul nsw i64 %v12, 128
  %v74 = getelementptr i8, ptr %v72, i64 %v73
  %v75 = mul nsw i64 %v14, 64
  %v76 = getelementptr i8, ptr %v6, i64 %v75
  %v77 = mul nsw i64 %v15, 128
  %v78 = getelementptr i8, ptr %v76, i64 %v77
  %v79 = mul nsw i64 %v12, 32
  %v80 = getelementptr i8, ptr %v78, i64 %v79
  br label %i.loop16
i.loop16:
  %v18 = phi i64 [ 0, %items.loop7 ], [ %v19, %i.loop16 ]
  %v20 = phi <16 x float> [ splat (float 0xFFF0000000000000), %items.loop7 ], [ %v54, %i.loop16 ]
  %v21 = phi <16 x i32> [ splat (i32 0), %items.loop7 ], [ %v59, %i.loop16 ]
  %v22 = phi <16 x float> [ splat (float 0xFFF0000000000000), %items.loop7 ], [ %v65, %i.loop16 ]
  %v23 = phi <16 x i32> [ splat (i32 0), %items.loop7 ], [ %v66, %i.loop16 ]
  %v30 = mul nsw i64 %v18, 256
  %v31 = getelementptr i8, ptr %v29, i64 %v30
  %v37 = mul nsw i64 %v18, 2
  %v55 = add nsw i64 %v37, 1
  %v32 = load <16 x float>, ptr %v31, align 64
  %v33 = fcmp ogt <16 x float> %v32, %v20
  %v34 = fcmp uno <16 x float> %v32, %v32
  %v35 = or <16 x i1> %v33, %v34
  %v36 = select <16 x i1> %v35, <16 x float> %v32, <16 x float> %v20
  %v38 = trunc i64 %v37 to i32
  %v39 = insertelement <16 x i32> poison, i32 %v38, i64 0
  %v40 = shufflevector <16 x i32> %v39, <16 x i32> poison, <16 x i32> zeroinitializer
  %v41 = select <16 x i1> %v35, <16 x i32> %v40, <16 x i32> %v21
  %v42 = getelementptr i8, ptr %v31, i64 128
  %v43 = load <16 x float>, ptr %v42, align 64
  %v44 = fcmp ogt <16 x float> %v43, %v22
  %v45 = fcmp uno <16 x float> %v43, %v43
  %v46 = or <16 x i1> %v44, %v45
  %v47 = select <16 x i1> %v46, <16 x float> %v43, <16 x float> %v22
  %v48 = select <16 x i1> %v46, <16 x i32> %v40, <16 x i32> %v23
  %v49 = getelementptr i8, ptr %v31, i64 64
  %v50 = load <16 x float>, ptr %v49, align 64
  %v51 = fcmp ogt <16 x float> %v50, %v36
  %v52 = fcmp uno <16 x float> %v50, %v50
  %v53 = or <16 x i1> %v51, %v52
  %v54 = select <16 x i1> %v53, <16 x float> %v50, <16 x float> %v36
  %v56 = trunc i64 %v55 to i32
  %v57 = insertelement <16 x i32> poison, i32 %v56, i64 0
  %v58 = shufflevector <16 x i32> %v57, <16 x i32> poison, <16 x i32> zeroinitializer
  %v59 = select <16 x i1> %v53, <16 x i32> %v58, <16 x i32> %v41
  %v60 = getelementptr i8, ptr %v31, i64 192
  %v61 = load <16 x float>, ptr %v60, align 64
  %v62 = fcmp ogt <16 x float> %v61, %v47
  %v63 = fcmp uno <16 x float> %v61, %v61
  %v64 = or <16 x i1> %v62, %v63
  %v65 = select <16 x i1> %v64, <16 x float> %v61, <16 x float> %v47
  %v66 = select <16 x i1> %v64, <16 x i32> %v58, <16 x i32> %v48
  %v19 = add nuw nsw i64 %v18, 1
  %v67 = icmp ne i64 %v19, 2
  br i1 %v67, label %i.loop16, label %i.done17
i.done17:
  %v68 = trunc <16 x i32> %v59 to <16 x i8>
  store <16 x float> %v54, ptr %v74, align 64
  store <16 x i8> %v68, ptr %v80, align 16
  %v81 = trunc <16 x i32> %v66 to <16 x i8>
  %v82 = getelementptr i8, ptr %v74, i64 64
  store <16 x float> %v65, ptr %v82, align 64
  %v83 = getelementptr i8, ptr %v80, i64 16
  store <16 x i8> %v81, ptr %v83, align 16
  %v11 = add nuw nsw i64 %v10, 1
  %v84 = icmp ne i64 %v11, %hi
  br i1 %v84, label %items.loop7, label %items.done8
items.done8:
  ret void
}
