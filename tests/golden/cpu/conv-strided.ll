define void @k_6ec80146e8d652c2(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v175, %ci.done12 ]
  %v44 = udiv i64 %v10, 3
  %v45 = urem i64 %v10, 3
  %v46 = mul nsw i64 %v44, 6272
  %v47 = getelementptr i8, ptr %v2, i64 %v46
  %v48 = mul nsw i64 %v45, 896
  %v49 = getelementptr i8, ptr %v47, i64 %v48
  %v159 = mul nsw i64 %v44, 2304
  %v160 = getelementptr i8, ptr %v6, i64 %v159
  %v161 = mul nsw i64 %v45, 192
  %v162 = getelementptr i8, ptr %v160, i64 %v161
  %v155 = getelementptr i8, ptr %v4, i64 72
  br label %ci.loop11
ci.loop11:
  %v41 = phi ptr [ %v4, %items.loop7 ], [ %v154, %kh.done27 ]
  %v50 = phi ptr [ %v49, %items.loop7 ], [ %v157, %kh.done27 ]
  %v14 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v119, %kh.done27 ]
  %v15 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v122, %kh.done27 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v125, %kh.done27 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v130, %kh.done27 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v131, %kh.done27 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v132, %kh.done27 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v137, %kh.done27 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v138, %kh.done27 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v139, %kh.done27 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v144, %kh.done27 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v145, %kh.done27 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v146, %kh.done27 ]
  %v149 = getelementptr i8, ptr %v41, i64 36
  br label %kh.loop26
