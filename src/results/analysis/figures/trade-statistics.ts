import { priceReader } from '../../../engine/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import type { Decimal, Exact } from '../../../kernel/index.ts';
import { unitsBetween } from '../benchmark/benchmark-coverage.ts';
import { medianOf } from '../series/ratios.ts';
import { sumAt, tradeColumns } from './breakdown.ts';
import {
  type Figure,
  figure,
  largest,
  type MoneyFigure,
  mean,
  moneyFigure,
  NO_TRADES,
  standardDeviation,
  type Undefined,
  undefinedBecause,
} from './figures.ts';

/** Wins, losses and holding times of a run's closed trades, net of commissions. */
interface TradeFigures {
  readonly payoffRatio: Figure;
  readonly averageWin: MoneyFigure;
  /** Mean net P&L of losing trades. Negative. */
  readonly averageLoss: MoneyFigure;
  /**
   * Mean over winning trades of net P&L divided by entry notional (value of the trade at its entry).
   * `averageLossRate` is the same mean over losing trades.
   */
  readonly averageWinRate: Figure;
  readonly averageLossRate: Figure;
  readonly longestWinningStreak: Figure;
  readonly longestLosingStreak: Figure;
  readonly averageHoldingDays: Figure;
  readonly medianHoldingDays: Figure;
  readonly longestHoldingDays: Figure;
}

const NO_LOSS = undefinedBecause('no trade lost money');
const NO_WIN = undefinedBecause('no trade won money');
/** Number of decimal places of a mean amount, because a mean may have infinitely many digits. */
const MEAN_PLACES = 10;

type ClosedTrade = RunRecord['trades'][number];

/** Computes the figures of closed trades. The order of the trades determines the streaks. */
function tradeFigures(trades: readonly ClosedTrade[]): TradeFigures {
  const { net, heldDays } = tradeColumns(trades);
  const wins = placesOf(net, 1);
  const losses = placesOf(net, -1);
  const none = trades.length === 0 ? NO_TRADES : undefined;
  const noWin = none ?? (wins.length === 0 ? NO_WIN : undefined);
  const noLoss = none ?? (losses.length === 0 ? NO_LOSS : undefined);
  const meanNet = (places: readonly number[]): Decimal => sumAt(net, places).dividedBy(places.length);
  const meanRate = (places: readonly number[]): number | Undefined => meanRateAt(trades, places);
  const days = Array.from(heldDays);
  const streak = (sign: 1 | -1): number | Undefined => none ?? longestStreak(net, sign);
  return {
    payoffRatio: figure(
      'mean net win / |mean net loss|, cash',
      noWin ?? noLoss ?? meanNet(wins).dividedBy(meanNet(losses)).abs().toNumber(),
    ),
    averageWin: moneyFigure(
      `mean net P&L of the trades that won, to ${MEAN_PLACES} decimal places`,
      noWin ?? meanNet(wins).toDecimalPlaces(MEAN_PLACES),
    ),
    averageLoss: moneyFigure(
      `mean net P&L of the trades that lost, to ${MEAN_PLACES} decimal places`,
      noLoss ?? meanNet(losses).toDecimalPlaces(MEAN_PLACES),
    ),
    averageWinRate: figure(
      'mean of net P&L / entry notional of the trades that won',
      noWin ?? meanRate(wins),
    ),
    averageLossRate: figure(
      'mean of net P&L / entry notional of the trades that lost',
      noLoss ?? meanRate(losses),
    ),
    longestWinningStreak: figure('most trades with net P&L > 0 that closed one after the other', streak(1)),
    longestLosingStreak: figure('most trades with net P&L < 0 that closed one after the other', streak(-1)),
    averageHoldingDays: figure('mean of days from entry to exit, closed trades', none ?? mean(days)),
    medianHoldingDays: figure('median of days from entry to exit, closed trades', none ?? medianOf(days)),
    longestHoldingDays: figure(
      'most days from entry to exit, closed trades',
      none ?? days.reduce((most, one) => Math.max(most, one), 0),
    ),
  };
}

/** Mean of net P&L divided by entry notional. Undefined if a trade was entered at a price of 0. */
function meanRateAt(trades: readonly ClosedTrade[], places: readonly number[]): number | Undefined {
  const { net, notional } = tradeColumns(trades);
  const free = places.find((place) => notional[place]!.isZero());
  if (free !== undefined) return undefinedBecause(`trade ${trades[free]!.id} was entered at a price of 0`);
  return mean(places.map((place) => net[place]!.quotient(notional[place]!)));
}

