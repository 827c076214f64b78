import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/kernel/index.ts';
import { comparisonPage } from '../../src/pages/compare/page.ts';
import { comparisonMarkdown, comparisonRows, comparisonText } from '../../src/pages/compare/texts.ts';
import { computeMetrics } from '../../src/results/analysis/figures/metrics.ts';
import { pairedDifference } from '../../src/results/analysis/series/bootstrap.ts';
import { drawResamples, seededDraws } from '../../src/results/analysis/series/resamples.ts';
import { summarise } from '../../src/results/analysis/summary/summary.ts';
import { compareRuns } from '../../src/results/runs/compare/compare.ts';
import { tradeOverlap } from '../../src/results/runs/compare/overlap.ts';
import { runFrame, type StoredRun } from '../../src/results/runs/read-run.ts';
import { type RecordSketch, runRecord } from '../support/records.ts';

function stored(runId: string, sketch: RecordSketch): StoredRun {
  const record = runRecord(sketch);
  const summary = summarise(record, { runId });
  return {
    runId,
    folder: runId,
    record,
    manifest: undefined,
    options: {},
    metrics: computeMetrics(record),
    summary,
    timing: undefined,
    toFrame: (name) => runFrame(record, name),
  };
}

const rising = Array.from({ length: 60 }, (_, bar) => 100 + bar + (bar % 3));
const falling = rising.map((value) => 200 - value);

describe('the paired bootstrap', () => {
  const draw = seededDraws('test');
  const noise = createRandom(5, 'noise');
  const base = Float64Array.from({ length: 200 }, () => noise.normal() / 100);

  it('finds no difference between a run and itself', () => {
    expect(pairedDifference(base, base, 252, draw)?.meanReturn).toEqual({
      estimate: 0,
      low: 0,
      high: 0,
    });
  });

  it('finds a constant daily difference, with any correlation of the runs', () => {
    const better = base.map((value) => value + 0.001);
    const found = pairedDifference(better, base, 252, draw);
    expect(found?.meanReturn.estimate).toBeCloseTo(0.252, 10);
    expect(found?.meanReturn.low).toBeCloseTo(0.252, 10);
    expect(found?.sharpe?.low).toBeGreaterThan(0);
  });

  it('does not find a difference from a few days', () => {
    const lucky = base.map((value, day) => value + (day === 100 ? 0.05 : 0));
    const found = pairedDifference(lucky, base, 252, draw);
    expect(found?.meanReturn.low).toBe(0);
    expect(found?.meanReturn.high).toBeGreaterThan(0.1);
  });

  it('draws the original number of sessions, in blocks of the mean length, each session equally often', () => {
    const { starts, ends, firstBlocks, blockLength } = drawResamples(200, 6, createRandom(1, 'test'));
    const drawn = new Float64Array(200);
    for (let resample = 0; resample < 1000; resample++) {
      let sessions = 0;
      for (let block = firstBlocks[resample]!; block < firstBlocks[resample + 1]!; block++) {
        sessions += ends[block]! - starts[block]!;
        for (let at = starts[block]!; at < ends[block]!; at++) drawn[at % 200]! += 1;
      }
      expect(sessions).toBe(200);
    }
    // The last block of a resample is truncated, so the mean is slightly lower.
    expect((200 * 1000) / starts.length).toBeGreaterThan(blockLength * 0.9);
    expect((200 * 1000) / starts.length).toBeLessThan(blockLength * 1.05);
    for (const times of drawn) expect(Math.abs(times - 1000)).toBeLessThan(300);
  });

  it('returns nothing for fewer than ten sessions', () => {
    expect(pairedDifference(base.subarray(0, 9), base.subarray(0, 9), 252, draw)).toBeUndefined();
  });
});

