define void @k_a378ea79c0812f98(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
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
  %v318 = phi i64 [ %lo, %entry ], [ %v320, %o_i_o.done105 ]
  %v46 = getelementptr i8, ptr %v2, i64 704
  br label %n_o.loop14
n_o.loop14:
  %v20 = phi ptr [ %v2, %items.loop10 ], [ %v45, %f_o.done18 ]
  %v28 = phi ptr [ %v9, %items.loop10 ], [ %v48, %f_o.done18 ]
  %v40 = getelementptr i8, ptr %v20, i64 32
  br label %f_o.loop17
f_o.loop17:
  %v21 = phi ptr [ %v20, %n_o.loop14 ], [ %v39, %f_o.loop17 ]
  %v29 = phi ptr [ %v28, %n_o.loop14 ], [ %v42, %f_o.loop17 ]
  %v22 = load <4 x float>, ptr %v21, align 4
  %v23 = shufflevector <4 x float> %v22, <4 x float> %v22, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v24 = getelementptr i8, ptr %v21, i64 44
  %v25 = load <4 x float>, ptr %v24, align 4
  %v26 = shufflevector <4 x float> %v25, <4 x float> %v25, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v27 = shufflevector <8 x float> %v23, <8 x float> %v26, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v27, ptr %v29, align 32
  %v30 = getelementptr i8, ptr %v21, i64 88
  %v31 = load <4 x float>, ptr %v30, align 4
  %v32 = shufflevector <4 x float> %v31, <4 x float> %v31, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v33 = getelementptr i8, ptr %v30, i64 44
  %v34 = load <4 x float>, ptr %v33, align 4
  %v35 = shufflevector <4 x float> %v34, <4 x float> %v34, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v36 = shufflevector <8 x float> %v32, <8 x float> %v35, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  %v37 = getelementptr i8, ptr %v29, i64 32
  store <8 x float> %v36, ptr %v37, align 32
  %v38 = getelementptr i8, ptr %v21, i64 16
  %v39 = freeze ptr %v38
  %v41 = getelementptr i8, ptr %v29, i64 64
  %v42 = freeze ptr %v41
  %v43 = icmp ne ptr %v39, %v40
  br i1 %v43, label %f_o.loop17, label %f_o.done18
f_o.done18:
  %v44 = getelementptr i8, ptr %v20, i64 176
  %v45 = freeze ptr %v44
  %v47 = getelementptr i8, ptr %v28, i64 192
  %v48 = freeze ptr %v47
  %v49 = icmp ne ptr %v45, %v46
  br i1 %v49, label %n_o.loop14, label %n_o.done15
n_o.done15:
  %v73 = getelementptr i8, ptr %v2, i64 704
  br label %n_o.loop50
n_o.loop50:
  %v53 = phi ptr [ %v2, %n_o.done15 ], [ %v72, %n_o.loop50 ]
  %v61 = phi ptr [ %v9, %n_o.done15 ], [ %v75, %n_o.loop50 ]
  %v54 = getelementptr i8, ptr %v53, i64 32
  %v55 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v54, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v56 = shufflevector <4 x float> %v55, <4 x float> %v55, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v57 = getelementptr i8, ptr %v54, i64 44
  %v58 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v57, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v59 = shufflevector <4 x float> %v58, <4 x float> %v58, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v60 = shufflevector <8 x float> %v56, <8 x float> %v59, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  %v62 = getelementptr i8, ptr %v61, i64 128
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v60, ptr %v62, i32 32, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 false>)
  %v63 = getelementptr i8, ptr %v53, i64 120
  %v64 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v63, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v65 = shufflevector <4 x float> %v64, <4 x float> %v64, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v66 = getelementptr i8, ptr %v63, i64 44
  %v67 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v66, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v68 = shufflevector <4 x float> %v67, <4 x float> %v67, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v69 = shufflevector <8 x float> %v65, <8 x float> %v68, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  %v70 = getelementptr i8, ptr %v61, i64 160
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v69, ptr %v70, i32 32, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 false>)
  %v71 = getelementptr i8, ptr %v53, i64 176
  %v72 = freeze ptr %v71
  %v74 = getelementptr i8, ptr %v61, i64 192
  %v75 = freeze ptr %v74
  %v76 = icmp ne ptr %v72, %v73
  br i1 %v76, label %n_o.loop50, label %n_o.done51
