import type { SpineRow } from '../../analysis/index.ts';
import {
  type AttributionPart,
  capacityOf,
  costMultiples,
  type Metrics,
  modelUsage,
  VERDICT_WORDS,
  type VerdictState,
} from '../../analysis/index.ts';
import { isJsonObject } from '../../engine/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { amount, integer, percent, ratio, readableDate, signedPercent } from '../shared/formats.ts';
import { type Content, type Html, html } from '../shared/html.ts';
import { roughAmount } from './costs-part.ts';
import type { PageData, TradeRow } from './model/page-data.ts';
import { monthsIn, type Spread } from './model/spread.ts';
import { tradeSums } from './model/trade-figures.ts';
import { openingReasons } from './reasons.ts';

/** What the short answers are made from. */
export interface QuestionSource {
  readonly record: RunRecord;
  /** The same, of the bars that count. */
  readonly counted: RunRecord;
  readonly metrics: Metrics;
  readonly spine: readonly SpineRow[];
  readonly spread: Spread;
  readonly data: PageData;
}

/** A question, where the page answers it at length, and the answer in a line. */
interface Short {
  readonly question: string;
  /** Id of a part of the page. */
  readonly at: string;
  readonly answer: Content;
  readonly detail: Content;
  readonly tone?: 'good' | 'bad';
}

/** A portfolio manager's questions, each answered in a line that leads to its place; of the whole run. */
export function questions(source: QuestionSource): Html {
  if (source.metrics.totalReturn.value === null) return html``;
  const rows = [
    beaten(source),
    riskAdjusted(source),
    worst(source),
    origin(source),
    rolling(source),
    distribution(source),
    exposure(source),
    costs(source),
    capacity(source),
    trades(source),
    regimes(source),
    parameters(source),
    why(source),
    model(source),
    sure(source),
  ].filter((row) => row !== undefined);
  return html`<section id="questions" aria-labelledby="questions-title"><h2 id="questions-title" class="of-whole">In short</h2><dl class="questions">${rows.map(
    ({ question, at, answer, detail, tone = '' }) =>
      html`<div><dt><a href="#${at}">${question}</a></dt><dd><strong class="${tone}">${answer}</strong> <span>${detail}</span></dd></div>`,
  )}</dl></section>`;
}

const BETTER = {
  broke: 'No: it went broke',
  incomplete: 'Not judged: a part of a run',
  no_evidence: 'No evidence',
  indistinguishable: 'Cannot be told from chance',
  worse: 'No',
  better: 'Yes',
} as const satisfies Record<VerdictState, string>;

function toneOf({ verdict }: Metrics): Pick<Short, 'tone'> {
  if (verdict.state === 'better') return { tone: 'good' };
  return verdict.state === 'worse' || verdict.state === 'broke' ? { tone: 'bad' } : {};
}

function beaten({ spine, metrics }: QuestionSource): Short {
  const row = spine.find(({ name }) => name === 'totalReturn');
  const question = 'Beat the benchmark?';
  if (row === undefined || row.own === null || row.benchmark === null)
    return {
      question,
      at: 'spine',
      answer: 'Nothing to compare with',
      detail: metrics.benchmarkReturn.reason ?? '',
    };
  const word = row.own > row.benchmark ? 'Yes' : 'No';
  return {
    question,
    at: 'spine',
    answer: `${word}, by return alone`,
    detail: `${signedPercent(row.own)} against ${signedPercent(row.benchmark)}`,
  };
}

function riskAdjusted({ spine, metrics }: QuestionSource): Short {
  const sharpe = spine.find(({ name }) => name === 'sharpe');
  const growth = spine.find(({ name }) => name === 'cagr');
  const between =
    growth?.low === null || growth?.low === undefined
      ? ''
      : `; ${signedPercent(growth.low)} to ${signedPercent(growth.high)} a year`;
  return {
    question: 'Better for its risk?',
    at: 'verdict',
    answer: BETTER[metrics.verdict.state],
    detail:
      sharpe === undefined || sharpe.own === null
        ? VERDICT_WORDS[metrics.verdict.state]
        : `Sharpe ${ratio(sharpe.own)} against ${ratio(sharpe.benchmark)}${between}`,
    ...toneOf(metrics),
  };
}

const day = (date: string): Html => html`<span class="date">${readableDate(date)}</span>`;

