import { z } from 'zod';
import { equityNumberOf } from '../../../engine/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import {
  type Annualising,
  atEqualVolatility,
  type CommonPeriod,
  type PairedReturns,
} from '../benchmark/against-benchmark.ts';
import { type Undefined, undefinedBecause } from '../figures/figures.ts';
import { type PairedDifference, pairedDifference } from '../series/bootstrap.ts';
import { ENOUGH_SESSIONS } from '../series/ratios.ts';
import { seededDraws } from '../series/resamples.ts';
import { ambiguityOf } from './evaluation.ts';

const VERDICT_STATES = [
  'broke',
  'incomplete',
  'no_evidence',
  'indistinguishable',
  'worse',
  'better',
] as const;
export type VerdictState = (typeof VERDICT_STATES)[number];

/** Verdict on a run, with reasons. */
export const verdictSchema = z.strictObject({
  state: z.enum(VERDICT_STATES),
  /** Reasons as sentences, most important first. Never empty. */
  because: z.array(z.string()).min(1),
  /**
   * Interval of the difference in mean annualised return between the run and the benchmark at equal
   * volatility. Present only if the run was compared with the benchmark.
   */
  interval: z
    .strictObject({
      estimate: z.number(),
      low: z.number(),
      high: z.number(),
      confidence: z.number(),
      resamples: z.number().int(),
      /** Mean length of the bootstrap blocks, in sessions. */
      blockLength: z.number().int(),
      /** Number of session returns that were compared. */
      sessions: z.number().int(),
    })
    .optional(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** Minimum number of closed trades for a verdict. */
export const ENOUGH_TRADES = 30;

/**
 * Difference of annualised returns up to which run and benchmark count as equal, because of float64 rounding.
 */
const ROUNDING = 1e-9;

/** Inputs of a verdict. */
export interface VerdictSource {
  readonly record: RunRecord;
  /** Session returns of the run and its benchmark, or the reason why they are missing. */
  readonly pair: PairedReturns | Undefined;
  /** Number of session returns of the run. */
  readonly sessions: number;
  readonly terms: Annualising;
  /** Name of the benchmark. `undefined` for the benchmark of all symbols of the run. */
  readonly benchmark: string | undefined;
  readonly commonPeriod: CommonPeriod | null;
}

/**
 * Returns the verdict on a run. Only this function decides if a run is better or worse than its benchmark.
 *
 * A run is compared with its benchmark at equal volatility by the paired stationary bootstrap. The seed is
 * fixed, so the same run always has the same verdict.
 */
export function verdictOf(source: VerdictSource): Verdict {
  const { record } = source;
  const broke = whyBroke(record);
  if (broke.length > 0) return { state: 'broke', because: broke };
  const incomplete = whyIncomplete(record);
  if (incomplete.length > 0) return { state: 'incomplete', because: incomplete };
  const tooLittle = tooLittleOf(source);
  if (tooLittle.length > 0) return { state: 'no_evidence', because: tooLittle };
  const found = difference(source);
  if ('reason' in found)
    return { state: 'no_evidence', because: [`There is nothing to compare the run with: ${found.reason}.`] };
  return compared(found, source);
}

/** Display names of verdicts. */
export const VERDICT_WORDS = {
  broke: 'Broke',
  incomplete: 'Incomplete',
  no_evidence: 'No evidence',
  indistinguishable: 'Indistinguishable',
  worse: 'Worse',
  better: 'Better',
} as const satisfies Record<VerdictState, string>;

/** Returns a verdict with its reasons as text. */
export function verdictText({ state, because }: Verdict): string {
  const [first = ''] = because;
  // For `better` and `worse`, the first sentence already begins with the name of the verdict.
  const word = first.startsWith(VERDICT_WORDS[state]) ? '' : `${VERDICT_WORDS[state]}. `;
  return word + because.join(' ');
}

/** Returns true if reports may use positive wording and green for the run. */
export function isFavourable({ state }: Pick<Verdict, 'state'>): boolean {
  return state === 'better';
}

function whyBroke({ outcome, bars, insolvency }: RunRecord): string[] {
  if (insolvency !== undefined) {
    const date = bars.find(({ bar }) => bar === insolvency.bar)?.date ?? `bar ${insolvency.bar}`;
    return [
      `Equity fell to ${amount(insolvency.equity)} on ${date}: the run ended there, with everything closed.`,
    ];
  }
  const below = bars.find((bar) => !(equityNumberOf(bar) > 0));
  if (below !== undefined)
    return [`Equity fell to ${amount(below.equity)} on ${below.date}: everything was lost.`];
  return outcome === 'insolvent' ? ['The run ended insolvent: its equity was gone.'] : [];
}

const ENDINGS: Readonly<Record<string, string>> = {
  failed: 'The strategy crashed',
  interrupted: 'The run was interrupted',
  stopped: 'The run was stopped',
  budget_exhausted: 'The run used up its budget',
};

function whyIncomplete({ outcome, bars, started, damage, commissionPaid, error }: RunRecord): string[] {
  const isKilled = commissionPaid === null;
  // The number of processed bars includes bars before the evaluation date, which the record may omit.
  const processed = (bars.at(-1)?.bar ?? -1) + 1;
  if (outcome === 'completed' && !isKilled && damage.length === 0) return [];
  if (error?.code === 'look_ahead' && processed === 0)
    return ['The run was refused for look-ahead: its signals depend on later bars. No bar was traded.'];
  const ending = isKilled ? 'The run was killed' : (ENDINGS[outcome] ?? 'The journal is not whole');
  return [
    `${ending} after ${number(processed)} of ${number(started.bars)} bars. The figures are of these bars only.`,
  ];
}

function tooLittleOf({ record, sessions, pair, commonPeriod }: VerdictSource): string[] {
  const because: string[] = [];
  const trades = record.trades.length;
  if (trades < ENOUGH_TRADES)
    because.push(`Too few trades to judge: ${trades} closed, at least ${ENOUGH_TRADES} needed.`);
  const common = 'reason' in pair ? sessions : pair.own.length;
  if (common < ENOUGH_SESSIONS) {
    const of = commonPeriod === null ? '' : ' shared with the benchmark';
    because.push(
      `Too few sessions to judge: ${common} session ${common === 1 ? 'return' : 'returns'}${of}, at least ${ENOUGH_SESSIONS} needed.`,
    );
  }
  return because;
}

function difference({ pair, terms }: VerdictSource): PairedDifference | Undefined {
  if ('reason' in pair) return pair;
  const scaled = atEqualVolatility(pair, terms.riskFree);
  if ('reason' in scaled) return scaled;
  if (scaled.scale === 0) return undefinedBecause('session returns do not vary');
  return (
    pairedDifference(pair.own, scaled.returns, terms.periodsPerYear, drawOfVerdict) ??
    undefinedBecause('there are too few sessions')
  );
}

/** Draws the resamples of the verdict. The table against the benchmark uses the same resamples. */
export const drawOfVerdict = seededDraws('verdict');

function compared({ meanReturn, ...how }: PairedDifference, source: VerdictSource): Verdict {
  const { low, high } = meanReturn;
  const state = low > ROUNDING ? 'better' : high < -ROUNDING ? 'worse' : 'indistinguishable';
  const { benchmark } = source;
  const name = benchmark === undefined ? 'buying and holding' : `buying and holding ${benchmark}`;
  const range = `${points(low)} to ${points(high)} points annualised`;
  const flattering = state === 'better' ? flatteringTerms(source.record) : [];
  const sentences = {
    better: `Better than ${name} at equal volatility, by ${range}`,
    worse: `Worse than ${name} at equal volatility, by ${range}`,
    indistinguishable: `Not distinguishable from ${name} at equal volatility: the difference is ${range}`,
  } as const;
  const count = source.record.trades.length;
  const sessions = 'reason' in source.pair ? 0 : source.pair.own.length;
  const { commonPeriod: common } = source;
  return {
    state: flattering.length > 0 ? 'no_evidence' : state,
    because: [
      ...flattering,
      `${flattering.length > 0 ? 'On these terms: ' : ''}${sentences[state]} (${how.confidence * 100}% interval, ${number(sessions)} sessions, ${number(count)} closed trades).`,
      ...(common === null
        ? []
        : [
            `${benchmark ?? 'The benchmark'} covers only ${common.firstBar} to ${common.lastBar}, and the verdict is of these days.`,
          ]),
    ],
    interval: {
      ...meanReturn,
      confidence: how.confidence,
      resamples: how.resamples,
      blockLength: how.blockLength,
      sessions,
    },
  };
}

/**
 * Returns one sentence for each setting that fills more orders than a real market, or fills at better prices.
 * Warnings about custom costs are reported separately.
 */
function flatteringTerms({ started: { stamps = [] }, ...record }: RunRecord): string[] {
  return [
    ...(stamps.includes('better answers booked') && ambiguityOf(record).ambiguousBars > 0
      ? [
          'In bars with several possible outcomes the best one was used. For a cautious result, use --resolve worst.',
        ]
      : []),
    ...(stamps.includes('same-bar fills')
      ? [
          'Orders were filled at the close of the bar that they were decided on. For a realistic result, fill them at the next open.',
        ]
      : []),
  ];
}

function amount(value: string): string {
  return Number(value)
    .toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    .replace('-', '−');
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}

function points(value: number): string {
  const text = (value * 100)
    .toFixed(2)
    .replace(/^-(0\.00)$/, '$1')
    .replace('-', '−');
  return value > 0 && text !== '0.00' ? `+${text}` : text;
}
