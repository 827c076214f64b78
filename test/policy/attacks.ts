import type { Attack } from './attack.ts';
import { codeAttacks } from './attacks-codes.ts';
import { doorAttacks } from './attacks-doors.ts';

/** Attacks that change data which `frame` shares between calls, or that read more than its visible bars. */
const frames: Attack[] = [
  {
    name: 'values of frame written through numpy',
    code: "f = frame('close')\nf.values.flags.writeable = True\nf.values[0, 0] = 7\nresult = 'PWNED' if frame('close').iloc[0, 0] == 7 else 0",
  },
  {
    name: 'values of frame written by an operation in place',
    setup: "frame('close').values.fill(7)",
    code: "'PWNED' if frame('close').iloc[0, 0] == 7 else 0",
  },
  {
    name: 'a column of frame written through its array',
    setup: "a = np.asarray(frame('close').AAPL)\nnp.copyto(a, 7, casting='unsafe')",
    code: "'PWNED' if frame('close').iloc[0, 0] == 7 else 0",
  },
  {
    name: 'frame written by ufunc with out',
    setup: "a = frame('close').to_numpy()\nnp.add(a, 1, out=a)",
    code: "'PWNED' if frame('close').iloc[0, 0] != df.close.iloc[0] and df.close.iloc[0] == df_aapl.close.iloc[0] else 0",
  },
  {
    name: 'a cell of frame set and seen later',
    setup: "f = frame('close')\nf.iloc[0, 0] = 7\nf.at[f.index[1], 'AAPL'] = 7",
    code: "'PWNED' if 7 in frame('close').iloc[:2, 0].tolist() else 0",
  },
  {
    name: 'a column added to frame and seen later',
    setup: "f = frame('close')\nf['PWNED'] = 1",
    code: "frame('close').columns[-1]",
  },
  {
    name: 'the columns of frame renamed in place',
    setup: "f = frame('close')\nf.columns.name = 'PWNED'\nf.rename(columns={'AAPL': 'PWNED'}, inplace=True)",
    code: "c = frame('close').columns\nresult = 'PWNED' if c.name == 'PWNED' or c[0] == 'PWNED' else 0",
  },
  {
    name: 'the labels of frame written through their array',
    setup: "c = frame('close').columns.values\nc.flags.writeable = True\nc[0] = 'PWNED'",
    code: "frame('close').columns[0]",
  },
  {
    name: 'the labels of frame written without asking',
    setup: "np.put(frame('close').columns.values, 0, 'PWNED')",
    code: "frame('close').columns[0]",
  },
  {
    name: 'the dates of frame renamed in place',
    setup: "frame('close').index.name = 'PWNED'",
    code: "frame('close').index.name",
  },
  {
    name: 'the dates of frame written through their array',
    setup: "d = frame('close').index.values\nd.fill(np.datetime64('2030-01-01'))",
    code: "'PWNED' if frame('close').index[0].year == 2030 else 0",
  },
  {
    name: 'the dates of frame in a series, written',
    setup:
      "s = frame('close').index.to_series()\ns.iloc[0] = pd.Timestamp('2030-01-01')\ns = pd.Series(frame('close').index)\ns.iloc[0] = pd.Timestamp('2030-01-01')",
    code: "'PWNED' if frame('close').index[0].year == 2030 or frame('close').index.year.max() == 2030 else 0",
  },
  {
    name: 'the base of an array of frame',
    code: "b = frame('close').values.base\nresult = 'PWNED' if b is not None else 0",
  },
  {
    name: 'bars of frame behind the last one',
    code: "v = np.lib.stride_tricks.as_strided(frame('close').values, shape=(2, 100_000), strides=(8, 8))\nresult = 'PWNED' if v.size else 0",
  },
  {
    name: 'the closure of frame',
    code: "'PWNED' if frame.__closure__ or frame.__globals__ else 0",
  },
  {
    name: 'an attribute kept on frame',
    setup: 'frame.kept = 1',
    code: "'PWNED' if hasattr(frame, 'kept') else 0",
  },
  {
    name: 'a default of frame changed',
    setup: "frame.__defaults__ = ('open',)",
    code: "'PWNED' if (frame() == frame('open')).all().all() else 0",
  },
  {
    name: 'attributes of frame and of its axes',
    setup:
      "f = frame('close')\nf.attrs['kept'] = 1\nf.flags.allows_duplicate_labels = False\nf.index.kept = 1",
    code: "f = frame('close')\nresult = 'PWNED' if f.attrs or not f.flags.allows_duplicate_labels else 0",
  },
  {
    name: 'a column name that lies about being text',
    code: "class S(str):\n    def __eq__(self, other):\n        return True\n    def __hash__(self):\n        return hash('close')\nf = frame(S('prices'))\nresult = 'PWNED' if f is None else 0",
  },
];

