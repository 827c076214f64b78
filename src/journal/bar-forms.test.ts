import { describe, expect, it } from 'vitest';
import type { BarEvent } from '../engine/index.ts';
import { BarLines } from './bar-lines.ts';
import { eventLine, eventsTogether, hasSoundBar, lineCount, typeOfLine } from './event.ts';

interface Parts {
  readonly bar?: string | number;
  readonly date?: string;
  readonly cash?: string;
  readonly equity?: string;
  readonly exposure?: string;
  readonly prices?: string;
}

const PRICES = '[1.5,2,1,1.75,100]';
const lineOf = ({
  bar = 0,
  date = '2020-03-09',
  cash = '5',
  equity = '5',
  exposure = 'null',
  prices = PRICES,
}: Parts) =>
  `{"type":"bar","bar":${bar},"date":"${date}","cash":"${cash}","equity":"${equity}","exposure":${exposure},"prices":[${prices}]}`;

/** Reads lines one after another. Returns the bars as JSON, and for each line true if it was accepted. */
function read(lines: readonly string[], symbols: readonly string[] = ['A']) {
  const reader = new BarLines(symbols);
  const taken = lines.map((line) => reader.take(`x${line}y`, 1, line.length + 1));
  const { count } = reader;
  return { taken, count, texts: reader.finish().map((bar) => JSON.stringify(bar)) };
}
const isTaken = (parts: Parts): boolean => read([lineOf(parts)]).taken[0]!;

