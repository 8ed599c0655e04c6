define void @k_f8da6e3f3da3d57b(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %items.loop7 ]
  %v12 = urem i64 %v10, 2
  %v13 = udiv i64 %v10, 2
  %v14 = urem i64 %v13, 2
  %v15 = udiv i64 %v13, 2
  %v16 = mul nsw i64 %v14, 256
  %v17 = getelementptr i8, ptr %v2, i64 %v16
  %v18 = mul nsw i64 %v15, 512
  %v19 = getelementptr i8, ptr %v17, i64 %v18
  %v20 = mul nsw i64 %v12, 128
  %v21 = getelementptr i8, ptr %v19, i64 %v20
  %v23 = mul nsw i64 %v14, 64
  %v24 = getelementptr i8, ptr %v4, i64 %v23
  %v25 = mul nsw i64 %v15, 128
  %v26 = getelementptr i8, ptr %v24, i64 %v25
  %v27 = mul nsw i64 %v12, 32
  %v28 = getelementptr i8, ptr %v26, i64 %v27
  %v46 = mul nsw i64 %v14, 1024
  %v47 = getelementptr i8, ptr %v6, i64 %v46
  %v48 = mul nsw i64 %v15, 2048
  %v49 = getelementptr i8, ptr %v47, i64 %v48
  %v50 = mul nsw i64 %v12, 512
  %v51 = getelementptr i8, ptr %v49, i64 %v50
  %v22 = load <16 x float>, ptr %v21, align 64
  %v29 = load <16 x i8>, ptr %v28, align 16
  %v30 = sext <16 x i8> %v29 to <16 x i32>
  %v31 = icmp eq <16 x i32> %v30, splat (i32 0)
  %v32 = select <16 x i1> %v31, <16 x float> %v22, <16 x float> splat (float 0x0000000000000000)
  %v33 = sext <16 x i8> %v29 to <16 x i32>
  %v34 = icmp eq <16 x i32> %v33, splat (i32 1)
  %v35 = select <16 x i1> %v34, <16 x float> %v22, <16 x float> splat (float 0x0000000000000000)
  %v36 = getelementptr i8, ptr %v21, i64 64
  %v37 = load <16 x float>, ptr %v36, align 64
  %v38 = getelementptr i8, ptr %v28, i64 16
  %v39 = load <16 x i8>, ptr %v38, align 16
  %v40 = sext <16 x i8> %v39 to <16 x i32>
  %v41 = icmp eq <16 x i32> %v40, splat (i32 0)
  %v42 = select <16 x i1> %v41, <16 x float> %v37, <16 x float> splat (float 0x0000000000000000)
  %v43 = sext <16 x i8> %v39 to <16 x i32>
  %v44 = icmp eq <16 x i32> %v43, splat (i32 1)
  %v45 = select <16 x i1> %v44, <16 x float> %v37, <16 x float> splat (float 0x0000000000000000)
  store <16 x float> %v32, ptr %v51, align 64
  %v52 = getelementptr i8, ptr %v51, i64 64
  store <16 x float> %v35, ptr %v52, align 64
  %v53 = getelementptr i8, ptr %v51, i64 128
  store <16 x float> %v42, ptr %v53, align 64
  %v54 = getelementptr i8, ptr %v51, i64 192
  store <16 x float> %v45, ptr %v54, align 64
  %v55 = sext <16 x i8> %v29 to <16 x i32>
  %v56 = icmp eq <16 x i32> %v55, splat (i32 2)
  %v57 = select <16 x i1> %v56, <16 x float> %v22, <16 x float> splat (float 0x0000000000000000)
  %v58 = sext <16 x i8> %v29 to <16 x i32>
  %v59 = icmp eq <16 x i32> %v58, splat (i32 3)
  %v60 = select <16 x i1> %v59, <16 x float> %v22, <16 x float> splat (float 0x0000000000000000)
  %v61 = sext <16 x i8> %v39 to <16 x i32>
  %v62 = icmp eq <16 x i32> %v61, splat (i32 2)
  %v63 = select <16 x i1> %v62, <16 x float> %v37, <16 x float> splat (float 0x0000000000000000)
  %v64 = sext <16 x i8> %v39 to <16 x i32>
  %v65 = icmp eq <16 x i32> %v64, splat (i32 3)
  %v66 = select <16 x i1> %v65, <16 x float> %v37, <16 x float> splat (float 0x0000000000000000)
  %v67 = getelementptr i8, ptr %v51, i64 256
  store <16 x float> %v57, ptr %v67, align 64
  %v68 = getelementptr i8, ptr %v51, i64 320
  store <16 x float> %v60, ptr %v68, align 64
  %v69 = getelementptr i8, ptr %v51, i64 384
  store <16 x float> %v63, ptr %v69, align 64
  %v70 = getelementptr i8, ptr %v51, i64 448
  store <16 x float> %v66, ptr %v70, align 64
  %v11 = add nuw nsw i64 %v10, 1
  %v71 = icmp ne i64 %v11, %hi
  br i1 %v71, label %items.loop7, label %items.done8
items.done8:
  ret void
}
