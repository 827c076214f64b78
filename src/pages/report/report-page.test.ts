import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openTrade, runRecord } from '../../../test/support/records.ts';
import { createRandom } from '../../kernel/index.ts';
import { equityColumns } from '../../results/analysis/index.ts';
import { html } from '../shared/html.ts';
import { chartData } from './chart-data.ts';
import { reportPage } from './report-page.ts';

const HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"\'';

describe('a report', () => {
  it('escapes all names of a run', () => {
    const record = runRecord({
      strategy: HOSTILE,
      symbols: [HOSTILE],
      equity: [100, 101],
      trades: [{ netPnl: '1', symbol: HOSTILE, exitReason: HOSTILE }],
      fills: [{ symbol: HOSTILE, quantity: '1', price: '10', reason: HOSTILE }],
    });
    const page = reportPage({ runId: HOSTILE, record, manifest: undefined });
    expect(page).not.toContain('<img src=x');
    expect(page).not.toContain('<script>alert');
    expect(page.match(/<script/g)).toHaveLength(2);
  });

  it('runs only its own script', () => {
    const page = reportPage({ runId: 'r', record: runRecord({ equity: [1, 2] }), manifest: undefined });
    const script = /<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(page).toContain(`script-src 'sha256-${hash}'`);
    expect(page).toContain("default-src 'none'");
  });

  it('shows the results of a killed run and states that it is incomplete', () => {
    const page = reportPage({
      runId: 'r',
      record: runRecord({ equity: [100, 90], killed: true }),
      manifest: undefined,
    });
    expect(page).toContain('<strong>Incomplete</strong><p>The run was killed after 2 of 2 bars');
    expect(page).toContain('the run was killed');
  });

  it('can be created for a run without bars', () => {
    const page = reportPage({
      runId: 'r',
      record: runRecord({ cash: '5', equity: [] }),
      manifest: undefined,
    });
    expect(page).toContain('No result: no bar was processed.');
  });
});

/** Returns the text of a section of the page. */
function words(page: string, id: string): string {
  const part = new RegExp(`<section id="${id}"[\\s\\S]*?</section>`).exec(page)?.[0] ?? '';
  return part
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#39;', '’');
}

