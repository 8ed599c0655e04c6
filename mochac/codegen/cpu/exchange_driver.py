"""LLVM text of exchanges: ranks add up the values of a bucket with MPI's C functions, without Python.

runtime/cpu/exchange.py compiles it together with the text of worker_team.py. The launches exchange_start and
exchange_wait of a plan call the functions of that name; their argument is a bucket (exchange_layout.py), whose sums
exchange_sums.py forms.

A communication thread exchanges one bucket after another. It polls MPI, and sleeps in between unless a step waits for
it. Without such a thread, exchange_wait does the whole exchange.
"""

from __future__ import annotations

from mochac.codegen.cpu.exchange_layout import QUEUE, Bucket, Comm
from mochac.codegen.cpu.exchange_messages import messages_text
from mochac.codegen.cpu.exchange_sums import sums_text
from mochac.codegen.cpu.words import add_to_word, load_word

WAIT_NS = 10_000
"""How long a step polls for its sums before it sleeps: the communication thread may need its CPU."""


def exchange_text() -> str:
    """The functions; `@wait_change`, `@advance`, the float mode and the clock come from worker_team.py."""
    return "\n".join([_DECLARATIONS, _COPY, messages_text(), sums_text(), _EXCHANGE, _STEPS, _THREAD])


_DECLARATIONS = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""


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

_EXCHANGE = f"""
define internal void @exchange(ptr %comm, ptr %bucket) nounwind {{
entry:
  %failure.at = getelementptr i64, ptr %comm, i64 {int(Comm.FAILURE)}
  %failure = load atomic i64, ptr %failure.at acquire, align 8
  %healthy = icmp eq i64 %failure, 0
  br i1 %healthy, label %begin, label %done
begin:
  %begun = call i64 @clock_ticks()
{load_word("in.order", "comm", Comm.ORDERED)}
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
{add_to_word("worked", "bucket", Bucket.WORKED, "%spent")}
{add_to_word("exchanges", "comm", Comm.EXCHANGES, "1")}
  br label %done
done:
  ret void
}}
"""

_STEPS = f"""
define void @exchange_start(ptr %bucket, i64 %from, i64 %to, ptr %scratch) nounwind {{
entry:
{load_word("comm", "bucket", Bucket.COMM, "ptr")}
{load_word("data", "bucket", Bucket.DATA, "ptr")}
{load_word("parts", "bucket", Bucket.INPUTS, "ptr")}
{load_word("n", "bucket", Bucket.N_INPUTS)}
  call void @copy_in(ptr %data, ptr %parts, i64 %n)
  %wanted.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.WANTED)}
  store atomic i64 0, ptr %wanted.at monotonic, align 8
{load_word("threaded", "comm", Comm.THREADED)}
  %alone = icmp eq i64 %threaded, 0
  br i1 %alone, label %later, label %post
post:
  %done.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.DONE)}
  %done = load atomic i32, ptr %done.at acquire, align 4
  %before.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.BEFORE)}
  store i32 %done, ptr %before.at
{load_word("queue", "comm", Comm.QUEUE, "ptr")}
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
{load_word("comm", "bucket", Bucket.COMM, "ptr")}
{load_word("data", "bucket", Bucket.DATA, "ptr")}
{load_word("parts", "bucket", Bucket.OUTPUTS, "ptr")}
{load_word("n", "bucket", Bucket.N_OUTPUTS)}
  %begun = call i64 @clock_ticks()
  %wanted.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.WANTED)}
  store atomic i64 1, ptr %wanted.at monotonic, align 8
{load_word("threaded", "comm", Comm.THREADED)}
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
  %tired = call i1 @wait_change(ptr %done.at, i32 %before, ptr %sleepers, i64 {WAIT_NS})
  br label %ready
ready:
  %ended = call i64 @clock_ticks()
  %spent = sub i64 %ended, %begun
{add_to_word("waited", "bucket", Bucket.WAITED, "%spent")}
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
{load_word("queue", "comm", Comm.QUEUE, "ptr")}
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
  %tired = call i1 @wait_change(ptr %posted.at, i32 %posted, ptr %sleepers, i64 0)
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