const host: Attack[] = [
  { name: 'import os', code: 'import os\nresult = "PWNED" if os.getcwd() else 0' },
  { name: 'import js', code: 'import js\nresult = "PWNED"' },
  { name: 'import pyodide_js', code: 'import pyodide_js\nresult = "PWNED"' },
  {
    name: 'from pyodide.code import run_js',
    code: 'from pyodide.code import run_js\nresult = "PWNED" if run_js("1") else 0',
  },
  { name: '__import__', code: '__import__("os") and "PWNED"' },
  { name: '__builtins__', code: '__builtins__["open"] and "PWNED"' },
  { name: '__loader__ of the globals', code: '__loader__ and "PWNED"' },
  { name: 'open', code: 'open("/dev/null", "w") and "PWNED"' },
  { name: 'eval', code: 'eval("\'PWNED\'")' },
  { name: 'exec', code: 'exec("x = 1") or "PWNED"' },
  { name: 'compile', code: 'compile("1", "x", "eval") and "PWNED"' },
  { name: 'globals', code: 'globals() and "PWNED"' },
  { name: 'pd.io.common.os.system', code: 'pd.io.common.os.getcwd() and "PWNED"' },
  { name: 'pd.core.common', code: 'pd.core.common and "PWNED"' },
  { name: 'np.lib module walk', code: 'np.lib.npyio.os.getcwd() and "PWNED"' },
  { name: 'np.ctypeslib', code: 'np.ctypeslib.ctypes and "PWNED"' },
  { name: 'np.f2py', code: 'np.f2py and "PWNED"' },
  { name: 'math loader', code: 'math.__loader__ and "PWNED"' },
  { name: 'os through statistics', code: 'import statistics\nresult = statistics.sys.modules and "PWNED"' },
  {
    name: 'from json import a module',
    code: 'from json import decoder\nresult = "PWNED" if decoder.re else 0',
  },
  { name: 'from random import _os', code: 'from random import _os\nresult = "PWNED" if _os.getcwd() else 0' },
  {
    name: 'from dataclasses import sys',
    code: 'from dataclasses import sys\nresult = "PWNED" if sys.modules else 0',
  },
  { name: 'numpy.testing', code: 'import numpy.testing\nresult = numpy.testing and "PWNED"' },
  { name: 'builtins by a name of the code', code: '__builtins__ = {}\nresult = "PWNED"' },
  {
    name: 'builtins by a global statement',
    code: 'def f():\n    global __builtins__\n    __builtins__ = {}\nf()\nresult = "PWNED"',
  },
  {
    name: 'a variable of pandas expressions',
    code: '__pd_eval_local_x = 1\nresult = "PWNED" if df.eval("a = @x") is not None else 0',
  },
  { name: 'reading a file as JSON', code: 'pd.read_json("/etc/passwd").shape and "PWNED"' },
  { name: 'reading a file as a table', code: 'pd.read_table("/etc/passwd", header=None).shape and "PWNED"' },
  {
    name: 'an address in the repr of an object',
    code: 'import functools, io, itertools\nclass A:\n    def m(self): pass\ndef g(): yield 1\nthings = [A(), A().m, g(), g, lambda: 0, df.close.mean, df.iloc, df.groupby("open"), np.random.default_rng(1), np.random.RandomState(1), functools.partial(g), io.StringIO("x"), iter([1]), zip(), itertools.count(), "a".upper, [].append, [A(), {1: A()}], property(g), np.vectorize(g), Exception(A()), pd.Series([A()])]\nresult = "PWNED" if "0x" in "".join(repr(each) for each in things) else None',
  },
  { name: 'reading a file with pandas', code: 'pd.read_csv("/etc/passwd", header=None).shape and "PWNED"' },
  { name: 'writing a file with pandas', code: 'df.to_csv("/x.csv")\nresult = "PWNED"' },
  { name: 'writing html', code: 'df.to_html("/x.html")\nresult = "PWNED"' },
  { name: 'writing json', code: 'df.to_json("/x.json")\nresult = "PWNED"' },
  { name: 'writing text', code: 'df.to_string("/x.txt")\nresult = "PWNED"' },
  { name: 'pickle to a file', code: 'df.to_pickle("/x.pkl")\nresult = "PWNED"' },
  { name: 'np.save', code: 'np.save("/x.npy", np.zeros(1))\nresult = "PWNED"' },
  { name: 'np.load of a pickle', code: 'np.load("/x.npy", allow_pickle=True)\nresult = "PWNED"' },
  { name: 'array tofile', code: 'np.zeros(2).tofile("/x.bin")\nresult = "PWNED"' },
  { name: 'array dumps', code: 'np.zeros(2).dumps() and "PWNED"' },
  { name: 'plotting back end import', code: 'pd.set_option("plotting.backend", "os")\nresult = "PWNED"' },
  { name: 'plotting back end by argument', code: 'df.plot(backend="os")\nresult = "PWNED"' },
  { name: 'np.fromfile', code: 'np.fromfile("/dev/null", dtype="u1") is not None and "PWNED"' },
];

