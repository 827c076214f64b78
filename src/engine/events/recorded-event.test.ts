import { expect, it } from 'vitest';
import { simulateMarket } from '../../market/index.ts';
import type { BarContext, RunEvent } from '../index.ts';
import { runBacktest } from '../run.ts';
import { checkRecorded, RECORDED_TYPES } from './recorded-event.ts';

const NOTE = { type: 'note', bar: 3, text: 'x' };

it.each([
  ['the note itself', 'x', 'is "x", not an object'],
  ['null', null, 'is null, not an object'],
  ['a list', [NOTE], 'is a list, not an object'],
  ['no type', { note: 'x' }, 'has no type; its fields are note'],
  ['an empty object', {}, 'has no type; its fields are missing'],
  ['a misspelt type', { ...NOTE, type: 'notes' }, 'has the unknown type "notes" (the nearest is note)'],
  ['a type that is a number', { ...NOTE, type: 7 }, 'has the unknown type 7'],
  ['an event of the engine', { type: 'bar', bar: 3 }, 'has the unknown type "bar"'],
  ['no text', { type: 'note', bar: 3 }, 'has no text (type note)'],
  ['a text that is an object', { ...NOTE, text: { a: 1 } }, 'has the invalid text {"a":1} (type note)'],
  ['no bar', { type: 'note', text: 'x' }, 'has no bar (type note)'],
  ['a bar that is a text', { ...NOTE, bar: '3' }, 'has the invalid bar "3" (type note)'],
  ['a later bar', { ...NOTE, bar: 4 }, 'is of bar 4, which has not been reached'],
  ['half a bar', { ...NOTE, bar: 2.5 }, 'has the invalid bar 2.5 (type note)'],
  ['a negative bar', { ...NOTE, bar: -1 }, 'has the invalid bar -1 (type note)'],
  [
    'a long note',
    { ...NOTE, text: 'x'.repeat(262_145) },
    'is a note of 262145 characters; at most 262144 are allowed',
  ],
  [
    'a note with a long field',
    { ...NOTE, more: 'x'.repeat(300_000) },
    'is a note of 300044 characters; at most 262144 are allowed',
  ],
  [
    'a note that is nested too deep',
    { ...NOTE, more: JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) as unknown },
    'is nested deeper than 100 levels, which is the limit',
  ],
  ['half a tool call', { type: 'tool_called', bar: 3 }, 'has no name (type tool_called)'],
])('turn.record refuses %s', (_, event, fault) => {
  expect(() => checkRecorded(event, 3)).toThrow(`The event that turn.record was given at bar 3 ${fault}.`);
});

it.each([0, 3])('accepts a note of bar %i at bar 3', (bar) => {
  expect(() => checkRecorded({ ...NOTE, bar }, 3)).not.toThrow();
});

it('accepts a note of the maximum size', () => {
  expect(() => checkRecorded({ ...NOTE, text: 'x'.repeat(262_144) }, 3)).not.toThrow();
});

it('knows every type that deciders record', () => {
  for (const type of RECORDED_TYPES) expect(() => checkRecorded({ type }, 3)).toThrow('has no bar');
});

async function eventsOf(decide: (turn: BarContext) => void): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const market = simulateMarket({ seed: 7, bars: 5 });
  await runBacktest({ market, decider: { decide }, onEvent: (event) => events.push(event) });
  return events;
}

it('an invalid call of turn.record ends a run, and the event is not written', async () => {
  const events = await eventsOf((turn) => turn.record({ note: 'x' } as never));
  expect(events.map(({ type }) => type)).toEqual(['run_started', 'run_finished']);
  expect(events.at(-1)).toMatchObject({
    outcome: 'failed',
    error: { message: expect.stringContaining('has no type; its fields are note') },
  });
});

it('a strategy can catch the error and continue', async () => {
  const events = await eventsOf((turn) => {
    expect(() => turn.record({ note: 'x' } as never)).toThrow('has no type');
    turn.record({ type: 'note', bar: turn.bar, text: 'good' });
  });
  expect(events.filter(({ type }) => type === 'note')).toHaveLength(5);
  expect(events.at(-1)).toMatchObject({ outcome: 'completed' });
});

it.each([
  ['10,000 notes', 'x', 10_001],
  ['4,194,304 characters', 'x'.repeat(262_144), 17],
])('refuses more than %s at one bar', async (_, text, count) => {
  const events: RunEvent[] = [];
  const market = simulateMarket({ seed: 7, bars: 5 });
  const decide = ({ bar, record }: BarContext): void => {
    for (let note = 0; note < (bar === 3 ? count : count - 1); note++) record({ type: 'note', bar: 0, text });
  };
  const { error } = await runBacktest({
    market,
    decider: { decide },
    onEvent: (event) => events.push(event),
  });
  expect(error).toMatchObject({
    code: 'too_many_notes',
    message: `At bar 3 turn.record was given ${count} notes of ${count * text.length} characters in total; at most 10000 notes and 4194304 characters are allowed at one bar.`,
  });
  expect(events.filter(({ type }) => type === 'note')).toHaveLength(4 * (count - 1));
});
