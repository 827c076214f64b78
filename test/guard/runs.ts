import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomPlay } from '../reference/random-play.ts';
import { runReal } from '../reference/real.ts';
import { sandtable } from '../support/sandtable.ts';
import { hashesOfRun, hashOf, hashOfResult } from './fingerprint.ts';

/** One guarded run: a name, and a function that returns its hashes. */
export interface GuardedRun {
  readonly name: string;
  hashes(folder: string): Promise<unknown>;
}

/** Number of runs with random orders. Together they use every order type, exit, replacement and setting. */
const PLAYS = 134;
const SEED_OF_PLAYS = 4_200_000_000;

const SPX = ['--data', 'data/spx-daily.csv', '--from', '2002-01-01', '--to', '2003-12-31'];
const FIVE = ['--data', 'data/simulated-five'];
const PAIR = ['--data', 'data/simulated-pair'];

/** Bundled strategies with the data that they are made for. */
const STRATEGIES: readonly (readonly [file: string, flags: readonly string[]])[] = [
  ['bollinger-limit', SPX],
  ['bracket-atr', SPX],
  ['buy-and-hold', SPX],
  ['compute-quant', SPX],
  ['compute-sma-cross', SPX],
  ['inverse-volatility', FIVE],
  ['pairs', PAIR],
  ['rotation', FIVE],
  ['rsi-reversion', SPX],
  ['sentiment', [...SPX, '--features', 'data/made-up/survey.csv']],
  ['sma-cross', SPX],
  ['trade-diary', SPX],
  ['trend-trailing', SPX],
  ['two-time-frames', SPX],
];

/** Settings that every strategy is run with. */
const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  plain: [],
  costs: ['--commission', '0.001', '--slippage-bps', '3', '--participation', '0.05'],
  close: ['--fill-on', 'close', '--no-short', '--cash', '25000'],
  leverage: ['--leverage', '2', '--maintenance-margin', '0.3', '--commission', '0.0005'],
};

/** Returns the guarded runs in the order of `hashes.json`. */
export function guardedRuns(): GuardedRun[] {
  return [...strategyRuns(), ...continuedRuns(), ...researchRuns(), ...plays()];
}

function strategyRuns(): GuardedRun[] {
  return STRATEGIES.flatMap(([file, flags]) =>
    Object.entries(VARIANTS).map(([variant, settings]) => ({
      name: `run ${file} ${variant}`,
      hashes: async (out: string) => hashesOfRun(await runInto(out, file, [...flags, ...settings])),
    })),
  );
}

/** Runs that are resumed from half a journal, and runs that are replayed. */
function continuedRuns(): GuardedRun[] {
  const resumed = ['sma-cross', 'bracket-atr', 'trade-diary'].map((file) => ({
    name: `resume ${file}`,
    hashes: async (out: string) => {
      const folder = await runInto(out, file, [...SPX, ...VARIANTS.costs!]);
      cutJournal(folder);
      await succeed(['resume', folder]);
      return hashesOfRun(folder);
    },
  }));
  const recorded = ['example-sma-cross', 'example-llm-momentum'].map((name) => ({
    name: `replay ${name}`,
    hashes: async (out: string) => {
      const folder = join(out, name);
      cpSync(join('reports', name), folder, { recursive: true });
      const { stdout } = await succeed(['replay', folder]);
      return { hashes: hashesOfRun(folder), repeats: /repeats its record/.test(stdout) };
    },
  }));
  return [...resumed, ...recorded];
}

function researchRuns(): GuardedRun[] {
  const sweep = (name: string, flags: readonly string[]): GuardedRun => ({
    name: `sweep ${name}`,
    hashes: async (out) => {
      await succeed(['sweep', 'strategies/sma-cross.ts', ...SPX, ...flags, '--jobs', '1', '--out', out]);
      return hashOfResult(onlyFolder(out), ['sweep.json']);
    },
  });
  const space = ['--param', 'fast=5,10,15', '--param', 'slow=20,40'];
  return [
    sweep('grid', space),
    sweep('walk-forward', [...space, '--walk-forward', 'train=1y,test=6m']),
    sweep('cross-validation', [...space, '--cross-validate', 'cpcv:groups=4,test=2']),
    {
      name: 'stress',
      hashes: async (out) => {
        const worlds = ['--kind', 'permute', '--worlds', '4', '--seed', '3', '--jobs', '1'];
        await succeed(['stress', 'strategies/sma-cross.ts', ...SPX, ...worlds, '--out', out]);
        return hashOfResult(onlyFolder(out), ['stress.json']);
      },
    },
    {
      name: 'study of rules',
      hashes: async (out) => {
        writeFileSync(join(out, 'study.json'), JSON.stringify(STUDY));
        const results = join(out, 'results');
        await succeed(['study', join(out, 'study.json'), '--jobs', '1', '--out', results, '--quiet']);
        return hashOfResult(onlyFolder(results), ['study.json']);
      },
    },
  ];
}

const STUDY = {
  name: 'guard',
  strategies: [`${process.cwd()}/strategies/sma-cross.ts`, `${process.cwd()}/strategies/rsi-reversion.ts`],
  windows: { rolling: { from: '2002-01-01', to: '2003-06-30', length: '6m', step: '6m' } },
  data: `${process.cwd()}/data/spx-daily.csv`,
  settings: { commission: { model: 'rate', rate: 0.0005 } },
};

function plays(): GuardedRun[] {
  return Array.from({ length: PLAYS }, (_, number) => ({
    name: `orders ${number}`,
    hashes: async () => {
      const outcome = await runReal(randomPlay(SEED_OF_PLAYS + number));
      return hashOf(JSON.parse(JSON.stringify(outcome, fractionsAsText)));
    },
  }));
}

const fractionsAsText = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

async function runInto(out: string, file: string, flags: readonly string[]): Promise<string> {
  await succeed(['run', `strategies/${file}.ts`, ...flags, '--quiet', '--out', out]);
  return onlyFolder(out);
}

async function succeed(argv: readonly string[]): Promise<{ stdout: string }> {
  const end = await sandtable(argv, { env: { ...process.env } });
  if (end.exitCode !== 0)
    throw new Error(`sandtable ${argv.join(' ')} ended with ${end.exitCode}: ${end.stderr}`);
  return end;
}

function onlyFolder(out: string): string {
  const folders = readdirSync(out, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (folders.length !== 1) throw new Error(`${out} has ${folders.length} folders, not 1`);
  return join(out, folders[0]!.name);
}

/**
 * Leaves a run folder as a killed run would: cuts the journal in the middle of a line, and removes files that
 * are made from it.
 */
function cutJournal(folder: string): void {
  const file = join(folder, 'journal.jsonl');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.slice(0, Math.floor(text.length / 2)));
  for (const name of ['summary.json', 'equity.csv', 'trades.csv', 'report.html'])
    rmSync(join(folder, name), { force: true });
}
