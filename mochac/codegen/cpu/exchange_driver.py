"""LLVM text of exchanges: ranks add up the values of a bucket with MPI's C functions, without Python.

runtime/cpu/exchange.py compiles it together with the text of worker_team.py. The launches exchange_start and
exchange_wait of a plan call the functions of that name; their argument is a bucket (exchange_layout.py).

In order, values are added by recursive halving: in round k a rank and its partner, whose number differs in bit k, each
send half of what they have left and add up the other half. After the last round each rank has a part of the sums, which
it sends back the same way (recursive doubling). Every element is so added by a balanced binary tree over the ranks in
their order, whatever their number, and no all-reduce sends fewer bytes. With MPI_Iallreduce the library chooses.

A communication thread exchanges one bucket after the other. It polls MPI, and sleeps in between unless a step waits for
it. Without such a thread, exchange_wait does all of it.
"""

from __future__ import annotations

from mochac.codegen.cpu.exchange_layout import QUEUE, Bucket, Comm, Failure

SPIN = 100
"""How often a request is tested before the thread yields or sleeps."""
PAUSE_US = 20
"""How long the communication thread sleeps while no step waits for it, microseconds."""
WAIT_SPIN = 500
"""How often a step looks whether its sums are there before it sleeps."""


def exchange_text() -> str:
    """The functions; `@wait_change`, `@advance`, the float mode and the clock come from worker_team.py."""
    added = "\n".join(_add(kind, lanes) for kind, lanes in (("float", 16), ("double", 8)))
    return "\n".join(
        [_DECLARATIONS, _COPY, added, _SETTLE, _SWAP, _ADD, _ORDERED, _UNORDERED, _EXCHANGE, _STEPS, _THREAD]
    )


_DECLARATIONS = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @sched_yield()
declare i32 @usleep(i32)
"""


def _word(name: str, block: str, word: int, kind: str = "i64") -> str:
    """Two lines of LLVM text that load one word."""
    return f"  %{name}.at = getelementptr i64, ptr %{block}, i64 {int(word)}\n  %{name} = load {kind}, ptr %{name}.at"


def _count(name: str, block: str, word: int, more: str) -> str:
    """Lines that add to a word which only this thread writes."""
    return (
        f"{_word(name, block, word)}\n  %{name}.more = add i64 %{name}, {more}\n"
        f"  store i64 %{name}.more, ptr %{name}.at"
    )


def _copy(name: str, whole: str, part: str) -> str:
    """A function that copies between `data` and its n parts: `whole` and `part` are "to" and "from", or "from" and
    "to"."""
    return f"""
define internal void @{name}(ptr %data, ptr %parts, i64 %n) nounwind {{
entry:
  br label %part
part:
  %k = phi i64 [ 0, %entry ], [ %k1, %part ]
  %{whole} = phi ptr [ %data, %entry ], [ %next, %part ]
  %{part}.at = getelementptr [2 x i64], ptr %parts, i64 %k
  %{part} = load ptr, ptr %{part}.at
  %bytes.at = getelementptr i64, ptr %{part}.at, i64 1
  %bytes = load i64, ptr %bytes.at
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  %next = getelementptr i8, ptr %{whole}, i64 %bytes
  %k1 = add nuw i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %part, label %done
done:
  ret void
}}
"""


_COPY = _copy("copy_in", whole="to", part="from") + _copy("copy_out", whole="from", part="to")


def _add(kind: str, lanes: int) -> str:
    """A function that adds n numbers to others."""
    vector, size = f"<{lanes} x {kind}>", {"float": 4, "double": 8}[kind]
    return f"""
