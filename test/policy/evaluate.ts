/**
 * Code that the tool evaluate_python must run, and attacks that it must prevent. The data can be used by
 * several tests.
 *
 * An attack is successful if its `value_repr` or its `stdout` contains the text PWNED. With `setup`, a first
 * call runs `setup`, which leaves something behind. A second call of the same sandbox then runs `code`, which
 * looks for it.
 */
export interface EvaluatedSnippet {
  readonly name: string;
  readonly code: string;
  /** Expected `value_repr`. `null` if the code has no value. */
  readonly expect: string | null;
  readonly stdout?: string;
}

export const evaluated: readonly EvaluatedSnippet[] = [
  { name: 'arithmetic', code: '(1 + 2) * 3 / 4 - 5 // 2 + 7 % 4 ** 2 - -1', expect: '8.25' },
  { name: 'bits', code: '(5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 4, 32 >> 2)', expect: '(1, 7, 6, -6, 16, 8)' },
  { name: 'chained comparison', code: '1 < 2 <= 2 != 3 and not (2 is None) or 5 in []', expect: 'True' },
  { name: 'conditional', code: '"yes" if 2 > 1 else "no"', expect: "'yes'" },
  {
    name: 'containers',
    code: '[1, (2,), {3}, {"a": [4]}, {**{"b": 5}}, [*range(2)]]',
    expect: "[1, (2,), {3}, {'a': [4]}, {'b': 5}, [0, 1]]",
  },
  {
    name: 'comprehensions',
    code: '([x * y for x in range(3) if x for y in (1, 2)], {x % 2 for x in range(5)}, {k: v for k, v in [("a", 1)]}, sum(x for x in range(4)))',
    expect: "([1, 2, 2, 4], {0, 1}, {'a': 1}, 6)",
  },
  {
    name: 'slicing',
    code: 'x = list(range(10))\nx[2:8:3], x[::-1][:2], "hello"[-3:]',
    expect: "([2, 5], [9, 8], 'llo')",
  },
  {
    name: 'slice assignment and deletion',
    code: 'x = list(range(5))\nx[1:3] = ["a"]\ndel x[0]\nd = {"k": 1}\ndel d["k"]\n(x, d)',
    expect: "(['a', 3, 4], {})",
  },
  {
    name: 'f-strings',
    code: 'n, w = 3.14159, 8\nf\'{n:{w}.2f}|{n!r}|{w=}|{"q":>3}\'',
    expect: "'    3.14|3.14159|w=8|  q'",
  },
  {
    name: 'if, for, while, else, break, continue',
    code: 'out = []\nfor i in range(10):\n    if i == 1:\n        continue\n    elif i == 4:\n        break\n    out.append(i)\nelse:\n    out.append("never")\nwhile len(out) < 5:\n    out.append(0)\nelse:\n    out.append("end")\nout',
    expect: "[0, 2, 3, 0, 0, 'end']",
  },
  {
    name: 'try, except, else, finally',
    code: 'log = []\ntry:\n    1 / 0\nexcept (KeyError, ZeroDivisionError) as problem:\n    log.append(str(problem))\nfinally:\n    log.append("done")\ntry:\n    pass\nexcept:\n    pass\nelse:\n    log.append("else")\nlog',
    expect: "['division by zero', 'done', 'else']",
  },
  {
    name: 'function arguments',
    code: 'def f(a, b=2, *rest, c, d=4, **more):\n    return (a, b, rest, c, d, more)\nf(1, *[5, 6], c=3, **{"z": 7})',
    expect: "(1, 5, (6,), 3, 4, {'z': 7})",
  },
  {
    name: 'positional only',
    code: 'def f(a, /, b):\n    return a - b\nf(5, b=3)',
    expect: '2',
  },
  {
    name: 'closures with nonlocal',
    code: 'def counter():\n    n = 0\n    def step(by=1):\n        nonlocal n\n        n += by\n        return n\n    return step\nc = counter()\nc(); c(5)\nc()',
    expect: '7',
  },
  {
    name: 'recursion',
    code: 'def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(15)',
    expect: '610',
  },
  { name: 'globals in a function', code: 'n = 1\ndef f():\n    global n\n    n += 1\nf()\nn', expect: '2' },
  {
    name: 'assignment into nested containers',
    code: 'd = {"s": [0, 0], "t": {"u": 1}}\nd["s"][1] = 5\nd["t"]["u"] += 1\ndel d["s"][0]\n[d][0]["v"] = 3\nd',
    expect: "{'s': [5], 't': {'u': 2}, 'v': 3}",
  },
  {
    name: 'assignment into nested containers next to a format',
    code: 'd = {"s": [0, 0]}\nd["s"][1] = 5\n"{}".format(d)',
    expect: `"{'s': [0, 5]}"`,
  },
  { name: 'lambda', code: 'sorted(["bb", "a", "ccc"], key=lambda s: -len(s))', expect: "['ccc', 'bb', 'a']" },
  {
    name: 'unpacking',
    code: 'a, (b, *c), d = 1, (2, 3, 4), 5\na, b, c, d = d, c, b, a\n[a, b, c, d]',
    expect: '[5, [3, 4], 2, 1]',
  },
  {
    name: 'augmented assignment',
    code: 'x = 2\nx **= 3\nx //= 3\nx <<= 2\ny = [1]\ny += [2]\n(x, y)',
    expect: '(8, [1, 2])',
  },
  {
    name: 'assert and raise',
    code: 'try:\n    assert 1 > 2, "no"\nexcept AssertionError as e:\n    text = str(e)\ntry:\n    raise ValueError("bad") from None\nexcept ValueError as e:\n    text += str(e.args)\ntext',
    expect: `"no('bad',)"`,
  },
  {
    name: 'walrus and annotations',
    code: 'def f(x: int) -> int:\n    y: int = x\n    return y\n[z := f(3), z]',
    expect: '[3, 3]',
  },
  {
    name: 'string methods',
    code: '("a-b".split("-"), " x ".strip(), "ab".upper(), "%d %s" % (1, "x"), "{:>4}|{n}".format(7, n=1), "{a}".format_map({"a": 2}), "x".join(["1", "2"]), "abc".replace("b", "").encode().hex())',
    expect: "(['a', 'b'], 'x', 'AB', '1 x', '   7|1', '2', '1x2', '6163')",
  },
  { name: 'format as a function', code: 'list(map("{:.1f}".format, [1, 2.25]))', expect: "['1.0', '2.2']" },
  {
    name: 'math',
    code: '(math.sqrt(16), sqrt(9), round(math.pi, 3), floor(2.7), math.gcd(12, 18), isnan(math.nan))',
    expect: '(4.0, 3.0, 3.142, 2, 6, True)',
  },
  {
    name: 'statistics',
    code: '(mean([1, 2, 3, 4]), statistics.median([3, 1, 2]), round(stdev([1, 2, 4]), 4), statistics.linear_regression([1, 2, 3], [2, 4, 6]).slope, statistics.NormalDist(0, 1).cdf(0))',
    expect: '(2.5, 2, 1.5275, 2.0, 0.5)',
  },
  {
    name: 'builtins',
    code: '(abs(-1), divmod(7, 2), list(zip("ab", [1, 2])), any([0, 1]), max(3, 4), hex(255), ord("a"), isinstance(1, int), type(1) is int)',
    expect: "(1, (3, 1), [('a', 1), ('b', 2)], True, 4, '0xff', 97, True, True)",
  },
  {
    name: 'exceptions of the caller',
    code: 'def f(x):\n    if x < 0:\n        raise ValueError(f"negative: {x}")\n    return x\ntry:\n    f(-1)\nexcept ValueError as e:\n    result = str(e)\nresult',
    expect: "'negative: -1'",
  },
  {
    name: 'names of its own',
    code: 'list = [1]\nsum = 2\n_ = 3\n_private = 4\n(list, sum, _, _private)',
    expect: '([1], 2, 3, 4)',
  },
  {
    name: 'printing',
    code: 'print("a", 1, sep="-", end="!")\nprint()\nprint([1.5, None])',
    expect: null,
    stdout: 'a-1!\n[1.5, None]\n',
  },
  { name: 'no value of an assignment', code: 'x = 5', expect: null },
  { name: 'nothing at all', code: '', expect: null },
  { name: 'a comment', code: '# nothing', expect: null },
  { name: 'unicode', code: 'größe = "ü✓😀"\n(größe, len(größe))', expect: "('ü✓😀', 3)" },
  { name: 'large whole numbers', code: '2 ** 100', expect: '1267650600228229401496703205376' },
  {
    name: 'a function shown without its address',
    code: 'def f(): pass\nprint(f)\nf',
    expect: '<function f>',
    stdout: '<function f>\n',
  },
];

