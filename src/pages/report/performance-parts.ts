import type { RunRecord } from '../../journal/index.ts';
import {
  type Attribution,
  type AttributionPart,
  addedUp,
  breakdownsOf,
  type CostStep,
  calendarReturns,
  capacityOf,
  type EquityColumns,
  type Metrics,
  MODEL_TOKENS,
  regimesOf,
  type Undefined,
} from '../../results/analysis/index.ts';
import { amount, integer, percent } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { table, toned } from './figure-table.ts';
import { PIVOTS, pivotTable, waterfallOf } from './model/attribution.ts';
import { capacityTable, costParts, type PaidStep } from './model/costs.ts';
import type { PageData, Preset } from './model/page-data.ts';
import { dayText, tradesIn, wholeRange } from './model/range.ts';
import type { Spread } from './model/spread.ts';
import { excursionScatter, holdingTimes, tradeByTrade, waterfall } from './model/svg/trade-plots.ts';

/**
 * Returns the strip at the top of the page, which selects a period and links to sections. It remains visible
 * when the page scrolls.
 */
export function rangeStrip(data: PageData): Html {
  const { sessions, presets } = data;
  if (sessions.time.length < 2) return html``;
  const [first, last] = [dayText((sessions.first ?? sessions.time)[0]!), dayText(sessions.time.at(-1)!)];
  return html`<div class="strip" id="strip"><div class="controls"><label class="field">Period <select id="preset"><option value="">Whole run</option><option value="own" hidden>Own choice</option>${groupsOf(
    presets,
  ).map(
    ([group, own]) =>
      html`<optgroup label="${group}">${own.map(([place, { name }]) => html`<option value="${place}">${name}</option>`)}</optgroup>`,
  )}</select></label><label class="field"><span class="hidden">First day</span><input type="date" id="range-from" min="${first}" max="${last}" value="${first}"></label><span class="dash" aria-hidden="true">–</span><label class="field"><span class="hidden">Last day</span><input type="date" id="range-to" min="${first}" max="${last}" value="${last}"></label><button type="button" id="range-all" disabled>Whole run</button><nav class="jumps" aria-label="Parts of the page">${JUMPS.map(
    ([id, name]) => html`<a href="#${id}">${name}</a>`,
  )}</nav></div><div class="brush" id="brush"><svg viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true"><path class="area" id="brush-line"/></svg><div class="brush-range" id="brush-range"><button type="button" class="handle" id="brush-from" role="slider" aria-label="First session of the period"></button><button type="button" class="handle" id="brush-to" role="slider" aria-label="Last session of the period"></button></div></div><p class="hidden" role="status" id="range-said"></p></div>`;
}

