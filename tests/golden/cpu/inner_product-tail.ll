define void @k_6d0d759b6a272e26(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v10 = getelementptr i8, ptr %scratch, i64 448
  %v11 = sub i64 %lo, 0
  %v12 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %v13 = sub i64 %hi, 0
  %v14 = call i64 @llvm.smin.i64(i64 %v13, i64 2)
  %v17 = icmp slt i64 %v12, %v14
  br i1 %v17, label %items.loop15, label %items.done16
items.loop15:
  %v18 = phi i64 [ %v12, %entry ], [ %v19, %n_o.done175 ]
  %v24 = mul nsw i64 %v18, 16
  %v25 = getelementptr i8, ptr %v6, i64 %v24
  %v34 = mul nsw i64 %v18, 96
  %v35 = getelementptr i8, ptr %v4, i64 %v34
  %v181 = getelementptr i8, ptr %v8, i64 %v24
  br label %n_o.loop20
n_o.loop20:
  %v22 = phi i64 [ 0, %items.loop15 ], [ %v23, %n_o.loop20 ]
  %v27 = mul nsw i64 %v22, 80
  %v28 = getelementptr i8, ptr %v9, i64 %v27
  %v26 = load <4 x float>, ptr %v25, align 4
  store <4 x float> %v26, ptr %v28, align 16
  %v29 = getelementptr i8, ptr %v28, i64 16
  store <4 x float> %v26, ptr %v29, align 16
  %v30 = getelementptr i8, ptr %v28, i64 32
  store <4 x float> %v26, ptr %v30, align 16
  %v31 = getelementptr i8, ptr %v28, i64 48
  store <4 x float> %v26, ptr %v31, align 16
  %v32 = getelementptr i8, ptr %v28, i64 64
  store <4 x float> %v26, ptr %v32, align 16
  %v23 = add nuw nsw i64 %v22, 1
  %v33 = icmp ne i64 %v23, 5
  br i1 %v33, label %n_o.loop20, label %n_o.done21
n_o.done21:
  %v36 = load <4 x float>, ptr %v35, align 4
  %v37 = getelementptr i8, ptr %v35, i64 24
  %v38 = load <4 x float>, ptr %v37, align 4
  %v39 = getelementptr i8, ptr %v35, i64 48
  %v40 = load <4 x float>, ptr %v39, align 4
  %v41 = getelementptr i8, ptr %v35, i64 72
  %v42 = load <4 x float>, ptr %v41, align 4
  %v43 = shufflevector <4 x float> %v36, <4 x float> %v38, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v44 = shufflevector <4 x float> %v36, <4 x float> %v38, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v45 = shufflevector <4 x float> %v40, <4 x float> %v42, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v46 = shufflevector <4 x float> %v40, <4 x float> %v42, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v47 = shufflevector <4 x float> %v43, <4 x float> %v45, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v48 = shufflevector <4 x float> %v43, <4 x float> %v45, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v49 = shufflevector <4 x float> %v44, <4 x float> %v46, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v50 = shufflevector <4 x float> %v44, <4 x float> %v46, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x float> %v47, ptr %v10, align 16
  %v51 = getelementptr i8, ptr %v10, i64 16
  store <4 x float> %v49, ptr %v51, align 16
  %v52 = getelementptr i8, ptr %v10, i64 32
  store <4 x float> %v48, ptr %v52, align 16
  %v53 = getelementptr i8, ptr %v10, i64 48
  store <4 x float> %v50, ptr %v53, align 16
  %v54 = getelementptr i8, ptr %v35, i64 16
  %v55 = load <2 x float>, ptr %v54, align 4
  %v56 = getelementptr i8, ptr %v35, i64 40
  %v57 = load <2 x float>, ptr %v56, align 4
  %v58 = getelementptr i8, ptr %v35, i64 64
  %v59 = load <2 x float>, ptr %v58, align 4
  %v60 = getelementptr i8, ptr %v35, i64 88
  %v61 = load <2 x float>, ptr %v60, align 4
  %v62 = shufflevector <2 x float> %v55, <2 x float> %v55, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %v63 = shufflevector <2 x float> %v57, <2 x float> %v57, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %v64 = shufflevector <2 x float> %v59, <2 x float> %v59, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %v65 = shufflevector <2 x float> %v61, <2 x float> %v61, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %v66 = shufflevector <4 x float> %v62, <4 x float> %v63, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v67 = shufflevector <4 x float> %v62, <4 x float> %v63, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v68 = shufflevector <4 x float> %v64, <4 x float> %v65, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v69 = shufflevector <4 x float> %v64, <4 x float> %v65, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v70 = shufflevector <4 x float> %v66, <4 x float> %v68, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v71 = shufflevector <4 x float> %v66, <4 x float> %v68, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v72 = shufflevector <4 x float> %v67, <4 x float> %v69, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v73 = shufflevector <4 x float> %v67, <4 x float> %v69, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v74 = getelementptr i8, ptr %v10, i64 64
  store <4 x float> %v70, ptr %v74, align 16
  %v75 = getelementptr i8, ptr %v10, i64 80
  store <4 x float> %v72, ptr %v75, align 16
  br label %n_o.loop76
n_o.loop76:
  %v78 = phi i64 [ 0, %n_o.done21 ], [ %v79, %f_i_i.done133 ]
  %v80 = mul nsw i64 %v78, 80
  %v81 = getelementptr i8, ptr %v9, i64 %v80
  %v100 = mul nsw i64 %v78, 120
  %v101 = getelementptr i8, ptr %v2, i64 %v100
  %v82 = load <4 x float>, ptr %v81, align 16
  %v83 = getelementptr i8, ptr %v81, i64 16
  %v84 = load <4 x float>, ptr %v83, align 16
  %v85 = getelementptr i8, ptr %v81, i64 32
  %v86 = load <4 x float>, ptr %v85, align 16
  %v87 = getelementptr i8, ptr %v81, i64 48
  %v88 = load <4 x float>, ptr %v87, align 16
  %v89 = getelementptr i8, ptr %v81, i64 64
  %v90 = load <4 x float>, ptr %v89, align 16
  br label %f_i_i.loop91
f_i_i.loop91:
  %v93 = phi i64 [ 0, %n_o.loop76 ], [ %v94, %f_i_i.loop91 ]
  %v95 = phi <4 x float> [ %v82, %n_o.loop76 ], [ %v110, %f_i_i.loop91 ]
  %v96 = phi <4 x float> [ %v84, %n_o.loop76 ], [ %v115, %f_i_i.loop91 ]
  %v97 = phi <4 x float> [ %v86, %n_o.loop76 ], [ %v120, %f_i_i.loop91 ]
  %v98 = phi <4 x float> [ %v88, %n_o.loop76 ], [ %v125, %f_i_i.loop91 ]
  %v99 = phi <4 x float> [ %v90, %n_o.loop76 ], [ %v130, %f_i_i.loop91 ]
  %v102 = mul nsw i64 %v93, 4
  %v103 = getelementptr i8, ptr %v101, i64 %v102
  %v105 = mul nsw i64 %v93, 16
  %v106 = getelementptr i8, ptr %v10, i64 %v105
  %v104 = load float, ptr %v103, align 4
  %v107 = load <4 x float>, ptr %v106, align 16
  %v108 = insertelement <4 x float> poison, float %v104, i64 0
  %v109 = shufflevector <4 x float> %v108, <4 x float> poison, <4 x i32> zeroinitializer
  %v110 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v109, <4 x float> %v107, <4 x float> %v95)
  %v111 = getelementptr i8, ptr %v103, i64 24
  %v112 = load float, ptr %v111, align 4
  %v113 = insertelement <4 x float> poison, float %v112, i64 0
  %v114 = shufflevector <4 x float> %v113, <4 x float> poison, <4 x i32> zeroinitializer
  %v115 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v114, <4 x float> %v107, <4 x float> %v96)
  %v116 = getelementptr i8, ptr %v103, i64 48
  %v117 = load float, ptr %v116, align 4
  %v118 = insertelement <4 x float> poison, float %v117, i64 0
  %v119 = shufflevector <4 x float> %v118, <4 x float> poison, <4 x i32> zeroinitializer
  %v120 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v119, <4 x float> %v107, <4 x float> %v97)
  %v121 = getelementptr i8, ptr %v103, i64 72
  %v122 = load float, ptr %v121, align 4
  %v123 = insertelement <4 x float> poison, float %v122, i64 0
  %v124 = shufflevector <4 x float> %v123, <4 x float> poison, <4 x i32> zeroinitializer
  %v125 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v124, <4 x float> %v107, <4 x float> %v98)
  %v126 = getelementptr i8, ptr %v103, i64 96
  %v127 = load float, ptr %v126, align 4
  %v128 = insertelement <4 x float> poison, float %v127, i64 0
  %v129 = shufflevector <4 x float> %v128, <4 x float> poison, <4 x i32> zeroinitializer
  %v130 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v129, <4 x float> %v107, <4 x float> %v99)
  %v94 = add nuw nsw i64 %v93, 1
  %v131 = icmp ne i64 %v94, 4
  br i1 %v131, label %f_i_i.loop91, label %f_i_i.done92
