import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { ruleDecider, runBacktest, simulateMarket } from 'sandtable';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, closeBrowser, openPage } from '../../features/support/browser.ts';
import type { RunEvent } from '../../src/engine/index.ts';
import { type RunRecord, recordOf } from '../../src/journal/index.ts';
import { createRandom } from '../../src/kernel/index.ts';
import { reportPage } from '../../src/pages/index.ts';
import { type RunningServer, startServer } from '../../src/pages/serve/server.ts';
import { amount, integer, percent, ratio, signedPercent } from '../../src/pages/shared/formats.ts';
import smaCross from '../../strategies/sma-cross.ts';
import { skipBecause } from '../missing.ts';
import { inDepth, sampled } from '../support/depth.ts';
import { runRecord } from '../support/records.ts';
import { sandtable } from '../support/sandtable.ts';

if (browserPath() === undefined) skipBecause('There is no Chromium: labels of pages were not compared.');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-labels-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await closeBrowser();
});

/**
 * Returns each label of a report with its value: tiles, comparison table, summary, all figures, the number of
 * trades, and the parts of the profit. Costs have no sign, because some parts subtract them.
 */
async function labelled(page: Page): Promise<[label: string, value: string][]> {
  return page.evaluate(() => {
    const text = (element: Element | null | undefined): string => (element?.textContent ?? '').trim();
    const first = (element: Element | null): string => (element?.firstChild?.textContent ?? '').trim();
    const rows = (selector: string, column: number): [string, string][] =>
      [...document.querySelectorAll(selector)].map((row) => [
        first(row.querySelector('th')) || text(row.querySelector('td')),
        text(row.querySelectorAll('td')[column]),
      ]);
    return [
      ...[...document.querySelectorAll('#tiles div')].map((tile): [string, string] => [
        text(tile.querySelector('dt')),
        first(tile.querySelector('dd')),
      ]),
      ...rows('#spine-table tbody tr', 0),
      ...rows('#figures tbody tr', document.querySelector('#figures tbody th') === null ? 1 : 0),
      ...rows('#pivot tfoot tr', 2),
      ...rows('#costs-of-period tbody tr', 0).filter(
        ([label]) => /^[A-Z][a-z ]+$/.test(label) && label !== 'None',
      ),
      ...[...document.querySelectorAll('#questions div')].flatMap((line): [string, string][] => {
        const [label, value] = [text(line.querySelector('dt')), text(line.querySelector('strong'))];
        if (label === 'Profit by side, symbol and month') return [['Profit', value]];
        return ['Max drawdown', 'Trading costs'].includes(label) && /\d/.test(value) ? [[label, value]] : [];
      }),
      ...[...document.querySelectorAll<HTMLTableElement>('#breakdown details table')].flatMap((table) => {
        const columns = {
          'Total with open positions': 'Profit',
          Trades: 'Closed trades',
          'Closed, before commission': 'Closed trades before commission',
          Open: 'Open positions',
        } as Readonly<Record<string, string>>;
        const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map(text);
        const sum = [...table.rows].find((row) => text(row.cells[0]) === 'Sum');
        return [...(sum?.cells ?? [])]
          .map((cell, at): [string, string] => [columns[heads[at]!] ?? heads[at]!, text(cell)])
          .filter(([label]) => [...Object.values(columns), 'Commission', 'Dividends'].includes(label));
      }),
      ['Profit', /^−?[\d,.]+\d/.exec(text(document.querySelector('#tiles dd small')))?.[0] ?? ''],
      ...[
        ...(document.querySelector('#waterfall-part svg')?.getAttribute('aria-label') ?? '').matchAll(
          /(?:: |, )(\D+?) (−?[\d,]+\.\d\d)/g,
        ),
      ].map(([, label = '', value = '']): [string, string] => [
        label[0]!.toUpperCase() + label.slice(1),
        value,
      ]),
      ...[
        ...text(document.querySelector('#trade-count')).matchAll(
          /([\d,]+) (closed|open)[a-z ]*(?:, net of commission (−?[\d,]+\.\d\d))?/g,
        ),
      ].flatMap(([, count = '', kind = '', net]): [string, string][] =>
        kind === 'open'
          ? [['Open trades', count]]
          : [
              ['Closed trades', count],
              ...(net === undefined ? [] : [['Closed trades, net of commission', net] as [string, string]]),
            ],
      ),
    ].map(([label = '', value = '']) => [
      label,
      ['Commission', 'Slippage'].includes(label) ? value.replace('−', '') : value,
    ]);
  });
}

