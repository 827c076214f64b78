import type { Row } from './cache-pairs.ts';
import { contamination, type Pair } from './pairs.ts';

/**
 * Pair of calls for tests of code without an end. `hung` is the first call. It is interrupted, or ended by
 * force inside its process.
 */
export interface HungPair extends Pair {
  readonly hung: string;
  /** Index of the first call's code without an end in `HANGS`. `undefined` for the calls of `DURING`. */
  readonly hang?: number;
}

/** Code without an end. The first three can be interrupted. The others must be ended by force. */
export const HANGS = [
  'while True: pass',
  'import re\nre.match("(a+)+$", "a" * 40 + "b")',
  'def again():\n    try:\n        while True: pass\n    finally:\n        while True: pass\nagain()',
  'np.convolve(np.ones(10**6), np.ones(10**5))',
  'sum(range(10**12))',
  'np.linalg.svd(np.random.rand(2500, 2500))',
] as const;

const indented = (code: string): string => code.replace(/^/gm, '    ');

/**
 * Changes that Python undoes at the end of a `with` block. Each row contains: name, code that makes the same
 * change permanently, code that shows the change, and the start of the `with` block. A call without an end
 * never leaves this block.
 */
const HALFWAY: readonly (readonly [...Row, begin: string])[] = [
  [
    'an option of a context',
    'pd.set_option("display.max_rows", 4)',
    'str(pd.Series(range(20)))',
    'with pd.option_context("display.max_rows", 4):',
  ],
  [
    'the error state of numpy',
    'np.seterr(all="raise")',
    'str(np.array([1.0]) / 0)',
    'with np.errstate(all="raise"):',
  ],
  [
    'the context of decimal',
    'import decimal\ndecimal.getcontext().prec = 3',
    'import decimal\nresult = str(decimal.Decimal(1) / 3)',
    'import decimal\nwith decimal.localcontext() as c:\n  c.prec = 3\n  if True:',
  ],
  [
    'printing of numpy',
    'np.set_printoptions(precision=2)',
    'str(np.array([1 / 3]))',
    'with np.printoptions(precision=2):',
  ],
];

const halfway: readonly HungPair[] = HALFWAY.flatMap(([name, leave, see, begin]) =>
  HANGS.map((code, hang) => ({
    name: `${name}, in ${code.split('\n').at(-1)}`,
    leave,
    see,
    hung: `${begin}\n${indented(code)}`,
    hang,
  })),
);

/**
 * Calls without an end that draw random numbers, allocate memory or suspend generators. `see`: code that
 * would show their effects.
 */
const DURING: readonly (readonly [name: string, hung: string, see: string])[] = [
  ['random numbers of numpy', 'while True: np.random.rand(1000)', 'str(np.random.rand(3))'],
  [
    'random numbers of Python',
    'import random\nwhile True: random.random()',
    'import random\nresult = random.random()',
  ],
  [
    'a generator of numpy',
    'r = np.random.default_rng()\nr.random(10**9).sum()',
    'str(np.random.default_rng().random())',
  ],
  [
    'a generator that is suspended',
    'def g():\n    try:\n        yield 1\n    finally:\n        pd.set_option("display.max_rows", 4)\nx = g()\nnext(x)\nsum(range(10**12))',
    'str(pd.Series(range(20)))',
  ],
  [
    'a sort of a column',
    'df.close.sort_values(key=lambda s: [None for _ in iter(int, 1)])',
    'str(df.close.sort_values().tail(3))',
  ],
  ['an indicator', 'while True: ta.ema(df.close, 7, talib=False)', 'str(ta.ema(df.close, 7).tail(3))'],
  [
    'a cache of a column',
    'x = df.groupby("volume").close.mean()\nwhile True: df.date.is_monotonic_increasing',
    'str(df.date.is_unique)',
  ],
  ['output', 'while True: print("left", end="")', '1'],
];

/**
 * Every eighth pair with code without an end after its first call, calls that are ended inside a `with`
 * block, and the calls of `DURING`.
 */
export const hungPairs: readonly HungPair[] = [
  ...contamination
    .filter((_, place) => place % 8 === 0)
    .map((pair, place): HungPair => {
      const attempt = `try:\n${indented(pair.leave)}\nexcept Exception:\n    pass`;
      const hang = place % HANGS.length;
      return { ...pair, hung: `${attempt}\n${HANGS[hang]}`, hang };
    }),
  ...halfway,
  ...DURING.map(([name, hung, see]): HungPair => ({ name, leave: hung, see, hung })),
];
