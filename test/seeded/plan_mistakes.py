"""Mistakes of the plan that no change of an emitted text makes: in what it takes for known, and in
what it decides by that.

A row names one, the file of plugin/ that makes it, the text there, what stands in its place when
it is made, and programs of test/run that should see it. The text occurs once in the file; lines
may be broken elsewhere. An expression is replaced by one of its type, a statement, which ends in
`;`, by statements. plan.py builds a compiler that makes one of them at a time.
"""

from dataclasses import dataclass, field


@dataclass
class Mistake:
    name: str
    file: str
    right: str
    wrong: str
    programs: list = field(default_factory=list)


MISTAKES = []


def of(file, *rows):
    for name, right, wrong, programs in rows:
        MISTAKES.append(Mistake(name, f"plan/{file}.cpp", right, wrong, programs.split()))


# What is at which address, and what may change it.
of(
    "analysis/Facts",
    (
        "an alias answered no: two parameters",
        "return !isRestrict(x) && !isRestrict(y);",
        "return false;",
        "one_logical_thread",
    ),
    (
        "an alias answered no: a base that nobody knows",
        "if (!x || !y || x == y) return true;",
        "if (!x || !y) return false; if (x == y) return true;",
        "one_logical_thread pointer_types block_memory",
    ),
    (
        "an alias answered no: a pointer and itself",
        "!x || !y || x == y",
        "(!x || !y)",
        "one_logical_thread stores_of_operands",
    ),
    (
        "effects: a strong atomic orders nothing",
        "result.orders |= isStrong(op);",
        "",
        "ordered_atomics rules_memory_model",
    ),
)
of(
    "analysis/DisjointBoxes",
    (
        "boxes apart: extents forgotten",
        "first >= writtenExtent && last <= all - readExtent",
        "(first >= 0)",
        "stores_of_operands",
    ),
    (
        "boxes apart: downwards, extents forgotten",
        "-first >= readExtent && -last <= all - writtenExtent",
        "(-first >= 0)",
        "stores_of_operands",
    ),
    (
        "boxes apart: wrapping forgotten",
        "last <= all - readExtent",
        "true",
        "rings_that_differ stores_of_operands",
    ),
    (
        "boxes apart: the own iteration left out",
        "isOwnToo ? 0 : step",
        "step",
        "stores_of_operands",
    ),
    (
        "boxes apart: of views that fold",
        "isOneToOne(access) || (isOneToOne(access, dim) && areHere(0, dim))",
        "true",
        "stores_of_operands",
    ),
    (
        "boxes apart: unknown parts of starts ignored",
        "!x->hasSameOthers(*y)",
        "false",
        "stores_of_operands",
    ),
    (
        "boxes apart: any two views of one base",
        "!areOneView(load, store, loop)",
        "(load.getBase() != store.getBase() || "
        "load.getStarts().size() != store.getStarts().size())",
        "stores_of_operands",
    ),
)
of(
    "analysis/ReadOrder",
    (
        "a read moved over what orders",
        "effects.orders || isVolatile(op)",
        "isVolatile(op)",
        "ordered_atomics",
    ),
    (
        "a read moved over a volatile access",
        "effects.orders || isVolatile(op)",
        "effects.orders",
        "volatile_memory",
    ),
    (
        "a read moved over a write between it and a loop",
        "obstacleOfMove(read, between) != ReadObstacle::None",
        "false",
        "stores_of_operands",
    ),
)
of(
    "analysis/PipelinedLoads",
    (
        "a read copied ahead of writes through other pointers",
        "isa<BlockArgument>(baseOf(addressOf(read))) ? tile::WaitReason::alias "
        ": tile::WaitReason::writes",
        "Wait()",
        "stores_of_operands",
    ),
    (
        "a read copied ahead of writes to the same memory",
        "obstacleAhead(read, loop)",
        "obstacleAhead(read, loop) == ReadObstacle::Written ? ReadObstacle::None "
        ": obstacleAhead(read, loop)",
        "stores_of_operands",
    ),
    (
        "padding with other than zeros copied",
        "load.getPadding() != tile::Padding::zero",
        "false",
        "padding copied_ahead",
    ),
    (
        "a masked gather's padding copied as zeros",
        "load.getMask() && !isZero(load.getPadding())",
        "false",
        "padding operands_by_pointers",
    ),
    (
        "an operand that is also used otherwise copied",
        "return isReadOnce(pipelined) ? Wait() : tile::WaitReason::uses;",
        "return Wait();",
        "copied_ahead operands_of_shapes operands_read_again",
    ),
)
of(
    "normalize/LateReads",
    (
        "a read of the next iteration made late over a write",
        "return obstacleOfMove(read, loop) == ReadObstacle::None;",
        "return true;",
        "stores_of_operands counted_ahead",
    ),
    (
        "the first iteration's read taken for the iteration before's",
        "!isSame(first, beforeFirst.lookupOrDefault(next))",
        "false",
        "counted_ahead",
    ),
)
of(
    "memory/GroupLoads",
    (
        "loads moved over stores",
        "isPassed(&op)",
        "isPassed(&op) || isa<tile::ViewStoreOp>(op)",
        "one_logical_thread",
    ),
)

