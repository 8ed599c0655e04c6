define void @k_53c9f08cc58dbc4e(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr inbounds ptr, ptr %args, i64 3
  %v8 = load ptr, ptr %v7, align 8
  %v9 = getelementptr i8, ptr %scratch, i64 0
  %v269 = mul nsw i64 %lo, 32
  %v270 = mul nsw i64 %hi, 32
  %v273 = mul nsw i64 %lo, 352
  %v274 = getelementptr i8, ptr %v4, i64 %v273
  %v12 = icmp slt i64 %lo, %hi
  br i1 %v12, label %items.loop10, label %items.done11
items.loop10:
  %v266 = phi i64 [ %v269, %entry ], [ %v268, %n_o.done113 ]
  %v14 = phi ptr [ %v274, %entry ], [ %v272, %n_o.done113 ]
  %v115 = getelementptr i8, ptr %v6, i64 %v266
  %v250 = getelementptr i8, ptr %v8, i64 %v266
  %v15 = load <8 x float>, ptr %v14, align 4
  %v16 = getelementptr i8, ptr %v14, i64 44
  %v17 = load <8 x float>, ptr %v16, align 4
  %v18 = getelementptr i8, ptr %v14, i64 88
  %v19 = load <8 x float>, ptr %v18, align 4
  %v20 = getelementptr i8, ptr %v14, i64 132
  %v21 = load <8 x float>, ptr %v20, align 4
  %v22 = getelementptr i8, ptr %v14, i64 176
  %v23 = load <8 x float>, ptr %v22, align 4
  %v24 = getelementptr i8, ptr %v14, i64 220
  %v25 = load <8 x float>, ptr %v24, align 4
  %v26 = getelementptr i8, ptr %v14, i64 264
  %v27 = load <8 x float>, ptr %v26, align 4
  %v28 = getelementptr i8, ptr %v14, i64 308
  %v29 = load <8 x float>, ptr %v28, align 4
  %v30 = shufflevector <8 x float> %v15, <8 x float> %v17, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v31 = shufflevector <8 x float> %v15, <8 x float> %v17, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v32 = shufflevector <8 x float> %v19, <8 x float> %v21, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v33 = shufflevector <8 x float> %v19, <8 x float> %v21, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v34 = shufflevector <8 x float> %v23, <8 x float> %v25, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v35 = shufflevector <8 x float> %v23, <8 x float> %v25, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v36 = shufflevector <8 x float> %v27, <8 x float> %v29, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v37 = shufflevector <8 x float> %v27, <8 x float> %v29, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v38 = shufflevector <8 x float> %v30, <8 x float> %v32, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v39 = shufflevector <8 x float> %v30, <8 x float> %v32, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v40 = shufflevector <8 x float> %v31, <8 x float> %v33, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v41 = shufflevector <8 x float> %v31, <8 x float> %v33, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v42 = shufflevector <8 x float> %v34, <8 x float> %v36, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v43 = shufflevector <8 x float> %v34, <8 x float> %v36, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v44 = shufflevector <8 x float> %v35, <8 x float> %v37, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v45 = shufflevector <8 x float> %v35, <8 x float> %v37, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v46 = shufflevector <8 x float> %v38, <8 x float> %v42, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v47 = shufflevector <8 x float> %v38, <8 x float> %v42, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v48 = shufflevector <8 x float> %v40, <8 x float> %v44, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v49 = shufflevector <8 x float> %v40, <8 x float> %v44, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v50 = shufflevector <8 x float> %v39, <8 x float> %v43, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v51 = shufflevector <8 x float> %v39, <8 x float> %v43, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v52 = shufflevector <8 x float> %v41, <8 x float> %v45, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v53 = shufflevector <8 x float> %v41, <8 x float> %v45, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v46, ptr %v9, align 32
  %v54 = getelementptr i8, ptr %v9, i64 32
  store <8 x float> %v48, ptr %v54, align 32
  %v55 = getelementptr i8, ptr %v9, i64 64
  store <8 x float> %v50, ptr %v55, align 32
  %v56 = getelementptr i8, ptr %v9, i64 96
  store <8 x float> %v52, ptr %v56, align 32
  %v57 = getelementptr i8, ptr %v9, i64 128
  store <8 x float> %v47, ptr %v57, align 32
  %v58 = getelementptr i8, ptr %v9, i64 160
  store <8 x float> %v49, ptr %v58, align 32
  %v59 = getelementptr i8, ptr %v9, i64 192
  store <8 x float> %v51, ptr %v59, align 32
  %v60 = getelementptr i8, ptr %v9, i64 224
  store <8 x float> %v53, ptr %v60, align 32
  %v61 = getelementptr i8, ptr %v14, i64 32
  %v62 = load <3 x float>, ptr %v61, align 4
  %v63 = getelementptr i8, ptr %v14, i64 76
  %v64 = load <3 x float>, ptr %v63, align 4
  %v65 = getelementptr i8, ptr %v14, i64 120
  %v66 = load <3 x float>, ptr %v65, align 4
  %v67 = getelementptr i8, ptr %v14, i64 164
  %v68 = load <3 x float>, ptr %v67, align 4
  %v69 = getelementptr i8, ptr %v14, i64 208
  %v70 = load <3 x float>, ptr %v69, align 4
  %v71 = getelementptr i8, ptr %v14, i64 252
  %v72 = load <3 x float>, ptr %v71, align 4
  %v73 = getelementptr i8, ptr %v14, i64 296
  %v74 = load <3 x float>, ptr %v73, align 4
  %v75 = getelementptr i8, ptr %v14, i64 340
  %v76 = load <3 x float>, ptr %v75, align 4
  %v77 = shufflevector <3 x float> %v62, <3 x float> %v62, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v78 = shufflevector <3 x float> %v64, <3 x float> %v64, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v79 = shufflevector <3 x float> %v66, <3 x float> %v66, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v80 = shufflevector <3 x float> %v68, <3 x float> %v68, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v81 = shufflevector <3 x float> %v70, <3 x float> %v70, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v82 = shufflevector <3 x float> %v72, <3 x float> %v72, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v83 = shufflevector <3 x float> %v74, <3 x float> %v74, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v84 = shufflevector <3 x float> %v76, <3 x float> %v76, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v85 = shufflevector <8 x float> %v77, <8 x float> %v78, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v86 = shufflevector <8 x float> %v77, <8 x float> %v78, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v87 = shufflevector <8 x float> %v79, <8 x float> %v80, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v88 = shufflevector <8 x float> %v79, <8 x float> %v80, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v89 = shufflevector <8 x float> %v81, <8 x float> %v82, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v90 = shufflevector <8 x float> %v81, <8 x float> %v82, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v91 = shufflevector <8 x float> %v83, <8 x float> %v84, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v92 = shufflevector <8 x float> %v83, <8 x float> %v84, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v93 = shufflevector <8 x float> %v85, <8 x float> %v87, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v94 = shufflevector <8 x float> %v85, <8 x float> %v87, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v95 = shufflevector <8 x float> %v86, <8 x float> %v88, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v96 = shufflevector <8 x float> %v86, <8 x float> %v88, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v97 = shufflevector <8 x float> %v89, <8 x float> %v91, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v98 = shufflevector <8 x float> %v89, <8 x float> %v91, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v99 = shufflevector <8 x float> %v90, <8 x float> %v92, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v100 = shufflevector <8 x float> %v90, <8 x float> %v92, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v101 = shufflevector <8 x float> %v93, <8 x float> %v97, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v102 = shufflevector <8 x float> %v93, <8 x float> %v97, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v103 = shufflevector <8 x float> %v95, <8 x float> %v99, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v104 = shufflevector <8 x float> %v95, <8 x float> %v99, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v105 = shufflevector <8 x float> %v94, <8 x float> %v98, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v106 = shufflevector <8 x float> %v94, <8 x float> %v98, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v107 = shufflevector <8 x float> %v96, <8 x float> %v100, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %v108 = shufflevector <8 x float> %v96, <8 x float> %v100, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %v109 = getelementptr i8, ptr %v9, i64 256
  store <8 x float> %v101, ptr %v109, align 32
  %v110 = getelementptr i8, ptr %v9, i64 288
  store <8 x float> %v103, ptr %v110, align 32
  %v111 = getelementptr i8, ptr %v9, i64 320
  store <8 x float> %v105, ptr %v111, align 32
  %v262 = getelementptr i8, ptr %v2, i64 792
  br label %n_o.loop112
n_o.loop112:
  %v129 = phi ptr [ %v2, %items.loop10 ], [ %v261, %f_i.done184 ]
  %v251 = phi ptr [ %v250, %items.loop10 ], [ %v264, %f_i.done184 ]
  %v116 = load <8 x float>, ptr %v115, align 4
  %v179 = getelementptr i8, ptr %v129, i64 32
  br label %f_i.loop117
f_i.loop117:
  %v130 = phi ptr [ %v129, %n_o.loop112 ], [ %v178, %f_i.loop117 ]
  %v132 = phi ptr [ %v9, %n_o.loop112 ], [ %v181, %f_i.loop117 ]
  %v120 = phi <8 x float> [ %v116, %n_o.loop112 ], [ %v136, %f_i.loop117 ]
  %v121 = phi <8 x float> [ %v116, %n_o.loop112 ], [ %v141, %f_i.loop117 ]
  %v122 = phi <8 x float> [ %v116, %n_o.loop112 ], [ %v146, %f_i.loop117 ]
  %v123 = phi <8 x float> [ %v116, %n_o.loop112 ], [ %v151, %f_i.loop117 ]
  %v124 = phi <8 x float> [ %v116, %n_o.loop112 ], [ %v156, %f_i.loop117 ]
  %v125 = phi <8 x float> [ %v116, %n_o.loop112 ], [ %v161, %f_i.loop117 ]
  %v126 = phi <8 x float> [ %v116, %n_o.loop112 ], [ %v166, %f_i.loop117 ]
  %v127 = phi <8 x float> [ %v116, %n_o.loop112 ], [ %v171, %f_i.loop117 ]
  %v128 = phi <8 x float> [ %v116, %n_o.loop112 ], [ %v176, %f_i.loop117 ]
  %v131 = load float, ptr %v130, align 4
  %v133 = load <8 x float>, ptr %v132, align 32
  %v134 = insertelement <8 x float> poison, float %v131, i64 0
  %v135 = shufflevector <8 x float> %v134, <8 x float> poison, <8 x i32> zeroinitializer
  %v136 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v135, <8 x float> %v133, <8 x float> %v120)
  %v137 = getelementptr i8, ptr %v130, i64 44
  %v138 = load float, ptr %v137, align 4
  %v139 = insertelement <8 x float> poison, float %v138, i64 0
  %v140 = shufflevector <8 x float> %v139, <8 x float> poison, <8 x i32> zeroinitializer
  %v141 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v140, <8 x float> %v133, <8 x float> %v121)
  %v142 = getelementptr i8, ptr %v130, i64 88
  %v143 = load float, ptr %v142, align 4
  %v144 = insertelement <8 x float> poison, float %v143, i64 0
  %v145 = shufflevector <8 x float> %v144, <8 x float> poison, <8 x i32> zeroinitializer
  %v146 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v145, <8 x float> %v133, <8 x float> %v122)
  %v147 = getelementptr i8, ptr %v130, i64 132
  %v148 = load float, ptr %v147, align 4
  %v149 = insertelement <8 x float> poison, float %v148, i64 0
  %v150 = shufflevector <8 x float> %v149, <8 x float> poison, <8 x i32> zeroinitializer
  %v151 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v150, <8 x float> %v133, <8 x float> %v123)
  %v152 = getelementptr i8, ptr %v130, i64 176
  %v153 = load float, ptr %v152, align 4
  %v154 = insertelement <8 x float> poison, float %v153, i64 0
  %v155 = shufflevector <8 x float> %v154, <8 x float> poison, <8 x i32> zeroinitializer
  %v156 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v155, <8 x float> %v133, <8 x float> %v124)
  %v157 = getelementptr i8, ptr %v130, i64 220
  %v158 = load float, ptr %v157, align 4
  %v159 = insertelement <8 x float> poison, float %v158, i64 0
  %v160 = shufflevector <8 x float> %v159, <8 x float> poison, <8 x i32> zeroinitializer
  %v161 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v160, <8 x float> %v133, <8 x float> %v125)
  %v162 = getelementptr i8, ptr %v130, i64 264
  %v163 = load float, ptr %v162, align 4
  %v164 = insertelement <8 x float> poison, float %v163, i64 0
  %v165 = shufflevector <8 x float> %v164, <8 x float> poison, <8 x i32> zeroinitializer
  %v166 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v133, <8 x float> %v126)
  %v167 = getelementptr i8, ptr %v130, i64 308
  %v168 = load float, ptr %v167, align 4
  %v169 = insertelement <8 x float> poison, float %v168, i64 0
  %v170 = shufflevector <8 x float> %v169, <8 x float> poison, <8 x i32> zeroinitializer
  %v171 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v170, <8 x float> %v133, <8 x float> %v127)
  %v172 = getelementptr i8, ptr %v130, i64 352
  %v173 = load float, ptr %v172, align 4
  %v174 = insertelement <8 x float> poison, float %v173, i64 0
  %v175 = shufflevector <8 x float> %v174, <8 x float> poison, <8 x i32> zeroinitializer
  %v176 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v175, <8 x float> %v133, <8 x float> %v128)
  %v177 = getelementptr i8, ptr %v130, i64 4
  %v178 = freeze ptr %v177
  %v180 = getelementptr i8, ptr %v132, i64 32
  %v181 = freeze ptr %v180
  %v182 = icmp ne ptr %v178, %v179
  br i1 %v182, label %f_i.loop117, label %f_i.done118
