import { afterAll, describe, expect, test } from 'vitest';
import { runSettingsSchema, World } from '../../src/engine/index.ts';
import { simulateMarket } from '../../src/market/index.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxReply } from '../../src/sandbox/sandbox-call.ts';
import type { Attack } from '../policy/attack.ts';
import { attacks } from '../policy/attacks.ts';
import { sampled } from '../support/depth.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { findTestRuntime } from '../support/ta-python.ts';

const runtime = await findTestRuntime();

/** Returns code as a Python function `attack` that returns its result. */
function asFunction(code: string): string {
  const lines = code.split('\n');
  const body = /(^|\n)\s*(result\s*=|if |for |while |try:|match |with |def |class |import |from |pass)/.test(
    code,
  )
    ? [...lines, 'return result']
    : [...lines.slice(0, -1), `return (${lines.at(-1)})`];
  return `def attack():\n    result = None\n${body.map((line) => `    ${line}`).join('\n')}`;
}

/** Expressions in which pandas, numpy or Python calls a function that is given by value or by name. */
const PLACES = [
  'df.pipe(note)',
  'df.head(1).apply(note, axis=1)',
  'df.close.head(1).apply(note)',
  'df.close.head(2).map(note)',
  'df[["close"]].head(2).agg(note)',
  'df[["close"]].head(2).transform(note)',
  'df.head(2).groupby("open").agg({"close": note})',
  'df.close.head(3).rolling(1).apply(note)',
  'df.set_index("date").close.head(2).resample("D").apply(note)',
  'df.eval("@note()")',
  'df.query("@note() > 0")',
  'pd.eval("note()")',
  '"{0.spelled}".format(Spelled())',
  '"{a.spelled}".format_map({"a": Spelled()})',
  'f"{Spelled().spelled}"',
  'attrgetter("spelled")(Spelled())',
  'methodcaller("call")(Spelled())',
  'getattr(Spelled(), "spelled")',
];

const everywhere = (code: string): string => `from operator import attrgetter, methodcaller
${asFunction(code)}
got = []
def note(*arguments, **named):
    try:
        value = attack()
    except Exception:
        return 1.0
    if isinstance(value, str):
        got.append(value)
    return 1.0
class Spelled:
    @property
    def spelled(self): return note()
    def call(self): return note()
for place in (${PLACES.map((place) => `lambda: ${place}`).join(', ')}):
    try:
        place()
    except Exception:
        pass
result = "PWNED" if "PWNED" in got else len(got)`;