async function opened(record: RunRecord): Promise<Page> {
  const file = join(folder, 'report.html');
  writeFileSync(file, reportPage({ runId: 'r', record, manifest: undefined }));
  const { page } = await openPage(pathToFileURL(file).href, 1280, 900);
  await page.locator('body[data-ready]').waitFor({ state: 'attached' });
  return page;
}

/** Returns labels with several different values. */
function ambiguous(found: readonly (readonly [string, string])[]): string[] {
  const labels = [...new Set(found.map(([label]) => label))];
  return labels.flatMap((label) => {
    const different = new Set(found.filter(([name]) => name === label).map(([, value]) => value));
    return different.size === 1 ? [] : [`${label}: ${[...different].join(' and ')}`];
  });
}

async function crossing(
  settings: Record<string, unknown> = {},
  ended = (events: RunEvent[]): RunEvent[] => events,
): Promise<RunRecord> {
  const events: RunEvent[] = [];
  await runBacktest({
    market: simulateMarket({ seed: 9, bars: 900 }),
    decider: ruleDecider(smaCross, smaCross.parameters.parse({ fast: 5, slow: 12 }), undefined),
    settings: { cash: '100000', commissionRate: 0.0005, slippageBps: 2, ...settings },
    onEvent: (event) => events.push(event),
  });
  return recordOf(ended(JSON.parse(JSON.stringify(events)) as RunEvent[]));
}

/** Returns the events of a run whose decision fails in the bar of its last closed trade. */
function failedAtFill(events: RunEvent[]): RunEvent[] {
  const until = events.slice(0, events.findLastIndex(({ type }) => type === 'trade_closed') + 1);
  const paid = until.reduce(
    (sum, one) => sum + (one.type === 'order_filled' ? Number(one.commission) : 0),
    0,
  );
  const end = events.at(-1)!;
  if (end.type !== 'run_finished') throw new Error('The run has no end.');
  const bars = until.filter(({ type }) => type === 'bar').length;
  return [...until, { ...end, outcome: 'failed', bars, commissionPaid: paid.toFixed(6) }];
}

const hours = (count: number): number[] => Array.from({ length: count }, (_, hour) => hour);

