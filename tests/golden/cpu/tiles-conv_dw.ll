define void @k_825d44e2aa11b2dd(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr i8, ptr %scratch, i64 0
  %v8 = getelementptr i8, ptr %scratch, i64 64
  %v9 = getelementptr i8, ptr %scratch, i64 2112
  %v10 = getelementptr i8, ptr %scratch, i64 4160
  %v326 = mul nsw i64 %lo, 896
  %v327 = mul nsw i64 %hi, 896
  %v330 = mul nsw i64 %lo, 64
  %v331 = getelementptr i8, ptr %v6, i64 %v330
  %v13 = icmp slt i64 %lo, %hi
  br i1 %v13, label %items.loop11, label %items.done12
items.loop11:
  %v323 = phi i64 [ %v326, %entry ], [ %v325, %f3.done300 ]
  %v308 = phi ptr [ %v331, %entry ], [ %v329, %f3.done300 ]
  %v40 = getelementptr i8, ptr %v4, i64 %v323
  %v105 = getelementptr i8, ptr %v2, i64 %v323
  %v29 = getelementptr i8, ptr %v7, i64 64
  br label %q.loop15
q.loop15:
  %v21 = phi ptr [ %v7, %items.loop11 ], [ %v28, %f.done19 ]
  %v25 = getelementptr i8, ptr %v21, i64 16
  br label %f.loop18
f.loop18:
  %v22 = phi ptr [ %v21, %q.loop15 ], [ %v24, %f.loop18 ]
  store <2 x float> splat (float 0x0000000000000000), ptr %v22, align 8
  %v23 = getelementptr i8, ptr %v22, i64 8
  %v24 = freeze ptr %v23
  %v26 = icmp ne ptr %v24, %v25
  br i1 %v26, label %f.loop18, label %f.done19
f.done19:
  %v27 = getelementptr i8, ptr %v21, i64 16
  %v28 = freeze ptr %v27
  %v30 = icmp ne ptr %v28, %v29
  br i1 %v30, label %q.loop15, label %q.done16
q.done16:
  br label %tl2_o.loop31
tl2_o.loop31:
  %v33 = phi i64 [ 0, %q.done16 ], [ %v295, %q1.second.done241 ]
  %v293 = phi i64 [ 0, %q.done16 ], [ %v297, %q1.second.done241 ]
  %v41 = getelementptr i8, ptr %v40, i64 %v293
  %v106 = getelementptr i8, ptr %v105, i64 %v293
  %v45 = mul nsw i64 %v33, -4
  %v79 = add nsw i64 %v45, 1
  %v99 = add nsw i64 %v45, 8
  %v75 = getelementptr i8, ptr %v41, i64 896
  br label %f1.loop34
f1.loop34:
  %v42 = phi ptr [ %v41, %tl2_o.loop31 ], [ %v74, %tl_i.done38 ]
  %v57 = phi ptr [ %v8, %tl2_o.loop31 ], [ %v77, %tl_i.done38 ]
  br label %tl_i.loop37
tl_i.loop37:
  %v39 = phi i64 [ 0, %f1.loop34 ], [ %v67, %endif51 ]
  %v43 = phi ptr [ %v42, %f1.loop34 ], [ %v69, %endif51 ]
  %v58 = phi ptr [ %v57, %f1.loop34 ], [ %v71, %endif51 ]
  %v46 = mul nsw i64 %v39, -2
  %v47 = add nsw i64 %v45, %v46
  %v48 = add nsw i64 %v47, 5
  %v44 = load <16 x float>, ptr %v43, align 64
  %v49 = icmp sge i64 %v48, 0
  br i1 %v49, label %then50, label %endif51
then50:
  %v52 = getelementptr i8, ptr %v43, i64 64
  %v53 = load <16 x float>, ptr %v52, align 64
  br label %endif51
endif51:
  %v54 = phi <16 x float> [ splat (float 0x0000000000000000), %tl_i.loop37 ], [ %v53, %then50 ]
  %v55 = fadd <16 x float> %v44, %v54
  %v56 = fsub <16 x float> %v44, %v54
  %v59 = getelementptr i8, ptr %v58, <16 x i64> <i64 0, i64 128, i64 256, i64 384, i64 512, i64 640, i64 768, i64 896, i64 1024, i64 1152, i64 1280, i64 1408, i64 1536, i64 1664, i64 1792, i64 1920>
  call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v44, <16 x ptr> %v59, i32 4, <16 x i1> splat (i1 true))
  %v60 = getelementptr i8, ptr %v58, i64 4
  %v61 = getelementptr i8, ptr %v60, <16 x i64> <i64 0, i64 128, i64 256, i64 384, i64 512, i64 640, i64 768, i64 896, i64 1024, i64 1152, i64 1280, i64 1408, i64 1536, i64 1664, i64 1792, i64 1920>
  call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v55, <16 x ptr> %v61, i32 4, <16 x i1> splat (i1 true))
  %v62 = getelementptr i8, ptr %v58, i64 8
  %v63 = getelementptr i8, ptr %v62, <16 x i64> <i64 0, i64 128, i64 256, i64 384, i64 512, i64 640, i64 768, i64 896, i64 1024, i64 1152, i64 1280, i64 1408, i64 1536, i64 1664, i64 1792, i64 1920>
  call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v56, <16 x ptr> %v63, i32 4, <16 x i1> splat (i1 true))
  %v64 = getelementptr i8, ptr %v58, i64 12
  %v65 = getelementptr i8, ptr %v64, <16 x i64> <i64 0, i64 128, i64 256, i64 384, i64 512, i64 640, i64 768, i64 896, i64 1024, i64 1152, i64 1280, i64 1408, i64 1536, i64 1664, i64 1792, i64 1920>
  call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v54, <16 x ptr> %v65, i32 4, <16 x i1> splat (i1 true))
  %v66 = add nsw i64 %v39, 1
  %v67 = freeze i64 %v66
  %v68 = getelementptr i8, ptr %v43, i64 128
  %v69 = freeze ptr %v68
  %v70 = getelementptr i8, ptr %v58, i64 16
  %v71 = freeze ptr %v70
  %v72 = icmp ne i64 %v67, 2
  br i1 %v72, label %tl_i.loop37, label %tl_i.done38
