import type { RunRecord } from '../journal/index.ts';
import { DAY, type Decimal, decimal, parseInstant, ZERO } from '../kernel/index.ts';
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
import { medianOf } from './quantiles.ts';

/** How a run's closed trades won and lost, net of their commissions, and how long they were held. */
export interface TradeFigures {
  readonly payoffRatio: Figure;
  readonly averageWin: MoneyFigure;
  /** Negative. */
  readonly averageLoss: MoneyFigure;
  /** Of entry notional. */
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
/** Decimal places of a mean amount, which need not end. */
export const MEAN_PLACES = 10;

type ClosedTrade = RunRecord['trades'][number];

interface Result {
  readonly trade: ClosedTrade;
  readonly net: Decimal;
}

/** @param net P&L of each of the trades, in their order */
export function tradeFigures(trades: readonly ClosedTrade[], net: readonly Decimal[]): TradeFigures {
  const results = trades.map((trade, index): Result => ({ trade, net: net[index]! }));
  const wins = results.filter((one) => one.net.greaterThan(ZERO));
  const losses = results.filter((one) => one.net.lessThan(ZERO));
  const none = trades.length === 0 ? NO_TRADES : undefined;
  const noWin = none ?? (wins.length === 0 ? NO_WIN : undefined);
  const noLoss = none ?? (losses.length === 0 ? NO_LOSS : undefined);
  const days = trades.map(heldDays);
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

/** What a trade's units cost when it was entered, in the account's currency. */
export function entryNotional({ quantity, entryPrice, entryRate }: ClosedTrade): Decimal {
  return decimal(quantity)
    .times(entryPrice)
    .times(entryRate ?? 1)
    .abs();
}

/** Mean of net P&L over entry notional; not defined where a trade was entered at a price of 0. */
function meanRate(results: readonly Result[]): number | Undefined {
  const rates: number[] = [];
  for (const { trade, net } of results) {
    const notional = entryNotional(trade);
    if (notional.isZero()) return undefinedBecause(`trade ${trade.id} was entered at a price of 0`);
    rates.push(net.dividedBy(notional).toNumber());
  }
  return mean(rates);
}

function meanNet(results: readonly Result[]): Decimal {
  return results.reduce((sum, { net }) => sum.plus(net), ZERO).dividedBy(results.length);
}

function heldDays({ entryTime, exitTime }: ClosedTrade): number {
  return ((parseInstant(exitTime) ?? 0) - (parseInstant(entryTime) ?? 0)) / DAY;
}

/** A breakeven ends a streak of either kind. */
function longestStreak(net: readonly Decimal[], sign: 1 | -1): number {
  let [longest, streak] = [0, 0];
  for (const amount of net) {
    streak = amount.comparedTo(ZERO) === sign ? streak + 1 : 0;
    longest = Math.max(longest, streak);
  }
  return longest;
}
