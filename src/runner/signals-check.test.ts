import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../test/missing.ts';
import { sampled } from '../../test/support/depth.ts';
import { checkChain, readEarlier } from '../journal/index.ts';
import { createMarket, simulateMarket } from '../market/index.ts';
import { runStrategy } from './run-strategy.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-signals-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BARS = 6_000;
const market = createMarket(simulateMarket({ seed: 6, bars: BARS, symbols: ['AAA'], interval: '1h' }).series);

/**
 * Runs a Python strategy whose function `signals` has the given body. Returns the path of the run's journal.
 */
async function ran(name: string, body: string): Promise<string> {
  const file = join(folder, `${name}.py`);
  writeFileSync(file, `print("loaded")\ndef signals(df):\n    ${body}\n`);
  const out = join(folder, `${name}-reports`);
  await runStrategy({ strategy: file, data: market.series, out });
  return join(out, readdirSync(out).find((each) => /^\d/.test(each))!, 'journal.jsonl');
}

const types = (journal: string): string[] => readEarlier(journal).events.map(({ type }) => type);

describe.skipIf(!buildIsHere())('signals checked while they are traded', () => {
  it.each(
    sampled(
      [
        ['look-ahead', '+ (df.index > 5000) * (0.1 if len(df) < 6000 else 0)', 'look_ahead'],
        [
          'an error',
          '+ (df.index > 5000) / (5 if len(df) < 5000 or len(df) == 6000 else 0)',
          'decider_failed',
        ],
      ],
      2,
    ),
  )('leave the journal of a run that failed at its first decision for %s', async (name, part, code) => {
    const journal = await ran(name.replace(' ', '-'), `return (df.index % 2) * 0.25 ${part}`);
    expect(types(journal)).toEqual(['run_started', 'note', 'run_finished']);
    expect(checkChain(journal).broken).toBeUndefined();
    const { outcome, bars, error } = JSON.parse(readFileSync(journal, 'utf8').trim().split('\n').at(-1)!);
    expect([outcome, bars, error.code]).toEqual(['failed', 0, code]);
    const { verdict } = JSON.parse(readFileSync(join(dirname(journal), 'summary.json'), 'utf8'));
    expect(verdict.because[0]).toMatch(name === 'look-ahead' ? /refused for look-ahead/ : /crashed/);
  });

  it('are checked at as many bars without a folder', async () => {
    const file = join(folder, 'unwritten.py');
    const ahead = '(df.index % 100 == 7) * (0.1 if len(df) < 6000 else 0)';
    writeFileSync(file, `def signals(df):\n    return (df.index % 2) * 0.25 + ${ahead}\n`);
    const { outcome, error } = await runStrategy({ strategy: file, data: market.series, out: false });
    expect([outcome, String(error)]).toEqual(['failed', expect.stringContaining('look-ahead: at bar')]);
  });

  it('are traded as before', async () => {
    const journal = await ran('right', 'return (df.close > df.close.rolling(9).mean()) * 0.5');
    const found = readEarlier(journal).events;
    expect(found.filter(({ type }) => type === 'bar').length).toBe(BARS);
    expect(found.flatMap((event) => (event.type === 'note' ? [[event.bar, event.text]] : []))).toEqual([
      [0, 'loaded'],
      [0, expect.stringMatching(/^signals checked for look-ahead at \d+ of 6000 bars$/)],
    ]);
    expect(checkChain(journal).broken).toBeUndefined();
  });
});
