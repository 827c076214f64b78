import { AppError, createRandom, type Fault, faultsError, type Random } from '../kernel/index.ts';
import { type BarSeries, intervalOf, isShareAction, type Market, trusted } from '../market/index.ts';
import type { GivenWorld } from './given-world.ts';

/** Bars of a block on average: of more in their order a series could be recognised. */
const BLOCK = 3;
/** Standard deviations of a symbol's returns: beyond so many a return is cut, and so much noise is added. */
const [CUT, NOISE] = [3, 0.5];
const HOUR = 3_600_000;

/**
 * Refuses what belongs to days that a market of another shape does not have.
 *
 * @throws AppError `bad_flags` with everything of the kind
 */
export function checkShape({ market, actions, features = [], detail, pointInTime }: GivenWorld): void {
  const { documents = [], fundamentals = [], universe } = pointInTime ?? {};
  const given: readonly (readonly [boolean, string])[] = [
    [actions.some(isShareAction), '--actions'],
    [actions.some(({ kind }) => kind === 'roll'), '--rolls'],
    [actions.some(({ kind }) => kind === 'funding'), '--funding'],
    [features.some(({ isOfBars }) => isOfBars !== true), '--features'],
    [detail !== undefined, '--detail'],
    [documents.length > 0, '--documents'],
    [fundamentals.length > 0, '--fundamentals'],
    [universe !== undefined, '--universe'],
  ];
  const faults = given.flatMap(([is, where]): Fault[] =>
    is ? [{ where, message: 'belongs to days of the real market' }] : [],
  );
  if (faults.length > 0)
    throw faultsError(
      'bad_flags',
      '--mask shape puts returns in another order',
      faults,
      'Leave these out, or shape out of --mask.',
    );
  const length = market.interval?.milliseconds ?? 24 * HOUR;
  if (length >= 20 * HOUR) return;
  throw new AppError({
    code: 'bad_flags',
    message: '--mask shape puts days in another order, and these bars are shorter than a day.',
    hint: 'Make daily bars with `sandtable data resample`, or leave shape out of --mask.',
  });
}

/** A market of other histories: see `otherShape`. */
export function otherMarket(market: Market, secret: number): Market {
  return trusted({ ...market, series: market.series.map((one) => otherShape(one, secret)) });
}

/**
 * A series of the same returns in another order: in blocks of three bars on average, each symbol's for itself, cut at three
 * standard deviations and with noise of half of one. Volumes go with their bars, with noise too. The first bar stays.
 */
export function otherShape(series: BarSeries, secret: number): BarSeries {
  const { open, high, low, close, volume } = series;
  const bars = close.length;
  if (bars < 3 || intervalOf(series) === undefined) return series;
  const random = createRandom(secret, `shape/${series.symbol}`);
  const order = blockOrder(bars, random);
  const returns = close.map((value, bar) => (bar === 0 ? 0 : Math.log(value / close[bar - 1]!)));
  const spread = deviationOf(returns.subarray(1));
  const noisy = (value: number): number =>
    Math.max(-CUT * spread, Math.min(CUT * spread, value)) + NOISE * spread * random.normal();
  const made = {
    open: open.slice(),
    high: high.slice(),
    low: low.slice(),
    close: close.slice(),
    volume: volume.slice(),
  };
  for (let bar = 1; bar < bars; bar++) {
    const from = order[bar]!;
    const before = made.close[bar - 1]!;
    made.close[bar] = before * Math.exp(noisy(returns[from]!));
    made.open[bar] = before * Math.exp(noisy(Math.log(open[from]! / close[from - 1]!)) / 2);
    const [top, bottom] = [Math.max(open[from]!, close[from]!), Math.min(open[from]!, close[from]!)];
    const stretch = Math.exp(NOISE * random.normal());
    const [up, down] = [Math.log(high[from]! / top) * stretch, Math.log(bottom / low[from]!) * stretch];
    made.high[bar] = Math.max(made.open[bar]!, made.close[bar]!) * Math.exp(Math.min(up, CUT * spread));
    made.low[bar] = Math.min(made.open[bar]!, made.close[bar]!) * Math.exp(-Math.min(down, CUT * spread));
    made.volume[bar] = Math.round(volume[from]! * Math.exp(NOISE * random.normal()));
  }
  const six = (column: Float64Array): Float64Array => column.map((value) => Number(value.toPrecision(6)));
  return {
    ...series,
    ...made,
    open: six(made.open),
    high: six(made.high),
    low: six(made.low),
    close: six(made.close),
  };
}

/** Of each bar but the first, whose return it takes: blocks of random length, dealt like cards. */
function blockOrder(bars: number, random: Random): Int32Array {
  const blocks: number[][] = [];
  for (let bar = 1; bar < bars; bar++) {
    if (blocks.length === 0 || random.next() < 1 / BLOCK) blocks.push([]);
    blocks.at(-1)!.push(bar);
  }
  for (let last = blocks.length - 1; last > 0; last--) {
    const other = random.integer(0, last);
    [blocks[last], blocks[other]] = [blocks[other]!, blocks[last]!];
  }
  return Int32Array.from([0, ...blocks.flat()]);
}

function deviationOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
