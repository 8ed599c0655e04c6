define void @k_ab974ae1390e9162(ptr %args, i64 %lo, i64 %hi, ptr %scratch) nounwind {
entry:
  %v1 = getelementptr inbounds ptr, ptr %args, i64 0
  %v2 = load ptr, ptr %v1, align 8
  %v3 = getelementptr inbounds ptr, ptr %args, i64 1
  %v4 = load ptr, ptr %v3, align 8
  %v5 = getelementptr inbounds ptr, ptr %args, i64 2
  %v6 = load ptr, ptr %v5, align 8
  %v7 = getelementptr i8, ptr %scratch, i64 0
  %v10 = icmp slt i64 %lo, %hi
  br i1 %v10, label %items.loop8, label %items.done9
items.loop8:
  %v11 = phi i64 [ %lo, %entry ], [ %v12, %fi.j.done262 ]
  br label %fi.z.loop13
fi.z.loop13:
  %v15 = phi i64 [ 0, %items.loop8 ], [ %v16, %cc.z.done18 ]
  %v29 = mul nsw i64 %v15, 1152
  %v30 = getelementptr i8, ptr %v7, i64 %v29
  br label %cc.z.loop17
cc.z.loop17:
  %v19 = phi i64 [ 0, %fi.z.loop13 ], [ %v20, %kh.z.done22 ]
  %v31 = mul nsw i64 %v19, 576
  %v32 = getelementptr i8, ptr %v30, i64 %v31
  br label %kh.z.loop21
kh.z.loop21:
  %v23 = phi i64 [ 0, %cc.z.loop17 ], [ %v24, %kw.z.done26 ]
  %v33 = mul nsw i64 %v23, 192
  %v34 = getelementptr i8, ptr %v32, i64 %v33
  br label %kw.z.loop25
kw.z.loop25:
  %v27 = phi i64 [ 0, %kh.z.loop21 ], [ %v28, %kw.z.loop25 ]
  %v35 = mul nsw i64 %v27, 64
  %v36 = getelementptr i8, ptr %v34, i64 %v35
  store <16 x float> splat (float 0x0000000000000000), ptr %v36, align 64
  %v28 = add nuw nsw i64 %v27, 1
  %v37 = icmp ne i64 %v28, 3
  br i1 %v37, label %kw.z.loop25, label %kw.z.done26
kw.z.done26:
  %v24 = add nuw nsw i64 %v23, 1
  %v38 = icmp ne i64 %v24, 3
  br i1 %v38, label %kh.z.loop21, label %kh.z.done22
kh.z.done22:
  %v20 = add nuw nsw i64 %v19, 1
  %v39 = icmp ne i64 %v20, 2
  br i1 %v39, label %cc.z.loop17, label %cc.z.done18
cc.z.done18:
  %v16 = add nuw nsw i64 %v15, 1
  %v40 = icmp ne i64 %v16, 4
  br i1 %v40, label %fi.z.loop13, label %fi.z.done14
fi.z.done14:
  br label %q.loop41
q.loop41:
  %v43 = phi i64 [ 0, %fi.z.done14 ], [ %v44, %kh.done46 ]
  %v154 = mul nsw i64 %v43, 4096
  %v155 = getelementptr i8, ptr %v4, i64 %v154
  %v164 = mul nsw i64 %v43, 4608
  %v165 = getelementptr i8, ptr %v2, i64 %v164
  br label %kh.loop45
kh.loop45:
  %v47 = phi i64 [ 0, %q.loop41 ], [ %v48, %row.done99 ]
  %v49 = mul nsw i64 %v47, 192
  %v50 = getelementptr i8, ptr %v7, i64 %v49
  %v166 = mul nsw i64 %v47, 384
  %v167 = getelementptr i8, ptr %v165, i64 %v166
  %v51 = load <16 x float>, ptr %v50, align 64
  %v52 = getelementptr i8, ptr %v50, i64 1152
  %v53 = load <16 x float>, ptr %v52, align 64
  %v54 = getelementptr i8, ptr %v50, i64 2304
  %v55 = load <16 x float>, ptr %v54, align 64
  %v56 = getelementptr i8, ptr %v50, i64 3456
  %v57 = load <16 x float>, ptr %v56, align 64
  %v58 = getelementptr i8, ptr %v50, i64 576
  %v59 = load <16 x float>, ptr %v58, align 64
  %v60 = getelementptr i8, ptr %v50, i64 1728
  %v61 = load <16 x float>, ptr %v60, align 64
  %v62 = getelementptr i8, ptr %v50, i64 2880
  %v63 = load <16 x float>, ptr %v62, align 64
  %v64 = getelementptr i8, ptr %v50, i64 4032
  %v65 = load <16 x float>, ptr %v64, align 64
  %v66 = getelementptr i8, ptr %v50, i64 64
  %v67 = load <16 x float>, ptr %v66, align 64
  %v68 = getelementptr i8, ptr %v50, i64 1216
  %v69 = load <16 x float>, ptr %v68, align 64
  %v70 = getelementptr i8, ptr %v50, i64 2368
  %v71 = load <16 x float>, ptr %v70, align 64
  %v72 = getelementptr i8, ptr %v50, i64 3520
  %v73 = load <16 x float>, ptr %v72, align 64
  %v74 = getelementptr i8, ptr %v50, i64 640
  %v75 = load <16 x float>, ptr %v74, align 64
  %v76 = getelementptr i8, ptr %v50, i64 1792
  %v77 = load <16 x float>, ptr %v76, align 64
  %v78 = getelementptr i8, ptr %v50, i64 2944
  %v79 = load <16 x float>, ptr %v78, align 64
  %v80 = getelementptr i8, ptr %v50, i64 4096
  %v81 = load <16 x float>, ptr %v80, align 64
  %v82 = getelementptr i8, ptr %v50, i64 128
  %v83 = load <16 x float>, ptr %v82, align 64
  %v84 = getelementptr i8, ptr %v50, i64 1280
  %v85 = load <16 x float>, ptr %v84, align 64
  %v86 = getelementptr i8, ptr %v50, i64 2432
  %v87 = load <16 x float>, ptr %v86, align 64
  %v88 = getelementptr i8, ptr %v50, i64 3584
  %v89 = load <16 x float>, ptr %v88, align 64
  %v90 = getelementptr i8, ptr %v50, i64 704
  %v91 = load <16 x float>, ptr %v90, align 64
  %v92 = getelementptr i8, ptr %v50, i64 1856
  %v93 = load <16 x float>, ptr %v92, align 64
  %v94 = getelementptr i8, ptr %v50, i64 3008
  %v95 = load <16 x float>, ptr %v94, align 64
  %v96 = getelementptr i8, ptr %v50, i64 4160
  %v97 = load <16 x float>, ptr %v96, align 64
  br label %row.loop98
row.loop98:
  %v100 = phi i64 [ 0, %kh.loop45 ], [ %v101, %wt.done127 ]
  %v102 = phi <16 x float> [ %v51, %kh.loop45 ], [ %v223, %wt.done127 ]
  %v103 = phi <16 x float> [ %v53, %kh.loop45 ], [ %v226, %wt.done127 ]
  %v104 = phi <16 x float> [ %v55, %kh.loop45 ], [ %v229, %wt.done127 ]
  %v105 = phi <16 x float> [ %v57, %kh.loop45 ], [ %v232, %wt.done127 ]
  %v106 = phi <16 x float> [ %v59, %kh.loop45 ], [ %v233, %wt.done127 ]
  %v107 = phi <16 x float> [ %v61, %kh.loop45 ], [ %v234, %wt.done127 ]
  %v108 = phi <16 x float> [ %v63, %kh.loop45 ], [ %v235, %wt.done127 ]
  %v109 = phi <16 x float> [ %v65, %kh.loop45 ], [ %v236, %wt.done127 ]
  %v110 = phi <16 x float> [ %v67, %kh.loop45 ], [ %v237, %wt.done127 ]
  %v111 = phi <16 x float> [ %v69, %kh.loop45 ], [ %v238, %wt.done127 ]
  %v112 = phi <16 x float> [ %v71, %kh.loop45 ], [ %v239, %wt.done127 ]
  %v113 = phi <16 x float> [ %v73, %kh.loop45 ], [ %v240, %wt.done127 ]
  %v114 = phi <16 x float> [ %v75, %kh.loop45 ], [ %v241, %wt.done127 ]
  %v115 = phi <16 x float> [ %v77, %kh.loop45 ], [ %v242, %wt.done127 ]
  %v116 = phi <16 x float> [ %v79, %kh.loop45 ], [ %v243, %wt.done127 ]
  %v117 = phi <16 x float> [ %v81, %kh.loop45 ], [ %v244, %wt.done127 ]
  %v118 = phi <16 x float> [ %v83, %kh.loop45 ], [ %v247, %wt.done127 ]
  %v119 = phi <16 x float> [ %v85, %kh.loop45 ], [ %v248, %wt.done127 ]
  %v120 = phi <16 x float> [ %v87, %kh.loop45 ], [ %v249, %wt.done127 ]
  %v121 = phi <16 x float> [ %v89, %kh.loop45 ], [ %v250, %wt.done127 ]
  %v122 = phi <16 x float> [ %v91, %kh.loop45 ], [ %v253, %wt.done127 ]
  %v123 = phi <16 x float> [ %v93, %kh.loop45 ], [ %v254, %wt.done127 ]
  %v124 = phi <16 x float> [ %v95, %kh.loop45 ], [ %v255, %wt.done127 ]
  %v125 = phi <16 x float> [ %v97, %kh.loop45 ], [ %v256, %wt.done127 ]
  %v156 = mul nsw i64 %v100, 256
  %v157 = getelementptr i8, ptr %v155, i64 %v156
  %v168 = mul nsw i64 %v100, 384
  %v169 = getelementptr i8, ptr %v167, i64 %v168
  br label %wt.loop126
wt.loop126:
  %v128 = phi i64 [ 0, %row.loop98 ], [ %v129, %wt.loop126 ]
  %v130 = phi <16 x float> [ %v102, %row.loop98 ], [ %v223, %wt.loop126 ]
  %v131 = phi <16 x float> [ %v103, %row.loop98 ], [ %v226, %wt.loop126 ]
  %v132 = phi <16 x float> [ %v104, %row.loop98 ], [ %v229, %wt.loop126 ]
  %v133 = phi <16 x float> [ %v105, %row.loop98 ], [ %v232, %wt.loop126 ]
  %v134 = phi <16 x float> [ %v106, %row.loop98 ], [ %v233, %wt.loop126 ]
  %v135 = phi <16 x float> [ %v107, %row.loop98 ], [ %v234, %wt.loop126 ]
  %v136 = phi <16 x float> [ %v108, %row.loop98 ], [ %v235, %wt.loop126 ]
  %v137 = phi <16 x float> [ %v109, %row.loop98 ], [ %v236, %wt.loop126 ]
  %v138 = phi <16 x float> [ %v110, %row.loop98 ], [ %v237, %wt.loop126 ]
  %v139 = phi <16 x float> [ %v111, %row.loop98 ], [ %v238, %wt.loop126 ]
  %v140 = phi <16 x float> [ %v112, %row.loop98 ], [ %v239, %wt.loop126 ]
  %v141 = phi <16 x float> [ %v113, %row.loop98 ], [ %v240, %wt.loop126 ]
  %v142 = phi <16 x float> [ %v114, %row.loop98 ], [ %v241, %wt.loop126 ]
  %v143 = phi <16 x float> [ %v115, %row.loop98 ], [ %v242, %wt.loop126 ]
  %v144 = phi <16 x float> [ %v116, %row.loop98 ], [ %v243, %wt.loop126 ]
  %v145 = phi <16 x float> [ %v117, %row.loop98 ], [ %v244, %wt.loop126 ]
  %v146 = phi <16 x float> [ %v118, %row.loop98 ], [ %v247, %wt.loop126 ]
  %v147 = phi <16 x float> [ %v119, %row.loop98 ], [ %v248, %wt.loop126 ]
  %v148 = phi <16 x float> [ %v120, %row.loop98 ], [ %v249, %wt.loop126 ]
  %v149 = phi <16 x float> [ %v121, %row.loop98 ], [ %v250, %wt.loop126 ]
  %v150 = phi <16 x float> [ %v122, %row.loop98 ], [ %v253, %wt.loop126 ]
  %v151 = phi <16 x float> [ %v123, %row.loop98 ], [ %v254, %wt.loop126 ]
  %v152 = phi <16 x float> [ %v124, %row.loop98 ], [ %v255, %wt.loop126 ]
  %v153 = phi <16 x float> [ %v125, %row.loop98 ], [ %v256, %wt.loop126 ]
  %v158 = mul nsw i64 %v128, 128
  %v159 = getelementptr i8, ptr %v157, i64 %v158
  %v170 = getelementptr i8, ptr %v169, i64 %v158
  %v160 = getelementptr i8, ptr %v159, i64 256
  call void @llvm.prefetch.p0(ptr %v160, i32 0, i32 3, i32 1)
  %v161 = getelementptr i8, ptr %v159, i64 1280
  call void @llvm.prefetch.p0(ptr %v161, i32 0, i32 3, i32 1)
  %v162 = getelementptr i8, ptr %v159, i64 2304
  call void @llvm.prefetch.p0(ptr %v162, i32 0, i32 3, i32 1)
  %v163 = getelementptr i8, ptr %v159, i64 3328
  call void @llvm.prefetch.p0(ptr %v163, i32 0, i32 3, i32 1)
  %v171 = getelementptr i8, ptr %v170, i64 4608
  call void @llvm.prefetch.p0(ptr %v171, i32 0, i32 3, i32 1)
  %v172 = getelementptr i8, ptr %v170, i64 6912
  call void @llvm.prefetch.p0(ptr %v172, i32 0, i32 3, i32 1)
  %v173 = load <16 x float>, ptr %v170, align 64
  %v174 = load <16 x float>, ptr %v159, align 64
  %v175 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v173, <16 x float> %v174, <16 x float> %v130)
  %v176 = getelementptr i8, ptr %v159, i64 1024
  %v177 = load <16 x float>, ptr %v176, align 64
  %v178 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v173, <16 x float> %v177, <16 x float> %v131)
  %v179 = getelementptr i8, ptr %v159, i64 2048
  %v180 = load <16 x float>, ptr %v179, align 64
  %v181 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v173, <16 x float> %v180, <16 x float> %v132)
  %v182 = getelementptr i8, ptr %v159, i64 3072
  %v183 = load <16 x float>, ptr %v182, align 64
  %v184 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v173, <16 x float> %v183, <16 x float> %v133)
  %v185 = getelementptr i8, ptr %v170, i64 2304
  %v186 = load <16 x float>, ptr %v185, align 64
  %v187 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v186, <16 x float> %v174, <16 x float> %v134)
  %v188 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v186, <16 x float> %v177, <16 x float> %v135)
  %v189 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v186, <16 x float> %v180, <16 x float> %v136)
  %v190 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v186, <16 x float> %v183, <16 x float> %v137)
  %v191 = getelementptr i8, ptr %v170, i64 64
  %v192 = load <16 x float>, ptr %v191, align 64
  %v193 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v192, <16 x float> %v174, <16 x float> %v138)
  %v194 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v192, <16 x float> %v177, <16 x float> %v139)
  %v195 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v192, <16 x float> %v180, <16 x float> %v140)
  %v196 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v192, <16 x float> %v183, <16 x float> %v141)
  %v197 = getelementptr i8, ptr %v170, i64 2368
  %v198 = load <16 x float>, ptr %v197, align 64
  %v199 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v198, <16 x float> %v174, <16 x float> %v142)
  %v200 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v198, <16 x float> %v177, <16 x float> %v143)
  %v201 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v198, <16 x float> %v180, <16 x float> %v144)
  %v202 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v198, <16 x float> %v183, <16 x float> %v145)
  %v203 = getelementptr i8, ptr %v170, i64 128
  %v204 = load <16 x float>, ptr %v203, align 64
  %v205 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v204, <16 x float> %v174, <16 x float> %v146)
  %v206 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v204, <16 x float> %v177, <16 x float> %v147)
  %v207 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v204, <16 x float> %v180, <16 x float> %v148)
  %v208 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v204, <16 x float> %v183, <16 x float> %v149)
  %v209 = getelementptr i8, ptr %v170, i64 2432
  %v210 = load <16 x float>, ptr %v209, align 64
  %v211 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v210, <16 x float> %v174, <16 x float> %v150)
  %v212 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v210, <16 x float> %v177, <16 x float> %v151)
  %v213 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v210, <16 x float> %v180, <16 x float> %v152)
  %v214 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v210, <16 x float> %v183, <16 x float> %v153)
  %v215 = getelementptr i8, ptr %v159, i64 320
  call void @llvm.prefetch.p0(ptr %v215, i32 0, i32 3, i32 1)
  %v216 = getelementptr i8, ptr %v159, i64 1344
  call void @llvm.prefetch.p0(ptr %v216, i32 0, i32 3, i32 1)
  %v217 = getelementptr i8, ptr %v159, i64 2368
  call void @llvm.prefetch.p0(ptr %v217, i32 0, i32 3, i32 1)
  %v218 = getelementptr i8, ptr %v159, i64 3392
  call void @llvm.prefetch.p0(ptr %v218, i32 0, i32 3, i32 1)
  %v219 = getelementptr i8, ptr %v170, i64 4672
  call void @llvm.prefetch.p0(ptr %v219, i32 0, i32 3, i32 1)
  %v220 = getelementptr i8, ptr %v170, i64 6976
  call void @llvm.prefetch.p0(ptr %v220, i32 0, i32 3, i32 1)
  %v221 = getelementptr i8, ptr %v159, i64 64
  %v222 = load <16 x float>, ptr %v221, align 64
  %v223 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v192, <16 x float> %v222, <16 x float> %v175)
  %v224 = getelementptr i8, ptr %v159, i64 1088
  %v225 = load <16 x float>, ptr %v224, align 64
  %v226 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v192, <16 x float> %v225, <16 x float> %v178)
  %v227 = getelementptr i8, ptr %v159, i64 2112
  %v228 = load <16 x float>, ptr %v227, align 64
  %v229 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v192, <16 x float> %v228, <16 x float> %v181)
  %v230 = getelementptr i8, ptr %v159, i64 3136
  %v231 = load <16 x float>, ptr %v230, align 64
  %v232 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v192, <16 x float> %v231, <16 x float> %v184)
  %v233 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v198, <16 x float> %v222, <16 x float> %v187)
  %v234 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v198, <16 x float> %v225, <16 x float> %v188)
  %v235 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v198, <16 x float> %v228, <16 x float> %v189)
  %v236 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v198, <16 x float> %v231, <16 x float> %v190)
  %v237 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v204, <16 x float> %v222, <16 x float> %v193)
  %v238 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v204, <16 x float> %v225, <16 x float> %v194)
  %v239 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v204, <16 x float> %v228, <16 x float> %v195)
  %v240 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v204, <16 x float> %v231, <16 x float> %v196)
  %v241 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v210, <16 x float> %v222, <16 x float> %v199)
  %v242 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v210, <16 x float> %v225, <16 x float> %v200)
  %v243 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v210, <16 x float> %v228, <16 x float> %v201)
  %v244 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v210, <16 x float> %v231, <16 x float> %v202)
  %v245 = getelementptr i8, ptr %v170, i64 192
  %v246 = load <16 x float>, ptr %v245, align 64
  %v247 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v246, <16 x float> %v222, <16 x float> %v205)
  %v248 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v246, <16 x float> %v225, <16 x float> %v206)
  %v249 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v246, <16 x float> %v228, <16 x float> %v207)
  %v250 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v246, <16 x float> %v231, <16 x float> %v208)
  %v251 = getelementptr i8, ptr %v170, i64 2496
  %v252 = load <16 x float>, ptr %v251, align 64
  %v253 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v252, <16 x float> %v222, <16 x float> %v211)
  %v254 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v252, <16 x float> %v225, <16 x float> %v212)
  %v255 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v252, <16 x float> %v228, <16 x float> %v213)
  %v256 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v252, <16 x float> %v231, <16 x float> %v214)
  %v129 = add nuw nsw i64 %v128, 1
  %v257 = icmp ne i64 %v129, 2
  br i1 %v257, label %wt.loop126, label %wt.done127
