define void @k_1c69079cd8c1b826(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v12 = icmp slt i64 %lo, %hi
  br i1 %v12, label %items.loop10, label %items.done11
items.loop10:
  %v13 = phi i64 [ %lo, %entry ], [ %v14, %o_i_o.done98 ]
  br label %n_o.loop15
n_o.loop15:
  %v17 = phi i64 [ 0, %items.loop10 ], [ %v18, %f_o.done20 ]
  %v23 = mul nsw i64 %v17, 176
  %v24 = getelementptr i8, ptr %v2, i64 %v23
  %v33 = mul nsw i64 %v17, 192
  %v34 = getelementptr i8, ptr %v9, i64 %v33
  br label %f_o.loop19
f_o.loop19:
  %v21 = phi i64 [ 0, %n_o.loop15 ], [ %v22, %f_o.loop19 ]
  %v25 = mul nsw i64 %v21, 16
  %v26 = getelementptr i8, ptr %v24, i64 %v25
  %v35 = mul nsw i64 %v21, 64
  %v36 = getelementptr i8, ptr %v34, i64 %v35
  %v27 = load <4 x float>, ptr %v26, align 4
  %v28 = shufflevector <4 x float> %v27, <4 x float> %v27, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v29 = getelementptr i8, ptr %v26, i64 44
  %v30 = load <4 x float>, ptr %v29, align 4
  %v31 = shufflevector <4 x float> %v30, <4 x float> %v30, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v32 = shufflevector <8 x float> %v28, <8 x float> %v31, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v32, ptr %v36, align 32
  %v37 = getelementptr i8, ptr %v26, i64 88
  %v38 = load <4 x float>, ptr %v37, align 4
  %v39 = shufflevector <4 x float> %v38, <4 x float> %v38, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v40 = getelementptr i8, ptr %v37, i64 44
  %v41 = load <4 x float>, ptr %v40, align 4
  %v42 = shufflevector <4 x float> %v41, <4 x float> %v41, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v43 = shufflevector <8 x float> %v39, <8 x float> %v42, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  %v44 = getelementptr i8, ptr %v36, i64 32
  store <8 x float> %v43, ptr %v44, align 32
  %v22 = add nuw nsw i64 %v21, 1
  %v45 = icmp ne i64 %v22, 2
  br i1 %v45, label %f_o.loop19, label %f_o.done20
f_o.done20:
  %v18 = add nuw nsw i64 %v17, 1
  %v46 = icmp ne i64 %v18, 4
  br i1 %v46, label %n_o.loop15, label %n_o.done16
n_o.done16:
  br label %n_o.loop47
n_o.loop47:
  %v49 = phi i64 [ 0, %n_o.done16 ], [ %v50, %n_o.loop47 ]
  %v51 = mul nsw i64 %v49, 176
  %v52 = getelementptr i8, ptr %v2, i64 %v51
  %v60 = mul nsw i64 %v49, 192
  %v61 = getelementptr i8, ptr %v9, i64 %v60
  %v53 = getelementptr i8, ptr %v52, i64 32
  %v54 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v53, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v55 = shufflevector <4 x float> %v54, <4 x float> %v54, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v56 = getelementptr i8, ptr %v53, i64 44
  %v57 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v56, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v58 = shufflevector <4 x float> %v57, <4 x float> %v57, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v59 = shufflevector <8 x float> %v55, <8 x float> %v58, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  %v62 = getelementptr i8, ptr %v61, i64 128
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v59, ptr %v62, i32 32, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 false>)
  %v63 = getelementptr i8, ptr %v52, i64 120
  %v64 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v63, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v65 = shufflevector <4 x float> %v64, <4 x float> %v64, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v66 = getelementptr i8, ptr %v63, i64 44
  %v67 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v66, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v68 = shufflevector <4 x float> %v67, <4 x float> %v67, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v69 = shufflevector <8 x float> %v65, <8 x float> %v68, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  %v70 = getelementptr i8, ptr %v61, i64 160
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v69, ptr %v70, i32 32, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 false>)
  %v50 = add nuw nsw i64 %v49, 1
  %v71 = icmp ne i64 %v50, 4
  br i1 %v71, label %n_o.loop47, label %n_o.done48
