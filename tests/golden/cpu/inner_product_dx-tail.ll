define void @k_29392a02de36f9a5(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = phi i64 [ %lo, %entry ], [ %v11, %o_o_o.done112 ]
  br label %o_o_o.loop12
o_o_o.loop12:
  %v14 = phi i64 [ 0, %items.loop7 ], [ %v15, %o_o_i.done27 ]
  %v16 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v54, %o_o_i.done27 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v59, %o_o_i.done27 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v64, %o_o_i.done27 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v69, %o_o_i.done27 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v74, %o_o_i.done27 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v79, %o_o_i.done27 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v84, %o_o_i.done27 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v89, %o_o_i.done27 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v94, %o_o_i.done27 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop7 ], [ %v99, %o_o_i.done27 ]
  %v40 = mul nsw i64 %v14, 160
  %v41 = getelementptr i8, ptr %v4, i64 %v40
  %v46 = mul nsw i64 %v14, 8
  %v47 = getelementptr i8, ptr %v2, i64 %v46
  br label %o_o_i.loop26
o_o_i.loop26:
  %v28 = phi i64 [ 0, %o_o_o.loop12 ], [ %v29, %o_o_i.loop26 ]
  %v30 = phi <16 x float> [ %v16, %o_o_o.loop12 ], [ %v54, %o_o_i.loop26 ]
  %v31 = phi <16 x float> [ %v17, %o_o_o.loop12 ], [ %v59, %o_o_i.loop26 ]
  %v32 = phi <16 x float> [ %v18, %o_o_o.loop12 ], [ %v64, %o_o_i.loop26 ]
  %v33 = phi <16 x float> [ %v19, %o_o_o.loop12 ], [ %v69, %o_o_i.loop26 ]
  %v34 = phi <16 x float> [ %v20, %o_o_o.loop12 ], [ %v74, %o_o_i.loop26 ]
  %v35 = phi <16 x float> [ %v21, %o_o_o.loop12 ], [ %v79, %o_o_i.loop26 ]
  %v36 = phi <16 x float> [ %v22, %o_o_o.loop12 ], [ %v84, %o_o_i.loop26 ]
  %v37 = phi <16 x float> [ %v23, %o_o_o.loop12 ], [ %v89, %o_o_i.loop26 ]
  %v38 = phi <16 x float> [ %v24, %o_o_o.loop12 ], [ %v94, %o_o_i.loop26 ]
  %v39 = phi <16 x float> [ %v25, %o_o_o.loop12 ], [ %v99, %o_o_i.loop26 ]
  %v42 = mul nsw i64 %v28, 80
  %v43 = getelementptr i8, ptr %v41, i64 %v42
  %v48 = mul nsw i64 %v28, 4
  %v49 = getelementptr i8, ptr %v47, i64 %v48
  %v44 = getelementptr i8, ptr %v43, i64 512
  call void @llvm.prefetch.p0(ptr %v44, i32 0, i32 3, i32 1)
  %v45 = getelementptr i8, ptr %v43, i64 576
  call void @llvm.prefetch.p0(ptr %v45, i32 0, i32 3, i32 1)
  %v50 = load float, ptr %v49, align 4
  %v51 = load <16 x float>, ptr %v43, align 4
  %v52 = insertelement <16 x float> poison, float %v50, i64 0
  %v53 = shufflevector <16 x float> %v52, <16 x float> poison, <16 x i32> zeroinitializer
  %v54 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v53, <16 x float> %v51, <16 x float> %v30)
  %v55 = getelementptr i8, ptr %v49, i64 96
  %v56 = load float, ptr %v55, align 4
  %v57 = insertelement <16 x float> poison, float %v56, i64 0
  %v58 = shufflevector <16 x float> %v57, <16 x float> poison, <16 x i32> zeroinitializer
  %v59 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v58, <16 x float> %v51, <16 x float> %v31)
  %v60 = getelementptr i8, ptr %v49, i64 192
  %v61 = load float, ptr %v60, align 4
  %v62 = insertelement <16 x float> poison, float %v61, i64 0
  %v63 = shufflevector <16 x float> %v62, <16 x float> poison, <16 x i32> zeroinitializer
  %v64 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v63, <16 x float> %v51, <16 x float> %v32)
  %v65 = getelementptr i8, ptr %v49, i64 288
  %v66 = load float, ptr %v65, align 4
  %v67 = insertelement <16 x float> poison, float %v66, i64 0
  %v68 = shufflevector <16 x float> %v67, <16 x float> poison, <16 x i32> zeroinitializer
  %v69 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v51, <16 x float> %v33)
  %v70 = getelementptr i8, ptr %v49, i64 384
  %v71 = load float, ptr %v70, align 4
  %v72 = insertelement <16 x float> poison, float %v71, i64 0
  %v73 = shufflevector <16 x float> %v72, <16 x float> poison, <16 x i32> zeroinitializer
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v51, <16 x float> %v34)
  %v75 = getelementptr i8, ptr %v49, i64 480
  %v76 = load float, ptr %v75, align 4
  %v77 = insertelement <16 x float> poison, float %v76, i64 0
  %v78 = shufflevector <16 x float> %v77, <16 x float> poison, <16 x i32> zeroinitializer
  %v79 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v78, <16 x float> %v51, <16 x float> %v35)
  %v80 = getelementptr i8, ptr %v49, i64 576
  %v81 = load float, ptr %v80, align 4
  %v82 = insertelement <16 x float> poison, float %v81, i64 0
  %v83 = shufflevector <16 x float> %v82, <16 x float> poison, <16 x i32> zeroinitializer
  %v84 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v83, <16 x float> %v51, <16 x float> %v36)
  %v85 = getelementptr i8, ptr %v49, i64 672
  %v86 = load float, ptr %v85, align 4
  %v87 = insertelement <16 x float> poison, float %v86, i64 0
  %v88 = shufflevector <16 x float> %v87, <16 x float> poison, <16 x i32> zeroinitializer
  %v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v51, <16 x float> %v37)
  %v90 = getelementptr i8, ptr %v49, i64 768
  %v91 = load float, ptr %v90, align 4
  %v92 = insertelement <16 x float> poison, float %v91, i64 0
  %v93 = shufflevector <16 x float> %v92, <16 x float> poison, <16 x i32> zeroinitializer
  %v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v51, <16 x float> %v38)
  %v95 = getelementptr i8, ptr %v49, i64 864
  %v96 = load float, ptr %v95, align 4
  %v97 = insertelement <16 x float> poison, float %v96, i64 0
  %v98 = shufflevector <16 x float> %v97, <16 x float> poison, <16 x i32> zeroinitializer
  %v99 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v51, <16 x float> %v39)
  %v29 = add nuw nsw i64 %v28, 1
  %v100 = icmp ne i64 %v29, 2
  br i1 %v100, label %o_o_i.loop26, label %o_o_i.done27
