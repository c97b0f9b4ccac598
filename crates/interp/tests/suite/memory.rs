//! Memory: every kind of mistake by name, and random accesses against a vector of bytes.

use crate::build::{constant, function, param, straight};
use crate::common::{describe, program_for, run};
use base::Budget;
use interp::{Interp, Options, Outcome, VecInputs};
use ir::{BinOp, Expr, FuncId, Op, Target, Type};
use proptest::prelude::*;

const DECLARATIONS: &str = r#"global g: memory 10 align 4 = {2: b"\x01\x02", 4: 258i32}
const c: memory 4 align 4 = {0: 77i32}
global ext: memory 8 align 4
global f: memory 16 align 8 = {0: func leaf, 8: func get}
func get(n: u32) -> u32 extern
func leaf(n: i32) -> i32 {
  nodes 2 entry 0 exit 1
  0 -> 1: return n + 1i32
}
func escape() -> ptr {
  local x: memory 4 align 4
  nodes 3 entry 0 exit 2
  0 -> 1: i32[&x] = 5i32
  1 -> 2: return &x
}
func block() -> ptr {
  local p: ptr
  nodes 3 entry 0 exit 2
  0 -> 1: p = alloc stack 16u64
  1 -> 2: return p
}
func sum(n: i32, ...) -> i32 {
  local p: ptr
  local s: i32
  nodes 8 entry 0 exit 7
  0 -> 1: p = varargs
  1 -> 2: s = 0i32
  2 -> 3: assume n > 0i32
  2 -> 6: assume not n > 0i32
  3 -> 4: s = s + i32[p]
  4 -> 5: p = p + 16i64
  5 -> 2: n = n - 1i32
  6 -> 7: return s
}
"#;

/// How `main` of these edges ends on both targets; on ILP32 addresses and sizes have 32 bits.
fn outcomes(edges: &str, inputs: &[u128]) -> Vec<(&'static str, Outcome)> {
    let count = edges.trim().lines().count();
    let mut text = format!(
        "{DECLARATIONS}func main() -> i32 {{\n  local x: i32\n  local l: i64\n  local w: u128\n  local p: ptr\n  \
         local q: ptr\n  local a: memory 12 align 4\n  nodes {} entry 0 exit {count}\n",
        count + 1
    );
    for (i, line) in edges.trim().lines().enumerate() {
        text += &format!("  {i} -> {}: {}\n", i + 1, line.trim());
    }
    text += "}\n";
    let narrow = text
        .replace("n > 0i32", "0i32 < n")
        .replace("u64", "u32")
        .replace("local l: i64", "local l: i32")
        .replace("i64", "i32");
    let programs = [("lp64", text.replace("n > 0i32", "0i32 < n")), ("ilp32", narrow)];
    let outcome =
        |(target, text): (_, String)| (target, run(&program_for(target, &text), inputs, |_| {}).outcome);
    programs.into_iter().map(outcome).collect()
}

fn check(edges: &str, inputs: &[u128], expected: &str) {
    for (target, outcome) in outcomes(edges, inputs) {
        assert_eq!(describe(&outcome), expected, "{target}: {edges}\n{outcome:?}");
    }
}

/// The check at the end fails; what does it say about the access?
fn accessed(edges: &str, expected: &str) {
    for (target, outcome) in outcomes(&format!("{edges}\nreturn 0i32"), &[]) {
        let Outcome::CheckFailed { access: Some(access), .. } = outcome else {
            panic!("{target}: {edges}\n{outcome:?}")
        };
        let object = access.object.map(|o| format!(" {:?} {} of {}", o.kind, o.offset, o.size));
        let found =
            format!("{:?} {} {:?}{}", access.kind, access.bytes, access.fault, object.unwrap_or_default());
        assert_eq!(found, expected, "{target}: {edges}");
    }
}

