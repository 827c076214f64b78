import { openDoorsOf } from '../../engine/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { decimal, decimalString, formatInstant } from '../../kernel/index.ts';
import {
  drawdownCurve,
  type EquityColumns,
  isFavourable,
  type Metrics,
  modelUsage,
  VERDICT_WORDS,
  type VerdictState,
} from '../../results/analysis/index.ts';
import { comparedOwn, dollars } from '../../results/analysis/series/index.ts';
import { amount, integer, percent, readableDate, signedPercent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import type { Caveat } from './caveats.ts';

/** Inputs for the key facts at the beginning of a report. */
interface KeyFactsSource {
  readonly record: RunRecord;
  readonly metrics: Metrics;
  readonly columns: EquityColumns;
  /** Equity of the benchmark by bar. `undefined` without a benchmark. */
  readonly benchmark: Float64Array | undefined;
  /** Name of the benchmark. `undefined` if the benchmark is holding all symbols of the run. */
  readonly benchmarkName: string | undefined;
  readonly initialCash: string;
  /** Caveats of the run, the most important first. */
  readonly caveats: readonly Caveat[];
  /** Address of the trace page. `undefined` without a trace page. */
  readonly trace: string | undefined;
  readonly runId: string;
}

/** Returns the main questions about a run, with short answers. */
export function keyFacts(source: KeyFactsSource): Html {
  const { metrics } = source;
  if (metrics.totalReturn.value === null)
    return html`<p class="verdict">No result: ${metrics.totalReturn.reason ?? ''}.</p>`;
  const entries: readonly (readonly [question: string, answer: Html])[] = [
    ['Profit after costs', profitFact(source)],
    ['Benchmark', benchmarkFact(source)],
    ['Drawdown', drawdownFact(source)],
    ['Reasons for trades', reasonsFact(source)],
    ['Caveats', reliabilityFact(source)],
  ];
  return html`<section id="answers" aria-labelledby="answers-title"><h2 id="answers-title" class="of-whole">In words</h2><dl class="answers">${entries.map(
    ([question, answer]) => html`<div><dt>${question}</dt><dd>${answer}</dd></div>`,
  )}</dl></section>`;
}

/** Answers to the question about profit if the run has a gain, by verdict. */
const WORDS_OF_GAIN = {
  broke: 'No: the account went broke',
  incomplete: 'Not judged: only a part of a run',
  no_evidence: 'A gain, but too little data to judge it',
  indistinguishable: 'A gain, not distinguishable from that of its benchmark',
  worse: 'A gain, but smaller than holding would have earned at the same risk',
  better: 'Yes',
} as const satisfies Record<VerdictState, string>;

function profitFact({ record, metrics, initialCash, columns }: KeyFactsSource): Html {
  const { totalReturn, finalEquity, cagr, returnBeforeCosts } = metrics;
  const change = totalReturn.value ?? 0;
  const costs = decimal(metrics.commission.value ?? 0).plus(metrics.slippage.value ?? 0);
  const yearly = cagr.value === null || metrics.underAYear ? '' : `, ${signedPercent(cagr.value)} a year`;
  const paid = costs.isZero()
    ? 'Trading cost nothing in it.'
    : `Commission and slippage of ${amount(decimalString(costs))} are paid in that; without them it would be ${signedPercent(returnBeforeCosts.value)}.`;
  // Model requests are not paid from the account. If their price is unknown, the answer states that the gain
  // does not include it.
  const kept = metrics.returnAfterModel.value ?? change;
  const usage = modelUsage(record, 0);
  const but =
    kept > 0 && usage !== null && usage.cost === null ? ', before what the model’s tokens cost' : '';
  const isGood = isFavourable(metrics.verdict);
  const word =
    kept > 0 ? WORDS_OF_GAIN[metrics.verdict.state] : kept < 0 ? 'No' : 'It made nothing and lost nothing';
  const tone = kept > 0 ? (isGood ? 'good' : 'even') : kept < 0 ? 'bad' : 'even';
  return html`<strong class="${tone}">${word}${but}.</strong> ${amount(initialCash)} became ${amount(finalEquity.value ?? initialCash)}: ${signedPercent(change)}${yearly}, over ${spanText(columns)}. ${paid}${tokensText(usage, metrics)}`;
}

function tokensText(usage: ReturnType<typeof modelUsage>, metrics: Metrics): string {
  if (usage === null) return '';
  return usage.cost === null
    ? ' What the model’s tokens cost is not known, and not in it.'
    : ` The model’s tokens cost ${dollars(usage.cost)} beside it: ${signedPercent(metrics.returnAfterModel.value)} after that.`;
}

/** Returns a date without line breaks. */
function day(date: string): Html {
  return html`<span class="date">${readableDate(date)}</span>`;
}

function spanText({ times }: EquityColumns): Html {
  const days = Math.round((times.at(-1)! - times[0]!) / 86_400_000);
  const long =
    days >= 730 ? `${(days / 365.25).toFixed(1)} years` : `${integer(days)} ${days === 1 ? 'day' : 'days'}`;
  return html`${long} to ${day(formatInstant(times.at(-1)!))}`;
}

function benchmarkFact({ metrics, benchmark, benchmarkName, columns, record }: KeyFactsSource): Html {
  const { verdict, benchmarkReturn, benchmarkAtEqualVolatility: equal, commonPeriod: common } = metrics;
  if (benchmark === undefined || benchmarkReturn.value === null)
    return html`There is nothing to compare with: ${benchmarkReturn.reason ?? 'the journal has no prices'}.`;
  const from = benchmark.findIndex((value) => !Number.isNaN(value));
  const held = benchmark.subarray(from, benchmark.findLastIndex((value) => !Number.isNaN(value)) + 1);
  const fall = drawdownCurve({ ...columns, equity: held }).reduce((low, value) => Math.min(low, value), 0);
  const { symbols } = record.started;
  const what =
    benchmarkName ?? (symbols.length === 1 ? symbols[0]! : `all ${symbols.length} symbols in equal parts`);
  const isGood = isFavourable(verdict);
  const heading = isGood
    ? 'Better than buying and holding.'
    : verdict.state === 'worse'
      ? 'Worse than buying and holding.'
      : `${VERDICT_WORDS[verdict.state]}.`;
  const scaled =
    equal.value === null
      ? ''
      : ` Scaled to the volatility of this run it would have returned ${signedPercent(equal.value)}.`;
  const days =
    common === null
      ? 'on the same days'
      : html`from ${day(common.firstBar)} to ${day(common.lastBar)}, all that it covers,`;
  const own = common === null ? metrics.totalReturn.value : common.ownReturn;
  const fallRow = metrics.benchmarkTable().find(({ name }) => name === 'maxDrawdown');
  const ownFall = fallRow === undefined ? null : comparedOwn(fallRow, common === null);
  return html`<strong class="${isGood ? 'good' : verdict.state === 'worse' ? 'bad' : 'even'}">${heading}</strong> Buying and holding would have returned ${signedPercent(benchmarkReturn.value)} ${days} with ${what}, before costs, and at worst have been ${percent(Math.abs(fall))} below its high; the run returned ${signedPercent(own)}${ownFall === null ? '' : `, and was at worst ${percent(Math.abs(ownFall))} below its own`}.${scaled} It was in the market ${percent(metrics.timeInMarket.value, 0)} of the time.`;
}

function drawdownFact({ metrics }: KeyFactsSource): Html {
  const { deepestDrawdown: deepest, longestDrawdown: longest } = metrics;
  if (deepest === null) return html`It never fell below an earlier high.`;
  const back = deepest.recovered
    ? html`It was back there on ${day(deepest.endDate)}.`
    : 'It was not back there by the end.';
  const also =
    longest === null
      ? ''
      : ` The longest wait for a new high took ${integer(Math.round(longest.days))} days${longest.recovered ? '' : ', and was not over at the end'}.`;
  return html`At worst <strong>${percent(Math.abs(deepest.depth))} below its high</strong>, from ${day(deepest.peakDate)} to ${day(deepest.troughDate)}. ${back}${also}`;
}

const MOST_REASONS = 3;

function reasonsFact({ record, trace, runId }: KeyFactsSource): Html {
  const most = openingReasons(record).slice(0, MOST_REASONS);
  const named =
    record.fills.length === 0
      ? 'It never traded.'
      : most.length === 0
        ? 'It gave no reasons when it opened positions.'
        : `When it opened a position it most often said ${most.map(([reason, count]) => `“${reason}” (${count} ×)`).join(', ')}.`;
  const where = record.fills.every(({ reason }) => reason === undefined)
    ? ''
    : html` Click a <a href="#trades-part">trade</a> or an arrow in the <a href="#prices">chart</a> to read why.`;
  const all =
    trace === undefined
      ? html`<span class="note">All that it saw and did on each day: <code>npx sandtable trace</code> with this run’s folder (${runId}) makes trace.html beside this page; <code>npx sandtable serve</code> shows both.</span>`
      : html`All that it saw and did on each day is in the <a href="${trace}">trace</a>.`;
  return html`${named}${where} ${all}`;
}

const MOST_SHOWN = 3;

function reliabilityFact({ caveats: all, record, metrics }: KeyFactsSource): Html {
  const caveats = all.filter(({ isSmall }) => !isSmall);
  const { verdict } = metrics;
  const isUsual = openDoorsOf(record.started).length === 0 && (record.started.stamps ?? []).length === 0;
  const how = isUsual
    ? 'Each decision saw only bars that had closed and traded on a later one; data, strategy and versions are named by their hashes.'
    : '';
  const known = caveats.length - MOST_SHOWN;
  const more =
    known <= 0
      ? ''
      : html` <a href="#provenance">${known === 1 ? 'One thing more' : `${known} things more`} to know</a>.`;
  if (!isFavourable(verdict))
    return html`<strong>Not as evidence of skill.</strong> The verdict is “${VERDICT_WORDS[verdict.state]}”. ${caveats
      .slice(0, MOST_SHOWN)
      .map(({ text }) => text)
      .join(' ')}${more} ${how}`;
  if (caveats.length === 0)
    return html`<strong>Nothing in the run speaks against it</strong>, though one run cannot show how it will go on. ${how} <a href="#provenance">What the run was made of</a>.`;
  return html`<strong>With caveats.</strong> ${caveats
    .slice(0, MOST_SHOWN)
    .map(({ text }) => text)
    .join(' ')}${more} ${how}`;
}

/**
 * Returns the reasons of the fills that opened or increased a position. Each reason has the number of its
 * fills. The most frequent reason is first.
 */
export function openingReasons(record: RunRecord): (readonly [reason: string, times: number])[] {
  const counts = new Map<string, number>();
  for (const { reason } of openingFills(record))
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

/** Returns the fills that opened or increased a position. */
function openingFills({ fills, splits }: RunRecord): RunRecord['fills'] {
  const held = new Map<string, number>();
  let split = 0;
  return fills.filter(({ bar, symbol, side, quantity }) => {
    for (; split < splits.length && splits[split]!.bar <= bar; split++)
      held.set(splits[split]!.symbol, Number(splits[split]!.quantityAfter));
    const before = held.get(symbol) ?? 0;
    const after = before + (side === 'buy' ? Number(quantity) : -Number(quantity));
    held.set(symbol, Math.abs(after) < 1e-9 ? 0 : after);
    return Math.abs(after) > Math.abs(before) || before * after < 0;
  });
}
