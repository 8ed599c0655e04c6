define void @k_be6a30c6ee0fedf9(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %n.done13 ]
  br label %n.loop12
n.loop12:
  %v14 = phi i64 [ 0, %items.loop7 ], [ %v15, %n.loop12 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v46, %n.loop12 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v49, %n.loop12 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v53, %n.loop12 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v64, %n.loop12 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v65, %n.loop12 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v66, %n.loop12 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v77, %n.loop12 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v78, %n.loop12 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v79, %n.loop12 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v90, %n.loop12 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v91, %n.loop12 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v92, %n.loop12 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v103, %n.loop12 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v104, %n.loop12 ]
  %v30 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v105, %n.loop12 ]
  %v31 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v116, %n.loop12 ]
  %v32 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v117, %n.loop12 ]
  %v33 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v118, %n.loop12 ]
  %v41 = mul nsw i64 %v14, 160
  %v42 = getelementptr i8, ptr %v2, i64 %v41
  %v34 = udiv i64 %v14, 16
  %v35 = urem i64 %v14, 16
  %v36 = mul i64 %v34, 96
  %v37 = add i64 %v36, %v35
  %v38 = mul i64 %v37, 4
  %v39 = getelementptr i8, ptr %v4, i64 %v38
  %v40 = load float, ptr %v39, align 4
  %v43 = load <16 x float>, ptr %v42, align 4
  %v44 = insertelement <16 x float> poison, float %v40, i64 0
  %v45 = shufflevector <16 x float> %v44, <16 x float> poison, <16 x i32> zeroinitializer
  %v46 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v45, <16 x float> %v43, <16 x float> %v16)
  %v47 = getelementptr i8, ptr %v42, i64 64
  %v48 = load <16 x float>, ptr %v47, align 4
  %v49 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v45, <16 x float> %v48, <16 x float> %v17)
  %v50 = getelementptr i8, ptr %v42, i64 128
  %v51 = load <8 x float>, ptr %v50, align 4
  %v52 = shufflevector <8 x float> %v51, <8 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>
  %v53 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v45, <16 x float> %v52, <16 x float> %v18)
  %v54 = udiv i64 %v14, 16
  %v55 = urem i64 %v14, 16
  %v56 = mul i64 %v54, 96
  %v57 = add i64 %v56, %v55
  %v58 = mul i64 %v57, 4
  %v59 = getelementptr i8, ptr %v4, i64 %v58
  %v60 = getelementptr i8, ptr %v59, i64 64
  %v61 = load float, ptr %v60, align 4
  %v62 = insertelement <16 x float> poison, float %v61, i64 0
  %v63 = shufflevector <16 x float> %v62, <16 x float> poison, <16 x i32> zeroinitializer
  %v64 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v63, <16 x float> %v43, <16 x float> %v19)
  %v65 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v63, <16 x float> %v48, <16 x float> %v20)
  %v66 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v63, <16 x float> %v52, <16 x float> %v21)
  %v67 = udiv i64 %v14, 16
  %v68 = urem i64 %v14, 16
  %v69 = mul i64 %v67, 96
  %v70 = add i64 %v69, %v68
  %v71 = mul i64 %v70, 4
  %v72 = getelementptr i8, ptr %v4, i64 %v71
  %v73 = getelementptr i8, ptr %v72, i64 128
  %v74 = load float, ptr %v73, align 4
  %v75 = insertelement <16 x float> poison, float %v74, i64 0
  %v76 = shufflevector <16 x float> %v75, <16 x float> poison, <16 x i32> zeroinitializer
  %v77 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v43, <16 x float> %v22)
  %v78 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v48, <16 x float> %v23)
  %v79 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v52, <16 x float> %v24)
  %v80 = udiv i64 %v14, 16
  %v81 = urem i64 %v14, 16
  %v82 = mul i64 %v80, 96
  %v83 = add i64 %v82, %v81
  %v84 = mul i64 %v83, 4
  %v85 = getelementptr i8, ptr %v4, i64 %v84
  %v86 = getelementptr i8, ptr %v85, i64 192
  %v87 = load float, ptr %v86, align 4
  %v88 = insertelement <16 x float> poison, float %v87, i64 0
  %v89 = shufflevector <16 x float> %v88, <16 x float> poison, <16 x i32> zeroinitializer
  %v90 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v43, <16 x float> %v25)
  %v91 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v48, <16 x float> %v26)
  %v92 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %v52, <16 x float> %v27)
  %v93 = udiv i64 %v14, 16
  %v94 = urem i64 %v14, 16
  %v95 = mul i64 %v93, 96
  %v96 = add i64 %v95, %v94
  %v97 = mul i64 %v96, 4
  %v98 = getelementptr i8, ptr %v4, i64 %v97
  %v99 = getelementptr i8, ptr %v98, i64 256
  %v100 = load float, ptr %v99, align 4
  %v101 = insertelement <16 x float> poison, float %v100, i64 0
  %v102 = shufflevector <16 x float> %v101, <16 x float> poison, <16 x i32> zeroinitializer
  %v103 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v102, <16 x float> %v43, <16 x float> %v28)
  %v104 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v102, <16 x float> %v48, <16 x float> %v29)
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v102, <16 x float> %v52, <16 x float> %v30)
  %v106 = udiv i64 %v14, 16
  %v107 = urem i64 %v14, 16
  %v108 = mul i64 %v106, 96
  %v109 = add i64 %v108, %v107
  %v110 = mul i64 %v109, 4
  %v111 = getelementptr i8, ptr %v4, i64 %v110
  %v112 = getelementptr i8, ptr %v111, i64 320
  %v113 = load float, ptr %v112, align 4
  %v114 = insertelement <16 x float> poison, float %v113, i64 0
  %v115 = shufflevector <16 x float> %v114, <16 x float> poison, <16 x i32> zeroinitializer
  %v116 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v115, <16 x float> %v43, <16 x float> %v31)
  %v117 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v115, <16 x float> %v48, <16 x float> %v32)
  %v118 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v115, <16 x float> %v52, <16 x float> %v33)
  %v15 = add nuw nsw i64 %v14, 1
  %v119 = icmp ne i64 %v15, 32
  br i1 %v119, label %n.loop12, label %n.done13