#[test]
fn what_is_left_of_the_heap() {
    let leaked = |size| format!("End {size} Leaked Heap 0 of {size}");
    let block = "p = alloc heap 16u64\n";
    let at_return = "check leak heap_kept_at_return()";
    let at_exit = "check leak heap_kept_at_exit()";
    accessed(&format!("{block}{at_return}"), &leaked(16));
    accessed(&format!("{block}check cleanup heap_freed_at_return()"), "End 16 NotFreed Heap 0 of 16");
    accessed(
        &format!("{block}ptr[&@ext] = p\ncheck cleanup heap_freed_at_exit()"),
        "End 16 NotFreed Heap 0 of 16",
    );
    // A local leads there, which is gone when main returns.
    accessed(&format!("{block}ptr[&a] = p\n{at_return}"), &leaked(16));
    accessed(&format!("{block}ptr[&@ext] = p\nptr[&@ext] = null\n{at_exit}"), &leaked(16));
    accessed(&format!("{block}ptr[&@ext] = p + 17i64\n{at_exit}"), &leaked(16));
    // The one that leads to the other is shown.
    accessed(
        &format!("{block}ptr[&a] = p\np = alloc heap 8u64\nptr[p] = ptr[&a]\nptr[&a] = null\n{at_exit}"),
        &leaked(8),
    );
    let fine = |edges: &str, rule: &str| {
        check(&format!("{edges}\ncheck leak {rule}\nreturn 3i32"), &[], "returned 3");
    };
    fine("free null", "heap_freed_at_return()");
    fine(&format!("{block}free p"), "heap_freed_at_exit()");
    fine(&format!("{block}free p"), "heap_kept_at_return()");
    fine(block.trim(), "heap_kept_at_return(p)");
    fine(&format!("{block}ptr[&@ext] = p + 16i64"), "heap_kept_at_return()");
    fine(&format!("{block}ptr[&@f + 1i64] = p + 5i64"), "heap_kept_at_return()");
    fine(&format!("{block}ptr[&a] = p"), "heap_kept_at_exit()");
    fine(
        &format!("{block}ptr[&@ext] = p\np = alloc heap 8u64\nptr[ptr[&@ext]] = p"),
        "heap_kept_at_return()",
    );
}

#[test]
fn bad_accesses() {
    let local = "Local(FuncId(5), LocalId(5))";
    accessed("check memory valid_read(null, 4u64)", "Read 4 Null");
    accessed("check memory valid_write(null + 8i64, 1u64)", "Write 1 Null");
    accessed("check memory valid_read(&a + 9i64, 4u64)", &format!("Read 4 PastEnd {local} 9 of 12"));
    accessed("check memory valid_read(&a + 12i64, 1u64)", &format!("Read 1 PastEnd {local} 12 of 12"));
    accessed("check memory valid_write(&a + -4i64, 4u64)", &format!("Write 4 BeforeStart {local} -4 of 12"));
    accessed("check memory valid_write(&@c, 4u64)", "Write 4 Constant Global(GlobalId(1)) 0 of 4");
    accessed("p = alloc heap 4u64\nfree p\ncheck memory valid_read(p, 4u64)", "Read 4 Freed Heap 0 of 4");
    accessed("p = alloc heap 4u64\nfree p\ncheck memory freeable(p)", "Free 0 Freed Heap 0 of 4");
    accessed("p = alloc heap 4u64\ncheck memory freeable(p + 1i64)", "Free 0 NotStart Heap 1 of 4");
    accessed("check memory freeable(&@g)", "Free 0 NotAllocated Global(GlobalId(0)) 0 of 10");
    accessed(
        "p = call escape()\ncheck memory valid_read(p, 4u64)",
        "Read 4 Ended Local(FuncId(2), LocalId(0)) 0 of 4",
    );
    accessed("p = 99999ptr\ncheck memory valid_read(p, 4u64)", "Read 4 NoObject");
    // What is accessed is computed from memory, too.
    accessed(
        "i32[&a] = 40i32\ncheck memory valid_read(&@g + i64(i32[&a]), 2u64)",
        "Read 2 PastEnd Global(GlobalId(0)) 40 of 10",
    );
    // Other checks of memory than those of the front end just fail.
    check("check memory valid_read(null, 1u64) & freeable(null)\nreturn 0i32", &[], "memory failed at 0:0 -");
}

