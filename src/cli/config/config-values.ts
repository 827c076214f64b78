import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Environment, fillIn, SET_IT } from '../../agents/index.ts';
import { type Fault, isObject, valueAt } from '../../kernel/index.ts';
import { EXCLUSIVE_FLAGS } from '../flags/settings-flags.ts';
import type { Origin } from './origins.ts';
import { beside, type ProjectFile } from './read-config.ts';
import { type ConfigKey, placeholderOf } from './schema.ts';

/** Value of a flag with the type that the library commander gives to it. */
export type FlagValue = string | boolean | readonly string[];

type Path = readonly string[];

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)/g;
/**
 * Matches the names of environment variables that contain secrets. Their values must not be recorded in a run
 * folder.
 */
const SECRET = /(key|token|secret|passw(or)?d|credentials?)$/i;
const KEEP_OUT =
  'Values are recorded in run folders. Remove it: models, agents and queues read secrets from the environment or .env';

/**
 * Reads values of a project file as texts of flags. Collects faults in references to environment variables.
 */
export class ValueReader {
  readonly faults: Fault[] = [];
  readonly #project: ProjectFile;
  readonly #environment: () => Environment;

  constructor(project: ProjectFile, environment: () => Environment) {
    this.#project = project;
    this.#environment = environment;
  }

  /** Returns true if the file has a value at a path and the value is valid. */
  has(path: Path): boolean {
    const value = valueAt(this.#project.document.value, path);
    return value !== undefined && value !== null && !this.#project.isFaulty(path);
  }

  origin(path: Path, key: string, profile: string | undefined): Origin {
    const { document, file } = this.#project;
    const variables = this.#texts(path).flatMap((text) =>
      [...text.matchAll(VARIABLE)].map(([, name = '']) => name),
    );
    return { place: `${file}:${document.lineOf(path)}`, key, profile, variables: [...new Set(variables)] };
  }

  /** Returns the value that the file sets for a flag. `undefined` if the file disables the flag. */
  flag(key: ConfigKey, path: Path): FlagValue | undefined {
    const names = this.names(path);
    switch (key.kind) {
      case 'switch':
      case 'optional': {
        const text = this.text(path);
        if (/^true$/i.test(text)) return !key.option.negate;
        if (/^false$/i.test(text)) return undefined;
        if (key.kind === 'optional') return text;
        this.#fault(path, `"${text}" is not true or false`);
        return undefined;
      }
      case 'pairs':
        return names.map((name) => `${name}=${this.#list([...path, name]).join(',')}`);
      case 'list':
        return this.#list(path).map((text) => this.#located(key, text));
      case 'mapping':
        return names.length === 0
          ? this.text(path)
          : names.map((name) => `${name}="${this.text([...path, name])}"`).join(',');
      case 'single':
        return this.#located(key, this.text(path));
    }
  }

