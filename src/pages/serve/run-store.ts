import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { VerdictState } from '../../analysis/index.ts';
import { type RunSummary, runSummarySchema } from '../../analysis/index.ts';
import { AppError, fileProblem } from '../../kernel/index.ts';
import { isUnderWay, journalEnds, journalState, readRun, type StoredRun } from '../../runs/index.ts';
import { isFile, isFolder } from './real-files.ts';

/** How far a run is. */
type RunState = 'running' | 'completed' | 'failed' | 'interrupted' | 'killed' | 'damaged' | (string & {});

/** A run as the list shows it. */
export interface RunRow {
  readonly runId: string;
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly state: RunState;
  /** Empty where there is none yet: the run is under way, or its journal cannot be read. */
  readonly verdict: VerdictState | '';
  /** What stands before every figure: liquidations, mass refusals, halts; a sentence each. */
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
type Facts = Omit<RunRow, 'runId' | 'changed' | 'tags'>;

/** The run folders in one folder; nothing outside it can be reached through it. */
export class RunStore {
  readonly root: string;
  /** Of runs that are not under way, with the times and sizes of the files they were read from. */
  readonly #facts = new Map<string, { readonly stamp: string; readonly facts: Facts }>();

  /** @throws AppError `no_reports` */
  constructor(folder: string) {
    try {
      this.root = realpathSync(folder);
      readdirSync(this.root);
    } catch (cause) {
      throw new AppError({
        code: 'no_reports',
        message: `Cannot read ${folder}: ${fileProblem(cause)}.`,
        hint: 'Name the folder that holds run folders, such as reports.',
        cause,
      });
    }
  }

  /** Names of all runs, newest first. */
  names(): string[] {
    return readdirSync(this.root)
      .filter((name) => this.#folderOf(name) !== undefined)
      .sort((a, b) => (a < b ? 1 : -1));
  }

  /**
   * The folder of a run.
   *
   * @throws AppError `no_run` for whatever is not the name of a run folder that lies in the root
   */
  folder(runId: string): string {
    const folder = this.#folderOf(runId);
    if (folder !== undefined) return folder;
    throw new AppError({
      code: 'no_run',
      message: 'There is no such run here.',
      hint: 'Choose one from the list of runs.',
    });
  }

  // A run is a real folder directly in the root with a real journal in it. Links are not followed: they lead anywhere.
  #folderOf(name: string): string | undefined {
    if (name === '' || name.startsWith('.') || /[/\\\0]/.test(name)) return undefined;
    const folder = join(this.root, name);
    if (!folder.startsWith(this.root.endsWith(sep) ? this.root : this.root + sep)) return undefined;
    try {
      return isFolder(folder) && isFile(join(folder, 'journal.jsonl')) ? folder : undefined;
    } catch {
      return undefined;
    }
  }

  /** A JSON file of a run; undefined where it is missing, damaged or a link. */
  json(runId: string, name: 'manifest.json' | 'summary.json' | 'timing.json' | 'inputs.json'): unknown {
    const file = join(this.folder(runId), name);
    try {
      return isFile(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
    } catch {
      return undefined;
    }
  }

  row(runId: string, tags: readonly string[]): RunRow {
    const folder = this.folder(runId);
    const changed = statSync(join(folder, 'journal.jsonl')).mtimeMs;
    const stamp = stampOf(folder);
    let known = this.#facts.get(runId);
    if (known?.stamp !== stamp) {
      if (isUnderWay(folder)) {
        const { outcome: _, ...ends } = journalEnds(join(folder, 'journal.jsonl'));
        return { runId, ...ends, ...NO_FIGURES, state: 'running', changed, tags };
      }
      known = { stamp, facts: this.#factsOf(runId, folder) };
      this.#facts.set(runId, known);
    }
    return { runId, ...known.facts, changed, tags };
  }

  // From the run's summary while its journal still is the one it was made from, and from the journal otherwise: the
  // list must not tell of other bars than the report.
  #factsOf(runId: string, folder: string): Facts {
    const state = journalState(folder);
    const stored = runSummarySchema.safeParse(this.json(runId, 'summary.json'));
    if (stored.success && state === 'as written') return factsIn(stored.data, stored.data.outcome);
    try {
      const { run, isDamaged } = readAsFarAsItGoes(folder);
      const { summary, record } = run;
      const isKilled = journalEnds(join(folder, 'journal.jsonl')).outcome === '';
      const isLost = isDamaged || (state === 'changed' && !existsSync(join(folder, 'run.lock')));
      const how = isLost ? 'damaged' : isKilled ? 'killed' : summary.outcome;
      return factsIn(summary, how, record.started.bars);
    } catch {
      return { ...NOTHING, state: statSync(join(folder, 'journal.jsonl')).size === 0 ? 'killed' : 'damaged' };
    }
  }

  /** Whether a process is at work on a run. */
  isRunning(runId: string): boolean {
    return isUnderWay(this.folder(runId));
  }

  /** @throws AppError `run_under_way`, `no_run`, `run_undeletable` */
  remove(runId: string): void {
    const folder = this.folder(runId);
    if (this.isRunning(runId)) {
      throw new AppError({
        code: 'run_under_way',
        message: 'This run is under way.',
        hint: 'Wait for its end, or stop it, before deleting it.',
      });
    }
    // Out of sight at once, whatever happens while its files go.
    const hidden = join(this.root, `.deleted-${runId}`);
    try {
      rmSync(hidden, { recursive: true, force: true });
      renameSync(folder, hidden);
      rmSync(hidden, { recursive: true, force: true });
    } catch (cause) {
      throw new AppError({
        code: 'run_undeletable',
        message: `The run cannot be deleted: ${fileProblem(cause)}.`,
        hint: 'Check who may write to the folder.',
        kind: 'run',
        cause,
      });
    }
    this.#facts.delete(runId);
  }
}

const NO_FIGURES = {
  sharpe: null,
  maxDrawdown: null,
  tradeCount: null,
  modelCost: null,
  verdict: '',
  alarms: [],
} as const;

/** Of a journal that tells nothing. */
const NOTHING: Omit<Facts, 'state'> = {
  strategy: '',
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

function factsIn(summary: RunSummary, state: RunState, planned = summary.bars): Facts {
  return {
    strategy: summary.strategy,
    symbols: summary.symbols,
    state,
    // Told by how its journal ends, which a run's own summary cannot know.
    verdict: state === 'damaged' && summary.verdict.state !== 'broke' ? 'incomplete' : summary.verdict.state,
    alarms: summary.alarms,
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

/** A run whose journal may be damaged, and whether it is. */
function readAsFarAsItGoes(folder: string): { readonly run: StoredRun; readonly isDamaged: boolean } {
  try {
    return { run: readRun(folder), isDamaged: false };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'journal_damaged') throw error;
    return { run: readRun(folder, { salvage: true }), isDamaged: true };
  }
}

/** Times and sizes of what a row is read from. */
function stampOf(folder: string): string {
  return ['journal.jsonl', 'manifest.json', 'summary.json', 'run.lock']
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? '' : `${stat.mtimeMs} ${stat.size}`))
    .join(', ');
}
