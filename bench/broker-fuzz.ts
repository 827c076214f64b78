/**
 * Random order scripts on random small markets: the broker against the slow reference matcher.
 *
 *   npm run fuzz -- --count 20000 --seed 7
 *
 * Prints the first difference, shrunk, as candles and orders; `--all` counts all of them by kind instead.
 */
import { parseArgs } from 'node:util';
import { type Difference, firstDifference } from '../features/support/reference/compare.ts';
import { runReference } from '../features/support/reference/exchange.ts';
import { randomPlay } from '../features/support/reference/random-play.ts';
import { runReal } from '../features/support/reference/real.ts';
import { shrink } from '../features/support/reference/shrink.ts';
import { tellPlay } from '../features/support/reference/tell.ts';
import type { Play } from '../features/support/reference/types.ts';

const difference = async (play: Play): Promise<Difference | undefined> =>
  firstDifference(await runReal(play), runReference(play));

const kindOf = ({ where }: Difference): string => where.replace(/\[\d+\]/, '');

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
  },
});
const count = Number(values.count);
const first = Number(values.seed) * 1_000_000;
const kinds = new Map<string, number[]>();
let fills = 0;
for (let number = 0; number < count; number++) {
  const play = randomPlay(first + number);
  const broker = await runReal(play);
  fills += broker.fills.length;
  const found = firstDifference(broker, runReference(play));
  if (found === undefined) continue;
  kinds.set(kindOf(found), [...(kinds.get(kindOf(found)) ?? []), number]);
  if (values.all) continue;
  const small = await shrink(play, async (smaller) => {
    const still = await difference(smaller);
    return still !== undefined && kindOf(still) === kindOf(found);
  });
  const [one, other] = [await runReal(small), runReference(small)];
  process.stdout.write(
    `play ${number} of seed ${values.seed}\n${tellPlay(small, (await difference(small))!, one, other)}\n`,
  );
  process.exitCode = 1;
  break;
}
for (const [kind, numbers] of kinds) {
  process.exitCode = 1;
  if (values.all)
    process.stdout.write(`${kind}: ${numbers.length}, first play ${numbers.slice(0, 5).join(', ')}\n`);
}
if (kinds.size === 0) process.stdout.write(`${count} plays, ${fills} fills: no difference\n`);
