define void @k_89686379ad6d954d(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr i8, ptr %scratch, i64 0
  %v8 = getelementptr i8, ptr %scratch, i64 64
  %v9 = getelementptr i8, ptr %scratch, i64 3136
  %v10 = getelementptr i8, ptr %scratch, i64 6208
  %v293 = mul nsw i64 %lo, 896
  %v294 = mul nsw i64 %hi, 896
  %v297 = mul nsw i64 %lo, 64
  %v298 = getelementptr i8, ptr %v6, i64 %v297
  %v13 = icmp slt i64 %lo, %hi
  br i1 %v13, label %items.loop11, label %items.done12
items.loop11:
  %v290 = phi i64 [ %v293, %entry ], [ %v292, %f3.done267 ]
  %v275 = phi ptr [ %v298, %entry ], [ %v296, %f3.done267 ]
  %v37 = getelementptr i8, ptr %v4, i64 %v290
  %v84 = getelementptr i8, ptr %v2, i64 %v290
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
  %v69 = getelementptr i8, ptr %v37, i64 896
  br label %f1.loop31
f1.loop31:
  %v38 = phi ptr [ %v37, %q.done16 ], [ %v68, %tl.done35 ]
  %v51 = phi ptr [ %v8, %q.done16 ], [ %v71, %tl.done35 ]
  br label %tl.loop34
tl.loop34:
  %v36 = phi i64 [ 0, %f1.loop31 ], [ %v61, %endif45 ]
  %v39 = phi ptr [ %v38, %f1.loop31 ], [ %v63, %endif45 ]
  %v52 = phi ptr [ %v51, %f1.loop31 ], [ %v65, %endif45 ]
  %v41 = mul nsw i64 %v36, -2
  %v42 = add nsw i64 %v41, 5
  %v40 = load <16 x float>, ptr %v39, align 64
  %v43 = icmp sge i64 %v42, 0
  br i1 %v43, label %then44, label %endif45
then44:
  %v46 = getelementptr i8, ptr %v39, i64 64
  %v47 = load <16 x float>, ptr %v46, align 64
  br label %endif45
endif45:
  %v48 = phi <16 x float> [ splat (float 0x0000000000000000), %tl.loop34 ], [ %v47, %then44 ]
  %v49 = fadd <16 x float> %v40, %v48
  %v50 = fsub <16 x float> %v40, %v48
  %v53 = getelementptr i8, ptr %v52, <16 x i64> <i64 0, i64 192, i64 384, i64 576, i64 768, i64 960, i64 1152, i64 1344, i64 1536, i64 1728, i64 1920, i64 2112, i64 2304, i64 2496, i64 2688, i64 2880>
  call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v40, <16 x ptr> %v53, i32 4, <16 x i1> splat (i1 true))
  %v54 = getelementptr i8, ptr %v52, i64 4
  %v55 = getelementptr i8, ptr %v54, <16 x i64> <i64 0, i64 192, i64 384, i64 576, i64 768, i64 960, i64 1152, i64 1344, i64 1536, i64 1728, i64 1920, i64 2112, i64 2304, i64 2496, i64 2688, i64 2880>
  call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v49, <16 x ptr> %v55, i32 4, <16 x i1> splat (i1 true))
  %v56 = getelementptr i8, ptr %v52, i64 8
  %v57 = getelementptr i8, ptr %v56, <16 x i64> <i64 0, i64 192, i64 384, i64 576, i64 768, i64 960, i64 1152, i64 1344, i64 1536, i64 1728, i64 1920, i64 2112, i64 2304, i64 2496, i64 2688, i64 2880>
  call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v50, <16 x ptr> %v57, i32 4, <16 x i1> splat (i1 true))
  %v58 = getelementptr i8, ptr %v52, i64 12
  %v59 = getelementptr i8, ptr %v58, <16 x i64> <i64 0, i64 192, i64 384, i64 576, i64 768, i64 960, i64 1152, i64 1344, i64 1536, i64 1728, i64 1920, i64 2112, i64 2304, i64 2496, i64 2688, i64 2880>
  call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v48, <16 x ptr> %v59, i32 4, <16 x i1> splat (i1 true))
  %v60 = add nsw i64 %v36, 1
  %v61 = freeze i64 %v60
  %v62 = getelementptr i8, ptr %v39, i64 128
  %v63 = freeze ptr %v62
  %v64 = getelementptr i8, ptr %v52, i64 16
  %v65 = freeze ptr %v64
  %v66 = icmp ne i64 %v61, 4
  br i1 %v66, label %tl.loop34, label %tl.done35