describe('the line of a bar', () => {
  it.each<[string, Parts]>([
    ['a date', {}],
    ['a time', { date: '2020-03-09T14:30:00' }],
    ['a time with milliseconds', { date: '2020-03-09T14:30:00.123' }],
    ['an amount of 0', { cash: '0', equity: '0' }],
    ['an amount of 15 digits', { cash: '123456789012345', equity: '-12345678.9012345' }],
    ['a fraction', { cash: '0.05', equity: '-0.5' }],
    ['an exposure of 0', { exposure: '0' }],
    ['an exposure', { exposure: '0.25' }],
    ['an exposure with 17 digits', { exposure: '0.12345678901234566' }],
    ['prices of many digits', { prices: '[123456.78901234567,2e+21,1e-7,0.5,0]' }],
    ['a price of 15 digits', { prices: '[123456789012345,2.5,12345678901.2345,1,1]' }],
    ['negative prices', { prices: '[-1.5,-0.5,-2,-1,3]' }],
    ['no prices', { prices: 'null' }],
  ])('with %s is read and written back unchanged', (_, parts) => {
    const line = lineOf(parts);
    const { taken, count, texts } = read([line]);
    expect([taken, count, texts]).toEqual([[true], 1, [line]]);
    expect(texts).toEqual([eventLine(JSON.parse(line) as BarEvent)]);
  });

  it.each<[string, Parts]>([
    ['another bar number', { bar: 1 }],
    ['a padded bar number', { bar: '00' }],
    ['a wrong date', { date: '2020-02-30' }],
    ['a date in another form', { date: '2020-03-09T00:00:00' }],
    ['milliseconds of 0', { date: '2020-03-09T14:30:00.000' }],
    ['no date', { date: '' }],
    ['no amount', { cash: '' }],
    ['only a minus', { cash: '-' }],
    ['a negative zero', { cash: '-0' }],
    ['an amount with a plus', { equity: '+1' }],
    ['an amount of 16 digits', { cash: '1234567890123456' }],
    ['16 digits with a point', { cash: '1.234567890123456' }],
    ['a leading zero', { cash: '05' }],
    ['a leading zero before a point', { cash: '00.5' }],
    ['a point at the start', { cash: '.5' }],
    ['a point at the end', { cash: '5.' }],
    ['a trailing zero', { cash: '5.50' }],
    ['two points', { cash: '5.5.5' }],
    ['an exponent', { cash: '1e3' }],
    ['a negative exposure', { exposure: '-0.5' }],
    ['an exposure that is not a number', { exposure: 'x' }],
    ['prices with a leading zero', { prices: '[01,2,1,1,1]' }],
    ['prices with a point at the end', { prices: '[1.,2,1,1,1]' }],
    ['prices with a point at the start', { prices: '[.5,2,1,1,1]' }],
    ['prices with two points', { prices: '[1.2.3,2,1,1,1]' }],
    ['an empty price', { prices: '[,2,1,1,1]' }],
    ['four values', { prices: '[1,2,1,1]' }],
    ['six values', { prices: '[1,2,1,1,1,1]' }],
    ['two symbols', { prices: `${PRICES},null` }],
    ['no symbol', { prices: '' }],
    ['a text as price', { prices: '["1",2,1,1,1]' }],
  ])('with %s is refused by the fast reader', (_, parts) => {
    expect(isTaken(parts)).toBe(false);
  });

  it('must fill the given range of the text exactly', () => {
    const line = lineOf({});
    const reader = new BarLines(['A']);
    expect(reader.take(`${line} `, 0, line.length + 1)).toBe(false);
    expect(reader.take(line, 0, line.length - 1)).toBe(false);
    expect(reader.count).toBe(0);
    expect(reader.take(line, 0, line.length)).toBe(true);
  });

  it('is not stored if it is refused, and the next valid line becomes the next bar', () => {
    const bad = lineOf({ bar: 1, date: '2020-03-10', prices: '[9,9,9,9,x]' });
    const good = [lineOf({}), lineOf({ bar: 1, date: '2020-03-10', cash: '6', prices: 'null' })];
    const { taken, texts } = read([good[0]!, bad, good[1]!]);
    expect(taken).toEqual([true, false, true]);
    expect(texts).toEqual(good);
  });

  it('must have a later time than the line before', () => {
    const times = (one: string, other: string) =>
      read([lineOf({ date: one }), lineOf({ bar: 1, date: other })]).taken[1];
    expect(times('2020-03-09', '2020-03-10')).toBe(true);
    expect(times('2020-03-09', '2020-03-09')).toBe(false);
    expect(times('2020-03-09', '2020-03-08')).toBe(false);
    expect(times('2020-03-09', '2020-03-09T00:00:01')).toBe(true);
    expect(times('2020-03-09T14:30:00', '2020-03-09T14:30:00')).toBe(false);
    expect(times('2020-03-09T14:30:00', '2020-03-09T14:30:00.001')).toBe(true);
  });

  it('may have any later valid time on the day of the line before', () => {
    const second = (date: string) => {
      const lines = [lineOf({ date: '2020-03-09' }), lineOf({ bar: 1, date })];
      const { taken, texts } = read(lines);
      if (taken[1] === true) expect(texts).toEqual(lines);
      return taken[1];
    };
    for (const time of ['00:00:01', '23:59:59', '09:08:07', '10:20:30', '19:49:59', '20:00:00'])
      expect(second(`2020-03-09T${time}`)).toBe(true);
    for (const time of [
      '00:00:00',
      '24:00:00',
      '23:60:00',
      '23:59:60',
      '2a:00:00',
      '1:000:00',
      '12-00:00',
      '12:00-00',
    ])
      expect(second(`2020-03-09T${time}`)).toBe(false);
    expect(second('2020-03-09 12:00:00')).toBe(false);
  });

  it('of several symbols has prices for each symbol that has a bar', () => {
    const lines = [
      lineOf({ prices: `${PRICES},null,[7,8,6,7,1]` }),
      lineOf({ bar: 1, date: '2020-03-10', cash: '5.5', prices: `null,[3,4,2,3,9],[1,1,1,1,1]` }),
      lineOf({
        bar: 2,
        date: '2020-03-11',
        cash: '5.5',
        equity: '6',
        exposure: '0.5',
        prices: 'null,null,null',
      }),
    ];
    expect(read(lines, ['A', 'B', 'C'])).toEqual({ taken: [true, true, true], count: 3, texts: lines });
  });

  it('is read in a journal of 8,200 lines, for which the columns grow beyond 4,096 rows', () => {
    const day = (bar: number): string => new Date(Date.UTC(2000, 0, 1 + bar)).toISOString().slice(0, 10);
    const lines = Array.from({ length: 8200 }, (_, bar) =>
      lineOf({
        bar,
        date: day(bar),
        cash: `${bar}`,
        equity: `${bar + 1}`,
        exposure: `${bar}`,
        prices: `[${bar},2,1,1,${bar}],${bar % 3 === 0 ? 'null' : PRICES}`,
      }),
    );
    const { texts, count } = read(lines, ['A', 'B']);
    expect(count).toBe(8200);
    expect(texts).toEqual(lines);
  });

  it('may contain ambiguity and bounds if the bar is added as an event', () => {
    const reader = new BarLines(['A']);
    const event = { ...(JSON.parse(lineOf({})) as BarEvent), ambiguity: { worse: '1', better: '2' } };
    expect(reader.add(event)).toBe(true);
    const next = {
      ...(JSON.parse(lineOf({ bar: 1, date: '2020-03-10' })) as BarEvent),
      bounds: { A: 'worse' },
    };
    expect(reader.add(next as unknown as BarEvent)).toBe(true);
    expect(reader.add({ ...event, bar: 7 })).toBe(false);
    const [one, other] = reader.finish().map((bar) => JSON.parse(JSON.stringify(bar)) as unknown);
    expect([one, other]).toEqual([event, next]);
    expect('bounds' in (one as object)).toBe(false);
    expect('ambiguity' in (other as object)).toBe(false);
  });
});

describe('lines of a journal', () => {
  it('are counted, and their type is read without parsing', () => {
    expect(['', 'a', 'a\nb', '\n\n'].map(lineCount)).toEqual([1, 1, 2, 3]);
    expect(
      ['{"type":"bar","bar":1}', ' { "type" : "note" }', '{"bar":1,"type":"x"}', 'x'].map(typeOfLine),
    ).toEqual([...['bar', 'note', undefined, undefined]]);
    expect([undefined, 0, 7, -1, 1.5, '1', 2 ** 53].map((bar) => hasSoundBar({ type: 'a', bar }))).toEqual([
      ...[true, true, true, false, false, false, false],
    ]);
  });

  it('are parsed together only if each line is one event', () => {
    expect(eventsTogether('{"type":"a"}\n{"type":"b"}')).toEqual([{ type: 'a' }, { type: 'b' }]);
    for (const text of [
      '{"type":"a"}\n7',
      '{"type":"a"},{"type":"b"}',
      '{"type":"a"}\n',
      '{"type":1}',
      '[]',
      '{',
    ])
      expect(eventsTogether(text)).toBeUndefined();
  });
});
