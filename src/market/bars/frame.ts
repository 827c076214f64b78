import { AppError, packageFile } from '../../kernel/index.ts';

type FrameValues = readonly (number | string | boolean)[];

/** Commonly used members of a danfo.js Series: one column of a DataFrame. */
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

/** Rows of a frame, grouped by columns. */
interface FrameGroups {
  agg(operations: Readonly<Record<string, string | string[]>>): DataFrame;
  count(): DataFrame;
  mean(): DataFrame;
  sum(): DataFrame;
}

/**
 * DataFrame of danfo.js. Declares only the commonly used members, so that types of the library are not
 * needed. To use other members, cast the object to the library's type.
 */
export interface DataFrame {
  readonly shape: number[];
  readonly columns: string[];
  readonly values: FrameValues | readonly FrameValues[];
  /** Returns one column. */
  column(name: string): FrameSeries;
  /** Returns the rows that meet a condition. */
  query(rows: FrameSeries): DataFrame;
  /** Groups rows by columns. */
  groupby(columns: string[]): FrameGroups;
  /** Returns the first rows. */
  head(rows?: number): DataFrame;
  /** Returns the last rows. */
  tail(rows?: number): DataFrame;
  /** Returns count, mean and quantiles of each numeric column. */
  describe(): DataFrame;
  /** Prints the table. */
  print(): void;
  /** Returns the table as text. */
  toString(): string;
}

/** One column of a frame. */
export type FrameColumn = readonly (string | number | boolean | null)[] | Float64Array;

/**
 * Creates a danfo.js DataFrame from columns of equal length.
 *
 * The library is loaded on demand, because loading takes most of a second. In a numeric column `null` becomes
 * NaN.
 *
 * @throws AppError `danfo_missing` if the library is not installed, with the install commands
 */
export async function dataFrame(columns: Readonly<Record<string, FrameColumn>>): Promise<DataFrame> {
  const loaded = await loadDanfo();
  // The library is a CommonJS package: some loaders put its classes on the default export.
  const { DataFrame: Frame } = 'default' in loaded ? (loaded.default as typeof loaded) : loaded;
  const names = Object.keys(columns);
  // A frame without rows is created separately, because the library cannot create it from an object of columns.
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
