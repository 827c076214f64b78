import { type CheckedRun, CheckFailed } from './checked-run.ts';
import type { Desk } from './desk.ts';
import { checkRows, counted, type Step, type Table } from './step.ts';

/** Steps that compare the trades, fills, orders and account of a run with tables. */
export const RECORD_STEPS: readonly Step[] = [
  {
    keyword: 'Then',
    pattern: 'trade {int} is:',
    example:
      'trade 1 is:\n  | side | quantity | entry date | entry  | exit reason |\n  | long | 983      | 2000-02-08 | 101.56 | cross       |',
    about: 'The columns are the same as in the next step.',
    run(desk: Desk, id: number, table: Table) {
      const run = desk.run();
      const rows = [...closedTrades(run), ...openTrades(run)].filter((row) => row.id === id);
      if (rows.length === 0)
        throw new CheckFailed(
          `${run.name} has no trade ${id}; it has ${counted(run.record.trades.length, 'closed trade')}.${run.place}`,
        );
      checkRows(run, `the terms of trade ${id}`, rows, table);
    },
  },
  {
    keyword: 'Then',
    pattern: 'these trades are closed:',
    example:
      'these trades are closed:\n  | side | entry date | exit date  |\n  | long | 2000-02-08 | 2000-03-01 |',
    about:
      'All closed trades, in order. Columns, any of: id, symbol, side, quantity, entry date, entry, exit date, exit, gross, commission, net, exit reason.',
    run: (desk: Desk, table: Table) =>
      checkRows(desk.run(), 'its closed trades', closedTrades(desk.run()), table),
  },
  {
    keyword: 'Then',
    pattern: 'these trades are open at the end:',
    example: 'these trades are open at the end:\n  | side | entry date |\n  | long | 2000-12-01 |',
    about: 'Columns: as above, with `last` for the price at the last close.',
    run: (desk: Desk, table: Table) =>
      checkRows(desk.run(), 'its open trades', openTrades(desk.run()), table),
  },
  {
    keyword: 'Then',
    pattern: 'no trade is closed',
    example: 'no trade is closed',
    run: (desk: Desk) => checkNone(desk.run(), 'closed trade', closedTrades(desk.run())),
  },
  {
    keyword: 'Then',
    pattern: 'no trade is open at the end',
    example: 'no trade is open at the end',
    run: (desk: Desk) => checkNone(desk.run(), 'open trade', openTrades(desk.run())),
  },
  {
    keyword: 'Then',
    pattern: 'at least {int} trades are closed',
    example: 'at least 10 trades are closed',
    run(desk: Desk, least: number) {
      const run = desk.run();
      const { length } = run.record.trades;
      if (length < least)
        throw new CheckFailed(
          `${run.name}: ${counted(length, 'trade')} closed, not at least ${least}.${run.place}`,
        );
    },
  },
  {
    keyword: 'Then',
    pattern: 'every trade is {word}',
    example: 'every trade is long',
    about: 'Or `short`. Includes open trades.',
    run(desk: Desk, side: string) {
      const run = desk.run();
      const rows = [...closedTrades(run), ...openTrades(run)];
      if (side !== 'long' && side !== 'short')
        throw new CheckFailed(`A trade is long or short, not "${side}".`);
      if (rows.length === 0) throw new CheckFailed(`${run.name} made no trade.${run.place}`);
      const other = rows.find((row) => row.side !== side);
      if (other !== undefined)
        throw new CheckFailed(
          `${run.name}: trade ${other.id} of ${other['entry date']} is ${other.side}.${run.place}`,
        );
    },
  },
  {
    keyword: 'Then',
    pattern: 'these fills happen:',
    example:
      'these fills happen:\n  | date       | side | quantity | price  |\n  | 2000-02-08 | buy  | 983      | 101.56 |',
    about:
      'All fills, in order. Columns, any of: date, symbol, side, quantity, price, commission, cash, reason, ambiguous.',
    run: (desk: Desk, table: Table) => checkRows(desk.run(), 'its fills', fillRows(desk.run()), table),
  },
  {
    keyword: 'Then',
    pattern: 'nothing is filled',
    example: 'nothing is filled',
    run: (desk: Desk) => checkNone(desk.run(), 'fill', fillRows(desk.run())),
  },
  {
    keyword: 'Then',
    pattern: 'no fill is ambiguous',
    example: 'no fill is ambiguous',
    about: 'No fill depends on an ambiguous bar; see [fill-rules.md](fill-rules.md).',
    run: (desk: Desk) =>
      checkNone(
        desk.run(),
        'ambiguous fill',
        fillRows(desk.run()).filter((row) => row.ambiguous === 'yes'),
      ),
  },
  {
    keyword: 'Then',
    pattern: 'no order is refused',
    example: 'no order is refused',
    run: (desk: Desk) => checkNone(desk.run(), 'refused order', refusalRows(desk.run())),
  },
  {
    keyword: 'Then',
    pattern: 'an order is refused as {word}',
    example: 'an order is refused as short_not_allowed',
    about: 'By its code, as recorded in the journal and shown in the trace.',
    run: (desk: Desk, code: string) => checkRefused(desk.run(), `as ${code}`, (row) => row.code === code),
  },
  {
    keyword: 'Then',
    pattern: 'an order is refused, saying {string}',
    example: 'an order is refused, saying "short"',
    run: (desk: Desk, words: string) =>
      checkRefused(desk.run(), `saying "${words}"`, (row) => `${row.message} ${row.remedy}`.includes(words)),
  },
  {
    keyword: 'Then',
    pattern: 'the account at each close is:',
    example:
      'the account at each close is:\n  | date       | cash   | equity |\n  | 2000-01-03 | 100000 | 100000 |',
    about: 'Every bar, in columns of: bar, date, cash, equity, exposure.',
    run(desk: Desk, table: Table) {
      const run = desk.run();
      checkRows(
        run,
        'its accounts',
        run.record.bars.map((bar) => ({ ...bar })),
        table,
      );
    },
  },
];

