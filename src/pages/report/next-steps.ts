import { isJsonObject } from '../../engine/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import type { Figure, Metrics, TrialCount } from '../../results/analysis/index.ts';
import type { Manifest, TestsOfRun } from '../../results/runs/index.ts';
import { integer, percent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';

/** Facts of a run from which the next steps are derived. */
export interface NextSource {
  readonly record: RunRecord;
  readonly metrics: Metrics;
  readonly manifest: Manifest | undefined;
  /**
   * Trials of the search to which the run belongs: runs of the same strategy with different parameters on the
   * same data. `undefined` if the results folder was not read.
   */
  readonly trials: TrialCount | undefined;
  readonly dsr: Figure | undefined;
  /**
   * Sweeps and stress tests of the same strategy on the same data. `undefined` if the results folder was not
   * read.
   */
  readonly tests?: TestsOfRun | undefined;
  readonly runId: string;
}

export interface Step {
  readonly title: string;
  readonly why: string;
  /** Command line of the step. Omitted if no command performs the step. */
  readonly command?: string | undefined;
}

/** Maximum number of suggested next steps. */
const MOST = 3;
const ENOUGH_TRADES = 30;
/**
 * Level of the deflated Sharpe ratio, which is a probability. From this level on, the result of the best
 * trial is usually considered more than luck.
 */
const USUAL = 0.95;
/**
 * Probability of overfitting. From this value on, choosing the best trial is at most as good as choosing at
 * random.
 */
const COIN = 0.5;

/** Returns the card with up to three next steps, each with its reason and its command. */
export function nextCard(source: NextSource): Html {
  const steps = nextSteps(source);
  if (steps.length === 0) return html``;
  return html`<section id="next" class="next card" aria-labelledby="next-title"><h2 id="next-title" class="of-whole">Next</h2><ol class="columns narrow">${steps.map(
    ({ title, why, command }) =>
      html`<li><b>${title}</b> <span>${why}</span>${command === undefined ? '' : html`<code class="command">${command}</code>`}</li>`,
  )}</ol></section>`;
}

/** Returns up to three next steps, the most important first. */
export function nextSteps(source: NextSource): Step[] {
  const { record, metrics } = source;
  if (record.bars.length === 0) return [];
  const isModel = ['llm', 'agent'].includes(record.started.strategy.kind);
  const { state } = metrics.verdict;
  const steps = [
    unfinished(source),
    costs(source),
    ...(state === 'broke' || state === 'incomplete'
      ? []
      : [period(source), isModel ? repeat(source) : luck(source), isModel ? undefined : search(source)]),
  ];
  return steps.filter((step) => step !== undefined).slice(0, MOST);
}

function unfinished({ record, metrics, runId }: NextSource): Step | undefined {
  if (metrics.verdict.state !== 'incomplete' || record.outcome === 'failed') return undefined;
  return {
    title: 'Resume the run.',
    why: 'It processed only a part of its bars.',
    command: `npx sandtable resume ${runId}`,
  };
}

function costs(source: NextSource): Step | undefined {
  const { record, metrics } = source;
  const paid = Number(metrics.commission.value ?? 0) + Number(metrics.slippage.value ?? 0);
  if (record.fills.length === 0 || paid > 0) return undefined;
  return {
    title: 'Rerun with costs.',
    why: `${integer(record.fills.length)} fills cost nothing.`,
    command: command('run', source, '--commission 0.0005 --slippage-bps 5'),
  };
}

function period(source: NextSource): Step | undefined {
  const { metrics, manifest } = source;
  const trades = metrics.tradeCount.value ?? 0;
  if (trades >= ENOUGH_TRADES) return undefined;
  const flags = manifest?.inputs?.flags;
  const isPart = flags?.from !== undefined || flags?.to !== undefined;
  return {
    title: 'Test a longer period.',
    why: `${integer(trades)} closed ${trades === 1 ? 'trade' : 'trades'}; a verdict needs at least ${ENOUGH_TRADES}.${isPart ? '' : ' Add earlier data or more symbols.'}`,
    command: isPart ? command('run', source, '', ['from', 'to']) : undefined,
  };
}

function luck(source: NextSource): Step | undefined {
  const { state } = source.metrics.verdict;
  const isTested = (source.tests?.stress.length ?? 0) > 0;
  if (isTested || (state !== 'indistinguishable' && state !== 'better')) return undefined;
  return {
    title: 'Test it against luck.',
    why:
      state === 'better'
        ? 'Run it in markets without its edge.'
        : 'It is indistinguishable from its benchmark.',
    command: command('stress', source),
  };
}

function repeat(source: NextSource): Step {
  return {
    title: 'Repeat it.',
    why: 'A model can decide differently each time.',
    command: command('run', source, '--samples 5'),
  };
}

/** Walk-forward flag in suggested commands. */
export const WALK_FORWARD = '--walk-forward train=3y,test=1y';

function search(source: NextSource): Step | undefined {
  const { trials, dsr, tests } = source;
  const sweeps = tests?.sweeps.map(({ result }) => result) ?? [];
  const space = spaceOf(source);
  if (space === undefined) return undefined;
  if ((trials === undefined || trials.trials < 2) && sweeps.length === 0)
    return {
      title: 'Vary its parameters.',
      why: 'No other values were tried.',
      command: command('sweep', source, space),
    };
  const count = Math.max(trials?.trials ?? 0, sweeps[0]?.looks.total ?? 0);
  const [deflated, overfit] = [dsr?.value ?? null, sweeps[0]?.pbo.value ?? null];
  const doubts = [
    deflated === null || deflated >= USUAL ? '' : `deflated Sharpe ratio ${percent(deflated, 0)}`,
    overfit === null || overfit < COIN ? '' : `probability of overfitting ${percent(overfit, 0)}`,
  ].filter((doubt) => doubt !== '');
  if (doubts.length > 0 && sweeps.every(({ walkForward }) => walkForward === null))
    return {
      title: 'Check for overfitting.',
      why: `${integer(count)} trials; ${doubts.join('; ')}.`,
      command: command('sweep', source, `${space} ${WALK_FORWARD}`),
    };
  return confirm(source, `${space} --holdout 2y`, count);
}

/**
 * Suggests a test on held-out bars (bars that no trial has used). `undefined` if the run itself has used
 * them.
 */
function confirm(source: NextSource, holdout: string, count: number): Step | undefined {
  if (source.manifest?.data.holdout !== undefined) return undefined;
  const from = source.tests?.sweeps.find(({ result }) => result.period.holdoutFrom !== null)?.result.period
    .holdoutFrom;
  return {
    title: 'Confirm it on held-out data.',
    why:
      from === undefined
        ? `It is one of ${integer(count)} trials.`
        : `No trial has seen the bars from ${from} on. Run it there once, after the last choice.`,
    command: from === undefined ? command('sweep', source, holdout) : command('run', source, '', ['to']),
  };
}

/**
 * Returns the `--param` flags for a sweep: those of the run's first sweep, or three values for one parameter.
 * `undefined` if the strategy has no suitable parameter.
 */
export function spaceOf({ record, tests }: NextSource): string | undefined {
  const swept = tests?.sweeps[0]?.result.space ?? [];
  const flags = swept.flatMap(({ name, values }) =>
    values === undefined ? [] : [`--param ${name}=${values.join(',')}`],
  );
  if (flags.length > 0 && flags.length === swept.length) return flags.join(' ');
  const { parameters } = record.started.strategy;
  const found = searchSpace(parameters);
  return found && [found, ...fixedOthers(parameters, found)].map((each) => `--param ${each}`).join(' ');
}

/**
 * Returns the current values of all parameters that are not swept. Otherwise a sweep would try all values
 * that their bounds allow.
 */
export function fixedOthers(parameters: unknown, space: string): string[] {
  if (typeof parameters !== 'object' || parameters === null) return [];
  return Object.entries(parameters).flatMap(([name, value]) => {
    const isPlain = ['number', 'boolean'].includes(typeof value) || /^[\w.-]+$/.test(String(value));
    return isPlain && value !== null && !space.startsWith(`${name}=`) ? [`${name}=${String(value)}`] : [];
  });
}

/**
 * Returns three values of one integer parameter near its current value, for example `fast=40,50,60`.
 * `undefined` if there is no suitable parameter.
 */
export function searchSpace(parameters: unknown): string | undefined {
  if (typeof parameters !== 'object' || parameters === null) return undefined;
  const numbers = Object.entries(parameters).filter(
    (pair): pair is [string, number] => Number.isInteger(pair[1]) && Number(pair[1]) >= 2,
  );
  const found = numbers.find(([, value]) => value >= 5) ?? numbers[0];
  if (found === undefined) return undefined;
  const [name, value] = found;
  const step = Math.max(Math.round(value / 5), 1);
  const values = value >= 5 ? [value - step, value, value + step] : [value, value + 1, value + 2];
  return `${name}=${values.join(',')}`;
}

/** Options of the run that suggested commands repeat as flags. */
const REPEATED = ['symbol', 'from', 'to', 'benchmark', 'project'] as const;
/**
 * Settings of the run that suggested commands repeat: name of the setting, flag, and default. A setting with
 * its default value is omitted.
 */
const SETTINGS = [
  ['commissionRate', '--commission', '0'],
  ['slippageBps', '--slippage-bps', '0'],
  ['cash', '--cash', '100000'],
] as const;

/** Returns a command line for the strategy and the data of the run. `undefined` if the files are unknown. */
export function command(
  name: string,
  { manifest, record }: NextSource,
  more = '',
  without: readonly string[] = [],
): string | undefined {
  const { strategy, flags, settings = {} } = manifest?.inputs ?? {};
  if (strategy?.file == null || flags === undefined || flags.data.length === 0) return undefined;
  const varied = [...more.matchAll(/--param ([^\s=]+)=/g)].map(([, key]) => key);
  const { parameters } = record.started.strategy;
  const given = isJsonObject(parameters) ? strategy.parameters : {};
  const words = [
    ...flags.data.flatMap((file) => ['--data', file]),
    ...REPEATED.flatMap((flag) => {
      const value = flags[flag];
      if (value === undefined || without.includes(flag)) return [];
      return [
        `--${flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        ...(Array.isArray(value) ? value : [value]).map(String),
      ];
    }),
    ...SETTINGS.flatMap(([setting, flag, usual]) => {
      const value = settings[setting];
      return value === undefined || String(value) === usual || typeof value === 'object'
        ? []
        : [flag, String(value)];
    }),
    ...Object.entries(given).flatMap(([key, value]) =>
      varied.includes(key) ? [] : ['--param', `${key}=${value}`],
    ),
  ].map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`));
  const file = /^[\w@%+=:,./\\-]+$/.test(strategy.file) ? strategy.file : `'${strategy.file}'`;
  return ['npx sandtable', name, file, ...words, ...(more === '' ? [] : [more])].join(' ');
}
