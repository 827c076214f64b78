import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../journal/index.ts';
import { blockOf, type ToolTimes } from './blocks.ts';
import { OrderLifecycles } from './order-lifecycles.ts';
import type { Block } from './step.ts';

const event = (type: string, fields: object = {}): JournalEvent =>
  ({ type, bar: 3, ...fields }) as JournalEvent;
const plain = { tone: 'plain', facts: [], texts: [], links: [] };

const show = (one: JournalEvent, times: ToolTimes = {}): Block | undefined =>
  blockOf(one, { lifecycles: new OrderLifecycles(), times });

describe('the block of a tool call', () => {
  const call = (given: unknown, result: unknown = { value: 1 }) =>
    event('tool_called', { sequence: 7, name: 'compute', arguments: given, result });

  it('shows code, other arguments, the result and the usual time', () => {
    const times = { compute: { calls: 12, p50Milliseconds: 1.25, p95Milliseconds: 30 } };
    expect(show(call({ code: 'df.close', symbol: 'A', n: 2 }), times)).toEqual({
      ...{ ...plain, kind: 'tool', title: 'compute' },
      facts: [
        ['Call', '7'],
        ['Usual time', '1.3 ms, 95th percentile 30.0 ms, over 12 calls of this run'],
      ],
      texts: [
        { label: 'code', text: 'df.close', form: 'python' },
        { label: 'arguments', text: '{\n  "symbol": "A",\n  "n": 2\n}', form: 'json' },
        { label: 'result', text: '{\n  "value": 1\n}', form: 'json' },
      ],
    });
    expect(show(call({ code: 5 }))).toMatchObject({
      facts: [['Call', '7']],
      texts: [{ label: 'arguments', text: '{\n  "code": 5\n}' }, { label: 'result' }],
    });
    expect(show(call('text'))!.texts[0]).toEqual({ label: 'arguments', text: '"text"', form: 'json' });
    expect(show(call({}))!.texts.map(({ label }) => label)).toEqual(['result']);
  });

  it('shows the content of a Python file as code', () => {
    const formsOf = (given: object) =>
      show(call(given))!
        .texts.slice(0, -1)
        .map(({ label, form }) => `${label} ${form}`);
    expect(formsOf({ path: 'a.py', content: 'x' })).toEqual(['content python', 'arguments json']);
    expect(formsOf({ file: 'a.py', text: 'x' })).toEqual(['text python', 'arguments json']);
    expect(formsOf({ path: 'a.md', content: 'x' })).toEqual(['arguments json']);
    expect(formsOf({ path: 'a.py', other: 'x' })).toEqual(['arguments json']);
    expect(formsOf({ expr: '1', python: '2', expression: '3' })).toEqual([
      ...['expr python', 'python python', 'expression python'],
    ]);
  });

  it('shows an error with its remedy', () => {
    expect(show(call({}, { error: 'No.', remediation: 'Use df.', line: 2 }))).toMatchObject({
      tone: 'bad',
      texts: [
        { label: 'error', text: 'No.', form: 'words' },
        { label: 'what to do', text: 'Use df.', form: 'words' },
        { label: 'more', text: '{\n  "line": 2\n}', form: 'json' },
      ],
    });
    expect(show(call({}, { error: '' }))!.texts).toEqual([{ label: 'error', text: 'error', form: 'words' }]);
  });
});

describe('the blocks of other events', () => {
  it('show notes, published data, the end of the run and unknown events', () => {
    expect(show(event('bar'))).toBeUndefined();
    expect(show(event('run_started'))).toBeUndefined();
    expect(show(event('note', { text: 'Hi' }))).toEqual({
      ...{ ...plain, kind: 'note', title: 'Note', texts: [{ label: '', text: 'Hi', form: 'words' }] },
    });
    const row = { symbol: 'A', date: '2024', availableAt: '2025', values: { x: 1 } };
    expect(show(event('features_known', { rows: [row, 'x', { availableAt: '2026' }] }))).toEqual({
      ...{ ...plain, kind: 'other', title: 'Became known' },
      texts: [
        { label: 'A 2024, available at 2025', text: '{\n  "x": 1\n}', form: 'json' },
        { label: ', available at 2026', text: '', form: 'json' },
      ],
    });
    const series = { symbol: 'A', date: '2024', availableAt: '2025', prices: [1] };
    expect(
      show(
        event('context_known', {
          series: [
            { ...series, bars: 1 },
            { ...series, bars: 3 },
          ],
        }),
      ),
    ).toMatchObject({
      title: 'Context became known',
      texts: [
        { label: 'A 2024, available at 2025', text: '[\n  1\n]' },
        { label: 'A 2024, available at 2025, the newest of 3' },
      ],
    });
    const finished = { outcome: 'failed', commissionPaid: '3' };
    expect(show(event('run_finished', finished))).toEqual({
      ...{ ...plain, kind: 'note', title: 'The run ended: failed', facts: [['Commission paid', '3']] },
    });
    expect(show(event('run_finished', { ...finished, error: { message: 'm' } }))).toMatchObject({
      tone: 'bad',
      facts: [
        ['Commission paid', '3'],
        ['Error', 'm'],
      ],
    });
    expect(show(event('split', { ratio: 2 }))).toEqual({
      ...{ ...plain, kind: 'other', title: 'split' },
      texts: [{ label: '', text: '{\n  "ratio": 2\n}', form: 'json' }],
    });
    expect([event('features_known'), event('context_known')].map((one) => show(one)!.texts)).toEqual([
      [],
      [],
    ]);
  });
});