n_o.done51:
  %v92 = getelementptr i8, ptr %v2, i64 32
  br label %f_o.loop77
f_o.loop77:
  %v80 = phi ptr [ %v2, %n_o.done51 ], [ %v91, %f_o.loop77 ]
  %v88 = phi ptr [ %v9, %n_o.done51 ], [ %v94, %f_o.loop77 ]
  %v81 = getelementptr i8, ptr %v80, i64 704
  %v82 = load <4 x float>, ptr %v81, align 4
  %v83 = shufflevector <4 x float> %v82, <4 x float> %v82, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v84 = getelementptr i8, ptr %v81, i64 44
  %v85 = load <4 x float>, ptr %v84, align 4
  %v86 = shufflevector <4 x float> %v85, <4 x float> %v85, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v87 = shufflevector <8 x float> %v83, <8 x float> %v86, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  %v89 = getelementptr i8, ptr %v88, i64 768
  store <8 x float> %v87, ptr %v89, align 32
  %v90 = getelementptr i8, ptr %v80, i64 16
  %v91 = freeze ptr %v90
  %v93 = getelementptr i8, ptr %v88, i64 64
  %v94 = freeze ptr %v93
  %v95 = icmp ne ptr %v91, %v92
  br i1 %v95, label %f_o.loop77, label %f_o.done78
f_o.done78:
  %v96 = getelementptr i8, ptr %v2, i64 736
  %v97 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v96, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v98 = shufflevector <4 x float> %v97, <4 x float> %v97, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v99 = getelementptr i8, ptr %v96, i64 44
  %v100 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v99, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v101 = shufflevector <4 x float> %v100, <4 x float> %v100, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v102 = shufflevector <8 x float> %v98, <8 x float> %v101, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15>
  %v103 = getelementptr i8, ptr %v9, i64 896
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v102, ptr %v103, i32 32, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 false>)
  br label %o_i_o.loop104
o_i_o.loop104:
  %v312 = phi i64 [ 0, %f_o.done78 ], [ %v314, %f_o.done235 ]
  %v121 = phi ptr [ %v4, %f_o.done78 ], [ %v316, %f_o.done235 ]
  %v189 = getelementptr i8, ptr %v6, i64 %v312
  %v217 = getelementptr i8, ptr %v8, i64 %v312
  %v228 = getelementptr i8, ptr %v121, i64 176
  br label %n_o.loop107
n_o.loop107:
  %v122 = phi ptr [ %v121, %o_i_o.loop104 ], [ %v227, %f_o.done111 ]
  %v129 = phi ptr [ %v9, %o_i_o.loop104 ], [ %v230, %f_o.done111 ]
  %v218 = phi ptr [ %v217, %o_i_o.loop104 ], [ %v232, %f_o.done111 ]
  br label %f_o.loop110