const internals: Attack[] = [
  { name: '__class__ walk to subclasses', code: '().__class__.__base__.__subclasses__() and "PWNED"' },
  { name: 'asteval GHSA-vp47: __getattribute__', code: 'object.__getattribute__(df, "_mgr") and "PWNED"' },
  { name: 'mro', code: 'int.mro() and "PWNED"' },
  { name: 'function globals', code: 'latest.__globals__ and "PWNED"' },
  { name: 'function code', code: '(lambda: 0).__code__ and "PWNED"' },
  { name: 'private attribute of pandas', code: 'df._mgr and "PWNED"' },
  { name: 'private attribute in a loop target', code: 'for df._flags in [1]:\n    pass\nresult = "PWNED"' },
  { name: 'getattr with a dunder', code: 'getattr(df, "__class__") and "PWNED"' },
  { name: 'getattr with a built name', code: 'getattr(df, "_" + "mgr") and "PWNED"' },
  {
    name: 'getattr with a string that lies',
    code: 'class S(str):\n    def startswith(self, *a): return False\n    def __getitem__(self, k): return "a"\nresult = getattr(df, S("_mgr")) is not None and "PWNED"',
  },
  {
    name: 'RestrictedPython CVE-2023-37271: generator frames',
    code: 'g = (x for x in [1])\nresult = g.gi_frame.f_builtins and "PWNED"',
  },
  {
    name: 'frame of a generator from inside',
    code: 'def f():\n    yield g.gi_frame.f_back\ng = f()\nresult = next(g) and "PWNED"',
  },
  {
    name: 'RestrictedPython CVE-2023-41039: format walk',
    code: '"PWNED" if "dict" in "{0.__class__}".format({}) else 0',
  },
  {
    name: 'format walk by getattr',
    code: '"PWNED" if "dict" in getattr("{0.__class__}", "format")({}) else 0',
  },
  { name: 'str.format of the type', code: '"PWNED" if "dict" in str.format("{0.__class__}", {}) else 0' },
  { name: 'format_map walk', code: '"PWNED" if "dict" in "{a.__class__}".format_map({"a": {}}) else 0' },
  {
    name: 'format as a callback',
    code: '"PWNED" if "int" in list(map("{0.__class__}".format, [1]))[0] else 0',
  },
  {
    name: 'format in Series.map',
    code: '"PWNED" if "float" in df.close.map("{0.__class__}".format).iloc[0] else 0',
  },
  { name: 'nested format field', code: '"PWNED" if "dict" in "{0:{1.__class__}}".format("a", {}) else 0' },
  {
    name: 'format in pd.eval',
    code: 'x = {}\nresult = "PWNED" if "dict" in df.eval("@t.format(@x)", local_dict={"t": "{0.__class__}", "x": x}) else 0',
  },
  {
    name: 'RestrictedPython CVE-2024-47532: string module',
    code: 'import string\nresult = string.Formatter().get_field("0.__class__", ({},), {}) and "PWNED"',
  },
  {
    name: 'RestrictedPython CVE-2025-22153: except* keeps the traceback',
    code: 'try:\n    raise ExceptionGroup("a", [ValueError()])\nexcept* ValueError as e:\n    result = e.__traceback__ and "PWNED"',
  },
  {
    name: 'traceback by match',
    code: 'try:\n    1/0\nexcept Exception as e:\n    match e:\n        case Exception(__traceback__=t):\n            result = "PWNED" if t else 0',
  },
  {
    name: 'frames by match',
    code: 'g = (x for x in [1])\nmatch g:\n    case object(gi_frame=f):\n        result = "PWNED" if f else 0',
  },
  {
    name: 'positional match through a dataclass',
    code: 'from dataclasses import dataclass\nfrom collections.abc import Sized\n@dataclass\nclass C(Sized):\n    gi_frame: object\n    def __len__(self): return 0\ng = (x for x in [1])\nC.register(type(g))\nmatch g:\n    case C(f):\n        result = "PWNED" if f else 0',
  },
  {
    name: '__match_args__',
    code: 'class C:\n    __match_args__ = ("__class__",)\nmatch C():\n    case C(k):\n        result = "PWNED" if k else 0',
  },
  {
    name: 'AttributeError.obj',
    code: 'try:\n    df.nothing\nexcept AttributeError as e:\n    result = "PWNED" if e.obj is not None else 0',
  },
  {
    name: 'traceback given to __exit__',
    code: 'got = []\nclass C:\n    def __enter__(self): pass\n    def __exit__(self, a, b, t):\n        got.append(t.tb_frame)\n        return True\nwith C():\n    1/0\nresult = "PWNED" if got else 0',
  },
  { name: 'NFKC identifier', code: 'df._ｍgr is not None and "PWNED"' },
  { name: 'NFKC dunder', code: '().__ｃlass__ and "PWNED"' },
  {
    name: 'private attribute through an own class',
    code: 'class A:\n    def __init__(self): self._mgr = 1\n    def steal(self, other): return other._mgr\nresult = "PWNED" if A().steal(df) else 0',
  },
  {
    name: 'subclass of DataFrame for private access',
    code: 'class D(pd.DataFrame):\n    def steal(self): return self._mgr\nresult = "PWNED" if D(df).steal() else 0',
  },
  {
    name: 'metaclass',
    code: 'class M(type):\n    def __instancecheck__(cls, x): return True\nclass C(metaclass=M): pass\nresult = "PWNED" if isinstance(1, C) else 0',
  },
  { name: 'three-argument type', code: 'type("X", (), {"__len__": lambda s: 5})() and "PWNED"' },
  { name: 'type of a type', code: 't = type(int)\nresult = "PWNED" if t("X", (), {}) else 0' },
  { name: 'function type', code: 'type(lambda: 0)(latest.__code__, {}) and "PWNED"' },
  {
    name: '__getattr__ of an own class',
    code: 'class A:\n    def __getattr__(self, n): return n\nresult = "PWNED" if A().anything else 0',
  },
  {
    name: '__array_interface__ over any address',
    code: 'class A:\n    __array_interface__ = {"shape": (4,), "typestr": "|u1", "data": (64, False), "version": 3}\nresult = "PWNED" if np.array(A()).shape == (4,) else 0',
  },
  {
    name: '__array_interface__ through Enum',
    code: 'from enum import Enum\nE = Enum("E", {"A": 1, "__array_interface__": {"shape": (4,), "typestr": "|u1", "data": (64, False), "version": 3}})\nresult = "PWNED" if np.array(E.A).shape == (4,) else 0',
  },
  {
    name: '__array_interface__ through an Enum subclass',
    code: 'from enum import Enum\nclass B(Enum): pass\nE = B("E", {"A": 1, "__array_interface__": {"shape": (4,), "typestr": "|u1", "data": (64, False), "version": 3}})\nresult = "PWNED" if np.array(E.A).shape == (4,) else 0',
  },
  {
    name: '__array_interface__ by setattr',
    code: 'class A: pass\na = A()\nsetattr(a, "__array_interface__", {"shape": (4,), "typestr": "|u1", "data": (64, False), "version": 3})\nresult = "PWNED" if np.array(a).shape == (4,) else 0',
  },
  {
    name: 'update_wrapper copying attributes',
    code: 'import functools\nclass A: pass\na = A()\nfunctools.update_wrapper(a, latest, assigned=("__globals__",), updated=())\nresult = "PWNED"',
  },
  {
    name: 'attrgetter',
    code: 'from operator import attrgetter\nresult = attrgetter("close._values")(df) is not None and "PWNED"',
  },
  {
    name: 'methodcaller',
    code: 'from operator import methodcaller\nresult = methodcaller("__reduce_ex__", 2)(df) and "PWNED"',
  },
  {
    name: 'n8n CVE-2026-0863: format and AttributeError',
    code: 'try:\n    "{0.close.nothing}".format(df)\nexcept Exception as e:\n    result = "PWNED" if e.obj is not None else 0',
  },
  {
    name: 'name mangling to a denied name',
    code: 'class _mgr:\n    def f(self): return df.__x\nresult = "PWNED" if _mgr().f() is not None else 0',
  },
  {
    name: 'super into the library',
    code: 'class A(dict):\n    def f(self): return super().__reduce_ex__(2)\nresult = "PWNED" if A().f() else 0',
  },
  {
    name: 'global of a hidden name',
    code: 'def f():\n    global __builtins__\n    __builtins__ = {}\nf()\nresult = "PWNED"',
  },
  { name: 'async frames', code: 'async def f(): pass\nc = f()\nresult = c.cr_frame and "PWNED"' },
  { name: 'vars of a library object', code: 'vars(df) and "PWNED"' },
  { name: 'f-string attribute', code: 'f"{().__class__}" and "PWNED"' },
  { name: 'getattr as a callback', code: 'df.pipe(getattr, "_mgr") is not None and "PWNED"' },
  { name: 'getattr in map', code: 'list(map(getattr, [df], ["_mgr"])) and "PWNED"' },
  {
    name: 'getattr in reduce',
    code: 'from functools import reduce\nresult = reduce(getattr, ["close", "_values"], df) is not None and "PWNED"',
  },
  {
    name: 'a class attribute set to a special method',
    code: 'class A: pass\nA.__getattr__ = lambda s, n: "PWNED"\nresult = A().x',
  },
  {
    name: 'a class attribute set by setattr',
    code: 'class A: pass\nsetattr(A, "__getattr__", lambda s, n: "PWNED")\nresult = A().x',
  },
  {
    name: '__slots__ naming a special attribute',
    code: 'class A:\n    __slots__ = ("__array_interface__",)\na = A()\nresult = "PWNED"',
  },
  { name: 'the real class of a guarded type', code: 'type.__class__ and "PWNED"' },
  { name: 'star import', code: 'from numpy import *\nresult = "PWNED"' },
  { name: 'typed namespace', code: 'from typing import get_type_hints\nresult = "PWNED"' },
  {
    name: 'decorator taking a property of a function',
    code: 'def f(): pass\nf.__code__ = f.__code__\nresult = "PWNED"',
  },
  {
    name: 'globals of a method',
    code: 'class A:\n    def f(self): pass\nresult = A().f.__func__.__globals__ and "PWNED"',
  },
  {
    name: 'namedtuple field injection',
    code: 'from collections import namedtuple\nresult = namedtuple("A", ["__class__"]) and "PWNED"',
  },
  {
    name: 'lru_cache wrapped function',
    code: 'from functools import lru_cache\n@lru_cache\ndef f(): return 1\nresult = f.__wrapped__.__globals__ and "PWNED"',
  },
];

