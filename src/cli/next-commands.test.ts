import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { sandtable } from '../../test/support/sandtable.ts';
import { simulateMarket, toCsv } from '../market/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-next-'));
afterAll(() => rmSync(folder, { recursive: true }));
const strategy = fileURLToPath(new URL('../../strategies/sma-cross.ts', import.meta.url));
const prices = join(folder, 'my prices.csv');
writeFileSync(prices, toCsv(simulateMarket({ seed: 1, bars: 120 }).series[0]!));
const project = join(folder, 'sandtable.yaml');
writeFileSync(
  project,
  `strategy: ${strategy}\ndata: my prices.csv\nout: runs\ncosts: { commission: 0.001 }\nparam: { fast: 5 }\n`,
);

/** Command lines under `Next`, without the program. */
function nextOf(stdout: string): string[] {
  return [...stdout.matchAll(/^(?:Next)? +npx sandtable (.*)$/gm)].map(([, line = '']) => line);
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

it.each([
  [
    'flags',
    [strategy, '--data', prices, '--out', join(folder, 'runs'), '--no-short', '--param', 'fast=5', 'slow=9'],
    '--no-short',
  ],
  ['a project file', ['--config', project, '--param', 'slow=9'], ' slow=9 fraction='],
])('the suggested next commands after a run by %s work', async (_, argv, expected) => {
  const { exitCode, stdout } = await sandtable(['run', ...argv]);
  expect(exitCode).toBe(0);
  expect(stdout.split('\n').length).toBeLessThanOrEqual(24);
  const next = nextOf(stdout);
  expect(next.map((line) => line.split(' ')[0])).toEqual(['serve', 'sweep', 'stress']);
  expect(next[0]).toBe(`serve ${join(folder, 'runs')}`);
  expect(next[1]).toContain(expected);
  expect(next[1]).toContain('--param fast=4,5,6');
  for (const line of next.slice(1)) {
    const few = line.startsWith('stress') ? ['--worlds', '2'] : ['--keep', 'none'];
    const result = await sandtable([...wordsOf(line), ...few, '--jobs', '1', '--json']);
    expect(result.exitCode, `${line}\n${result.stderr}`).toBe(0);
  }
});

it('the suggested next commands are a page and a trace after a run of an agent, which costs money', async () => {
  const agent = fileURLToPath(new URL('../../test/support/own-agent.mjs', import.meta.url));
  const argv = ['--agent', `node ${agent}`, '--data', prices, '--out', join(folder, 'runs')];
  const { stdout } = await sandtable(['run', ...argv]);
  expect(nextOf(stdout).map((line) => line.split(' ')[0])).toEqual(['serve', 'trace']);
});

it('the suggested next command is only a page after a failed run', async () => {
  const failing = join(folder, 'failing.ts');
  writeFileSync(
    failing,
    "import { defineStrategy } from 'sandtable';\nexport default defineStrategy({ name: 'failing', summary: 'Fails.', onBar() { throw new Error('no'); } });\n",
  );
  const { exitCode, stdout } = await sandtable([
    'run',
    failing,
    '--data',
    prices,
    '--out',
    join(folder, 'runs'),
  ]);
  expect(exitCode).toBe(1);
  expect(nextOf(stdout).map((line) => line.split(' ')[0])).toEqual(['serve']);
});
