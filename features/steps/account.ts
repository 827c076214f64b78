import assert from 'node:assert/strict';
import { type DataTable, Given, Then } from '@cucumber/cucumber';
import type { OrderRequest } from '../../src/broker/index.ts';
import { AppError, decimal, decimalString } from '../../src/kernel/index.ts';
import { barSeries, loadActions } from '../../src/market/index.ts';
import { assertRows, instantOf } from '../support/tables.ts';
import type { TradingWorld } from '../support/world.ts';

const ACTIONS_HEADER = ['symbol', 'date', 'kind', 'amount', 'ratio', 'price'];

Given('these corporate actions:', async function (this: TradingWorld, table: DataTable) {
  const rows = table.hashes().map((row) => ACTIONS_HEADER.map((column) => row[column] ?? '').join(','));
  const file = this.folder.write('actions.csv', `${[ACTIONS_HEADER.join(','), ...rows].join('\n')}\n`);
  try {
    this.actions = (await loadActions(file)).actions;
  } catch (error) {
    assert.ok(error instanceof AppError, `no error for a user: ${String(error)}`);
    this.refusal = error;
    this.problems.note(error, error.message);
  }
});

Given('these rolls of {symbols}:', function (this: TradingWorld, [symbol = '']: string[], table: DataTable) {
  const rolls = table.hashes().map(({ date = '', from = '', to = '', at = '', into = '' }) => {
    const contracts = { oldContract: from, newContract: to, oldPrice: at, newPrice: into };
    return { symbol, time: instantOf(date), kind: 'roll', ...contracts } as const;
  });
  this.actions = [...this.actions, ...rolls];
});

Given(
  'these funding rates of {symbols}:',
  function (this: TradingWorld, [symbol = '']: string[], table: DataTable) {
    const rates = table.hashes().map(({ date = '', rate = '' }) => {
      return { symbol, time: instantOf(date), kind: 'funding', rate } as const;
    });
    this.actions = [...this.actions, ...rates];
  },
);

Given(
  'these exchange rates of {symbols}:',
  function (this: TradingWorld, [symbol = '']: string[], table: DataTable) {
    const bars = table.hashes().map(({ date = '', open, close }) => {
      const [first, last] = [Number(open), Number(close)];
      return {
        time: instantOf(date),
        open: first,
        high: Math.max(first, last),
        low: Math.min(first, last),
        close: last,
        volume: 1,
      };
    });
    this.rates.push(barSeries(symbol, bars));
  },
);

Given('{word} is quoted in {word}', function (this: TradingWorld, symbol: string, currency: string) {
  const { instruments = {} } = this.settings;
  this.settings = {
    ...this.settings,
    instruments: { ...instruments, [symbol]: { ...instruments[symbol], currency } },
  };
});

Given('a tick of {float}', function (this: TradingWorld, tick: number) {
  this.settings = { ...this.settings, tick };
});

Given('closed units are matched at average cost', function (this: TradingWorld) {
  this.settings = { ...this.settings, lots: 'average' };
});

Given('a borrow fee of {float}% a year', function (this: TradingWorld, percent: number) {
  this.settings = {
    ...this.settings,
    financing: { ...this.settings.financing, borrowRate: percent / 100 },
  };
});

Given(
  'a borrow fee of {float}% a year on {symbols}',
  function (this: TradingWorld, percent: number, symbols: string[]) {
    const instruments = Object.fromEntries(symbols.map((symbol) => [symbol, { borrowRate: percent / 100 }]));
    this.settings = { ...this.settings, instruments: { ...this.settings.instruments, ...instruments } };
  },
);

// One row per change: annual borrow fee in percent, and availability of shares. An empty cell means "not
// specified".
Given('{word} can be borrowed like this:', function (this: TradingWorld, symbol: string, table: DataTable) {
  const borrow = table.hashes().map(({ from = '', fee = '', available = '' }) => ({
    from,
    ...(fee === '' ? {} : { rate: Number(fee) / 100 }),
    ...(available === '' ? {} : { available: available === 'yes' }),
  }));
  const { instruments = {} } = this.settings;
  this.settings = {
    ...this.settings,
    instruments: { ...instruments, [symbol]: { ...instruments[symbol], borrow } },
  };
});

