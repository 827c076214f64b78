import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BarContext, type RunEvent, runBacktest } from '../../engine/index.ts';
import { DAY, formatInstant } from '../../kernel/index.ts';
import { barSeries, createMarket, type DatedFile } from '../../market/index.ts';
import { fileEvent, hashOfGiven, partByDate } from './dated.ts';
import { Vfs } from './vfs.ts';

const FIRST = Date.UTC(2024, 0, 1);
const BARS = 10;
const market = createMarket([
  barSeries(
    'A',
    Array.from({ length: BARS }, (_, bar) => ({
      time: FIRST + bar * DAY,
      open: 100,
      high: 101,
      low: 99,
      close: 100,
      volume: 1000,
    })),
  ),
]);

function folder(files: Readonly<Record<string, string>>): Vfs {
  const vfs = new Vfs();
  for (const [path, content] of Object.entries(files)) vfs.write(path, content);
  return vfs;
}

const head = (date: string): string => `---\nauthor: a desk\navailable_at: ${date}\n---\nBuy.\n`;

/**
 * Runs a backtest in which the dated files become visible. Calls `decide` at each bar. Returns the events of
 * the run.
 */
async function walk(files: Vfs, dated: readonly DatedFile[], decide: (turn: BarContext) => void) {
  const events: RunEvent[] = [];
  await runBacktest({
    market,
    arrivals: {
      files: dated,
      take({ path, content }, availableAt, bar) {
        files.write(path, content, 'overwrite');
        const change = { kind: 'write', path, content, mode: 'overwrite' } as const;
        return fileEvent(bar, change, formatInstant(availableAt));
      },
    },
    decider: { decide },
    onEvent: (event) => events.push(event),
  });
  return events;
}

