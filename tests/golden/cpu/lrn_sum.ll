define void @k_6aaa5dbdf70b129a(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v69, %w2.done19 ]
  %v9 = urem i64 %v8, 4
  %v10 = udiv i64 %v8, 4
  %v11 = urem i64 %v10, 2
  %v12 = udiv i64 %v10, 2
  %v13 = mul nsw i64 %v9, -1
  %v14 = add nsw i64 %v13, 1
  %v16 = add nsw i64 %v13, 5
  %v26 = mul nsw i64 %v12, 2048
  %v27 = getelementptr i8, ptr %v2, i64 %v26
  %v28 = mul nsw i64 %v11, 1024
  %v29 = getelementptr i8, ptr %v27, i64 %v28
  %v30 = mul nsw i64 %v9, 256
  %v31 = getelementptr i8, ptr %v29, i64 %v30
  %v62 = getelementptr i8, ptr %v4, i64 %v26
  %v63 = getelementptr i8, ptr %v62, i64 %v28
  %v64 = getelementptr i8, ptr %v63, i64 %v30
  %v15 = call i64 @llvm.smax.i64(i64 0, i64 %v14)
  %v17 = call i64 @llvm.smin.i64(i64 3, i64 %v16)
  %v53 = mul nsw i64 %v15, 256
  %v54 = getelementptr i8, ptr %v31, i64 %v53
  %v55 = mul nsw i64 %v17, 256
  %v56 = getelementptr i8, ptr %v31, i64 %v55
  %v20 = icmp slt i64 %v15, %v17
  br i1 %v20, label %w2.loop18, label %w2.done19
w2.loop18:
  %v32 = phi ptr [ %v54, %items.loop5 ], [ %v52, %w2.loop18 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v48, %w2.loop18 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v49, %w2.loop18 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v50, %w2.loop18 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v47, %w2.loop18 ]
  %v33 = getelementptr i8, ptr %v32, i64 -256
  %v34 = load <16 x float>, ptr %v33, align 64
  %v35 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v34, <16 x float> %v34, <16 x float> %v23)
  %v36 = getelementptr i8, ptr %v32, i64 -192
  %v37 = load <16 x float>, ptr %v36, align 64
  %v38 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v37, <16 x float> %v37, <16 x float> %v24)
  %v39 = getelementptr i8, ptr %v32, i64 -128
  %v40 = load <16 x float>, ptr %v39, align 64
  %v41 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v40, <16 x float> %v40, <16 x float> %v25)
  %v42 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v34, <16 x float> %v34, <16 x float> %v22)
  %v43 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v37, <16 x float> %v37, <16 x float> %v35)
  %v44 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v40, <16 x float> %v40, <16 x float> %v38)
  %v45 = getelementptr i8, ptr %v32, i64 -64
  %v46 = load <16 x float>, ptr %v45, align 64
  %v47 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v46, <16 x float> %v46, <16 x float> %v41)
  %v48 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v37, <16 x float> %v37, <16 x float> %v42)
  %v49 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v40, <16 x float> %v40, <16 x float> %v43)
  %v50 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v46, <16 x float> %v46, <16 x float> %v44)
  %v51 = getelementptr i8, ptr %v32, i64 256
  %v52 = freeze ptr %v51
  %v57 = icmp ne ptr %v52, %v56
  br i1 %v57, label %w2.loop18, label %w2.done19
w2.done19:
  %v58 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v48, %w2.loop18 ]
  %v59 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v49, %w2.loop18 ]
  %v60 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v50, %w2.loop18 ]
  %v61 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v47, %w2.loop18 ]
  store <16 x float> %v58, ptr %v64, align 64
  %v65 = getelementptr i8, ptr %v64, i64 64
  store <16 x float> %v59, ptr %v65, align 64
  %v66 = getelementptr i8, ptr %v64, i64 128
  store <16 x float> %v60, ptr %v66, align 64
  %v67 = getelementptr i8, ptr %v64, i64 192
  store <16 x float> %v61, ptr %v67, align 64
  %v68 = add nsw i64 %v8, 1
  %v69 = freeze i64 %v68
  %v70 = icmp ne i64 %v69, %hi
  br i1 %v70, label %items.loop5, label %items.done6
items.done6:
  ret void
}
