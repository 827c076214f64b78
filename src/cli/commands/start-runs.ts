import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { loadStrategy, withEnvFile } from '../../agents/index.ts';
import { readRunSettings } from '../../engine/index.ts';
import { AppError, builtPlace, type Fault, isObject, messageOf } from '../../kernel/index.ts';
import type {
  Launcher,
  StartChoices,
  StartCommand,
  Started,
  StartField,
  StartRequest,
} from '../../pages/index.ts';
import { readRunInputs } from '../../results/runs/index.ts';
import { flagNamed } from '../flags/flag-values.ts';
import { readFlags, runFlagsSchema } from '../flags/flags.ts';
import { numberRulesOf, settingForms } from '../flags/settings-flags.ts';
import type { Io } from '../io.ts';
import { programIn, quoted } from '../print-outcome.ts';
import { sweepFlagsSchema } from './sweep.ts';

/** Largest number of processes of one server at the same time. */
const MOST_PROCESSES = 4;
/** Largest number of files offered. */
const MOST_FILES = 500;
/** Depth of folders that are searched for strategies and data. */
const DEEPEST = 4;
/** Bytes read of a file to see if it is a strategy. */
const HEAD = 64 * 1024;
/** Milliseconds until a strategy must have shown its parameters. */
const LOAD_LIMIT = 30_000;
/** Milliseconds between two looks for the folder of a started process. */
const LOOK_EVERY = 50;
/** Largest number of characters that are shown of the output of a process. */
const LONGEST_MESSAGE = 2_000;
/** Milliseconds between two looks at the journal of a process that must end. */
const PAUSE_STEP = 400;
/** Milliseconds in which a started process must create its folder. */
const START_LIMIT = 60_000;

const text = z
  .string()
  .max(1_000)
  .regex(/^\P{Cc}*$/u, 'contains a control character');
const requestSchema = z.strictObject({
  command: z.enum(['run', 'sweep']),
  strategy: text,
  data: z.array(text).min(1, 'is missing').max(MOST_FILES),
  values: z.record(text, text),
  parameters: z.record(text, text),
});

/** Flags of the form other than settings, with the schema of their texts. */
const OTHER_FIELDS: readonly StartField[] = [
  { name: 'from', label: 'From', help: 'first date', group: 'Period', kind: 'date', initial: '' },
  { name: 'to', label: 'To', help: 'last date (inclusive)', group: 'Period', kind: 'date', initial: '' },
  ...(
    [
      ['trials', 'Trials', 'maximum number of combinations (default: the whole grid)'],
      ['objective', 'Objective', 'metric of summary.json, or an expression of several (default sharpe)'],
      ['walkForward', 'Walk-forward', 'for example train=3y,test=1y'],
      ['holdout', 'Holdout', 'reserve the end of the data, for example 2y'],
    ] as const
  ).map(
    ([name, label, help]): StartField => ({
      name,
      label,
      help,
      group: 'Sweep',
      kind: 'text',
      initial: '',
      isOfSweeps: true,
    }),
  ),
];

/**
 * Starts runs for the browser. A process runs the same command line that the form shows, in the same folder,
 * and continues when the server ends.
 */
export class RunLauncher implements Launcher {
  readonly #root: string;
  readonly #out: string;
  readonly #project: string;
  readonly #io: Io;
  readonly #processes = new Map<ChildProcess, { readonly key: string; folder?: string }>();

