define void @k_6630f8342a9859c7(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v7 = icmp slt i64 %lo, %hi
  br i1 %v7, label %items.loop5, label %items.done6
items.loop5:
  %v8 = phi i64 [ %lo, %entry ], [ %v127, %i.done17 ]
  %v9 = urem i64 %v8, 3
  %v10 = udiv i64 %v8, 3
  %v11 = urem i64 %v10, 2
  %v12 = udiv i64 %v10, 2
  %v13 = mul nsw i64 %v9, -2
  %v14 = add nsw i64 %v13, 6
  %v28 = mul nsw i64 %v11, 6528
  %v29 = getelementptr i8, ptr %v2, i64 %v28
  %v30 = mul nsw i64 %v12, 13056
  %v31 = getelementptr i8, ptr %v29, i64 %v30
  %v32 = mul nsw i64 %v9, 2176
  %v33 = getelementptr i8, ptr %v31, i64 %v32
  %v106 = mul nsw i64 %v11, 1536
  %v107 = getelementptr i8, ptr %v4, i64 %v106
  %v108 = mul nsw i64 %v12, 3072
  %v109 = getelementptr i8, ptr %v107, i64 %v108
  %v110 = mul nsw i64 %v9, 512
  %v111 = getelementptr i8, ptr %v109, i64 %v110
  %v15 = call i64 @llvm.smin.i64(i64 3, i64 %v14)
  %v94 = mul nsw i64 %v15, 1088
  %v95 = getelementptr i8, ptr %v33, i64 %v94
  %v18 = icmp slt i64 0, %v15
  br i1 %v18, label %i.loop16, label %i.done17
i.loop16:
  %v34 = phi ptr [ %v33, %items.loop5 ], [ %v93, %i.loop16 ]
  %v20 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v82, %i.loop16 ]
  %v21 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v83, %i.loop16 ]
  %v22 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v84, %i.loop16 ]
  %v23 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v85, %i.loop16 ]
  %v24 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v86, %i.loop16 ]
  %v25 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v87, %i.loop16 ]
  %v26 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v88, %i.loop16 ]
  %v27 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v91, %i.loop16 ]
  %v35 = load <16 x float>, ptr %v34, align 64
  %v36 = fadd <16 x float> %v35, %v20
  %v37 = getelementptr i8, ptr %v34, i64 128
  %v38 = load <16 x float>, ptr %v37, align 64
  %v39 = fadd <16 x float> %v38, %v21
  %v40 = getelementptr i8, ptr %v34, i64 256
  %v41 = load <16 x float>, ptr %v40, align 64
  %v42 = fadd <16 x float> %v41, %v22
  %v43 = getelementptr i8, ptr %v34, i64 384
  %v44 = load <16 x float>, ptr %v43, align 64
  %v45 = fadd <16 x float> %v44, %v23
  %v46 = getelementptr i8, ptr %v34, i64 512
  %v47 = load <16 x float>, ptr %v46, align 64
  %v48 = fadd <16 x float> %v47, %v24
  %v49 = getelementptr i8, ptr %v34, i64 640
  %v50 = load <16 x float>, ptr %v49, align 64
  %v51 = fadd <16 x float> %v50, %v25
  %v52 = getelementptr i8, ptr %v34, i64 768
  %v53 = load <16 x float>, ptr %v52, align 64
  %v54 = fadd <16 x float> %v53, %v26
  %v55 = getelementptr i8, ptr %v34, i64 896
  %v56 = load <16 x float>, ptr %v55, align 64
  %v57 = fadd <16 x float> %v56, %v27
  %v58 = getelementptr i8, ptr %v34, i64 64
  %v59 = load <16 x float>, ptr %v58, align 64
  %v60 = fadd <16 x float> %v59, %v36
  %v61 = getelementptr i8, ptr %v34, i64 192
  %v62 = load <16 x float>, ptr %v61, align 64
  %v63 = fadd <16 x float> %v62, %v39
  %v64 = getelementptr i8, ptr %v34, i64 320
  %v65 = load <16 x float>, ptr %v64, align 64
  %v66 = fadd <16 x float> %v65, %v42
  %v67 = getelementptr i8, ptr %v34, i64 448
  %v68 = load <16 x float>, ptr %v67, align 64
  %v69 = fadd <16 x float> %v68, %v45
  %v70 = getelementptr i8, ptr %v34, i64 576
  %v71 = load <16 x float>, ptr %v70, align 64
  %v72 = fadd <16 x float> %v71, %v48
  %v73 = getelementptr i8, ptr %v34, i64 704
  %v74 = load <16 x float>, ptr %v73, align 64
  %v75 = fadd <16 x float> %v74, %v51
  %v76 = getelementptr i8, ptr %v34, i64 832
  %v77 = load <16 x float>, ptr %v76, align 64
  %v78 = fadd <16 x float> %v77, %v54
  %v79 = getelementptr i8, ptr %v34, i64 960
  %v80 = load <16 x float>, ptr %v79, align 64
  %v81 = fadd <16 x float> %v80, %v57
  %v82 = fadd <16 x float> %v38, %v60
  %v83 = fadd <16 x float> %v41, %v63
  %v84 = fadd <16 x float> %v44, %v66
  %v85 = fadd <16 x float> %v47, %v69
  %v86 = fadd <16 x float> %v50, %v72
  %v87 = fadd <16 x float> %v53, %v75
  %v88 = fadd <16 x float> %v56, %v78
  %v89 = getelementptr i8, ptr %v34, i64 1024
  %v90 = load <16 x float>, ptr %v89, align 64
  %v91 = fadd <16 x float> %v90, %v81
  %v92 = getelementptr i8, ptr %v34, i64 1088
  %v93 = freeze ptr %v92
  %v96 = icmp ne ptr %v93, %v95
  br i1 %v96, label %i.loop16, label %i.done17
