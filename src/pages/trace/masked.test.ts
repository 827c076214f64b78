import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { journalLines, writeJournal } from '../../../test/support/journal.ts';
import { journalEnds } from '../../results/runs/index.ts';
import { stepNews } from './step-summary.ts';
import { TraceIndex } from './trace-index.ts';
import { wholeTracePage } from './trace-page.ts';
import { overviewOf, stepView, symbolsOf } from './trace-reader.ts';

/** `GLOBEX` was shown as `AAA`, with dates 14 days later and prices twice as high. */
const mask = {
  kinds: ['symbols', 'dates', 'prices'],
  symbols: { AAA: 'GLOBEX' },
  days: 14,
  priceFactor: '2',
  volumeFactor: '1',
};

let folder: string;
let index: TraceIndex;
let plain: TraceIndex;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-masked-trace-'));
  plain = await TraceIndex.open(writeJournal(folder, journalLines(10)));
  const [started, ...rest] = journalLines(10);
  mkdirSync(join(folder, 'masked'));
  index = await TraceIndex.open(writeJournal(join(folder, 'masked'), [{ ...started, mask }, ...rest]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the trace of a masked run', () => {
  it('has the real dates, symbols, prices and amounts', async () => {
    expect(symbolsOf(index)).toEqual(['GLOBEX']);
    const [seen, real] = [await stepView(plain, 3), await stepView(index, 3)];
    expect([seen?.date, real?.date]).toEqual(['2024-01-04', '2023-12-21']);
    const close = (view: typeof seen): number => view?.prices[0]?.values?.[3] ?? Number.NaN;
    expect(close(real)).toBe(close(seen) / 2);
    const facts = Object.fromEntries(real?.account ?? []);
    expect(Number(facts.Equity)).toBe(Number(Object.fromEntries(seen?.account ?? []).Equity) / 2);
    const fill = real?.market.find(({ kind }) => kind === 'fill');
    expect(fill?.title).toContain('GLOBEX');
    const lastClose = async (one: TraceIndex): Promise<number> =>
      Number((await overviewOf(one, 0)).close.at(-1));
    expect(await lastClose(index)).toBe((await lastClose(plain)) / 2);
    expect(stepNews(index).steps[0]?.story).toBe('bought 2 at 6.5; “I buy.”');
  });

  it('shows the masked date too, and does not change texts', async () => {
    expect(Object.fromEntries((await stepView(index, 3))?.account ?? [])['Date as it was seen']).toBe(
      '2024-01-04',
    );
    expect(Object.fromEntries((await stepView(plain, 3))?.account ?? [])).not.toHaveProperty(
      'Date as it was seen',
    );
    const calls = async (one: TraceIndex): Promise<unknown> =>
      (await stepView(one, 2))?.decision.filter(({ kind }) => kind === 'tool');
    expect(await calls(index)).toEqual(await calls(plain));
    const page = await wholeTracePage(index, { runId: 'masked' });
    expect(page).toContain('AAA is GLOBEX, prices of GLOBEX are multiplied by 2 and volumes by 1');
    expect(await wholeTracePage(plain, { runId: 'plain' })).not.toContain('behind a mask');
  });

  it('has real values in lists of runs too', () => {
    const { symbols, firstBar, equity, totalReturn } = journalEnds(index.file);
    expect([symbols, firstBar]).toEqual([['GLOBEX'], '2023-12-18']);
    const open = journalEnds(plain.file);
    expect([Number(equity), totalReturn]).toEqual([Number(open.equity) / 2, open.totalReturn]);
  });
});