f_o.loop110:
  %v154 = phi i64 [ 0, %n_o.loop107 ], [ %v156, %f_o.loop110 ]
  %v130 = phi ptr [ %v129, %n_o.loop107 ], [ %v158, %f_o.loop110 ]
  %v113 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop107 ], [ %v132, %f_o.loop110 ]
  %v114 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop107 ], [ %v135, %f_o.loop110 ]
  %v115 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop107 ], [ %v140, %f_o.loop110 ]
  %v116 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop107 ], [ %v141, %f_o.loop110 ]
  %v117 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop107 ], [ %v146, %f_o.loop110 ]
  %v118 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop107 ], [ %v147, %f_o.loop110 ]
  %v119 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop107 ], [ %v152, %f_o.loop110 ]
  %v120 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.loop107 ], [ %v153, %f_o.loop110 ]
  %v123 = getelementptr i8, ptr %v122, i64 %v154
  %v125 = getelementptr i8, ptr %v121, i64 %v154
  %v124 = getelementptr i8, ptr %v123, i64 176
  call void @llvm.prefetch.p0(ptr %v124, i32 0, i32 3, i32 1)
  %v126 = load <4 x float>, ptr %v125, align 4
  %v127 = shufflevector <4 x float> %v126, <4 x float> %v126, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v128 = shufflevector <4 x float> %v126, <4 x float> %v126, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v131 = load <8 x float>, ptr %v130, align 32
  %v132 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v131, <8 x float> %v128, <8 x float> %v113)
  %v133 = getelementptr i8, ptr %v130, i64 32
  %v134 = load <8 x float>, ptr %v133, align 32
  %v135 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v134, <8 x float> %v128, <8 x float> %v114)
  %v136 = getelementptr i8, ptr %v125, i64 44
  %v137 = load <4 x float>, ptr %v136, align 4
  %v138 = shufflevector <4 x float> %v137, <4 x float> %v137, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v139 = shufflevector <4 x float> %v137, <4 x float> %v137, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v140 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v131, <8 x float> %v139, <8 x float> %v115)
  %v141 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v134, <8 x float> %v139, <8 x float> %v116)
  %v142 = getelementptr i8, ptr %v125, i64 88
  %v143 = load <4 x float>, ptr %v142, align 4
  %v144 = shufflevector <4 x float> %v143, <4 x float> %v143, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v145 = shufflevector <4 x float> %v143, <4 x float> %v143, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v146 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v131, <8 x float> %v145, <8 x float> %v117)
  %v147 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v134, <8 x float> %v145, <8 x float> %v118)
  %v148 = getelementptr i8, ptr %v125, i64 132
  %v149 = load <4 x float>, ptr %v148, align 4
  %v150 = shufflevector <4 x float> %v149, <4 x float> %v149, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v151 = shufflevector <4 x float> %v149, <4 x float> %v149, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v152 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v131, <8 x float> %v151, <8 x float> %v119)
  %v153 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v134, <8 x float> %v151, <8 x float> %v120)
  %v155 = add nsw i64 %v154, 16
  %v156 = freeze i64 %v155
  %v157 = getelementptr i8, ptr %v130, i64 64
  %v158 = freeze ptr %v157
  %v159 = icmp ne i64 %v156, 32
  br i1 %v159, label %f_o.loop110, label %f_o.done111
f_o.done111:
  %v160 = getelementptr i8, ptr %v122, i64 208
  call void @llvm.prefetch.p0(ptr %v160, i32 0, i32 3, i32 1)
  %v161 = getelementptr i8, ptr %v121, i64 32
  %v162 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v161, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v163 = shufflevector <4 x float> %v162, <4 x float> %v162, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v164 = shufflevector <4 x float> %v162, <4 x float> %v162, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v165 = getelementptr i8, ptr %v129, i64 128
  %v166 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v165, i32 32, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 false>, <8 x float> zeroinitializer)
  %v167 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v166, <8 x float> %v164, <8 x float> %v132)
  %v168 = getelementptr i8, ptr %v129, i64 160
  %v169 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v168, i32 32, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 false>, <8 x float> zeroinitializer)
  %v170 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v169, <8 x float> %v164, <8 x float> %v135)
  %v171 = getelementptr i8, ptr %v121, i64 76
  %v172 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v171, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v173 = shufflevector <4 x float> %v172, <4 x float> %v172, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v174 = shufflevector <4 x float> %v172, <4 x float> %v172, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v175 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v166, <8 x float> %v174, <8 x float> %v140)
  %v176 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v169, <8 x float> %v174, <8 x float> %v141)
  %v177 = getelementptr i8, ptr %v121, i64 120
  %v178 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v177, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v179 = shufflevector <4 x float> %v178, <4 x float> %v178, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v180 = shufflevector <4 x float> %v178, <4 x float> %v178, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v181 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v166, <8 x float> %v180, <8 x float> %v146)
  %v182 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v169, <8 x float> %v180, <8 x float> %v147)
  %v183 = getelementptr i8, ptr %v121, i64 164
  %v184 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v183, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v185 = shufflevector <4 x float> %v184, <4 x float> %v184, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v186 = shufflevector <4 x float> %v184, <4 x float> %v184, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v187 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v166, <8 x float> %v186, <8 x float> %v152)
  %v188 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v169, <8 x float> %v186, <8 x float> %v153)
  %v190 = load <4 x float>, ptr %v189, align 4
  %v191 = shufflevector <4 x float> %v190, <4 x float> %v190, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v192 = shufflevector <4 x float> %v190, <4 x float> %v190, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v193 = shufflevector <8 x float> %v167, <8 x float> %v175, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v194 = shufflevector <8 x float> %v167, <8 x float> %v175, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v195 = shufflevector <8 x float> %v181, <8 x float> %v187, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v196 = shufflevector <8 x float> %v181, <8 x float> %v187, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v197 = shufflevector <8 x float> %v193, <8 x float> %v195, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v198 = shufflevector <8 x float> %v193, <8 x float> %v195, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v199 = shufflevector <8 x float> %v194, <8 x float> %v196, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v200 = shufflevector <8 x float> %v194, <8 x float> %v196, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v201 = fadd <8 x float> %v197, %v192
  %v202 = shufflevector <8 x float> %v170, <8 x float> %v176, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v203 = shufflevector <8 x float> %v170, <8 x float> %v176, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v204 = shufflevector <8 x float> %v182, <8 x float> %v188, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v205 = shufflevector <8 x float> %v182, <8 x float> %v188, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v206 = shufflevector <8 x float> %v202, <8 x float> %v204, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v207 = shufflevector <8 x float> %v202, <8 x float> %v204, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v208 = shufflevector <8 x float> %v203, <8 x float> %v205, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v209 = shufflevector <8 x float> %v203, <8 x float> %v205, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v210 = fadd <8 x float> %v206, %v192
  %v211 = fadd <8 x float> %v199, %v201
  %v212 = fadd <8 x float> %v208, %v210
  %v213 = fadd <8 x float> %v198, %v211
  %v214 = fadd <8 x float> %v207, %v212
  %v215 = fadd <8 x float> %v200, %v213
  %v216 = fadd <8 x float> %v209, %v214
  %v219 = shufflevector <8 x float> %v215, <8 x float> %v215, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v219, ptr %v218, align 4
  %v220 = getelementptr i8, ptr %v218, i64 192
  %v221 = shufflevector <8 x float> %v215, <8 x float> %v215, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %v221, ptr %v220, align 4
  %v222 = getelementptr i8, ptr %v218, i64 384
  %v223 = shufflevector <8 x float> %v216, <8 x float> %v216, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v223, ptr %v222, align 4
  %v224 = getelementptr i8, ptr %v222, i64 192
  %v225 = shufflevector <8 x float> %v216, <8 x float> %v216, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %v225, ptr %v224, align 4
  %v226 = getelementptr i8, ptr %v122, i64 44
  %v227 = freeze ptr %v226
  %v229 = getelementptr i8, ptr %v129, i64 192
  %v230 = freeze ptr %v229
  %v231 = getelementptr i8, ptr %v218, i64 768
  %v232 = freeze ptr %v231
  %v233 = icmp ne ptr %v227, %v228
  br i1 %v233, label %n_o.loop107, label %n_o.done108
