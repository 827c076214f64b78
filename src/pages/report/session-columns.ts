import type { RunRecord } from '../../journal/index.ts';
import {
  type EquityColumns,
  fillAmounts,
  type Sessions,
  volumeShares,
} from '../../results/analysis/index.ts';
import type { SessionColumns, Value } from './model/page-data.ts';

/**
 * Returns the sessions (usually trading days) of the evaluation period in columns.
 *
 * @param benchmark equity of the benchmark by bar; `undefined` without a benchmark
 */
export function sessionColumns(
  record: RunRecord,
  { times, equity }: EquityColumns,
  { unit, lastBars }: Sessions,
  benchmark: Float64Array | undefined,
): SessionColumns {
  const starts = lastBars.map((_, session) => (session === 0 ? 0 : lastBars[session - 1]! + 1));
  const spans = lastBars.map((last, session) => [starts[session]!, last + 1] as const);
  const isBar = unit === 'bar';
  const parts = spans.map(([start, end]) => equity.subarray(start, end));
  const amounts = amountsOf(record, lastBars);
  return {
    time: lastBars.map((bar) => Math.floor(times[bar]! / 1000)),
    first: isBar ? null : starts.map((bar) => Math.floor(times[bar]! / 1000)),
    equity: lastBars.map((bar, session) =>
      session === lastBars.length - 1 ? cents(equity[bar]!) : exact(equity[bar]!),
    ),
    inside: isBar
      ? null
      : {
          high: parts.map((part) => exact(part.reduce((a, b) => Math.max(a, b)))),
          low: parts.map((part) => exact(part.reduce((a, b) => Math.min(a, b)))),
          fall: parts.map((part) => Number(deepestFall(part).toFixed(8)) + 0),
          sum: parts.map((part) => exact(part.reduce((a, b) => a + b))),
          bars: parts.map((part) => part.length),
        },
    benchmark:
      benchmark === undefined
        ? null
        : lastBars.map((bar) => (Number.isNaN(benchmark[bar]!) ? null : exact(benchmark[bar]!))),
    exposure: spans.map(([start, end]) => exposureOf(record, start, end)),
    ...amounts,
  };
}

/**
 * Rounds to ten significant digits, but not coarser than a thousandth. Returns that are calculated from
 * rounded values are exact to a millionth of a basis point.
 */
function exact(value: number): number {
  return Math.abs(value) < 1e7 ? Number(value.toPrecision(10)) + 0 : Number(value.toFixed(3)) + 0;
}

/**
 * Rounds the equity of the last session to 15 significant digits, so that the page and the summary show the
 * same profit to the cent.
 */
function cents(value: number): number {
  return Number(Number(value.toPrecision(15)).toFixed(6)) + 0;
}

function deepestFall(equity: Float64Array): number {
  let [peak, deepest] = [Number.NEGATIVE_INFINITY, 0];
  for (let bar = 0; bar < equity.length; bar++) {
    peak = Math.max(peak, equity[bar]!);
    if (peak > 0) deepest = Math.min(deepest, equity[bar]! / peak - 1);
  }
  return deepest;
}

function exposureOf({ bars }: RunRecord, start: number, end: number): Value {
  let sum = 0;
  for (let bar = start; bar < end; bar++) {
    const { exposure } = bars[bar]!;
    if (exposure === null) return null;
    sum += exposure;
  }
  return Number(sum.toFixed(6)) + 0;
}

/** Returns the traded value, costs and cash entries of each session. */
function amountsOf(
  record: RunRecord,
  lastBars: readonly number[],
): Pick<SessionColumns, 'notional' | 'commission' | 'slippage' | 'volume' | 'cash'> {
  const { bars, fills, cashEntries } = record;
  const first = bars[0]?.bar ?? 0;
  const zeros = (): number[] => lastBars.map(() => 0);
  const sessionAt = (bar: number): number => {
    const place = bar - first;
    let [low, high] = [0, lastBars.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lastBars[middle]! < place) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const [notional, commission, slippage] = [zeros(), zeros(), zeros()];
  for (const fill of fills) {
    const session = sessionAt(fill.bar);
    if (notional[session] === undefined) continue;
    const amounts = fillAmounts(fill);
    notional[session]! += amounts.notional.toNumber();
    commission[session]! += amounts.commission.toNumber();
    slippage[session]! += amounts.slippage.toNumber();
  }
  const cash = new Map<string, number[]>();
  for (const { bar, kind, amount } of cashEntries) {
    const session = sessionAt(bar);
    const known = cash.get(kind) ?? zeros();
    cash.set(kind, known);
    if (known[session] !== undefined) known[session] += Number(amount);
  }
  const shares = volumeShares(record);
  const written = (values: readonly number[]): number[] =>
    values.map((value) => Number(value.toFixed(6)) + 0);
  return {
    notional: notional.map(exact),
    commission: written(commission),
    slippage: written(slippage),
    volume: {
      session: shares.map(({ bar }) => sessionAt(bar)),
      // Five decimal places of the logarithm are enough, because capacity is shown with three significant
      // digits.
      share: shares.map(({ share }) => Number(Math.log(share).toFixed(5)) + 0),
    },
    cash: [...cash].map(([kind, amounts]) => ({ kind, amounts: written(amounts) })),
  };
}