tl_i.done38:
  %v73 = getelementptr i8, ptr %v42, i64 448
  %v74 = freeze ptr %v73
  %v76 = getelementptr i8, ptr %v57, i64 32
  %v77 = freeze ptr %v76
  %v78 = icmp ne ptr %v74, %v75
  br i1 %v78, label %f1.loop34, label %f1.done35
f1.done35:
  %v95 = mul nsw i64 %v79, 192
  %v96 = getelementptr i8, ptr %v10, i64 %v95
  %v82 = icmp slt i64 0, %v79
  br i1 %v82, label %pack.2.loop80, label %pack.2.done81
pack.2.loop80:
  %v87 = phi ptr [ %v10, %f1.done35 ], [ %v94, %pack.0.done85 ]
  %v91 = getelementptr i8, ptr %v87, i64 128
  br label %pack.0.loop84
pack.0.loop84:
  %v88 = phi ptr [ %v87, %pack.2.loop80 ], [ %v90, %pack.0.loop84 ]
  store <2 x float> splat (float 0x0000000000000000), ptr %v88, align 8
  %v89 = getelementptr i8, ptr %v88, i64 8
  %v90 = freeze ptr %v89
  %v92 = icmp ne ptr %v90, %v91
  br i1 %v92, label %pack.0.loop84, label %pack.0.done85
pack.0.done85:
  %v93 = getelementptr i8, ptr %v87, i64 192
  %v94 = freeze ptr %v93
  %v97 = icmp ne ptr %v94, %v96
  br i1 %v97, label %pack.2.loop80, label %pack.2.done81
pack.2.done81:
  %v98 = call i64 @llvm.smax.i64(i64 0, i64 %v79)
  %v100 = call i64 @llvm.smin.i64(i64 6, i64 %v99)
  %v176 = mul nsw i64 %v98, 64
  %v177 = getelementptr i8, ptr %v106, i64 %v176
  %v178 = mul nsw i64 %v100, 64
  %v179 = getelementptr i8, ptr %v106, i64 %v178
  %v182 = mul nsw i64 %v98, 192
  %v183 = getelementptr i8, ptr %v10, i64 %v182
  %v103 = icmp slt i64 %v98, %v100
  br i1 %v103, label %pack.2.loop101, label %pack.2.done102
