define void @k_bfd7d4e72999dd42(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr inbounds ptr, ptr %args, i64 3
  %v8 = load ptr, ptr %v7, align 8
  %v153 = mul nsw i64 %lo, 24
  %v154 = getelementptr i8, ptr %v6, i64 %v153
  %v155 = mul nsw i64 %hi, 24
  %v156 = getelementptr i8, ptr %v6, i64 %v155
  %v159 = mul nsw i64 %lo, 480
  %v160 = getelementptr i8, ptr %v4, i64 %v159
  %v163 = mul nsw i64 %lo, 384
  %v164 = getelementptr i8, ptr %v8, i64 %v163
  %v11 = icmp slt i64 %lo, %hi
  br i1 %v11, label %items.loop9, label %items.done10
items.loop9:
  %v13 = phi ptr [ %v154, %entry ], [ %v152, %f.done38 ]
  %v64 = phi ptr [ %v160, %entry ], [ %v158, %f.done38 ]
  %v127 = phi ptr [ %v164, %entry ], [ %v162, %f.done38 ]
  %v14 = load float, ptr %v13, align 4
  %v15 = insertelement <16 x float> poison, float %v14, i64 0
  %v16 = shufflevector <16 x float> %v15, <16 x float> poison, <16 x i32> zeroinitializer
  %v17 = getelementptr i8, ptr %v13, i64 4
  %v18 = load float, ptr %v17, align 4
  %v19 = insertelement <16 x float> poison, float %v18, i64 0
  %v20 = shufflevector <16 x float> %v19, <16 x float> poison, <16 x i32> zeroinitializer
  %v21 = getelementptr i8, ptr %v13, i64 8
  %v22 = load float, ptr %v21, align 4
  %v23 = insertelement <16 x float> poison, float %v22, i64 0
  %v24 = shufflevector <16 x float> %v23, <16 x float> poison, <16 x i32> zeroinitializer
  %v25 = getelementptr i8, ptr %v13, i64 12
  %v26 = load float, ptr %v25, align 4
  %v27 = insertelement <16 x float> poison, float %v26, i64 0
  %v28 = shufflevector <16 x float> %v27, <16 x float> poison, <16 x i32> zeroinitializer
  %v29 = getelementptr i8, ptr %v13, i64 16
  %v30 = load float, ptr %v29, align 4
  %v31 = insertelement <16 x float> poison, float %v30, i64 0
  %v32 = shufflevector <16 x float> %v31, <16 x float> poison, <16 x i32> zeroinitializer
  %v33 = getelementptr i8, ptr %v13, i64 20
  %v34 = load float, ptr %v33, align 4
  %v35 = insertelement <16 x float> poison, float %v34, i64 0
  %v36 = shufflevector <16 x float> %v35, <16 x float> poison, <16 x i32> zeroinitializer
  %v123 = getelementptr i8, ptr %v64, i64 80
  br label %f.loop37
f.loop37:
  %v65 = phi ptr [ %v64, %items.loop9 ], [ %v122, %f.loop37 ]
  %v67 = phi ptr [ %v2, %items.loop9 ], [ %v125, %f.loop37 ]
  %v40 = phi <16 x float> [ %v16, %items.loop9 ], [ %v71, %f.loop37 ]
  %v41 = phi <16 x float> [ %v16, %items.loop9 ], [ %v74, %f.loop37 ]
  %v42 = phi <16 x float> [ %v16, %items.loop9 ], [ %v77, %f.loop37 ]
  %v43 = phi <16 x float> [ %v16, %items.loop9 ], [ %v80, %f.loop37 ]
  %v44 = phi <16 x float> [ %v20, %items.loop9 ], [ %v85, %f.loop37 ]
  %v45 = phi <16 x float> [ %v20, %items.loop9 ], [ %v86, %f.loop37 ]
  %v46 = phi <16 x float> [ %v20, %items.loop9 ], [ %v87, %f.loop37 ]
  %v47 = phi <16 x float> [ %v20, %items.loop9 ], [ %v88, %f.loop37 ]
  %v48 = phi <16 x float> [ %v24, %items.loop9 ], [ %v93, %f.loop37 ]
  %v49 = phi <16 x float> [ %v24, %items.loop9 ], [ %v94, %f.loop37 ]
  %v50 = phi <16 x float> [ %v24, %items.loop9 ], [ %v95, %f.loop37 ]
  %v51 = phi <16 x float> [ %v24, %items.loop9 ], [ %v96, %f.loop37 ]
  %v52 = phi <16 x float> [ %v28, %items.loop9 ], [ %v101, %f.loop37 ]
  %v53 = phi <16 x float> [ %v28, %items.loop9 ], [ %v102, %f.loop37 ]
  %v54 = phi <16 x float> [ %v28, %items.loop9 ], [ %v103, %f.loop37 ]
  %v55 = phi <16 x float> [ %v28, %items.loop9 ], [ %v104, %f.loop37 ]
  %v56 = phi <16 x float> [ %v32, %items.loop9 ], [ %v109, %f.loop37 ]
  %v57 = phi <16 x float> [ %v32, %items.loop9 ], [ %v110, %f.loop37 ]
  %v58 = phi <16 x float> [ %v32, %items.loop9 ], [ %v111, %f.loop37 ]
  %v59 = phi <16 x float> [ %v32, %items.loop9 ], [ %v112, %f.loop37 ]
  %v60 = phi <16 x float> [ %v36, %items.loop9 ], [ %v117, %f.loop37 ]
  %v61 = phi <16 x float> [ %v36, %items.loop9 ], [ %v118, %f.loop37 ]
  %v62 = phi <16 x float> [ %v36, %items.loop9 ], [ %v119, %f.loop37 ]
  %v63 = phi <16 x float> [ %v36, %items.loop9 ], [ %v120, %f.loop37 ]
  %v66 = load float, ptr %v65, align 4
  %v68 = load <16 x float>, ptr %v67, align 64
  %v69 = insertelement <16 x float> poison, float %v66, i64 0
  %v70 = shufflevector <16 x float> %v69, <16 x float> poison, <16 x i32> zeroinitializer
  %v71 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v70, <16 x float> %v40)
  %v72 = getelementptr i8, ptr %v67, i64 1280
  %v73 = load <16 x float>, ptr %v72, align 64
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v70, <16 x float> %v41)
  %v75 = getelementptr i8, ptr %v67, i64 2560
  %v76 = load <16 x float>, ptr %v75, align 64
  %v77 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v70, <16 x float> %v42)
  %v78 = getelementptr i8, ptr %v67, i64 3840
  %v79 = load <16 x float>, ptr %v78, align 64
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v70, <16 x float> %v43)
  %v81 = getelementptr i8, ptr %v65, i64 80
  %v82 = load float, ptr %v81, align 4
  %v83 = insertelement <16 x float> poison, float %v82, i64 0
  %v84 = shufflevector <16 x float> %v83, <16 x float> poison, <16 x i32> zeroinitializer
  %v85 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v84, <16 x float> %v44)
  %v86 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v84, <16 x float> %v45)
  %v87 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v84, <16 x float> %v46)
  %v88 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v84, <16 x float> %v47)
  %v89 = getelementptr i8, ptr %v65, i64 160
  %v90 = load float, ptr %v89, align 4
  %v91 = insertelement <16 x float> poison, float %v90, i64 0
  %v92 = shufflevector <16 x float> %v91, <16 x float> poison, <16 x i32> zeroinitializer
  %v93 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v92, <16 x float> %v48)
  %v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v92, <16 x float> %v49)
  %v95 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v92, <16 x float> %v50)
  %v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v92, <16 x float> %v51)
  %v97 = getelementptr i8, ptr %v65, i64 240
  %v98 = load float, ptr %v97, align 4
  %v99 = insertelement <16 x float> poison, float %v98, i64 0
  %v100 = shufflevector <16 x float> %v99, <16 x float> poison, <16 x i32> zeroinitializer
  %v101 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v100, <16 x float> %v52)
  %v102 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v100, <16 x float> %v53)
  %v103 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v100, <16 x float> %v54)
  %v104 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v100, <16 x float> %v55)
  %v105 = getelementptr i8, ptr %v65, i64 320
  %v106 = load float, ptr %v105, align 4
  %v107 = insertelement <16 x float> poison, float %v106, i64 0
  %v108 = shufflevector <16 x float> %v107, <16 x float> poison, <16 x i32> zeroinitializer
  %v109 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v108, <16 x float> %v56)
  %v110 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v108, <16 x float> %v57)
  %v111 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v108, <16 x float> %v58)
  %v112 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v108, <16 x float> %v59)
  %v113 = getelementptr i8, ptr %v65, i64 400
  %v114 = load float, ptr %v113, align 4
  %v115 = insertelement <16 x float> poison, float %v114, i64 0
  %v116 = shufflevector <16 x float> %v115, <16 x float> poison, <16 x i32> zeroinitializer
  %v117 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v68, <16 x float> %v116, <16 x float> %v60)
  %v118 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %v116, <16 x float> %v61)
  %v119 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v116, <16 x float> %v62)
  %v120 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v116, <16 x float> %v63)
  %v121 = getelementptr i8, ptr %v65, i64 4
  %v122 = freeze ptr %v121
  %v124 = getelementptr i8, ptr %v67, i64 64
  %v125 = freeze ptr %v124
  %v126 = icmp ne ptr %v122, %v123
  br i1 %v126, label %f.loop37, label %f.done38
