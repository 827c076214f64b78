import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../engine/index.ts';
import { Chain, checkChain, isLink } from './chain.ts';
import { compareJournal, continueJournal } from './continue.ts';
import { openJournal, readEarlier } from './journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-chain-'));
let count = 0;
const newFile = (): string => join(folder, `journal-${++count}.jsonl`);

/** Events of a run: `noted[bar]` states whether the bar has a note. */
function eventsOf(noted: readonly boolean[]): RunEvent[] {
  const events = [
    { type: 'run_started', schema: 1 },
    ...noted.flatMap((isNoted, bar) => [
      ...(isNoted ? [{ type: 'note', bar, text: `note ${bar}` }] : []),
      {
        type: 'bar',
        bar,
        date: '2020-01-01',
        cash: '1',
        equity: '1',
        exposure: 0,
        prices: [[1, 1, 1, 1, 1]],
      },
    ]),
    { type: 'run_finished', outcome: 'completed', bars: noted.length, openTrades: [], commissionPaid: '0' },
  ];
  return events as unknown as RunEvent[];
}

function written(events: readonly RunEvent[]): { readonly file: string; readonly head: string | undefined } {
  const file = newFile();
  const journal = openJournal(file);
  for (const event of events) journal.append(event);
  journal.close();
  return { file, head: journal.head };
}

describe('the hash chain of a journal', () => {
  const noted = Array.from({ length: 600 }, (_, bar) => bar % 97 === 3);

  it('has a link after each bar with events, and after 256 bars without', () => {
    const { file, head } = written(eventsOf(Array.from({ length: 700 }, (_, bar) => bar === 100)));
    const links = readFileSync(file, 'utf8').split('\n').filter(isLink);
    // A hash covers all lines up to the next bar with an event other than `bar`. The first hash also covers
    // `run_started`, so its group ends with bar 0.
    expect(links.map((line) => (JSON.parse(line) as { bar: number }).bar)).toEqual([0, 100, 356, 612]);
    const check = checkChain(file);
    expect(check).toMatchObject({ links: 4, head, broken: undefined });
  });

  it('detects any changed byte', () => {
    const { file, head } = written(eventsOf(noted.slice(0, 40)));
    const bytes = readFileSync(file);
    const changed = newFile();
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const copy = Buffer.from(bytes);
        copy[at] = copy[at]! ^ flip;
        writeFileSync(changed, copy);
        const check = checkChain(changed);
        expect(check.broken !== undefined || check.head !== head).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('reports the lines of the group that was changed', () => {
    const { file } = written(eventsOf(noted));
    const lines = readFileSync(file, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"bar":150,'));
    lines[at] = lines[at]!.replace('"cash":"1"', '"cash":"2"');
    writeFileSync(file, lines.join('\n'));
    const { broken } = checkChain(file);
    expect(broken?.problem).toBe('do not have the hash of their link');
    expect(broken!.firstLine).toBeLessThanOrEqual(at + 1);
    expect(broken!.lastLine).toBeGreaterThanOrEqual(at + 1);
    expect(broken!.lastLine - broken!.firstLine).toBeLessThan(110);
  });

  it('is the same if the run is killed after any line and continued', () => {
    const events = eventsOf(noted.slice(0, 120));
    const { file, head } = written(events);
    const whole = readFileSync(file, 'utf8');
    const lines = whole.split('\n').slice(0, -1);
    for (let kept = 1; kept < lines.length; kept++) {
      const cut = newFile();
      writeFileSync(cut, `${lines.slice(0, kept).join('\n')}\n{"type":"li`);
      const earlier = readEarlier(cut);
      const journal = continueJournal(earlier, earlier.lines.length);
      for (const event of events) journal.append(event);
      journal.close();
      expect(readFileSync(cut, 'utf8')).toBe(whole);
      expect(journal.head).toBe(head);
    }
  });

  it('detects a changed link in a replay, and accepts journals without links', () => {
    const events = eventsOf(noted.slice(0, 20));
    const { file } = written(events);
    const replayed = (text: string): string | undefined => {
      const other = newFile();
      writeFileSync(other, text);
      const journal = compareJournal(readEarlier(other), () => undefined);
      try {
        for (const event of events) journal.append(event);
      } catch {
        return journal.difference?.text;
      }
      return undefined;
    };
    const text = readFileSync(file, 'utf8');
    expect(replayed(text)).toBeUndefined();
    expect(replayed(text.replace(/"sha256":"./, '"sha256":"x'))).toContain(
      'line 3: the lines before it were changed',
    );
    const without = text
      .split('\n')
      .filter((line) => !isLink(line))
      .join('\n');
    expect(replayed(without)).toBeUndefined();
    expect(new Chain().head).toHaveLength(64);
  });
});