Given(
  'interest of {float}% a year on cash and {float}% on borrowed cash',
  function (this: TradingWorld, credit: number, debit: number) {
    const rates = { creditRate: credit / 100, debitRate: debit / 100 };
    this.settings = { ...this.settings, financing: { ...this.settings.financing, ...rates } };
  },
);

/** Columns of an order table whose names differ from the fields of a request. */
const FIELDS: Readonly<Record<string, keyof OrderRequest>> = {
  limit: 'limitPrice',
  stop: 'stopPrice',
  trail: 'trailAmount',
};

Given('the trader places:', function (this: TradingWorld, table: DataTable) {
  const { clock } = this.market;
  this.orders = table.hashes().map(({ date = '', ...cells }) => {
    const given = Object.entries(cells).filter(([, cell]) => cell !== '');
    const request = Object.fromEntries(given.map(([column, cell]) => [FIELDS[column] ?? column, cell]));
    const bar = clock.indexOf(instantOf(date));
    assert.ok(bar >= 0, `there is no bar of ${date}`);
    return { bar, request: request as unknown as OrderRequest };
  });
});

function rowsOf(
  world: TradingWorld,
  type: 'cash_entry' | 'split' | 'rolled' | 'order_adjusted' | 'order_cancelled',
): object[] {
  const { backtest } = world;
  assert.ok(backtest, 'no backtest was run');
  return backtest.events.flatMap((event) =>
    event.type === type && 'bar' in event ? [{ ...event, date: backtest.dateOf(event.bar) }] : [],
  );
}

/** Compares events with a table. A column that an event does not have must be empty. */
function assertEvents(rows: readonly object[], table: DataTable): void {
  const [columns = []] = table.raw();
  const blank = Object.fromEntries(columns.map((column) => [column, '']));
  assertRows(
    rows.map((row) => ({ ...blank, ...row })),
    table,
  );
}

Then('this cash is paid and received:', function (this: TradingWorld, table: DataTable) {
  assertEvents(rowsOf(this, 'cash_entry'), table);
});

Then('no cash is paid or received beside the trades', function (this: TradingWorld) {
  assert.deepEqual(rowsOf(this, 'cash_entry'), []);
});

Then('these splits happen:', function (this: TradingWorld, table: DataTable) {
  assertEvents(rowsOf(this, 'split'), table);
});

Then('these rolls happen:', function (this: TradingWorld, table: DataTable) {
  assertEvents(rowsOf(this, 'rolled'), table);
});

Then('these orders are adjusted:', function (this: TradingWorld, table: DataTable) {
  assertEvents(rowsOf(this, 'order_adjusted'), table);
});

Then('these orders are taken back:', function (this: TradingWorld, table: DataTable) {
  assertEvents(rowsOf(this, 'order_cancelled'), table);
});

Then('the actions are refused, saying:', function (this: TradingWorld, table: DataTable) {
  const { refusal } = this;
  assert.ok(refusal, 'the actions were taken');
  for (const [text = ''] of table.raw())
    assert.ok(refusal.message.includes(text), `"${text}" is not in ${refusal.message}`);
  this.problems.seen(refusal);
});

Then('the run is refused, saying {string}', async function (this: TradingWorld, text: string) {
  const { Backtest, deciderOf } = await import('../support/backtest.ts');
  const { market, settings, problems, actions, rates } = this;
  await assert.rejects(
    Backtest.run(market, deciderOf([]), settings, problems, { actions, rates }),
    (error: unknown) => {
      assert.ok(error instanceof AppError && error.message.includes(text), String(error));
      return true;
    },
  );
});

// The profits of all trades and all other cash entries must add up to the change of equity.
Then('the profits and all cash explain the equity, to the last decimal', function (this: TradingWorld) {
  const { backtest } = this;
  assert.ok(backtest, 'no backtest was run');
  const { result } = backtest;
  let explained = decimal(this.settings.cash ?? 100_000);
  for (const trade of [...result.trades, ...result.openTrades]) explained = explained.plus(trade.netPnl);
  for (const { amount } of backtest.of('cash_entry')) explained = explained.plus(amount);
  assert.equal(decimalString(explained), decimalString(result.finalEquity));
});
