import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DecisionFault, isResult, placeIn } from '../engine/index.ts';
import {
  AppError,
  builtPlace,
  messageOf,
  nearest,
  packagePlace,
  printable,
  thrownText,
} from '../kernel/index.ts';
import { briefText, fixedOthers, searchSpace, summaryText } from '../pages/index.ts';
import { alarmsForQuiet } from '../results/analysis/index.ts';
import type { RunEnd } from '../runner/index.ts';
import { configuredOf } from './config/origins.ts';
import type { CommandKeys, ConfigKey } from './config/schema.ts';
import { givenFlags } from './flags/flags.ts';
import { type Io, printLine, printText, textStyle } from './io.ts';

/** Returns the names of the data files, shortened if there are many. */
function dataNames({ dataFiles }: RunEnd): string {
  return dataFiles.length <= 2 ? dataFiles.join(', ') : `${dataFiles[0]} and ${dataFiles.length - 1} more`;
}

/** Options for printing the summary of a run. */
interface ShownSummary {
  readonly json: boolean;
  readonly silent: boolean;
  /** If true, prints all notes and the table that compares the run with its benchmark. */
  readonly verbose: boolean;
  /** Returns the command lines to try after the run. */
  readonly next?: (end: RunEnd) => readonly string[];
}

/**
 * Prints the summary of a run.
 *
 * @param shown options. With `silent`, only alarms are printed, each as one line on stderr
 * @param printed alarms that have already been printed. Used by commands with several runs
 */
export function printSummary(end: RunEnd, shown: ShownSummary, io: Io, printed = new Set<string>()): void {
  const { summary, equity, benchmarkEquity, folder } = end;
  if (shown.json) printLine(io.stdout, JSON.stringify(summary, null, 2));
  else if (shown.silent) {
    const lines = alarmLines(summary).filter((line) => !printed.has(line));
    for (const line of lines) printed.add(line);
    printAlarms(lines, io);
  } else {
    const options = { ...textStyle(io), equity, benchmarkEquity, data: dataNames(end), folder };
    const next = shown.next?.(end) ?? [];
    const more = 'The report has all figures; --verbose prints them';
    printText(
      io,
      shown.verbose ? summaryText(summary, options) : briefText(summary, { ...options, next, more }),
    );
  }
}

/** Returns one line for each alarm that is printed even with `--quiet`. */
export function alarmLines({ alarms }: RunEnd['summary']): string[] {
  return alarmsForQuiet(alarms).map(({ problem, nextStep }) => `${problem} ${nextStep}`);
}

/** Prints one warning per line on stderr. */
export function printAlarms(lines: readonly string[], io: Io): void {
  // Makes the text printable, because problems can contain messages of strategies.
  for (const line of lines) printLine(io.stderr, `warning: ${printable(line, textStyle(io))}`);
}

/**
 * Prints on stderr why a run failed or stopped, if it has no result. Returns the exit code: 0 for a run with
 * a result, otherwise 1.
 */
export function printOutcome(end: RunEnd, io: Io): number {
  const text = outcomeText(end);
  if (text !== '') printLine(io.stderr, text);
  return isResult(end.outcome) ? 0 : 1;
}

/**
 * Describes why a run has no result (failed, stopped or interrupted), with a remedy. Empty for a run with a
 * result.
 */
export function outcomeText({ outcome, error, folder, bars, strategyFile }: RunEnd): string {
  if (isResult(outcome)) return '';
  const kept = `Results so far are in ${folder}.`;
  if (outcome === 'interrupted') return `Stopped after bar ${bars - 1} on request. ${kept}`;
  if (outcome === 'stopped' || outcome === 'budget_exhausted') {
    const resume = `npx sandtable resume ${folder}`;
    const hint = error instanceof AppError ? error.hint : '';
    const goOn = outcome === 'stopped' ? `\n  Resume with: ${resume}` : '';
    return `${messageOf(error)} ${kept}${goOn}\n  ${hint.replace('npx sandtable resume RUN', resume)}`;
  }
  const file = strategyFile ?? 'the strategy';
  const place = placeIn(error, file);
  const failed = `${file} failed at bar ${bars}: `;
  if (!(error instanceof AppError))
    return `error: ${failed}${thrownText(error)}${place}\n  ${hintOf(thrownText(error))} ${kept}`;
  // If a call in the strategy's code threw the error, the location of the call is added. An error of the run
  // itself already contains its location.
  const isCall = place !== '' && !(error instanceof DecisionFault);
  return `error: ${isCall ? failed : ''}${error.message}${isCall ? place : ''}\n  ${error.hint}\n  ${kept}`;
}

const DESK = ['buy', 'sell', 'close', 'submit', 'rebalance', 'replace', 'cancel', 'pending'];

/** Returns a hint for fixing an error that a strategy threw. */
function hintOf(text: string): string {
  const [, object, member = ''] = /\b(orders|window)\.(\w+) is not a function/.exec(text) ?? [];
  if (object === 'window')
    return 'A window has the columns open, high, low, close and volume. Declare indicators: indicators: ({ sma }) => ({ mean: sma(20) }).';
  if (object === undefined) return 'Fix the strategy.';
  const meant = nearest(member, DESK);
  return `${meant === undefined ? '' : `Did you mean ${meant}? `}orders has ${DESK.join(', ')}.`;
}

