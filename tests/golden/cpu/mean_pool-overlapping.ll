define void @k_5dbc4ec388cbe11f(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v9, %i.done18 ]
  %v10 = urem i64 %v8, 3
  %v11 = udiv i64 %v8, 3
  %v12 = urem i64 %v11, 2
  %v13 = udiv i64 %v11, 2
  %v14 = mul nsw i64 %v10, -2
  %v15 = add nsw i64 %v14, 6
  %v30 = mul nsw i64 %v12, 6528
  %v31 = getelementptr i8, ptr %v2, i64 %v30
  %v32 = mul nsw i64 %v13, 13056
  %v33 = getelementptr i8, ptr %v31, i64 %v32
  %v34 = mul nsw i64 %v10, 2176
  %v35 = getelementptr i8, ptr %v33, i64 %v34
  %v105 = mul nsw i64 %v12, 1536
  %v106 = getelementptr i8, ptr %v4, i64 %v105
  %v107 = mul nsw i64 %v13, 3072
  %v108 = getelementptr i8, ptr %v106, i64 %v107
  %v109 = mul nsw i64 %v10, 512
  %v110 = getelementptr i8, ptr %v108, i64 %v109
  %v16 = call i64 @llvm.smin.i64(i64 3, i64 %v15)
  %v19 = icmp slt i64 0, %v16
  br i1 %v19, label %i.loop17, label %i.done18
i.loop17:
  %v20 = phi i64 [ 0, %items.loop5 ], [ %v21, %i.loop17 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v85, %i.loop17 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v86, %i.loop17 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v87, %i.loop17 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v88, %i.loop17 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v89, %i.loop17 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v90, %i.loop17 ]
  %v28 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v91, %i.loop17 ]
  %v29 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v94, %i.loop17 ]
  %v36 = mul nsw i64 %v20, 1088
  %v37 = getelementptr i8, ptr %v35, i64 %v36
  %v38 = load <16 x float>, ptr %v37, align 64
  %v39 = fadd <16 x float> %v38, %v22
  %v40 = getelementptr i8, ptr %v37, i64 128
  %v41 = load <16 x float>, ptr %v40, align 64
  %v42 = fadd <16 x float> %v41, %v23
  %v43 = getelementptr i8, ptr %v37, i64 256
  %v44 = load <16 x float>, ptr %v43, align 64
  %v45 = fadd <16 x float> %v44, %v24
  %v46 = getelementptr i8, ptr %v37, i64 384
  %v47 = load <16 x float>, ptr %v46, align 64
  %v48 = fadd <16 x float> %v47, %v25
  %v49 = getelementptr i8, ptr %v37, i64 512
  %v50 = load <16 x float>, ptr %v49, align 64
  %v51 = fadd <16 x float> %v50, %v26
  %v52 = getelementptr i8, ptr %v37, i64 640
  %v53 = load <16 x float>, ptr %v52, align 64
  %v54 = fadd <16 x float> %v53, %v27
  %v55 = getelementptr i8, ptr %v37, i64 768
  %v56 = load <16 x float>, ptr %v55, align 64
  %v57 = fadd <16 x float> %v56, %v28
  %v58 = getelementptr i8, ptr %v37, i64 896
  %v59 = load <16 x float>, ptr %v58, align 64
  %v60 = fadd <16 x float> %v59, %v29
  %v61 = getelementptr i8, ptr %v37, i64 64
  %v62 = load <16 x float>, ptr %v61, align 64
  %v63 = fadd <16 x float> %v62, %v39
  %v64 = getelementptr i8, ptr %v37, i64 192
  %v65 = load <16 x float>, ptr %v64, align 64
  %v66 = fadd <16 x float> %v65, %v42
  %v67 = getelementptr i8, ptr %v37, i64 320
  %v68 = load <16 x float>, ptr %v67, align 64
  %v69 = fadd <16 x float> %v68, %v45
  %v70 = getelementptr i8, ptr %v37, i64 448
  %v71 = load <16 x float>, ptr %v70, align 64
  %v72 = fadd <16 x float> %v71, %v48
  %v73 = getelementptr i8, ptr %v37, i64 576
  %v74 = load <16 x float>, ptr %v73, align 64
  %v75 = fadd <16 x float> %v74, %v51
  %v76 = getelementptr i8, ptr %v37, i64 704
  %v77 = load <16 x float>, ptr %v76, align 64
  %v78 = fadd <16 x float> %v77, %v54
  %v79 = getelementptr i8, ptr %v37, i64 832
  %v80 = load <16 x float>, ptr %v79, align 64
  %v81 = fadd <16 x float> %v80, %v57
  %v82 = getelementptr i8, ptr %v37, i64 960
  %v83 = load <16 x float>, ptr %v82, align 64
  %v84 = fadd <16 x float> %v83, %v60
  %v85 = fadd <16 x float> %v41, %v63
  %v86 = fadd <16 x float> %v44, %v66
  %v87 = fadd <16 x float> %v47, %v69
  %v88 = fadd <16 x float> %v50, %v72
  %v89 = fadd <16 x float> %v53, %v75
  %v90 = fadd <16 x float> %v56, %v78
  %v91 = fadd <16 x float> %v59, %v81
  %v92 = getelementptr i8, ptr %v37, i64 1024
  %v93 = load <16 x float>, ptr %v92, align 64
  %v94 = fadd <16 x float> %v93, %v84
  %v21 = add nuw nsw i64 %v20, 1
  %v95 = icmp ne i64 %v21, %v16
  br i1 %v95, label %i.loop17, label %i.done18