f_i_i.done92:
  br label %f_i_i.loop132
f_i_i.loop132:
  %v134 = phi i64 [ 0, %f_i_i.done92 ], [ %v135, %f_i_i.loop132 ]
  %v136 = phi <4 x float> [ %v110, %f_i_i.done92 ], [ %v151, %f_i_i.loop132 ]
  %v137 = phi <4 x float> [ %v115, %f_i_i.done92 ], [ %v156, %f_i_i.loop132 ]
  %v138 = phi <4 x float> [ %v120, %f_i_i.done92 ], [ %v161, %f_i_i.loop132 ]
  %v139 = phi <4 x float> [ %v125, %f_i_i.done92 ], [ %v166, %f_i_i.loop132 ]
  %v140 = phi <4 x float> [ %v130, %f_i_i.done92 ], [ %v171, %f_i_i.loop132 ]
  %v141 = mul nsw i64 %v134, 4
  %v142 = getelementptr i8, ptr %v101, i64 %v141
  %v145 = mul nsw i64 %v134, 16
  %v146 = getelementptr i8, ptr %v10, i64 %v145
  %v143 = getelementptr i8, ptr %v142, i64 16
  %v144 = load float, ptr %v143, align 4
  %v147 = getelementptr i8, ptr %v146, i64 64
  %v148 = load <4 x float>, ptr %v147, align 16
  %v149 = insertelement <4 x float> poison, float %v144, i64 0
  %v150 = shufflevector <4 x float> %v149, <4 x float> poison, <4 x i32> zeroinitializer
  %v151 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v150, <4 x float> %v148, <4 x float> %v136)
  %v152 = getelementptr i8, ptr %v142, i64 40
  %v153 = load float, ptr %v152, align 4
  %v154 = insertelement <4 x float> poison, float %v153, i64 0
  %v155 = shufflevector <4 x float> %v154, <4 x float> poison, <4 x i32> zeroinitializer
  %v156 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v155, <4 x float> %v148, <4 x float> %v137)
  %v157 = getelementptr i8, ptr %v142, i64 64
  %v158 = load float, ptr %v157, align 4
  %v159 = insertelement <4 x float> poison, float %v158, i64 0
  %v160 = shufflevector <4 x float> %v159, <4 x float> poison, <4 x i32> zeroinitializer
  %v161 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v160, <4 x float> %v148, <4 x float> %v138)
  %v162 = getelementptr i8, ptr %v142, i64 88
  %v163 = load float, ptr %v162, align 4
  %v164 = insertelement <4 x float> poison, float %v163, i64 0
  %v165 = shufflevector <4 x float> %v164, <4 x float> poison, <4 x i32> zeroinitializer
  %v166 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v165, <4 x float> %v148, <4 x float> %v139)
  %v167 = getelementptr i8, ptr %v142, i64 112
  %v168 = load float, ptr %v167, align 4
  %v169 = insertelement <4 x float> poison, float %v168, i64 0
  %v170 = shufflevector <4 x float> %v169, <4 x float> poison, <4 x i32> zeroinitializer
  %v171 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v170, <4 x float> %v148, <4 x float> %v140)
  %v135 = add nuw nsw i64 %v134, 1
  %v172 = icmp ne i64 %v135, 2
  br i1 %v172, label %f_i_i.loop132, label %f_i_i.done133
