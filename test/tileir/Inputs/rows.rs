// A kernel for the corpus of Tile IR, by the writer of cutile-rs (its crate cutile-ir):
// o[i] = x[i] + the largest of x + a global's i-th element, and a loop of unsigned bounds.
//
// Among the examples of cutile-ir (cutile-rs 0.3.0), `cargo run --example rows -- FOLDER` writes
// rust_rows.13.{2,3}.tilebc there.
use cutile_ir::builder::{append_op, build_single_block_region, OpBuilder};
use cutile_ir::bytecode::{write_bytecode_version, BytecodeVersion, Opcode};
use cutile_ir::ir::*;

fn tile(shape: &[i64], e: ScalarType) -> Type {
    let element_type = TileElementType::Scalar(e);
    Type::Tile(TileType {
        shape: shape.to_vec(),
        element_type,
    })
}

fn pointer(shape: &[i64], e: ScalarType) -> Type {
    let element_type = TileElementType::Pointer(Box::new(PointerType { pointee: e }));
    Type::Tile(TileType {
        shape: shape.to_vec(),
        element_type,
    })
}

fn op(m: &mut Module, b: BlockId, o: OpBuilder) -> Vec<Value> {
    let (id, results) = o.build(m);
    append_op(m, b, id);
    results
}

fn new(code: Opcode) -> OpBuilder {
    OpBuilder::new(code, Location::Unknown)
}

fn segments(sizes: &[i64]) -> Attribute {
    Attribute::Array(sizes.iter().map(|&n| Attribute::i32(n)).collect())
}

fn constant(m: &mut Module, b: BlockId, n: i32) -> Value {
    let t = tile(&[], ScalarType::I32);
    let data = n.to_le_bytes().to_vec();
    let value = DenseElements {
        element_type: t.clone(),
        shape: vec![],
        data,
    };
    op(
        m,
        b,
        new(Opcode::Constant)
            .attr("value", Attribute::DenseElements(value))
            .result(t),
    )[0]
}

