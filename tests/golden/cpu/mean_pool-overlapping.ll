define void @k_7df67bbaae6fcd2c(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v117 = mul nsw i64 %lo, 2176
  %v118 = getelementptr i8, ptr %v2, i64 %v117
  %v121 = mul nsw i64 %lo, 512
  %v122 = getelementptr i8, ptr %v4, i64 %v121
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v114, %i.done14 ]
  %v25 = phi ptr [ %v118, %entry ], [ %v116, %i.done14 ]
  %v98 = phi ptr [ %v122, %entry ], [ %v120, %i.done14 ]
  %v9 = urem i64 %v8, 3
  %v10 = mul nsw i64 %v9, -2
  %v11 = add nsw i64 %v10, 6
  %v12 = call i64 @llvm.smin.i64(i64 3, i64 %v11)
  %v86 = mul nsw i64 %v12, 1088
  %v87 = getelementptr i8, ptr %v25, i64 %v86
  %v15 = icmp slt i64 0, %v12
  br i1 %v15, label %i.loop13, label %i.done14
i.loop13:
  %v26 = phi ptr [ %v25, %items.loop5 ], [ %v85, %i.loop13 ]
  %v17 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v74, %i.loop13 ]
  %v18 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v75, %i.loop13 ]
  %v19 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v76, %i.loop13 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v77, %i.loop13 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v78, %i.loop13 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v79, %i.loop13 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v80, %i.loop13 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v83, %i.loop13 ]
  %v27 = load <16 x float>, ptr %v26, align 64
  %v28 = fadd <16 x float> %v27, %v17
  %v29 = getelementptr i8, ptr %v26, i64 128
  %v30 = load <16 x float>, ptr %v29, align 64
  %v31 = fadd <16 x float> %v30, %v18
  %v32 = getelementptr i8, ptr %v26, i64 256
  %v33 = load <16 x float>, ptr %v32, align 64
  %v34 = fadd <16 x float> %v33, %v19
  %v35 = getelementptr i8, ptr %v26, i64 384
  %v36 = load <16 x float>, ptr %v35, align 64
  %v37 = fadd <16 x float> %v36, %v20
  %v38 = getelementptr i8, ptr %v26, i64 512
  %v39 = load <16 x float>, ptr %v38, align 64
  %v40 = fadd <16 x float> %v39, %v21
  %v41 = getelementptr i8, ptr %v26, i64 640
  %v42 = load <16 x float>, ptr %v41, align 64
  %v43 = fadd <16 x float> %v42, %v22
  %v44 = getelementptr i8, ptr %v26, i64 768
  %v45 = load <16 x float>, ptr %v44, align 64
  %v46 = fadd <16 x float> %v45, %v23
  %v47 = getelementptr i8, ptr %v26, i64 896
  %v48 = load <16 x float>, ptr %v47, align 64
  %v49 = fadd <16 x float> %v48, %v24
  %v50 = getelementptr i8, ptr %v26, i64 64
  %v51 = load <16 x float>, ptr %v50, align 64
  %v52 = fadd <16 x float> %v51, %v28
  %v53 = getelementptr i8, ptr %v26, i64 192
  %v54 = load <16 x float>, ptr %v53, align 64
  %v55 = fadd <16 x float> %v54, %v31
  %v56 = getelementptr i8, ptr %v26, i64 320
  %v57 = load <16 x float>, ptr %v56, align 64
  %v58 = fadd <16 x float> %v57, %v34
  %v59 = getelementptr i8, ptr %v26, i64 448
  %v60 = load <16 x float>, ptr %v59, align 64
  %v61 = fadd <16 x float> %v60, %v37
  %v62 = getelementptr i8, ptr %v26, i64 576
  %v63 = load <16 x float>, ptr %v62, align 64
  %v64 = fadd <16 x float> %v63, %v40
  %v65 = getelementptr i8, ptr %v26, i64 704
  %v66 = load <16 x float>, ptr %v65, align 64
  %v67 = fadd <16 x float> %v66, %v43
  %v68 = getelementptr i8, ptr %v26, i64 832
  %v69 = load <16 x float>, ptr %v68, align 64
  %v70 = fadd <16 x float> %v69, %v46
  %v71 = getelementptr i8, ptr %v26, i64 960
  %v72 = load <16 x float>, ptr %v71, align 64
  %v73 = fadd <16 x float> %v72, %v49
  %v74 = fadd <16 x float> %v30, %v52
  %v75 = fadd <16 x float> %v33, %v55
  %v76 = fadd <16 x float> %v36, %v58
  %v77 = fadd <16 x float> %v39, %v61
  %v78 = fadd <16 x float> %v42, %v64
  %v79 = fadd <16 x float> %v45, %v67
  %v80 = fadd <16 x float> %v48, %v70
  %v81 = getelementptr i8, ptr %v26, i64 1024
  %v82 = load <16 x float>, ptr %v81, align 64
  %v83 = fadd <16 x float> %v82, %v73
  %v84 = getelementptr i8, ptr %v26, i64 1088
  %v85 = freeze ptr %v84
  %v88 = icmp ne ptr %v85, %v87
  br i1 %v88, label %i.loop13, label %i.done14
i.done14:
  %v89 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v74, %i.loop13 ]
  %v90 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v75, %i.loop13 ]
  %v91 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v76, %i.loop13 ]
  %v92 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v77, %i.loop13 ]
  %v93 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v78, %i.loop13 ]
  %v94 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v79, %i.loop13 ]
  %v95 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v80, %i.loop13 ]
  %v96 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v83, %i.loop13 ]
  %v97 = fmul <16 x float> %v89, splat (float 0x3FBC71C720000000)
  store <16 x float> %v97, ptr %v98, align 64
  %v99 = fmul <16 x float> %v90, splat (float 0x3FBC71C720000000)
  %v100 = getelementptr i8, ptr %v98, i64 64
  store <16 x float> %v99, ptr %v100, align 64
  %v101 = fmul <16 x float> %v91, splat (float 0x3FBC71C720000000)
  %v102 = getelementptr i8, ptr %v98, i64 128
  store <16 x float> %v101, ptr %v102, align 64
  %v103 = fmul <16 x float> %v92, splat (float 0x3FBC71C720000000)
  %v104 = getelementptr i8, ptr %v98, i64 192
  store <16 x float> %v103, ptr %v104, align 64
  %v105 = fmul <16 x float> %v93, splat (float 0x3FBC71C720000000)
  %v106 = getelementptr i8, ptr %v98, i64 256
  store <16 x float> %v105, ptr %v106, align 64
  %v107 = fmul <16 x float> %v94, splat (float 0x3FBC71C720000000)
  %v108 = getelementptr i8, ptr %v98, i64 320
  store <16 x float> %v107, ptr %v108, align 64
  %v109 = fmul <16 x float> %v95, splat (float 0x3FBC71C720000000)
  %v110 = getelementptr i8, ptr %v98, i64 384
  store <16 x float> %v109, ptr %v110, align 64
  %v111 = fmul <16 x float> %v96, splat (float 0x3FBC71C720000000)
  %v112 = getelementptr i8, ptr %v98, i64 448
  store <16 x float> %v111, ptr %v112, align 64
  %v113 = add nsw i64 %v8, 1
  %v114 = freeze i64 %v113
  %v115 = getelementptr i8, ptr %v25, i64 2176
  %v116 = freeze ptr %v115
  %v119 = getelementptr i8, ptr %v98, i64 512
  %v120 = freeze ptr %v119
  %v123 = icmp ne i64 %v114, %hi
  br i1 %v123, label %items.loop5, label %items.done6
items.done6:
  ret void
}