kh.loop26:
  %v42 = phi ptr [ %v41, %ci.loop11 ], [ %v148, %kh.loop26 ]
  %v51 = phi ptr [ %v50, %ci.loop11 ], [ %v151, %kh.loop26 ]
  %v29 = phi <16 x float> [ %v14, %ci.loop11 ], [ %v119, %kh.loop26 ]
  %v30 = phi <16 x float> [ %v15, %ci.loop11 ], [ %v122, %kh.loop26 ]
  %v31 = phi <16 x float> [ %v16, %ci.loop11 ], [ %v125, %kh.loop26 ]
  %v32 = phi <16 x float> [ %v17, %ci.loop11 ], [ %v130, %kh.loop26 ]
  %v33 = phi <16 x float> [ %v18, %ci.loop11 ], [ %v131, %kh.loop26 ]
  %v34 = phi <16 x float> [ %v19, %ci.loop11 ], [ %v132, %kh.loop26 ]
  %v35 = phi <16 x float> [ %v20, %ci.loop11 ], [ %v137, %kh.loop26 ]
  %v36 = phi <16 x float> [ %v21, %ci.loop11 ], [ %v138, %kh.loop26 ]
  %v37 = phi <16 x float> [ %v22, %ci.loop11 ], [ %v139, %kh.loop26 ]
  %v38 = phi <16 x float> [ %v23, %ci.loop11 ], [ %v144, %kh.loop26 ]
  %v39 = phi <16 x float> [ %v24, %ci.loop11 ], [ %v145, %kh.loop26 ]
  %v40 = phi <16 x float> [ %v25, %ci.loop11 ], [ %v146, %kh.loop26 ]
  %v43 = load float, ptr %v42, align 4
  %v52 = load <16 x float>, ptr %v51, align 64
  %v53 = insertelement <16 x float> poison, float %v43, i64 0
  %v54 = shufflevector <16 x float> %v53, <16 x float> poison, <16 x i32> zeroinitializer
  %v55 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v52, <16 x float> %v54, <16 x float> %v29)
  %v56 = getelementptr i8, ptr %v51, i64 128
  %v57 = load <16 x float>, ptr %v56, align 64
  %v58 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v54, <16 x float> %v30)
  %v59 = getelementptr i8, ptr %v51, i64 256
  %v60 = load <16 x float>, ptr %v59, align 64
  %v61 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v54, <16 x float> %v31)
  %v62 = getelementptr i8, ptr %v42, i64 72
  %v63 = load float, ptr %v62, align 4
  %v64 = insertelement <16 x float> poison, float %v63, i64 0
  %v65 = shufflevector <16 x float> %v64, <16 x float> poison, <16 x i32> zeroinitializer
  %v66 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v52, <16 x float> %v65, <16 x float> %v32)
  %v67 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v65, <16 x float> %v33)
  %v68 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v65, <16 x float> %v34)
  %v69 = getelementptr i8, ptr %v42, i64 144
  %v70 = load float, ptr %v69, align 4
  %v71 = insertelement <16 x float> poison, float %v70, i64 0
  %v72 = shufflevector <16 x float> %v71, <16 x float> poison, <16 x i32> zeroinitializer
  %v73 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v52, <16 x float> %v72, <16 x float> %v35)
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v72, <16 x float> %v36)
  %v75 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v72, <16 x float> %v37)
  %v76 = getelementptr i8, ptr %v42, i64 216
  %v77 = load float, ptr %v76, align 4
  %v78 = insertelement <16 x float> poison, float %v77, i64 0
  %v79 = shufflevector <16 x float> %v78, <16 x float> poison, <16 x i32> zeroinitializer
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v52, <16 x float> %v79, <16 x float> %v38)
  %v81 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v79, <16 x float> %v39)
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v79, <16 x float> %v40)
  %v83 = getelementptr i8, ptr %v42, i64 8
  %v84 = load float, ptr %v83, align 4
  %v85 = insertelement <16 x float> poison, float %v84, i64 0
  %v86 = shufflevector <16 x float> %v85, <16 x float> poison, <16 x i32> zeroinitializer
  %v87 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v86, <16 x float> %v55)
  %v88 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v86, <16 x float> %v58)
  %v89 = getelementptr i8, ptr %v51, i64 384
  %v90 = load <16 x float>, ptr %v89, align 64
  %v91 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v86, <16 x float> %v61)
  %v92 = getelementptr i8, ptr %v42, i64 80
  %v93 = load float, ptr %v92, align 4
  %v94 = insertelement <16 x float> poison, float %v93, i64 0
  %v95 = shufflevector <16 x float> %v94, <16 x float> poison, <16 x i32> zeroinitializer
  %v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v95, <16 x float> %v66)
  %v97 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v95, <16 x float> %v67)
  %v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v95, <16 x float> %v68)
  %v99 = getelementptr i8, ptr %v42, i64 152
  %v100 = load float, ptr %v99, align 4
  %v101 = insertelement <16 x float> poison, float %v100, i64 0
  %v102 = shufflevector <16 x float> %v101, <16 x float> poison, <16 x i32> zeroinitializer
  %v103 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v102, <16 x float> %v73)
  %v104 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v102, <16 x float> %v74)
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v102, <16 x float> %v75)
  %v106 = getelementptr i8, ptr %v42, i64 224
  %v107 = load float, ptr %v106, align 4
  %v108 = insertelement <16 x float> poison, float %v107, i64 0
  %v109 = shufflevector <16 x float> %v108, <16 x float> poison, <16 x i32> zeroinitializer
  %v110 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v57, <16 x float> %v109, <16 x float> %v80)
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v109, <16 x float> %v81)
  %v112 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v109, <16 x float> %v82)
  %v113 = getelementptr i8, ptr %v42, i64 4
  %v114 = load float, ptr %v113, align 4
  %v115 = getelementptr i8, ptr %v51, i64 64
  %v116 = load <16 x float>, ptr %v115, align 64
  %v117 = insertelement <16 x float> poison, float %v114, i64 0
  %v118 = shufflevector <16 x float> %v117, <16 x float> poison, <16 x i32> zeroinitializer
  %v119 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v118, <16 x float> %v87)
  %v120 = getelementptr i8, ptr %v51, i64 192
  %v121 = load <16 x float>, ptr %v120, align 64
  %v122 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v121, <16 x float> %v118, <16 x float> %v88)
  %v123 = getelementptr i8, ptr %v51, i64 320
  %v124 = load <16 x float>, ptr %v123, align 64
  %v125 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v124, <16 x float> %v118, <16 x float> %v91)
  %v126 = getelementptr i8, ptr %v42, i64 76
  %v127 = load float, ptr %v126, align 4
  %v128 = insertelement <16 x float> poison, float %v127, i64 0
  %v129 = shufflevector <16 x float> %v128, <16 x float> poison, <16 x i32> zeroinitializer
  %v130 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v129, <16 x float> %v96)
  %v131 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v121, <16 x float> %v129, <16 x float> %v97)
  %v132 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v124, <16 x float> %v129, <16 x float> %v98)
  %v133 = getelementptr i8, ptr %v42, i64 148
  %v134 = load float, ptr %v133, align 4
  %v135 = insertelement <16 x float> poison, float %v134, i64 0
  %v136 = shufflevector <16 x float> %v135, <16 x float> poison, <16 x i32> zeroinitializer
  %v137 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v136, <16 x float> %v103)
  %v138 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v121, <16 x float> %v136, <16 x float> %v104)
  %v139 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v124, <16 x float> %v136, <16 x float> %v105)
  %v140 = getelementptr i8, ptr %v42, i64 220
  %v141 = load float, ptr %v140, align 4
  %v142 = insertelement <16 x float> poison, float %v141, i64 0
  %v143 = shufflevector <16 x float> %v142, <16 x float> poison, <16 x i32> zeroinitializer
  %v144 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v143, <16 x float> %v110)
  %v145 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v121, <16 x float> %v143, <16 x float> %v111)
  %v146 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v124, <16 x float> %v143, <16 x float> %v112)
  %v147 = getelementptr i8, ptr %v42, i64 12
  %v148 = freeze ptr %v147
  %v150 = getelementptr i8, ptr %v51, i64 448
  %v151 = freeze ptr %v150
  %v152 = icmp ne ptr %v148, %v149
  br i1 %v152, label %kh.loop26, label %kh.done27