describe.skipIf(browserPath() === undefined)('a label of a report', () => {
  it.each(
    sampled(
      [
        ['of an account of thousands', () => crossing()],
        ['of an account of billions', () => crossing({ cash: '2345678901' })],
        ['of a run that was killed', () => crossing({}, (events) => events.slice(0, -1))],
        ['of a run that failed in a bar with fills', () => crossing({}, failedAtFill)],
        [
          'halfway between two cents',
          () =>
            runRecord({
              cash: '100000',
              equity: [100000, 100125.125],
              fills: [{ quantity: '1', price: '125', commission: '0.125' }],
            }),
        ],
      ],
      5,
      3,
    ),
  )('has a single value on the page %s', async (_, record) => {
    const page = await opened(await record());
    const found = await labelled(page);
    expect(ambiguous(found)).toEqual([]);
    expect(found.filter(([label]) => label === 'Profit').length).toBeGreaterThan(3);
    await page.context().close();
  });

  it('distinguishes closed trades before and after commission, and open positions', async () => {
    const page = await opened(await crossing());
    const waterfall = await page.locator('#waterfall-part').textContent();
    expect(waterfall).toContain('Closed trades before commission');
    const net = await page.locator('#pivot tbody tr', { hasText: 'long' }).locator('td').nth(2).textContent();
    const answer = await page
      .locator('#questions div', { hasText: 'Profit by side, symbol and month' })
      .textContent();
    expect(answer).toContain('closed trades, net:');
    expect(answer).toContain(
      `long ${Math.round(Number(net!.replaceAll(',', '').replace('−', '-')))
        .toLocaleString('en')
        .replace('-', '−')}`,
    );
    await page.context().close();
  });

  it.each([
    ['flat before its first trade', runRecord({ cash: '100', equity: [100, 100, 100, 80, 90, 120] })],
    [
      'insolvent within a session',
      runRecord({
        cash: '100',
        equity: [...hours(24).map(() => 100), ...hours(20).map((hour) => 90 - hour), ...[70, 60, -5, -5]],
        dates: hours(48).map((hour) => new Date(Date.UTC(2024, 0, 1, hour)).toISOString()),
      }),
    ],
  ])('has one drawdown and the same dates everywhere: %s', async (_, record) => {
    const page = await opened(record);
    expect(ambiguous(await labelled(page))).toEqual([]);
    const days = async (selector: string): Promise<string[]> =>
      (await page.locator(`${selector} .date`).allTextContents())
        .slice(0, 2)
        .map((date) => date.slice(0, 10));
    const short = await days('#questions div:has(a[href="#drawdowns"])');
    expect(await days('#tiles div:has(dt:text-is("Max drawdown"))')).toEqual(short);
    await page.context().close();
  });

  it('has a single value on the page, in serve, on the terminal, in summary.json and in compare', async () => {
    const out = join(folder, 'runs');
    const words = ['strategies/sma-cross.ts', '--data', 'data/spx-daily.csv', '--to', '2004-01-01'];
    const priced = ['run', ...words, '--commission', '0.001', '--out', out];
    const { stdout } = await sandtable([...priced, '--verbose']);
    const brief = await sandtable(priced);
    await sandtable(['run', ...words, '--param', 'fast=7', '--out', out, '--quiet']);
    const [id] = readdirSync(out).filter((name) => stdout.includes(name));
    const run = join(out, id!);
    const file = await openPage(pathToFileURL(join(run, 'report.html')).href, 1280, 900);
    const onFile = await labelled(file.page);
    const server = await startServer({ folder: out, port: 0, onProblem: () => undefined });
    try {
      const served = await openPage(new URL(`/runs/${id}/report`, server.url).href, 1280, 900);
      expect(await labelled(served.page)).toEqual(onFile);
      for (const page of [file.page, served.page]) {
        expect(await page.locator('#luck .stamp').textContent()).toMatch(
          /read on \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
        );
        await page.context().close();
      }
    } finally {
      await server.close();
    }
    const summary = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8'));
    const value = new Map(onFile);
    expect(value.get('Total return')).toBe(signedPercent(summary.totalReturn));
    expect(value.get('Max drawdown')).toBe(percent(summary.maxDrawdown));
    const others = readdirSync(out).filter((name) => name !== id && !name.endsWith('.jsonl'));
    const compared = await sandtable(['compare', run, join(out, others[0]!), '--json']);
    const [first] = JSON.parse(compared.stdout).runs;
    expect(first.spine).toEqual(summary.spine);
    for (const label of ['Return', 'CAGR', 'Sharpe ratio', 'Max drawdown', 'Win rate', 'Profit factor'])
      expect(
        stdout.split('\n').some((line) => line.includes(label) && line.includes(value.get(label)!)),
      ).toBe(true);
    for (const label of ['Return', 'Sharpe ratio', 'Max drawdown'])
      expect(brief.stdout.replaceAll(/ +/g, ' ')).toContain(`${label} ${value.get(label)!}`);
  });
});

const NONE = { orders: [{ bar: 0, action: 'buy', units: 0.001 }] };
const OPEN = { orders: [{ bar: 5, action: 'buy', units: 100 }] };
const SHORT = {
  orders: [
    { bar: 5, action: 'sell', units: 100 },
    { bar: 90, action: 'buy', units: 100 },
    { bar: 100, action: 'sell', units: 200 },
    { bar: 300, action: 'buy', units: 50 },
  ],
};
const BROKE = { orders: [{ bar: 58, action: 'buy', units: 2500 }] };
const TWO = {
  orders: [
    { bar: 5, action: 'buy', symbol: 'AAA', units: 100 },
    { bar: 6, action: 'sell', symbol: 'BBB', units: 100 },
    { bar: 200, action: 'sell', symbol: 'AAA', units: 150 },
    { bar: 210, action: 'buy', symbol: 'BBB', units: 100 },
  ],
};

