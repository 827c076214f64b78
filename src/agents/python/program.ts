import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { z } from 'zod';
import type { Json } from '../../engine/index.ts';
import { AppError, joinedError } from '../../kernel/index.ts';
import type { BarSeries } from '../../market/index.ts';
import { type PythonRuntime, strategyProof } from '../../sandbox/index.ts';
import { RULE_TIMEOUT_SECONDS } from '../strategies/rules.ts';
import { checkSettings } from '../strategies/strategy.ts';
import { giveBack, type Held, renew, takeInterpreter } from './interpreters.ts';
import { readPythonParameters } from './parameters.ts';
import { errorInPython, fromPython, type LoadedReply, loadError, readBegun, readLoaded } from './replies.ts';
import type { PythonSources } from './sources.ts';

/** Loaded Python strategy with the declarations of its file. */
export interface PythonProgram {
  /** Folder of the strategy, as the user named it. */
  readonly folder: string;
  readonly sources: PythonSources;
  readonly name: string;
  readonly summary: string;
  readonly schema: z.ZodObject;
  readonly mode: 'on_bar' | 'signals';
  readonly descriptorsClosed: boolean;
  /**
   * Variables of the file that Sandtable does not read, each with the similar name that was probably meant.
   */
  readonly misspelt: readonly (readonly [written: string, meant: string])[];
  /** True if a static analysis proves that a call of `signals` leaves no state behind in the interpreter. */
  readonly leavesNothing: boolean;
  /** Returns parameter values in the form for Python. Floats are marked, for example as `{"float": 2}`. */
  forPython(parameters: Readonly<Record<string, unknown>>): Record<string, Json>;
  /** True if the warm-up and the settings do not depend on parameter values. */
  readonly hasFixedTerms: boolean;
  /** Returns the warm-up and the settings for these parameter values. */
  termsOf(parameters: Readonly<Record<string, unknown>>): Promise<PythonTerms>;
}

/** Declared members that may depend on parameters. */
interface PythonTerms {
  /** Number of bars that must have closed before the first decision. Undefined if not declared. */
  readonly warmUp: number | undefined;
  readonly settings: Json;
}

const LIMIT_MS = RULE_TIMEOUT_SECONDS * 1000;
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Programs of this process by the content of their files, so that a sweep reads each strategy once. */
const programs = new Map<string, Promise<PythonProgram>>();

/**
 * Loads a strategy's files in an interpreter and reads what they declare.
 *
 * @param file name of the file for error messages, from which the strategy's name is derived
 * @throws AppError `strategy_broken`, `not_a_strategy`
 */
export function programOf(
  sources: PythonSources,
  runtime: PythonRuntime,
  file: string,
): Promise<PythonProgram> {
  const key = JSON.stringify([runtime.fingerprint, sources.folder, file, sources.files]);
  let program = programs.get(key);
  if (program === undefined) {
    program = readProgram(sources, runtime, file);
    programs.set(key, program);
    program.catch(() => programs.delete(key));
  }
  return program;
}

async function readProgram(
  sources: PythonSources,
  runtime: PythonRuntime,
  file: string,
): Promise<PythonProgram> {
  const { held, reply } = await load(sources, runtime, 0);
  const { descriptorsClosed } = held.interpreter;
  giveBack(held);
  const { declared, modes, summary } = reply;
  const { mode, schema, floats, name } = allOf(
    () => ({ mode: modeOf(modes, file) }),
    () => readPythonParameters(declared.parameters, file),
    () => ({ name: nameOf(declared.name, file) }),
    () => termsOf({ warm_up: plainOf(declared.warm_up), settings: plainOf(declared.settings) }, file),
  );
  const forPython: PythonProgram['forPython'] = (parameters) =>
    Object.fromEntries(
      Object.entries(parameters).map(([name, value]): [string, Json] => [
        name,
        floats.includes(name) ? { float: value as number } : (value as Json),
      ]),
    );
  const proof =
    mode === 'signals' && sources.files.length === 1
      ? await strategyProof(sources.texts[sources.main]!, Object.keys(schema.shape))
      : undefined;
  const depends = ['warm_up', 'settings'].some((name) => isCall(declared[name]));
  return {
    folder: sources.folder,
    sources,
    name,
    summary,
    schema,
    mode,
    descriptorsClosed,
    misspelt: reply.misspelt,
    leavesNothing: proof?.clean === true && proof.facts === reply.facts,
    forPython,
    hasFixedTerms: !depends,
    async termsOf(parameters) {
      if (!depends)
        return termsOf({ warm_up: plainOf(declared.warm_up), settings: plainOf(declared.settings) }, file);
      const open = await openStrategy({ sources }, runtime, 0);
      open.loaded = undefined;
      try {
        const answer = readBegun(
          await open.interpreter.call({
            operation: 'strategy_begin',
            request: { parameters: forPython(parameters) },
            time: 0,
            timeoutMs: LIMIT_MS,
          }),
        );
        if (!answer.ok) throw loadError(answer, sources.folder);
        return termsOf(answer, file);
      } finally {
        giveBack(open);
      }
    },
  };
}

