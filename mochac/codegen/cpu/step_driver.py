"""LLVM text of the step driver: `mochac_run(job)` runs many steps of many rows (kernel launches) without Python.

runtime/cpu/team.py compiles it together with the text of worker_team.py. Every thread of the team goes through the same
rows and takes a share of the items of each; a barrier separates phases. The driver sees only the tables that
job_layout.py defines; the executor has written the plan into them.

Work is shared by stealing: a thread starts with an even share of the items and takes them from the front, a quarter of
the remaining ones at a time; then it takes items from the back of other threads' shares. So a thread that the system
suspends delays only the items it is working on. Slots are refilled after the next barrier, when no thread reads them.

The rows of a loop over time run once per time step; each thread writes the arguments of its next row into its scratch
memory, moved by one stride for each time step before.

Thread 0 binds a step (feed pointers, hyperparameters) before it starts, and collects its scalars after all threads have
met. Meanwhile, small batches of the following step are fetched from the core that filled them. After the last step all
threads meet once more: when `mochac_run` returns, no thread accesses the memory of the job any more, and its owner may
free it.
"""

from __future__ import annotations

from mochac.codegen.cpu import job_layout as at
from mochac.codegen.cpu.job_layout import Job, Kind, Row, SlotWord
from mochac.codegen.cpu.words import load_word


def driver_text() -> str:
    """Functions of the driver; `@barrier`, `@advance`, the float mode and the clock come from worker_team.py."""
    return "\n".join([_DECLARATIONS, _FETCH, _BIND, _COLLECT, _SHARE, _MOVE, _SPMD, _RUN])


