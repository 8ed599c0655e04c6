define void @k_ecd8c89a3329db06(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v52 = mul nsw i64 %lo, 740
  %v53 = getelementptr i8, ptr %v2, i64 %v52
  %v54 = mul nsw i64 %hi, 740
  %v55 = getelementptr i8, ptr %v2, i64 %v54
  %v58 = mul nsw i64 %lo, 4
  %v59 = getelementptr i8, ptr %v4, i64 %v58
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v23 = phi ptr [ %v53, %entry ], [ %v51, %r0.done10 ]
  %v49 = phi ptr [ %v59, %entry ], [ %v57, %r0.done10 ]
  %v35 = getelementptr i8, ptr %v23, i64 740
  br label %r0.loop9
r0.loop9:
  %v24 = phi ptr [ %v23, %items.loop5 ], [ %v34, %r1_o.done14 ]
  %v12 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v27, %r1_o.done14 ]
  br label %r1_o.loop13
r1_o.loop13:
  %v15 = phi i64 [ 0, %r0.loop9 ], [ %v29, %r1_o.loop13 ]
  %v25 = phi ptr [ %v24, %r0.loop9 ], [ %v31, %r1_o.loop13 ]
  %v16 = phi <16 x float> [ %v12, %r0.loop9 ], [ %v27, %r1_o.loop13 ]
  %v17 = mul nsw i64 %v15, -16
  %v18 = add nsw i64 %v17, 36
  %v19 = insertelement <16 x i64> poison, i64 %v18, i64 0
  %v20 = shufflevector <16 x i64> %v19, <16 x i64> poison, <16 x i32> zeroinitializer
  %v21 = add <16 x i64> %v20, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v22 = icmp sge <16 x i64> %v21, zeroinitializer
  %v26 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v25, i32 4, <16 x i1> %v22, <16 x float> zeroinitializer)
  %v27 = fadd <16 x float> %v26, %v16
  %v28 = add nsw i64 %v15, 1
  %v29 = freeze i64 %v28
  %v30 = getelementptr i8, ptr %v25, i64 64
  %v31 = freeze ptr %v30
  %v32 = icmp ne i64 %v29, 3
  br i1 %v32, label %r1_o.loop13, label %r1_o.done14
r1_o.done14:
  %v33 = getelementptr i8, ptr %v24, i64 148
  %v34 = freeze ptr %v33
  %v36 = icmp ne ptr %v34, %v35
  br i1 %v36, label %r0.loop9, label %r0.done10
r0.done10:
  %v37 = shufflevector <16 x float> %v27, <16 x float> %v27, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v38 = shufflevector <16 x float> %v27, <16 x float> %v27, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v39 = fadd <8 x float> %v38, %v37
  %v40 = shufflevector <8 x float> %v39, <8 x float> %v39, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v41 = shufflevector <8 x float> %v39, <8 x float> %v39, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v42 = fadd <4 x float> %v41, %v40
  %v43 = shufflevector <4 x float> %v42, <4 x float> %v42, <2 x i32> <i32 0, i32 1>
  %v44 = shufflevector <4 x float> %v42, <4 x float> %v42, <2 x i32> <i32 2, i32 3>
  %v45 = fadd <2 x float> %v44, %v43
  %v46 = extractelement <2 x float> %v45, i64 0
  %v47 = extractelement <2 x float> %v45, i64 1
  %v48 = fadd float %v47, %v46
  store float %v48, ptr %v49, align 4
  %v50 = getelementptr i8, ptr %v23, i64 740
  %v51 = freeze ptr %v50
  %v56 = getelementptr i8, ptr %v49, i64 4
  %v57 = freeze ptr %v56
  %v60 = icmp ne ptr %v51, %v55
  br i1 %v60, label %items.loop5, label %items.done6
items.done6:
  ret void
}
