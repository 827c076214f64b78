import { beforeAll, describe, expect, it } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { loadTestPython } from '../../test/support/ta-python.ts';
import { referencePython } from '../../test/support/ta-reference-python.ts';

const python = await loadTestPython();
if (python === undefined) skipBecause('ta reference tests skipped: they need the pandas wheels.');

/**
 * Each line contains a call of `ta`, the expected columns as calls of slow reference functions, and cases. A
 * case has a value for each one-letter parameter, such as `n`. `C` and `c` are the closes, as Series and
 * list.
 */
const sweeps: [call: string, reference: string, ...cases: number[][]][] = [
  ['ta.sma(C, n)', '[mean(c, n)]', [1], [3], [16], [37]],
  ['ta.ema(C, n)', '[ema(c, n)]', [1], [5], [33]],
  ['ta.rma(C, n)', '[rma(c, n)]', [1], [6], [21]],
  ['ta.wma(C, n)', '[wma(c, n)]', [2], [9], [30]],
  ['ta.wma(C, n, asc=False)', '[weighted(c, range(n, 0, -1))]', [4]],
  ['ta.dema(C, n)', '[each(lambda a, b: 2 * a - b, ema(c, n), ema(ema(c, n), n))]', [3], [14]],
  [
    'ta.tema(C, n)',
    '[each(lambda a, b, d: 3 * a - 3 * b + d, ema(c, n), ema(ema(c, n), n), ema(ema(ema(c, n), n), n))]',
    [4],
    [9],
  ],
  [
    'ta.hma(C, n)',
    '[wma(each(lambda a, b: 2 * a - b, wma(c, n // 2), wma(c, n)), int(n ** 0.5))]',
    [4],
    [15],
    [25],
  ],
  ['ta.trima(C, n)', '[mean(mean(c, round((n + 1) / 2)), round((n + 1) / 2))]', [5], [12]],
  ['ta.fwma(C, n)', '[weighted(c, fibonacci(n))]', [2], [7], [13]],
  ['ta.pwma(C, n)', '[weighted(c, [math.comb(n - 1, k) for k in range(n)])]', [3], [8]],
  ['ta.swma(C, n)', '[weighted(c, [min(k + 1, n - k) for k in range(n)])]', [4], [7]],
  ['ta.sinwma(C, n)', '[weighted(c, [math.sin(math.pi * (k + 1) / (n + 1)) for k in range(n)])]', [3], [20]],
  ['ta.vwma(C, V, n)', '[each(divide, total([a * b for a, b in zip(c, v)], n), total(v, n))]', [3], [18]],
  ['ta.linreg(C, n)', '[roll(c, n, lambda w: line(w)[0] * (n - 1) + line(w)[1])]', [3], [22]],
  ['ta.linreg(C, n, slope=True)', '[roll(c, n, lambda w: line(w)[0])]', [5], [40]],
  [
    'ta.linreg(C, n, angle=True, degrees=True)',
    '[roll(c, n, lambda w: math.degrees(math.atan(line(w)[0])))]',
    [6],
  ],
  ['ta.cti(C, n)', '[roll(c, n, correlation)]', [5], [19]],
  ['ta.midpoint(C, n)', '[each(lambda a, b: (a + b) / 2, high_of(c, n), low_of(c, n))]', [2], [11]],
  ['ta.midprice(H, L, n)', '[each(lambda a, b: (a + b) / 2, high_of(h, n), low_of(l, n))]', [3], [12]],
  ['ta.kama(C, n, f, s)', '[kama(c, n, f, s)]', [5, 2, 30], [14, 3, 20]],
  ['ta.rsi(C, n)', '[rsi(c, n)]', [2], [9], [25]],
  ['ta.macd(C, f, s, n)', 'macd(c, f, s, n)', [3, 10, 16], [8, 21, 5]],
  ['ta.roc(C, n)', '[each(lambda a, b: 100 * (a / b - 1), c, lag(c, n))]', [1], [7]],
  ['ta.mom(C, n)', '[change(c, n)]', [1], [13]],
  [
    'ta.willr(H, L, C, n)',
    '[each(lambda a, b, d: 100 * ((b - a) / (d - a) - 1), low_of(l, n), c, high_of(h, n))]',
    [5],
    [28],
  ],
  [
    'ta.cci(H, L, C, n, k)',
    '[each(lambda a, b, d: (a - b) / (k * d), typical(h, l, c), mean(typical(h, l, c), n), roll(typical(h, l, c), n, away))]',
    [5, 0.015],
    [20, 0.02],
  ],
  [
    'ta.stoch(H, L, C, n, f, s).reindex(C.index)',
    '(lambda x: [x, mean(x, f)])(mean(each(place, c, low_of(l, n), high_of(h, n)), s))',
    [5, 3, 2],
    [21, 5, 4],
  ],
  [
    'ta.stochrsi(C, n, m, f, s)',
    '(lambda r: (lambda x: [x, mean(x, s)])(mean(each(place, r, low_of(r, n), high_of(r, n)), f)))(rsi(c, m))',
    [7, 9, 2, 4],
    [14, 21, 3, 5],
  ],
  [
    'ta.bbands(C, n, k).iloc[:, :3]',
    '(lambda m, d: [each(lambda a, b: a - k * b, m, d), m, each(lambda a, b: a + k * b, m, d)])(mean(c, n), roll(c, n, lambda w: spread(w, 0) ** 0.5))',
    [8, 1.5],
    [20, 3],
  ],
  ['ta.true_range(H, L, C)', '[true_range(h, l, c)]', []],
  ['ta.atr(H, L, C, n)', '[rma(true_range(h, l, c), n)]', [3], [20]],
  ['ta.atr(H, L, C, n, mamode="sma")', '[mean(true_range(h, l, c), n)]', [6]],
  ['ta.natr(H, L, C, n)', '[each(lambda a, b: 100 * a / b, ema(true_range(h, l, c), n), c)]', [9]],
  ['ta.adx(H, L, C, n, m)', 'adx(h, l, c, n, m)', [5, 5], [10, 18]],
  [
    'ta.aroon(H, L, n).iloc[:, :2]',
    '[roll(x, n + 1, lambda w: 100 * (1 - w[::-1].index(f(w)) / n)) for x, f in ((l, min), (h, max))]',
    [5],
    [25],
  ],
  [
    'ta.donchian(H, L, n, m)',
    '[low_of(l, n), each(lambda a, b: (a + b) / 2, low_of(l, n), high_of(h, m)), high_of(h, m)]',
    [5, 9],
    [20, 10],
  ],
  [
    'ta.kc(H, L, C, n, k)',
    '(lambda m, d: [each(lambda a, b: a - k * b, m, d), m, each(lambda a, b: a + k * b, m, d)])(ema(c, n), ema(true_range(h, l, c), n))',
    [7, 1.5],
    [15, 3],
  ],
  ['ta.supertrend(H, L, C, n, k).iloc[:, :2]', 'supertrend(h, l, c, n, k)', [5, 1.5], [10, 2]],
  ['ta.psar(H, L, C, a, b, m).iloc[:, :2]', 'psar(h, l, c, a, b, m)', [0.02, 0.02, 0.2], [0.05, 0.03, 0.4]],
  ['ta.obv(C, V)', '[sums([v[0]] + [b * ((a > 0) - (a < 0)) for a, b in zip(change(c)[1:], v[1:])])]', []],
  [
    'ta.mfi(H, L, C, V, n)',
    '(lambda t, d: [each(lambda a, b: 100 * divide(a, a + b), total([x * y if z > 0 else 0 for x, y, z in zip(t, v, d)], n), total([x * y if z < 0 else 0 for x, y, z in zip(t, v, d)], n))])(typical(h, l, c), change(typical(h, l, c)))',
    [5],
    [20],
  ],
  ['ta.cmf(H, L, C, V, length=n)', '[each(divide, total(flow(h, l, c, v), n), total(v, n))]', [6], [21]],
  [
    'ta.adosc(H, L, C, V, fast=f, slow=s)',
    '[each(lambda a, b: a - b, ema(sums(flow(h, l, c, v)), f), ema(sums(flow(h, l, c, v)), s))]',
    [2, 7],
  ],
  ['ta.efi(C, V, n)', '[ema([a * b for a, b in zip(change(c), v)], n)]', [4], [13]],
  ['ta.pvt(C, V)', '[sums([100 * (a / b - 1) * x for a, b, x in zip(c, lag(c), v)])]', []],
  ['ta.nvi(C, V)', '[index_of(c, v, False)]', []],
  ['ta.pvi(C, V)', '[index_of(c, v, True)]', []],
  [
    'ta.zscore(C, n, k)',
    '[each(lambda a, b, d: (a - b) / (k * d), c, mean(c, n), roll(c, n, lambda w: spread(w, 1) ** 0.5))]',
    [10, 1],
    [25, 2],
  ],
  ['ta.variance(C, n, int(d))', '[roll(c, n, lambda w: spread(w, d))]', [5, 1], [30, 0]],
  ['ta.stdev(C, n)', '[roll(c, n, lambda w: spread(w, 1) ** 0.5)]', [2], [11]],
  ['ta.skew(C, n)', '[roll(c, n, skewness)]', [5], [24]],
  ['ta.kurtosis(C, n)', '[roll(c, n, peakedness)]', [6], [24]],
  ['ta.median(C, n)', '[roll(c, n, lambda w: share(w, 0.5))]', [4], [15]],
  ['ta.quantile(C, n, q)', '[roll(c, n, lambda w: share(w, q))]', [10, 0.2], [15, 0.9]],
  ['ta.mad(C, n)', '[roll(c, n, away)]', [5], [21]],
  ['ta.entropy(C, n)', '[total(each(lambda a, b: -a / b * math.log2(a / b), c, total(c, n)), n)]', [4], [12]],
  [
    'ta.er(C, n)',
    '[each(lambda a, b: divide(abs(a), b), change(c, n), total([abs(x) for x in change(c)], n))]',
    [5],
    [20],
  ],
  [
    'ta.chop(H, L, C, n, m)',
    '[each(lambda a, b, d: 100 * math.log10(a / (b - d)) / math.log10(n), total(rma(true_range(h, l, c), m), n), high_of(h, n), low_of(l, n))]',
    [7, 1],
    [20, 3],
  ],
  [
    'ta.vortex(H, L, C, n)',
    '[each(divide, total([abs(a - b) for a, b in zip(*p)], n), total(true_range(h, l, c), n)) for p in ((h, lag(l)), (l, lag(h)))]',
    [5],
    [21],
  ],
  [
    'ta.vhf(C, n)',
    '[each(lambda a, b, d: (a - b) / d, high_of(c, n), low_of(c, n), total([abs(x) for x in change(c)], n))]',
    [6],
    [30],
  ],
  [
    'ta.trix(C, n, m)',
    '(lambda x: [x, mean(x, m)])((lambda e: each(lambda a, b: 100 * (a / b - 1), e, lag(e)))(ema(ema(ema(c, n), n), n)))',
    [5, 4],
    [12, 9],
  ],
  [
    'ta.tsi(C, f, s, m)',
    '(lambda x: [x, ema(x, m)])(each(lambda a, b: 100 * a / b, strength(change(c), f, s), strength([abs(x) for x in change(c)], f, s)))',
    [4, 9, 3],
    [7, 20, 11],
  ],
  [
    'ta.ppo(C, f, s, m)',
    '(lambda x: [x, each(lambda a, b: a - b, x, ema(x, m)), ema(x, m)])(each(lambda a, b: 100 * (a - b) / b, mean(c, f), mean(c, s)))',
    [4, 9, 3],
  ],
  [
    'ta.ui(C, n)',
    '[roll(each(lambda a, b: (100 * (a - b) / b) ** 2, c, high_of(c, n)), n, lambda w: math.sqrt(fmean(w)))]',
    [5],
    [17],
  ],
  [
    'ta.coppock(C, n, f, s)',
    '[wma(each(lambda a, b, d: 100 * (a / b - 1) + 100 * (a / d - 1), c, lag(c, f), lag(c, s)), n)]',
    [5, 6, 9],
  ],
  [
    'ta.massi(H, L, f, s)',
    '(lambda e: [total(each(divide, e, ema(e, f)), s)])(ema([a - b or 2.220446049250313e-16 for a, b in zip(h, l)], f))',
    [4, 12],
  ],
  ['ta.cg(C, n)', '[roll(c, n, lambda w: -sum(x * (n - k) for k, x in enumerate(w)) / sum(w))]', [4], [16]],
  ['ta.bias(C, n)', '[each(lambda a, b: a / b - 1, c, mean(c, n))]', [6], [30]],
  [
    'ta.cmo(C, n, talib=False)',
    '[each(lambda a, b: 100 * divide(a - b, a + b), total(each(lambda x: max(x, 0), change(c)), n), total(each(lambda x: max(-x, 0), change(c)), n))]',
    [5],
    [20],
  ],
  ['ta.slope(C, n)', '[[x / n for x in change(c, n)]]', [1], [6]],
  ['ta.fisher(H, L, n).iloc[:, :1]', '[fisher(h, l, n)]', [5], [14]],
  [
    'ta.ao(H, L, f, s)',
    '(lambda m: [each(lambda a, b: a - b, mean(m, f), mean(m, s))])([(a + b) / 2 for a, b in zip(h, l)])',
    [3, 12],
  ],
];

