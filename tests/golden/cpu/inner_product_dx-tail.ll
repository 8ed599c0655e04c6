define void @k_72aa45bff168c3f1(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr i8, ptr %scratch, i64 0
  %v10 = icmp slt i64 %lo, %hi
  br i1 %v10, label %items.loop8, label %items.done9
items.loop8:
  %v11 = phi i64 [ %lo, %entry ], [ %v12, %o_i.done133 ]
  store <16 x float> splat (float 0x0000000000000000), ptr %v7, align 64
  %v13 = getelementptr i8, ptr %v7, i64 64
  store <16 x float> splat (float 0x0000000000000000), ptr %v13, align 64
  %v14 = getelementptr i8, ptr %v7, i64 128
  store <16 x float> splat (float 0x0000000000000000), ptr %v14, align 64
  %v15 = getelementptr i8, ptr %v7, i64 192
  store <16 x float> splat (float 0x0000000000000000), ptr %v15, align 64
  %v16 = getelementptr i8, ptr %v7, i64 256
  store <16 x float> splat (float 0x0000000000000000), ptr %v16, align 64
  %v17 = getelementptr i8, ptr %v7, i64 320
  store <16 x float> splat (float 0x0000000000000000), ptr %v17, align 64
  %v18 = getelementptr i8, ptr %v7, i64 384
  store <16 x float> splat (float 0x0000000000000000), ptr %v18, align 64
  %v19 = getelementptr i8, ptr %v7, i64 448
  store <16 x float> splat (float 0x0000000000000000), ptr %v19, align 64
  %v20 = getelementptr i8, ptr %v7, i64 512
  store <16 x float> splat (float 0x0000000000000000), ptr %v20, align 64
  %v21 = getelementptr i8, ptr %v7, i64 576
  store <16 x float> splat (float 0x0000000000000000), ptr %v21, align 64
  %v22 = load <16 x float>, ptr %v7, align 64
  %v23 = load <16 x float>, ptr %v13, align 64
  %v24 = load <16 x float>, ptr %v14, align 64
  %v25 = load <16 x float>, ptr %v15, align 64
  %v26 = load <16 x float>, ptr %v16, align 64
  %v27 = load <16 x float>, ptr %v17, align 64
  %v28 = load <16 x float>, ptr %v18, align 64
  %v29 = load <16 x float>, ptr %v19, align 64
  %v30 = load <16 x float>, ptr %v20, align 64
  %v31 = load <16 x float>, ptr %v21, align 64
  br label %o_i.loop32
o_i.loop32:
  %v34 = phi i64 [ 0, %items.loop8 ], [ %v35, %o_i.loop32 ]
  %v36 = phi <16 x float> [ %v22, %items.loop8 ], [ %v56, %o_i.loop32 ]
  %v37 = phi <16 x float> [ %v23, %items.loop8 ], [ %v61, %o_i.loop32 ]
  %v38 = phi <16 x float> [ %v24, %items.loop8 ], [ %v66, %o_i.loop32 ]
  %v39 = phi <16 x float> [ %v25, %items.loop8 ], [ %v71, %o_i.loop32 ]
  %v40 = phi <16 x float> [ %v26, %items.loop8 ], [ %v76, %o_i.loop32 ]
  %v41 = phi <16 x float> [ %v27, %items.loop8 ], [ %v81, %o_i.loop32 ]
  %v42 = phi <16 x float> [ %v28, %items.loop8 ], [ %v86, %o_i.loop32 ]
  %v43 = phi <16 x float> [ %v29, %items.loop8 ], [ %v91, %o_i.loop32 ]
  %v44 = phi <16 x float> [ %v30, %items.loop8 ], [ %v96, %o_i.loop32 ]
  %v45 = phi <16 x float> [ %v31, %items.loop8 ], [ %v101, %o_i.loop32 ]
  %v46 = mul nsw i64 %v34, 80
  %v47 = getelementptr i8, ptr %v4, i64 %v46
  %v50 = mul nsw i64 %v34, 4
  %v51 = getelementptr i8, ptr %v2, i64 %v50
  %v48 = getelementptr i8, ptr %v47, i64 128
  call void @llvm.prefetch.p0(ptr %v48, i32 0, i32 3, i32 1)
  %v49 = getelementptr i8, ptr %v47, i64 192
  call void @llvm.prefetch.p0(ptr %v49, i32 0, i32 3, i32 1)
  %v52 = load float, ptr %v51, align 4
  %v53 = load <16 x float>, ptr %v47, align 4
  %v54 = insertelement <16 x float> poison, float %v52, i64 0
  %v55 = shufflevector <16 x float> %v54, <16 x float> poison, <16 x i32> zeroinitializer
  %v56 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v55, <16 x float> %v53, <16 x float> %v36)
  %v57 = getelementptr i8, ptr %v51, i64 96
  %v58 = load float, ptr %v57, align 4
  %v59 = insertelement <16 x float> poison, float %v58, i64 0
  %v60 = shufflevector <16 x float> %v59, <16 x float> poison, <16 x i32> zeroinitializer
  %v61 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v60, <16 x float> %v53, <16 x float> %v37)
  %v62 = getelementptr i8, ptr %v51, i64 192
  %v63 = load float, ptr %v62, align 4
  %v64 = insertelement <16 x float> poison, float %v63, i64 0
  %v65 = shufflevector <16 x float> %v64, <16 x float> poison, <16 x i32> zeroinitializer
  %v66 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v65, <16 x float> %v53, <16 x float> %v38)
  %v67 = getelementptr i8, ptr %v51, i64 288
  %v68 = load float, ptr %v67, align 4
  %v69 = insertelement <16 x float> poison, float %v68, i64 0
  %v70 = shufflevector <16 x float> %v69, <16 x float> poison, <16 x i32> zeroinitializer
  %v71 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v70, <16 x float> %v53, <16 x float> %v39)
  %v72 = getelementptr i8, ptr %v51, i64 384
  %v73 = load float, ptr %v72, align 4
  %v74 = insertelement <16 x float> poison, float %v73, i64 0
  %v75 = shufflevector <16 x float> %v74, <16 x float> poison, <16 x i32> zeroinitializer
  %v76 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v75, <16 x float> %v53, <16 x float> %v40)
  %v77 = getelementptr i8, ptr %v51, i64 480
  %v78 = load float, ptr %v77, align 4
  %v79 = insertelement <16 x float> poison, float %v78, i64 0
  %v80 = shufflevector <16 x float> %v79, <16 x float> poison, <16 x i32> zeroinitializer
  %v81 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v80, <16 x float> %v53, <16 x float> %v41)
  %v82 = getelementptr i8, ptr %v51, i64 576
  %v83 = load float, ptr %v82, align 4
  %v84 = insertelement <16 x float> poison, float %v83, i64 0
  %v85 = shufflevector <16 x float> %v84, <16 x float> poison, <16 x i32> zeroinitializer
  %v86 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v53, <16 x float> %v42)
  %v87 = getelementptr i8, ptr %v51, i64 672
  %v88 = load float, ptr %v87, align 4
  %v89 = insertelement <16 x float> poison, float %v88, i64 0
  %v90 = shufflevector <16 x float> %v89, <16 x float> poison, <16 x i32> zeroinitializer
  %v91 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v90, <16 x float> %v53, <16 x float> %v43)
  %v92 = getelementptr i8, ptr %v51, i64 768
  %v93 = load float, ptr %v92, align 4
  %v94 = insertelement <16 x float> poison, float %v93, i64 0
  %v95 = shufflevector <16 x float> %v94, <16 x float> poison, <16 x i32> zeroinitializer
  %v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v53, <16 x float> %v44)
  %v97 = getelementptr i8, ptr %v51, i64 864
  %v98 = load float, ptr %v97, align 4
  %v99 = insertelement <16 x float> poison, float %v98, i64 0
  %v100 = shufflevector <16 x float> %v99, <16 x float> poison, <16 x i32> zeroinitializer
  %v101 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v100, <16 x float> %v53, <16 x float> %v45)
  %v35 = add nuw nsw i64 %v34, 1
  %v102 = icmp ne i64 %v35, 24
  br i1 %v102, label %o_i.loop32, label %o_i.done33
