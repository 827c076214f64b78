import {
  type Figure,
  figure,
  figureEntry,
  type Metrics,
  type TrialCount,
  undefinedBecause,
} from '../../results/analysis/index.ts';
import type { SweepOfRun } from '../../results/runs/index.ts';
import { integer, percent, ratio } from '../shared/formats.ts';
import { type Content, type Html, html, readStamp } from '../shared/html.ts';
import { objectiveFormat, valueText } from '../sweep/plots.ts';
import { table } from './figure-table.ts';
import { command, type NextSource, spaceOf, WALK_FORWARD } from './next-steps.ts';

/**
 * Figures that show how likely it is that luck caused the Sharpe ratio of a run. They consider the length of
 * the run and the number of trials.
 */
export interface Luck {
  readonly psr: Figure;
  /**
   * Trials of the search to which the run belongs: runs of the same strategy with different parameters on the
   * same data. `undefined` if no results folder was read.
   */
  readonly trials: TrialCount | undefined;
  readonly dsr: Figure;
  /** Time at which the trials were counted. `undefined` if they were not counted. */
  readonly readAt: Date | undefined;
}

/**
 * Returns the figures that show the effect of luck on the Sharpe ratio.
 *
 * @param trials trials of the search to which the run belongs; `undefined` if the results folder was not read
 * @param dsr deflated Sharpe ratio, calculated from the trials
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

/**
 * Function that returns the address of a page in another folder. Returns `undefined` if the page cannot be
 * linked.
 */
export type PageAddress = (folder: string, page: string) => string | undefined;

/**
 * Returns the section about robustness: the effect of luck, and sweeps and stress tests of the run's
 * strategy. For each test, it shows the result or the command that runs the test.
 */
export function robustnessPart(luck: Luck, source: NextSource, addressOf: PageAddress): Html {
  const sweep = source.tests?.sweeps[0];
  return html`${luckTable(luck)}<h3>Tests</h3><dl class="tests">${testsOf(source, addressOf).map(
    ({ title, result, detail, link, line }) =>
      html`<div><dt>${title}: <b>${result}</b></dt><dd>${detail} ${link}${line === undefined ? '' : html`<code class="command">${line}</code>`}</dd></div>`,
  )}</dl>${sweep?.hasRun === true ? sensitivity(sweep, source) : ''}`;
}

function luckTable({ psr, trials, dsr, readAt }: Luck): Html {
  const shown: readonly (readonly [string, string, Figure])[] = [
    ['Probabilistic Sharpe ratio (PSR)', percent(psr.value), psr],
    ...(trials === undefined
      ? []
      : ([
          ['Best Sharpe ratio expected by luck', ratio(trials.luckySharpe.value), trials.luckySharpe],
          ['Deflated Sharpe ratio (DSR)', percent(dsr.value), dsr],
        ] as const)),
  ];
  const rows = shown.map(([name, value, { reason, convention }]): Content[] => [
    name,
    value,
    html`<span class="note">${reason === undefined ? convention : `not defined: ${reason}`}</span>`,
  ]);
  const counted =
    trials === undefined
      ? 'The number of trials before this run is not known here. sandtable compare counts them.'
      : html`${readAt === undefined ? '' : html`${readStamp(readAt)} `}${`As of ${integer(trials.trials)} ${trials.trials === 1 ? 'trial' : 'different trials'} (${integer(trials.runs)} ${trials.runs === 1 ? 'run' : 'runs'}) of this strategy on these data and this period in the results folder and its ledger. Later trials change this count: sandtable serve and sandtable compare read the folder again.`}`;
  return html`${table('Luck', ['Figure', 'Value', 'Convention'], rows)}<p class="note">${counted}</p>`;
}

/** Test of robustness with its result, or with the command that runs it. */
interface RobustnessTest {
  readonly title: string;
  readonly result: string;
  readonly detail: string;
  readonly link?: Content;
  readonly line?: string | undefined;
}

const NOT_TESTED = 'not tested';

