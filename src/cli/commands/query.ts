import { z } from 'zod';
import { textTable, writeData } from '../../kernel/index.ts';
import { csvText, QUERY_LIMITS, type QueryResult, queryRuns } from '../../runs/index.ts';
import { numberText } from '../flag-values.ts';
import { readFlags } from '../flags.ts';
import { type Io, mayColour, printLine, widthOf } from '../io.ts';
import { answersQueries, runQueryProcess, sayQueryBegins } from './query-process.ts';

/** A Node timer counts milliseconds in 31 bits. */
const MOST_SECONDS = 2_000_000;
const MOST_MEGABYTES = 1_048_576;

const queryFlagsSchema = z.object({
  reports: z.string().optional(),
  json: z.boolean().optional(),
  csv: z.boolean().optional(),
  timeout: numberText({ min: 0, max: MOST_SECONDS, above: true }).optional(),
  memory: numberText({ min: 16, max: MOST_MEGABYTES, whole: true }).optional(),
});

/** `sandtable query "select …"`: read-only SQL over all runs. Returns the exit code. */
export async function queryCommand(sql: string, given: Record<string, unknown>, io: Io): Promise<number> {
  const both = given.json === true && given.csv === true;
  const flags = readFlags(
    queryFlagsSchema,
    given,
    'query',
    both ? [{ where: '--json, --csv', message: 'cannot be combined. Use one of them' }] : [],
  );
  const limits = {
    seconds: flags.timeout ?? QUERY_LIMITS.seconds,
    megabytes: flags.memory ?? QUERY_LIMITS.megabytes,
  };
  // Inside another program, such as a test, the command cannot be restarted in a new process.
  const isOwn = io.guard !== undefined;
  if (isOwn && !answersQueries(io.env)) return runQueryProcess(limits);
  const result = await queryRuns(flags.reports ?? 'reports', sql, limits, isOwn ? sayQueryBegins : undefined);
  for (const note of result.notes) printLine(io.stderr, `note: ${note}`);
  if (flags.json === true) printJson(result, io);
  else if (flags.csv === true) printCsv(result, io);
  else printLine(io.stdout, textTable(result.columns, result.rows, styleOf(io)));
  return 0;
}

function styleOf(io: Io) {
  return {
    // A file or a pipe has unlimited width, so text is not truncated.
    width: io.stdout.isTTY === true ? widthOf(io.stdout, io.env) : Number.POSITIVE_INFINITY,
    colour: mayColour(io.stdout, io.env),
    ascii: io.env.TERM === 'dumb',
  };
}

// Rows are written in batches, because the text of all rows may exceed the maximum string length.
const AT_ONCE = 10_000;

function printJson({ columns, rows }: QueryResult, io: Io): void {
  if (rows.length === 0) printLine(io.stdout, '[]');
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const objects = rows
      .slice(from, from + AT_ONCE)
      .map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
    const lines = JSON.stringify(objects, null, 2).slice(2, -2);
    const isLast = from + AT_ONCE >= rows.length;
    printLine(io.stdout, `${from === 0 ? '[\n' : ''}${lines}${isLast ? '\n]' : ','}`);
  }
}

function printCsv({ columns, rows }: QueryResult, io: Io): void {
  writeData(io.stdout, csvText([columns]));
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const part = rows.slice(from, from + AT_ONCE);
    writeData(io.stdout, csvText(part.map((row) => row.map((value) => String(value ?? '')))));
  }
}
