import { runSettingsSchema, World } from '../../src/engine/index.ts';
import { simulateMarket } from '../../src/market/index.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxReply } from '../../src/sandbox/sandbox-call.ts';

/** Simulated market that advances bar by bar, with calls of a sandbox at the current bar. */
export class Agent {
  readonly world: World;
  readonly #sandbox: Sandbox;

  constructor(
    sandbox: Sandbox,
    bars: number,
    options: { seed?: number; lookback?: number; symbols?: string[] } = {},
  ) {
    const { seed = 1, lookback = null, symbols = ['AAA', 'BRK.B'] } = options;
    const market = simulateMarket({ seed, bars: 400, symbols });
    this.#sandbox = sandbox;
    this.world = new World(market, runSettingsSchema.parse({ lookback }));
    this.advance(bars);
  }

  advance(bars: number): void {
    for (let bar = 0; bar < bars; bar++) {
      this.world.reveal();
      this.world.markToMarket();
    }
  }

  ask(code: string, operation = 'compute', timeoutMs = 500): Promise<SandboxReply> {
    const { world } = this;
    const limits = { timeoutMs, resultBytes: 100_000, stdoutCharacters: 4_000, codeCharacters: 20_000 };
    return this.#sandbox.call({
      operation,
      bar: world.bar,
      time: world.time,
      timeoutMs,
      windows: world.symbols.map((symbol) => world.turn.windowOf(symbol)),
      request: { code, symbol: world.symbols[0], account: { cash: 1, equity: 1, positions: {} }, limits },
    });
  }

  /** Runs code and returns its result. Throws if the code fails. */
  async get(code: string): Promise<unknown> {
    const reply = await this.ask(code);
    if (!reply.ok) throw new Error(`${code}: ${reply.error}`);
    return reply.result;
  }

  async failure(code: string): Promise<Extract<SandboxReply, { ok: false }>> {
    const reply = await this.ask(code);
    if (reply.ok) throw new Error(`${code} gave ${JSON.stringify(reply.result)}`);
    return reply;
  }
}