define internal void @add_{kind}(ptr %to, ptr %from, i64 %n) nounwind {{
entry:
  %whole = and i64 %n, -{lanes}
  %some = icmp ne i64 %whole, 0
  br i1 %some, label %vector, label %rest
vector:
  %k = phi i64 [ 0, %entry ], [ %k1, %vector ]
  %a.at = getelementptr {kind}, ptr %to, i64 %k
  %b.at = getelementptr {kind}, ptr %from, i64 %k
  %a = load {vector}, ptr %a.at, align {size}
  %b = load {vector}, ptr %b.at, align {size}
  %sum = fadd {vector} %a, %b
  store {vector} %sum, ptr %a.at, align {size}
  %k1 = add nuw i64 %k, {lanes}
  %more = icmp ult i64 %k1, %whole
  br i1 %more, label %vector, label %rest
rest:
  %left = icmp ult i64 %whole, %n
  br i1 %left, label %single, label %done
single:
  %i = phi i64 [ %whole, %rest ], [ %i1, %single ]
  %x.at = getelementptr {kind}, ptr %to, i64 %i
  %y.at = getelementptr {kind}, ptr %from, i64 %i
  %x = load {kind}, ptr %x.at, align {size}
  %y = load {kind}, ptr %y.at, align {size}
  %z = fadd {kind} %x, %y
  store {kind} %z, ptr %x.at, align {size}
  %i1 = add nuw i64 %i, 1
  %again = icmp ult i64 %i1, %n
  br i1 %again, label %single, label %done
done:
  ret void
}}
"""


_SETTLE = f"""
define internal void @fail(ptr %comm, ptr %bucket, i64 %why, i32 %partner, i32 %code) nounwind {{
entry:
{_word("number", "bucket", Bucket.NUMBER)}
  %number.to = getelementptr i64, ptr %comm, i64 {int(Comm.BUCKET)}
  store i64 %number, ptr %number.to
  %partner.to = getelementptr i64, ptr %comm, i64 {int(Comm.PARTNER)}
  %partner64 = sext i32 %partner to i64
  store i64 %partner64, ptr %partner.to
  %code.to = getelementptr i64, ptr %comm, i64 {int(Comm.CODE)}
  %code64 = sext i32 %code to i64
  store i64 %code64, ptr %code.to
  %failure.to = getelementptr i64, ptr %comm, i64 {int(Comm.FAILURE)}
  store atomic i64 %why, ptr %failure.to release, align 8
  ret void
}}

define internal i1 @settle(ptr %comm, ptr %bucket, i32 %n, i32 %partner) nounwind {{
entry:
  %flag = alloca i32, align 4
{_word("testall", "comm", Comm.TESTALL, "ptr")}
{_word("requests", "comm", Comm.REQUESTS, "ptr")}
{_word("statuses", "comm", Comm.STATUSES, "ptr")}
{_word("timeout", "comm", Comm.TIMEOUT)}
{_word("threaded", "comm", Comm.THREADED)}
  %wanted.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.WANTED)}
  %stop.at = getelementptr i64, ptr %comm, i64 {int(Comm.STOP)}
  %begun = call i64 @clock_ticks()
  br label %look
look:
  %turn = phi i64 [ 0, %entry ], [ %turn1, %again ]
  %code = call i32 %testall(i32 %n, ptr %requests, ptr %flag, ptr %statuses)
  %fine = icmp eq i32 %code, 0
  br i1 %fine, label %tested, label %wrong
tested:
  %set = load i32, ptr %flag
  %there = icmp ne i32 %set, 0
  br i1 %there, label %yes, label %idle
idle:
  %turn1 = add nuw i64 %turn, 1
  %tired = icmp ugt i64 %turn, {SPIN}
  br i1 %tired, label %rest, label %again
rest:
  %stopped = load atomic i32, ptr %stop.at monotonic, align 4
  %ends = icmp ne i32 %stopped, 0
  br i1 %ends, label %no, label %check
check:
  %now = call i64 @clock_ticks()
  %spent = sub i64 %now, %begun
  %late = icmp ugt i64 %spent, %timeout
  br i1 %late, label %silent, label %pause
pause:
  %wanted = load atomic i64, ptr %wanted.at monotonic, align 8
  %patient = icmp eq i64 %wanted, 0
  br i1 %patient, label %sleep, label %yield
