import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { childEnvironment } from '../../kernel/index.ts';
import { type QueryLimits, queryTimedOut, queryTooLarge } from '../../runs/index.ts';

/** Environment variable set in the process that runs queries. It is not set in the watching process. */
const ANSWERS = 'SANDTABLE_QUERY_PROCESS';
/** Variables about Node and the terminal that the process inherits. Keys are withheld: a query needs none. */
const PASSED = (
  'PATH NODE_OPTIONS NODE_V8_COVERAGE TERM COLUMNS NO_COLOR FORCE_COLOR ' +
  'SANDTABLE_DEBUG SANDTABLE_NO_NODE_NOTICE SANDTABLE_CACHE_DIR'
).split(' ');
/** Seconds after the time limit until a query that ignores interruption is killed. */
const GRACE = 2;
const LOOK_MS = 200;
/** Megabytes of a process in addition to the query: Node, DuckDB and the runs' tables. */
const BESIDE = 512;

/** Returns true if this process must run queries itself. */
export function answersQueries(env: Readonly<Record<string, string | undefined>>): boolean {
  return env[ANSWERS] === '1';
}

/** Notifies the watching process that the query begins. Ends this process if the watching process ends. */
export function sayQueryBegins(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // A listener would otherwise prevent this process from exiting.
  process.channel?.unref();
  process.send?.('begins');
}

/**
 * Runs the same command in a separate process. DuckDB is interrupted at its limits. Some of its functions
 * ignore interruption, and some memory is not counted; in these cases the process is killed.
 *
 * @returns the exit code
 * @throws AppError `query_timeout`, `query_memory`
 */
export async function runQueryProcess(limits: QueryLimits): Promise<number> {
  const heap = `--max-old-space-size=${limits.megabytes * 2 + BESIDE}`;
  const [program = '', ...rest] = process.argv.slice(1);
  const child = spawn(process.execPath, [...process.execArgv, heap, program, ...rest], {
    // The child process makes its own output safe for terminals.
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
    // Node aborts if its heap is exhausted, and the system sends SIGKILL if memory is exhausted.
    if (ended === 'memory' || signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134)
      throw queryTooLarge(`it needs more than ${limits.megabytes} MB of memory`);
    return code ?? 1;
  } finally {
    clearInterval(look);
    clearTimeout(clock);
    child.kill('SIGKILL');
  }
}

/** Resident memory of a process in bytes. 0 if the system does not report it. */
function residentBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
