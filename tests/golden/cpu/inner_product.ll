define void @k_34b8e7b758bcc6db(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
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
  %v12 = phi i64 [ %lo, %entry ], [ %v13, %f.done40 ]
  %v14 = mul nsw i64 %v12, 24
  %v15 = getelementptr i8, ptr %v6, i64 %v14
  %v67 = mul nsw i64 %v12, 480
  %v68 = getelementptr i8, ptr %v4, i64 %v67
  %v128 = mul nsw i64 %v12, 384
  %v129 = getelementptr i8, ptr %v8, i64 %v128
  %v16 = load float, ptr %v15, align 4
  %v17 = insertelement <16 x float> poison, float %v16, i64 0
  %v18 = shufflevector <16 x float> %v17, <16 x float> poison, <16 x i32> zeroinitializer
  %v19 = getelementptr i8, ptr %v15, i64 4
  %v20 = load float, ptr %v19, align 4
  %v21 = insertelement <16 x float> poison, float %v20, i64 0
  %v22 = shufflevector <16 x float> %v21, <16 x float> poison, <16 x i32> zeroinitializer
  %v23 = getelementptr i8, ptr %v15, i64 8
  %v24 = load float, ptr %v23, align 4
  %v25 = insertelement <16 x float> poison, float %v24, i64 0
  %v26 = shufflevector <16 x float> %v25, <16 x float> poison, <16 x i32> zeroinitializer
  %v27 = getelementptr i8, ptr %v15, i64 12
  %v28 = load float, ptr %v27, align 4
  %v29 = insertelement <16 x float> poison, float %v28, i64 0
  %v30 = shufflevector <16 x float> %v29, <16 x float> poison, <16 x i32> zeroinitializer
  %v31 = getelementptr i8, ptr %v15, i64 16
  %v32 = load float, ptr %v31, align 4
  %v33 = insertelement <16 x float> poison, float %v32, i64 0
  %v34 = shufflevector <16 x float> %v33, <16 x float> poison, <16 x i32> zeroinitializer
  %v35 = getelementptr i8, ptr %v15, i64 20
  %v36 = load float, ptr %v35, align 4
  %v37 = insertelement <16 x float> poison, float %v36, i64 0
  %v38 = shufflevector <16 x float> %v37, <16 x float> poison, <16 x i32> zeroinitializer
  br label %f.loop39
f.loop39:
  %v41 = phi i64 [ 0, %items.loop9 ], [ %v42, %f.loop39 ]
  %v43 = phi <16 x float> [ %v18, %items.loop9 ], [ %v77, %f.loop39 ]
  %v44 = phi <16 x float> [ %v18, %items.loop9 ], [ %v80, %f.loop39 ]
  %v45 = phi <16 x float> [ %v18, %items.loop9 ], [ %v83, %f.loop39 ]
  %v46 = phi <16 x float> [ %v18, %items.loop9 ], [ %v86, %f.loop39 ]
  %v47 = phi <16 x float> [ %v22, %items.loop9 ], [ %v91, %f.loop39 ]
  %v48 = phi <16 x float> [ %v22, %items.loop9 ], [ %v92, %f.loop39 ]
  %v49 = phi <16 x float> [ %v22, %items.loop9 ], [ %v93, %f.loop39 ]
  %v50 = phi <16 x float> [ %v22, %items.loop9 ], [ %v94, %f.loop39 ]
  %v51 = phi <16 x float> [ %v26, %items.loop9 ], [ %v99, %f.loop39 ]
  %v52 = phi <16 x float> [ %v26, %items.loop9 ], [ %v100, %f.loop39 ]
  %v53 = phi <16 x float> [ %v26, %items.loop9 ], [ %v101, %f.loop39 ]
  %v54 = phi <16 x float> [ %v26, %items.loop9 ], [ %v102, %f.loop39 ]
  %v55 = phi <16 x float> [ %v30, %items.loop9 ], [ %v107, %f.loop39 ]
  %v56 = phi <16 x float> [ %v30, %items.loop9 ], [ %v108, %f.loop39 ]
  %v57 = phi <16 x float> [ %v30, %items.loop9 ], [ %v109, %f.loop39 ]
  %v58 = phi <16 x float> [ %v30, %items.loop9 ], [ %v110, %f.loop39 ]
  %v59 = phi <16 x float> [ %v34, %items.loop9 ], [ %v115, %f.loop39 ]
  %v60 = phi <16 x float> [ %v34, %items.loop9 ], [ %v116, %f.loop39 ]
  %v61 = phi <16 x float> [ %v34, %items.loop9 ], [ %v117, %f.loop39 ]
  %v62 = phi <16 x float> [ %v34, %items.loop9 ], [ %v118, %f.loop39 ]
  %v63 = phi <16 x float> [ %v38, %items.loop9 ], [ %v123, %f.loop39 ]
  %v64 = phi <16 x float> [ %v38, %items.loop9 ], [ %v124, %f.loop39 ]
  %v65 = phi <16 x float> [ %v38, %items.loop9 ], [ %v125, %f.loop39 ]
  %v66 = phi <16 x float> [ %v38, %items.loop9 ], [ %v126, %f.loop39 ]
  %v69 = mul nsw i64 %v41, 4
  %v70 = getelementptr i8, ptr %v68, i64 %v69
  %v72 = mul nsw i64 %v41, 64
  %v73 = getelementptr i8, ptr %v2, i64 %v72
  %v71 = load float, ptr %v70, align 4
  %v74 = load <16 x float>, ptr %v73, align 64
  %v75 = insertelement <16 x float> poison, float %v71, i64 0
  %v76 = shufflevector <16 x float> %v75, <16 x float> poison, <16 x i32> zeroinitializer
  %v77 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v74, <16 x float> %v76, <16 x float> %v43)
  %v78 = getelementptr i8, ptr %v73, i64 1280
  %v79 = load <16 x float>, ptr %v78, align 64
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v76, <16 x float> %v44)
  %v81 = getelementptr i8, ptr %v73, i64 2560
  %v82 = load <16 x float>, ptr %v81, align 64
  %v83 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v76, <16 x float> %v45)
  %v84 = getelementptr i8, ptr %v73, i64 3840
  %v85 = load <16 x float>, ptr %v84, align 64
  %v86 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v76, <16 x float> %v46)
  %v87 = getelementptr i8, ptr %v70, i64 80
  %v88 = load float, ptr %v87, align 4
  %v89 = insertelement <16 x float> poison, float %v88, i64 0
  %v90 = shufflevector <16 x float> %v89, <16 x float> poison, <16 x i32> zeroinitializer
  %v91 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v74, <16 x float> %v90, <16 x float> %v47)
  %v92 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v90, <16 x float> %v48)
  %v93 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v90, <16 x float> %v49)
  %v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v90, <16 x float> %v50)
  %v95 = getelementptr i8, ptr %v70, i64 160
  %v96 = load float, ptr %v95, align 4
  %v97 = insertelement <16 x float> poison, float %v96, i64 0
  %v98 = shufflevector <16 x float> %v97, <16 x float> poison, <16 x i32> zeroinitializer
  %v99 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v74, <16 x float> %v98, <16 x float> %v51)
  %v100 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v98, <16 x float> %v52)
  %v101 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v98, <16 x float> %v53)
  %v102 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v98, <16 x float> %v54)
  %v103 = getelementptr i8, ptr %v70, i64 240
  %v104 = load float, ptr %v103, align 4
  %v105 = insertelement <16 x float> poison, float %v104, i64 0
  %v106 = shufflevector <16 x float> %v105, <16 x float> poison, <16 x i32> zeroinitializer
  %v107 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v74, <16 x float> %v106, <16 x float> %v55)
  %v108 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v106, <16 x float> %v56)
  %v109 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v106, <16 x float> %v57)
  %v110 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v106, <16 x float> %v58)
  %v111 = getelementptr i8, ptr %v70, i64 320
  %v112 = load float, ptr %v111, align 4
  %v113 = insertelement <16 x float> poison, float %v112, i64 0
  %v114 = shufflevector <16 x float> %v113, <16 x float> poison, <16 x i32> zeroinitializer
  %v115 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v74, <16 x float> %v114, <16 x float> %v59)
  %v116 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v114, <16 x float> %v60)
  %v117 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v114, <16 x float> %v61)
  %v118 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v114, <16 x float> %v62)
  %v119 = getelementptr i8, ptr %v70, i64 400
  %v120 = load float, ptr %v119, align 4
  %v121 = insertelement <16 x float> poison, float %v120, i64 0
  %v122 = shufflevector <16 x float> %v121, <16 x float> poison, <16 x i32> zeroinitializer
  %v123 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v74, <16 x float> %v122, <16 x float> %v63)
  %v124 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v122, <16 x float> %v64)
  %v125 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v82, <16 x float> %v122, <16 x float> %v65)
  %v126 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %v122, <16 x float> %v66)
  %v42 = add nuw nsw i64 %v41, 1
  %v127 = icmp ne i64 %v42, 20
  br i1 %v127, label %f.loop39, label %f.done40
