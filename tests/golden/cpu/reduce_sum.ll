define void @k_6a61e4047b13d2d1(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v9, %r0_o.done11 ]
  %v31 = mul nsw i64 %v8, 256
  %v32 = getelementptr i8, ptr %v2, i64 %v31
  %v56 = mul nsw i64 %v8, 4
  %v57 = getelementptr i8, ptr %v4, i64 %v56
  br label %r0_o.loop10
r0_o.loop10:
  %v12 = phi i64 [ 0, %items.loop5 ], [ %v13, %r1.done16 ]
  %v14 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v40, %r1.done16 ]
  %v25 = mul nsw i64 %v12, -16
  %v26 = add nsw i64 %v25, 19
  %v33 = mul nsw i64 %v12, 768
  %v34 = getelementptr i8, ptr %v32, i64 %v33
  br label %r1.loop15
r1.loop15:
  %v17 = phi i64 [ 0, %r0_o.loop10 ], [ %v18, %r2.done21 ]
  %v19 = phi <16 x float> [ %v14, %r0_o.loop10 ], [ %v40, %r2.done21 ]
  %v35 = mul nsw i64 %v17, 128
  %v36 = getelementptr i8, ptr %v34, i64 %v35
  br label %r2.loop20
r2.loop20:
  %v22 = phi i64 [ 0, %r1.loop15 ], [ %v23, %r2.loop20 ]
  %v24 = phi <16 x float> [ %v19, %r1.loop15 ], [ %v40, %r2.loop20 ]
  %v37 = mul nsw i64 %v22, 64
  %v38 = getelementptr i8, ptr %v36, i64 %v37
  %v27 = insertelement <16 x i64> poison, i64 %v26, i64 0
  %v28 = shufflevector <16 x i64> %v27, <16 x i64> poison, <16 x i32> zeroinitializer
  %v29 = add <16 x i64> %v28, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v30 = icmp sge <16 x i64> %v29, zeroinitializer
  %v39 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v38, i32 64, <16 x i1> %v30, <16 x float> zeroinitializer)
  %v40 = fadd <16 x float> %v39, %v24
  %v23 = add nuw nsw i64 %v22, 1
  %v41 = icmp ne i64 %v23, 2
  br i1 %v41, label %r2.loop20, label %r2.done21
r2.done21:
  %v18 = add nuw nsw i64 %v17, 1
  %v42 = icmp ne i64 %v18, 2
  br i1 %v42, label %r1.loop15, label %r1.done16
r1.done16:
  %v13 = add nuw nsw i64 %v12, 1
  %v43 = icmp ne i64 %v13, 2
  br i1 %v43, label %r0_o.loop10, label %r0_o.done11
r0_o.done11:
  %v44 = shufflevector <16 x float> %v40, <16 x float> %v40, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v45 = shufflevector <16 x float> %v40, <16 x float> %v40, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v46 = fadd <8 x float> %v45, %v44
  %v47 = shufflevector <8 x float> %v46, <8 x float> %v46, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v48 = shufflevector <8 x float> %v46, <8 x float> %v46, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v49 = fadd <4 x float> %v48, %v47
  %v50 = shufflevector <4 x float> %v49, <4 x float> %v49, <2 x i32> <i32 0, i32 1>
  %v51 = shufflevector <4 x float> %v49, <4 x float> %v49, <2 x i32> <i32 2, i32 3>
  %v52 = fadd <2 x float> %v51, %v50
  %v53 = extractelement <2 x float> %v52, i64 0
  %v54 = extractelement <2 x float> %v52, i64 1
  %v55 = fadd float %v54, %v53
  store float %v55, ptr %v57, align 4
  %v9 = add nuw nsw i64 %v8, 1
  %v58 = icmp ne i64 %v9, %hi
  br i1 %v58, label %items.loop5, label %items.done6
items.done6:
  ret void
}