wt.done127:
  %v101 = add nuw nsw i64 %v100, 1
  %v258 = icmp ne i64 %v101, 4
  br i1 %v258, label %row.loop98, label %row.done99
row.done99:
  store <16 x float> %v223, ptr %v50, align 64
  store <16 x float> %v226, ptr %v52, align 64
  store <16 x float> %v229, ptr %v54, align 64
  store <16 x float> %v232, ptr %v56, align 64
  store <16 x float> %v233, ptr %v58, align 64
  store <16 x float> %v234, ptr %v60, align 64
  store <16 x float> %v235, ptr %v62, align 64
  store <16 x float> %v236, ptr %v64, align 64
  store <16 x float> %v237, ptr %v66, align 64
  store <16 x float> %v238, ptr %v68, align 64
  store <16 x float> %v239, ptr %v70, align 64
  store <16 x float> %v240, ptr %v72, align 64
  store <16 x float> %v241, ptr %v74, align 64
  store <16 x float> %v242, ptr %v76, align 64
  store <16 x float> %v243, ptr %v78, align 64
  store <16 x float> %v244, ptr %v80, align 64
  store <16 x float> %v247, ptr %v82, align 64
  store <16 x float> %v248, ptr %v84, align 64
  store <16 x float> %v249, ptr %v86, align 64
  store <16 x float> %v250, ptr %v88, align 64
  store <16 x float> %v253, ptr %v90, align 64
  store <16 x float> %v254, ptr %v92, align 64
  store <16 x float> %v255, ptr %v94, align 64
  store <16 x float> %v256, ptr %v96, align 64
  %v48 = add nuw nsw i64 %v47, 1
  %v259 = icmp ne i64 %v48, 3
  br i1 %v259, label %kh.loop45, label %kh.done46
