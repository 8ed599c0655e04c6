define void @k_1c4b3fd333919019(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %ci.done15 ]
  %v12 = urem i64 %v10, 3
  %v13 = udiv i64 %v10, 3
  %v51 = mul nsw i64 %v13, 6272
  %v52 = getelementptr i8, ptr %v2, i64 %v51
  %v53 = mul nsw i64 %v12, 896
  %v54 = getelementptr i8, ptr %v52, i64 %v53
  %v156 = mul nsw i64 %v13, 2304
  %v157 = getelementptr i8, ptr %v6, i64 %v156
  %v158 = mul nsw i64 %v12, 192
  %v159 = getelementptr i8, ptr %v157, i64 %v158
  br label %ci.loop14
ci.loop14:
  %v16 = phi i64 [ 0, %items.loop7 ], [ %v17, %kh.done31 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v126, %kh.done31 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v129, %kh.done31 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v132, %kh.done31 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v137, %kh.done31 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v138, %kh.done31 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v139, %kh.done31 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v144, %kh.done31 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v145, %kh.done31 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v146, %kh.done31 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v151, %kh.done31 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v152, %kh.done31 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v153, %kh.done31 ]
  %v46 = mul nsw i64 %v16, 36
  %v47 = getelementptr i8, ptr %v4, i64 %v46
  %v55 = mul nsw i64 %v16, 3136
  %v56 = getelementptr i8, ptr %v54, i64 %v55
  br label %kh.loop30