type Runs = Readonly<Record<string, readonly [orders: object, data: string, ...flags: string[]]>>;

const COSTS = ['--commission', '0.0013', '--slippage-bps', '3'];
const RATES = ['--credit-rate', '0.02', '--debit-rate', '0.05', '--borrow-rate', '0.03', '--leverage', '2'];

/** Additional runs for the deep tests: order script, data file and flags of each run. */
const MORE_RUNS: Runs = {
  'with dividends and a split': [OPEN, 'up.csv', '--actions', 'actions.csv', ...COSTS],
  'in another currency': [
    SHORT,
    'down.csv',
    ...['--currency', 'EUR', '--fx', 'eurusd.csv', '--instrument', 'DOWN:currency=USD'],
    ...COSTS,
    ...RATES,
  ],
  'with funding': [SHORT, 'down.csv', '--funding', 'funding.csv', ...COSTS],
  'halted at a drawdown': [SHORT, 'up.csv', '--max-drawdown', '0.02', '--flatten-on-halt', ...COSTS],
  'valued at opens': [SHORT, 'down.csv', '--mark', 'open', ...RATES],
};

/** Order script, data file and flags of each run. */
const RUNS: Runs = {
  ...(inDepth(11) ? MORE_RUNS : {}),
  'without a trade': [NONE, 'up.csv'],
  'with an open position only': [OPEN, 'up.csv'],
  'short only': [SHORT, 'down.csv', '--commission', '0.001'],
  insolvent: [BROKE, 'crash.csv', '--leverage', '4', '--maintenance-margin', '0'],
  'below zero': [
    BROKE,
    'crash.csv',
    ...['--leverage', '4', '--maintenance-margin', '0', '--allow-negative-equity'],
  ],
  'with a benchmark of fewer bars': [OPEN, 'up.csv', '--benchmark', 'part.csv'],
  'with two symbols': [TWO, 'two.csv', '--slippage-bps', '3', '--risk-free', '0.02'],
  'with evaluated bars': [SHORT, 'down.csv', '--evaluate-from', '2015-01-07'],
};

/** Writes bars of weekdays whose close changes by `drift` per day. */
function writeBars(name: string, symbols: Readonly<Record<string, number>>, days: number, first = 0): void {
  const random = createRandom(5, name);
  const closes = new Map(Object.keys(symbols).map((symbol) => [symbol, 100]));
  const rows: string[] = [];
  for (let day = first; rows.length < days * closes.size; day++) {
    const date = new Date(Date.UTC(2015, 0, 1 + day));
    if (date.getUTCDay() % 6 === 0) continue;
    for (const [symbol, drift] of Object.entries(symbols)) {
      const open = closes.get(symbol)!;
      const close = open * (1 + drift + 0.01 * random.normal());
      closes.set(symbol, close);
      const prices = [open, Math.max(open, close) * 1.01, Math.min(open, close) * 0.99, close];
      rows.push(
        [date.toISOString().slice(0, 10), symbol, ...prices.map((one) => one.toFixed(2)), 1e5].join(','),
      );
    }
  }
  writeFileSync(join(folder, name), `date,symbol,open,high,low,close,volume\n${rows.join('\n')}\n`);
}

/** Writes 60 bars at 100, then a fall to 20. */
function writeCrash(): void {
  const close = (bar: number): number => (bar < 60 ? 100 : Math.max(140 - bar, 20));
  const rows = Array.from({ length: 120 }, (_, bar) => {
    const [before, now] = [close(Math.max(bar - 1, 0)), close(bar)];
    const date = new Date(Date.UTC(2015, 0, 1 + bar)).toISOString().slice(0, 10);
    return `${date},${before},${Math.max(before, now) + 1},${Math.min(before, now) - 1},${now},100000`;
  });
  writeFileSync(join(folder, 'crash.csv'), `date,open,high,low,close,volume\n${rows.join('\n')}\n`);
}

type Write = (value: never) => string;

