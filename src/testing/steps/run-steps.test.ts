import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CATALOGUE } from './define.ts';
import { Desk } from './desk.ts';
import type { Step } from './step.ts';

const KEPT = fileURLToPath(new URL('../../../docs/examples/bdd/kept/two-orders', import.meta.url));
const STEPS: readonly Step[] = Object.values<readonly Step[]>(CATALOGUE).flat();

let folder: string;
let desk: Desk;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'sandtable-steps-')), 'run');
  cpSync(KEPT, folder, { recursive: true });
  desk = new Desk();
});
afterEach(async () => {
  await desk.clear(false);
  rmSync(join(folder, '..'), { recursive: true });
});

/** Runs a step from its line in a feature. */
async function step(line: string, ...under: unknown[]): Promise<unknown> {
  for (const { pattern, run } of STEPS) {
    const found = typeof pattern === 'string' ? (pattern === line ? [line] : null) : pattern.exec(line);
    if (found !== null) return run(desk, ...([...found.slice(1), ...under] as never[]));
  }
  throw new Error(`there is no step "${line}"`);
}

function alter(name: string, change: (text: string) => string): void {
  writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')));
}

describe('a verdict', () => {
  it('is compared in any case, and reported with its reasons if it differs', async () => {
    desk.open(folder);
    await expect(step('the verdict is {string}', 'No evidence')).resolves.toBeUndefined();
    await expect(step('the verdict is {string}', 'better')).rejects.toThrow(
      /the verdict is "no evidence", not "better"\. Too few trades to judge: 1 closed/,
    );
    await expect(step('the verdict is {string}', 'good')).rejects.toThrow(
      'Verdicts: broke, incomplete, no evidence, indistinguishable, worse, better.',
    );
  });
});

describe('an opened run', () => {
  it('is sealed if its manifest matches its journal', async () => {
    desk.open(folder);
    await expect(step('the run is sealed')).resolves.toBeUndefined();
  });

  it('is not sealed if a byte of the journal was changed', async () => {
    alter('journal.jsonl', (text) => text.replace('"equity":"10000"', '"equity":"10001"'));
    desk.open(folder);
    await expect(step('the run is sealed')).rejects.toThrow('does not match the hash in its manifest');
  });

  it('is not sealed without a manifest, or if scripts were allowed', async () => {
    rmSync(join(folder, 'manifest.json'));
    desk.open(folder);
    await expect(step('the run is sealed')).rejects.toThrow('has no manifest');
    alter('journal.jsonl', (text) => text.replace('"sealed":true', '"sealed":false'));
    desk.open(folder);
    await expect(step('the run is sealed')).rejects.toThrow('is not sealed');
  });

  it('fails every check if it is incomplete, until a step states this', async () => {
    alter('journal.jsonl', (text) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`);
    desk.open(folder);
    await expect(step('the final equity is 10,022.8553')).rejects.toThrow('it ended "interrupted"');
    await step('the final equity is 10,022.8553').catch((error: Error) =>
      expect(error.stack).toBe(error.message),
    );
    desk.run(null, { anyEnd: true }).endSeen = true;
    await expect(step('the final equity is 10,022.8553')).resolves.toBeUndefined();
  });

  it('must have a unique name', () => {
    desk.open(folder);
    desk.open(folder);
    expect(() => desk.run('two-orders')).toThrow('There are 2 runs "two-orders"');
    expect(() => desk.run('three-orders')).toThrow('Unknown run "three-orders". Available: "two-orders"');
  });

  it('is refused with a clear message if it does not exist', () => {
    expect(() => desk.open(join(folder, 'nowhere'))).toThrow('No run found in');
    expect(() => desk.run()).toThrow('No backtest was run');
  });
});

describe('a scripted model', () => {
  it('has not played to its end while a step of its script is unused', async () => {
    await expect(step('the scripted model played to its end')).rejects.toThrow('There is no scripted model');
    await desk.playModel({ text: '{"steps": [{"name": "buy", "reply": {"text": "I buy."}}]}' });
    await expect(step('the scripted model played to its end')).rejects.toThrow(
      'step buy was used 0 of 1 times',
    );
  });

  it('requires a readable script', async () => {
    await expect(desk.playModel({ text: 'I buy.' })).rejects.toThrow("The model's script is not JSON");
  });
});

it('only the steps that run a backtest have no time limit', () => {
  const unlimited = STEPS.filter(({ slow }) => slow === true).map(({ pattern }) => String(pattern));
  expect(unlimited.sort()).toEqual([
    'the backtest runs',
    'the backtest runs as {string}',
    'the backtest runs, however it ends',
    'the run repeats byte for byte',
  ]);
});