i.done17:
  %v97 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v82, %i.loop16 ]
  %v98 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v83, %i.loop16 ]
  %v99 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v84, %i.loop16 ]
  %v100 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v85, %i.loop16 ]
  %v101 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v86, %i.loop16 ]
  %v102 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v87, %i.loop16 ]
  %v103 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v88, %i.loop16 ]
  %v104 = phi <16 x float> [ splat (float 0x0000000000000000), %items.loop5 ], [ %v91, %i.loop16 ]
  %v105 = fmul <16 x float> %v97, splat (float 0x3FBC71C720000000)
  store <16 x float> %v105, ptr %v111, align 64
  %v112 = fmul <16 x float> %v98, splat (float 0x3FBC71C720000000)
  %v113 = getelementptr i8, ptr %v111, i64 64
  store <16 x float> %v112, ptr %v113, align 64
  %v114 = fmul <16 x float> %v99, splat (float 0x3FBC71C720000000)
  %v115 = getelementptr i8, ptr %v111, i64 128
  store <16 x float> %v114, ptr %v115, align 64
  %v116 = fmul <16 x float> %v100, splat (float 0x3FBC71C720000000)
  %v117 = getelementptr i8, ptr %v111, i64 192
  store <16 x float> %v116, ptr %v117, align 64
  %v118 = fmul <16 x float> %v101, splat (float 0x3FBC71C720000000)
  %v119 = getelementptr i8, ptr %v111, i64 256
  store <16 x float> %v118, ptr %v119, align 64
  %v120 = fmul <16 x float> %v102, splat (float 0x3FBC71C720000000)
  %v121 = getelementptr i8, ptr %v111, i64 320
  store <16 x float> %v120, ptr %v121, align 64
  %v122 = fmul <16 x float> %v103, splat (float 0x3FBC71C720000000)
  %v123 = getelementptr i8, ptr %v111, i64 384
  store <16 x float> %v122, ptr %v123, align 64
  %v124 = fmul <16 x float> %v104, splat (float 0x3FBC71C720000000)
  %v125 = getelementptr i8, ptr %v111, i64 448
  store <16 x float> %v124, ptr %v125, align 64
  %v126 = add nsw i64 %v8, 1
  %v127 = freeze i64 %v126
  %v128 = icmp ne i64 %v127, %hi
  br i1 %v128, label %items.loop5, label %items.done6
items.done6:
  ret void
}
