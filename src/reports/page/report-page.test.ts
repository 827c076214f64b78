import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { equityColumns } from '../equity.ts';
import { runRecord } from '../test-records.ts';
import { chartData } from './chart-data.ts';
import { html } from './html.ts';
import { reportPage } from './report-page.ts';

const HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"\'';

describe('a report', () => {
  it('shows what a run names as text, whatever it is', () => {
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

  it('lets no script run but its own', () => {
    const page = reportPage({ runId: 'r', record: runRecord({ equity: [1, 2] }), manifest: undefined });
    const script = /<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(page).toContain(`script-src 'sha256-${hash}'`);
    expect(page).toContain("default-src 'none'");
  });

  it('tells what a killed run left, and that it is not whole', () => {
    const page = reportPage({
      runId: 'r',
      record: runRecord({ equity: [100, 90], killed: true }),
      manifest: undefined,
    });
    expect(page).toContain('This run did not complete');
    expect(page).toContain('the run was killed');
  });

  it('is made of a run that walked no bar', () => {
    const page = reportPage({
      runId: 'r',
      record: runRecord({ cash: '5', equity: [] }),
      manifest: undefined,
    });
    expect(page).toContain('No result: no bar was walked.');
  });
});

describe('chart data of very many bars', () => {
  it('keep every extreme', () => {
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
  it('escapes texts, joins arrays and leaves html as it is', () => {
    expect(html`<p title="${'"'}">${['<', html`<b>${'&'}</b>`, null, 3]}</p>`.text).toBe(
      '<p title="&quot;">&lt;<b>&amp;</b>3</p>',
    );
  });
});