kh.done27:
  %v153 = getelementptr i8, ptr %v41, i64 36
  %v154 = freeze ptr %v153
  %v156 = getelementptr i8, ptr %v50, i64 3136
  %v157 = freeze ptr %v156
  %v158 = icmp ne ptr %v154, %v155
  br i1 %v158, label %ci.loop11, label %ci.done12
ci.done12:
  store <16 x float> %v119, ptr %v162, align 64
  %v163 = getelementptr i8, ptr %v162, i64 64
  store <16 x float> %v122, ptr %v163, align 64
  %v164 = getelementptr i8, ptr %v162, i64 128
  store <16 x float> %v125, ptr %v164, align 64
  %v165 = getelementptr i8, ptr %v162, i64 576
  store <16 x float> %v130, ptr %v165, align 64
  %v166 = getelementptr i8, ptr %v162, i64 640
  store <16 x float> %v131, ptr %v166, align 64
  %v167 = getelementptr i8, ptr %v162, i64 704
  store <16 x float> %v132, ptr %v167, align 64
  %v168 = getelementptr i8, ptr %v162, i64 1152
  store <16 x float> %v137, ptr %v168, align 64
  %v169 = getelementptr i8, ptr %v162, i64 1216
  store <16 x float> %v138, ptr %v169, align 64
  %v170 = getelementptr i8, ptr %v162, i64 1280
  store <16 x float> %v139, ptr %v170, align 64
  %v171 = getelementptr i8, ptr %v162, i64 1728
  store <16 x float> %v144, ptr %v171, align 64
  %v172 = getelementptr i8, ptr %v162, i64 1792
  store <16 x float> %v145, ptr %v172, align 64
  %v173 = getelementptr i8, ptr %v162, i64 1856
  store <16 x float> %v146, ptr %v173, align 64
  %v174 = add nsw i64 %v10, 1
  %v175 = freeze i64 %v174
  %v176 = icmp ne i64 %v175, %hi
  br i1 %v176, label %items.loop7, label %items.done8
items.done8:
  ret void
}
