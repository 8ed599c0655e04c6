define void @k_38ea3344fa3a46fd(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v68 = mul nsw i64 %lo, 512
  %v69 = getelementptr i8, ptr %v2, i64 %v68
  %v70 = mul nsw i64 %hi, 512
  %v71 = getelementptr i8, ptr %v2, i64 %v70
  %v74 = mul nsw i64 %lo, 128
  %v75 = getelementptr i8, ptr %v4, i64 %v74
  %v78 = mul nsw i64 %lo, 32
  %v79 = getelementptr i8, ptr %v6, i64 %v78
  %v9 = icmp slt i64 %lo, %hi
  br i1 %v9, label %items.loop7, label %items.done8
items.loop7:
  %v18 = phi ptr [ %v69, %entry ], [ %v67, %i.done12 ]
  %v61 = phi ptr [ %v75, %entry ], [ %v73, %i.done12 ]
  %v62 = phi ptr [ %v79, %entry ], [ %v77, %i.done12 ]
  br label %i.loop11
i.loop11:
  %v13 = phi i64 [ 0, %items.loop7 ], [ %v56, %i.loop11 ]
  %v19 = phi ptr [ %v18, %items.loop7 ], [ %v58, %i.loop11 ]
  %v14 = phi <16 x float> [ splat (float 0xFFF0000000000000), %items.loop7 ], [ %v42, %i.loop11 ]
  %v15 = phi <16 x i32> [ splat (i32 0), %items.loop7 ], [ %v47, %i.loop11 ]
  %v16 = phi <16 x float> [ splat (float 0xFFF0000000000000), %items.loop7 ], [ %v53, %i.loop11 ]
  %v17 = phi <16 x i32> [ splat (i32 0), %items.loop7 ], [ %v54, %i.loop11 ]
  %v25 = mul nsw i64 %v13, 2
  %v43 = add nsw i64 %v25, 1
  %v20 = load <16 x float>, ptr %v19, align 64
  %v21 = fcmp ogt <16 x float> %v20, %v14
  %v22 = fcmp uno <16 x float> %v20, %v20
  %v23 = or <16 x i1> %v21, %v22
  %v24 = select <16 x i1> %v23, <16 x float> %v20, <16 x float> %v14
  %v26 = trunc i64 %v25 to i32
  %v27 = insertelement <16 x i32> poison, i32 %v26, i64 0
  %v28 = shufflevector <16 x i32> %v27, <16 x i32> poison, <16 x i32> zeroinitializer
  %v29 = select <16 x i1> %v23, <16 x i32> %v28, <16 x i32> %v15
  %v30 = getelementptr i8, ptr %v19, i64 128
  %v31 = load <16 x float>, ptr %v30, align 64
  %v32 = fcmp ogt <16 x float> %v31, %v16
  %v33 = fcmp uno <16 x float> %v31, %v31
  %v34 = or <16 x i1> %v32, %v33
  %v35 = select <16 x i1> %v34, <16 x float> %v31, <16 x float> %v16
  %v36 = select <16 x i1> %v34, <16 x i32> %v28, <16 x i32> %v17
  %v37 = getelementptr i8, ptr %v19, i64 64
  %v38 = load <16 x float>, ptr %v37, align 64
  %v39 = fcmp ogt <16 x float> %v38, %v24
  %v40 = fcmp uno <16 x float> %v38, %v38
  %v41 = or <16 x i1> %v39, %v40
  %v42 = select <16 x i1> %v41, <16 x float> %v38, <16 x float> %v24
  %v44 = trunc i64 %v43 to i32
  %v45 = insertelement <16 x i32> poison, i32 %v44, i64 0
  %v46 = shufflevector <16 x i32> %v45, <16 x i32> poison, <16 x i32> zeroinitializer
  %v47 = select <16 x i1> %v41, <16 x i32> %v46, <16 x i32> %v29
  %v48 = getelementptr i8, ptr %v19, i64 192
  %v49 = load <16 x float>, ptr %v48, align 64
  %v50 = fcmp ogt <16 x float> %v49, %v35
  %v51 = fcmp uno <16 x float> %v49, %v49
  %v52 = or <16 x i1> %v50, %v51
  %v53 = select <16 x i1> %v52, <16 x float> %v49, <16 x float> %v35
  %v54 = select <16 x i1> %v52, <16 x i32> %v46, <16 x i32> %v36
  %v55 = add nsw i64 %v13, 1
  %v56 = freeze i64 %v55
  %v57 = getelementptr i8, ptr %v19, i64 256
  %v58 = freeze ptr %v57
  %v59 = icmp ne i64 %v56, 2
  br i1 %v59, label %i.loop11, label %i.done12
i.done12:
  %v60 = trunc <16 x i32> %v47 to <16 x i8>
  store <16 x float> %v42, ptr %v61, align 64
  store <16 x i8> %v60, ptr %v62, align 16
  %v63 = trunc <16 x i32> %v54 to <16 x i8>
  %v64 = getelementptr i8, ptr %v61, i64 64
  store <16 x float> %v53, ptr %v64, align 64
  %v65 = getelementptr i8, ptr %v62, i64 16
  store <16 x i8> %v63, ptr %v65, align 16
  %v66 = getelementptr i8, ptr %v18, i64 512
  %v67 = freeze ptr %v66
  %v72 = getelementptr i8, ptr %v61, i64 128
  %v73 = freeze ptr %v72
  %v76 = getelementptr i8, ptr %v62, i64 32
  %v77 = freeze ptr %v76
  %v80 = icmp ne ptr %v67, %v71
  br i1 %v80, label %items.loop7, label %items.done8
items.done8:
  ret void
}
