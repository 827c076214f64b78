import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testIo } from '../../test/support/io.ts';
import { ProgressLine, printing, showReading } from './run-context.ts';

let clock = 0;
beforeEach(() => {
  clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const CLEAR = '\r\u001b[2K';

describe('ProgressLine on a terminal', () => {
  it('redraws one line: bar, percentage, count, rate, remaining time', () => {
    const io = testIo({ terminal: true });
    const line = new ProgressLine(io, false);
    clock = 2_000;
    line.show('sma-cross', 1_250, 5_000, 'bars');
    expect(io.stderr.text).toBe(
      `${CLEAR}sma-cross ${'█'.repeat(6)}${'░'.repeat(18)} 25%  1,250/5,000 bars, 625 bars/s, 6 s left`,
    );
    line.end();
    expect(io.stderr.text.endsWith(CLEAR)).toBe(true);
    expect(io.stdout.text).toBe('');
  });

  it('redraws at most ten times per second, and always at the end', () => {
    const io = testIo({ terminal: true });
    const line = new ProgressLine(io, false);
    for (clock = 10; clock <= 1_000; clock += 10) line.show('x', clock, 10_000, 'bars');
    expect(io.stderr.text.split(CLEAR)).toHaveLength(1 + 10);
    line.show('x', 10_000, 10_000, 'bars');
    expect(io.stderr.text).toContain('100%  10,000/10,000 bars');
    expect(io.stderr.text.split(CLEAR).at(-1)).not.toContain('left');
  });

  it.each([
    [59, '59 s left'],
    [100, '1 min 40 s left'],
    [7_260, '2 h 1 min left'],
  ])('formats %d seconds as %s', (seconds, text) => {
    const io = testIo({ terminal: true });
    const line = new ProgressLine(io, false);
    clock = 1_000;
    line.show('x', 1, 1 + seconds, 'bars');
    expect(io.stderr.text).toContain(`, ${text}`);
  });

  it('never shows sixty seconds or sixty minutes', () => {
    for (const total of [1_206, 71_960]) {
      const io = testIo({ terminal: true });
      clock = 0;
      const line = new ProgressLine(io, false);
      clock = 1_000;
      line.show('x', 10, total, 'bars');
      expect(io.stderr.text).not.toMatch(/ 60 (s|min)/);
    }
  });

  it('excludes start-up and work of an earlier process from the rate', () => {
    const [fresh, resumed] = [testIo({ terminal: true }), testIo({ terminal: true })];
    const line = new ProgressLine(fresh, false);
    for (const [at, done] of [
      [0, 0],
      [20_000, 1],
      [24_000, 2],
    ] as const) {
      clock = at;
      line.show('x', done, 12, 'trials');
    }
    expect(fresh.stderr.text.split(CLEAR).at(-1)).toContain('2/12 trials, 0.3 trials/s, 40 s left');
    const again = new ProgressLine(resumed, false);
    again.show('x', 900, 1_000, 'trials');
    clock += 60_000;
    again.show('x', 901, 1_000, 'trials');
    expect(resumed.stderr.text.split(CLEAR).at(1)).toMatch(/900\/1,000 trials$/);
    expect(resumed.stderr.text.split(CLEAR).at(-1)).toContain('1 trials/min, 1 h 39 min left');
  });

  it('uses the singular for one item', () => {
    const io = testIo({ terminal: true });
    clock = 1_000;
    new ProgressLine(io, false).show('x', 1, 1, 'trials');
    expect(io.stderr.text).toMatch(/1\/1 trial$/);
  });

  it('announces once that the work takes minutes, and never for shorter work', () => {
    const io = testIo({ terminal: true });
    const line = new ProgressLine(io, false);
    for (clock = 1_000; clock <= 5_000; clock += 1_000) line.show('x', clock / 1_000, 302, 'trials');
    expect(io.stderr.text.split('note: x: 302 trials take about 5 min 0 s.\n')).toHaveLength(2);
    const short = testIo({ terminal: true });
    const other = new ProgressLine(short, false);
    clock += 3_000;
    other.show('x', 3, 50, 'trials');
    expect(short.stderr.text).not.toContain('note:');
  });

  it('is never wider than the terminal, and never divides by zero', () => {
    const io = testIo({ terminal: true });
    const line = new ProgressLine(io, false);
    line.show('x'.repeat(300), 0, 0, 'bars');
    line.note('y'.repeat(300));
    for (const drawn of io.stderr.text.split(CLEAR)) expect(drawn.length).toBeLessThan(100);
    expect(io.stderr.text).not.toMatch(/NaN|Infinity/);
  });
});

describe('ProgressLine without a terminal', () => {
  it('writes a plain line every five seconds, and only the last line for short work', () => {
    const io = testIo();
    const line = new ProgressLine(io, false);
    for (clock = 0; clock <= 11_000; clock += 500) line.show('sma-cross', clock / 100, 200, 'bars');
    line.end();
    expect(io.stderr.text.split('\n')).toEqual([
      'sma-cross: 25%, 50/200 bars, 10 bars/s, 15 s left',
      'sma-cross: 50%, 100/200 bars, 10 bars/s, 10 s left',
      '',
    ]);
    expect(io.stderr.text).not.toContain('\u001b');
  });

  it('writes lines on a dumb terminal, which cannot redraw', () => {
    const io = testIo({ terminal: true, env: { TERM: 'dumb' } });
    const line = new ProgressLine(io, false);
    line.show('x', 100, 100, 'bars');
    line.note('one moment');
    line.end();
    expect(io.stderr.text).toBe('x: 100%, 100/100 bars\none moment\n');
  });

  it('writes notes as lines', () => {
    const io = testIo();
    new ProgressLine(io, false).note('building Python');
    expect(io.stderr.text).toBe('building Python\n');
  });
});

it('a silent ProgressLine writes nothing', () => {
  const io = testIo({ terminal: true });
  const line = new ProgressLine(io, true);
  line.show('x', 5, 5, 'bars');
  line.note('y');
  line.end();
  expect(io.stderr.text).toBe('');
});

describe('progress of a command', () => {
  it('has a separate rate for each kind of work, and notes on separate lines', () => {
    const io = testIo({ terminal: true });
    const observer = printing(io, false);
    for (clock = 0; clock <= 4_000; clock += 500)
      observer.progress('reading the data', clock / 40, 100, 'MB');
    observer.note('a fact');
    expect(io.stderr.text).toContain('100/100 MB');
    expect(io.stderr.text.endsWith(`${CLEAR}note: a fact\n`)).toBe(true);
    clock = 5_000;
    observer.progress('sma-cross', 0, 50, 'bars');
    clock = 7_000;
    observer.progress('sma-cross', 10, 50, 'bars');
    clock = 9_000;
    observer.progress('sma-cross', 20, 50, 'bars');
    expect(io.stderr.text.split(CLEAR).at(-1)).toContain('20/50 bars, 5 bars/s, 6 s left');
  });

  it('shows the bytes read of large files only', async () => {
    const io = testIo({ terminal: true });
    await showReading(io, async (onRead) => {
      onRead?.(1_000, 2_000);
      expect(io.stderr.text).toBe('');
      onRead?.(30_000_000, 60_000_000);
      expect(io.stderr.text).toContain('reading the data');
      expect(io.stderr.text).toContain('30/60 MB');
    });
    expect(io.stderr.text.endsWith(CLEAR)).toBe(true);
  });
});
