import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join, sep } from 'node:path';
import { AppError, fileProblem } from '../../kernel/index.ts';
import { type RunSummary, runSummarySchema } from '../summary.ts';
import { type JournalEnds, journalEnds } from './journal-ends.ts';

/** How far a run is. */
export type RunState = 'running' | 'completed' | 'failed' | 'interrupted' | 'killed' | (string & {});

/** A run as the list shows it. */
export interface RunRow {
  readonly runId: string;
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly state: RunState;
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
  /** Milliseconds since 1970: when the journal was last written. */
  readonly changed: number;
  readonly tags: readonly string[];
}

/** Milliseconds after which a journal that nobody writes to, without a lock, is one of a killed run. */
const STILL_RUNNING = 30_000;

/** The run folders in one folder; nothing outside it can be reached through it. */
export class RunStore {
  readonly root: string;
  readonly #summaries = new Map<
    string,
    { readonly changed: number; readonly summary: RunSummary | undefined }
  >();

  /** @throws AppError `no_reports` */
  constructor(folder: string) {
    try {
      this.root = realpathSync(folder);
      readdirSync(this.root);
    } catch (cause) {
      throw new AppError({
        code: 'no_reports',
        message: `Cannot read ${folder}: ${fileProblem(cause)}.`,
        remedy: 'Name the folder that holds run folders, such as reports.',
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
      remedy: 'Choose one from the list of runs.',
    });
  }

  // A run is a real folder directly in the root with a real journal in it. Links are not followed: they lead anywhere.
  #folderOf(name: string): string | undefined {
    if (name === '' || name.startsWith('.') || /[/\\\0]/.test(name)) return undefined;
    const folder = join(this.root, name);
    if (!folder.startsWith(this.root.endsWith(sep) ? this.root : this.root + sep)) return undefined;
    try {
      if (!lstatSync(folder).isDirectory()) return undefined;
      return lstatSync(join(folder, 'journal.jsonl')).isFile() ? folder : undefined;
    } catch {
      return undefined;
    }
  }

  /** A JSON file of a run; undefined where it is missing, damaged or a link. */
  json(runId: string, name: 'manifest.json' | 'summary.json' | 'timing.json'): unknown {
    const file = join(this.folder(runId), name);
    try {
      return lstatSync(file).isFile() ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
    } catch {
      return undefined;
    }
  }

  row(runId: string, tags: readonly string[]): RunRow {
    const journal = join(this.folder(runId), 'journal.jsonl');
    const changed = statSync(journal).mtimeMs;
    const summary = this.#summary(runId, changed);
    if (summary !== undefined) {
      return {
        runId,
        strategy: summary.strategy,
        symbols: summary.symbols,
        state: summary.outcome,
        firstBar: summary.firstBar ?? '',
        lastBar: summary.lastBar ?? '',
        bars: summary.bars,
        planned: summary.bars,
        equity: summary.finalEquity,
        totalReturn: summary.totalReturn,
        sharpe: summary.sharpe,
        maxDrawdown: summary.maxDrawdown,
        tradeCount: summary.tradeCount,
        changed,
        tags,
      };
    }
    const ends = journalEnds(journal);
    return {
      runId,
      strategy: ends.strategy,
      symbols: ends.symbols,
      state: this.#stateOf(runId, ends, changed),
      firstBar: ends.firstBar,
      lastBar: ends.lastBar,
      bars: ends.bars,
      planned: ends.planned,
      equity: ends.equity,
      totalReturn: ends.totalReturn,
      sharpe: null,
      maxDrawdown: null,
      tradeCount: null,
      changed,
      tags,
    };
  }

  /** Whether a process is at work on a run. */
  isRunning(runId: string): boolean {
    const journal = join(this.folder(runId), 'journal.jsonl');
    return this.#stateOf(runId, journalEnds(journal), statSync(journal).mtimeMs) === 'running';
  }

  /** @throws AppError `run_under_way`, `no_run`, `run_undeletable` */
  remove(runId: string): void {
    const folder = this.folder(runId);
    if (this.isRunning(runId)) {
      throw new AppError({
        code: 'run_under_way',
        message: 'This run is under way.',
        remedy: 'Wait for its end, or stop it, before deleting it.',
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
        remedy: 'Check who may write to the folder.',
        kind: 'run',
        cause,
      });
    }
    this.#summaries.delete(runId);
  }

  #summary(runId: string, changed: number): RunSummary | undefined {
    const known = this.#summaries.get(runId);
    if (known?.changed === changed && known.summary !== undefined) return known.summary;
    const read = runSummarySchema.safeParse(this.json(runId, 'summary.json'));
    const summary = read.success ? read.data : undefined;
    this.#summaries.set(runId, { changed, summary });
    return summary;
  }

  #stateOf(runId: string, ends: JournalEnds, changed: number): RunState {
    if (ends.outcome !== '') return ends.outcome;
    const lock = join(this.folder(runId), 'run.lock');
    if (existsSync(lock)) return isAlive(lock) ? 'running' : 'killed';
    return Date.now() - changed < STILL_RUNNING ? 'running' : 'killed';
  }
}

/** Whether the process that a lock names lives; one of another machine cannot be asked, and counts as living. */
function isAlive(lock: string): boolean {
  try {
    const [pid = '', host = ''] = readFileSync(lock, 'utf8').trim().split(' ');
    if (host !== '' && host !== hostname()) return true;
    // 0 and below mean groups of processes.
    if (!/^[1-9]\d*$/.test(pid)) return false;
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
