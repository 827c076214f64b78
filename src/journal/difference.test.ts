import { describe, expect, it } from 'vitest';
import { differenceOf } from './continue.ts';

const textOf = (recorded: unknown, now: unknown): string =>
  differenceOf(7, JSON.stringify(recorded), JSON.stringify(now)).text;

describe('the first difference of two journal lines', () => {
  it('reports the line, the event and the path of the field', () => {
    const recorded = { type: 'order_filled', bar: 3, fill: { price: '1', lots: [1, 2, 3] } };
    const now = { type: 'order_filled', bar: 3, fill: { price: '1', lots: [1, 5, 4] } };
    expect(textOf(recorded, now)).toBe(
      'line 7, order_filled of bar 3: fill.lots[1]\n  recorded: 2\n  now:      5',
    );
    expect(differenceOf(7, '{"type":"a"}', '{"type":"b"}').line).toBe(7);
  });

  it('reports a field that is missing on either side', () => {
    const [less, more] = [
      { type: 'bar', bar: 1 },
      { type: 'bar', bar: 1, cash: '5' },
    ];
    expect(textOf(less, more)).toContain('cash\n  recorded: (nothing)\n  now:      "5"');
    expect(textOf(more, less)).toContain('cash\n  recorded: "5"\n  now:      (nothing)');
  });

  it('compares a list with an object, and null with an object, as a whole', () => {
    expect(textOf({ type: 'a', x: [1] }, { type: 'a', x: { 0: 1 } })).toContain(
      ': x\n  recorded: [1]\n  now:      {"0":1}',
    );
    expect(textOf({ type: 'a', x: null }, { type: 'a', x: { y: 1 } })).toContain(
      ': x\n  recorded: null\n  now:      {"y":1}',
    );
  });

  it('reports the order of fields if nothing else differs', () => {
    expect(textOf({ type: 'a', x: 1, y: 2 }, { type: 'a', y: 2, x: 1 })).toContain(': the order of fields');
  });

  it('shows both events with bar, round, attempt and name', () => {
    const recorded = { type: 'model_called', bar: 2, round: 0, attempt: 1 };
    const now = { type: 'tool_called', bar: 2, name: 'compute' };
    expect(textOf(recorded, now)).toBe(
      'line 7: different events\n  recorded: model_called of bar 2, round 0, attempt 1\n  now:      tool_called of bar 2 (compute)',
    );
  });

  it('shows the reason of an early end, unless the record ends in the same way', () => {
    const ended = { type: 'run_finished', error: { message: 'No money.' } };
    expect(textOf({ type: 'bar', bar: 2 }, ended)).toBe(
      'line 7: the run ended here\n  recorded: bar of bar 2\n  now:      No money.',
    );
    expect(textOf({ type: 'run_finished' }, ended)).toContain(
      'run_finished: error\n  recorded: (nothing)\n  now:      {"message":"No money."}',
    );
    expect(textOf({ type: 'bar', bar: 2 }, { type: 'run_finished' })).toContain('now:      run_finished');
    expect(textOf({ type: 'bar', bar: 2 }, { type: 'note', error: { message: 'x' } })).toContain(
      'now:      note',
    );
  });

  it('shows what follows the end of the record', () => {
    expect(differenceOf(9, undefined, '{"type":"bar","bar":4}')).toEqual({
      line: 9,
      text: 'line 9: the record ends here, but the run continues with bar of bar 4',
    });
  });

  it('shows 160 characters of a long text, from 40 before the first difference', () => {
    const [recordedLine = '', nowLine = ''] = textOf(
      { type: 'a', x: `${'-'.repeat(99)}A${'+'.repeat(300)}` },
      { type: 'a', x: `${'-'.repeat(99)}B` },
    )
      .split('\n')
      .slice(1);
    expect(recordedLine).toBe(`  recorded: …${'-'.repeat(40)}A${'+'.repeat(119)}…`);
    expect(nowLine).toBe(`  now:      …${'-'.repeat(40)}B"`);
  });

  it('shows a text of exactly 160 characters completely', () => {
    const shown = (length: number): string | undefined =>
      textOf({ type: 'a', x: 'A'.repeat(length - 2) }, { type: 'a', x: 'B' }).split('\n')[1];
    expect(shown(160)).toBe(`  recorded: "${'A'.repeat(158)}"`);
    expect(shown(161)).toBe(`  recorded: "${'A'.repeat(159)}…`);
    const early = textOf({ type: 'a', x: `${'-'.repeat(39)}A` }, { type: 'a', x: `${'-'.repeat(39)}B` });
    expect(early).toContain(`recorded: "${'-'.repeat(39)}A"`);
  });
});
