define void @k_87b0094e00fca2b6(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %n_o.done13 ]
  br label %n_o.loop12
n_o.loop12:
  %v14 = phi i64 [ 0, %items.loop7 ], [ %v15, %n_i.done35 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v68, %n_i.done35 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v71, %n_i.done35 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v75, %n_i.done35 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v80, %n_i.done35 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v81, %n_i.done35 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v82, %n_i.done35 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v87, %n_i.done35 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v88, %n_i.done35 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v89, %n_i.done35 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v94, %n_i.done35 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v95, %n_i.done35 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v96, %n_i.done35 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v101, %n_i.done35 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v102, %n_i.done35 ]
  %v30 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v103, %n_i.done35 ]
  %v31 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v108, %n_i.done35 ]
  %v32 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v109, %n_i.done35 ]
  %v33 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v110, %n_i.done35 ]
  %v56 = mul nsw i64 %v14, 384
  %v57 = getelementptr i8, ptr %v4, i64 %v56
  %v61 = mul nsw i64 %v14, 2560
  %v62 = getelementptr i8, ptr %v2, i64 %v61
  br label %n_i.loop34
n_i.loop34:
  %v36 = phi i64 [ 0, %n_o.loop12 ], [ %v37, %n_i.loop34 ]
  %v38 = phi <16 x float> [ %v16, %n_o.loop12 ], [ %v68, %n_i.loop34 ]
  %v39 = phi <16 x float> [ %v17, %n_o.loop12 ], [ %v71, %n_i.loop34 ]
  %v40 = phi <16 x float> [ %v18, %n_o.loop12 ], [ %v75, %n_i.loop34 ]
  %v41 = phi <16 x float> [ %v19, %n_o.loop12 ], [ %v80, %n_i.loop34 ]
  %v42 = phi <16 x float> [ %v20, %n_o.loop12 ], [ %v81, %n_i.loop34 ]
  %v43 = phi <16 x float> [ %v21, %n_o.loop12 ], [ %v82, %n_i.loop34 ]
  %v44 = phi <16 x float> [ %v22, %n_o.loop12 ], [ %v87, %n_i.loop34 ]
  %v45 = phi <16 x float> [ %v23, %n_o.loop12 ], [ %v88, %n_i.loop34 ]
  %v46 = phi <16 x float> [ %v24, %n_o.loop12 ], [ %v89, %n_i.loop34 ]
  %v47 = phi <16 x float> [ %v25, %n_o.loop12 ], [ %v94, %n_i.loop34 ]
  %v48 = phi <16 x float> [ %v26, %n_o.loop12 ], [ %v95, %n_i.loop34 ]
  %v49 = phi <16 x float> [ %v27, %n_o.loop12 ], [ %v96, %n_i.loop34 ]
  %v50 = phi <16 x float> [ %v28, %n_o.loop12 ], [ %v101, %n_i.loop34 ]
  %v51 = phi <16 x float> [ %v29, %n_o.loop12 ], [ %v102, %n_i.loop34 ]
  %v52 = phi <16 x float> [ %v30, %n_o.loop12 ], [ %v103, %n_i.loop34 ]
  %v53 = phi <16 x float> [ %v31, %n_o.loop12 ], [ %v108, %n_i.loop34 ]
  %v54 = phi <16 x float> [ %v32, %n_o.loop12 ], [ %v109, %n_i.loop34 ]
  %v55 = phi <16 x float> [ %v33, %n_o.loop12 ], [ %v110, %n_i.loop34 ]
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
  %v73 = load <8 x float>, ptr %v72, align 4
  %v74 = shufflevector <8 x float> %v73, <8 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>
  %v75 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %v74, <16 x float> %v40)
  %v76 = getelementptr i8, ptr %v59, i64 64
  %v77 = load float, ptr %v76, align 4
  %v78 = insertelement <16 x float> poison, float %v77, i64 0
  %v79 = shufflevector <16 x float> %v78, <16 x float> poison, <16 x i32> zeroinitializer
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v65, <16 x float> %v41)
  %v81 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v70, <16 x float> %v42)
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v74, <16 x float> %v43)
  %v83 = getelementptr i8, ptr %v59, i64 128
  %v84 = load float, ptr %v83, align 4
  %v85 = insertelement <16 x float> poison, float %v84, i64 0
  %v86 = shufflevector <16 x float> %v85, <16 x float> poison, <16 x i32> zeroinitializer
  %v87 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v86, <16 x float> %v65, <16 x float> %v44)
  %v88 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v86, <16 x float> %v70, <16 x float> %v45)
  %v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v86, <16 x float> %v74, <16 x float> %v46)
  %v90 = getelementptr i8, ptr %v59, i64 192
  %v91 = load float, ptr %v90, align 4
  %v92 = insertelement <16 x float> poison, float %v91, i64 0
  %v93 = shufflevector <16 x float> %v92, <16 x float> poison, <16 x i32> zeroinitializer
  %v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v65, <16 x float> %v47)
  %v95 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v70, <16 x float> %v48)
  %v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v74, <16 x float> %v49)
  %v97 = getelementptr i8, ptr %v59, i64 256
  %v98 = load float, ptr %v97, align 4
  %v99 = insertelement <16 x float> poison, float %v98, i64 0
  %v100 = shufflevector <16 x float> %v99, <16 x float> poison, <16 x i32> zeroinitializer
  %v101 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v65, <16 x float> %v50)
  %v102 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v70, <16 x float> %v51)
  %v103 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v74, <16 x float> %v52)
  %v104 = getelementptr i8, ptr %v59, i64 320
  %v105 = load float, ptr %v104, align 4
  %v106 = insertelement <16 x float> poison, float %v105, i64 0
  %v107 = shufflevector <16 x float> %v106, <16 x float> poison, <16 x i32> zeroinitializer
  %v108 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v107, <16 x float> %v65, <16 x float> %v53)
  %v109 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v107, <16 x float> %v70, <16 x float> %v54)
  %v110 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v107, <16 x float> %v74, <16 x float> %v55)
  %v37 = add nuw nsw i64 %v36, 1
  %v111 = icmp ne i64 %v37, 16
  br i1 %v111, label %n_i.loop34, label %n_i.done35