o_o_i.done27:
  %v15 = add nuw nsw i64 %v14, 1
  %v101 = icmp ne i64 %v15, 12
  br i1 %v101, label %o_o_o.loop12, label %o_o_o.done13
o_o_o.done13:
  store <16 x float> %v54, ptr %v6, align 4
  %v102 = getelementptr i8, ptr %v6, i64 80
  store <16 x float> %v59, ptr %v102, align 4
  %v103 = getelementptr i8, ptr %v6, i64 160
  store <16 x float> %v64, ptr %v103, align 4
  %v104 = getelementptr i8, ptr %v6, i64 240
  store <16 x float> %v69, ptr %v104, align 4
  %v105 = getelementptr i8, ptr %v6, i64 320
  store <16 x float> %v74, ptr %v105, align 4
  %v106 = getelementptr i8, ptr %v6, i64 400
  store <16 x float> %v79, ptr %v106, align 4
  %v107 = getelementptr i8, ptr %v6, i64 480
  store <16 x float> %v84, ptr %v107, align 4
  %v108 = getelementptr i8, ptr %v6, i64 560
  store <16 x float> %v89, ptr %v108, align 4
  %v109 = getelementptr i8, ptr %v6, i64 640
  store <16 x float> %v94, ptr %v109, align 4
  %v110 = getelementptr i8, ptr %v6, i64 720
  store <16 x float> %v99, ptr %v110, align 4
  br label %o_o_o.loop111
