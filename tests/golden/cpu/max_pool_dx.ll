define void @k_365b377a656cb620(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v53 = mul nsw i64 %lo, 128
  %v54 = getelementptr i8, ptr %v2, i64 %v53
  %v55 = mul nsw i64 %hi, 128
  %v56 = getelementptr i8, ptr %v2, i64 %v55
  %v59 = mul nsw i64 %lo, 32
  %v60 = getelementptr i8, ptr %v4, i64 %v59
  %v63 = mul nsw i64 %lo, 512
  %v64 = getelementptr i8, ptr %v6, i64 %v63
  %v9 = icmp slt i64 %lo, %hi
  br i1 %v9, label %items.loop7, label %items.done8
items.loop7:
  %v11 = phi ptr [ %v54, %entry ], [ %v52, %items.loop7 ]
  %v13 = phi ptr [ %v60, %entry ], [ %v58, %items.loop7 ]
  %v31 = phi ptr [ %v64, %entry ], [ %v62, %items.loop7 ]
  %v12 = load <16 x float>, ptr %v11, align 64
  %v14 = load <16 x i8>, ptr %v13, align 16
  %v15 = sext <16 x i8> %v14 to <16 x i32>
  %v16 = icmp eq <16 x i32> %v15, splat (i32 0)
  %v17 = select <16 x i1> %v16, <16 x float> %v12, <16 x float> splat (float 0x0000000000000000)
  %v18 = sext <16 x i8> %v14 to <16 x i32>
  %v19 = icmp eq <16 x i32> %v18, splat (i32 1)
  %v20 = select <16 x i1> %v19, <16 x float> %v12, <16 x float> splat (float 0x0000000000000000)
  %v21 = getelementptr i8, ptr %v11, i64 64
  %v22 = load <16 x float>, ptr %v21, align 64
  %v23 = getelementptr i8, ptr %v13, i64 16
  %v24 = load <16 x i8>, ptr %v23, align 16
  %v25 = sext <16 x i8> %v24 to <16 x i32>
  %v26 = icmp eq <16 x i32> %v25, splat (i32 0)
  %v27 = select <16 x i1> %v26, <16 x float> %v22, <16 x float> splat (float 0x0000000000000000)
  %v28 = sext <16 x i8> %v24 to <16 x i32>
  %v29 = icmp eq <16 x i32> %v28, splat (i32 1)
  %v30 = select <16 x i1> %v29, <16 x float> %v22, <16 x float> splat (float 0x0000000000000000)
  store <16 x float> %v17, ptr %v31, align 64
  %v32 = getelementptr i8, ptr %v31, i64 64
  store <16 x float> %v20, ptr %v32, align 64
  %v33 = getelementptr i8, ptr %v31, i64 128
  store <16 x float> %v27, ptr %v33, align 64
  %v34 = getelementptr i8, ptr %v31, i64 192
  store <16 x float> %v30, ptr %v34, align 64
  %v35 = sext <16 x i8> %v14 to <16 x i32>
  %v36 = icmp eq <16 x i32> %v35, splat (i32 2)
  %v37 = select <16 x i1> %v36, <16 x float> %v12, <16 x float> splat (float 0x0000000000000000)
  %v38 = sext <16 x i8> %v14 to <16 x i32>
  %v39 = icmp eq <16 x i32> %v38, splat (i32 3)
  %v40 = select <16 x i1> %v39, <16 x float> %v12, <16 x float> splat (float 0x0000000000000000)
  %v41 = sext <16 x i8> %v24 to <16 x i32>
  %v42 = icmp eq <16 x i32> %v41, splat (i32 2)
  %v43 = select <16 x i1> %v42, <16 x float> %v22, <16 x float> splat (float 0x0000000000000000)
  %v44 = sext <16 x i8> %v24 to <16 x i32>
  %v45 = icmp eq <16 x i32> %v44, splat (i32 3)
  %v46 = select <16 x i1> %v45, <16 x float> %v22, <16 x float> splat (float 0x0000000000000000)
  %v47 = getelementptr i8, ptr %v31, i64 256
  store <16 x float> %v37, ptr %v47, align 64
  %v48 = getelementptr i8, ptr %v31, i64 320
  store <16 x float> %v40, ptr %v48, align 64
  %v49 = getelementptr i8, ptr %v31, i64 384
  store <16 x float> %v43, ptr %v49, align 64
  %v50 = getelementptr i8, ptr %v31, i64 448
  store <16 x float> %v46, ptr %v50, align 64
  %v51 = getelementptr i8, ptr %v11, i64 128
  %v52 = freeze ptr %v51
  %v57 = getelementptr i8, ptr %v13, i64 32
  %v58 = freeze ptr %v57
  %v61 = getelementptr i8, ptr %v31, i64 512
  %v62 = freeze ptr %v61
  %v65 = icmp ne ptr %v52, %v56
  br i1 %v65, label %items.loop7, label %items.done8
items.done8:
  ret void
}
