define void @k_5911bf1effc43c5b(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
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
  %v188 = mul nsw i64 %lo, 192
  %v191 = mul nsw i64 %lo, 64
  %v12 = icmp slt i64 %lo, %hi
  br i1 %v12, label %items.loop10, label %items.done11
items.loop10:
  %v13 = phi i64 [ %lo, %entry ], [ %v185, %c1.done40 ]
  %v182 = phi i64 [ %v188, %entry ], [ %v187, %c1.done40 ]
  %v183 = phi i64 [ %v191, %entry ], [ %v190, %c1.done40 ]
  %v26 = getelementptr i8, ptr %v2, i64 %v182
  %v80 = getelementptr i8, ptr %v4, i64 %v183
  %v143 = getelementptr i8, ptr %v6, i64 %v183
  %v155 = getelementptr i8, ptr %v8, i64 %v182
  %v14 = mul nsw i64 %v13, -16
  %v15 = add nsw i64 %v14, 19
  %v16 = insertelement <16 x i64> poison, i64 %v15, i64 0
  %v17 = shufflevector <16 x i64> %v16, <16 x i64> poison, <16 x i32> zeroinitializer
  %v18 = add <16 x i64> %v17, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v19 = icmp sge <16 x i64> %v18, zeroinitializer
  %v35 = getelementptr i8, ptr %v26, i64 192
  br label %c.loop20
c.loop20:
  %v27 = phi ptr [ %v26, %items.loop10 ], [ %v34, %c.loop20 ]
  %v23 = phi <16 x float> [ splat (float 0xFFF0000000000000), %items.loop10 ], [ %v32, %c.loop20 ]
  %v24 = add <16 x i64> %v17, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v25 = icmp sge <16 x i64> %v24, zeroinitializer
  %v28 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v27, i32 64, <16 x i1> %v25, <16 x float> zeroinitializer)
  %v29 = fcmp olt <16 x float> %v23, %v28
  %v30 = select <16 x i1> %v29, <16 x float> %v28, <16 x float> %v23
  %v31 = fcmp uno <16 x float> %v28, %v28
  %v32 = select <16 x i1> %v31, <16 x float> %v28, <16 x float> %v30
  %v33 = getelementptr i8, ptr %v27, i64 64
  %v34 = freeze ptr %v33
  %v36 = icmp ne ptr %v34, %v35
  br i1 %v36, label %c.loop20, label %c.done21
c.done21:
  %v37 = add <16 x i64> %v17, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v38 = icmp sge <16 x i64> %v37, zeroinitializer
  br label %c1.loop39
c1.loop39:
  %v71 = phi i64 [ 0, %c.done21 ], [ %v73, %c1.loop39 ]
  %v42 = phi <16 x float> [ splat (float 0x0000000000000000), %c.done21 ], [ %v70, %c1.loop39 ]
  %v45 = getelementptr i8, ptr %v26, i64 %v71
  %v69 = getelementptr i8, ptr %v9, i64 %v71
  %v43 = add <16 x i64> %v17, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v44 = icmp sge <16 x i64> %v43, zeroinitializer
  %v46 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v45, i32 64, <16 x i1> %v44, <16 x float> zeroinitializer)
  %v47 = fsub <16 x float> %v46, %v32
  %v48 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v47, <16 x float> splat (float 0x3FF7154760000000), <16 x float> splat (float 0x4168000000000000))
  %v49 = fsub <16 x float> %v48, splat (float 0x4168000000000000)
  %v50 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v49, <16 x float> splat (float 0xBFE62E4300000000), <16 x float> %v47)
  %v51 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v49, <16 x float> splat (float 0x3E205C6100000000), <16 x float> %v50)
  %v52 = fmul <16 x float> %v51, %v51
  %v53 = call <16 x float> @llvm.fma.v16f32(<16 x float> splat (float 0x3F56D117C0000000), <16 x float> %v51, <16 x float> splat (float 0x3F8120BE20000000))
  %v54 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v53, <16 x float> %v51, <16 x float> splat (float 0x3FA5555180000000))
  %v55 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v54, <16 x float> %v51, <16 x float> splat (float 0x3FC5554DC0000000))
  %v56 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v55, <16 x float> %v51, <16 x float> splat (float 0x3FE0000000000000))
  %v57 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v52, <16 x float> %v56, <16 x float> %v51)
  %v58 = bitcast <16 x float> %v48 to <16 x i32>
  %v59 = shl <16 x i32> %v58, splat (i32 23)
  %v60 = fadd <16 x float> %v57, splat (float 0x3FF0000000000000)
  %v61 = bitcast <16 x float> %v60 to <16 x i32>
  %v62 = add <16 x i32> %v61, %v59
  %v63 = bitcast <16 x i32> %v62 to <16 x float>
  %v64 = fmul <16 x float> %v47, splat (float 0x7FF0000000000000)
  %v65 = fcmp ugt <16 x float> %v47, splat (float 0x40562E4300000000)
  %v66 = select <16 x i1> %v65, <16 x float> %v64, <16 x float> %v63
  %v67 = fcmp olt <16 x float> %v47, splat (float 0xC055D589E0000000)
  %v68 = select <16 x i1> %v67, <16 x float> splat (float 0x0000000000000000), <16 x float> %v66
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v68, ptr %v69, i32 64, <16 x i1> %v44)
  %v70 = fadd <16 x float> %v68, %v42
  %v72 = add nsw i64 %v71, 64
  %v73 = freeze i64 %v72
  %v74 = icmp ne i64 %v73, 192
  br i1 %v74, label %c1.loop39, label %c1.done40