# Barriers and fences.
of(
    "memory/MemoryAccess",
    (
        "barriers: between writes alone",
        "(!writes && !other.writes)",
        "(!writes || !other.writes)",
        "one_logical_thread reductions",
    ),
    (
        "barriers: none where one side is the first thread's",
        "(isByFirst && other.isByFirst)",
        "(isByFirst || other.isByFirst)",
        "one_logical_thread stores_of_operands",
    ),
    (
        "barriers: none around what orders",
        "orders || other.orders",
        "false",
        "ordered_atomics rules_memory_model",
    ),
    (
        "barriers: all slots of a ring apart",
        "isSlot(first(x)) && isSlot(first(y)) && first(x) != first(y)",
        "true",
        "straight_loops:sm_80 steps_behind:sm_80 computed_operands:sm_80",
    ),
    (
        "barriers: tiles that share some bytes taken for apart",
        "begin < other.end && other.begin < end && !isInOtherSlot(other)",
        "(begin == other.begin && end == other.end && !isInOtherSlot(other))",
        "operands_of_loops reductions bulk_stores",
    ),
    (
        "fences: none of what multiplies of warpgroups read",
        "access.isForProxy = writes && isInPanels(alloc);",
        "access.isForProxy = false;",
        "mma_of_warpgroups copied_ahead",
    ),
    (
        "barriers: none before a ring's barriers are made",
        "result.push_back(sharedAccess(access.shared, access.writes));",
        "if (isa<tile::InitBarriersOp>(op)) continue; "
        "result.push_back(sharedAccess(access.shared, access.writes));",
        "rings_that_differ copied_ahead bulk_rings",
    ),
)
of(
    "memory/InsertBarriers",
    (
        "barriers: slots of a ring apart in all iterations",
        "access.slot = {};",
        "",
        "computed_operands:sm_80 straight_loops:sm_80",
    ),
    (
        "barriers: loops walked once",
        "round < 2",
        "round < 1",
        "one_logical_thread reductions",
    ),
    (
        "barriers: none behind a wait for copies",
        "!isa_and_present<tile::BarrierOp, tile::FenceOp>(next)",
        "false",
        "copied_ahead around_the_ring",
    ),
    (
        "fences: none behind a wait for copies",
        "copiesForProxy || hasWritesForProxy(pending)",
        "false",
        "copied_ahead around_the_ring computed_operands",
    ),
    (
        "fences: none of what threads wrote",
        "return llvm::any_of(pending, "
        "[](const MemoryAccess &access) { return access.isForProxy; });",
        "return false;",
        "copied_ahead mma_of_warpgroups",
    ),
    (
        "fences: none where bulk copies write what threads used",
        "access.isForProxy |= access.writes && isThreads(op) && access.shared && "
        "isWhereBulkCopiesWrite(access);",
        "",
        "around_the_ring",
    ),
    (
        "fences: none of global memory before a bulk store",
        "fencesGlobal |= isReadIn(kernel, store.getBase());",
        "",
        "bulk_stores",
    ),
    (
        "bulk stores not waited for at the end",
        "!llvm::any_of(pending, [](const MemoryAccess &access) { return access.isInFlight; })",
        "true",
        "bulk_stores around_the_ring",
    ),
    (
        "bulk stores not waited for before their tile is written",
        "if (waitsForStores) tile::WaitStoresOp::create(b, op.getLoc());",
        "",
        "bulk_stores copied_ahead",
    ),
    (
        "barriers: first copies do not meet those before",
        "if (meet) meetBefore(op, pending, waitForStores);",
        "",
        "copied_ahead operands_of_loops",
    ),
)

