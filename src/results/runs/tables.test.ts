import { describe, expect, it } from 'vitest';
import { openTrade, runRecord } from '../../../test/support/records.ts';
import { equityCsv, tradesCsv } from './export/run-csv.ts';

describe('equity.csv', () => {
  it('has one row per bar, with the drawdown from the highest equity so far', () => {
    const record = runRecord({
      equity: ['100', '125', '62.5', '-1'],
      cashPath: ['100', '25', '25', '-30'],
      exposure: [0, 0.8, 0.6, null],
    });
    expect(equityCsv(record)).toBe(
      [
        'bar,date,cash,equity,drawdown,exposure',
        '0,2024-01-01,100,100,0,0',
        '1,2024-01-02,25,125,0,0.8',
        '2,2024-01-03,25,62.5,-0.5,0.6',
        '3,2024-01-04,-30,-1,-1.008,',
        '',
      ].join('\n'),
    );
  });

  it('without bars has only its header', () => {
    expect(equityCsv(runRecord({ cash: '1', equity: [] }))).toBe('bar,date,cash,equity,drawdown,exposure\n');
  });
});

describe('trades.csv', () => {
  const HEADER =
    'id,symbol,side,quantity,entryBar,entryDate,entryPrice,exitBar,exitDate,exitPrice,grossPnl,commission,netPnl,exitReason,multiplier';

  it('has closed trades, then open ones valued at the last close', () => {
    const record = runRecord({
      equity: [100],
      trades: [
        {
          bar: 4,
          side: 'short',
          quantity: '3',
          exitPrice: '98.5',
          grossPnl: '4.5',
          commission: '0.5',
          netPnl: '4',
        },
      ],
      openTrades: [openTrade()],
    });
    expect(tradesCsv(record)).toBe(
      [
        HEADER,
        '1,AAA,short,3,0,2024-01-01,100,4,2024-01-02,98.5,4.5,0.5,4,market,',
        '9,AAA,long,2,1,2024-01-02,10,,,,5,0.02,4.98,open,',
        '',
      ].join('\n'),
    );
  });

  const cells = (symbol: string, exitReason: string) =>
    tradesCsv(runRecord({ equity: [100], trades: [{ netPnl: '-4', symbol, exitReason }] })).slice(
      HEADER.length + 1,
    );

  it('quotes commas, quotes and line breaks', () => {
    expect(cells('A,B', 'said "sell"\nat once')).toBe(
      '1,"A,B",long,1,0,2024-01-01,100,1,2024-01-02,100,-4,0,-4,"said ""sell""\nat once",\n',
    );
  });

  it.each([
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    ['+1', "'+1"],
    ['-X', "'-X"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1+1', "' =1+1"],
    ['\t=1', "'\t=1"],
    ['＝1', "'＝1"],
    ['stop-loss at -3 %', 'stop-loss at -3 %'],
    ['^GSPC', '^GSPC'],
  ])('makes text %j safe for spreadsheets', (text, cell) => {
    expect(cells(text, 'x').split(',long,')[0]).toBe(`1,${cell}`);
    expect(cells('AAA', text).split(',-4,0,-4,')[1]).toBe(`${cell},\n`);
  });
});