f_i_i.done133:
  store <4 x float> %v151, ptr %v81, align 16
  store <4 x float> %v156, ptr %v83, align 16
  store <4 x float> %v161, ptr %v85, align 16
  store <4 x float> %v166, ptr %v87, align 16
  store <4 x float> %v171, ptr %v89, align 16
  %v79 = add nuw nsw i64 %v78, 1
  %v173 = icmp ne i64 %v79, 5
  br i1 %v173, label %n_o.loop76, label %n_o.done77
n_o.done77:
  br label %n_o.loop174
n_o.loop174:
  %v176 = phi i64 [ 0, %n_o.done77 ], [ %v177, %n_o.loop174 ]
  %v178 = mul nsw i64 %v176, 80
  %v179 = getelementptr i8, ptr %v9, i64 %v178
  %v182 = mul nsw i64 %v176, 200
  %v183 = getelementptr i8, ptr %v181, i64 %v182
  %v180 = load <4 x float>, ptr %v179, align 16
  store <4 x float> %v180, ptr %v183, align 4
  %v184 = getelementptr i8, ptr %v179, i64 16
  %v185 = load <4 x float>, ptr %v184, align 16
  %v186 = getelementptr i8, ptr %v183, i64 40
  store <4 x float> %v185, ptr %v186, align 4
  %v187 = getelementptr i8, ptr %v179, i64 32
  %v188 = load <4 x float>, ptr %v187, align 16
  %v189 = getelementptr i8, ptr %v183, i64 80
  store <4 x float> %v188, ptr %v189, align 4
  %v190 = getelementptr i8, ptr %v179, i64 48
  %v191 = load <4 x float>, ptr %v190, align 16
  %v192 = getelementptr i8, ptr %v183, i64 120
  store <4 x float> %v191, ptr %v192, align 4
  %v193 = getelementptr i8, ptr %v179, i64 64
  %v194 = load <4 x float>, ptr %v193, align 16
  %v195 = getelementptr i8, ptr %v183, i64 160
  store <4 x float> %v194, ptr %v195, align 4
  %v177 = add nuw nsw i64 %v176, 1
  %v196 = icmp ne i64 %v177, 5
  br i1 %v196, label %n_o.loop174, label %n_o.done175
