define void @k_e6c86557a8f626ec(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v86, %i.done16 ]
  %v11 = urem i64 %v10, 2
  %v12 = udiv i64 %v10, 2
  %v13 = urem i64 %v12, 2
  %v14 = udiv i64 %v12, 2
  %v22 = mul nsw i64 %v13, 1024
  %v23 = getelementptr i8, ptr %v2, i64 %v22
  %v24 = mul nsw i64 %v14, 2048
  %v25 = getelementptr i8, ptr %v23, i64 %v24
  %v26 = mul nsw i64 %v11, 512
  %v27 = getelementptr i8, ptr %v25, i64 %v26
  %v70 = mul nsw i64 %v13, 256
  %v71 = getelementptr i8, ptr %v4, i64 %v70
  %v72 = mul nsw i64 %v14, 512
  %v73 = getelementptr i8, ptr %v71, i64 %v72
  %v74 = mul nsw i64 %v11, 128
  %v75 = getelementptr i8, ptr %v73, i64 %v74
  %v76 = mul nsw i64 %v13, 64
  %v77 = getelementptr i8, ptr %v6, i64 %v76
  %v78 = mul nsw i64 %v14, 128
  %v79 = getelementptr i8, ptr %v77, i64 %v78
  %v80 = mul nsw i64 %v11, 32
  %v81 = getelementptr i8, ptr %v79, i64 %v80
  br label %i.loop15
i.loop15:
  %v17 = phi i64 [ 0, %items.loop7 ], [ %v65, %i.loop15 ]
  %v28 = phi ptr [ %v27, %items.loop7 ], [ %v67, %i.loop15 ]
  %v18 = phi <16 x float> [ splat (float 0xFFF0000000000000), %items.loop7 ], [ %v51, %i.loop15 ]
  %v19 = phi <16 x i32> [ splat (i32 0), %items.loop7 ], [ %v56, %i.loop15 ]
  %v20 = phi <16 x float> [ splat (float 0xFFF0000000000000), %items.loop7 ], [ %v62, %i.loop15 ]
  %v21 = phi <16 x i32> [ splat (i32 0), %items.loop7 ], [ %v63, %i.loop15 ]
  %v34 = mul nsw i64 %v17, 2
  %v52 = add nsw i64 %v34, 1
  %v29 = load <16 x float>, ptr %v28, align 64
  %v30 = fcmp ogt <16 x float> %v29, %v18
  %v31 = fcmp uno <16 x float> %v29, %v29
  %v32 = or <16 x i1> %v30, %v31
  %v33 = select <16 x i1> %v32, <16 x float> %v29, <16 x float> %v18
  %v35 = trunc i64 %v34 to i32
  %v36 = insertelement <16 x i32> poison, i32 %v35, i64 0
  %v37 = shufflevector <16 x i32> %v36, <16 x i32> poison, <16 x i32> zeroinitializer
  %v38 = select <16 x i1> %v32, <16 x i32> %v37, <16 x i32> %v19
  %v39 = getelementptr i8, ptr %v28, i64 128
  %v40 = load <16 x float>, ptr %v39, align 64
  %v41 = fcmp ogt <16 x float> %v40, %v20
  %v42 = fcmp uno <16 x float> %v40, %v40
  %v43 = or <16 x i1> %v41, %v42
  %v44 = select <16 x i1> %v43, <16 x float> %v40, <16 x float> %v20
  %v45 = select <16 x i1> %v43, <16 x i32> %v37, <16 x i32> %v21
  %v46 = getelementptr i8, ptr %v28, i64 64
  %v47 = load <16 x float>, ptr %v46, align 64
  %v48 = fcmp ogt <16 x float> %v47, %v33
  %v49 = fcmp uno <16 x float> %v47, %v47
  %v50 = or <16 x i1> %v48, %v49
  %v51 = select <16 x i1> %v50, <16 x float> %v47, <16 x float> %v33
  %v53 = trunc i64 %v52 to i32
  %v54 = insertelement <16 x i32> poison, i32 %v53, i64 0
  %v55 = shufflevector <16 x i32> %v54, <16 x i32> poison, <16 x i32> zeroinitializer
  %v56 = select <16 x i1> %v50, <16 x i32> %v55, <16 x i32> %v38
  %v57 = getelementptr i8, ptr %v28, i64 192
  %v58 = load <16 x float>, ptr %v57, align 64
  %v59 = fcmp ogt <16 x float> %v58, %v44
  %v60 = fcmp uno <16 x float> %v58, %v58
  %v61 = or <16 x i1> %v59, %v60
  %v62 = select <16 x i1> %v61, <16 x float> %v58, <16 x float> %v44
  %v63 = select <16 x i1> %v61, <16 x i32> %v55, <16 x i32> %v45
  %v64 = add nsw i64 %v17, 1
  %v65 = freeze i64 %v64
  %v66 = getelementptr i8, ptr %v28, i64 256
  %v67 = freeze ptr %v66
  %v68 = icmp ne i64 %v65, 2
  br i1 %v68, label %i.loop15, label %i.done16
i.done16:
  %v69 = trunc <16 x i32> %v56 to <16 x i8>
  store <16 x float> %v51, ptr %v75, align 64
  store <16 x i8> %v69, ptr %v81, align 16
  %v82 = trunc <16 x i32> %v63 to <16 x i8>
  %v83 = getelementptr i8, ptr %v75, i64 64
  store <16 x float> %v62, ptr %v83, align 64
  %v84 = getelementptr i8, ptr %v81, i64 16
  store <16 x i8> %v82, ptr %v84, align 16
  %v85 = add nsw i64 %v10, 1
  %v86 = freeze i64 %v85
  %v87 = icmp ne i64 %v86, %hi
  br i1 %v87, label %items.loop7, label %items.done8
items.done8:
  ret void
}