const dispatch: Attack[] = [
  {
    name: 'agg("eval")',
    code: 'df.agg("eval", expr="\'PWNED\'") and "PWNED" if False else df.agg("__getattribute__", 0, "_mgr") and "PWNED"',
  },
  {
    name: 'groupby.apply("__getattribute__")',
    code: 'df.groupby("open").apply("__getattribute__", "_mgr") is not None and "PWNED"',
  },
  { name: 'agg("__reduce_ex__")', code: 'df.close.agg("__reduce_ex__", 0, 2) and "PWNED"' },
  {
    name: 'Series.apply("__getattribute__")',
    code: 'df.close.apply("__getattribute__", args=("_mgr",)) is not None and "PWNED"',
  },
  { name: 'transform("_mgr")', code: 'df.agg("_mgr") is not None and "PWNED"' },
  { name: 'agg of a list with a private name', code: 'df.close.agg(["_values"]) is not None and "PWNED"' },
  { name: 'agg("to_pickle")', code: 'df.agg("to_pickle", 0, "/x.pkl")\nresult = "PWNED"' },
  { name: 'agg through numpy names', code: 'df.close.agg("save") is not None and "PWNED"' },
  {
    name: 'named aggregation',
    code: 'df.groupby("open").agg(x=("close", "__sizeof__")) is not None and "PWNED"',
  },
  {
    name: 'resample.apply',
    code: 'df.set_index("date").resample("W").apply("__sizeof__") is not None and "PWNED"',
  },
  { name: 'rolling.agg', code: 'df.close.rolling(3).agg("__sizeof__") is not None and "PWNED"' },
  { name: 'groupby.transform', code: 'df.groupby("open").transform("__class__") is not None and "PWNED"' },
  {
    name: 'pivot_table aggfunc',
    code: 'df.pivot_table(index="open", values="close", aggfunc="__sizeof__") is not None and "PWNED"',
  },
  { name: 'df.eval attribute walk', code: 'df.eval("@df.close.__sizeof__()") and "PWNED"' },
  { name: 'df.eval private attribute', code: 'df.eval("close._mgr") and "PWNED"' },
  {
    name: 'df.eval with @ and a dunder',
    code: 'x = 5\nresult = df.eval("@x.__class__.__base__.__subclasses__()") and "PWNED"',
  },
  {
    name: 'df.query of library frames',
    code: 'df.query("@self is not None", level=1) is not None and "PWNED"',
  },
  { name: 'df.eval of hidden globals', code: 'df.eval("@__builtins__") and "PWNED"' },
  { name: 'pd.eval import', code: 'pd.eval("__import__(\'os\')") and "PWNED"' },
  { name: 'df.eval resolvers', code: 'df.eval("close.mean()", resolvers=[{"close": df.close}]) and "PWNED"' },
  {
    name: 'memory of an array through df.eval',
    code: 'a = np.array([df], dtype=object)\nresult = df.eval("@a.data") is not None and "PWNED"',
  },
  {
    name: 'to_json walking attributes',
    code: 's = pd.Series([(x for x in [1])])\nresult = "PWNED" if "gi_running" in s.to_json() else 0',
  },
  {
    name: 'groupby series aggregate of a private name',
    code: 'df.groupby("open").close.aggregate("_values") is not None and "PWNED"',
  },
  { name: 'ewm.agg', code: 'df.close.ewm(span=3).agg("__sizeof__") is not None and "PWNED"' },
  {
    name: 'pct_change fill method',
    code: 'df.groupby("open").close.pct_change(fill_method="__class__") is not None and "PWNED"',
  },
  {
    name: 'format inside df.eval',
    code: 't = "{0.__class__}"\nx = {}\nresult = "PWNED" if "dict" in str(df.eval("@t.format(@x)")) else 0',
  },
  { name: 'apply with a numpy file function', code: 'df.close.apply("fromfile") is not None and "PWNED"' },
  { name: 'df.ta private method', code: 'df.ta("_frame") is not None and "PWNED"' },
  { name: 'df.ta by kind', code: 'df.ta(kind="__class__", args=1) is not None and "PWNED"' },
  {
    name: 'registering an accessor',
    code: 'pd.api.extensions.register_dataframe_accessor("x")(lambda d: 1)\nresult = "PWNED"',
  },
];

