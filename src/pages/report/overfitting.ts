import type { Metrics, TrialCount } from '../../analysis/index.ts';
import { type Figure, figure, undefinedBecause } from '../../analysis/index.ts';
import { integer, percent, ratio } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { readStamp } from '../shared/read-stamp.ts';
import { table } from './sections.ts';

/** Reliability of a Sharpe ratio, given the length of the run and the number of trials. */
export interface Luck {
  readonly psr: Figure;
  /** Undefined if no results folder was read. */
  readonly trials: TrialCount | undefined;
  readonly dsr: Figure;
  /** Time at which the trials were counted. Undefined if they were not. */
  readonly readAt: Date | undefined;
}

/**
 * Returns the reliability of the run's Sharpe ratio.
 *
 * @param trials trials of the run's search in its results folder
 */
export function overfittingOf(
  metrics: Metrics,
  trials: TrialCount | undefined,
  dsr: Figure | undefined,
  readAt?: Date | undefined,
): Luck {
  const unknown = figure(
    'deflated Sharpe ratio',
    undefinedBecause('the run’s results folder was not looked at'),
  );
  return { psr: metrics.psr, trials, dsr: dsr ?? unknown, readAt };
}

/** Returns the section on the probability that the Sharpe ratio is due to luck. */
export function overfittingTable({ psr, trials, dsr, readAt }: Luck): Html {
  const shown: readonly (readonly [string, string, Figure])[] = [
    ['Truly above 0 (PSR)', percent(psr.value), psr],
    ...(trials === undefined
      ? []
      : ([
          ['What luck would show', ratio(trials.luckySharpe.value), trials.luckySharpe],
          ['Truly above that (DSR)', percent(dsr.value), dsr],
        ] as const)),
  ];
  const rows = shown.map(([name, value]): Content[] => [name, value]);
  const notes = shown.map(
    ([name, , { reason, convention }]) =>
      html`<p class="note">${name}: ${reason === undefined ? convention : `not defined: ${reason}`}.</p>`,
  );
  const counted =
    trials === undefined
      ? 'How many variants were tried before this one is not known here; sandtable compare counts them.'
      : html`${readAt === undefined ? '' : html`${readStamp(readAt)} `}${`As of ${integer(trials.trials)} ${trials.trials === 1 ? 'trial' : 'different trials'} (${integer(trials.runs)} ${trials.runs === 1 ? 'run' : 'runs'}) of this strategy on these data and this period in the results folder and its ledger. Later trials change this count: sandtable serve and sandtable compare read the folder again.`}`;
  return html`${table('Could it be luck?', ['Sharpe ratio', 'Value'], rows)}${notes}<p class="note">${counted}</p>`;
}
