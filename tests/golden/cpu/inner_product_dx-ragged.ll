define void @k_e947277992e1f006(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr i8, ptr %scratch, i64 0
  %v10 = icmp slt i64 %lo, %hi
  br i1 %v10, label %loop8, label %done9
loop8:
  %v11 = phi i64 [ %lo, %entry ], [ %v12, %done131 ]
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
  br label %loop32
loop32:
  %v34 = phi i64 [ 0, %loop8 ], [ %v35, %loop32 ]
  %v36 = phi <16 x float> [ %v22, %loop8 ], [ %v54, %loop32 ]
  %v37 = phi <16 x float> [ %v23, %loop8 ], [ %v59, %loop32 ]
  %v38 = phi <16 x float> [ %v24, %loop8 ], [ %v64, %loop32 ]
  %v39 = phi <16 x float> [ %v25, %loop8 ], [ %v69, %loop32 ]
  %v40 = phi <16 x float> [ %v26, %loop8 ], [ %v74, %loop32 ]
  %v41 = phi <16 x float> [ %v27, %loop8 ], [ %v79, %loop32 ]
  %v42 = phi <16 x float> [ %v28, %loop8 ], [ %v84, %loop32 ]
  %v43 = phi <16 x float> [ %v29, %loop8 ], [ %v89, %loop32 ]
  %v44 = phi <16 x float> [ %v30, %loop8 ], [ %v94, %loop32 ]
  %v45 = phi <16 x float> [ %v31, %loop8 ], [ %v99, %loop32 ]
  %v46 = mul nsw i64 %v34, 4
  %v47 = getelementptr i8, ptr %v2, i64 %v46
  %v49 = mul nsw i64 %v34, 80
  %v50 = getelementptr i8, ptr %v4, i64 %v49
  %v48 = load float, ptr %v47, align 4
  %v51 = load <16 x float>, ptr %v50, align 4
  %v52 = insertelement <16 x float> poison, float %v48, i64 0
  %v53 = shufflevector <16 x float> %v52, <16 x float> poison, <16 x i32> zeroinitializer
  %v54 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v53, <16 x float> %v51, <16 x float> %v36)
  %v55 = getelementptr i8, ptr %v47, i64 96
  %v56 = load float, ptr %v55, align 4
  %v57 = insertelement <16 x float> poison, float %v56, i64 0
  %v58 = shufflevector <16 x float> %v57, <16 x float> poison, <16 x i32> zeroinitializer
  %v59 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v58, <16 x float> %v51, <16 x float> %v37)
  %v60 = getelementptr i8, ptr %v47, i64 192
  %v61 = load float, ptr %v60, align 4
  %v62 = insertelement <16 x float> poison, float %v61, i64 0
  %v63 = shufflevector <16 x float> %v62, <16 x float> poison, <16 x i32> zeroinitializer
  %v64 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v63, <16 x float> %v51, <16 x float> %v38)
  %v65 = getelementptr i8, ptr %v47, i64 288
  %v66 = load float, ptr %v65, align 4
  %v67 = insertelement <16 x float> poison, float %v66, i64 0
  %v68 = shufflevector <16 x float> %v67, <16 x float> poison, <16 x i32> zeroinitializer
  %v69 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v51, <16 x float> %v39)
  %v70 = getelementptr i8, ptr %v47, i64 384
  %v71 = load float, ptr %v70, align 4
  %v72 = insertelement <16 x float> poison, float %v71, i64 0
  %v73 = shufflevector <16 x float> %v72, <16 x float> poison, <16 x i32> zeroinitializer
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v51, <16 x float> %v40)
  %v75 = getelementptr i8, ptr %v47, i64 480
  %v76 = load float, ptr %v75, align 4
  %v77 = insertelement <16 x float> poison, float %v76, i64 0
  %v78 = shufflevector <16 x float> %v77, <16 x float> poison, <16 x i32> zeroinitializer
  %v79 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v78, <16 x float> %v51, <16 x float> %v41)
  %v80 = getelementptr i8, ptr %v47, i64 576
  %v81 = load float, ptr %v80, align 4
  %v82 = insertelement <16 x float> poison, float %v81, i64 0
  %v83 = shufflevector <16 x float> %v82, <16 x float> poison, <16 x i32> zeroinitializer
  %v84 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v83, <16 x float> %v51, <16 x float> %v42)
  %v85 = getelementptr i8, ptr %v47, i64 672
  %v86 = load float, ptr %v85, align 4
  %v87 = insertelement <16 x float> poison, float %v86, i64 0
  %v88 = shufflevector <16 x float> %v87, <16 x float> poison, <16 x i32> zeroinitializer
  %v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v51, <16 x float> %v43)
  %v90 = getelementptr i8, ptr %v47, i64 768
  %v91 = load float, ptr %v90, align 4
  %v92 = insertelement <16 x float> poison, float %v91, i64 0
  %v93 = shufflevector <16 x float> %v92, <16 x float> poison, <16 x i32> zeroinitializer
  %v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v51, <16 x float> %v44)
  %v95 = getelementptr i8, ptr %v47, i64 864
  %v96 = load float, ptr %v95, align 4
  %v97 = insertelement <16 x float> poison, float %v96, i64 0
  %v98 = shufflevector <16 x float> %v97, <16 x float> poison, <16 x i32> zeroinitializer
  %v99 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v51, <16 x float> %v45)
  %v35 = add nuw nsw i64 %v34, 1
  %v100 = icmp ne i64 %v35, 24
  br i1 %v100, label %loop32, label %done33
