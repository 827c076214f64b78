import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../../test/support/error-of.ts';
import { anyEvent, eventsTogether, parseEvent } from './event.ts';
import { readEarlier } from './journal.ts';
import { readEvents } from './read.ts';

/** Returns a journal line whose JSON is nested `levels` deep. */
function note(levels: number): string {
  const inner = levels - 1;
  return `{"type":"note","bar":0,"text":"x","more":${'['.repeat(inner)}${']'.repeat(inner)}}`;
}

/** Writes a journal of three lines: a valid line, the given line, and another valid line. */
function journal(line: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'sandtable-deep-')), 'journal.jsonl');
  writeFileSync(file, `${[note(2), line, note(2)].join('\n')}\n`);
  return file;
}

function badLines(file: string): { number: number; fault: string }[] {
  const bad: { number: number; fault: string }[] = [];
  readEvents(
    file,
    () => undefined,
    ({ number, fault }) => bad.push({ number, fault }) > 0,
  );
  return bad;
}

describe('a line of a journal', () => {
  it.each([1_100, 100_000])('nested %i levels deep is not an event', (levels) => {
    const file = journal(note(levels));
    expect(badLines(file)).toEqual([{ number: 2, fault: 'is not a journal event' }]);
    expect(errorOf(() => readEarlier(file)).message).toContain('journal.jsonl:2');
    expect(anyEvent(note(levels))).toBeUndefined();
    expect(parseEvent(note(levels))).toBeUndefined();
    expect(eventsTogether(`${note(2)}\n${note(levels)}`)).toBeUndefined();
  });

  it('nested 1,000 levels deep is read', () => {
    expect(badLines(journal(note(1_000)))).toEqual([]);
    expect(parseEvent(note(1_000))).toBeDefined();
  });
});