function testsOf(source: NextSource, addressOf: PageAddress): RobustnessTest[] {
  const { tests, record } = source;
  const { strategy } = record.started;
  const space = spaceOf(source);
  const isModel = ['llm', 'agent'].includes(strategy.kind);
  const linked = (folder: string, name: string, page: string): Content => {
    const href = addressOf(folder, page);
    return href === undefined ? name : html`<a href="${href}">${name}</a>`;
  };
  const sweepLine = (more: string): string | undefined =>
    space === undefined ? undefined : command('sweep', source, `${space}${more}`);
  const sweep = tests?.sweeps[0];
  const forward = tests?.sweeps.find(({ result }) => result.walkForward !== null);
  const stress = tests?.stress[0];
  const found: (RobustnessTest | undefined)[] = [
    ...(sweep === undefined
      ? sweepMissing(sweepLine(''))
      : sweepFound(sweep, source, linked(sweep.folder, sweep.sweepId, 'sweep.html'))),
    forward === undefined
      ? {
          title: 'Walk-forward',
          result: NOT_TESTED,
          detail: 'Parameters chosen on one period and tested on the next.',
          line: sweepLine(` ${WALK_FORWARD}`),
        }
      : walkForward(forward, linked(forward.folder, forward.sweepId, 'sweep.html')),
    stress === undefined
      ? {
          title: 'Stress test',
          result: NOT_TESTED,
          detail: 'Results in markets without an edge.',
          line: isModel ? undefined : command('stress', source),
        }
      : {
          title: 'Stress test',
          result:
            stress.report.figures.sharpe?.p == null
              ? stress.report.kind
              : `p = ${ratio(stress.report.figures.sharpe.p)}`,
          detail: stress.report.verdict.because[0] ?? '',
          link: linked(stress.folder, stress.stressId, 'stress.html'),
        },
  ];
  return found.filter((test) => test !== undefined);
}

function sweepMissing(line: string | undefined): RobustnessTest[] {
  return [
    {
      title: 'Probability of backtest overfitting (PBO), neighbours and parameter sensitivity',
      result: NOT_TESTED,
      detail:
        line === undefined
          ? 'The strategy has no whole-numbered parameter of 2 or more to vary. Name one with sweep --param.'
          : 'A sweep shows the figures of nearby parameter values and the plateau around the best.',
      line,
    },
  ];
}

function sweepFound({ result, hasRun }: SweepOfRun, { record }: NextSource, link: Content): RobustnessTest[] {
  const { pbo, plateau, best, objective, counts } = result;
  const write = objectiveFormat(objective.text);
  const label = figureEntry(objective.text)?.label ?? objective.text;
  const parameters = record.started.strategy.parameters as Readonly<Record<string, unknown>>;
  const place = result.top.findIndex((trial) =>
    Object.entries(trial.parameters).every(([name, value]) => parameters[name] === value),
  );
  const own =
    hasRun === undefined
      ? ''
      : !hasRun
        ? '; the parameters of this run are not among them'
        : place < 0
          ? '; this run is not among the best ten'
          : `; this run has rank ${place + 1}`;
  const ofBest = plateau === null ? 'No trial has an objective.' : plateau.text;
  return [
    {
      title: 'Probability of backtest overfitting (PBO)',
      result: pbo.value === null ? 'not defined' : percent(pbo.value),
      detail:
        pbo.value === null
          ? `${pbo.reason ?? ''}.`
          : `${pbo.interval === null ? '' : `95% interval ${percent(pbo.interval[0])} to ${percent(pbo.interval[1])}. `}The share of ways to halve the period in which the best trial of one half is below the median in the other.`,
      link,
    },
    {
      title: hasRun ? 'Neighbours in the sweep' : 'Neighbours of the best trial',
      result: plateau?.state ?? 'unknown',
      detail: `${ofBest} ${integer(counts.trials)} trials${best === null ? '' : `; best ${label} ${write(best.objective)}`}${own}.`,
      link,
    },
  ];
}

function walkForward(
  { result: { walkForward: found } }: SweepOfRun,
  link: Content,
): RobustnessTest | undefined {
  if (found === null) return undefined;
  const { windows, sharpe, efficiency, terms } = found;
  return {
    title: 'Walk-forward',
    result: sharpe === null ? 'not defined' : `Sharpe ratio ${ratio(sharpe)} out of sample`,
    detail: `${integer(windows.length)} windows, train ${terms.train}, test ${terms.test}${efficiency === null ? '' : `; efficiency ${percent(efficiency, 0)}`}.`,
    link,
  };
}

/**
 * Returns a table of the mean objective (the figure that the sweep optimises) by parameter value. It shows
 * the value of the run and the next lower and higher values.
 */
function sensitivity({ result }: SweepOfRun, { record }: NextSource): Html | string {
  const parameters = record.started.strategy.parameters as Readonly<Record<string, unknown>>;
  const write = objectiveFormat(result.objective.text);
  const rows = result.slices.flatMap(({ parameter, points }): Content[][] => {
    const own = points.findIndex(({ value }) => value === parameters[parameter]);
    if (own < 0) return [];
    const cell = (place: number): string => {
      const point = points[place];
      return point === undefined ? '–' : `${valueText(point.value)}: ${write(point.mean)}`;
    };
    return [[parameter, cell(own - 1), cell(own), cell(own + 1), integer(points[own]!.trials)]];
  });
  if (rows.length === 0) return '';
  return html`<h3>Parameter sensitivity</h3>${table(
    'Parameter sensitivity',
    ['Parameter', 'Next lower value', 'This run', 'Next higher value', 'Trials per value'],
    rows,
  )}<p class="note">${`Mean ${figureEntry(result.objective.text)?.label ?? result.objective.text} of the trials with each value, over all values of the other parameters.`}</p>`;
}
