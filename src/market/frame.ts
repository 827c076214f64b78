import type { DataFrame } from 'danfojs-node';

export type { DataFrame };

/** One column of a frame. */
export type FrameColumn = readonly (string | number | boolean | null)[] | Float64Array;

/**
 * A danfo.js DataFrame from columns of one length.
 *
 * The library is loaded now, because it takes most of a second; null becomes NaN in a column of numbers.
 */
export async function dataFrame(columns: Readonly<Record<string, FrameColumn>>): Promise<DataFrame> {
  const loaded = await import('danfojs-node');
  // A CommonJS package: its classes are on the default export for some loaders.
  const { DataFrame: Frame } = 'default' in loaded ? (loaded.default as typeof loaded) : loaded;
  const names = Object.keys(columns);
  // The library cannot make columns without rows from an object.
  if (columns[names[0]!]?.length === 0) return new Frame([], { columns: names });
  const plain = Object.entries(columns).map(([name, values]) => [name, plainColumn(values)] as const);
  return new Frame(Object.fromEntries(plain));
}

function plainColumn(values: FrameColumn): (string | number | boolean | null)[] {
  const numeric = values.every((value) => value === null || typeof value === 'number');
  return Array.from(values, (value) => (numeric && value === null ? Number.NaN : value));
}
