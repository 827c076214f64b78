import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError, builtPlace } from '../../kernel/index.ts';
import type { Started } from '../../pages/index.ts';
import { programIn, quoted } from '../print-outcome.ts';

/** Maximum number of processes that one server runs at the same time. */
const MOST_PROCESSES = 4;
/** Milliseconds between two checks whether a started process has created its run folder. */
const LOOK_EVERY = 50;
/** Maximum number of characters that are shown of the output of a process. */
const LONGEST_MESSAGE = 2_000;
/** Milliseconds between two checks of the journal after a process was requested to end. */
const PAUSE_STEP = 400;
/** Milliseconds in which a started process must have created its folder. */
const START_LIMIT = 60_000;

/** Path of the command-line program. */
export const PROGRAM = fileURLToPath(builtPlace('cli/bin.js'));

/**
 * Processes that this server (`sandtable serve`) has started. Each process runs the command-line program and
 * continues when the server ends.
 */
export class StartedProcesses {
  readonly #root: string;
  readonly #project: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #processes = new Map<ChildProcess, { readonly key: string; folder?: string }>();

  /**
   * @param root results folder
   * @param project working folder of the processes
   */
  constructor(root: string, project: string, env: NodeJS.ProcessEnv) {
    this.#root = root;
    this.#project = project;
    this.#env = env;
  }

  /**
   * Returns the process that writes to a folder. `undefined` if this server did not start it, or it has
   * ended.
   */
  processOf(folder: string): ChildProcess | undefined {
    for (const [child, { folder: own }] of this.#processes) if (own === folder) return child;
    return undefined;
  }

  /** Returns a command line as text that can be pasted into a terminal. */
  line(words: readonly string[]): string {
    return [...programIn(this.#project), ...words].map(quoted).join(' ');
  }

  /**
   * Returns the error for a process that printed an error or ended too early. If the output contains no
   * error, the message is `otherwise`.
   */
  startFailed(output: string, otherwise: string): AppError {
    const lines = output.trim().split('\n');
    const first = lines.findIndex((line) => line.startsWith('error: '));
    const said = first < 0 ? '' : lines.slice(first).join(' ').replace('error: ', '');
    // Removes the project's path, because the page must not show paths of this machine.
    const plain = said.replaceAll(`${this.#project}${sep}`, '').replaceAll(/\s+/g, ' ');
    return new AppError({
      code: 'start_failed',
      message: plain === '' ? otherwise : plain.slice(0, LONGEST_MESSAGE),
      hint: 'Run the command in a terminal to see all of its output.',
    });
  }

  /**
   * Starts a process and waits until the process writes to its folder: a new folder of a run or sweep, or
   * `known`.
   *
   * @param known folder of a run that is resumed
   * @throws AppError `start_pending`, `too_many_runs`, `start_failed`
   */
  async start(words: readonly string[], known?: string): Promise<Started> {
    const key = JSON.stringify(words);
    const pending = [...this.#processes.values()].some((one) => one.key === key && one.folder === undefined);
    if (pending || (known !== undefined && this.processOf(known) !== undefined))
      throw new AppError({
        code: 'start_pending',
        message: 'The same command is already starting.',
        hint: 'Wait until its run appears in the list.',
      });
    if (this.#processes.size >= MOST_PROCESSES)
      throw new AppError({
        code: 'too_many_runs',
        message: `This server already runs ${MOST_PROCESSES} processes.`,
        hint: 'Wait for the end of a run, or stop one.',
      });
    const before = new Set(readdirSync(this.#root));
    const place = mkdtempSync(join(tmpdir(), 'sandtable-start-'));
    const log = join(place, 'output.txt');
    const output = openSync(log, 'w', 0o600);
    // `detached` starts a separate process group. Ctrl-C in the server's terminal then does not end the run.
    // The output goes to a file, because a pipe would break when the server ends.
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd: this.#project,
      env: this.#env,
      stdio: ['ignore', output, output],
      detached: true,
    });
    closeSync(output);
    child.unref();
    const entry: { readonly key: string; folder?: string } = { key };
    this.#processes.set(child, entry);
    const ended = new Promise<void>((done) => {
      const end = (): void => {
        this.#processes.delete(child);
        done();
      };
      child.on('error', end);
      child.on('exit', end);
    });
    let isRunning = true;
    void ended.then(() => {
      isRunning = false;
    });
    const limit = Date.now() + START_LIMIT;
    while (Date.now() < limit) {
      const wasRunning = isRunning;
      const found = folderOf(this.#root, child.pid, before, known, wasRunning ? undefined : log);
      if (found !== undefined) {
        entry.folder = found;
        void ended.then(() => rmSync(place, { recursive: true, force: true }));
        return { command: this.line(words), folder: relative(this.#root, found) };
      }
      if (!wasRunning) break;
      await new Promise((done) => setTimeout(done, LOOK_EVERY));
    }
    child.kill('SIGKILL');
    const said = readFileSync(log, 'utf8');
    rmSync(place, { recursive: true, force: true });
    throw this.startFailed(said, 'The process ended before it created a run.');
  }
}

/**
 * Returns the folder of the run or sweep to which a process writes. `undefined` if the folder does not exist
 * yet.
 *
 * @param before names of the folders that existed before the process started
 * @param known folder of a run that is resumed
 * @param log output of the process if it has ended. For a running process, the folder is found by its lock
 *   file
 */
function folderOf(
  root: string,
  pid: number | undefined,
  before: ReadonlySet<string>,
  known: string | undefined,
  log: string | undefined,
): string | undefined {
  const said = log === undefined ? undefined : readFileSync(log, 'utf8');
  const names =
    known === undefined ? readdirSync(root).filter((name) => !before.has(name)) : [relative(root, known)];
  for (const name of names) {
    const folder = join(root, name);
    if (said !== undefined) {
      if (said.includes(name) && !said.includes('error: ')) return folder;
      continue;
    }
    try {
      const [owner] = readFileSync(join(folder, 'run.lock'), 'utf8').split(' ');
      // A run writes its lock before its journal. Both are required here, because the list of runs shows only
      // folders with a journal.
      if (
        Number(owner) === pid &&
        readdirSync(folder).some((file) => /journal\.jsonl|-manifest\.json/.test(file))
      )
        return folder;
    } catch {
      // The file is not a folder of a run, or the run has not written its lock yet.
    }
  }
  return undefined;
}

/**
 * Ends a process after its current decision. If a strategy never yields, the process handles the signal only
 * at the end of the run. The signal is therefore sent again if the journal continues to grow. The second
 * signal ends the process immediately.
 */
export function pauseProcess(child: ChildProcess, journal: string): void {
  child.kill('SIGTERM');
  let size = statSync(journal).size;
  let growths = 0;
  const timer = setInterval(() => {
    if (child.exitCode !== null || child.signalCode !== null) return clearInterval(timer);
    const now = statSync(journal, { throwIfNoEntry: false })?.size ?? size;
    if (now > size) growths += 1;
    size = now;
    if (growths >= 2) child.kill('SIGTERM');
  }, PAUSE_STEP);
  timer.unref();
}
