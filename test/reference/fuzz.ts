import { type Difference, firstDifference } from './compare.ts';
import { runReference } from './exchange.ts';
import { randomPlay } from './random-play.ts';
import { runReal } from './real.ts';
import { reportPlay } from './report.ts';
import { shrink } from './shrink.ts';
import type { Outcome, Play } from './types.ts';

/** Result of a fuzz test: number of test cases, and counts over all of them. */
export interface FuzzReport {
  readonly plays: number;
  readonly fills: number;
  readonly ambiguous: number;
  readonly refusals: number;
  readonly trades: number;
  /**
   * First difference, reduced to a small test case and shown as candles and orders. Omitted if there is no
   * difference.
   */
  readonly difference?: string;
}

/** Number of test cases reserved for each seed, so that different seeds never use the same test case. */
const PLAYS_OF_A_SEED = 10_000_000;

/**
 * Compares the broker with the reference implementation on random test cases. Stops at the first difference.
 *
 * @param count number of test cases
 */
export async function fuzz(seed: number, count: number): Promise<FuzzReport> {
  const report = { plays: 0, fills: 0, ambiguous: 0, refusals: 0, trades: 0 };
  for (let number = 0; number < count; number++) {
    const play = randomPlay(seed * PLAYS_OF_A_SEED + number);
    const reference = runReference(play);
    const found = await differenceOf(play, reference);
    report.plays += 1;
    const { fills, refusals, trades } = reference;
    report.fills += fills.length;
    report.ambiguous += fills.filter(({ ambiguous }) => ambiguous).length;
    report.refusals += refusals.length;
    report.trades += trades.length;
    if (found !== undefined)
      return { ...report, difference: `play ${number} of seed ${seed}: ${await reportOf(play, found)}` };
  }
  return report;
}

/** Returns the first difference. An error thrown by the broker counts as a difference. */
async function differenceOf(
  play: Play,
  reference: Outcome = runReference(play),
): Promise<Difference | undefined> {
  try {
    return firstDifference(await runReal(play), reference);
  } catch (thrown) {
    return { where: 'the run', broker: `threw ${String(thrown)}`, reference: 'runs to its end' };
  }
}

const kindOf = ({ where }: Difference): string => where.replace(/\[\d+\]/, '');

async function reportOf(play: Play, found: Difference): Promise<string> {
  const small = await shrink(play, async (smaller) => {
    const still = await differenceOf(smaller);
    return still !== undefined && kindOf(still) === kindOf(found);
  });
  const difference = (await differenceOf(small))!;
  const reference = runReference(small);
  const broker = await runReal(small).catch(() => undefined);
  return reportPlay(small, difference, broker, reference);
}