sleep:
  %slept = call i32 @usleep(i32 {PAUSE_US})
  br label %again
yield:
  %yielded = call i32 @sched_yield()
  br label %again
again:
  br label %look
silent:
  call void @fail(ptr %comm, ptr %bucket, i64 {int(Failure.TIMEOUT)}, i32 %partner, i32 0)
  br label %no
wrong:
  call void @fail(ptr %comm, ptr %bucket, i64 {int(Failure.ERROR)}, i32 %partner, i32 %code)
  br label %no
no:
  ret i1 0
yes:
  ret i1 1
}}
"""

_SWAP = f"""
define internal i1 @swap(ptr %comm, ptr %bucket, i32 %partner, ptr %from, i64 %n, ptr %to, i64 %m, i32 %tag) nounwind {{
entry:
{_word("isend", "comm", Comm.ISEND, "ptr")}
{_word("irecv", "comm", Comm.IRECV, "ptr")}
{_word("handle", "comm", Comm.HANDLE)}
{_word("first", "comm", Comm.REQUESTS, "ptr")}
{_word("request.bytes", "comm", Comm.REQUEST_BYTES)}
{_word("is.double", "bucket", Bucket.DOUBLE)}
  %type.word = add i64 %is.double, {int(Comm.FLOAT)}
  %type.at = getelementptr i64, ptr %comm, i64 %type.word
  %type = load i64, ptr %type.at
  %second = getelementptr i8, ptr %first, i64 %request.bytes
  %n32 = trunc i64 %n to i32
  %m32 = trunc i64 %m to i32
  %r0 = call i32 %irecv(ptr %to, i32 %m32, i64 %type, i32 %partner, i32 %tag, i64 %handle, ptr %first)
  %got = icmp eq i32 %r0, 0
  br i1 %got, label %send, label %wrong
send:
  %r1 = call i32 %isend(ptr %from, i32 %n32, i64 %type, i32 %partner, i32 %tag, i64 %handle, ptr %second)
  %sent = icmp eq i32 %r1, 0
  br i1 %sent, label %count, label %wrong
wrong:
  %code = phi i32 [ %r0, %entry ], [ %r1, %send ]
  call void @fail(ptr %comm, ptr %bucket, i64 {int(Failure.ERROR)}, i32 %partner, i32 %code)
  ret i1 0
count:
  %shift = add i64 %is.double, 2
  %bytes = shl i64 %n, %shift
{_count("sent.bytes", "comm", Comm.SENT_BYTES, "%bytes")}
{_count("messages", "comm", Comm.MESSAGES, "1")}
  %ok = call i1 @settle(ptr %comm, ptr %bucket, i32 2, i32 %partner)
  ret i1 %ok
}}

