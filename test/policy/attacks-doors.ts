import type { Attack } from './attack.ts';

/** Attacks that read or write attributes by other means than attribute syntax. */
const spellings: Attack[] = [
  {
    name: 'functools.wraps of an instance, then vars',
    code: 'from functools import wraps\nclass A: pass\na = A()\nwraps(object)(a)\nresult = vars(a)["__getattribute__"](latest, "__globals__") and "PWNED"',
  },
  {
    name: 'functools.wraps of a function, then vars',
    code: 'from functools import wraps\nclass A: pass\na = A()\nwraps(latest)(a)\nresult = vars(a).get("__wrapped__").__globals__ and "PWNED"',
  },
  {
    name: 'functools.wraps with attributes of its own',
    code: 'from functools import wraps\nclass A: pass\na = A()\nwraps(latest, assigned=("__globals__",))(a)\nresult = vars(a)["__globals__"] and "PWNED"',
  },
  {
    name: 'lru_cache, which copies attributes',
    code: 'from functools import lru_cache\nresult = lru_cache(pd.DataFrame)._mgr is not None and "PWNED"',
  },
  {
    name: 'lru_cache of a class, then a property of it',
    code: 'from functools import lru_cache\nresult = lru_cache(pd.Index).name.fset and "PWNED"',
  },
  {
    name: 'total_ordering of a class of the library',
    code: 'from functools import total_ordering\ntotal_ordering(type(df.close.rolling(2)))\nresult = "PWNED"',
  },
  {
    name: "dataclass of a class of the library, which would make it the agent's own",
    code: 'from dataclasses import dataclass\nclass_ = type(df.close.rolling(2))\ndataclass(class_)\nresult = df.close.rolling(2)._selected_obj is not None and "PWNED"',
  },
  {
    name: 'partialmethod of a private attribute',
    code: 'from functools import partialmethod\nclass A:\n    x = partialmethod(getattr, "_mgr")\nresult = A.x(df) is not None and "PWNED"',
  },
  { name: 'a property object of pandas', code: 'pd.Index.name.fset and "PWNED"' },
  { name: 'a property object of pandas, by getattr', code: 'getattr(pd.Index.name, "fset") and "PWNED"' },
  {
    name: 'a property object of pandas, by attrgetter',
    code: 'from operator import attrgetter\nresult = attrgetter("name.fget")(pd.Index) and "PWNED"',
  },
  {
    name: 'a property object of pandas, by a format',
    code: '"PWNED" if "function" in "{0.name.fget}".format(pd.Index) else 0',
  },
  {
    name: 'a property object of pandas, in df.eval',
    code: 'i = pd.Index\nresult = df.eval("@i.name.fset") and "PWNED"',
  },
  {
    name: 'the private attributes of a library class by super',
    code: 'super(pd.Series, df.close)._values is not None and "PWNED"',
  },
  {
    name: 'the private methods of a library class by super',
    code: 'super(pd.DataFrame, df)._get_axis(0) is not None and "PWNED"',
  },
  {
    name: 'initialising by super what others share',
    code: 'from pandas.api.indexers import FixedForwardWindowIndexer\ni = FixedForwardWindowIndexer(window_size=1)\nsuper(type(i), i).__init__(window_size=1, get_window_bounds=lambda *a: 1)\nresult = "PWNED"',
  },
  {
    name: 'str.format by super',
    code: 'class S(str):\n    def walk(self, x): return super().format(x)\nresult = "PWNED" if "dict" in S("{0.__class__}").walk({}) else 0',
  },
  {
    name: 'str.format_map by super',
    code: 'class S(str):\n    def walk(self, x): return super().format_map(x)\nresult = "PWNED" if "int" in S("{a.__class__}").walk({"a": 1}) else 0',
  },
  {
    name: 'str.format by super and getattr',
    code: 'class S(str):\n    def walk(self, x): return getattr(super(), "format")(x)\nresult = "PWNED" if "dict" in S("{0.__class__}").walk({}) else 0',
  },
  {
    name: 'str.format by a class pattern',
    code: 'match "{0.__class__}":\n    case str(format=f):\n        result = "PWNED" if "dict" in f({}) else 0',
  },
  {
    name: 'str.format by a class pattern of object',
    code: 'match "{0.__class__}":\n    case object(format=f):\n        result = "PWNED" if "dict" in f({}) else 0',
  },
  {
    name: 'str.format as a value pattern',
    code: 'class A:\n    x = "{0.__class__}"\nmatch A:\n    case A.x.format:\n        pass\nresult = "PWNED" if False else 0',
  },
  {
    name: 'a class pattern whose class is changed while it is matched',
    code: 'class A: pass\nC = A\ng = (x for x in [1])\nmatch g:\n    case int() if (C := object):\n        pass\n    case _ if (C := object) and False:\n        pass\n    case C(gi_running=r):\n        result = "PWNED"\n    case _:\n        result = 0',
  },
  {
    name: 'a class pattern by a dotted name',
    code: 'class A: pass\nA.kind = object\nmatch (x for x in [1]):\n    case A.kind(gi_frame=f):\n        result = "PWNED" if f else 0',
  },
  {
    name: 'a class pattern nested in another',
    code: 'match [np.array([1])]:\n    case [object(base=b, shape=s)]:\n        result = "PWNED"',
  },
  {
    name: 'a key of a mapping pattern',
    code: 'match {1: 2}:\n    case {df._mgr: x}:\n        pass\nresult = "PWNED"',
  },
  {
    name: 'the options behind pd.options',
    code: 'pd.options.d["mode"]["copy_on_write"] in (True, False) and "PWNED"',
  },
  {
    name: 'the options behind pd.options, by getattr',
    code: 'object_ = getattr(pd.options, "d")\nresult = object_ and "PWNED"',
  },
  { name: 'a façade made anew', code: 'type(np)("x", {"mean": 1}) and "PWNED"' },
  {
    name: 'a private attribute in reduce',
    code: 'from functools import reduce\nresult = reduce(getattr, ["rolling", "__func__"], df) and "PWNED"',
  },
  {
    name: 'the traceback given to __exit__, kept',
    code: 'class C:\n    def __enter__(self): return self\n    def __exit__(self, a, b, t):\n        self.t = t\n        return True\nc = C()\nwith c: 1/0\nresult = c.t.tb_next and "PWNED"',
  },
  {
    name: 'a frame of a generator by throw',
    code: 'def g():\n    try:\n        yield 1\n    except Exception as e:\n        yield e.with_traceback\nx = g()\nnext(x)\nresult = x.throw(ValueError()) and "PWNED"',
  },
  { name: 'what a bound method is of', code: 'df.close.mean.__self__ is not None and "PWNED"' },
  {
    name: 'what a cached function wraps',
    code: 'from functools import lru_cache\n@lru_cache\ndef f(): return 1\nresult = getattr(f, "__wrapped__") and "PWNED"',
  },
  {
    name: 'what a partial calls',
    code: 'from functools import partial\nresult = partial("{0}".format).func.func and "PWNED"',
  },
  { name: 'the formatter behind format', code: '"{0}".format.func.__globals__ and "PWNED"' },
  {
    name: 'the context manager behind contextmanager',
    code: 'from contextlib import contextmanager\n@contextmanager\ndef f(): yield 1\nresult = f().gen.gi_frame and "PWNED"',
  },
  {
    name: 'registering with an abstract class',
    code: 'from abc import ABC\nclass A(ABC): pass\nA.register(int)\nresult = "PWNED" if isinstance(1, A) else 0',
  },
  {
    name: 'registering with an abstract class, by getattr',
    code: 'from abc import ABC\nclass A(ABC): pass\ngetattr(A, "register")(int)\nresult = "PWNED" if isinstance(1, A) else 0',
  },
  {
    name: '__subclasshook__ of an abstract class',
    code: 'from abc import ABC\nclass A(ABC):\n    @classmethod\n    def __subclasshook__(cls, other): return True\nresult = "PWNED" if isinstance(1, A) else 0',
  },
  { name: 'the metaclass of an abstract class', code: 'from abc import ABCMeta\nresult = "PWNED"' },
  {
    name: 'the contextlib internals',
    code: 'from contextlib import AbstractContextManager, sys\nresult = sys.modules and "PWNED"',
  },
  { name: 'the object behind a GenericAlias', code: 'list[int].__origin__ and "PWNED"' },
  {
    name: 'the object behind typing',
    code: 'from typing import List\nresult = List[int].__origin__ and "PWNED"',
  },
];

