import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { numberOf } from '../../kernel/index.ts';
import { compareRuns, readRun } from '../../results/runs/index.ts';
import { comparisonPage } from '../compare/page.ts';
import { storedReport } from '../report/report-page.ts';
import type { PageLink } from '../shared/shell.ts';
import type { Found, StepNews, StepView } from '../trace/step.ts';
import { decisionTimes, stepNews, toolTimes } from '../trace/step-summary.ts';
import { TraceIndex } from '../trace/trace-index.ts';
import { timezoneOf } from '../trace/trace-of-run.ts';
import { servedTracePage } from '../trace/trace-page.ts';
import { barsWith, overviewOf, stepView } from '../trace/trace-reader.ts';
import { Board, listPage } from './board.ts';
import type { Launcher } from './launcher.ts';
import { storedPage } from './research-store.ts';
import { HttpError, type LiveEvent, wholeNumber } from './routes.ts';
import type { RunRow } from './run-row.ts';
import { RunStore } from './run-store.ts';
import { type Notes, writeNotes } from './tags.ts';

const POINTS = 60;
/** Number of bytes that are read at each sampled position. 1 KiB contains several lines. */
const PIECE = 1024;
/** Maximum size in bytes of a file that is read completely. From a larger file, only samples are read. */
const SMALL = 64 * 1024;
/**
 * Flag with which opening a symbolic link fails, because a link could lead outside the results folder. 0 on
 * Windows, which has no such flag.
 */
const NO_LINKS = constants.O_NOFOLLOW ?? 0;
/** Index of the equity column in `equity.csv`. */
const COLUMN = 3;

/**
 * Returns about sixty equity values of a run from its `equity.csv`, including the first and the last. If this
 * file does not exist yet, the journal is used. `null` if the run has no equity. The list shows hundreds of
 * runs, so only parts of the files are read.
 */
