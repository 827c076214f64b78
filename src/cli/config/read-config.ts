import { dirname, isAbsolute, join } from 'node:path';
import type { z } from 'zod';
import {
  AppError,
  type Fault,
  fileProblem,
  isObject,
  nearest,
  readInput,
  readYaml,
  valueAt,
  type YamlDocument,
} from '../../kernel/index.ts';
import { CONFIG_HINT } from './origins.ts';
import { type CommandKeys, type ConfigKey, configSchema } from './schema.ts';

/** Project file in the working directory. */
export const PROJECT_FILE = 'sandtable.yaml';

/** Content of `sandtable.yaml` that was parsed as YAML. */
export interface ProjectFile {
  readonly file: string;
  readonly document: YamlDocument;
  /** Unknown keys, and values of a wrong type, in all sections. */
  readonly faults: readonly Fault[];
  readonly profiles: readonly string[];
  /** Returns true if the value at a path has a fault. */
  isFaulty(path: readonly PropertyKey[]): boolean;
}

/**
 * Reads a project file. Unknown keys and values of a wrong type are returned and not thrown, so that they can
 * be reported together with faults of flags.
 *
 * @throws AppError `config_not_found`, or `bad_config` if the text is not YAML
 */
export function readProjectFile(file: string, commands: CommandKeys): ProjectFile {
  let text: string;
  try {
    text = readInput(file).toString('utf8');
  } catch (cause) {
    throw new AppError({
      code: 'config_not_found',
      message: `Cannot read the configuration ${file}: ${fileProblem(cause)}.`,
      hint: 'Pass a YAML file with --config, or ignore configurations with --no-config.',
      cause,
    });
  }
  const document = readYaml(text, file, 0, { code: 'bad_config', hint: CONFIG_HINT });
  const issues = configSchema(commands).safeParse(document.value).error?.issues ?? [];
  const names = namesOf(commands);
  const faulty: (readonly PropertyKey[])[] = [];
  const found = issues.flatMap((issue) => {
    const paths =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    faulty.push(...paths);
    return paths.map((path) => ({
      line: document.lineOf(path),
      message: messageOf(issue, path, document, names),
    }));
  });
  const faults = found
    .sort((one, other) => one.line - other.line)
    .map(({ line, message }) => ({ where: `${file}:${line}`, message }));
  const profiles = valueAt(document.value, ['profiles']);
  return {
    file,
    document,
    faults,
    profiles: isObject(profiles) ? Object.keys(profiles) : [],
    isFaulty: (path) => faulty.some((bad) => path.every((part, place) => bad[place] === part)),
  };
}

/**
 * Returns the path of a file that the project file names. A relative path is relative to the project file.
 */
export function beside(file: string, path: string): string {
  const folder = dirname(file);
  // If the project file is in the current folder, the path stays as written, because it is recorded in the
  // run.
  return folder === '.' || isAbsolute(path) ? path : join(folder, path);
}

interface Names {
  readonly keys: readonly ConfigKey[];
  /** Names of all keys and sections. Nested keys have a dot, for example `costs.commission`. */
  readonly all: readonly string[];
  readonly commands: readonly string[];
}

function namesOf(commands: CommandKeys): Names {
  const keys = commands.flatMap(([, own]) => own);
  const sections = keys.flatMap(({ path: [first = '', second] }) => (second === undefined ? [] : [first]));
  const names = commands.map(([name]) => name);
  const all = ['strategy', 'profiles', ...names, ...sections, ...keys.map(({ path }) => path.join('.'))];
  return { keys, all: [...new Set(all)], commands: names };
}

const EXPECTED: Readonly<Record<ConfigKey['kind'], string>> = {
  switch: 'true or false',
  optional: 'true, false, text or a number',
  single: 'text or a number; put other values in quotes',
  list: 'text, a number, or a list of them',
  pairs: 'one line "name: value" per name',
  mapping: 'text, or one line "name: value" per name',
};

function messageOf(
  issue: z.core.$ZodIssue,
  path: readonly PropertyKey[],
  document: YamlDocument,
  names: Names,
): string {
  const name = path.join('.');
  if (issue.code === 'unrecognized_keys') return `unknown key ${name}${meant(path, names)}`;
  const own = withinCommand(path, names);
  const key = names.keys.find((one) => one.path.every((part, place) => own[place] === part));
  const given = shown(valueAt(document.value, path), document.textOf(path));
  const subject = name === '' ? `the file is ${given}` : `${name} is ${given}`;
  if (own.join('.') === 'strategy') return `${subject}. Expected the path of a strategy file`;
  if (key === undefined) return `${subject}. Expected keys, one per line`;
  const kind = key.kind === 'pairs' && own.length > key.path.length ? 'list' : key.kind;
  const expected = issue.code === 'invalid_value' ? issue.values.map(String).join(', ') : EXPECTED[kind];
  return `${subject}. Expected ${expected}`;
}

/** Returns the path of a key without its profile and without the command's section. */
function withinCommand(path: readonly PropertyKey[], { commands }: Names): readonly PropertyKey[] {
  const rest = path[0] === 'profiles' ? path.slice(2) : path;
  return commands.includes(String(rest[0])) ? rest.slice(1) : rest;
}

/**
 * Returns the end of the error message for an unknown key: the key that was probably meant. Prefers a key
 * with exactly this name in any section, then a similar name in the same section, then any similar name.
 * Empty if no key is similar.
 */
function meant(path: readonly PropertyKey[], names: Names): string {
  const own = withinCommand(path, names);
  const word = String(own.at(-1)).replace(/^-+/, '');
  const section = own.slice(0, -1).join('.');
  const last = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
  const siblings = names.all.filter((name) => name.slice(0, -last(name).length - 1) === section);
  const exact = names.all.find((name) => last(name) === word);
  const near = nearest(word, siblings.map(last));
  const sibling = siblings.find((name) => last(name) === near);
  const elsewhere = nearest(word, names.all.map(last));
  const found = exact ?? sibling ?? names.all.find((name) => last(name) === elsewhere);
  if (found === undefined) return '';
  if (exact === undefined) return `. Did you mean ${found}?`;
  const command = path.at(path[0] === 'profiles' ? 2 : 0);
  return names.commands.includes(String(command)) && own.length === exact.split('.').length
    ? `. sandtable ${String(command)} has no flag --${word}`
    : `. Expected at ${exact}`;
}

function shown(value: unknown, text: string | undefined): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'a section';
  return text ?? String(value);
}