/** Field of `summary.json`, its format, and its label on the page, the terminal, compare and the board. */
const LABELS: readonly (readonly [field: string, write: Write, page: string[], others: string[]])[] = [
  ['totalReturn', signedPercent, ['Return', 'Total return'], ['Return', 'Total return', 'Return']],
  ['cagr', signedPercent, ['CAGR'], ['CAGR', 'CAGR']],
  ['volatility', percent, ['Volatility'], ['Volatility', 'Volatility']],
  ['sharpe', ratio, ['Sharpe ratio'], ['Sharpe ratio', 'Sharpe', 'Sharpe']],
  ['sortino', ratio, ['Sortino ratio'], ['Sortino ratio']],
  ['maxDrawdown', percent, ['Max drawdown'], ['Max drawdown', 'Max drawdown', 'Max drawdown']],
  ['exposure', percent, ['Time in the market'], ['Time in market', 'Time in market']],
  ['turnover', ratio, ['Turnover'], ['Turnover', 'Turnover']],
  ['tradeCount', integer, ['Closed trades'], ['Trades', 'Trades', 'Trades']],
  ['winRate', percent, ['Win rate'], ['Win rate']],
  ['profitFactor', ratio, ['Profit factor'], ['Profit factor']],
  ['expectancy', amount, ['Expectancy'], ['Expectancy']],
  ['psr', percent, ['Probabilistic Sharpe ratio'], ['PSR']],
  ['commissionPaid', amount, ['Commission'], ['Commission', 'Commission']],
  ['slippagePaid', amount, ['Slippage'], ['Slippage']],
];

/** Fields of `summary.json` that are printed only if they are not zero. */
const CASH_LABELS = [
  ['dividends', 'Dividends'],
  ['interest', 'Interest'],
  ['marginInterest', 'Margin interest'],
  ['borrowFees', 'Borrow fees'],
  ['funding', 'Funding'],
] as const;