n_o.done108:
  %v267 = getelementptr i8, ptr %v121, i64 32
  br label %f_o.loop234
f_o.loop234:
  %v241 = phi ptr [ %v121, %n_o.done108 ], [ %v266, %f_o.loop234 ]
  %v246 = phi ptr [ %v9, %n_o.done108 ], [ %v269, %f_o.loop234 ]
  %v237 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.done108 ], [ %v249, %f_o.loop234 ]
  %v238 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.done108 ], [ %v254, %f_o.loop234 ]
  %v239 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.done108 ], [ %v259, %f_o.loop234 ]
  %v240 = phi <8 x float> [ splat (float 0x0000000000000000), %n_o.done108 ], [ %v264, %f_o.loop234 ]
  %v242 = getelementptr i8, ptr %v241, i64 352
  call void @llvm.prefetch.p0(ptr %v242, i32 0, i32 3, i32 1)
  %v243 = load <4 x float>, ptr %v241, align 4
  %v244 = shufflevector <4 x float> %v243, <4 x float> %v243, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v245 = shufflevector <4 x float> %v243, <4 x float> %v243, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v247 = getelementptr i8, ptr %v246, i64 768
  %v248 = load <8 x float>, ptr %v247, align 32
  %v249 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v248, <8 x float> %v245, <8 x float> %v237)
  %v250 = getelementptr i8, ptr %v241, i64 44
  %v251 = load <4 x float>, ptr %v250, align 4
  %v252 = shufflevector <4 x float> %v251, <4 x float> %v251, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v253 = shufflevector <4 x float> %v251, <4 x float> %v251, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v254 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v248, <8 x float> %v253, <8 x float> %v238)
  %v255 = getelementptr i8, ptr %v241, i64 88
  %v256 = load <4 x float>, ptr %v255, align 4
  %v257 = shufflevector <4 x float> %v256, <4 x float> %v256, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v258 = shufflevector <4 x float> %v256, <4 x float> %v256, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v259 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v248, <8 x float> %v258, <8 x float> %v239)
  %v260 = getelementptr i8, ptr %v241, i64 132
  %v261 = load <4 x float>, ptr %v260, align 4
  %v262 = shufflevector <4 x float> %v261, <4 x float> %v261, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v263 = shufflevector <4 x float> %v261, <4 x float> %v261, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v264 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v248, <8 x float> %v263, <8 x float> %v240)
  %v265 = getelementptr i8, ptr %v241, i64 16
  %v266 = freeze ptr %v265
  %v268 = getelementptr i8, ptr %v246, i64 64
  %v269 = freeze ptr %v268
  %v270 = icmp ne ptr %v266, %v267
  br i1 %v270, label %f_o.loop234, label %f_o.done235
