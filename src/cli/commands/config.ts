import { lstatSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { AppError, nearest, padEnd, printable } from '../../kernel/index.ts';
import { configuredOf, type Origin } from '../config/origins.ts';
import { type CommandKeys, type ConfigKey, configJsonSchema, keysOf } from '../config/schema.ts';
import { sectionKeys } from '../config/section-commands.ts';
import { readFlags, runFlagsSchema } from '../flags/flags.ts';
import { type Io, printLine, printText, textStyle, writeNamedFile } from '../io.ts';
import { programIn } from '../print-outcome.ts';
import { STARTER_KINDS, type StarterKind, starterProject } from '../starter/starter-files.ts';
import { stressFlagsSchema } from './stress.ts';
import { sweepFlagsSchema } from './sweep.ts';

const SCHEMAS: Readonly<Record<string, z.ZodObject>> = {
  run: runFlagsSchema,
  sweep: sweepFlagsSchema,
  stress: stressFlagsSchema,
};

/** Value of one configuration key, with the place that sets it. */
interface Effective {
  readonly key: string;
  readonly value: unknown;
  readonly from: 'default' | 'file' | 'profile' | 'flag';
  readonly origin?: Origin | undefined;
}

/**
 * `sandtable config`: prints the flags of `run`, `sweep` or `stress` with the values that the command would
 * use. The values come from defaults, the project file and the command line.
 *
 * @throws AppError `bad_flags` with all invalid values, `unknown_command`
 */
export function configCommand(command: Command, strategy: string | undefined, io: Io): void {
  const name = command.name();
  if (command.parent?.opts<{ schema?: boolean }>().schema === true) {
    printLine(io.stdout, projectSchema(sectionKeys(command.parent)));
    return;
  }
  const flags = command.opts<Record<string, unknown>>();
  const configured = configuredOf(flags);
  const named = configured?.origins.get('<strategy>');
  const meant =
    strategy === undefined || /\W/.test(strategy) ? undefined : nearest(strategy, Object.keys(SCHEMAS));
  if (name === 'run' && named === undefined && meant !== undefined)
    throw new AppError({
      code: 'unknown_command',
      message: `sandtable config has no command "${strategy}". Did you mean ${meant}?`,
      hint: 'Use config run, config sweep or config stress. A strategy is a file such as my_strategy.py.',
    });
  readFlags(SCHEMAS[name]!, flags, name);
  const rows: Effective[] = [
    ...(strategy === undefined ? [] : [effective('strategy', strategy, 'flag', named)]),
    ...keysOf(command).flatMap((key) => rowsOf(key, command, configured?.origins ?? new Map())),
  ];
  if (flags.json === true && command.getOptionValueSource('json') === 'cli') {
    const { file = null, profile = null } = configured ?? {};
    const values = rows.map(({ key, value, from, origin }) => [key, { value, from, ...placed(origin) }]);
    printLine(
      io.stdout,
      JSON.stringify({ command: name, file, profile, values: Object.fromEntries(values) }, null, 2),
    );
    return;
  }
  const style = textStyle(io);
  const texts = rows.map((row) => [row.key, textOf(row.value), originText(row)] as const);
  const shown = texts.map((row) => row.map((text) => printable(text, style)));
  const [first = 0, second = 0] = [0, 1].map((column) =>
    Math.min(Math.max(...shown.map((row) => row[column]!.length)), MOST_COLUMNS),
  );
  const file = configured === undefined ? 'no project file' : configured.file;
  printText(io, `Configuration of sandtable ${name}, ${file}`);
  for (const isDefault of [false, true])
    for (const [place, row] of shown
      .filter((_, at) => (rows[at]?.from === 'default') === isDefault)
      .entries()) {
      const [key = '', value = '', origin = ''] = row;
      const gap = place === 0 ? '\n' : '';
      printText(io, `${gap}${padEnd(key, first)}  ${padEnd(value, second)}  ${origin}`);
    }
}

const MOST_COLUMNS = 40;

/** Returns the JSON Schema of the project file as one line. */
export function projectSchema(commands: CommandKeys): string {
  return JSON.stringify(
    configJsonSchema(commands, ({ option }, command) => {
      const flag: unknown = SCHEMAS[command]?.shape[option.attributeName()];
      const value = flag instanceof z.ZodOptional ? flag.unwrap() : flag;
      return value instanceof z.ZodEnum ? value.options.map(String) : undefined;
    }),
  );
}

function rowsOf(key: ConfigKey, command: Command, origins: ReadonlyMap<string, Origin>): Effective[] {
  const { option, kind, path } = key;
  const attribute = option.attributeName();
  const flag = option.long ?? '';
  const name = path.join('.');
  const value: unknown = command.getOptionValue(attribute);
  const source = command.getOptionValueSource(attribute);
  const isGiven = source === 'cli' || source === 'config';
  // On the command line, `--json` is the output format of `sandtable config`, not a setting of the described
  // command.
  if (attribute === 'json' && source === 'cli') return [];
  if (!isGiven) {
    if (kind === 'switch') return [effective(name, false, 'default')];
    const text = /\(default:? ((?:[^()]|\([^()]*\))*)\)/.exec(option.description)?.[1];
    return text === undefined ? [] : [effective(name, text, 'default')];
  }
  if (kind === 'pairs' && Array.isArray(value))
    return value.map((text: string) => {
      const [inner = '', ...rest] = text.split('=');
      return effective(`${name}.${inner}`, rest.join('='), 'flag', origins.get(`${flag} ${inner}`));
    });
  return [
    effective(
      name,
      kind === 'switch' ? true : value,
      'flag',
      source === 'cli' ? undefined : origins.get(flag),
    ),
  ];
}

function effective(key: string, value: unknown, from: Effective['from'], origin?: Origin): Effective {
  if (origin === undefined) return { key, value, from };
  return { key, value, from: origin.profile === undefined ? 'file' : 'profile', origin };
}

function placed(origin: Origin | undefined): object {
  if (origin === undefined) return {};
  const { place, profile, variables } = origin;
  return {
    place,
    ...(profile === undefined ? {} : { profile }),
    ...(variables.length > 0 ? { variables } : {}),
  };
}

function originText({ from, origin }: Effective): string {
  if (origin === undefined) return from;
  const colon = origin.place.lastIndexOf(':');
  const place = `${basename(origin.place.slice(0, colon))} line ${origin.place.slice(colon + 1)}`;
  const within = origin.profile === undefined ? place : `profile ${origin.profile}, ${place}`;
  return origin.variables.length === 0 ? within : `environment ${origin.variables.join(', ')}, ${within}`;
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/**
 * `sandtable init`: writes the files of a new project and prints commands to try next.
 *
 * @throws AppError `bad_flags`, `project_exists`, `project_unwritable`
 */
export function initCommand(
  folder: string,
  flags: Readonly<Partial<Record<StarterKind, boolean>>>,
  io: Io,
): void {
  const kinds = STARTER_KINDS.filter((kind) => flags[kind] === true);
  if (kinds.length > 1)
    throw new AppError({
      code: 'bad_flags',
      message: `${kinds.map((kind) => `--${kind}`).join(' and ')} cannot be combined. A project has one kind.`,
      hint: 'Pass one of them, or create two projects in two folders.',
    });
  const schema = projectSchema(sectionKeys(new Command()));
  const { files, commands } = starterProject(kinds[0] ?? 'python', programIn(resolve(folder)), schema);
  const present = Object.keys(files).filter((file) => isThere(join(folder, file)));
  if (present.length > 0)
    throw new AppError({
      code: 'project_exists',
      message: `Cannot create a project in ${folder}: ${present.join(', ')} already ${present.length === 1 ? 'exists' : 'exist'}. No file was written.`,
      hint: 'Choose a new folder, for example: npx sandtable init my-project',
    });
  const hint = 'Choose a folder that you can write to, for example: npx sandtable init my-project';
  for (const [file, text] of Object.entries(files))
    writeNamedFile(join(folder, file), text, { code: 'project_unwritable', hint, makesFolder: true });

  const inside = relative('.', folder);
  printLine(io.stdout, `Created in ${folder}: ${Object.keys(files).join(', ')}\n\nNext:`);
  if (inside !== '') printLine(io.stdout, `  cd ${/^[\w./-]+$/.test(inside) ? inside : `"${inside}"`}`);
  for (const { line, does } of commands) printLine(io.stdout, `  # ${does}\n  ${line}`);
}

/** Returns true if a file, a folder or a link exists. A link to a missing file also exists. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
