import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createRandom } from '../src/kernel/index.ts';
import { PointInTimeFeed, pointInTimeData, simulateMarket } from '../src/market/index.ts';
import type { Benchmark } from './figure.ts';
import { median } from './figure.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const DOCUMENTS = 100_000;
const WORDS = 200;
const VOCABULARY = 200_000;
const BARS = 1_000;

/**
 * Measures a library of 100,000 texts with 200 words each. Word frequencies follow Zipf's law: the n-th word
 * has frequency 1/n.
 */
async function documents(): ReturnType<Benchmark> {
  const random = createRandom(1, 'documents');
  const market = simulateMarket({ seed: 1, bars: BARS, symbols: ['AAA'], start: '2000-01-03' });
  const begins = market.clock[0]!;
  const span = market.clock.at(-1)! - begins;
  const word = (): string => `w${Math.floor(VOCABULARY ** random.next()) - 1}`;
  const rows = Array.from({ length: DOCUMENTS }, (_, number) => ({
    id: `d${number}`,
    available_at: new Date(begins + (span * number) / DOCUMENTS).toISOString(),
    title: Array.from({ length: 8 }, word).join(' '),
    text: Array.from({ length: WORDS - 8 }, word).join(' '),
  }));
  const data = pointInTimeData({ documents: rows });
  const feed = new PointInTimeFeed(data, market, 'start');
  for (let bar = 0; bar < BARS; bar++) feed.endOf(bar);
  const held = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = held();
  const startedAt = performance.now();
  const processor = process.cpuUsage();
  feed.documents.search({ query: 'w1' });
  const indexed = process.cpuUsage(processor).user / 1e6;
  const first = (performance.now() - startedAt) / 1000;
  const after = held();
  const queries = Array.from({ length: 300 }, () => Array.from({ length: 3 }, word).join(' '));
  const common = ['w0 w1 w2', 'w0 w3 w5 w8', 'w1 w2 w4'];
  const timed = (all: readonly string[]): number =>
    median(
      all.map((query) => {
        const from = performance.now();
        feed.documents.search({ query, limit: 100 });
        return performance.now() - from;
      }),
    );
  return [
    {
      name: 'documents: search of 3 words among 100,000, p50',
      value: timed(queries),
      unit: 'ms',
      reach: '≤ 20',
    },
    {
      name: 'documents: search of the commonest words, p50',
      value: timed([...common, ...common, ...common]),
      unit: 'ms',
    },
    {
      name: 'documents: index of 100,000 texts of 200 words',
      value: (after - before) / 1e6,
      unit: 'MB',
      reach: '≤ 500',
    },
    {
      name: 'documents: first search of a run, which indexes all of them at once',
      value: first,
      unit: 's',
      reach: '≤ 5',
    },
    { name: '… its processor time', value: indexed, unit: 's' },
  ];
}

export const documentBenchmarks = { documents };
