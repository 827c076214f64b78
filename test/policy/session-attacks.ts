/**
 * Attack on a Python session, whose variables exist from call to call. The data can be used by several tests.
 *
 * The `cells` run one after another in one session. Then `compute` runs outside of the session at the same
 * bar, and `later` in a new session at the next bar. An attack is successful if one of these calls returns
 * the text PWNED.
 */
export interface SessionAttack {
  readonly name: string;
  readonly cells: readonly string[];
  /** Code of a `compute` call after the cells. */
  readonly compute?: string;
  /** Code of a cell in the session of the next bar. */
  readonly later?: string;
  /** Operation of the last cell. Default: `exec_code`. */
  readonly last?: 'inspect' | 'eval_expr';
}

/** Attacks that store an object in one call and use it in another call. */
const acrossCells: SessionAttack[] = [
  {
    name: 'a traceback kept from an earlier cell',
    cells: [
      'try:\n    1 / 0\nexcept Exception as e:\n    kept = e',
      '"PWNED" if kept.__traceback__.tb_frame else 0',
    ],
  },
  {
    name: 'the frame of a generator kept from an earlier cell',
    cells: ['def f():\n    yield 1\ng = f()\nnext(g)', '"PWNED" if g.gi_frame.f_back or g.gi_frame else 0'],
  },
  {
    name: 'globals of a function of an earlier cell',
    cells: ['def f(): pass', '"PWNED" if f.__globals__ else 0'],
  },
  {
    name: 'code of a function of an earlier cell',
    cells: ['f = lambda: 0', 'f.__code__ = f.__code__\n"PWNED"'],
  },
  {
    name: 'a special method put on a class of an earlier cell',
    cells: ['class A: pass', 'A.__getattr__ = lambda s, n: "PWNED"\nA().x'],
  },
  {
    name: 'the object behind an AttributeError of an earlier cell',
    cells: [
      'try:\n    df.nothing\nexcept AttributeError as e:\n    kept = e',
      '"PWNED" if kept.obj is not None else 0',
    ],
  },
  {
    name: 'the builtins of the session',
    cells: ['__builtins__ = {}', '"PWNED" if __builtins__ is not None else 0'],
  },
  { name: 'a guard bound anew', cells: ['globals()["$" + "call"] = print', '"PWNED"if globals() else 0'] },
  {
    name: 'an allowed attribute read by a class made later',
    cells: ['class _mgr:\n    def f(self): return df.__x', '"PWNED" if _mgr().f() is not None else 0'],
  },
  {
    name: "a class of an earlier cell whose private attribute is another object's",
    cells: [
      'class A:\n    def steal(self, other): return other._mgr',
      '"PWNED" if A().steal(df) is not None else 0',
    ],
  },
  {
    name: 'a format string kept from an earlier cell',
    cells: ['walk = "{0.__class__.__mro__}".format', '"PWNED" if "object" in walk(df) else 0'],
  },
  {
    name: 'the module of an import kept from an earlier cell',
    cells: ['import statistics as s', '"PWNED" if s.sys.modules else 0'],
  },
  {
    name: 'the streams of the runtime',
    cells: ['import sys', '"PWNED" if sys.stdout.write.__globals__ or sys.stdout.write.__self__ else 0'],
  },
  {
    name: 'more of sys than its streams',
    cells: ['import sys', '"PWNED" if sys.modules or sys._getframe() else 0'],
  },
  {
    name: 'a stream bound anew',
    cells: ['import sys\nsys.stdout = None\nsys.stdout.write = None', '"PWNED" if sys.stdout is None else 0'],
  },
  {
    name: 'a file as the stream of print',
    cells: ['print("x", file=open("/x", "w"))', '"PWNED" if open else 0'],
  },
  {
    name: 'a name that only code of a session may have, in a class',
    cells: ['class A:\n    __reduce_ex__ = lambda s, p: "PWNED"', 'import copy\ncopy.copy(A())'],
  },
  {
    name: 'special methods of a class of an earlier cell that Python makes itself',
    cells: [
      'class A:\n    def __format__(self, spec): return "PWNED"\n    def __new__(cls): return "PWNED"',
      'A()',
    ],
  },
  {
    name: '@names of the runtime in a query of a function of an earlier cell',
    cells: ['def f(): return df.eval("@__builtins__")', '"PWNED" if f() else 0'],
  },
];