n_o.done48:
  br label %f_o.loop72
f_o.loop72:
  %v74 = phi i64 [ 0, %n_o.done48 ], [ %v75, %f_o.loop72 ]
  %v76 = mul nsw i64 %v74, 16
  %v77 = getelementptr i8, ptr %v2, i64 %v76
  %v85 = mul nsw i64 %v74, 64
  %v86 = getelementptr i8, ptr %v9, i64 %v85
  %v78 = getelementptr i8, ptr %v77, i64 704
  %v79 = load <4 x float>, ptr %v78, align 4
  %v80 = shufflevector <4 x float> %v79, <4 x float> %v79, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v81 = getelementptr i8, ptr %v78, i64 44
  %v82 = load <4 x float>, ptr %v81, align 4
  %v83 = shufflevector <4 x float> %v82, <4 x float> %v82, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v84 = shufflevector <8 x float> %v80, <8 x float> %v83, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  %v87 = getelementptr i8, ptr %v86, i64 768
  store <8 x float> %v84, ptr %v87, align 32
  %v75 = add nuw nsw i64 %v74, 1
  %v88 = icmp ne i64 %v75, 2
  br i1 %v88, label %f_o.loop72, label %f_o.done73
f_o.done73:
  %v89 = getelementptr i8, ptr %v2, i64 736
  %v90 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v89, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v91 = shufflevector <4 x float> %v90, <4 x float> %v90, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v92 = getelementptr i8, ptr %v89, i64 44
  %v93 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v92, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v94 = shufflevector <4 x float> %v93, <4 x float> %v93, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v95 = shufflevector <8 x float> %v91, <8 x float> %v94, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  %v96 = getelementptr i8, ptr %v9, i64 896
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v95, ptr %v96, i32 32, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 false>)
  br label %o_i_o.loop97
o_i_o.loop97:
  %v99 = phi i64 [ 0, %f_o.done73 ], [ %v100, %f_o.done226 ]
  %v117 = mul nsw i64 %v99, 176
  %v118 = getelementptr i8, ptr %v4, i64 %v117
  %v185 = mul nsw i64 %v99, 16
  %v186 = getelementptr i8, ptr %v6, i64 %v185
  %v214 = getelementptr i8, ptr %v8, i64 %v185
  br label %n_o.loop101
n_o.loop101:
  %v103 = phi i64 [ 0, %o_i_o.loop97 ], [ %v104, %f_o.done106 ]
  %v119 = mul nsw i64 %v103, 44
  %v120 = getelementptr i8, ptr %v118, i64 %v119
  %v128 = mul nsw i64 %v103, 192
  %v129 = getelementptr i8, ptr %v9, i64 %v128
  %v215 = mul nsw i64 %v103, 768
  %v216 = getelementptr i8, ptr %v214, i64 %v215
  br label %f_o.loop105
