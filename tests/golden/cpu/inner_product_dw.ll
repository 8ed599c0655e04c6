define void @k_b7d5a6602fece0b5(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
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
  %v139 = phi i64 [ %lo, %entry ], [ %v141, %n_o.done12 ]
  %v112 = getelementptr i8, ptr %v4, i64 768
  br label %n_o.loop11
n_o.loop11:
  %v53 = phi ptr [ %v4, %items.loop7 ], [ %v111, %n_i.done33 ]
  %v56 = phi ptr [ %v2, %items.loop7 ], [ %v114, %n_i.done33 ]
  %v14 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v61, %n_i.done33 ]
  %v15 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v64, %n_i.done33 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v68, %n_i.done33 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v73, %n_i.done33 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v74, %n_i.done33 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v75, %n_i.done33 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v80, %n_i.done33 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v81, %n_i.done33 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v82, %n_i.done33 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v87, %n_i.done33 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v88, %n_i.done33 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v89, %n_i.done33 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v94, %n_i.done33 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v95, %n_i.done33 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v96, %n_i.done33 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v101, %n_i.done33 ]
  %v30 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v102, %n_i.done33 ]
  %v31 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v103, %n_i.done33 ]
  %v106 = getelementptr i8, ptr %v53, i64 64
  br label %n_i.loop32
n_i.loop32:
  %v54 = phi ptr [ %v53, %n_o.loop11 ], [ %v105, %n_i.loop32 ]
  %v57 = phi ptr [ %v56, %n_o.loop11 ], [ %v108, %n_i.loop32 ]
  %v35 = phi <16 x float> [ %v14, %n_o.loop11 ], [ %v61, %n_i.loop32 ]
  %v36 = phi <16 x float> [ %v15, %n_o.loop11 ], [ %v64, %n_i.loop32 ]
  %v37 = phi <16 x float> [ %v16, %n_o.loop11 ], [ %v68, %n_i.loop32 ]
  %v38 = phi <16 x float> [ %v17, %n_o.loop11 ], [ %v73, %n_i.loop32 ]
  %v39 = phi <16 x float> [ %v18, %n_o.loop11 ], [ %v74, %n_i.loop32 ]
  %v40 = phi <16 x float> [ %v19, %n_o.loop11 ], [ %v75, %n_i.loop32 ]
  %v41 = phi <16 x float> [ %v20, %n_o.loop11 ], [ %v80, %n_i.loop32 ]
  %v42 = phi <16 x float> [ %v21, %n_o.loop11 ], [ %v81, %n_i.loop32 ]
  %v43 = phi <16 x float> [ %v22, %n_o.loop11 ], [ %v82, %n_i.loop32 ]
  %v44 = phi <16 x float> [ %v23, %n_o.loop11 ], [ %v87, %n_i.loop32 ]
  %v45 = phi <16 x float> [ %v24, %n_o.loop11 ], [ %v88, %n_i.loop32 ]
  %v46 = phi <16 x float> [ %v25, %n_o.loop11 ], [ %v89, %n_i.loop32 ]
  %v47 = phi <16 x float> [ %v26, %n_o.loop11 ], [ %v94, %n_i.loop32 ]
  %v48 = phi <16 x float> [ %v27, %n_o.loop11 ], [ %v95, %n_i.loop32 ]
  %v49 = phi <16 x float> [ %v28, %n_o.loop11 ], [ %v96, %n_i.loop32 ]
  %v50 = phi <16 x float> [ %v29, %n_o.loop11 ], [ %v101, %n_i.loop32 ]
  %v51 = phi <16 x float> [ %v30, %n_o.loop11 ], [ %v102, %n_i.loop32 ]
  %v52 = phi <16 x float> [ %v31, %n_o.loop11 ], [ %v103, %n_i.loop32 ]
  %v55 = load float, ptr %v54, align 4
  %v58 = load <16 x float>, ptr %v57, align 4
  %v59 = insertelement <16 x float> poison, float %v55, i64 0
  %v60 = shufflevector <16 x float> %v59, <16 x float> poison, <16 x i32> zeroinitializer
  %v61 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v58, <16 x float> %v35)
  %v62 = getelementptr i8, ptr %v57, i64 64
  %v63 = load <16 x float>, ptr %v62, align 4
  %v64 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v63, <16 x float> %v36)
  %v65 = getelementptr i8, ptr %v57, i64 128
  %v66 = load <8 x float>, ptr %v65, align 4
  %v67 = shufflevector <8 x float> %v66, <8 x float> splat (float 0x0000000000000000), <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>
  %v68 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v67, <16 x float> %v37)
  %v69 = getelementptr i8, ptr %v54, i64 64
  %v70 = load float, ptr %v69, align 4
  %v71 = insertelement <16 x float> poison, float %v70, i64 0
  %v72 = shufflevector <16 x float> %v71, <16 x float> poison, <16 x i32> zeroinitializer
  %v73 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v72, <16 x float> %v58, <16 x float> %v38)
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v72, <16 x float> %v63, <16 x float> %v39)
  %v75 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v72, <16 x float> %v67, <16 x float> %v40)
  %v76 = getelementptr i8, ptr %v54, i64 128
  %v77 = load float, ptr %v76, align 4
  %v78 = insertelement <16 x float> poison, float %v77, i64 0
  %v79 = shufflevector <16 x float> %v78, <16 x float> poison, <16 x i32> zeroinitializer
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v58, <16 x float> %v41)
  %v81 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v63, <16 x float> %v42)
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v67, <16 x float> %v43)
  %v83 = getelementptr i8, ptr %v54, i64 192
  %v84 = load float, ptr %v83, align 4
  %v85 = insertelement <16 x float> poison, float %v84, i64 0
  %v86 = shufflevector <16 x float> %v85, <16 x float> poison, <16 x i32> zeroinitializer
  %v87 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v86, <16 x float> %v58, <16 x float> %v44)
  %v88 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v86, <16 x float> %v63, <16 x float> %v45)
  %v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v86, <16 x float> %v67, <16 x float> %v46)
  %v90 = getelementptr i8, ptr %v54, i64 256
  %v91 = load float, ptr %v90, align 4
  %v92 = insertelement <16 x float> poison, float %v91, i64 0
  %v93 = shufflevector <16 x float> %v92, <16 x float> poison, <16 x i32> zeroinitializer
  %v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v58, <16 x float> %v47)
  %v95 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v63, <16 x float> %v48)
  %v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v67, <16 x float> %v49)
  %v97 = getelementptr i8, ptr %v54, i64 320
  %v98 = load float, ptr %v97, align 4
  %v99 = insertelement <16 x float> poison, float %v98, i64 0
  %v100 = shufflevector <16 x float> %v99, <16 x float> poison, <16 x i32> zeroinitializer
  %v101 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v58, <16 x float> %v50)
  %v102 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v63, <16 x float> %v51)
  %v103 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v67, <16 x float> %v52)
  %v104 = getelementptr i8, ptr %v54, i64 4
  %v105 = freeze ptr %v104
  %v107 = getelementptr i8, ptr %v57, i64 160
  %v108 = freeze ptr %v107
  %v109 = icmp ne ptr %v105, %v106
  br i1 %v109, label %n_i.loop32, label %n_i.done33