kh.loop30:
  %v32 = phi i64 [ 0, %ci.loop14 ], [ %v33, %kh.loop30 ]
  %v34 = phi <16 x float> [ %v18, %ci.loop14 ], [ %v126, %kh.loop30 ]
  %v35 = phi <16 x float> [ %v19, %ci.loop14 ], [ %v129, %kh.loop30 ]
  %v36 = phi <16 x float> [ %v20, %ci.loop14 ], [ %v132, %kh.loop30 ]
  %v37 = phi <16 x float> [ %v21, %ci.loop14 ], [ %v137, %kh.loop30 ]
  %v38 = phi <16 x float> [ %v22, %ci.loop14 ], [ %v138, %kh.loop30 ]
  %v39 = phi <16 x float> [ %v23, %ci.loop14 ], [ %v139, %kh.loop30 ]
  %v40 = phi <16 x float> [ %v24, %ci.loop14 ], [ %v144, %kh.loop30 ]
  %v41 = phi <16 x float> [ %v25, %ci.loop14 ], [ %v145, %kh.loop30 ]
  %v42 = phi <16 x float> [ %v26, %ci.loop14 ], [ %v146, %kh.loop30 ]
  %v43 = phi <16 x float> [ %v27, %ci.loop14 ], [ %v151, %kh.loop30 ]
  %v44 = phi <16 x float> [ %v28, %ci.loop14 ], [ %v152, %kh.loop30 ]
  %v45 = phi <16 x float> [ %v29, %ci.loop14 ], [ %v153, %kh.loop30 ]
  %v48 = mul nsw i64 %v32, 12
  %v49 = getelementptr i8, ptr %v47, i64 %v48
  %v57 = mul nsw i64 %v32, 448
  %v58 = getelementptr i8, ptr %v56, i64 %v57
  %v50 = load float, ptr %v49, align 4
  %v59 = load <16 x float>, ptr %v58, align 64
  %v60 = insertelement <16 x float> poison, float %v50, i64 0
  %v61 = shufflevector <16 x float> %v60, <16 x float> poison, <16 x i32> zeroinitializer
  %v62 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v61, <16 x float> %v34)
  %v63 = getelementptr i8, ptr %v58, i64 128
  %v64 = load <16 x float>, ptr %v63, align 64
  %v65 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v61, <16 x float> %v35)
  %v66 = getelementptr i8, ptr %v58, i64 256
  %v67 = load <16 x float>, ptr %v66, align 64
  %v68 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %v61, <16 x float> %v36)
  %v69 = getelementptr i8, ptr %v49, i64 72
  %v70 = load float, ptr %v69, align 4
  %v71 = insertelement <16 x float> poison, float %v70, i64 0
  %v72 = shufflevector <16 x float> %v71, <16 x float> poison, <16 x i32> zeroinitializer
  %v73 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v72, <16 x float> %v37)
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v72, <16 x float> %v38)
  %v75 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %v72, <16 x float> %v39)
  %v76 = getelementptr i8, ptr %v49, i64 144
  %v77 = load float, ptr %v76, align 4
  %v78 = insertelement <16 x float> poison, float %v77, i64 0
  %v79 = shufflevector <16 x float> %v78, <16 x float> poison, <16 x i32> zeroinitializer
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v79, <16 x float> %v40)
  %v81 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v79, <16 x float> %v41)
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %v79, <16 x float> %v42)
  %v83 = getelementptr i8, ptr %v49, i64 216
  %v84 = load float, ptr %v83, align 4
  %v85 = insertelement <16 x float> poison, float %v84, i64 0
  %v86 = shufflevector <16 x float> %v85, <16 x float> poison, <16 x i32> zeroinitializer
  %v87 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v59, <16 x float> %v86, <16 x float> %v43)
  %v88 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v86, <16 x float> %v44)
  %v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %v86, <16 x float> %v45)
  %v90 = getelementptr i8, ptr %v49, i64 8
  %v91 = load float, ptr %v90, align 4
  %v92 = insertelement <16 x float> poison, float %v91, i64 0
  %v93 = shufflevector <16 x float> %v92, <16 x float> poison, <16 x i32> zeroinitializer
  %v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v93, <16 x float> %v62)
  %v95 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %v93, <16 x float> %v65)
  %v96 = getelementptr i8, ptr %v58, i64 384
  %v97 = load <16 x float>, ptr %v96, align 64
  %v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v97, <16 x float> %v93, <16 x float> %v68)
  %v99 = getelementptr i8, ptr %v49, i64 80
  %v100 = load float, ptr %v99, align 4
  %v101 = insertelement <16 x float> poison, float %v100, i64 0
  %v102 = shufflevector <16 x float> %v101, <16 x float> poison, <16 x i32> zeroinitializer
  %v103 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v102, <16 x float> %v73)
  %v104 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %v102, <16 x float> %v74)
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v97, <16 x float> %v102, <16 x float> %v75)
  %v106 = getelementptr i8, ptr %v49, i64 152
  %v107 = load float, ptr %v106, align 4
  %v108 = insertelement <16 x float> poison, float %v107, i64 0
  %v109 = shufflevector <16 x float> %v108, <16 x float> poison, <16 x i32> zeroinitializer
  %v110 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v109, <16 x float> %v80)
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %v109, <16 x float> %v81)
  %v112 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v97, <16 x float> %v109, <16 x float> %v82)
  %v113 = getelementptr i8, ptr %v49, i64 224
  %v114 = load float, ptr %v113, align 4
  %v115 = insertelement <16 x float> poison, float %v114, i64 0
  %v116 = shufflevector <16 x float> %v115, <16 x float> poison, <16 x i32> zeroinitializer
  %v117 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v64, <16 x float> %v116, <16 x float> %v87)
  %v118 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %v116, <16 x float> %v88)
  %v119 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v97, <16 x float> %v116, <16 x float> %v89)
  %v120 = getelementptr i8, ptr %v49, i64 4
  %v121 = load float, ptr %v120, align 4
  %v122 = getelementptr i8, ptr %v58, i64 64
  %v123 = load <16 x float>, ptr %v122, align 64
  %v124 = insertelement <16 x float> poison, float %v121, i64 0
  %v125 = shufflevector <16 x float> %v124, <16 x float> poison, <16 x i32> zeroinitializer
  %v126 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v125, <16 x float> %v94)
  %v127 = getelementptr i8, ptr %v58, i64 192
  %v128 = load <16 x float>, ptr %v127, align 64
  %v129 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v125, <16 x float> %v95)
  %v130 = getelementptr i8, ptr %v58, i64 320
  %v131 = load <16 x float>, ptr %v130, align 64
  %v132 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v131, <16 x float> %v125, <16 x float> %v98)
  %v133 = getelementptr i8, ptr %v49, i64 76
  %v134 = load float, ptr %v133, align 4
  %v135 = insertelement <16 x float> poison, float %v134, i64 0
  %v136 = shufflevector <16 x float> %v135, <16 x float> poison, <16 x i32> zeroinitializer
  %v137 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v136, <16 x float> %v103)
  %v138 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v136, <16 x float> %v104)
  %v139 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v131, <16 x float> %v136, <16 x float> %v105)
  %v140 = getelementptr i8, ptr %v49, i64 148
  %v141 = load float, ptr %v140, align 4
  %v142 = insertelement <16 x float> poison, float %v141, i64 0
  %v143 = shufflevector <16 x float> %v142, <16 x float> poison, <16 x i32> zeroinitializer
  %v144 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v143, <16 x float> %v110)
  %v145 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v143, <16 x float> %v111)
  %v146 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v131, <16 x float> %v143, <16 x float> %v112)
  %v147 = getelementptr i8, ptr %v49, i64 220
  %v148 = load float, ptr %v147, align 4
  %v149 = insertelement <16 x float> poison, float %v148, i64 0
  %v150 = shufflevector <16 x float> %v149, <16 x float> poison, <16 x i32> zeroinitializer
  %v151 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %v150, <16 x float> %v117)
  %v152 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v150, <16 x float> %v118)
  %v153 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v131, <16 x float> %v150, <16 x float> %v119)
  %v33 = add nuw nsw i64 %v32, 1
  %v154 = icmp ne i64 %v33, 3
  br i1 %v154, label %kh.loop30, label %kh.done31
