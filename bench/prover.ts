import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createToolkit, provisionRuntime, Sandbox, simulateMarket, type Turn } from 'sandtable';
import { HeapCopy, type HeapModule } from '../src/sandbox/child/heap-snapshots.ts';
import { proveText } from '../src/sandbox/proof/prove.ts';
import { allowed } from '../test/policy/allowed.ts';
import { pandasSnippets } from '../test/policy/pandas-snippets.ts';
import { exampleCode } from '../test/support/example-code.ts';
import { loadTestPython } from '../test/support/ta-python.ts';
import { atLastBar } from './compute.ts';
import { type Benchmark, type Figure, median } from './figure.ts';

/** Milliseconds of other work between two calls; longer than a restore. */
const WORK = 15;
const ROUNDS = 3;
const RESTORES = 60;

/** Seconds of processor time, user and system, that a process has used (Linux; 100 ticks a second). */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

interface Mode {
  readonly sandbox: Sandbox;
  /** Milliseconds of each call by the clock. */
  readonly times: number[];
  /** Seconds of processor time of the child, for all calls. */
  processor: number;
}

/**
 * Calls every snippet in each mode, alternating between the modes. The modes are a sandbox with the proof and
 * one without.
 */
async function measure(turn: Turn, modes: readonly Mode[], codes: readonly string[], workMs: number) {
  for (let round = 0; round <= ROUNDS; round++) {
    for (const mode of modes) {
      const toolkit = createToolkit({ sandbox: mode.sandbox });
      const pid = (await mode.sandbox.describe()).pid!;
      const before = processorTime(pid);
      for (const code of codes) {
        const startedAt = performance.now();
        await toolkit.call('compute', { code }, turn);
        // The first round is a warm-up, in which Python compiles the snippets.
        if (round > 0) mode.times.push(performance.now() - startedAt);
        if (workMs > 0) await pause(workMs);
      }
      if (round > 0) mode.processor += processorTime(pid) - before;
    }
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Milliseconds of a restore after a call: of the pieces that differ, and of the whole heap. */
async function restores(): Promise<Figure[]> {
  const python = (await loadTestPython())!;
  const heap = (python as typeof python & { readonly _module: HeapModule })._module;
  const run = (): void => {
    python.runPython('pd.Series(np.arange(5000.0)).rolling(20).mean().iloc[-1]');
  };
  for (let round = 0; round < 5; round++) run();
  const copy = new HeapCopy(heap);
  const whole = heap.HEAPU8.slice();
  const [pieces, all]: [number[], number[]] = [[], []];
  for (let round = 0; round < RESTORES; round++) {
    for (const [restore, times] of [
      [() => copy.restore(), pieces],
      [() => heap.HEAPU8.set(whole), all],
    ] as const) {
      run();
      const startedAt = process.cpuUsage();
      restore();
      const { user, system } = process.cpuUsage(startedAt);
      times.push((user + system) / 1000);
    }
  }
  return [
    {
      name: `a restore of the changed pieces of ${whole.length >> 20} MB, processor time, p50`,
      value: median(pieces),
      unit: 'ms',
    },
    { name: '… a copy of the whole heap', value: median(all), unit: 'ms' },
  ];
}

export const proverBenchmarks: Readonly<Record<string, Benchmark>> = {
  async prover() {
    const snippets = [
      ...allowed.map(({ code }) => code),
      ...pandasSnippets.filter(({ refused }) => refused === undefined).map(({ code }) => code),
    ];
    const examples = [...exampleCode()].map(([, code]) => code);
    const share = (codes: readonly string[]): number =>
      (100 * codes.filter((code) => proveText(code).clean).length) / codes.length;
    const figures: Figure[] = [
      { name: `clean calls of ${snippets.length} snippets of the tests`, value: share(snippets), unit: '%' },
      {
        name: `… of ${pandasSnippets.length} snippets of analysis among them`,
        value: share(pandasSnippets.map(({ code }) => code)),
        unit: '%',
      },
      { name: `… of the code of ${examples.length} example strategies`, value: share(examples), unit: '%' },
    ];
    const runtime = await provisionRuntime();
    for (const [how, spares, workMs] of [
      ['one child, one after the other', 0, 0],
      [`one child, ${WORK} ms of work between them`, 0, WORK],
    ] as const) {
      const modes = [true, false].map(
        (proof): Mode => ({ sandbox: new Sandbox({ runtime, spares, proof }), times: [], processor: 0 }),
      );
      await atLastBar(simulateMarket({ seed: 3, bars: 5_000, symbols: ['AAPL', 'SPY'] }), (turn) =>
        measure(
          turn,
          modes,
          pandasSnippets.map(({ code }) => code),
          workMs,
        ),
      );
      for (const [place, mode] of modes.entries()) {
        const name =
          place === 0 ? `snippets of analysis, with the proof, ${how}` : '… a restore after every call';
        figures.push(
          { name: `${name}, p50`, value: median(mode.times), unit: 'ms' },
          { name: '… mean', value: mean(mode.times), unit: 'ms' },
          {
            name: '… processor time of the child, a call',
            value: (1000 * mode.processor) / mode.times.length,
            unit: 'ms',
          },
        );
        await mode.sandbox.close();
      }
    }
    return [...figures, ...(await restores())];
  },
};
