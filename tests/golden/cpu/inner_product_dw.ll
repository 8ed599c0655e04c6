define void @k_1c5b3e386b254453(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v9 = icmp slt i64 %lo, %hi
  br i1 %v9, label %loop7, label %done8
loop7:
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %done13 ]
  br label %loop12
loop12:
  %v14 = phi i64 [ 0, %loop7 ], [ %v15, %done35 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v68, %done35 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v71, %done35 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v75, %done35 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v80, %done35 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v81, %done35 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v83, %done35 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v88, %done35 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v89, %done35 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v91, %done35 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v96, %done35 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v97, %done35 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v99, %done35 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v104, %done35 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v105, %done35 ]
  %v30 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v107, %done35 ]
  %v31 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v112, %done35 ]
  %v32 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v113, %done35 ]
  %v33 = phi <16 x float> [ splat (float 0x0000000000000000), %loop7 ], [ %v115, %done35 ]
  %v56 = mul nsw i64 %v14, 384
  %v57 = getelementptr i8, ptr %v4, i64 %v56
  %v61 = mul nsw i64 %v14, 2560
  %v62 = getelementptr i8, ptr %v2, i64 %v61
  br label %loop34
loop34:
  %v36 = phi i64 [ 0, %loop12 ], [ %v37, %loop34 ]
  %v38 = phi <16 x float> [ %v16, %loop12 ], [ %v68, %loop34 ]
  %v39 = phi <16 x float> [ %v17, %loop12 ], [ %v71, %loop34 ]
  %v40 = phi <16 x float> [ %v18, %loop12 ], [ %v75, %loop34 ]
  %v41 = phi <16 x float> [ %v19, %loop12 ], [ %v80, %loop34 ]
  %v42 = phi <16 x float> [ %v20, %loop12 ], [ %v81, %loop34 ]
  %v43 = phi <16 x float> [ %v21, %loop12 ], [ %v83, %loop34 ]
  %v44 = phi <16 x float> [ %v22, %loop12 ], [ %v88, %loop34 ]
  %v45 = phi <16 x float> [ %v23, %loop12 ], [ %v89, %loop34 ]
  %v46 = phi <16 x float> [ %v24, %loop12 ], [ %v91, %loop34 ]
  %v47 = phi <16 x float> [ %v25, %loop12 ], [ %v96, %loop34 ]
  %v48 = phi <16 x float> [ %v26, %loop12 ], [ %v97, %loop34 ]
  %v49 = phi <16 x float> [ %v27, %loop12 ], [ %v99, %loop34 ]
  %v50 = phi <16 x float> [ %v28, %loop12 ], [ %v104, %loop34 ]
  %v51 = phi <16 x float> [ %v29, %loop12 ], [ %v105, %loop34 ]
  %v52 = phi <16 x float> [ %v30, %loop12 ], [ %v107, %loop34 ]
  %v53 = phi <16 x float> [ %v31, %loop12 ], [ %v112, %loop34 ]
  %v54 = phi <16 x float> [ %v32, %loop12 ], [ %v113, %loop34 ]
  %v55 = phi <16 x float> [ %v33, %loop12 ], [ %v115, %loop34 ]
  %v58 = mul nsw i64 %v36, 4
  %v59 = getelementptr i8, ptr %v57, i64 %v58
  %v63 = mul nsw i64 %v36, 160
  %v64 = getelementptr i8, ptr %v62, i64 %v63
  %v60 = load float, ptr %v59, align 4
  %v65 = load <16 x float>, ptr %v64, align 4
  %v66 = insertelement <16 x float> poison, float %v60, i64 0
  %v67 = shufflevector <16 x float> %v66, <16 x float> poison, <16 x i32> zeroinitializer
  %v68 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %v65, <16 x float> %v38)
  %v69 = getelementptr i8, ptr %v64, i64 64
  %v70 = load <16 x float>, ptr %v69, align 4
  %v71 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %v70, <16 x float> %v39)
  %v72 = getelementptr i8, ptr %v64, i64 128
  %v73 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v72, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> zeroinitializer)
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %v73, <16 x float> %v40)
  %v75 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v74, <16 x float> %v40
  %v76 = getelementptr i8, ptr %v59, i64 64
  %v77 = load float, ptr %v76, align 4
  %v78 = insertelement <16 x float> poison, float %v77, i64 0
  %v79 = shufflevector <16 x float> %v78, <16 x float> poison, <16 x i32> zeroinitializer
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v65, <16 x float> %v41)
  %v81 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v70, <16 x float> %v42)
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v73, <16 x float> %v43)
  %v83 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v82, <16 x float> %v43
  %v84 = getelementptr i8, ptr %v59, i64 128
  %v85 = load float, ptr %v84, align 4
  %v86 = insertelement <16 x float> poison, float %v85, i64 0
  %v87 = shufflevector <16 x float> %v86, <16 x float> poison, <16 x i32> zeroinitializer
  %v88 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v87, <16 x float> %v65, <16 x float> %v44)
  %v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v87, <16 x float> %v70, <16 x float> %v45)
  %v90 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v87, <16 x float> %v73, <16 x float> %v46)
  %v91 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v90, <16 x float> %v46
  %v92 = getelementptr i8, ptr %v59, i64 192
  %v93 = load float, ptr %v92, align 4
  %v94 = insertelement <16 x float> poison, float %v93, i64 0
  %v95 = shufflevector <16 x float> %v94, <16 x float> poison, <16 x i32> zeroinitializer
  %v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v65, <16 x float> %v47)
  %v97 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v70, <16 x float> %v48)
  %v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v73, <16 x float> %v49)
  %v99 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v98, <16 x float> %v49
  %v100 = getelementptr i8, ptr %v59, i64 256
  %v101 = load float, ptr %v100, align 4
  %v102 = insertelement <16 x float> poison, float %v101, i64 0
  %v103 = shufflevector <16 x float> %v102, <16 x float> poison, <16 x i32> zeroinitializer
  %v104 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v103, <16 x float> %v65, <16 x float> %v50)
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v103, <16 x float> %v70, <16 x float> %v51)
  %v106 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v103, <16 x float> %v73, <16 x float> %v52)
  %v107 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v106, <16 x float> %v52
  %v108 = getelementptr i8, ptr %v59, i64 320
  %v109 = load float, ptr %v108, align 4
  %v110 = insertelement <16 x float> poison, float %v109, i64 0
  %v111 = shufflevector <16 x float> %v110, <16 x float> poison, <16 x i32> zeroinitializer
  %v112 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v111, <16 x float> %v65, <16 x float> %v53)
  %v113 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v111, <16 x float> %v70, <16 x float> %v54)
  %v114 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v111, <16 x float> %v73, <16 x float> %v55)
  %v115 = select <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x float> %v114, <16 x float> %v55
  %v37 = add nuw nsw i64 %v36, 1
  %v116 = icmp ne i64 %v37, 16
  br i1 %v116, label %loop34, label %done35
