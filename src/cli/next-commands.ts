import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPlace, packagePlace } from '../kernel/index.ts';
import type { RunEnd } from '../runner/index.ts';
import type { ConfigKey } from './config/keys.ts';
import { configuredOf } from './config/origins.ts';
import type { CommandKeys } from './config/schema.ts';
import { givenFlags } from './flags/flags.ts';

/** Command line of a run, for similar command lines. */
export interface AskedCommand {
  /** Strategy on the command line. `undefined` for an agent, or if the project file names it. */
  readonly strategy: string | undefined;
  /** Values of flags as commander gives them. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly commands: CommandKeys;
}

/**
 * Returns complete command lines to continue with after a run: pages in a browser, other parameters, and a test
 * of luck. Commands that call a model or an agent again are omitted, because they cost money.
 *
 * @param asked `undefined` for a resumed run
 */
export function nextCommands(end: RunEnd, asked?: AskedCommand): string[] {
  const serve = line(['serve', dirname(end.folder)]);
  const trace = line(['trace', end.folder]);
  if (end.strategy.kind === 'llm' || end.strategy.kind === 'agent') return [serve, trace];
  if (asked === undefined || end.strategyFile === null) return [serve];
  const space = searchSpace(end.strategy.parameters);
  const words = (command: string, param: string | undefined): string =>
    line([command, ...wordsOf(asked, command, param)]);
  return [
    serve,
    ...(space === undefined ? [] : [words('sweep', space)]),
    ...(end.strategy.kind === 'rules' ? [words('stress', undefined)] : []),
  ];
}

/** Suggests three values of one parameter, near its current value. */
function searchSpace(parameters: Readonly<Record<string, unknown>>): string | undefined {
  const numbers = Object.entries(parameters).filter(
    (pair): pair is [string, number] => Number.isInteger(pair[1]) && Number(pair[1]) >= 2,
  );
  const found = numbers.find(([, value]) => value >= 5) ?? numbers[0];
  if (found === undefined) return undefined;
  const [name, value] = found;
  const step = Math.max(Math.round(value / 5), 1);
  const values = value >= 5 ? [value - step, value, value + step] : [value, value + 1, value + 2];
  return `${name}=${values.join(',')}`;
}

/** Words of a similar command: the strategy and the flags of the run that the command also has. */
function wordsOf(
  { strategy, flags, commands }: AskedCommand,
  command: string,
  param: string | undefined,
): string[] {
  const origins = configuredOf(flags)?.origins;
  const given = givenFlags(flags);
  const keys = commands.find(([name]) => name === command)?.[1] ?? [];
  const words = keys.flatMap((key) => {
    const flag = key.option.long ?? '';
    const name = key.option.attributeName();
    if (!given.includes(name) || origins?.has(flag) === true || SKIPPED.includes(name)) return [];
    // `--resolve both` is a comparison of two runs.
    if (flags[name] === 'both') return [];
    if (key.kind === 'pairs')
      return pairWords(key, flags[name], (one) => origins?.has(`${flag} ${one}`) === true, param);
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
    ...(param === undefined ? [] : ['--param', param]),
  ];
}

const SKIPPED: readonly string[] = ['json', 'quiet', 'verbose'];

function flagWords({ kind, option }: ConfigKey, value: unknown): string[] {
  const flag = option.long ?? '';
  if (kind === 'switch' || value === true) return [flag];
  return [flag, ...(Array.isArray(value) ? value.map(String) : [String(value)])];
}

/** Flags of the form `name=value`, without values of the project file and without the searched parameter. */
function pairWords(
  { option }: ConfigKey,
  value: unknown,
  isConfigured: (name: string) => boolean,
  param: string | undefined,
): string[] {
  const texts = Array.isArray(value) ? value.map(String) : [];
  const nameOf = (text: string): string => text.split('=')[0]!;
  const kept = texts.filter((text) => !isConfigured(nameOf(text)) && nameOf(text) !== nameOf(param ?? ''));
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
 * Returns the words that start this program in a folder: `npx sandtable` if npm finds the program from there,
 * or else the path of the program.
 */
export function programIn(folder: string): readonly string[] {
  const root = resolve(fileURLToPath(packagePlace('./')));
  for (let above = folder; ; above = dirname(above)) {
    if (above === root || existsSync(join(above, 'node_modules', '.bin', 'sandtable')))
      return ['npx', 'sandtable'];
    if (above === dirname(above)) return ['node', fileURLToPath(builtPlace('cli/bin.js'))];
  }
}