done33:
  store <16 x float> %v54, ptr %v7, align 64
  store <16 x float> %v59, ptr %v13, align 64
  store <16 x float> %v64, ptr %v14, align 64
  store <16 x float> %v69, ptr %v15, align 64
  store <16 x float> %v74, ptr %v16, align 64
  store <16 x float> %v79, ptr %v17, align 64
  store <16 x float> %v84, ptr %v18, align 64
  store <16 x float> %v89, ptr %v19, align 64
  store <16 x float> %v94, ptr %v20, align 64
  store <16 x float> %v99, ptr %v21, align 64
  %v101 = load <16 x float>, ptr %v7, align 64
  store <16 x float> %v101, ptr %v6, align 4
  %v102 = load <16 x float>, ptr %v13, align 64
  %v103 = getelementptr i8, ptr %v6, i64 80
  store <16 x float> %v102, ptr %v103, align 4
  %v104 = load <16 x float>, ptr %v14, align 64
  %v105 = getelementptr i8, ptr %v6, i64 160
  store <16 x float> %v104, ptr %v105, align 4
  %v106 = load <16 x float>, ptr %v15, align 64
  %v107 = getelementptr i8, ptr %v6, i64 240
  store <16 x float> %v106, ptr %v107, align 4
  %v108 = load <16 x float>, ptr %v16, align 64
  %v109 = getelementptr i8, ptr %v6, i64 320
  store <16 x float> %v108, ptr %v109, align 4
  %v110 = load <16 x float>, ptr %v17, align 64
  %v111 = getelementptr i8, ptr %v6, i64 400
  store <16 x float> %v110, ptr %v111, align 4
  %v112 = load <16 x float>, ptr %v18, align 64
  %v113 = getelementptr i8, ptr %v6, i64 480
  store <16 x float> %v112, ptr %v113, align 4
  %v114 = load <16 x float>, ptr %v19, align 64
  %v115 = getelementptr i8, ptr %v6, i64 560
  store <16 x float> %v114, ptr %v115, align 4
  %v116 = load <16 x float>, ptr %v20, align 64
  %v117 = getelementptr i8, ptr %v6, i64 640
  store <16 x float> %v116, ptr %v117, align 4
  %v118 = load <16 x float>, ptr %v21, align 64
  %v119 = getelementptr i8, ptr %v6, i64 720
  store <16 x float> %v118, ptr %v119, align 4
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
  %v120 = load <4 x float>, ptr %v7, align 16
  %v121 = load <4 x float>, ptr %v13, align 16
  %v122 = load <4 x float>, ptr %v14, align 16
  %v123 = load <4 x float>, ptr %v15, align 16
  %v124 = load <4 x float>, ptr %v16, align 16
  %v125 = load <4 x float>, ptr %v17, align 16
  %v126 = load <4 x float>, ptr %v18, align 16
  %v127 = load <4 x float>, ptr %v19, align 16
  %v128 = load <4 x float>, ptr %v20, align 16
  %v129 = load <4 x float>, ptr %v21, align 16
  br label %loop130
