import { z } from 'zod';
import { isObject } from '../../kernel/index.ts';
import { type RunSummary, runSummarySchema, type VerdictState } from '../../results/analysis/index.ts';
import { flatFactsOf, type JournalEnds, tradingSettings } from '../../results/runs/index.ts';

/** State of a run. Can also be an outcome that only another version of Sandtable knows. */
type RunState = 'running' | 'completed' | 'failed' | 'interrupted' | 'killed' | 'damaged' | (string & {});

/** Run as a row of the list. */
export interface RunRow {
  readonly runId: string;
  /**
   * Name of the run, made from its differences to other runs of the same strategy and symbols, for example
   * "fast 50, slow 200".
   */
  readonly name: string;
  readonly strategy: string;
  readonly symbols: readonly string[];
  /** Parameters and model, for example "fast 50, slow 200". Empty if the run has neither. */
  readonly parameters: string;
  readonly state: RunState;
  /** Problem with the folder and how to fix it. Empty for a folder without problems. */
  readonly problem: string;
  /** Verdict on the run. Empty if the run is active or its journal cannot be read. */
  readonly verdict: VerdictState | '';
  /** Problems that alarms report about the run. */
  readonly alarms: readonly string[];
  /**
   * Open doors: ways in which information other than the recorded inputs can influence the run, for example
   * unsealed strategy code. Empty for a sealed run.
   */
  readonly openDoors: readonly string[];
  readonly firstBar: string;
  readonly lastBar: string;
  readonly bars: number;
  /** Number of bars that the run will process in total. */
  readonly planned: number;
  /** Equity at the last bar, as a decimal text. Empty if no bar was completed. */
  readonly equity: string;
  readonly totalReturn: number | null;
  readonly sharpe: number | null;
  readonly maxDrawdown: number | null;
  readonly tradeCount: number | null;
  /** Cost of the model in dollars. `null` without a model or if the cost is unknown. */
  readonly modelCost: number | null;
  /** Time of the last write to the journal, in milliseconds since 1970. */
  readonly changed: number;
  readonly tags: readonly string[];
  /** Note that the user wrote about the run. */
  readonly notes: string;
  /**
   * True if this server has started the process that writes the run. The page can end only such a process.
   */
  readonly isOurs: boolean;
}

/** Content of a row that is read from the files of a run. It is cached until these files change. */
export type Facts = Omit<RunRow, 'runId' | 'name' | 'changed' | 'tags' | 'notes' | 'isOurs'> & {
  /** Values of strategy, parameters, models and settings, by name. The name of the run is made from them. */
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

/** Row content for a run whose journal cannot be read. */
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

/**
 * Inputs of a run as texts. `made` contains all inputs by name. `parameters` combines the parameters and
 * models to one text.
 */
interface Made {
  readonly made: ReadonlyMap<string, string>;
  readonly parameters: string;
}

/**
 * Returns the inputs of a run as texts. The name of a run is made from the inputs in which it differs from
 * other runs.
 *
 * @param opening manifest or first journal event, which contains `strategy` (with `parameters`) and
 *   `settings`
 * @param models models that the run used
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

/** Returns the facts of an active run from the first and the last lines of its journal. */
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
type ListedSummary = Pick<RunSummary, keyof typeof listed.shape>;

const FIELDS = Object.entries(shape);
const NEEDED = FIELDS.filter(([, field]) => !field.safeParse(undefined).success).map(([name]) => name);
const KNOWN = new Set(FIELDS.map(([name]) => name));

/**
 * Returns the fields of a stored summary that the list shows. Other fields are not validated, because this
 * would take seconds for thousands of runs.
 *
 * @returns `undefined` if fields are missing or unknown, because another version wrote the summary
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
    // A run with a damaged journal is incomplete. The stored summary may contain another verdict, because it
    // was written before the damage.
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

/** True if two rows of a run show the same content. */
export function isSameRow(one: RunRow, other: RunRow): boolean {
  return (Object.keys(other) as (keyof RunRow)[]).every(
    (key) =>
      one[key] === other[key] ||
      (typeof one[key] === 'object' && JSON.stringify(one[key]) === JSON.stringify(other[key])),
  );
}

/** Study, sweep, stress test or sample set, as one row of the list. The row expands to show details. */
export interface ResearchRow {
  /** Name of the folder. */
  readonly name: string;
  readonly kind: 'study' | 'sweep' | 'stress test' | 'samples';
  /** Displayed title. */
  readonly title: string;
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly state: 'finished' | 'running' | 'stopped' | 'damaged';
  /** Problem with the folder and how to fix it. Empty for a folder without problems. */
  readonly problem: string;
  readonly done: number;
  /** Total number of units of work, for example trials. `null` if unknown. */
  readonly planned: number | null;
  /** Name of the units in the plural, for example "trials". */
  readonly unit: string;
  readonly what: string;
  readonly answer: { readonly tone: '' | 'good' | 'bad'; readonly word: string; readonly text: string };
  readonly hasPage: boolean;
  readonly inside: readonly Inside[];
}

/** Table in the details of a research row. */
export interface Inside {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly {
    readonly cells: readonly string[];
    /** Run to which the row of the table refers, as a path relative to the results folder. */
    readonly run?: string;
  }[];
  /** Number of rows that the table omits. */
  readonly more: number;
}