n_i.done33:
  %v110 = getelementptr i8, ptr %v53, i64 384
  %v111 = freeze ptr %v110
  %v113 = getelementptr i8, ptr %v56, i64 2560
  %v114 = freeze ptr %v113
  %v115 = icmp ne ptr %v111, %v112
  br i1 %v115, label %n_o.loop11, label %n_o.done12
n_o.done12:
  store <16 x float> %v61, ptr %v6, align 4
  %v116 = getelementptr i8, ptr %v6, i64 64
  store <16 x float> %v64, ptr %v116, align 4
  %v117 = getelementptr i8, ptr %v6, i64 128
  %v118 = shufflevector <16 x float> %v68, <16 x float> %v68, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v118, ptr %v117, align 4
  %v119 = getelementptr i8, ptr %v6, i64 160
  store <16 x float> %v73, ptr %v119, align 4
  %v120 = getelementptr i8, ptr %v6, i64 224
  store <16 x float> %v74, ptr %v120, align 4
  %v121 = getelementptr i8, ptr %v6, i64 288
  %v122 = shufflevector <16 x float> %v75, <16 x float> %v75, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v122, ptr %v121, align 4
  %v123 = getelementptr i8, ptr %v6, i64 320
  store <16 x float> %v80, ptr %v123, align 4
  %v124 = getelementptr i8, ptr %v6, i64 384
  store <16 x float> %v81, ptr %v124, align 4
  %v125 = getelementptr i8, ptr %v6, i64 448
  %v126 = shufflevector <16 x float> %v82, <16 x float> %v82, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v126, ptr %v125, align 4
  %v127 = getelementptr i8, ptr %v6, i64 480
  store <16 x float> %v87, ptr %v127, align 4
  %v128 = getelementptr i8, ptr %v6, i64 544
  store <16 x float> %v88, ptr %v128, align 4
  %v129 = getelementptr i8, ptr %v6, i64 608
  %v130 = shufflevector <16 x float> %v89, <16 x float> %v89, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v130, ptr %v129, align 4
  %v131 = getelementptr i8, ptr %v6, i64 640
  store <16 x float> %v94, ptr %v131, align 4
  %v132 = getelementptr i8, ptr %v6, i64 704
  store <16 x float> %v95, ptr %v132, align 4
  %v133 = getelementptr i8, ptr %v6, i64 768
  %v134 = shufflevector <16 x float> %v96, <16 x float> %v96, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v134, ptr %v133, align 4
  %v135 = getelementptr i8, ptr %v6, i64 800
  store <16 x float> %v101, ptr %v135, align 4
  %v136 = getelementptr i8, ptr %v6, i64 864
  store <16 x float> %v102, ptr %v136, align 4
  %v137 = getelementptr i8, ptr %v6, i64 928
  %v138 = shufflevector <16 x float> %v103, <16 x float> %v103, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  store <8 x float> %v138, ptr %v137, align 4
  %v140 = add nsw i64 %v139, 1
  %v141 = freeze i64 %v140
  %v142 = icmp ne i64 %v141, %hi
  br i1 %v142, label %items.loop7, label %items.done8
items.done8:
  ret void
}
