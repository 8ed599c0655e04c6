"""LLVM text of the messages of exchanges: two ranks swap parts of a bucket through MPI's C functions.

A message that does not arrive in time, or that MPI refuses, ends all exchanges of the communicator: `@fail` notes why.
Time is added up between checks, at most Comm.LOOK for each: while a whole job was stopped, it has not waited.
"""

from __future__ import annotations

from mochac.codegen.cpu.exchange_layout import Bucket, Comm, Failure
from mochac.codegen.cpu.words import add_to_word, load_word

SPIN = 100
"""How often a request is tested before the thread yields or sleeps."""
PAUSE_US = 20
"""How long the communication thread sleeps while no step waits for it, microseconds."""


def messages_text() -> str:
    """`@swap` exchanges numbers with a rank, `@settle` waits until requests are done; the clock is worker_team.py's."""
    return "\n".join([_DECLARATIONS, _FAIL, _SETTLE, _SWAP])


_DECLARATIONS = """
declare i32 @sched_yield()
declare i32 @usleep(i32)
"""

_FAIL = f"""
define internal void @fail(ptr %comm, ptr %bucket, i64 %why, i32 %partner, i32 %code) nounwind {{
entry:
{load_word("number", "bucket", Bucket.NUMBER)}
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
"""

_SETTLE = f"""
define internal i1 @settle(ptr %comm, ptr %bucket, i32 %n, i32 %partner) nounwind {{
entry:
  %flag = alloca i32, align 4
{load_word("testall", "comm", Comm.TESTALL, "ptr")}
{load_word("requests", "comm", Comm.REQUESTS, "ptr")}
{load_word("statuses", "comm", Comm.STATUSES, "ptr")}
{load_word("timeout", "comm", Comm.TIMEOUT)}
{load_word("longest", "comm", Comm.LOOK)}
{load_word("threaded", "comm", Comm.THREADED)}
  %wanted.at = getelementptr i64, ptr %bucket, i64 {int(Bucket.WANTED)}
  %stop.at = getelementptr i64, ptr %comm, i64 {int(Comm.STOP)}
  %begun = call i64 @clock_ticks()
  br label %look
look:
  %turn = phi i64 [ 0, %entry ], [ %turn1, %again ]
  %last = phi i64 [ %begun, %entry ], [ %last1, %again ]
  %spent = phi i64 [ 0, %entry ], [ %spent1, %again ]
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
  %passed = sub i64 %now, %last
  %is.long = icmp ugt i64 %passed, %longest
  %counted = select i1 %is.long, i64 %longest, i64 %passed
  %spent.now = add i64 %spent, %counted
  %late = icmp ugt i64 %spent.now, %timeout
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
  %last1 = phi i64 [ %last, %idle ], [ %now, %sleep ], [ %now, %yield ]
  %spent1 = phi i64 [ %spent, %idle ], [ %spent.now, %sleep ], [ %spent.now, %yield ]
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
{load_word("isend", "comm", Comm.ISEND, "ptr")}
{load_word("irecv", "comm", Comm.IRECV, "ptr")}
{load_word("handle", "comm", Comm.HANDLE)}
{load_word("first", "comm", Comm.REQUESTS, "ptr")}
{load_word("request.bytes", "comm", Comm.REQUEST_BYTES)}
{load_word("is.double", "bucket", Bucket.DOUBLE)}
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
{add_to_word("sent.bytes", "comm", Comm.SENT_BYTES, "%bytes")}
{add_to_word("messages", "comm", Comm.MESSAGES, "1")}
  %ok = call i1 @settle(ptr %comm, ptr %bucket, i32 2, i32 %partner)
  ret i1 %ok
}}
"""
