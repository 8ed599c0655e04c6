define void @k_a9fb6b66eab6f5a1(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v39 = mul nsw i64 %lo, 740
  %v40 = getelementptr i8, ptr %v2, i64 %v39
  %v41 = mul nsw i64 %hi, 740
  %v42 = getelementptr i8, ptr %v2, i64 %v41
  %v45 = mul nsw i64 %lo, 4
  %v46 = getelementptr i8, ptr %v4, i64 %v45
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v13 = phi ptr [ %v40, %entry ], [ %v38, %r0_r1_o.done10 ]
  %v36 = phi ptr [ %v46, %entry ], [ %v44, %r0_r1_o.done10 ]
  %v19 = getelementptr i8, ptr %v13, i64 704
  br label %r0_r1_o.loop9
r0_r1_o.loop9:
  %v14 = phi ptr [ %v13, %items.loop5 ], [ %v18, %r0_r1_o.loop9 ]
  %v12 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v16, %r0_r1_o.loop9 ]
  %v15 = load <16 x float>, ptr %v14, align 4
  %v16 = fadd <16 x float> %v15, %v12
  %v17 = getelementptr i8, ptr %v14, i64 64
  %v18 = freeze ptr %v17
  %v20 = icmp ne ptr %v18, %v19
  br i1 %v20, label %r0_r1_o.loop9, label %r0_r1_o.done10
r0_r1_o.done10:
  %v21 = getelementptr i8, ptr %v13, i64 704
  %v22 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v21, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v23 = fadd <16 x float> %v22, %v16
  %v24 = shufflevector <16 x float> %v23, <16 x float> %v23, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v25 = shufflevector <16 x float> %v23, <16 x float> %v23, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v26 = fadd <8 x float> %v25, %v24
  %v27 = shufflevector <8 x float> %v26, <8 x float> %v26, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v28 = shufflevector <8 x float> %v26, <8 x float> %v26, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v29 = fadd <4 x float> %v28, %v27
  %v30 = shufflevector <4 x float> %v29, <4 x float> %v29, <2 x i32> <i32 0, i32 1>
  %v31 = shufflevector <4 x float> %v29, <4 x float> %v29, <2 x i32> <i32 2, i32 3>
  %v32 = fadd <2 x float> %v31, %v30
  %v33 = extractelement <2 x float> %v32, i64 0
  %v34 = extractelement <2 x float> %v32, i64 1
  %v35 = fadd float %v34, %v33
  store float %v35, ptr %v36, align 4
  %v37 = getelementptr i8, ptr %v13, i64 740
  %v38 = freeze ptr %v37
  %v43 = getelementptr i8, ptr %v36, i64 4
  %v44 = freeze ptr %v43
  %v47 = icmp ne ptr %v38, %v42
  br i1 %v47, label %items.loop5, label %items.done6
items.done6:
  ret void
}
