import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datesOf, isFolded, type Row, storyRows } from './client/folding.ts';
import type { StepSummary } from './step.ts';
import { sensibleCut } from './step-draft.ts';
import { timezoneOf } from './trace-of-run.ts';

const step = (bar: number, kind: StepSummary['kind'], fills = 0): StepSummary => ({
  bar,
  time: bar * 86_400,
  kind,
  acts: kind === 'market' ? '' : kind[0]!,
  story: '',
  tools: '',
  trades: '',
  calls: 0,
  errors: 0,
  orders: 0,
  fills,
  tokens: null,
  milliseconds: null,
  failure: '',
  unfinished: false,
});
const named = (row: Row): string | number => (isFolded(row) ? row.label : row.bar);

describe('a story', () => {
  const steps = [
    step(3, 'buy'),
    step(4, 'market', 1),
    step(7, 'hold'),
    step(11, 'hold'),
    step(15, 'sell'),
    step(16, 'hold'),
    step(17, 'hold'),
    step(18, 'refused'),
    step(20, 'hold'),
  ];

  it('groups decisions without actions', () => {
    const rows = storyRows(steps, { everyBar: false, isDaily: true });
    expect(rows.map(named)).toEqual([3, '2 decisions held, 1 fill', 15, '2 days held', 18, 20]);
  });

  it('counts bars without events if a strategy decides on each bar', () => {
    const rows = storyRows(steps, { everyBar: true, isDaily: false });
    expect(rows.map(named)).toEqual([3, '11 bars held, 1 fill', 15, '2 bars held', 18, '2 bars held']);
  });

  it('contains every step', () => {
    const kinds = fc.array(fc.constantFrom<StepSummary['kind']>('buy', 'hold', 'market', 'error'));
    fc.assert(
      fc.property(kinds, fc.boolean(), (all, everyBar) => {
        const given = all.map((kind, bar) => step(bar, kind));
        const rows = storyRows(given, { everyBar, isDaily: true });
        expect(rows.flatMap((row) => (isFolded(row) ? row.steps : [row]))).toEqual(given);
      }),
    );
  });
});

describe('texts of a list', () => {
  it.each([
    ['short', 'short'],
    ['two  lines\nare one', 'two lines are one'],
    [
      `${'It fell for the third day in a row. '.repeat(9)}`,
      'It fell for the third day in a row. It fell for the third day in a row. It fell for the third day in a row.',
    ],
    [`No. ${'word '.repeat(90)}`, `No. ${'word '.repeat(27).trim()}…`],
    ['x'.repeat(500), `${'x'.repeat(139)}…`],
  ])('are truncated at a sensible place: %s', (text, cut) => {
    expect(sensibleCut(text)).toBe(cut);
  });

  it('are never longer than the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => sensibleCut(text).length <= 140),
    );
  });

  it('show dates with the parts that differ', () => {
    const day = (text: string): number => Date.parse(text) / 1000;
    expect(datesOf([day('2009-06-26')], 'America/New_York').text(day('2009-06-26'))).toBe('26 June');
    expect(datesOf([day('2009-06-26'), day('2010-01-04')], 'UTC').text(day('2009-06-26'))).toBe(
      '26 June 2009',
    );
    expect(datesOf([day('2009-06-26T14:30Z')], 'America/New_York').text(day('2009-06-26T14:30Z'))).toBe(
      '26 June, 10:30',
    );
  });

  it('use the time zone of the run', () => {
    expect(timezoneOf(undefined, { flags: { timezone: 'America/New_York' } })).toBe('America/New_York');
    const settings = { instruments: { A: { timezone: 'Asia/Tokyo' }, B: { timezone: 'Asia/Tokyo' } } };
    expect(timezoneOf({ type: 'run_started', settings }, {})).toBe('Asia/Tokyo');
    expect(timezoneOf(undefined, { flags: { timezone: 'Nowhere/Land' } })).toBe('UTC');
  });
});
