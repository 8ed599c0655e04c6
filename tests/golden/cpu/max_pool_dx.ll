define void @k_c2d0e21abc00530d(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v50 = mul nsw i64 %v14, 1024
  %v51 = getelementptr i8, ptr %v6, i64 %v50
  %v52 = mul nsw i64 %v15, 2048
  %v53 = getelementptr i8, ptr %v51, i64 %v52
  %v54 = mul nsw i64 %v12, 512
  %v55 = getelementptr i8, ptr %v53, i64 %v54
  %v22 = load <16 x float>, ptr %v21, align 64
  %v29 = load <16 x i8>, ptr %v28, align 16
  %v30 = sext <16 x i8> %v29 to <16 x i32>
  %v31 = icmp eq <16 x i32> %v30, splat (i32 0)
  %v32 = select <16 x i1> %v31, <16 x float> %v22, <16 x float> splat (float 0x0000000000000000)
  %v33 = fadd <16 x float> %v32, splat (float 0x0000000000000000)
  %v34 = sext <16 x i8> %v29 to <16 x i32>
  %v35 = icmp eq <16 x i32> %v34, splat (i32 1)
  %v36 = select <16 x i1> %v35, <16 x float> %v22, <16 x float> splat (float 0x0000000000000000)
  %v37 = fadd <16 x float> %v36, splat (float 0x0000000000000000)
  %v38 = getelementptr i8, ptr %v21, i64 64
  %v39 = load <16 x float>, ptr %v38, align 64
  %v40 = getelementptr i8, ptr %v28, i64 16
  %v41 = load <16 x i8>, ptr %v40, align 16
  %v42 = sext <16 x i8> %v41 to <16 x i32>
  %v43 = icmp eq <16 x i32> %v42, splat (i32 0)
  %v44 = select <16 x i1> %v43, <16 x float> %v39, <16 x float> splat (float 0x0000000000000000)
  %v45 = fadd <16 x float> %v44, splat (float 0x0000000000000000)
  %v46 = sext <16 x i8> %v41 to <16 x i32>
  %v47 = icmp eq <16 x i32> %v46, splat (i32 1)
  %v48 = select <16 x i1> %v47, <16 x float> %v39, <16 x float> splat (float 0x0000000000000000)
  %v49 = fadd <16 x float> %v48, splat (float 0x0000000000000000)
  store <16 x float> %v33, ptr %v55, align 64
  %v56 = getelementptr i8, ptr %v55, i64 64
  store <16 x float> %v37, ptr %v56, align 64
  %v57 = getelementptr i8, ptr %v55, i64 128
  store <16 x float> %v45, ptr %v57, align 64
  %v58 = getelementptr i8, ptr %v55, i64 192
  store <16 x float> %v49, ptr %v58, align 64
  %v59 = sext <16 x i8> %v29 to <16 x i32>
  %v60 = icmp eq <16 x i32> %v59, splat (i32 2)
  %v61 = select <16 x i1> %v60, <16 x float> %v22, <16 x float> splat (float 0x0000000000000000)
  %v62 = fadd <16 x float> %v61, splat (float 0x0000000000000000)
  %v63 = sext <16 x i8> %v29 to <16 x i32>
  %v64 = icmp eq <16 x i32> %v63, splat (i32 3)
  %v65 = select <16 x i1> %v64, <16 x float> %v22, <16 x float> splat (float 0x0000000000000000)
  %v66 = fadd <16 x float> %v65, splat (float 0x0000000000000000)
  %v67 = sext <16 x i8> %v41 to <16 x i32>
  %v68 = icmp eq <16 x i32> %v67, splat (i32 2)
  %v69 = select <16 x i1> %v68, <16 x float> %v39, <16 x float> splat (float 0x0000000000000000)
  %v70 = fadd <16 x float> %v69, splat (float 0x0000000000000000)
  %v71 = sext <16 x i8> %v41 to <16 x i32>
  %v72 = icmp eq <16 x i32> %v71, splat (i32 3)
  %v73 = select <16 x i1> %v72, <16 x float> %v39, <16 x float> splat (float 0x0000000000000000)
  %v74 = fadd <16 x float> %v73, splat (float 0x0000000000000000)
  %v75 = getelementptr i8, ptr %v55, i64 256
  store <16 x float> %v62, ptr %v75, align 64
  %v76 = getelementptr i8, ptr %v55, i64 320
  store <16 x float> %v66, ptr %v76, align 64
  %v77 = getelementptr i8, ptr %v55, i64 384
  store <16 x float> %v70, ptr %v77, align 64
  %v78 = getelementptr i8, ptr %v55, i64 448
  store <16 x float> %v74, ptr %v78, align 64
  %v11 = add nuw nsw i64 %v10, 1
  %v79 = icmp ne i64 %v11, %hi
  br i1 %v79, label %loop7, label %done8
done8:
  ret void
}
