import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { skipBecause } from '../../../test/missing.ts';
import { findOracle, loadTestPython } from '../../../test/support/ta-python.ts';
import { type BarSeries, barSeries } from '../bars/bar-columns.ts';
import { SeriesCursor } from '../bars/window.ts';
import { declareIndicators, type Indicator, type IndicatorGroup, type IndicatorKit } from './declare.ts';
import { IndicatorSet } from './indicator-set.ts';

const DAY = 86_400_000;
const LENGTHS = [1, 2, 3, 5, 8, 14, 31, 150];

/**
 * One indicator in two implementations whose results must be equal: a Python expression and a declaration.
 */
interface Twin {
  readonly python: string;
  readonly declare: (kit: IndicatorKit) => ReturnType<IndicatorKit['sma' | 'macd']>;
  /** Name of each output, and the column of the Python result that must be equal. */
  readonly outputs: readonly (readonly [output: string, column: string])[];
}

function twins(n: number): Twin[] {
  const one = (python: string, declare: Twin['declare'], column: string): Twin => ({
    python,
    declare,
    outputs: [['', column]],
  });
  return [
    one(`ta.sma(df.close, ${n})`, (kit) => kit.sma(n), `SMA_${n}`),
    one(`ta.ema(df.close, ${n})`, (kit) => kit.ema(n), `EMA_${n}`),
    one(`ta.rsi(df.close, ${n})`, (kit) => kit.rsi(n), `RSI_${n}`),
    one(`ta.atr(df.high, df.low, df.close, ${n})`, (kit) => kit.atr(n), `ATRr_${n}`),
    one(`ta.stdev(df.close, ${n})`, (kit) => kit.stdev(n), `STDEV_${n}`),
    one(`ta.zscore(df.close, ${n})`, (kit) => kit.zscore(n), `ZS_${n}`),
    {
      python: `ta.macd(df.close, ${n}, ${2 * n}, ${n + 1})`,
      declare: (kit) => kit.macd(n, 2 * n, n + 1) as never,
      outputs: [
        ['line', `MACD_${n}_${2 * n}_${n + 1}`],
        ['histogram', `MACDh_${n}_${2 * n}_${n + 1}`],
        ['signal', `MACDs_${n}_${2 * n}_${n + 1}`],
      ],
    },
    {
      python: `ta.bbands(df.close, ${n}, 1.5)`,
      declare: (kit) => kit.bollinger(n, 1.5) as never,
      outputs: [
        ['lower', `BBL_${n}_1.5`],
        ['middle', `BBM_${n}_1.5`],
        ['upper', `BBU_${n}_1.5`],
        ['width', `BBB_${n}_1.5`],
        ['percent', `BBP_${n}_1.5`],
      ],
    },
    {
      python: `ta.donchian(df.high, df.low, ${n}, ${n + 2})`,
      declare: (kit) => kit.donchian(n, n + 2) as never,
      outputs: [
        ['lower', `DCL_${n}_${n + 2}`],
        ['middle', `DCM_${n}_${n + 2}`],
        ['upper', `DCU_${n}_${n + 2}`],
      ],
    },
    {
      python: `ta.adx(df.high, df.low, df.close, ${n}, ${n + 1})`,
      declare: (kit) => kit.adx(n, n + 1) as never,
      outputs: [
        ['adx', `ADX_${n + 1}`],
        ['plus', `DMP_${n}`],
        ['minus', `DMN_${n}`],
      ],
    },
  ];
}

/** Values of a declared indicator over a whole series, by output. */
function valuesOf(series: BarSeries, declare: Twin['declare']): Record<string, number[]> {
  const cursor = new SeriesCursor(series);
  const set = new IndicatorSet(declareIndicators((kit: IndicatorKit) => ({ it: declare(kit) }), {}, 'test'));
  set.begin({ symbols: [series.symbol], contextSymbols: [], windowOf: () => cursor.window });
  for (const time of series.time) cursor.advanceTo(time);
  const it = set.values.it!;
  const length = series.time.length;
  if ('last' in it) return { '': Array.from((it as Indicator).tail(length)) };
  const { of: _, ...outputs } = it as IndicatorGroup<string>;
  return Object.fromEntries(
    Object.entries(outputs as Record<string, Indicator>).map(([name, one]) => [
      name,
      Array.from(one.tail(length)),
    ]),
  );
}

const oracle = findOracle();
if (oracle === undefined) skipBecause('indicators are not compared with ../shared/oracles.');