tl.done35:
  %v67 = getelementptr i8, ptr %v38, i64 448
  %v68 = freeze ptr %v67
  %v70 = getelementptr i8, ptr %v51, i64 64
  %v71 = freeze ptr %v70
  %v72 = icmp ne ptr %v68, %v69
  br i1 %v72, label %f1.loop31, label %f1.done32
f1.done32:
  %v79 = getelementptr i8, ptr %v10, i64 128
  br label %pack.0.loop73
pack.0.loop73:
  %v76 = phi ptr [ %v10, %f1.done32 ], [ %v78, %pack.0.loop73 ]
  store <2 x float> splat (float 0x0000000000000000), ptr %v76, align 8
  %v77 = getelementptr i8, ptr %v76, i64 8
  %v78 = freeze ptr %v77
  %v80 = icmp ne ptr %v78, %v79
  br i1 %v80, label %pack.0.loop73, label %pack.0.done74
pack.0.done74:
  %v154 = getelementptr i8, ptr %v84, i64 64
  %v155 = getelementptr i8, ptr %v84, i64 512
  %v158 = getelementptr i8, ptr %v10, i64 192
  br label %pack.2.loop81
pack.2.loop81:
  %v85 = phi ptr [ %v154, %pack.0.done74 ], [ %v153, %pack.2.loop81 ]
  %v136 = phi ptr [ %v158, %pack.0.done74 ], [ %v157, %pack.2.loop81 ]
  %v86 = getelementptr i8, ptr %v85, i64 -64
  %v87 = load <16 x float>, ptr %v86, align 64
  %v88 = getelementptr i8, ptr %v85, i64 384
  %v89 = load <16 x float>, ptr %v88, align 64
  %v90 = shufflevector <16 x float> %v87, <16 x float> %v89, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v91 = shufflevector <16 x float> %v87, <16 x float> %v89, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v92 = shufflevector <16 x float> %v90, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v93 = shufflevector <16 x float> %v90, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v94 = shufflevector <16 x float> %v91, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v95 = shufflevector <16 x float> %v91, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v96 = shufflevector <16 x float> %v92, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v97 = shufflevector <16 x float> %v92, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v98 = shufflevector <16 x float> %v94, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v99 = shufflevector <16 x float> %v94, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v100 = shufflevector <16 x float> %v93, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v101 = shufflevector <16 x float> %v93, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v102 = shufflevector <16 x float> %v95, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v103 = shufflevector <16 x float> %v95, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v104 = shufflevector <16 x float> %v96, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v105 = shufflevector <16 x float> %v96, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v106 = shufflevector <16 x float> %v98, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v107 = shufflevector <16 x float> %v98, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v108 = shufflevector <16 x float> %v100, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v109 = shufflevector <16 x float> %v100, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v110 = shufflevector <16 x float> %v102, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v111 = shufflevector <16 x float> %v102, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v112 = shufflevector <16 x float> %v97, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v113 = shufflevector <16 x float> %v97, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v114 = shufflevector <16 x float> %v99, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v115 = shufflevector <16 x float> %v99, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v116 = shufflevector <16 x float> %v101, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v117 = shufflevector <16 x float> %v101, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v118 = shufflevector <16 x float> %v103, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v119 = shufflevector <16 x float> %v103, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v120 = shufflevector <16 x float> %v104, <16 x float> %v104, <2 x i32> <i32 0, i32 1>
  %v121 = shufflevector <16 x float> %v106, <16 x float> %v106, <2 x i32> <i32 0, i32 1>
  %v122 = shufflevector <16 x float> %v108, <16 x float> %v108, <2 x i32> <i32 0, i32 1>
  %v123 = shufflevector <16 x float> %v110, <16 x float> %v110, <2 x i32> <i32 0, i32 1>
  %v124 = shufflevector <16 x float> %v112, <16 x float> %v112, <2 x i32> <i32 0, i32 1>
  %v125 = shufflevector <16 x float> %v114, <16 x float> %v114, <2 x i32> <i32 0, i32 1>
  %v126 = shufflevector <16 x float> %v116, <16 x float> %v116, <2 x i32> <i32 0, i32 1>
  %v127 = shufflevector <16 x float> %v118, <16 x float> %v118, <2 x i32> <i32 0, i32 1>
  %v128 = shufflevector <16 x float> %v105, <16 x float> %v105, <2 x i32> <i32 0, i32 1>
  %v129 = shufflevector <16 x float> %v107, <16 x float> %v107, <2 x i32> <i32 0, i32 1>
  %v130 = shufflevector <16 x float> %v109, <16 x float> %v109, <2 x i32> <i32 0, i32 1>
  %v131 = shufflevector <16 x float> %v111, <16 x float> %v111, <2 x i32> <i32 0, i32 1>
  %v132 = shufflevector <16 x float> %v113, <16 x float> %v113, <2 x i32> <i32 0, i32 1>
  %v133 = shufflevector <16 x float> %v115, <16 x float> %v115, <2 x i32> <i32 0, i32 1>
  %v134 = shufflevector <16 x float> %v117, <16 x float> %v117, <2 x i32> <i32 0, i32 1>
  %v135 = shufflevector <16 x float> %v119, <16 x float> %v119, <2 x i32> <i32 0, i32 1>
  store <2 x float> %v120, ptr %v136, align 8
  %v137 = getelementptr i8, ptr %v136, i64 8
  store <2 x float> %v121, ptr %v137, align 8
  %v138 = getelementptr i8, ptr %v136, i64 16
  store <2 x float> %v122, ptr %v138, align 8
  %v139 = getelementptr i8, ptr %v136, i64 24
  store <2 x float> %v123, ptr %v139, align 8
  %v140 = getelementptr i8, ptr %v136, i64 32
  store <2 x float> %v124, ptr %v140, align 8
  %v141 = getelementptr i8, ptr %v136, i64 40
  store <2 x float> %v125, ptr %v141, align 8
  %v142 = getelementptr i8, ptr %v136, i64 48
  store <2 x float> %v126, ptr %v142, align 8
  %v143 = getelementptr i8, ptr %v136, i64 56
  store <2 x float> %v127, ptr %v143, align 8
  %v144 = getelementptr i8, ptr %v136, i64 64
  store <2 x float> %v128, ptr %v144, align 8
  %v145 = getelementptr i8, ptr %v136, i64 72
  store <2 x float> %v129, ptr %v145, align 8
  %v146 = getelementptr i8, ptr %v136, i64 80
  store <2 x float> %v130, ptr %v146, align 8
  %v147 = getelementptr i8, ptr %v136, i64 88
  store <2 x float> %v131, ptr %v147, align 8
  %v148 = getelementptr i8, ptr %v136, i64 96
  store <2 x float> %v132, ptr %v148, align 8
  %v149 = getelementptr i8, ptr %v136, i64 104
  store <2 x float> %v133, ptr %v149, align 8
  %v150 = getelementptr i8, ptr %v136, i64 112
  store <2 x float> %v134, ptr %v150, align 8
  %v151 = getelementptr i8, ptr %v136, i64 120
  store <2 x float> %v135, ptr %v151, align 8
  %v152 = getelementptr i8, ptr %v85, i64 64
  %v153 = freeze ptr %v152
  %v156 = getelementptr i8, ptr %v136, i64 192
  %v157 = freeze ptr %v156
  %v159 = icmp ne ptr %v153, %v155
  br i1 %v159, label %pack.2.loop81, label %pack.2.done82
