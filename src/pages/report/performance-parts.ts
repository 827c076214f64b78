import type { RunRecord } from '../../journal/index.ts';
import {
  type CostStep,
  calendarReturns,
  capacityOf,
  type EquityColumns,
  type Figure,
  figure,
  type Metrics,
  MODEL_TOKENS,
  regimesOf,
  type TrialCount,
  type Undefined,
  undefinedBecause,
} from '../../results/analysis/index.ts';
import { integer, percent, ratio } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { readStamp } from '../shared/read-stamp.ts';
import { table } from './figure-table.ts';
import { capacityTable, costParts, type PaidStep } from './model/costs.ts';
import type { PageData, Preset } from './model/page-data.ts';
import { dayText } from './model/range.ts';
import type { Spread } from './model/spread.ts';
import { timeLines } from './model/svg/plot.ts';

/**
 * Returns the strip that stays visible while scrolling: the whole run, the selected period and links to the
 * sections.
 */
export function rangeStrip(data: PageData): Html {
  const { sessions, presets } = data;
  if (sessions.time.length < 2) return html``;
  const [first, last] = [dayText((sessions.first ?? sessions.time)[0]!), dayText(sessions.time.at(-1)!)];
  return html`<div class="strip" id="strip"><div class="strip-line"><label class="field">Period <select id="preset"><option value="">Whole run</option><option value="own" hidden>Own choice</option>${groupsOf(
    presets,
  ).map(
    ([group, own]) =>
      html`<optgroup label="${group}">${own.map(([place, { name }]) => html`<option value="${place}">${name}</option>`)}</optgroup>`,
  )}</select></label><label class="field"><span class="hidden">First day</span><input type="date" id="range-from" min="${first}" max="${last}" value="${first}"></label><span aria-hidden="true">–</span><label class="field"><span class="hidden">Last day</span><input type="date" id="range-to" min="${first}" max="${last}" value="${last}"></label><button type="button" id="range-all" disabled>Whole run</button><nav class="jumps" aria-label="Parts of the page">${JUMPS.map(
    ([id, name]) => html`<a href="#${id}">${name}</a>`,
  )}</nav></div><div class="brush" id="brush"><svg viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true"><path class="area" id="brush-line"/></svg><div class="brush-range" id="brush-range"><button type="button" class="handle" id="brush-from" role="slider" aria-label="First session of the period"></button><button type="button" class="handle" id="brush-to" role="slider" aria-label="Last session of the period"></button></div></div><p class="hidden" role="status" id="range-said"></p></div>`;
}

const JUMPS: readonly (readonly [string, string])[] = [
  ['questions', 'In short'],
  ['prices', 'Time'],
  ['breakdown', 'Profit'],
  ['costs', 'Costs'],
  ['trades-part', 'Trades'],
  ['distribution', 'Returns'],
  ['luck', 'Luck'],
  ['provenance', 'Belief'],
  ['figures', 'Figures'],
];

function groupsOf(presets: readonly Preset[]): (readonly [string, (readonly [number, Preset])[]])[] {
  const groups = new Map<string, (readonly [number, Preset])[]>();
  for (const [place, preset] of presets.entries())
    groups.set(preset.group, [...(groups.get(preset.group) ?? []), [place, preset]]);
  return [...groups];
}

const PANES: readonly (readonly [id: string, name: string])[] = [
  ['price', 'Price'],
  ['equity', 'Equity'],
  ['drawdown', 'Drawdown'],
  ['exposure', 'Exposure'],
  ['rolling', 'Rolling'],
];