done35:
  %v15 = add nuw nsw i64 %v14, 1
  %v117 = icmp ne i64 %v15, 2
  br i1 %v117, label %loop12, label %done13
done13:
  store <16 x float> %v68, ptr %v6, align 4
  %v118 = getelementptr i8, ptr %v6, i64 64
  store <16 x float> %v71, ptr %v118, align 4
  %v119 = getelementptr i8, ptr %v6, i64 128
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v75, ptr %v119, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %v120 = getelementptr i8, ptr %v6, i64 160
  store <16 x float> %v80, ptr %v120, align 4
  %v121 = getelementptr i8, ptr %v6, i64 224
  store <16 x float> %v81, ptr %v121, align 4
  %v122 = getelementptr i8, ptr %v6, i64 288
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v83, ptr %v122, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %v123 = getelementptr i8, ptr %v6, i64 320
  store <16 x float> %v88, ptr %v123, align 4
  %v124 = getelementptr i8, ptr %v6, i64 384
  store <16 x float> %v89, ptr %v124, align 4
  %v125 = getelementptr i8, ptr %v6, i64 448
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v91, ptr %v125, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %v126 = getelementptr i8, ptr %v6, i64 480
  store <16 x float> %v96, ptr %v126, align 4
  %v127 = getelementptr i8, ptr %v6, i64 544
  store <16 x float> %v97, ptr %v127, align 4
  %v128 = getelementptr i8, ptr %v6, i64 608
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v99, ptr %v128, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %v129 = getelementptr i8, ptr %v6, i64 640
  store <16 x float> %v104, ptr %v129, align 4
  %v130 = getelementptr i8, ptr %v6, i64 704
  store <16 x float> %v105, ptr %v130, align 4
  %v131 = getelementptr i8, ptr %v6, i64 768
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v107, ptr %v131, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %v132 = getelementptr i8, ptr %v6, i64 800
  store <16 x float> %v112, ptr %v132, align 4
  %v133 = getelementptr i8, ptr %v6, i64 864
  store <16 x float> %v113, ptr %v133, align 4
  %v134 = getelementptr i8, ptr %v6, i64 928
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v115, ptr %v134, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  %v11 = add nuw nsw i64 %v10, 1
  %v135 = icmp ne i64 %v11, %hi
  br i1 %v135, label %loop7, label %done8
done8:
  ret void
}