f_o.loop105:
  %v107 = phi i64 [ 0, %n_o.loop101 ], [ %v108, %f_o.loop105 ]
  %v109 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop101 ], [ %v133, %f_o.loop105 ]
  %v110 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop101 ], [ %v136, %f_o.loop105 ]
  %v111 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop101 ], [ %v141, %f_o.loop105 ]
  %v112 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop101 ], [ %v142, %f_o.loop105 ]
  %v113 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop101 ], [ %v147, %f_o.loop105 ]
  %v114 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop101 ], [ %v148, %f_o.loop105 ]
  %v115 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop101 ], [ %v153, %f_o.loop105 ]
  %v116 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop101 ], [ %v154, %f_o.loop105 ]
  %v121 = mul nsw i64 %v107, 16
  %v122 = getelementptr i8, ptr %v120, i64 %v121
  %v124 = getelementptr i8, ptr %v118, i64 %v121
  %v130 = mul nsw i64 %v107, 64
  %v131 = getelementptr i8, ptr %v129, i64 %v130
  %v123 = getelementptr i8, ptr %v122, i64 176
  call void @llvm.prefetch.p0(ptr %v123, i32 0, i32 3, i32 1)
  %v125 = load <4 x float>, ptr %v124, align 4
  %v126 = shufflevector <4 x float> %v125, <4 x float> %v125, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v127 = shufflevector <4 x float> %v125, <4 x float> %v125, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v132 = load <8 x float>, ptr %v131, align 32
  %v133 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v132, <8 x float> %v127, <8 x float> %v109)
  %v134 = getelementptr i8, ptr %v131, i64 32
  %v135 = load <8 x float>, ptr %v134, align 32
  %v136 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v135, <8 x float> %v127, <8 x float> %v110)
  %v137 = getelementptr i8, ptr %v124, i64 44
  %v138 = load <4 x float>, ptr %v137, align 4
  %v139 = shufflevector <4 x float> %v138, <4 x float> %v138, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v140 = shufflevector <4 x float> %v138, <4 x float> %v138, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v141 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v132, <8 x float> %v140, <8 x float> %v111)
  %v142 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v135, <8 x float> %v140, <8 x float> %v112)
  %v143 = getelementptr i8, ptr %v124, i64 88
  %v144 = load <4 x float>, ptr %v143, align 4
  %v145 = shufflevector <4 x float> %v144, <4 x float> %v144, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v146 = shufflevector <4 x float> %v144, <4 x float> %v144, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v147 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v132, <8 x float> %v146, <8 x float> %v113)
  %v148 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v135, <8 x float> %v146, <8 x float> %v114)
  %v149 = getelementptr i8, ptr %v124, i64 132
  %v150 = load <4 x float>, ptr %v149, align 4
  %v151 = shufflevector <4 x float> %v150, <4 x float> %v150, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v152 = shufflevector <4 x float> %v150, <4 x float> %v150, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v153 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v132, <8 x float> %v152, <8 x float> %v115)
  %v154 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v135, <8 x float> %v152, <8 x float> %v116)
  %v108 = add nuw nsw i64 %v107, 1
  %v155 = icmp ne i64 %v108, 2
  br i1 %v155, label %f_o.loop105, label %f_o.done106