/** Returns the indices of the amounts with the given sign. */
function placesOf(amounts: readonly Exact[], sign: 1 | -1): number[] {
  const places: number[] = [];
  for (const [place, amount] of amounts.entries()) if (signOf(amount) === sign) places.push(place);
  return places;
}

function signOf(amount: Exact): number {
  return amount.isPositive() ? 1 : amount.isNegative() ? -1 : 0;
}

/** Length of the longest streak. A trade with zero profit ends winning and losing streaks. */
function longestStreak(net: readonly Exact[], sign: 1 | -1): number {
  let [longest, streak] = [0, 0];
  for (const amount of net) {
    streak = signOf(amount) === sign ? streak + 1 : 0;
    longest = Math.max(longest, streak);
  }
  return longest;
}

/** Statistics of a run's closed trades, net of commissions. */
export interface TradeStatistics extends TradeFigures {
  readonly tradeCount: Figure;
  readonly openTradeCount: Figure;
  readonly winRate: Figure;
  readonly breakevens: Figure;
  readonly profitFactor: Figure;
  readonly expectancy: MoneyFigure;
  readonly expectancyRate: Figure;
  readonly sqn: Figure;
  readonly kelly: Figure;
  readonly bestTrade: Figure<ExtremeTrade>;
  readonly worstTrade: Figure<ExtremeTrade>;
}

interface ExtremeTrade {
  readonly id: number;
  readonly symbol: string;
  readonly netPnl: string;
}

function lotsInWords({ started: { settings } }: RunRecord): string {
  const average =
    typeof settings === 'object' && settings !== null && 'lots' in settings && settings.lots === 'average';
  return average ? 'all units of a position at their average cost' : 'lots matched first in first out';
}

/** Minimum number of closed trades for a meaningful Kelly fraction. */
const KELLY_TRADES = 30;

export function tradeStatistics(record: RunRecord): TradeStatistics {
  const { trades } = record;
  const { net } = tradeColumns(trades);
  const [wins, losses] = [placesOf(net, 1), placesOf(net, -1)];
  const [won, lost] = [sumAt(net, wins), sumAt(net, losses).abs()];
  const none = trades.length === 0;
  return {
    tradeCount: figure(`closed trades; ${lotsInWords(record)}`, trades.length),
    openTradeCount: figure('trades still open at the end, in no other trade figure', openTrades(record)),
    winRate: figure(
      'trades with net P&L > 0 / all closed trades',
      none ? NO_TRADES : wins.length / net.length,
    ),
    breakevens: figure('closed trades with net P&L of exactly 0', net.length - wins.length - losses.length),
    profitFactor: figure(
      'sum of net wins / |sum of net losses|, cash',
      none ? NO_TRADES : losses.length === 0 ? NO_LOSS : won.dividedBy(lost).toNumber(),
    ),
    expectancy: moneyFigure(
      `mean net P&L a closed trade, to ${MEAN_PLACES} decimal places`,
      none ? NO_TRADES : won.minus(lost).dividedBy(net.length).toDecimalPlaces(MEAN_PLACES),
    ),
    expectancyRate: figure('mean of net P&L / entry notional of each closed trade', expectancyRate(record)),
    sqn: figure('√n · mean / sd(ddof 1) of net P&L', systemQuality(net)),
    kelly: figure(
      `W − (1 − W) / (average win / average loss), from ${KELLY_TRADES} closed trades on`,
      kellyFraction(net.length, wins.length, losses.length, won, lost),
    ),
    bestTrade: extreme(
      'closed trade with the largest net P&L',
      record,
      net,
      (one, best) => one.compare(best) > 0,
    ),
    worstTrade: extreme(
      'closed trade with the smallest net P&L',
      record,
      net,
      (one, worst) => one.compare(worst) < 0,
    ),
    ...tradeFigures(trades),
  };
}