# Rings: how far ahead, which stage, waited for when.
of(
    "pipeline/PipelineLoops",
    (
        "prefetch distance: one more beside a multiply in flight",
        "ring.isInFlight ? stages - 2 : stages - 1",
        "(stages - 1)",
        "around_the_ring",
    ),
    (
        "prefetch distance: one more where nothing is in flight",
        "ring.isInFlight ? stages - 2 : stages - 1",
        "(ring.isInFlight ? stages - 2 : stages)",
        "around_the_ring",
    ),
    (
        "copies waited for one iteration late",
        "ahead - 1",
        "ahead",
        "copied_ahead around_the_ring copied_ahead:sm_80",
    ),
    (
        "the iteration of a later part's copies off by one",
        "(part + ahead) / count",
        "ahead / count",
        "depth_of_products",
    ),
    (
        "the slot of a later part's copies not advanced",
        "slotAfter(b, carried[1], part)",
        "slotAfter(b, carried[1], 0)",
        "depth_of_products",
    ),
    (
        "the slots of several parts advance by one an iteration",
        "slotAfter(inner, arguments[0], count)",
        "slotAfter(inner, arguments[0], 1)",
        "depth_of_products",
    ),
    (
        "a multiply before the copies left in flight",
        "multiply.getWait().setPending(0);",
        "",
        "rings_that_differ shifted_rows copied_ahead",
    ),
    (
        "a loop of one iteration that may have more",
        "*upper - *lower <= *step",
        "true",
        "copied_ahead merged_steps",
    ),
)
of(
    "pipeline/Prologue",
    (
        "an iteration more is known to take place",
        "*lower + iteration * *step < *upper",
        "*lower + iteration * *step <= *upper",
        "rings_that_differ first_copies copied_ahead",
    ),
    (
        "what a loop carries not moved on for first copies",
        "iterationAt(b.getIndexAttr(part / partsOfIteration), part / partsOfIteration)",
        "iterationAt(b.getIndexAttr(part / partsOfIteration), 0)",
        "rings_that_differ first_copies blocks_alone",
    ),
    (
        "first copies of several parts in one slot",
        "b.createOrFold<arith::AddIOp>(loc, first, number(part))",
        "first",
        "rings_that_differ depth_of_products first_copies",
    ),
)
of(
    "pipeline/InFlight",
    (
        "two multiplies left in flight",
        "tile::MmaWaitOp::create(b, loc, 1);",
        "tile::MmaWaitOp::create(b, loc, 2);",
        "around_the_ring",
    ),
)
of(
    "pipeline/RingCopies",
    (
        "a ring of one stage more than it has",
        "stages - 1",
        "stages",
        "around_the_ring",
    ),
    (
        "rows that are not aligned not shifted",
        "if (!ring.ends) continue;",
        "continue;",
        "shifted_rows",
    ),
    (
        "floats not rounded where threads copy them",
        "pipelined.rounding && !(bulk && bulk->maps.lookup(pipelined.load).getNeeded())",
        "false",
        "tf32_products",
    ),
)
of(
    "analysis/OtherIterations",
    (
        "copies of one iteration too many",
        "isUnsigned ? ult : slt",
        "isUnsigned ? ule : sle",
        "copied_ahead around_the_ring first_copies",
    ),
    (
        "an iteration that no number of the loop's type is",
        "!mayPassType(loop, from, iterations)",
        "true",
        "first_copies copied_ahead counted_ahead",
    ),
    (
        "a first iteration that a step below zero leaves out",
        "isFirstSure ? exists : both(compare(less, from, upper), exists)",
        "exists",
        "rows_ahead first_copies",
    ),
    (
        "a divisor that may be zero in iterations that are not",
        "copy->setOperand(1, arith::SelectOp::create(b, loc, divides, divisor, constant(1)));",
        "(void)divides;",
        "copied_ahead remainders",
    ),
    (
        "what a loop carries moved on once for several iterations",
        "return b.createOrFold<arith::MulIOp>(loc, by, constant(by.getType(), distance));",
        "return by;",
        "blocks_alone copied_ahead operands_by_pointers",
    ),
)
of(
    "pipeline/PrefetchOperands",
    (
        "an operand read ahead of copies to its stage",
        "ring && int64_t(ring.getStages()) == int64_t(wait.getPending()) + 2",
        "bool(ring)",
        "operands_ahead",
    ),
    (
        "an operand read before its copies are waited for",
        "std::max<int64_t>(int64_t(wait.getPending()) - 1, 0)",
        "int64_t(wait.getPending())",
        "operands_ahead",
    ),
    (
        "a stage released before the multiply before is done",
        "if (release) release->moveAfter(done);",
        "if (release) release->moveBefore(multiply);",
        "operands_ahead places",
    ),
)
of(
    "pipeline/WarpSpecialization",
    (
        "arrivals: one reader less",
        "isInFlight && !isReadByThreads() ? warps / 4 : warps",
        "(isInFlight && !isReadByThreads() ? warps / 4 : warps) - 1",
        "places merged_blocks",
    ),
    (
        "arrivals: one reader more",
        "isInFlight && !isReadByThreads() ? warps / 4 : warps",
        "(isInFlight && !isReadByThreads() ? warps / 4 : warps) + 1",
        "places",
    ),
    (
        "a stage released while its multiply is in flight",
        "tile::ConsumerReleaseOp::create(b, loc, ring.barriers(), before);",
        "tile::ConsumerReleaseOp::create(b, loc, ring.barriers(), read);",
        "places",
    ),
    (
        "the last stage of a place not released",
        "tile::ConsumerReleaseOp::create(b, loc, ring.barriers(), newLoop.getResults().back());",
        "",
        "places",
    ),
    (
        "the slot that was read before off by one",
        "slotAfter(inner, read, count - 1)",
        "slotAfter(inner, read, count)",
        "places",
    ),
    (
        "a place begins at the first stage again",
        "workTiles.getBody()->getTerminator()->setOperand(0, "
        "newLoop.getResults().drop_back().back());",
        "",
        "places",
    ),
)
of(
    "pipeline/BulkRings",
    (
        "arrivals: one copy less to a stage",
        "int64_t(parts.front().size())",
        "int64_t(parts.front().size()) - 1",
        "bulk_rings copied_ahead",
    ),
    (
        "arrivals: one copy more to a stage",
        "int64_t(parts.front().size())",
        "int64_t(parts.front().size()) + 1",
        "bulk_rings copied_ahead",
    ),
    (
        "bulk copies of what the kernel writes",
        "return mayBeRead ? WalkResult::interrupt() : WalkResult::advance();",
        "(void)mayBeRead; return WalkResult::advance();",
        "rings_that_differ bulk_rings stores_of_operands",
    ),
    (
        "bulk copies where the tile is not in panels",
        "type.getPanels() && box.size() >= 2",
        "box.size() >= 2",
        "copied_ahead mma_of_warpgroups steps_behind:sm_90a",
    ),
    (
        "one map for two views",
        "type == other.type && mine.getType() == theirs.getType() && "
        "mine.getBase() == theirs.getBase()",
        "type == other.type && mine.getType() == theirs.getType()",
        "copied_ahead bulk_rings",
    ),
    (
        "one given map for views with other extents",
        "other.getBase() != map.getBase() || other.getExtents() != map.getExtents()",
        "other.getBase() != map.getBase()",
        "rings_that_differ launched_maps bulk_stores",
    ),
    (
        "maps of views that move with the loop",
        "from && !from->getNumRegions() && tile::isSpeculatable(from)",
        "from && !from->getNumRegions()",
        "rings_that_differ bulk_rings",
    ),
)
of(
    "pipeline/BulkStores",
    (
        "bulk stores: beside what orders",
        "effects.orders || (mayTouch && (effects.writes || !isBefore(op, store)))",
        "(mayTouch && (effects.writes || !isBefore(op, store)))",
        "bulk_stores",
    ),
    (
        "bulk stores: beside other writes",
        "mayTouch && (effects.writes || !isBefore(op, store))",
        "mayTouch && !isBefore(op, store)",
        "bulk_stores",
    ),
    (
        "bulk stores: read behind",
        "mayTouch && (effects.writes || !isBefore(op, store))",
        "mayTouch && effects.writes",
        "bulk_stores",
    ),
    (
        "bulk stores: read by the next iteration",
        "around->isBeforeInBlock(there) && !isInLoop(around)",
        "around->isBeforeInBlock(there)",
        "bulk_stores",
    ),
    (
        "bulk stores: out of order",
        "return isInLoop(store) || llvm::any_of(stores, [&](tile::ViewStoreOp other) { "
        "return other != store && mayOverlap(other, store) && !isBefore(store, other); });",
        "return false;",
        "bulk_stores",
    ),
    (
        "bulk stores: by other maps to one memory",
        "mayOverlap(other, store) && !haveSameTensorMap(other, store)",
        "false",
        "bulk_stores",
    ),
)

