import { execFile } from 'node:child_process';
import { closeSync, lstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { readRunSettings } from '../../engine/index.ts';
import { AppError, isObject, messageOf } from '../../kernel/index.ts';
import type {
  Launcher,
  StartChoices,
  StartCommand,
  Started,
  StartField,
  StartRequest,
} from '../../pages/index.ts';
import { readRunInputs } from '../../results/runs/index.ts';
import { readFlags, runFlagsSchema } from '../flags/flags.ts';
import { settingForms } from '../flags/settings-flags.ts';
import type { Io } from '../io.ts';
import {
  fields,
  flagValues,
  MOST_FILES,
  notOffered,
  readRequest,
  refused,
  requestSchema,
  wordsOf,
} from './start-form.ts';
import { PROGRAM, pauseProcess, StartedProcesses } from './start-process.ts';
import { sweepFlagsSchema } from './sweep.ts';

/** Maximum depth of the search for strategies and data. The project folder is level 1. */
const DEEPEST = 4;
/** Number of bytes at the beginning of a file that are read to detect whether it contains a strategy. */
const HEAD = 64 * 1024;
/** Milliseconds in which the process that loads a strategy must have printed the parameters. */
const LOAD_LIMIT = 30_000;

/**
 * Starts runs for the browser page. The page shows the command line of each run. This command line is
 * executed in a separate process in the project folder. The process continues when the server ends.
 */
export class RunLauncher implements Launcher {
  readonly #root: string;
  readonly #out: string;
  readonly #project: string;
  readonly #io: Io;
  readonly #processes: StartedProcesses;

  /**
   * @param out results folder as given on the command line
   * @param project folder that contains the strategies and data
   */
  constructor(out: string, project: string, io: Io) {
    this.#out = out;
    this.#project = realpathSync(project);
    this.#root = realpathSync(resolve(this.#project, out));
    this.#io = io;
    this.#processes = new StartedProcesses(this.#root, this.#project, io.env as NodeJS.ProcessEnv);
  }

  choices(): StartChoices {
    const found: { strategies: string[]; data: string[] } = { strategies: [], data: [] };
    this.#search(this.#project, found, 1);
    const order = (names: string[]): string[] => names.toSorted().slice(0, MOST_FILES);
    return { strategies: order(found.strategies), data: order(found.data), fields: fields() };
  }

  #search(folder: string, found: { strategies: string[]; data: string[] }, depth: number): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const { name } = entry;
      const path = join(folder, name);
      // Symbolic links are skipped, because they can lead outside the project: an entry for a link is neither
      // a file nor a directory. Names that begin with a hyphen are skipped, because they would be read as
      // flags.
      if (/^[.-]/.test(name) || /[\p{Cc}*?[\]{}!()]/u.test(name) || SKIPPED.includes(name)) continue;
      if (entry.isDirectory() && depth < DEEPEST && path !== this.#root) this.#search(path, found, depth + 1);
      if (!entry.isFile()) continue;
      const file = relative(this.#project, path).split(sep).join('/');
      if (/\.(csv|csv\.gz|parquet)$/i.test(name)) found.data.push(file);
      else if (isStrategyFile(path)) found.strategies.push(file);
    }
  }

  parameters(strategy: unknown): Promise<readonly StartField[]> {
    if (typeof strategy !== 'string' || !this.choices().strategies.includes(strategy))
      return Promise.reject(refused([notOffered('strategy', String(strategy))]));
    return new Promise((done, failed) => {
      execFile(
        process.execPath,
        [PROGRAM, 'serve', '--parameters-of', strategy],
        {
          cwd: this.#project,
          env: this.#io.env as NodeJS.ProcessEnv,
          timeout: LOAD_LIMIT,
          maxBuffer: 1 << 20,
        },
        (error, stdout, stderr) => {
          try {
            if (error === null)
              return done(JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as StartField[]);
          } catch {
            // The last line is not JSON, because the strategy has printed something else. The error below
            // contains this output.
          }
          failed(this.#processes.startFailed(`${stderr}${stdout}`, 'The strategy cannot be loaded.'));
        },
      );
    });
  }

  check(request: unknown): StartCommand {
    try {
      const words = this.#wordsOf(request);
      return { command: this.#processes.line(words), problem: '' };
    } catch (error) {
      const parsed = requestSchema.safeParse(request);
      const command = parsed.success ? this.#processes.line(wordsOf(parsed.data, this.#outWords())) : '';
      return { command, problem: error instanceof AppError ? error.message : messageOf(error) };
    }
  }

  async start(request: unknown): Promise<Started> {
    return this.#processes.start(this.#wordsOf(request));
  }

  requestOf(folder: string): StartRequest {
    const { strategy, flags, settings } = readRunInputs(folder);
    const offered = this.choices();
    const own = (path: string): string =>
      relative(this.#project, resolve(this.#project, path)).split(sep).join('/');
    const data = Array.isArray(flags.data) ? flags.data.map((path) => own(String(path))) : [];
    const { leverage } = settings;
    const { maintenanceMargin } = readRunSettings(typeof leverage === 'number' ? { leverage } : {});
    const defaults: Record<string, unknown> = { ...readRunSettings({}), maintenanceMargin };
    const values = settingForms().flatMap(({ name, path: [first = '', second] }) => {
      const at = (from: Readonly<Record<string, unknown>>): unknown => {
        const value = from[first];
        return second === undefined ? value : isObject(value) ? value[second] : undefined;
      };
      const value = at(settings as Record<string, unknown>);
      if (value === undefined || value === null || typeof value === 'object' || value === at(defaults))
        return [];
      return [[name, name === 'short' ? String(value === false) : String(value)] as const];
    });
    const period = ['from', 'to'].flatMap((name) => {
      const value = flags[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const file = strategy.file === null ? '' : own(strategy.file);
    return {
      command: 'run',
      strategy: offered.strategies.includes(file) ? file : '',
      data: offered.data.filter((path) => data.some((one) => one === path || path.startsWith(`${one}/`))),
      values: Object.fromEntries([...period, ...values]),
      parameters: strategy.parameters,
    };
  }

  async resume(folder: string): Promise<Started> {
    const path = join(this.#out, relative(this.#root, folder));
    return this.#processes.start(['resume', path.startsWith('-') ? `./${path}` : path], folder);
  }

  end(folder: string, how: 'pause' | 'stop'): void {
    const child = this.#processes.processOf(folder);
    if (child === undefined)
      throw new AppError({
        code: 'not_started_here',
        message: 'This server did not start the process of this run.',
        hint: 'End it where it was started: press Ctrl-C in its terminal.',
      });
    if (how === 'stop') child.kill('SIGKILL');
    else pauseProcess(child, join(folder, 'journal.jsonl'));
  }

  owns(folder: string): boolean {
    return this.#processes.processOf(folder) !== undefined;
  }

  /**
   * Returns the command line for a request.
   *
   * @throws AppError `start_refused` with all problems of the request
   */
  #wordsOf(given: unknown): string[] {
    const request = readRequest(given, this.choices());
    const schema = request.command === 'run' ? runFlagsSchema : sweepFlagsSchema;
    readFlags(schema, { data: request.data, ...flagValues(request.values) }, request.command);
    return wordsOf(request, this.#outWords());
  }

  #outWords(): string[] {
    return this.#out === 'reports' ? [] : [`--out=${this.#out}`];
  }
}

const SKIPPED = ['node_modules', 'dist', 'reports', 'coverage', '__pycache__'];

function isStrategyFile(path: string): boolean {
  const pattern = STRATEGY_TEXTS.find(([ending]) => ending.test(path))?.[1];
  if (pattern === undefined || !lstatSync(path).isFile()) return false;
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(HEAD);
    return pattern.test(bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD, 0)));
  } finally {
    closeSync(file);
  }
}

const STRATEGY_TEXTS: readonly (readonly [RegExp, RegExp])[] = [
  [/(?<!\.d|\.test)\.m?[jt]s$/, /\bdefineStrategy\s*\(/],
  [/\.py$/, /^(def|async def) (on_bar|signals)\(/m],
  [/\.md$/, /^---\r?\n(.*\n)*?model:/],
];