pack.2.loop101:
  %v107 = phi ptr [ %v177, %pack.2.done81 ], [ %v175, %pack.2.loop101 ]
  %v158 = phi ptr [ %v183, %pack.2.done81 ], [ %v181, %pack.2.loop101 ]
  %v108 = getelementptr i8, ptr %v107, i64 -64
  %v109 = load <16 x float>, ptr %v108, align 64
  %v110 = getelementptr i8, ptr %v107, i64 384
  %v111 = load <16 x float>, ptr %v110, align 64
  %v112 = shufflevector <16 x float> %v109, <16 x float> %v111, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v113 = shufflevector <16 x float> %v109, <16 x float> %v111, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v114 = shufflevector <16 x float> %v112, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v115 = shufflevector <16 x float> %v112, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v116 = shufflevector <16 x float> %v113, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v117 = shufflevector <16 x float> %v113, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v118 = shufflevector <16 x float> %v114, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v119 = shufflevector <16 x float> %v114, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v120 = shufflevector <16 x float> %v116, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v121 = shufflevector <16 x float> %v116, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v122 = shufflevector <16 x float> %v115, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v123 = shufflevector <16 x float> %v115, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v124 = shufflevector <16 x float> %v117, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v125 = shufflevector <16 x float> %v117, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v126 = shufflevector <16 x float> %v118, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v127 = shufflevector <16 x float> %v118, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v128 = shufflevector <16 x float> %v120, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v129 = shufflevector <16 x float> %v120, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v130 = shufflevector <16 x float> %v122, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v131 = shufflevector <16 x float> %v122, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v132 = shufflevector <16 x float> %v124, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v133 = shufflevector <16 x float> %v124, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v134 = shufflevector <16 x float> %v119, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v135 = shufflevector <16 x float> %v119, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v136 = shufflevector <16 x float> %v121, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v137 = shufflevector <16 x float> %v121, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v138 = shufflevector <16 x float> %v123, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v139 = shufflevector <16 x float> %v123, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v140 = shufflevector <16 x float> %v125, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v141 = shufflevector <16 x float> %v125, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v142 = shufflevector <16 x float> %v126, <16 x float> %v126, <2 x i32> <i32 0, i32 1>
  %v143 = shufflevector <16 x float> %v128, <16 x float> %v128, <2 x i32> <i32 0, i32 1>
  %v144 = shufflevector <16 x float> %v130, <16 x float> %v130, <2 x i32> <i32 0, i32 1>
  %v145 = shufflevector <16 x float> %v132, <16 x float> %v132, <2 x i32> <i32 0, i32 1>
  %v146 = shufflevector <16 x float> %v134, <16 x float> %v134, <2 x i32> <i32 0, i32 1>
  %v147 = shufflevector <16 x float> %v136, <16 x float> %v136, <2 x i32> <i32 0, i32 1>
  %v148 = shufflevector <16 x float> %v138, <16 x float> %v138, <2 x i32> <i32 0, i32 1>
  %v149 = shufflevector <16 x float> %v140, <16 x float> %v140, <2 x i32> <i32 0, i32 1>
  %v150 = shufflevector <16 x float> %v127, <16 x float> %v127, <2 x i32> <i32 0, i32 1>
  %v151 = shufflevector <16 x float> %v129, <16 x float> %v129, <2 x i32> <i32 0, i32 1>
  %v152 = shufflevector <16 x float> %v131, <16 x float> %v131, <2 x i32> <i32 0, i32 1>
  %v153 = shufflevector <16 x float> %v133, <16 x float> %v133, <2 x i32> <i32 0, i32 1>
  %v154 = shufflevector <16 x float> %v135, <16 x float> %v135, <2 x i32> <i32 0, i32 1>
  %v155 = shufflevector <16 x float> %v137, <16 x float> %v137, <2 x i32> <i32 0, i32 1>
  %v156 = shufflevector <16 x float> %v139, <16 x float> %v139, <2 x i32> <i32 0, i32 1>
  %v157 = shufflevector <16 x float> %v141, <16 x float> %v141, <2 x i32> <i32 0, i32 1>
  store <2 x float> %v142, ptr %v158, align 8
  %v159 = getelementptr i8, ptr %v158, i64 8
  store <2 x float> %v143, ptr %v159, align 8
  %v160 = getelementptr i8, ptr %v158, i64 16
  store <2 x float> %v144, ptr %v160, align 8
  %v161 = getelementptr i8, ptr %v158, i64 24
  store <2 x float> %v145, ptr %v161, align 8
  %v162 = getelementptr i8, ptr %v158, i64 32
  store <2 x float> %v146, ptr %v162, align 8
  %v163 = getelementptr i8, ptr %v158, i64 40
  store <2 x float> %v147, ptr %v163, align 8
  %v164 = getelementptr i8, ptr %v158, i64 48
  store <2 x float> %v148, ptr %v164, align 8
  %v165 = getelementptr i8, ptr %v158, i64 56
  store <2 x float> %v149, ptr %v165, align 8
  %v166 = getelementptr i8, ptr %v158, i64 64
  store <2 x float> %v150, ptr %v166, align 8
  %v167 = getelementptr i8, ptr %v158, i64 72
  store <2 x float> %v151, ptr %v167, align 8
  %v168 = getelementptr i8, ptr %v158, i64 80
  store <2 x float> %v152, ptr %v168, align 8
  %v169 = getelementptr i8, ptr %v158, i64 88
  store <2 x float> %v153, ptr %v169, align 8
  %v170 = getelementptr i8, ptr %v158, i64 96
  store <2 x float> %v154, ptr %v170, align 8
  %v171 = getelementptr i8, ptr %v158, i64 104
  store <2 x float> %v155, ptr %v171, align 8
  %v172 = getelementptr i8, ptr %v158, i64 112
  store <2 x float> %v156, ptr %v172, align 8
  %v173 = getelementptr i8, ptr %v158, i64 120
  store <2 x float> %v157, ptr %v173, align 8
  %v174 = getelementptr i8, ptr %v107, i64 64
  %v175 = freeze ptr %v174
  %v180 = getelementptr i8, ptr %v158, i64 192
  %v181 = freeze ptr %v180
  %v184 = icmp ne ptr %v175, %v179
  br i1 %v184, label %pack.2.loop101, label %pack.2.done102