  /**
   * @param out results folder as given on the command line
   * @param project folder of the project: strategies and data lie in it
   */
  constructor(out: string, project: string, io: Io) {
    this.#out = out;
    this.#project = realpathSync(project);
    this.#root = realpathSync(resolve(this.#project, out));
    this.#io = io;
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
      // Links can lead outside of the project. A name that begins with a hyphen would be read as a flag.
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
            // The strategy printed something else. The error below shows it.
          }
          failed(this.#startFailed(`${stderr}${stdout}`, 'The strategy cannot be loaded.'));
        },
      );
    });
  }

  check(request: unknown): StartCommand {
    try {
      const words = this.#wordsOf(request);
      return { command: this.#line(words), problem: '' };
    } catch (error) {
      const parsed = requestSchema.safeParse(request);
      const command = parsed.success ? this.#line(wordsOf(parsed.data, this.#outWords())) : '';
      return { command, problem: error instanceof AppError ? error.message : messageOf(error) };
    }
  }

  async start(request: unknown): Promise<Started> {
    return this.#started(this.#wordsOf(request));
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
    return this.#started(['resume', path.startsWith('-') ? `./${path}` : path], folder);
  }

  end(folder: string, how: 'pause' | 'stop'): void {
    const child = this.#processOf(folder);
    if (child === undefined)
      throw new AppError({
        code: 'not_started_here',
        message: 'This server did not start the process of this run.',
        hint: 'End it where it was started: press Ctrl-C in its terminal.',
      });
    if (how === 'stop') child.kill('SIGKILL');
    else pause(child, join(folder, 'journal.jsonl'));
  }

  owns(folder: string): boolean {
    return this.#processOf(folder) !== undefined;
  }

  #processOf(folder: string): ChildProcess | undefined {
    for (const [child, { folder: own }] of this.#processes) if (own === folder) return child;
    return undefined;
  }

  /** @throws AppError `start_refused` with all problems of the request */
  #wordsOf(given: unknown): string[] {
    const parsed = requestSchema.safeParse(given);
    if (!parsed.success)
      throw refused(parsed.error.issues.map(({ path, message }) => ({ where: path.join('.'), message })));
    const request = parsed.data;
    const offered = this.choices();
    const names = new Set(
      offered.fields.flatMap(({ name, isOfSweeps }) =>
        isOfSweeps === true && request.command === 'run' ? [] : [name],
      ),
    );
    const faults: Fault[] = [
      ...(offered.strategies.includes(request.strategy) ? [] : [notOffered('strategy', request.strategy)]),
      ...request.data.filter((path) => !offered.data.includes(path)).map((path) => notOffered('data', path)),
      ...Object.keys(request.values)
        .filter((name) => !names.has(name))
        .map((name) => ({ where: name, message: 'is not a field of this form' })),
      ...Object.keys(request.parameters)
        .filter((name) => !/^[A-Za-z_]\w*$/.test(name))
        .map((name) => ({ where: name, message: 'is not the name of a parameter' })),
    ];
    if (faults.length > 0) throw refused(faults);
    const schema = request.command === 'run' ? runFlagsSchema : sweepFlagsSchema;
    readFlags(schema, { data: request.data, ...flagValues(request.values) }, request.command);
    return wordsOf(request, this.#outWords());
  }

  #startFailed(output: string, otherwise: string): AppError {
    const lines = output.trim().split('\n');
    const first = lines.findIndex((line) => line.startsWith('error: '));
    const said = first < 0 ? '' : lines.slice(first).join(' ').replace('error: ', '');
    // The page must not show places of this machine.
    const plain = said.replaceAll(`${this.#project}${sep}`, '').replaceAll(/\s+/g, ' ');
    return new AppError({
      code: 'start_failed',
      message: plain === '' ? otherwise : plain.slice(0, LONGEST_MESSAGE),
      hint: 'Run the command in a terminal to see all of its output.',
    });
  }

  #outWords(): string[] {
    return this.#out === 'reports' ? [] : [`--out=${this.#out}`];
  }

  #line(words: readonly string[]): string {
    return [...programIn(this.#project), ...words].map(quoted).join(' ');
  }

  async #started(words: readonly string[], known?: string): Promise<Started> {
    const key = JSON.stringify(words);
    const pending = [...this.#processes.values()].some((one) => one.key === key && one.folder === undefined);
    if (pending || (known !== undefined && this.owns(known)))
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
    // A separate process group: Ctrl-C in the terminal of the server must not end the runs. Their output goes to
    // a file, because a pipe would end with the server.
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd: this.#project,
      env: this.#io.env as NodeJS.ProcessEnv,
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
        return { command: this.#line(words), folder: relative(this.#root, found) };
      }
      if (!wasRunning) break;
      await new Promise((done) => setTimeout(done, LOOK_EVERY));
    }
    child.kill('SIGKILL');
    const said = readFileSync(log, 'utf8');
    rmSync(place, { recursive: true, force: true });
    throw this.#startFailed(said, 'The process ended before it created a run.');
  }
}

const PROGRAM = fileURLToPath(builtPlace('cli/bin.js'));
const SKIPPED = ['node_modules', 'dist', 'reports', 'coverage', '__pycache__'];

/** Returns the folder that a process writes, or wrote if its output is given. */
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
      // The journal follows the lock. The list shows only folders with a journal.
      if (
        Number(owner) === pid &&
        readdirSync(folder).some((file) => /journal\.jsonl|-manifest\.json/.test(file))
      )
        return folder;
    } catch {
      // Another file, or a run that has no lock yet.
    }
  }
  return undefined;
}

