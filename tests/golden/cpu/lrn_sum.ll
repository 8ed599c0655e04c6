define void @k_766d32b01bc4e8ef(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v9, %w2.done20 ]
  %v10 = urem i64 %v8, 4
  %v11 = udiv i64 %v8, 4
  %v12 = urem i64 %v11, 2
  %v13 = udiv i64 %v11, 2
  %v14 = mul nsw i64 %v10, -1
  %v15 = add nsw i64 %v14, 1
  %v17 = add nsw i64 %v14, 5
  %v28 = mul nsw i64 %v13, 2048
  %v29 = getelementptr i8, ptr %v2, i64 %v28
  %v30 = mul nsw i64 %v12, 1024
  %v31 = getelementptr i8, ptr %v29, i64 %v30
  %v32 = mul nsw i64 %v10, 256
  %v33 = getelementptr i8, ptr %v31, i64 %v32
  %v59 = getelementptr i8, ptr %v4, i64 %v28
  %v60 = getelementptr i8, ptr %v59, i64 %v30
  %v61 = getelementptr i8, ptr %v60, i64 %v32
  %v16 = call i64 @llvm.smax.i64(i64 0, i64 %v15)
  %v18 = call i64 @llvm.smin.i64(i64 3, i64 %v17)
  %v21 = icmp slt i64 %v16, %v18
  br i1 %v21, label %w2.loop19, label %w2.done20
w2.loop19:
  %v22 = phi i64 [ %v16, %items.loop5 ], [ %v23, %w2.loop19 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v51, %w2.loop19 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v52, %w2.loop19 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v53, %w2.loop19 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v50, %w2.loop19 ]
  %v34 = mul nsw i64 %v22, 256
  %v35 = getelementptr i8, ptr %v33, i64 %v34
  %v36 = getelementptr i8, ptr %v35, i64 -256
  %v37 = load <16 x float>, ptr %v36, align 64
  %v38 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v37, <16 x float> %v37, <16 x float> %v25)
  %v39 = getelementptr i8, ptr %v35, i64 -192
  %v40 = load <16 x float>, ptr %v39, align 64
  %v41 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v40, <16 x float> %v40, <16 x float> %v26)
  %v42 = getelementptr i8, ptr %v35, i64 -128
  %v43 = load <16 x float>, ptr %v42, align 64
  %v44 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v43, <16 x float> %v27)
  %v45 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v37, <16 x float> %v37, <16 x float> %v24)
  %v46 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v40, <16 x float> %v40, <16 x float> %v38)
  %v47 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v43, <16 x float> %v41)
  %v48 = getelementptr i8, ptr %v35, i64 -64
  %v49 = load <16 x float>, ptr %v48, align 64
  %v50 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v49, <16 x float> %v49, <16 x float> %v44)
  %v51 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v40, <16 x float> %v40, <16 x float> %v45)
  %v52 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v43, <16 x float> %v46)
  %v53 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v49, <16 x float> %v49, <16 x float> %v47)
  %v23 = add nuw nsw i64 %v22, 1
  %v54 = icmp ne i64 %v23, %v18
  br i1 %v54, label %w2.loop19, label %w2.done20
w2.done20:
  %v55 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v51, %w2.loop19 ]
  %v56 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v52, %w2.loop19 ]
  %v57 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v53, %w2.loop19 ]
  %v58 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v50, %w2.loop19 ]
  store <16 x float> %v55, ptr %v61, align 64
  %v62 = getelementptr i8, ptr %v61, i64 64
  store <16 x float> %v56, ptr %v62, align 64
  %v63 = getelementptr i8, ptr %v61, i64 128
  store <16 x float> %v57, ptr %v63, align 64
  %v64 = getelementptr i8, ptr %v61, i64 192
  store <16 x float> %v58, ptr %v64, align 64
  %v9 = add nuw nsw i64 %v8, 1
  %v65 = icmp ne i64 %v9, %hi
  br i1 %v65, label %items.loop5, label %items.done6
items.done6:
  ret void
}