f.done40:
  store <16 x float> %v77, ptr %v129, align 64
  %v130 = getelementptr i8, ptr %v129, i64 768
  store <16 x float> %v80, ptr %v130, align 64
  %v131 = getelementptr i8, ptr %v129, i64 1536
  store <16 x float> %v83, ptr %v131, align 64
  %v132 = getelementptr i8, ptr %v129, i64 2304
  store <16 x float> %v86, ptr %v132, align 64
  %v133 = getelementptr i8, ptr %v129, i64 64
  store <16 x float> %v91, ptr %v133, align 64
  %v134 = getelementptr i8, ptr %v129, i64 832
  store <16 x float> %v92, ptr %v134, align 64
  %v135 = getelementptr i8, ptr %v129, i64 1600
  store <16 x float> %v93, ptr %v135, align 64
  %v136 = getelementptr i8, ptr %v129, i64 2368
  store <16 x float> %v94, ptr %v136, align 64
  %v137 = getelementptr i8, ptr %v129, i64 128
  store <16 x float> %v99, ptr %v137, align 64
  %v138 = getelementptr i8, ptr %v129, i64 896
  store <16 x float> %v100, ptr %v138, align 64
  %v139 = getelementptr i8, ptr %v129, i64 1664
  store <16 x float> %v101, ptr %v139, align 64
  %v140 = getelementptr i8, ptr %v129, i64 2432
  store <16 x float> %v102, ptr %v140, align 64
  %v141 = getelementptr i8, ptr %v129, i64 192
  store <16 x float> %v107, ptr %v141, align 64
  %v142 = getelementptr i8, ptr %v129, i64 960
  store <16 x float> %v108, ptr %v142, align 64
  %v143 = getelementptr i8, ptr %v129, i64 1728
  store <16 x float> %v109, ptr %v143, align 64
  %v144 = getelementptr i8, ptr %v129, i64 2496
  store <16 x float> %v110, ptr %v144, align 64
  %v145 = getelementptr i8, ptr %v129, i64 256
  store <16 x float> %v115, ptr %v145, align 64
  %v146 = getelementptr i8, ptr %v129, i64 1024
  store <16 x float> %v116, ptr %v146, align 64
  %v147 = getelementptr i8, ptr %v129, i64 1792
  store <16 x float> %v117, ptr %v147, align 64
  %v148 = getelementptr i8, ptr %v129, i64 2560
  store <16 x float> %v118, ptr %v148, align 64
  %v149 = getelementptr i8, ptr %v129, i64 320
  store <16 x float> %v123, ptr %v149, align 64
  %v150 = getelementptr i8, ptr %v129, i64 1088
  store <16 x float> %v124, ptr %v150, align 64
  %v151 = getelementptr i8, ptr %v129, i64 1856
  store <16 x float> %v125, ptr %v151, align 64
  %v152 = getelementptr i8, ptr %v129, i64 2624
  store <16 x float> %v126, ptr %v152, align 64
  %v13 = add nuw nsw i64 %v12, 1
  %v153 = icmp ne i64 %v13, %hi
  br i1 %v153, label %items.loop9, label %items.done10
items.done10:
  ret void
}
