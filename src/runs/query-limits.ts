import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError, messageOf } from '../kernel/index.ts';
import { preparedRead } from './query-statement.ts';

export interface QueryLimits {
  readonly seconds: number;
  /** Of DuckDB's work, and once more of the rows that are the answer, in MB of 1,048,576 bytes. */
  readonly megabytes: number;
}

export const QUERY_LIMITS: QueryLimits = { seconds: 30, megabytes: 1024 };

const MEGABYTE = 1024 * 1024;
/** What a row and a value of it take in memory beside the characters of a text, roughly, in bytes. */
const [ROW_BYTES, VALUE_BYTES] = [64, 32];

export interface ReadRows {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  /** Values as JSON has them. */
  readonly rows: unknown[][];
}

/**
 * Runs the one statement of a query and reads its answer, within limits.
 *
 * @throws AppError `query_timeout`, `query_memory`; otherwise whatever DuckDB says
 */
export async function limitedRead(
  connection: DuckDBConnection,
  sql: string,
  limits: QueryLimits,
): Promise<ReadRows> {
  const deadline = performance.now() + limits.seconds * 1000;
  const timer = setTimeout(() => connection.interrupt(), limits.seconds * 1000);
  const { JsonDuckDBValueConverter } = await import('@duckdb/node-api');
  const rows: unknown[][] = [];
  try {
    const result = await (await preparedRead(connection, sql)).stream();
    const room = limits.megabytes * MEGABYTE;
    for (let used = 0; ; ) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      if (performance.now() > deadline) throw queryTimedOut(limits);
      for (const row of chunk.convertRows(JsonDuckDBValueConverter)) {
        used += ROW_BYTES + row.reduce<number>((sum, value) => sum + bytesOf(value), 0);
        if (used > room) throw queryTooLarge(`its answer is larger than ${limits.megabytes} MB`);
        rows.push(row);
      }
    }
    return { columns: result.columnNames(), types: result.columnTypes().map(String), rows };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (/INTERRUPT/i.test(messageOf(cause))) throw queryTimedOut(limits, cause);
    if (/out of memory/i.test(messageOf(cause)))
      throw queryTooLarge(`it needs more than ${limits.megabytes} MB of memory`, cause);
    throw cause;
  } finally {
    clearTimeout(timer);
  }
}

/** A query that took longer than it may. */
export function queryTimedOut({ seconds }: QueryLimits, cause?: unknown): AppError {
  return new AppError({
    code: 'query_timeout',
    message: `The query was ended: it took longer than ${seconds} s.`,
    hint: 'Ask for less, look for a join that is not bound, or allow more with --timeout SECONDS.',
    kind: 'run',
    cause,
  });
}

/** A query that took more memory than it may. */
export function queryTooLarge(why: string, cause?: unknown): AppError {
  return new AppError({
    code: 'query_memory',
    message: `The query was ended: ${why}.`,
    hint: 'Ask for fewer rows or sums of them, or allow more with --memory MB.',
    kind: 'run',
    cause,
  });
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length * 2;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  return Object.values(value).reduce<number>((sum, inner) => sum + bytesOf(inner), VALUE_BYTES);
}