f_i.done118:
  %v246 = getelementptr i8, ptr %v129, i64 12
  br label %f_i.loop183
f_i.loop183:
  %v195 = phi ptr [ %v129, %f_i.done118 ], [ %v245, %f_i.loop183 ]
  %v198 = phi ptr [ %v9, %f_i.done118 ], [ %v248, %f_i.loop183 ]
  %v186 = phi <8 x float> [ %v136, %f_i.done118 ], [ %v203, %f_i.loop183 ]
  %v187 = phi <8 x float> [ %v141, %f_i.done118 ], [ %v208, %f_i.loop183 ]
  %v188 = phi <8 x float> [ %v146, %f_i.done118 ], [ %v213, %f_i.loop183 ]
  %v189 = phi <8 x float> [ %v151, %f_i.done118 ], [ %v218, %f_i.loop183 ]
  %v190 = phi <8 x float> [ %v156, %f_i.done118 ], [ %v223, %f_i.loop183 ]
  %v191 = phi <8 x float> [ %v161, %f_i.done118 ], [ %v228, %f_i.loop183 ]
  %v192 = phi <8 x float> [ %v166, %f_i.done118 ], [ %v233, %f_i.loop183 ]
  %v193 = phi <8 x float> [ %v171, %f_i.done118 ], [ %v238, %f_i.loop183 ]
  %v194 = phi <8 x float> [ %v176, %f_i.done118 ], [ %v243, %f_i.loop183 ]
  %v196 = getelementptr i8, ptr %v195, i64 32
  %v197 = load float, ptr %v196, align 4
  %v199 = getelementptr i8, ptr %v198, i64 256
  %v200 = load <8 x float>, ptr %v199, align 32
  %v201 = insertelement <8 x float> poison, float %v197, i64 0
  %v202 = shufflevector <8 x float> %v201, <8 x float> poison, <8 x i32> zeroinitializer
  %v203 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v202, <8 x float> %v200, <8 x float> %v186)
  %v204 = getelementptr i8, ptr %v195, i64 76
  %v205 = load float, ptr %v204, align 4
  %v206 = insertelement <8 x float> poison, float %v205, i64 0
  %v207 = shufflevector <8 x float> %v206, <8 x float> poison, <8 x i32> zeroinitializer
  %v208 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v207, <8 x float> %v200, <8 x float> %v187)
  %v209 = getelementptr i8, ptr %v195, i64 120
  %v210 = load float, ptr %v209, align 4
  %v211 = insertelement <8 x float> poison, float %v210, i64 0
  %v212 = shufflevector <8 x float> %v211, <8 x float> poison, <8 x i32> zeroinitializer
  %v213 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v212, <8 x float> %v200, <8 x float> %v188)
  %v214 = getelementptr i8, ptr %v195, i64 164
  %v215 = load float, ptr %v214, align 4
  %v216 = insertelement <8 x float> poison, float %v215, i64 0
  %v217 = shufflevector <8 x float> %v216, <8 x float> poison, <8 x i32> zeroinitializer
  %v218 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v217, <8 x float> %v200, <8 x float> %v189)
  %v219 = getelementptr i8, ptr %v195, i64 208
  %v220 = load float, ptr %v219, align 4
  %v221 = insertelement <8 x float> poison, float %v220, i64 0
  %v222 = shufflevector <8 x float> %v221, <8 x float> poison, <8 x i32> zeroinitializer
  %v223 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v222, <8 x float> %v200, <8 x float> %v190)
  %v224 = getelementptr i8, ptr %v195, i64 252
  %v225 = load float, ptr %v224, align 4
  %v226 = insertelement <8 x float> poison, float %v225, i64 0
  %v227 = shufflevector <8 x float> %v226, <8 x float> poison, <8 x i32> zeroinitializer
  %v228 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v227, <8 x float> %v200, <8 x float> %v191)
  %v229 = getelementptr i8, ptr %v195, i64 296
  %v230 = load float, ptr %v229, align 4
  %v231 = insertelement <8 x float> poison, float %v230, i64 0
  %v232 = shufflevector <8 x float> %v231, <8 x float> poison, <8 x i32> zeroinitializer
  %v233 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v232, <8 x float> %v200, <8 x float> %v192)
  %v234 = getelementptr i8, ptr %v195, i64 340
  %v235 = load float, ptr %v234, align 4
  %v236 = insertelement <8 x float> poison, float %v235, i64 0
  %v237 = shufflevector <8 x float> %v236, <8 x float> poison, <8 x i32> zeroinitializer
  %v238 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v237, <8 x float> %v200, <8 x float> %v193)
  %v239 = getelementptr i8, ptr %v195, i64 384
  %v240 = load float, ptr %v239, align 4
  %v241 = insertelement <8 x float> poison, float %v240, i64 0
  %v242 = shufflevector <8 x float> %v241, <8 x float> poison, <8 x i32> zeroinitializer
  %v243 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v242, <8 x float> %v200, <8 x float> %v194)
  %v244 = getelementptr i8, ptr %v195, i64 4
  %v245 = freeze ptr %v244
  %v247 = getelementptr i8, ptr %v198, i64 32
  %v248 = freeze ptr %v247
  %v249 = icmp ne ptr %v245, %v246
  br i1 %v249, label %f_i.loop183, label %f_i.done184
