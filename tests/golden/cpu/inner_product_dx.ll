define void @k_f10aa87991329097(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v111 = mul nsw i64 %lo, 20
  %v112 = getelementptr i8, ptr %v4, i64 %v111
  %v113 = mul nsw i64 %hi, 20
  %v114 = getelementptr i8, ptr %v4, i64 %v113
  %v117 = mul nsw i64 %lo, 320
  %v118 = getelementptr i8, ptr %v6, i64 %v117
  %v9 = icmp slt i64 %lo, %hi
  br i1 %v9, label %items.loop7, label %items.done8
items.loop7:
  %v34 = phi ptr [ %v112, %entry ], [ %v110, %o.done12 ]
  %v89 = phi ptr [ %v118, %entry ], [ %v116, %o.done12 ]
  %v85 = getelementptr i8, ptr %v34, i64 960
  br label %o.loop11
o.loop11:
  %v35 = phi ptr [ %v34, %items.loop7 ], [ %v84, %o.loop11 ]
  %v37 = phi ptr [ %v2, %items.loop7 ], [ %v87, %o.loop11 ]
  %v14 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v41, %o.loop11 ]
  %v15 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v44, %o.loop11 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v47, %o.loop11 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v50, %o.loop11 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v55, %o.loop11 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v56, %o.loop11 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v57, %o.loop11 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v58, %o.loop11 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v63, %o.loop11 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v64, %o.loop11 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v65, %o.loop11 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v66, %o.loop11 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v71, %o.loop11 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v72, %o.loop11 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v73, %o.loop11 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v74, %o.loop11 ]
  %v30 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v79, %o.loop11 ]
  %v31 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v80, %o.loop11 ]
  %v32 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v81, %o.loop11 ]
  %v33 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v82, %o.loop11 ]
  %v36 = load float, ptr %v35, align 4
  %v38 = load <16 x float>, ptr %v37, align 64
  %v39 = insertelement <16 x float> poison, float %v36, i64 0
  %v40 = shufflevector <16 x float> %v39, <16 x float> poison, <16 x i32> zeroinitializer
  %v41 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v40, <16 x float> %v14)
  %v42 = getelementptr i8, ptr %v37, i64 768
  %v43 = load <16 x float>, ptr %v42, align 64
  %v44 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v40, <16 x float> %v15)
  %v45 = getelementptr i8, ptr %v37, i64 1536
  %v46 = load <16 x float>, ptr %v45, align 64
  %v47 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v46, <16 x float> %v40, <16 x float> %v16)
  %v48 = getelementptr i8, ptr %v37, i64 2304
  %v49 = load <16 x float>, ptr %v48, align 64
  %v50 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v49, <16 x float> %v40, <16 x float> %v17)
  %v51 = getelementptr i8, ptr %v35, i64 4
  %v52 = load float, ptr %v51, align 4
  %v53 = insertelement <16 x float> poison, float %v52, i64 0
  %v54 = shufflevector <16 x float> %v53, <16 x float> poison, <16 x i32> zeroinitializer
  %v55 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v54, <16 x float> %v18)
  %v56 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v54, <16 x float> %v19)
  %v57 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v46, <16 x float> %v54, <16 x float> %v20)
  %v58 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v49, <16 x float> %v54, <16 x float> %v21)
  %v59 = getelementptr i8, ptr %v35, i64 8
  %v60 = load float, ptr %v59, align 4
  %v61 = insertelement <16 x float> poison, float %v60, i64 0
  %v62 = shufflevector <16 x float> %v61, <16 x float> poison, <16 x i32> zeroinitializer
  %v63 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v62, <16 x float> %v22)
  %v64 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v62, <16 x float> %v23)
  %v65 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v46, <16 x float> %v62, <16 x float> %v24)
  %v66 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v49, <16 x float> %v62, <16 x float> %v25)
  %v67 = getelementptr i8, ptr %v35, i64 12
  %v68 = load float, ptr %v67, align 4
  %v69 = insertelement <16 x float> poison, float %v68, i64 0
  %v70 = shufflevector <16 x float> %v69, <16 x float> poison, <16 x i32> zeroinitializer
  %v71 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v70, <16 x float> %v26)
  %v72 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v70, <16 x float> %v27)
  %v73 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v46, <16 x float> %v70, <16 x float> %v28)
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v49, <16 x float> %v70, <16 x float> %v29)
  %v75 = getelementptr i8, ptr %v35, i64 16
  %v76 = load float, ptr %v75, align 4
  %v77 = insertelement <16 x float> poison, float %v76, i64 0
  %v78 = shufflevector <16 x float> %v77, <16 x float> poison, <16 x i32> zeroinitializer
  %v79 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v78, <16 x float> %v30)
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v78, <16 x float> %v31)
  %v81 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v46, <16 x float> %v78, <16 x float> %v32)
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v49, <16 x float> %v78, <16 x float> %v33)
  %v83 = getelementptr i8, ptr %v35, i64 80
  %v84 = freeze ptr %v83
  %v86 = getelementptr i8, ptr %v37, i64 64
  %v87 = freeze ptr %v86
  %v88 = icmp ne ptr %v84, %v85
  br i1 %v88, label %o.loop11, label %o.done12