f_o.done106:
  %v156 = getelementptr i8, ptr %v120, i64 208
  call void @llvm.prefetch.p0(ptr %v156, i32 0, i32 3, i32 1)
  %v157 = getelementptr i8, ptr %v118, i64 32
  %v158 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v157, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v159 = shufflevector <4 x float> %v158, <4 x float> %v158, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v160 = shufflevector <4 x float> %v158, <4 x float> %v158, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v161 = getelementptr i8, ptr %v129, i64 128
  %v162 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v161, i32 32, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 false>, <8 x float> zeroinitializer)
  %v163 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> %v160, <8 x float> %v133)
  %v164 = getelementptr i8, ptr %v129, i64 160
  %v165 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v164, i32 32, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 false>, <8 x float> zeroinitializer)
  %v166 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v160, <8 x float> %v136)
  %v167 = getelementptr i8, ptr %v118, i64 76
  %v168 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v167, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v169 = shufflevector <4 x float> %v168, <4 x float> %v168, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v170 = shufflevector <4 x float> %v168, <4 x float> %v168, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v171 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> %v170, <8 x float> %v141)
  %v172 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v170, <8 x float> %v142)
  %v173 = getelementptr i8, ptr %v118, i64 120
  %v174 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v173, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v175 = shufflevector <4 x float> %v174, <4 x float> %v174, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v176 = shufflevector <4 x float> %v174, <4 x float> %v174, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v177 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> %v176, <8 x float> %v147)
  %v178 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v176, <8 x float> %v148)
  %v179 = getelementptr i8, ptr %v118, i64 164
  %v180 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v179, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v181 = shufflevector <4 x float> %v180, <4 x float> %v180, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v182 = shufflevector <4 x float> %v180, <4 x float> %v180, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v183 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> %v182, <8 x float> %v153)
  %v184 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v182, <8 x float> %v154)
  %v187 = load <4 x float>, ptr %v186, align 4
  %v188 = shufflevector <4 x float> %v187, <4 x float> %v187, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v189 = shufflevector <4 x float> %v187, <4 x float> %v187, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v190 = shufflevector <8 x float> %v163, <8 x float> %v171, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v191 = shufflevector <8 x float> %v163, <8 x float> %v171, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v192 = shufflevector <8 x float> %v177, <8 x float> %v183, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v193 = shufflevector <8 x float> %v177, <8 x float> %v183, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v194 = shufflevector <8 x float> %v190, <8 x float> %v192, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v195 = shufflevector <8 x float> %v190, <8 x float> %v192, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v196 = shufflevector <8 x float> %v191, <8 x float> %v193, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v197 = shufflevector <8 x float> %v191, <8 x float> %v193, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v198 = fadd <8 x float> %v194, %v189
  %v199 = shufflevector <8 x float> %v166, <8 x float> %v172, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v200 = shufflevector <8 x float> %v166, <8 x float> %v172, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v201 = shufflevector <8 x float> %v178, <8 x float> %v184, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v202 = shufflevector <8 x float> %v178, <8 x float> %v184, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v203 = shufflevector <8 x float> %v199, <8 x float> %v201, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v204 = shufflevector <8 x float> %v199, <8 x float> %v201, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v205 = shufflevector <8 x float> %v200, <8 x float> %v202, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v206 = shufflevector <8 x float> %v200, <8 x float> %v202, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v207 = fadd <8 x float> %v203, %v189
  %v208 = fadd <8 x float> %v196, %v198
  %v209 = fadd <8 x float> %v205, %v207
  %v210 = fadd <8 x float> %v195, %v208
  %v211 = fadd <8 x float> %v204, %v209
  %v212 = fadd <8 x float> %v197, %v210
  %v213 = fadd <8 x float> %v206, %v211
  %v217 = shufflevector <8 x float> %v212, <8 x float> %v212, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v217, ptr %v216, align 4
  %v218 = getelementptr i8, ptr %v216, i64 192
  %v219 = shufflevector <8 x float> %v212, <8 x float> %v212, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %v219, ptr %v218, align 4
  %v220 = getelementptr i8, ptr %v216, i64 384
  %v221 = shufflevector <8 x float> %v213, <8 x float> %v213, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v221, ptr %v220, align 4
  %v222 = getelementptr i8, ptr %v220, i64 192
  %v223 = shufflevector <8 x float> %v213, <8 x float> %v213, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %v223, ptr %v222, align 4
  %v104 = add nuw nsw i64 %v103, 1
  %v224 = icmp ne i64 %v104, 4
  br i1 %v224, label %n_o.loop101, label %n_o.done102
n_o.done102:
  br label %f_o.loop225
f_o.loop225:
  %v227 = phi i64 [ 0, %n_o.done102 ], [ %v228, %f_o.loop225 ]
  %v229 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.done102 ], [ %v243, %f_o.loop225 ]
  %v230 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.done102 ], [ %v248, %f_o.loop225 ]
  %v231 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.done102 ], [ %v253, %f_o.loop225 ]
  %v232 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.done102 ], [ %v258, %f_o.loop225 ]
  %v233 = mul nsw i64 %v227, 16
  %v234 = getelementptr i8, ptr %v118, i64 %v233
  %v239 = mul nsw i64 %v227, 64
  %v240 = getelementptr i8, ptr %v9, i64 %v239
  %v235 = getelementptr i8, ptr %v234, i64 352
  call void @llvm.prefetch.p0(ptr %v235, i32 0, i32 3, i32 1)
  %v236 = load <4 x float>, ptr %v234, align 4
  %v237 = shufflevector <4 x float> %v236, <4 x float> %v236, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v238 = shufflevector <4 x float> %v236, <4 x float> %v236, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v241 = getelementptr i8, ptr %v240, i64 768
  %v242 = load <8 x float>, ptr %v241, align 32
  %v243 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v242, <8 x float> %v238, <8 x float> %v229)
  %v244 = getelementptr i8, ptr %v234, i64 44
  %v245 = load <4 x float>, ptr %v244, align 4
  %v246 = shufflevector <4 x float> %v245, <4 x float> %v245, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v247 = shufflevector <4 x float> %v245, <4 x float> %v245, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v248 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v242, <8 x float> %v247, <8 x float> %v230)
  %v249 = getelementptr i8, ptr %v234, i64 88
  %v250 = load <4 x float>, ptr %v249, align 4
  %v251 = shufflevector <4 x float> %v250, <4 x float> %v250, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v252 = shufflevector <4 x float> %v250, <4 x float> %v250, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v253 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v242, <8 x float> %v252, <8 x float> %v231)
  %v254 = getelementptr i8, ptr %v234, i64 132
  %v255 = load <4 x float>, ptr %v254, align 4
  %v256 = shufflevector <4 x float> %v255, <4 x float> %v255, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v257 = shufflevector <4 x float> %v255, <4 x float> %v255, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v258 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v242, <8 x float> %v257, <8 x float> %v232)
  %v228 = add nuw nsw i64 %v227, 1
  %v259 = icmp ne i64 %v228, 2
  br i1 %v259, label %f_o.loop225, label %f_o.done226