define internal ptr @element(ptr %data, i64 %k, i64 %is.double) nounwind {{
entry:
  %shift = add i64 %is.double, 2
  %offset = shl i64 %k, %shift
  %at = getelementptr i8, ptr %data, i64 %offset
  ret ptr %at
}}
"""

_ADD = """
define internal void @add(ptr %to, ptr %from, i64 %n, i64 %is.double) nounwind {
entry:
  %wide = icmp ne i64 %is.double, 0
  br i1 %wide, label %double, label %single
double:
  call void @add_double(ptr %to, ptr %from, i64 %n)
  ret void
single:
  call void @add_float(ptr %to, ptr %from, i64 %n)
  ret void
}
"""

_ORDERED = f"""
define internal i1 @ordered(ptr %comm, ptr %bucket) nounwind {{
entry:
  %lows = alloca [64 x i64], align 8
  %highs = alloca [64 x i64], align 8
{_word("rank", "comm", Comm.RANK)}
{_word("ranks", "comm", Comm.RANKS)}
{_word("received", "comm", Comm.RECEIVED, "ptr")}
{_word("data", "bucket", Bucket.DATA, "ptr")}
{_word("count", "bucket", Bucket.COUNT)}
{_word("is.double", "bucket", Bucket.DOUBLE)}
  br label %halve
halve:
  %k = phi i64 [ 0, %entry ], [ %k1, %added ]
  %lo = phi i64 [ 0, %entry ], [ %kept.lo, %added ]
  %hi = phi i64 [ %count, %entry ], [ %kept.hi, %added ]
  %bit = shl nuw i64 1, %k
  %rounds.left = icmp ult i64 %bit, %ranks
  br i1 %rounds.left, label %cut, label %double.first
cut:
  %lo.to = getelementptr i64, ptr %lows, i64 %k
  store i64 %lo, ptr %lo.to
  %hi.to = getelementptr i64, ptr %highs, i64 %k
  store i64 %hi, ptr %hi.to
  %length = sub i64 %hi, %lo
  %half = lshr i64 %length, 1
  %mid = add i64 %lo, %half
  %partner = xor i64 %rank, %bit
  %mine = and i64 %rank, %bit
  %lower = icmp eq i64 %mine, 0
  %kept.lo = select i1 %lower, i64 %lo, i64 %mid
  %kept.hi = select i1 %lower, i64 %mid, i64 %hi
  %sent.lo = select i1 %lower, i64 %mid, i64 %lo
  %sent.hi = select i1 %lower, i64 %hi, i64 %mid
  %kept.n = sub i64 %kept.hi, %kept.lo
  %sent.n = sub i64 %sent.hi, %sent.lo
  %from = call ptr @element(ptr %data, i64 %sent.lo, i64 %is.double)
  %to = call ptr @element(ptr %data, i64 %kept.lo, i64 %is.double)
  %partner32 = trunc i64 %partner to i32
  %ok = call i1 @swap(ptr %comm, ptr %bucket, i32 %partner32, ptr %from, i64 %sent.n, ptr %received, i64 %kept.n, i32 1)
  br i1 %ok, label %added, label %no
added:
  call void @add(ptr %to, ptr %received, i64 %kept.n, i64 %is.double)
  %k1 = add nuw i64 %k, 1
  br label %halve
double.first:
  %any = icmp ne i64 %k, 0
  br i1 %any, label %double, label %yes
double:
  %r = phi i64 [ %k, %double.first ], [ %r1, %doubled ]
  %have.lo = phi i64 [ %lo, %double.first ], [ %all.lo, %doubled ]
  %have.hi = phi i64 [ %hi, %double.first ], [ %all.hi, %doubled ]
  %r1 = sub i64 %r, 1
  %all.lo.at = getelementptr i64, ptr %lows, i64 %r1
  %all.lo = load i64, ptr %all.lo.at
  %all.hi.at = getelementptr i64, ptr %highs, i64 %r1
  %all.hi = load i64, ptr %all.hi.at
  %bit2 = shl nuw i64 1, %r1
  %partner2 = xor i64 %rank, %bit2
  %mine2 = and i64 %rank, %bit2
  %lower2 = icmp eq i64 %mine2, 0
  %lack.lo = select i1 %lower2, i64 %have.hi, i64 %all.lo
  %lack.hi = select i1 %lower2, i64 %all.hi, i64 %have.lo
  %have.n = sub i64 %have.hi, %have.lo
  %lack.n = sub i64 %lack.hi, %lack.lo
  %have.at = call ptr @element(ptr %data, i64 %have.lo, i64 %is.double)
  %lack.at = call ptr @element(ptr %data, i64 %lack.lo, i64 %is.double)
  %with = trunc i64 %partner2 to i32
  %ok2 = call i1 @swap(ptr %comm, ptr %bucket, i32 %with, ptr %have.at, i64 %have.n, ptr %lack.at, i64 %lack.n, i32 2)
  br i1 %ok2, label %doubled, label %no
doubled:
  %more = icmp ne i64 %r1, 0
  br i1 %more, label %double, label %yes
no:
  ret i1 0
yes:
  ret i1 1
}}
"""

_UNORDERED = f"""
define internal i1 @unordered(ptr %comm, ptr %bucket) nounwind {{
entry:
{_word("iallreduce", "comm", Comm.IALLREDUCE, "ptr")}
{_word("in.place", "comm", Comm.IN_PLACE, "ptr")}
{_word("sum", "comm", Comm.SUM)}
{_word("handle", "comm", Comm.HANDLE)}
{_word("request", "comm", Comm.REQUESTS, "ptr")}
{_word("data", "bucket", Bucket.DATA, "ptr")}
{_word("count", "bucket", Bucket.COUNT)}
{_word("is.double", "bucket", Bucket.DOUBLE)}
  %type.word = add i64 %is.double, {int(Comm.FLOAT)}
  %type.at = getelementptr i64, ptr %comm, i64 %type.word
  %type = load i64, ptr %type.at
  %n = trunc i64 %count to i32
  %code = call i32 %iallreduce(ptr %in.place, ptr %data, i32 %n, i64 %type, i64 %sum, i64 %handle, ptr %request)
  %begun = icmp eq i32 %code, 0
  br i1 %begun, label %wait, label %wrong
wait:
  %ok = call i1 @settle(ptr %comm, ptr %bucket, i32 1, i32 -1)
  ret i1 %ok
wrong:
  call void @fail(ptr %comm, ptr %bucket, i64 {int(Failure.ERROR)}, i32 -1, i32 %code)
  ret i1 0
}}
"""

_EXCHANGE = f"""
define internal void @exchange(ptr %comm, ptr %bucket) nounwind {{
entry:
  %failure.at = getelementptr i64, ptr %comm, i64 {int(Comm.FAILURE)}
  %failure = load atomic i64, ptr %failure.at acquire, align 8
  %healthy = icmp eq i64 %failure, 0
  br i1 %healthy, label %begin, label %done
begin:
  %begun = call i64 @clock_ticks()
{_word("in.order", "comm", Comm.ORDERED)}
  %by.tree = icmp ne i64 %in.order, 0
  br i1 %by.tree, label %tree, label %library
tree:
  %ok0 = call i1 @ordered(ptr %comm, ptr %bucket)
  br label %ran
library:
  %ok1 = call i1 @unordered(ptr %comm, ptr %bucket)
  br label %ran
ran:
  %ended = call i64 @clock_ticks()
  %spent = sub i64 %ended, %begun
{_count("worked", "bucket", Bucket.WORKED, "%spent")}
{_count("exchanges", "comm", Comm.EXCHANGES, "1")}
  br label %done
done:
  ret void
}}
"""

_STEPS = f"""
define void @exchange_start(ptr %bucket, i64 %from, i64 %to, ptr %scratch) nounwind {{
entry:
{_word("comm", "bucket", Bucket.COMM, "ptr")}
{_word("data", "bucket", Bucket.DATA, "ptr")}
{_word("parts", "bucket", Bucket.INPUTS, "ptr")}
{_word("n", "bucket", Bucket.N_INPUTS)}
  call void @copy_in(ptr %data, ptr %parts, i64 %n)
  %wanted.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.WANTED)}
  store atomic i64 0, ptr %wanted.at monotonic, align 8
{_word("threaded", "comm", Comm.THREADED)}
  %alone = icmp eq i64 %threaded, 0
  br i1 %alone, label %later, label %post