describe('the five answers', () => {
  const prices = (closes: readonly number[]) =>
    closes.map((close) => [[close, close, close, close, 1] as const]);

  it('state the return after all costs, the comparison, the worst drawdown and the reasons for buying', () => {
    const page = reportPage({
      runId: 'r',
      record: runRecord({
        cash: '1000',
        equity: [1000, 900, 1200],
        prices: prices([10, 9, 15]),
        fills: [
          { bar: 1, quantity: '10', price: '9.5', priceBeforeSlippage: '9', commission: '2', reason: 'dip' },
        ],
      }),
      manifest: undefined,
    });
    const said = words(page, 'answers');
    expect(said).toContain('A gain, but too little data to judge it. 1,000.00 became 1,200.00: +20.00%');
    expect(said).toContain(
      'Commission and slippage of 7.00 are paid in that; without them it would be +20.70%.',
    );
    expect(said).toContain('No evidence. Buying and holding would have returned +50.00%');
    expect(page).toContain(
      '<strong>No evidence</strong><p>Too few trades to judge: 0 closed, at least 30 needed.</p><p>Too few sessions to judge: 2 session returns, at least 60 needed.</p>',
    );
    expect(said).toContain(
      'At worst 10.00% below its high , from 2024-01-01 to 2024-01-02 . It was back there',
    );
    expect(said).toContain('“dip” (1 ×)');
    expect(said).toContain(
      'Not as evidence of skill. The verdict is “No evidence”. Chance may explain the gain',
    );
    expect(said).toContain('npx sandtable trace');
  });

  it.each([
    ['broke', [1000, -5, 3000]],
    ['no_evidence', [1000, 900, 1200]],
  ] as const)('have no favourable word or class with the verdict %s', (state, equity) => {
    const record = runRecord({
      cash: '1000',
      equity,
      prices: prices([10, 9, 9]),
      trades: [{ netPnl: '900' }],
      fills: [{ bar: 1, quantity: '1', price: '9' }],
    });
    const page = reportPage({ runId: 'r', record, manifest: undefined });
    expect(page).toContain(`<main data-verdict="${state}">`);
    expect(page).not.toContain('class="good"');
    const said = words(page, 'answers');
    expect(said).not.toMatch(/\bYes\b|Better than|speaks against it/);
    expect(said).toContain('Not as evidence of skill.');
  });

  it('state “better” with the verdict better, and only then in green', () => {
    const random = createRandom(3, 'page');
    let [close, worth] = [100, 1000];
    const [closes, equity] = [[close], [worth]];
    for (let session = 0; session < 400; session++) {
      const change = 0.01 * random.normal();
      close *= 1 + change;
      worth *= 1 + change + 0.003;
      closes.push(close);
      equity.push(worth);
    }
    const trades = Array.from({ length: 30 }, () => ({ netPnl: '1' }));
    const record = runRecord({ cash: '1000', equity, prices: prices(closes), trades });
    const page = reportPage({ runId: 'r', record, manifest: undefined });
    expect(page).toContain('<main data-verdict="better">');
    expect(words(page, 'answers')).toContain('Better than buying and holding.');
    expect(page).toContain('<strong class="good">Yes.</strong>');
  });

  it('link to the trace if it exists', () => {
    const record = runRecord({ equity: [1, 2], prices: prices([1, 2]) });
    const page = reportPage({ runId: 'r', record, manifest: undefined, trace: 'trace.html' });
    expect(page).toContain('<a href="trace.html">trace</a>');
    expect(words(page, 'answers')).not.toContain('npx sandtable trace');
  });

  it('do not show a stop loss as a reason for buying', () => {
    const order = {
      type: 'order_accepted',
      bar: 0,
      symbol: 'AAA',
      action: 'sell',
      orderType: 'stop',
    } as const;
    const record = runRecord({
      equity: [1, 2],
      fills: [
        { quantity: '1', price: '1', orderId: 1, reason: 'dip' },
        { quantity: '1', price: '1', orderId: 2, side: 'sell', reason: 'stop-loss' },
      ],
      events: [{ ...order, orderId: 2, role: 'stop-loss' }],
    });
    expect(words(reportPage({ runId: 'r', record, manifest: undefined }), 'answers')).not.toContain(
      'stop-loss',
    );
  });
});

