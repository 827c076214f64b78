import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { barLine, journalLines, linesOf, textOfLines, writeJournal } from '../../../test/support/journal.ts';
import { readJournal } from '../../journal/index.ts';
import { passes, type StepFilter } from './client/source.ts';
import { decisionTimes, stepNews } from './step-summary.ts';
import { TraceIndex } from './trace-index.ts';
import { servedTracePage, wholeTracePage } from './trace-page.ts';
import { barsWith, overviewOf, stepView } from './trace-reader.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-trace-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ALL: StepFilter = { act: '', tool: '', trade: null };
const barsOf = (index: TraceIndex, filter: Partial<StepFilter>): number[] =>
  stepNews(index)
    .steps.filter((step) => passes(step, { ...ALL, ...filter }))
    .map(({ bar }) => bar);
const titles = async (index: TraceIndex, bar: number): Promise<string[]> => {
  const view = await stepView(index, bar);
  return [...(view?.market ?? []), ...(view?.decision ?? [])].map(({ title }) => title);
};

describe('the index of a journal', () => {
  it('finds the byte position of every bar', async () => {
    const file = writeJournal(folder, journalLines(10));
    const index = await TraceIndex.open(file);
    expect(index.bars).toBe(10);
    expect(index.damage).toEqual([]);
    const bytes = readFileSync(file);
    for (let bar = 0; bar < 10; bar++) {
      const { start, end } = index.span(bar)!;
      expect(bytes.subarray(start, end).toString()).toBe(textOfLines(linesOf(bar)));
    }
    expect(index.span(10)).toBeUndefined();
    expect(index.totals).toEqual({ decisions: 1, inputTokens: 20, outputTokens: 4, cost: '0.0002' });
  });

  it('finds positions in texts with multi-byte characters, and in lines longer than a piece', async () => {
    const long = { type: 'note', bar: 1, text: '漢🙂\u2028'.repeat(300_000) };
    const lines = journalLines(3).toSpliced(2, 0, long);
    const index = await TraceIndex.open(writeJournal(folder, lines));
    expect(index.bars).toBe(3);
    expect((await stepView(index, 1))?.decision[0]?.texts[0]?.text).toBe(long.text);
    expect((await stepView(index, 2))?.date).toBe('2024-01-03');
  });

  it('reads lines that are appended meanwhile, without incomplete lines', async () => {
    const text = textOfLines(journalLines(10));
    const file = join(folder, 'journal.jsonl');
    writeFileSync(file, text.slice(0, 500));
    const index = await TraceIndex.open(file);
    for (let length = 500; length < text.length; length += 97) {
      appendFileSync(file, text.slice(length, length + 97));
      const both = await Promise.all([index.extend(), index.extend()]);
      expect(both).toEqual([true, true]);
    }
    const whole = await TraceIndex.open(file);
    expect(index.bars).toBe(10);
    expect(index.allSteps).toEqual(whole.allSteps);
    expect(index.totals).toEqual(whole.totals);
    expect(index.damage).toEqual([]);
  });

  it('detects that a journal was truncated and continued', async () => {
    const file = writeJournal(folder, journalLines(10));
    const index = await TraceIndex.open(file);
    truncateSync(file, index.span(5)!.end);
    appendFileSync(file, textOfLines([barLine(6), barLine(7), barLine(8), barLine(9)]).repeat(5));
    expect(await index.extend()).toBe(false);
  });

  it.each([
    ['no event', 'garbage'],
    ['an amount that is none', '{"type":"bar","bar":4,"date":"2024-01-05","cash":"1","equity":"lots"}'],
    ['another bar than follows', '{"type":"bar","bar":9,"date":"2024-01-10","cash":"1","equity":"1"}'],
  ])('ends at a damaged line like the report, with the same message: %s', async (_, line) => {
    const lines = textOfLines(journalLines(10)).split('\n');
    const file = join(folder, 'journal.jsonl');
    lines[lines.findIndex((text) => text.startsWith('{"type":"bar","bar":4'))] = line;
    writeFileSync(file, `${lines.join('\n')}{"type":"no`);
    const index = await TraceIndex.open(file);
    const record = readJournal(file, { salvage: true });
    expect(index.bars).toBe(4);
    expect(record.bars).toHaveLength(4);
    expect(index.finished).toBeUndefined();
    expect(index.damage).toEqual(record.damage.slice(0, 2));
    expect(await stepView(index, 5)).toBeUndefined();
    expect((await overviewOf(index, 0)).times).toHaveLength(4);
    expect(stepNews(index).steps.reduce((sum, { fills }) => sum + fills, 0)).toBe(record.fills.length);
    const page = await wholeTracePage(index, { runId: 'run' });
    expect(page).toContain('4 of 10 bars');
    expect(page).not.toContain('the run was killed');
  });

  it('ignores events that metrics do not use, and reports them', async () => {
    const lines = textOfLines(journalLines(10)).split('\n');
    const file = join(folder, 'journal.jsonl');
    lines.splice(2, 0, '{"type":"note","bar":99999999999}', '{"type":"note","bar":"one"}');
    writeFileSync(file, `${lines.join('\n')}{"type":"no`);
    const index = await TraceIndex.open(file);
    expect(index.damage).toEqual([
      'Line 3 is damaged and was left out.',
      'Line 4 is damaged and was left out.',
      `Line ${lines.length} is incomplete and was ignored.`,
    ]);
    expect(index.bars).toBe(10);
  });

  it('shows the bar at which a run was killed', async () => {
    const lines = [...journalLines(10).slice(0, 3), ...linesOf(2).slice(0, -1)];
    const index = await TraceIndex.open(writeJournal(folder, lines));
    expect(index.bars).toBe(2);
    expect(index.openBar).toBe(2);
    expect(barsOf(index, {})).toEqual([2]);
    expect(await stepView(index, 2)).toMatchObject({ unfinished: true, account: [] });
    expect(await titles(index, 2)).toContain('compute');
  });

  it('marks the bar on which the run failed as an error, shows the reason, and opens it first', async () => {
    const failed = {
      type: 'run_finished',
      outcome: 'failed',
      bars: 2,
      openTrades: [],
      commissionPaid: '0',
      error: { code: 'decider_failed', message: 'the price feed is gone' },
    };
    const index = await TraceIndex.open(writeJournal(folder, [...journalLines(10).slice(0, 3), failed]));
    expect(barsOf(index, { act: 'e' })).toEqual([2]);
    expect(index.stepAt(2)?.failure).toBe('the price feed is gone');
    expect(await titles(index, 2)).toEqual(['The run ended: failed']);
    expect(servedTracePage(index, '/api', { runId: 'r' })).toContain('"failedBar":2');
  });

  it('shows trades and their reasons', async () => {
    const index = await TraceIndex.open(writeJournal(folder, journalLines(10)));
    expect(stepNews(index).steps.map(({ bar, kind, acts, story }) => [bar, kind, acts, story])).toEqual([
      [2, 'buy', 'b', 'bought 2 at 13; “I buy.”'],
      [3, 'market', '', 'filled: bought 2 at 13'],
      [5, 'error', 'e', 'nothing done, a call failed'],
      [6, 'refused', 'r', 'refused to buy AAA: Too much.'],
      [7, 'sell', 's', 'sold 2 at 11, net -4'],
      [8, 'market', '', 'filled: sold 2 at 11, net -4'],
    ]);
    expect(servedTracePage(index, '/api', { runId: 'r' })).toContain('"failedBar":null');
  });

  it('can only be created from a journal', async () => {
    for (const text of ['', '42\n', '{"type":"bar","bar":0}\n', 'PK\u0003\u0004']) {
      writeFileSync(join(folder, 'journal.jsonl'), text);
      await expect(TraceIndex.open(join(folder, 'journal.jsonl'))).rejects.toMatchObject({
        code: 'not_a_journal',
      });
    }
    await expect(TraceIndex.open(join(folder, 'nowhere'))).rejects.toMatchObject({
      code: 'journal_unreadable',
    });
  });
});