f.done38:
  store <16 x float> %v71, ptr %v127, align 64
  %v128 = getelementptr i8, ptr %v127, i64 768
  store <16 x float> %v74, ptr %v128, align 64
  %v129 = getelementptr i8, ptr %v127, i64 1536
  store <16 x float> %v77, ptr %v129, align 64
  %v130 = getelementptr i8, ptr %v127, i64 2304
  store <16 x float> %v80, ptr %v130, align 64
  %v131 = getelementptr i8, ptr %v127, i64 64
  store <16 x float> %v85, ptr %v131, align 64
  %v132 = getelementptr i8, ptr %v127, i64 832
  store <16 x float> %v86, ptr %v132, align 64
  %v133 = getelementptr i8, ptr %v127, i64 1600
  store <16 x float> %v87, ptr %v133, align 64
  %v134 = getelementptr i8, ptr %v127, i64 2368
  store <16 x float> %v88, ptr %v134, align 64
  %v135 = getelementptr i8, ptr %v127, i64 128
  store <16 x float> %v93, ptr %v135, align 64
  %v136 = getelementptr i8, ptr %v127, i64 896
  store <16 x float> %v94, ptr %v136, align 64
  %v137 = getelementptr i8, ptr %v127, i64 1664
  store <16 x float> %v95, ptr %v137, align 64
  %v138 = getelementptr i8, ptr %v127, i64 2432
  store <16 x float> %v96, ptr %v138, align 64
  %v139 = getelementptr i8, ptr %v127, i64 192
  store <16 x float> %v101, ptr %v139, align 64
  %v140 = getelementptr i8, ptr %v127, i64 960
  store <16 x float> %v102, ptr %v140, align 64
  %v141 = getelementptr i8, ptr %v127, i64 1728
  store <16 x float> %v103, ptr %v141, align 64
  %v142 = getelementptr i8, ptr %v127, i64 2496
  store <16 x float> %v104, ptr %v142, align 64
  %v143 = getelementptr i8, ptr %v127, i64 256
  store <16 x float> %v109, ptr %v143, align 64
  %v144 = getelementptr i8, ptr %v127, i64 1024
  store <16 x float> %v110, ptr %v144, align 64
  %v145 = getelementptr i8, ptr %v127, i64 1792
  store <16 x float> %v111, ptr %v145, align 64
  %v146 = getelementptr i8, ptr %v127, i64 2560
  store <16 x float> %v112, ptr %v146, align 64
  %v147 = getelementptr i8, ptr %v127, i64 320
  store <16 x float> %v117, ptr %v147, align 64
  %v148 = getelementptr i8, ptr %v127, i64 1088
  store <16 x float> %v118, ptr %v148, align 64
  %v149 = getelementptr i8, ptr %v127, i64 1856
  store <16 x float> %v119, ptr %v149, align 64
  %v150 = getelementptr i8, ptr %v127, i64 2624
  store <16 x float> %v120, ptr %v150, align 64
  %v151 = getelementptr i8, ptr %v13, i64 24
  %v152 = freeze ptr %v151
  %v157 = getelementptr i8, ptr %v64, i64 480
  %v158 = freeze ptr %v157
  %v161 = getelementptr i8, ptr %v127, i64 384
  %v162 = freeze ptr %v161
  %v165 = icmp ne ptr %v152, %v156
  br i1 %v165, label %items.loop9, label %items.done10
items.done10:
  ret void
}