function worst({ metrics }: QuestionSource): Short {
  const { deepestDrawdown: deepest } = metrics;
  const question = 'Worst period, and when?';
  if (deepest === null) return { question, at: 'drawdowns', answer: 'It never fell', detail: '' };
  const months = metrics.months.flatMap(({ year, months: own }) =>
    own.flatMap((value, month) =>
      value === null ? [] : [{ value, name: `${year}-${String(month + 1).padStart(2, '0')}` }],
    ),
  );
  const low = months.reduce((least, one) => (one.value < least.value ? one : least), months[0]!);
  const month = months.length < 2 ? '' : html`; month ${percent(low.value, 1)}, ${day(low.name)}`;
  return {
    question,
    at: 'drawdowns',
    answer: percent(deepest.depth),
    detail: html`${day(deepest.peakDate)} to ${day(deepest.troughDate)}${month}`,
  };
}

function origin({ metrics, record }: QuestionSource): Short {
  const { bySymbol, bySide, byMonth, profit } = metrics.attribution;
  const parts = [
    ...(record.started.symbols.length > 1 ? [extremes(bySymbol)] : []),
    bySide.map(({ name, total }) => `${name} ${amount(total, 0)}`).join(', '),
    byMonth.length > 1 ? `best month ${extreme(byMonth, 1)}` : '',
  ];
  return {
    question: 'Profit from where?',
    at: 'breakdown',
    answer: amount(profit),
    detail: parts.filter((part) => part !== '').join('; '),
  };
}

function extreme(parts: readonly AttributionPart[], sign: 1 | -1): string {
  const [first] = [...parts].sort((a, b) => sign * (Number(b.total) - Number(a.total)));
  // No line ends within a month’s name.
  return first === undefined ? '' : `${first.name.replaceAll('-', '\u2011')} ${amount(first.total, 0)}`;
}

function extremes(parts: readonly AttributionPart[]): string {
  const traded = parts.filter(({ total }) => Number(total) !== 0);
  return traded.length < 2 ? extreme(traded, 1) : `most ${extreme(traded, 1)}, least ${extreme(traded, -1)}`;
}

function rolling({ data: { rolling: found } }: QuestionSource): Short {
  const shared = { question: 'Rolling figures?', at: 'prices' };
  if (found === null)
    return { ...shared, answer: 'Too short', detail: 'half a year of sessions is what they are over' };
  const span = (values: readonly (number | null)[], write: (value: number) => string): string => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return '–';
    return `${write(known.reduce((a, b) => Math.min(a, b)))} to ${write(known.reduce((a, b) => Math.max(a, b)))}`;
  };
  return {
    ...shared,
    answer: `Sharpe ${span(found.sharpe, (value) => ratio(value))}`,
    detail: `beta ${span(found.beta, (value) => ratio(value))}, volatility ${span(found.volatility, (value) => percent(value, 1))}`,
  };
}

function distribution({ metrics, spread }: QuestionSource): Short {
  const { worstDay, bestDay, valueAtRisk } = metrics;
  const months = monthsIn(spread.months);
  const gained = months.filter((value) => value > 0).length;
  const rising = months.length < 2 ? '' : `; ${gained} of ${months.length} months up`;
  return {
    question: 'How are returns spread?',
    at: 'distribution',
    answer: `${percent(worstDay.value)} to ${signedPercent(bestDay.value)}`,
    detail: `a session; 5% below ${percent(valueAtRisk.value)}${rising}`,
  };
}

function exposure({ metrics }: QuestionSource): Short {
  return {
    question: 'Exposure and turnover?',
    at: 'prices',
    answer: percent(metrics.meanExposure.value, 1),
    detail: `on average, ${percent(metrics.timeInMarket.value, 0)} of the time; turned over ${ratio(metrics.turnover.value)} × a year`,
  };
}

function costs({ metrics, record }: QuestionSource): Short {
  const found = costMultiples(metrics.costSteps);
  const paid = Number(metrics.commission.value ?? 0) + Number(metrics.slippage.value ?? 0);
  const even = found?.breakEven;
  const detail =
    record.fills.length === 0
      ? 'nothing was traded'
      : paid === 0
        ? 'neither commission nor slippage was set'
        : even === null || even === undefined
          ? 'there was no gain before them'
          : `nothing is left at ${ratio(even)} times that`;
  return { question: 'What did trading cost?', at: 'costs', answer: amount(paid), detail };
}

