import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { childEnvironment, countedTable, writeData } from '../../kernel/index.ts';
import {
  csvText,
  QUERY_LIMITS,
  type QueryLimits,
  type QueryResult,
  queryRuns,
  queryTimedOut,
  queryTooLarge,
} from '../../results/runs/index.ts';
import { numberText } from '../flags/flag-values.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, mayColour, printLine, widthOf } from '../io.ts';

/**
 * Environment variable that marks the child process. The parent process starts the child and watches it. The
 * child executes the query.
 */
const ANSWERS = 'SANDTABLE_QUERY_PROCESS';
/**
 * Environment variables that are passed to the child process: those for Node, the terminal and Sandtable. API
 * keys are not passed, because a query does not need them.
 */
const PASSED = (
  'PATH NODE_OPTIONS NODE_V8_COVERAGE TERM COLUMNS NO_COLOR FORCE_COLOR ' +
  'SANDTABLE_DEBUG SANDTABLE_NO_NODE_NOTICE SANDTABLE_CACHE_DIR'
).split(' ');
/** Seconds after the time limit until the child process is killed, if the query cannot be interrupted. */
const GRACE = 2;
const LOOK_MS = 200;
/**
 * Megabytes that are added to the memory limit of the child process. Node, DuckDB itself and the tables of
 * the runs need them; the query's own limit does not include them.
 */
const BESIDE = 512;

/** Returns true if this process is the child that executes the query. */
function answersQueries(env: Readonly<Record<string, string | undefined>>): boolean {
  return env[ANSWERS] === '1';
}

/**
 * Informs the parent process that the query begins. If the parent process ends, this process kills itself.
 */
function sayQueryBegins(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // Without `unref`, the open channel to the parent would prevent this process from exiting.
  process.channel?.unref();
  process.send?.('begins');
}

/**
 * Runs this `query` command again in a child process. DuckDB interrupts a query that reaches a limit. Some of
 * its functions ignore the interruption, and some of its memory is not counted. In these cases the child
 * process is killed.
 *
 * @returns the exit code
 * @throws AppError `query_timeout`, `query_memory`
 */
async function runQueryProcess(limits: QueryLimits): Promise<number> {
  const heap = `--max-old-space-size=${limits.megabytes * 2 + BESIDE}`;
  const [program = '', ...rest] = process.argv.slice(1);
  const child = spawn(process.execPath, [...process.execArgv, heap, program, ...rest], {
    // The child process uses the same terminal directly. It removes control characters from its output
    // itself.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...childEnvironment(process.env, PASSED), [ANSWERS]: '1' },
  });
  let ended: 'time' | 'memory' | undefined;
  const end = (why: 'time' | 'memory'): void => {
    ended ??= why;
    child.kill('SIGKILL');
  };
  const most = (limits.megabytes * 3 + BESIDE) * 1024 * 1024;
  const look = setInterval(() => {
    if (residentBytes(child.pid) > most) end('memory');
  }, LOOK_MS);
  let clock: NodeJS.Timeout | undefined;
  child.once('message', () => {
    clock = setTimeout(() => end('time'), (limits.seconds + GRACE) * 1000);
  });
  try {
    const { code, signal } = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
      (resolve, reject) => {
        child.once('error', reject);
        child.once('exit', (exitCode, by) => resolve({ code: exitCode, signal: by }));
      },
    );
    if (ended === 'time') throw queryTimedOut(limits);
    // Signs of exhausted memory: Node aborts when its heap is full, and the operating system sends SIGKILL.
    if (ended === 'memory' || signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134)
      throw queryTooLarge(`it needs more than ${limits.megabytes} MB of memory`);
    return code ?? 1;
  } finally {
    clearInterval(look);
    clearTimeout(clock);
    child.kill('SIGKILL');
  }
}

/** Returns the resident memory of a process in bytes. 0 if the system does not report it. */
function residentBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Maximum time limit in seconds. Timers of Node are limited to 2^31 milliseconds. */
const MOST_SECONDS = 2_000_000;
const MOST_MEGABYTES = 1_048_576;

const queryFlagsSchema = z.object({
  reports: z.string().optional(),
  json: z.boolean().optional(),
  csv: z.boolean().optional(),
  timeout: numberText({ min: 0, max: MOST_SECONDS, above: true }).optional(),
  memory: numberText({ min: 16, max: MOST_MEGABYTES, whole: true }).optional(),
});

/** `sandtable query "select …"`: runs a read-only SQL query over all runs. Returns the exit code. */
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
  // Without `io.guard`, this code runs inside another program, for example a test. The command line of the
  // process is then that of the other program and must not be run in a child process.
  const isOwn = io.guard !== undefined;
  if (isOwn && !answersQueries(io.env)) return runQueryProcess(limits);
  const result = await queryRuns(flags.reports ?? 'reports', sql, limits, isOwn ? sayQueryBegins : undefined);
  for (const note of result.notes) printLine(io.stderr, `note: ${note}`);
  if (flags.json === true) printJson(result, io);
  else if (flags.csv === true) printCsv(result, io);
  else printLine(io.stdout, countedTable(result.columns, result.rows, styleOf(io)));
  return 0;
}

function styleOf(io: Io) {
  return {
    // A file or a pipe has no width, so text is not truncated.
    width: io.stdout.isTTY === true ? widthOf(io.stdout, io.env) : Number.POSITIVE_INFINITY,
    colour: mayColour(io.stdout, io.env),
    ascii: io.env.TERM === 'dumb',
  };
}

// Rows are written in batches, because the text of all rows may be longer than the maximum string.
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
