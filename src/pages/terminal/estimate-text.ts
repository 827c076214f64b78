import { type TextStyle, textTable } from '../../kernel/index.ts';
import { grouped } from '../shared/number-formats.ts';

interface Amount {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/** Estimated number of requests, tokens and cost of a run or a study, before it starts. */
interface Estimated {
  readonly decisions: number;
  readonly requests: Amount;
  readonly tokens: Amount | null;
  readonly usd: Amount | null;
  readonly basis: 'one decision' | 'recorded runs';
  readonly observed: number;
}

/**
 * Formats an estimate of costs for the terminal.
 *
 * @param what name of the run or study, for example `trader, 120 bars`
 * @param cap sentence that explains how to set a limit of the cost
 */
export function estimateText(estimate: Estimated, what: string, cap: string, style: TextStyle): string {
  const { decisions, requests, tokens, usd, basis, observed } = estimate;
  const row = (name: string, amount: Amount | null, places: number): string[] =>
    amount === null
      ? [name, 'unknown', '–', '–']
      : [name, ...[amount.expected, amount.low, amount.high].map((value) => grouped(value, places))];
  const table = textTable(
    ['', 'Expected', 'From', 'To'],
    [row('requests', requests, 0), row('tokens', tokens, 0), row('US dollars', usd, 4)],
    style,
  );
  return [
    `Estimate of ${what}: ${grouped(decisions, 0)} ${decisions === 1 ? 'decision' : 'decisions'}`,
    table,
    basis === 'one decision'
      ? 'From one decision, which was made and paid for. Its range is half to three times the expected amount.'
      : `From ${grouped(observed, 0)} recorded decisions. The range is a 95% prediction interval.`,
    ...(tokens === null ? ['Tokens are unknown: the server or the agent reports none.'] : []),
    ...(usd === null
      ? ['Money is unknown: the price of the model is unknown. Set prices in the strategy.']
      : []),
    cap,
  ].join('\n');
}