o_o_o.loop111:
  %v113 = phi i64 [ 0, %o_o_o.done13 ], [ %v114, %o_o_i.done126 ]
  %v115 = phi <4 x float> [ splat (float 0x0000000000000000), %o_o_o.done13 ], [ %v154, %o_o_i.done126 ]
  %v116 = phi <4 x float> [ splat (float 0x0000000000000000), %o_o_o.done13 ], [ %v159, %o_o_i.done126 ]
  %v117 = phi <4 x float> [ splat (float 0x0000000000000000), %o_o_o.done13 ], [ %v164, %o_o_i.done126 ]
  %v118 = phi <4 x float> [ splat (float 0x0000000000000000), %o_o_o.done13 ], [ %v169, %o_o_i.done126 ]
  %v119 = phi <4 x float> [ splat (float 0x0000000000000000), %o_o_o.done13 ], [ %v174, %o_o_i.done126 ]
  %v120 = phi <4 x float> [ splat (float 0x0000000000000000), %o_o_o.done13 ], [ %v179, %o_o_i.done126 ]
  %v121 = phi <4 x float> [ splat (float 0x0000000000000000), %o_o_o.done13 ], [ %v184, %o_o_i.done126 ]
  %v122 = phi <4 x float> [ splat (float 0x0000000000000000), %o_o_o.done13 ], [ %v189, %o_o_i.done126 ]
  %v123 = phi <4 x float> [ splat (float 0x0000000000000000), %o_o_o.done13 ], [ %v194, %o_o_i.done126 ]
  %v124 = phi <4 x float> [ splat (float 0x0000000000000000), %o_o_o.done13 ], [ %v199, %o_o_i.done126 ]
  %v139 = mul nsw i64 %v113, 160
  %v140 = getelementptr i8, ptr %v4, i64 %v139
  %v145 = mul nsw i64 %v113, 8
  %v146 = getelementptr i8, ptr %v2, i64 %v145
  br label %o_o_i.loop125
o_o_i.loop125:
  %v127 = phi i64 [ 0, %o_o_o.loop111 ], [ %v128, %o_o_i.loop125 ]
  %v129 = phi <4 x float> [ %v115, %o_o_o.loop111 ], [ %v154, %o_o_i.loop125 ]
  %v130 = phi <4 x float> [ %v116, %o_o_o.loop111 ], [ %v159, %o_o_i.loop125 ]
  %v131 = phi <4 x float> [ %v117, %o_o_o.loop111 ], [ %v164, %o_o_i.loop125 ]
  %v132 = phi <4 x float> [ %v118, %o_o_o.loop111 ], [ %v169, %o_o_i.loop125 ]
  %v133 = phi <4 x float> [ %v119, %o_o_o.loop111 ], [ %v174, %o_o_i.loop125 ]
  %v134 = phi <4 x float> [ %v120, %o_o_o.loop111 ], [ %v179, %o_o_i.loop125 ]
  %v135 = phi <4 x float> [ %v121, %o_o_o.loop111 ], [ %v184, %o_o_i.loop125 ]
  %v136 = phi <4 x float> [ %v122, %o_o_o.loop111 ], [ %v189, %o_o_i.loop125 ]
  %v137 = phi <4 x float> [ %v123, %o_o_o.loop111 ], [ %v194, %o_o_i.loop125 ]
  %v138 = phi <4 x float> [ %v124, %o_o_o.loop111 ], [ %v199, %o_o_i.loop125 ]
  %v141 = mul nsw i64 %v127, 80
  %v142 = getelementptr i8, ptr %v140, i64 %v141
  %v147 = mul nsw i64 %v127, 4
  %v148 = getelementptr i8, ptr %v146, i64 %v147
  %v143 = getelementptr i8, ptr %v142, i64 512
  call void @llvm.prefetch.p0(ptr %v143, i32 0, i32 3, i32 1)
  %v144 = getelementptr i8, ptr %v142, i64 576
  call void @llvm.prefetch.p0(ptr %v144, i32 0, i32 3, i32 1)
  %v149 = load float, ptr %v148, align 4
  %v150 = getelementptr i8, ptr %v142, i64 64
  %v151 = load <4 x float>, ptr %v150, align 4
  %v152 = insertelement <4 x float> poison, float %v149, i64 0
  %v153 = shufflevector <4 x float> %v152, <4 x float> poison, <4 x i32> zeroinitializer
  %v154 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v153, <4 x float> %v151, <4 x float> %v129)
  %v155 = getelementptr i8, ptr %v148, i64 96
  %v156 = load float, ptr %v155, align 4
  %v157 = insertelement <4 x float> poison, float %v156, i64 0
  %v158 = shufflevector <4 x float> %v157, <4 x float> poison, <4 x i32> zeroinitializer
  %v159 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v158, <4 x float> %v151, <4 x float> %v130)
  %v160 = getelementptr i8, ptr %v148, i64 192
  %v161 = load float, ptr %v160, align 4
  %v162 = insertelement <4 x float> poison, float %v161, i64 0
  %v163 = shufflevector <4 x float> %v162, <4 x float> poison, <4 x i32> zeroinitializer
  %v164 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v163, <4 x float> %v151, <4 x float> %v131)
  %v165 = getelementptr i8, ptr %v148, i64 288
  %v166 = load float, ptr %v165, align 4
  %v167 = insertelement <4 x float> poison, float %v166, i64 0
  %v168 = shufflevector <4 x float> %v167, <4 x float> poison, <4 x i32> zeroinitializer
  %v169 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v168, <4 x float> %v151, <4 x float> %v132)
  %v170 = getelementptr i8, ptr %v148, i64 384
  %v171 = load float, ptr %v170, align 4
  %v172 = insertelement <4 x float> poison, float %v171, i64 0
  %v173 = shufflevector <4 x float> %v172, <4 x float> poison, <4 x i32> zeroinitializer
  %v174 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v173, <4 x float> %v151, <4 x float> %v133)
  %v175 = getelementptr i8, ptr %v148, i64 480
  %v176 = load float, ptr %v175, align 4
  %v177 = insertelement <4 x float> poison, float %v176, i64 0
  %v178 = shufflevector <4 x float> %v177, <4 x float> poison, <4 x i32> zeroinitializer
  %v179 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v178, <4 x float> %v151, <4 x float> %v134)
  %v180 = getelementptr i8, ptr %v148, i64 576
  %v181 = load float, ptr %v180, align 4
  %v182 = insertelement <4 x float> poison, float %v181, i64 0
  %v183 = shufflevector <4 x float> %v182, <4 x float> poison, <4 x i32> zeroinitializer
  %v184 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v183, <4 x float> %v151, <4 x float> %v135)
  %v185 = getelementptr i8, ptr %v148, i64 672
  %v186 = load float, ptr %v185, align 4
  %v187 = insertelement <4 x float> poison, float %v186, i64 0
  %v188 = shufflevector <4 x float> %v187, <4 x float> poison, <4 x i32> zeroinitializer
  %v189 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v188, <4 x float> %v151, <4 x float> %v136)
  %v190 = getelementptr i8, ptr %v148, i64 768
  %v191 = load float, ptr %v190, align 4
  %v192 = insertelement <4 x float> poison, float %v191, i64 0
  %v193 = shufflevector <4 x float> %v192, <4 x float> poison, <4 x i32> zeroinitializer
  %v194 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v193, <4 x float> %v151, <4 x float> %v137)
  %v195 = getelementptr i8, ptr %v148, i64 864
  %v196 = load float, ptr %v195, align 4
  %v197 = insertelement <4 x float> poison, float %v196, i64 0
  %v198 = shufflevector <4 x float> %v197, <4 x float> poison, <4 x i32> zeroinitializer
  %v199 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v198, <4 x float> %v151, <4 x float> %v138)
  %v128 = add nuw nsw i64 %v127, 1
  %v200 = icmp ne i64 %v128, 2
  br i1 %v200, label %o_o_i.loop125, label %o_o_i.done126
