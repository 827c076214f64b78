import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTrade, type RecordSketch, runRecord } from '../../../test/support/records.ts';
import { columnsOf, grouped, percentage, printable, shorten, writeText } from '../../kernel/index.ts';
import { computeMetrics, type RunSummary, summarise } from '../../results/analysis/index.ts';
import { type SummaryTextOptions, summaryText } from './summary-text.ts';

const PLAIN = { width: 80, colour: false, ascii: false };
const SKETCH: RecordSketch = {
  strategy: 'sma-cross',
  cash: '10000',
  equity: ['10000', '12000', '9000', '56263.51934'],
  dates: ['2004-08-19', '2007-01-03', '2008-10-10', '2013-03-01'],
  trades: [{ netPnl: '30' }, { netPnl: '-10' }],
  openTrades: [openTrade()],
  symbols: ['GOOG'],
};
const text = (sketch: RecordSketch, options: Partial<SummaryTextOptions> = {}): string => {
  const record = runRecord(sketch);
  const metrics = computeMetrics(record);
  const summary = summarise(record, { runId: 'r', metrics, spine: metrics.benchmarkTable() });
  const { benchmarkEquity } = metrics;
  return written(
    summaryText(summary, { ...PLAIN, equity: sketch.equity.map(Number), benchmarkEquity, ...options }),
  );
};

/** Returns a text as it is written to a terminal. */
function written(shown: string): string {
  let all = '';
  const write = (part: string): boolean => {
    all += part;
    return true;
  };
  writeText({ write }, shown);
  return all;
}

