import { z } from 'zod';
import { AppError, createRandom, formatInstant, type Random } from '../../kernel/index.ts';
import type { Market } from '../../market/index.ts';
import { createExchanger } from '../llm/create-exchanger.ts';
import type { LlmStrategy } from '../llm/read-prompt.ts';
import { type Exchanger, ModelUnavailable } from '../model/exchange.ts';
import type { RunServices } from '../run-services.ts';
import { fisherTest, matchTest, type PermutationScore } from './permutation.ts';

/** Number of bars over which the model must state the direction of the price. */
const SPAN = 20;
/** Relative distance from the true close within which an answer counts as right. */
const NEAR = 0.02;
/**
 * Significance level. If `ProbeReport.probability` is below this level, the model is assumed to remember the
 * market.
 */
const SIGNIFICANT = 0.01;
/**
 * Minimum number of questions per symbol. The answer for one date is compared with other dates of the same
 * symbol, so one question is not enough.
 */
const LEAST_OF_A_SYMBOL = 5;

const SYSTEM = `You are asked what you remember of a market's history. You have no data and no tools: answer from memory alone.
Answer with one JSON object and nothing else: {"direction": "up" or "down" or null, "close": a number or null}. null means that you do not know.`;

export interface ProbeOptions extends RunServices {
  readonly questions: number;
  readonly seed: number;
  readonly onProgress?: (done: number) => void;
}

/** Question about a market, and the answer of the model. */
interface ProbeAnswer {
  readonly symbol: string;
  readonly from: string;
  readonly to: string;
  readonly truth: { readonly direction: 'up' | 'down'; readonly close: number };
  readonly said: { readonly direction: 'up' | 'down' | null; readonly close: number | null };
}

/** Number of right answers, and the share of right answers expected by chance. */
interface ProbeScore {
  readonly answered: number;
  readonly right: number;
  /** Expected share of right answers if the model's answers are assigned to random dates. From 0 to 1. */
  readonly chance: number;
  /**
   * Probability of at least `right` right answers if the model's answers are assigned to random dates. `null`
   * if the model gave no answer.
   */
  readonly probability: number | null;
}

/** Result of testing a model's memory of a market. */
export interface ProbeReport {
  readonly model: string;
  readonly questions: number;
  /** Direction over 20 bars, tested with Fisher's exact test. */
  readonly direction: ProbeScore;
  /** Closes within 2 % of the true close, tested by permuting the dates of each symbol. */
  readonly level: ProbeScore;
  /**
   * Smaller probability of the two scores, doubled for two tests (Bonferroni). `null` if the model gave no
   * answer.
   */
  readonly probability: number | null;
  /**
   * Smallest possible `probability`: its value if every given answer were right. `null` if the model gave no
   * answer.
   */
  readonly smallest: number | null;
  /** True if `smallest` is significant, so that correct answers would have shown memory. */
  readonly hasPower: boolean;
  readonly remembers: boolean;
  readonly answers: readonly ProbeAnswer[];
}

/**
 * Queries a model about moves and levels of a market, without giving data to the model. Compares the right
 * answers with chance.
 *
 * @throws AppError `too_few_bars`, `model_unavailable`, `api_key_missing`, `no_power` if even a model that
 *   remembers everything would not differ from chance
 */
export async function probeModel(
  strategy: LlmStrategy,
  market: Market,
  options: ProbeOptions,
): Promise<ProbeReport> {
  const questions = questionsOf(market, options);
  checkPower(questions, options.seed);
  const exchanger = createExchanger(strategy, options, undefined);
  const answers: ProbeAnswer[] = [];
  for (const [index, question] of questions.entries()) {
    const said = await ask(exchanger, question, index);
    answers.push({ ...question, said });
    options.onProgress?.(index + 1);
  }
  const { direction, level, probability } = scoresOf(answers, options.seed);
  const remembers = probability !== null && probability < SIGNIFICANT;
  const smallest = smallestOf(answers, options.seed);
  return {
    model: strategy.model,
    questions: answers.length,
    direction,
    level,
    probability,
    smallest,
    hasPower: smallest !== null && smallest < SIGNIFICANT,
    remembers,
    answers,
  };
}

function scoresOf(
  answers: readonly ProbeAnswer[],
  seed: number,
): Pick<ProbeReport, 'direction' | 'level' | 'probability'> {
  const direction = directionScore(answers);
  const level = levelScore(answers, createRandom(seed, 'probe permutations'));
  return { direction, level, probability: ofTwo(direction.probability, level.probability) };
}

/** Returns `ProbeReport.probability` as if every given answer were right. `null` without given answers. */
function smallestOf(answers: readonly ProbeAnswer[], seed: number): number | null {
  const right = answers.map((answer) => ({
    ...answer,
    said: {
      direction: answer.said.direction === null ? null : answer.truth.direction,
      close: answer.said.close === null ? null : answer.truth.close,
    },
  }));
  return scoresOf(right, seed).probability;
}

function checkPower(questions: readonly Question[], seed: number): void {
  const smallest = smallestOf(
    questions.map((question) => ({ ...question, said: question.truth })),
    seed,
  );
  if (smallest !== null && smallest < SIGNIFICANT) return;
  const count = `${questions.length} ${questions.length === 1 ? 'question' : 'questions'}`;
  throw new AppError({
    code: 'no_power',
    message: `${count} cannot distinguish memory from chance: with all answers correct p would be ${(smallest ?? 1).toPrecision(2)}, and p below ${SIGNIFICANT} is needed.`,
    hint: 'Use more --questions, and data with more bars. Two questions cannot share a bar.',
  });
}

