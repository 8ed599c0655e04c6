"""LLVM text of the sums of a bucket over all ranks, in one of two ways.

In order, values are added by recursive halving: in round k a rank and its partner, whose number differs in bit k, each
send half of what they have left and add up the other half. After the last round each rank has a part of the sums, which
it sends back the same way (recursive doubling). So every element is added by a balanced binary tree over the ranks in
their order, and no all-reduce sends fewer bytes. With MPI_Iallreduce, the library chooses the order.
"""

from __future__ import annotations

from mochac.codegen.cpu.exchange_layout import Bucket, Comm, Failure
from mochac.codegen.cpu.words import load_word


def sums_text() -> str:
    """`@ordered` and `@unordered` add up a bucket, by the functions of exchange_messages.py; false if they failed."""
    added = "\n".join(_add(kind, lanes) for kind, lanes in (("float", 16), ("double", 8)))
    return "\n".join([added, _ELEMENT, _ADD, _ORDERED, _UNORDERED])


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


_ELEMENT = """
define internal ptr @element(ptr %data, i64 %k, i64 %is.double) nounwind {
entry:
  %shift = add i64 %is.double, 2
  %offset = shl i64 %k, %shift
  %at = getelementptr i8, ptr %data, i64 %offset
  ret ptr %at
}
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
{load_word("rank", "comm", Comm.RANK)}
{load_word("ranks", "comm", Comm.RANKS)}
{load_word("received", "comm", Comm.RECEIVED, "ptr")}
{load_word("data", "bucket", Bucket.DATA, "ptr")}
{load_word("count", "bucket", Bucket.COUNT)}
{load_word("is.double", "bucket", Bucket.DOUBLE)}
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
{load_word("iallreduce", "comm", Comm.IALLREDUCE, "ptr")}
{load_word("in.place", "comm", Comm.IN_PLACE, "ptr")}
{load_word("sum", "comm", Comm.SUM)}
{load_word("handle", "comm", Comm.HANDLE)}
{load_word("request", "comm", Comm.REQUESTS, "ptr")}
{load_word("data", "bucket", Bucket.DATA, "ptr")}
{load_word("count", "bucket", Bucket.COUNT)}
{load_word("is.double", "bucket", Bucket.DOUBLE)}
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