/** Names of attributes that code must not read from library objects: those that the attacks use, and more. */
const FORBIDDEN = [
  ...new Set(
    attacks.flatMap(({ code, setup = '' }) =>
      [...`${code}\n${setup}`.matchAll(/[."'](_\w+)/g)].map((match) => match[1]!),
    ),
  ),
  ...'gi_frame gi_code gi_yieldfrom f_back f_globals f_builtins tb_frame tb_next obj base ctypes fset fget fdel resize set_state bit_generator to_pickle tofile register mro setflags with_traceback'.split(
    ' ',
  ),
].filter((name) => !/^__(name|doc|version|main|len)__$|^_(asdict|replace|fields|make|k|x|value)$/.test(name));

/**
 * Ways to read an attribute whose name is only known as text. `o`: the object. `name`: the name of the
 * attribute.
 */
const READERS: readonly (readonly [string, string])[] = [
  ['getattr', 'getattr(o, name)'],
  ['attrgetter', 'attrgetter(name)(o)'],
  ['methodcaller', 'methodcaller(name)(o)'],
  ['format', '("{0." + name + "}").format(o)'],
  ['format_map', '("{o." + name + "}").format_map({"o": o})'],
  ['df.eval', 'df.eval("@o." + name)'],
  ['df.eval of a call', 'df.eval("@o." + name + "()")'],
  ['df.query', 'df.query("@o." + name + " is not None")'],
  ['pd.eval', 'pd.eval("o." + name)'],
  ['pipe', 'df.pipe(lambda d: getattr(o, name))'],
  ['map', 'list(map(getattr, [o], [name]))'],
  ['reduce', 'reduce(getattr, [name], o)'],
];
const DISPATCHERS = [
  'df[["close"]].agg(name)',
  'df.close.agg(name)',
  'df.close.agg([name])',
  'df.agg({"close": name})',
  'df.close.apply(name)',
  'df[["close"]].apply(name)',
  'df.close.transform(name)',
  'df[["close"]].transform(name)',
  'df.groupby("open").agg(name)',
  'df.groupby("open").close.agg(name)',
  'df.groupby("open").close.transform(name)',
  'df.groupby("open").apply(name)',
  'df.groupby("open").agg(x=("close", name))',
  'df.close.rolling(3).agg(name)',
  'df.close.expanding().agg(name)',
  'df.close.ewm(span=3).agg(name)',
  'df.set_index("date").close.resample("W").agg(name)',
  'df.set_index("date").close.resample("W").apply(name)',
  'df.pivot_table(index="open", values="close", aggfunc=name)',
  'df.ta(name)',
];

/** Ufuncs whose method `at` must not be readable, although the name `at` is allowed on frames and series. */
const UFUNCS =
  '[np.add, np.multiply, np.ufunc, type(np.add), np.frompyfunc(lambda x, y: y, 2, 1), np.vecdot]';

describe.skipIf(runtime === undefined)('attacks in every spelling', () => {
  const sandbox = new Sandbox({ runtime: runtime!, timeoutMs: PATIENT_MS, graceMs: PATIENT_MS, spares: 0 });
  const market = simulateMarket({ seed: 5, bars: 60, symbols: ['AAPL', 'SPY'], start: '2020-01-01' });
  const world = new World(market, runSettingsSchema.parse({}));
  for (let bar = 0; bar < market.clock.length; bar++) world.reveal();
  const account = { cash: 100_000, equity: 110_000, positions: {} };
  const limits = {
    timeoutMs: PATIENT_MS,
    resultBytes: 32_768,
    stdoutCharacters: 4_000,
    codeCharacters: 100_000,
  };
  const compute = (code: string): Promise<SandboxReply> =>
    sandbox.call({
      operation: 'compute',
      bar: world.bar,
      time: world.time,
      windows: market.symbols.map((symbol) => world.turn.windowOf(symbol)),
      request: { code, symbol: 'AAPL', account, limits },
    });
  afterAll(() => sandbox.close());

  test('a harmless function is called at every place, which proves that attacks would be called', async () => {
    const reply = await compute(everywhere('result = "called"'));
    expect(reply).toMatchObject({ ok: true });
    expect(reply.ok && (reply.result as number)).toBeGreaterThanOrEqual(PLACES.length);
  });

  const named = (list: readonly Attack[]) => list.map((attack) => [attack.name, attack] as const);
  test.each(named(sampled(attacks, 96)))('are contained at every place: %s', async (_, attack) => {
    if (attack.setup === undefined) {
      const reply = await compute(everywhere(attack.code));
      expect(reply.ok && reply.result).not.toBe('PWNED');
      return;
    }
    await compute(everywhere(attack.setup));
    const reply = await compute(attack.code);
    expect(reply.ok && reply.result).not.toBe('PWNED');
  });

  test.each(READERS)('%s reads no forbidden name', async (_, reader) => {
    const reply = await compute(`from operator import attrgetter, methodcaller
from functools import reduce
def generator(): yield 1
def caught():
    try:
        1 / 0
    except Exception as problem:
        return problem
owners = [df, df.close, df.columns, latest, generator(), np.zeros(3), np, pd, pd.Index.name, caught(), np.random.default_rng(1), df.groupby("open"), "text", df.close.mean]
read = []
for name in ${JSON.stringify(FORBIDDEN)}:
    for o in owners:
        if name == "resize" and o is np:
            continue
        # The class of an exception may be read: type(problem) gives it too.
        if name == "__class__" and isinstance(o, Exception):
            continue
        try:
            value = ${reader}
            read.append(name + " of " + type(o).__name__)
        except Exception:
            pass
result = read`);
    expect(reply).toMatchObject({ ok: true, result: [] });
  });

  test.each(READERS)('%s does not read the method `at` of a ufunc', async (_, reader) => {
    const reply = await compute(`from operator import attrgetter, methodcaller
from functools import reduce
name = "at"
said = []
for o in ${UFUNCS}:
    try:
        ${reader}
        said.append("read")
    except Exception as problem:
        said.append(type(problem).__name__)
result = said`);
    expect(reply).toMatchObject({ ok: true });
    expect(reply.ok && reply.result).not.toContain('read');
  });

  test.each(DISPATCHERS)('%s calls no forbidden name', async (dispatcher) => {
    const reply = await compute(`called = []
for name in ${JSON.stringify(FORBIDDEN.filter((name) => name !== 'resize'))}:
    try:
        ${dispatcher}
        called.append(name)
    except Exception:
        pass
result = called`);
    expect(reply).toMatchObject({ ok: true, result: [] });
  });
});