#[test]
fn contents() {
    check("return i32(i16[&@g + 2i64])", &[], "returned 513");
    check("return i32[&@g + 4i64] + i32(u8[&@g + 9i64])", &[], "returned 258");
    check("return i32[&@c]", &[], "returned 77");
    check("i32[&a + 4i64] = -2i32\nreturn i32(u8[&a + 5i64])", &[], "returned 255");
    check("u128[&@g] = 1u128\nreturn 0i32", &[], "access out of bounds");
    check(
        "p = alloc heap 16u64\nu128[p] = 340282366920938463463374607431768211454u128\nw = u128[p]\nreturn i32(w >> 64u128)",
        &[],
        "returned 4294967295",
    );
    check("p = alloc heap 10u64\nf80[p] = f80#3fff8000000000000001\nreturn i32(u8[p])", &[], "returned 1");
    // Unwritten memory is an input, once; part of a load, byte by byte.
    check("x = i32[&a]\nreturn x + i32[&a]", &[21], "returned 42");
    check("u8[&a + 1i64] = 1u8\nreturn i32[&a]", &[2, 0, 0], "returned 258");
    check("copy &a, &a + 4i64, 4u64\nreturn i32[&a + 4i64] + i32[&a]", &[1, 2], "returned 3");
    check("i32[&a] = 7i32\ncopy &a, &a + 4i64, 4u64\nreturn i32[&a]", &[9], "returned 9");
    check(
        "i32[&a + 4i64] = 9i32\ncopy &@g, &a, 8u64\nx = i32[&@g]\nreturn i32[&@g + 4i64] + x",
        &[1],
        "returned 10",
    );
    check(
        "fill &a, 1u8, 12u64\ncopy &a + 2i64, &a, 8u64\nfill &a, 0u8, 3u64\nreturn i32[&a]",
        &[],
        "returned 16777216",
    );
    check("return i32[&@ext + 4i64] + i32[&@ext + 4i64]", &[4], "returned 8");
    check("copy null, null, 0u64\nfill null, 0u8, 0u64\nreturn 0i32", &[], "returned 0");
}

#[test]
fn mistakes() {
    check("x = i32[null]\nreturn x", &[], "null pointer dereference");
    check("i32[null + 8i64] = 1i32\nreturn x", &[], "null pointer dereference");
    check("x = i32[&a + 9i64]\nreturn x", &[], "access out of bounds");
    check("x = i32[&a + -1i64]\nreturn x", &[], "access out of bounds");
    check("x = i32[&@g + 7i64]\nreturn x", &[], "access out of bounds");
    check("x = i32[&a + 12i64]\nreturn x", &[], "access out of bounds");
    check("p = &a + 12i64\nx = i32[p + -4i64]\nreturn 3i32", &[], "returned 3");
    check("i32[&@c] = 1i32\nreturn 0i32", &[], "write to constant memory");
    check("fill &@c, 1u8, 1u64\nreturn 0i32", &[], "write to constant memory");
    check("copy &@c, &@g, 1u64\nreturn 0i32", &[], "write to constant memory");
    check("copy &@g, &@c, 5u64\nreturn 0i32", &[], "access out of bounds");
    check("copy &@g + 7i64, &@c, 4u64\nreturn 0i32", &[], "access out of bounds");
    check("fill &@g, 0u8, 11u64\nreturn 0i32", &[], "access out of bounds");
    check("p = alloc heap 4u64\nfree p\nx = i32[p]\nreturn x", &[], "use after free");
    check("p = alloc heap 4u64\nfree p\nfree p\nreturn x", &[], "double free");
    check("p = alloc heap 4u64\nfree p + 1i64\nreturn x", &[], "invalid free");
    check("free &a\nreturn x", &[], "invalid free");
    check("free &@g\nreturn x", &[], "invalid free");
    check("p = alloc stack 4u64\nfree p\nreturn x", &[], "invalid free");
    check("free 65536ptr\nreturn x", &[], "invalid free");
    check("free null\nreturn 1i32", &[], "returned 1");
    check("p = call escape()\nx = i32[p]\nreturn x", &[], "use of a local after its function returned");
    check("p = call block()\nx = i32[p]\nreturn x", &[], "use of a local after its function returned");
    check("p = alloc heap 0u64\nx = i32(u8[p])\nreturn x", &[], "access out of bounds");
    check("x = i32[func leaf]\nreturn x", &[], "access out of bounds");
    // An allocation costs what is touched of it; four gigabytes have no place on ILP32.
    check("p = alloc heap 2147483648u64\nu8[p + 5i64] = 3u8\nreturn i32(u8[p + 5i64])", &[], "returned 3");
    check("p = alloc heap 2147483648u64\nu8[p + 2147483647i64] = 3u8\nreturn 1i32", &[], "out of memory");
}

