import assert from 'node:assert/strict';
import type { OrderRequest } from '../../src/broker/index.ts';
import {
  type BarContext,
  type Json,
  type RunEvent,
  type RunSettingsInput,
  runSettingsSchema,
  World,
} from '../../src/engine/index.ts';
import type { Market } from '../../src/market/index.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import {
  createToolkit,
  REPL,
  type ReplLifetime,
  ReplSession,
  type Toolkit,
} from '../../src/toolkit/index.ts';
import type { Problems } from './problems.ts';
import { NO_PYTHON, python } from './python.ts';

/** Result of a tool call. */
export type Answer = Readonly<Record<string, Json>>;

export interface AgentOptions {
  readonly market: Market;
  readonly settings: RunSettingsInput;
  /** Bar at which the agent acts, from 0. */
  readonly bar: number;
  /** Orders placed at the close of earlier bars. */
  readonly orders: readonly { readonly bar: number; readonly request: OrderRequest }[];
  readonly sandbox: Sandbox;
  readonly resultBytes?: number;
  /** Names of the tools. Default: the tools of every strategy. */
  readonly tools?: readonly string[];
  readonly budgets?: Readonly<Record<string, number>>;
  /** Lifetime of the Python session. */
  readonly repl?: ReplLifetime;
  readonly problems: Problems;
}

/** Agent at a bar of a simulated world, with its tools. */
export class Agent {
  readonly sandbox: Sandbox;
  /** Events that a journal would contain. */
  readonly events: RunEvent[] = [];
  readonly #world: World;
  readonly #toolkit: Toolkit;
  readonly #problems: Problems;

  constructor(options: AgentOptions) {
    const { market, settings, sandbox, resultBytes, tools, budgets, repl = 'decision' } = options;
    this.sandbox = sandbox;
    this.#problems = options.problems;
    this.#world = new World(market, runSettingsSchema.parse(settings), (event) => this.events.push(event));
    this.#toolkit = createToolkit({
      sandbox,
      shared: { [REPL.name]: new ReplSession(repl) },
      ...(resultBytes === undefined ? {} : { resultBytes }),
      ...(tools === undefined ? {} : { tools }),
      ...(budgets === undefined ? {} : { budgets }),
    });
    while (this.#world.bar < options.bar) this.#step(options.orders);
  }

  get turn(): BarContext {
    return this.#world.turn;
  }

  /** Moves to the next bar without orders. */
  advance(): void {
    this.#step([]);
  }

  /** Restores the memory of the tools from recorded calls, as a resumed run does. */
  async restore(events: readonly RunEvent[]): Promise<void> {
    await this.#toolkit.restore(events.filter((event) => event.type === 'tool_called'));
  }

  async call(tool: string, parameters: unknown): Promise<Answer> {
    if (this.sandbox !== NO_PYTHON && this.sandbox === python().shared) python().checkShared(this.turn);
    const answer = (await this.#toolkit.call(tool, parameters, this.turn)) as Answer;
    if ('error' in answer) this.#problems.note(answer, `${tool} answered ${JSON.stringify(answer.error)}`);
    return answer;
  }

  #step(orders: AgentOptions['orders']): void {
    const world = this.#world;
    world.reveal();
    world.fill();
    world.markToMarket();
    for (const order of orders) {
      if (order.bar === world.bar) assert.ok(world.orders.submit(order.request).accepted);
    }
  }
}