describe('summaryText', () => {
  it('shows the run in two aligned columns', () => {
    const lines = text(SKETCH, { data: 'goog.csv', folder: 'reports/r' }).split('\n');
    expect(lines.slice(0, 7)).toEqual([
      'Verdict   No evidence. Too few trades to judge: 2 closed, at least 30 needed.',
      '          Too few sessions to judge: 3 session returns, at least 60 needed.',
      '',
      'Strategy  sma-cross',
      'Data      goog.csv',
      'Period    2004-08-19 → 2013-03-01, 4 bars',
      'Equity    10,000.00 → 56,263.52 (+462.64%)',
    ]);
    expect(lines.join('\n')).toMatch(/^Return +\+462\.64%$/m);
    expect(lines.join('\n')).toMatch(/^Max drawdown +−25\.00%$/m);
    expect(lines.join('\n')).toMatch(/^Trades {10}2 \+ 1 open {4}PSR +\d+\.\d\d%$/m);
    expect(lines.at(-1)).toBe('Folder    reports/r');
  });

  it('uses one column if two do not fit', () => {
    const lines = text(SKETCH, { width: 50 }).split('\n');
    expect(lines).toContain('Win rate            50.00%');
    expect(lines).toContain('Profit factor         3.00');
  });

  it('draws the equity with its highest and lowest value, and nothing if it is constant', () => {
    const chart = text(SKETCH).split('\n').slice(8, 10);
    expect(chart[0]).toMatch(/^Strategy {2}56,264 +█+$/);
    expect(chart[1]).toMatch(/^ {11}9,000 [▁-█]+$/);
    // A difference that results from float64 rounding does not count as a change, so no curve is drawn.
    for (const last of [5, 5 + 1e-12])
      expect(text(SKETCH, { equity: [5, 5, 5, last], benchmarkEquity: undefined })).not.toMatch(/[▁-█]/);
  });

  it('draws the benchmark on the scale of the run, in cash before the first evaluated bar', () => {
    const equity = [10_000, 10_000, 20_000, 20_000];
    const lines = text(SKETCH, { equity, benchmarkEquity: Float64Array.of(40_000, 30_000) }).split('\n');
    const at = lines.indexOf('Strategy  20,000');
    expect(lines[at + 1]).toMatch(/^ {10}10,000 ▁+▆+$/);
    expect(lines[at + 2]).toMatch(/^Benchmark 40,000 +█+▃+$/);
    expect(lines[at + 3]).toMatch(/^ {10}10,000 ▁+█+$/);
  });

  it('uses only ASCII on request', () => {
    expect(text({ ...SKETCH, strategy: 'café 策略' }, { ascii: true, folder: 'reports/é' })).toMatch(
      /^[\n -~]+$/,
    );
  });

  it('uses colours only on request, and they change nothing else', () => {
    const ansi = String.fromCharCode(27);
    expect(text(SKETCH)).not.toContain(ansi);
    expect(text(SKETCH, { colour: true })).toContain(`${ansi}[33m`);
    expect(stripVTControlCharacters(text(SKETCH, { colour: true }))).toBe(text(SKETCH));
  });

  it.each(['broke', 'incomplete', 'no_evidence', 'indistinguishable', 'worse'] as const)(
    'has nothing in green with the verdict %s',
    (state) => {
      const summary = summarise(runRecord(SKETCH), { runId: 'r' });
      const shown = (verdict: RunSummary['verdict']): string =>
        written(summaryText({ ...summary, verdict }, { ...PLAIN, colour: true, equity: [1, 2] }));
      const green = `${String.fromCharCode(27)}[32m`;
      expect(shown({ state, because: ['So it is.'] })).not.toContain(green);
      expect(shown({ state: 'better', because: ['Better than all.'] })).toContain(green);
    },
  );

  it('begins with problems and their counts', () => {
    const refused = {
      type: 'order_rejected',
      orderId: null,
      symbol: 'GOOG',
      action: 'buy',
      code: 'insufficient_cash',
      message: '',
      remedy: '',
    } as const;
    const order = { type: 'order_accepted', symbol: 'GOOG', action: 'sell', orderType: 'market' } as const;
    const lines = text({
      ...SKETCH,
      equity: ['10000', '-319919', '5', '6'],
      fills: [
        { orderId: 1, quantity: '1', price: '1' },
        { orderId: 2, quantity: '1', price: '1', side: 'sell' },
        { orderId: 2, quantity: '1', price: '1', side: 'sell' },
        { orderId: 3, quantity: '1', price: '1', side: 'sell' },
      ],
      events: [
        { ...order, bar: 0, orderId: 1, action: 'buy' },
        { ...order, bar: 1, orderId: 2, role: 'liquidation' },
        { ...order, bar: 1, orderId: 3, role: 'liquidation' },
        { ...refused, bar: 1 },
        { ...refused, bar: 1 },
        { type: 'risk_halted', bar: 1, code: 'risk_drawdown', limit: 0.2, from: '1', equity: '0' },
        { type: 'risk_halted', bar: 1, code: 'risk_daily_loss', limit: 0.2, from: '1', equity: '0' },
      ],
    }).split('\n');
    expect(lines[0]).toMatch(/^Verdict {3}Broke\. Equity fell to −319,919\.00 on /);
    const head = lines.slice(0, lines.indexOf('Strategy  sma-cross')).join(' ').replaceAll(/\s+/g, ' ');
    expect(head).toContain('The broker liquidated 2 positions.');
    expect(head).toContain('2 of 3 orders were refused, most often with insufficient_cash (2 times).');
    expect(head).toContain('The drawdown limit was reached on ');
    expect(head).toContain('The daily loss limit was reached on 1 day.');
  });

  it('counts orders that were reduced to the buying power, if any', () => {
    const fills = [
      { quantity: '9', price: '100', requestedQuantity: '10' },
      { quantity: '1', price: '100' },
    ];
    const record = runRecord({ ...SKETCH, fills });
    expect(summarise(record, { runId: 'r' }).reducedOrders).toBe(1);
    expect(text({ ...SKETCH, fills }).replaceAll(/\s+/g, ' ')).toContain(
      '1 order was filled with fewer units',
    );
    expect('reducedOrders' in summarise(runRecord(SKETCH), { runId: 'r' })).toBe(false);
    expect(text(SKETCH)).not.toContain('fewer units');
  });

  it('removes control characters of a terminal', () => {
    const shown = text({ ...SKETCH, strategy: 'a\u001b[2Jb\u0007\nc\u202ed' });
    expect(shown.split('\n')[3]).toBe('Strategy  a [2Jb c d');
  });

  it('shows why figures are missing, each reason once, and problems', () => {
    const shown = text({ cash: '100', equity: [100, 101, 102], killed: true });
    expect(shown).toContain('Verdict   Incomplete. The run was killed after 3 of 3 bars');
    expect(shown).toContain('the run was killed');
    expect(shown).toContain('No win rate, profit factor, expectancy: no trade was closed.');
    expect(shown).toContain('less than a year');
    expect(text({ cash: '100', equity: [], outcome: 'failed' })).toContain(
      'Verdict   Incomplete. The strategy crashed after 0 of 0 bars',
    );
  });

  it('has only lines within the width', () => {
    const amounts = fc.constantFrom('1', '99.5', '123456789012.34', '-5000000');
    const sketches = fc.record({
      cash: fc.constantFrom('1', '1000000000000000'),
      equity: fc.array(amounts, { maxLength: 200 }),
      strategy: fc.string({ unit: 'grapheme', maxLength: 60 }),
      killed: fc.boolean(),
    });
    fc.assert(
      fc.property(sketches, fc.integer({ min: 30, max: 160 }), fc.boolean(), (sketch, width, ascii) => {
        const dates = sketch.equity.map((_, bar) => new Date(1.6e12 + bar * 6e7).toISOString().slice(0, 19));
        const folder = `reports/${'x'.repeat(70)}`;
        const shown = text({ ...sketch, dates }, { width, ascii, folder });
        const lines = shown.split('\n');
        // The path of the folder is not shortened, so that it can be copied and opened.
        expect(lines.at(-1)).toMatch(new RegExp(`^(?:Folder +)?${folder}$`));
        for (const line of lines.slice(0, -1)) expect(columnsOf(line)).toBeLessThanOrEqual(width);
        expect(shown).not.toMatch(/NaN|Infinity|undefined|null/);
      }),
    );
  });

  it('shows figures of any size', () => {
    const summary: RunSummary = {
      ...summarise(runRecord(SKETCH), { runId: 'r' }),
      profitFactor: 1e21,
      winRate: -1e-9,
    };
    const shown = summaryText(summary, { ...PLAIN, equity: [] });
    expect(shown).toMatch(/Profit factor +1e\+21/);
    expect(shown).toMatch(/Win rate +0\.00%/);
  });
});

describe('numbers and widths', () => {
  it.each([
    ['56263.51934', 2, '56,263.52'],
    ['-1234567.8', 0, '−1,234,568'],
    [-0.001, 2, '0.00'],
    ['999', 0, '999'],
    ['1000', 2, '1,000.00'],
  ])('%s to %i places', (value, places, shown) => {
    expect(grouped(value, places)).toBe(shown);
  });

  it('percentages have two decimals', () => {
    expect(percentage(-0.339316)).toBe('−33.93%');
    expect(percentage(12.3456)).toBe('1,234.56%');
  });

  it('are replaced by the closest ASCII characters', () => {
    expect(printable('−1 → 2, “café” … ×', { ...PLAIN, ascii: true })).toBe('-1 -> 2, "caf?" ... x');
  });

  it('wide characters need two columns', () => {
    expect(columnsOf('策略')).toBe(4);
    expect(columnsOf('e\u0301')).toBe(1);
    expect(shorten('策略策略', 5, PLAIN)).toBe('策略…');
    expect(shorten('reports/20261121/run', 12, PLAIN, 'middle')).toBe('rep…1121/run');
  });
});
