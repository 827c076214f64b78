import assert from 'node:assert/strict';
import type { OrderRequest } from '../../src/broker/index.ts';
import {
  type Json,
  type RunSettingsInput,
  runSettingsSchema,
  type Turn,
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
import { python } from './python.ts';

/** What a tool gave back. */
export type Answer = Readonly<Record<string, Json>>;

export interface AgentOptions {
  readonly market: Market;
  readonly settings: RunSettingsInput;
  /** The bar it stands at, from 0. */
  readonly bar: number;
  /** Placed at the close of their bars on the way there. */
  readonly orders: readonly { readonly bar: number; readonly request: OrderRequest }[];
  readonly sandbox: Sandbox;
  readonly resultBytes?: number;
  /** Names of its tools; those every strategy has when left out. */
  readonly tools?: readonly string[];
  /** How long its Python session lasts. */
  readonly repl?: ReplLifetime;
  readonly problems: Problems;
}

/** Someone at a bar of a simulated world, with its tools. */
export class Agent {
  readonly sandbox: Sandbox;
  readonly #world: World;
  readonly #toolkit: Toolkit;
  readonly #problems: Problems;

  constructor(options: AgentOptions) {
    const { market, settings, sandbox, resultBytes, tools, repl = 'decision' } = options;
    this.sandbox = sandbox;
    this.#problems = options.problems;
    this.#world = new World(market, runSettingsSchema.parse(settings), () => undefined);
    this.#toolkit = createToolkit({
      sandbox,
      shared: { [REPL.name]: new ReplSession(repl) },
      ...(resultBytes === undefined ? {} : { resultBytes }),
      ...(tools === undefined ? {} : { tools }),
    });
    while (this.#world.bar < options.bar) this.#walk(options.orders);
  }

  get turn(): Turn {
    return this.#world.turn;
  }

  /** One bar on, without orders. */
  advance(): void {
    this.#walk([]);
  }

  async call(tool: string, parameters: Json): Promise<Answer> {
    if (this.sandbox === python().shared) python().checkShared(this.turn);
    const answer = (await this.#toolkit.call(tool, parameters, this.turn)) as Answer;
    if ('error' in answer) this.#problems.note(answer, `${tool} answered ${JSON.stringify(answer.error)}`);
    return answer;
  }

  #walk(orders: AgentOptions['orders']): void {
    const world = this.#world;
    world.reveal();
    world.fill();
    world.markToMarket();
    for (const order of orders) {
      if (order.bar === world.bar) assert.ok(world.orders.submit(order.request).accepted);
    }
  }
}
