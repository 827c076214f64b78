import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';

/** Keywords at the beginning of read-only statements. */
const READS =
  /^[\s(]*(?:select|from|with|values|table|describe|desc|summarize|show|explain|pivot|unpivot)\b/i;

/** Spaces and comments before a statement. */
const BEFORE = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;

/** Matches `explain` and its options. The explained statement follows. */
const EXPLAIN = /^explain\b\s*(?:\((?!\s*(?:select|from|with|values)\b)[^()]*\))?/i;

/**
 * Prepares the single statement of a query with DuckDB's own parser.
 *
 * @throws Error with a message for the user if the text contains several statements or one that changes
 *   something; the error of DuckDB if the text cannot be parsed
 */
export async function preparedRead(
  connection: DuckDBConnection,
  sql: string,
): Promise<DuckDBPreparedStatement> {
  const text = sql.replace(BEFORE, '');
  if (!READS.test(text)) throw refused('it does not begin as a statement that only reads.');
  const { StatementType } = await import('@duckdb/node-api');
  const statements = await connection.extractStatements(text);
  let prepared = await statements.prepare(0);
  // DuckDB splits a pivot into several statements: CREATE statements for the pivoted values, then the select
  // that uses them. No other text that begins like a read-only statement starts with a CREATE.
  let at = 0;
  while (prepared.statementType === StatementType.CREATE && at < statements.count - 1) {
    // The next statement can only be prepared after the type has been created.
    await prepared.run();
    at += 1;
    prepared = await statements.prepare(at);
  }
  if (at < statements.count - 1) throw refused('it holds more than one statement.');
  if (prepared.statementType === StatementType.EXPLAIN) {
    await checkExplained(connection, text.replace(EXPLAIN, ''));
    return prepared;
  }
  if (prepared.statementType !== StatementType.SELECT)
    throw refused(`${StatementType[prepared.statementType]} is not a statement that only reads.`);
  return prepared;
}

/** Rejects an `explain` that runs its statement (`analyze`) or whose statement changes something. */
async function checkExplained(connection: DuckDBConnection, explained: string): Promise<void> {
  const { StatementType } = await import('@duckdb/node-api');
  const fault = 'explain is taken before a statement that only reads, and without analyze.';
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