f_o.done226:
  %v260 = getelementptr i8, ptr %v118, i64 384
  call void @llvm.prefetch.p0(ptr %v260, i32 0, i32 3, i32 1)
  %v261 = getelementptr i8, ptr %v118, i64 32
  %v262 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v261, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v263 = shufflevector <4 x float> %v262, <4 x float> %v262, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v264 = shufflevector <4 x float> %v262, <4 x float> %v262, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v265 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v96, i32 32, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 false>, <8 x float> zeroinitializer)
  %v266 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v265, <8 x float> %v264, <8 x float> %v243)
  %v267 = getelementptr i8, ptr %v118, i64 76
  %v268 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v267, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v269 = shufflevector <4 x float> %v268, <4 x float> %v268, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v270 = shufflevector <4 x float> %v268, <4 x float> %v268, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v271 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v265, <8 x float> %v270, <8 x float> %v248)
  %v272 = getelementptr i8, ptr %v118, i64 120
  %v273 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v272, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v274 = shufflevector <4 x float> %v273, <4 x float> %v273, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v275 = shufflevector <4 x float> %v273, <4 x float> %v273, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v276 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v265, <8 x float> %v275, <8 x float> %v253)
  %v277 = getelementptr i8, ptr %v118, i64 164
  %v278 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v277, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v279 = shufflevector <4 x float> %v278, <4 x float> %v278, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v280 = shufflevector <4 x float> %v278, <4 x float> %v278, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v281 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v265, <8 x float> %v280, <8 x float> %v258)
  %v282 = load <4 x float>, ptr %v186, align 4
  %v283 = shufflevector <4 x float> %v282, <4 x float> %v282, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v284 = shufflevector <4 x float> %v282, <4 x float> %v282, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v285 = shufflevector <8 x float> %v266, <8 x float> %v271, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v286 = shufflevector <8 x float> %v266, <8 x float> %v271, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v287 = shufflevector <8 x float> %v276, <8 x float> %v281, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v288 = shufflevector <8 x float> %v276, <8 x float> %v281, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v289 = shufflevector <8 x float> %v285, <8 x float> %v287, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v290 = shufflevector <8 x float> %v285, <8 x float> %v287, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v291 = shufflevector <8 x float> %v286, <8 x float> %v288, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v292 = shufflevector <8 x float> %v286, <8 x float> %v288, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v293 = fadd <8 x float> %v289, %v284
  %v294 = fadd <8 x float> %v291, %v293
  %v295 = fadd <8 x float> %v290, %v294
  %v296 = fadd <8 x float> %v292, %v295
  %v297 = getelementptr i8, ptr %v214, i64 3072
  %v298 = shufflevector <8 x float> %v296, <8 x float> %v296, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v298, ptr %v297, align 4
  %v299 = getelementptr i8, ptr %v297, i64 192
  %v300 = shufflevector <8 x float> %v296, <8 x float> %v296, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %v300, ptr %v299, align 4
  %v100 = add nuw nsw i64 %v99, 1
  %v301 = icmp ne i64 %v100, 12
  br i1 %v301, label %o_i_o.loop97, label %o_i_o.done98
o_i_o.done98:
  %v14 = add nuw nsw i64 %v13, 1
  %v302 = icmp ne i64 %v14, %hi
  br i1 %v302, label %items.loop10, label %items.done11
items.done11:
  ret void
}