post:
  %done.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.DONE)}
  %done = load atomic i32, ptr %done.at acquire, align 4
  %before.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.BEFORE)}
  store i32 %done, ptr %before.at
{_word("queue", "comm", Comm.QUEUE, "ptr")}
  %tail.at = getelementptr i64, ptr %comm, i64 {int(Comm.TAIL)}
  %tail = load atomic i64, ptr %tail.at monotonic, align 8
  %place = and i64 %tail, {QUEUE - 1}
  %slot = getelementptr ptr, ptr %queue, i64 %place
  store ptr %bucket, ptr %slot
  %tail1 = add i64 %tail, 1
  store atomic i64 %tail1, ptr %tail.at release, align 8
  %posted = getelementptr i64, ptr %comm, i64 {int(Comm.POSTED)}
  %sleepers = getelementptr i32, ptr %posted, i64 1
  call void @advance(ptr %posted, ptr %sleepers)
  br label %later
later:
  ret void
}}

define void @exchange_wait(ptr %bucket, i64 %from, i64 %to, ptr %scratch) nounwind {{
entry:
{_word("comm", "bucket", Bucket.COMM, "ptr")}
{_word("data", "bucket", Bucket.DATA, "ptr")}
{_word("parts", "bucket", Bucket.OUTPUTS, "ptr")}
{_word("n", "bucket", Bucket.N_OUTPUTS)}
  %begun = call i64 @clock_ticks()
  %wanted.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.WANTED)}
  store atomic i64 1, ptr %wanted.at monotonic, align 8
{_word("threaded", "comm", Comm.THREADED)}
  %alone = icmp eq i64 %threaded, 0
  br i1 %alone, label %own, label %other
