import type { Broker } from '../broker/index.ts';
import { decimalString, type Exact } from '../kernel/index.ts';
import type { BarEvent } from './events.ts';
import type { RunSettings } from './settings.ts';

/**
 * Returns the fields of a bar's event about its ambiguous price paths.
 *
 * @param marked equity at the bar's marks
 */
export function doubtOf(
  { difference, bounds }: Broker['doubt'],
  marked: Exact,
  resolve: RunSettings['resolve'],
  symbols: readonly string[],
): Pick<BarEvent, 'ambiguity' | 'bounds'> {
  if (difference === undefined && bounds.size === 0) return {};
  const equity = marked.toDecimal();
  const other = difference?.toDecimal();
  const [worse, better] =
    resolve === 'worst' ? [equity, other?.plus(equity)] : [other?.negated().plus(equity), equity];
  return {
    ...(worse === undefined || better === undefined
      ? {}
      : { ambiguity: { worse: decimalString(worse), better: decimalString(better) } }),
    ...(bounds.size === 0
      ? {}
      : { bounds: Object.fromEntries([...bounds].map(([symbol, bound]) => [symbols[symbol]!, bound])) }),
  };
}
