define void @k_4bfc06c8db16e41a(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr inbounds ptr, ptr %args, i64 3
  %v8 = load ptr, ptr %v7, align 8
  %v11 = icmp slt i64 %lo, %hi
  br i1 %v11, label %items.loop9, label %items.done10
items.loop9:
  %v12 = phi i64 [ %lo, %entry ], [ %v214, %ci.done29 ]
  %v69 = udiv i64 %v12, 4
  %v70 = urem i64 %v12, 4
  %v71 = mul nsw i64 %v69, 4608
  %v72 = getelementptr i8, ptr %v2, i64 %v71
  %v73 = mul nsw i64 %v70, 384
  %v74 = getelementptr i8, ptr %v72, i64 %v73
  %v194 = mul nsw i64 %v69, 4096
  %v195 = getelementptr i8, ptr %v8, i64 %v194
  %v196 = mul nsw i64 %v70, 256
  %v197 = getelementptr i8, ptr %v195, i64 %v196
  %v13 = load float, ptr %v6, align 4
  %v14 = insertelement <16 x float> poison, float %v13, i64 0
  %v15 = shufflevector <16 x float> %v14, <16 x float> poison, <16 x i32> zeroinitializer
  %v16 = getelementptr i8, ptr %v6, i64 4
  %v17 = load float, ptr %v16, align 4
  %v18 = insertelement <16 x float> poison, float %v17, i64 0
  %v19 = shufflevector <16 x float> %v18, <16 x float> poison, <16 x i32> zeroinitializer
  %v20 = getelementptr i8, ptr %v6, i64 8
  %v21 = load float, ptr %v20, align 4
  %v22 = insertelement <16 x float> poison, float %v21, i64 0
  %v23 = shufflevector <16 x float> %v22, <16 x float> poison, <16 x i32> zeroinitializer
  %v24 = getelementptr i8, ptr %v6, i64 12
  %v25 = load float, ptr %v24, align 4
  %v26 = insertelement <16 x float> poison, float %v25, i64 0
  %v27 = shufflevector <16 x float> %v26, <16 x float> poison, <16 x i32> zeroinitializer
  %v190 = getelementptr i8, ptr %v4, i64 72
  br label %ci.loop28
ci.loop28:
  %v66 = phi ptr [ %v4, %items.loop9 ], [ %v189, %kh.done48 ]
  %v75 = phi ptr [ %v74, %items.loop9 ], [ %v192, %kh.done48 ]
  %v31 = phi <16 x float> [ %v15, %items.loop9 ], [ %v152, %kh.done48 ]
  %v32 = phi <16 x float> [ %v15, %items.loop9 ], [ %v153, %kh.done48 ]
  %v33 = phi <16 x float> [ %v15, %items.loop9 ], [ %v154, %kh.done48 ]
  %v34 = phi <16 x float> [ %v15, %items.loop9 ], [ %v157, %kh.done48 ]
  %v35 = phi <16 x float> [ %v19, %items.loop9 ], [ %v162, %kh.done48 ]
  %v36 = phi <16 x float> [ %v19, %items.loop9 ], [ %v163, %kh.done48 ]
  %v37 = phi <16 x float> [ %v19, %items.loop9 ], [ %v164, %kh.done48 ]
  %v38 = phi <16 x float> [ %v19, %items.loop9 ], [ %v165, %kh.done48 ]
  %v39 = phi <16 x float> [ %v23, %items.loop9 ], [ %v170, %kh.done48 ]
  %v40 = phi <16 x float> [ %v23, %items.loop9 ], [ %v171, %kh.done48 ]
  %v41 = phi <16 x float> [ %v23, %items.loop9 ], [ %v172, %kh.done48 ]
  %v42 = phi <16 x float> [ %v23, %items.loop9 ], [ %v173, %kh.done48 ]
  %v43 = phi <16 x float> [ %v27, %items.loop9 ], [ %v178, %kh.done48 ]
  %v44 = phi <16 x float> [ %v27, %items.loop9 ], [ %v179, %kh.done48 ]
  %v45 = phi <16 x float> [ %v27, %items.loop9 ], [ %v180, %kh.done48 ]
  %v46 = phi <16 x float> [ %v27, %items.loop9 ], [ %v181, %kh.done48 ]
  %v184 = getelementptr i8, ptr %v66, i64 36
  br label %kh.loop47
kh.loop47:
  %v67 = phi ptr [ %v66, %ci.loop28 ], [ %v183, %kh.loop47 ]
  %v76 = phi ptr [ %v75, %ci.loop28 ], [ %v186, %kh.loop47 ]
  %v50 = phi <16 x float> [ %v31, %ci.loop28 ], [ %v152, %kh.loop47 ]
  %v51 = phi <16 x float> [ %v32, %ci.loop28 ], [ %v153, %kh.loop47 ]
  %v52 = phi <16 x float> [ %v33, %ci.loop28 ], [ %v154, %kh.loop47 ]
  %v53 = phi <16 x float> [ %v34, %ci.loop28 ], [ %v157, %kh.loop47 ]
  %v54 = phi <16 x float> [ %v35, %ci.loop28 ], [ %v162, %kh.loop47 ]
  %v55 = phi <16 x float> [ %v36, %ci.loop28 ], [ %v163, %kh.loop47 ]
  %v56 = phi <16 x float> [ %v37, %ci.loop28 ], [ %v164, %kh.loop47 ]
  %v57 = phi <16 x float> [ %v38, %ci.loop28 ], [ %v165, %kh.loop47 ]
  %v58 = phi <16 x float> [ %v39, %ci.loop28 ], [ %v170, %kh.loop47 ]
  %v59 = phi <16 x float> [ %v40, %ci.loop28 ], [ %v171, %kh.loop47 ]
  %v60 = phi <16 x float> [ %v41, %ci.loop28 ], [ %v172, %kh.loop47 ]
  %v61 = phi <16 x float> [ %v42, %ci.loop28 ], [ %v173, %kh.loop47 ]
  %v62 = phi <16 x float> [ %v43, %ci.loop28 ], [ %v178, %kh.loop47 ]
  %v63 = phi <16 x float> [ %v44, %ci.loop28 ], [ %v179, %kh.loop47 ]
  %v64 = phi <16 x float> [ %v45, %ci.loop28 ], [ %v180, %kh.loop47 ]
  %v65 = phi <16 x float> [ %v46, %ci.loop28 ], [ %v181, %kh.loop47 ]
  %v68 = load float, ptr %v67, align 4
  %v77 = load <16 x float>, ptr %v76, align 64
  %v78 = insertelement <16 x float> poison, float %v68, i64 0
  %v79 = shufflevector <16 x float> %v78, <16 x float> poison, <16 x i32> zeroinitializer
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v77, <16 x float> %v79, <16 x float> %v50)
  %v81 = getelementptr i8, ptr %v76, i64 64
  %v82 = load <16 x float>, ptr %v81, align 64
  %v83 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v79, <16 x float> %v51)
  %v84 = getelementptr i8, ptr %v76, i64 128
  %v85 = load <16 x float>, ptr %v84, align 64
  %v86 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v79, <16 x float> %v52)
  %v87 = getelementptr i8, ptr %v76, i64 192
  %v88 = load <16 x float>, ptr %v87, align 64
  %v89 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v79, <16 x float> %v53)
  %v90 = getelementptr i8, ptr %v67, i64 72
  %v91 = load float, ptr %v90, align 4
  %v92 = insertelement <16 x float> poison, float %v91, i64 0
  %v93 = shufflevector <16 x float> %v92, <16 x float> poison, <16 x i32> zeroinitializer
  %v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v77, <16 x float> %v93, <16 x float> %v54)
  %v95 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v93, <16 x float> %v55)
  %v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v93, <16 x float> %v56)
  %v97 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v93, <16 x float> %v57)
  %v98 = getelementptr i8, ptr %v67, i64 144
  %v99 = load float, ptr %v98, align 4
  %v100 = insertelement <16 x float> poison, float %v99, i64 0
  %v101 = shufflevector <16 x float> %v100, <16 x float> poison, <16 x i32> zeroinitializer
  %v102 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v77, <16 x float> %v101, <16 x float> %v58)
  %v103 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v101, <16 x float> %v59)
  %v104 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v101, <16 x float> %v60)
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v101, <16 x float> %v61)
  %v106 = getelementptr i8, ptr %v67, i64 216
  %v107 = load float, ptr %v106, align 4
  %v108 = insertelement <16 x float> poison, float %v107, i64 0
  %v109 = shufflevector <16 x float> %v108, <16 x float> poison, <16 x i32> zeroinitializer
  %v110 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v77, <16 x float> %v109, <16 x float> %v62)
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v109, <16 x float> %v63)
  %v112 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v109, <16 x float> %v64)
  %v113 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v109, <16 x float> %v65)
  %v114 = getelementptr i8, ptr %v67, i64 4
  %v115 = load float, ptr %v114, align 4
  %v116 = insertelement <16 x float> poison, float %v115, i64 0
  %v117 = shufflevector <16 x float> %v116, <16 x float> poison, <16 x i32> zeroinitializer
  %v118 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v117, <16 x float> %v80)
  %v119 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v117, <16 x float> %v83)
  %v120 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v117, <16 x float> %v86)
  %v121 = getelementptr i8, ptr %v76, i64 256
  %v122 = load <16 x float>, ptr %v121, align 64
  %v123 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v117, <16 x float> %v89)
  %v124 = getelementptr i8, ptr %v67, i64 76
  %v125 = load float, ptr %v124, align 4
  %v126 = insertelement <16 x float> poison, float %v125, i64 0
  %v127 = shufflevector <16 x float> %v126, <16 x float> poison, <16 x i32> zeroinitializer
  %v128 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v127, <16 x float> %v94)
  %v129 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v127, <16 x float> %v95)
  %v130 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v127, <16 x float> %v96)
  %v131 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v127, <16 x float> %v97)
  %v132 = getelementptr i8, ptr %v67, i64 148
  %v133 = load float, ptr %v132, align 4
  %v134 = insertelement <16 x float> poison, float %v133, i64 0
  %v135 = shufflevector <16 x float> %v134, <16 x float> poison, <16 x i32> zeroinitializer
  %v136 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v135, <16 x float> %v102)
  %v137 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v135, <16 x float> %v103)
  %v138 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v135, <16 x float> %v104)
  %v139 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v135, <16 x float> %v105)
  %v140 = getelementptr i8, ptr %v67, i64 220
  %v141 = load float, ptr %v140, align 4
  %v142 = insertelement <16 x float> poison, float %v141, i64 0
  %v143 = shufflevector <16 x float> %v142, <16 x float> poison, <16 x i32> zeroinitializer
  %v144 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v143, <16 x float> %v110)
  %v145 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v143, <16 x float> %v111)
  %v146 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v143, <16 x float> %v112)
  %v147 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v143, <16 x float> %v113)
  %v148 = getelementptr i8, ptr %v67, i64 8
  %v149 = load float, ptr %v148, align 4
  %v150 = insertelement <16 x float> poison, float %v149, i64 0
  %v151 = shufflevector <16 x float> %v150, <16 x float> poison, <16 x i32> zeroinitializer
  %v152 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v151, <16 x float> %v118)
  %v153 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v151, <16 x float> %v119)
  %v154 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v151, <16 x float> %v120)
  %v155 = getelementptr i8, ptr %v76, i64 320
  %v156 = load <16 x float>, ptr %v155, align 64
  %v157 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v156, <16 x float> %v151, <16 x float> %v123)
  %v158 = getelementptr i8, ptr %v67, i64 80
  %v159 = load float, ptr %v158, align 4
  %v160 = insertelement <16 x float> poison, float %v159, i64 0
  %v161 = shufflevector <16 x float> %v160, <16 x float> poison, <16 x i32> zeroinitializer
  %v162 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v161, <16 x float> %v128)
  %v163 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v161, <16 x float> %v129)
  %v164 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v161, <16 x float> %v130)
  %v165 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v156, <16 x float> %v161, <16 x float> %v131)
  %v166 = getelementptr i8, ptr %v67, i64 152
  %v167 = load float, ptr %v166, align 4
  %v168 = insertelement <16 x float> poison, float %v167, i64 0
  %v169 = shufflevector <16 x float> %v168, <16 x float> poison, <16 x i32> zeroinitializer
  %v170 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v169, <16 x float> %v136)
  %v171 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v169, <16 x float> %v137)
  %v172 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v169, <16 x float> %v138)
  %v173 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v156, <16 x float> %v169, <16 x float> %v139)
  %v174 = getelementptr i8, ptr %v67, i64 224
  %v175 = load float, ptr %v174, align 4
  %v176 = insertelement <16 x float> poison, float %v175, i64 0
  %v177 = shufflevector <16 x float> %v176, <16 x float> poison, <16 x i32> zeroinitializer
  %v178 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v177, <16 x float> %v144)
  %v179 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v88, <16 x float> %v177, <16 x float> %v145)
  %v180 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v122, <16 x float> %v177, <16 x float> %v146)
  %v181 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v156, <16 x float> %v177, <16 x float> %v147)
  %v182 = getelementptr i8, ptr %v67, i64 12
  %v183 = freeze ptr %v182
  %v185 = getelementptr i8, ptr %v76, i64 384
  %v186 = freeze ptr %v185
  %v187 = icmp ne ptr %v183, %v184
  br i1 %v187, label %kh.loop47, label %kh.done48
