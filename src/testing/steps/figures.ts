import { type Decimal, decimal, isObject, nearest } from '../../kernel/index.ts';
import { FIGURES, type FigureName } from '../../results/analysis/index.ts';
import { type CheckedRun, CheckFailed, type FigureKind } from './checked-run.ts';

interface KnownFigure {
  readonly name: string;
  readonly also?: readonly string[];
  readonly kind: FigureKind;
  /** 1 if a larger value is better, −1 if a smaller value is better, 0 if neither. */
  readonly better: 1 | -1 | 0;
  /** Field of the summary, or figure of the metrics. Empty if `read` is used instead. */
  readonly field: string;
  /** Reads the figure from the run. Used for figures that are not a field. */
  readonly read?: (run: CheckedRun) => number | string | null;
}

/** Returns the field, kind and `better` of a figure, as defined in the catalogue `FIGURES`. */
const figure = (field: FigureName) => ({ field, kind: FIGURES[field].unit, better: FIGURES[field].better });

const own = (read: (run: CheckedRun) => number | string | null) => ({ field: '', read });

/**
 * Names of the figures of docs/metrics.md in feature files of Cucumber. Other figures are found by the words
 * of their field names.
 */
const KNOWN: readonly KnownFigure[] = [
  { name: 'total return', also: ['return'], ...figure('totalReturn') },
  { name: 'CAGR', also: ['annual return', 'yearly return'], ...figure('cagr') },
  { name: 'volatility', ...figure('volatility'), better: -1 },
  { name: 'Sharpe ratio', also: ['Sharpe'], ...figure('sharpe') },
  { name: 'Sortino ratio', also: ['Sortino'], ...figure('sortino') },
  { name: 'Calmar ratio', also: ['Calmar'], ...figure('calmar') },
  {
    name: 'max drawdown',
    also: ['maximum drawdown', 'drawdown'],
    ...figure('maxDrawdown'),
    better: -1,
    // Feature files state a drawdown as a positive number, but the field is negative. With the field itself,
    // "below 20%" would always be true.
    read: ({ summary }) => (summary.maxDrawdown === null ? null : -summary.maxDrawdown),
  },
  { name: 'longest drawdown', also: ['drawdown days'], ...figure('drawdownDays') },
  { name: 'final equity', ...figure('finalEquity') },
  { name: 'initial cash', kind: 'money', better: 0, field: 'initialCash' },
  { name: 'time in market', also: ['exposure'], ...figure('exposure') },
  { name: 'mean exposure', ...figure('meanExposure') },
  { name: 'turnover', ...figure('turnover') },
  {
    name: 'number of trades',
    also: ['trades', 'trade count'],
    ...figure('tradeCount'),
  },
  { name: 'number of open trades', also: ['open trades'], ...figure('openTradeCount') },
  { name: 'win rate', also: ['hit rate'], ...figure('winRate') },
  { name: 'profit factor', ...figure('profitFactor') },
  { name: 'expectancy', ...figure('expectancy') },
  { name: 'SQN', ...figure('sqn') },
  { name: 'expectancy rate', ...figure('expectancyRate') },
  { name: 'best trade', ...figure('bestTrade') },
  { name: 'worst trade', ...figure('worstTrade') },
  { name: 'Kelly', also: ['Kelly fraction'], ...figure('kelly') },
  { name: 'commission', ...figure('commissionPaid') },
  { name: 'slippage', ...figure('slippagePaid') },
  {
    name: 'costs',
    also: ['trading costs', 'commission and slippage'],
    kind: 'money',
    better: -1,
    ...own(({ summary }) => decimal(summary.commissionPaid).plus(summary.slippagePaid).toFixed()),
  },
  { name: 'return before costs', ...figure('returnBeforeCosts') },
  { name: 'return before commission', ...figure('returnBeforeCommission') },
  { name: 'number of bars', also: ['bars'], kind: 'count', better: 0, field: 'bars' },
  {
    name: 'number of orders',
    also: ['orders'],
    kind: 'count',
    better: 0,
    ...own(({ record }) => record.orders.length),
  },
  {
    name: 'number of fills',
    also: ['fills'],
    kind: 'count',
    better: 0,
    ...own(({ record }) => record.fills.length),
  },
  {
    name: 'number of refused orders',
    also: ['refused orders', 'rejected orders'],
    kind: 'count',
    better: -1,
    field: 'rejectedOrders',
  },
  {
    name: 'number of ambiguous fills',
    also: ['ambiguous fills'],
    kind: 'count',
    better: -1,
    field: 'ambiguousFills',
  },
  { name: 'number of tool calls', also: ['tool calls'], kind: 'count', better: 0, field: 'toolCalls' },
  {
    name: 'number of model requests',
    also: ['model requests'],
    kind: 'count',
    better: -1,
    ...own(({ summary }) => summary.model?.requests ?? 0),
  },
  {
    name: 'number of decisions',
    also: ['decisions'],
    kind: 'count',
    better: 0,
    ...own(({ summary }) => summary.model?.decisions ?? 0),
  },
  {
    name: 'cost of the model',
    also: ['model cost'],
    kind: 'money',
    better: -1,
    ...own(({ summary }) => (summary.model === null ? '0' : summary.model.cost)),
  },
];

