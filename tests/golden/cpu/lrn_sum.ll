define void @k_b4cea1f8c67d0480(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v63 = mul nsw i64 %lo, 256
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v60, %w2.done16 ]
  %v58 = phi i64 [ %v63, %entry ], [ %v62, %w2.done16 ]
  %v23 = getelementptr i8, ptr %v2, i64 %v58
  %v54 = getelementptr i8, ptr %v4, i64 %v58
  %v9 = urem i64 %v8, 4
  %v10 = mul nsw i64 %v9, -1
  %v11 = add nsw i64 %v10, 1
  %v13 = add nsw i64 %v10, 5
  %v12 = call i64 @llvm.smax.i64(i64 0, i64 %v11)
  %v14 = call i64 @llvm.smin.i64(i64 3, i64 %v13)
  %v45 = mul nsw i64 %v12, 256
  %v46 = getelementptr i8, ptr %v23, i64 %v45
  %v47 = mul nsw i64 %v14, 256
  %v48 = getelementptr i8, ptr %v23, i64 %v47
  %v17 = icmp slt i64 %v12, %v14
  br i1 %v17, label %w2.loop15, label %w2.done16
w2.loop15:
  %v24 = phi ptr [ %v46, %items.loop5 ], [ %v44, %w2.loop15 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v40, %w2.loop15 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v41, %w2.loop15 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v42, %w2.loop15 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v39, %w2.loop15 ]
  %v25 = getelementptr i8, ptr %v24, i64 -256
  %v26 = load <16 x float>, ptr %v25, align 64
  %v27 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v26, <16 x float> %v26, <16 x float> %v20)
  %v28 = getelementptr i8, ptr %v24, i64 -192
  %v29 = load <16 x float>, ptr %v28, align 64
  %v30 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v29, <16 x float> %v29, <16 x float> %v21)
  %v31 = getelementptr i8, ptr %v24, i64 -128
  %v32 = load <16 x float>, ptr %v31, align 64
  %v33 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v32, <16 x float> %v32, <16 x float> %v22)
  %v34 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v26, <16 x float> %v26, <16 x float> %v19)
  %v35 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v29, <16 x float> %v29, <16 x float> %v27)
  %v36 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v32, <16 x float> %v32, <16 x float> %v30)
  %v37 = getelementptr i8, ptr %v24, i64 -64
  %v38 = load <16 x float>, ptr %v37, align 64
  %v39 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v38, <16 x float> %v33)
  %v40 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v29, <16 x float> %v29, <16 x float> %v34)
  %v41 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v32, <16 x float> %v32, <16 x float> %v35)
  %v42 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v38, <16 x float> %v36)
  %v43 = getelementptr i8, ptr %v24, i64 256
  %v44 = freeze ptr %v43
  %v49 = icmp ne ptr %v44, %v48
  br i1 %v49, label %w2.loop15, label %w2.done16
w2.done16:
  %v50 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v40, %w2.loop15 ]
  %v51 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v41, %w2.loop15 ]
  %v52 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v42, %w2.loop15 ]
  %v53 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v39, %w2.loop15 ]
  store <16 x float> %v50, ptr %v54, align 64
  %v55 = getelementptr i8, ptr %v54, i64 64
  store <16 x float> %v51, ptr %v55, align 64
  %v56 = getelementptr i8, ptr %v54, i64 128
  store <16 x float> %v52, ptr %v56, align 64
  %v57 = getelementptr i8, ptr %v54, i64 192
  store <16 x float> %v53, ptr %v57, align 64
  %v59 = add nsw i64 %v8, 1
  %v60 = freeze i64 %v59
  %v61 = add nsw i64 %v58, 256
  %v62 = freeze i64 %v61
  %v64 = icmp ne i64 %v60, %hi
  br i1 %v64, label %items.loop5, label %items.done6
items.done6:
  ret void
}