/** Attacks in texts that pandas evaluates. The policy for ordinary code also applies to these texts. */
const expressions: Attack[] = [
  { name: 'a private attribute in an expression', code: 'x = df\nresult = pd.eval("@x._mgr") and "PWNED"' },
  {
    name: 'a denied attribute in an expression',
    code: 'g = (x for x in [1])\nresult = df.eval("@g.gi_frame") and "PWNED"',
  },
  {
    name: 'a private method of a column in an expression',
    code: 'df.eval("close._values") is not None and "PWNED"',
  },
  { name: 'a denied method in an expression', code: 'df.eval("close.to_pickle(\'x\')")\nresult = "PWNED"' },
  {
    name: 'a denied keyword in an expression',
    code: 'a = np.arange(9.0)\ndf.eval("@np.sort(@a, fastpath=True)")\nresult = "PWNED"',
  },
  { name: 'a hidden name in an expression', code: 'df.query("@__name__ == 1") is not None and "PWNED"' },
  { name: 'a guard by name in an expression', code: 'df.eval("@$read") is not None and "PWNED"' },
  { name: 'a lambda in an expression', code: 'df.eval("(lambda: 1)()") and "PWNED"' },
  { name: 'a walrus in an expression', code: 'df.eval("(x := 1)") and "PWNED"' },
  { name: 'a comprehension in an expression', code: 'df.eval("[x.__class__ for x in [1]]") and "PWNED"' },
  {
    name: 'an expression that is a string with methods of its own',
    code: 'class S(str):\n    def __str__(self): return "1"\nx = df\nresult = df.eval(S("@x._mgr")) is not None and "PWNED"',
  },
  {
    name: 'an attribute walked by another expression',
    code: 'd = df\nresult = df.eval("@d.eval(\'@d._mgr\')") is not None and "PWNED"',
  },
  {
    name: 'a query of a group',
    code: 'df.groupby("open").apply(lambda g: g.query("@g._mgr is not None")) is not None and "PWNED"',
  },
  { name: 'a property in an expression', code: 'p = pd\nresult = df.eval("@p.Index.name.fset") and "PWNED"' },
  {
    name: 'an attribute set in an expression',
    code: 'c = df.columns\ndf.eval("@c.name = 5")\nresult = "PWNED" if df.columns.name == 5 else 0',
  },
  {
    name: 'resize in an expression',
    code: 'a = np.arange(1000.0)\nb = a[:]\nf = a.resize\ndf.eval("@f(10, refcheck=False)")\nresult = "PWNED"',
  },
  {
    name: 'resize of an expression',
    code: 'a = np.arange(1000.0)\nb = a[:]\ndf.eval("@a.resize(10, refcheck=False)")\nresult = "PWNED"',
  },
  {
    name: 'resize by methodcaller',
    code: 'from operator import methodcaller\na = np.arange(1000.0)\nb = a[:]\nmethodcaller("resize", 10, refcheck=False)(a)\nresult = "PWNED"',
  },
  {
    name: 'resize by attrgetter and a dictionary',
    code: 'from operator import attrgetter\na = np.arange(1000.0)\nb = a[:]\nattrgetter("resize")(a)(10, **{"refcheck": False})\nresult = "PWNED"',
  },
];