describe('a comparison', () => {
  it('compares every run with the first, and has the same intervals each time', () => {
    const runs = [
      stored('a', { equity: rising, strategy: 'up' }),
      stored('b', { equity: falling, strategy: 'down' }),
    ];
    const comparison = compareRuns(runs);
    expect(comparison.warnings).toEqual([]);
    expect(comparison.runs[0]?.differences).toEqual({});
    const [, down] = comparison.runs;
    expect(down?.differences.totalReturn).toBeCloseTo(
      falling.at(-1)! / falling[0]! - rising.at(-1)! / rising[0]!,
      12,
    );
    expect(down?.sharedSessions).toBe(60);
    expect(down?.against?.meanReturn.high).toBeLessThan(0);
    expect(compareRuns(runs)).toEqual(comparison);
    expect(comparison.differences).toEqual([{ name: 'strategy', values: ['up', 'down'] }]);
  });

  it('warns of other data, another period, other cash and runs that did not complete', () => {
    const other = stored('b', { equity: falling.slice(1), cash: '50', outcome: 'failed' });
    const { started } = other.record;
    const comparison = compareRuns([
      stored('a', { equity: rising }),
      { ...other, record: { ...other.record, started: { ...started, data: [{ sha256: 'x' }] } } },
    ]);
    expect(comparison.warnings.map((line) => line.split(/[:;.]/)[0])).toEqual([
      'The data differ',
      'The periods differ',
      'The initial cash differs',
      'Not completed',
    ]);
  });

  it('reports different currencies and bars, and compares no amounts of money', () => {
    const own = stored('a', { equity: rising });
    const euro = stored('b', { equity: rising, settings: { currency: 'EUR' } });
    const comparison = compareRuns([own, euro]);
    expect(comparison.runs.map(({ name }) => name)).toEqual(['currency USD', 'currency EUR']);
    expect(comparison.warnings).toEqual([
      'The currencies differ: currency USD USD; currency EUR EUR. Amounts of money are not compared, and no figure includes exchange rates.',
    ]);
    expect(comparison.duplicates).toEqual([]);
    expect(comparison.runs[1]?.differences).toMatchObject({ finalEquity: null, totalReturn: 0 });

    const hourly = stored('c', { equity: rising, strategy: 'hours' });
    const bars = hourly.record.bars.map((bar, hour) => ({
      ...bar,
      date: new Date(Date.UTC(2024, 0, 1, hour)).toISOString().slice(0, 19),
    }));
    const warnings = compareRuns([own, { ...hourly, record: { ...hourly.record, bars } }]).warnings.join();
    expect(warnings).toContain('The lengths of bars differ: test 1 day; hours 1 hour.');
  });

  it('reports periods and data, and expresses differences of percentages in points', () => {
    const other = stored('b', { equity: rising.slice(0, 40), strategy: 'other' });
    const { started } = other.record;
    const runs = [
      stored('a', { equity: rising }),
      {
        ...other,
        record: { ...other.record, started: { ...started, data: [{ sha256: 'x', symbols: ['AAA'] }] } },
      },
    ];
    const comparison = compareRuns(runs);
    const [data, period] = comparison.warnings;
    expect(data).toContain('other AAA (sha256 x…)');
    expect(period).toContain(`other ${other.summary.firstBar} to ${other.summary.lastBar}`);
    const page = comparisonPage(comparison, runs);
    expect(page).toContain(`other ${other.summary.firstBar} to ${other.summary.lastBar}`);
    expect(page).toMatch(/<small class="even">−[\d.]+ pp<\/small>/);
    expect(page).not.toMatch(/<small class="(good|bad)">/);
    expect(page).toContain('<option value="1">other</option>');
  });

  it('reports another evaluation date as a different period, not as a different setting', () => {
    const late = stored('b', { equity: rising, strategy: 'other' });
    const evaluatedFrom = late.record.bars[5]!.date;
    const comparison = compareRuns([
      stored('a', { equity: rising }),
      { ...late, summary: { ...late.summary, evaluatedFrom } },
    ]);
    expect(comparison.warnings.join()).toContain(`other ${evaluatedFrom} to`);
    expect(comparison.warnings.join()).not.toContain('terms');
  });

  it('groups samples of the same configuration and reports their spread', () => {
    const runs = ['a', 'b', 'c'].map((id, index) =>
      stored(id, { cash: '100', equity: [100, 100 + 10 * index] }),
    );
    const [group] = compareRuns([...runs, stored('d', { equity: [100, 90], strategy: 'other' })]).samples;
    expect(group?.runIds).toEqual(['a', 'b', 'c']);
    expect(group?.figures.totalReturn?.mean).toBeCloseTo(0.1, 12);
    expect(group?.figures.totalReturn?.deviation).toBeCloseTo(0.1, 12);
    expect(group?.figures.sharpe).toBeUndefined();
  });

  it('counts common entries by side and size', () => {
    const trade = { netPnl: '1', entryTime: '2024-01-02', exitTime: '2024-01-05' };
    const equity = [1, 1, 1, 1, 1];
    const own = runRecord({ equity, exposure: [0, 1, 1, 1, 0], trades: [trade] });
    const half = runRecord({ equity, exposure: [0, 0.5, 0.5, 0.5, 0], trades: [trade] });
    const against = runRecord({
      equity,
      exposure: [0, -1, -1, -1, 0],
      trades: [{ ...trade, side: 'short' }],
    });
    expect(tradeOverlap(own, own)).toEqual({ sharedEntries: 1, share: 1, sameSide: 1, sameSize: 1 });
    expect(tradeOverlap(half, own)).toEqual({ sharedEntries: 1, share: 1, sameSide: 1, sameSize: 0.5 });
    expect(tradeOverlap(against, own)).toEqual({ sharedEntries: 0, share: 0, sameSide: 0.4, sameSize: 0 });
    const flat = runRecord({ equity, exposure: [0, 0, 0, 0, 0] });
    expect(tradeOverlap(flat, flat)).toEqual({ sharedEntries: 0, share: null, sameSide: 1, sameSize: null });
  });
});