export interface EvaluatedAttack {
  readonly name: string;
  readonly code: string;
  readonly setup?: string;
}

const statements: EvaluatedAttack[] = [
  ['import', 'import os\n"PWNED"'],
  ['from import', 'from os import path\n"PWNED"'],
  ['import of an allowed name', 'import math\n"PWNED"'],
  ['class', 'class A:\n    pass\n"PWNED"'],
  ['with', 'with open("x") as f:\n    "PWNED"\n"PWNED"'],
  ['yield', 'def f():\n    yield 1\n"PWNED"'],
  ['async', 'async def f():\n    pass\n"PWNED"'],
  ['await', 'await f()\n"PWNED"'],
  ['async comprehension', '[x async for x in y]\n"PWNED"'],
  ['match', 'match 1:\n    case int(real=r):\n        "PWNED"\n"PWNED"'],
  ['except star', 'try:\n    pass\nexcept* ValueError:\n    pass\n"PWNED"'],
  ['decorator', '@print\ndef f():\n    pass\n"PWNED"'],
  ['type alias', 'type X = int\n"PWNED"'],
  ['type parameters', 'def f[T](x: T):\n    pass\n"PWNED"'],
  ['matrix product', '[1] @ [2]\n"PWNED"'],
  ['attribute assignment', 'def f(): pass\nf.x = 1\n"PWNED"'],
  ['attribute of a module set', 'math.pi = 3\n"PWNED"'],
  ['attribute deleted', 'del math.pi\n"PWNED"'],
  ['attribute as a loop target', 'for math.pi in [1]:\n    pass\n"PWNED"'],
  ['attribute in an unpacking', 'a, math.pi = 1, 2\n"PWNED"'],
  ['attribute augmented', 'math.pi += 1\n"PWNED"'],
].map(([name = '', code = '']) => ({ name, code }));