kh.done31:
  %v17 = add nuw nsw i64 %v16, 1
  %v155 = icmp ne i64 %v17, 2
  br i1 %v155, label %ci.loop14, label %ci.done15
ci.done15:
  store <16 x float> %v126, ptr %v159, align 64
  %v160 = getelementptr i8, ptr %v159, i64 64
  store <16 x float> %v129, ptr %v160, align 64
  %v161 = getelementptr i8, ptr %v159, i64 128
  store <16 x float> %v132, ptr %v161, align 64
  %v162 = getelementptr i8, ptr %v159, i64 576
  store <16 x float> %v137, ptr %v162, align 64
  %v163 = getelementptr i8, ptr %v159, i64 640
  store <16 x float> %v138, ptr %v163, align 64
  %v164 = getelementptr i8, ptr %v159, i64 704
  store <16 x float> %v139, ptr %v164, align 64
  %v165 = getelementptr i8, ptr %v159, i64 1152
  store <16 x float> %v144, ptr %v165, align 64
  %v166 = getelementptr i8, ptr %v159, i64 1216
  store <16 x float> %v145, ptr %v166, align 64
  %v167 = getelementptr i8, ptr %v159, i64 1280
  store <16 x float> %v146, ptr %v167, align 64
  %v168 = getelementptr i8, ptr %v159, i64 1728
  store <16 x float> %v151, ptr %v168, align 64
  %v169 = getelementptr i8, ptr %v159, i64 1792
  store <16 x float> %v152, ptr %v169, align 64
  %v170 = getelementptr i8, ptr %v159, i64 1856
  store <16 x float> %v153, ptr %v170, align 64
  %v11 = add nuw nsw i64 %v10, 1
  %v171 = icmp ne i64 %v11, %hi
  br i1 %v171, label %items.loop7, label %items.done8
items.done8:
  ret void
}
