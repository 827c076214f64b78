import { describe, expect, it } from 'vitest';
import type { CheckedRun } from './checked-run.ts';
import { checkRows, type Table } from './step.ts';

const run = { name: 'the run', place: ' in kept/run' } as CheckedRun;

/** Returns a table of a feature. The first row names the columns. */
function table(...[columns = [], ...rows]: readonly string[][]): Table {
  return {
    raw: () => [columns, ...rows],
    hashes: () => rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]!]))),
  } as Table;
}

const FILLS = [
  { bar: 1, price: '10.50', side: 'buy', reason: undefined },
  { bar: 2, price: '11', side: 'sell', reason: 'stop' },
];

function faultOf(actual: readonly Record<string, unknown>[], wanted: Table): string | undefined {
  try {
    checkRows(run, 'fills', actual, wanted);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('rows of a run', () => {
  it('match a table by numeric values, in its columns', () => {
    expect(faultOf(FILLS, table(['price', 'side'], ['10.5', 'buy'], ['11.0', 'sell']))).toBeUndefined();
    expect(faultOf(FILLS, table(['reason'], [''], ['stop']))).toBeUndefined();
    expect(faultOf([], table(['price']))).toBeUndefined();
  });

  it('are reported with the row, the column and both values if they differ', () => {
    const fault = faultOf(FILLS, table(['bar', 'side', 'reason'], ['1', 'sell', 'gap'], ['2', 'sell', '']));
    expect(fault).toContain(
      'the run: fills are not these:\n  row 1: side is buy, not sell\n  row 1: reason is empty, not gap\n  row 2: reason is stop, not empty\n',
    );
    expect(fault).toMatch(/What the run has:\n[\s\S]*sell[\s\S]* in kept\/run$/);
  });

  it('are counted', () => {
    expect(faultOf(FILLS, table(['bar'], ['1']))).toContain('\n  there are 2, not 1\n');
    expect(faultOf([], table(['bar'], ['1']))).toBe(
      'the run: fills are not these:\n  there are 0, not 1\n in kept/run',
    );
  });

  it('are refused with unknown columns', () => {
    expect(faultOf(FILLS, table(['bar', 'cost'], ['1', '2']))).toBe(
      'Unknown column "cost" of fills. Available: bar, price, side, reason.',
    );
  });

  it('are shown up to twenty, with their number', () => {
    const many = Array.from({ length: 25 }, (_, bar) => ({ bar }));
    const fault = faultOf(many, table(['bar'], ...many.map(({ bar }) => [String(bar + 100)])))!;
    expect(fault.match(/row \d+:/g)).toHaveLength(20);
    expect(fault).toContain('row 20: bar is 19, not 119');
    expect(fault).toContain('… of 25');
    expect(faultOf(many.slice(0, 20), table(['bar'], ['0']))).not.toContain('… of');
  });
});