loop130:
  %v132 = phi i64 [ 0, %done33 ], [ %v133, %loop130 ]
  %v134 = phi <4 x float> [ %v120, %done33 ], [ %v153, %loop130 ]
  %v135 = phi <4 x float> [ %v121, %done33 ], [ %v158, %loop130 ]
  %v136 = phi <4 x float> [ %v122, %done33 ], [ %v163, %loop130 ]
  %v137 = phi <4 x float> [ %v123, %done33 ], [ %v168, %loop130 ]
  %v138 = phi <4 x float> [ %v124, %done33 ], [ %v173, %loop130 ]
  %v139 = phi <4 x float> [ %v125, %done33 ], [ %v178, %loop130 ]
  %v140 = phi <4 x float> [ %v126, %done33 ], [ %v183, %loop130 ]
  %v141 = phi <4 x float> [ %v127, %done33 ], [ %v188, %loop130 ]
  %v142 = phi <4 x float> [ %v128, %done33 ], [ %v193, %loop130 ]
  %v143 = phi <4 x float> [ %v129, %done33 ], [ %v198, %loop130 ]
  %v144 = mul nsw i64 %v132, 4
  %v145 = getelementptr i8, ptr %v2, i64 %v144
  %v147 = mul nsw i64 %v132, 80
  %v148 = getelementptr i8, ptr %v4, i64 %v147
  %v146 = load float, ptr %v145, align 4
  %v149 = getelementptr i8, ptr %v148, i64 64
  %v150 = load <4 x float>, ptr %v149, align 4
  %v151 = insertelement <4 x float> poison, float %v146, i64 0
  %v152 = shufflevector <4 x float> %v151, <4 x float> poison, <4 x i32> zeroinitializer
  %v153 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v152, <4 x float> %v150, <4 x float> %v134)
  %v154 = getelementptr i8, ptr %v145, i64 96
  %v155 = load float, ptr %v154, align 4
  %v156 = insertelement <4 x float> poison, float %v155, i64 0
  %v157 = shufflevector <4 x float> %v156, <4 x float> poison, <4 x i32> zeroinitializer
  %v158 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v157, <4 x float> %v150, <4 x float> %v135)
  %v159 = getelementptr i8, ptr %v145, i64 192
  %v160 = load float, ptr %v159, align 4
  %v161 = insertelement <4 x float> poison, float %v160, i64 0
  %v162 = shufflevector <4 x float> %v161, <4 x float> poison, <4 x i32> zeroinitializer
  %v163 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v162, <4 x float> %v150, <4 x float> %v136)
  %v164 = getelementptr i8, ptr %v145, i64 288
  %v165 = load float, ptr %v164, align 4
  %v166 = insertelement <4 x float> poison, float %v165, i64 0
  %v167 = shufflevector <4 x float> %v166, <4 x float> poison, <4 x i32> zeroinitializer
  %v168 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v167, <4 x float> %v150, <4 x float> %v137)
  %v169 = getelementptr i8, ptr %v145, i64 384
  %v170 = load float, ptr %v169, align 4
  %v171 = insertelement <4 x float> poison, float %v170, i64 0
  %v172 = shufflevector <4 x float> %v171, <4 x float> poison, <4 x i32> zeroinitializer
  %v173 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v172, <4 x float> %v150, <4 x float> %v138)
  %v174 = getelementptr i8, ptr %v145, i64 480
  %v175 = load float, ptr %v174, align 4
  %v176 = insertelement <4 x float> poison, float %v175, i64 0
  %v177 = shufflevector <4 x float> %v176, <4 x float> poison, <4 x i32> zeroinitializer
  %v178 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v177, <4 x float> %v150, <4 x float> %v139)
  %v179 = getelementptr i8, ptr %v145, i64 576
  %v180 = load float, ptr %v179, align 4
  %v181 = insertelement <4 x float> poison, float %v180, i64 0
  %v182 = shufflevector <4 x float> %v181, <4 x float> poison, <4 x i32> zeroinitializer
  %v183 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v182, <4 x float> %v150, <4 x float> %v140)
  %v184 = getelementptr i8, ptr %v145, i64 672
  %v185 = load float, ptr %v184, align 4
  %v186 = insertelement <4 x float> poison, float %v185, i64 0
  %v187 = shufflevector <4 x float> %v186, <4 x float> poison, <4 x i32> zeroinitializer
  %v188 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v187, <4 x float> %v150, <4 x float> %v141)
  %v189 = getelementptr i8, ptr %v145, i64 768
  %v190 = load float, ptr %v189, align 4
  %v191 = insertelement <4 x float> poison, float %v190, i64 0
  %v192 = shufflevector <4 x float> %v191, <4 x float> poison, <4 x i32> zeroinitializer
  %v193 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v192, <4 x float> %v150, <4 x float> %v142)
  %v194 = getelementptr i8, ptr %v145, i64 864
  %v195 = load float, ptr %v194, align 4
  %v196 = insertelement <4 x float> poison, float %v195, i64 0
  %v197 = shufflevector <4 x float> %v196, <4 x float> poison, <4 x i32> zeroinitializer
  %v198 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v197, <4 x float> %v150, <4 x float> %v143)
  %v133 = add nuw nsw i64 %v132, 1
  %v199 = icmp ne i64 %v133, 24
  br i1 %v199, label %loop130, label %done131
