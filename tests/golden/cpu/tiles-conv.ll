define void @k_ab00c600bccd5679(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind "frame-pointer"="all" {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr i8, ptr %scratch, i64 0
  %v8 = getelementptr i8, ptr %scratch, i64 1536
  %v9 = getelementptr i8, ptr %scratch, i64 3072
  %v12 = icmp slt i64 %lo, %hi
  br i1 %v12, label %items.loop10, label %items.done11
items.loop10:
  %v13 = phi i64 [ %lo, %entry ], [ %v184, %f1.done141 ]
  %v17 = urem i64 %v13, 2
  %v18 = mul nsw i64 %v17, -4
  %v19 = add nsw i64 %v18, 1
  %v31 = add nsw i64 %v18, 8
  %v37 = udiv i64 %v13, 2
  %v38 = mul nsw i64 %v37, 896
  %v39 = getelementptr i8, ptr %v4, i64 %v38
  %v40 = mul nsw i64 %v17, 256
  %v41 = getelementptr i8, ptr %v39, i64 %v40
  %v159 = getelementptr i8, ptr %v6, i64 %v38
  %v160 = getelementptr i8, ptr %v159, i64 %v40
  %v92 = getelementptr i8, ptr %v41, i64 896
  br label %c.loop14
c.loop14:
  %v42 = phi ptr [ %v41, %items.loop10 ], [ %v91, %tl_i.done65 ]
  %v79 = phi ptr [ %v7, %items.loop10 ], [ %v94, %tl_i.done65 ]
  %v27 = mul nsw i64 %v19, 64
  %v28 = getelementptr i8, ptr %v9, i64 %v27
  %v22 = icmp slt i64 0, %v19
  br i1 %v22, label %pack.2.loop20, label %pack.2.done21
pack.2.loop20:
  %v24 = phi ptr [ %v9, %c.loop14 ], [ %v26, %pack.2.loop20 ]
  store <16 x float> splat (float 0x0000000000000000), ptr %v24, align 64
  %v25 = getelementptr i8, ptr %v24, i64 64
  %v26 = freeze ptr %v25
  %v29 = icmp ne ptr %v26, %v28
  br i1 %v29, label %pack.2.loop20, label %pack.2.done21
pack.2.done21:
  %v30 = call i64 @llvm.smax.i64(i64 0, i64 %v19)
  %v32 = call i64 @llvm.smin.i64(i64 6, i64 %v31)
  %v50 = mul nsw i64 %v30, 64
  %v51 = mul nsw i64 %v32, 64
  %v35 = icmp slt i64 %v30, %v32
  br i1 %v35, label %pack.2.loop33, label %pack.2.done34
pack.2.loop33:
  %v47 = phi i64 [ %v50, %pack.2.done21 ], [ %v49, %pack.2.loop33 ]
  %v43 = getelementptr i8, ptr %v42, i64 %v47
  %v46 = getelementptr i8, ptr %v9, i64 %v47
  %v44 = getelementptr i8, ptr %v43, i64 -64
  %v45 = load <16 x float>, ptr %v44, align 64
  store <16 x float> %v45, ptr %v46, align 64
  %v48 = add nsw i64 %v47, 64
  %v49 = freeze i64 %v48
  %v52 = icmp ne i64 %v49, %v51
  br i1 %v52, label %pack.2.loop33, label %pack.2.done34
pack.2.done34:
  %v60 = mul nsw i64 %v31, 64
  %v61 = getelementptr i8, ptr %v9, i64 %v60
  %v62 = getelementptr i8, ptr %v9, i64 384
  %v55 = icmp slt i64 %v31, 6
  br i1 %v55, label %pack.2.loop53, label %pack.2.done54
pack.2.loop53:
  %v57 = phi ptr [ %v61, %pack.2.done34 ], [ %v59, %pack.2.loop53 ]
  store <16 x float> splat (float 0x0000000000000000), ptr %v57, align 64
  %v58 = getelementptr i8, ptr %v57, i64 64
  %v59 = freeze ptr %v58
  %v63 = icmp ne ptr %v59, %v62
  br i1 %v63, label %pack.2.loop53, label %pack.2.done54
pack.2.done54:
  %v86 = getelementptr i8, ptr %v9, i64 256
  br label %tl_i.loop64
tl_i.loop64:
  %v67 = phi ptr [ %v9, %pack.2.done54 ], [ %v85, %tl_i.loop64 ]
  %v80 = phi ptr [ %v79, %pack.2.done54 ], [ %v88, %tl_i.loop64 ]
  %v68 = load <16 x float>, ptr %v67, align 64
  %v69 = getelementptr i8, ptr %v67, i64 64
  %v70 = load <16 x float>, ptr %v69, align 64
  %v71 = getelementptr i8, ptr %v67, i64 128
  %v72 = load <16 x float>, ptr %v71, align 64
  %v73 = getelementptr i8, ptr %v67, i64 192
  %v74 = load <16 x float>, ptr %v73, align 64
  %v75 = fsub <16 x float> %v72, %v68
  %v76 = fadd <16 x float> %v70, %v72
  %v77 = fsub <16 x float> %v72, %v70
  %v78 = fsub <16 x float> %v74, %v70
  store <16 x float> %v75, ptr %v80, align 64
  %v81 = getelementptr i8, ptr %v80, i64 384
  store <16 x float> %v76, ptr %v81, align 64
  %v82 = getelementptr i8, ptr %v80, i64 768
  store <16 x float> %v77, ptr %v82, align 64
  %v83 = getelementptr i8, ptr %v80, i64 1152
  store <16 x float> %v78, ptr %v83, align 64
  %v84 = getelementptr i8, ptr %v67, i64 128
  %v85 = freeze ptr %v84
  %v87 = getelementptr i8, ptr %v80, i64 64
  %v88 = freeze ptr %v87
  %v89 = icmp ne ptr %v85, %v86
  br i1 %v89, label %tl_i.loop64, label %tl_i.done65
tl_i.done65:
  %v90 = getelementptr i8, ptr %v42, i64 448
  %v91 = freeze ptr %v90
  %v93 = getelementptr i8, ptr %v79, i64 128
  %v94 = freeze ptr %v93
  %v95 = icmp ne ptr %v91, %v92
  br i1 %v95, label %c.loop14, label %c.done15
c.done15:
  br label %q.loop96
q.loop96:
  %v134 = phi i64 [ 0, %c.done15 ], [ %v136, %c1.done100 ]
  %v106 = phi ptr [ %v2, %c.done15 ], [ %v138, %c1.done100 ]
  %v109 = getelementptr i8, ptr %v7, i64 %v134
  %v130 = getelementptr i8, ptr %v8, i64 %v134
  %v126 = getelementptr i8, ptr %v106, i64 8
  br label %c1.loop99
c1.loop99:
  %v107 = phi ptr [ %v106, %q.loop96 ], [ %v125, %c1.loop99 ]
  %v110 = phi ptr [ %v109, %q.loop96 ], [ %v128, %c1.loop99 ]
  %v102 = phi <16 x float> [ splat (float 0x0000000000000000), %q.loop96 ], [ %v114, %c1.loop99 ]
  %v103 = phi <16 x float> [ splat (float 0x0000000000000000), %q.loop96 ], [ %v117, %c1.loop99 ]
  %v104 = phi <16 x float> [ splat (float 0x0000000000000000), %q.loop96 ], [ %v122, %c1.loop99 ]
  %v105 = phi <16 x float> [ splat (float 0x0000000000000000), %q.loop96 ], [ %v123, %c1.loop99 ]
  %v108 = load float, ptr %v107, align 4
  %v111 = load <16 x float>, ptr %v110, align 64
  %v112 = insertelement <16 x float> poison, float %v108, i64 0
  %v113 = shufflevector <16 x float> %v112, <16 x float> poison, <16 x i32> zeroinitializer
  %v114 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v111, <16 x float> %v113, <16 x float> %v102)
  %v115 = getelementptr i8, ptr %v110, i64 64
  %v116 = load <16 x float>, ptr %v115, align 64
  %v117 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v113, <16 x float> %v103)
  %v118 = getelementptr i8, ptr %v107, i64 8
  %v119 = load float, ptr %v118, align 4
  %v120 = insertelement <16 x float> poison, float %v119, i64 0
  %v121 = shufflevector <16 x float> %v120, <16 x float> poison, <16 x i32> zeroinitializer
  %v122 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v111, <16 x float> %v121, <16 x float> %v104)
  %v123 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %v121, <16 x float> %v105)
  %v124 = getelementptr i8, ptr %v107, i64 4
  %v125 = freeze ptr %v124
  %v127 = getelementptr i8, ptr %v110, i64 128
  %v128 = freeze ptr %v127
  %v129 = icmp ne ptr %v125, %v126
  br i1 %v129, label %c1.loop99, label %c1.done100