# What is known of numbers, and what an access takes for known.
of(
    "memory/PlanAccesses",
    (
        "bounds: a box inside that ends outside",
        "first.high + size <= rangeOf(extent, given).low",
        "first.high <= rangeOf(extent, given).low",
        "bounds_of_dimensions padding",
    ),
    (
        "bounds: a box inside that begins below 0",
        "first.low >= 0",
        "true",
        "bounds_of_dimensions idle_blocks",
    ),
    (
        "bounds: whole boxes, from any start",
        "divisorOf(extent) % size == 0 && divisorOf(start) % size == 0",
        "divisorOf(extent) % size == 0",
        "bounds_of_dimensions idle_blocks",
    ),
    (
        "bounds: whole boxes of any extent",
        "divisorOf(extent) % size == 0 && divisorOf(start) % size == 0",
        "divisorOf(start) % size == 0",
        "bounds_of_dimensions padding",
    ),
)
of(
    "analysis/Accesses",
    (
        "alignment: any base",
        "require(Unproven::Base, box.base, 0, divisorOf(box.base), vector * box.bytes());",
        "",
        "bounds_of_dimensions",
    ),
    (
        "alignment: any stride",
        "require(Unproven::Stride, stride, int64_t(dimension), divisorOf(stride), vector);",
        "",
        "padding bounds_of_dimensions layouts",
    ),
    (
        "alignment: any start",
        "require(Unproven::Start, box.starts.back(), last, divisorOf(box.starts.back()), vector);",
        "",
        "running_sums padding depth_of_products",
    ),
    (
        "alignment: any extent that cuts a box",
        "alongLast == tile::Bounds::checked",
        "false",
        "padding bounds_of_dimensions",
    ),
)
of(
    "analysis/Facts",
    (
        "divisors: of a sum the larger one",
        "return std::min(divisor(op.getLhs(), reach), divisor(op.getRhs(), reach));",
        "return std::max(divisor(op.getLhs(), reach), divisor(op.getRhs(), reach));",
        "bounds_of_dimensions running_sums depth_of_products bulk_stores",
    ),
    (
        "divisors: of a loop's variable the step's",
        "std::min(divisor(loop.getLowerBound(), reach), divisor(loop.getStep(), reach))",
        "divisor(loop.getStep(), reach)",
        "bounds_of_dimensions merged_steps running_sums straight_loops:sm_80",
    ),
    (
        "divisors: of a choice the first one's",
        "return std::min(divisor(op.getTrueValue(), reach), divisor(op.getFalseValue(), reach));",
        "return divisor(op.getTrueValue(), reach);",
        "bounds_of_dimensions",
    ),
    (
        "alignment: of a moved pointer its base's",
        "return std::min(divisor(gep.getBase(), reach), "
        "std::min<int64_t>(n * tile::storageBits(element) / 8, limit));",
        "return divisor(gep.getBase(), reach);",
        "bounds_of_dimensions",
    ),
    (
        "alignment: of a moved pointer the distance's",
        "return std::min(divisor(gep.getBase(), reach), "
        "std::min<int64_t>(n * tile::storageBits(element) / 8, limit));",
        "return std::min<int64_t>(n * tile::storageBits(element) / 8, limit);",
        "bounds_of_dimensions",
    ),
)
of(
    "analysis/Ranges",
    (
        "ranges: a loop's variable ends early",
        "return {lower.low, last};",
        "return {lower.low, last - 1};",
        "bounds_of_dimensions padding",
    ),
    (
        "ranges: below a bound, one less",
        "allowed.high = std::max(y.high, minimum + 1) - 1;",
        "allowed.high = std::max(y.high, minimum + 2) - 2;",
        "bounds_of_dimensions",
    ),
    (
        "ranges: below a number that may be large without a sign",
        "y.low > 0",
        "true",
        "bounds_of_dimensions rules_scalars",
    ),
    (
        "ranges: conditions that do not hold",
        "tile::relationOf(condition.value, condition.holds)",
        "tile::relationOf(condition.value)",
        "bounds_of_dimensions",
    ),
)
of(
    "analysis/AxisInfo",
    (
        "runs: aligned where they break",
        "run.breaks == 0 && run.divisor % (vector * bytes) == 0",
        "run.divisor % (vector * bytes) == 0",
        "runs",
    ),
    (
        "runs: aligned whatever divides them",
        "run.breaks == 0 && run.divisor % (vector * bytes) == 0",
        "run.breaks == 0",
        "runs pointer_tiles",
    ),
    (
        "runs: one bit of a mask for more than are equal",
        "run.step == 0 && run.breaks == 0 && run.length >= vector",
        "run.step == 0 && run.breaks == 0",
        "runs",
    ),
    (
        "runs: numbers that wrap round do not break",
        "run.divisor % run.step ? 1 : powerOfTwoIn(run.divisor / run.step)",
        "run.length",
        "runs",
    ),
    (
        "runs: remainders turn back nowhere",
        "isUnsigned ? std::min(a.divisor, run.length) : 1",
        "run.length",
        "runs",
    ),
    (
        "runs: remainders longer than their divisor",
        "std::min({x.length, y.length, y.divisor})",
        "std::min({x.length, y.length})",
        "runs",
    ),
    (
        "runs: compared with what is no multiple",
        "a.divisor % span == 0 && b.divisor % span == 0",
        "a.divisor % span == 0",
        "runs",
    ),
    (
        "runs: chosen by a mask that cuts them",
        "std::min({mask.length, x.length, y.length})",
        "std::min({x.length, y.length})",
        "runs pointer_tiles",
    ),
    (
        "runs: carried as they begin",
        "kept.divisor >= run.divisor",
        "true",
        "runs pointer_tiles operands_by_pointers",
    ),
)