o_i.done33:
  store <16 x float> %v56, ptr %v7, align 64
  store <16 x float> %v61, ptr %v13, align 64
  store <16 x float> %v66, ptr %v14, align 64
  store <16 x float> %v71, ptr %v15, align 64
  store <16 x float> %v76, ptr %v16, align 64
  store <16 x float> %v81, ptr %v17, align 64
  store <16 x float> %v86, ptr %v18, align 64
  store <16 x float> %v91, ptr %v19, align 64
  store <16 x float> %v96, ptr %v20, align 64
  store <16 x float> %v101, ptr %v21, align 64
  %v103 = load <16 x float>, ptr %v7, align 64
  store <16 x float> %v103, ptr %v6, align 4
  %v104 = load <16 x float>, ptr %v13, align 64
  %v105 = getelementptr i8, ptr %v6, i64 80
  store <16 x float> %v104, ptr %v105, align 4
  %v106 = load <16 x float>, ptr %v14, align 64
  %v107 = getelementptr i8, ptr %v6, i64 160
  store <16 x float> %v106, ptr %v107, align 4
  %v108 = load <16 x float>, ptr %v15, align 64
  %v109 = getelementptr i8, ptr %v6, i64 240
  store <16 x float> %v108, ptr %v109, align 4
  %v110 = load <16 x float>, ptr %v16, align 64
  %v111 = getelementptr i8, ptr %v6, i64 320
  store <16 x float> %v110, ptr %v111, align 4
  %v112 = load <16 x float>, ptr %v17, align 64
  %v113 = getelementptr i8, ptr %v6, i64 400
  store <16 x float> %v112, ptr %v113, align 4
  %v114 = load <16 x float>, ptr %v18, align 64
  %v115 = getelementptr i8, ptr %v6, i64 480
  store <16 x float> %v114, ptr %v115, align 4
  %v116 = load <16 x float>, ptr %v19, align 64
  %v117 = getelementptr i8, ptr %v6, i64 560
  store <16 x float> %v116, ptr %v117, align 4
  %v118 = load <16 x float>, ptr %v20, align 64
  %v119 = getelementptr i8, ptr %v6, i64 640
  store <16 x float> %v118, ptr %v119, align 4
  %v120 = load <16 x float>, ptr %v21, align 64
  %v121 = getelementptr i8, ptr %v6, i64 720
  store <16 x float> %v120, ptr %v121, align 4
  store <4 x float> splat (float 0x0000000000000000), ptr %v7, align 16
  store <4 x float> splat (float 0x0000000000000000), ptr %v13, align 16
  store <4 x float> splat (float 0x0000000000000000), ptr %v14, align 16
  store <4 x float> splat (float 0x0000000000000000), ptr %v15, align 16
  store <4 x float> splat (float 0x0000000000000000), ptr %v16, align 16
  store <4 x float> splat (float 0x0000000000000000), ptr %v17, align 16
  store <4 x float> splat (float 0x0000000000000000), ptr %v18, align 16
  store <4 x float> splat (float 0x0000000000000000), ptr %v19, align 16
  store <4 x float> splat (float 0x0000000000000000), ptr %v20, align 16
  store <4 x float> splat (float 0x0000000000000000), ptr %v21, align 16
  %v122 = load <4 x float>, ptr %v7, align 16
  %v123 = load <4 x float>, ptr %v13, align 16
  %v124 = load <4 x float>, ptr %v14, align 16
  %v125 = load <4 x float>, ptr %v15, align 16
  %v126 = load <4 x float>, ptr %v16, align 16
  %v127 = load <4 x float>, ptr %v17, align 16
  %v128 = load <4 x float>, ptr %v18, align 16
  %v129 = load <4 x float>, ptr %v19, align 16
  %v130 = load <4 x float>, ptr %v20, align 16
  %v131 = load <4 x float>, ptr %v21, align 16
  br label %o_i.loop132
