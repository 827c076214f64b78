import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testIo } from '../../test/support/io.ts';
import {
  csvWithSpread,
  finerCsv,
  recordingProxy,
  revealedBy,
  revealingSeries,
} from '../../test/support/masked-run.ts';
import { readScript, startScriptedModel } from '../agents/index.ts';
import type { RunSummary } from '../results/analysis/index.ts';
import { TOOL_NAMES } from '../toolkit/index.ts';
import { main } from './main.ts';

const BARS = 24;
const globex = revealingSeries('GLOBEX', 1, BARS, '2003-03-03');
const parisco = revealingSeries('PARISCO', 2, BARS, '2003-03-03');
const rates = revealingSeries('EURUSD', 3, BARS, '2003-03-03', 0.01);
const day = (bar: number): string => new Date(globex.time[bar]!).toISOString().slice(0, 10);

/** Python code that tries to reveal the real symbols, dates and prices behind the mask. */
const PYTHON = `import datetime
out = [str(datetime.datetime.now()), str(datetime.date.today()), datetime.datetime.now().timestamp()]
out += [str(pd.Timestamp.now()), pd.Timestamp.now().value]
out += [df.to_string(), df.date.dt.strftime('%d %B %Y %b %y %Y%m%d').tolist(), repr(df.index), df.describe().to_string()]
out += [df.close.tolist(), df.volume.tolist(), str(account), str(positions)]
out += [str(df_s1.close.iloc[-1]), f"{df_s2.high.max():,.4f}", df.date.astype('int64').tolist()]
print(out)
result = out`;

