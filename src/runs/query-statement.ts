import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';

/** What a statement that only reads begins with. */
const READS =
  /^[\s(]*(?:select|from|with|values|table|describe|desc|summarize|show|explain|pivot|unpivot)\b/i;

/** Spaces and comments before a statement. */
const BEFORE = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;

/** `explain` and its options; what is left is what is to be explained. */
const EXPLAIN = /^explain\b\s*(?:\((?!\s*(?:select|from|with|values)\b)[^()]*\))?/i;

/**
 * The one statement of a query, ready to be run, as DuckDB's own parser takes it.
 *
 * @throws Error in words for the user, where the text holds more than one statement or one that does more than read;
 *   whatever DuckDB says of a text that it cannot take apart
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
  // DuckDB makes a pivot of several statements: types of the values to turn, then the select that uses them. No other
  // text that begins as a read begins with a CREATE.
  let at = 0;
  while (prepared.statementType === StatementType.CREATE && at < statements.count - 1) {
    // The next cannot be prepared without the type.
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

/** An explanation that runs its statement (`analyze`), or is of one that changes something, is refused. */
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
