define void @k_e05e08a5f0f074ca(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v9 = icmp slt i64 %lo, %hi
  br i1 %v9, label %items.loop7, label %items.done8
items.loop7:
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %o.done13 ]
  %v36 = mul nsw i64 %v10, 20
  %v37 = getelementptr i8, ptr %v4, i64 %v36
  %v89 = mul nsw i64 %v10, 320
  %v90 = getelementptr i8, ptr %v6, i64 %v89
  br label %o.loop12
o.loop12:
  %v14 = phi i64 [ 0, %items.loop7 ], [ %v15, %o.loop12 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v46, %o.loop12 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v49, %o.loop12 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v52, %o.loop12 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v55, %o.loop12 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v60, %o.loop12 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v61, %o.loop12 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v62, %o.loop12 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v63, %o.loop12 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v68, %o.loop12 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v69, %o.loop12 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v70, %o.loop12 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v71, %o.loop12 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v76, %o.loop12 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v77, %o.loop12 ]
  %v30 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v78, %o.loop12 ]
  %v31 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v79, %o.loop12 ]
  %v32 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v84, %o.loop12 ]
  %v33 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v85, %o.loop12 ]
  %v34 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v86, %o.loop12 ]
  %v35 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v87, %o.loop12 ]
  %v38 = mul nsw i64 %v14, 80
  %v39 = getelementptr i8, ptr %v37, i64 %v38
  %v41 = mul nsw i64 %v14, 64
  %v42 = getelementptr i8, ptr %v2, i64 %v41
  %v40 = load float, ptr %v39, align 4
  %v43 = load <16 x float>, ptr %v42, align 64
  %v44 = insertelement <16 x float> poison, float %v40, i64 0
  %v45 = shufflevector <16 x float> %v44, <16 x float> poison, <16 x i32> zeroinitializer
  %v46 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v45, <16 x float> %v16)
  %v47 = getelementptr i8, ptr %v42, i64 768
  %v48 = load <16 x float>, ptr %v47, align 64
  %v49 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v45, <16 x float> %v17)
  %v50 = getelementptr i8, ptr %v42, i64 1536
  %v51 = load <16 x float>, ptr %v50, align 64
  %v52 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v51, <16 x float> %v45, <16 x float> %v18)
  %v53 = getelementptr i8, ptr %v42, i64 2304
  %v54 = load <16 x float>, ptr %v53, align 64
  %v55 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v54, <16 x float> %v45, <16 x float> %v19)
  %v56 = getelementptr i8, ptr %v39, i64 4
  %v57 = load float, ptr %v56, align 4
  %v58 = insertelement <16 x float> poison, float %v57, i64 0
  %v59 = shufflevector <16 x float> %v58, <16 x float> poison, <16 x i32> zeroinitializer
  %v60 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v59, <16 x float> %v20)
  %v61 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v59, <16 x float> %v21)
  %v62 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v51, <16 x float> %v59, <16 x float> %v22)
  %v63 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v54, <16 x float> %v59, <16 x float> %v23)
  %v64 = getelementptr i8, ptr %v39, i64 8
  %v65 = load float, ptr %v64, align 4
  %v66 = insertelement <16 x float> poison, float %v65, i64 0
  %v67 = shufflevector <16 x float> %v66, <16 x float> poison, <16 x i32> zeroinitializer
  %v68 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v67, <16 x float> %v24)
  %v69 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v67, <16 x float> %v25)
  %v70 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v51, <16 x float> %v67, <16 x float> %v26)
  %v71 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v54, <16 x float> %v67, <16 x float> %v27)
  %v72 = getelementptr i8, ptr %v39, i64 12
  %v73 = load float, ptr %v72, align 4
  %v74 = insertelement <16 x float> poison, float %v73, i64 0
  %v75 = shufflevector <16 x float> %v74, <16 x float> poison, <16 x i32> zeroinitializer
  %v76 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v75, <16 x float> %v28)
  %v77 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v75, <16 x float> %v29)
  %v78 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v51, <16 x float> %v75, <16 x float> %v30)
  %v79 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v54, <16 x float> %v75, <16 x float> %v31)
  %v80 = getelementptr i8, ptr %v39, i64 16
  %v81 = load float, ptr %v80, align 4
  %v82 = insertelement <16 x float> poison, float %v81, i64 0
  %v83 = shufflevector <16 x float> %v82, <16 x float> poison, <16 x i32> zeroinitializer
  %v84 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v83, <16 x float> %v32)
  %v85 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v83, <16 x float> %v33)
  %v86 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v51, <16 x float> %v83, <16 x float> %v34)
  %v87 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v54, <16 x float> %v83, <16 x float> %v35)
  %v15 = add nuw nsw i64 %v14, 1
  %v88 = icmp ne i64 %v15, 12
  br i1 %v88, label %o.loop12, label %o.done13
o.done13:
  store <16 x float> %v46, ptr %v90, align 64
  %v91 = getelementptr i8, ptr %v90, i64 1280
  store <16 x float> %v49, ptr %v91, align 64
  %v92 = getelementptr i8, ptr %v90, i64 2560
  store <16 x float> %v52, ptr %v92, align 64
  %v93 = getelementptr i8, ptr %v90, i64 3840
  store <16 x float> %v55, ptr %v93, align 64
  %v94 = getelementptr i8, ptr %v90, i64 64
  store <16 x float> %v60, ptr %v94, align 64
  %v95 = getelementptr i8, ptr %v90, i64 1344
  store <16 x float> %v61, ptr %v95, align 64
  %v96 = getelementptr i8, ptr %v90, i64 2624
  store <16 x float> %v62, ptr %v96, align 64
  %v97 = getelementptr i8, ptr %v90, i64 3904
  store <16 x float> %v63, ptr %v97, align 64
  %v98 = getelementptr i8, ptr %v90, i64 128
  store <16 x float> %v68, ptr %v98, align 64
  %v99 = getelementptr i8, ptr %v90, i64 1408
  store <16 x float> %v69, ptr %v99, align 64
  %v100 = getelementptr i8, ptr %v90, i64 2688
  store <16 x float> %v70, ptr %v100, align 64
  %v101 = getelementptr i8, ptr %v90, i64 3968
  store <16 x float> %v71, ptr %v101, align 64
  %v102 = getelementptr i8, ptr %v90, i64 192
  store <16 x float> %v76, ptr %v102, align 64
  %v103 = getelementptr i8, ptr %v90, i64 1472
  store <16 x float> %v77, ptr %v103, align 64
  %v104 = getelementptr i8, ptr %v90, i64 2752
  store <16 x float> %v78, ptr %v104, align 64
  %v105 = getelementptr i8, ptr %v90, i64 4032
  store <16 x float> %v79, ptr %v105, align 64
  %v106 = getelementptr i8, ptr %v90, i64 256
  store <16 x float> %v84, ptr %v106, align 64
  %v107 = getelementptr i8, ptr %v90, i64 1536
  store <16 x float> %v85, ptr %v107, align 64
  %v108 = getelementptr i8, ptr %v90, i64 2816
  store <16 x float> %v86, ptr %v108, align 64
  %v109 = getelementptr i8, ptr %v90, i64 4096
  store <16 x float> %v87, ptr %v109, align 64
  %v11 = add nuw nsw i64 %v10, 1
  %v110 = icmp ne i64 %v11, %hi
  br i1 %v110, label %items.loop7, label %items.done8
items.done8:
  ret void
}