describe.skipIf(oracle === undefined)('indicators against the pandas_ta oracle', () => {
  const text = oracle === undefined ? '' : readFileSync(join(oracle, 'input.csv'), 'utf8');
  const [head = '', ...rows] = text.trim().split('\n');
  const names = head.split(',');
  const bars = rows.map((row) => {
    const cells = row.split(',');
    const cell = (name: string): number => Number(cells[names.indexOf(name)]);
    return {
      time: Date.parse(cells[names.indexOf('date')]!),
      open: cell('open'),
      high: cell('high'),
      low: cell('low'),
      close: cell('close'),
      volume: cell('volume'),
    };
  });
  const series = barSeries('SPX', bars);
  type Columns = Record<string, (number | null)[]>;
  const expected: Record<string, Columns> =
    oracle === undefined ? {} : JSON.parse(readFileSync(join(oracle, 'expected.json'), 'utf8'));

  it.each<[string, Twin['declare'], readonly string[]]>([
    ['sma', (kit) => kit.sma(), ['']],
    ['ema', (kit) => kit.ema(), ['']],
    ['rsi', (kit) => kit.rsi(), ['']],
    ['macd', (kit) => kit.macd() as never, ['line', 'histogram', 'signal']],
    ['atr', (kit) => kit.atr(), ['']],
    ['bbands', (kit) => kit.bollinger() as never, ['lower', 'middle', 'upper', 'width', 'percent']],
    ['donchian', (kit) => kit.donchian() as never, ['lower', 'middle', 'upper']],
    ['adx', (kit) => kit.adx() as never, ['adx', 'plus', 'minus']],
    ['stdev', (kit) => kit.stdev(), ['']],
    ['zscore', (kit) => kit.zscore(), ['']],
  ])('%s has the values of pandas_ta with its defaults', (name, declare, outputs) => {
    const own = valuesOf(series, declare);
    const columns = Object.values(expected[name]!);
    expect(columns).toHaveLength(outputs.length);
    for (const [index, output] of outputs.entries()) {
      const values = own[output]!;
      for (const [row, wanted] of columns[index]!.entries()) {
        const far =
          wanted === null
            ? !Number.isNaN(values[row]!)
            : !(Math.abs(values[row]! - wanted) <= Math.max(1e-8 * Math.abs(wanted), 1e-8));
        if (far) expect.fail(`${name}.${output} at ${row} is ${values[row]}, not ${wanted}`);
      }
    }
  });

  it('highest and lowest are the channels of donchian', () => {
    const { DCL_20_20: lower, DCU_20_20: upper } = expected.donchian!;
    const shown = (values: number[]): (number | null)[] =>
      values.map((value) => (Number.isNaN(value) ? null : value));
    expect(shown(valuesOf(series, (kit) => kit.highest())['']!)).toEqual(upper);
    expect(shown(valuesOf(series, (kit) => kit.lowest())['']!)).toEqual(lower);
  });
});

/**
 * Series that are difficult for indicators: constant, with gaps, with infinities, very short, or with extreme
 * steps.
 */
function hardSeries(): Record<string, BarSeries> {
  let state = 12345;
  const random = (): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  const made = (price: (index: number) => number, bars = 400): BarSeries => {
    const closes = Array.from({ length: bars }, (_, index) => price(index));
    return barSeries(
      'A',
      closes.map((close, index) => ({
        time: index * DAY,
        open: close,
        high: close + (closes[0] === closes[1] ? 0 : random()),
        low: close - (closes[0] === closes[1] ? 0 : random()),
        close,
        volume: 1000,
      })),
    );
  };
  let walk = 100;
  const step = (): number => (walk *= 1 + (random() - 0.5) / 20);
  return {
    walk: made(step),
    'large and small': made((index) => (index % 97 < 3 ? 1e9 : 1e-3) * (1 + random())),
    constant: made(() => 100.1),
    'constant in the middle': made((index) => (index > 100 && index < 300 ? walk : step())),
    'with gaps': made((index) => (index % 53 < 2 || index === 0 ? Number.NaN : step())),
    'gaps only': made(() => Number.NaN),
    'with infinities': made((index) => (index % 71 === 70 ? Number.POSITIVE_INFINITY : step())),
    ticks: made(() => 100 + Math.floor(random() * 3) / 4),
    'shorter than the lengths': made(step, 4),
    'one bar': made(step, 1),
  };
}

const python = await loadTestPython();

describe.skipIf(python === undefined)('indicators against ta', () => {
  const all = hardSeries();
  const call = (name: string, code: string): Record<string, (number | string)[]> | null => {
    const { high, low, close } = all[name]!;
    python!.globals.set(
      'given',
      JSON.stringify([high, low, close].map((column) => Array.from(column, String))),
    );
    return JSON.parse(
      python!.runPython(`
import json, warnings
import numpy as np
import pandas as pd
import ta
np.seterr(all='ignore')
_numbers = lambda column: [{'NaN': np.nan, 'Infinity': np.inf, '-Infinity': -np.inf}.get(x) if x[-1] in 'Ny' else float(x) for x in column]
df = pd.DataFrame(dict(zip(('high', 'low', 'close'), map(_numbers, json.loads(given)))))
def _texts(result):
    if result is None:
        return None
    frame = result.to_frame() if isinstance(result, pd.Series) else result
    return {str(name): [x if np.isfinite(x) else repr(float(x)) for x in frame[name].tolist()] for name in frame}
json.dumps({code: _texts(eval(code)) for code in json.loads(${JSON.stringify(JSON.stringify(code.split('\n')))})})
`) as string,
    ) as never;
  };

  it.each(Object.keys(all))('have the same bits: %s', (name) => {
    const cases = LENGTHS.flatMap(twins);
    const results = call(name, cases.map(({ python: code }) => code).join('\n')) as unknown as Record<
      string,
      Record<string, (number | string)[]> | null
    >;
    const faults: string[] = [];
    for (const { python: code, declare, outputs } of cases) {
      const own = valuesOf(all[name]!, declare);
      const frame = results[code];
      // If one of the two lengths is too long, `ta` returns no result at all. This project still returns the
      // band of the shorter length, so the results are not compared.
      if (frame === null && code.includes('donchian')) continue;
      for (const [output, column] of outputs) {
        const values = own[output]!;
        // `ta` returns `None` if the series has too few rows. Every value is then expected to be NaN.
        const wanted =
          frame === null
            ? values.map(() => Number.NaN)
            : frame![column]!.map((x) =>
                x === 'nan' ? Number.NaN : x === 'inf' ? Infinity : x === '-inf' ? -Infinity : Number(x),
              );
        const row = values.findIndex(
          (value, index) => value !== wanted[index] && !(Number.isNaN(value) && Number.isNaN(wanted[index])),
        );
        if (row >= 0) faults.push(`${code} ${output} at ${row}: ${values[row]}, not ${wanted[row]}`);
      }
    }
    expect(faults).toEqual([]);
  });
});