c1.done40:
  %v75 = add <16 x i64> %v17, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v76 = icmp sge <16 x i64> %v75, zeroinitializer
  %v77 = sitofp i32 0 to float
  %v78 = add <16 x i64> %v17, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v79 = icmp sge <16 x i64> %v78, zeroinitializer
  %v81 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v80, i32 4, <16 x i1> %v79, <16 x float> zeroinitializer)
  %v82 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v26, i32 64, <16 x i1> %v79, <16 x float> zeroinitializer)
  %v83 = fsub <16 x float> %v82, %v32
  %v84 = insertelement <16 x float> poison, float %v77, i64 0
  %v85 = shufflevector <16 x float> %v84, <16 x float> poison, <16 x i32> zeroinitializer
  %v86 = fcmp oeq <16 x float> %v85, %v81
  %v87 = select <16 x i1> %v86, <16 x float> %v83, <16 x float> splat (float 0x0000000000000000)
  %v88 = sitofp i32 1 to float
  %v89 = add <16 x i64> %v17, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v90 = icmp sge <16 x i64> %v89, zeroinitializer
  %v91 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v80, i32 4, <16 x i1> %v90, <16 x float> zeroinitializer)
  %v92 = getelementptr i8, ptr %v26, i64 64
  %v93 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v92, i32 64, <16 x i1> %v90, <16 x float> zeroinitializer)
  %v94 = fsub <16 x float> %v93, %v32
  %v95 = insertelement <16 x float> poison, float %v88, i64 0
  %v96 = shufflevector <16 x float> %v95, <16 x float> poison, <16 x i32> zeroinitializer
  %v97 = fcmp oeq <16 x float> %v96, %v91
  %v98 = select <16 x i1> %v97, <16 x float> %v94, <16 x float> splat (float 0x0000000000000000)
  %v99 = fadd <16 x float> %v98, %v87
  %v100 = sitofp i32 2 to float
  %v101 = add <16 x i64> %v17, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v102 = icmp sge <16 x i64> %v101, zeroinitializer
  %v103 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v80, i32 4, <16 x i1> %v102, <16 x float> zeroinitializer)
  %v104 = getelementptr i8, ptr %v26, i64 128
  %v105 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v104, i32 64, <16 x i1> %v102, <16 x float> zeroinitializer)
  %v106 = fsub <16 x float> %v105, %v32
  %v107 = insertelement <16 x float> poison, float %v100, i64 0
  %v108 = shufflevector <16 x float> %v107, <16 x float> poison, <16 x i32> zeroinitializer
  %v109 = fcmp oeq <16 x float> %v108, %v103
  %v110 = select <16 x i1> %v109, <16 x float> %v106, <16 x float> splat (float 0x0000000000000000)
  %v111 = fadd <16 x float> %v110, %v99
  %v112 = add <16 x i64> %v17, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v113 = icmp sge <16 x i64> %v112, zeroinitializer
  %v114 = bitcast <16 x float> %v70 to <16 x i32>
  %v115 = sub <16 x i32> %v114, splat (i32 1060439283)
  %v116 = ashr <16 x i32> %v115, splat (i32 23)
  %v117 = sitofp <16 x i32> %v116 to <16 x float>
  %v118 = and <16 x i32> %v115, splat (i32 8388607)
  %v119 = add <16 x i32> %v118, splat (i32 1060439283)
  %v120 = bitcast <16 x i32> %v119 to <16 x float>
  %v121 = fsub <16 x float> %v120, splat (float 0x3FF0000000000000)
  %v122 = fadd <16 x float> %v121, splat (float 0x4000000000000000)
  %v123 = fdiv <16 x float> %v121, %v122
  %v124 = fmul <16 x float> %v123, %v123
  %v125 = fmul <16 x float> %v121, splat (float 0x3FE0000000000000)
  %v126 = fmul <16 x float> %v125, %v121
  %v127 = call <16 x float> @llvm.fma.v16f32(<16 x float> splat (float 0x3FCF13C4C0000000), <16 x float> %v124, <16 x float> splat (float 0x3FD23D3DC0000000))
  %v128 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v127, <16 x float> %v124, <16 x float> splat (float 0x3FD999C260000000))
  %v129 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v128, <16 x float> %v124, <16 x float> splat (float 0x3FE5555540000000))
  %v130 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v124, <16 x float> %v129, <16 x float> %v126)
  %v131 = fmul <16 x float> %v123, %v130
  %v132 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v117, <16 x float> splat (float 0xBE205C6100000000), <16 x float> %v131)
  %v133 = fsub <16 x float> %v126, %v132
  %v134 = fsub <16 x float> %v121, %v133
  %v135 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v117, <16 x float> splat (float 0x3FE62E4300000000), <16 x float> %v134)
  %v136 = fcmp ueq <16 x float> %v70, splat (float 0x7FF0000000000000)
  %v137 = select <16 x i1> %v136, <16 x float> %v70, <16 x float> %v135
  %v138 = fcmp olt <16 x float> %v70, splat (float 0x3810000000000000)
  %v139 = select <16 x i1> %v138, <16 x float> splat (float 0xFFF0000000000000), <16 x float> %v137
  %v140 = fcmp olt <16 x float> %v70, splat (float 0x0000000000000000)
  %v141 = select <16 x i1> %v140, <16 x float> splat (float 0x7FF8000000000000), <16 x float> %v139
  %v142 = fsub <16 x float> %v141, %v111
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v142, ptr %v143, i32 64, <16 x i1> %v113)
  %v144 = sitofp i32 0 to float
  %v145 = add <16 x i64> %v17, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v146 = icmp sge <16 x i64> %v145, zeroinitializer
  %v147 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v80, i32 4, <16 x i1> %v146, <16 x float> zeroinitializer)
  %v148 = insertelement <16 x float> poison, float %v144, i64 0
  %v149 = shufflevector <16 x float> %v148, <16 x float> poison, <16 x i32> zeroinitializer
  %v150 = fcmp oeq <16 x float> %v149, %v147
  %v151 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v9, i32 64, <16 x i1> %v146, <16 x float> zeroinitializer)
  %v152 = fdiv <16 x float> %v151, %v70
  %v153 = select <16 x i1> %v150, <16 x float> splat (float 0x3FF0000000000000), <16 x float> splat (float 0x0000000000000000)
  %v154 = fsub <16 x float> %v152, %v153
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v154, ptr %v155, i32 64, <16 x i1> %v146)
  %v156 = sitofp i32 1 to float
  %v157 = add <16 x i64> %v17, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v158 = icmp sge <16 x i64> %v157, zeroinitializer
  %v159 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v80, i32 4, <16 x i1> %v158, <16 x float> zeroinitializer)
  %v160 = insertelement <16 x float> poison, float %v156, i64 0
  %v161 = shufflevector <16 x float> %v160, <16 x float> poison, <16 x i32> zeroinitializer
  %v162 = fcmp oeq <16 x float> %v161, %v159
  %v163 = getelementptr i8, ptr %v9, i64 64
  %v164 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v163, i32 64, <16 x i1> %v158, <16 x float> zeroinitializer)
  %v165 = fdiv <16 x float> %v164, %v70
  %v166 = select <16 x i1> %v162, <16 x float> splat (float 0x3FF0000000000000), <16 x float> splat (float 0x0000000000000000)
  %v167 = fsub <16 x float> %v165, %v166
  %v168 = getelementptr i8, ptr %v155, i64 64
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v167, ptr %v168, i32 64, <16 x i1> %v158)
  %v169 = sitofp i32 2 to float
  %v170 = add <16 x i64> %v17, <i64 0, i64 -1, i64 -2, i64 -3, i64 -4, i64 -5, i64 -6, i64 -7, i64 -8, i64 -9, i64 -10, i64 -11, i64 -12, i64 -13, i64 -14, i64 -15>
  %v171 = icmp sge <16 x i64> %v170, zeroinitializer
  %v172 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v80, i32 4, <16 x i1> %v171, <16 x float> zeroinitializer)
  %v173 = insertelement <16 x float> poison, float %v169, i64 0
  %v174 = shufflevector <16 x float> %v173, <16 x float> poison, <16 x i32> zeroinitializer
  %v175 = fcmp oeq <16 x float> %v174, %v172
  %v176 = getelementptr i8, ptr %v9, i64 128
  %v177 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v176, i32 64, <16 x i1> %v171, <16 x float> zeroinitializer)
  %v178 = fdiv <16 x float> %v177, %v70
  %v179 = select <16 x i1> %v175, <16 x float> splat (float 0x3FF0000000000000), <16 x float> splat (float 0x0000000000000000)
  %v180 = fsub <16 x float> %v178, %v179
  %v181 = getelementptr i8, ptr %v155, i64 128
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v180, ptr %v181, i32 64, <16 x i1> %v171)
  %v184 = add nsw i64 %v13, 1
  %v185 = freeze i64 %v184
  %v186 = add nsw i64 %v182, 192
  %v187 = freeze i64 %v186
  %v189 = add nsw i64 %v183, 64
  %v190 = freeze i64 %v189
  %v192 = icmp ne i64 %v185, %hi
  br i1 %v192, label %items.loop10, label %items.done11
items.done11:
  ret void
}