describe('names of compared runs', () => {
  const run = (id: string, parameters: Record<string, number>, sketch: Partial<RecordSketch> = {}) => {
    const made = stored(id, { equity: rising, ...sketch });
    const { started } = made.record;
    const strategy = { ...started.strategy, parameters };
    return { ...made, record: { ...made.record, started: { ...started, strategy } } };
  };
  const namesOf = (...runs: StoredRun[]) => compareRuns(runs).runs.map(({ name }) => name);

  it('contain only what differs', () => {
    const [a, b] = [run('a', { fast: 50, slow: 200, size: 1 }), run('b', { fast: 20, slow: 100, size: 1 })];
    expect(namesOf(a, b)).toEqual(['fast 50, slow 200', 'fast 20, slow 100']);
    expect(namesOf(a, b, run('c', {}, { strategy: 'hold' }))).toEqual([
      'test, fast 50, slow 200',
      'test, fast 20, slow 100',
      'hold',
    ]);
    expect(
      namesOf(a, run('d', { fast: 50, slow: 200, size: 1 }, { settings: { commissionRate: 0.01 } })),
    ).toEqual(['no commissionRate', 'commissionRate 0.01']);
  });

  it('mark a repeated run as a duplicate, and an equal result of another run by its name', () => {
    const runs = [run('a', { fast: 5 }), run('b', { fast: 5 }), run('c', { fast: 6 })];
    const comparison = compareRuns(runs);
    expect(comparison.runs.map(({ name }) => name)).toEqual(['fast 5', 'fast 5 (2)', 'fast 6']);
    expect(comparison.duplicates).toEqual([
      { run: 1, of: 0, isSameRun: true },
      { run: 2, of: 0, isSameRun: false },
    ]);
    expect(comparison.samples).toEqual([]);
    const text = comparisonText(comparison, { width: 200, colour: false, ascii: false });
    expect(text).toContain('fast 5 (2) is a duplicate of fast 5:');
    expect(text).toContain('fast 6 came to the same as fast 5, trade by trade');
  });

  it('are unique for any number of runs', () => {
    const runs = Array.from({ length: 14 }, (_, place) => run(`r${place}`, { fast: place % 7 }));
    const names = namesOf(...runs);
    expect(new Set(names).size).toBe(14);
    expect(names[7]).toBe('fast 0 (2)');
  });
});

describe('the page of a comparison', () => {
  const page = (count: number): string => {
    const runs = Array.from({ length: count }, (_, place) =>
      stored(`r${place}`, { equity: rising, strategy: `s${place}` }),
    );
    return comparisonPage(compareRuns(runs), runs);
  };

  it('overlays four runs, draws twelve separately, and lists more', () => {
    expect(page(4)).toContain('id="equity-chart"');
    const twelve = page(12);
    expect(twelve).not.toContain('id="equity-chart"');
    expect(twelve.match(/class="columns multiples"/g)).toHaveLength(12);
    expect(twelve).toContain('data-baseline="11" hidden');
    const many = page(13);
    expect(many.match(/<circle class="dot/g)).toHaveLength(13);
    expect(many.match(/<path class="line/g)).toHaveLength(13);
    expect(many).toContain('class="runs sortable"');
  });
});

describe('a run that did not complete', () => {
  const whole = Array.from({ length: 5 }, (_, place) =>
    stored(`r${place}`, { equity: rising, strategy: `s${place}` }),
  );
  const failed = stored('failed', { equity: falling, strategy: 'failed', outcome: 'failed' });

  it('has no interval in the table, and does not change those of other runs', () => {
    const intervals = (...runs: StoredRun[]): number => {
      const [first = ''] = comparisonPage(compareRuns(runs), runs).split('data-baseline="1"');
      return [...first.matchAll(/<small>[^<]* to [^<]*<\/small>/g)].length;
    };
    expect(intervals(...whole)).toBe(4);
    expect(intervals(...whole, failed)).toBe(4);
    expect(intervals(failed, ...whole)).toBe(0);
  });
});

describe('a comparison as text', () => {
  const comparison = compareRuns([
    stored('a', { equity: rising, strategy: 'up | and away' }),
    stored('b', { equity: falling, strategy: 'down' }),
  ]);

  it('fits the width of the terminal', () => {
    for (const width of [50, 80, 120]) {
      const text = comparisonText(comparison, { width, colour: false, ascii: false });
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
      expect(text).toContain('down earned less than up | and away');
    }
  });

  it('is a Markdown table with any names', () => {
    const lines = comparisonMarkdown(comparison).split('\n');
    const table = lines.filter((line) => line.startsWith('|'));
    expect(new Set(table.map((line) => line.replaceAll('\\|', '').split('|').length))).toEqual(new Set([5]));
  });

  it('has one row per metric with the difference last', () => {
    const [head, verdicts, first] = comparisonRows(comparison);
    expect(verdicts).toEqual(['verdict', 'no_evidence', 'no_evidence', null]);
    expect(head).toEqual(['figure', 'up | and away', 'down', 'down − up | and away']);
    expect(first?.[3]).toBe(comparison.runs[1]?.differences.totalReturn);
  });
});
