import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError, messageOf } from '../kernel/index.ts';
import { preparedRead } from './query-statement.ts';

export interface QueryLimits {
  readonly seconds: number;
  /** Memory in MB of 1,048,576 bytes. Applies to DuckDB's work and separately to the rows of the result. */
  readonly megabytes: number;
}

export const QUERY_LIMITS: QueryLimits = { seconds: 30, megabytes: 1024 };

const MEGABYTE = 1024 * 1024;
/** Approximate memory of a row and of a value without the characters of texts, in bytes. */
const [ROW_BYTES, VALUE_BYTES] = [64, 32];

export interface ReadRows {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  /** Values in their JSON representation. */
  readonly rows: unknown[][];
}

/**
 * Runs a query and reads its result within limits.
 *
 * @throws AppError `query_timeout`, `query_memory`; otherwise the error of DuckDB
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

/** Returns the error for a query that exceeded its time limit. */
export function queryTimedOut({ seconds }: QueryLimits, cause?: unknown): AppError {
  return new AppError({
    code: 'query_timeout',
    message: `The query was ended: it took longer than ${seconds} s.`,
    hint: 'Ask for less, look for a join that is not bound, or allow more with --timeout SECONDS.',
    kind: 'run',
    cause,
  });
}

/** Returns the error for a query that exceeded its memory limit. */
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
