import { openDoorsOf } from '../../../engine/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { decimalString } from '../../../kernel/index.ts';
import { alarmsOf, type HeldOut, liquidationsOf } from '../alarms/alarms.ts';
import type { BenchmarkChoice } from '../benchmark/benchmark.ts';
import { cashMoved } from '../figures/costs.ts';
import { reportSettings } from '../figures/equity.ts';
import type { Figure } from '../figures/figures.ts';
import { computeMetrics, type Metrics, type MetricsOptions } from '../figures/metrics.ts';
import { modelUsage } from '../figures/model-usage.ts';
import type { BenchmarkRow } from '../series/benchmark-rows.ts';
import { FIGURE_ENTRIES, type FigureGroup, type FigureOfGroup } from '../series/figure-catalogue.ts';
import { splitAtCutoff } from './cutoff.ts';
import { decisionStatistics } from './decisions.ts';
import { ambiguityOf, evaluated } from './evaluation.ts';
import type { RunSummary } from './summary-schema.ts';

/** Summarises a run from its journal. Without a bar, the final equity is the initial cash. */
export function summarise(
  record: RunRecord,
  options: MetricsOptions & {
    readonly runId: string;
    /** Number of recorded model replies that this process used instead of sending requests. */
    readonly replayedExchanges?: number;
    /**
     * Sandbox restrictions that the machine could not enforce. The caller passes them, because the journal
     * does not contain them.
     */
    readonly platformDoors?: readonly string[];
    /** Bars that a sweep reserved for a final test (held out) and that this run used. */
    readonly heldOut?: HeldOut | undefined;
    /** Last date of the model's training data. */
    readonly modelCutoff?: string | undefined;
    /** Metrics of the record with these options, if they are already computed. */
    readonly metrics?: Metrics;
    /**
     * Comparison table with the benchmark. If not given, the summary has no such table, because its bootstrap
     * is slow.
     */
    readonly spine?: readonly BenchmarkRow[];
  },
): RunSummary {
  const metrics = options.metrics ?? computeMetrics(record, options);
  const { benchmark } = options;
  const moved = cashMoved(record);
  const openDoors = [...openDoorsOf(record.started), ...(options.platformDoors ?? [])];
  const initialCash = decimalString(reportSettings(record).cash);
  const reducedOrders = reducedOrdersOf(record);
  const finalEquity = metrics.finalEquity.value ?? initialCash;
  return {
    runId: options.runId,
    strategy: record.started.strategy.name,
    outcome: record.outcome,
    verdict: metrics.verdict,
    ...(options.spine === undefined ? {} : { spine: options.spine.map((row) => ({ ...row })) }),
    alarms: alarmsOf(record, options.heldOut),
    liquidations: liquidationsOf(record),
    sealed: openDoors.length === 0,
    openDoors,
    stamps: [...(record.started.stamps ?? [])],
    symbols: [...record.started.symbols],
    firstBar: record.bars[0]?.date ?? null,
    lastBar: record.bars.at(-1)?.date ?? null,
    bars: record.bars.length,
    ...(evaluated(record) === record ? {} : { evaluatedFrom: evaluated(record).bars[0]!.date }),
    initialCash,
    finalEquity,
    ...ambiguityOf(record),
    uncoveredBars: record.uncoveredBars,
    ...(reducedOrders === 0 ? {} : { reducedOrders }),
    ...figuresOf('return', metrics),
    underAYear: metrics.underAYear,
    periodsPerYear: metrics.periodsPerYear,
    periodsInWords: metrics.periodsInWords,
    riskFreeRate: options.riskFreeRate ?? 0,
    minimumAcceptableReturn: options.minimumAcceptableReturn ?? 0,
    ...figuresOf('risk', metrics),
    drawdownRecovered: metrics.drawdownDuration.recovered,
    ...figuresOf('drawdown', metrics),
    drawdowns: metrics.deepestDrawdowns.map(({ peakDate, troughDate, endDate, recovered, depth, days }) => ({
      start: peakDate,
      trough: troughDate,
      recovery: recovered ? endDate : null,
      depth,
      days,
    })),
    ...figuresOf('session', metrics),
    bestDayDate: metrics.bestDayDate,
    worstDayDate: metrics.worstDayDate,
    ...figuresOf('exposure', metrics),
    benchmark: nameOfBenchmark(benchmark, record.started.symbols),
    ...figuresOf('benchmark', metrics),
    commonPeriod: metrics.commonPeriod,
    ...figuresOf('trade', metrics),
    tradeCount: record.trades.length,
    ...figuresOf('cost', metrics),
    dividends: decimalString(moved.dividend),
    interest: decimalString(moved.interest),
    marginInterest: decimalString(moved.margin_interest),
    borrowFees: decimalString(moved.borrow_fee),
    ...(moved.funding.isZero() ? {} : { funding: decimalString(moved.funding) }),
    ...figuresOf('beforeCosts', metrics),
    costSteps: [...metrics.costSteps],
    attribution: metrics.attribution,
    months: metrics.months.map(({ year, months, total }) => ({ year, months: [...months], total })),
    toolCalls: record.toolCalls.length,
    rejectedOrders: record.rejections.length,
    activity: decisionStatistics(record),
    ...haltsOf(record),
    model: modelUsage(record, options.replayedExchanges ?? 0),
    modelCutoff: splitAtCutoff(record, options.modelCutoff, options),
    damage: [...record.damage],
    reasons: reasonsOf(metrics),
  };
}

