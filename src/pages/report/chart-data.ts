import type { EquityColumns } from '../../analysis/index.ts';
import { drawdownCurve } from '../../analysis/index.ts';
import type { BarEvent } from '../../engine/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { chartTrades } from './chart-trades.ts';
import type { ChartData, EquityPoints, PriceColumns, Value } from './model/page-data.ts';
import { drawn, short, shortShare } from './short-number.ts';

/** Maximum number of points that a chart draws smoothly. In longer runs, a point represents several bars. */
const MOST_POINTS = 12_000;
/**
 * Returns the data for the charts, with several bars per point if there are too many bars.
 *
 * A point of several bars has their first open, highest high, lowest low and last close, and their lowest
 * drawdown.
 */
export function chartData(
  record: RunRecord,
  columns: EquityColumns,
  benchmark: Float64Array | undefined,
): ChartData {
  const bars = record.bars.length;
  const barsPerPoint = Math.max(1, Math.ceil(bars / MOST_POINTS));
  const starts = Array.from({ length: Math.ceil(bars / barsPerPoint) }, (_, point) => point * barsPerPoint);
  const pointOf = (bar: number): number => Math.floor(bar / barsPerPoint);
  const { symbols } = record.started;
  const spans = starts.map((start) => [start, Math.min(start + barsPerPoint, bars)] as const);
  const prices =
    record.bars[0]?.prices === undefined
      ? []
      : symbols.map((_, symbol) => pricesOf(record.bars, symbol, spans));
  return {
    symbols,
    places: symbols.map((_, symbol) => (prices[symbol] === undefined ? 2 : placesOfPrices(prices[symbol]))),
    times: ascending(starts.map((start) => Math.floor(columns.times[start]! / 1000))),
    barsPerPoint,
    prices,
    equity: equityPoints(columns.equity, spans, barsPerPoint),
    drawdown: lowestOf(drawdownCurve(columns), spans, shortShare),
    benchmark: benchmark === undefined ? null : spans.map(([, end]) => known(drawn(benchmark[end - 1]!))),
    benchmarkDrawdown:
      benchmark === undefined
        ? null
        : lowestOf(drawdownCurve({ ...columns, equity: benchmark }), spans, shortShare).map(known),
    exposure: spans.map(([, end]) => {
      const { exposure } = record.bars[end - 1]!;
      return exposure === null ? null : shortShare(exposure);
    }),
    ambiguous: record.bars.flatMap(({ ambiguity }, bar) =>
      ambiguity === undefined
        ? []
        : [
            {
              point: pointOf(bar),
              worse: drawn(Number(ambiguity.worse)),
              better: drawn(Number(ambiguity.better)),
            },
          ],
    ),
    splits: record.splits.map(({ bar, symbol, quantityAfter }) => ({
      point: pointOf(bar),
      symbol: symbols.indexOf(symbol),
      quantity: short(Number(quantityAfter)),
    })),
    ...chartTrades(record, pointOf),
  };
}

type Span = readonly [start: number, end: number];

function pricesOf(bars: readonly BarEvent[], symbol: number, spans: readonly Span[]): PriceColumns {
  const columns: { [Name in keyof PriceColumns]: Value[] } = {
    open: [],
    high: [],
    low: [],
    close: [],
    volume: [],
  };
  for (const [start, end] of spans) {
    let first: readonly number[] | undefined;
    let [high, low, close, volume] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
    for (let bar = start; bar < end; bar++) {
      const values = bars[bar]!.prices?.[symbol];
      if (values === undefined || values === null) continue;
      first ??= values;
      if (values[1] > high) high = values[1];
      if (values[2] < low) low = values[2];
      close = values[3];
      volume += values[4];
    }
    const point = first === undefined ? null : { open: first[0]!, high, low, close, volume };
    for (const name of NAMES) columns[name].push(point === null ? null : short(point[name]));
  }
  return columns;
}

const NAMES = ['open', 'high', 'low', 'close', 'volume'] as const;

function equityPoints(equity: Float64Array, spans: readonly Span[], barsPerPoint: number): EquityPoints {
  const close = spans.map(([, end]) => drawn(equity[end - 1]!));
  if (barsPerPoint === 1) return { open: [], high: [], low: [], close };
  const points = spans.map(([start, end]) => equity.subarray(start, end));
  return {
    open: points.map((point) => drawn(point[0]!)),
    high: points.map((point) => drawn(point.reduce((a, b) => Math.max(a, b)))),
    low: lowestOf(equity, spans, drawn),
    close,
  };
}

function lowestOf(curve: Float64Array, spans: readonly Span[], write: (value: number) => number): number[] {
  return spans.map(([start, end]) => {
    let lowest = curve[start]!;
    for (let bar = start + 1; bar < end; bar++) lowest = Math.min(lowest, curve[bar]!);
    return write(lowest);
  });
}

// Charts need distinct whole seconds. Bars shorter than a second are moved one second apart.
export function ascending(times: readonly number[]): number[] {
  const apart: number[] = [];
  for (const time of times) apart.push(Math.max(time, (apart.at(-1) ?? Number.NEGATIVE_INFINITY) + 1));
  return apart;
}

/** Replaces NaN by `null`. A benchmark may cover only a part of the run. */
function known(value: number): Value {
  return Number.isNaN(value) ? null : value;
}

/**
 * Returns the number of decimal places of a symbol's prices. Uses a sample, because all prices are multiples
 * of the same tick.
 */
function placesOfPrices({ close, open }: PriceColumns): number {
  const step = Math.max(1, Math.floor(close.length / PLACES_SAMPLE));
  let places = 0;
  let largest = 0;
  for (let point = 0; point < close.length; point += step)
    for (const value of [open[point], close[point]]) {
      if (value === null || value === undefined) continue;
      largest = Math.max(largest, Math.abs(value));
      while (places < MOST_PLACES && Math.abs(value * 10 ** places - Math.round(value * 10 ** places)) > 1e-6)
        places += 1;
    }
  // Adjusted prices have more digits than a tick, so the number of places is limited.
  const sensible = largest >= 1000 ? 2 : largest >= 10 ? 4 : largest >= 0.1 ? 6 : MOST_PLACES;
  return Math.min(Math.max(places, largest >= 1 ? 2 : 0), sensible);
}

const MOST_PLACES = 8;
const PLACES_SAMPLE = 500;
