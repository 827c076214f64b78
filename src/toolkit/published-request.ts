import { type BarContext, knownBeside } from '../engine/index.ts';

/** What Python is sent of fundamentals and the universe: as far as they are known, and only where a run has them. */
export interface PublishedRequest {
  /** By symbol, in the order they became known: field, last day of the period, when it was known, value. */
  readonly fundamentals?: readonly (readonly [
    symbol: string,
    rows: readonly (readonly [string, number, number, number])[],
  ])[];
  readonly universe?: readonly string[];
}

/** @param code sent where it is known to be all that can ask for them: then only what it names is sent */
export function publishedRequest(turn: BarContext, code?: string): PublishedRequest {
  const { fundamentals, universe } = knownBeside(turn);
  const isAsked = (name: string): boolean => code === undefined || code.includes(name);
  return {
    ...(fundamentals !== undefined && isAsked('fundamentals')
      ? {
          fundamentals: fundamentals.rows().map(({ symbol, length, rowAt }) => [
            symbol,
            Array.from({ length }, (_, row) => {
              const { field, periodEnd, availableAt, value } = rowAt(row);
              return [field, periodEnd, availableAt, value] as const;
            }),
          ]),
        }
      : {}),
    ...(universe !== undefined && isAsked('universe') ? { universe: [...universe()] } : {}),
  };
}
