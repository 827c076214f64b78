import type { Draw } from './draw.ts';
import type { Action, Candle, FinerCandle, Play } from './types.ts';

const hours = (opens: number, closes: number): NonNullable<Play['session']> => ({
  opens: opens * 60,
  closes: closes * 60,
});

/**
 * Hours of sessions in UTC. Some begin or end at the boundary of a bar of six or eight hours, some inside a
 * bar, and some are overnight.
 */
const SESSIONS = [hours(0, 16), hours(8, 16), hours(6, 18), hours(9.5, 16), hours(18, 12), hours(16, 8)];

/**
 * Adds extras with a low probability each: finer bars, a second currency, dividends, a split, a delisting,
 * session hours.
 */
export function withExtras(play: Play, draw: Draw, grid: number): Play {
  let extended = play;
  if (draw.chance(0.15)) extended = withEuro(extended, draw);
  if (draw.chance(0.15)) extended = withActions(extended, draw);
  if (draw.chance(0.25)) extended = withDetail(extended, draw, grid);
  if (draw.chance(0.6)) extended = { ...extended, session: draw.one(SESSIONS) };
  return extended;
}

/**
 * Returns true if the bar length can be inferred from the bars: two of three steps between them must be one
 * bar long.
 */
export function showsInterval(candles: readonly Candle[]): boolean {
  const bars = candles.flatMap((candle, bar) => (candle === null ? [] : [bar]));
  const steps = bars.slice(1).map((bar, index) => bar - bars[index]!);
  return steps.length > 0 && steps.filter((step) => step === 1).length * 3 >= steps.length * 2;
}

const plain = (value: number): number => Number(value.toFixed(6));

function withEuro(play: Play, draw: Draw): Play {
  const { AAA } = play.terms.instruments ?? {};
  const length = play.candles.AAA!.length;
  const euro = Array.from({ length }, (_, bar): [number, number] => {
    const open = draw.one([0.8, 1, 1.05, 1.1, 1.25]);
    // The first rate has equal open and close. Its end cannot be inferred before there is a second bar.
    return [open, bar === 0 || draw.chance(0.5) ? open : draw.one([0.9, 1.1, 1.2])];
  });
  return {
    ...play,
    euro,
    terms: { ...play.terms, instruments: { ...play.terms.instruments, AAA: { ...AAA, currency: 'EUR' } } },
  };
}

function withActions(play: Play, draw: Draw): Play {
  const symbols = Object.keys(play.candles);
  const length = play.candles.AAA!.length;
  const candles: Record<string, readonly Candle[]> = { ...play.candles };
  const actions: Action[] = [];
  const barsOf = (symbol: string): number[] =>
    candles[symbol]!.flatMap((candle, bar) => (candle === null ? [] : [bar])).slice(1);
  for (const symbol of symbols) {
    const bars = barsOf(symbol);
    if (bars.length > 0 && draw.chance(0.6))
      actions.push({
        kind: 'dividend',
        bar: draw.one(bars),
        symbol,
        amount: draw.one(['0.5', '2', '0.125']),
      });
    if (bars.length > 0 && play.terms.tick === undefined && draw.chance(0.4)) {
      const bar = draw.one(bars);
      const to = draw.one([2, 4]);
      actions.push({ kind: 'split', bar, symbol, to });
      candles[symbol] = candles[symbol]!.map((candle, at) => (at < bar ? candle : dividedBy(candle, to)));
    }
  }
  const leaving = symbols.at(-1)!;
  const bar = draw.whole(2, length - 1);
  const first = barsOf(leaving)[0] ?? length;
  if (
    symbols.length > 1 &&
    bar > first &&
    showsInterval(candles[leaving]!.slice(0, bar)) &&
    draw.chance(0.5)
  ) {
    candles[leaving] = candles[leaving]!.map((candle, at) => (at < bar ? candle : null));
    candles.AAA = candles.AAA!.map((candle, at) => candle ?? fallback(candles.AAA!, at));
    actions.push({ kind: 'delisting', bar, symbol: leaving, price: draw.one(['0', '50', '97.5']) });
  }
  const kept = actions.filter((one) => one.kind === 'delisting' || candles[one.symbol]![one.bar] != null);
  return { ...play, candles, actions: kept };
}

/**
 * Returns a flat bar at the nearest close. It fills a gap, because every instant of the clock needs a bar.
 */
function fallback(candles: readonly Candle[], at: number): Candle {
  const near =
    candles.slice(0, at).findLast((candle) => candle !== null) ?? candles.find((one) => one !== null)!;
  return [near[3], near[3], near[3], near[3], 20];
}

function dividedBy(candle: Candle, to: number): Candle {
  if (candle === null) return null;
  const [open, high, low, close, volume] = candle;
  return [plain(open / to), plain(high / to), plain(low / to), plain(close / to), volume];
}

function withDetail(play: Play, draw: Draw, grid: number): Play {
  const detail: Record<string, readonly (readonly FinerCandle[])[]> = {};
  for (const [symbol, candles] of Object.entries(play.candles)) {
    const bars = candles.map((candle) =>
      candle === null || draw.chance(0.3) ? [] : finerBars(candle, draw, grid, play.barMinutes),
    );
    if (bars.some((finer) => finer.length > 0)) detail[symbol] = bars;
  }
  return { ...play, detail };
}

/** Splits a bar into two to four finer bars. In one of ten cases, they may not reach its high or low. */
function finerBars(
  [open, high, low, close]: NonNullable<Candle>,
  draw: Draw,
  grid: number,
  barMinutes: number,
): FinerCandle[] {
  const count = draw.whole(2, 4);
  const steps = Math.round((high - low) / grid);
  const anywhere = (): number => Math.min(high, plain(low + draw.whole(0, Math.max(steps, 0)) * grid));
  const [highest, lowest] = [draw.whole(0, count - 1), draw.whole(0, count - 1)];
  const isPartial = draw.chance(0.1);
  let last = open;
  return Array.from({ length: count }, (_, index): FinerCandle => {
    const from = index === 0 || draw.chance(0.6) ? last : anywhere();
    const to = index === count - 1 ? close : anywhere();
    last = to;
    const top = index === highest && !isPartial ? high : Math.max(from, to, draw.one([from, anywhere()]));
    const bottom = index === lowest && !isPartial ? low : Math.min(from, to, draw.one([to, anywhere()]));
    const volume = draw.chance(0.04) ? 0 : 10;
    return [Math.floor(barMinutes / count) * index, [from, top, bottom, to, volume]];
  });
}
