import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Memory, MOST_LINES } from './memory-notes.ts';

const line = (content: string, bar = 0) => ({ bar, date: '2020-01-01', content });

it('memory finds words in any case and script: keys before texts, whole words before prefixes', () => {
  const memory = new Memory();
  memory.log(line('Überkauft: RSI 71'));
  memory.log(line('rsi14 fell'));
  memory.note({ ...line('wait'), key: 'rsi rule' });
  expect(memory.recall('RSI').map(({ content }) => content)).toEqual([
    'wait',
    'Überkauft: RSI 71',
    'rsi14 fell',
  ]);
  expect(memory.recall('überKAUFT')).toHaveLength(1);
  expect(memory.recall('fell, RSI!').map(({ content }) => content)[0]).toBe('wait');
  expect(memory.recall('nothing')).toEqual([]);
  expect(memory.recall(' … ')).toHaveLength(3);
});

it('memory removes the oldest line when it is full, and reports it', () => {
  const memory = new Memory();
  for (let bar = 0; bar < MOST_LINES; bar++) expect(memory.log(line(`line ${bar}`, bar))).toBe(false);
  expect(memory.log(line('last'))).toBe(true);
  expect(memory.lineCount).toBe(MOST_LINES);
  expect(memory.recall('').at(-1)?.content).toBe('line 1');
});

it('memory returns only stored entries, each once, and the same answer to the same query', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 20 }), { maxLength: 20 }), fc.string(), (contents, query) => {
      const [one, two] = [new Memory(), new Memory()];
      for (const memory of [one, two])
        for (const [bar, content] of contents.entries()) memory.log(line(content, bar));
      const found = one.recall(query);
      expect(found).toEqual(two.recall(query));
      const bars = found.map(({ bar }) => bar);
      expect(new Set(bars).size).toBe(bars.length);
      for (const { bar, content } of found) expect(content).toBe(contents[bar]);
    }),
  );
});
