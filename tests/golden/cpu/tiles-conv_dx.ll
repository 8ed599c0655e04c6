define void @k_13c90e31538de9e4(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr i8, ptr %scratch, i64 0
  %v8 = getelementptr i8, ptr %scratch, i64 3072
  %v9 = getelementptr i8, ptr %scratch, i64 6144
  %v10 = getelementptr i8, ptr %scratch, i64 6784
  %v183 = mul nsw i64 %lo, 896
  %v184 = getelementptr i8, ptr %v4, i64 %v183
  %v185 = mul nsw i64 %hi, 896
  %v186 = getelementptr i8, ptr %v4, i64 %v185
  %v189 = mul nsw i64 %lo, 1152
  %v190 = getelementptr i8, ptr %v6, i64 %v189
  %v13 = icmp slt i64 %lo, %hi
  br i1 %v13, label %items.loop11, label %items.done12
items.loop11:
  %v21 = phi ptr [ %v184, %entry ], [ %v182, %c1.done118 ]
  %v168 = phi ptr [ %v190, %entry ], [ %v188, %c1.done118 ]
  %v53 = getelementptr i8, ptr %v21, i64 896
  br label %f.loop15
f.loop15:
  %v22 = phi ptr [ %v21, %items.loop11 ], [ %v52, %tl.done32 ]
  %v40 = phi ptr [ %v7, %items.loop11 ], [ %v55, %tl.done32 ]
  br label %pack.2.loop18
pack.2.loop18:
  %v26 = phi i64 [ 0, %f.loop15 ], [ %v28, %pack.2.loop18 ]
  %v23 = getelementptr i8, ptr %v22, i64 %v26
  %v25 = getelementptr i8, ptr %v10, i64 %v26
  %v24 = load <16 x float>, ptr %v23, align 64
  store <16 x float> %v24, ptr %v25, align 64
  %v27 = add nsw i64 %v26, 64
  %v28 = freeze i64 %v27
  %v29 = icmp ne i64 %v28, 448
  br i1 %v29, label %pack.2.loop18, label %pack.2.done19
pack.2.done19:
  %v30 = getelementptr i8, ptr %v10, i64 448
  store <16 x float> splat (float 0x0000000000000000), ptr %v30, align 64
  %v47 = getelementptr i8, ptr %v10, i64 512
  br label %tl.loop31
tl.loop31:
  %v34 = phi ptr [ %v10, %pack.2.done19 ], [ %v46, %tl.loop31 ]
  %v41 = phi ptr [ %v40, %pack.2.done19 ], [ %v49, %tl.loop31 ]
  %v35 = load <16 x float>, ptr %v34, align 64
  %v36 = getelementptr i8, ptr %v34, i64 64
  %v37 = load <16 x float>, ptr %v36, align 64
  %v38 = fadd <16 x float> %v35, %v37
  %v39 = fsub <16 x float> %v35, %v37
  store <16 x float> %v35, ptr %v41, align 64
  %v42 = getelementptr i8, ptr %v41, i64 768
  store <16 x float> %v38, ptr %v42, align 64
  %v43 = getelementptr i8, ptr %v41, i64 1536
  store <16 x float> %v39, ptr %v43, align 64
  %v44 = getelementptr i8, ptr %v41, i64 2304
  store <16 x float> %v37, ptr %v44, align 64
  %v45 = getelementptr i8, ptr %v34, i64 128
  %v46 = freeze ptr %v45
  %v48 = getelementptr i8, ptr %v41, i64 64
  %v49 = freeze ptr %v48
  %v50 = icmp ne ptr %v46, %v47
  br i1 %v50, label %tl.loop31, label %tl.done32
tl.done32:
  %v51 = getelementptr i8, ptr %v22, i64 448
  %v52 = freeze ptr %v51
  %v54 = getelementptr i8, ptr %v40, i64 256
  %v55 = freeze ptr %v54
  %v56 = icmp ne ptr %v52, %v53
  br i1 %v56, label %f.loop15, label %f.done16
f.done16:
  br label %q.loop57
q.loop57:
  %v111 = phi i64 [ 0, %f.done16 ], [ %v113, %c.done61 ]
  %v71 = phi ptr [ %v2, %f.done16 ], [ %v115, %c.done61 ]
  %v74 = getelementptr i8, ptr %v7, i64 %v111
  %v103 = getelementptr i8, ptr %v8, i64 %v111
  %v99 = getelementptr i8, ptr %v71, i64 16
  br label %c.loop60
c.loop60:
  %v72 = phi ptr [ %v71, %q.loop57 ], [ %v98, %c.loop60 ]
  %v75 = phi ptr [ %v74, %q.loop57 ], [ %v101, %c.loop60 ]
  %v63 = phi <16 x float> [ splat (float 0x0000000000000000), %q.loop57 ], [ %v79, %c.loop60 ]
  %v64 = phi <16 x float> [ splat (float 0x0000000000000000), %q.loop57 ], [ %v82, %c.loop60 ]
  %v65 = phi <16 x float> [ splat (float 0x0000000000000000), %q.loop57 ], [ %v85, %c.loop60 ]
  %v66 = phi <16 x float> [ splat (float 0x0000000000000000), %q.loop57 ], [ %v88, %c.loop60 ]
  %v67 = phi <16 x float> [ splat (float 0x0000000000000000), %q.loop57 ], [ %v93, %c.loop60 ]
  %v68 = phi <16 x float> [ splat (float 0x0000000000000000), %q.loop57 ], [ %v94, %c.loop60 ]
  %v69 = phi <16 x float> [ splat (float 0x0000000000000000), %q.loop57 ], [ %v95, %c.loop60 ]
  %v70 = phi <16 x float> [ splat (float 0x0000000000000000), %q.loop57 ], [ %v96, %c.loop60 ]
  %v73 = load float, ptr %v72, align 4
  %v76 = load <16 x float>, ptr %v75, align 64
  %v77 = insertelement <16 x float> poison, float %v73, i64 0
  %v78 = shufflevector <16 x float> %v77, <16 x float> poison, <16 x i32> zeroinitializer
  %v79 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v78, <16 x float> %v63)
  %v80 = getelementptr i8, ptr %v75, i64 64
  %v81 = load <16 x float>, ptr %v80, align 64
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v81, <16 x float> %v78, <16 x float> %v64)
  %v83 = getelementptr i8, ptr %v75, i64 128
  %v84 = load <16 x float>, ptr %v83, align 64
  %v85 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v78, <16 x float> %v65)
  %v86 = getelementptr i8, ptr %v75, i64 192
  %v87 = load <16 x float>, ptr %v86, align 64
  %v88 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v87, <16 x float> %v78, <16 x float> %v66)
  %v89 = getelementptr i8, ptr %v72, i64 4
  %v90 = load float, ptr %v89, align 4
  %v91 = insertelement <16 x float> poison, float %v90, i64 0
  %v92 = shufflevector <16 x float> %v91, <16 x float> poison, <16 x i32> zeroinitializer
  %v93 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v92, <16 x float> %v67)
  %v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v81, <16 x float> %v92, <16 x float> %v68)
  %v95 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v84, <16 x float> %v92, <16 x float> %v69)
  %v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v87, <16 x float> %v92, <16 x float> %v70)
  %v97 = getelementptr i8, ptr %v72, i64 8
  %v98 = freeze ptr %v97
  %v100 = getelementptr i8, ptr %v75, i64 256
  %v101 = freeze ptr %v100
  %v102 = icmp ne ptr %v98, %v99
  br i1 %v102, label %c.loop60, label %c.done61