describe.skipIf(python === undefined)('ta compared with slow definitions, over parameters', () => {
  beforeAll(() => {
    python!.runPython(`${referencePython}
import json
import numpy as np
import pandas as pd
import ta

def market(seed, rows=150):
    rng = np.random.default_rng(seed)
    close = np.round(50 * np.exp(np.cumsum(rng.normal(0, 0.02, rows))), 2)
    open_ = np.round(np.where(rng.random(rows) < 0.2, close, close + rng.normal(0, 0.5, rows)), 2)
    high = np.maximum(open_, close) + np.round(np.abs(rng.normal(0, 0.4, rows)), 2) * (rng.random(rows) < 0.9)
    low = np.minimum(open_, close) - np.round(np.abs(rng.normal(0, 0.4, rows)), 2)
    return {'O': open_, 'H': high, 'L': low, 'C': close, 'V': rng.integers(1, 9, rows) * 1000.0}

def sweep(call, reference, letters, seed):
    columns = market(seed)
    series = {name: pd.Series(values, name=name) for name, values in columns.items()}
    lists = {name.lower(): values.tolist() for name, values in columns.items()}
    got = eval(call, {'ta': ta, **series, **letters})
    got = got.to_frame() if isinstance(got, pd.Series) else got
    want = list(eval(reference, {**globals(), **lists, **letters}))
    faults = [] if got.shape[1] == len(want) else [f'{got.shape[1]} columns, wanted {len(want)}']
    for name, values in zip(got.columns, want):
        a, b = got[name].to_numpy(float), np.array(values, dtype=float)
        far = np.flatnonzero((np.isnan(a) != np.isnan(b)) | (np.abs(a - b) > np.maximum(1e-8 * np.abs(b), 1e-8)))
        if far.size:
            faults.append(f'{name} at {far[0]} (of {far.size}): {a[far[0]]}, wanted {b[far[0]]}')
    return json.dumps(faults)
`);
  });

  for (const [call, reference, ...cases] of sweeps) {
    it(call, () => {
      const names = (/\((.*?)\)(?:\.|$)/.exec(call)?.[1] ?? '').match(/\b[a-z]\b/g) ?? [];
      for (const values of cases) {
        const letters = Object.fromEntries(names.map((name, index) => [name, values[index]]));
        for (const seed of [1, 2]) {
          python!.globals.set('sweep_case', JSON.stringify([call, reference, letters, seed]));
          expect({
            letters,
            faults: JSON.parse(python!.runPython('sweep(*json.loads(sweep_case))') as string),
          }).toEqual({
            letters,
            faults: [],
          });
        }
      }
    });
  }
});