n.done13:
  store <16 x float> %v46, ptr %v6, align 4
  %v120 = getelementptr i8, ptr %v6, i64 64
  store <16 x float> %v49, ptr %v120, align 4
  %v121 = getelementptr i8, ptr %v6, i64 128
  %v122 = shufflevector <16 x float> %v53, <16 x float> %v53, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v122, ptr %v121, align 4
  %v123 = getelementptr i8, ptr %v6, i64 160
  store <16 x float> %v64, ptr %v123, align 4
  %v124 = getelementptr i8, ptr %v6, i64 224
  store <16 x float> %v65, ptr %v124, align 4
  %v125 = getelementptr i8, ptr %v6, i64 288
  %v126 = shufflevector <16 x float> %v66, <16 x float> %v66, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v126, ptr %v125, align 4
  %v127 = getelementptr i8, ptr %v6, i64 320
  store <16 x float> %v77, ptr %v127, align 4
  %v128 = getelementptr i8, ptr %v6, i64 384
  store <16 x float> %v78, ptr %v128, align 4
  %v129 = getelementptr i8, ptr %v6, i64 448
  %v130 = shufflevector <16 x float> %v79, <16 x float> %v79, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v130, ptr %v129, align 4
  %v131 = getelementptr i8, ptr %v6, i64 480
  store <16 x float> %v90, ptr %v131, align 4
  %v132 = getelementptr i8, ptr %v6, i64 544
  store <16 x float> %v91, ptr %v132, align 4
  %v133 = getelementptr i8, ptr %v6, i64 608
  %v134 = shufflevector <16 x float> %v92, <16 x float> %v92, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v134, ptr %v133, align 4
  %v135 = getelementptr i8, ptr %v6, i64 640
  store <16 x float> %v103, ptr %v135, align 4
  %v136 = getelementptr i8, ptr %v6, i64 704
  store <16 x float> %v104, ptr %v136, align 4
  %v137 = getelementptr i8, ptr %v6, i64 768
  %v138 = shufflevector <16 x float> %v105, <16 x float> %v105, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v138, ptr %v137, align 4
  %v139 = getelementptr i8, ptr %v6, i64 800
  store <16 x float> %v116, ptr %v139, align 4
  %v140 = getelementptr i8, ptr %v6, i64 864
  store <16 x float> %v117, ptr %v140, align 4
  %v141 = getelementptr i8, ptr %v6, i64 928
  %v142 = shufflevector <16 x float> %v118, <16 x float> %v118, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v142, ptr %v141, align 4
  %v11 = add nuw nsw i64 %v10, 1
  %v143 = icmp ne i64 %v11, %hi
  br i1 %v143, label %items.loop7, label %items.done8
items.done8:
  ret void
}