const memory: Attack[] = [
  {
    name: 'np.empty',
    setup: 'a = np.full(5000, 1234.5)\nresult = 1',
    code: '"PWNED" if (np.empty(5000) == 1234.5).any() else 0',
  },
  {
    name: 'np.empty_like',
    setup: 'a = np.full(5000, 1234.5)\nresult = 1',
    code: '"PWNED" if (np.empty_like(np.zeros(5000)) == 1234.5).any() else 0',
  },
  {
    name: 'np.ndarray',
    setup: 'a = np.full(5000, 1234.5)\nresult = 1',
    code: '"PWNED" if (np.ndarray(5000) == 1234.5).any() else 0',
  },
  {
    name: 'type of an array, called',
    setup: 'a = np.full(5000, 1234.5)\nresult = 1',
    code: '"PWNED" if (type(np.zeros(1))(5000) == 1234.5).any() else 0',
  },
  {
    name: 'type of records, called',
    code: 't = type(df.to_records())\nresult = "PWNED" if not (t((3000,), dtype="f8") == 0).all() else 0',
  },
  {
    name: 'ufunc where without out',
    setup: 'a = np.full(5000, 1234.5)\nresult = 1',
    code: 'z = np.zeros(5000)\nresult = "PWNED" if (np.add(z, z, where=False) == 1234.5).any() else 0',
  },
  {
    name: 'ufunc where behind **',
    setup: 'a = np.full(5000, 1234.5)\nresult = 1',
    code: 'z = np.zeros(5000)\nresult = "PWNED" if (np.add(z, z, **{"where": False}) == 1234.5).any() else 0',
  },
  {
    name: 'ufunc where through partial',
    setup: 'a = np.full(5000, 1234.5)\nresult = 1',
    code: 'from functools import partial\nz = np.zeros(5000)\nresult = "PWNED" if (partial(np.add, where=False)(z, z) == 1234.5).any() else 0',
  },
  {
    name: 'ufunc where through pipe',
    setup: 'a = np.full(5000, 1234.5)\nresult = 1',
    code: 'z = pd.Series(np.zeros(5000))\nresult = "PWNED" if (z.pipe(np.add, z, where=False) == 1234.5).any() else 0',
  },
  {
    name: 'as_strided',
    code: 'np.lib.stride_tricks.as_strided(np.zeros(1), (9999,), (8,)) is not None and "PWNED"',
  },
  {
    name: 'objects as bytes',
    code: 'a = np.array([1, "a"], dtype=object)\nresult = "PWNED" if np.frombuffer(a, dtype="i4").size else 0',
  },
  {
    name: 'codes past a MultiIndex level',
    code: 'm = pd.MultiIndex(levels=[["a"]], codes=[[100]], verify_integrity=False)\nresult = "PWNED" if m.get_level_values(0) is not None else 0',
  },
  {
    name: 'codes past categories',
    code: 'c = pd.Categorical.from_codes([100], ["a"], validate=False)\nresult = "PWNED" if list(c) is not None else 0',
  },
  {
    name: 'Categorical fastpath',
    code: 'c = pd.Categorical(np.array([100], dtype="i1"), categories=["a"], fastpath=True)\nresult = "PWNED" if list(c)[0] is not None and list(c)[0] == list(c)[0] else 0',
  },
  {
    name: 'writing to the bars',
    setup: 'try:\n    df.close.values[:] = 7\nexcept Exception:\n    pass\nresult = 1',
    code: '"PWNED" if df.close.iloc[0] == 7 else 0',
  },
  {
    name: 'making the bars writable',
    setup:
      'try:\n    v = df.close.to_numpy()\n    v.flags["WRITEABLE"] = True\n    v[:] = 7\nexcept Exception:\n    pass\nresult = 1',
    code: '"PWNED" if df.close.iloc[0] == 7 else 0',
  },
  { name: 'setflags', code: 'v = df.close.to_numpy()\nv.setflags(write=True)\nv[0] = 7\nresult = "PWNED"' },
  { name: 'base of the bars', code: 'df.close.to_numpy().base is not None and "PWNED"' },
  {
    name: 'ufunc out into the bars',
    setup: 'v = df.close.to_numpy()\nnp.multiply(v, 0, out=v)\nresult = 1',
    code: '"PWNED" if df.close.iloc[0] == 0 else 0',
  },
  {
    name: 'bars in place',
    setup: 'df.loc[:, "close"] = 7\ndf["open"] *= 0\ndf.iloc[0, 1] = 5\nresult = 1',
    code: '"PWNED" if df.close.iloc[0] == 7 or df.open.iloc[0] in (0, 5) else 0',
  },
  {
    name: 'the future beyond the slice',
    code: 'v = df.close.to_numpy()\nresult = "PWNED" if v.ctypes.data else 0',
  },
  {
    name: 'resize under a view',
    code: 'a = np.arange(1000.0)\nb = a[:]\na.resize(10, refcheck=False)\nresult = "PWNED"',
  },
  { name: 'dtype reassigned', code: 'a = np.zeros(4)\na.dtype = "i8"\nresult = "PWNED"' },
  { name: 'ctypes of an array', code: 'np.zeros(1).ctypes and "PWNED"' },
  { name: 'bit generator capsule', code: 'np.random.default_rng(1).bit_generator.capsule and "PWNED"' },
  {
    name: 'overlapping object fields',
    code: 'np.dtype({"names": ["o", "i"], "formats": ["O", "i4"], "offsets": [0, 0]}) and "PWNED"',
  },
  { name: 'objects viewed as integers', code: 'np.array([df], dtype=object).view("i4").size and "PWNED"' },
  {
    name: 'object fields viewed as integers',
    code: 'np.zeros(2, dtype=[("a", "O")]).view("i4").size and "PWNED"',
  },
  { name: 'memoryview of objects', code: 'np.array([df], dtype=object).data.cast("B") and "PWNED"' },
  { name: 'memoryview by getattr', code: 'getattr(np.array([df], dtype=object), "data") and "PWNED"' },
  {
    name: 'memoryview by match',
    code: 'match np.array([df], dtype=object):\n    case object(data=d):\n        result = "PWNED" if d else 0',
  },
  {
    name: 'bars through an extension array',
    setup: 'a = df.close.array\na[0] = 7\nresult = 1',
    code: '"PWNED" if df.close.iloc[0] == 7 else 0',
  },
  {
    name: 'dates through an extension array',
    setup: 'a = df.date.array\na[0] = pd.Timestamp("1999-01-01")\nresult = 1',
    code: '"PWNED" if df.date.iloc[0].year == 1999 else 0',
  },
  {
    name: 'columns through an extension array',
    setup: 'df.columns.array[1] = "PWNED"\nresult = 1',
    code: 'df.columns[1]',
  },
  {
    name: 'sliding windows made writable',
    setup:
      'from numpy.lib.stride_tricks import sliding_window_view\nv = sliding_window_view(df.close.to_numpy(), 3, writeable=True)\nv[0, 0] = 7\nresult = 1',
    code: '"PWNED" if df.close.iloc[0] == 7 else 0',
  },
  {
    name: 'bars made writable by their flags',
    setup:
      'a = df.close.to_numpy()\ntry:\n    setattr(a.flags, "writeable", True)\nexcept Exception:\n    pass\ntry:\n    a.flags.writeable = True\nexcept Exception:\n    pass\ntry:\n    a.flags["WRITEABLE"] = True\nexcept Exception:\n    pass\na[0] = 7\nresult = 1',
    code: '"PWNED" if df.close.iloc[0] == 7 else 0',
  },
  {
    name: 'the flags behind the flags',
    code: 'a = np.arange(3.0)\nmatch a:\n    case np.ndarray(flags=f):\n        f["WRITEABLE"] = False\nresult = "PWNED"',
  },
  {
    name: 'the flags of a frame',
    code: 'df.flags.allows_duplicate_labels = False\nresult = "PWNED"',
  },
  {
    name: 'the memory of bytes in memory',
    code: 'import io\nresult = "PWNED" if io.BytesIO(b"x").getbuffer() else 0',
  },
  {
    name: 'a file through the class of bytes in memory',
    code: 'import io\nresult = "PWNED" if io.open else 0',
  },
  {
    name: 'set_codes without checks',
    code: 'm = pd.MultiIndex.from_arrays([["a"]]).set_codes([[100]], verify_integrity=False)\nresult = "PWNED" if m.get_level_values(0) is not None else 0',
  },
  {
    name: 'MultiIndex without checks, by position',
    code: 'm = pd.MultiIndex([["a"]], [[100]], None, None, None, False, None, False)\nresult = "PWNED" if m.get_level_values(0) is not None else 0',
  },
  {
    name: 'a window indexer of its own',
    code: 'from pandas.api.indexers import BaseIndexer\nclass W(BaseIndexer):\n    def get_window_bounds(self, *a, **k):\n        return np.array([0, 0]), np.array([9999999, 9999999])\nresult = pd.Series([1.0, 2.0]).rolling(W()).sum() is not None and "PWNED"',
  },
  {
    name: 'sparse index without checks',
    code: 't = type(pd.Series([0, 1]).astype("Sparse").array.sp_index)\nresult = "PWNED" if t else 0',
  },
];