_DECLARATIONS = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
"""

_BIND = f"""
define internal void @bind(ptr %job, i64 %step) nounwind {{
entry:
{load_word("feeds", "job", Job.FEEDS, "ptr")}
{load_word("n_feeds", "job", Job.N_FEEDS)}
{load_word("patches", "job", Job.PATCHES, "ptr")}
{load_word("n_patches", "job", Job.N_PATCHES)}
{load_word("table", "job", Job.HYPER_TABLE, "ptr")}
{load_word("bytes", "job", Job.HYPER_BYTES)}
{load_word("block", "job", Job.HYPER_BLOCK, "ptr")}
  %skip = mul i64 %step, %bytes
  %from = getelementptr i8, ptr %table, i64 %skip
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block, ptr align 8 %from, i64 %bytes, i1 false)
  %first = mul i64 %step, %n_feeds
  %line = getelementptr ptr, ptr %feeds, i64 %first
  %any = icmp sgt i64 %n_patches, 0
  br i1 %any, label %patch, label %done
patch:
  %k = phi i64 [ 0, %entry ], [ %k1, %patch ]
  %three = getelementptr [3 x i64], ptr %patches, i64 %k
  %feed = load i64, ptr %three, align 8
  %target.at = getelementptr i64, ptr %three, i64 1
  %target = load ptr, ptr %target.at, align 8
  %offset.at = getelementptr i64, ptr %three, i64 2
  %offset = load i64, ptr %offset.at, align 8
  %source.at = getelementptr ptr, ptr %line, i64 %feed
  %source = load ptr, ptr %source.at, align 8
  %begin = getelementptr i8, ptr %source, i64 %offset
  store ptr %begin, ptr %target, align 8
  %k1 = add nuw i64 %k, 1
  %more = icmp ult i64 %k1, %n_patches
  br i1 %more, label %patch, label %done
done:
  %next = getelementptr ptr, ptr %line, i64 %n_feeds
{load_word("lines", "job", Job.FEED_LINES, "ptr")}
  call void @fetch(ptr %next, ptr %lines, i64 %n_feeds)
  ret void
}}
"""

_FETCH = f"""
define internal void @fetch(ptr %feeds, ptr %lines, i64 %n_feeds) nounwind {{
entry:
  %any = icmp sgt i64 %n_feeds, 0
  br i1 %any, label %feed, label %done
feed:
  %f = phi i64 [ 0, %entry ], [ %f1, %fed ]
  %n.at = getelementptr i64, ptr %lines, i64 %f
  %n = load i64, ptr %n.at, align 8
  %source.at = getelementptr ptr, ptr %feeds, i64 %f
  %source = load ptr, ptr %source.at, align 8
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %line, label %fed
line:
  %k = phi i64 [ 0, %feed ], [ %k1, %line ]
  %skip = mul i64 %k, {at.CACHE_LINE_BYTES}
  %place = getelementptr i8, ptr %source, i64 %skip
  call void @llvm.prefetch.p0(ptr %place, i32 0, i32 2, i32 1)
  %k1 = add nuw i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %line, label %fed
fed:
  %f1 = add nuw i64 %f, 1
  %left = icmp ult i64 %f1, %n_feeds
  br i1 %left, label %feed, label %done
done:
  ret void
}}
"""

_COLLECT = f"""
define internal void @collect(ptr %job, i64 %step) nounwind {{
entry:
{load_word("scalars", "job", Job.SCALARS, "ptr")}
{load_word("n", "job", Job.N_SCALARS)}
{load_word("results", "job", Job.RESULTS, "ptr")}
  %first = mul i64 %step, %n
  %line = getelementptr double, ptr %results, i64 %first
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %scalar, label %done
scalar:
  %k = phi i64 [ 0, %entry ], [ %k1, %store ]
  %pair = getelementptr [2 x i64], ptr %scalars, i64 %k
  %from = load ptr, ptr %pair, align 8
  %kind.at = getelementptr i64, ptr %pair, i64 1
  %kind = load i64, ptr %kind.at, align 8
  switch i64 %kind, label %f64 [ i64 {Kind.F32}, label %f32 i64 {Kind.I32}, label %i32 i64 {Kind.I64}, label %i64 ]
f32:
  %v32 = load float, ptr %from, align 4
  %w32 = fpext float %v32 to double
  br label %store
f64:
  %v64 = load double, ptr %from, align 8
  br label %store
i32:
  %n32 = load i32, ptr %from, align 4
  %wi32 = sitofp i32 %n32 to double
  br label %store
i64:
  %n64 = load i64, ptr %from, align 8
  %wi64 = sitofp i64 %n64 to double
  br label %store
store:
  %value = phi double [ %w32, %f32 ], [ %v64, %f64 ], [ %wi32, %i32 ], [ %wi64, %i64 ]
  %to = getelementptr double, ptr %line, i64 %k
  store double %value, ptr %to, align 8
  %k1 = add nuw i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %scalar, label %done
done:
  ret void
}}
"""

_SHARE = f"""
define internal void @share(ptr %row, ptr %args, i64 %thread, i64 %threads, ptr %scratch, ptr %slots) nounwind {{
entry:
{load_word("cap", "row", Row.CAP)}
{load_word("fn", "row", Row.FN, "ptr")}
  %takers = call i64 @llvm.umin.i64(i64 %cap, i64 %threads)
  %idle = icmp uge i64 %thread, %takers
  br i1 %idle, label %done, label %busy
busy:
  %alone = icmp eq i64 %takers, 1
  br i1 %alone, label %whole, label %shared
whole:
{load_word("items", "row", Row.ITEMS)}
  %none = icmp eq i64 %items, 0
  br i1 %none, label %done, label %all
all:
  call void %fn(ptr %args, i64 0, i64 %items, ptr %scratch)
  br label %done
shared:
{load_word("grain", "row", Row.GRAIN)}
  br label %visit
visit:
  %k = phi i64 [ 0, %shared ], [ %k1, %leave ]
  %sum = add i64 %thread, %k
  %over = icmp uge i64 %sum, %takers
  %wrapped = sub i64 %sum, %takers
  %owner = select i1 %over, i64 %wrapped, i64 %sum
  %mine = icmp eq i64 %k, 0
  %slot = getelementptr [{int(SlotWord.WORDS)} x i64], ptr %slots, i64 %owner
  br label %look
look:
  %left = load atomic i64, ptr %slot monotonic, align 8
  %lo = and i64 %left, 4294967295
  %hi = lshr i64 %left, 32
  %some = icmp ult i64 %lo, %hi
  br i1 %some, label %take, label %leave
take:
  %n = sub i64 %hi, %lo
  %quarter = lshr i64 %n, 2
  %wish = call i64 @llvm.umax.i64(i64 %quarter, i64 %grain)
  %count = call i64 @llvm.umin.i64(i64 %wish, i64 %n)
  %front = add i64 %left, %count
  %high = shl i64 %count, 32
  %back = sub i64 %left, %high
  %rest = select i1 %mine, i64 %front, i64 %back
  %pair = cmpxchg ptr %slot, i64 %left, i64 %rest monotonic monotonic
  %got = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %got, label %work, label %look
work:
  %last = sub i64 %hi, %count
  %from = select i1 %mine, i64 %lo, i64 %last
  %to = add i64 %from, %count
  call void %fn(ptr %args, i64 %from, i64 %to, ptr %scratch)
  br label %look
leave:
  %k1 = add nuw i64 %k, 1
  %more = icmp ult i64 %k1, %takers
  br i1 %more, label %visit, label %done
done:
  ret void
}}