#[test]
fn predicates() {
    let check = |e: &str, expected: bool| {
        check(
            &format!("p = alloc heap 8u64\nq = p\nx = ite({e}, 1i32, 0i32)\nreturn x"),
            &[],
            match expected {
                true => "returned 1",
                false => "returned 0",
            },
        );
    };
    check("valid_read(p, 8u64)", true);
    check("valid_write(p + 3i64, 5u64)", true);
    check("valid_read(p, 9u64)", false);
    check("valid_read(p + 8i64, 0u64)", true);
    check("valid_read(p + 8i64, 1u64)", false);
    check("valid_read(p + -1i64, 1u64)", false);
    check("valid_read(p, 4294967295u64)", false);
    check("valid_read(null, 1u64)", false);
    check("valid_read(&@c, 4u64)", true);
    check("valid_write(&@c, 4u64)", false);
    check("freeable(p)", true);
    check("freeable(null)", true);
    check("freeable(p + 1i64)", false);
    check("freeable(&@g)", false);
    check("object_size(p + 3i64) == 5u64", true);
    check("object_size(p + 8i64) == 0u64", true);
    check("object_size(null) == 0u64", true);
    check("object_size(&@g) == 10u64", true);
    check("(p + 8i64) == q", false);
    check("(q - p) == 0i64", true);
}

#[test]
fn dead_objects_are_neither_valid_nor_freeable() {
    check("p = alloc heap 8u64\nfree p\nreturn ite(valid_read(p, 1u64), 1i32, 0i32)", &[], "returned 0");
    check("p = alloc heap 8u64\nfree p\nreturn ite(freeable(p), 1i32, 0i32)", &[], "returned 0");
    check("p = alloc heap 8u64\nfree p\nreturn i32(object_size(p))", &[], "returned 0");
}

#[test]
fn calls_through_pointers() {
    check("x = call *(ptr[&@f])(41i32)\nreturn x", &[], "returned 42");
    check("x = call *(func leaf)(-2i32)\nreturn x", &[], "returned 4294967295");
    // The same bits of another signedness, in and out.
    check("w = u128(u32(-5i32))\nx = call *(func get)(-5i32)\nreturn x", &[12], "returned 12");
    check("call *(func leaf)(1i32)\nreturn 0i32", &[], "returned 0");
    check("x = call *(func leaf)(1i16)\nreturn 0i32", &[], "call through a bad function pointer");
    check("x = call *(func leaf)(1i32, 2i32)\nreturn 0i32", &[], "call through a bad function pointer");
    check("call *(null)()\nreturn 0i32", &[], "call through a bad function pointer");
    check("call *(&a)()\nreturn 0i32", &[], "call through a bad function pointer");
    check("call *(65537ptr)()\nreturn 0i32", &[], "call through a bad function pointer");
    check("x = call *(func sum)(2i32, 20i32, 22i32)\nreturn x", &[], "returned 42");
}

#[test]
fn extra_arguments() {
    check("x = call sum(3i32, 1i32, 2i32, 3i32)\nreturn x", &[], "returned 6");
    check("x = call sum(0i32)\nreturn x", &[], "returned 0");
    check("x = call sum(1i32)\nreturn x", &[], "access out of bounds");
    check("x = call sum(2i32, 1.5f64, 3i32)\nreturn x", &[], "returned 3");
}