const CALLS: readonly (readonly [name: string, given: object])[] = [
  ['market_observe', {}],
  ['market_observe', { symbol: 'S2' }],
  ['market_observe', { symbol: 'UNKNOWN2' }],
  ['market_history', { bars: 200 }],
  ['market_history', { bars: 200, symbol: 'S2' }],
  ['market_history', { bars: 'many' }],
  ['account_status', {}],
  ['compute', { code: PYTHON }],
  ['compute', { code: 'df_nope.close' }],
  ['compute', { code: 'raise ValueError(str(df.date.iloc[-1]) + str(df.close.iloc[-1]))' }],
  ['compute', { code: 'open("/etc/passwd").read()' }],
  ['indicator_calc', { name: 'sma', parameters: { length: 2 } }],
  ['indicator_calc', { name: 'vwap', parameters: {}, symbol: 'S2' }],
  ['indicator_calc', { name: 'nothing' }],
  ['exec_code', { source: `${PYTHON}\nkept = df.copy()\nsecret = out` }],
  ['exec_code', { source: 'kept.date.iloc[0].strftime("%A %d %B %Y") + 1' }],
  ['list_globals', {}],
  ['inspect', { expr: 'df' }],
  ['inspect', { expr: 'kept.date.max()' }],
  ['eval_expr', { expr: 'str(df.tail(3)) + str(kept.date.iloc[0])' }],
  ['eval_expr', { expr: 'no_such_name' }],
  ['memory_log', { content: 'Looked around.' }],
  ['memory_note', { key: 'plan', content: 'Buy one.' }],
  ['memory_recall', { query: 'plan' }],
  ['memory_recall', {}],
  [
    'evaluate_python',
    {
      code: 'words = len(plan.split())\nfound = plan.upper()',
      globals: { x: '1' },
      reads: [{ path: 'plan' }],
      writes: [{ path: 'seen.md', content: '{words} words: {found}\n', mode: 'append' }],
    },
  ],
  ['evaluate_python', { code: "import datetime\nread_text('S1/plan.md') + str(datetime.datetime.now())" }],
  ['evaluate_python', { code: "read_text('S1/plan.md')" }],
  ['evaluate_python', { code: 'import os\nos.environ' }],
  ['vfs_list', {}],
  ['vfs_read', { path: 'S1/plan.md' }],
  ['vfs_read', { path: 'nothing.md' }],
  ['vfs_write', { path: 'log.md', content: 'one\n', mode: 'append' }],
  ['vfs_write', { path: 'old.md', content: 'two\n' }],
  ['vfs_delete', { path: 'old.md' }],
  ['vfs_delete', { path: 'nothing.md' }],
  ['trade_execute', { action: 'buy', symbol: 'S1', quantity: 30, reason: 'one more' }],
  ['trade_execute', { action: 'buy', symbol: 'S2', quantity: 5, stop_loss_percent: 9, take_profit_atr: 2 }],
  ['trade_execute', { action: 'buy', quantity: 1, order_type: 'limit', price: 1, group: 'one' }],
  ['trade_execute', { action: 'buy', symbol: 'S1', quantity: 999_999_999 }],
  ['trade_execute', { action: 'sell', symbol: 'S2', quantity: 1, order_type: 'limit', price: 1e9 }],
  [
    'trade_execute',
    { action: 'buy', symbol: 'S1', quantity: 1, time_in_force: 'GTD', good_till: '1999-01-01' },
  ],
  ['trade_execute', { action: 'buy', symbol: 'NOPE', quantity: -1 }],
  ['portfolio_rebalance', { weights: { S1: 30, S2: 20 }, others: 'keep', cash: 5 }],
  ['portfolio_rebalance', { weights: { S1: 300, NOPE: 1 } }],
  ['order_query', {}],
  ['order_query', { order_id: 99 }],
  ['order_cancel', { order_id: 99 }],
  ['order_cancel', { all: true, symbol: 'S1' }],
  ['run_python_script', { skill_name: 'nothing', script: 'print(1)' }],
  ['document_search', {}],
  ['document_search', { query: 'order', symbol: 'S1' }],
  ['document_search', { since: '1999-01-01' }],
  ['document_read', { id: 'S1-1' }],
  ['document_read', { id: 'nothing' }],
  ['fundamentals', {}],
  ['fundamentals', { field: 'margin', symbol: 'S1', periods: 4 }],
  ['universe', {}],
];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-mask-'));
  const file = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  for (const series of [globex, parisco]) file(`${series.symbol}.csv`, csvWithSpread(series));
  file('EURUSD.csv', csvWithSpread(rates));
  mkdirSync(join(folder, 'finer'));
  file('finer/GLOBEX.csv', finerCsv(globex));
  file(
    'actions.csv',
    `symbol,date,kind,amount,ratio\nGLOBEX,${day(9)},dividend,1.234567,\nGLOBEX,${day(14)},split,,3:1\nPARISCO,${day(12)},dividend,0.765432,\n`,
  );
  file(
    'terms.json',
    JSON.stringify({
      slippage: { model: 'spread', column: 'spread' },
      instruments: { PARISCO: { currency: 'EUR' } },
      risk: { maxOrderNotional: 23_456.78 },
      financing: { debitRate: 0.05, creditRate: 0.01 },
    }),
  );
  file(
    'news.jsonl',
    `${JSON.stringify({ id: 'GLOBEX-1', available_at: day(1), symbols: ['GLOBEX', 'ELSEWHERE'], source: 'PARISCO', title: `GLOBEX on ${day(1)}`, text: `An order for GLOBEX in EUR.\nSigned ${day(0)}.` })}\n`,
  );
  file('figures.csv', `symbol,field,period_end,available_at,value\nGLOBEX,margin,${day(0)},${day(1)},0.31\n`);
  file('members.csv', `symbol,from,to\nGLOBEX,${day(0)},\nPARISCO,,${day(20)}\n`);
  mkdirSync(join(folder, 'given/GLOBEX'), { recursive: true });
  file('given/plan', 'A plan.\n');
  file('given/GLOBEX/plan.md', `Buy GLOBEX and PARISCO after ${day(3)}; EURUSD says when.\n`);
  file(
    'trader.md',
    `---\n${JSON.stringify({
      model: 'scripted',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
      base_url: '${OPENAI_BASE_URL}',
      tools: TOOL_NAMES,
      schedule: { every_bars: 5 },
      warm_up_bars: 2,
      notes: 3,
      parameters: { hint: `GLOBEX since ${day(0)}` },
    })}\n---\nTrade {{symbols}} on {{date}} at {{close}} with {{cash}}: GLOBEX in USD, df_globex, from ${day(0)}. {{parameters.hint}}\n`,
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function maskedRun(out: string) {
  const model = await startScriptedModel(
    readScript({
      steps: [
        {
          when: { round: 1 },
          times: 'any',
          reply: { tool_calls: CALLS.map(([name, given]) => ({ name, arguments: given as never })) },
        },
        { when: { round: 2 }, times: 'any', reply: { text: 'Done.' } },
      ],
    }),
  );
  const proxy = await recordingProxy(model.url);
  const io = testIo({ env: { ...process.env, OPENAI_BASE_URL: proxy.url } });
  const at = (name: string): string => join(folder, name);
  const flags = [
    [
      '--data',
      at('GLOBEX.csv'),
      at('PARISCO.csv'),
      '--fx',
      at('EURUSD.csv'),
      '--detail',
      at('finer/GLOBEX.csv'),
    ],
    ['--actions', at('actions.csv'), '--settings', at('terms.json'), '--vfs', at('given'), '--allow-scripts'],
    ['--documents', at('news.jsonl'), '--fundamentals', at('figures.csv'), '--universe', at('members.csv')],
    ['--mask', 'symbols,dates,prices', '--seed', '2', '--model-cutoff', day(11), '--out', at(out), '--quiet'],
  ].flat();
  const exitCode = await main(['run', at('trader.md'), ...flags], io);
  proxy.close();
  await model.close();
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${io.stderr.text}`);
  const run = join(at(out), readdirSync(at(out))[0] ?? '');
  const journal = readFileSync(join(run, 'journal.jsonl'), 'utf8').trim().split('\n');
  return { stderr: io.stderr.text, requests: proxy.requests, run, journal };
}

const FACTS = {
  names: ['GLOBEX', 'PARISCO', 'EURUSD', 'EUR"'],
  series: [globex, parisco, rates],
  numbers: [1.234567, 0.765432, ...globex.close.map((_, bar) => Number((0.010_007 + bar / 1e6).toFixed(6)))],
};

describe('a masked run', () => {
  let masked: Awaited<ReturnType<typeof maskedRun>>;
  beforeAll(async () => {
    masked = await maskedRun('runs');
  });

  it('reveals no hidden value in requests, virtual files or the journal, with any tool', () => {
    const { stderr, requests, run, journal } = masked;
    expect(stderr).toMatch(
      /^note: .*news\.jsonl: documents name symbols that are not in the data: ELSEWHERE\nnote: S1\/plan\.md and 1 more of --vfs has no available_at.*\nnote: The mask does not replace names .*\n(warning: .* (failed|refused).*\n)+$/,
    );
    const called = new Set(CALLS.map(([name]) => name));
    expect([...TOOL_NAMES].filter((name) => !called.has(name))).toEqual([]);
    expect(requests.length).toBe(10);
    const [, ...rest] = journal;
    const files = readdirSync(join(run, 'vfs'), { recursive: true, withFileTypes: true });
    const contents = files
      .filter((entry) => entry.isFile())
      .flatMap((entry) => [
        join(entry.parentPath, entry.name).slice(run.length),
        readFileSync(join(entry.parentPath, entry.name), 'utf8'),
      ]);
    expect(contents.length / 2).toBe(4);
    expect(revealedBy([...requests, ...rest, ...contents], FACTS)).toEqual([]);
    // Proves that the searched requests contain the masked bars, the code and the orders of the run.
    const all = requests.join('');
    for (const sign of ['S1', 'S2', 'CURAA', 'strftime', 'df_s1', 'one more', 'Buy S1 and S2 after'])
      expect(all).toContain(sign);
    const tools = rest.map((line) => JSON.parse(line) as { type: string; name?: string; result?: object });
    const worked = new Set(
      tools.flatMap(({ name, result }) => (result && !('error' in result) ? [name] : [])),
    );
    // All other tools have answered without an error. `run_python_script` needs a Python installation on this
    // machine.
    expect([...TOOL_NAMES].filter((name) => !worked.has(name))).toEqual(['run_python_script']);
  });

  it('writes real values to its files, and a real cutoff date', () => {
    const { run } = masked;
    const summary = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8')) as RunSummary;
    expect(summary.symbols).toEqual(['GLOBEX', 'PARISCO']);
    expect([summary.firstBar, summary.lastBar]).toEqual([day(0), day(BARS - 1)]);
    expect([summary.modelCutoff?.before?.lastBar, summary.modelCutoff?.after?.firstBar]).toEqual([
      day(11),
      day(12),
    ]);
    expect(readFileSync(join(run, 'equity.csv'), 'utf8')).toContain(`${day(0)},`);
  });
});