/** Arguments of a finished run, from which the command lines to try next are derived. */
export interface AskedCommand {
  /**
   * Strategy given on the command line. `undefined` for an agent, or if the project file names the strategy.
   */
  readonly strategy: string | undefined;
  /** Values of flags with the names and types of the library commander. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly commands: CommandKeys;
}

/**
 * Returns complete command lines to try after a run: `serve`, a sweep of a parameter, and a stress test.
 * After a run with a model or an agent, commands that would call the model again are omitted, because they
 * cost money.
 *
 * @param asked arguments of the run. `undefined` for a resumed run
 */
export function nextCommands(end: RunEnd, asked?: AskedCommand): string[] {
  const serve = line(['serve', dirname(end.folder)]);
  const trace = line(['trace', end.folder]);
  if (end.strategy.kind === 'llm' || end.strategy.kind === 'agent') return [serve, trace];
  // If the strategy failed, a sweep or a stress test would fail as well.
  if (asked === undefined || end.strategyFile === null || !isResult(end.outcome)) return [serve];
  const space = searchSpace(end.strategy.parameters);
  const words = (command: string, params: readonly string[]): string =>
    line([command, ...wordsOf(asked, command, params)]);
  return [
    serve,
    ...(space === undefined ? [] : [words('sweep', [space, ...fixedOthers(end.strategy.parameters, space)])]),
    ...(end.strategy.kind === 'rules' ? [words('stress', [])] : []),
  ];
}

/**
 * Returns the arguments of a further command: the strategy, and those flags of the run that the further
 * command also accepts.
 */
function wordsOf(
  { strategy, flags, commands }: AskedCommand,
  command: string,
  params: readonly string[],
): string[] {
  const origins = configuredOf(flags)?.origins;
  const given = givenFlags(flags);
  const keys = commands.find(([name]) => name === command)?.[1] ?? [];
  const nameOf = (pair: string): string => pair.split('=')[0]!;
  const isConfigured = (pair: string): boolean => origins?.has(`--param ${nameOf(pair)}`) === true;
  // The first parameter is the one to sweep, so it is included. Other parameters are omitted if the project
  // file sets them.
  const own = params.filter((pair, place) => place === 0 || !isConfigured(pair));
  const words = keys.flatMap((key) => {
    const flag = key.option.long ?? '';
    const name = key.option.attributeName();
    if (!given.includes(name) || origins?.has(flag) === true || SKIPPED.includes(name)) return [];
    // `--resolve both` makes two runs. Only `run` accepts this value.
    if (flags[name] === 'both') return [];
    if (key.kind === 'pairs')
      return pairWords(
        key,
        flags[name],
        (one) => origins?.has(`${flag} ${one}`) === true,
        flag === '--param' ? own.map(nameOf) : [],
      );
    return flagWords(key, flags[name]);
  });
  const chosen = ['config', 'profile', 'unset'].flatMap((name) => {
    const value = flags[name];
    if (value === false) return ['--no-config'];
    if (value === undefined) return [];
    return [`--${name}`, ...(Array.isArray(value) ? value.map(String) : [String(value)])];
  });
  return [
    ...(strategy === undefined ? [] : [strategy]),
    ...words,
    ...chosen,
    ...(own.length === 0 ? [] : ['--param', ...own]),
  ];
}

const SKIPPED: readonly string[] = ['json', 'quiet', 'verbose'];

function flagWords({ kind, option }: ConfigKey, value: unknown): string[] {
  const flag = option.long ?? '';
  if (kind === 'switch' || value === true) return [flag];
  return [flag, ...(Array.isArray(value) ? value.map(String) : [String(value)])];
}

/**
 * Returns a flag with its values of the form `name=value`. Omits values that the project file sets.
 *
 * @param without names whose values are omitted as well
 */
function pairWords(
  { option }: ConfigKey,
  value: unknown,
  isConfigured: (name: string) => boolean,
  without: readonly string[],
): string[] {
  const texts = Array.isArray(value) ? value.map(String) : [];
  const nameOf = (text: string): string => text.split('=')[0]!;
  const kept = texts.filter((text) => !isConfigured(nameOf(text)) && !without.includes(nameOf(text)));
  return kept.length === 0 ? [] : [option.long ?? '', ...kept];
}

function line(words: readonly string[]): string {
  return [...programIn(resolve('.')), ...words].map(quoted).join(' ');
}

/** Quotes a word for a shell, if necessary. */
export function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `"${word.replaceAll(/["\\$`]/g, '\\$&')}"`;
}

/**
 * Returns the words that start this program in a folder: `npx sandtable` if npm finds the program there, or
 * else the path of the program.
 */
export function programIn(folder: string): readonly string[] {
  const root = resolve(fileURLToPath(packagePlace('./')));
  for (let above = folder; ; above = dirname(above)) {
    if (above === root || existsSync(join(above, 'node_modules', '.bin', 'sandtable')))
      return ['npx', 'sandtable'];
    if (above === dirname(above)) return ['node', fileURLToPath(builtPlace('cli/bin.js'))];
  }
}
