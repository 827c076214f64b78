import { z } from 'zod';
import type { RunRecord } from '../../../journal/index.ts';
import { type Alarm, storedAlarmSchema, storedAlarms } from '../alarms/alarm.ts';
import { equityColumns } from '../figures/equity.ts';
import { returnDates } from '../figures/returns.ts';
import { sessionsOf } from '../figures/sessions.ts';
import { evaluated } from '../summary/evaluation.ts';
import type { RunSummary } from '../summary/summary-schema.ts';
import { decidedActions } from './agreement.ts';
import { type ForecastTerms, forecastsOf } from './forecasts.ts';

const figure = z.number().nullable();
const numbers = z.array(z.number());
const count = z.number().int().min(0);

/**
 * Data of one run of a study. All tables of the study are computed from this data. Money is in the account's
 * currency, as float64.
 */
export const studyCellSchema = z.strictObject({
  outcome: z.string(),
  /**
   * Date at which each session return of the run ends. `equity` is the equity on these dates, and `start` the
   * equity before the first date.
   */
  dates: z.array(z.string()),
  equity: numbers,
  start: z.number(),
  periodsPerYear: z.number().positive(),
  figures: z.strictObject({
    totalReturn: figure,
    sharpe: figure,
    maxDrawdown: figure,
    volatility: figure,
    tradeCount: figure,
    exposure: figure,
    turnover: figure,
  }),
  /** Absolute value of all fills by session. `paid` is the commission and slippage by session. */
  traded: numbers,
  paid: numbers,
  /** Periods with a position. `from` and `to` are indices of evaluated bars, and `to` is not included. */
  episodes: z.array(
    z.strictObject({
      symbol: z.string(),
      from: count,
      to: count,
      /** Value of the position at its entry as a share of the equity. Negative for a short position. */
      weight: z.number(),
    }),
  ),
  /** Number of evaluated bars. */
  bars: count,
  /** Net profit by symbol, including open positions. */
  profits: z.record(z.string(), z.number()),
  orders: count,
  refused: count,
  fills: count,
  /** Alarms of the run. Absent in runs without an alarm. */
  alarms: z.array(storedAlarmSchema).exactOptional(),
  ambiguous: count,
  toolCalls: count,
  toolErrors: count,
  decisions: z.array(z.strictObject({ bar: count, date: z.string(), action: z.string() })),
  /**
   * Probabilities that the decisions state, and their outcomes. Absent if the study does not evaluate
   * forecasts.
   */
  forecasts: z
    .array(z.strictObject({ at: count, probability: z.number(), came: z.boolean() }))
    .exactOptional(),
  /** Number of decisions without a probability. Absent if the study does not evaluate forecasts. */
  unusable: count.exactOptional(),
  /**
   * Usage of a model, or the usage that an external agent reports. `null` without a model and without such a
   * report.
   */
  model: z
    .strictObject({
      /** Number of model requests. For an agent, its number of decisions. */
      requests: count,
      tokens: count,
      /** US dollars. `null` if unknown. */
      cost: figure,
      /**
       * Models that answered, as reported by the server: name and fingerprint, in order of their first
       * answer.
       */
      served: z.array(z.strictObject({ model: z.string(), fingerprint: z.string() })),
    })
    .nullable(),
});
export type StudyCell = z.infer<typeof studyCellSchema>;

/** Returns the data of a run that a study stores. */
export function studyCell(
  whole: RunRecord,
  summary: Pick<RunSummary, 'activity' | 'exposure' | 'turnover' | 'ambiguousFills' | 'model'> &
    Omit<StudyCell['figures'], 'exposure' | 'turnover'> & {
      readonly meanExposure: number | null;
      readonly alarms?: readonly Alarm[];
    },
  terms?: ForecastTerms,
): StudyCell {
  const record = evaluated(whole);
  const columns = equityColumns(record);
  const sessions = sessionsOf(columns);
  const { start = sessions.equity[0] ?? columns.initialCash.toNumber(), lastBars } = sessions;
  const skipped = sessions.start === undefined ? 1 : 0;
  const ends = lastBars.slice(skipped).map((place) => record.bars[place]!.bar);
  const { activity, model } = summary;
  const alarms = storedAlarms(summary.alarms ?? []);
  return {
    outcome: record.outcome,
    dates: [...returnDates(sessions)],
    equity: sessions.equity.slice(skipped),
    start,
    periodsPerYear: sessions.periodsPerYear,
    figures: {
      totalReturn: summary.totalReturn,
      sharpe: summary.sharpe,
      maxDrawdown: summary.maxDrawdown,
      volatility: summary.volatility,
      tradeCount: summary.tradeCount,
      exposure: summary.meanExposure,
      turnover: summary.turnover,
    },
    ...moneyBySession(record, ends),
    episodes: episodesOf(record).map((one: Episode) => ({ ...one })),
    bars: record.bars.length,
    profits: profitsOf(record),
    orders: activity.orders,
    refused: record.rejections.length,
    fills: record.fills.length,
    ...(alarms.length === 0 ? {} : { alarms }),
    ambiguous: summary.ambiguousFills,
    toolCalls: record.toolCalls.length,
    toolErrors: activity.toolErrors,
    decisions: decidedActions(whole),
    ...(terms === undefined ? {} : forecastsOf(whole, terms)),
    model:
      model === null
        ? agentUsage(activity)
        : {
            requests: model.requests,
            tokens: model.inputTokens + model.outputTokens,
            cost: model.cost === null ? null : Number(model.cost),
            served: servedBy(whole),
          },
  };
}

