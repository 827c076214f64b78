import type { EventOf, RunRecord } from '../../../journal/index.ts';
import { decimal, decimalString } from '../../../kernel/index.ts';
import {
  computeMetrics,
  drawdownCurve,
  equityColumns,
  type Figure,
  type MetricsOptions,
} from '../../analysis/index.ts';
import { orderRows } from './order-rows.ts';

/** Names of the tables of a run, in display order. */
export const RUN_TABLES = [
  'trades',
  'equity',
  'fills',
  'orders',
  'decisions',
  'metrics',
  'spine',
  'features',
] as const;
export type RunTableName = (typeof RUN_TABLES)[number];

/**
 * Column type. `exact` is a decimal string (money, prices, quantities), `number` a float64, `instant` a date
 * in UTC in the format of the journal.
 */
export type ColumnType = 'integer' | 'number' | 'exact' | 'instant' | 'text' | 'boolean';

export type Cell = string | number | boolean | null;

export interface RunTable {
  readonly name: RunTableName;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  readonly rows: readonly (readonly Cell[])[];
}

type Row = Readonly<Record<string, Cell | undefined>>;

const COLUMNS: Readonly<Record<RunTableName, Readonly<Record<string, ColumnType>>>> = {
  trades: {
    id: 'integer',
    symbol: 'text',
    side: 'text',
    quantity: 'exact',
    entryBar: 'integer',
    entryDate: 'instant',
    entryPrice: 'exact',
    exitBar: 'integer',
    exitDate: 'instant',
    exitPrice: 'exact',
    grossPnl: 'exact',
    commission: 'exact',
    netPnl: 'exact',
    exitReason: 'text',
    multiplier: 'exact',
  },
  equity: {
    bar: 'integer',
    date: 'instant',
    cash: 'exact',
    equity: 'exact',
    drawdown: 'number',
    exposure: 'number',
  },
  fills: {
    bar: 'integer',
    date: 'instant',
    orderId: 'integer',
    symbol: 'text',
    side: 'text',
    quantity: 'exact',
    price: 'exact',
    priceBeforeSlippage: 'exact',
    commission: 'exact',
    cash: 'exact',
    rate: 'exact',
    multiplier: 'exact',
    reason: 'text',
    detailTime: 'instant',
    ambiguous: 'boolean',
    gainIfOther: 'exact',
    requestedQuantity: 'exact',
  },
  orders: {
    orderId: 'integer',
    bar: 'integer',
    date: 'instant',
    symbol: 'text',
    action: 'text',
    orderType: 'text',
    quantity: 'exact',
    notional: 'exact',
    equityFraction: 'exact',
    targetQuantity: 'exact',
    targetFraction: 'exact',
    limitPrice: 'exact',
    stopPrice: 'exact',
    limitOffset: 'exact',
    activationPrice: 'exact',
    timeInForce: 'text',
    validBars: 'integer',
    group: 'text',
    parentId: 'integer',
    role: 'text',
    reason: 'text',
    status: 'text',
    filledQuantity: 'exact',
    endBar: 'integer',
    endDate: 'instant',
    endCode: 'text',
    endMessage: 'text',
  },
  decisions: {
    bar: 'integer',
    date: 'instant',
    orders: 'integer',
    refusals: 'integer',
    fills: 'integer',
    toolCalls: 'integer',
    outcome: 'text',
    rounds: 'integer',
    inputTokens: 'integer',
    cachedTokens: 'integer',
    outputTokens: 'integer',
    reasoningTokens: 'integer',
    cost: 'exact',
    text: 'text',
  },
  features: {
    bar: 'integer',
    symbol: 'text',
    date: 'instant',
    availableAt: 'instant',
    feature: 'text',
    number: 'number',
    text: 'text',
    boolean: 'boolean',
  },
  spine: {
    figure: 'text',
    strategy: 'number',
    benchmark: 'number',
    atEqualVolatility: 'number',
    against: 'text',
    difference: 'number',
    low: 'number',
    high: 'number',
    supports: 'text',
  },
  metrics: { figure: 'text', value: 'number', amount: 'exact', convention: 'text', reason: 'text' },
};

/** Returns the columns of a table without reading a run. */
export function columnsOf(name: RunTableName): RunTable['columns'] {
  return Object.entries(COLUMNS[name]);
}

/**
 * Returns one table of a run.
 *
 * @param options options for computing the figures of `metrics` and `spine`
 * @throws AppError `journal_damaged` if the figures cannot be computed from the journal
 */
export function runTable(record: RunRecord, name: RunTableName, options: MetricsOptions = {}): RunTable {
  const columns = columnsOf(name);
  const rows = ROWS[name](record, options).map((row) => columns.map(([column]) => row[column] ?? null));
  return { name, columns, rows };
}

const ROWS: Readonly<Record<RunTableName, (record: RunRecord, options: MetricsOptions) => readonly Row[]>> = {
  trades: tradeRows,
  equity: equityRows,
  fills: ({ fills, bars }) =>
    fills.map((fill) => ({ ...fill, date: bars[fill.bar]?.date, ambiguous: fill.ambiguous === true })),
  orders: orderRows,
  decisions: decisionRows,
  metrics: metricRows,
  spine: benchmarkRows,
  features: featureRows,
};