f_i.done184:
  store <8 x float> %v203, ptr %v251, align 4
  %v252 = getelementptr i8, ptr %v251, i64 192
  store <8 x float> %v208, ptr %v252, align 4
  %v253 = getelementptr i8, ptr %v251, i64 384
  store <8 x float> %v213, ptr %v253, align 4
  %v254 = getelementptr i8, ptr %v251, i64 576
  store <8 x float> %v218, ptr %v254, align 4
  %v255 = getelementptr i8, ptr %v251, i64 768
  store <8 x float> %v223, ptr %v255, align 4
  %v256 = getelementptr i8, ptr %v251, i64 960
  store <8 x float> %v228, ptr %v256, align 4
  %v257 = getelementptr i8, ptr %v251, i64 1152
  store <8 x float> %v233, ptr %v257, align 4
  %v258 = getelementptr i8, ptr %v251, i64 1344
  store <8 x float> %v238, ptr %v258, align 4
  %v259 = getelementptr i8, ptr %v251, i64 1536
  store <8 x float> %v243, ptr %v259, align 4
  %v260 = getelementptr i8, ptr %v129, i64 396
  %v261 = freeze ptr %v260
  %v263 = getelementptr i8, ptr %v251, i64 1728
  %v264 = freeze ptr %v263
  %v265 = icmp ne ptr %v261, %v262
  br i1 %v265, label %n_o.loop112, label %n_o.done113
n_o.done113:
  %v267 = add nsw i64 %v266, 32
  %v268 = freeze i64 %v267
  %v271 = getelementptr i8, ptr %v14, i64 352
  %v272 = freeze ptr %v271
  %v275 = icmp ne i64 %v268, %v270
  br i1 %v275, label %items.loop10, label %items.done11
items.done11:
  ret void
}