pack.2.done82:
  %v174 = getelementptr i8, ptr %v10, i64 1536
  %v175 = getelementptr i8, ptr %v10, i64 1920
  br label %pack.2.loop160
pack.2.loop160:
  %v166 = phi ptr [ %v174, %pack.2.done82 ], [ %v173, %pack.0.done164 ]
  %v170 = getelementptr i8, ptr %v166, i64 128
  br label %pack.0.loop163
pack.0.loop163:
  %v167 = phi ptr [ %v166, %pack.2.loop160 ], [ %v169, %pack.0.loop163 ]
  store <2 x float> splat (float 0x0000000000000000), ptr %v167, align 8
  %v168 = getelementptr i8, ptr %v167, i64 8
  %v169 = freeze ptr %v168
  %v171 = icmp ne ptr %v169, %v170
  br i1 %v171, label %pack.0.loop163, label %pack.0.done164
pack.0.done164:
  %v172 = getelementptr i8, ptr %v166, i64 192
  %v173 = freeze ptr %v172
  %v176 = icmp ne ptr %v173, %v175
  br i1 %v176, label %pack.2.loop160, label %pack.2.done161
pack.2.done161:
  %v209 = getelementptr i8, ptr %v10, i64 128
  br label %n_i.second1.loop177
n_i.second1.loop177:
  %v183 = phi ptr [ %v10, %pack.2.done161 ], [ %v208, %tl1.second1.done181 ]
  %v196 = phi ptr [ %v9, %pack.2.done161 ], [ %v211, %tl1.second1.done181 ]
  %v203 = getelementptr i8, ptr %v183, i64 1536
  br label %tl1.second1.loop180
