import type { RunRecord } from '../../../journal/index.ts';

/** Action of a model or an agent at a bar at which it decided. */
export interface DecidedAction {
  readonly bar: number;
  readonly date: string;
  /**
   * Orders placed at the bar with their sizes and targets, in alphabetical order: `buy SPX 10`, `target MSFT
   * 45%`. `hold` for no orders.
   */
  readonly action: string;
}

/**
 * Actions of all samples at the bar of a decision. Samples are runs with the same inputs, whose model may
 * decide differently.
 */
export interface BarAgreement {
  readonly bar: number;
  readonly date: string;
  /**
   * Action of each sample, in the order of the samples. Empty text for a sample without a decision at this
   * bar.
   */
  readonly actions: readonly string[];
  /** Most frequent action. Of several equally frequent actions, the first in alphabetical order. */
  readonly most: string;
  /** Share of the deciding samples with the most frequent action. */
  readonly agreement: number;
  /**
   * Shannon entropy of the actions, in bits: 0 if all actions are equal, log2 n if all n actions differ.
   *
   * Source: C. E. Shannon, "A Mathematical Theory of Communication" (1948).
   */
  readonly entropy: number;
}

/**
 * Agreement of samples, which are runs with the same inputs, over the bars at which two or more samples
 * decided.
 */
export interface Agreement {
  /**
   * Mean over the bars: share of the samples with the most frequent action. `null` if two samples never
   * decided at the same bar.
   */
  readonly mean: number | null;
  /**
   * Smallest possible value of `mean`: the mean of 1/n over the bars, where n samples decided. `null` like
   * `mean`.
   */
  readonly floor: number | null;
  /** Mean of (share − 1/n) / (1 − 1/n): 0 if all samples differ, 1 if all agree. `null` like `mean`. */
  readonly aboveFloor: number | null;
  /** Mean entropy in bits. `null` like `mean`. */
  readonly entropy: number | null;
  /**
   * Largest possible value of `entropy`, in bits: the mean of log2 n over the bars, where n samples decided.
   * `null` like `mean`.
   */
  readonly mostEntropy: number | null;
  readonly bars: number;
}

/**
 * Returns the orders of a model or an agent at each of its decisions. The text of an action includes sizes,
 * targets and limits.
 */
export function decidedActions(record: RunRecord): DecidedAction[] {
  const placed = new Map<number, string[]>();
  for (const order of record.orders) {
    if (order.role !== undefined) continue;
    placed.set(order.bar, [...(placed.get(order.bar) ?? []), orderText(order)]);
  }
  const dates = new Map(record.bars.map(({ bar, date }) => [bar, date]));
  return record.decisions.map(({ bar }) => ({
    bar,
    date: dates.get(bar) ?? '',
    action: (placed.get(bar) ?? []).sort().join(', ') || 'hold',
  }));
}

/** Returns an order in short form: `buy SPX 10`, `target MSFT 45%`, `buy SPX 10 at limit 99`. */
function orderText(order: RunRecord['orders'][number]): string {
  const { action, symbol, quantity, notional, equityFraction, targetQuantity, targetFraction } = order;
  const fraction = equityFraction ?? targetFraction;
  const size =
    quantity ??
    targetQuantity ??
    (fraction === undefined ? undefined : percentText(fraction)) ??
    (notional === undefined ? undefined : `for ${notional}`);
  const at = [
    ...(order.stopPrice === undefined ? [] : [`stop ${order.stopPrice}`]),
    ...(order.limitPrice === undefined ? [] : [`limit ${order.limitPrice}`]),
  ];
  return `${action} ${symbol}${size === undefined ? '' : ` ${size}`}${at.length === 0 ? '' : ` at ${at.join(' ')}`}`;
}

function percentText(fraction: string): string {
  return `${Number((Number(fraction) * 100).toPrecision(12))}%`;
}

/**
 * Returns the actions of samples by bar.
 *
 * @param samples actions of each sample
 */
export function agreementByBar(samples: readonly (readonly DecidedAction[])[]): BarAgreement[] {
  const byBar = samples.map((decided) => new Map(decided.map((one) => [one.bar, one])));
  const bars = [...new Set(byBar.flatMap((own) => [...own.keys()]))].sort((one, other) => one - other);
  return bars.map((bar) => {
    const actions = byBar.map((own) => own.get(bar)?.action ?? '');
    const counts = new Map<string, number>();
    for (const action of actions) if (action !== '') counts.set(action, (counts.get(action) ?? 0) + 1);
    const [most, times] = [...counts].sort(
      ([one, first], [other, second]) => second - first || (one < other ? -1 : 1),
    )[0]!;
    const voters = actions.filter((action) => action !== '').length;
    const date = byBar.find((own) => own.has(bar))!.get(bar)!.date;
    return { bar, date, actions, most, agreement: times / voters, entropy: entropyOf([...counts.values()]) };
  });
}

function entropyOf(counts: readonly number[]): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce((sum, count) => sum - (count / all) * Math.log2(count / all), 0) + 0;
}

/** Summarises agreement over the bars at which two or more samples decided. */
export function agreementOf(bars: readonly BarAgreement[]): Agreement {
  const voters = ({ actions }: BarAgreement): number => actions.filter((action) => action !== '').length;
  const compared = bars.filter((bar) => voters(bar) > 1);
  const mean = (value: (bar: BarAgreement) => number): number | null =>
    compared.length === 0 ? null : compared.reduce((sum, bar) => sum + value(bar), 0) / compared.length;
  return {
    mean: mean(({ agreement }) => agreement),
    floor: mean((bar) => 1 / voters(bar)),
    aboveFloor: mean((bar) => (bar.agreement - 1 / voters(bar)) / (1 - 1 / voters(bar))),
    entropy: mean(({ entropy }) => entropy),
    mostEntropy: mean((bar) => Math.log2(voters(bar))),
    bars: compared.length,
  };
}
