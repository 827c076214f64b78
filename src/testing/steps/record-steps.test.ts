import { describe, expect, it } from 'vitest';
import { FILL, OPEN, runOf, step, TRADE, table } from '../../../test/support/checked-steps.ts';
import { RECORD_STEPS } from './record-steps.ts';

describe('a check of trades, fills and orders', () => {
  const REFUSED = {
    type: 'order_rejected',
    bar: 1,
    code: 'no_short',
    message: 'No shorts.',
    remedy: 'Buy.',
    symbol: 'AAA',
  };
  const full = runOf({
    more: [FILL, { ...FILL, ambiguous: true, side: 'sell', reason: 'stop' }, TRADE, REFUSED],
    open: [OPEN],
  });
  const empty = runOf();
  const check = (line: string, run = full, ...below: unknown[]) => step(RECORD_STEPS, line, [run], ...below);

  it('compares the columns of a table', async () => {
    const trade = table(
      ['id', 'side', 'entry date', 'entry', 'exit date', 'exit', 'gross', 'net', 'exit reason', 'reason'],
      ['1', 'long', '2024-01-02', '10', '2024-01-03', '12', '4', '3', 'stop', 'stop'],
    );
    expect(await check('trade 1 is:', full, trade)).toBe('');
    expect(await check('these trades are closed:', full, trade)).toBe('');
    const open = table(
      ['id', 'entry', 'last', 'gross', 'net', 'entry date', 'exit reason'],
      ['2', '12', '11', '1', '1', '2024-01-03', ''],
    );
    expect(await check('trade 2 is:', full, open)).toBe('');
    expect(await check('these trades are open at the end:', full, open)).toBe('');
    expect(await check('trade 3 is:', full, trade)).toBe('test has no trade 3; it has 1 closed trade.');
    const fills = table(
      ['date', 'side', 'reason', 'ambiguous', 'rate'],
      ['2024-01-02', 'buy', '', '', ''],
      ['2024-01-02', 'sell', 'stop', 'yes', ''],
    );
    expect(await check('these fills happen:', full, fills)).toBe('');
    const account = table(
      ['bar', 'equity', 'exposure'],
      ['0', '100', '0.5'],
      ['1', '110', '0.5'],
      ['2', '99', '0.5'],
    );
    expect(await check('the account at each close is:', full, account)).toBe('');
    expect(await check('the account at each close is:', full, table(['bar'], ['0']))).toContain(
      'there are 3, not 1',
    );
  });

  it.each([
    ['no trade is closed', 'test has 1 closed trade:\n   long 2 AAA at 10'],
    ['no trade is open at the end', 'test has 1 open trade:\n   short 1 AAA at 12'],
    ['nothing is filled', 'test has 2 fills:\n   2024-01-02 buy 2 AAA\n   2024-01-02 sell 2 AAA'],
    ['no fill is ambiguous', 'test has 1 ambiguous fill:\n   2024-01-02 sell 2 AAA'],
    ['no order is refused', 'test has 1 refused order:\n   2024-01-02 AAA No shorts.'],
  ])('"%s" passes, or lists the rows that contradict it', async (line, message) => {
    expect(await check(line)).toBe(message);
    expect(await check(line, empty)).toBe('');
  });

  it('lists up to five rows', async () => {
    const many = runOf({ more: Array.from({ length: 7 }, () => FILL) });
    expect((await check('nothing is filled', many)).split('\n')).toHaveLength(6);
  });

  it('counts trades and checks their side', async () => {
    expect(await check('at least 1 trades are closed')).toBe('');
    expect(await check('at least 2 trades are closed')).toBe('test: 1 trade closed, not at least 2.');
    expect(await check('every trade is long')).toBe('test: trade 2 of 2024-01-03 is short.');
    expect(await check('every trade is long', runOf({ more: [TRADE] }))).toBe('');
    expect(await check('every trade is short', runOf({ open: [OPEN] }))).toBe('');
    expect(await check('every trade is long', empty)).toBe('test made no trade.');
    expect(await check('every trade is flat')).toBe('A trade is long or short, not "flat".');
  });

  it('finds a refused order by its code or its message', async () => {
    expect(await check('an order is refused as no_short')).toBe('');
    expect(await check('an order is refused as other')).toBe(
      'test: no order was refused as other; these were:\n  no_short: No shorts.',
    );
    expect(await check('an order is refused as other', empty)).toBe('test: no order was refused.');
    expect(await check('an order is refused, saying "shorts. Buy"')).toBe('');
    expect(await check('an order is refused, saying "sell"')).toContain('no order was refused saying "sell"');
  });
});