/**
 * Ends a process after its current decision. A strategy that never yields handles the signal only at the end of
 * the run. Its journal then continues to grow, and the signal is sent again, which ends the process.
 */
function pause(child: ChildProcess, journal: string): void {
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

function wordsOf(
  { command, strategy, data, values, parameters }: StartRequest,
  out: readonly string[],
): string[] {
  const flags = Object.entries(values).flatMap(([name, value]) => {
    const form = FORMS.get(name);
    const flag = form?.flag ?? flagNamed(name);
    if (form?.kind === 'switch') return value === 'true' ? [flag] : [];
    if (value === '') return [];
    return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
  });
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`);
  return [
    command,
    strategy,
    '--data',
    ...data,
    ...flags,
    ...(pairs.length === 0 ? [] : ['--param', ...pairs]),
    ...out,
  ];
}

/** Returns values as commander gives them. */
function flagValues(values: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => {
        if (FORMS.get(name)?.kind !== 'switch') return [name, value];
        return [name, name === 'short' ? value !== 'true' : value === 'true'];
      }),
  );
}

interface Form extends StartField {
  readonly flag: string;
}

const FORMS: ReadonlyMap<string, Form> = new Map(
  settingForms().map(({ name, flag, group, description, schema }) => {
    const kind = kindOf(schema);
    const label = words(flag);
    return [name, { ...kind, name, flag, label, group, help: description, initial: '' }] as const;
  }),
);

function fields(): readonly StartField[] {
  return [
    ...OTHER_FIELDS.filter(({ group }) => group === 'Period'),
    ...[...FORMS.values()].map(({ flag: _, ...field }) => field),
    ...OTHER_FIELDS.filter(({ group }) => group !== 'Period'),
  ];
}

function words(flag: string): string {
  const plain = flag.replace('--', '').replaceAll('-', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function kindOf(schema: unknown): Pick<StartField, 'kind' | 'choices' | 'min' | 'max' | 'isWhole'> {
  if (schema instanceof z.ZodEnum) return { kind: 'choice', choices: schema.options.map(String) };
  if (schema instanceof z.ZodBoolean) return { kind: 'switch' };
  if (!(schema instanceof z.ZodNumber)) return { kind: 'text' };
  const { min, max, whole = false } = numberRulesOf(schema);
  return {
    kind: 'number',
    ...(Number.isFinite(min) && Math.abs(min) < Number.MAX_SAFE_INTEGER ? { min } : {}),
    ...(Number.isFinite(max) && Math.abs(max) < Number.MAX_SAFE_INTEGER ? { max } : {}),
    isWhole: whole,
  };
}

/** Returns the parameters of a strategy as fields. */
export async function parametersOf(strategy: string, io: Io): Promise<readonly StartField[]> {
  const { schema, parameters } = await loadStrategy(strategy, {}, { environment: withEnvFile(io.env) });
  const described: unknown =
    schema === undefined ? {} : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const properties = isObject(described) && isObject(described.properties) ? described.properties : {};
  return Object.entries(parameters)
    .filter(([name]) => schema !== undefined || !['model', 'flow'].includes(name))
    .map(([name, value]) => {
      const found = properties[name];
      const about = isObject(found) ? found : {};
      const number = (key: string): number | undefined => {
        const bound = about[key];
        return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
      };
      const [min, max] = [number('minimum') ?? number('exclusiveMinimum'), number('maximum')];
      return {
        name,
        label: name,
        help: typeof about.description === 'string' ? about.description : '',
        group: 'Parameters',
        kind: Array.isArray(about.enum) ? 'choice' : typeof value === 'number' ? 'number' : 'text',
        ...(Array.isArray(about.enum) ? { choices: about.enum.map(String) } : {}),
        ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
        isWhole: about.type === 'integer',
        initial: typeof value === 'string' ? value : JSON.stringify(value),
      } satisfies StartField;
    });
}

function notOffered(where: string, path: string): Fault {
  return { where, message: `"${path}" is not a file that the form offers` };
}

function refused(faults: readonly Fault[]): AppError {
  return new AppError({
    code: 'start_refused',
    message: `The run cannot be started: ${faults.map(({ where, message }) => `${where} ${message}`).join('; ')}.`,
    hint: 'Correct the form.',
  });
}