n_o.done175:
  %v19 = add nuw nsw i64 %v18, 1
  %v197 = icmp ne i64 %v19, %v14
  br i1 %v197, label %items.loop15, label %items.done16
items.done16:
  %v198 = sub i64 %lo, 2
  %v199 = call i64 @llvm.smax.i64(i64 %v198, i64 0)
  %v200 = sub i64 %hi, 2
  %v201 = call i64 @llvm.smin.i64(i64 %v200, i64 1)
  %v204 = icmp slt i64 %v199, %v201
  br i1 %v204, label %items.loop202, label %items.done203
items.loop202:
  %v205 = phi i64 [ %v199, %items.done16 ], [ %v206, %n_o.done344 ]
  br label %n_o.loop207
n_o.loop207:
  %v209 = phi i64 [ 0, %items.loop202 ], [ %v210, %n_o.loop207 ]
  %v213 = mul nsw i64 %v209, 80
  %v214 = getelementptr i8, ptr %v9, i64 %v213
  %v211 = getelementptr i8, ptr %v6, i64 32
  %v212 = load <2 x float>, ptr %v211, align 4
  store <2 x float> %v212, ptr %v214, align 8
  %v215 = getelementptr i8, ptr %v214, i64 16
  store <2 x float> %v212, ptr %v215, align 8
  %v216 = getelementptr i8, ptr %v214, i64 32
  store <2 x float> %v212, ptr %v216, align 8
  %v217 = getelementptr i8, ptr %v214, i64 48
  store <2 x float> %v212, ptr %v217, align 8
  %v218 = getelementptr i8, ptr %v214, i64 64
  store <2 x float> %v212, ptr %v218, align 8
  %v210 = add nuw nsw i64 %v209, 1
  %v219 = icmp ne i64 %v210, 5
  br i1 %v219, label %n_o.loop207, label %n_o.done208