/** Returns one row per feature value, at the bar at which the value became visible. */
function featureRows({ features }: RunRecord): Row[] {
  return features.flatMap(({ bar, rows }) =>
    rows.flatMap(({ symbol, date, availableAt, values }) =>
      Object.entries(values).map(([feature, value]) => ({
        bar,
        symbol: symbol ?? null,
        date,
        availableAt,
        feature,
        number: typeof value === 'number' ? value : null,
        text: typeof value === 'string' ? value : null,
        boolean: typeof value === 'boolean' ? value : null,
      })),
    ),
  );
}

/**
 * Returns one row per closed trade, then one row per open trade. Open trades have no exit and are valued at
 * the last close.
 */
function tradeRows({ trades, openTrades }: RunRecord): Row[] {
  return [
    ...trades.map((trade) => ({
      ...trade,
      entryDate: trade.entryTime,
      exitBar: trade.bar,
      exitDate: trade.exitTime,
    })),
    ...openTrades.map((trade) => ({ ...trade, entryDate: trade.entryTime, exitReason: 'open' })),
  ];
}

function equityRows(record: RunRecord): Row[] {
  const drawdowns = drawdownCurve(equityColumns(record));
  return record.bars.map(({ bar, date, cash, equity, exposure }, index) => ({
    bar,
    date,
    cash,
    equity,
    drawdown: drawdowns[index],
    exposure,
  }));
}

/**
 * Returns one row per bar: numbers of orders, rejections, fills and tool calls, and the outcome and token
 * usage of the model's decision.
 */
function decisionRows(record: RunRecord): Row[] {
  const { bars, orders, rejections, fills, toolCalls, decisions } = record;
  const counted = (events: readonly { readonly bar: number }[]): Map<number, number> => {
    const counts = new Map<number, number>();
    for (const { bar } of events) counts.set(bar, (counts.get(bar) ?? 0) + 1);
    return counts;
  };
  const placed = counted(orders.filter(({ role }) => role === undefined));
  const [refused, filled, called] = [counted(rejections), counted(fills), counted(toolCalls)];
  const made = new Map<number, EventOf<'decision_made'>[]>();
  for (const decision of decisions) made.set(decision.bar, [...(made.get(decision.bar) ?? []), decision]);
  return bars.map(({ bar, date }) => ({
    bar,
    date,
    orders: placed.get(bar) ?? 0,
    refusals: refused.get(bar) ?? 0,
    fills: filled.get(bar) ?? 0,
    toolCalls: called.get(bar) ?? 0,
    ...modelCells(made.get(bar)),
  }));
}

function modelCells(decisions: readonly EventOf<'decision_made'>[] | undefined): Row {
  const last = decisions?.at(-1);
  if (decisions === undefined || last === undefined) return {};
  const sum = (pick: (decision: EventOf<'decision_made'>) => number): number =>
    decisions.reduce((total, decision) => total + pick(decision), 0);
  const known = decisions.every(({ cost }) => cost !== null);
  return {
    outcome: last.outcome,
    rounds: sum(({ rounds }) => rounds),
    inputTokens: sum(({ usage }) => usage.input),
    cachedTokens: sum(({ usage }) => usage.cached),
    outputTokens: sum(({ usage }) => usage.output),
    reasoningTokens: sum(({ usage }) => usage.reasoning),
    cost: known
      ? decimalString(decisions.reduce((total, { cost }) => total.plus(cost ?? 0), decimal(0)))
      : null,
    text: last.text,
  };
}

/**
 * Returns one row per figure of the benchmark comparison table, as shown in the report and in the terminal.
 */
function benchmarkRows(record: RunRecord, options: MetricsOptions): Row[] {
  return computeMetrics(record, options)
    .benchmarkTable()
    .map(({ name, own, scaled, against, ...row }) => ({
      ...row,
      figure: name,
      strategy: own,
      atEqualVolatility: scaled,
      against: against === 'scaled' ? 'atEqualVolatility' : against,
    }));
}

/** Returns one row per figure. Amounts of money are exact in `amount` and approximate in `value`. */
function metricRows(record: RunRecord, options: MetricsOptions): Row[] {
  return Object.entries(computeMetrics(record, options)).flatMap(([figure, entry]: [string, unknown]) =>
    isFigure(entry)
      ? [
          {
            figure,
            value: entry.value === null ? null : Number(entry.value),
            amount: typeof entry.value === 'string' ? entry.value : null,
            convention: entry.convention,
            reason: entry.reason,
          },
        ]
      : [],
  );
}

// True for a figure with a value. The best and worst trades are objects, which do not fit into a cell of a
// table.
function isFigure(entry: unknown): entry is Figure<number | string> {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'convention' in entry &&
    'value' in entry &&
    (typeof entry.value !== 'object' || entry.value === null)
  );
}