pack.2.done102:
  %v200 = mul nsw i64 %v99, 192
  %v201 = getelementptr i8, ptr %v10, i64 %v200
  %v202 = getelementptr i8, ptr %v10, i64 1152
  %v187 = icmp slt i64 %v99, 6
  br i1 %v187, label %pack.2.loop185, label %pack.2.done186
pack.2.loop185:
  %v192 = phi ptr [ %v201, %pack.2.done102 ], [ %v199, %pack.0.done190 ]
  %v196 = getelementptr i8, ptr %v192, i64 128
  br label %pack.0.loop189
pack.0.loop189:
  %v193 = phi ptr [ %v192, %pack.2.loop185 ], [ %v195, %pack.0.loop189 ]
  store <2 x float> splat (float 0x0000000000000000), ptr %v193, align 8
  %v194 = getelementptr i8, ptr %v193, i64 8
  %v195 = freeze ptr %v194
  %v197 = icmp ne ptr %v195, %v196
  br i1 %v197, label %pack.0.loop189, label %pack.0.done190
pack.0.done190:
  %v198 = getelementptr i8, ptr %v192, i64 192
  %v199 = freeze ptr %v198
  %v203 = icmp ne ptr %v199, %v202
  br i1 %v203, label %pack.2.loop185, label %pack.2.done186
pack.2.done186:
  %v236 = getelementptr i8, ptr %v10, i64 128
  br label %n_i.second1.loop204
n_i.second1.loop204:
  %v210 = phi ptr [ %v10, %pack.2.done186 ], [ %v235, %tl1_i.second1.done208 ]
  %v223 = phi ptr [ %v9, %pack.2.done186 ], [ %v238, %tl1_i.second1.done208 ]
  %v230 = getelementptr i8, ptr %v210, i64 768
  br label %tl1_i.second1.loop207