# One block, one iteration or one tile for several.
of(
    "tiling/BatchViews",
    (
        "a batch of one matrix",
        "extents.push_back(*extent);",
        "extents.push_back(arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1)));",
        "batch_views",
    ),
    (
        "an index below 0 as a coordinate",
        "rangeOf(index).low < 0",
        "false",
        "batch_views",
    ),
    (
        "an offset of all blocks forgotten",
        "productOf(before, loc, term.multipliers, term.bytes)",
        "productOf(before, loc, {}, 0)",
        "batch_views",
    ),
)
of(
    "tiling/WideTiles",
    (
        "coarsening: from starts that are no multiples",
        "divisorOf(start) % (factor * box[d]) != 0",
        "false",
        "merged_blocks",
    ),
    (
        "coarsening: boxes that do not lie side by side",
        "distances.lookup(start) != box[d]",
        "false",
        "blocks_that_differ merged_blocks",
    ),
    (
        "coarsening: both operands of other blocks",
        "isUniform(aDim ? multiply.getB() : multiply.getA())",
        "true",
        "blocks_that_differ merged_blocks",
    ),
    (
        "coarsening: beside stores that tell blocks apart",
        "if (isStore(op)) return areUniform;",
        "if (isStore(op)) return true;",
        "blocks_that_differ merged_blocks",
    ),
    (
        "coarsening: loops whose bounds tell blocks apart",
        "if (!isUniform(bound)) return false;",
        "",
        "blocks_that_differ merged_blocks",
    ),
    (
        "coarsening: branches that tell blocks apart",
        "if (!isUniform(branch.getCondition())) return false;",
        "",
        "blocks_that_differ merged_blocks",
    ),
)
of(
    "tiling/WideTilesRewrite",
    (
        "coarsening: blocks that are not there write",
        "clip(store, stores.lookup(store));",
        "",
        "merged_blocks",
    ),
    (
        "coarsening: over a reduction along the blocks",
        "return reduce.getDim() == dim;",
        "return false;",
        "merged_blocks",
    ),
    (
        "coarsening: over a scan along the blocks",
        "return scan.getDim() == dim;",
        "return false;",
        "blocks_that_differ merged_blocks",
    ),
)
of(
    "tiling/TileGrid",
    (
        "tiles of a loop that see one another's order",
        "return areKnown && !(areIndices && !loop) && !(loop && isOrderSeen());",
        "return areKnown && !(areIndices && !loop);",
        "blocks_that_differ tile_grids",
    ),
    (
        "tiles that overlap",
        "number.distance != box.getDimSize(unsigned(dim)) || !found.insert(number.value)",
        "!found.insert(number.value)",
        "blocks_that_differ tile_grids",
    ),
)
of(
    "tiling/UnrollAlongK",
    (
        "steps: what is left of them dropped",
        "step && divisorOf(distance) % (*step * iterations) == 0",
        "bool(step)",
        "merged_steps",
    ),
    (
        "steps: past the extent, where other iterations end",
        "sum && sum.getLhs() == extent && constantOf(sum.getRhs()) == step - 1",
        "bool(sum)",
        "turns_that_differ merged_steps",
    ),
    (
        "steps: zeros that do not stay zeros",
        "areAccumulatorsAll && operands.keepZeros()",
        "areAccumulatorsAll",
        "merged_steps",
    ),
    (
        "steps: from starts below 0",
        "divisorOf(firstStart(b, load, k)) % (iterations * typeOf(load).getDimSize(k)) == 0",
        "true",
        "merged_steps",
    ),
    (
        "steps: what a loop carries moved on once",
        "computeThere(b, unrolled, slice, "
        "{unrolled.getInductionVar(), exists, distance, false}, map);",
        "computeThere(b, unrolled, slice, "
        "{unrolled.getInductionVar(), exists, 1, false}, map);",
        "merged_steps",
    ),
)
of(
    "tiling/DeepOperands",
    (
        "steps: boxes that do not lie side by side",
        "movesBy(load.getStarts()[k], loop) == extent",
        "movesBy(load.getStarts()[k], loop).has_value()",
        "merged_steps",
    ),
    (
        "steps: what differs along K taken for the same",
        "typeOf(broadcast.getX()).getDimSize(k) == 1",
        "true",
        "turns_that_differ merged_steps",
    ),
)
of(
    "pipeline/SubtileK",
    (
        "depth: parts of boxes that begin below 0",
        "plan::hasParts(load, k)",
        "true",
        "depth_of_products",
    ),
    (
        "depth: all parts from the first",
        "readPart(b, load, operand.k, part, parts)",
        "readPart(b, load, operand.k, 0, parts)",
        "depth_of_products",
    ),
)
of(
    "analysis/InductionStrides",
    (
        "moves: what wraps on its way to a wider type",
        "return neverWraps(op.getIn(), reach) ? of(op.getIn(), reach) : Distance();",
        "return of(op.getIn(), reach);",
        "turns_that_differ merged_steps",
    ),
    (
        "moves: quotients of what is no multiple",
        "divisorOf(x) % *divisor == 0 && neverWraps(x, reach)",
        "neverWraps(x, reach)",
        "turns_that_differ merged_steps",
    ),
)