describe('the list of a trace', () => {
  it('is filtered by tool, error, trade and words', async () => {
    const index = await TraceIndex.open(writeJournal(folder, journalLines(10)));
    expect(barsOf(index, {})).toEqual([2, 3, 5, 6, 7, 8]);
    expect(barsOf(index, { tool: 'compute' })).toEqual([2, 5]);
    expect(barsOf(index, { tool: 'none' })).toEqual([]);
    expect(barsOf(index, { act: 'e' })).toEqual([5, 6]);
    expect(barsOf(index, { trade: 1 })).toEqual([2, 3, 7, 8]);
    expect(barsOf(index, { act: 'b' })).toEqual([2]);
    expect(barsOf(index, { act: 'd' })).toEqual([2, 5, 6, 7]);
    expect(await barsWith(index, 'RSI df.close')).toEqual({ bars: [2], capped: false });
    expect((await barsWith(index, 'observation')).bars).toEqual([2]);
    expect((await barsWith(index, 'order_rejected')).bars).toEqual([]);
  });

  it('returns new steps since the last request, including older orders filled since', async () => {
    const lines = journalLines(10);
    const cut = lines.findIndex(({ type, bar }) => type === 'bar' && bar === 2);
    const file = writeJournal(folder, lines.slice(0, cut + 1));
    const index = await TraceIndex.open(file);
    const first = stepNews(index);
    expect(first.steps.map(({ bar, story }) => [bar, story])).toEqual([
      [2, 'ordered to buy 2, not filled; “I buy.”'],
    ]);
    writeJournal(folder, lines);
    expect(await index.extend()).toBe(true);
    const news = stepNews(index, first.revision);
    expect(news.steps.map(({ bar }) => bar)).toEqual([2, 3, 5, 6, 7, 8]);
    expect(stepNews(index, news.revision).steps).toEqual([]);
  });
});

