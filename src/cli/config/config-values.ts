import { resolve } from 'node:path';
import type { Environment } from '../../agents/index.ts';
import type { Fault } from '../../kernel/index.ts';
import { EXCLUSIVE_FLAGS } from '../flags/settings-flags.ts';
import type { ConfigKey } from './keys.ts';
import type { Origin } from './origins.ts';
import { beside, type ProjectFile } from './read-config.ts';
import { type FlagValue, ValueReader } from './value-reader.ts';

/** Value that the file sets for one flag. */
export interface ConfigValue {
  readonly key: ConfigKey;
  /** Undefined if the file switches off the flag. */
  readonly value: FlagValue | undefined;
  readonly origin: Origin;
  /** Origins by name, for `--param` and other flags of the form `name=value`. */
  readonly names: ReadonlyMap<string, Origin>;
}

/** Strategy that the file names. */
interface ConfigStrategy {
  readonly path: string;
  readonly origin: Origin;
}

/** Part of a file that applies to a command. */
export interface Selection {
  /** Name of the command's section. `undefined` if the command has no section. */
  readonly command: string | undefined;
  readonly profile: string | undefined;
  readonly keys: readonly ConfigKey[];
  environment(): Environment;
}

/** Values that the file sets for a command. Later layers override earlier layers. */
export class ConfigValues {
  /** By commander's names of the flags. */
  readonly values = new Map<string, ConfigValue>();
  strategy: ConfigStrategy | undefined;
  readonly faults: readonly Fault[];

  /** Reads the keys of all commands, then of the command's section, then the same of the profile. */
  constructor(project: ProjectFile, selection: Selection) {
    const { command, profile } = selection;
    const reader = new ValueReader(project, selection.environment);
    for (const root of [[], ...(profile === undefined ? [] : [['profiles', profile]])])
      for (const layer of command === undefined ? [root] : [root, [...root, command]])
        this.#add(reader, project.file, selection, layer);
    this.faults = reader.faults;
  }

  /**
   * Removes values that cannot be combined with those of a higher layer.
   *
   * @param flags commander's names of the flags of the higher layer
   */
  overrule(flags: readonly string[], strategy: string | undefined): void {
    for (const group of EXCLUSIVE_FLAGS)
      for (const flag of group.filter((one) => flags.includes(one)))
        for (const other of group) if (other !== flag) this.values.delete(other);
    const isAgent = flags.includes('agent');
    // Parameters belong to the strategy that the file names.
    const own = this.strategy && resolve(this.strategy.path);
    if (isAgent || (strategy !== undefined && own !== undefined && own !== resolve(strategy)))
      this.values.delete('param');
    if (isAgent || strategy !== undefined) this.strategy = undefined;
    if (strategy !== undefined)
      for (const flag of [...this.values.keys()]) if (/^agent/.test(flag)) this.values.delete(flag);
  }

  #add(reader: ValueReader, file: string, { keys, profile }: Selection, root: readonly string[]): void {
    const within = root[0] === 'profiles' ? profile : undefined;
    const present = keys.filter((key) => reader.has([...root, ...key.path]));
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

/** Merges texts of the form `name=value`. The higher layer wins. */
export function mergedPairs(lower: unknown, higher: unknown): string[] {
  const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  const nameOf = (text: string): string => text.split('=')[0]!;
  const replaced = texts(higher).map(nameOf);
  return [...texts(lower).filter((text) => !replaced.includes(nameOf(text))), ...texts(higher)];
}
