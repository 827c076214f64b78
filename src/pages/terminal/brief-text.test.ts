import { describe, expect, it } from 'vitest';
import { type RecordSketch, runRecord } from '../../../test/support/records.ts';
import { columnsOf } from '../../kernel/index.ts';
import { computeMetrics, type RunSummary, summarise } from '../../results/analysis/index.ts';
import { type BriefTextOptions, briefText, MOST_LINES } from './brief-text.ts';

const SKETCH: RecordSketch = {
  strategy: 'sma-cross',
  cash: '10000',
  equity: ['10000', '12000', '9000', '56263.51934'],
  dates: ['2004-08-19', '2007-01-03', '2008-10-10', '2013-03-01'],
  trades: [{ netPnl: '30' }, { netPnl: '-10' }],
  symbols: ['GOOG'],
};
const record = runRecord(SKETCH);
const metrics = computeMetrics(record);
const SUMMARY = summarise(record, { runId: 'r', metrics, spine: metrics.benchmarkTable() });
const NEXT = ['npx sandtable serve reports', `npx sandtable stress a.ts --data ${'x'.repeat(100)}`];

function linesOf(summary: RunSummary, options: Partial<BriefTextOptions> = {}): string[] {
  return briefText(summary, {
    ...{ width: 80, colour: false, ascii: false },
    equity: [10_000, 12_000, 9_000, 56_263.51934],
    data: 'goog.csv',
    folder: 'reports/r',
    next: NEXT,
    more: '--verbose prints all',
    ...options,
  }).split('\n');
}

/** Returns the number of rows that lines need on a terminal, which wraps lines longer than its width. */
const rows = (lines: readonly string[], width: number): number =>
  lines.reduce((total, line) => total + Math.max(1, Math.ceil(columnsOf(line) / width)), 0);

const alarm = (place: number): RunSummary['alarms'][number] => ({
  kind: 'no_costs',
  count: 1,
  problem: `Problem ${place} of this run, which needs a sentence that is longer than one line of a terminal.`,
  meaning: 'It means something.',
  nextStep: `Remedy ${place}, which is also a sentence that needs more than one line of a terminal.`,
});

describe('briefText', () => {
  it('shows verdict, run, equity, six figures, next commands and folder', () => {
    const lines = linesOf({ ...SUMMARY, alarms: [] });
    expect(lines.slice(0, 6)).toEqual([
      'Verdict   No evidence. Too few trades to judge: 2 closed, at least 30 needed.',
      '          Too few sessions to judge: 3 session returns, at least 60 needed.',
      '',
      'Run       sma-cross on goog.csv',
      'Period    2004-08-19 → 2013-03-01, 4 bars',
      expect.stringMatching(/^Equity {4}56,264 +█+$/),
    ]);
    const text = lines.join('\n');
    for (const figure of ['Final equity', 'Return', 'Benchmark', 'Sharpe ratio', 'Max drawdown', 'Trades'])
      expect(text.split(figure)).toHaveLength(2);
    expect(text).toMatch(/Return +\+462\.64%/);
    expect(lines).toContain(`Next      ${NEXT[0]}`);
    expect(lines).toContain(`          ${NEXT[1]}`);
    expect(text).toMatch(/--verbose prints all \(\d notes?\)\./);
    expect(lines.at(-1)).toBe('Folder    reports/r');
  });

  it.each([60, 80, 120])('has at most 24 lines of %d columns, with any number of alarms', (width) => {
    for (const count of [0, 1, 2, 3, 5, 8, 20]) {
      const alarms = Array.from({ length: count }, (_, place) => alarm(place + 1));
      const stamps = Array.from({ length: count }, () => 'same-bar fills');
      const because = ['A reason that is a long sentence, and goes on for a while.'.repeat(count + 1)];
      const lines = linesOf(
        { ...SUMMARY, alarms, stamps, verdict: { ...SUMMARY.verdict, because } },
        { width },
      );
      expect(rows(lines, width)).toBeLessThanOrEqual(MOST_LINES);
      const text = lines.join('\n');
      const shown = alarms.filter((_, place) => text.includes(`Problem ${place + 1} `)).length;
      const hidden = Number(/… and (\d+) more alarms and warnings/.exec(text)?.[1] ?? 0);
      const warnings = text.includes('Stamped') ? 1 : 0;
      expect(shown + warnings + hidden).toBe(count === 0 ? 0 : count + 1);
    }
  });

  it('shows the remedy of an alarm if there is room', () => {
    const text = linesOf({ ...SUMMARY, alarms: [alarm(1)] }).join('\n');
    expect(text).toContain('Remedy 1');
  });

  it('is ASCII on a dumb terminal', () => {
    expect(linesOf(SUMMARY, { ascii: true }).join('\n')).not.toMatch(/[^\n -~−]/);
  });
});