define internal void @refill(ptr %slots, i64 %thread, i64 %threads, i64 %from, i64 %to) nounwind {{
entry:
  %any = icmp ult i64 %from, %to
  br i1 %any, label %row, label %done
row:
  %r = phi i64 [ %from, %entry ], [ %r1, %row ]
  %first = mul i64 %r, %threads
  %number = add i64 %first, %thread
  %slot = getelementptr [{int(SlotWord.WORDS)} x i64], ptr %slots, i64 %number
  %full.at = getelementptr i64, ptr %slot, i64 {int(SlotWord.FULL)}
  %full = load i64, ptr %full.at, align 8
  store atomic i64 %full, ptr %slot monotonic, align 8
  %r1 = add nuw i64 %r, 1
  %more = icmp ult i64 %r1, %to
  br i1 %more, label %row, label %done
done:
  ret void
}}
"""

_MOVE = f"""
define internal ptr @moved(ptr %row, i64 %trip, ptr %place) nounwind {{
entry:
{load_word("args", "row", Row.ARGS, "ptr")}
{load_word("strides", "row", Row.STRIDES, "ptr")}
  %fixed = icmp eq ptr %strides, null
  br i1 %fixed, label %there, label %move
there:
  ret ptr %args
move:
{load_word("n", "row", Row.N_ARGS)}
  br label %arg
arg:
  %k = phi i64 [ 0, %move ], [ %k1, %arg ]
  %from = getelementptr ptr, ptr %args, i64 %k
  %base = load ptr, ptr %from, align 8
  %stride.at = getelementptr i64, ptr %strides, i64 %k
  %stride = load i64, ptr %stride.at, align 8
  %far = mul i64 %stride, %trip
  %now = getelementptr i8, ptr %base, i64 %far
  %to = getelementptr ptr, ptr %place, i64 %k
  store ptr %now, ptr %to, align 8
  %k1 = add nuw i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %arg, label %done
done:
  ret ptr %place
}}
"""

_SPMD = f"""
define internal void @spmd(ptr %job, i64 %thread, i64 %threads, ptr %team) nounwind {{
entry:
  %saved = call i32 @enter_float_mode()
{load_word("n_steps", "job", Job.N_STEPS)}
{load_word("rows", "job", Job.ROWS, "ptr")}
{load_word("n_rows", "job", Job.N_ROWS)}
{load_word("base", "job", Job.SCRATCH, "ptr")}
{load_word("stride", "job", Job.SCRATCH_STRIDE)}
{load_word("ticks", "job", Job.TICKS, "ptr")}
{load_word("slots", "job", Job.SLOTS, "ptr")}
{load_word("moved", "job", Job.MOVED)}
  %skip = mul i64 %stride, %thread
  %scratch = getelementptr i8, ptr %base, i64 %skip
  %place = getelementptr i8, ptr %scratch, i64 %moved
  %timed = icmp ne ptr %ticks, null
  %leader = icmp eq i64 %thread, 0
  %alone = icmp eq i64 %threads, 1
  br label %step
step:
  %s = phi i64 [ 0, %entry ], [ %s1, %again ]
  %earlier = mul i64 %s, %threads
  %line = add i64 %earlier, %thread
  %first = mul i64 %line, %n_rows
  br i1 %timed, label %begin, label %rows.first
begin:
  %begun = call i64 @clock_ticks()
  br label %rows.first
rows.first:
  %started = phi i64 [ 0, %step ], [ %begun, %begin ]
  br label %row
row:
  %r = phi i64 [ 0, %rows.first ], [ %r1, %onward ], [ %first.row, %back ], [ %first.row, %together.back ]
  %trip = phi i64 [ 0, %rows.first ], [ %trip.on, %onward ], [ %trip1, %back ], [ %trip1, %together.back ]
  %stale = phi i64 [ 0, %rows.first ], [ %stale1, %onward ], [ %stale1, %back ], [ %first.row, %together.back ]
  %time = phi i64 [ %started, %rows.first ], [ %time1, %onward ], [ %time1, %back ], [ %time2, %together.back ]
  %there = phi i1 [ 0, %rows.first ], [ 0, %onward ], [ 1, %back ], [ 1, %together.back ]
  %at = getelementptr [{int(Row.WORDS)} x i64], ptr %rows, i64 %r
{load_word("sync", "at", Row.SYNC)}
  %apart = icmp eq i64 %sync, 0
  %here = or i1 %apart, %there
  %free = or i1 %here, %alone
  br i1 %free, label %ready, label %meet
meet:
  call void @barrier(ptr %team, i64 %threads)
  call void @refill(ptr %slots, i64 %thread, i64 %threads, i64 %stale, i64 %r)
  br i1 %timed, label %look, label %ready
look:
  %met = call i64 @clock_ticks()
  br label %ready
ready:
  %stale1 = phi i64 [ %stale, %row ], [ %r, %meet ], [ %r, %look ]
  %t0 = phi i64 [ %time, %row ], [ 0, %meet ], [ %met, %look ]
  %before = mul i64 %r, %threads
  %row.slots = getelementptr [{int(SlotWord.WORDS)} x i64], ptr %slots, i64 %before
  %args = call ptr @moved(ptr %at, i64 %trip, ptr %place)
  br i1 %timed, label %clocked, label %plain
plain:
  call void @share(ptr %at, ptr %args, i64 %thread, i64 %threads, ptr %scratch, ptr %row.slots)
  br label %ran
clocked:
  call void @share(ptr %at, ptr %args, i64 %thread, i64 %threads, ptr %scratch, ptr %row.slots)
  %t1 = call i64 @clock_ticks()
  %span = add i64 %first, %r
  %t0.at = getelementptr [2 x i64], ptr %ticks, i64 %span
  %t1.at = getelementptr i64, ptr %t0.at, i64 1
  %begun.at = load i64, ptr %t0.at, align 8
  %so.far = load i64, ptr %t1.at, align 8
  %spent = sub i64 %t1, %t0
  %longer = add i64 %so.far, %spent
  %begins = icmp eq i64 %trip, 0
  %from = select i1 %begins, i64 %t0, i64 %begun.at
  %to = select i1 %begins, i64 %t1, i64 %longer
  store i64 %from, ptr %t0.at, align 8
  store i64 %to, ptr %t1.at, align 8
  br label %ran
ran:
  %time1 = phi i64 [ %t0, %plain ], [ %t1, %clocked ]
  %r1 = add nuw i64 %r, 1
{load_word("rows.back", "at", Row.BACK)}
  %ends = icmp ne i64 %rows.back, 0
  br i1 %ends, label %loop, label %onward
loop:
{load_word("trips", "at", Row.TRIPS)}
{load_word("meets", "at", Row.MEET)}
  %trip1 = add nuw i64 %trip, 1
  %first.row = sub i64 %r1, %rows.back
  %repeats = icmp ult i64 %trip1, %trips
  br i1 %repeats, label %back, label %onward
back:
  %passes = icmp eq i64 %meets, 0
  %goes = or i1 %passes, %alone
  br i1 %goes, label %row, label %meet.back
meet.back:
  call void @barrier(ptr %team, i64 %threads)
  call void @refill(ptr %slots, i64 %thread, i64 %threads, i64 %first.row, i64 %r1)
  br i1 %timed, label %look.back, label %together.back
look.back:
  %met.back = call i64 @clock_ticks()
  br label %together.back
together.back:
  %time2 = phi i64 [ 0, %meet.back ], [ %met.back, %look.back ]
  br label %row
onward:
  %trip.on = phi i64 [ %trip, %ran ], [ 0, %loop ]
  %rows.left = icmp ult i64 %r1, %n_rows
  br i1 %rows.left, label %row, label %end
end:
  %s1 = add nuw i64 %s, 1
  %steps.left = icmp ult i64 %s1, %n_steps
  br i1 %alone, label %close, label %gather
gather:
  call void @barrier(ptr %team, i64 %threads)
  call void @refill(ptr %slots, i64 %thread, i64 %threads, i64 %stale1, i64 %n_rows)
  br i1 %steps.left, label %gathered, label %part
part:
  call void @barrier(ptr %team, i64 %threads)
  br label %gathered
gathered:
  br i1 %leader, label %close, label %follow
close:
  call void @collect(ptr %job, i64 %s)
  br i1 %steps.left, label %rebind, label %leave
rebind:
  call void @bind(ptr %job, i64 %s1)
  br label %follow
follow:
  br i1 %steps.left, label %start, label %leave
start:
  br i1 %alone, label %again, label %together
together:
  call void @barrier(ptr %team, i64 %threads)
  br label %again
again:
  br label %step
leave:
  call void @leave_float_mode(i32 %saved)
  ret void
}}
"""

_RUN = f"""
define void @mochac_run(ptr %job) nounwind {{
entry:
{load_word("team", "job", Job.TEAM, "ptr")}
{load_word("threads", "job", Job.THREADS)}
  %used.at = getelementptr i64, ptr %job, i64 {int(Job.USED_THREADS)}
  call void @bind(ptr %job, i64 0)
  %several = icmp ugt i64 %threads, 1
  br i1 %several, label %ask, label %solo
ask:
  %pair = cmpxchg ptr %team, i32 0, i32 1 acquire monotonic
  %got = extractvalue {{ i32, i1 }} %pair, 1
  br i1 %got, label %lead, label %solo
solo:
  store i64 1, ptr %used.at, align 8
  call void @spmd(ptr %job, i64 0, i64 1, ptr %team)
  ret void
lead:
  store i64 %threads, ptr %used.at, align 8
{load_word("patience", "job", Job.PATIENCE)}
  %shared = getelementptr i8, ptr %team, i64 {at.PATIENCE}
  store i64 %patience, ptr %shared, align 8
  %boxes = getelementptr i8, ptr %team, i64 {at.MAILBOXES}
  br label %post
post:
  %t = phi i64 [ 1, %lead ], [ %t1, %post ]
  %skip = mul i64 %t, {at.LINE_BYTES}
  %box = getelementptr i8, ptr %boxes, i64 %skip
  %job.at = getelementptr i8, ptr %box, i64 {at.BOX_JOB}
  store ptr %job, ptr %job.at, align 8
  %thread.at = getelementptr i8, ptr %box, i64 {at.BOX_THREAD}
  store i64 %t, ptr %thread.at, align 8
  %count.at = getelementptr i8, ptr %box, i64 {at.BOX_THREADS}
  store i64 %threads, ptr %count.at, align 8
  %sleepers = getelementptr i8, ptr %box, i64 {at.BOX_SLEEPERS}
  call void @advance(ptr %box, ptr %sleepers)
  %t1 = add nuw i64 %t, 1
  %more = icmp ult i64 %t1, %threads
  br i1 %more, label %post, label %joined
joined:
  call void @spmd(ptr %job, i64 0, i64 %threads, ptr %team)
  store atomic i32 0, ptr %team release, align 4
  ret void
}}

define i64 @mochac_ticks() nounwind {{
  %now = call i64 @clock_ticks()
  ret i64 %now
}}
"""