n_o.done208:
  %v220 = getelementptr i8, ptr %v4, i64 192
  %v221 = load <4 x float>, ptr %v220, align 4
  %v222 = getelementptr i8, ptr %v4, i64 216
  %v223 = load <4 x float>, ptr %v222, align 4
  %v224 = shufflevector <4 x float> %v221, <4 x float> %v223, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v225 = shufflevector <4 x float> %v221, <4 x float> %v223, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v226 = shufflevector <4 x float> %v224, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v227 = shufflevector <4 x float> %v224, <4 x float> poison, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v228 = shufflevector <4 x float> %v225, <4 x float> poison, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %v229 = shufflevector <4 x float> %v225, <4 x float> poison, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %v230 = shufflevector <4 x float> %v226, <4 x float> %v226, <2 x i32> <i32 0, i32 1>
  %v231 = shufflevector <4 x float> %v228, <4 x float> %v228, <2 x i32> <i32 0, i32 1>
  %v232 = shufflevector <4 x float> %v227, <4 x float> %v227, <2 x i32> <i32 0, i32 1>
  %v233 = shufflevector <4 x float> %v229, <4 x float> %v229, <2 x i32> <i32 0, i32 1>
  store <2 x float> %v230, ptr %v10, align 8
  %v234 = getelementptr i8, ptr %v10, i64 16
  store <2 x float> %v231, ptr %v234, align 8
  %v235 = getelementptr i8, ptr %v10, i64 32
  store <2 x float> %v232, ptr %v235, align 8
  %v236 = getelementptr i8, ptr %v10, i64 48
  store <2 x float> %v233, ptr %v236, align 8
  %v237 = getelementptr i8, ptr %v4, i64 208
  %v238 = load <2 x float>, ptr %v237, align 4
  %v239 = getelementptr i8, ptr %v4, i64 232
  %v240 = load <2 x float>, ptr %v239, align 4
  %v241 = shufflevector <2 x float> %v238, <2 x float> %v240, <2 x i32> <i32 0, i32 2>
  %v242 = shufflevector <2 x float> %v238, <2 x float> %v240, <2 x i32> <i32 1, i32 3>
  %v243 = getelementptr i8, ptr %v10, i64 64
  store <2 x float> %v241, ptr %v243, align 8
  %v244 = getelementptr i8, ptr %v10, i64 80
  store <2 x float> %v242, ptr %v244, align 8
  br label %n_o.loop245
n_o.loop245:
  %v247 = phi i64 [ 0, %n_o.done208 ], [ %v248, %f_i_i.done302 ]
  %v249 = mul nsw i64 %v247, 80
  %v250 = getelementptr i8, ptr %v9, i64 %v249
  %v269 = mul nsw i64 %v247, 120
  %v270 = getelementptr i8, ptr %v2, i64 %v269
  %v251 = load <2 x float>, ptr %v250, align 8
  %v252 = getelementptr i8, ptr %v250, i64 16
  %v253 = load <2 x float>, ptr %v252, align 8
  %v254 = getelementptr i8, ptr %v250, i64 32
  %v255 = load <2 x float>, ptr %v254, align 8
  %v256 = getelementptr i8, ptr %v250, i64 48
  %v257 = load <2 x float>, ptr %v256, align 8
  %v258 = getelementptr i8, ptr %v250, i64 64
  %v259 = load <2 x float>, ptr %v258, align 8
  br label %f_i_i.loop260