/** Fields of the summary that are not figures, for example texts and dates. */
const TEXTS = [
  'commonPeriod',
  'runId',
  'strategy',
  'outcome',
  'firstBar',
  'lastBar',
  'drawdownHalt',
  'bestDayDate',
  'worstDayDate',
];

/** Figure of one run. */
export interface CheckedFigure {
  readonly name: string;
  readonly kind: FigureKind;
  readonly better: 1 | -1 | 0;
  /** Value of the figure. If the run does not have the figure, `undefined`; `reason` then states why. */
  readonly value: Decimal | undefined;
  readonly reason: string;
}

/**
 * Finds a figure by its name in a feature file: `Sharpe ratio`, `max drawdown`, `average win`.
 *
 * @throws CheckFailed for an unknown figure, with the most similar name and the list of all figures
 */
export function figureOf(run: CheckedRun, words: string): CheckedFigure {
  const known = KNOWN.find(({ name, also = [] }) =>
    [name, ...also].some((one) => plain(one) === plain(words)),
  );
  if (known !== undefined) {
    const value = known.read === undefined ? fieldOf(run, known.field) : known.read(run);
    return { ...known, value: numberOf(value), reason: reasonOf(run, known.field) };
  }
  const field = otherFields(run).find((name) => plain(name) === plain(words));
  if (field === undefined) throw unknownFigure(run, words);
  return {
    name: wordsOf(field),
    kind: 'any',
    better: 0,
    value: numberOf(fieldOf(run, field)),
    reason: reasonOf(run, field),
  };
}

/** Returns the names of all figures, for messages and for the reference in the docs. */
export function figureNames(run?: CheckedRun): string[] {
  return [...KNOWN.map(({ name }) => name), ...(run === undefined ? [] : otherFields(run).map(wordsOf))];
}

function unknownFigure(run: CheckedRun, words: string): CheckFailed {
  const names = [...figureNames(run), ...KNOWN.flatMap(({ also = [] }) => also)];
  const near = nearest(words, names);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new CheckFailed(`Unknown figure "${words}".${hint}\n  Figures: ${figureNames(run).join(', ')}.`);
}

/** Returns the field names of figures in the summary and the metrics that are not in `KNOWN`. */
function otherFields(run: CheckedRun): string[] {
  const taken = new Set([
    ...TEXTS,
    ...KNOWN.map(({ field }) => field),
    'maxDrawdown',
    'timeInMarket',
    'drawdownDuration',
  ]);
  const names = [...Object.keys(run.summary), ...Object.keys(run.metrics)];
  const words = KNOWN.flatMap(({ name, also = [] }) => [name, ...also]).map(plain);
  return [...new Set(names)].filter(
    (name) => !taken.has(name) && !words.includes(plain(name)) && fieldOf(run, name) !== undefined,
  );
}

/** Returns the value of a field of the summary or the metrics. `undefined` if the field is not a figure. */
function fieldOf(run: CheckedRun, field: string): number | string | null | undefined {
  const direct: unknown = Reflect.get(run.summary, field);
  const entry: unknown = direct ?? Reflect.get(run.metrics, field);
  const isFigure = typeof entry === 'object' && entry !== null && 'convention' in entry && 'value' in entry;
  const value: unknown = isFigure ? entry.value : entry;
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return /^-?\d+(\.\d+)?$/.test(value) ? value : undefined;
  return value === null && (isFigure || field in run.summary.reasons || direct === null) ? null : undefined;
}

function reasonOf({ summary, metrics }: CheckedRun, field: string): string {
  const entry: unknown = Reflect.get(metrics, field);
  const reason = isObject(entry) && typeof entry.reason === 'string' ? entry.reason : undefined;
  return summary.reasons[field] ?? reason ?? 'the run does not contain it';
}

function numberOf(value: number | string | null | undefined): Decimal | undefined {
  return value === null || value === undefined ? undefined : decimal(value);
}

function plain(words: string): string {
  return words.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** Converts `averageWin` to `average win`. */
function wordsOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