tl1_i.second1.loop207:
  %v211 = phi ptr [ %v210, %n_i.second1.loop204 ], [ %v229, %tl1_i.second1.loop207 ]
  %v224 = phi ptr [ %v223, %n_i.second1.loop204 ], [ %v232, %tl1_i.second1.loop207 ]
  %v212 = load <2 x float>, ptr %v211, align 8
  %v213 = getelementptr i8, ptr %v211, i64 192
  %v214 = load <2 x float>, ptr %v213, align 8
  %v215 = getelementptr i8, ptr %v211, i64 384
  %v216 = load <2 x float>, ptr %v215, align 8
  %v217 = getelementptr i8, ptr %v211, i64 576
  %v218 = load <2 x float>, ptr %v217, align 8
  %v219 = fsub <2 x float> %v216, %v212
  %v220 = fadd <2 x float> %v214, %v216
  %v221 = fsub <2 x float> %v216, %v214
  %v222 = fsub <2 x float> %v218, %v214
  store <2 x float> %v219, ptr %v224, align 8
  %v225 = getelementptr i8, ptr %v224, i64 8
  store <2 x float> %v220, ptr %v225, align 8
  %v226 = getelementptr i8, ptr %v224, i64 16
  store <2 x float> %v221, ptr %v226, align 8
  %v227 = getelementptr i8, ptr %v224, i64 24
  store <2 x float> %v222, ptr %v227, align 8
  %v228 = getelementptr i8, ptr %v211, i64 384
  %v229 = freeze ptr %v228
  %v231 = getelementptr i8, ptr %v224, i64 32
  %v232 = freeze ptr %v231
  %v233 = icmp ne ptr %v229, %v230
  br i1 %v233, label %tl1_i.second1.loop207, label %tl1_i.second1.done208
tl1_i.second1.done208:
  %v234 = getelementptr i8, ptr %v210, i64 8
  %v235 = freeze ptr %v234
  %v237 = getelementptr i8, ptr %v223, i64 128
  %v238 = freeze ptr %v237
  %v239 = icmp ne ptr %v235, %v236
  br i1 %v239, label %n_i.second1.loop204, label %n_i.second1.done205
n_i.second1.done205:
  %v287 = getelementptr i8, ptr %v8, i64 16
  br label %q1.second.loop240
q1.second.loop240:
  %v253 = phi ptr [ %v8, %n_i.second1.done205 ], [ %v286, %tl2_i.second.done244 ]
  %v257 = phi ptr [ %v9, %n_i.second1.done205 ], [ %v289, %tl2_i.second.done244 ]
  %v279 = phi ptr [ %v7, %n_i.second1.done205 ], [ %v291, %tl2_i.second.done244 ]
  %v275 = getelementptr i8, ptr %v253, i64 32
  br label %tl2_i.second.loop243
tl2_i.second.loop243:
  %v254 = phi ptr [ %v253, %q1.second.loop240 ], [ %v274, %n_i.second.done249 ]
  %v258 = phi ptr [ %v257, %q1.second.loop240 ], [ %v277, %n_i.second.done249 ]
  %v246 = phi <2 x float> [ splat (float 0x0000000000000000), %q1.second.loop240 ], [ %v263, %n_i.second.done249 ]
  %v247 = phi <2 x float> [ splat (float 0x0000000000000000), %q1.second.loop240 ], [ %v268, %n_i.second.done249 ]
  br label %n_i.second.loop248
n_i.second.loop248:
  %v269 = phi i64 [ 0, %tl2_i.second.loop243 ], [ %v271, %n_i.second.loop248 ]
  %v251 = phi <2 x float> [ %v246, %tl2_i.second.loop243 ], [ %v263, %n_i.second.loop248 ]
  %v252 = phi <2 x float> [ %v247, %tl2_i.second.loop243 ], [ %v268, %n_i.second.loop248 ]
  %v255 = getelementptr i8, ptr %v254, i64 %v269
  %v259 = getelementptr i8, ptr %v258, i64 %v269
  %v256 = load float, ptr %v255, align 4
  %v260 = load <2 x float>, ptr %v259, align 8
  %v261 = insertelement <2 x float> poison, float %v256, i64 0
  %v262 = shufflevector <2 x float> %v261, <2 x float> poison, <2 x i32> zeroinitializer
  %v263 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v262, <2 x float> %v260, <2 x float> %v251)
  %v264 = getelementptr i8, ptr %v255, i64 32
  %v265 = load float, ptr %v264, align 4
  %v266 = insertelement <2 x float> poison, float %v265, i64 0
  %v267 = shufflevector <2 x float> %v266, <2 x float> poison, <2 x i32> zeroinitializer
  %v268 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v267, <2 x float> %v260, <2 x float> %v252)
  %v270 = add nsw i64 %v269, 128
  %v271 = freeze i64 %v270
  %v272 = icmp ne i64 %v271, 2048
  br i1 %v272, label %n_i.second.loop248, label %n_i.second.done249