c.done61:
  store <16 x float> %v79, ptr %v103, align 64
  %v104 = getelementptr i8, ptr %v103, i64 64
  store <16 x float> %v82, ptr %v104, align 64
  %v105 = getelementptr i8, ptr %v103, i64 128
  store <16 x float> %v85, ptr %v105, align 64
  %v106 = getelementptr i8, ptr %v103, i64 192
  store <16 x float> %v88, ptr %v106, align 64
  %v107 = getelementptr i8, ptr %v103, i64 256
  store <16 x float> %v93, ptr %v107, align 64
  %v108 = getelementptr i8, ptr %v103, i64 320
  store <16 x float> %v94, ptr %v108, align 64
  %v109 = getelementptr i8, ptr %v103, i64 384
  store <16 x float> %v95, ptr %v109, align 64
  %v110 = getelementptr i8, ptr %v103, i64 448
  store <16 x float> %v96, ptr %v110, align 64
  %v112 = add nsw i64 %v111, 768
  %v113 = freeze i64 %v112
  %v114 = getelementptr i8, ptr %v71, i64 16
  %v115 = freeze ptr %v114
  %v116 = icmp ne i64 %v113, 3072
  br i1 %v116, label %q.loop57, label %q.done58
q.done58:
  %v177 = getelementptr i8, ptr %v8, i64 512
  br label %c1.loop117