/**
 * Returns an interpreter in which the strategy's files are loaded.
 *
 * @param series bars of the run. A reused interpreter contains exactly these bars, or no bars. Default: no
 *   bars
 */
export async function openStrategy(
  { sources }: Pick<PythonProgram, 'sources'>,
  runtime: PythonRuntime,
  seed: number,
  series?: readonly BarSeries[],
): Promise<Held> {
  return (await load(sources, runtime, seed, series)).held;
}

/** Resets an interpreter in use and loads the strategy's files again. */
export async function reloadStrategy(
  held: Held,
  { sources }: Pick<PythonProgram, 'sources'>,
  seed: number,
): Promise<void> {
  await renew(held);
  await loadInto(held, sources, seed);
  held.loaded = undefined;
}

async function load(
  sources: PythonSources,
  runtime: PythonRuntime,
  seed: number,
  series?: readonly BarSeries[],
): Promise<{ readonly held: Held; readonly reply: LoadedReply }> {
  const key = createHash('sha256')
    .update(JSON.stringify([sources.main, sources.files, seed]))
    .digest('hex');
  const held = await takeInterpreter(runtime, key, series);
  if (held.loaded === key && held.reply !== undefined) return { held, reply: held.reply };
  try {
    const reply = await loadInto(held, sources, seed);
    held.loaded = key;
    held.reply = reply;
    return { held, reply };
  } catch (error) {
    held.loaded = undefined;
    giveBack(held);
    throw error;
  }
}

async function loadInto({ interpreter }: Held, sources: PythonSources, seed: number): Promise<LoadedReply> {
  const reply = readLoaded(
    await interpreter.call({
      operation: 'strategy_load',
      request: { main: sources.main, sources: sources.texts, seed },
      time: 0,
      timeoutMs: LIMIT_MS,
    }),
  );
  if (!reply.ok) throw loadError(reply, sources.folder);
  return reply;
}

function modeOf(modes: LoadedReply['modes'], file: string): PythonProgram['mode'] {
  const mode = modes[0];
  if (mode === undefined || modes.length > 1) {
    throw new AppError({
      code: 'not_a_strategy',
      message: `${file} defines ${mode === undefined ? 'neither on_bar nor signals' : 'both on_bar and signals'}.`,
      hint: 'Define one of them: def on_bar(bar): decides at each bar; def signals(df, p): returns the target fractions of all bars.',
    });
  }
  return mode;
}

function isCall(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && 'call' in value;
}

function termsOf(
  { warm_up, settings }: { readonly warm_up: Json; readonly settings: Json },
  file: string,
): PythonTerms {
  return allOf(
    () => ({ warmUp: warmUpOf(fromPython(warm_up), file) }),
    () => {
      const own = fromPython(settings) ?? {};
      try {
        checkSettings(own, file);
      } catch (error) {
        throw errorInPython(error);
      }
      return { settings: own };
    },
  );
}

function warmUpOf(warmUp: Json, file: string): number | undefined {
  if (warmUp === null) return undefined;
  if (typeof warmUp === 'number' && warmUp >= 0) return warmUp;
  throw new AppError({
    code: 'strategy_broken',
    message: `${file}: warm_up is ${JSON.stringify(warmUp)}.`,
    hint: 'Write a number of bars, 0 or more, or a function of the parameters: def warm_up(p): return p.length',
  });
}

/** Returns a declared value. `null` for a function of the parameters, which is called later. */
function plainOf(value: Json | undefined): Json {
  return value === undefined || isCall(value) ? null : value;
}

/**
 * Calls several functions and merges the objects that they return. If some throw an AppError, the others are
 * still called.
 *
 * @throws AppError with the faults of all functions
 */
function allOf<Parts extends readonly (() => object)[]>(...parts: Parts): Merged<Parts> {
  const errors: AppError[] = [];
  const found = parts.map((read) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(error);
      return {};
    }
  });
  const [first, ...others] = errors;
  if (first !== undefined) throw joinedError([first, ...others]);
  return Object.assign({}, ...found) as Merged<Parts>;
}

type Merged<Parts extends readonly (() => object)[]> = Parts extends readonly [
  infer First extends () => object,
  ...infer Others extends readonly (() => object)[],
]
  ? ReturnType<First> & Merged<Others>
  : unknown;

function nameOf(declared: Json | undefined, file: string): string {
  const name =
    declared ??
    basename(file, extname(file))
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '');
  if (typeof name === 'string' && NAME.test(name)) return name;
  throw new AppError({
    code: 'strategy_broken',
    message: `${file}: name is ${JSON.stringify(name)}.`,
    hint: 'Write lower-case words joined by hyphens: name = "rsi-dip"',
  });
}