o_o_i.done126:
  %v114 = add nuw nsw i64 %v113, 1
  %v201 = icmp ne i64 %v114, 12
  br i1 %v201, label %o_o_o.loop111, label %o_o_o.done112
o_o_o.done112:
  %v202 = getelementptr i8, ptr %v6, i64 64
  store <4 x float> %v154, ptr %v202, align 4
  %v203 = getelementptr i8, ptr %v6, i64 144
  store <4 x float> %v159, ptr %v203, align 4
  %v204 = getelementptr i8, ptr %v6, i64 224
  store <4 x float> %v164, ptr %v204, align 4
  %v205 = getelementptr i8, ptr %v6, i64 304
  store <4 x float> %v169, ptr %v205, align 4
  %v206 = getelementptr i8, ptr %v6, i64 384
  store <4 x float> %v174, ptr %v206, align 4
  %v207 = getelementptr i8, ptr %v6, i64 464
  store <4 x float> %v179, ptr %v207, align 4
  %v208 = getelementptr i8, ptr %v6, i64 544
  store <4 x float> %v184, ptr %v208, align 4
  %v209 = getelementptr i8, ptr %v6, i64 624
  store <4 x float> %v189, ptr %v209, align 4
  %v210 = getelementptr i8, ptr %v6, i64 704
  store <4 x float> %v194, ptr %v210, align 4
  %v211 = getelementptr i8, ptr %v6, i64 784
  store <4 x float> %v199, ptr %v211, align 4
  %v11 = add nuw nsw i64 %v10, 1
  %v212 = icmp ne i64 %v11, %hi
  br i1 %v212, label %items.loop7, label %items.done8
items.done8:
  ret void
}