f_i_i.loop260:
  %v262 = phi i64 [ 0, %n_o.loop245 ], [ %v263, %f_i_i.loop260 ]
  %v264 = phi <2 x float> [ %v251, %n_o.loop245 ], [ %v279, %f_i_i.loop260 ]
  %v265 = phi <2 x float> [ %v253, %n_o.loop245 ], [ %v284, %f_i_i.loop260 ]
  %v266 = phi <2 x float> [ %v255, %n_o.loop245 ], [ %v289, %f_i_i.loop260 ]
  %v267 = phi <2 x float> [ %v257, %n_o.loop245 ], [ %v294, %f_i_i.loop260 ]
  %v268 = phi <2 x float> [ %v259, %n_o.loop245 ], [ %v299, %f_i_i.loop260 ]
  %v271 = mul nsw i64 %v262, 4
  %v272 = getelementptr i8, ptr %v270, i64 %v271
  %v274 = mul nsw i64 %v262, 16
  %v275 = getelementptr i8, ptr %v10, i64 %v274
  %v273 = load float, ptr %v272, align 4
  %v276 = load <2 x float>, ptr %v275, align 8
  %v277 = insertelement <2 x float> poison, float %v273, i64 0
  %v278 = shufflevector <2 x float> %v277, <2 x float> poison, <2 x i32> zeroinitializer
  %v279 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v278, <2 x float> %v276, <2 x float> %v264)
  %v280 = getelementptr i8, ptr %v272, i64 24
  %v281 = load float, ptr %v280, align 4
  %v282 = insertelement <2 x float> poison, float %v281, i64 0
  %v283 = shufflevector <2 x float> %v282, <2 x float> poison, <2 x i32> zeroinitializer
  %v284 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v283, <2 x float> %v276, <2 x float> %v265)
  %v285 = getelementptr i8, ptr %v272, i64 48
  %v286 = load float, ptr %v285, align 4
  %v287 = insertelement <2 x float> poison, float %v286, i64 0
  %v288 = shufflevector <2 x float> %v287, <2 x float> poison, <2 x i32> zeroinitializer
  %v289 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v288, <2 x float> %v276, <2 x float> %v266)
  %v290 = getelementptr i8, ptr %v272, i64 72
  %v291 = load float, ptr %v290, align 4
  %v292 = insertelement <2 x float> poison, float %v291, i64 0
  %v293 = shufflevector <2 x float> %v292, <2 x float> poison, <2 x i32> zeroinitializer
  %v294 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v293, <2 x float> %v276, <2 x float> %v267)
  %v295 = getelementptr i8, ptr %v272, i64 96
  %v296 = load float, ptr %v295, align 4
  %v297 = insertelement <2 x float> poison, float %v296, i64 0
  %v298 = shufflevector <2 x float> %v297, <2 x float> poison, <2 x i32> zeroinitializer
  %v299 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v298, <2 x float> %v276, <2 x float> %v268)
  %v263 = add nuw nsw i64 %v262, 1
  %v300 = icmp ne i64 %v263, 4
  br i1 %v300, label %f_i_i.loop260, label %f_i_i.done261
f_i_i.done261:
  br label %f_i_i.loop301
f_i_i.loop301:
  %v303 = phi i64 [ 0, %f_i_i.done261 ], [ %v304, %f_i_i.loop301 ]
  %v305 = phi <2 x float> [ %v279, %f_i_i.done261 ], [ %v320, %f_i_i.loop301 ]
  %v306 = phi <2 x float> [ %v284, %f_i_i.done261 ], [ %v325, %f_i_i.loop301 ]
  %v307 = phi <2 x float> [ %v289, %f_i_i.done261 ], [ %v330, %f_i_i.loop301 ]
  %v308 = phi <2 x float> [ %v294, %f_i_i.done261 ], [ %v335, %f_i_i.loop301 ]
  %v309 = phi <2 x float> [ %v299, %f_i_i.done261 ], [ %v340, %f_i_i.loop301 ]
  %v310 = mul nsw i64 %v303, 4
  %v311 = getelementptr i8, ptr %v270, i64 %v310
  %v314 = mul nsw i64 %v303, 16
  %v315 = getelementptr i8, ptr %v10, i64 %v314
  %v312 = getelementptr i8, ptr %v311, i64 16
  %v313 = load float, ptr %v312, align 4
  %v316 = getelementptr i8, ptr %v315, i64 64
  %v317 = load <2 x float>, ptr %v316, align 8
  %v318 = insertelement <2 x float> poison, float %v313, i64 0
  %v319 = shufflevector <2 x float> %v318, <2 x float> poison, <2 x i32> zeroinitializer
  %v320 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v319, <2 x float> %v317, <2 x float> %v305)
  %v321 = getelementptr i8, ptr %v311, i64 40
  %v322 = load float, ptr %v321, align 4
  %v323 = insertelement <2 x float> poison, float %v322, i64 0
  %v324 = shufflevector <2 x float> %v323, <2 x float> poison, <2 x i32> zeroinitializer
  %v325 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v324, <2 x float> %v317, <2 x float> %v306)
  %v326 = getelementptr i8, ptr %v311, i64 64
  %v327 = load float, ptr %v326, align 4
  %v328 = insertelement <2 x float> poison, float %v327, i64 0
  %v329 = shufflevector <2 x float> %v328, <2 x float> poison, <2 x i32> zeroinitializer
  %v330 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v329, <2 x float> %v317, <2 x float> %v307)
  %v331 = getelementptr i8, ptr %v311, i64 88
  %v332 = load float, ptr %v331, align 4
  %v333 = insertelement <2 x float> poison, float %v332, i64 0
  %v334 = shufflevector <2 x float> %v333, <2 x float> poison, <2 x i32> zeroinitializer
  %v335 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v334, <2 x float> %v317, <2 x float> %v308)
  %v336 = getelementptr i8, ptr %v311, i64 112
  %v337 = load float, ptr %v336, align 4
  %v338 = insertelement <2 x float> poison, float %v337, i64 0
  %v339 = shufflevector <2 x float> %v338, <2 x float> poison, <2 x i32> zeroinitializer
  %v340 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v339, <2 x float> %v317, <2 x float> %v309)
  %v304 = add nuw nsw i64 %v303, 1
  %v341 = icmp ne i64 %v304, 2
  br i1 %v341, label %f_i_i.loop301, label %f_i_i.done302