/** Attacks that read memory of an earlier call, or memory next to an array. */
const leftovers: Attack[] = [
  ...[
    ['where= in df.eval', 'z = np.zeros(5000)\nf = np.add\nx = df.eval("@f(@z, @z, where=False)")'],
    ['where= in pd.eval', 'z = np.zeros(5000)\nf = np.add\nx = pd.eval("@f(@z, @z, where=False)")'],
    [
      'where= by partial in rolling.apply',
      'z = np.zeros(5000)\nx = np.fromfunction(lambda i: np.add(z, z, **{"where": False}), (5000,))',
    ],
    [
      'where= in np.fromfunction',
      'd = {"where": False}\nx = np.fromfunction(np.negative, (5000,), dtype=float, **d)',
    ],
    [
      'where= in apply_along_axis',
      'd = {"where": False}\nx = np.apply_along_axis(np.negative, 0, np.zeros(5000), **d)',
    ],
    [
      'where= through methodcaller',
      'from operator import methodcaller\nz = np.zeros(5000)\nx = methodcaller("add", z, z, **{"where": False})(np)',
    ],
    [
      'where= in the kwargs of rolling.apply',
      'x = pd.Series(np.zeros(5000)).rolling(1).apply(np.negative, raw=True, kwargs={"where": False}).to_numpy()',
    ],
    [
      'where= in Series.apply',
      'x = pd.Series(np.zeros(5000)).apply(np.negative, by_row=False, where=False).to_numpy()',
    ],
    [
      'where= in DataFrame.pipe',
      'x = pd.DataFrame({"a": np.zeros(5000)}).pipe(np.negative, where=False).a.to_numpy()',
    ],
    ['where= in a frexp', 'z = np.zeros(5000)\nx = np.frexp(z, **{"where": False})[0]'],
    [
      'order and subok of np.empty_like',
      'x = np.empty_like(np.zeros((50, 100)), subok=False, order="F").ravel()',
    ],
    ['np.resize to a larger shape', 'x = np.resize(np.zeros(1), 5000)'],
    ['a frame of no values', 'x = pd.DataFrame(index=range(5000), columns=["a"], dtype=float).a.to_numpy()'],
    [
      'a masked array of an extension type',
      'x = pd.array([1.0] * 5000, dtype="Float64").take([-1] * 5000, allow_fill=True).to_numpy(float, na_value=0)',
    ],
    ['reindexing', 'x = pd.Series([1.0]).reindex(range(5000)).to_numpy()'],
    [
      'an array of records',
      'x = np.zeros(5000, dtype=[("a", "f8")]).astype([("a", "f8"), ("b", "f8")])["b"]',
    ],
    ['padding', 'x = np.pad(np.zeros(10), 2500, mode="empty")'],
  ].map(([name = '', code = '']) => ({
    name: `what was there before: ${name}`,
    setup: 'a = np.full(5000, 1234.5)\nresult = 1',
    code: `${code}\nresult = "PWNED" if (np.asarray(x) == 1234.5).any() else 0`,
  })),
  {
    name: 'a window indexer with bounds of its own',
    code: 'from pandas.api.indexers import FixedForwardWindowIndexer\ndef b(*a, **k): return np.array([0, 0]), np.array([9_999, 9_999])\nresult = pd.Series([1.0, 2.0]).rolling(FixedForwardWindowIndexer(window_size=1, get_window_bounds=b)).sum() is not None and "PWNED"',
  },
  {
    name: 'a window indexer with bounds of its own, by a dictionary',
    code: 'from pandas.api.indexers import FixedForwardWindowIndexer\ndef b(*a, **k): return np.array([0, 0]), np.array([9_999, 9_999])\nresult = pd.Series([1.0, 2.0]).rolling(FixedForwardWindowIndexer(**{"get_window_bounds": b})).sum() is not None and "PWNED"',
  },
  {
    name: 'a window indexer with bounds of its own, by its type',
    code: 'from pandas.api.indexers import FixedForwardWindowIndexer\ndef b(*a, **k): return np.array([0, 0]), np.array([9_999, 9_999])\nresult = pd.Series([1.0, 2.0]).rolling(type(FixedForwardWindowIndexer())(window_size=1, get_window_bounds=b)).sum() is not None and "PWNED"',
  },
  {
    name: 'a window indexer with bounds set afterwards',
    code: 'from pandas.api.indexers import FixedForwardWindowIndexer\ni = FixedForwardWindowIndexer(window_size=1)\ni.get_window_bounds = lambda *a, **k: (np.array([0]), np.array([9_999]))\nresult = "PWNED"',
  },
  {
    name: 'a generator that reads past its key',
    code: 'r = np.random.RandomState(1)\ns = list(r.get_state())\ns[2] = 5_000\nr.set_state(tuple(s))\nresult = "PWNED" if r.randint(5) >= 0 else 0',
  },
  {
    name: 'a generator that reads past its key, by a dictionary',
    code: 'g = np.random.default_rng(1)\ng.bit_generator.state = g.bit_generator.state\nresult = "PWNED"',
  },
  {
    name: 'the global generator that reads past its key',
    code: 'np.random.set_state(("MT19937", np.zeros(624, dtype="u4"), 5_000))\nresult = "PWNED"',
  },
  {
    name: 'more index than values',
    code: 's = pd.Series(np.zeros(2), range(1000), None, "x", False, True)\nresult = "PWNED" if len(s.index) == 1000 else 0',
  },
  {
    name: 'more index than values, by keyword',
    code: 's = pd.Series(np.zeros(2), index=range(1000), **{"fastpath": True})\nresult = "PWNED" if len(s.index) == 1000 else 0',
  },
];

