import { describe, expect, it } from 'vitest';
import { as, bar, finished, journalFiles, line, note, STARTED } from '../../test/support/small-events.ts';
import { Chain, checkChain } from './chain.ts';
import { compareJournal, continueJournal } from './continue.ts';
import { linesToKeep, openJournal, readEarlier } from './journal.ts';

const { fileOf, newFile } = journalFiles();

describe('the lines that a resumed run retains', () => {
  const kept = (...events: object[]): number =>
    linesToKeep(readEarlier(fileOf(`${[STARTED, bar(0), ...events].map(line).join('\n')}\n`)));
  const asked = { type: 'agent_asked', bar: 1 };
  const replied = (message: unknown) => ({ type: 'agent_replied', bar: 1, message });
  const failure = (round: number, more: object = {}) => ({
    ...{ type: 'model_called', bar: 1, round, failure: { kind: 'x' }, ...more },
  });
  const unavailable = (policy = 'stop') => ({ type: 'model_unavailable', bar: 1, round: 2, policy });
  const limit = (scope: string) => ({ type: 'limit_reached', bar: 1, scope });

  it('are all lines of a complete run', () => {
    expect(kept(finished('completed'))).toBe(3);
    expect(kept(finished('insolvent'))).toBe(3);
    expect(kept(asked, finished('completed'))).toBe(4);
  });

  it('exclude an unfinished decision of an agent', () => {
    expect(kept(note(1), asked)).toBe(2);
    expect(kept(asked, replied({ type: 'order' }))).toBe(2);
    expect(kept(asked, replied('done'))).toBe(2);
    expect(kept(asked, replied({ type: 'done' }))).toBe(4);
    expect(kept(asked, replied({ type: 'done' }), asked)).toBe(2);
    expect(kept(asked, replied({ type: 'order' }), finished('stopped'))).toBe(2);
    expect(kept(asked, bar(1))).toBe(4);
    expect(kept(note(1))).toBe(3);
  });

  it('exclude an early end, and the limit or failed request that caused it', () => {
    expect(kept(note(1), finished('interrupted'))).toBe(3);
    expect(kept(note(1), limit('run'), finished('budget_exhausted'))).toBe(3);
    expect(kept(note(1), limit('bar'), finished('budget_exhausted'))).toBe(4);
    expect(kept(note(1), limit('run'))).toBe(4);
    expect(kept(failure(2), unavailable(), finished('stopped'))).toBe(2);
    expect(kept(failure(2), unavailable('hold'), finished('stopped'))).toBe(4);
    expect(kept(failure(2), unavailable())).toBe(4);
  });

  it('include requests that succeeded or belong to another round, step or bar', () => {
    const linesWith = (call: object): number => kept(call, unavailable(), finished('stopped'));
    expect(linesWith(failure(1))).toBe(3);
    expect(linesWith(failure(2, { bar: 0 }))).toBe(3);
    expect(linesWith(failure(2, { step: 1 }))).toBe(3);
    expect(linesWith(failure(2, { failure: undefined }))).toBe(3);
    expect(linesWith(note(1))).toBe(3);
    expect(kept(failure(1), failure(2), failure(2), unavailable(), finished('stopped'))).toBe(3);
  });

  it('are refused if a line is damaged or the run_started event is missing', () => {
    const text = [line(STARTED), 'x', line(bar(0))].join('\n');
    expect(() => readEarlier(fileOf(`${text}\n`))).toThrow(/jsonl:2 is not a journal event\.$/);
    expect(() => readEarlier(fileOf(`${line(bar(0))}\n`))).toThrow('does not begin with a run_started event');
    expect(readEarlier(fileOf(`${line(STARTED)}\n${line(bar(0))}`)).lines).toEqual([line(STARTED)]);
  });
});