done131:
  store <4 x float> %v153, ptr %v7, align 16
  store <4 x float> %v158, ptr %v13, align 16
  store <4 x float> %v163, ptr %v14, align 16
  store <4 x float> %v168, ptr %v15, align 16
  store <4 x float> %v173, ptr %v16, align 16
  store <4 x float> %v178, ptr %v17, align 16
  store <4 x float> %v183, ptr %v18, align 16
  store <4 x float> %v188, ptr %v19, align 16
  store <4 x float> %v193, ptr %v20, align 16
  store <4 x float> %v198, ptr %v21, align 16
  %v200 = load <4 x float>, ptr %v7, align 16
  %v201 = getelementptr i8, ptr %v6, i64 64
  store <4 x float> %v200, ptr %v201, align 4
  %v202 = load <4 x float>, ptr %v13, align 16
  %v203 = getelementptr i8, ptr %v6, i64 144
  store <4 x float> %v202, ptr %v203, align 4
  %v204 = load <4 x float>, ptr %v14, align 16
  %v205 = getelementptr i8, ptr %v6, i64 224
  store <4 x float> %v204, ptr %v205, align 4
  %v206 = load <4 x float>, ptr %v15, align 16
  %v207 = getelementptr i8, ptr %v6, i64 304
  store <4 x float> %v206, ptr %v207, align 4
  %v208 = load <4 x float>, ptr %v16, align 16
  %v209 = getelementptr i8, ptr %v6, i64 384
  store <4 x float> %v208, ptr %v209, align 4
  %v210 = load <4 x float>, ptr %v17, align 16
  %v211 = getelementptr i8, ptr %v6, i64 464
  store <4 x float> %v210, ptr %v211, align 4
  %v212 = load <4 x float>, ptr %v18, align 16
  %v213 = getelementptr i8, ptr %v6, i64 544
  store <4 x float> %v212, ptr %v213, align 4
  %v214 = load <4 x float>, ptr %v19, align 16
  %v215 = getelementptr i8, ptr %v6, i64 624
  store <4 x float> %v214, ptr %v215, align 4
  %v216 = load <4 x float>, ptr %v20, align 16
  %v217 = getelementptr i8, ptr %v6, i64 704
  store <4 x float> %v216, ptr %v217, align 4
  %v218 = load <4 x float>, ptr %v21, align 16
  %v219 = getelementptr i8, ptr %v6, i64 784
  store <4 x float> %v218, ptr %v219, align 4
  %v12 = add nuw nsw i64 %v11, 1
  %v220 = icmp ne i64 %v12, %hi
  br i1 %v220, label %loop8, label %done9
done9:
  ret void
}