i.done18:
  %v96 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v85, %i.loop17 ]
  %v97 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v86, %i.loop17 ]
  %v98 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v87, %i.loop17 ]
  %v99 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v88, %i.loop17 ]
  %v100 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v89, %i.loop17 ]
  %v101 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v90, %i.loop17 ]
  %v102 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v91, %i.loop17 ]
  %v103 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v94, %i.loop17 ]
  %v104 = fmul <16 x float> %v96, splat (float 0x3FBC71C720000000)
  store <16 x float> %v104, ptr %v110, align 64
  %v111 = fmul <16 x float> %v97, splat (float 0x3FBC71C720000000)
  %v112 = getelementptr i8, ptr %v110, i64 64
  store <16 x float> %v111, ptr %v112, align 64
  %v113 = fmul <16 x float> %v98, splat (float 0x3FBC71C720000000)
  %v114 = getelementptr i8, ptr %v110, i64 128
  store <16 x float> %v113, ptr %v114, align 64
  %v115 = fmul <16 x float> %v99, splat (float 0x3FBC71C720000000)
  %v116 = getelementptr i8, ptr %v110, i64 192
  store <16 x float> %v115, ptr %v116, align 64
  %v117 = fmul <16 x float> %v100, splat (float 0x3FBC71C720000000)
  %v118 = getelementptr i8, ptr %v110, i64 256
  store <16 x float> %v117, ptr %v118, align 64
  %v119 = fmul <16 x float> %v101, splat (float 0x3FBC71C720000000)
  %v120 = getelementptr i8, ptr %v110, i64 320
  store <16 x float> %v119, ptr %v120, align 64
  %v121 = fmul <16 x float> %v102, splat (float 0x3FBC71C720000000)
  %v122 = getelementptr i8, ptr %v110, i64 384
  store <16 x float> %v121, ptr %v122, align 64
  %v123 = fmul <16 x float> %v103, splat (float 0x3FBC71C720000000)
  %v124 = getelementptr i8, ptr %v110, i64 448
  store <16 x float> %v123, ptr %v124, align 64
  %v9 = add nuw nsw i64 %v8, 1
  %v125 = icmp ne i64 %v9, %hi
  br i1 %v125, label %items.loop5, label %items.done6
items.done6:
  ret void
}