o.done12:
  store <16 x float> %v41, ptr %v89, align 64
  %v90 = getelementptr i8, ptr %v89, i64 1280
  store <16 x float> %v44, ptr %v90, align 64
  %v91 = getelementptr i8, ptr %v89, i64 2560
  store <16 x float> %v47, ptr %v91, align 64
  %v92 = getelementptr i8, ptr %v89, i64 3840
  store <16 x float> %v50, ptr %v92, align 64
  %v93 = getelementptr i8, ptr %v89, i64 64
  store <16 x float> %v55, ptr %v93, align 64
  %v94 = getelementptr i8, ptr %v89, i64 1344
  store <16 x float> %v56, ptr %v94, align 64
  %v95 = getelementptr i8, ptr %v89, i64 2624
  store <16 x float> %v57, ptr %v95, align 64
  %v96 = getelementptr i8, ptr %v89, i64 3904
  store <16 x float> %v58, ptr %v96, align 64
  %v97 = getelementptr i8, ptr %v89, i64 128
  store <16 x float> %v63, ptr %v97, align 64
  %v98 = getelementptr i8, ptr %v89, i64 1408
  store <16 x float> %v64, ptr %v98, align 64
  %v99 = getelementptr i8, ptr %v89, i64 2688
  store <16 x float> %v65, ptr %v99, align 64
  %v100 = getelementptr i8, ptr %v89, i64 3968
  store <16 x float> %v66, ptr %v100, align 64
  %v101 = getelementptr i8, ptr %v89, i64 192
  store <16 x float> %v71, ptr %v101, align 64
  %v102 = getelementptr i8, ptr %v89, i64 1472
  store <16 x float> %v72, ptr %v102, align 64
  %v103 = getelementptr i8, ptr %v89, i64 2752
  store <16 x float> %v73, ptr %v103, align 64
  %v104 = getelementptr i8, ptr %v89, i64 4032
  store <16 x float> %v74, ptr %v104, align 64
  %v105 = getelementptr i8, ptr %v89, i64 256
  store <16 x float> %v79, ptr %v105, align 64
  %v106 = getelementptr i8, ptr %v89, i64 1536
  store <16 x float> %v80, ptr %v106, align 64
  %v107 = getelementptr i8, ptr %v89, i64 2816
  store <16 x float> %v81, ptr %v107, align 64
  %v108 = getelementptr i8, ptr %v89, i64 4096
  store <16 x float> %v82, ptr %v108, align 64
  %v109 = getelementptr i8, ptr %v34, i64 20
  %v110 = freeze ptr %v109
  %v115 = getelementptr i8, ptr %v89, i64 320
  %v116 = freeze ptr %v115
  %v119 = icmp ne ptr %v110, %v114
  br i1 %v119, label %items.loop7, label %items.done8
items.done8:
  ret void
}
