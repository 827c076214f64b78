import type { RunRecord } from '../journal/index.ts';
import type { Decimal, Exact } from '../kernel/index.ts';
import {
  type Figure,
  figure,
  largest,
  type MoneyFigure,
  mean,
  moneyFigure,
  NO_TRADES,
  standardDeviation,
  undefinedBecause,
} from './figures.ts';
import { sumAt, tradeColumns } from './trade-columns.ts';
import { MEAN_PLACES, NO_LOSS, NO_WIN, placesOf, type TradeFigures, tradeFigures } from './trade-figures.ts';

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

// Open trades are recorded at the end of a journal. Without the end, a last bar without positions shows that
// all trades are closed.
function openTrades(record: RunRecord) {
  if (record.commissionPaid !== null) return record.openTrades.length;
  const last = record.bars.at(-1);
  if (last === undefined || last.cash === last.equity) return 0;
  return undefinedBecause('the journal has no end, so its open trades are not known');
}

function expectancyRate({ trades }: RunRecord) {
  if (trades.length === 0) return NO_TRADES;
  const { net, notional } = tradeColumns(trades);
  const free = notional.findIndex((one) => one.isZero());
  if (free >= 0) return undefinedBecause(`trade ${trades[free]!.id} was entered at a price of 0`);
  return mean(net.map((amount, index) => amount.quotient(notional[index]!)));
}

// Van K. Tharp, "Definitive Guide to Position Sizing" (2008), without his cap of n at 100.
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