n_i.second.done249:
  %v273 = getelementptr i8, ptr %v254, i64 16
  %v274 = freeze ptr %v273
  %v276 = getelementptr i8, ptr %v258, i64 32
  %v277 = freeze ptr %v276
  %v278 = icmp ne ptr %v274, %v275
  br i1 %v278, label %tl2_i.second.loop243, label %tl2_i.second.done244
tl2_i.second.done244:
  %v280 = load <2 x float>, ptr %v279, align 8
  %v281 = fadd <2 x float> %v263, %v280
  store <2 x float> %v281, ptr %v279, align 8
  %v282 = getelementptr i8, ptr %v279, i64 8
  %v283 = load <2 x float>, ptr %v282, align 8
  %v284 = fadd <2 x float> %v268, %v283
  store <2 x float> %v284, ptr %v282, align 8
  %v285 = getelementptr i8, ptr %v253, i64 4
  %v286 = freeze ptr %v285
  %v288 = getelementptr i8, ptr %v257, i64 8
  %v289 = freeze ptr %v288
  %v290 = getelementptr i8, ptr %v279, i64 16
  %v291 = freeze ptr %v290
  %v292 = icmp ne ptr %v286, %v287
  br i1 %v292, label %q1.second.loop240, label %q1.second.done241
q1.second.done241:
  %v294 = add nsw i64 %v33, 1
  %v295 = freeze i64 %v294
  %v296 = add nsw i64 %v293, 256
  %v297 = freeze i64 %v296
  %v298 = icmp ne i64 %v295, 2
  br i1 %v298, label %tl2_o.loop31, label %tl2_o.done32
tl2_o.done32:
  %v319 = getelementptr i8, ptr %v7, i64 16
  br label %f3.loop299
f3.loop299:
  %v305 = phi ptr [ %v7, %tl2_o.done32 ], [ %v318, %q2.done303 ]
  %v309 = phi ptr [ %v308, %tl2_o.done32 ], [ %v321, %q2.done303 ]
  %v313 = getelementptr i8, ptr %v305, i64 64
  br label %q2.loop302
q2.loop302:
  %v306 = phi ptr [ %v305, %f3.loop299 ], [ %v312, %q2.loop302 ]
  %v310 = phi ptr [ %v309, %f3.loop299 ], [ %v315, %q2.loop302 ]
  %v307 = load <2 x float>, ptr %v306, align 8
  store <2 x float> %v307, ptr %v310, align 4
  %v311 = getelementptr i8, ptr %v306, i64 16
  %v312 = freeze ptr %v311
  %v314 = getelementptr i8, ptr %v310, i64 8
  %v315 = freeze ptr %v314
  %v316 = icmp ne ptr %v312, %v313
  br i1 %v316, label %q2.loop302, label %q2.done303
q2.done303:
  %v317 = getelementptr i8, ptr %v305, i64 8
  %v318 = freeze ptr %v317
  %v320 = getelementptr i8, ptr %v309, i64 32
  %v321 = freeze ptr %v320
  %v322 = icmp ne ptr %v318, %v319
  br i1 %v322, label %f3.loop299, label %f3.done300
f3.done300:
  %v324 = add nsw i64 %v323, 896
  %v325 = freeze i64 %v324
  %v328 = getelementptr i8, ptr %v308, i64 64
  %v329 = freeze ptr %v328
  %v332 = icmp ne i64 %v325, %v327
  br i1 %v332, label %items.loop11, label %items.done12
items.done12:
  ret void
}