type Question = Omit<ProbeAnswer, 'said'>;

/**
 * Draws random spans of `SPAN` bars from random symbols, with their true directions and closes. No two spans
 * overlap in time, because overlapping price moves are not independent observations.
 */
export function questionsOf(
  { series }: Market,
  { questions, seed }: Pick<ProbeOptions, 'questions' | 'seed'>,
): Question[] {
  const random = createRandom(seed, 'probe');
  const longest = Math.max(0, ...series.map(({ time }) => time.length));
  const fit = Math.min(questions, Math.floor(longest / (SPAN + 1)));
  const asked = shuffledSome(series, Math.max(1, Math.floor(fit / LEAST_OF_A_SYMBOL)), random);
  const places = asked.flatMap(({ time, close }, symbol) =>
    Array.from({ length: Math.max(time.length - SPAN, 0) }, (_, index) => ({
      symbol,
      bar: index + SPAN,
    })).filter(
      // An unchanged close has no direction.
      ({ bar }) => close[bar] !== close[bar - SPAN],
    ),
  );
  if (places.length === 0) {
    throw new AppError({
      code: 'too_few_bars',
      message: `A probe needs ${SPAN} consecutive bars of a symbol, and no symbol has enough.`,
      hint: 'Use more data, or widen --from and --to.',
    });
  }
  const drawn: (Question & { readonly first: number; readonly last: number })[] = [];
  while (drawn.length < questions && places.length > 0) {
    const [place] = places.splice(random.integer(0, places.length - 1), 1);
    const { symbol, time, close } = asked[place!.symbol]!;
    const { bar } = place!;
    const [first, last] = [time[bar - SPAN]!, time[bar]!];
    if (drawn.some((other) => first <= other.last && last >= other.first)) continue;
    const direction = close[bar]! > close[bar - SPAN]! ? 'up' : 'down';
    const truth = { direction, close: close[bar]! } as const;
    drawn.push({ symbol, from: formatInstant(first), to: formatInstant(last), truth, first, last });
  }
  return drawn.map(({ first: _, last: __, ...question }) => question);
}

/** Returns at most `count` random series among the series with more than `SPAN` bars. */
function shuffledSome(series: Market['series'], count: number, random: Random): Market['series'] {
  const left = series.filter(({ time }) => time.length > SPAN);
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(random.integer(0, left.length - 1), 1)[0]!,
  );
}

const saidSchema = z.object({
  direction: z.enum(['up', 'down']).nullable().catch(null),
  close: z.number().positive().nullable().catch(null),
});

async function ask(exchanger: Exchanger, question: Question, index: number): Promise<ProbeAnswer['said']> {
  const { symbol, from, to } = question;
  const text = `${symbol}: was the close of ${to} above (up) or below (down) the close of ${from}? And what was the close of ${to}?`;
  const messages = [
    { role: 'system', text: SYSTEM },
    { role: 'user', text },
  ] as const;
  // An exchange needs a bar number, so the number of the question is used. The exchange is not recorded.
  const turn = { bar: index, record: () => undefined };
  const request = { messages, tools: [], final: true };
  try {
    const reply = await exchanger.round({ turn, round: 1, request, added: messages });
    return readSaid(reply.text);
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    throw new AppError({
      code: 'model_unavailable',
      message: `Question ${index + 1} failed: ${error.failure.kind}, ${error.failure.message}.`,
      hint: 'Check the server and the key, then probe again.',
      kind: 'run',
      cause: error,
    });
  }
}

/** Parses the JSON object in a reply. If the reply has no JSON object, the answers are `null`. */
export function readSaid(text: string): ProbeAnswer['said'] {
  try {
    return saidSchema.parse(JSON.parse(/\{[^{}]*\}/.exec(text)?.[0] ?? ''));
  } catch {
    return { direction: null, close: null };
  }
}

function directionScore(answers: readonly ProbeAnswer[]): ProbeScore {
  const answered = answers.filter(({ said }) => said.direction !== null);
  const score = fisherTest(
    answered.map(({ said }) => said.direction === 'up'),
    answered.map(({ truth }) => truth.direction === 'up'),
  );
  return scored(answered.length, score);
}

function levelScore(answers: readonly ProbeAnswer[], random: Random): ProbeScore {
  const answered = answers.filter(({ said }) => said.close !== null);
  // Answers are permuted only within a symbol. A model may know the rough price level of a symbol without
  // remembering the closes of single dates.
  const symbols = [...new Set(answered.map(({ symbol }) => symbol))];
  const groups = symbols.map((symbol) => {
    const own = answered.filter((answer) => answer.symbol === symbol);
    return own.map(({ said }) => own.map(({ truth }) => Math.abs(said.close! / truth.close - 1) <= NEAR));
  });
  return scored(answered.length, matchTest(groups, random));
}

function scored(answered: number, { right, expected, probability }: PermutationScore): ProbeScore {
  return {
    answered,
    right,
    chance: answered === 0 ? 0 : expected / answered,
    probability: answered === 0 ? null : probability,
  };
}

/**
 * Returns the smaller of two probabilities, corrected for two tests (Bonferroni). `null` if both are `null`.
 */
export function ofTwo(one: number | null, other: number | null): number | null {
  const known = [one, other].filter((probability) => probability !== null);
  return known.length === 0 ? null : Math.min(1, 2 * Math.min(...known));
}