c1.done100:
  store <16 x float> %v114, ptr %v130, align 64
  %v131 = getelementptr i8, ptr %v130, i64 64
  store <16 x float> %v117, ptr %v131, align 64
  %v132 = getelementptr i8, ptr %v130, i64 128
  store <16 x float> %v122, ptr %v132, align 64
  %v133 = getelementptr i8, ptr %v130, i64 192
  store <16 x float> %v123, ptr %v133, align 64
  %v135 = add nsw i64 %v134, 384
  %v136 = freeze i64 %v135
  %v137 = getelementptr i8, ptr %v106, i64 16
  %v138 = freeze ptr %v137
  %v139 = icmp ne i64 %v136, 1536
  br i1 %v139, label %q.loop96, label %q.done97
q.done97:
  %v179 = getelementptr i8, ptr %v8, i64 256
  br label %f1.loop140
f1.loop140:
  %v146 = phi ptr [ %v8, %q.done97 ], [ %v178, %tl2_i.done144 ]
  %v161 = phi ptr [ %v160, %q.done97 ], [ %v181, %tl2_i.done144 ]
  br label %tl2_i.loop143
tl2_i.loop143:
  %v145 = phi i64 [ 0, %f1.loop140 ], [ %v171, %endif168 ]
  %v147 = phi ptr [ %v146, %f1.loop140 ], [ %v173, %endif168 ]
  %v162 = phi ptr [ %v161, %f1.loop140 ], [ %v175, %endif168 ]
  %v163 = mul nsw i64 %v145, -2
  %v164 = add nsw i64 %v18, %v163
  %v165 = add nsw i64 %v164, 5
  %v148 = load <16 x float>, ptr %v147, align 64
  %v149 = getelementptr i8, ptr %v147, i64 384
  %v150 = load <16 x float>, ptr %v149, align 64
  %v151 = getelementptr i8, ptr %v147, i64 768
  %v152 = load <16 x float>, ptr %v151, align 64
  %v153 = getelementptr i8, ptr %v147, i64 1152
  %v154 = load <16 x float>, ptr %v153, align 64
  %v155 = fadd <16 x float> %v148, %v150
  %v156 = fadd <16 x float> %v155, %v152
  %v157 = fadd <16 x float> %v150, %v154
  %v158 = fsub <16 x float> %v157, %v152
  store <16 x float> %v156, ptr %v162, align 64
  %v166 = icmp sge i64 %v165, 0
  br i1 %v166, label %then167, label %endif168
then167:
  %v169 = getelementptr i8, ptr %v162, i64 64
  store <16 x float> %v158, ptr %v169, align 64
  br label %endif168
endif168:
  %v170 = add nsw i64 %v145, 1
  %v171 = freeze i64 %v170
  %v172 = getelementptr i8, ptr %v147, i64 64
  %v173 = freeze ptr %v172
  %v174 = getelementptr i8, ptr %v162, i64 128
  %v175 = freeze ptr %v174
  %v176 = icmp ne i64 %v171, 2
  br i1 %v176, label %tl2_i.loop143, label %tl2_i.done144
tl2_i.done144:
  %v177 = getelementptr i8, ptr %v146, i64 128
  %v178 = freeze ptr %v177
  %v180 = getelementptr i8, ptr %v161, i64 448
  %v181 = freeze ptr %v180
  %v182 = icmp ne ptr %v178, %v179
  br i1 %v182, label %f1.loop140, label %f1.done141
f1.done141:
  %v183 = add nsw i64 %v13, 1
  %v184 = freeze i64 %v183
  %v185 = icmp ne i64 %v184, %hi
  br i1 %v185, label %items.loop10, label %items.done11
items.done11:
  ret void
}