o_i.loop132:
  %v134 = phi i64 [ 0, %o_i.done33 ], [ %v135, %o_i.loop132 ]
  %v136 = phi <4 x float> [ %v122, %o_i.done33 ], [ %v157, %o_i.loop132 ]
  %v137 = phi <4 x float> [ %v123, %o_i.done33 ], [ %v162, %o_i.loop132 ]
  %v138 = phi <4 x float> [ %v124, %o_i.done33 ], [ %v167, %o_i.loop132 ]
  %v139 = phi <4 x float> [ %v125, %o_i.done33 ], [ %v172, %o_i.loop132 ]
  %v140 = phi <4 x float> [ %v126, %o_i.done33 ], [ %v177, %o_i.loop132 ]
  %v141 = phi <4 x float> [ %v127, %o_i.done33 ], [ %v182, %o_i.loop132 ]
  %v142 = phi <4 x float> [ %v128, %o_i.done33 ], [ %v187, %o_i.loop132 ]
  %v143 = phi <4 x float> [ %v129, %o_i.done33 ], [ %v192, %o_i.loop132 ]
  %v144 = phi <4 x float> [ %v130, %o_i.done33 ], [ %v197, %o_i.loop132 ]
  %v145 = phi <4 x float> [ %v131, %o_i.done33 ], [ %v202, %o_i.loop132 ]
  %v146 = mul nsw i64 %v134, 80
  %v147 = getelementptr i8, ptr %v4, i64 %v146
  %v150 = mul nsw i64 %v134, 4
  %v151 = getelementptr i8, ptr %v2, i64 %v150
  %v148 = getelementptr i8, ptr %v147, i64 128
  call void @llvm.prefetch.p0(ptr %v148, i32 0, i32 3, i32 1)
  %v149 = getelementptr i8, ptr %v147, i64 192
  call void @llvm.prefetch.p0(ptr %v149, i32 0, i32 3, i32 1)
  %v152 = load float, ptr %v151, align 4
  %v153 = getelementptr i8, ptr %v147, i64 64
  %v154 = load <4 x float>, ptr %v153, align 4
  %v155 = insertelement <4 x float> poison, float %v152, i64 0
  %v156 = shufflevector <4 x float> %v155, <4 x float> poison, <4 x i32> zeroinitializer
  %v157 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v156, <4 x float> %v154, <4 x float> %v136)
  %v158 = getelementptr i8, ptr %v151, i64 96
  %v159 = load float, ptr %v158, align 4
  %v160 = insertelement <4 x float> poison, float %v159, i64 0
  %v161 = shufflevector <4 x float> %v160, <4 x float> poison, <4 x i32> zeroinitializer
  %v162 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v161, <4 x float> %v154, <4 x float> %v137)
  %v163 = getelementptr i8, ptr %v151, i64 192
  %v164 = load float, ptr %v163, align 4
  %v165 = insertelement <4 x float> poison, float %v164, i64 0
  %v166 = shufflevector <4 x float> %v165, <4 x float> poison, <4 x i32> zeroinitializer
  %v167 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v166, <4 x float> %v154, <4 x float> %v138)
  %v168 = getelementptr i8, ptr %v151, i64 288
  %v169 = load float, ptr %v168, align 4
  %v170 = insertelement <4 x float> poison, float %v169, i64 0
  %v171 = shufflevector <4 x float> %v170, <4 x float> poison, <4 x i32> zeroinitializer
  %v172 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v171, <4 x float> %v154, <4 x float> %v139)
  %v173 = getelementptr i8, ptr %v151, i64 384
  %v174 = load float, ptr %v173, align 4
  %v175 = insertelement <4 x float> poison, float %v174, i64 0
  %v176 = shufflevector <4 x float> %v175, <4 x float> poison, <4 x i32> zeroinitializer
  %v177 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v176, <4 x float> %v154, <4 x float> %v140)
  %v178 = getelementptr i8, ptr %v151, i64 480
  %v179 = load float, ptr %v178, align 4
  %v180 = insertelement <4 x float> poison, float %v179, i64 0
  %v181 = shufflevector <4 x float> %v180, <4 x float> poison, <4 x i32> zeroinitializer
  %v182 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v181, <4 x float> %v154, <4 x float> %v141)
  %v183 = getelementptr i8, ptr %v151, i64 576
  %v184 = load float, ptr %v183, align 4
  %v185 = insertelement <4 x float> poison, float %v184, i64 0
  %v186 = shufflevector <4 x float> %v185, <4 x float> poison, <4 x i32> zeroinitializer
  %v187 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v186, <4 x float> %v154, <4 x float> %v142)
  %v188 = getelementptr i8, ptr %v151, i64 672
  %v189 = load float, ptr %v188, align 4
  %v190 = insertelement <4 x float> poison, float %v189, i64 0
  %v191 = shufflevector <4 x float> %v190, <4 x float> poison, <4 x i32> zeroinitializer
  %v192 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v191, <4 x float> %v154, <4 x float> %v143)
  %v193 = getelementptr i8, ptr %v151, i64 768
  %v194 = load float, ptr %v193, align 4
  %v195 = insertelement <4 x float> poison, float %v194, i64 0
  %v196 = shufflevector <4 x float> %v195, <4 x float> poison, <4 x i32> zeroinitializer
  %v197 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v196, <4 x float> %v154, <4 x float> %v144)
  %v198 = getelementptr i8, ptr %v151, i64 864
  %v199 = load float, ptr %v198, align 4
  %v200 = insertelement <4 x float> poison, float %v199, i64 0
  %v201 = shufflevector <4 x float> %v200, <4 x float> poison, <4 x i32> zeroinitializer
  %v202 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v201, <4 x float> %v154, <4 x float> %v145)
  %v135 = add nuw nsw i64 %v134, 1
  %v203 = icmp ne i64 %v135, 24
  br i1 %v203, label %o_i.loop132, label %o_i.done133
