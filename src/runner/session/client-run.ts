import { join } from 'node:path';
import { ClientDrivenDecider } from '../../agents/index.ts';
import {
  type Arrivals,
  type BacktestOptions,
  type BacktestResult,
  DOORS,
  type Json,
  type MaskTerms,
  type RunEvent,
} from '../../engine/index.ts';
import { openJournal } from '../../journal/index.ts';
import type { GivenWorld } from '../../masking/index.ts';
import type { RunSummary } from '../../results/analysis/index.ts';
import { createRunFolder, type RunFolder, runIdFor } from '../../results/runs/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import { createToolkit, type ToolkitOptions } from '../../toolkit/index.ts';
import type { Vfs } from '../../toolkit/vfs/index.ts';
import { executeRun } from '../execute-run.ts';
import type { WorldFiles } from '../inputs/load-world.ts';
import { startEvent } from '../start-event.ts';
import { type ToolExtras, ToolTimings, undatedWarning } from '../tool-extras.ts';
import { writeArtifacts } from '../write-artifacts.ts';
import { TradingSession } from './trading-session.ts';

interface ClientRunParts {
  readonly loaded: WorldFiles;
  /** Loaded data as the client sees them: masked if the run has a mask. */
  readonly view: GivenWorld;
  readonly mask: MaskTerms | undefined;
  readonly extras: ToolExtras;
  readonly toolkit: Omit<ToolkitOptions, 'sandbox' | 'onTiming' | 'shared'> & {
    readonly tools: readonly string[];
  };
  readonly sandbox: Promise<Sandbox | undefined>;
  readonly outFolder: string;
  /** Name of the research project. `undefined` for the default project. */
  readonly project: string | undefined;
  /** Returns name and version of the client. `null` until they are known. */
  client(): string | null;
}

/** Result of a run in which a client made the decisions. */
interface ClientRunEnd {
  readonly folder: string;
  readonly summary: RunSummary;
  /** True if the client called `finish`. */
  readonly finished: boolean;
  /**
   * Warnings about input files without a date, and about the ledger of the results folder, which counts how
   * often data were used.
   */
  readonly notes: readonly string[];
}

interface Started {
  readonly session: TradingSession;
  readonly run: RecordedRun;
}

/**
 * Run in which an MCP client makes the decisions. The run starts with the first tool call, so a client that
 * only lists the tools creates no run.
 */
export class ClientRun {
  readonly #parts: ClientRunParts;
  readonly #abort = new AbortController();
  #started: Promise<Started> | undefined;
  #finished = false;
  readonly #notes: string[] = [];

  constructor(parts: ClientRunParts) {
    this.#parts = parts;
  }

  async call(name: string, given: unknown): Promise<Json> {
    this.#started ??= this.#start();
    const { session } = await this.#started;
    const answer = await session.call(name, given);
    if (typeof answer === 'object' && answer !== null && 'finished' in answer) this.#finished = true;
    return answer;
  }