/// Objects die by the million without the interpreter growing, and a pointer to a dead one is still noticed.
#[test]
fn places_are_used_again() {
    let text = r#"func touch() -> ptr {
  local a: memory 100 align 8
  nodes 3 entry 0 exit 2
  0 -> 1: fill &a, 0u8, 100u64
  1 -> 2: return &a
}
func main() -> i32 {
  local first: ptr
  local p: ptr
  local i: i32
  nodes 8 entry 0 exit 7
  0 -> 1: first = call touch()
  1 -> 2: i = 0i32
  2 -> 3: assume i < 20000i32
  2 -> 6: assume not i < 20000i32
  3 -> 4: p = call touch()
  4 -> 5: check assertion p != null
  5 -> 2: i = i + 1i32
  6 -> 7: return i32[p]
}
"#;
    for (target, text) in [("lp64", text.to_owned()), ("ilp32", text.replace("u64", "u32"))] {
        let result = run(&program_for(target, &text), &[], |o| o.max_memory = 1 << 20);
        assert_eq!(describe(&result.outcome), "use of a local after its function returned", "{target}");
    }
}

/// One step of a random program over three heap objects.
#[derive(Clone, Debug)]
enum Step {
    Store { object: usize, offset: u64, ty: usize, value: u128 },
    Load { object: usize, offset: u64, ty: usize },
    Copy { to: (usize, u64), from: (usize, u64), len: u64 },
    Fill { object: usize, offset: u64, byte: u8, len: u64 },
    Renew { object: usize, size: u64 },
}

const LOADS: [Type; 6] = [Type::I8, Type::U16, Type::I32, Type::U64, Type::F32, Type::U128];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let place = || (0..3usize, 0..70u64);
    let step = prop_oneof![
        4 => (place(), 0..LOADS.len(), any::<u128>())
            .prop_map(|((object, offset), ty, value)| Step::Store { object, offset, ty, value }),
        4 => (place(), 0..LOADS.len()).prop_map(|((object, offset), ty)| Step::Load { object, offset, ty }),
        2 => (place(), place(), 0..40u64).prop_map(|(to, from, len)| Step::Copy { to, from, len }),
        1 => (place(), any::<u8>(), 0..40u64)
            .prop_map(|((object, offset), byte, len)| Step::Fill { object, offset, byte, len }),
        1 => (0..3usize, 60..90u64).prop_map(|(object, size)| Step::Renew { object, size }),
    ];
    prop::collection::vec(step, 1..60)
}

/// The program of these steps: it returns a hash of all it loads.
fn build(target: Target, steps: &[Step]) -> ir::Program {
    let pointer = |i: usize| param(i as u32, Type::Ptr);
    let at = |i: usize, offset: u64| {
        Expr::binary(BinOp::PtrAdd, pointer(i), Expr::int(target.intptr(true), offset.into()))
    };
    let size = |n: u64| Expr::int(target.intptr(false), n.into());
    let local = |i: usize| ir::Var::Local(ir::LocalId(i as u32));
    let alloc = |i: usize, n| Op::Alloc { var: local(i), size: size(n), kind: ir::AllocKind::Heap };
    let mut ops: Vec<Op> = (0..3).map(|i| alloc(i, 64)).collect();
    for step in steps {
        match *step {
            Step::Store { object, offset, ty, value } => {
                let bits = value & interp::eval::type_mask(&target, LOADS[ty]);
                ops.push(Op::Store { addr: at(object, offset), value: constant(LOADS[ty], bits) });
            }
            Step::Load { object, offset, ty } => {
                // Through memory, so that a float's bits count as they are.
                let loaded = Expr::load(LOADS[ty], at(object, offset));
                let bits = if LOADS[ty] == Type::F32 { Expr::cast(Type::U128, loaded) } else { loaded };
                let bits = if bits.ty == Type::U128 { bits } else { Expr::cast(Type::U128, bits) };
                let scaled = Expr::binary(BinOp::Mul, param(3, Type::U128), constant(Type::U128, 31));
                ops.push(Op::Assign { var: local(3), value: Expr::binary(BinOp::Add, scaled, bits) });
            }
            Step::Copy { to, from, len } => {
                ops.push(Op::Copy { dst: at(to.0, to.1), src: at(from.0, from.1), len: size(len) });
            }
            Step::Fill { object, offset, byte, len } => ops.push(Op::Fill {
                dst: at(object, offset),
                byte: Expr::int(Type::U8, byte.into()),
                len: size(len),
            }),
            Step::Renew { object, size } => {
                ops.push(Op::Free { ptr: pointer(object) });
                ops.push(alloc(object, size));
            }
        }
    }
    ops.push(Op::Return(Some(param(3, Type::U128))));
    function(target, &[Type::Ptr, Type::Ptr, Type::Ptr, Type::U128], Some(Type::U128), straight(ops))
}