/**
 * Returns the usage that an agent reports for its own models. The number of its model requests is unknown.
 * `null` without a report.
 */
function agentUsage({ agentSaid, decisions }: RunSummary['activity']): StudyCell['model'] {
  if (agentSaid === undefined) return null;
  const { inputTokens, outputTokens, cost, decisionsWithCost } = agentSaid;
  return {
    requests: decisions,
    tokens: inputTokens + outputTokens,
    // The cost is known only if every decision reports a cost. The sum over some decisions could be mistaken
    // for the total.
    cost: decisionsWithCost === decisions ? Number(cost) : null,
    served: [],
  };
}

/** Returns the simple session returns of a run. After a total loss, the returns are 0. */
export function cellReturns({ equity, start }: Pick<StudyCell, 'equity' | 'start'>): Float64Array {
  return Float64Array.from(equity, (value, at) => {
    const before = at === 0 ? start : equity[at - 1]!;
    return before > 0 ? Math.max(-1, value / before - 1) : 0;
  });
}

function moneyBySession(
  { fills }: RunRecord,
  ends: readonly number[],
): { readonly traded: number[]; readonly paid: number[] } {
  const [traded, paid] = [ends.map(() => 0), ends.map(() => 0)];
  for (const {
    bar,
    quantity,
    price,
    priceBeforeSlippage,
    commission,
    rate = '1',
    multiplier = '1',
  } of fills) {
    const at = ends.findIndex((end) => end >= bar);
    if (at < 0) continue;
    const money = Number(quantity) * Number(rate) * Number(multiplier);
    traded[at]! += money * Number(price);
    paid[at]! += Number(commission) + money * Math.abs(Number(price) - Number(priceBeforeSlippage));
  }
  return { traded, paid };
}

function profitsOf({ trades, openTrades }: RunRecord): Record<string, number> {
  const profits = new Map<string, number>();
  for (const { symbol, netPnl } of [...trades, ...openTrades])
    profits.set(symbol, (profits.get(symbol) ?? 0) + Number(netPnl));
  return Object.fromEntries([...profits].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function servedBy({ exchanges }: RunRecord): { model: string; fingerprint: string }[] {
  const known = new Map<string, { model: string; fingerprint: string }>();
  for (const { served } of exchanges) {
    if (served === undefined) continue;
    const { model = '', fingerprint = '' } = served;
    known.set(JSON.stringify([model, fingerprint]), { model, fingerprint });
  }
  return [...known.values()];
}

/** Period with a position in one symbol. Bars are indices within a record of a run. */
export interface Episode {
  readonly symbol: string;
  /** Index of the bar with the opening fill. */
  readonly from: number;
  /** Index of the bar with the closing fill. The number of bars if the position is still open. */
  readonly to: number;
  /** Value of the position as a share of the equity at the entry. Negative for a short position. */
  readonly weight: number;
}

/** Returns one period for each closed and each open trade, with lots matched first in, first out. */
export function episodesOf(record: RunRecord): Episode[] {
  const first = record.bars[0]?.bar ?? 0;
  const count = record.bars.length;
  const place = (bar: number): number => Math.max(0, bar - first);
  const shareAt = (bar: number, money: number): number => {
    const equity = Number(record.bars[Math.min(place(bar), count - 1)]?.equity ?? 0);
    return equity > 0 ? money / equity : 0;
  };
  const episodeOf = (trade: Lot, to: number): Episode => {
    const { symbol, side, quantity, entryPrice, entryBar, entryRate = '1', multiplier = '1' } = trade;
    const money = Number(quantity) * Number(entryPrice) * Number(entryRate) * Number(multiplier);
    const weight = shareAt(entryBar, money);
    return { symbol, from: place(entryBar), to, weight: side === 'long' ? weight : -weight };
  };
  return [
    ...record.trades.map((trade) => episodeOf(trade, place(trade.bar))),
    ...record.openTrades.map((trade) => episodeOf(trade, count)),
  ]
    .filter(({ weight }) => weight !== 0)
    .sort((one, other) => one.from - other.from || one.to - other.to || (one.symbol < other.symbol ? -1 : 1));
}

type Lot = Pick<
  RunRecord['trades'][number],
  'symbol' | 'side' | 'quantity' | 'entryPrice' | 'entryBar' | 'entryRate' | 'multiplier'
>;
