import type { BarContext, Json } from '../engine/index.ts';
import { formatInstant } from '../kernel/index.ts';
import { featuresOf, type Window } from '../market/index.ts';

/**
 * Returns the newest value of every feature of a window, with its date and the time when it became visible.
 * `null` if no value is visible yet.
 */
export function featureView(window: Window): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    featuresOf(window).map((feature) => {
      const [value = null] = feature.tail(1);
      if (Number.isNaN(feature.availableAt)) return [feature.name, null];
      return [
        feature.name,
        {
          value: typeof value === 'number' && Number.isNaN(value) ? null : value,
          date: formatInstant(feature.date),
          available_at: formatInstant(feature.availableAt),
        },
      ];
    }),
  );
}

/**
 * Formats the features of every symbol as text for a prompt, one line each. Returns a sentence if the run has
 * no features.
 */
export function featuresText({ symbols, windowOf }: BarContext): string {
  const lines = symbols.flatMap((symbol) =>
    Object.entries(featureView(windowOf(symbol))).map(([name, view]) => {
      const known = view as {
        readonly value: Json;
        readonly date: string;
        readonly available_at: string;
      } | null;
      const said =
        known === null
          ? 'not known yet'
          : `${JSON.stringify(known.value)} (of ${known.date}, available at ${known.available_at})`;
      return `${symbol} ${name}: ${said}`;
    }),
  );
  return lines.length === 0 ? 'There are no features.' : lines.join('\n');
}
