import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENT_MS } from '../../test/support/patience.ts';
import { findPython, SessionAgent } from '../../test/support/toolkit-python.ts';
import { Sandbox } from '../sandbox/index.ts';

const LIMITS = {
  repr_max_chars: 4096,
  doc_max_chars: 4096,
  sample_max_items: 16,
  member_max_per_group: 24,
  source_preview_max_chars: 1200,
};

const runtime = await findPython();

describe.skipIf(runtime === undefined)('inspect', () => {
  let sandbox: Sandbox;
  let agent: SessionAgent;

  beforeAll(async () => {
    sandbox = new Sandbox({ runtime: runtime!, spares: 0, timeoutMs: PATIENT_MS, graceMs: 20_000 });
    agent = new SessionAgent(sandbox);
    const answer = await agent.exec(`
import itertools, enum
from collections import deque, OrderedDict, Counter, namedtuple
def next(x):
    x + 1
def documented(a, *rest, key=None):
    """What it does.

    More of it."""
    return a
@staticmethod
def decorated():
    return 1
square = lambda x: x * x
class Plain:
    "A plain class."
    n = 5
    def __init__(self, a=1):
        self.a = a
        self._hidden = 2
    @property
    def boom(self):
        raise ValueError("a property was read")
    def method(self):
        # a comment
        return self.a
class Broken:
    __doc__ = 5
    def __repr__(self): raise ValueError("no repr")
    def __len__(self): raise KeyError("no len")
    def __dir__(self): raise OSError("no dir")
class Liar(list):
    def __len__(self): return 10 ** 30
    def __iter__(self): raise ValueError("iterated")
    def __repr__(self): return "x" * 10 ** 6
class Handler:
    def __call__(self, order): return order
class Odd(Exception):
    pass
steps = []
def counted():
    for n in range(3):
        steps.append(n)
        yield n
gen = counted()
it = iter([1, 2, 3])
zipped = zip([1], [2])
loop = [1]
loop.append(loop)
tree = {}
tree['self'] = tree
try:
    1 / 0
except ZeroDivisionError as problem:
    caught = problem
class Colour(enum.Enum):
    RED = 1
`);
    if ('error' in answer) throw new Error(JSON.stringify(answer));
  });
  afterAll(() => sandbox?.close());

  it.each([
    ['None', 'none'],
    ['True', 'bool'],
    ['np.True_', 'bool'],
    ['42', 'number'],
    ['1.5', 'number'],
    ['1j', 'number'],
    ['np.float64(1)', 'number'],
    ["'text'", 'string'],
    ["b'bytes'", 'bytes'],
    ['bytearray(3)', 'bytes'],
    ['{}', 'mapping'],
    ['OrderedDict(a=1)', 'mapping'],
    ['Counter("aab")', 'mapping'],
    ['[]', 'sequence'],
    ['(1,)', 'sequence'],
    ['range(3)', 'sequence'],
    ['deque([1])', 'sequence'],
    ['Liar([1])', 'sequence'],
    ['{1}', 'set'],
    ['frozenset()', 'set'],
    ['{}.keys()', 'set'],
    ['it', 'iterator'],
    ['zipped', 'iterator'],
    ['gen', 'generator'],
    ['(x for x in [1])', 'generator'],
    ['next', 'callable'],
    ['len', 'callable'],
    ['df.close.mean', 'callable'],
    ['Handler()', 'callable'],
    ['Plain', 'class'],
    ['ValueError', 'class'],
    ['np', 'module'],
    ['caught', 'exception'],
    ['Odd()', 'exception'],
    ['Plain()', 'object'],
    ['df', 'object'],
    ['df.close', 'object'],
    ['df.index', 'object'],
    ['np.arange(3)', 'object'],
    ['pd.Timestamp(0)', 'object'],
    ['df.groupby("open")', 'object'],
    ['Colour.RED', 'object'],
    ['...', 'other'],
  ])('%s is of the kind %s', async (expr, kind) => {
    const found = await agent.inspect(expr);
    expect(found).toMatchObject({ kind, limits: LIMITS });
    expect(JSON.stringify(found)).not.toMatch(/0x[0-9a-f]{4}|sandtable_runtime|\/lib\//);
  });

  it('describes a scalar in a few lines', async () => {
    expect(await agent.inspect('42')).toEqual({
      type: { name: 'int', module: 'builtins', qualified: 'builtins.int' },
      kind: 'number',
      repr: { text: '42', truncated: false, original_len: 2 },
      limits: LIMITS,
    });
    expect(await agent.inspect('None')).toMatchObject({
      kind: 'none',
      repr: { text: 'None', truncated: false, original_len: 4 },
    });
  });

  it('returns the size and the first items of containers, and reports omitted items', async () => {
    expect(await agent.inspect('list(range(100))')).toMatchObject({
      size: { len: 100 },
      sample: {
        items: Array.from({ length: 16 }, (_, n) => String(n)),
        shown: 16,
        total: 100,
        truncated: true,
      },
      members: {
        data: [],
        callables: expect.arrayContaining(['append', 'clear']),
        shown_per_group: 24,
        truncated: false,
      },
    });
    expect(await agent.inspect("{'b': 1, 'a': [2]}")).toMatchObject({
      sample: { items: ["'b': 1", "'a': [2]"], shown: 2, total: 2, truncated: false },
    });
    expect(await agent.inspect("{'pear', 'apple', 'fig'}")).toMatchObject({
      repr: { text: "{'apple', 'fig', 'pear'}" },
      sample: { items: ["'apple'", "'fig'", "'pear'"] },
    });
    expect(await agent.inspect('"x" * 10_000')).toMatchObject({
      size: { len: 10_000 },
      repr: { truncated: true, original_len: 10_002 },
    });
    const huge = await agent.inspect('[0] * 5_000_000');
    expect(huge).toMatchObject({
      repr: { truncated: true, original_len: null },
      sample: { total: 5_000_000 },
    });
    expect((huge.repr as { text: string }).text).toHaveLength(4096);
  });

  it('ends for circular references', async () => {
    expect(await agent.inspect('loop')).toMatchObject({
      repr: { text: '[1, [...]]' },
      sample: { items: ['1', '[1, [...]]'], total: 2 },
    });
    expect(await agent.inspect('tree')).toMatchObject({ repr: { text: "{'self': {...}}" } });
  });

  it('never advances an iterator', async () => {
    for (const expr of ['gen', 'it', 'zipped'])
      expect(await agent.inspect(expr)).not.toHaveProperty('sample');
    expect(await agent.value('[list(steps), list(gen), list(it), list(zipped)]')).toBe(
      '[[], [0, 1, 2], [1, 2, 3], [(1, 2)]]',
    );
  });

  it('shows a function with its signature and source', async () => {
    expect(await agent.inspect('next')).toMatchObject({
      type: { name: 'function', module: 'builtins', qualified: 'builtins.function' },
      kind: 'callable',
      callable: {
        module: '__main__',
        signature: '(x)',
        doc: null,
        source_preview: 'def next(x):\n    x + 1',
        source_truncated: false,
      },
    });
    expect(await agent.inspect('documented')).toMatchObject({
      doc: { text: 'What it does.\n\nMore of it.', truncated: false },
      callable: { signature: '(a, *rest, key=None)', doc: 'What it does.' },
    });
    expect(await agent.inspect('square')).toMatchObject({
      callable: { source_preview: 'square = lambda x: x * x' },
    });
    expect(await agent.inspect('Plain().method')).toMatchObject({
      callable: { source_preview: 'def method(self):\n    # a comment\n    return self.a' },
    });
    expect(await agent.inspect('Plain')).toMatchObject({
      callable: {
        signature: '(a=1)',
        source_preview: expect.stringMatching(/^class Plain:\n {4}"A plain class\."\n[\s\S]*return self\.a$/),
      },
    });
    expect(await agent.inspect('len')).toMatchObject({
      callable: { module: 'builtins', source_preview: null, source_truncated: false },
    });
    expect(await agent.inspect('latest')).toMatchObject({
      callable: { module: 'sandtable', source_preview: null },
    });
    await agent.exec(`def long():\n${Array.from({ length: 200 }, (_, n) => `    x = ${n}`).join('\n')}`);
    const { callable } = (await agent.inspect('long')) as { callable: { source_preview: string } };
    expect(callable).toMatchObject({ source_truncated: true });
    expect(callable.source_preview).toHaveLength(1200);
  });

  it('shows an exception with its message and traceback', async () => {
    expect(await agent.inspect('caught')).toMatchObject({
      exception: {
        exc_type: 'ZeroDivisionError',
        message: 'division by zero',
        traceback: expect.stringMatching(
          /^Traceback [\s\S]*in <module>\n {4}1 \/ 0\nZeroDivisionError: division by zero\n$/,
        ),
      },
    });
    expect(await agent.inspect('Odd("x")')).toMatchObject({ exception: { exc_type: 'Odd', message: 'x' } });
    expect(await agent.inspect('Odd')).toMatchObject({
      kind: 'class',
      exception: { exc_type: 'Odd', message: null },
    });
  });

  it('reports an error in the place of a value that cannot be read', async () => {
    expect(await agent.inspect('Broken()')).toMatchObject({
      kind: 'object',
      repr: { repr_error: 'ValueError: no repr' },
      size: { len_error: 'KeyError: no len' },
      members: { dir_error: 'OSError: no dir' },
      doc: { doc_error: 'TypeError: __doc__ is a int, not a string' },
    });
    expect(await agent.inspect('[Broken()]')).toMatchObject({
      repr: { repr_error: 'ValueError: no repr' },
      sample: { items: ['<list: repr failed with ValueError>'.replace('list', 'Broken')] },
    });
    expect(await agent.inspect('Liar([1, 2])')).toMatchObject({
      repr: { truncated: true },
      size: { len_error: expect.stringMatching(/^OverflowError/) },
      sample: { items: ['1', '2'], total: 2 },
    });
  });

  it('reads no property, and lists the members', async () => {
    expect(await agent.inspect('Plain()')).toMatchObject({
      members: { data: ['_hidden', 'a', 'boom', 'n'], callables: ['method'], truncated: false },
    });
    const { members } = (await agent.inspect('df')) as { members: { data: string[]; callables: string[] } };
    for (const name of [...members.data, ...members.callables]) {
      expect(await agent.call('eval_expr', { expr: `hasattr(df, "${name}")` })).toMatchObject({
        result: { value_repr: expect.stringMatching(/True|False/) },
      });
      expect(name).not.toMatch(/^_|plot|style/);
    }
  });

  it('describes tables by shape, types, index and first rows', async () => {
    const { window } = agent.world.turn;
    expect(await agent.inspect('df')).toMatchObject({
      type: { name: 'DataFrame', module: 'pandas.core.frame' },
      repr: { text: '<DataFrame: 31 rows x 6 columns: date, open, high, low, close, volume>' },
      size: { len: 31, shape: [31, 6] },
      sample: {
        shown: 5,
        total: 31,
        truncated: true,
        items: expect.arrayContaining([expect.stringMatching(/^date=2000-01-03T00:00:00, open=/)]),
      },
      pandas: {
        columns: ['date', 'open', 'high', 'low', 'close', 'volume'],
        columns_total: 6,
        dtypes: { date: 'datetime64[ns]', close: 'float64' },
        index: { type: 'RangeIndex', len: 31, start: 0, stop: 31, step: 1 },
        last: { close: String(window.close.last) },
      },
    });
    expect(await agent.inspect('df.close')).toMatchObject({
      size: { len: 31, shape: [31] },
      sample: { shown: 16, total: 31 },
      pandas: { dtype: 'float64', name: 'close', last: String(window.close.last) },
    });
    expect(await agent.inspect('df.set_index("date").index')).toMatchObject({
      pandas: { index: { type: 'DatetimeIndex', first: '2000-01-03T00:00:00' } },
    });
    expect(await agent.inspect('np.arange(6.0).reshape(2, 3)')).toMatchObject({
      repr: { text: 'array([[0., 1., 2.],\n       [3., 4., 5.]])' },
      size: { len: 2, shape: [2, 3] },
      numpy: { dtype: 'float64', shape: [2, 3], ndim: 2, size: 6 },
    });
    for (const expr of [
      'pd.DataFrame()',
      'pd.Series(dtype=float)',
      'np.array(5)',
      'np.zeros((0, 3))',
      'pd.DataFrame(np.zeros((3, 500)))',
      'pd.concat({"a": df, "b": df}, axis=1)',
      'df.groupby(["open", "close"]).size().index',
      'pd.Categorical(["a", None])',
      'pd.Series([Broken(), [1], None])',
      'pd.DataFrame({1: [1], (1, 2): [2]})',
      'np.zeros(3, dtype=[("a", "i4"), ("b", "O")])',
      'pd.Series([pd.NaT, pd.NA, np.nan])',
    ]) {
      const found = await agent.inspect(expr);
      expect([expr, found]).toEqual([expr, expect.not.objectContaining({ table_error: expect.anything() })]);
      expect(JSON.stringify(found).length).toBeLessThan(12_000);
    }
  });

  it('is the same on every call', async () => {
    for (const expr of ['df', 'Plain()', 'np', '{object(): 1}', 'Plain().method', '{int, float}']) {
      expect(await agent.inspect(expr)).toEqual(await agent.inspect(expr));
    }
  });

  it('answers an expression that fails with the exception', async () => {
    expect(await agent.call('inspect', { expr: 'nothing' })).toMatchObject({
      ok: false,
      error: "NameError: name 'nothing' is not defined (line 1)",
      remediation: expect.stringContaining('available variables'),
      code: 'python_exception',
      exception: { type: 'NameError', line: 1, traceback: expect.stringContaining('<expr ') },
    });
    for (const expr of ['x = 1', 'import math', '', '1 +'])
      expect(await agent.call('inspect', { expr })).toMatchObject({
        error: expect.any(String),
        remediation: expect.any(String),
      });
  });
});