tl1.second1.loop180:
  %v184 = phi ptr [ %v183, %n_i.second1.loop177 ], [ %v202, %tl1.second1.loop180 ]
  %v197 = phi ptr [ %v196, %n_i.second1.loop177 ], [ %v205, %tl1.second1.loop180 ]
  %v185 = load <2 x float>, ptr %v184, align 8
  %v186 = getelementptr i8, ptr %v184, i64 192
  %v187 = load <2 x float>, ptr %v186, align 8
  %v188 = getelementptr i8, ptr %v184, i64 384
  %v189 = load <2 x float>, ptr %v188, align 8
  %v190 = getelementptr i8, ptr %v184, i64 576
  %v191 = load <2 x float>, ptr %v190, align 8
  %v192 = fsub <2 x float> %v189, %v185
  %v193 = fadd <2 x float> %v187, %v189
  %v194 = fsub <2 x float> %v189, %v187
  %v195 = fsub <2 x float> %v191, %v187
  store <2 x float> %v192, ptr %v197, align 8
  %v198 = getelementptr i8, ptr %v197, i64 8
  store <2 x float> %v193, ptr %v198, align 8
  %v199 = getelementptr i8, ptr %v197, i64 16
  store <2 x float> %v194, ptr %v199, align 8
  %v200 = getelementptr i8, ptr %v197, i64 24
  store <2 x float> %v195, ptr %v200, align 8
  %v201 = getelementptr i8, ptr %v184, i64 384
  %v202 = freeze ptr %v201
  %v204 = getelementptr i8, ptr %v197, i64 32
  %v205 = freeze ptr %v204
  %v206 = icmp ne ptr %v202, %v203
  br i1 %v206, label %tl1.second1.loop180, label %tl1.second1.done181
tl1.second1.done181:
  %v207 = getelementptr i8, ptr %v183, i64 8
  %v208 = freeze ptr %v207
  %v210 = getelementptr i8, ptr %v196, i64 192
  %v211 = freeze ptr %v210
  %v212 = icmp ne ptr %v208, %v209
  br i1 %v212, label %n_i.second1.loop177, label %n_i.second1.done178
n_i.second1.done178:
  %v260 = getelementptr i8, ptr %v8, i64 16
  br label %q1.second.loop213
q1.second.loop213:
  %v226 = phi ptr [ %v8, %n_i.second1.done178 ], [ %v259, %tl2.second.done217 ]
  %v230 = phi ptr [ %v9, %n_i.second1.done178 ], [ %v262, %tl2.second.done217 ]
  %v252 = phi ptr [ %v7, %n_i.second1.done178 ], [ %v264, %tl2.second.done217 ]
  %v248 = getelementptr i8, ptr %v226, i64 64
  br label %tl2.second.loop216
tl2.second.loop216:
  %v227 = phi ptr [ %v226, %q1.second.loop213 ], [ %v247, %n_i.second.done222 ]
  %v231 = phi ptr [ %v230, %q1.second.loop213 ], [ %v250, %n_i.second.done222 ]
  %v219 = phi <2 x float> [ splat (float 0x0000000000000000), %q1.second.loop213 ], [ %v236, %n_i.second.done222 ]
  %v220 = phi <2 x float> [ splat (float 0x0000000000000000), %q1.second.loop213 ], [ %v241, %n_i.second.done222 ]
  br label %n_i.second.loop221