describe.skipIf(browserPath() === undefined)('the values of a run', () => {
  let server: RunningServer;
  const ids = new Map<string, string>();
  const terminal = new Map<string, string>();
  const compared = new Map<string, Map<string, string>>();
  const board = new Map<string, Map<string, string>>();

  beforeAll(async () => {
    writeBars('up.csv', { UP: 0.002 }, 600);
    writeBars('down.csv', { DOWN: -0.001 }, 600);
    writeBars('part.csv', { PART: 0.004 }, 150, 365);
    writeBars('two.csv', { AAA: 0.001, BBB: -0.0005 }, 400);
    writeBars('eurusd.csv', { EURUSD: 0.0001 }, 640, -15);
    writeFileSync(
      join(folder, 'actions.csv'),
      'symbol,date,kind,amount,ratio\nUP,2015-06-01,dividend,0.37,\nUP,2015-12-01,split,,3\nUP,2016-09-01,dividend,0.13,\n',
    );
    writeFileSync(
      join(folder, 'funding.csv'),
      'symbol,date,rate\nDOWN,2015-02-02,0.0003\nDOWN,2015-08-03,-0.0011\n',
    );
    writeCrash();
    const out = join(folder, 'edges');
    for (const [name, [orders, data, ...flags]] of Object.entries(RUNS)) {
      const script = join(folder, 'orders.json');
      writeFileSync(script, JSON.stringify(orders));
      const files = flags.map((flag) => (flag.endsWith('.csv') ? join(folder, flag) : flag));
      const before = new Set(ids.values());
      const { stdout, stderr } = await sandtable([
        'run',
        '--verbose',
        script,
        ...['--data', join(folder, data), ...files, '--out', out],
      ]);
      const id = readdirSync(out).find((one) => !one.endsWith('.jsonl') && !before.has(one));
      if (id === undefined) throw new Error(`${name}: ${stderr}`);
      ids.set(name, id);
      terminal.set(name, stdout);
    }
    server = await startServer({ folder: out, port: 0, onProblem: () => undefined });
    const query = [...ids.values()].map((id) => `run=${id}`).join('&');
    const cells = (row: Element): string[] =>
      [...row.children].map((cell) => (cell.textContent ?? '').trim());
    const comparison = (await openPage(new URL(`/compare?${query}`, server.url).href, 1440, 900)).page;
    const heads = await comparison.locator('table.runs thead tr').first().evaluate(cells);
    for (const [place, name] of [...ids.keys()].entries()) {
      const row = comparison.locator(`table.runs tr[data-run="${place}"]`).first();
      const values = await row.evaluate(cells);
      compared.set(name, new Map(heads.map((head, at) => [head, values[at]!])));
    }
    await comparison.context().close();
    const list = (await openPage(server.url, 1440, 900)).page;
    for (const [name, id] of ids) {
      const values = await list
        .locator(`tr[data-run="${id}"]`)
        .evaluate((row) =>
          [...row.querySelectorAll<HTMLElement>('[data-label]')].map((cell): [string, string] => [
            cell.dataset.label ?? '',
            cell.textContent ?? '',
          ]),
        );
      board.set(name, new Map(values));
    }
    await list.context().close();
  });
  afterAll(() => server.close());

  it.each(sampled(Object.keys(RUNS), 3))('%s are the same for the same label everywhere', async (name) => {
    const run = join(folder, 'edges', ids.get(name)!);
    const summary = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8'));
    const { page } = await openPage(pathToFileURL(join(run, 'report.html')).href, 1280, 900);
    await page.locator('body[data-ready]').waitFor({ state: 'attached' });
    const onPage = await labelled(page);
    expect(ambiguous(onPage)).toEqual([]);
    const captions = await page.locator('caption').allTextContents();
    expect(captions.filter((text, place) => captions.indexOf(text) !== place)).toEqual([]);
    const printed = terminal.get(name)!;
    const unsigned = (text: string | undefined): string | undefined => text?.replace(/^\+/, '');
    for (const [field, write, labels, [inTerminal, inCompare, onBoard]] of LABELS) {
      const expected = unsigned(write(summary[field] as never));
      for (const label of labels)
        expect(unsigned(new Map(onPage).get(label)), `${label} on the page`).toBe(expected);
      const shown = new RegExp(`(?:^|\\s)${inTerminal}(?: a year| × a year)?(?: †)?\\s+(\\S+)`, 'm').exec(
        printed,
      );
      expect(unsigned(shown?.[1]), `${inTerminal} on the terminal`).toBe(expected);
      if (inCompare !== undefined)
        expect(unsigned(compared.get(name)?.get(inCompare)), `${inCompare} in compare`).toBe(expected);
      if (onBoard !== undefined)
        expect(unsigned(board.get(name)?.get(onBoard)), `${onBoard} on the board`).toBe(expected);
    }
    for (const [field, label] of CASH_LABELS) {
      if ((summary[field] ?? '0') === '0') continue;
      const expected = amount(summary[field]);
      expect(new Map(onPage).get(label), `${label} on the page`).toBe(expected);
      expect(printed, `${label} on the terminal`).toMatch(new RegExp(`\\b${label} +${expected}(?!\\S)`));
    }
    await page.context().close();
  });

  it('are compared with the benchmark over the same bars only', async () => {
    const run = join(folder, 'edges', ids.get('with a benchmark of fewer bars')!);
    const {
      commonPeriod: common,
      benchmarkReturn,
      spine,
    } = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8'));
    expect(common.ownReturn).toBeLessThan(benchmarkReturn);
    const { page } = await openPage(pathToFileURL(join(run, 'report.html')).href, 1280, 900);
    const answer = await page
      .locator('#questions div', { hasText: 'Return against the benchmark' })
      .textContent();
    const against = `${signedPercent(common.ownReturn)} against ${signedPercent(benchmarkReturn)}`;
    expect(answer).toContain(`No, by return alone ${against}, ${common.firstBar} to ${common.lastBar}`);
    const sharpe = spine.find(({ name }: { name: string }) => name === 'sharpe');
    const risk = await page.locator('#questions div', { hasText: 'Risk-adjusted return' }).textContent();
    expect(risk).toContain(
      `Sharpe ${ratio(sharpe.scaled + sharpe.difference)} against ${ratio(sharpe.benchmark)}, ${common.firstBar}`,
    );
    await page.context().close();
  });

  it('are listed with the time at which the folder was read', async () => {
    const { page } = await openPage(server.url, 1440, 900);
    expect(await page.locator('.stamp').textContent()).toMatch(
      /^Results folder read on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
    );
    await page.context().close();
  });
});
