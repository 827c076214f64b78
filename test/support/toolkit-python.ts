import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Json, runSettingsSchema, World } from '../../src/engine/index.ts';
import { AppError } from '../../src/kernel/index.ts';
import { type Market, simulateMarket } from '../../src/market/index.ts';
import { type PythonRuntime, provisionRuntime, type Sandbox } from '../../src/sandbox/index.ts';
import { type ReplLifetime, ReplSession } from '../../src/toolkit/repl-session.ts';
import { createToolkit, type Toolkit } from '../../src/toolkit/toolkit.ts';
import { skipBecause } from '../missing.ts';

export const SESSION_TOOLS = ['exec_code', 'list_globals', 'inspect', 'eval_expr', 'compute'] as const;

/**
 * Returns the Python runtime of sandboxes. `undefined` if it or the build is unavailable, so that tests can
 * be skipped.
 */
export async function findPython(): Promise<PythonRuntime | undefined> {
  if (!existsSync(fileURLToPath(new URL('../../dist/sandbox/child/main.js', import.meta.url)))) {
    skipBecause('tests of Python are skipped: run npm run build first');
    return undefined;
  }
  try {
    return await provisionRuntime();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'no_python_wheels') throw error;
    skipBecause(`tests of Python are skipped: ${error.message}`);
    return undefined;
  }
}

export type Answer = Record<string, Json>;

/** Agent at a bar of a simulated market. It has the tools of a Python session. */
export class SessionAgent {
  readonly world: World;
  readonly toolkit: Toolkit;

  constructor(
    sandbox: Sandbox,
    options: { bar?: number; lifetime?: ReplLifetime; market?: Market; lookback?: number } = {},
  ) {
    const { bar = 30, lifetime = 'decision', lookback = null } = options;
    const market = options.market ?? simulateMarket({ seed: 4, bars: 300, symbols: ['AAA', 'BRK.B'] });
    this.world = new World(market, runSettingsSchema.parse({ lookback }));
    this.toolkit = createToolkit({
      sandbox,
      tools: SESSION_TOOLS,
      shared: { repl: new ReplSession(lifetime) },
    });
    this.advance(bar + 1);
  }

  advance(bars = 1): void {
    for (let bar = 0; bar < bars; bar++) {
      this.world.reveal();
      this.world.fill();
      this.world.markToMarket();
    }
  }

  async call(name: string, parameters: Json): Promise<Answer> {
    return (await this.toolkit.call(name, parameters, this.world.turn)) as Answer;
  }

  exec(source: string): Promise<Answer> {
    return this.call('exec_code', { source });
  }

  /** Returns the `repr` of an expression's value. Throws if the expression fails. */
  async value(expr: string): Promise<string> {
    const answer = await this.call('eval_expr', { expr });
    if (answer.ok !== true) throw new Error(`${expr}: ${JSON.stringify(answer)}`);
    return (answer.result as { value_repr: string }).value_repr;
  }

  /** Returns the answer of the tool `inspect` for an expression. Throws if the tool fails. */
  async inspect(expr: string): Promise<Answer> {
    const answer = await this.call('inspect', { expr });
    if (answer.ok !== true) throw new Error(`${expr}: ${JSON.stringify(answer)}`);
    return answer.result as Answer;
  }
}
