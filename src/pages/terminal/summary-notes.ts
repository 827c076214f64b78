import { DOORS } from '../../engine/index.ts';
import { type Paint, paint, printable, type TextStyle, wrap } from '../../kernel/index.ts';
import { cutoffLines, type RunSummary } from '../../results/analysis/index.ts';
import { amount, integer, signedPercent } from '../shared/formats.ts';

/** Maximum width of a note, in columns. Longer lines are hard to read. */
export const WIDEST_NOTE = 100;

const NOTED: readonly (readonly [keyof RunSummary, string])[] = [
  ['totalReturn', 'total return'],
  ['cagr', 'CAGR'],
  ['volatility', 'volatility'],
  ['sharpe', 'Sharpe'],
  ['psr', 'PSR'],
  ['sortino', 'Sortino'],
  ['maxDrawdown', 'worst drawdown'],
  ['benchmarkReturn', 'benchmark'],
  ['exposure', 'time in market'],
  ['winRate', 'win rate'],
  ['profitFactor', 'profit factor'],
  ['expectancy', 'expectancy'],
  ['openTradeCount', 'open trades'],
];

/** Returns the notes about a summary as lines: warnings first, then remarks. */
export function summaryNotes(summary: RunSummary, style: TextStyle): string[] {
  const { warnings, remarks } = noteTexts(summary);
  const lines = (text: string, kind: Paint): string[] =>
    wrap(printable(text, style), Math.min(style.width, WIDEST_NOTE), style).map((line) =>
      paint(line, kind, style),
    );
  return [
    ...warnings.flatMap((text) => lines(text, 'yellow')),
    ...remarks.flatMap((text) => lines(text, 'dim')),
  ];
}

/** Returns the notes about a summary. Warnings affect how its figures should be read. */
export function noteTexts(summary: RunSummary): {
  readonly warnings: readonly string[];
  readonly remarks: readonly string[];
} {
  const warnings: string[] = [];
  // The verdict "incomplete" already reports that the run stopped early.
  if (summary.outcome !== 'completed' && summary.verdict.state !== 'incomplete')
    warnings.push(`The run ${OUTCOMES[summary.outcome]} after ${barCount(summary)}.`);
  const { openDoors } = summary;
  const notSealed = `Not sealed: ${openDoors.join(', ')}. Results may depend on what the run does not name.`;
  const isUsual = openDoors.every((door) => door === DOORS.strategyCode);
  if (!isUsual) warnings.push(notSealed);
  if (summary.stamps.length > 0) warnings.push(`Stamped: ${summary.stamps.join(', ')}.`);
  const { commonPeriod: common } = summary;
  if (common !== null)
    warnings.push(
      `The benchmark covers only ${common.firstBar} to ${common.lastBar}. The column Strategy is of the whole run; the comparison is of these ${integer(common.bars)} bars${common.ownReturn === null ? '' : `, on which the run returned ${signedPercent(common.ownReturn)}`}.`,
    );
  warnings.push(...summary.damage);
  const remarks: string[] = cutoffLines(summary.modelCutoff);
  if (openDoors.length > 0 && isUsual) remarks.push(notSealed);
  if (summary.cagr !== null && summary.underAYear)
    remarks.push('The data cover less than a year: CAGR is stretched to one.');
  if (summary.volatility !== null)
    remarks.push(
      `Annualised with ${amount(summary.periodsPerYear)} sessions a year (${summary.periodsInWords}).`,
    );
  if (summary.rejectedOrders > 0) {
    remarks.push(
      `${integer(summary.rejectedOrders)} ${summary.rejectedOrders === 1 ? 'order was' : 'orders were'} rejected.`,
    );
  }
  const { reducedOrders = 0 } = summary;
  if (reducedOrders > 0) {
    remarks.push(
      `${integer(reducedOrders)} ${reducedOrders === 1 ? 'order was' : 'orders were'} filled with fewer units than the fraction of equity asked for: buying power, commission counted, carried no more.`,
    );
  }
  if (summary.ambiguousBars > 0) remarks.push(ambiguityLine(summary));
  if (summary.uncoveredBars > 0) {
    remarks.push(
      `The finer bars of ${integer(summary.uncoveredBars)} ${summary.uncoveredBars === 1 ? 'bar' : 'bars'} do not reach its high and low or have no volume: the bar itself counted.`,
    );
  }
  const undefinedNames = new Map<string, string[]>();
  for (const [field, name] of NOTED) {
    const reason = summary.reasons[field];
    if (reason !== undefined) undefinedNames.set(reason, [...(undefinedNames.get(reason) ?? []), name]);
  }
  for (const [reason, names] of undefinedNames) remarks.push(`No ${names.join(', ')}: ${reason}.`);
  return { warnings, remarks };
}

const OUTCOMES = {
  insolvent: 'ended insolvent',
  interrupted: 'was interrupted',
  failed: 'failed',
  stopped: 'was stopped',
  budget_exhausted: 'used up its budget',
} as const;

export function barCount({ bars }: RunSummary): string {
  return `${integer(bars)} ${bars === 1 ? 'bar' : 'bars'}`;
}

function ambiguityLine({ ambiguousBars, ambiguityDifference }: RunSummary): string {
  const bars = ambiguousBars === 1 ? 'bar allows' : 'bars allow';
  return `${integer(ambiguousBars)} ${bars} several outcomes; worse and better differ by ${amount(ambiguityDifference)} together. --resolve both shows the run with either answer, finer bars (--detail) settle them.`;
}
