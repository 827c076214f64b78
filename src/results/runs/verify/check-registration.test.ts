import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Publication, timeCheck } from './check-registration.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-registered-'));
afterAll(() => rmSync(root, { recursive: true }));

const HASH = 'a'.repeat(64);
const day = (date: number): number => Date.UTC(2026, 0, date);
const registered = (date: number) => ({
  sha256: HASH,
  registeredAt: new Date(day(date)).toISOString(),
  hypothesis: {},
});
const tag = (date: number, more: Partial<Publication> = {}): Publication => ({
  place: 'the tag t',
  hashes: [HASH],
  at: day(date),
  notes: [],
  ...more,
});

/**
 * Creates the folder of a forward run, which trades bars as they are received. The feed starts on the day
 * `started`. The first received bar has the index `firstBar`.
 */
function forwardRun(started: number, firstBar: number, feed = 'x'): string {
  const folder = mkdtempSync(join(root, 'run-'));
  const lines = [
    { type: 'started', at: new Date(day(started)).toISOString(), feed, clock: 'wall', grace: 0 },
    { type: 'bar', bar: firstBar, time: '2026-01-01' },
  ];
  writeFileSync(join(folder, 'feed.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return folder;
}

/** Bars of ten days. The first five bars were known before the forward run started. */
const bars = Array.from({ length: 10 }, (_, place) => day(place + 1));
const facts = { bars, ends: [day(5)], publication: undefined };

describe('a registration', () => {
  it('is refuted by data that is newer than its stated time', () => {
    const { outcome, detail } = timeCheck(forwardRun(6, 5), registered(4), facts);
    expect(outcome).toBe('failed');
    expect(detail).toContain(
      'names data whose last bar is of 2026-01-05T00:00:00.000Z, so it was written later',
    );
  });

  it('is refuted by a feed that started before the registration', () => {
    expect(timeCheck(forwardRun(6, 5), registered(7), facts)).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('received since 2026-01-06'),
    });
  });

  it('is not checked without a publication, but the number of later bars is reported', () => {
    const { outcome, detail } = timeCheck(forwardRun(6, 5), registered(6), facts);
    expect(outcome).toBe('not checked');
    expect(detail).toContain("is of the author's clock, which the author can set");
    expect(detail).toContain('5 of 5 received bars are later than it');
  });

  it('is described as a rehearsal if the bars are simulated', () => {
    const { detail } = timeCheck(forwardRun(6, 5, 'simulate'), registered(6), facts);
    expect(detail).toContain('The received bars are simulated, so this is a rehearsal');
    expect(detail).not.toContain('are later than it');
  });

  it('is not described as a forward test if all bars existed before it', () => {
    const folder = mkdtempSync(join(root, 'backtest-'));
    const { outcome, detail } = timeCheck(folder, registered(20), facts);
    expect(outcome).toBe('not checked');
    expect(detail).toContain('None of the 10 bars is later than it');
    expect(detail).toContain('this is not a forward test');
  });

  it.each([
    ['has its hash', tag(6), 6, 'verified', 'its SHA-256 is in the tag t'],
    ['lacks its hash', tag(6, { hashes: ['b'.repeat(64)] }), 6, 'failed', 'is not in the tag t'],
    ['is earlier', tag(5), 6, 'failed', 'which is earlier'],
    ['is later than the feed', tag(8), 6, 'failed', 'the run received since'],
    ['states no time', tag(6, { at: undefined }), 6, 'verified', 'its SHA-256 is in the tag t'],
  ] as const)('is compared with a publication that %s', (_, publication, date, outcome, words) => {
    const found = timeCheck(forwardRun(6, 5), registered(date), { ...facts, publication });
    expect(found).toMatchObject({ outcome, detail: expect.stringContaining(words) });
  });

  it('may have the same time as the newest bar, the start of the feed and the publication', () => {
    const same = { ...facts, publication: tag(6) };
    expect(timeCheck(forwardRun(6, 5), registered(6), { ...same, ends: [day(6)] })).toEqual({
      ...{ name: 'time of registration', outcome: 'verified' },
      detail:
        'its SHA-256 is in the tag t. The last bar of its data is of 2026-01-06T00:00:00.000Z. The feed started at 2026-01-06T00:00:00.000Z. 5 of 5 received bars are later than it',
    });
    // A publication states whole seconds.
    const inSecond = { ...registered(6), registeredAt: new Date(day(6) + 900).toISOString() };
    const folder = mkdtempSync(join(root, 'backtest-'));
    const at = (time: number) =>
      timeCheck(folder, inSecond, { bars: [], ends: [], publication: tag(6, { at: time }) });
    expect(at(day(6)).outcome).toBe('verified');
    expect(at(day(6) - 1).outcome).toBe('failed');
  });

  it('is compared with the bars before the first received bar', () => {
    expect(timeCheck(forwardRun(6, 6), registered(5), facts)).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('whose last bar is of 2026-01-06T00:00:00.000Z'),
    });
    const folder = mkdtempSync(join(root, 'waiting-'));
    writeFileSync(join(folder, 'feed.jsonl'), '{"type":"started","at":"2026-01-12T00:00:00Z"}\n');
    expect(timeCheck(folder, registered(11), facts).detail).toBe(
      "2026-01-11T00:00:00.000Z is of the author's clock, which the author can set. The last bar of its data is of 2026-01-10T00:00:00.000Z. The feed started at 2026-01-12T00:00:00.000Z. None of the 10 bars is later than it: all of them existed before, so this is not a forward test. Compare its SHA-256 with a published one: --published HASH, or --tag NAME",
    );
  });

  it('is reported with the last change of its file, and fails with an invalid time', () => {
    const folder = mkdtempSync(join(root, 'run-'));
    writeFileSync(join(folder, 'feed.jsonl'), '{"registrationWrittenAt":"2026-01-06T01:00:00Z"}\n');
    expect(
      timeCheck(folder, registered(11), { bars: [], ends: [], publication: undefined }).detail,
    ).toContain(
      'The run found its file last written at 2026-01-06T01:00:00Z. How many bars are later is unknown. Comp',
    );
    expect(timeCheck(folder, { ...registered(1), registeredAt: 'soon' }, facts)).toEqual({
      ...{ name: 'time of registration', outcome: 'failed', detail: 'soon is not a time' },
    });
  });
});
