define void @k_8ae0ac256f8fb4c5(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v61 = mul nsw i64 %lo, 256
  %v62 = getelementptr i8, ptr %v2, i64 %v61
  %v63 = mul nsw i64 %hi, 256
  %v64 = getelementptr i8, ptr %v2, i64 %v63
  %v67 = mul nsw i64 %lo, 4
  %v68 = getelementptr i8, ptr %v4, i64 %v67
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v27 = phi ptr [ %v62, %entry ], [ %v60, %r0_o.done10 ]
  %v58 = phi ptr [ %v68, %entry ], [ %v66, %r0_o.done10 ]
  br label %r0_o.loop9
r0_o.loop9:
  %v11 = phi i64 [ 0, %items.loop5 ], [ %v42, %r1.done14 ]
  %v28 = phi ptr [ %v27, %items.loop5 ], [ %v44, %r1.done14 ]
  %v12 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v32, %r1.done14 ]
  %v21 = mul nsw i64 %v11, -16
  %v22 = add nsw i64 %v21, 19
  %v39 = getelementptr i8, ptr %v28, i64 256
  br label %r1.loop13
r1.loop13:
  %v29 = phi ptr [ %v28, %r0_o.loop9 ], [ %v38, %r2.done18 ]
  %v16 = phi <16 x float> [ %v12, %r0_o.loop9 ], [ %v32, %r2.done18 ]
  %v35 = getelementptr i8, ptr %v29, i64 128
  br label %r2.loop17
r2.loop17:
  %v30 = phi ptr [ %v29, %r1.loop13 ], [ %v34, %r2.loop17 ]
  %v20 = phi <16 x float> [ %v16, %r1.loop13 ], [ %v32, %r2.loop17 ]
  %v23 = insertelement <16 x i64> poison, i64 %v22, i64 0
  %v24 = shufflevector <16 x i64> %v23, <16 x i64> poison, <16 x i32> zeroinitializer
  %v25 = add <16 x i64> %v24, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v26 = icmp sge <16 x i64> %v25, zeroinitializer
  %v31 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v30, i32 64, <16 x i1> %v26, <16 x float> zeroinitializer)
  %v32 = fadd <16 x float> %v31, %v20
  %v33 = getelementptr i8, ptr %v30, i64 64
  %v34 = freeze ptr %v33
  %v36 = icmp ne ptr %v34, %v35
  br i1 %v36, label %r2.loop17, label %r2.done18
r2.done18:
  %v37 = getelementptr i8, ptr %v29, i64 128
  %v38 = freeze ptr %v37
  %v40 = icmp ne ptr %v38, %v39
  br i1 %v40, label %r1.loop13, label %r1.done14
r1.done14:
  %v41 = add nsw i64 %v11, 1
  %v42 = freeze i64 %v41
  %v43 = getelementptr i8, ptr %v28, i64 768
  %v44 = freeze ptr %v43
  %v45 = icmp ne i64 %v42, 2
  br i1 %v45, label %r0_o.loop9, label %r0_o.done10
r0_o.done10:
  %v46 = shufflevector <16 x float> %v32, <16 x float> %v32, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v47 = shufflevector <16 x float> %v32, <16 x float> %v32, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v48 = fadd <8 x float> %v47, %v46
  %v49 = shufflevector <8 x float> %v48, <8 x float> %v48, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v50 = shufflevector <8 x float> %v48, <8 x float> %v48, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v51 = fadd <4 x float> %v50, %v49
  %v52 = shufflevector <4 x float> %v51, <4 x float> %v51, <2 x i32> <i32 0, i32 1>
  %v53 = shufflevector <4 x float> %v51, <4 x float> %v51, <2 x i32> <i32 2, i32 3>
  %v54 = fadd <2 x float> %v53, %v52
  %v55 = extractelement <2 x float> %v54, i64 0
  %v56 = extractelement <2 x float> %v54, i64 1
  %v57 = fadd float %v56, %v55
  store float %v57, ptr %v58, align 4
  %v59 = getelementptr i8, ptr %v27, i64 256
  %v60 = freeze ptr %v59
  %v65 = getelementptr i8, ptr %v58, i64 4
  %v66 = freeze ptr %v65
  %v69 = icmp ne ptr %v60, %v64
  br i1 %v69, label %items.loop5, label %items.done6
items.done6:
  ret void
}