/** Returns the chart of all time series, with one time axis and one crosshair. */
export function timePart(record: RunRecord, data: PageData, metrics: Metrics): Html {
  const { symbols } = record.started;
  const options = symbols.map((symbol, index) => html`<option value="${index}">${symbol}</option>`);
  const panes = PANES.map(
    ([id, name]) => html`<label><input type="checkbox" data-pane="${id}" checked> ${name}</label>`,
  );
  const controls = html`<div class="controls">${symbols.length < 2 ? '' : html`<label>Symbol <select id="symbol">${options}</select></label>`}<span class="group" role="group" aria-label="What is drawn">${panes}<label><span class="hidden">Rolling figure</span><select id="rolling"><option value="sharpe">Sharpe ratio</option><option value="beta">beta</option><option value="volatility">volatility</option></select></label><label><input type="checkbox" id="log-scale"> logarithmic</label><label><input type="checkbox" data-pane="levels" checked> stops and trades</label></span><span class="group"><button type="button" id="earlier-fill">◀ Fill</button><button type="button" id="later-fill">Fill ▶</button><button type="button" id="view-range" title="Makes what is in sight the period of the whole page">Use as period</button><button type="button" id="show-all">Show all</button></span></div>`;
  const note = `Ctrl and the wheel zoom; with the chart in focus ← → move the crosshair, + − zoom, Home End, f and F step from fill to fill. Rolling figures are over half a year of sessions. Benchmark: ${metrics.benchmarkReturn.reason ?? metrics.benchmarkReturn.convention}.`;
  return html`${controls}<div class="readout" id="readout" aria-live="off"></div><div id="time-chart" class="chart tall" role="application" tabindex="0" aria-label="Price with fills, equity, drawdown, exposure and rolling figures on one time axis" aria-describedby="time-note"></div>${symbols.length < 2 ? '' : html`<p class="note exposure-key" id="exposure-key"></p>`}<div class="print-only" id="printed-lines">${timeLines(data, 0, data.times.length - 1)}</div><div class="chosen" id="chosen" role="status">${record.fills.length === 0 ? 'Nothing was traded.' : 'Click an arrow, or step from fill to fill, to read what was done and why.'}</div><p class="note" id="time-note">${note}</p><p class="note" id="price-note"></p><details id="chart-table"><summary>The same as a table</summary></details>`;
}

/** Reliability of a Sharpe ratio, given the length of the run and the number of trials. */
interface Luck {
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

interface SpreadSource {
  readonly columns: EquityColumns;
  readonly metrics: Metrics;
  readonly returns: Float64Array | Undefined;
  /** Benchmark equity by bar, and benchmark returns by session. Undefined without a benchmark. */
  readonly held: Float64Array | undefined;
  readonly heldReturns: Float64Array | undefined;
  readonly unit: string;
}

/**
 * Returns the distribution of returns of a whole run. Uses bars instead of sessions where they are more
 * exact.
 */
export function spreadOfRun({ columns, metrics, returns, held, heldReturns, unit }: SpreadSource): Spread {
  return {
    returns,
    heldReturns,
    months: metrics.months,
    heldMonths:
      held === undefined || held.some(Number.isNaN) ? [] : calendarReturns({ ...columns, equity: held }),
    falls: metrics.deepestDrawdowns,
    regimes: regimesOf(returns, heldReturns, metrics.periodsPerYear),
    tradeStreaks: [metrics.longestWinningStreak.value, metrics.longestLosingStreak.value],
    unit,
  };
}

/** Returns the section about trading costs, results with higher costs, and capacity. */
export function costsPart(record: RunRecord, steps: readonly CostStep[]): Html {
  return html`<div class="columns"><div id="costs-of-period">${costParts(steps.map(paidStep), 'the initial cash')}</div><div id="capacity"><h3>Room for more money</h3><div id="capacity-of-period">${capacityTable(capacityOf(record), 'the initial cash')}</div></div></div>`;
}

function paidStep({ name, amount, returnBefore, returnAfter, reason }: CostStep): PaidStep {
  return {
    name,
    amount: amount === null ? null : Number(amount),
    returnBefore,
    returnAfter,
    reason,
    isOutside: name === MODEL_TOKENS,
  };
}
