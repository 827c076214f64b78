import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { AppError, messageOf } from '../../../kernel/index.ts';

/** Matches the keyword at the beginning of a read-only statement. */
const READS =
  /^[\s(]*(?:select|from|with|values|table|describe|desc|summarize|show|explain|pivot|unpivot)\b/i;

/** Matches spaces and comments before a statement. */
const BEFORE = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;

/** Matches `explain` and its options. The explained statement follows. */
const EXPLAIN = /^explain\b\s*(?:\((?!\s*(?:select|from|with|values)\b)[^()]*\))?/i;

/**
 * Prepares the single statement of a query with DuckDB's own parser, and checks that the statement only
 * reads.
 *
 * @throws Error with a message for the user if the text contains several statements or a statement that
 *   writes; the error of DuckDB if the text cannot be parsed
 */
async function preparedRead(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  const text = sql.replace(BEFORE, '');
  if (!READS.test(text)) throw refused('it does not begin with a read-only statement.');
  const { StatementType } = await import('@duckdb/node-api');
  const statements = await connection.extractStatements(text);
  let prepared = await statements.prepare(0);
  // DuckDB splits a pivot into several statements: CREATE statements for the pivoted values, then a SELECT. A
  // query that itself begins with CREATE was already rejected by the check with `READS`.
  let at = 0;
  while (prepared.statementType === StatementType.CREATE && at < statements.count - 1) {
    // The CREATE statement runs first, because the next statement can only be prepared when the created type
    // exists.
    await prepared.run();
    at += 1;
    prepared = await statements.prepare(at);
  }
  if (at < statements.count - 1) throw refused('it contains more than one statement.');
  if (prepared.statementType === StatementType.EXPLAIN) {
    await checkExplained(connection, text.replace(EXPLAIN, ''));
    return prepared;
  }
  if (prepared.statementType !== StatementType.SELECT)
    throw refused(`${StatementType[prepared.statementType]} is not a read-only statement.`);
  return prepared;
}

/** Rejects an `explain` that runs its statement (`analyze`) or whose statement writes. */
async function checkExplained(connection: DuckDBConnection, explained: string): Promise<void> {
  const { StatementType } = await import('@duckdb/node-api');
  const fault = 'explain requires a read-only statement, without analyze.';
  let type: number;
  try {
    type = (await (await connection.extractStatements(explained)).prepare(0)).statementType;
  } catch (cause) {
    throw refused(fault, cause);
  }
  if (type !== StatementType.SELECT) throw refused(fault);
}

function refused(why: string, cause?: unknown): Error {
  return new Error(why, cause === undefined ? {} : { cause });
}

export interface QueryLimits {
  readonly seconds: number;
  /** Memory limit in MB of 1,048,576 bytes. Applies to DuckDB, and separately to the rows of the result. */
  readonly megabytes: number;
}

export const QUERY_LIMITS: QueryLimits = { seconds: 30, megabytes: 1024 };

const MEGABYTE = 1024 * 1024;
/** Approximate memory of a row and of one value, in bytes. The characters of texts are counted separately. */
const [ROW_BYTES, VALUE_BYTES] = [64, 32];

interface ReadRows {
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
        if (used > room) throw queryTooLarge(`the result is larger than ${limits.megabytes} MB`);
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
    message: `The query was stopped: it took longer than ${seconds} s.`,
    hint: 'Select less, check for a join without a condition, or raise the limit with --timeout SECONDS.',
    kind: 'run',
    cause,
  });
}

/** Returns the error for a query that exceeded its memory limit. */
export function queryTooLarge(why: string, cause?: unknown): AppError {
  return new AppError({
    code: 'query_memory',
    message: `The query was stopped: ${why}.`,
    hint: 'Select fewer rows, aggregate them, or raise the limit with --memory MB.',
    kind: 'run',
    cause,
  });
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length * 2;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  return Object.values(value).reduce<number>((sum, inner) => sum + bytesOf(inner), VALUE_BYTES);
}
