import type { Json } from '../src/engine/index.ts';

/** Tool call in the form that `sandtable tools call` reads. */
export type Call = readonly [name: string, given?: Json];

/** Example in the reference of a tool: calls made in order in a separate world. */
export interface Shown {
  readonly calls: readonly Call[];
  /** File name in `data/`. Default: daily bars of the index. */
  readonly data?: string;
  /** Flags with files in `data/`, given by their paths relative to the project. */
  readonly flags?: readonly string[];
}

const buy = { action: 'buy', quantity: 10, reason: 'try it' };
const bracket = { action: 'buy', equity_percent: 50, stop_loss_percent: 5, take_profit: 1500 };
const plan = { path: 'notes/plan.md', content: 'Buy pullbacks only.\n' };
const SHARPE = 'def sharpe(r):\n    return r.mean() / r.std() * 252 ** 0.5';

/** Examples by tool, including the examples of the tools' specifications. */
export const SHOWN: Readonly<Record<string, Shown>> = {
  compute: {
    calls: [
      ['compute', { code: 'latest(ta.rsi(df.close, 14))' }],
      [
        'compute',
        { code: "fast = ta.sma(df.close, 10)\nprint(len(df))\nresult = {'above': above(fast, 1400)}" },
      ],
      ['compute', { code: 'dff.close' }],
      ['compute', { code: 'import os' }],
      ['compute', { code: 'df' }],
    ],
  },
  indicator_calc: {
    calls: [
      ['indicator_calc', { name: 'rsi', length: 14 }],
      ['indicator_calc', { name: 'macd' }],
      ['indicator_calc', { name: 'rsii' }],
    ],
  },
  market_observe: {
    calls: [
      ['market_observe', {}],
      ['market_observe', { symbol: 'AAPL' }],
    ],
  },
  market_history: {
    calls: [
      ['market_history', { bars: 2 }],
      ['market_history', { bars: 500 }],
    ],
  },
  account_status: { calls: [['trade_execute', buy], ['next_bar'], ['account_status']] },
  order_query: {
    calls: [['trade_execute', bracket], ['next_bar'], ['order_query'], ['order_query', { order_id: 9 }]],
  },
  order_cancel: {
    calls: [
      ['trade_execute', { action: 'buy', quantity: 5, order_type: 'limit', price: 1300 }],
      ['order_cancel', { order_id: 1 }],
      ['order_cancel', { order_id: 1 }],
    ],
  },
  trade_execute: {
    calls: [
      ['trade_execute', buy],
      ['trade_execute', { action: 'sell', quantity: 5, order_type: 'trailing_stop', trail_percent: 3 }],
      ['trade_execute', { action: 'target', target_percent: 30, replaces: 2 }],
      ['trade_execute', { action: 'buy', quantity: 1_000_000 }],
      ['trade_execute', { action: 'hold', quantity: 1 }],
    ],
  },
  memory_log: { calls: [['memory_log', { content: 'Volume dries up.' }]] },
  memory_note: {
    calls: [
      ['memory_note', { key: 'plan', content: 'wait for 1400' }],
      ['memory_note', { key: 'plan', content: '' }],
    ],
  },
  memory_recall: {
    calls: [
      ['memory_note', { key: 'plan', content: 'wait for 1400' }],
      ['memory_recall', { query: 'PLAN' }],
    ],
  },
  exec_code: {
    calls: [
      ['exec_code', { source: `returns = df.close.pct_change().dropna()\n${SHARPE}` }],
      ['exec_code', { source: 'print(len(returns))\nround(float(sharpe(returns)), 4)' }],
      ['exec_code', { source: 'sharpe([1])' }],
      ['exec_code', { source: 'x = (' }],
    ],
  },
  list_globals: { calls: [['list_globals']] },
  inspect: {
    calls: [
      ['exec_code', { source: 'def next(x):\n    x + 1' }],
      ['inspect', { expr: 'next' }],
      ['inspect', { expr: 'df.close' }],
      ['inspect', { expr: '1 / 0' }],
    ],
  },
  eval_expr: {
    calls: [
      ['exec_code', { source: 'x = 41' }],
      ['eval_expr', { expr: 'x + 1' }],
      ['eval_expr', { expr: 'y' }],
    ],
  },
  evaluate_python: {
    calls: [
      [
        'evaluate_python',
        {
          code: 'total = 0\nfor value in range(5):\n    total += value\nprint(total)\ntotal',
          globals: {},
          reads: [],
          writes: [],
        },
      ],
      [
        'evaluate_python',
        {
          code: 'risk = cash * 0.01',
          globals: { cash: '25000' },
          writes: [{ path: 'plan.md', content: 'Risk {risk:.2f}\n' }],
        },
      ],
      ['evaluate_python', { code: "len(read_text('plan.md')), {1, 2}" }],
      ['evaluate_python', { code: '1', globals: { x: 'five' }, reads: [{ path: 'none.md' }] }],
      ['evaluate_python', { code: 'import os' }],
    ],
  },
  vfs_list: {
    calls: [
      ['vfs_write', plan],
      ['vfs_list', {}],
    ],
  },
  vfs_read: {
    calls: [
      ['vfs_write', plan],
      ['vfs_read', { path: 'notes/plan.md' }],
      ['vfs_read', { path: 'none' }],
    ],
  },
  vfs_write: {
    calls: [
      ['vfs_write', plan],
      ['vfs_write', { ...plan, mode: 'create' }],
      ['vfs_write', { path: '../x', content: '' }],
    ],
  },
  vfs_delete: {
    calls: [
      ['vfs_write', plan],
      ['vfs_delete', { path: 'notes' }],
      ['vfs_delete', { path: 'notes' }],
    ],
  },
  run_python_script: {
    flags: ['--allow-scripts'],
    calls: [
      ['run_python_script', { skill_name: '../../../etc', script: "print('hello')" }],
      ['run_python_script', { skill_name: 'none', script: "print('hello')" }],
    ],
  },
  document_search: {
    data: 'simulated-five',
    flags: ['--documents', 'data/made-up/news.jsonl'],
    calls: [
      ['document_search', { query: 'guidance raised', limit: 2 }],
      ['document_search', { symbol: 'SIM-1', limit: 1 }],
      ['document_search', { since: 'soon' }],
    ],
  },
  document_read: {
    data: 'simulated-five',
    flags: ['--documents', 'data/made-up/news.jsonl'],
    calls: [
      ['document_read', { id: 'n003' }],
      ['document_read', { id: 'n112' }],
    ],
  },
  fundamentals: {
    data: 'simulated-five',
    flags: ['--fundamentals', 'data/made-up/fundamentals.csv'],
    calls: [
      ['fundamentals', {}],
      ['fundamentals', { field: 'revenue', periods: 2 }],
      ['fundamentals', { field: 'profit', symbol: 'SIM-2' }],
    ],
  },
  universe: {
    data: 'simulated-five',
    flags: ['--universe', 'data/made-up/universe.csv'],
    calls: [['universe'], ['trade_execute', { symbol: 'SIM-4', action: 'buy', quantity: 1 }]],
  },
  portfolio_rebalance: {
    data: 'simulated-five',
    calls: [
      ['portfolio_rebalance', { weights: { 'SIM-1': 50, 'SIM-2': 45 }, cash: 5 }],
      ['next_bar'],
      ['portfolio_rebalance', { weights: { 'SIM-2': 45, 'SIM-3': 20 }, tolerance: 1 }],
      ['portfolio_rebalance', { weights: { 'SIM-1': 90, 'SIM-9': 20 } }],
    ],
  },
};