/** Returns the values of the figures of a group, in the order of the catalogue. */
function figuresOf<Group extends FigureGroup>(
  group: Group,
  metrics: Metrics,
): Pick<RunSummary, FigureOfGroup<Group>> {
  const values = FIGURE_ENTRIES.filter(([, entry]) => entry.group === group).map(
    ([name, { unit, always, metric = name }]) => {
      const { value } = metrics[metric as keyof Metrics] as Figure<number | string | { netPnl: string }>;
      const plain = typeof value === 'object' && value !== null ? value.netPnl : value;
      return [name, plain ?? (always !== true ? null : unit === 'money' ? '0' : 0)];
    },
  );
  return Object.fromEntries(values) as Pick<RunSummary, FigureOfGroup<Group>>;
}

function nameOfBenchmark(benchmark: BenchmarkChoice, symbols: readonly string[]): string | null {
  if (typeof benchmark !== 'object') return benchmark ?? null;
  return benchmark.held === true && !symbols.includes(benchmark.name) ? null : benchmark.name;
}

function haltsOf({ halts, bars }: RunRecord): Pick<RunSummary, 'drawdownHalt' | 'dailyLossStops'> {
  const drawdown = halts.find(({ code }) => code === 'risk_drawdown');
  return {
    drawdownHalt: (drawdown && bars.find(({ bar }) => bar === drawdown.bar)?.date) ?? null,
    dailyLossStops: halts.filter(({ code }) => code === 'risk_daily_loss').length,
  };
}

/**
 * Names of figures in `summary.json`, by their name in `Metrics`. Contains only figures for which the two
 * names differ.
 */
const SUMMARY_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  FIGURE_ENTRIES.flatMap(([name, { metric }]) => (metric === undefined ? [] : [[metric, name]])),
);

function reasonsOf(metrics: Metrics): Record<string, string> {
  const reasons: Record<string, string> = {};
  for (const [name, entry] of Object.entries(metrics) as [string, unknown][]) {
    if (name === 'finalEquity' || !isFigure(entry) || entry.reason === undefined) continue;
    reasons[SUMMARY_NAMES[name] ?? name] = entry.reason;
  }
  return reasons;
}

function isFigure(entry: unknown): entry is Figure<unknown> {
  return typeof entry === 'object' && entry !== null && 'convention' in entry;
}

/**
 * Returns the number of orders that were filled with fewer units than requested because of limited buying
 * power. An order that was reduced at several fills counts once.
 */
export function reducedOrdersOf({ fills }: Pick<RunRecord, 'fills'>): number {
  return new Set(
    fills.flatMap(({ orderId, requestedQuantity }) => (requestedQuantity === undefined ? [] : [orderId])),
  ).size;
}
