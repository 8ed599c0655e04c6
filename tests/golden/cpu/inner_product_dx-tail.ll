define void @k_6060edd04785ac85(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %o.done91 ]
  br label %o.loop12
o.loop12:
  %v14 = phi i64 [ 0, %items.loop7 ], [ %v15, %o.loop12 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v34, %o.loop12 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v39, %o.loop12 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v44, %o.loop12 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v49, %o.loop12 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v54, %o.loop12 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v59, %o.loop12 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v64, %o.loop12 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v69, %o.loop12 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v74, %o.loop12 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v79, %o.loop12 ]
  %v26 = mul nsw i64 %v14, 4
  %v27 = getelementptr i8, ptr %v2, i64 %v26
  %v29 = mul nsw i64 %v14, 80
  %v30 = getelementptr i8, ptr %v4, i64 %v29
  %v28 = load float, ptr %v27, align 4
  %v31 = load <16 x float>, ptr %v30, align 4
  %v32 = insertelement <16 x float> poison, float %v28, i64 0
  %v33 = shufflevector <16 x float> %v32, <16 x float> poison, <16 x i32> zeroinitializer
  %v34 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v33, <16 x float> %v31, <16 x float> %v16)
  %v35 = getelementptr i8, ptr %v27, i64 96
  %v36 = load float, ptr %v35, align 4
  %v37 = insertelement <16 x float> poison, float %v36, i64 0
  %v38 = shufflevector <16 x float> %v37, <16 x float> poison, <16 x i32> zeroinitializer
  %v39 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v38, <16 x float> %v31, <16 x float> %v17)
  %v40 = getelementptr i8, ptr %v27, i64 192
  %v41 = load float, ptr %v40, align 4
  %v42 = insertelement <16 x float> poison, float %v41, i64 0
  %v43 = shufflevector <16 x float> %v42, <16 x float> poison, <16 x i32> zeroinitializer
  %v44 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v43, <16 x float> %v31, <16 x float> %v18)
  %v45 = getelementptr i8, ptr %v27, i64 288
  %v46 = load float, ptr %v45, align 4
  %v47 = insertelement <16 x float> poison, float %v46, i64 0
  %v48 = shufflevector <16 x float> %v47, <16 x float> poison, <16 x i32> zeroinitializer
  %v49 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v48, <16 x float> %v31, <16 x float> %v19)
  %v50 = getelementptr i8, ptr %v27, i64 384
  %v51 = load float, ptr %v50, align 4
  %v52 = insertelement <16 x float> poison, float %v51, i64 0
  %v53 = shufflevector <16 x float> %v52, <16 x float> poison, <16 x i32> zeroinitializer
  %v54 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v53, <16 x float> %v31, <16 x float> %v20)
  %v55 = getelementptr i8, ptr %v27, i64 480
  %v56 = load float, ptr %v55, align 4
  %v57 = insertelement <16 x float> poison, float %v56, i64 0
  %v58 = shufflevector <16 x float> %v57, <16 x float> poison, <16 x i32> zeroinitializer
  %v59 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v58, <16 x float> %v31, <16 x float> %v21)
  %v60 = getelementptr i8, ptr %v27, i64 576
  %v61 = load float, ptr %v60, align 4
  %v62 = insertelement <16 x float> poison, float %v61, i64 0
  %v63 = shufflevector <16 x float> %v62, <16 x float> poison, <16 x i32> zeroinitializer
  %v64 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v63, <16 x float> %v31, <16 x float> %v22)
  %v65 = getelementptr i8, ptr %v27, i64 672
  %v66 = load float, ptr %v65, align 4
  %v67 = insertelement <16 x float> poison, float %v66, i64 0
  %v68 = shufflevector <16 x float> %v67, <16 x float> poison, <16 x i32> zeroinitializer
  %v69 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v31, <16 x float> %v23)
  %v70 = getelementptr i8, ptr %v27, i64 768
  %v71 = load float, ptr %v70, align 4
  %v72 = insertelement <16 x float> poison, float %v71, i64 0
  %v73 = shufflevector <16 x float> %v72, <16 x float> poison, <16 x i32> zeroinitializer
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v31, <16 x float> %v24)
  %v75 = getelementptr i8, ptr %v27, i64 864
  %v76 = load float, ptr %v75, align 4
  %v77 = insertelement <16 x float> poison, float %v76, i64 0
  %v78 = shufflevector <16 x float> %v77, <16 x float> poison, <16 x i32> zeroinitializer
  %v79 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v78, <16 x float> %v31, <16 x float> %v25)
  %v15 = add nuw nsw i64 %v14, 1
  %v80 = icmp ne i64 %v15, 24
  br i1 %v80, label %o.loop12, label %o.done13