o_i.done133:
  store <4 x float> %v157, ptr %v7, align 16
  store <4 x float> %v162, ptr %v13, align 16
  store <4 x float> %v167, ptr %v14, align 16
  store <4 x float> %v172, ptr %v15, align 16
  store <4 x float> %v177, ptr %v16, align 16
  store <4 x float> %v182, ptr %v17, align 16
  store <4 x float> %v187, ptr %v18, align 16
  store <4 x float> %v192, ptr %v19, align 16
  store <4 x float> %v197, ptr %v20, align 16
  store <4 x float> %v202, ptr %v21, align 16
  %v204 = load <4 x float>, ptr %v7, align 16
  %v205 = getelementptr i8, ptr %v6, i64 64
  store <4 x float> %v204, ptr %v205, align 4
  %v206 = load <4 x float>, ptr %v13, align 16
  %v207 = getelementptr i8, ptr %v6, i64 144
  store <4 x float> %v206, ptr %v207, align 4
  %v208 = load <4 x float>, ptr %v14, align 16
  %v209 = getelementptr i8, ptr %v6, i64 224
  store <4 x float> %v208, ptr %v209, align 4
  %v210 = load <4 x float>, ptr %v15, align 16
  %v211 = getelementptr i8, ptr %v6, i64 304
  store <4 x float> %v210, ptr %v211, align 4
  %v212 = load <4 x float>, ptr %v16, align 16
  %v213 = getelementptr i8, ptr %v6, i64 384
  store <4 x float> %v212, ptr %v213, align 4
  %v214 = load <4 x float>, ptr %v17, align 16
  %v215 = getelementptr i8, ptr %v6, i64 464
  store <4 x float> %v214, ptr %v215, align 4
  %v216 = load <4 x float>, ptr %v18, align 16
  %v217 = getelementptr i8, ptr %v6, i64 544
  store <4 x float> %v216, ptr %v217, align 4
  %v218 = load <4 x float>, ptr %v19, align 16
  %v219 = getelementptr i8, ptr %v6, i64 624
  store <4 x float> %v218, ptr %v219, align 4
  %v220 = load <4 x float>, ptr %v20, align 16
  %v221 = getelementptr i8, ptr %v6, i64 704
  store <4 x float> %v220, ptr %v221, align 4
  %v222 = load <4 x float>, ptr %v21, align 16
  %v223 = getelementptr i8, ptr %v6, i64 784
  store <4 x float> %v222, ptr %v223, align 4
  %v12 = add nuw nsw i64 %v11, 1
  %v224 = icmp ne i64 %v12, %hi
  br i1 %v224, label %items.loop8, label %items.done9
items.done9:
  ret void
}
