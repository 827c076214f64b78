import type { RunRecord } from '../journal/index.ts';
import type { Decimal, Exact } from '../kernel/index.ts';
import {
  type Figure,
  figure,
  type MoneyFigure,
  mean,
  moneyFigure,
  NO_TRADES,
  type Undefined,
  undefinedBecause,
} from './figures.ts';
import { medianOf } from './series/quantiles.ts';
import { sumAt, tradeColumns } from './trade-columns.ts';

/** Wins, losses and holding times of a run's closed trades, net of commissions. */
export interface TradeFigures {
  readonly payoffRatio: Figure;
  readonly averageWin: MoneyFigure;
  /** Negative. */
  readonly averageLoss: MoneyFigure;
  /** Relative to the entry notional. */
  readonly averageWinRate: Figure;
  readonly averageLossRate: Figure;
  readonly longestWinningStreak: Figure;
  readonly longestLosingStreak: Figure;
  readonly averageHoldingDays: Figure;
  readonly medianHoldingDays: Figure;
  readonly longestHoldingDays: Figure;
}

export const NO_LOSS = undefinedBecause('no trade lost money');
export const NO_WIN = undefinedBecause('no trade won money');
/** Decimal places of a mean amount, whose decimal form may not terminate. */
export const MEAN_PLACES = 10;

type ClosedTrade = RunRecord['trades'][number];

/** Computes the figures of closed trades, in their order. */
export function tradeFigures(trades: readonly ClosedTrade[]): TradeFigures {
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

/** Indices of the amounts with a given sign. */
export function placesOf(amounts: readonly Exact[], sign: 1 | -1): number[] {
  const places: number[] = [];
  for (const [place, amount] of amounts.entries()) if (signOf(amount) === sign) places.push(place);
  return places;
}

function signOf(amount: Exact): number {
  return amount.isPositive() ? 1 : amount.isNegative() ? -1 : 0;
}

/** Length of the longest streak. A trade with zero profit ends a streak of either kind. */
function longestStreak(net: readonly Exact[], sign: 1 | -1): number {
  let [longest, streak] = [0, 0];
  for (const amount of net) {
    streak = signOf(amount) === sign ? streak + 1 : 0;
    longest = Math.max(longest, streak);
  }
  return longest;
}
