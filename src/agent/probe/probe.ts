import { z } from 'zod';
import type { Turn } from '../../engine/index.ts';
import { AppError, createRandom, formatInstant } from '../../kernel/index.ts';
import type { Market } from '../../market/index.ts';
import { exchangerFor } from '../llm/asking.ts';
import type { LlmStrategy } from '../llm/strategy-file.ts';
import { type Exchanger, ModelUnavailable } from '../model/exchange.ts';
import type { RunServices } from '../run-services.ts';
import { binomialTail } from './binomial.ts';

/** Bars over which a move is asked for. */
const SPAN = 20;
/** Share of the true close within which a level counts as known. */
const NEAR = 0.02;
/** How unlikely a score must be by chance to be called memory. */
const SIGNIFICANT = 0.01;

const SYSTEM = `You are asked what you remember of a market's history. You have no data and no tools: answer from memory alone.
Answer with one JSON object and nothing else: {"direction": "up" or "down" or null, "close": a number or null}. null means that you do not know.`;

export interface ProbeOptions extends RunServices {
  readonly questions: number;
  readonly seed: number;
  readonly onProgress?: (done: number) => void;
}

/** One question and what came of it. */
interface ProbeAnswer {
  readonly symbol: string;
  readonly from: string;
  readonly to: string;
  readonly truth: { readonly direction: 'up' | 'down'; readonly close: number };
  readonly said: { readonly direction: 'up' | 'down' | null; readonly close: number | null };
}

/** A score beside what guessing gets. */
interface ProbeScore {
  readonly answered: number;
  readonly right: number;
  /** Share of right answers that guessing gets. */
  readonly chance: number;
  /** Probability of at least as many right answers by guessing. */
  readonly probability: number | null;
}

/** What a model remembers of a market. */
export interface ProbeReport {
  readonly model: string;
  readonly questions: number;
  /** Up or down over 20 bars; chance is always saying what is more frequent. */
  readonly direction: ProbeScore;
  /** A close within 2 %; chance is the same answers put to the other dates. */
  readonly level: ProbeScore;
  readonly remembers: boolean;
  readonly answers: readonly ProbeAnswer[];
}

/**
 * Asks a model, without data, about moves and levels of a market, and scores it against chance.
 *
 * @throws AppError `too_few_bars`, `model_unavailable`, `api_key_missing`
 */
export async function probeModel(
  strategy: LlmStrategy,
  market: Market,
  options: ProbeOptions,
): Promise<ProbeReport> {
  const exchanger = exchangerFor(strategy, options, undefined);
  const answers: ProbeAnswer[] = [];
  for (const [index, question] of questionsOf(market, options).entries()) {
    const said = await ask(exchanger, question, index);
    answers.push({ ...question, said });
    options.onProgress?.(index + 1);
  }
  const direction = directionScore(answers);
  const level = levelScore(answers);
  const remembers = [direction, level].some(
    ({ probability }) => probability !== null && probability < SIGNIFICANT,
  );
  return { model: strategy.model, questions: answers.length, direction, level, remembers, answers };
}

type Question = Omit<ProbeAnswer, 'said'>;

function questionsOf({ series }: Market, { questions, seed }: ProbeOptions): Question[] {
  const places = series.flatMap(({ time }, symbol) =>
    Array.from({ length: Math.max(time.length - SPAN, 0) }, (_, index) => ({ symbol, bar: index + SPAN })),
  );
  if (places.length === 0) {
    throw new AppError({
      code: 'too_few_bars',
      message: `A probe asks about moves over ${SPAN} bars, and no symbol has more than ${SPAN}.`,
      remedy: 'Name more data, or widen --from and --to.',
    });
  }
  const random = createRandom(seed, 'probe');
  const drawn: Question[] = [];
  while (drawn.length < questions && places.length > 0) {
    const [place] = places.splice(random.integer(0, places.length - 1), 1);
    const { symbol, time, close } = series[place!.symbol]!;
    const { bar } = place!;
    const [before, now] = [close[bar - SPAN]!, close[bar]!];
    // What stood still has no direction to remember.
    if (before === now) continue;
    drawn.push({
      symbol,
      from: formatInstant(time[bar - SPAN]!),
      to: formatInstant(time[bar]!),
      truth: { direction: now > before ? 'up' : 'down', close: now },
    });
  }
  return drawn;
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
  // A question stands where a bar stands in a run; nothing of it is written down.
  const turn = { bar: index, record: () => undefined } as unknown as Turn;
  const request = { messages, tools: [], final: true };
  try {
    const reply = await exchanger.round({ turn, round: 1, request, added: messages });
    return readSaid(reply.text);
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    throw new AppError({
      code: 'model_unavailable',
      message: `The model could not be asked question ${index + 1}: ${error.failure.kind}, ${error.failure.message}.`,
      remedy: 'Check the server and the key, then probe again.',
      kind: 'run',
      cause: error,
    });
  }
}

/** The JSON object in a reply; a reply without one knows nothing. */
export function readSaid(text: string): ProbeAnswer['said'] {
  try {
    return saidSchema.parse(JSON.parse(/\{[^{}]*\}/.exec(text)?.[0] ?? ''));
  } catch {
    return { direction: null, close: null };
  }
}

function directionScore(answers: readonly ProbeAnswer[]): ProbeScore {
  const answered = answers.filter(({ said }) => said.direction !== null);
  const right = answered.filter(({ said, truth }) => said.direction === truth.direction).length;
  const ups = answered.filter(({ truth }) => truth.direction === 'up').length;
  const chance = answered.length === 0 ? 0.5 : Math.max(ups, answered.length - ups) / answered.length;
  return scored(answered.length, right, chance);
}

function levelScore(answers: readonly ProbeAnswer[]): ProbeScore {
  const answered = answers.filter(({ said }) => said.close !== null);
  const isNear = (one: ProbeAnswer, other: ProbeAnswer): boolean =>
    Math.abs(one.said.close! / other.truth.close - 1) <= NEAR;
  const right = answered.filter((answer) => isNear(answer, answer)).length;
  let pairs = 0;
  let hits = 0;
  for (const one of answered) {
    for (const other of answered) {
      if (one === other) continue;
      pairs += 1;
      if (isNear(one, other)) hits += 1;
    }
  }
  // No chance at all is no measure: what happened never counts as less likely than one in the pairs there are.
  return scored(answered.length, right, pairs === 0 ? 0.5 : Math.max(hits, 1) / pairs);
}

function scored(answered: number, right: number, chance: number): ProbeScore {
  return {
    answered,
    right,
    chance,
    probability: answered === 0 ? null : binomialTail(answered, right, chance),
  };
}