function equityCurve(folder: string): number[] | null {
  const open = (name: string): number => openSync(join(folder, name), constants.O_RDONLY | NO_LINKS);
  let descriptor: number;
  let valueIn = ofTable;
  try {
    descriptor = open('equity.csv');
  } catch {
    try {
      descriptor = open('journal.jsonl');
      valueIn = ofJournal;
    } catch {
      return null;
    }
  }
  try {
    const { size } = fstatSync(descriptor);
    if (size <= SMALL) return thinned(readFileSync(descriptor, 'utf8').split('\n').slice(1, -1), valueIn);
    const values = Array.from({ length: POINTS + 1 }, (_, point) => {
      const last = Math.max(0, size - PIECE);
      return valueAt(descriptor, Math.round((last * point) / POINTS), point === POINTS, valueIn);
    });
    const known = values.filter((value) => value !== undefined);
    return known.length < 2 ? null : known;
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the equity in a line. `undefined` if the line has no equity. */
type LineReader = (line: string) => number | undefined;

const ofTable: LineReader = (line) => finite(line.split(',')[COLUMN]);
const ofJournal: LineReader = (line) => finite(/^\{"type":"bar",.*?"equity":"([^"]+)"/.exec(line)?.[1]);

function finite(text: string | undefined): number | undefined {
  const value = Number(text || Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Returns the first equity in the complete lines after a position. If `isLast` is true, returns the last
 * equity. `undefined` if these lines have no equity.
 */
function valueAt(
  descriptor: number,
  place: number,
  isLast: boolean,
  valueIn: LineReader,
): number | undefined {
  const bytes = Buffer.alloc(PIECE);
  const length = readSync(descriptor, bytes, 0, PIECE, place);
  // The first and the last piece may be incomplete lines, so they are omitted.
  const values = bytes
    .toString('utf8', 0, length)
    .split('\n')
    .slice(1, -1)
    .map(valueIn)
    .filter((value) => value !== undefined);
  return isLast ? values.at(-1) : values[0];
}

function thinned(lines: readonly string[], valueIn: LineReader): number[] | null {
  const values = lines.map(valueIn).filter((value) => value !== undefined);
  const last = values.length - 1;
  const points = Math.min(POINTS, last);
  if (points < 1) return null;
  return Array.from({ length: points + 1 }, (_, point) => values[Math.round((last * point) / points)]!);
}

/** Maximum number of runs whose trace index (index of the journal for the trace page) is cached. */
const MOST_TRACES = 8;
const MOST_COMPARED = 50;
/** Maximum number of equity curves in one response. */
const MOST_CURVES = 100;

const HOME: PageLink = { text: 'All runs', href: '/' };

/** Content of the server: pages and API responses for the runs of one folder. */
export class Site {
  readonly store: RunStore;
  readonly #board: Board;
  /** Trace indexes by run id. The least recently used one is first and is removed first. */
  readonly #traces = new Map<string, Promise<TraceIndex>>();

  /**
   * Opens a results folder.
   *
   * @throws AppError `no_reports`
   */
  constructor(folder: string, launcher?: Launcher, readOnly = false) {
    this.store = new RunStore(folder, (run) => launcher?.owns(run) === true);
    this.#board = new Board(this.store, { mayStart: launcher !== undefined, readOnly });
  }

  rows(): readonly RunRow[] {
    return this.#board.all().rows;
  }

  listPage(): string {
    return listPage(this.#board.all());
  }

  /** Reads all rows of the list in advance, so that the first request is fast. */
  warmUp(): void {
    this.#board.all();
  }

  /** Returns about sixty equity values of each run, by run id. `null` if a run has no readable equity. */
  curves(runIds: readonly string[]): Readonly<Record<string, readonly number[] | null>> {
    return Object.fromEntries(runIds.slice(0, MOST_CURVES).map((run) => [run, this.#curve(run)]));
  }

  #curve(runId: string): readonly number[] | null {
    try {
      return equityCurve(this.store.folder(runId));
    } catch {
      // The run was deleted or cannot be read. Its row in the list shows this.
      return null;
    }
  }

  /** Returns the stored page of a study, sweep or stress test with its content security policy. */
  researchPage(name: string): { readonly page: string; readonly policy: string } {
    return storedPage(this.store.root, name);
  }

  reportPage(runId: string): string {
    const run = readRun(this.store.folder(runId), { salvage: true, lightBars: true });
    const trace = `/runs/${encodeURIComponent(runId)}/trace`;
    const addressOf = (folder: string): string | undefined =>
      dirname(folder) === this.store.root ? `/research/${encodeURIComponent(basename(folder))}` : undefined;
    return storedReport(run, { links: [HOME, { text: 'Trace', href: trace }], trace, addressOf });
  }

  comparisonPage(runIds: readonly string[]): string {
    const names = [...new Set(runIds)];
    if (names.length < 2 || names.length > MOST_COMPARED)
      throw new HttpError(
        400,
        'bad_choice',
        `Comparing takes 2 to ${MOST_COMPARED} runs; ${names.length} chosen.`,
        'Choose them in the list of runs.',
      );
    const readAt = new Date();
    const stored = names.map((name) => readRun(this.store.folder(name)));
    return comparisonPage(compareRuns(stored), stored, [HOME], readAt);
  }

  async tracePage(runId: string): Promise<string> {
    const index = await this.#trace(runId);
    const path = encodeURIComponent(runId);
    return servedTracePage(index, `/api/runs/${path}`, {
      runId,
      running: index.finished === undefined && !index.isDamaged && this.store.isRunning(runId),
      links: [HOME, { text: 'Report', href: `/runs/${path}/report` }],
      timing: this.store.json(runId, 'timing.json'),
      timezone: timezoneOf(index.started, this.store.json(runId, 'inputs.json')),
    });
  }

  /**
   * If the query contains `search`, returns the bars that match the search. Otherwise returns the steps (bars
   * with events) that are new or have changed since the revision `since`.
   */
  async steps(runId: string, query: URLSearchParams): Promise<Found | StepNews> {
    const index = await this.#trace(runId);
    const search = query.get('search');
    if (search !== null) return barsWith(index, search);
    const since = wholeNumber(query.get('since') ?? '0', 'since');
    return stepNews(index, since, decisionTimes(this.store.json(runId, 'timing.json')));
  }

  async view(runId: string, bar: number): Promise<StepView | undefined> {
    const index = await this.#trace(runId);
    return stepView(index, bar, toolTimes(this.store.json(runId, 'timing.json')));
  }

  async overview(runId: string, symbol: number) {
    return overviewOf(await this.#trace(runId), symbol);
  }

  delete(runId: string): void {
    this.store.remove(runId);
    this.#traces.delete(runId);
  }

  setNotes(runId: string, notes: unknown): Notes {
    return writeNotes(this.store.folder(runId), notes);
  }

  /**
   * Returns a function that checks a run for changes. Each call of this function returns an event if the run
   * has changed since its previous call.
   */
  followRun(runId: string): () => Promise<{ events: LiveEvent[]; last: boolean }> {
    let shown = '';
    return async () => {
      const index = await this.#trace(runId);
      const killed = index.finished === undefined && !this.store.isRunning(runId);
      const data = {
        bars: index.bars,
        planned: numberOf(index.started?.bars) ?? index.bars,
        date: index.date,
        equity: index.equity,
        outcome: index.isDamaged ? 'damaged' : killed ? 'killed' : (index.finished?.outcome ?? null),
      };
      const text = JSON.stringify([data, index.steps.length, index.openBar]);
      const changed = text !== shown;
      shown = text;
      return { events: changed ? [{ name: 'progress', data }] : [], last: data.outcome !== null };
    };
  }

  /** Returns a function that checks all runs for changes. See `Board.follow`. */
  followAll(since: string | null): () => Promise<{ events: LiveEvent[]; last: boolean }> {
    return this.#board.follow(since);
  }

  async #trace(runId: string): Promise<TraceIndex> {
    const journal = join(this.store.folder(runId), 'journal.jsonl');
    const known = this.#traces.get(runId);
    if (known !== undefined) {
      this.#traces.delete(runId);
      this.#traces.set(runId, known);
      const index = await known;
      if (await index.extend()) return index;
    }
    const opening = TraceIndex.open(journal);
    this.#traces.set(runId, opening);
    for (const oldest of this.#traces.keys()) {
      if (this.#traces.size <= MOST_TRACES) break;
      this.#traces.delete(oldest);
    }
    try {
      return await opening;
    } catch (error) {
      this.#traces.delete(runId);
      throw error;
    }
  }
}