# Shared memory and layouts.
of(
    "analysis/SharedLifetimes",
    (
        "shared memory: a tile dies within its loop",
        "outermost = p->getParentOp();",
        "",
        "mma_chain operands_of_loops chained_products",
    ),
    (
        "shared memory: tiles that overlap at their ends",
        "offset < end && other < offset + tile.bytes",
        "offset < end && other < offset",
        "operands_of_loops reductions copied_ahead",
    ),
    (
        "shared memory: a ring's slots do not live",
        "isa<tile::SharedSlotOp, tile::MakeTensorMapOp, tile::InitBarriersOp>(user)",
        "isa<tile::MakeTensorMapOp, tile::InitBarriersOp>(user)",
        "copied_ahead operands_of_loops",
    ),
    (
        "shared memory: a ring's maps do not live",
        "isa<tile::SharedSlotOp, tile::MakeTensorMapOp, tile::InitBarriersOp>(user)",
        "isa<tile::SharedSlotOp>(user)",
        "rings_that_differ bulk_rings copied_ahead",
    ),
)
of(
    "memory/HoistSharedStores",
    (
        "a tile hoisted that another store writes",
        "return isa<tile::SharedLoadOp, tile::SharedLoadPartOp, tile::SharedMmaOp>(user) && "
        "here && store->isBeforeInBlock(here);",
        "return true;",
        "seldom_used",
    ),
    (
        "one tile for two that are stored",
        "earlier.getValue() != store.getValue()",
        "false",
        "operands_of_loops",
    ),
)
of(
    "memory/LowerToShared",
    (
        "a reduction without the other warps'",
        "if (!layout.warpBitsAlong(dim)) return;",
        "return;",
        "reductions",
    ),
    (
        "a scan without the warps before",
        "lowerScan(o);",
        "",
        "scans",
    ),
    (
        "places of extremes without their values",
        "return lowerArgReduction(op, layout);",
        "return;",
        "scans",
    ),
    (
        "old values of atomics not shared",
        "!llvm::is_contained(layout.lanes(), 0u) && !llvm::is_contained(layout.warps(), 0u)",
        "true",
        "shared_by_threads pointer_tiles view_atomics rules_memory_model",
    ),
    (
        "a conversion between threads taken for one of registers",
        "!toLinear(tensorOf(op.getX())).differsInRegistersOnly("
        "toLinear(tensorOf(op.getResult())))",
        "false",
        "shared_by_threads shapes",
    ),
    (
        "small floats rounded for each warp",
        "!element.isF16() && !element.isBF16()",
        "true",
        "shared_by_threads rounded_reductions scans",
    ),
)
of(
    "analysis/Accesses",
    (
        "alignment: views of a version not asked",
        "all = all ? arith::AndIOp::create(b, loc, all, one).getResult() : Value(one);",
        "all = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));",
        "straight_loops:sm_80 shifted_rows:sm_80 rows_of_unknown_alignment",
    ),
    (
        "alignment: one view of a version asked",
        "all = all ? arith::AndIOp::create(b, loc, all, one).getResult() : Value(one);",
        "all = all ? all : Value(one);",
        "straight_loops:sm_80 shifted_rows:sm_80 rows_of_unknown_alignment",
    ),
)
of(
    "memory/VersionAccesses",
    (
        "a version for aligned views: the other one takes them for aligned, too",
        "align(op, copy);",
        "align(op, copy); align(op, op);",
        "rows_of_unknown_alignment",
    ),
    (
        "a version for aligned views: what a branch leaves is always of the other one",
        "yields(*versions.thenBlock(), llvm::map_to_vector(values, [&](Value value) { "
        "return map.lookup(value); }));",
        "yields(*versions.thenBlock(), llvm::map_to_vector(values, [&](Value value) { "
        "return value; }));",
        "rows_of_unknown_alignment",
    ),
    (
        "a version for aligned views: views of iterations asked in front of the loop",
        "return from && isHoisted(from) ? std::nullopt : std::optional(false);",
        "return !from || !isHoisted(from) ? std::optional(true) : std::nullopt;",
        "rows_of_unknown_alignment",
    ),
)
of(
    "memory/SinkLoads",
    (
        "loads behind a reduction: what is written in between",
        "memoryStaysFrom(load, user)",
        "true",
        "late_weights",
    ),
)
of(
    "memory/CoalesceRows",
    (
        "single elements side by side: accesses as wide as before",
        "/*vector=*/1",
        "was.getVector()",
        "rows_of_unknown_alignment",
    ),
)
of(
    "memory/TrimWarps",
    (
        "warps left out: where columns end, that of the first view for all",
        "ends.insert(lengthBehind(box.extents.back()));",
        "if (ends.empty()) ends.insert(lengthBehind(box.extents.back()));",
        "rows_of_any_length",
    ),
    (
        "warps left out: rows that are rotated end later",
        "multiple = std::max<int64_t>(multiple, int64_t(row.getMultiple()));",
        "multiple = 1;",
        "rows_of_any_length",
    ),
    (
        "warps left out: what they exchange stays unwritten",
        "store.getCountMutable().assign(count); store.setPaddingAttr(exchange.ofPadding);",
        "(void)store;",
        "rows_of_any_length",
    ),
)
of(
    "analysis/RowPadding",
    (
        "padding: exp(0) adds nothing",
        "APFloat::getOne(semantics)",
        "APFloat::getZero(semantics)",
        "rows_of_any_length",
    ),
    (
        "padding: less a number of the row it is still zero",
        "!y || (x->isOrdinary() && y->isOrdinary())",
        "!y && (y = PaddedFloat{APFloat::getZero(x->value.getSemantics()), false}, false)",
        "rows_of_any_length",
    ),
    (
        "padding: columns behind the end counted",
        "cast<IntegerAttr>(mask->value).getValue().isZero() ? op.getY() : op.getX()",
        "op.getX()",
        "rows_of_any_length",
    ),
)
of(
    "analysis/RowShifts",
    (
        "rows that are not rotated: their columns' numbers are",
        "if (isa<arith::MaxSIOp>(number)) takeNumbersBack(number);",
        "(void)number;",
        "rotated_rows rows_of_unknown_alignment",
    ),
)
of(
    "pipeline/VersionLoops",
    (
        "alignment: starts of straight copies not asked",
        "divisorOf(copy.getStarts().back()) % access.getVector() == 0",
        "true",
        "straight_loops:sm_80 steps_behind:sm_80",
    ),
)
of(
    "tiling/SwapOperands",
    (
        "rows in the order of threads, not back",
        "invertPermutationVector(asThreadsTakeRows)",
        "SmallVector<int64_t>(ArrayRef<int64_t>(asThreadsTakeRows))",
        "tf32_products",
    ),
)
of(
    "analysis/MatmulForms",
    (
        "an operand's order of memory taken for the other's",
        "permute.getMap()[1] == 1 ? dim : 1 - dim",
        "dim",
        "turned_operands tf32_products",
    ),
)
of(
    "pipeline/ProducerWarp",
    (
        "a number read ahead of the store to it",
        "(theirs.writes && mayAlias(baseOf(address), where ? baseOf(where) : Value()))",
        "false",
        "lengths_in_memory",
    ),
    (
        "a stage filled before it is free",
        "tile::ProducerAcquireOp::create(b, loc, ring.barriers(), slot); "
        "startCopies(b, loop, stage.loads, ring.tiles, ring.bulk, here, slot, map);",
        "startCopies(b, loop, stage.loads, ring.tiles, ring.bulk, here, slot, map);",
        "places attention_chains",
    ),
    (
        "queries copied before those of the last work tile are read",
        "tile::ProducerAcquireOp::create(b, loc, ring.barriers(), slot); "
        "startCopies(b, workTiles, fill.loads, ring.tiles, ring.bulk, "
        "{workTile, always, /*distance=*/0, /*isBeforeLoop=*/false}, slot, map);",
        "startCopies(b, workTiles, fill.loads, ring.tiles, ring.bulk, "
        "{workTile, always, /*distance=*/0, /*isBeforeLoop=*/false}, slot, map);",
        "scheduled_work_tiles attention_chains",
    ),
)
of(
    "pipeline/SpecializeChains",
    (
        "views that a condition guards made ahead of it",
        "(!isAlone() || areViewsKnownBefore())",
        "true",
        "returns_before_views",
    ),
    (
        "the stages of a neighbour's iterations never released",
        "tile::ConsumerReleaseOp::create(b, loc, ring.barriers(), slot);",
        "",
        "warpgroup_blocks",
    ),
    (
        "iterations that a warpgroup does not have passed over before it begins",
        "first = passOver(b, chain.loop, joint->lower, to, first);",
        "",
        "warpgroup_blocks",
    ),
    (
        "queries read before they are there",
        "tile::WaitGroupOp::create(b, loc, /*pending=*/0, ring.barriers(), index);",
        "",
        "scheduled_work_tiles attention_chains",
    ),
    (
        "queries of all work tiles read in one slot",
        "slots.push_back(nextSlot(b, workTiles.getLoc(), carried[ringCount() + i], ring.stages));",
        "slots.push_back(carried[ringCount() + i]);",
        "scheduled_work_tiles attention_chains",
    ),
    (
        "queries released before they are read",
        "b.setInsertionPointAfter(last);",
        "b.setInsertionPoint(last);",
        "scheduled_work_tiles attention_chains",
    ),
    (
        "a stage read before it is full",
        "waitForCopies(b, loop, loads, ring.tiles, ring.bulk, /*pending=*/0, read);",
        "",
        "attention_chains",
    ),
    (
        "a stage never released",
        "tile::ConsumerReleaseOp::create(b, loc, ring.barriers(), read);",
        "",
        "attention_chains",
    ),
    (
        "a row that one of two loops reads copied in both",
        "if (!areCommon) forgetRows();",
        "",
        "chain_rows",
    ),
    (
        "a work tile begins at the first stage again",
        "workTiles.getBody()->getTerminator()->setOperands(slots);",
        "",
        "attention_chains",
    ),
    (
        "an operand that another loop has stored, of another tile",
        "stored[{store.getValue(), buffer.getType()}]",
        "stored[{Value(), buffer.getType()}]",
        "attention_chains",
    ),
)
of(
    "pipeline/ChainLoops",
    (
        "a row in a stage whose multiplies do not wait for it",
        "return isReadBy(load, ops, body);",
        "return true;",
        "chain_rows",
    ),
    (
        "a row read before its stage is full",
        "if (Operation *load = loadOf(row); load->isBeforeInBlock(first)) first = load;",
        "",
        "chain_rows",
    ),
)
of(
    "pipeline/WorkTileBody",
    (
        "what stands behind a return computed before it",
        "isInBranch |= branch() && &op == first;",
        "",
        "lengths_in_memory",
    ),
    (
        "a block that returns goes on",
        "hasWork = guard.getCondition();",
        "",
        "lengths_in_memory",
    ),
    (
        "a block with work exits",
        "arith::XOrIOp::create(b, loc, hasWork, always)",
        "hasWork",
        "lengths_in_memory",
    ),
)
of(
    "pipeline/WarpgroupBlocks",
    (
        "the queries of the first tile block for both",
        "at.clone(b, read)",
        "blocks.front().clone(b, read)",
        "warpgroup_blocks",
    ),
    (
        "the iterations of the first tile block for both",
        "larger(b, loop, result, one)",
        "result",
        "warpgroup_blocks",
    ),
    (
        "a tile in shared memory for both tile blocks",
        "firstSlotOfTileBlock(b, loc, kernel, 1)",
        "Value(arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0)))",
        "warpgroup_blocks",
    ),
    (
        "an iteration's numbers that differ between neighbours",
        "!dependsOn(loop, axis) || areInStep(loop)",
        "true",
        "warpgroup_blocks",
    ),
)
of(
    "normalize/MergeCounters",
    (
        "a counter that begins elsewhere",
        "isQuotient(loop.getTiedLoopInit(carried)->get(), quotient, loop.getLowerBound())",
        "true",
        "warpgroup_blocks",
    ),
)
of(
    "analysis/Facts",
    (
        "what a block prints repeated by its parts",
        "effects.orders || isSeen || (isAccess && !addressOf(op))",
        "effects.orders || (isAccess && !addressOf(op))",
        "said_once",
    ),
)
of(
    "tiling/RowDivision",
    (
        "rows read after a part of the result has replaced them",
        "alias(write, read)",
        "false",
        "rows_of_blocks",
    ),
    (
        "rows that a later part writes again, in front of an earlier one",
        "!alias(write, other) || areOfOneRow(write, other)",
        "true",
        "rows_of_blocks",
    ),
    (
        "a window of rows that each iteration moves",
        "isViewFixed(store)",
        "true",
        "rows_of_blocks",
    ),
    (
        "planes that overlap by rows",
        "hasOwnAddresses(store)",
        "true",
        "rows_of_blocks",
    ),
    (
        "lines that begin elsewhere in each iteration",
        "isFixedAt(store, store.getStarts()[dim])",
        "true",
        "tall_rows",
    ),
    (
        "rows that each part counts from 0",
        "isAlone(typeOf(iota), *dimOf(iota)) && starts(iota, *dimOf(iota))",
        "isAlone(typeOf(iota), *dimOf(iota))",
        "tall_chains",
    ),
    (
        "every part the first one",
        "starts(load, dim)",
        "true",
        "tall_chains",
    ),
)
of(
    "tiling/SplitBlocks",
    (
        "each block of the grid a part of another tile block",
        "index.replaceAllUsesWith(block);",
        "index.replaceAllUsesWith(own);",
        "rows_of_blocks",
    ),
    (
        "every part the first one of its block",
        "loop.getInductionVar().replaceAllUsesWith(part);",
        "loop.getInductionVar().replaceAllUsesWith(loop.getLowerBound());",
        "rows_of_blocks",
    ),
)
of(
    "tiling/SplitColumns",
    (
        "columns that each part counts from 0",
        "iotaFrom(b, iota, first).getDefiningOp()",
        "iota.getOperation()",
        "tall_rows",
    ),
    (
        "every part the first one of a row",
        "startLater(before, load.getStartsMutable()[columnDim(typeOf(op->getResult(0)))], first);",
        "",
        "tall_rows",
    ),
    (
        "a maximum that begins with a number",
        "APFloat::getQNaN(of)",
        "APFloat::getZero(of)",
        "tall_rows",
    ),
    (
        "a result written over what another phase reads",
        "areApart(write.value(), read)",
        "true",
        "tall_rows",
    ),
)
of(
    "pipeline/DeferWaits",
    (
        "an accumulator read while its multiply is in flight",
        "multiply->isBeforeInBlock(other) && other->isBeforeInBlock(before)",
        "other->isBeforeInBlock(before)",
        "gradient_chains",
    ),
    (
        "a stage released by the first multiply that has read it",
        "llvm::all_of(readers, [&](Operation *reader) { return complete.contains(reader); })",
        "llvm::any_of(readers, [&](Operation *reader) { return complete.contains(reader); })",
        "gradient_chains",
    ),
    (
        "a multiply ahead of the wait for its stage",
        "slot && waits.contains(slot)",
        "slot && waits.contains(slot) && false",
        "gradient_chains",
    ),
)
of(
    "mma/PermuteK",
    (
        "K permuted in one operand alone",
        "multiply.getBMutable().set(inOrderOfAccumulators(b, multiply.getB(), 0));",
        "",
        "chains_of_bytes",
    ),
)
of(
    "pipeline/ProducerWarp",
    (
        "a stage transposed before it is there",
        "tile::WaitGroupOp::create(b, loc, /*pending=*/0, from.barriers(), slot);",
        "",
        "chains_of_bytes",
    ),
    (
        "a stage transposed over one that is read",
        "tile::ProducerAcquireOp::create(b, loc, to.barriers(), slot);",
        "",
        "chains_of_bytes",
    ),
)
of(
    "analysis/SharedLifetimes",
    (
        "bytes of a ring reused that consumers do not read",
        "result.last = endOfKernel;",
        "",
        "chains_of_bytes",
    ),
)
of(
    "pipeline/OverlapChains",
    (
        "an accumulator to which a promoted sum is not added",
        "multiply.getResult().replaceAllUsesExcept(sum, sum);",
        "",
        "chains_of_bytes",
    ),
    (
        "the first accumulator read while it is in flight",
        "/*pending=*/int64_t(second.size())",
        "/*pending=*/int64_t(second.size()) + 1",
        "attention_chains",
    ),
    (
        "a row read half an iteration before the wait for its stage",
        "!isAwaitedForRow(waitOf(multiply))",
        "true",
        "chain_rows",
    ),
    (
        "the second accumulator read while it is in flight",
        "finish(b, before, second, /*pending=*/0);",
        "finish(b, before, second, /*pending=*/1);",
        "attention_chains",
    ),
    (
        "registers written while a multiply reads them",
        "from.push_back(made);",
        "",
        "attention_chains",
    ),
    (
        "the second half of the last iteration left out",
        "clone(b, last, [&](Operation *op) { return late.contains(op); });",
        "",
        "attention_chains",
    ),
    (
        "a loop entered that has no iteration",
        "trips && *trips > 0",
        "!trips || *trips > 0",
        "attention_chains",
    ),
)
of(
    "mma/RegisterOperands",
    (
        "an operand in registers whose order is another one",
        "multiply.getAMutable().set(inOrder(b, operand, *layout));",
        "",
        "chains_of_bytes",
    ),
)
of(
    "normalize/CutOperands",
    (
        "floats cut that are rounded",
        "cast.getRounding() == tile::Rounding::toward_zero",
        "true",
        "tf32_rounding tf32_products",
    ),
)
of(
    "analysis/Facts",
    (
        "bulk copies and stores that begin within 16 bytes",
        "divisorOf(coordinates.back()) * tile::storageBits(element) / 8 % 16 == 0",
        "true",
        "starts_between_chunks",
    ),
)
of(
    "normalize/NarrowOperands",
    (
        "numbers of more bits than the type holds",
        "APFloat::isRepresentableBy(number.getFloatSemantics(), semantics)",
        "number.getWidth() <= 16",
        "narrow_operands",
    ),
    (
        "constants that are rounded",
        "return !isInexact;",
        "return true;",
        "narrow_operands",
    ),
    (
        "widened numbers that were rounded before",
        "isExact(cast)",
        "true",
        "narrow_operands",
    ),
    (
        "one term of a float three times",
        "terms[{tile, term}]",
        "terms[{tile, 0}]",
        "narrow_operands",
    ),
)
of(
    "tiling/SplitEpilogue",
    (
        "an epilogue read behind what an earlier part stored elsewhere",
        "return !mayAlias(baseOf(load.getBase()), baseOf(store.getBase())) || "
        "(haveOneBox(load, store) && tiles.dimOf(load) == tiles.dimOf(store.getValue()));",
        "return true;",
        "split_epilogue",
    ),
    (
        "an epilogue of two stores in parts",
        "stores.size() != 1 || stores.front() != users.back()",
        "stores.empty() || stores.back() != users.back()",
        "split_epilogue",
    ),
    (
        "every part of an accumulator its first one",
        "b.getI32IntegerAttr(int32_t(part))",
        "b.getI32IntegerAttr(0)",
        "split_epilogue",
    ),
)
of(
    "naming/CarriedVariables",
    (
        "copies: a variable read after its next value was assigned",
        "source && assigned.contains(*source)",
        "false",
        "bulk_rings counted_ahead",
    ),
    (
        "copies: a tile computed into a variable that is read later",
        "reader != op && !reader->isBeforeInBlock(op)",
        "false",
        "operands_of_loops loops",
    ),
)
of(
    "naming/InlineValues",
    (
        "inlined: what is read from memory",
        "!isMemoryEffectFree(op)",
        "false",
        "one_logical_thread local_structs",
    ),
)
of(
    "normalize/AccumulateProducts",
    (
        "a product added in its loop: without the factor",
        "Addition{op, product, fma.getX(), fma.getY()}",
        "Addition{op, product, fma.getY(), Value()}",
        "added_products",
    ),
    (
        "a product added in its loop: though it has another use",
        "!product->hasOneUse()",
        "false",
        "added_products",
    ),
)
of(
    "normalize/SplitMaskedLoops",
    (
        "masks: a side that wraps is not seen",
        "int64_t(INT32_MAX) - side.high",
        "INT64_MAX",
        "masked_loops",
    ),
    (
        "masks: the loop without one begins an iteration early",
        "-positive.low",
        "-positive.low - positive.slope",
        "masked_loops",
    ),
    (
        "masks: the loop without one ends an iteration late",
        "positive.low - 1",
        "positive.low - 1 - positive.slope",
        "masked_loops",
    ),
    (
        "masks: hidden where the condition holds, taken the other way",
        "value.isNegated() ? own.getY() : own.getX()",
        "own.getX()",
        "masked_loops",
    ),
)
of(
    "pipeline/SingleStages",
    (
        "stages in turn: a wait leaves its own group in flight",
        "isBehind |= nextIn(freed) == part;",
        "isBehind = true;",
        "stages_in_turn",
    ),
)

# Which slot of a tile holds which column.
of(
    "layout/RotateRows",
    (
        "rotated rows: weights of rows that begin at different distances",
        "isPossible &= !isSame || isOneRow(other) || !repeatsRows;",
        "",
        "rotated_rows",
    ),
    (
        "rotated rows: columns that a loop carries from row to row",
        "users.push_back(variable.getOwner()->getParentOp());",
        "(void)variable;",
        "rotated_rows",
    ),
    (
        "rotated rows: the position of the largest element",
        "reduce.getKind() != tile::ReduceKind::argmax",
        "true",
        "rotated_rows",
    ),
    (
        "rotated rows: the number of a column",
        "tiles.columnNumbers()",
        "ArrayRef<Operation *>()",
        "rotated_rows",
    ),
    (
        "rotated rows: an array that begins elsewhere",
        "if (isAsked) continue;",
        "if (isAsked || i > 0) continue;",
        "rotated_rows",
    ),
)
