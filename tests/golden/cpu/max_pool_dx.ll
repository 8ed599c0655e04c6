define void @k_316be65b19e222bb(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v71, %items.loop7 ]
  %v11 = urem i64 %v10, 2
  %v12 = udiv i64 %v10, 2
  %v13 = urem i64 %v12, 2
  %v14 = udiv i64 %v12, 2
  %v15 = mul nsw i64 %v13, 256
  %v16 = getelementptr i8, ptr %v2, i64 %v15
  %v17 = mul nsw i64 %v14, 512
  %v18 = getelementptr i8, ptr %v16, i64 %v17
  %v19 = mul nsw i64 %v11, 128
  %v20 = getelementptr i8, ptr %v18, i64 %v19
  %v22 = mul nsw i64 %v13, 64
  %v23 = getelementptr i8, ptr %v4, i64 %v22
  %v24 = mul nsw i64 %v14, 128
  %v25 = getelementptr i8, ptr %v23, i64 %v24
  %v26 = mul nsw i64 %v11, 32
  %v27 = getelementptr i8, ptr %v25, i64 %v26
  %v45 = mul nsw i64 %v13, 1024
  %v46 = getelementptr i8, ptr %v6, i64 %v45
  %v47 = mul nsw i64 %v14, 2048
  %v48 = getelementptr i8, ptr %v46, i64 %v47
  %v49 = mul nsw i64 %v11, 512
  %v50 = getelementptr i8, ptr %v48, i64 %v49
  %v21 = load <16 x float>, ptr %v20, align 64
  %v28 = load <16 x i8>, ptr %v27, align 16
  %v29 = sext <16 x i8> %v28 to <16 x i32>
  %v30 = icmp eq <16 x i32> %v29, splat (i32 0)
  %v31 = select <16 x i1> %v30, <16 x float> %v21, <16 x float> splat (float 0x0000000000000000)
  %v32 = sext <16 x i8> %v28 to <16 x i32>
  %v33 = icmp eq <16 x i32> %v32, splat (i32 1)
  %v34 = select <16 x i1> %v33, <16 x float> %v21, <16 x float> splat (float 0x0000000000000000)
  %v35 = getelementptr i8, ptr %v20, i64 64
  %v36 = load <16 x float>, ptr %v35, align 64
  %v37 = getelementptr i8, ptr %v27, i64 16
  %v38 = load <16 x i8>, ptr %v37, align 16
  %v39 = sext <16 x i8> %v38 to <16 x i32>
  %v40 = icmp eq <16 x i32> %v39, splat (i32 0)
  %v41 = select <16 x i1> %v40, <16 x float> %v36, <16 x float> splat (float 0x0000000000000000)
  %v42 = sext <16 x i8> %v38 to <16 x i32>
  %v43 = icmp eq <16 x i32> %v42, splat (i32 1)
  %v44 = select <16 x i1> %v43, <16 x float> %v36, <16 x float> splat (float 0x0000000000000000)
  store <16 x float> %v31, ptr %v50, align 64
  %v51 = getelementptr i8, ptr %v50, i64 64
  store <16 x float> %v34, ptr %v51, align 64
  %v52 = getelementptr i8, ptr %v50, i64 128
  store <16 x float> %v41, ptr %v52, align 64
  %v53 = getelementptr i8, ptr %v50, i64 192
  store <16 x float> %v44, ptr %v53, align 64
  %v54 = sext <16 x i8> %v28 to <16 x i32>
  %v55 = icmp eq <16 x i32> %v54, splat (i32 2)
  %v56 = select <16 x i1> %v55, <16 x float> %v21, <16 x float> splat (float 0x0000000000000000)
  %v57 = sext <16 x i8> %v28 to <16 x i32>
  %v58 = icmp eq <16 x i32> %v57, splat (i32 3)
  %v59 = select <16 x i1> %v58, <16 x float> %v21, <16 x float> splat (float 0x0000000000000000)
  %v60 = sext <16 x i8> %v38 to <16 x i32>
  %v61 = icmp eq <16 x i32> %v60, splat (i32 2)
  %v62 = select <16 x i1> %v61, <16 x float> %v36, <16 x float> splat (float 0x0000000000000000)
  %v63 = sext <16 x i8> %v38 to <16 x i32>
  %v64 = icmp eq <16 x i32> %v63, splat (i32 3)
  %v65 = select <16 x i1> %v64, <16 x float> %v36, <16 x float> splat (float 0x0000000000000000)
  %v66 = getelementptr i8, ptr %v50, i64 256
  store <16 x float> %v56, ptr %v66, align 64
  %v67 = getelementptr i8, ptr %v50, i64 320
  store <16 x float> %v59, ptr %v67, align 64
  %v68 = getelementptr i8, ptr %v50, i64 384
  store <16 x float> %v62, ptr %v68, align 64
  %v69 = getelementptr i8, ptr %v50, i64 448
  store <16 x float> %v65, ptr %v69, align 64
  %v70 = add nsw i64 %v10, 1
  %v71 = freeze i64 %v70
  %v72 = icmp ne i64 %v71, %hi
  br i1 %v72, label %items.loop7, label %items.done8
items.done8:
  ret void
}