type Row = Readonly<Record<string, unknown>>;

function closedTrades({ record }: CheckedRun): Row[] {
  return record.trades.map((trade) => ({
    ...trade,
    entry: trade.entryPrice,
    exit: trade.exitPrice,
    gross: trade.grossPnl,
    net: trade.netPnl,
    reason: trade.exitReason,
    'entry date': trade.entryTime,
    'exit date': trade.exitTime,
    'exit reason': trade.exitReason,
  }));
}

function openTrades({ record }: CheckedRun): Row[] {
  return record.openTrades.map((trade) => ({
    ...trade,
    entry: trade.entryPrice,
    last: trade.lastPrice,
    gross: trade.grossPnl,
    net: trade.netPnl,
    'entry date': trade.entryTime,
    'exit reason': '',
  }));
}

function fillRows(run: CheckedRun): Row[] {
  return run.record.fills.map((fill) => ({
    ...fill,
    reason: fill.reason ?? '',
    requestedQuantity: fill.requestedQuantity ?? '',
    detailTime: fill.detailTime ?? '',
    rate: fill.rate ?? '',
    date: run.dateOf(fill.bar),
    ambiguous: fill.ambiguous === true ? 'yes' : '',
  }));
}

function refusalRows(run: CheckedRun): Row[] {
  return run.record.rejections.map((refusal) => ({ ...refusal, date: run.dateOf(refusal.bar) }));
}

const MOST = 5;

function checkNone(run: CheckedRun, what: string, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const lines = rows
    .slice(0, MOST)
    .map(({ date, side, action, quantity, symbol, message, entry }) =>
      ['  ', date, side ?? action, quantity, symbol, entry === undefined ? '' : `at ${entry}`, message]
        .filter((word) => word !== undefined && word !== null && word !== '')
        .join(' '),
    );
  throw new CheckFailed(`${run.name} has ${counted(rows.length, what)}:\n${lines.join('\n')}${run.place}`);
}

function checkRefused(run: CheckedRun, what: string, fits: (row: Row) => boolean): void {
  const rows = refusalRows(run);
  if (rows.some(fits)) return;
  const said = [...new Set(rows.map(({ code, message }) => `  ${code}: ${message}`))].slice(0, MOST);
  throw new CheckFailed(
    said.length === 0
      ? `${run.name}: no order was refused.${run.place}`
      : `${run.name}: no order was refused ${what}; these were:\n${said.join('\n')}${run.place}`,
  );
}