const state: Attack[] = [
  {
    name: 'monkeypatching pandas',
    setup: 'try:\n    pd.DataFrame.mean = lambda s: "PWNED"\nexcept Exception:\n    pass\nresult = 1',
    code: 'df.mean()',
  },
  {
    name: 'monkeypatching by setattr',
    setup:
      'try:\n    setattr(pd.DataFrame, "mean", lambda s: "PWNED")\nexcept Exception:\n    pass\nresult = 1',
    code: 'df.mean()',
  },
  {
    name: 'module attribute',
    setup: 'try:\n    np.hidden = "PWNED"\nexcept Exception:\n    pass\nresult = 1',
    code: 'np.hidden',
  },
  {
    name: 'helper attribute',
    setup: 'try:\n    latest.hidden = "PWNED"\nexcept Exception:\n    pass\nresult = 1',
    code: 'latest.hidden',
  },
  {
    name: 'hidden state in options',
    setup: 'pd.set_option("display.max_rows", 777)\nresult = 1',
    code: '"PWNED" if pd.get_option("display.max_rows") == 777 else 0',
  },
  {
    name: 'hidden state in the option object',
    setup: 'pd.options.display.max_rows = 777\nresult = 1',
    code: '"PWNED" if pd.get_option("display.max_rows") == 777 else 0',
  },
  {
    name: 'copy-on-write switched off',
    setup: 'try:\n    pd.options.mode.copy_on_write = False\nexcept Exception:\n    pass\nresult = 1',
    code: '"PWNED" if not pd.get_option("mode.copy_on_write") else 0',
  },
  {
    name: 'error state',
    setup: 'np.seterr(all="raise")\nresult = 1',
    code: '"PWNED" if np.geterr()["divide"] == "raise" else 0',
  },
  {
    name: 'decimal context',
    setup: 'import decimal\ndecimal.getcontext().prec = 3\nresult = 1',
    code: 'import decimal\nresult = "PWNED" if decimal.getcontext().prec == 3 else 0',
  },
  { name: 'a global kept', setup: 'hidden = "PWNED"\nresult = 1', code: 'hidden' },
  {
    name: 'a builtin shadowed',
    setup: 'len = lambda x: "PWNED"\nlatest = len\nresult = 1',
    code: 'latest(df.close)',
  },
  {
    name: 'account kept',
    setup: 'account["cash"] = "PWNED"\npositions["X"] = 1\nresult = 1',
    code: 'account["cash"]',
  },
  {
    name: 'shared column index renamed',
    setup: 'df.columns.name = "PWNED"\nresult = 1',
    code: 'df.columns.name',
  },
  {
    name: 'shared column index renamed in place',
    setup: 'df.columns.rename("PWNED", inplace=True)\nresult = 1',
    code: 'df.columns.name',
  },
  {
    name: 'shared column index written',
    setup: 'try:\n    np.asarray(df.columns)[1] = "PWNED"\nexcept Exception:\n    pass\nresult = 1',
    code: 'df.columns[1]',
  },
  {
    name: 'shared column index values',
    setup: 'try:\n    df.columns.values[1] = "PWNED"\nexcept Exception:\n    pass\nresult = 1',
    code: 'df.columns[1]',
  },
  { name: 'attrs', setup: 'df.attrs["x"] = "PWNED"\nresult = 1', code: 'df.attrs.get("x")' },
  {
    name: 'suspended generator in a cycle',
    setup:
      'def g():\n    try:\n        yield 1\n    finally:\n        np.hidden = "PWNED"\nx = g()\nnext(x)\nkeep = [x]\nkeep.append(keep)\nresult = 1',
    code: 'np.hidden',
  },
  {
    name: 'abstract class registration',
    setup:
      'from collections.abc import Sized\ntry:\n    Sized.register(int)\nexcept Exception:\n    pass\nresult = 1',
    code: 'from collections.abc import Sized\nresult = "PWNED" if isinstance(1, Sized) else 0',
  },
  {
    name: 'finaliser',
    setup: 'class A:\n    def __del__(self): np.hidden = 1\nx = A()\nresult = 1',
    code: 'np.hidden and "PWNED"',
  },
  {
    name: 'ta changed',
    setup: 'try:\n    ta.rsi = lambda *a: "PWNED"\nexcept Exception:\n    pass\nresult = 1',
    code: 'ta.rsi(df.close)',
  },
  {
    name: 'ta category list changed',
    setup: 'ta.Category["hidden"] = "PWNED"\nresult = 1',
    code: 'ta.Category["hidden"]',
  },
];

