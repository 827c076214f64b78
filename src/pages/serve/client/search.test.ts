import { describe, expect, it } from 'vitest';
import type { ResearchRow, RunRow } from '../run-row.ts';
import { searchOf } from './saved-views.ts';

const run = (given: Partial<RunRow>): RunRow => ({
  runId: 'r',
  name: 'n',
  strategy: 'sma-cross',
  symbols: ['SPX'],
  parameters: 'fast 5, slow 50',
  state: 'completed',
  problem: '',
  verdict: 'no_evidence',
  alarms: [],
  openDoors: [],
  firstBar: '2000-01-03',
  lastBar: '2020-04-17',
  bars: 1,
  planned: 1,
  equity: '1',
  totalReturn: 0,
  sharpe: null,
  maxDrawdown: null,
  tradeCount: 0,
  modelCost: null,
  changed: 0,
  tags: ['Promising one'],
  notes: '',
  isOurs: false,
  ...given,
});

describe('a search of the list', () => {
  const finds = (text: string, row: RunRow | ResearchRow = run({})): boolean => searchOf(text)(row);

  it('finds a row that contains all words', () => {
    expect(finds('')).toBe(true);
    expect(finds('SMA spx')).toBe(true);
    expect(finds('sma dax')).toBe(false);
    expect(finds('"promising one"')).toBe(true);
    expect(finds('no evidence')).toBe(true);
  });

  it('searches one field for one of several texts', () => {
    expect(finds('state:failed,completed')).toBe(true);
    expect(finds('state:failed,killed')).toBe(false);
    expect(finds('symbol:sma')).toBe(false);
    expect(finds('tag:"promising one"')).toBe(true);
    expect(finds('kind:sweep')).toBe(false);
  });

  it('compares the whole value of a parameter', () => {
    expect(finds('fast:5')).toBe(true);
    expect(finds('fast:50')).toBe(false);
    expect(finds('slow:40,50')).toBe(true);
    expect(finds('constructor:1')).toBe(false);
    expect(finds('a:b', run({ alarms: ['a:b'] }))).toBe(true);
  });
});