f_o.done235:
  %v271 = getelementptr i8, ptr %v121, i64 384
  call void @llvm.prefetch.p0(ptr %v271, i32 0, i32 3, i32 1)
  %v272 = getelementptr i8, ptr %v121, i64 32
  %v273 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v272, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v274 = shufflevector <4 x float> %v273, <4 x float> %v273, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v275 = shufflevector <4 x float> %v273, <4 x float> %v273, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v276 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v103, i32 32, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 false>, <8 x float> zeroinitializer)
  %v277 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v276, <8 x float> %v275, <8 x float> %v249)
  %v278 = getelementptr i8, ptr %v121, i64 76
  %v279 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v278, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v280 = shufflevector <4 x float> %v279, <4 x float> %v279, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v281 = shufflevector <4 x float> %v279, <4 x float> %v279, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v282 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v276, <8 x float> %v281, <8 x float> %v254)
  %v283 = getelementptr i8, ptr %v121, i64 120
  %v284 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v283, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v285 = shufflevector <4 x float> %v284, <4 x float> %v284, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v286 = shufflevector <4 x float> %v284, <4 x float> %v284, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v287 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v276, <8 x float> %v286, <8 x float> %v259)
  %v288 = getelementptr i8, ptr %v121, i64 164
  %v289 = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %v288, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x float> zeroinitializer)
  %v290 = shufflevector <4 x float> %v289, <4 x float> %v289, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v291 = shufflevector <4 x float> %v289, <4 x float> %v289, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v292 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v276, <8 x float> %v291, <8 x float> %v264)
  %v293 = load <4 x float>, ptr %v189, align 4
  %v294 = shufflevector <4 x float> %v293, <4 x float> %v293, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v295 = shufflevector <4 x float> %v293, <4 x float> %v293, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3>
  %v296 = shufflevector <8 x float> %v277, <8 x float> %v282, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v297 = shufflevector <8 x float> %v277, <8 x float> %v282, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v298 = shufflevector <8 x float> %v287, <8 x float> %v292, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %v299 = shufflevector <8 x float> %v287, <8 x float> %v292, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %v300 = shufflevector <8 x float> %v296, <8 x float> %v298, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v301 = shufflevector <8 x float> %v296, <8 x float> %v298, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v302 = shufflevector <8 x float> %v297, <8 x float> %v299, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v303 = shufflevector <8 x float> %v297, <8 x float> %v299, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v304 = fadd <8 x float> %v300, %v295
  %v305 = fadd <8 x float> %v302, %v304
  %v306 = fadd <8 x float> %v301, %v305
  %v307 = fadd <8 x float> %v303, %v306
  %v308 = getelementptr i8, ptr %v217, i64 3072
  %v309 = shufflevector <8 x float> %v307, <8 x float> %v307, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  store <4 x float> %v309, ptr %v308, align 4
  %v310 = getelementptr i8, ptr %v308, i64 192
  %v311 = shufflevector <8 x float> %v307, <8 x float> %v307, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %v311, ptr %v310, align 4
  %v313 = add nsw i64 %v312, 16
  %v314 = freeze i64 %v313
  %v315 = getelementptr i8, ptr %v121, i64 176
  %v316 = freeze ptr %v315
  %v317 = icmp ne i64 %v314, 192
  br i1 %v317, label %o_i_o.loop104, label %o_i_o.done105
o_i_o.done105:
  %v319 = add nsw i64 %v318, 1
  %v320 = freeze i64 %v319
  %v321 = icmp ne i64 %v320, %hi
  br i1 %v321, label %items.loop10, label %items.done11
items.done11:
  ret void
}
