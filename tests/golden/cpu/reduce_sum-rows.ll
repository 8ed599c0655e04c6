define void @k_578752788882ab0f(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v9, %r0.done11 ]
  %v26 = mul nsw i64 %v8, 740
  %v27 = getelementptr i8, ptr %v2, i64 %v26
  %v48 = mul nsw i64 %v8, 4
  %v49 = getelementptr i8, ptr %v4, i64 %v48
  br label %r0.loop10
r0.loop10:
  %v12 = phi i64 [ 0, %items.loop5 ], [ %v13, %r1_o.done16 ]
  %v14 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v33, %r1_o.done16 ]
  %v28 = mul nsw i64 %v12, 148
  %v29 = getelementptr i8, ptr %v27, i64 %v28
  br label %r1_o.loop15
r1_o.loop15:
  %v17 = phi i64 [ 0, %r0.loop10 ], [ %v18, %r1_o.loop15 ]
  %v19 = phi <16 x float> [ %v14, %r0.loop10 ], [ %v33, %r1_o.loop15 ]
  %v20 = mul nsw i64 %v17, -16
  %v21 = add nsw i64 %v20, 36
  %v30 = mul nsw i64 %v17, 64
  %v31 = getelementptr i8, ptr %v29, i64 %v30
  %v22 = insertelement <16 x i64> poison, i64 %v21, i64 0
  %v23 = shufflevector <16 x i64> %v22, <16 x i64> poison, <16 x i32> zeroinitializer
  %v24 = add <16 x i64> %v23, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v25 = icmp sge <16 x i64> %v24, zeroinitializer
  %v32 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v31, i32 4, <16 x i1> %v25, <16 x float> zeroinitializer)
  %v33 = fadd <16 x float> %v32, %v19
  %v18 = add nuw nsw i64 %v17, 1
  %v34 = icmp ne i64 %v18, 3
  br i1 %v34, label %r1_o.loop15, label %r1_o.done16
r1_o.done16:
  %v13 = add nuw nsw i64 %v12, 1
  %v35 = icmp ne i64 %v13, 5
  br i1 %v35, label %r0.loop10, label %r0.done11
r0.done11:
  %v36 = shufflevector <16 x float> %v33, <16 x float> %v33, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v37 = shufflevector <16 x float> %v33, <16 x float> %v33, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v38 = fadd <8 x float> %v37, %v36
  %v39 = shufflevector <8 x float> %v38, <8 x float> %v38, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v40 = shufflevector <8 x float> %v38, <8 x float> %v38, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v41 = fadd <4 x float> %v40, %v39
  %v42 = shufflevector <4 x float> %v41, <4 x float> %v41, <2 x i32> <i32 0, i32 1>
  %v43 = shufflevector <4 x float> %v41, <4 x float> %v41, <2 x i32> <i32 2, i32 3>
  %v44 = fadd <2 x float> %v43, %v42
  %v45 = extractelement <2 x float> %v44, i64 0
  %v46 = extractelement <2 x float> %v44, i64 1
  %v47 = fadd float %v46, %v45
  store float %v47, ptr %v49, align 4
  %v9 = add nuw nsw i64 %v8, 1
  %v50 = icmp ne i64 %v9, %hi
  br i1 %v50, label %items.loop5, label %items.done6
items.done6:
  ret void
}