fn rows(newest: bool) -> Module {
    let (i32s, row) = (ScalarType::I32, tile(&[16], ScalarType::I32));
    let (one, p, ps) = (tile(&[], i32s), pointer(&[], i32s), pointer(&[16], i32s));
    let mut m = Module::new("kernels");
    m.globals.push(Global {
        sym_name: "table".into(),
        value: DenseElements {
            element_type: row.clone(),
            shape: vec![16],
            data: (0..16i32).flat_map(|n| (5 * n).to_le_bytes()).collect(),
        },
        alignment: 16,
        constant: newest,
        symbol_visibility: SymbolVisibility::Private,
    });
    let (region, b, args) = build_single_block_region(&mut m, &[p.clone(), p.clone()]);
    let m_ = &mut m;
    let div = Attribute::DivBy(DivBy {
        divisor: 16,
        every: None,
        along: None,
    });
    let x = op(
        m_,
        b,
        new(Opcode::Assume)
            .operand(args[0])
            .attr("predicate", div)
            .result(p.clone()),
    )[0];
    let tensor = TensorViewType {
        element_type: i32s,
        shape: vec![16],
        strides: vec![1],
    };
    let view = new(Opcode::MakeTensorView)
        .operand(x)
        .attr("operandSegmentSizes", segments(&[1, 0, 0]));
    let view = op(m_, b, view.result(Type::TensorView(tensor.clone())))[0];
    let parts = PartitionViewType {
        tile_shape: vec![16],
        tensor_view: tensor,
        dim_map: vec![0],
        padding_value: Some(PaddingValue::Zero),
    };
    let parts = op(
        m_,
        b,
        new(Opcode::MakePartitionView)
            .operand(view)
            .result(Type::PartitionView(parts)),
    )[0];
    let zero = constant(m_, b, 0);
    let hints = OptimizationHints {
        entries: vec![(
            if newest { "default" } else { "sm_90" }.into(),
            vec![
                ("allow_tma".into(), Attribute::Bool(false)),
                ("latency".into(), Attribute::i32(3)),
            ],
        )],
    };
    let load = new(Opcode::LoadViewTko)
        .operand(parts)
        .operand(zero)
        .attr("memory_ordering_semantics", Attribute::i32(0))
        .attr("optimization_hints", Attribute::OptimizationHints(hints))
        .attr("operandSegmentSizes", segments(&[1, 1, 0]))
        .result(row.clone())
        .result(Type::Token);
    let values = op(m_, b, load)[0];
    // The largest element.
    let (fold, body, a) = build_single_block_region(m_, &[one.clone(), one.clone()]);
    let more = new(Opcode::MaxI)
        .operand(a[0])
        .operand(a[1])
        .attr("signedness", Attribute::i32(1));
    let more = op(m_, body, more.result(one.clone()))[0];
    op(m_, body, new(Opcode::Yield).operand(more));
    let least = Attribute::Array(vec![Attribute::Integer(
        i32::MIN as u32 as i64,
        Type::Scalar(i32s),
    )]);
    let reduce = new(Opcode::Reduce).operand(values).result(one.clone());
    let reduce = reduce
        .attr("dim", Attribute::i32(0))
        .attr("identities", least)
        .region(fold);
    let largest = op(m_, b, reduce)[0];
    // Three times 100, counted without a sign: from -4 to -1.
    let (low, high, step) = (
        constant(m_, b, if newest { -4 } else { 0 }),
        constant(m_, b, if newest { -1 } else { 3 }),
        constant(m_, b, 1),
    );
    let hundred = constant(m_, b, 100);
    let (inside, body, a) = build_single_block_region(m_, &[one.clone(), one.clone()]);
    let sum = new(Opcode::AddI)
        .operand(a[1])
        .operand(hundred)
        .attr("overflow", Attribute::i32(0));
    let sum = op(m_, body, sum.result(one.clone()))[0];
    op(m_, body, new(Opcode::Continue).operand(sum));
    let mut count = new(Opcode::For)
        .operand(low)
        .operand(high)
        .operand(step)
        .operand(largest);
    if newest {
        count = count.attr("unsigned_cmp", Attribute::Bool(true));
    }
    let total = op(m_, b, count.result(one.clone()).region(inside))[0];
    let wide = new(Opcode::Reshape).operand(total).result(tile(&[1], i32s));
    let wide = op(m_, b, wide)[0];
    let wide = op(
        m_,
        b,
        new(Opcode::Broadcast).operand(wide).result(row.clone()),
    )[0];
    let table = new(Opcode::GetGlobal)
        .attr("name", Attribute::String("table".into()))
        .result(p.clone());
    let table = op(m_, b, table)[0];
    let places = op(m_, b, new(Opcode::Iota).result(row.clone()))[0];
    let mut spread = |m: &mut Module, from: Value| {
        let first = op(
            m,
            b,
            new(Opcode::Reshape)
                .operand(from)
                .result(pointer(&[1], i32s)),
        )[0];
        let all = op(
            m,
            b,
            new(Opcode::Broadcast).operand(first).result(ps.clone()),
        )[0];
        op(
            m,
            b,
            new(Opcode::Offset)
                .operand(all)
                .operand(places)
                .result(ps.clone()),
        )[0]
    };
    let table = spread(m_, table);
    let added = new(Opcode::LoadPtrTko)
        .operand(table)
        .attr("memory_ordering_semantics", Attribute::i32(0))
        .attr("operandSegmentSizes", segments(&[1, 0, 0, 0]));
    let added = op(m_, b, added.result(row.clone()).result(Type::Token))[0];
    let mut plus = |m: &mut Module, u: Value, v: Value| {
        let sum = new(Opcode::AddI)
            .operand(u)
            .operand(v)
            .attr("overflow", Attribute::i32(0));
        op(m, b, sum.result(row.clone()))[0]
    };
    let sum = plus(m_, values, wide);
    let sum = plus(m_, sum, added);
    let to = spread(m_, args[1]);
    let store = new(Opcode::StorePtrTko)
        .operand(to)
        .operand(sum)
        .attr("memory_ordering_semantics", Attribute::i32(0))
        .attr("operandSegmentSizes", segments(&[1, 1, 0, 0]));
    op(m_, b, store.result(Type::Token));
    op(m_, b, new(Opcode::Return));
    let hints = OptimizationHints {
        entries: vec![(
            if newest { "default" } else { "sm_90" }.into(),
            vec![("occupancy".into(), Attribute::i32(2))],
        )],
    };
    let function_type = FuncType {
        inputs: vec![p.clone(), p],
        results: vec![],
    };
    let (entry, _) = new(Opcode::Entry)
        .attr("sym_name", Attribute::String("rust_rows".into()))
        .attr("function_type", Attribute::Type(Type::Func(function_type)))
        .attr("optimization_hints", Attribute::OptimizationHints(hints))
        .region(region)
        .build(&mut m);
    m.functions.push(entry);
    m
}

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    for (version, text, newest) in [
        (BytecodeVersion::V13_2, "13.2", false),
        (BytecodeVersion::V13_3, "13.3", true),
    ] {
        let bytes = write_bytecode_version(&rows(newest), version).expect("written");
        std::fs::write(format!("{folder}/rust_rows.{text}.tilebc"), bytes).expect("a file");
    }
}
