import { z } from 'zod';
import type { VerdictState } from '../../analysis/index.ts';
import { type RunSummary, runSummarySchema } from '../../analysis/index.ts';
import { isObject } from '../../kernel/index.ts';
import type { JournalEnds } from '../../runs/index.ts';
import { flatFactsOf, tradingSettings } from '../../runs/index.ts';

/** How far a run is. */
export type RunState =
  | 'running'
  | 'completed'
  | 'failed'
  | 'interrupted'
  | 'killed'
  | 'damaged'
  | (string & {});

/** A run as the list shows it. */
export interface RunRow {
  readonly runId: string;
  /** What tells it from the others of its strategy and symbols, as in "fast 50, slow 200". */
  readonly name: string;
  readonly strategy: string;
  readonly symbols: readonly string[];
  /** Its parameters and its model, as in "fast 50, slow 200"; empty for a run that has none. */
  readonly parameters: string;
  readonly state: RunState;
  /** What is wrong with its folder and what to do; empty where nothing is. */
  readonly problem: string;
  /** Empty where there is none yet: the run is under way, or its journal cannot be read. */
  readonly verdict: VerdictState | '';
  /** Problems of the run's alarms. */
  readonly alarms: readonly string[];
  /** Ways in which something beside its inputs could reach it; empty for a sealed run. */
  readonly openDoors: readonly string[];
  readonly firstBar: string;
  readonly lastBar: string;
  readonly bars: number;
  /** Bars the run means to walk. */
  readonly planned: number;
  /** A decimal string, as the journal has it; empty where no bar ended. */
  readonly equity: string;
  readonly totalReturn: number | null;
  readonly sharpe: number | null;
  readonly maxDrawdown: number | null;
  readonly tradeCount: number | null;
  /** What its model cost, in dollars; null without a model, or where it is not known. */
  readonly modelCost: number | null;
  /** Milliseconds since 1970: when the journal was last written. */
  readonly changed: number;
  readonly tags: readonly string[];
}

/** What a run's row is made of, as long as its files stay as they are. */
export type Facts = Omit<RunRow, 'runId' | 'name' | 'changed' | 'tags'> & {
  /** What it was made of, for its name. */
  readonly made: ReadonlyMap<string, string>;
};

const NO_FIGURES = {
  sharpe: null,
  maxDrawdown: null,
  tradeCount: null,
  modelCost: null,
  verdict: '',
  alarms: [],
  problem: '',
} as const;

/** Of a journal that tells nothing. */
export const NOTHING: Omit<Facts, 'state' | 'problem'> = {
  strategy: '',
  parameters: '',
  made: new Map(),
  openDoors: [],
  symbols: [],
  firstBar: '',
  lastBar: '',
  bars: 0,
  planned: 0,
  equity: '',
  totalReturn: null,
  ...NO_FIGURES,
};

/** What a run was made of, as its manifest or the first line of its journal says it. */
export interface Made {
  readonly made: ReadonlyMap<string, string>;
  readonly parameters: string;
}

/**
 * @param opening with a `strategy` that has `parameters`, and `settings`
 * @param models that it asked
 */
export function madeOf(opening: unknown, models: readonly string[]): Made {
  if (!isObject(opening)) return { made: new Map(), parameters: '' };
  const { strategy, settings } = opening;
  const parameters = isObject(strategy) && isObject(strategy.parameters) ? strategy.parameters : {};
  const own = flatFactsOf({ parameters: parameters as never, models, settings: {} });
  return {
    made: new Map([
      ...own,
      ...flatFactsOf({ parameters: {}, models: [], settings: tradingSettings((settings ?? {}) as never) }),
    ]),
    parameters: [...own].map(([name, value]) => `${name} ${value}`).join(', '),
  };
}

/** Of a run under way: what both ends of its journal say. */
export function factsOfEnds({ outcome: _, opening, ...ends }: JournalEnds): Facts {
  return { ...ends, ...madeOf(opening, []), ...NO_FIGURES, state: 'running' };
}

const { shape } = runSummarySchema;
const listed = z.object({
  strategy: shape.strategy,
  outcome: shape.outcome,
  verdict: shape.verdict,
  alarms: shape.alarms,
  openDoors: shape.openDoors,
  symbols: shape.symbols,
  firstBar: shape.firstBar,
  lastBar: shape.lastBar,
  bars: shape.bars,
  finalEquity: shape.finalEquity,
  totalReturn: shape.totalReturn,
  sharpe: shape.sharpe,
  maxDrawdown: shape.maxDrawdown,
  tradeCount: shape.tradeCount,
  model: shape.model,
});
export type ListedSummary = Pick<RunSummary, keyof typeof listed.shape>;

const FIELDS = Object.entries(shape);
const NEEDED = FIELDS.filter(([, field]) => !field.safeParse(undefined).success).map(([name]) => name);
const KNOWN = new Set(FIELDS.map(([name]) => name));

/**
 * A summary's fields that the list shows; undefined for one of another version, whose fields are others. The rest is not
 * checked: of thousands of runs that would take seconds.
 */
export function listedSummary(stored: unknown): ListedSummary | undefined {
  if (!isObject(stored) || NEEDED.some((name) => !(name in stored))) return undefined;
  if (Object.keys(stored).some((name) => !KNOWN.has(name))) return undefined;
  return listed.safeParse(stored).data;
}

export function factsOfSummary(
  summary: ListedSummary,
  { made, parameters }: Made,
  state: RunState,
  planned = summary.bars,
): Facts {
  return {
    strategy: summary.strategy,
    symbols: summary.symbols,
    parameters,
    made,
    state,
    problem: '',
    // Told by how its journal ends, which a run's own summary cannot know.
    verdict: state === 'damaged' && summary.verdict.state !== 'broke' ? 'incomplete' : summary.verdict.state,
    alarms: summary.alarms.map(({ problem }) => problem),
    openDoors: summary.openDoors,
    firstBar: summary.firstBar ?? '',
    lastBar: summary.lastBar ?? '',
    bars: summary.bars,
    planned,
    equity: summary.finalEquity,
    totalReturn: summary.totalReturn,
    sharpe: summary.sharpe,
    maxDrawdown: summary.maxDrawdown,
    tradeCount: summary.tradeCount,
    modelCost: summary.model?.cost == null ? null : Number(summary.model.cost),
  };
}

/** Whether two rows of a run show the same. */
export function isSameRow(one: RunRow, other: RunRow): boolean {
  return (Object.keys(other) as (keyof RunRow)[]).every(
    (key) =>
      one[key] === other[key] ||
      (typeof one[key] === 'object' && JSON.stringify(one[key]) === JSON.stringify(other[key])),
  );
}
