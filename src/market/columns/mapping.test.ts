import { describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/index.ts';
import { readColumns } from './mapping.ts';

const faultOf = (given: unknown): string => {
  try {
    readColumns(given as string);
    return 'it was accepted';
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return (error as AppError).message;
  }
};

describe('readColumns', () => {
  it.each([
    ['date=Gmt time,close=Close', { date: 'Gmt time', close: 'Close' }],
    ['date="Gmt time", close = Close', { date: 'Gmt time', close: 'Close' }],
    ['close="Close, adjusted",Open=Open=1', { close: 'Close, adjusted', open: 'Open=1' }],
    ['volume=none', { volume: 'none' }],
  ])('reads %s', (text, named) => {
    expect(readColumns(text).named).toEqual(named);
    expect(readColumns(readColumns(text).text).named).toEqual(named);
  });

  it('accepts an equivalent object', () => {
    expect(readColumns({ date: 'Gmt time', preset: 'ib' })).toEqual(readColumns('date="Gmt time",preset=ib'));
  });

  it('reports all faults together', () => {
    const message = faultOf('preset=dukascop,opn=Open,close=C,high=C,low=');
    expect(message).toContain('did you mean dukascopy?');
    expect(message).toContain('unknown key "opn"; did you mean open?');
    expect(message).toContain('"C" cannot be both close and high');
    expect(message).toContain('low does not name a column');
  });

  it.each(['', 'date', 'date="open', 'header=first', 'header=none,date=1', 'header=none,date=Date'])(
    'refuses "%s"',
    (text) => expect(faultOf(text)).toMatch(/^The columns cannot be read/),
  );

  it.each([[42], [null], [[]], [{ date: 3 }]])('refuses %j from code', (given) => {
    expect(faultOf(given)).toMatch(/^The columns cannot be read/);
  });
});
