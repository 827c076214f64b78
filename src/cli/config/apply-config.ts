import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { withEnvFile } from '../../agents/index.ts';
import { AppError, type Fault, faultsError, isFifo, nearest, receiveFifo } from '../../kernel/index.ts';
import { type Io, printLine } from '../io.ts';
import { ConfigValues, mergedPairs } from './config-values.ts';
import { CONFIG_HINT, type Origin, rememberConfigured } from './origins.ts';
import { PROJECT_FILE, type ProjectFile, readProjectFile } from './read-config.ts';
import { type CommandKeys, type ConfigKey, keysOf } from './schema.ts';

/** Flags that determine whether and how the project file is applied to a command. */
interface ConfigFlags {
  readonly config?: string | false;
  readonly profile?: string;
  readonly unset?: readonly string[];
  readonly resume?: string;
  readonly quiet?: boolean;
}

/**
 * Sets those flags of a command that `sandtable.yaml` sets and the command line does not. A value in the file
 * therefore has exactly the effect of the same value on the command line.
 */
export async function applyConfig(program: Command, command: Command, io: Io): Promise<void> {
  const flags = command.opts<ConfigFlags>();
  const { parent } = command;
  const isShown = parent?.name() === 'config';
  if (isShown && parent?.opts<{ schema?: boolean }>().schema === true) return;
  const [word, folder] = command.args;
  // The settings of a resumed or running run are in its folder, so the project file is ignored.
  if (flags.resume !== undefined || (folder !== undefined && (word === 'status' || word === 'stop'))) return;
  const file = fileFor(flags);
  if (file === undefined) return;
  if (isFifo(file)) await receiveFifo(file);
  const { sectionKeys } = await import('./section-commands.ts');
  const keys = sectionKeys(program);
  const project = readProjectFile(file, keys);
  const section = keys.find(([name]) => name === command.name())?.[0];
  const own = section === undefined ? sharedKeys(command, keys) : keysOf(command);
  const { profile, unset = [] } = flags;
  const values = new ConfigValues(project, {
    command: section,
    profile,
    keys: own,
    environment: () => withEnvFile(io.env),
  });
  const given = own.filter(({ option }) => isGiven(command, option.attributeName()));
  const strategy = section === undefined ? undefined : word;
  values.overrule(
    given.map(({ option }) => option.attributeName()),
    strategy,
  );
  const faults = [
    ...project.faults,
    ...values.faults,
    ...profileFaults(project, profile),
    ...withoutKeys(values, unset, own),
  ];
  const origins = setFlags(command, values, section !== undefined);
  rememberConfigured(flags, { file, profile, origins, faults });
  if (section === undefined && faults.length > 0) throw faultsError('bad_config', file, faults, CONFIG_HINT);
  if (!isShown && flags.quiet !== true && origins.size > 0) {
    const names = [...new Set([...origins.values()].map(({ key }) => key))].join(', ');
    printLine(
      io.stderr,
      `note: Settings from ${file}${profile === undefined ? '' : ` (profile ${profile})`}: ${names}.`,
    );
  }
}

/** Returns the path of the project file to read. `undefined` if the file does not exist or is ignored. */
function fileFor({ config, profile, unset }: ConfigFlags): string | undefined {
  if (typeof config === 'string') return config;
  if (config !== false && existsSync(PROJECT_FILE)) return PROJECT_FILE;
  if (config !== false && existsSync('sandtable.yml'))
    throw new AppError({
      code: 'bad_config',
      message: `Cannot use sandtable.yml: the configuration of a project is ${PROJECT_FILE}.`,
      hint: `Rename it to ${PROJECT_FILE}, or ignore it with --no-config.`,
    });
  const flag = profile === undefined ? '--unset' : '--profile';
  if (profile === undefined && unset === undefined) return undefined;
  throw new AppError({
    code: 'bad_flags',
    message: `${flag} needs a configuration, and ${config === false ? '--no-config ignores it' : `this folder has no ${PROJECT_FILE}`}.`,
    hint: `Remove ${flag}, or pass the file with --config.`,
  });
}

/**
 * Returns the configuration keys of a command whose flags are identical to flags of `run`. Used for commands
 * without their own section in the project file, such as `mcp`.
 */
function sharedKeys(command: Command, commands: CommandKeys): ConfigKey[] {
  const ofRun = commands.find(([name]) => name === 'run')?.[1] ?? [];
  const same = (key: ConfigKey): boolean => ofRun.some(({ option }) => option.flags === key.option.flags);
  return keysOf(command).filter((key) => !PRINTING.includes(key.option.name()) && same(key));
}

const PRINTING: readonly string[] = ['json', 'quiet', 'verbose'];

function isGiven(command: Command, attribute: string): boolean {
  return command.getOptionValueSource(attribute) === 'cli';
}

function profileFaults({ file, profiles }: ProjectFile, profile: string | undefined): Fault[] {
  if (profile === undefined || profiles.includes(profile)) return [];
  const near = nearest(profile, profiles);
  const hint = near === undefined ? `Profiles: ${profiles.join(', ') || 'none'}` : `Did you mean ${near}?`;
  return [{ where: '--profile', message: `${file} has no profile ${profile}. ${hint}` }];
}

/** Removes the values whose keys `--unset` names. Returns a fault for each name that is not a key. */
function withoutKeys(values: ConfigValues, unset: readonly string[], keys: readonly ConfigKey[]): Fault[] {
  return unset.flatMap((name): Fault[] => {
    const word = name.replace(/^-+/, '');
    if (word === 'strategy') {
      values.strategy = undefined;
      return [];
    }
    const key = keys.find(({ path }) => path.join('.') === word || path.at(-1) === word);
    if (key !== undefined) {
      values.values.delete(key.option.attributeName());
      return [];
    }
    const near = nearest(word, [
      'strategy',
      ...keys.flatMap(({ path }) => [path.join('.'), ...path.slice(1)]),
    ]);
    return [
      {
        where: '--unset',
        message: `${name} is not a key${near === undefined ? '' : `. Did you mean ${near}?`}`,
      },
    ];
  });
}

/**
 * Sets the flags of a command to the values of the project file. Flags given on the command line are not
 * changed. Returns the origin of each value from the file, by flag.
 */
function setFlags(
  command: Command,
  { values, strategy }: ConfigValues,
  hasStrategy: boolean,
): Map<string, Origin> {
  const origins = new Map<string, Origin>();
  if (hasStrategy && strategy !== undefined && command.args.length === 0) {
    command.args[0] = strategy.path;
    command.processedArgs[0] = strategy.path;
    origins.set('<strategy>', strategy.origin);
  }
  for (const [attribute, { key, value, origin, names }] of values) {
    const flag = key.option.long ?? '';
    const given = isGiven(command, attribute) ? (command.getOptionValue(attribute) as unknown) : undefined;
    if (value === undefined || (given !== undefined && key.kind !== 'pairs')) continue;
    if (key.kind === 'pairs') {
      const merged = mergedPairs(value, given);
      command.setOptionValueWithSource(attribute, merged, given === undefined ? 'config' : 'cli');
      const fromFile = (name: string): boolean =>
        !(Array.isArray(given) && given.some((text) => String(text).startsWith(`${name}=`)));
      for (const [name, place] of names) if (fromFile(name)) origins.set(`${flag} ${name}`, place);
    } else {
      command.setOptionValueWithSource(attribute, value, 'config');
      origins.set(flag, origin);
    }
  }
  return origins;
}
