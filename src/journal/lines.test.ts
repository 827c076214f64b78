import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../kernel/index.ts';
import { readEarlier } from './journal.ts';
import { endLines, type JournalLine, linePieces, readEnds, wholeLines } from './lines.ts';
import { readEvents } from './read.ts';

/**
 * Writes a file longer than two chunks of each reader. Some lines cross the border of two chunks, and the
 * last line is incomplete.
 */
function written(): { readonly file: string; readonly lines: readonly string[]; readonly cut: string } {
  const random = createRandom(7);
  const lines = [JSON.stringify({ type: 'run_started', bars: 3 })];
  for (let bytes = 0; bytes < 9 * 1024 * 1024; ) {
    const text = 'žluťoučký kůň '.repeat(Math.floor(random.next() * 5_000));
    lines.push(JSON.stringify({ type: 'note', bar: lines.length, text }));
    bytes += Buffer.byteLength(lines.at(-1)!) + 1;
  }
  lines.push(JSON.stringify({ type: 'bar', bar: 2 }), JSON.stringify({ type: 'run_finished' }));
  const cut = '{"type": "note", "text": "ž';
  const file = join(mkdtempSync(join(tmpdir(), 'sandtable-lines-')), 'journal.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n${cut}`);
  return { file, lines, cut };
}

describe('a journal longer than one read buffer', () => {
  const { file, lines, cut } = written();

  it('is returned in pieces of whole lines, with the truncated end separate', () => {
    const pieces = [...linePieces(file)];
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.slice(0, -1).every(({ isCut }) => !isCut)).toBe(true);
    expect(pieces.at(-1)).toEqual({ text: cut, isCut: true });
    expect(pieces.slice(0, -1).flatMap(({ text }) => text.split('\n'))).toEqual(lines);
  });

  it('reports the correct byte positions of lines', async () => {
    const found: JournalLine[] = [];
    for await (const some of wholeLines(file)) found.push(...some);
    expect(found.map(({ text }) => text)).toEqual(lines);
    const bytes = readFileSync(file);
    for (const { start, end, text } of found) expect(bytes.toString('utf8', start, end)).toBe(`${text}\n`);
    const part = found.slice(40, 90);
    const again: JournalLine[] = [];
    for await (const some of wholeLines(file, part[0]!.start, part.at(-1)!.end)) again.push(...some);
    expect(again).toEqual(part);
  });

  it('returns the same events to every reader', () => {
    const types: string[] = [];
    const bad: unknown[] = [];
    const count = readEvents(
      file,
      (event) => {
        types.push(event.type);
        return undefined;
      },
      (line) => bad.push(line) > 0,
    );
    expect(count).toBe(lines.length + 1);
    expect(bad).toEqual([{ number: lines.length + 1, isCut: true, fault: 'is not a journal event' }]);
    const earlier = readEarlier(file);
    expect(earlier.lines).toEqual(lines);
    expect(earlier.events.map(({ type }) => type)).toEqual(types);
    const { head, tail } = readEnds(file);
    expect(head.map(({ type }) => type)).toEqual(['run_started']);
    expect(tail.map(({ type }) => type)).toEqual(['bar', 'run_finished']);
  });

  it('returns no lines if the file does not exist', () => {
    expect(endLines(`${file}.gone`)).toEqual({ head: [], tail: [] });
  });
});
