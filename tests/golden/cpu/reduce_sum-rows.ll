define void @k_c4d00936b6a8bb29(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v46 = mul nsw i64 %lo, 740
  %v47 = getelementptr i8, ptr %v2, i64 %v46
  %v48 = mul nsw i64 %hi, 740
  %v49 = getelementptr i8, ptr %v2, i64 %v48
  %v52 = mul nsw i64 %lo, 4
  %v53 = getelementptr i8, ptr %v4, i64 %v52
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v15 = phi ptr [ %v47, %entry ], [ %v45, %r0.done10 ]
  %v43 = phi ptr [ %v53, %entry ], [ %v51, %r0.done10 ]
  %v27 = getelementptr i8, ptr %v15, i64 740
  br label %r0.loop9
r0.loop9:
  %v16 = phi ptr [ %v15, %items.loop5 ], [ %v26, %r0.loop9 ]
  %v12 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v18, %r0.loop9 ]
  %v13 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v21, %r0.loop9 ]
  %v14 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v24, %r0.loop9 ]
  %v17 = load <16 x float>, ptr %v16, align 4
  %v18 = fadd <16 x float> %v17, %v12
  %v19 = getelementptr i8, ptr %v16, i64 64
  %v20 = load <16 x float>, ptr %v19, align 4
  %v21 = fadd <16 x float> %v20, %v13
  %v22 = getelementptr i8, ptr %v16, i64 128
  %v23 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v22, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v24 = fadd <16 x float> %v23, %v14
  %v25 = getelementptr i8, ptr %v16, i64 148
  %v26 = freeze ptr %v25
  %v28 = icmp ne ptr %v26, %v27
  br i1 %v28, label %r0.loop9, label %r0.done10
r0.done10:
  %v29 = fadd <16 x float> %v21, %v18
  %v30 = fadd <16 x float> %v24, %v29
  %v31 = shufflevector <16 x float> %v30, <16 x float> %v30, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v32 = shufflevector <16 x float> %v30, <16 x float> %v30, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v33 = fadd <8 x float> %v32, %v31
  %v34 = shufflevector <8 x float> %v33, <8 x float> %v33, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v35 = shufflevector <8 x float> %v33, <8 x float> %v33, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v36 = fadd <4 x float> %v35, %v34
  %v37 = shufflevector <4 x float> %v36, <4 x float> %v36, <2 x i32> <i32 0, i32 1>
  %v38 = shufflevector <4 x float> %v36, <4 x float> %v36, <2 x i32> <i32 2, i32 3>
  %v39 = fadd <2 x float> %v38, %v37
  %v40 = extractelement <2 x float> %v39, i64 0
  %v41 = extractelement <2 x float> %v39, i64 1
  %v42 = fadd float %v41, %v40
  store float %v42, ptr %v43, align 4
  %v44 = getelementptr i8, ptr %v15, i64 740
  %v45 = freeze ptr %v44
  %v50 = getelementptr i8, ptr %v43, i64 4
  %v51 = freeze ptr %v50
  %v54 = icmp ne ptr %v45, %v49
  br i1 %v54, label %items.loop5, label %items.done6
items.done6:
  ret void
}
