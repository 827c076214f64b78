import { describe, expect, it } from 'vitest';
import { AppError, type Fault, faultsError, messageOf } from './errors.ts';

const faults = (count: number): Fault[] =>
  Array.from({ length: count }, (_, index) => ({
    where: `prices.csv:${index + 2}`,
    message: `fault ${index}`,
  }));

describe('AppError', () => {
  it('has a message and a hint, and is an input error by default', () => {
    const error = new AppError({ code: 'no_data', message: 'There is no bar.', hint: 'Name a file.' });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'AppError', code: 'no_data', message: 'There is no bar.' });
    expect(error.hint).toBe('Name a file.');
    expect(error.kind).toBe('input');
    expect('cause' in error).toBe(false);
  });

  it('stores its cause and its kind', () => {
    const cause = new TypeError('inner');
    const error = new AppError({ code: 'c', message: 'm', hint: 'r', kind: 'run', cause });
    expect(error.kind).toBe('run');
    expect(error.cause).toBe(cause);
  });
});

describe('faultsError', () => {
  it('lists every fault with its place and its hint', () => {
    const error = faultsError(
      'bad_flags',
      'sandtable run',
      [
        { where: '--cash', message: 'is no amount', hint: 'write 100000' },
        { where: '--lot', message: 'is negative' },
      ],
      'See --help.',
    );
    expect(error).toBeInstanceOf(AppError);
    expect(error.code).toBe('bad_flags');
    expect(error.hint).toBe('See --help.');
    expect(error.message).toBe(
      'sandtable run: 2 faults\n  --cash: is no amount (write 100000)\n  --lot: is negative',
    );
  });

  it('uses the singular for one fault', () => {
    expect(faultsError('c', 'prices.csv', faults(1), 'r').message).toBe(
      'prices.csv: 1 fault\n  prices.csv:2: fault 0',
    );
  });

  it('shows equal faults of a file once, at the first place, and the others in order', () => {
    const equal = Array.from({ length: 2377 }, (_, row) => ({
      where: `prices.csv line ${row + 2}`,
      message: `volume "${row},000" has thousands separators`,
    }));
    const other = { where: 'prices.csv line 3', message: 'has 3 cells where the header has 6' };
    expect(faultsError('c', 'The data', [equal[0]!, other, ...equal.slice(1)], 'r').message).toBe(
      [
        'The data: 2378 faults',
        '  prices.csv: 2,377 rows have this fault, the first in line 2: volume "0,000" has thousands separators',
        '  prices.csv line 3: has 3 cells where the header has 6',
      ].join('\n'),
    );
  });

  it('shows twenty of many and counts the rest', () => {
    const shown = (count: number): string[] =>
      faultsError('c', 'prices.csv', faults(count), 'r').message.split('\n');
    expect(shown(20)).toHaveLength(21);
    expect(shown(20).at(-1)).toContain('fault 19');
    expect(shown(21)).toHaveLength(22);
    expect(shown(21).at(-1)).toBe('  … and 1 more');
    expect(shown(5000)[0]).toBe('prices.csv: 5000 faults');
    expect(shown(5000).at(-2)).toContain('fault 19');
    expect(shown(5000).at(-1)).toBe('  … and 4980 more');
  });
});

describe('messageOf', () => {
  it('returns a text for any thrown value', () => {
    expect(messageOf(new Error('broken'))).toBe('broken');
    expect(messageOf('broken')).toBe('broken');
    expect(messageOf(undefined)).toBe('undefined');
    expect(messageOf({ toString: () => 'odd' })).toBe('odd');
  });
});