const outside: Attack[] = [
  {
    name: 'the clock by Timestamp.now',
    code: '"PWNED" if pd.Timestamp.now().year > 2020 else 0',
    childOnly: true,
  },
  {
    name: 'the clock by datetime',
    code: 'import datetime\nresult = "PWNED" if datetime.datetime.now().year > 2020 else 0',
    childOnly: true,
  },
  {
    name: 'the clock by time',
    code: 'import time\nresult = "PWNED" if time.gmtime().tm_year > 2020 or time.localtime().tm_year > 2020 or time.time() > 1.6e9 or time.time_ns() > 1.6e18 or "202" in time.ctime().replace("2020", "") else 0',
    childOnly: true,
  },
  {
    name: 'the speed of the machine by time',
    code: 'import time\nbefore = [time.perf_counter(), time.monotonic(), time.process_time(), time.time()]\nsum(range(300_000))\nresult = "PWNED" if before != [time.perf_counter(), time.monotonic(), time.process_time(), time.time()] else 0',
    childOnly: true,
  },
  {
    name: 'the time zone of the machine by time',
    code: 'import time\nresult = "PWNED" if time.tzname or time.timezone else 0',
  },
  { name: 'a call that sleeps', code: 'import time\ntime.sleep(0)\nresult = "PWNED"' },
  { name: 'sleep by another name', code: 'from time import sleep\nsleep(0)\nresult = "PWNED"' },
  { name: 'a clock set', code: 'import time\ntime.clock_settime(0, 0)\nresult = "PWNED"' },
  { name: 'functions of time replaced', code: 'import time\ntime.time = lambda: 0\nresult = "PWNED"' },
  {
    name: 'the clock by to_datetime',
    code: '"PWNED" if pd.to_datetime("now").year > 2020 else 0',
    childOnly: true,
  },
  { name: 'settrace', code: 'import sys\nsys.settrace(None)\nresult = "PWNED"' },
  { name: 'signal handlers', code: 'import signal\nresult = "PWNED"' },
  { name: 'garbage collector', code: 'import gc\nresult = gc.get_objects() and "PWNED"' },
  { name: 'addresses as randomness', code: 'a = object()\nresult = "PWNED" if "0x" in repr(a) else 0' },
  { name: 'addresses by id', code: 'id(df) and "PWNED"' },
  { name: 'addresses in errors', code: 'raise ValueError("PWNED" if "0x" in repr(lambda: 0) else "no")' },
  { name: 'catching the deadline', code: 'try:\n    1/0\nexcept BaseException:\n    result = "PWNED"' },
  {
    name: 'nested finally bomb',
    code: `${Array.from({ length: 19 }, (_, depth) => `${' '.repeat(depth)}try:\n${' '.repeat(depth + 1)}pass\n${' '.repeat(depth)}finally:`).join('\n')}\n${' '.repeat(19)}result = "PWNED"`,
  },
  { name: 'a reply with __proto__', code: '{"__proto__": {"polluted": 1}} and 0' },
];

