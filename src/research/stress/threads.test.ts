import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { inDepth } from '../../../test/support/depth.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';
import { stressFromCode } from './from-code.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-stress-threads-'));
afterAll(() => rmSync(out, { recursive: true }));

const [series] = simulateMarket({ seed: 11, bars: 80, symbols: ['AAA'] }).series;
const data = join(out, 'aaa.csv');
writeFileSync(data, toCsv(series!));

it.runIf(inDepth(5))('a world that hangs or ends its thread fails, and the others continue', async () => {
  const strategy = join(out, 'hangs.ts');
  // On the actual data, the strategy behaves normally. It recognises this data by the close of bar 40. In a
  // world (artificial market), the same close decides if the strategy hangs, ends its thread or behaves
  // normally.
  writeFileSync(
    strategy,
    `import { defineStrategy } from 'sandtable';
export default defineStrategy({
  name: 'hangs',
  summary: 'Hangs in some worlds, and ends its thread in others.',
  onBar({ bar, window, orders }) {
    if (bar === 3) orders.submit({ action: 'buy', quantity: '1' });
    if (bar !== 40 || window.close.at(40) === ${series!.close[40]}) return;
    const kind = Math.floor(window.close.last * 1000) % 3;
    if (kind === 0) for (;;);
    if (kind === 1) process.exit(3);
  },
});`,
  );
  const test = await stressFromCode({
    strategy,
    data,
    worlds: 8,
    jobs: 2,
    settings: { decisionTimeout: 1 },
    out,
  });
  expect(test.worlds).toBe(8);
  const errors = readFileSync(join(test.folder, 'worlds.jsonl'), 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { error?: string }).error ?? 'none']));
  expect(errors.length).toBe(8);
  expect(new Set(errors)).toEqual(
    new Set(['none', 'a decision took longer than 1 s', 'the strategy ended its thread']),
  );
});
