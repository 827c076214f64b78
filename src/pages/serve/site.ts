import { join } from 'node:path';
import { numberOf } from '../../kernel/index.ts';
import { compareRuns, readRun } from '../../runs/index.ts';
import { comparisonPage } from '../compare/page.ts';
import { storedReport } from '../report/linked-report.ts';
import type { PageLink } from '../shared/page-head.ts';
import type { Found, StepNews, StepView } from '../trace/step.ts';
import { stepNews } from '../trace/step-summary.ts';
import { timezoneOf } from '../trace/timezone.ts';
import { decisionTimes, toolTimes } from '../trace/tool-times.ts';
import { TraceIndex } from '../trace/trace-index.ts';
import { servedTracePage } from '../trace/trace-page.ts';
import { barsWith, overviewOf, stepView } from '../trace/trace-reader.ts';
import { Board } from './board.ts';
import { equityCurve } from './equity-curve.ts';
import { HttpError } from './guard.ts';
import { listPage } from './list-page.ts';
import type { LiveEvent } from './live.ts';
import { storedPage } from './research-store.ts';
import { wholeNumber } from './routes.ts';
import type { RunRow } from './run-row.ts';
import { RunStore } from './run-store.ts';
import { Tags } from './tags.ts';

/** Journals whose places are kept in memory. */
const MOST_TRACES = 8;
const MOST_COMPARED = 50;
/** Small pictures of equity that are given at once. */
const MOST_CURVES = 100;

const HOME: PageLink = { text: 'All runs', href: '/' };

/** What the server has to show: the runs of one folder, as pages and as answers to them. */
export class Site {
  readonly store: RunStore;
  readonly #tags: Tags;
  readonly #board: Board;
  /** By run, the one used longest ago first. */
  readonly #traces = new Map<string, Promise<TraceIndex>>();

  /** @throws AppError `no_reports` */
  constructor(folder: string) {
    this.store = new RunStore(folder);
    this.#tags = new Tags(this.store.root);
    this.#board = new Board(this.store, this.#tags);
  }

  rows(): readonly RunRow[] {
    return this.#board.all().rows;
  }

  listPage(): string {
    return listPage(this.#board.all());
  }

  /** Reads what the list shows, so that the first page that is asked for does not have to. */
  warmUp(): void {
    this.#board.all();
  }

  /** Equity of runs as few points, by run; null where nothing is known. */
  curves(runIds: readonly string[]): Readonly<Record<string, readonly number[] | null>> {
    return Object.fromEntries(runIds.slice(0, MOST_CURVES).map((run) => [run, this.#curve(run)]));
  }

  #curve(runId: string): readonly number[] | null {
    try {
      return equityCurve(this.store.folder(runId));
    } catch {
      // Gone since, or not readable: its row says so.
      return null;
    }
  }

  /** The page of a sweep or a stress test, as it lies in its folder. */
  researchPage(name: string): { readonly page: string; readonly policy: string } {
    return storedPage(this.store.root, name);
  }

  reportPage(runId: string): string {
    const run = readRun(this.store.folder(runId), { salvage: true });
    const trace = `/runs/${encodeURIComponent(runId)}/trace`;
    return storedReport(run, { links: [HOME, { text: 'Trace', href: trace }], trace });
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
    const stored = names.map((name) => readRun(this.store.folder(name)));
    return comparisonPage(compareRuns(stored), stored, [HOME]);
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

  /** What a search finds, or the steps that are new since a revision. */
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
    this.#tags.set(runId, []);
  }

  setTags(runId: string, tags: unknown): readonly string[] {
    this.store.folder(runId);
    return this.#tags.set(runId, tags);
  }

  /** What to look at for a page that follows one run. */
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

  /** What to look at for a page that shows all runs. */
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
