import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runOf, step } from '../../../test/support/checked-steps.ts';
import { CheckedRun } from './checked-run.ts';
import { CATALOGUE } from './define.ts';
import { COMPARE_STEPS } from './figure-steps.ts';

const KEPT = fileURLToPath(new URL('../../../docs/examples/bdd/kept/two-orders', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'sandtable-compare-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Opens a copy of a stored run with a changed journal. */
function copyOf(label: string, change: (text: string) => string = (text) => text): CheckedRun {
  const folder = join(root, label);
  cpSync(KEPT, folder, { recursive: true });
  const journal = join(folder, 'journal.jsonl');
  writeFileSync(journal, change(readFileSync(journal, 'utf8')));
  return CheckedRun.open(folder, label);
}
const same = copyOf('same');
const twin = copyOf('twin');
const dear = copyOf('dear', (text) => text.replace('"commissionRate":0.001', '"commissionRate":0.002'));

describe('a comparison of stored runs', () => {
  const compare = (line: string) => step(COMPARE_STEPS, line, [same, twin, dear]);

  it('requires a better figure, by the given amount', async () => {
    const against = '0.228553% against 0.228553%.';
    expect(await compare('strategy same beats twin in total return')).toContain(
      `same is not better than twin in total return: ${against}`,
    );
    expect(await compare('strategy same beats twin in total return by at least 0%')).toBe('');
    expect(await compare('strategy same beats twin in total return by at least 1%')).toContain(
      `same is not better by at least 1% than twin in total return: ${against}\n  Run: ${same.folder}`,
    );
  });

  it('requires the same terms, unless the step allows other terms', async () => {
    for (const end of ['', ' by at least 0%'])
      expect(await compare(`strategy same beats dear in total return${end}`)).toMatch(
        /^same and dear were not on the same terms:\n {2}.*\n[\s\S]*, whatever their terms\n {2}Run: /,
      );
    expect(await compare('strategy same beats dear in total return, whatever their terms')).toContain(
      'same is not better',
    );
    expect(await compare('strategy same beats dear beyond chance in mean return')).toContain(
      'not on the same terms',
    );
  });

  it('does not accept a lead beyond chance between equal runs', async () => {
    for (const figure of ['mean return', 'Sharpe ratio'])
      expect(await compare(`strategy same beats twin beyond chance in ${figure}`)).toMatch(
        /share too few sessions|does not beat twin in (mean return|Sharpe ratio) beyond chance: the difference is between 0%? and 0%? \(95 %\)/,
      );
  });

  it('with buying and holding compares the total return', async () => {
    // The first close is 100.45 and the last close 99.9, so holding loses money.
    expect(await compare('strategy same beats buying and holding')).toBe('');
    const worse = copyOf('worse', (text) => text.replaceAll('10022.8553', '9022.8553'));
    expect(await step(COMPARE_STEPS, 'strategy worse beats buying and holding', [worse])).toContain(
      'worse returned -9.771447%, buying and holding -0.547536%.',
    );
  });
});

describe('a check of an outcome', () => {
  const RUN_STEPS = CATALOGUE['Outcome and reliability'];
  const check = (line: string, ...runs: CheckedRun[]) => step(RUN_STEPS, line, runs);

  it('states how the run ended, with its message', async () => {
    expect(await check('the run ended completed', same)).toBe('');
    expect(await check('the run ended failed', same)).toBe(
      `same ended "completed" after ${same.record.bars.length} bars, not "failed".\n  Run: ${same.folder}`,
    );
    const words = new CheckedRun({ runId: 'x', record: runOf().record, words: 'error: no money' });
    expect(await check('the run ended failed', words)).toBe(
      'test ended "completed" after 3 bars, not "failed".\nerror: no money',
    );
  });

  it('fails without a folder to replay, a model to count requests or a seal', async () => {
    expect(await check('the run repeats byte for byte', runOf())).toBe(
      'test has no folder to replay it from.',
    );
    expect(
      await step(
        RUN_STEPS.map((one) => ({ ...one, pattern: String(one.pattern).replace('(s)', '') })),
        'the model was asked 2 time',
        [runOf()],
      ),
    ).toBe('test has no model.');
    expect(await check('the run is sealed', runOf())).toBe(
      'test is not sealed: strategy code runs with your rights.',
    );
    expect(await check('the run is sealed', same)).toBe('');
    expect(await check('the run is sealed', dear)).toContain(
      'The journal of dear does not match the hash in its manifest.',
    );
    expect(await check('the scripted model played to its end')).toContain('There is no scripted model.');
    expect(await check('the backtest is refused, saying "x"')).toBe('The backtest was not refused.');
  });
});