  /**
   * Returns those keys of the object at a path that have a valid value. Empty if the value is not an object.
   */
  names(path: Path): readonly string[] {
    const value = valueAt(this.#project.document.value, path);
    return isObject(value) ? Object.keys(value).filter((name) => this.has([...path, name])) : [];
  }

  /**
   * Returns the scalar at a path as text, with references to environment variables replaced by their values.
   */
  text(path: Path): string {
    const raw = this.#project.document.textOf(path) ?? '';
    if (!raw.includes('${')) return raw;
    const { text, missing } = fillIn(raw, this.#environment());
    for (const name of missing) this.#fault(path, `the environment has no ${name}; ${SET_IT}`);
    for (const [, name = ''] of raw.matchAll(VARIABLE))
      if (SECRET.test(name)) this.#fault(path, `${name} seems to be a secret. ${KEEP_OUT}`);
    return text;
  }

  /** Returns the items of a list as texts. A scalar counts as a list of one item. */
  #list(path: Path): string[] {
    const value = valueAt(this.#project.document.value, path);
    if (!Array.isArray(value)) return [this.text(path)];
    return value.map((_, place) => this.text([...path, String(place)]));
  }

  /** Returns all scalars at and below a path as texts. */
  #texts(path: Path): string[] {
    const value = valueAt(this.#project.document.value, path);
    if (typeof value !== 'object' || value === null) return [this.#project.document.textOf(path) ?? ''];
    return Object.keys(value).flatMap((name) => this.#texts([...path, name]));
  }

  #fault(path: Path, message: string): void {
    const { document, file } = this.#project;
    this.faults.push({ where: `${file}:${document.lineOf(path)}`, message: `${path.join('.')}: ${message}` });
  }

  /**
   * Resolves a path relative to the project file if the flag accepts paths. Returns other texts unchanged.
   */
  #located({ option }: ConfigKey, text: string): string {
    const accepted = placeholderOf(option).split('|');
    // A text that begins with @ is a name in the data catalogue, and a text with :// is an address. Such a
    // text is not a path.
    if (!accepted.some((word) => PATH_WORDS.includes(word)) || /^@|:\/\//.test(text)) return text;
    const path = beside(this.#project.file, text);
    // A flag such as `<symbol|file>` accepts names and paths. A text is treated as a path only if the file
    // exists.
    return accepted.length === 1 || accepted.includes('address') || existsSync(path) ? path : text;
  }
}

/** Placeholders of flags that accept paths. */
const PATH_WORDS: readonly string[] = ['path', 'file', 'folder', 'run'];

/** Value that the file sets for one flag. */
export interface ConfigValue {
  readonly key: ConfigKey;
  /** Value of the flag. `undefined` if the file disables the flag. */
  readonly value: FlagValue | undefined;
  readonly origin: Origin;
  /** Origin of each named value, for `--param` and other flags of the form `name=value`. */
  readonly names: ReadonlyMap<string, Origin>;
}

/** Strategy that is set in the project file. */
interface ConfigStrategy {
  readonly path: string;
  readonly origin: Origin;
}

/** Parts of the project file that apply to a command: the section of the command and the selected profile. */
export interface Selection {
  /** Name of the command's section. `undefined` if the command has no section. */
  readonly command: string | undefined;
  readonly profile: string | undefined;
  readonly keys: readonly ConfigKey[];
  environment(): Environment;
}

/**
 * Values that the file sets for a command. They are read in layers: the top level, then the section of the
 * command, then the same two parts of the profile. A later layer overrides earlier layers.
 */
export class ConfigValues {
  /** Values by the names that the library commander gives to flags. */
  readonly values = new Map<string, ConfigValue>();
  strategy: ConfigStrategy | undefined;
  readonly faults: readonly Fault[];

  /** Reads all layers, from the lowest to the highest. */
  constructor(project: ProjectFile, selection: Selection) {
    const { command, profile } = selection;
    const reader = new ValueReader(project, selection.environment);
    for (const root of [[], ...(profile === undefined ? [] : [['profiles', profile]])])
      for (const layer of command === undefined ? [root] : [root, [...root, command]])
        this.#add(reader, project.file, selection, layer);
    this.faults = reader.faults;
  }

  /**
   * Removes values that conflict with a later layer or the command line.
   *
   * @param flags flags that the later layer sets, by their names in commander
   * @param strategy strategy that the later layer sets
   */
  overrule(flags: readonly string[], strategy: string | undefined): void {
    for (const group of EXCLUSIVE_FLAGS)
      for (const flag of group.filter((one) => flags.includes(one)))
        for (const other of group) if (other !== flag) this.values.delete(other);
    const isAgent = flags.includes('agent');
    // Parameters in the file belong to the strategy in the file. They are removed if the command runs an
    // agent or another strategy.
    const own = this.strategy && resolve(this.strategy.path);
    if (isAgent || (strategy !== undefined && own !== undefined && own !== resolve(strategy)))
      this.values.delete('param');
    if (isAgent || strategy !== undefined) this.strategy = undefined;
    if (strategy !== undefined)
      for (const flag of [...this.values.keys()]) if (/^agent/.test(flag)) this.values.delete(flag);
  }

  #add(reader: ValueReader, file: string, { keys, profile }: Selection, root: readonly string[]): void {
    const within = root[0] === 'profiles' ? profile : undefined;
    const present = keys.filter((key) => {
      const path = [...root, ...key.path];
      return reader.has(path) || (key.kind === 'pairs' && reader.names(path).length > 0);
    });
    const atStrategy = [...root, 'strategy'];
    const strategy: ConfigStrategy | undefined = reader.has(atStrategy)
      ? {
          path: beside(file, reader.text(atStrategy)),
          origin: reader.origin(atStrategy, 'strategy', within),
        }
      : undefined;
    this.overrule(
      present.map(({ option }) => option.attributeName()),
      strategy?.path,
    );
    this.strategy = strategy ?? this.strategy;
    for (const key of present) {
      const path = [...root, ...key.path];
      const name = key.path.join('.');
      const attribute = key.option.attributeName();
      const value = reader.flag(key, path);
      const origin = reader.origin(path, name, within);
      const names = reader
        .names(path)
        .map((one) => [one, reader.origin([...path, one], `${name}.${one}`, within)] as const);
      const lower = this.values.get(attribute);
      this.values.set(
        attribute,
        key.kind === 'pairs' && lower !== undefined
          ? {
              key,
              value: mergedPairs(lower.value, value),
              origin,
              names: new Map([...lower.names, ...names]),
            }
          : { key, value, origin, names: new Map(key.kind === 'pairs' ? names : []) },
      );
    }
  }
}

/**
 * Merges two lists of texts of the form `name=value`. If both contain a name, the value in `higher` is used.
 */
export function mergedPairs(lower: unknown, higher: unknown): string[] {
  const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  const nameOf = (text: string): string => text.split('=')[0]!;
  const replaced = texts(higher).map(nameOf);
  return [...texts(lower).filter((text) => !replaced.includes(nameOf(text))), ...texts(higher)];
}
