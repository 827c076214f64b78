import { z } from 'zod';
import type { RunRecord } from '../../../journal/index.ts';
import { grouped, percentage } from '../../../kernel/index.ts';
import type { Figure } from '../figures/figures.ts';
import { computeMetrics, type MetricsOptions } from '../figures/metrics.ts';
import { recordPart } from './part.ts';

const figure = z.number().nullable();

const partSchema = z.strictObject({
  firstBar: z.string(),
  lastBar: z.string(),
  bars: z.number().int().min(1),
  totalReturn: figure,
  cagr: figure,
  volatility: figure,
  sharpe: figure,
  sortino: figure,
  maxDrawdown: figure,
  drawdownDays: figure,
  calmar: figure,
  exposure: figure,
  meanExposure: figure,
  turnover: figure,
  /**
   * Number of closed trades. A trade belongs to the part (before or after the cutoff) that contains the bar
   * of its exit.
   */
  tradeCount: z.number().int().min(0),
  winRate: figure,
  profitFactor: figure,
  expectancy: z.string().nullable(),
  expectancyRate: figure,
  sqn: figure,
  kelly: figure,
  commissionPaid: z.string().nullable(),
  slippagePaid: z.string().nullable(),
});
type Part = z.infer<typeof partSchema>;

/** Figures of a run before and after the training cutoff of its model. A part without bars is `null`. */
export const modelCutoffSchema = z
  .strictObject({ date: z.string(), before: partSchema.nullable(), after: partSchema.nullable() })
  .nullable();
export type ModelCutoff = z.infer<typeof modelCutoffSchema>;

/**
 * Splits a run's figures at the training cutoff of its model. The model may remember data up to and including
 * the cutoff date. Only the figures of the later part show the quality of the model's decisions.
 *
 * @param date cutoff date, for example 2024-06-01. `undefined` if the cutoff is unknown
 */
export function splitAtCutoff(
  record: RunRecord,
  date: string | undefined,
  options: MetricsOptions = {},
): ModelCutoff {
  if (date === undefined) return null;
  const after = record.bars.findIndex((bar) => bar.date.slice(0, 10) > date);
  const split = after < 0 ? record.bars.length : after;
  return {
    date,
    before: partOf(record, 0, split, options),
    after: partOf(record, split, record.bars.length, options),
  };
}

function partOf(record: RunRecord, from: number, to: number, options: MetricsOptions): Part | null {
  // A part starts with the equity at the end of the previous bar, so the later part starts with the final
  // equity of the earlier part.
  const part = recordPart(record, from, to);
  if (part === undefined) return null;
  const { bars, trades } = part;
  const [first, last] = [bars[0]!, bars.at(-1)!];
  const before = record.bars[from - 1];
  const isFunded = before === undefined || Number(before.equity) > 0;
  const metrics = computeMetrics(isFunded ? part : { ...part, started: record.started }, options);
  /** `null` for a figure that starts from the equity before the part, if this equity is not positive. */
  const fromStart = ({ value }: Figure): number | null => (isFunded ? value : null);
  return {
    firstBar: first.date,
    lastBar: last.date,
    bars: bars.length,
    totalReturn: fromStart(metrics.totalReturn),
    cagr: fromStart(metrics.cagr),
    volatility: fromStart(metrics.volatility),
    sharpe: fromStart(metrics.sharpe),
    sortino: fromStart(metrics.sortino),
    maxDrawdown: fromStart(metrics.maxDrawdown),
    drawdownDays: fromStart(metrics.drawdownDuration),
    calmar: fromStart(metrics.calmar),
    exposure: metrics.timeInMarket.value,
    meanExposure: metrics.meanExposure.value,
    turnover: metrics.turnover.value,
    tradeCount: trades.length,
    winRate: metrics.winRate.value,
    profitFactor: metrics.profitFactor.value,
    expectancy: metrics.expectancy.value,
    expectancyRate: metrics.expectancyRate.value,
    sqn: metrics.sqn.value,
    kelly: metrics.kelly.value,
    commissionPaid: metrics.commission.value,
    slippagePaid: metrics.slippage.value,
  };
}

/**
 * Returns two lines for the printed summary: the figures before the cutoff, and the figures after the cutoff.
 */
export function cutoffLines(cutoff: ModelCutoff): string[] {
  if (cutoff === null) return [];
  const line = (name: string, part: Part | null): string => {
    if (part === null) return `${name} the model's cutoff of ${cutoff.date}: no bar.`;
    const share = (value: number | null): string => (value === null ? 'none' : percentage(value));
    const sharpe = part.sharpe === null ? 'none' : grouped(part.sharpe, 2);
    return `${name} the model's cutoff of ${cutoff.date}: ${part.bars} bars, return ${share(part.totalReturn)}, Sharpe ${sharpe}, drawdown ${share(part.maxDrawdown)}, ${part.tradeCount} trades.`;
  };
  return [line('Up to', cutoff.before), line('After', cutoff.after)];
}