  /** Ends the run after the current bar. Returns `undefined` if no run has started. */
  async close(): Promise<ClientRunEnd | undefined> {
    if (this.#started === undefined) return undefined;
    const { session, run } = await this.#started;
    await session.stop();
    const { summary } = await run.done;
    return { folder: run.folder, summary, finished: this.#finished, notes: this.#notes };
  }

  async #start(): Promise<Started> {
    const { loaded, view: seen, extras, toolkit: toolOptions, outFolder } = this.#parts;
    const sandbox = await this.#parts.sandbox;
    // The run does not wait for Python, which may still be starting. Only calls that need Python wait.
    let descriptors = 'unknown';
    sandbox?.describe().then(
      ({ descriptorsClosed }) => {
        descriptors = descriptorsClosed ? 'closed' : 'open';
      },
      () => undefined,
    );
    const timings = new ToolTimings();
    const undated = undatedWarning(extras);
    if (undated !== undefined) this.#notes.push(undated);
    const decider = new ClientDrivenDecider();
    const run = recordRun({
      started: this.#startEvent(seen),
      backtest: { decider, settings: seen.settings, signal: this.#abort.signal },
      loaded,
      seen,
      files: extras.files,
      arrivals: extras.arrivals,
      outFolder,
      project: this.#parts.project,
      timings,
      versions: () => (sandbox === undefined ? {} : { ...sandbox.versions, sandboxDescriptors: descriptors }),
      warn: (text) => this.#notes.push(text),
    });
    // If the run fails, the error is reported where `run.done` is awaited at the end of the session.
    run.done.catch(() => undefined);
    const session = new TradingSession({
      decider,
      toolkit: createToolkit({
        ...toolOptions,
        shared: extras.shared,
        ...(sandbox === undefined ? {} : { sandbox }),
        onTiming: (name, ms, bar) => timings.add(name, ms, bar),
      }),
      bars: loaded.market.clock.length,
      end: async () => {
        this.#abort.abort();
        decider.next();
        const { summary } = await run.done;
        return finishAnswer(summary, run.folder);
      },
    });
    return { session, run };
  }

  #startEvent({ settings, market }: GivenWorld): Extract<RunEvent, { type: 'run_started' }> {
    const { loaded, mask, extras, toolkit } = this.#parts;
    return startEvent({
      strategy: {
        name: 'mcp',
        kind: 'mcp',
        parameters: { client: this.#parts.client(), tools: toolkit.tools, budgets: toolkit.budgets ?? {} },
      },
      // The run has an open door (is not sealed), because the client may use information that the tools did
      // not provide.
      ownDoors: [DOORS.client],
      settings,
      symbols: market.symbols,
      loaded,
      extras,
      mask,
    });
  }
}

function finishAnswer(summary: RunSummary, folder: string): Json {
  return {
    finished: true,
    outcome: summary.outcome,
    run: summary.runId,
    folder,
    summary: {
      bars: summary.bars,
      initial_cash: summary.initialCash,
      final_equity: summary.finalEquity,
      total_return: summary.totalReturn,
      max_drawdown: summary.maxDrawdown,
      sharpe: summary.sharpe,
      trades: summary.tradeCount,
      open_trades: summary.openTradeCount,
      win_rate: summary.winRate,
      commission_paid: summary.commissionPaid,
      tool_calls: summary.toolCalls,
      rejected_orders: summary.rejectedOrders,
      ...(summary.reducedOrders === undefined ? {} : { reduced_orders: summary.reducedOrders }),
    },
  };
}

interface RecordedRunOptions {
  readonly started: Extract<RunEvent, { type: 'run_started' }>;
  readonly backtest: Pick<BacktestOptions, 'decider' | 'settings' | 'signal'>;
  readonly loaded: WorldFiles;
  /** Loaded data as the client sees them: masked if the run has a mask. */
  readonly seen: GivenWorld;
  /** In-memory files at the start of the run. */
  readonly files: Vfs;
  readonly arrivals: Arrivals;
  readonly outFolder: string;
  /** Name of the research project. `undefined` for the default project. */
  readonly project: string | undefined;
  readonly timings: ToolTimings;
  /** Returns the versions of other software that influenced the results. Called at the end of the run. */
  versions(): Readonly<Record<string, string>>;
  /** Called with warnings about the ledger of the results folder. */
  readonly warn: (text: string) => void;
}

interface RecordedRun extends RunFolder {
  /** Resolves when the run folder is complete. */
  readonly done: Promise<{ readonly result: BacktestResult; readonly summary: RunSummary }>;
}

/** Runs a backtest and writes a run folder, whatever the outcome. */
function recordRun(options: RecordedRunOptions): RecordedRun {
  const { started, outFolder } = options;
  const startedAt = new Date();
  const run = createRunFolder(outFolder, runIdFor(started.strategy.name, startedAt, JSON.stringify(started)));
  return { ...run, done: record(options, run, startedAt) };
}

async function record(
  { started, backtest, loaded, seen, files, arrivals, timings, versions, warn, project }: RecordedRunOptions,
  run: RunFolder,
  startedAt: Date,
): Promise<{ result: BacktestResult; summary: RunSummary }> {
  const { market, actions, rates, features = [], context = [], pointInTime, interestClock } = seen;
  const executed = await executeRun({
    startedAt,
    journal: openJournal(join(run.folder, 'journal.jsonl')),
    started,
    files,
    backtest: {
      market,
      actions,
      rates,
      features,
      context,
      pointInTime,
      interestClock,
      arrivals,
      ...backtest,
    },
  });
  const { summary } = writeArtifacts(run, executed, {
    loaded,
    versions: versions(),
    project,
    timings: { tools: timings.summary(), ...timings.decisions() },
    warn,
  });
  return { result: executed.result, summary };
}