const names: EvaluatedAttack[] = [
  ...'eval exec compile open input globals locals vars dir getattr setattr delattr __import__ __builtins__ __name__ __loader__ __build_class__ __debug__ breakpoint exit quit super property object memoryview classmethod help id BaseException KeyboardInterrupt SystemExit GeneratorExit np pd df ta os sys'
    .split(' ')
    .map((name) => ({ name: `the name ${name}`, code: `x = ${name}\n"PWNED"` })),
  { name: 'a hidden argument', code: 'def f(__x):\n    return __x\nf(1)\n"PWNED"' },
  { name: 'a hidden keyword', code: 'print(__class__=1)\n"PWNED"' },
  { name: 'a hidden function', code: 'def __getattr__(x):\n    return 1\n"PWNED"' },
  { name: 'hidden builtins set', code: '__builtins__ = {}\n"PWNED"' },
  { name: 'hidden builtins declared', code: 'def f():\n    global __builtins__\n    return 1\n"PWNED"' },
  { name: 'a hidden walrus', code: '(__x := 1)\n"PWNED"' },
  { name: 'a hidden exception name', code: 'try:\n    1/0\nexcept Exception as __e:\n    pass\n"PWNED"' },
  { name: 'NFKC spelling of a hidden name', code: '_＿import__("os")\n"PWNED"' },
  { name: 'NFKC spelling of a hidden attribute', code: '().＿_class__\n"PWNED"' },
];