const JUMPS: readonly (readonly [string, string])[] = [
  ['spine', 'Benchmark'],
  ['distribution', 'Returns'],
  ['breakdown', 'Attribution'],
  ['prices', 'Time'],
  ['costs', 'Costs'],
  ['luck', 'Robustness'],
  ['trades-part', 'Trades'],
  ['provenance', 'Assumptions'],
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

/** Returns the chart of all time series, with a common time axis and crosshair, and its controls. */
export function timePart(record: RunRecord, metrics: Metrics): Html {
  const { symbols } = record.started;
  const options = symbols.map((symbol, index) => html`<option value="${index}">${symbol}</option>`);
  const panes = PANES.map(
    ([id, name]) => html`<label><input type="checkbox" data-pane="${id}" checked> ${name}</label>`,
  );
  const controls = html`<div class="controls">${symbols.length < 2 ? '' : html`<label>Symbol <select id="symbol">${options}</select></label>`}<span class="group" role="group" aria-label="What is drawn">${panes}<label><span class="hidden">Rolling figure</span><select id="rolling"><option value="sharpe">Sharpe ratio</option><option value="beta">beta</option><option value="volatility">volatility</option></select></label><label><input type="checkbox" id="log-scale"> logarithmic</label><label><input type="checkbox" data-pane="levels" checked> stops and trades</label></span><span class="group"><button type="button" id="earlier-fill">◀ Fill</button><button type="button" id="later-fill">Fill ▶</button><button type="button" id="view-range" title="Makes what is in sight the period of the whole page">Use as period</button><button type="button" id="show-all">Show all</button></span></div>`;
  const note = `Ctrl and the wheel zoom; with the chart in focus ← → move the crosshair, + − zoom, Home End, f and F step from fill to fill. Rolling figures are over half a year of sessions. Benchmark: ${metrics.benchmarkReturn.reason ?? metrics.benchmarkReturn.convention}.`;
  return html`${controls}<div class="readout" id="readout" aria-live="off"></div><div id="time-chart" class="chart tall" role="application" tabindex="0" aria-label="Price with fills, equity, drawdown, exposure and rolling figures on one time axis" aria-describedby="time-note"></div>${symbols.length < 2 ? '' : html`<p class="legend exposure-key" id="exposure-key"></p>`}<div id="printed-lines" hidden></div><div class="chosen" id="chosen" role="status">${record.fills.length === 0 ? 'Nothing was traded.' : 'Click an arrow, or step from fill to fill, to read what was done and why.'}</div><p class="note" id="time-note">${note}</p><p class="note" id="price-note"></p><details id="chart-table"><summary>The same as a table</summary></details>`;
}

interface SpreadSource {
  readonly columns: EquityColumns;
  readonly metrics: Metrics;
  readonly returns: Float64Array | Undefined;
  /**
   * Equity of the benchmark by bar. `heldReturns` contains its returns by session. Both are `undefined`
   * without a benchmark.
   */
  readonly held: Float64Array | undefined;
  readonly heldReturns: Float64Array | undefined;
  readonly unit: string;
}

/**
 * Returns the distribution of returns for a whole run. Some values are calculated from bars. For a selected
 * period, the page calculates them from sessions, which is less exact.
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

/** Returns the section about trading costs, returns at higher costs, and capacity. */
export function costsPart(record: RunRecord, steps: readonly CostStep[]): Html {
  return html`<div class="columns"><div id="costs-of-period">${costParts(steps.map(paidStep), 'the initial cash')}</div><div id="capacity"><h3>Capacity</h3><div id="capacity-of-period">${capacityTable(capacityOf(record), 'the initial cash')}</div></div></div>`;
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

type Column = Exclude<keyof AttributionPart, 'name'>;

const COLUMNS: readonly (readonly [Column, string])[] = [
  ['total', 'Total with open positions'],
  ['closedTrades', 'Trades'],
  ['closed', 'Closed, before commission'],
  ['open', 'Open'],
  ['commission', 'Commission'],
  ['dividends', 'Dividends'],
  ['financing', 'Financing'],
];

/**
 * Returns tables that split the profit by symbol, side, reason and month. The last row of each table contains
 * the profit of the whole run.
 */
export function attributionTables({ bySymbol, bySide, byReason, byMonth }: Attribution): Html {
  const lists = [
    ['Symbol', bySymbol],
    ['Side', bySide],
    ['Reason', byReason],
  ] as const;
  return html`<p>Each of these adds up to the profit of the run, to the last decimal.</p>${lists.map(([title, parts]) => attributionTable(title, parts))}<details><summary>Profit by month</summary>${attributionTable('Month', byMonth)}</details><p class="note">Closed, before commission: profit at the fill prices, after slippage. Open: what is held at the end, at its last close; by month, what became of it in the month. Financing: borrow fees and interest. Amounts are rounded here; summary.json has them in full.</p>`;
}

function attributionTable(title: string, parts: readonly AttributionPart[]): Html {
  const sum = addedUp('Sum', parts);
  const shown = COLUMNS.filter(
    ([column]) => column === 'total' || parts.some((part) => Number(part[column]) !== 0),
  );
  const row = (part: AttributionPart): Content[] => [
    part.name,
    ...shown.map(([column]) =>
      column === 'closedTrades' ? integer(part.closedTrades) : toned(amount(part[column]), part[column]),
    ),
  ];
  return table(
    `Profit by ${title.toLowerCase()}`,
    [title, ...shown.map(([, name]) => name)],
    [...parts.map(row), row(sum)],
  );
}

/**
 * Returns the section that splits the profit by its sources. For a selected period, the page's script makes
 * the same tables again.
 */
export function attributionPart(data: PageData): Html {
  if (data.sessions.time.length === 0) return html`<p>No bar was processed.</p>`;
  const range = wholeRange(data);
  const { steps, profit } = waterfallOf(data, range);
  const names = PIVOTS.filter(
    (name) => (name !== 'hour' || data.terms.intraday) && (name !== 'symbol' || data.symbols.length > 1),
  );
  const first = names[0] ?? 'side';
  const tabs = names.map(
    (name) =>
      html`<button type="button" data-pivot="${name}" aria-pressed="${name === first ? 'true' : 'false'}">${name}</button>`,
  );
  const rows = tradesIn(data, range);
  return html`<div class="columns"><div id="waterfall-part">${waterfall(steps, profit)}</div><div><div class="controls tabs" role="group" aria-label="Profit by">${tabs}</div><div id="pivot">${pivotTable(data, range, first)}</div></div></div><div class="columns" id="trade-plots" data-whole>${tradePlots(rows)}</div>`;
}

function tradePlots(rows: Parameters<typeof tradeByTrade>[0]): Html {
  return html`${tradeByTrade(rows)}${excursionScatter(rows)}${holdingTimes(rows)}`;
}

/** Returns tables of closed trades by weekday, holding time and similar properties. */
export function breakdownTables(record: RunRecord): Html {
  const tables = breakdownsOf(record).map(({ title, groups }) =>
    table(
      `Trades by ${title.toLowerCase()}`,
      [title, 'Trades', 'Won', 'Net of commission', 'Mean, net'],
      groups.map((group) => [
        group.name,
        integer(group.trades),
        percent(group.winRate, 1),
        toned(amount(group.netPnl), group.netPnl),
        toned(amount(group.meanNetPnl), group.meanNetPnl),
      ]),
    ),
  );
  return html`<div class="columns">${tables}</div>`;
}