kh.done48:
  %v188 = getelementptr i8, ptr %v66, i64 36
  %v189 = freeze ptr %v188
  %v191 = getelementptr i8, ptr %v75, i64 2304
  %v192 = freeze ptr %v191
  %v193 = icmp ne ptr %v189, %v190
  br i1 %v193, label %ci.loop28, label %ci.done29
ci.done29:
  store <16 x float> %v152, ptr %v197, align 64
  %v198 = getelementptr i8, ptr %v197, i64 64
  store <16 x float> %v153, ptr %v198, align 64
  %v199 = getelementptr i8, ptr %v197, i64 128
  store <16 x float> %v154, ptr %v199, align 64
  %v200 = getelementptr i8, ptr %v197, i64 192
  store <16 x float> %v157, ptr %v200, align 64
  %v201 = getelementptr i8, ptr %v197, i64 1024
  store <16 x float> %v162, ptr %v201, align 64
  %v202 = getelementptr i8, ptr %v197, i64 1088
  store <16 x float> %v163, ptr %v202, align 64
  %v203 = getelementptr i8, ptr %v197, i64 1152
  store <16 x float> %v164, ptr %v203, align 64
  %v204 = getelementptr i8, ptr %v197, i64 1216
  store <16 x float> %v165, ptr %v204, align 64
  %v205 = getelementptr i8, ptr %v197, i64 2048
  store <16 x float> %v170, ptr %v205, align 64
  %v206 = getelementptr i8, ptr %v197, i64 2112
  store <16 x float> %v171, ptr %v206, align 64
  %v207 = getelementptr i8, ptr %v197, i64 2176
  store <16 x float> %v172, ptr %v207, align 64
  %v208 = getelementptr i8, ptr %v197, i64 2240
  store <16 x float> %v173, ptr %v208, align 64
  %v209 = getelementptr i8, ptr %v197, i64 3072
  store <16 x float> %v178, ptr %v209, align 64
  %v210 = getelementptr i8, ptr %v197, i64 3136
  store <16 x float> %v179, ptr %v210, align 64
  %v211 = getelementptr i8, ptr %v197, i64 3200
  store <16 x float> %v180, ptr %v211, align 64
  %v212 = getelementptr i8, ptr %v197, i64 3264
  store <16 x float> %v181, ptr %v212, align 64
  %v213 = add nsw i64 %v12, 1
  %v214 = freeze i64 %v213
  %v215 = icmp ne i64 %v214, %hi
  br i1 %v215, label %items.loop9, label %items.done10
items.done10:
  ret void
}