/** Attacks that change state outside of the session. */
const beyondTheSession: SessionAttack[] = [
  { name: 'a variable seen by compute', cells: ['hidden = "PWNED"'], compute: 'hidden' },
  { name: 'a variable seen at the next bar', cells: ['hidden = "PWNED"'], later: 'hidden' },
  {
    name: 'a builtin bound anew, seen by compute',
    cells: ['len = lambda x: "PWNED"\nlatest = len\nmath = len'],
    compute: 'latest(df.close)',
    later: 'len(df)',
  },
  {
    name: 'the account written, seen by compute',
    cells: ['account["cash"] = "PWNED"\npositions["X"] = 1\ncash = "PWNED"'],
    compute: 'account["cash"]',
    later: 'cash',
  },
  {
    name: 'options, seen by compute',
    cells: [
      'pd.set_option("display.max_rows", 777)\nnp.seterr(all="raise")\nimport decimal\ndecimal.getcontext().prec = 3',
    ],
    compute:
      'import decimal\nresult = "PWNED" if pd.get_option("display.max_rows") == 777 or np.geterr()["divide"] == "raise" or decimal.getcontext().prec == 3 else 0',
    later: '"PWNED" if pd.get_option("display.max_rows") == 777 or np.geterr()["divide"] == "raise" else 0',
  },
  {
    name: 'seeds, seen by compute',
    cells: ['np.random.seed(5)\nimport random\nrandom.seed(5)\nfirst = np.random.rand()'],
    compute: '"PWNED" if abs(np.random.rand() - 0.22199317108973948) < 1e-12 else 0',
  },
  {
    name: 'the shared column index, seen by compute',
    cells: [
      'df.columns.name = "PWNED"\ndf.columns.rename("PWNED", inplace=True)\ndf.columns.array[1] = "PWNED"',
    ],
    compute: 'df.columns.name or df.columns[1]',
    later: 'df.columns.name or df.columns[1]',
  },
  {
    name: 'bars written, seen by compute',
    cells: [
      'df.loc[:, "close"] = 7\nv = df_aapl.close.to_numpy()\ntry:\n    v[:] = 7\nexcept Exception:\n    np.multiply(v, 0, out=v)',
    ],
    compute: '"PWNED" if df.close.iloc[0] in (0, 7) else 0',
    later: '"PWNED" if df.close.iloc[0] in (0, 7) else 0',
  },
  {
    name: 'monkeypatches, seen by compute',
    cells: [
      'for change in (lambda: setattr(pd.DataFrame, "mean", 1), lambda: setattr(np, "x", 1)):\n    try:\n        change()\n    except Exception:\n        pass',
    ],
    compute: '"PWNED" if not callable(df.mean) or hasattr(np, "x") else 0',
    later: '"PWNED" if not callable(df.mean) or hasattr(np, "x") else 0',
  },
  {
    name: 'memory of a session, found by compute',
    cells: ['a = np.full(200_000, 1234.5)\ndel a'],
    compute: '"PWNED" if (np.empty(200_000) == 1234.5).any() else 0',
    later: '"PWNED" if (np.empty(200_000) == 1234.5).any() else 0',
  },
  {
    name: 'a suspended generator that fires in compute',
    cells: [
      'def g():\n    try:\n        yield 1\n    finally:\n        df.attrs["x"] = "PWNED"\nx = g()\nnext(x)\nkeep = [x]\nkeep.append(keep)\ndel x, keep',
    ],
    compute: 'df.attrs.get("x")',
    later: 'df.attrs.get("x")',
  },
  {
    name: 'a cached function of the library, seen by compute',
    cells: ['from functools import lru_cache\n@lru_cache\ndef f(x): return "PWNED"\nf(1) and None'],
    compute: 'f(1)',
  },
  {
    name: 'the future of a session that lasts',
    cells: ['n = len(df)'],
    later: '"PWNED" if len(df) != 60 else 0',
  },
];

/** Objects that attack the tools which inspect them. */
const inspected: SessionAttack[] = [
  { name: 'the class of a value', cells: ['().__class__'], last: 'inspect' },
  { name: 'an import', cells: ['__import__("os")'], last: 'inspect' },
  { name: 'an import evaluated', cells: ['__import__("os").getcwd() and "PWNED"'], last: 'eval_expr' },
  {
    name: 'the subclasses of object',
    cells: ['().__class__.__base__.__subclasses__() and "PWNED"'],
    last: 'eval_expr',
  },
  {
    name: 'a repr that reads what it is near to',
    cells: ['class A:\n    def __repr__(self): return str(self.__class__.__subclasses__())', 'A()'],
    last: 'inspect',
  },
  {
    name: '__getattr__ that answers for everything',
    cells: ['class A:\n    def __getattr__(self, name): return "PWNED"', 'A().x'],
    last: 'inspect',
  },
  {
    name: '__getattribute__ that answers for everything',
    cells: ['class A:\n    def __getattribute__(self, name): return "PWNED"', 'A()'],
    last: 'inspect',
  },
  {
    name: '__class__ that lies',
    cells: ['class A:\n    __class__ = property(lambda s: "PWNED")', 'A()'],
    last: 'inspect',
  },
  {
    name: 'a default that is written in a signature',
    cells: ['class A:\n    def __repr__(self): raise Exception("PWNED")\ndef f(x=A()): pass', 'f'],
    last: 'inspect',
  },
  {
    name: 'a signature of its own',
    cells: ['def f(): pass\nf.__signature__ = "PWNED"', 'f'],
    last: 'inspect',
  },
  {
    name: 'a repr that is no string',
    cells: ['class A:\n    def __repr__(self): return df', 'A()'],
    last: 'inspect',
  },
  { name: 'a name that is no string', cells: ['def f(): pass\nf.__name__ = df', 'f'], last: 'inspect' },
  { name: 'the source of the runtime', cells: ['latest'], last: 'inspect' },
  { name: 'the members of a function', cells: ['latest.__globals__'], last: 'inspect' },
];

export const sessionAttacks: readonly SessionAttack[] = [...acrossCells, ...beyondTheSession, ...inspected];
