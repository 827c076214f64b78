import { AppError, packageFile } from '../kernel/index.ts';

type FrameValues = readonly (number | string | boolean)[];

/** Of a column of danfo.js, what most analyses call. */
interface FrameSeries {
  readonly shape: number[];
  readonly values: FrameValues | readonly FrameValues[];
  mean(): number;
  min(): number;
  max(): number;
  sum(): number;
  std(): number;
  count(): number;
  eq(other: unknown): FrameSeries;
  ne(other: unknown): FrameSeries;
  gt(other: unknown): FrameSeries;
  ge(other: unknown): FrameSeries;
  lt(other: unknown): FrameSeries;
  le(other: unknown): FrameSeries;
}

/** Groups of a frame's rows. */
interface FrameGroups {
  agg(operations: Readonly<Record<string, string | string[]>>): DataFrame;
  count(): DataFrame;
  mean(): DataFrame;
  sum(): DataFrame;
}

/**
 * A DataFrame of danfo.js. Declared here as far as most analyses go, so that the library is needed only by those who ask
 * for frames; it is the library's own object, which can be cast to its type for the rest.
 */
export interface DataFrame {
  readonly shape: number[];
  readonly columns: string[];
  readonly values: FrameValues | readonly FrameValues[];
  /** One column. */
  column(name: string): FrameSeries;
  /** The rows that a condition holds of. */
  query(rows: FrameSeries): DataFrame;
  /** Groups by columns. */
  groupby(columns: string[]): FrameGroups;
  /** The first rows. */
  head(rows?: number): DataFrame;
  /** The last rows. */
  tail(rows?: number): DataFrame;
  /** Count, mean and quantiles of each numeric column. */
  describe(): DataFrame;
  /** Prints it as a table. */
  print(): void;
  /** The table as text. */
  toString(): string;
}

/** One column of a frame. */
export type FrameColumn = readonly (string | number | boolean | null)[] | Float64Array;

/**
 * A danfo.js DataFrame from columns of one length.
 *
 * The library is loaded now, because it takes most of a second; null becomes NaN in a column of numbers.
 *
 * @throws AppError `danfo_missing` where the library is not installed, with the lines that install it
 */
export async function dataFrame(columns: Readonly<Record<string, FrameColumn>>): Promise<DataFrame> {
  const loaded = await loadDanfo();
  // A CommonJS package: its classes are on the default export for some loaders.
  const { DataFrame: Frame } = 'default' in loaded ? (loaded.default as typeof loaded) : loaded;
  const names = Object.keys(columns);
  // The library cannot make columns without rows from an object.
  if (columns[names[0]!]?.length === 0) return new Frame([], { columns: names }) as DataFrame;
  const plain = Object.entries(columns).map(([name, values]) => [name, plainColumn(values)] as const);
  return new Frame(Object.fromEntries(plain)) as DataFrame;
}

async function loadDanfo() {
  try {
    return await import('danfojs-node');
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    const { overrides, peerDependencies } = packageFile();
    const wanted = `danfojs-node@${peerDependencies['danfojs-node']}`;
    throw new AppError({
      code: 'danfo_missing',
      message: 'toFrame() makes danfo.js DataFrames, and danfojs-node is not installed.',
      hint: `Add "overrides": ${JSON.stringify(overrides)} to your package.json, then: npm install ${wanted}`,
      cause,
    });
  }
}

function plainColumn(values: FrameColumn): (string | number | boolean | null)[] {
  const numeric = values.every((value) => value === null || typeof value === 'number');
  return Array.from(values, (value) => (numeric && value === null ? Number.NaN : value));
}
