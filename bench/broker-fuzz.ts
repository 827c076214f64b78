/**
 * Random order scripts on random small markets: the broker against the slow reference matcher.
 *
 *   npm run fuzz -- --count 20000 --seed 7
 *
 * Prints the first difference, shrunk, as candles and orders, and then ends with code 1.
 */
import { parseArgs } from 'node:util';
import { fuzz } from '../test/reference/fuzz.ts';

const wholeNumber = (text: string, name: string, most: number): number => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  process.stderr.write(`error: --${name} is "${text}"; give a whole number up to ${most}\n`);
  process.exit(2);
};

const { values } = parseArgs({
  options: { count: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
const seed = wholeNumber(values.seed, 'seed', 100_000_000);
const count = wholeNumber(values.count, 'count', 10_000_000);
const { difference, plays, fills, ambiguous, trades, refusals } = await fuzz(seed, count);
if (difference !== undefined) {
  process.stdout.write(`${difference}\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(
    `${plays} plays of seed ${seed}: ${fills} fills (${ambiguous} ambiguous), ${trades} trades and ${refusals} refusals; no difference\n`,
  );
}
