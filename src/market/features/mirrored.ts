import type { FeatureType, FeatureValue } from './bar-columns.ts';
import { type GrowingFeature, growingFeature, KnownRows, pushRow, pushShown, sourcesOf } from './feature.ts';

/**
 * Names and types of the features of a run. A group is the rows of one table for one symbol. Its `symbol` is
 * `null` if the rows apply to all symbols.
 */
export interface FeatureShape {
  readonly schema: readonly { readonly name: string; readonly type: FeatureType }[];
  readonly groups: readonly { readonly names: readonly string[]; readonly symbol: string | null }[];
}

/** Feature rows that became visible since the last update, in wire format. */
export interface KnownNews {
  /** Rows: index of the group in `FeatureShape.groups`, date, publication time, and values. */
  readonly rows: readonly (readonly [number, number, number, readonly FeatureValue[]])[];
  /**
   * For each symbol and feature: date and publication time of the newest value (`null` if missing), and the
   * values of the bars that are new since the last update.
   */
  readonly shown: readonly (readonly {
    readonly date: number | null;
    readonly availableAt: number | null;
    readonly values: readonly FeatureValue[];
  }[])[];
}

/**
 * Copy of a run's features in another process, such as a sandbox. The engine's process sends only visible
 * rows, so later rows are not in this process.
 */
export class MirroredFeatures {
  readonly #groups: readonly KnownRows[];
  readonly #features: readonly (readonly GrowingFeature[])[];

  constructor({ schema, groups }: FeatureShape, symbols: readonly string[], lookback: number) {
    this.#groups = groups.map(({ names, symbol }) => new KnownRows(names, symbol ?? undefined));
    this.#features = symbols.map((symbol) =>
      schema.map(({ name, type }) =>
        growingFeature(name, type, sourcesOf(this.#groups, name, symbol), lookback),
      ),
    );
  }

  of(symbol: number): ReadonlyMap<string, GrowingFeature> {
    return new Map((this.#features[symbol] ?? []).map((feature) => [feature.name, feature]));
  }

  move({ rows, shown }: KnownNews): void {
    for (const [group, date, availableAt, values] of rows)
      pushRow(this.#groups[group]!, date, availableAt, values);
    for (const [symbol, features] of shown.entries())
      for (const [index, { date, availableAt, values }] of features.entries())
        for (const value of values)
          pushShown(this.#features[symbol]![index]!, value, date ?? Number.NaN, availableAt ?? Number.NaN);
  }
}

/** Collects the rows that have not been sent to another process yet. */
export class FeatureSender {
  readonly #groups: KnownRows[] = [];
  readonly #sent: number[] = [];

  /**
   * Returns names, types and symbols of the features. `undefined` without features.
   *
   * @param windows features of the run's windows, in order of its symbols
   */
  shapeOf(windows: readonly (readonly GrowingFeature[])[]): FeatureShape | undefined {
    const [first = []] = windows;
    if (first.length === 0) return undefined;
    for (const feature of windows.flat())
      for (const { rows } of feature.known)
        if (!this.#groups.includes(rows)) this.#sent[this.#groups.push(rows) - 1] = 0;
    return {
      schema: first.map(({ name, type }) => ({ name, type })),
      groups: this.#groups.map(({ names, symbol }) => ({ names, symbol: symbol ?? null })),
    };
  }

  /**
   * Returns the rows and values that have become visible since the last call.
   *
   * @param bars number of new bars of each symbol that have not been sent yet
   */
  news(windows: readonly (readonly GrowingFeature[])[], bars: readonly number[]): KnownNews {
    const rows = this.#groups.flatMap((known, group) => {
      const from = this.#sent[group]!;
      this.#sent[group] = known.length;
      return Array.from({ length: known.length - from }, (_, index) => {
        const row = from + index;
        const values = known.names.map((_name, column) => known.valueOf(row, column));
        return [group, known.dateOf(row), known.availableAt(row), values] as const;
      });
    });
    const shown = windows.map((features, symbol) =>
      features.map((feature) => ({
        date: finite(feature.date),
        availableAt: finite(feature.availableAt),
        values: newest(feature, bars[symbol] ?? 0),
      })),
    );
    return { rows, shown };
  }
}

/** Returns the newest `count` values. NaN, and values dropped because of a look-back limit, become `null`. */
function newest(feature: GrowingFeature, count: number): FeatureValue[] {
  const values: FeatureValue[] = Array.from(feature.tail(count), (value) =>
    typeof value === 'number' ? finite(value) : value,
  );
  return [...Array<FeatureValue>(count - values.length).fill(null), ...values];
}

function finite(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
