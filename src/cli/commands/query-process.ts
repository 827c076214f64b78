import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type QueryLimits, queryTimedOut, queryTooLarge } from '../../runs/index.ts';

/** Set in the process that answers; the one that watches it has it not. */
const ANSWERS = 'SANDTABLE_QUERY_PROCESS';
/** Seconds between the end of the time and that of a query that does not hear of it. */
const GRACE = 2;
const LOOK_MS = 200;
/** Megabytes of a process beside a query: Node, DuckDB and the runs' own tables. */
const BESIDE = 512;

/** Whether this process is to answer queries itself. */
export function answersQueries(env: Readonly<Record<string, string | undefined>>): boolean {
  return env[ANSWERS] === '1';
}

/** Says to the watching process that the query itself begins; ends without it. */
export function sayQueryBegins(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // To listen there would keep this process.
  process.channel?.unref();
  process.send?.('begins');
}

/**
 * Runs the same command in a process of its own. DuckDB is asked to stop at its limits, but has functions that never
 * hear it and memory that it does not count; then that process is ended.
 *
 * @returns the exit code
 * @throws AppError `query_timeout`, `query_memory`
 */
export async function runQueryProcess(limits: QueryLimits): Promise<number> {
  const heap = `--max-old-space-size=${limits.megabytes * 2 + BESIDE}`;
  const [program = '', ...rest] = process.argv.slice(1);
  const child = spawn(process.execPath, [...process.execArgv, heap, program, ...rest], {
    // Its own writer guards what it prints.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [ANSWERS]: '1' },
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
    // Node ends itself so where its own memory is used up, and the system by SIGKILL.
    if (ended === 'memory' || signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134)
      throw queryTooLarge(`it needs more than ${limits.megabytes} MB of memory`);
    return code ?? 1;
  } finally {
    clearInterval(look);
    clearTimeout(clock);
    child.kill('SIGKILL');
  }
}

/** Memory that a process holds, in bytes; 0 where the system does not say. */
function residentBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
