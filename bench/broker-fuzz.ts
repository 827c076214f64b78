/**
 * Compares the broker with the slow reference matcher on random order scripts and random small markets.
 *
 *   npm run fuzz -- --count 20000 --seed 7
 *
 * If they differ, prints the first difference, shrunk, as candles and orders. The exit code is then 1.
 */
import { parseArgs } from 'node:util';
import { fuzz } from '../test/reference/fuzz.ts';

const wholeNumber = (text: string, name: string, most: number): number => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  process.stderr.write(`error: --${name} is "${text}"; give a whole number up to ${most}\n`);
  process.exit(2);
};

const USAGE = `npm run fuzz -- --count 20000 --seed 7

Compares the broker with the slow reference matcher on random orders and markets.

  --count <n>  plays (2000)
  --seed <n>   of the random numbers (1)
`;

const optionsOf = () => {
  try {
    return parseArgs({
      options: {
        count: { type: 'string', default: '2000' },
        seed: { type: 'string', default: '1' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
};

const values = optionsOf();
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
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
