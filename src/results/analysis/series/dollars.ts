/**
 * Formats the cost of a model in US dollars: `$1.25`, and `$0.004200` below a dollar.
 *
 * @param unknown text for `null`
 */
export function dollars(cost: string | number | null, unknown = 'not known'): string {
  if (cost === null) return unknown;
  const places = Number(cost) < 1 ? 6 : 2;
  return `$${Number(cost).toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places })}`;
}