const attributes: EvaluatedAttack[] = [
  ...'__class__ __dict__ __globals__ __code__ __closure__ __subclasses__ __mro__ __init__ __self__ __func__ __wrapped__ __getattribute__ __traceback__ __context__ __cause__ __builtins__ __module__ __doc__ __name__ gi_frame gi_code cr_frame tb_frame f_back f_builtins f_globals f_locals func_globals mro obj with_traceback add_note samples kde_random sys random'
    .split(' ')
    .map((name) => ({
      name: `the attribute ${name}`,
      code: `def f(): pass\ntry:\n    x = f.${name}\nexcept AttributeError:\n    x = statistics.${name}\n"PWNED"`,
    })),
  { name: 'subclasses walk', code: '().__class__.__base__.__subclasses__() and "PWNED"' },
  { name: 'format walk', code: '"PWNED" if "class" in "{0.__class__}".format(1) else 0' },
  { name: 'format walk to globals', code: 'def f(): pass\n"PWNED" if "{0.__globals__}".format(f) else 0' },
  { name: 'format_map walk', code: '"PWNED" if "class" in "{a.__class__}".format_map({"a": 1}) else 0' },
  { name: 'format of the type', code: '"PWNED" if "class" in str.format("{0.__class__}", 1) else 0' },
  {
    name: 'format as a callback',
    code: '"PWNED" if "class" in list(map("{0.__class__}".format, [1]))[0] else 0',
  },
  {
    name: 'format taken in a variable',
    code: 'f = "{0.__class__}".format\n"PWNED" if "class" in f(1) else 0',
  },
  { name: 'nested format field', code: '"PWNED" if "class" in "{0:{1.__class__}}".format("a", 1) else 0' },
  {
    name: 'format of an index, then a walk',
    code: '"PWNED" if "class" in "{0[0].__class__}".format([1]) else 0',
  },
  {
    name: 'asteval GHSA-vp47-9734-prjw: AttributeError keeps the object',
    code: 'try:\n    "{0.nothing}".format(math)\nexcept Exception as e:\n    x = e.obj\n"PWNED"',
  },
  { name: "asteval issue 86: a generator's frame", code: '(x for x in [1]).gi_frame.f_back\n"PWNED"' },
  { name: 'three-argument type', code: 'type("X", (), {"a": 1}) and "PWNED"' },
  { name: 'the type of a type', code: 'type(type(1))("X", (), {}) and "PWNED"' },
  { name: 'the function type', code: 'def f(): pass\ntype(f)(None, {}) and "PWNED"' },
  { name: 'the generator type', code: 'type(x for x in [])() and "PWNED"' },
  {
    name: "an exception's traceback",
    code: 'try:\n    1/0\nexcept Exception as e:\n    t = e.__traceback__\n"PWNED"',
  },
  { name: 'everything caught', code: 'try:\n    1/0\nexcept BaseException:\n    pass\n"PWNED"' },
  { name: 'asteval CVE-2025: a lying string subclass', code: 'S = type("S", (str,), {})\n"PWNED"' },
];

const files: EvaluatedAttack[] = [
  { name: 'a file of the machine', code: 'read_text("/etc/hosts") and "PWNED"' },
  { name: 'a path upwards', code: 'read_text("../../secret") and "PWNED"' },
  { name: 'globals of a helper', code: 'read_text.__globals__ and "PWNED"' },
  { name: 'a path that is no string', code: 'read_text(["a"]) and "PWNED"' },
  { name: 'a mode that is none', code: 'write_text("a", "b", "w+")\n"PWNED"' },
  { name: 'one target twice', code: 'write_text("a", "1")\nwrite_text("a", "2")\n"PWNED"' },
  { name: 'half a character', code: 'write_text("a", "\\ud800")\n"PWNED"' },
  { name: 'a file too long', code: 'write_text("a", "x" * 48_001)\n"PWNED"' },
  { name: 'too much queued', code: 'for i in range(11):\n    write_text(str(i), "x" * 48_000)\n"PWNED"' },
];

const kept: EvaluatedAttack[] = [
  { name: 'a variable kept', setup: 'kept = 1', code: 'kept\n"PWNED"' },
  {
    name: 'a builtin replaced',
    setup: 'len = lambda x: -1\nlen([])',
    code: '"PWNED" if len([]) == -1 else 0',
  },
  { name: 'math replaced', setup: 'math = 5', code: '"PWNED" if math == 5 else 0' },
  { name: 'reads kept', setup: 'reads["x"] = "kept"', code: '"PWNED" if "x" in reads else 0' },
  { name: 'a default kept', setup: 'def f(x=[]):\n    x.append(1)\n    return x\nf()', code: 'f()\n"PWNED"' },
  {
    name: 'a queued write kept',
    setup: 'write_text("left.txt", "x")\n1/0',
    code: '"PWNED" if read_text("left.txt") else 0',
  },
  { name: 'print kept from a failed call', setup: 'print("PWN" + "ED")\n1/0', code: '0' },
  { name: 'names of compute', setup: 'df = 1', code: 'df\n"PWNED"' },
];

const bombs: EvaluatedAttack[] = [
  { name: 'memory', code: '[0] * 10**10\n"PWNED"' },
  { name: 'memory of a format', code: 'f"{1:9999999999}"\n"PWNED"' },
  { name: 'recursion', code: 'def f(): return f()\nf()\n"PWNED"' },
  { name: 'nested brackets', code: `${'('.repeat(500)}1${')'.repeat(500)}\n"PWNED"` },
  {
    name: 'nested tries',
    code: `${[...Array(12).keys()].map((depth) => `${' '.repeat(depth)}try:\n`).join('')}${' '.repeat(12)}pass\n"PWNED"`,
  },
];

export const evaluatedAttacks: readonly EvaluatedAttack[] = [
  ...statements,
  ...names,
  ...attributes,
  ...files,
  ...kept,
  ...bombs,
];