function capacity({ counted }: QuestionSource): Short {
  const found = capacityOf(counted);
  const shared = { question: 'Room for more money?', at: 'capacity' };
  if ('reason' in found) return { ...shared, answer: 'Not known', detail: found.reason };
  const [first] = found.steps;
  return {
    ...shared,
    answer: roughAmount(first?.usual ?? 0),
    detail: `until fills take ${percent(first?.participation, 0)} of their bars’ volume`,
  };
}

function trades({ data }: QuestionSource): Short {
  const { best, worst: least, closed, winRate } = tradeSums(data.rows);
  const shared = { question: 'Best and worst trade?', at: 'trades-part' };
  if (best === undefined || least === undefined)
    return {
      ...shared,
      answer: 'None was closed',
      detail: data.rows.length === 0 ? '' : `${data.rows.length} open`,
    };
  const link = (row: TradeRow): Html =>
    html`<a href="#trades-part" data-open-trade="${row.id}">${amount(row.net)}</a>`;
  const middle = (values: readonly (number | null)[]): string => {
    const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
    return percent(sorted[Math.floor(sorted.length / 2)] ?? null, 1);
  };
  const excursions = `median MAE ${middle(data.rows.map(({ adverse }) => adverse))}, MFE ${middle(data.rows.map(({ favourable }) => favourable))}`;
  return {
    ...shared,
    answer: closed === 1 ? link(best) : html`${link(best)} and ${link(least)}`,
    detail:
      closed === 1
        ? `the only one; ${excursions}`
        : `${percent(winRate, 0)} of ${integer(closed)} won; ${excursions}`,
  };
}

function regimes({ spread: { regimes: found } }: QuestionSource): Short {
  const shared = { question: 'In which markets?', at: 'regimes' };
  if ('reason' in found || found.length === 0)
    return { ...shared, answer: 'Not known', detail: 'reason' in found ? found.reason : '' };
  const sorted = [...found].sort((a, b) => b.own - a.own);
  const [best, low] = [sorted[0]!, sorted.at(-1)!];
  return {
    ...shared,
    answer: `${best.name}: ${signedPercent(best.own, 1)}`,
    detail: `a year; ${low.name}: ${signedPercent(low.own, 1)}`,
  };
}

/** Parameters that a line names. */
const MOST_NAMED = 6;

function parameters({ record }: QuestionSource): Short {
  const { parameters: own } = record.started.strategy;
  const all = isJsonObject(own) ? Object.entries(own) : [];
  const named = all
    .slice(0, MOST_NAMED)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '';
  const text = `${named}${more}`;
  return {
    question: 'Which parameters?',
    at: 'provenance',
    answer: all.length === 0 ? 'None' : '',
    detail: text.length > 120 ? `${text.slice(0, 120)} …` : text,
  };
}

function why({ record }: QuestionSource): Short {
  const [first] = openingReasons(record);
  return {
    question: 'Why this trade?',
    at: 'trades-part',
    answer:
      record.fills.length === 0
        ? 'It never traded'
        : first === undefined
          ? 'No reasons given'
          : `“${first[0]}”`,
    detail: first === undefined ? '' : `${integer(first[1])} ×; choose a trade to read its own`,
  };
}

function model({ record }: QuestionSource): Short | undefined {
  const usage = modelUsage(record, 0);
  if (usage === null) return undefined;
  return {
    question: 'What did the model cost?',
    at: 'decisions',
    answer: usage.cost === null ? 'Not known' : `${amount(usage.cost)} USD`,
    detail: `${integer(usage.inputTokens)} tokens in, ${integer(usage.outputTokens)} out`,
  };
}

function sure({ metrics, data }: QuestionSource): Short {
  const { psr, tradeCount, sessions } = metrics;
  const closed = tradeCount.value ?? 0;
  return {
    question: 'How sure is that?',
    at: 'luck',
    answer: psr.value === null ? 'Not known' : percent(psr.value, 0),
    detail:
      psr.value === null
        ? (psr.reason ?? '')
        : `that Sharpe is above 0: ${integer(closed)} ${closed === 1 ? 'trade' : 'trades'}, ${integer(sessions)} ${data.terms.intraday ? 'days' : 'bars'}`,
  };
}