/// A byte, or whose initial byte it is: the number of an object and an offset.
type Cell = Result<u8, (usize, usize)>;

/// The same on vectors of cells; None where an access leaves its object.
fn model(target: &Target, steps: &[Step], inputs: &[u128]) -> Option<u128> {
    let fresh = |number: usize, size: usize| (0..size).map(|i| Err((number, i))).collect::<Vec<Cell>>();
    let mut objects: Vec<Vec<Cell>> = (0..3).map(|i| fresh(i, 64)).collect();
    let mut count = 3;
    let mut inputs = inputs.iter().copied().chain(std::iter::repeat(0));
    let mut hash = 0u128;
    for step in steps {
        match *step {
            Step::Store { object, offset, ty, value } => {
                let len = LOADS[ty].access_size(target) as usize;
                let slice = objects[object].get_mut(offset as usize..offset as usize + len)?;
                slice.iter_mut().zip(value.to_le_bytes()).for_each(|(to, byte)| *to = Ok(byte));
            }
            Step::Load { object, offset, ty } => {
                let len = LOADS[ty].access_size(target) as usize;
                let slice = objects[object].get_mut(offset as usize..offset as usize + len)?;
                // A whole load if all of it is one stretch of initial memory, otherwise byte by byte.
                if let Some(Err((number, start))) = slice.first().copied()
                    && slice.iter().zip(start..).all(|(cell, at)| *cell == Err((number, at)))
                {
                    let bytes = inputs.next()?.to_le_bytes();
                    slice.iter_mut().zip(bytes).for_each(|(to, byte)| *to = Ok(byte));
                }
                for byte in slice.iter_mut().filter(|b| b.is_err()) {
                    *byte = Ok(inputs.next()? as u8);
                }
                let bits = slice.iter().rev().fold(0, |v, b| v << 8 | u128::from(b.unwrap_or(0)));
                let value = interp::eval::cast(target, LOADS[ty], Type::U128, bits);
                hash = hash.wrapping_mul(31).wrapping_add(value);
            }
            Step::Copy { to, from, len } if len > 0 => {
                let bytes = objects[from.0].get(from.1 as usize..(from.1 + len) as usize)?.to_vec();
                objects[to.0].get_mut(to.1 as usize..(to.1 + len) as usize)?.copy_from_slice(&bytes);
            }
            Step::Fill { object, offset, byte, len } if len > 0 => {
                objects[object].get_mut(offset as usize..(offset + len) as usize)?.fill(Ok(byte));
            }
            Step::Renew { object, size } => {
                objects[object] = fresh(count, size as usize);
                count += 1;
            }
            Step::Copy { .. } | Step::Fill { .. } => {}
        }
    }
    Some(hash)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn memory_is_a_vector_of_bytes(steps in steps(), inputs in prop::collection::vec(any::<u128>(), 0..40)) {
        for target in [Target::LP64, Target::ILP32] {
            let program = build(target, &steps);
            let mut interp = Interp::new(&program, Options::new(FuncId(0))).unwrap();
            let mut given = VecInputs::then_zero(inputs.iter().copied());
            let found = interp.call(FuncId(0), &[0, 0, 0, 0], &mut given, &Budget::unlimited());
            match model(&target, &steps, &inputs) {
                Some(hash) => prop_assert_eq!(found.outcome, Outcome::Returned(Some(hash))),
                None => prop_assert_eq!(describe(&found.outcome), "access out of bounds"),
            }
        }
    }
}