c1.loop117:
  %v131 = phi ptr [ %v8, %q.done58 ], [ %v176, %il.done164 ]
  %v169 = phi ptr [ %v168, %q.done58 ], [ %v179, %il.done164 ]
  %v126 = getelementptr i8, ptr %v9, i64 640
  br label %pl.loop120
pl.loop120:
  %v123 = phi ptr [ %v9, %c1.loop117 ], [ %v125, %pl.loop120 ]
  store <16 x float> splat (float 0x0000000000000000), ptr %v123, align 64
  %v124 = getelementptr i8, ptr %v123, i64 64
  %v125 = freeze ptr %v124
  %v127 = icmp ne ptr %v125, %v126
  br i1 %v127, label %pl.loop120, label %pl.done121
pl.done121:
  %v159 = getelementptr i8, ptr %v131, i64 256
  br label %tl2.loop128
tl2.loop128:
  %v132 = phi ptr [ %v131, %pl.done121 ], [ %v158, %tl2.loop128 ]
  %v145 = phi ptr [ %v9, %pl.done121 ], [ %v161, %tl2.loop128 ]
  %v133 = load <16 x float>, ptr %v132, align 64
  %v134 = getelementptr i8, ptr %v132, i64 768
  %v135 = load <16 x float>, ptr %v134, align 64
  %v136 = getelementptr i8, ptr %v132, i64 1536
  %v137 = load <16 x float>, ptr %v136, align 64
  %v138 = getelementptr i8, ptr %v132, i64 2304
  %v139 = load <16 x float>, ptr %v138, align 64
  %v140 = fmul <16 x float> %v133, splat (float 0xBFF0000000000000)
  %v141 = fsub <16 x float> %v135, %v137
  %v142 = fsub <16 x float> %v141, %v139
  %v143 = fadd <16 x float> %v133, %v135
  %v144 = fadd <16 x float> %v143, %v137
  %v146 = load <16 x float>, ptr %v145, align 64
  %v147 = fadd <16 x float> %v140, %v146
  store <16 x float> %v147, ptr %v145, align 64
  %v148 = getelementptr i8, ptr %v145, i64 64
  %v149 = load <16 x float>, ptr %v148, align 64
  %v150 = fadd <16 x float> %v142, %v149
  store <16 x float> %v150, ptr %v148, align 64
  %v151 = getelementptr i8, ptr %v145, i64 128
  %v152 = load <16 x float>, ptr %v151, align 64
  %v153 = fadd <16 x float> %v144, %v152
  store <16 x float> %v153, ptr %v151, align 64
  %v154 = getelementptr i8, ptr %v145, i64 192
  %v155 = load <16 x float>, ptr %v154, align 64
  %v156 = fadd <16 x float> %v139, %v155
  store <16 x float> %v156, ptr %v154, align 64
  %v157 = getelementptr i8, ptr %v132, i64 64
  %v158 = freeze ptr %v157
  %v160 = getelementptr i8, ptr %v145, i64 128
  %v161 = freeze ptr %v160
  %v162 = icmp ne ptr %v158, %v159
  br i1 %v162, label %tl2.loop128, label %tl2.done129
tl2.done129:
  br label %il.loop163
il.loop163:
  %v171 = phi i64 [ 0, %tl2.done129 ], [ %v173, %il.loop163 ]
  %v166 = getelementptr i8, ptr %v9, i64 %v171
  %v170 = getelementptr i8, ptr %v169, i64 %v171
  %v167 = load <16 x float>, ptr %v166, align 64
  store <16 x float> %v167, ptr %v170, align 64
  %v172 = add nsw i64 %v171, 64
  %v173 = freeze i64 %v172
  %v174 = icmp ne i64 %v173, 576
  br i1 %v174, label %il.loop163, label %il.done164
il.done164:
  %v175 = getelementptr i8, ptr %v131, i64 256
  %v176 = freeze ptr %v175
  %v178 = getelementptr i8, ptr %v169, i64 576
  %v179 = freeze ptr %v178
  %v180 = icmp ne ptr %v176, %v177
  br i1 %v180, label %c1.loop117, label %c1.done118
c1.done118:
  %v181 = getelementptr i8, ptr %v21, i64 896
  %v182 = freeze ptr %v181
  %v187 = getelementptr i8, ptr %v168, i64 1152
  %v188 = freeze ptr %v187
  %v191 = icmp ne ptr %v182, %v186
  br i1 %v191, label %items.loop11, label %items.done12
items.done12:
  ret void
}
