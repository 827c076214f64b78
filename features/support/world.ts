import assert from 'node:assert/strict';
import { setDefaultTimeout, setWorldConstructor, World } from '@cucumber/cucumber';
import type { KillReport } from '../../bench/kill-resume.ts';
import type { ScriptedModel } from '../../src/agents/index.ts';
import type { Json, RunSettingsInput } from '../../src/engine/index.ts';
import type { AppError } from '../../src/kernel/index.ts';
import {
  type BarSeries,
  type CorporateAction,
  createMarket,
  type LoadedMarket,
  type Market,
} from '../../src/market/index.ts';
import type { RunningServer } from '../../src/pages/index.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { deskOf } from '../../src/testing/steps/index.ts';
import type { ReplLifetime } from '../../src/toolkit/index.ts';
import { Agent, type Answer } from './agent.ts';
import { type Backtest, checkedRun, type PlannedOrder } from './backtest.ts';
import type { OpenPage } from './browser.ts';
import type { CommandResult, SpawnedCommand } from './command-line.ts';
import { TemporaryFolder } from './folder.ts';
import { Problems } from './problems.ts';
import { NO_PYTHON, python } from './python.ts';

/** State that the steps of a scenario share. */
export class TradingWorld extends World {
  readonly problems = new Problems();
  /** True if `sandtable` runs as a process: scenarios tagged @spawn. */
  spawns = false;
  /** True if Python is available: scenarios tagged @python. */
  computes = false;

  settings: RunSettingsInput = {};
  series: BarSeries[] = [];
  detail: BarSeries[] = [];
  /** Series of exchange rates. They are not symbols of the market. */
  rates: BarSeries[] = [];
  actions: readonly CorporateAction[] = [];
  bar = 0;
  orders: PlannedOrder[] = [];
  resultBytes: number | undefined;
  tools: readonly string[] | undefined;
  budgets: Readonly<Record<string, number>> | undefined;
  repl: ReplLifetime = 'decision';
  #backtest: Backtest | undefined;

  readonly agents = new Map<string, Agent>();
  readonly ownSandboxes: Sandbox[] = [];
  readonly answers: Answer[] = [];

  loaded: LoadedMarket | undefined;
  refusal: AppError | undefined;
  readonly results: CommandResult[] = [];
  running: SpawnedCommand | undefined;

  /** Environment of commands that run in this process. */
  environment: Record<string, string | undefined> = {};
  switchedOff: Record<string, string | undefined> = {};
  model: ScriptedModel | undefined;
  wholeJournal = '';
  kills: KillReport | undefined;
  document: Json = null;
  page: OpenPage | undefined;
  server: RunningServer | undefined;
  #folder: TemporaryFolder | undefined;

  get folder(): TemporaryFolder {
    this.#folder ??= new TemporaryFolder();
    return this.#folder;
  }

  get backtest(): Backtest | undefined {
    return this.#backtest;
  }

  // The backtest is also noted for the steps of `sandtable/steps`, so that users' steps check our scenarios.
  set backtest(backtest: Backtest | undefined) {
    this.#backtest = backtest;
    if (backtest !== undefined) deskOf(this).note(checkedRun(backtest, this.settings));
  }

  get market(): Market {
    return createMarket(this.series);
  }

  /** Returns an agent by name. An agent that was not introduced shares Python with other scenarios. */
  agent(name: string): Agent {
    const known = this.agents.get(name);
    return known ?? this.introduce(name, this.computes ? python().shared : NO_PYTHON);
  }

  introduce(name: string, sandbox: Sandbox): Agent {
    const { market, settings, bar, orders, resultBytes, tools, budgets, repl, problems } = this;
    const agent = new Agent({
      market,
      settings,
      bar,
      orders,
      sandbox,
      ...(resultBytes === undefined ? {} : { resultBytes }),
      ...(tools === undefined ? {} : { tools }),
      ...(budgets === undefined ? {} : { budgets }),
      repl,
      problems,
    });
    this.agents.set(name, agent);
    return agent;
  }

  /** Latest answer of any agent. */
  get answer(): Answer {
    const answer = this.answers.at(-1);
    assert.ok(answer, 'no tool was called');
    return answer;
  }

  /** Result of the latest answer. Fails if the answer is an error. */
  get result(): Json {
    const { answer } = this;
    assert.ok(!('error' in answer), `the answer is an error: ${JSON.stringify(answer)}`);
    assert.ok(answer.result !== undefined, `the answer has no result: ${JSON.stringify(answer)}`);
    return answer.result;
  }

  /** Error of the latest answer. Reading it marks the error as checked. */
  get error(): { readonly error: string; readonly remediation: string } {
    const { answer } = this;
    const { error, remediation } = answer;
    assert.ok(typeof error === 'string', `the answer is no error: ${JSON.stringify(answer)}`);
    assert.ok(typeof remediation === 'string' && remediation !== '', 'the error does not say what to do');
    this.problems.seen(answer);
    return { error, remediation };
  }

  /** Result of the latest command. */
  get command(): CommandResult {
    const result = this.results.at(-1);
    assert.ok(result, 'no command was run');
    return result;
  }

  noteCommand(result: CommandResult): void {
    this.results.push(result);
    if (result.code !== 0)
      this.problems.note(result, `"${result.line}" ended with ${result.code}: ${result.stderr}`);
  }

  /** Ends and removes everything that the scenario left behind. */
  async tidy(): Promise<void> {
    if (this.running?.running === true) this.running.signal('SIGKILL');
    await this.running?.result;
    await this.page?.page.context().close();
    await this.server?.close();
    await Promise.all(this.ownSandboxes.map((sandbox) => sandbox.close()));
    await this.model?.close();
    this.#folder?.remove();
  }
}

setWorldConstructor(TradingWorld);
// High enough for a loaded machine. Otherwise no step takes more than a few seconds.
setDefaultTimeout(120_000);