describe('the report of an account', () => {
  const entry = { type: 'cash_entry', bar: 1, cash: '0' } as const;

  it('shows the effect of dividends, interest and fees, and the rest from prices', () => {
    const record = runRecord({
      cash: '1000',
      equity: [1000, 1100],
      events: [
        { ...entry, kind: 'dividend', amount: '30' },
        { ...entry, kind: 'borrow_fee', amount: '-5' },
      ],
    });
    const page = reportPage({ runId: 'r', record, manifest: undefined });
    const costs = /<section id="costs"[\s\S]*?<\/section>/.exec(page)?.[0].replaceAll(/<[^>]*>/g, ' ') ?? '';
    expect(costs).toMatch(/From prices\s+75\.00\s+0\.00%\s+\+7\.50%/);
    expect(costs).toMatch(/Dividends\s+30\.00/);
    expect(costs).toMatch(/Borrow fees\s+−5\.00/);
    expect(costs).toMatch(/After all of these\s+100\.00/);
    expect(costs).not.toContain('Margin interest');
  });

  it('counts a sale after a split as an exit', () => {
    const fill = { symbol: 'AAA', price: '95' };
    const record = runRecord({
      equity: [1, 1, 1, 1],
      openTrades: [openTrade({ symbol: 'AAA', entryBar: 3 })],
      fills: [
        { ...fill, bar: 1, quantity: '10' },
        { ...fill, bar: 3, quantity: '30', side: 'sell', reason: 'stop-loss' },
        { ...fill, bar: 3, quantity: '15' },
      ],
      events: [
        { type: 'split', bar: 2, symbol: 'AAA', ratio: '3:1', quantityBefore: '10', quantityAfter: '30' },
      ],
    });
    const page = reportPage({ runId: 'r', record, manifest: undefined });
    const row = /<tr data-trade[\s\S]*?<\/tr>/.exec(page)?.[0] ?? '';
    const cells = [...row.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, text]) => text);
    expect([cells[5], cells[8]]).toEqual(['', 'open at the end']);
    expect(page).not.toContain('stop-loss</td>');
  });

  it('counts ambiguous bars, sums their differences, and shows the stamps', () => {
    const record = runRecord({
      cash: '1000',
      equity: [1000, 900],
      fills: [{ quantity: '10', price: '95', ambiguous: true, gainIfOther: '100' }],
    });
    const started = { ...record.started, stamps: ['same-bar fills'] };
    const page = reportPage({ runId: 'r', record: { ...record, started }, manifest: undefined });
    expect(page).toContain('1 of 2 bars allow several outcomes');
    expect(page).toContain('differ by 100.00 together');
    expect(page).toContain('Stamped: same-bar fills.');
  });
});

describe('chart data of a split', () => {
  it('draw a trade at the price of its entry bar, and convert resting prices', () => {
    const record = runRecord({
      equity: [1, 1, 1],
      openTrades: [openTrade({ symbol: 'AAA', entryBar: 0, entryPrice: '100' })],
      events: [
        {
          type: 'order_accepted',
          bar: 0,
          orderId: 1,
          symbol: 'AAA',
          action: 'sell',
          orderType: 'stop',
          stopPrice: '285',
        },
        { type: 'split', bar: 1, symbol: 'AAA', ratio: '3:1', quantityBefore: '1', quantityAfter: '3' },
        { type: 'order_adjusted', bar: 1, orderId: 1, symbol: 'AAA', quantity: '3', stopPrice: '95' },
      ],
    });
    const data = chartData(record, equityColumns(record), undefined);
    expect(data.trades[0]?.entry).toBe(300);
    expect(data.levels).toMatchObject([
      { from: 0, to: 1, price: 285 },
      { from: 1, to: 2, price: 95 },
    ]);
  });
});

describe('chart data of very many bars', () => {
  it('retain all extremes', () => {
    const count = 30_000;
    const equity = Array.from({ length: count }, (_, bar) => 100 + Math.sin(bar / 50));
    equity[12_345] = 500;
    equity[23_456] = 1;
    const prices = equity.map((value) => [[value, value + 1, value - 0.5, value, 2] as const]);
    const record = runRecord({ equity, prices });
    const data = chartData(record, equityColumns(record), undefined);
    expect(data.barsPerPoint).toBe(3);
    expect(data.times).toHaveLength(10_000);
    expect(Math.max(...data.equity.high)).toBe(500);
    expect(Math.min(...data.equity.low)).toBe(1);
    expect(Math.max(...data.prices[0]!.high.map(Number))).toBe(501);
    expect(Math.min(...data.prices[0]!.low.map(Number))).toBe(0.5);
    expect(Math.min(...data.drawdown)).toBeCloseTo(1 / 500 - 1, 8);
    expect(data.prices[0]!.volume[0]).toBe(6);
  });
});

describe('an html template', () => {
  it('escapes texts, joins arrays and does not change html', () => {
    expect(html`<p title="${'"'}">${['<', html`<b>${'&'}</b>`, null, 3]}</p>`.text).toBe(
      '<p title="&quot;">&lt;<b>&amp;</b>3</p>',
    );
  });
});