own:
  call void @exchange(ptr %comm, ptr %bucket)
  br label %ready
other:
  %done.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.DONE)}
  %sleepers = getelementptr i32, ptr %done.at, i64 1
  %before.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.BEFORE)}
  %before = load i32, ptr %before.at
  %tired = call i1 @wait_change(ptr %done.at, i32 %before, ptr %sleepers, i32 {WAIT_SPIN})
  br label %ready
ready:
  %ended = call i64 @clock_ticks()
  %spent = sub i64 %ended, %begun
{_count("waited", "bucket", Bucket.WAITED, "%spent")}
  call void @copy_out(ptr %data, ptr %parts, i64 %n)
  ret void
}}
"""

_THREAD = f"""
define ptr @exchange_thread(ptr %comm) nounwind {{
entry:
  %saved = call i32 @enter_float_mode()
  %posted.at = getelementptr i64, ptr %comm, i64 {int(Comm.POSTED)}
  %sleepers = getelementptr i32, ptr %posted.at, i64 1
  %stop.at = getelementptr i64, ptr %comm, i64 {int(Comm.STOP)}
  %head.at = getelementptr i64, ptr %comm, i64 {int(Comm.HEAD)}
  %tail.at = getelementptr i64, ptr %comm, i64 {int(Comm.TAIL)}
{_word("queue", "comm", Comm.QUEUE, "ptr")}
  br label %look
look:
  %posted = load atomic i32, ptr %posted.at acquire, align 4
  %stopped = load atomic i32, ptr %stop.at acquire, align 4
  %ends = icmp ne i32 %stopped, 0
  br i1 %ends, label %leave, label %check
check:
  %head = load i64, ptr %head.at
  %tail = load atomic i64, ptr %tail.at acquire, align 8
  %none = icmp eq i64 %head, %tail
  br i1 %none, label %idle, label %take
idle:
  %tired = call i1 @wait_change(ptr %posted.at, i32 %posted, ptr %sleepers, i32 0)
  br label %look
take:
  %place = and i64 %head, {QUEUE - 1}
  %slot = getelementptr ptr, ptr %queue, i64 %place
  %bucket = load ptr, ptr %slot
  call void @exchange(ptr %comm, ptr %bucket)
  %head1 = add i64 %head, 1
  store i64 %head1, ptr %head.at
  %done.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.DONE)}
  %waiting = getelementptr i32, ptr %done.at, i64 1
  call void @advance(ptr %done.at, ptr %waiting)
  br label %look
leave:
  store atomic i32 2, ptr %stop.at release, align 4
  ret ptr null
}}

define void @exchange_stop(ptr %comm) nounwind {{
entry:
  %stop.at = getelementptr i64, ptr %comm, i64 {int(Comm.STOP)}
  store atomic i32 1, ptr %stop.at release, align 4
  %posted = getelementptr i64, ptr %comm, i64 {int(Comm.POSTED)}
  %sleepers = getelementptr i32, ptr %posted, i64 1
  call void @advance(ptr %posted, ptr %sleepers)
  ret void
}}
"""