describe('a bar of a trace', () => {
  it('contains all observations, messages, calls and orders', async () => {
    const index = await TraceIndex.open(writeJournal(folder, journalLines(10)));
    const times = { compute: { calls: 2, p50Milliseconds: 3, p95Milliseconds: 9 } };
    const text = JSON.stringify(await stepView(index, 2, times));
    for (const part of [
      'the observation of bar 2',
      'Let me look.',
      'latest(ta.rsi(df.close, 14))',
      '55.5',
      'I buy.',
      '0.0002 USD',
      'accepted → filled 2 at 13 on bar 3',
      'trade 1 ended on bar 8, net -4',
      '3.0 ms, 95th percentile 9.0 ms',
    ])
      expect(text).toContain(part);
  });

  it('separates market events from decisions', async () => {
    const index = await TraceIndex.open(writeJournal(folder, journalLines(10)));
    const view = await stepView(index, 8);
    expect(view?.market.map(({ kind }) => kind)).toEqual(['fill', 'trade']);
    expect(view?.market[1]?.links.map(({ bar }) => bar)).toEqual([2, 3, 7]);
    expect(view?.decision).toEqual([]);
  });

  it('shows unknown events unchanged', async () => {
    const odd = { type: 'dream', bar: 0, about: ['sheep'] };
    const lines = journalLines(1).toSpliced(1, 0, odd);
    const index = await TraceIndex.open(writeJournal(folder, lines));
    expect((await stepView(index, 0))?.decision[0]).toMatchObject({ kind: 'other', title: 'dream' });
  });
});

describe('the overview', () => {
  it('retains extremes if several bars share one candle', async () => {
    const bars = Array.from({ length: 9_000 }, (_, bar) => barLine(bar));
    bars[4_444] = { ...barLine(4_444), prices: [[10, 999, 1, 10, 5]] };
    const index = await TraceIndex.open(writeJournal(folder, [journalLines(0)[0]!, ...bars]));
    const overview = await overviewOf(index, 0);
    expect(overview.barsPerPoint).toBe(3);
    expect(overview.close).toHaveLength(3_000);
    expect(Math.max(...overview.high.map(Number))).toBe(999);
    expect(Math.min(...overview.low.map(Number))).toBe(1);
  });

  it('contains every bar, also if the keys of a line have another order', async () => {
    const bars = [0, 1, 2].map((bar) => {
      const { type, ...fields } = barLine(bar);
      return bar === 1 ? { ...fields, type } : barLine(bar);
    });
    const { times, close } = await overviewOf(
      await TraceIndex.open(writeJournal(folder, [journalLines(0)[0]!, ...bars])),
      0,
    );
    expect(times).toEqual([0, 1, 2].map((bar) => Date.UTC(2024, 0, 1 + bar) / 1000));
    expect(close).toEqual([10, 11, 12]);
  });

  it('ends before a bar without a valid date', async () => {
    const bars = [0, 1, 2].map((bar) => (bar === 1 ? { ...barLine(bar), date: 'soon' } : barLine(bar)));
    const index = await TraceIndex.open(writeJournal(folder, [journalLines(0)[0]!, ...bars]));
    expect((await overviewOf(index, 0)).times).toEqual([Date.UTC(2024, 0, 1) / 1000]);
  });
});

describe('a trace page', () => {
  const HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(2)>';

  it('escapes all names of a run', async () => {
    const lines = journalLines(10, HOSTILE, HOSTILE).toSpliced(1, 0, { type: 'note', bar: 0, text: HOSTILE });
    const index = await TraceIndex.open(writeJournal(folder, lines));
    for (const page of [
      await wholeTracePage(index, { runId: HOSTILE }),
      servedTracePage(index, '/api/runs/x', { runId: HOSTILE }),
    ]) {
      expect(page).not.toContain('<img src=x');
      expect(page).not.toContain('<script>alert');
      expect(page.match(/<script(?! type="application\/octet-stream" id="[\w-]+">)/g)).toHaveLength(2);
    }
  });

  it('is refused if it would be too large, with a suggestion', async () => {
    const index = await TraceIndex.open(writeJournal(folder, journalLines(10)));
    await expect(wholeTracePage(index, { runId: 'r' }, 200)).rejects.toMatchObject({
      code: 'trace_too_large',
      hint: expect.stringContaining('sandtable serve'),
    });
  });
});

describe('the duration of decisions', () => {
  it('is read from timing.json, for any content', async () => {
    const index = await TraceIndex.open(writeJournal(folder, journalLines(10)));
    const taken = (timing: unknown) =>
      stepNews(index, 0, decisionTimes(timing)).steps.map(({ milliseconds }) => milliseconds);
    expect(taken({ decisions: '2:8.31 5:0.4' })).toEqual([8.31, null, 0.4, null, null, null]);
    for (const odd of [undefined, {}, { decisions: 7 }, { decisions: 'x:1 2' }])
      expect(new Set(taken(odd))).toEqual(new Set([null]));
  });
});