describe('the hash chain of a journal', () => {
  const written = (...events: object[]): { file: string; text: string[] } => {
    const file = newFile();
    const journal = openJournal(file);
    for (const event of events) journal.append(as(event));
    journal.close();
    return { file, text: readEarlier(file).lines.slice() };
  };
  const events = [STARTED, bar(0), note(1), bar(1), bar(2), finished('completed')];

  it('counts its links, and the lines after the last link', () => {
    const { file, text } = written(...events);
    // The first link covers the start and bar 0, the second link the note and bar 1. No link covers the last
    // two lines.
    expect(text.map((one) => JSON.parse(one).type as string)).toEqual([
      ...['run_started', 'bar', 'link', 'note', 'bar', 'link', 'bar', 'run_finished'],
    ]);
    expect(checkChain(file)).toMatchObject({ links: 2, lines: 8, unlinked: 2, broken: undefined });
    expect(checkChain(fileOf('{"type":"run_started"}\n'))).toMatchObject({
      links: 0,
      head: undefined,
      unlinked: 1,
    });
  });

  it.each<[string, (lines: string[]) => string[], object]>([
    [
      'a changed line',
      (all) => all.with(3, all[3]!.replace('x', 'y')),
      { firstLine: 4, lastLine: 6, problem: 'do not have the hash of their link' },
    ],
    [
      'a removed link',
      (all) => all.toSpliced(5, 1),
      { firstLine: 4, lastLine: 6, problem: 'are not followed by their link' },
    ],
    [
      'an added link',
      (all) => all.toSpliced(4, 0, all[2]!),
      { firstLine: 4, lastLine: 5, problem: 'contain a link where none belongs' },
    ],
    [
      'a link in another form',
      (all) => all.with(5, `${all[5]} `),
      { firstLine: 4, lastLine: 6, problem: 'are not followed by their link' },
    ],
    [
      'a wrong first link',
      (all) => all.with(2, all[5]!),
      { firstLine: 1, lastLine: 3, problem: 'do not have the hash of their link' },
    ],
  ])('reports the lines of %s', (_, change, broken) => {
    const { text } = written(...events);
    expect(checkChain(fileOf(`${change(text).join('\n')}\n`)).broken).toEqual(broken);
  });

  it('is not required in journals that early versions wrote', () => {
    const plain = fileOf(`${events.map(line).join('\n')}\n`);
    expect(checkChain(plain)).toMatchObject({ links: 0, broken: undefined, head: undefined, lines: 6 });
    const journal = continueJournal(readEarlier(plain), 6);
    for (const event of events) journal.append(as(event));
    expect([journal.head, journal.links, journal.matched]).toEqual([undefined, 0, 6]);
  });

  it('has a copy that later lines do not change', () => {
    const chain = new Chain();
    chain.take(line(STARTED));
    const copy = chain.copy();
    const { head } = copy;
    expect(head).toBe(chain.head);
    expect(chain.take(line(bar(0)))).toBe(copy.copy().take(line(bar(0))));
    expect([copy.head === head, chain.head === head]).toEqual([true, false]);
  });

  it('has the same links and the same head when the run is repeated', () => {
    const { file } = written(...events);
    let ends = 0;
    const journal = compareJournal(readEarlier(file), () => ends++);
    for (const event of events) journal.append(as(event));
    expect([journal.lines, journal.matched, journal.links, ends, journal.difference]).toEqual([
      8,
      8,
      2,
      0,
      undefined,
    ]);
    expect(journal.head).toBe(checkChain(file).head);
  });

  it('is restored if the events after a savepoint are removed', () => {
    const file = newFile();
    const journal = openJournal(file);
    journal.append(as(STARTED));
    const { head } = journal;
    const back = journal.savepoint!();
    for (const event of [note(0, 'y'.repeat(70_000)), bar(0)]) journal.append(as(event));
    expect(journal.head).not.toBe(head);
    back();
    expect(journal.head).toBe(head);
    for (const event of events.slice(1)) journal.append(as(event));
    journal.close();
    expect(readEarlier(file).lines).toEqual(written(...events).text);
    back();
    expect(readEarlier(file).lines).toHaveLength(8);
  });
});