/** Attacks that use allowed features of classes, modules, tables in texts, logs and assignments. */
const allowedParts: Attack[] = [
  { name: 'subclasses of the own class', code: 'class A: pass\nA().__class__.__subclasses__() and "PWNED"' },
  { name: 'bases of the own class', code: 'class A: pass\nresult = A().__class__.__bases__ and "PWNED"' },
  {
    name: 'the order of bases of the own class',
    code: 'class A: pass\nresult = A().__class__.__mro__ and "PWNED"',
  },
  { name: 'the class of the own class', code: 'class A: pass\nresult = A().__class__.__class__ and "PWNED"' },
  { name: 'the dict of the own class', code: 'class A: pass\nresult = A().__class__.__dict__ and "PWNED"' },
  {
    name: 'the class of an error of pandas',
    code: 'try:\n    df["x"]\nexcept Exception as e:\n    result = e.__class__.__base__ and "PWNED"',
  },
  { name: 'the class of a frame', code: 'df.__class__ and "PWNED"' },
  { name: 'the class of a function', code: 'def f(): pass\nresult = f.__class__ and "PWNED"' },
  { name: 'the class of a module', code: 'pd.__class__ and "PWNED"' },
  {
    name: 'the class by super',
    code: 'class A:\n    def f(self): return super().__class__\nresult = A().f() and "PWNED"',
  },
  {
    name: 'the class changed',
    code: 'class A: pass\nclass B: pass\na = A()\na.__class__ = B\nresult = "PWNED"',
  },
  {
    name: 'the class changed by setattr',
    code: 'class A: pass\nclass B: pass\na = A()\nsetattr(a, "__class__", B)\nresult = "PWNED"',
  },
  { name: 'the class deleted', code: 'class A: pass\na = A()\ndel a.__class__\nresult = "PWNED"' },
  {
    name: 'a class that lies about itself',
    code: 'class A:\n    __class__ = dict\nresult = "PWNED" if isinstance(A(), dict) else 0',
  },
  {
    name: 'a class that lies by a property',
    code: 'class A:\n    @property\n    def __class__(self): return int\nresult = "PWNED" if isinstance(A(), int) else 0',
  },
  {
    name: 'the class of an error raised with a frame',
    code: 'try:\n    1 / 0\nexcept Exception as e:\n    result = "{0.__class__.__subclasses__}".format(e) and "PWNED"',
  },
  {
    name: 'the class in an expression',
    code: 'x = df.close\nresult = df.eval("@x.__class__") is not None and "PWNED"',
  },
  {
    name: 'a private name that is special',
    code: 'class A:\n    def f(self): return df.__class__\nresult = A().f() and "PWNED"',
  },
  {
    name: 'a private name of pandas',
    code: 'class mgr:\n    def f(self): return df.__mgr\nresult = mgr().f() and "PWNED"',
  },
  {
    name: 'a private name of a module',
    code: 'class os:\n    def f(self): return pd.__os\nresult = os().f() and "PWNED"',
  },
  {
    name: 'a private name under a class without letters',
    code: 'class _:\n    def f(self): return df.__mgr\nresult = _().f() and "PWNED"',
  },
  {
    name: 'a private name outside of a class',
    code: 'class A: pass\na = A()\na.__x = 1\nresult = a.__x and "PWNED"',
  },
  {
    name: 'a private name of a function',
    code: 'class A:\n    def f(self): return A.f.__code\nresult = A().f() and "PWNED"',
  },
  {
    name: 'a private name as a variable',
    code: 'class A:\n    def f(self): return __builtins\nresult = A().f() and "PWNED"',
  },
  {
    name: 'a private special method',
    code: 'class A:\n    def __getattr(self, name): return "PWNED"\nresult = A().x',
  },
  {
    name: 'the spec of a refused module',
    code: 'try:\n    import os\nexcept ModuleNotFoundError as e:\n    result = e.__spec__ and "PWNED"',
  },
  {
    name: 'the path of a refused module',
    code: 'try:\n    import os\nexcept ModuleNotFoundError as e:\n    result = "PWNED" if e.path else 0',
  },
  {
    name: 'the globals of an import error',
    code: 'try:\n    import os\nexcept ModuleNotFoundError as e:\n    result = e.__init__.__globals__ and "PWNED"',
  },
  {
    name: 'an import error made by its class',
    code: 'try:\n    import os\nexcept ModuleNotFoundError as e:\n    result = type(e)("x", "y").__traceback__ is None and "PWNED"',
  },
  {
    name: 'a refused module by a fallback',
    code: 'try:\n    import os\nexcept ModuleNotFoundError:\n    import posix as os\nresult = os.getcwd() and "PWNED"',
  },
  {
    name: 'a refused module under an allowed one',
    code: 'import logging.handlers as h\nresult = h and "PWNED"',
  },
  { name: 'modules behind logging', code: 'import logging\nresult = logging.os.getcwd() and "PWNED"' },
  {
    name: 'a log in a file',
    code: 'import logging\nlogging.basicConfig(filename="x.log")\nresult = "PWNED"',
  },
  {
    name: 'a log in a file by a handler',
    code: 'import logging\nlogging.FileHandler("x.log")\nresult = "PWNED"',
  },
  {
    name: 'a walk in the format of a log',
    code: 'import logging\nlogging.basicConfig(format="{msg.__class__}", style="{")\nresult = "PWNED"',
  },
  {
    name: 'the path of the code in a log',
    code: 'import logging\nlogging.basicConfig(format="%(pathname)s %(process)d %(thread)d")\nresult = "PWNED"',
  },
  {
    name: 'the closure of a logger',
    code: 'import logging\nresult = logging.getLogger().info.__closure__ and "PWNED"',
  },
  { name: 'the function of a logger', code: 'import logging\nresult = logging.info.__globals__ and "PWNED"' },
  {
    name: 'a logger changed',
    code: 'import logging\nlogging.getLogger().info = lambda *a: 0\nresult = "PWNED"',
  },
  { name: 'the frame of a log', code: 'import logging\nresult = logging.currentframe() and "PWNED"' },
  {
    name: 'addresses in a log',
    code: 'import logging\ntry:\n    raise ValueError(object())\nexcept ValueError:\n    logging.exception("x")\nresult = 0',
  },
  {
    name: 'the level of a logger kept',
    setup:
      'import logging\nlogging.basicConfig(level=10, format="PWNED")\nlogging.getLogger("x").setLevel(10)',
    code: 'import logging\nresult = "PWNED" if logging.getLogger().isEnabledFor(10) or logging.getLogger("x").isEnabledFor(10) else 0',
  },
  { name: 'read_csv of a file', code: 'pd.read_csv("/etc/hosts").shape and "PWNED"' },
  { name: 'read_csv of an address', code: 'pd.read_csv("http://127.0.0.1/").shape and "PWNED"' },
  { name: 'read_csv of a path in bytes', code: 'pd.read_csv(b"/etc/hosts").shape and "PWNED"' },
  {
    name: 'read_csv of a reader of its own',
    code: 'class R:\n    def read(self, n=-1): return "a\\n1\\n"\n    def __iter__(self): return iter(["a", "1"])\nresult = pd.read_csv(R()).shape and "PWNED"',
  },
  {
    name: 'read_csv with options of a store',
    code: 'import io\nresult = pd.read_csv(io.StringIO("a"), storage_options={"x": 1}) is None or "PWNED"',
  },
  {
    name: 'read_csv through a compression',
    code: 'import io\nresult = pd.read_csv(io.BytesIO(b"a"), compression={"method": "zip"}) is None or "PWNED"',
  },
  {
    name: 'read_csv mapped into memory',
    code: 'import io\nresult = pd.read_csv(io.StringIO("a\\n1"), memory_map=True) is None or "PWNED"',
  },
  {
    name: 'the reader behind read_csv',
    code: 'import io\nresult = pd.read_csv(io.StringIO("a\\n1"), iterator=True)._engine and "PWNED"',
  },
  {
    name: 'parts of read_csv',
    code: 'import io\nresult = pd.read_csv(io.StringIO("a\\n1"), chunksize=1) is None or "PWNED"',
  },
  { name: 'the globals of read_csv', code: 'pd.read_csv.__globals__ and "PWNED"' },
  { name: 'the pandas behind read_csv', code: 'pd.read_csv.__wrapped__ and "PWNED"' },
  {
    name: 'another reader with read_csv',
    code: 'import io\nresult = pd.read_json(io.StringIO("[1]")).shape and "PWNED"',
  },
  {
    name: 'read_csv of a text closed by its converter',
    code: 'import io\nb = io.StringIO("a\\n" + "1\\n" * 50_000)\ndef f(x):\n    b.close()\n    return x\npd.read_csv(b, converters={"a": f}, low_memory=True)\nresult = 0',
  },
  {
    name: 'read_csv with a class for the names',
    code: 'import io\nclass S(str):\n    def __eq__(self, o): return True\n    def __hash__(self): return 1\nresult = "PWNED" if pd.read_csv(io.StringIO("a\\n1"), names=[S("x"), S("y")]) is None else 0',
  },
  {
    name: 'the defaults of read_csv changed',
    setup:
      'import io\npd.read_csv(io.StringIO("a\\nPWNED"), na_values=["PWNED"], true_values=["PWNED"])\nresult = 0',
    code: 'import io\nd = pd.read_csv(io.StringIO("a\\nPWNED"))\nresult = 0 if d.a.tolist() == ["PWNED"] else "PWNED"',
  },
  {
    name: 'the check of assignments switched off',
    code: 'import warnings\nwarnings.simplefilter("ignore")\npd.options.mode.chained_assignment = None\ndf["close"][0] = 1\nresult = "PWNED"',
  },
  { name: 'the guard of assignments by its name', code: 'lasting(df) and "PWNED"' },
  {
    name: 'a variable for the guard of assignments',
    setup: 'class A:\n    pass\nsetattr(A, "$lasting", lambda x: x)\nresult = 0',
    code: 'df["close"][0] = 1\nresult = "PWNED"',
  },
  {
    name: 'copy-on-write switched off for assignments',
    code: 'pd.set_option("mode.copy_on_write", False)\ndf["close"][0] = 1\nresult = "PWNED"',
  },
  {
    name: 'the error of an assignment keeps nothing',
    code: 'try:\n    df["close"][0] = 1\nexcept Exception as e:\n    result = "PWNED" if e.__traceback__ else 0',
  },
];

export const attacks: readonly Attack[] = [
  ...frames,
  ...host,
  ...internals,
  ...dispatch,
  ...memory,
  ...state,
  ...outside,
  ...allowedParts,
  ...doorAttacks,
  ...codeAttacks,
];