o.done13:
  store <16 x float> %v34, ptr %v6, align 4
  %v81 = getelementptr i8, ptr %v6, i64 80
  store <16 x float> %v39, ptr %v81, align 4
  %v82 = getelementptr i8, ptr %v6, i64 160
  store <16 x float> %v44, ptr %v82, align 4
  %v83 = getelementptr i8, ptr %v6, i64 240
  store <16 x float> %v49, ptr %v83, align 4
  %v84 = getelementptr i8, ptr %v6, i64 320
  store <16 x float> %v54, ptr %v84, align 4
  %v85 = getelementptr i8, ptr %v6, i64 400
  store <16 x float> %v59, ptr %v85, align 4
  %v86 = getelementptr i8, ptr %v6, i64 480
  store <16 x float> %v64, ptr %v86, align 4
  %v87 = getelementptr i8, ptr %v6, i64 560
  store <16 x float> %v69, ptr %v87, align 4
  %v88 = getelementptr i8, ptr %v6, i64 640
  store <16 x float> %v74, ptr %v88, align 4
  %v89 = getelementptr i8, ptr %v6, i64 720
  store <16 x float> %v79, ptr %v89, align 4
  br label %o.loop90
o.loop90:
  %v92 = phi i64 [ 0, %o.done13 ], [ %v93, %o.loop90 ]
  %v94 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done13 ], [ %v113, %o.loop90 ]
  %v95 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done13 ], [ %v118, %o.loop90 ]
  %v96 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done13 ], [ %v123, %o.loop90 ]
  %v97 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done13 ], [ %v128, %o.loop90 ]
  %v98 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done13 ], [ %v133, %o.loop90 ]
  %v99 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done13 ], [ %v138, %o.loop90 ]
  %v100 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done13 ], [ %v143, %o.loop90 ]
  %v101 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done13 ], [ %v148, %o.loop90 ]
  %v102 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done13 ], [ %v153, %o.loop90 ]
  %v103 = phi <4 x float> [ splat (float 0x0000000000000000), %o.done13 ], [ %v158, %o.loop90 ]
  %v104 = mul nsw i64 %v92, 4
  %v105 = getelementptr i8, ptr %v2, i64 %v104
  %v107 = mul nsw i64 %v92, 80
  %v108 = getelementptr i8, ptr %v4, i64 %v107
  %v106 = load float, ptr %v105, align 4
  %v109 = getelementptr i8, ptr %v108, i64 64
  %v110 = load <4 x float>, ptr %v109, align 4
  %v111 = insertelement <4 x float> poison, float %v106, i64 0
  %v112 = shufflevector <4 x float> %v111, <4 x float> poison, <4 x i32> zeroinitializer
  %v113 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v112, <4 x float> %v110, <4 x float> %v94)
  %v114 = getelementptr i8, ptr %v105, i64 96
  %v115 = load float, ptr %v114, align 4
  %v116 = insertelement <4 x float> poison, float %v115, i64 0
  %v117 = shufflevector <4 x float> %v116, <4 x float> poison, <4 x i32> zeroinitializer
  %v118 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v117, <4 x float> %v110, <4 x float> %v95)
  %v119 = getelementptr i8, ptr %v105, i64 192
  %v120 = load float, ptr %v119, align 4
  %v121 = insertelement <4 x float> poison, float %v120, i64 0
  %v122 = shufflevector <4 x float> %v121, <4 x float> poison, <4 x i32> zeroinitializer
  %v123 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v122, <4 x float> %v110, <4 x float> %v96)
  %v124 = getelementptr i8, ptr %v105, i64 288
  %v125 = load float, ptr %v124, align 4
  %v126 = insertelement <4 x float> poison, float %v125, i64 0
  %v127 = shufflevector <4 x float> %v126, <4 x float> poison, <4 x i32> zeroinitializer
  %v128 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v127, <4 x float> %v110, <4 x float> %v97)
  %v129 = getelementptr i8, ptr %v105, i64 384
  %v130 = load float, ptr %v129, align 4
  %v131 = insertelement <4 x float> poison, float %v130, i64 0
  %v132 = shufflevector <4 x float> %v131, <4 x float> poison, <4 x i32> zeroinitializer
  %v133 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v132, <4 x float> %v110, <4 x float> %v98)
  %v134 = getelementptr i8, ptr %v105, i64 480
  %v135 = load float, ptr %v134, align 4
  %v136 = insertelement <4 x float> poison, float %v135, i64 0
  %v137 = shufflevector <4 x float> %v136, <4 x float> poison, <4 x i32> zeroinitializer
  %v138 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v137, <4 x float> %v110, <4 x float> %v99)
  %v139 = getelementptr i8, ptr %v105, i64 576
  %v140 = load float, ptr %v139, align 4
  %v141 = insertelement <4 x float> poison, float %v140, i64 0
  %v142 = shufflevector <4 x float> %v141, <4 x float> poison, <4 x i32> zeroinitializer
  %v143 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v142, <4 x float> %v110, <4 x float> %v100)
  %v144 = getelementptr i8, ptr %v105, i64 672
  %v145 = load float, ptr %v144, align 4
  %v146 = insertelement <4 x float> poison, float %v145, i64 0
  %v147 = shufflevector <4 x float> %v146, <4 x float> poison, <4 x i32> zeroinitializer
  %v148 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v147, <4 x float> %v110, <4 x float> %v101)
  %v149 = getelementptr i8, ptr %v105, i64 768
  %v150 = load float, ptr %v149, align 4
  %v151 = insertelement <4 x float> poison, float %v150, i64 0
  %v152 = shufflevector <4 x float> %v151, <4 x float> poison, <4 x i32> zeroinitializer
  %v153 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v152, <4 x float> %v110, <4 x float> %v102)
  %v154 = getelementptr i8, ptr %v105, i64 864
  %v155 = load float, ptr %v154, align 4
  %v156 = insertelement <4 x float> poison, float %v155, i64 0
  %v157 = shufflevector <4 x float> %v156, <4 x float> poison, <4 x i32> zeroinitializer
  %v158 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v157, <4 x float> %v110, <4 x float> %v103)
  %v93 = add nuw nsw i64 %v92, 1
  %v159 = icmp ne i64 %v93, 24
  br i1 %v159, label %o.loop90, label %o.done91