n_i.second.loop221:
  %v242 = phi i64 [ 0, %tl2.second.loop216 ], [ %v244, %n_i.second.loop221 ]
  %v224 = phi <2 x float> [ %v219, %tl2.second.loop216 ], [ %v236, %n_i.second.loop221 ]
  %v225 = phi <2 x float> [ %v220, %tl2.second.loop216 ], [ %v241, %n_i.second.loop221 ]
  %v228 = getelementptr i8, ptr %v227, i64 %v242
  %v232 = getelementptr i8, ptr %v231, i64 %v242
  %v229 = load float, ptr %v228, align 4
  %v233 = load <2 x float>, ptr %v232, align 8
  %v234 = insertelement <2 x float> poison, float %v229, i64 0
  %v235 = shufflevector <2 x float> %v234, <2 x float> poison, <2 x i32> zeroinitializer
  %v236 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v235, <2 x float> %v233, <2 x float> %v224)
  %v237 = getelementptr i8, ptr %v228, i64 64
  %v238 = load float, ptr %v237, align 4
  %v239 = insertelement <2 x float> poison, float %v238, i64 0
  %v240 = shufflevector <2 x float> %v239, <2 x float> poison, <2 x i32> zeroinitializer
  %v241 = call <2 x float> @llvm.fma.v2f32(<2 x float> %v240, <2 x float> %v233, <2 x float> %v225)
  %v243 = add nsw i64 %v242, 192
  %v244 = freeze i64 %v243
  %v245 = icmp ne i64 %v244, 3072
  br i1 %v245, label %n_i.second.loop221, label %n_i.second.done222
n_i.second.done222:
  %v246 = getelementptr i8, ptr %v227, i64 16
  %v247 = freeze ptr %v246
  %v249 = getelementptr i8, ptr %v231, i64 32
  %v250 = freeze ptr %v249
  %v251 = icmp ne ptr %v247, %v248
  br i1 %v251, label %tl2.second.loop216, label %tl2.second.done217
tl2.second.done217:
  %v253 = load <2 x float>, ptr %v252, align 8
  %v254 = fadd <2 x float> %v236, %v253
  store <2 x float> %v254, ptr %v252, align 8
  %v255 = getelementptr i8, ptr %v252, i64 8
  %v256 = load <2 x float>, ptr %v255, align 8
  %v257 = fadd <2 x float> %v241, %v256
  store <2 x float> %v257, ptr %v255, align 8
  %v258 = getelementptr i8, ptr %v226, i64 4
  %v259 = freeze ptr %v258
  %v261 = getelementptr i8, ptr %v230, i64 8
  %v262 = freeze ptr %v261
  %v263 = getelementptr i8, ptr %v252, i64 16
  %v264 = freeze ptr %v263
  %v265 = icmp ne ptr %v259, %v260
  br i1 %v265, label %q1.second.loop213, label %q1.second.done214
q1.second.done214:
  %v286 = getelementptr i8, ptr %v7, i64 16
  br label %f3.loop266
f3.loop266:
  %v272 = phi ptr [ %v7, %q1.second.done214 ], [ %v285, %q2.done270 ]
  %v276 = phi ptr [ %v275, %q1.second.done214 ], [ %v288, %q2.done270 ]
  %v280 = getelementptr i8, ptr %v272, i64 64
  br label %q2.loop269
q2.loop269:
  %v273 = phi ptr [ %v272, %f3.loop266 ], [ %v279, %q2.loop269 ]
  %v277 = phi ptr [ %v276, %f3.loop266 ], [ %v282, %q2.loop269 ]
  %v274 = load <2 x float>, ptr %v273, align 8
  store <2 x float> %v274, ptr %v277, align 4
  %v278 = getelementptr i8, ptr %v273, i64 16
  %v279 = freeze ptr %v278
  %v281 = getelementptr i8, ptr %v277, i64 8
  %v282 = freeze ptr %v281
  %v283 = icmp ne ptr %v279, %v280
  br i1 %v283, label %q2.loop269, label %q2.done270
q2.done270:
  %v284 = getelementptr i8, ptr %v272, i64 8
  %v285 = freeze ptr %v284
  %v287 = getelementptr i8, ptr %v276, i64 32
  %v288 = freeze ptr %v287
  %v289 = icmp ne ptr %v285, %v286
  br i1 %v289, label %f3.loop266, label %f3.done267
f3.done267:
  %v291 = add nsw i64 %v290, 896
  %v292 = freeze i64 %v291
  %v295 = getelementptr i8, ptr %v275, i64 64
  %v296 = freeze ptr %v295
  %v299 = icmp ne i64 %v292, %v294
  br i1 %v299, label %items.loop11, label %items.done12
items.done12:
  ret void
}