describe('files with a publication time', () => {
  it('declare it at the beginning of their text, or in a metadata file that is not part of the run', () => {
    const { files, dated } = partByDate(
      folder({
        'a.md': head('2024-01-03T12:30Z'),
        'b.csv': '1,2\n',
        'b.csv.meta.json': '{"available_at": "2024-01-04", "source": "Wire"}',
        'c.md': head('"2024-01-05" # a Friday'),
        'plain.md': 'available_at: 2030-01-01\n',
        'other.md': '---\ntitle: Plan\n---\navailable_at: 2030-01-01\n',
      }),
      'desk',
    );
    expect(files.list().map(({ path }) => path)).toEqual(['other.md', 'plain.md']);
    expect(dated.map(({ path, known }) => [path, known])).toEqual([
      ['a.md', { instant: Date.UTC(2024, 0, 3, 12, 30), wholeDay: false }],
      ['b.csv', { instant: Date.UTC(2024, 0, 4), wholeDay: true }],
      ['c.md', { instant: Date.UTC(2024, 0, 5), wholeDay: true }],
    ]);
    expect(dated[0]!.content).toBe(head('2024-01-03T12:30Z'));
  });

  it('use the time zone of the bars if no offset is given', () => {
    const of = (date: string) =>
      partByDate(folder({ 'a.md': head(date) }), 'desk', 'America/New_York').dated[0]?.known;
    expect(of('2024-01-03 12:30')).toEqual({ instant: Date.UTC(2024, 0, 3, 17, 30), wholeDay: false });
    expect(of('2024-01-03T12:30Z')).toEqual({ instant: Date.UTC(2024, 0, 3, 12, 30), wholeDay: false });
    expect(of('2024-01-03')?.over).toBe(Date.UTC(2024, 0, 4, 5));
    expect(() => of('2024-03-10 02:30')).toThrow('is not a date');
  });

  it('are refused with every invalid date', () => {
    const given = folder({
      'a.md': head('soon'),
      'b.md': head(''),
      'c.md': head('01/02/2024'),
      'd.md': head('2024-01-03'),
      'd.md.meta.json': '{"available_at": "2024-01-04"}',
      'e.md': 'x',
      'e.md.meta.json': '{"available": "2024-01-04"}',
      'f.md': 'x',
      'f.md.meta.json': '"2024-01-04"',
      'g.md.meta.json': '{"available_at": "2024-01-04"}',
      'h.md': 'x',
      'h.md.meta.json': '{',
      'i.md': '---\navailable_at: 2024-01-03\navailable_at: 2024-01-04\n---\n',
      'j.md': 'x',
      'j.md.meta.json': '{"available_at": ["2024-01-04"]}',
    });
    const message = (): string => {
      try {
        partByDate(given, 'desk');
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    for (const fault of [
      '10 faults',
      'a.md: available_at "soon" is not a date',
      'b.md: available_at "" is not a date',
      'c.md: available_at "01/02/2024" is not a date',
      'd.md.meta.json: its available_at is 2024-01-04, but 2024-01-03 in d.md',
      'e.md.meta.json: has no available_at',
      'f.md.meta.json: has no available_at',
      'g.md.meta.json: it describes g.md, which does not exist',
      'h.md.meta.json: is not JSON',
      'i.md: has two lines of available_at',
      'j.md.meta.json: available_at is not a date',
    ])
      expect(message()).toContain(fault);
  });

  it('have their dates included in the hash of the files', () => {
    const hash = (date: string): string =>
      hashOfGiven(partByDate(folder({ a: 'x', 'a.meta.json': `{"available_at":"${date}"}` }), 'desk'));
    expect(hash('2024-01-03')).toBe(hash('2024-01-03'));
    expect(hash('2024-01-03')).not.toBe(hash('2024-01-04'));
    expect(hash('2024-01-03')).not.toBe(hash('2024-01-03T00:00Z'));
  });

  it('appear at the first bar that ends at or after their time, and are recorded there', async () => {
    const { files, dated } = partByDate(
      folder({
        'day.md': head('2024-01-03'),
        'noon.md': head('2024-01-02T12:00Z'),
        'before.md': head('2023-12-31'),
        'never.md': head('2030-01-01'),
        'midnight.md': head('2024-01-05T00:00Z'),
      }),
      'desk',
    );
    const first = new Map<string, number>();
    const events = await walk(files, dated, ({ bar }) => {
      for (const { path } of files.list()) if (!first.has(path)) first.set(path, bar);
    });
    expect([...first]).toEqual([
      ['before.md', 0],
      ['noon.md', 1],
      ['day.md', 2],
      ['midnight.md', 3],
    ]);
    const written = events.flatMap((event) =>
      event.type === 'file_written' ? [[event.bar, event.path, event.availableAt]] : [],
    );
    expect(written).toEqual([
      [0, 'before.md', '2024-01-01'],
      [1, 'noon.md', '2024-01-02T12:00:00'],
      [2, 'day.md', '2024-01-04'],
      [3, 'midnight.md', '2024-01-05'],
    ]);
  });

  it('change nothing in the run before they are known, with any content', async () => {
    const given = fc.record({
      hour: fc.integer({ min: 0, max: 12 * 24 }),
      words: fc.constantFrom('buy', 'sell', 'hold'),
      tampers: fc.constantFrom('gone', 'other words', 'other name', 'later'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(given, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: BARS - 1 }),
        async (all, cut) => {
          const filesOf = (tampered: boolean): Vfs => {
            const files = new Vfs();
            files.write('undated.md', 'x');
            for (const [number, { hour, words, tampers }] of all.entries()) {
              const known = FIRST + hour * 3_600_000 + 1;
              const isLater = tampered && known > FIRST + (cut + 1) * DAY;
              if (isLater && tampers === 'gone') continue;
              const name = isLater && tampers === 'other name' ? `z${number}` : `f${number}`;
              const date = isLater && tampers === 'later' ? known + 90 * DAY : known;
              files.write(name, isLater ? 'the future' : words);
              files.write(
                `${name}.meta.json`,
                JSON.stringify({ available_at: new Date(date).toISOString() }),
              );
            }
            return files;
          };
          const seen = async (all: Vfs): Promise<string> => {
            const { files, dated } = partByDate(all, 'desk');
            const looks: unknown[] = [];
            const events = await walk(files, dated, ({ bar }) => {
              if (bar <= cut) looks.push(files.list(), files.size, files.characters);
            });
            return JSON.stringify([
              looks,
              events.filter((event) => event.type === 'file_written' && event.bar <= cut),
            ]);
          };
          expect(await seen(filesOf(true))).toBe(await seen(filesOf(false)));
        },
      ),
      { numRuns: 80 },
    );
  });
});