f_i_i.done302:
  store <2 x float> %v320, ptr %v250, align 8
  store <2 x float> %v325, ptr %v252, align 8
  store <2 x float> %v330, ptr %v254, align 8
  store <2 x float> %v335, ptr %v256, align 8
  store <2 x float> %v340, ptr %v258, align 8
  %v248 = add nuw nsw i64 %v247, 1
  %v342 = icmp ne i64 %v248, 5
  br i1 %v342, label %n_o.loop245, label %n_o.done246
n_o.done246:
  br label %n_o.loop343
n_o.loop343:
  %v345 = phi i64 [ 0, %n_o.done246 ], [ %v346, %n_o.loop343 ]
  %v347 = mul nsw i64 %v345, 80
  %v348 = getelementptr i8, ptr %v9, i64 %v347
  %v350 = mul nsw i64 %v345, 200
  %v351 = getelementptr i8, ptr %v8, i64 %v350
  %v349 = load <2 x float>, ptr %v348, align 8
  %v352 = getelementptr i8, ptr %v351, i64 32
  store <2 x float> %v349, ptr %v352, align 4
  %v353 = getelementptr i8, ptr %v348, i64 16
  %v354 = load <2 x float>, ptr %v353, align 8
  %v355 = getelementptr i8, ptr %v351, i64 72
  store <2 x float> %v354, ptr %v355, align 4
  %v356 = getelementptr i8, ptr %v348, i64 32
  %v357 = load <2 x float>, ptr %v356, align 8
  %v358 = getelementptr i8, ptr %v351, i64 112
  store <2 x float> %v357, ptr %v358, align 4
  %v359 = getelementptr i8, ptr %v348, i64 48
  %v360 = load <2 x float>, ptr %v359, align 8
  %v361 = getelementptr i8, ptr %v351, i64 152
  store <2 x float> %v360, ptr %v361, align 4
  %v362 = getelementptr i8, ptr %v348, i64 64
  %v363 = load <2 x float>, ptr %v362, align 8
  %v364 = getelementptr i8, ptr %v351, i64 192
  store <2 x float> %v363, ptr %v364, align 4
  %v346 = add nuw nsw i64 %v345, 1
  %v365 = icmp ne i64 %v346, 5
  br i1 %v365, label %n_o.loop343, label %n_o.done344
n_o.done344:
  %v206 = add nuw nsw i64 %v205, 1
  %v366 = icmp ne i64 %v206, %v201
  br i1 %v366, label %items.loop202, label %items.done203
items.done203:
  ret void
}
