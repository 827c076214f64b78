/**
 * Fuzz test of the sandbox: `npm run fuzz:sandbox [-- count [seed]]`. Runs random programs. After each one,
 * runs a probe, which reads the state that a call can see.
 *
 * The probe must return the same answer as in a new process. Otherwise, prints the program. The exit code is
 * then 1.
 */
import { runSettingsSchema, World } from '../../src/engine/index.ts';
import { simulateMarket } from '../../src/market/index.ts';
import { provisionRuntime } from '../../src/sandbox/provision/index.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxReply } from '../../src/sandbox/sandbox-call.ts';
import { Grammar } from './grammar.ts';
import { PROBE } from './probe.ts';

const BARS = 300;
const FINDINGS = 10;
const SYMBOL = 'AAPL';
const count = Number(process.argv[2] ?? 2_000);
const firstSeed = Number(process.argv[3] ?? 1);
const runtime = await provisionRuntime();
const market = simulateMarket({ seed: 5, bars: BARS, symbols: [SYMBOL], start: '2020-01-01' });
const world = new World(market, runSettingsSchema.parse({}));
for (let bar = 0; bar < BARS; bar++) world.reveal();
const limits = { timeoutMs: 30_000, resultBytes: 262_144, stdoutCharacters: 4_000, codeCharacters: 100_000 };

class Process {
  readonly #sandbox = new Sandbox({ runtime, timeoutMs: 30_000, graceMs: 20_000, spares: 0 });

  compute(code: string): Promise<SandboxReply> {
    return this.#sandbox.call({
      operation: 'compute',
      bar: world.bar,
      time: world.time,
      windows: [world.turn.windowOf(SYMBOL)],
      request: { code, symbol: SYMBOL, account: { cash: 1, equity: 2, positions: {} }, limits },
    });
  }

  async probe(): Promise<string> {
    const reply = await this.compute(PROBE);
    return JSON.stringify(reply.ok ? reply.result : reply.error);
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }
}

async function main(): Promise<number> {
  const process_ = new Process();
  const fresh = await process_.probe();
  if (!fresh.startsWith('{')) throw new Error(`the probe itself fails: ${fresh}`);
  let answered = 0;
  let current = process_;
  const found: number[] = [];
  for (let seed = firstSeed; seed < firstSeed + count && found.length < FINDINGS; seed++) {
    const code = new Grammar(seed).program();
    const reply = await current.compute(code);
    if (reply.ok) answered += 1;
    const after = await current.probe();
    if (after === fresh) continue;
    found.push(seed);
    console.log(`--- seed ${seed}\n${code}\n  ${difference(fresh, after)}`);
    await current.close();
    current = new Process();
  }
  await current.close();
  const tried = found.length === 0 ? count : found.at(-1)! - firstSeed + 1;
  console.log(
    `${tried} programs from seed ${firstSeed}, ${answered} of them with a result: ${found.length} left something`,
  );
  return found.length === 0 ? 0 : 1;
}

function difference(before: string, after: string): string {
  if (!after.startsWith('{')) return `the probe fails: ${after}`;
  const [first, second] = [before, after].map((text) => JSON.parse(text) as Record<string, unknown>);
  return Object.keys(first!)
    .filter((key) => JSON.stringify(first![key]) !== JSON.stringify(second![key]))
    .map((key) => `${key}: ${JSON.stringify(first![key])} became ${JSON.stringify(second![key])}`)
    .join('\n  ');
}

process.exitCode = await main();