kh.done46:
  %v44 = add nuw nsw i64 %v43, 1
  %v260 = icmp ne i64 %v44, 2
  br i1 %v260, label %q.loop41, label %q.done42
q.done42:
  br label %fi.j.loop261
fi.j.loop261:
  %v263 = phi i64 [ 0, %q.done42 ], [ %v264, %fi.j.loop261 ]
  %v265 = mul nsw i64 %v263, 1152
  %v266 = getelementptr i8, ptr %v7, i64 %v265
  %v377 = mul nsw i64 %v263, 72
  %v378 = getelementptr i8, ptr %v6, i64 %v377
  %v267 = load <16 x float>, ptr %v266, align 64
  %v268 = getelementptr i8, ptr %v266, i64 64
  %v269 = load <16 x float>, ptr %v268, align 64
  %v270 = getelementptr i8, ptr %v266, i64 128
  %v271 = load <16 x float>, ptr %v270, align 64
  %v272 = getelementptr i8, ptr %v266, i64 192
  %v273 = load <16 x float>, ptr %v272, align 64
  %v274 = getelementptr i8, ptr %v266, i64 256
  %v275 = load <16 x float>, ptr %v274, align 64
  %v276 = getelementptr i8, ptr %v266, i64 320
  %v277 = load <16 x float>, ptr %v276, align 64
  %v278 = getelementptr i8, ptr %v266, i64 384
  %v279 = load <16 x float>, ptr %v278, align 64
  %v280 = getelementptr i8, ptr %v266, i64 448
  %v281 = load <16 x float>, ptr %v280, align 64
  %v282 = getelementptr i8, ptr %v266, i64 512
  %v283 = load <16 x float>, ptr %v282, align 64
  %v284 = getelementptr i8, ptr %v266, i64 576
  %v285 = load <16 x float>, ptr %v284, align 64
  %v286 = getelementptr i8, ptr %v266, i64 640
  %v287 = load <16 x float>, ptr %v286, align 64
  %v288 = getelementptr i8, ptr %v266, i64 704
  %v289 = load <16 x float>, ptr %v288, align 64
  %v290 = getelementptr i8, ptr %v266, i64 768
  %v291 = load <16 x float>, ptr %v290, align 64
  %v292 = getelementptr i8, ptr %v266, i64 832
  %v293 = load <16 x float>, ptr %v292, align 64
  %v294 = getelementptr i8, ptr %v266, i64 896
  %v295 = load <16 x float>, ptr %v294, align 64
  %v296 = getelementptr i8, ptr %v266, i64 960
  %v297 = load <16 x float>, ptr %v296, align 64
  %v298 = shufflevector <16 x float> %v267, <16 x float> %v269, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v299 = shufflevector <16 x float> %v267, <16 x float> %v269, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v300 = shufflevector <16 x float> %v271, <16 x float> %v273, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v301 = shufflevector <16 x float> %v271, <16 x float> %v273, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v302 = shufflevector <16 x float> %v275, <16 x float> %v277, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v303 = shufflevector <16 x float> %v275, <16 x float> %v277, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v304 = shufflevector <16 x float> %v279, <16 x float> %v281, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v305 = shufflevector <16 x float> %v279, <16 x float> %v281, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v306 = shufflevector <16 x float> %v283, <16 x float> %v285, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v307 = shufflevector <16 x float> %v283, <16 x float> %v285, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v308 = shufflevector <16 x float> %v287, <16 x float> %v289, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v309 = shufflevector <16 x float> %v287, <16 x float> %v289, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v310 = shufflevector <16 x float> %v291, <16 x float> %v293, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v311 = shufflevector <16 x float> %v291, <16 x float> %v293, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v312 = shufflevector <16 x float> %v295, <16 x float> %v297, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v313 = shufflevector <16 x float> %v295, <16 x float> %v297, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v314 = shufflevector <16 x float> %v298, <16 x float> %v300, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v315 = shufflevector <16 x float> %v298, <16 x float> %v300, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v316 = shufflevector <16 x float> %v299, <16 x float> %v301, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v317 = shufflevector <16 x float> %v299, <16 x float> %v301, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v318 = shufflevector <16 x float> %v302, <16 x float> %v304, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v319 = shufflevector <16 x float> %v302, <16 x float> %v304, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v320 = shufflevector <16 x float> %v303, <16 x float> %v305, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v321 = shufflevector <16 x float> %v303, <16 x float> %v305, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v322 = shufflevector <16 x float> %v306, <16 x float> %v308, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v323 = shufflevector <16 x float> %v306, <16 x float> %v308, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v324 = shufflevector <16 x float> %v307, <16 x float> %v309, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v325 = shufflevector <16 x float> %v307, <16 x float> %v309, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v326 = shufflevector <16 x float> %v310, <16 x float> %v312, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v327 = shufflevector <16 x float> %v310, <16 x float> %v312, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v328 = shufflevector <16 x float> %v311, <16 x float> %v313, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v329 = shufflevector <16 x float> %v311, <16 x float> %v313, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v330 = shufflevector <16 x float> %v314, <16 x float> %v318, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v331 = shufflevector <16 x float> %v314, <16 x float> %v318, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v332 = shufflevector <16 x float> %v316, <16 x float> %v320, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v333 = shufflevector <16 x float> %v316, <16 x float> %v320, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v334 = shufflevector <16 x float> %v315, <16 x float> %v319, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v335 = shufflevector <16 x float> %v315, <16 x float> %v319, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v336 = shufflevector <16 x float> %v317, <16 x float> %v321, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v337 = shufflevector <16 x float> %v317, <16 x float> %v321, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v338 = shufflevector <16 x float> %v322, <16 x float> %v326, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v339 = shufflevector <16 x float> %v322, <16 x float> %v326, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v340 = shufflevector <16 x float> %v324, <16 x float> %v328, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v341 = shufflevector <16 x float> %v324, <16 x float> %v328, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v342 = shufflevector <16 x float> %v323, <16 x float> %v327, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v343 = shufflevector <16 x float> %v323, <16 x float> %v327, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v344 = shufflevector <16 x float> %v325, <16 x float> %v329, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v345 = shufflevector <16 x float> %v325, <16 x float> %v329, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v346 = shufflevector <16 x float> %v330, <16 x float> %v338, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v347 = shufflevector <16 x float> %v330, <16 x float> %v338, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v348 = shufflevector <16 x float> %v332, <16 x float> %v340, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v349 = shufflevector <16 x float> %v332, <16 x float> %v340, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v350 = shufflevector <16 x float> %v334, <16 x float> %v342, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v351 = shufflevector <16 x float> %v334, <16 x float> %v342, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v352 = shufflevector <16 x float> %v336, <16 x float> %v344, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v353 = shufflevector <16 x float> %v336, <16 x float> %v344, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v354 = shufflevector <16 x float> %v331, <16 x float> %v339, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v355 = shufflevector <16 x float> %v331, <16 x float> %v339, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v356 = shufflevector <16 x float> %v333, <16 x float> %v341, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v357 = shufflevector <16 x float> %v333, <16 x float> %v341, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v358 = shufflevector <16 x float> %v335, <16 x float> %v343, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v359 = shufflevector <16 x float> %v335, <16 x float> %v343, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v360 = shufflevector <16 x float> %v337, <16 x float> %v345, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v361 = shufflevector <16 x float> %v337, <16 x float> %v345, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v362 = fadd <16 x float> %v348, %v346
  %v363 = fadd <16 x float> %v350, %v362
  %v364 = fadd <16 x float> %v352, %v363
  %v365 = fadd <16 x float> %v354, %v364
  %v366 = fadd <16 x float> %v356, %v365
  %v367 = fadd <16 x float> %v358, %v366
  %v368 = fadd <16 x float> %v360, %v367
  %v369 = fadd <16 x float> %v347, %v368
  %v370 = fadd <16 x float> %v349, %v369
  %v371 = fadd <16 x float> %v351, %v370
  %v372 = fadd <16 x float> %v353, %v371
  %v373 = fadd <16 x float> %v355, %v372
  %v374 = fadd <16 x float> %v357, %v373
  %v375 = fadd <16 x float> %v359, %v374
  %v376 = fadd <16 x float> %v361, %v375
  store <16 x float> %v376, ptr %v378, align 4
  %v379 = getelementptr i8, ptr %v266, i64 1024
  %v380 = load <16 x float>, ptr %v379, align 64
  %v381 = getelementptr i8, ptr %v266, i64 1088
  %v382 = load <16 x float>, ptr %v381, align 64
  %v383 = shufflevector <16 x float> %v380, <16 x float> %v382, <16 x i32> <i32 0, i32 16, i32 2, i32 18, i32 4, i32 20, i32 6, i32 22, i32 8, i32 24, i32 10, i32 26, i32 12, i32 28, i32 14, i32 30>
  %v384 = shufflevector <16 x float> %v380, <16 x float> %v382, <16 x i32> <i32 1, i32 17, i32 3, i32 19, i32 5, i32 21, i32 7, i32 23, i32 9, i32 25, i32 11, i32 27, i32 13, i32 29, i32 15, i32 31>
  %v385 = shufflevector <16 x float> %v383, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v386 = shufflevector <16 x float> %v383, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v387 = shufflevector <16 x float> %v384, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 16, i32 17, i32 4, i32 5, i32 20, i32 21, i32 8, i32 9, i32 24, i32 25, i32 12, i32 13, i32 28, i32 29>
  %v388 = shufflevector <16 x float> %v384, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 18, i32 19, i32 6, i32 7, i32 22, i32 23, i32 10, i32 11, i32 26, i32 27, i32 14, i32 15, i32 30, i32 31>
  %v389 = shufflevector <16 x float> %v385, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v390 = shufflevector <16 x float> %v385, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v391 = shufflevector <16 x float> %v387, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v392 = shufflevector <16 x float> %v387, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v393 = shufflevector <16 x float> %v386, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v394 = shufflevector <16 x float> %v386, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v395 = shufflevector <16 x float> %v388, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 17, i32 18, i32 19, i32 8, i32 9, i32 10, i32 11, i32 24, i32 25, i32 26, i32 27>
  %v396 = shufflevector <16 x float> %v388, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 20, i32 21, i32 22, i32 23, i32 12, i32 13, i32 14, i32 15, i32 28, i32 29, i32 30, i32 31>
  %v397 = shufflevector <16 x float> %v389, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v398 = shufflevector <16 x float> %v389, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v399 = shufflevector <16 x float> %v391, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v400 = shufflevector <16 x float> %v391, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v401 = shufflevector <16 x float> %v393, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v402 = shufflevector <16 x float> %v393, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v403 = shufflevector <16 x float> %v395, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v404 = shufflevector <16 x float> %v395, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v405 = shufflevector <16 x float> %v390, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v406 = shufflevector <16 x float> %v390, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v407 = shufflevector <16 x float> %v392, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v408 = shufflevector <16 x float> %v392, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v409 = shufflevector <16 x float> %v394, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v410 = shufflevector <16 x float> %v394, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v411 = shufflevector <16 x float> %v396, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %v412 = shufflevector <16 x float> %v396, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v413 = shufflevector <16 x float> %v397, <16 x float> %v397, <2 x i32> <i32 0, i32 1>
  %v414 = shufflevector <16 x float> %v399, <16 x float> %v399, <2 x i32> <i32 0, i32 1>
  %v415 = shufflevector <16 x float> %v401, <16 x float> %v401, <2 x i32> <i32 0, i32 1>
  %v416 = shufflevector <16 x float> %v403, <16 x float> %v403, <2 x i32> <i32 0, i32 1>
  %v417 = shufflevector <16 x float> %v405, <16 x float> %v405, <2 x i32> <i32 0, i32 1>
  %v418 = shufflevector <16 x float> %v407, <16 x float> %v407, <2 x i32> <i32 0, i32 1>
  %v419 = shufflevector <16 x float> %v409, <16 x float> %v409, <2 x i32> <i32 0, i32 1>
  %v420 = shufflevector <16 x float> %v411, <16 x float> %v411, <2 x i32> <i32 0, i32 1>
  %v421 = shufflevector <16 x float> %v398, <16 x float> %v398, <2 x i32> <i32 0, i32 1>
  %v422 = shufflevector <16 x float> %v400, <16 x float> %v400, <2 x i32> <i32 0, i32 1>
  %v423 = shufflevector <16 x float> %v402, <16 x float> %v402, <2 x i32> <i32 0, i32 1>
  %v424 = shufflevector <16 x float> %v404, <16 x float> %v404, <2 x i32> <i32 0, i32 1>
  %v425 = shufflevector <16 x float> %v406, <16 x float> %v406, <2 x i32> <i32 0, i32 1>
  %v426 = shufflevector <16 x float> %v408, <16 x float> %v408, <2 x i32> <i32 0, i32 1>
  %v427 = shufflevector <16 x float> %v410, <16 x float> %v410, <2 x i32> <i32 0, i32 1>
  %v428 = shufflevector <16 x float> %v412, <16 x float> %v412, <2 x i32> <i32 0, i32 1>
  %v429 = fadd <2 x float> %v414, %v413
  %v430 = fadd <2 x float> %v415, %v429
  %v431 = fadd <2 x float> %v416, %v430
  %v432 = fadd <2 x float> %v417, %v431
  %v433 = fadd <2 x float> %v418, %v432
  %v434 = fadd <2 x float> %v419, %v433
  %v435 = fadd <2 x float> %v420, %v434
  %v436 = fadd <2 x float> %v421, %v435
  %v437 = fadd <2 x float> %v422, %v436
  %v438 = fadd <2 x float> %v423, %v437
  %v439 = fadd <2 x float> %v424, %v438
  %v440 = fadd <2 x float> %v425, %v439
  %v441 = fadd <2 x float> %v426, %v440
  %v442 = fadd <2 x float> %v427, %v441
  %v443 = fadd <2 x float> %v428, %v442
  %v444 = getelementptr i8, ptr %v378, i64 64
  store <2 x float> %v443, ptr %v444, align 4
  %v264 = add nuw nsw i64 %v263, 1
  %v445 = icmp ne i64 %v264, 4
  br i1 %v445, label %fi.j.loop261, label %fi.j.done262
fi.j.done262:
  %v12 = add nuw nsw i64 %v11, 1
  %v446 = icmp ne i64 %v12, %hi
  br i1 %v446, label %items.loop8, label %items.done9
items.done9:
  ret void
}