o.done91:
  %v160 = getelementptr i8, ptr %v6, i64 64
  store <4 x float> %v113, ptr %v160, align 4
  %v161 = getelementptr i8, ptr %v6, i64 144
  store <4 x float> %v118, ptr %v161, align 4
  %v162 = getelementptr i8, ptr %v6, i64 224
  store <4 x float> %v123, ptr %v162, align 4
  %v163 = getelementptr i8, ptr %v6, i64 304
  store <4 x float> %v128, ptr %v163, align 4
  %v164 = getelementptr i8, ptr %v6, i64 384
  store <4 x float> %v133, ptr %v164, align 4
  %v165 = getelementptr i8, ptr %v6, i64 464
  store <4 x float> %v138, ptr %v165, align 4
  %v166 = getelementptr i8, ptr %v6, i64 544
  store <4 x float> %v143, ptr %v166, align 4
  %v167 = getelementptr i8, ptr %v6, i64 624
  store <4 x float> %v148, ptr %v167, align 4
  %v168 = getelementptr i8, ptr %v6, i64 704
  store <4 x float> %v153, ptr %v168, align 4
  %v169 = getelementptr i8, ptr %v6, i64 784
  store <4 x float> %v158, ptr %v169, align 4
  %v11 = add nuw nsw i64 %v10, 1
  %v170 = icmp ne i64 %v11, %hi
  br i1 %v170, label %items.loop7, label %items.done8
items.done8:
  ret void
}