n_i.done35:
  %v15 = add nuw nsw i64 %v14, 1
  %v112 = icmp ne i64 %v15, 2
  br i1 %v112, label %n_o.loop12, label %n_o.done13
n_o.done13:
  store <16 x float> %v68, ptr %v6, align 4
  %v113 = getelementptr i8, ptr %v6, i64 64
  store <16 x float> %v71, ptr %v113, align 4
  %v114 = getelementptr i8, ptr %v6, i64 128
  %v115 = shufflevector <16 x float> %v75, <16 x float> %v75, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v115, ptr %v114, align 4
  %v116 = getelementptr i8, ptr %v6, i64 160
  store <16 x float> %v80, ptr %v116, align 4
  %v117 = getelementptr i8, ptr %v6, i64 224
  store <16 x float> %v81, ptr %v117, align 4
  %v118 = getelementptr i8, ptr %v6, i64 288
  %v119 = shufflevector <16 x float> %v82, <16 x float> %v82, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v119, ptr %v118, align 4
  %v120 = getelementptr i8, ptr %v6, i64 320
  store <16 x float> %v87, ptr %v120, align 4
  %v121 = getelementptr i8, ptr %v6, i64 384
  store <16 x float> %v88, ptr %v121, align 4
  %v122 = getelementptr i8, ptr %v6, i64 448
  %v123 = shufflevector <16 x float> %v89, <16 x float> %v89, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v123, ptr %v122, align 4
  %v124 = getelementptr i8, ptr %v6, i64 480
  store <16 x float> %v94, ptr %v124, align 4
  %v125 = getelementptr i8, ptr %v6, i64 544
  store <16 x float> %v95, ptr %v125, align 4
  %v126 = getelementptr i8, ptr %v6, i64 608
  %v127 = shufflevector <16 x float> %v96, <16 x float> %v96, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v127, ptr %v126, align 4
  %v128 = getelementptr i8, ptr %v6, i64 640
  store <16 x float> %v101, ptr %v128, align 4
  %v129 = getelementptr i8, ptr %v6, i64 704
  store <16 x float> %v102, ptr %v129, align 4
  %v130 = getelementptr i8, ptr %v6, i64 768
  %v131 = shufflevector <16 x float> %v103, <16 x float> %v103, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v131, ptr %v130, align 4
  %v132 = getelementptr i8, ptr %v6, i64 800
  store <16 x float> %v108, ptr %v132, align 4
  %v133 = getelementptr i8, ptr %v6, i64 864
  store <16 x float> %v109, ptr %v133, align 4
  %v134 = getelementptr i8, ptr %v6, i64 928
  %v135 = shufflevector <16 x float> %v110, <16 x float> %v110, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v135, ptr %v134, align 4
  %v11 = add nuw nsw i64 %v10, 1
  %v136 = icmp ne i64 %v11, %hi
  br i1 %v136, label %items.loop7, label %items.done8
items.done8:
  ret void
}