/** Attacks that change state which all calls share, without assigning to one of its attributes. */
const shared: Attack[] = [
  {
    name: 'a cached result of ta',
    setup: 'r = ta.ema(df.close, 10)\nr = ta.ema(df.close, 10)\nr.array[:] = 0\nresult = 1',
    code: 'ta.ema(df.close, 10)\nresult = "PWNED" if ta.ema(df.close, 10).iloc[-1] == 0 else 0',
  },
  {
    name: 'a cached result of ta, by np.asarray',
    setup: 'r = ta.ema(df.close, 10)\nr = ta.ema(df.close, 10)\nnp.asarray(r.array)[-1] = 77.0\nresult = 1',
    code: 'ta.ema(df.close, 10)\nresult = "PWNED" if ta.ema(df.close, 10).iloc[-1] == 77 else 0',
  },
  {
    name: 'a cached result of ta, by out=',
    setup:
      'r = ta.sma(df.close, 10)\nr = ta.sma(df.close, 10)\nnp.multiply(np.asarray(r.array), 0, out=np.asarray(r.array))\nresult = 1',
    code: 'ta.sma(df.close, 10)\nresult = "PWNED" if ta.sma(df.close, 10).iloc[-1] == 0 else 0',
  },
  {
    name: 'a cached frame of ta, in place',
    setup: 'm = ta.macd(df.close)\nm = ta.macd(df.close)\nm.iloc[:, 0].array[:] = 7\nresult = 1',
    code: 'ta.macd(df.close)\nresult = "PWNED" if ta.macd(df.close).iloc[-1, 0] == 7 else 0',
  },
  {
    name: 'the names of a cached frame of ta',
    setup:
      'm = ta.macd(df.close)\nm = ta.macd(df.close)\nm.columns.rename("PWNED", inplace=True)\nresult = 1',
    code: 'ta.macd(df.close)\nresult = ta.macd(df.close).columns.name',
  },
  {
    name: 'the prepared strategies of ta',
    setup:
      'from operator import attrgetter\nattrgetter("CommonStrategy")(ta).ta[0]["length"] = 3\nresult = 1',
    code: '"PWNED" if ta.CommonStrategy.ta[0]["length"] == 3 else 0',
  },
  {
    name: 'the list of a prepared strategy',
    setup: 'ta.CommonStrategy.ta.clear()\nresult = 1',
    code: '"PWNED" if not ta.CommonStrategy.ta else 0',
  },
  {
    name: 'the window of all polynomials',
    setup: 'np.polynomial.Polynomial.window[:] = [0, 5]\nresult = 1',
    code: '"PWNED" if np.polynomial.Polynomial.window[1] == 5 else 0',
  },
  {
    name: 'the domain of all polynomials, by an instance',
    setup: 'np.polynomial.Chebyshev([1, 2]).domain[:] = [0, 5]\nresult = 1',
    code: '"PWNED" if np.polynomial.Chebyshev([1, 2]).domain[1] == 5 else 0',
  },
  {
    name: 'an array of a module of numpy',
    setup: 'np.polynomial.polynomial.polyone[:] = 7\nresult = 1',
    code: '"PWNED" if np.polynomial.polynomial.polyone[0] == 7 else 0',
  },
  {
    name: 'wraps of an Index onto the columns',
    setup:
      'from functools import wraps\nwraps(pd.Index(["date", "low", "high", "open", "close", "volume"]))(df.columns)\nresult = 1',
    code: '"PWNED" if (df["open"] == df.low).all() or df.columns[1] == "low" else 0',
  },
  {
    name: 'seterr by methodcaller',
    setup: 'from operator import methodcaller\nmethodcaller("seterr", all="raise")(np)\nresult = 1',
    code: '"PWNED" if np.geterr()["divide"] == "raise" else 0',
  },
  {
    name: 'options in df.eval',
    setup: 'p = pd\ndf.eval("@p.set_option(\'display.max_rows\', 4)")\nresult = 1',
    code: '"PWNED" if pd.get_option("display.max_rows") == 4 else 0',
  },
  {
    name: 'names of the columns by a property',
    setup: 'pd.Index.name.fset(df.columns, "PWNED")\nresult = 1',
    code: 'df.columns.name',
  },
  {
    name: 'names of the columns in df.eval',
    setup: 'c = df.columns\ndf.eval("@c.set_names(\'PWNED\', inplace=True)")\nresult = 1',
    code: 'df.columns.name',
  },
  {
    name: 'names of the columns by a row',
    setup: 'df.iloc[-1].index.rename("PWNED", inplace=True)\nresult = 1',
    code: 'df.columns.name or df.iloc[-1].index.name',
  },
  {
    name: 'a façade made anew in place',
    setup: 'np.__init__("numpy", {"mean": lambda *a: "PWNED"})\nresult = 1',
    code: 'np.mean(df.close)',
  },
  {
    name: 'a façade made anew in place, by its type',
    setup: 'type(np).__init__(np, "numpy", {"mean": lambda *a: "PWNED"})\nresult = 1',
    code: 'np.mean(df.close)',
  },
  {
    name: 'copy-on-write by the options behind pd.options',
    setup: 'pd.options.d["mode"]["copy_on_write"] = False\nresult = 1',
    code: '"PWNED" if not pd.get_option("mode.copy_on_write") else 0',
  },
  {
    name: 'the concatenator made anew in place',
    setup: 'np.c_.__init__()\nnp.r_.axis = 5\nresult = 1',
    code: '"PWNED" if np.c_[np.array([1]), np.array([2])].shape != (1, 2) else 0',
  },
  {
    name: 'the default context of decimal',
    setup: 'import decimal\ndecimal.DefaultContext.prec = 3\nresult = 1',
    code: 'import decimal\nresult = "PWNED" if decimal.DefaultContext.prec == 3 else 0',
  },
];

export const doorAttacks: readonly Attack[] = [...spellings, ...expressions, ...leftovers, ...shared];
