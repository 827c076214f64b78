import type { StressFigure, StressFigureName, WorldRow } from './distribution.ts';
import type { TradeCones } from './trade-cones.ts';

/**
 * Conclusion from the 95% interval of the share of worlds (artificial markets) that did as well as the run.
 * `beyond_luck`: the whole interval is at or below 5%. `luck_would_do`: the whole interval is above 5%.
 * `undecided`: the interval contains 5%, or the number of worlds is too small. `no_evidence`: the run has no
 * figure to compare, or the strategy never had a position. `band`: the worlds are not a null hypothesis, so a
 * p-value does not exist.
 */
export type StressState = 'beyond_luck' | 'luck_would_do' | 'undecided' | 'no_evidence' | 'band';

export const STRESS_WORDS = {
  beyond_luck: 'Beyond luck',
  luck_would_do: 'Explained by luck',
  undecided: 'Undecided',
  no_evidence: 'No evidence',
  band: 'Band',
} as const satisfies Record<StressState, string>;

export interface StressVerdict {
  readonly state: StressState;
  /** Figure on which the verdict is based. */
  readonly figure: StressFigureName;
  /** Reasons for the verdict as sentences, most important first. */
  readonly because: readonly string[];
}

/**
 * Limit for the share of worlds (artificial markets) that did as well as the run. If the share is larger,
 * luck can explain the result of the run.
 */
const LUCK = 0.05;
/**
 * Minimum number of worlds for a verdict. With fewer worlds, the smallest possible p, 1 / (1 + worlds), is
 * above `LUCK`.
 */
const FEWEST_WORLDS = Math.round(1 / LUCK) - 1;

const WORLDS_WORDS: Readonly<Record<string, string>> = {
  permute: 'the same bars in another order',
  'block-bootstrap': 'resampled blocks of its bars',
  regime: 'returns simulated in its regimes',
  noise: 'prices moved a little',
};

/**
 * Returns the verdict of a stress test. The verdict is based on the Sharpe ratio, or on total return if the
 * Sharpe ratio is undefined.
 */
export function stressVerdict(
  kind: string,
  figures: Readonly<Record<StressFigureName, StressFigure>>,
  rows: readonly WorldRow[],
): StressVerdict {
  const figure: StressFigureName = figures.sharpe.actual === null ? 'totalReturn' : 'sharpe';
  const found = figures[figure];
  const asked = rows.length;
  const failed = rows.filter(({ outcome }) => outcome === 'failed').length;
  const more = failed === 0 ? [] : [failedText(failed, asked, kind)];
  const name = figure === 'sharpe' ? 'Sharpe ratio' : 'total return';
  const text = figure === 'sharpe' ? ratioText : percentText;
  const { actual, p, asGood, interval, quantiles } = found;
  if (actual === null || quantiles === null || asked === 0)
    return { state: 'no_evidence', figure, because: [`The run has no ${name} to compare.`, ...more] };
  if (figures.exposure.actual === 0)
    return { state: 'no_evidence', figure, because: ['The strategy never held a position.', ...more] };
  if (p === undefined || p === null || interval === undefined || interval === null)
    return {
      state: 'band',
      figure,
      because: [
        `In nine worlds of ten with prices moved a little the ${name} lay between ${text(quantiles.q05)} and ${text(quantiles.q95)}; with the prices as they were it was ${text(actual)}.`,
        ...more,
      ],
    };
  const state = stateOf(asked, interval);
  const endings = {
    beyond_luck: 'luck alone rarely gives such a result',
    luck_would_do: 'luck can explain the result',
    undecided: 'undecided with this number of worlds; run more worlds',
  } as const;
  return {
    state,
    figure,
    because: [
      `${shareText((asGood ?? 0) / asked)} of the worlds without this edge did as well: ${endings[state]}.`,
      `The ${name} was ${text(actual)}; that of ${asked.toLocaleString('en-US')} ${asked === 1 ? 'world' : 'worlds'} made of ${WORLDS_WORDS[kind] ?? kind} was ${text(quantiles.q50)} in the middle, and ${text(quantiles.q95)} was exceeded by one in twenty. p = ${probabilityText(p)}, 95% interval of the share ${probabilityText(interval.low)} to ${probabilityText(interval.high)}.`,
      ...more,
    ],
  };
}

function stateOf(
  worlds: number,
  { low, high }: { readonly low: number; readonly high: number },
): 'beyond_luck' | 'luck_would_do' | 'undecided' {
  if (worlds < FEWEST_WORLDS) return 'undecided';
  if (high <= LUCK) return 'beyond_luck';
  return low > LUCK ? 'luck_would_do' : 'undecided';
}

function failedText(failed: number, asked: number, kind: string): string {
  const which =
    failed === 1
      ? 'One world'
      : `${failed.toLocaleString('en-US')} of ${asked.toLocaleString('en-US')} worlds`;
  return kind === 'noise'
    ? `${which} gave no result and ${failed === 1 ? 'is' : 'are'} not in the band.`
    : `${which} gave no result, and ${failed === 1 ? 'counts' : 'count'} as having done as well.`;
}

function shareText(share: number): string {
  if (share === 0) return 'None';
  const percent = share * 100;
  return `${percent < 1 ? percent.toFixed(1) : percent.toFixed(0)}%`;
}

export function probabilityText(value: number): string {
  return value < 0.1 ? value.toFixed(3) : value.toFixed(2);
}

function ratioText(value: number): string {
  return value.toFixed(2).replace('-', '−');
}

function percentText(value: number): string {
  return `${(value * 100).toFixed(1).replace('-', '−')}%`;
}

/** Result of a stress test: `stress.json`. The same test always results in the same bytes. */
export interface StressReport {
  readonly schema: 1;
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly firstBar: string | null;
  readonly lastBar: string | null;
  /**
   * Number of worlds in which the strategy was run, including failed runs. `asked` is the number of requested
   * worlds, which is larger if a budget or Ctrl-C ended the test.
   */
  readonly worlds: number;
  readonly asked: number;
  readonly kind: string;
  readonly seed: number;
  /** Parameters for generating the worlds. */
  readonly made: {
    readonly bars: number;
    readonly made: number;
    readonly blockLength?: number;
    readonly regimes?: readonly {
      readonly share: number;
      readonly bars: number;
      readonly mean: number;
      readonly deviation: number;
    }[];
    readonly noise?: { readonly unit: string; readonly size: number };
  };
  readonly failed: number;
  readonly insolvent: number;
  /** Errors of failed worlds with their counts, most frequent first. */
  readonly failures: readonly { readonly error: string; readonly worlds: number }[];
  readonly verdict: StressVerdict;
  readonly figures: Readonly<Record<StressFigureName, StressFigure>>;
  /**
   * Simulation of the trades in random order. Present only if requested. `null` if the run closed fewer than
   * two trades or lost everything.
   */
  readonly shuffledTrades?: TradeCones | null;
  readonly notes: readonly string[];
}