// Counts open trades. A complete journal lists open trades at its end. For a run that ended within a bar, the
// count is 0 if the equity of the last bar equals its cash.
function openTrades({ commissionPaid, openTrades: { length }, outcome, bars }: RunRecord) {
  const last = bars.at(-1);
  const isFlat = last === undefined || last.cash === last.equity;
  const isListed =
    commissionPaid !== null && (length > 0 || outcome === 'completed' || outcome === 'insolvent');
  if (isListed || isFlat) return length;
  return undefinedBecause(
    commissionPaid === null
      ? 'the journal has no end, so its open trades are not known'
      : 'the run ended within a bar, so the trades open before this bar are not known',
  );
}

function expectancyRate({ trades }: RunRecord) {
  if (trades.length === 0) return NO_TRADES;
  const { net, notional } = tradeColumns(trades);
  const free = notional.findIndex((one) => one.isZero());
  if (free >= 0) return undefinedBecause(`trade ${trades[free]!.id} was entered at a price of 0`);
  return mean(net.map((amount, index) => amount.quotient(notional[index]!)));
}

// System quality number of Van K. Tharp, "Definitive Guide to Position Sizing" (2008), without Tharp's limit
// of 100 trades.
function systemQuality(net: readonly Exact[]) {
  if (net.length === 0) return NO_TRADES;
  if (net.length < 2) return undefinedBecause('a single closed trade');
  const amounts = net.map((amount) => amount.toNumber());
  const deviation = standardDeviation(amounts);
  if (deviation <= 4 * Number.EPSILON * largest(amounts))
    return undefinedBecause('all trades have the same net P&L');
  return (Math.sqrt(amounts.length) * mean(amounts)) / deviation;
}

function kellyFraction(trades: number, wins: number, losses: number, won: Decimal, lost: Decimal) {
  if (trades < KELLY_TRADES) return undefinedBecause(`fewer than ${KELLY_TRADES} closed trades`);
  if (losses === 0) return NO_LOSS;
  if (wins === 0) return NO_WIN;
  const winRate = wins / trades;
  const payoff = won.dividedBy(wins).dividedBy(lost.dividedBy(losses)).toNumber();
  return winRate - (1 - winRate) / payoff;
}

function extreme(
  convention: string,
  record: RunRecord,
  net: readonly Exact[],
  beats: (one: Exact, champion: Exact) => boolean,
): Figure<ExtremeTrade> {
  if (net.length === 0) return { value: null, reason: NO_TRADES.reason, convention };
  let champion = 0;
  for (let index = 1; index < net.length; index++) if (beats(net[index]!, net[champion]!)) champion = index;
  const { id, symbol } = record.trades[champion]!;
  return { value: { id, symbol, netPnl: net[champion]!.toString() }, convention };
}

/**
 * Largest move against (adverse) and with (favourable) a closed trade, as fractions of the entry price.
 * `adverse` is 0 or negative, `favourable` is 0 or positive.
 */
export interface Excursion {
  readonly adverse: number;
  readonly favourable: number;
}

/** Explanation shown with excursions in every report. */
export const EXCURSION_CONVENTION =
  'furthest price against and with the trade, from its entry bar to the bar before its exit, and its exit price; over the entry price; prices of before a split on the basis after it';

/**
 * Maximum adverse and favourable excursion of each closed trade. `undefined` if the journal lacks prices for
 * the trade.
 */
export function excursionsOf(record: RunRecord): (Excursion | undefined)[] {
  const { symbols } = record.started;
  const splits = unitsBetween(record);
  const priceAt = priceReader(record.bars);
  return record.trades.map((trade) => {
    const symbol = symbols.indexOf(trade.symbol);
    const entry = Number(trade.entryPrice);
    if (symbol < 0 || !(entry > 0)) return undefined;
    let low = Math.min(entry, Number(trade.exitPrice));
    let high = Math.max(entry, Number(trade.exitPrice));
    for (let bar = trade.entryBar; bar < trade.bar; bar++) {
      const top = priceAt(bar, symbol, 'high');
      if (top === undefined) {
        if (record.bars[bar]?.prices === undefined) return undefined;
        continue;
      }
      // Prices before a split are converted to the units at the exit of the trade. The entry price in the
      // journal is already converted.
      const units = splits(trade.symbol, bar, trade.bar);
      high = Math.max(high, top / units);
      low = Math.min(low, priceAt(bar, symbol, 'low')! / units);
    }
    const [fall, rise] = [low / entry - 1, high / entry - 1];
    return trade.side === 'long'
      ? { adverse: fall, favourable: rise }
      : { adverse: -rise, favourable: -fall };
  });
}
