import type { Command, Option } from 'commander';
import { z } from 'zod';

/** Reference to an environment variable. Allowed in place of any value. */
const reference = z.string().regex(/\$\{/);
const scalar = z.union([z.string(), z.number()]);
const named = z.union([scalar, z.boolean()]);

/** Schema of a value in `sandtable.yaml`, by the kind of its key. */
const FORMS: Readonly<Record<ConfigKey['kind'], z.ZodType>> = {
  switch: z.union([z.boolean(), reference]),
  optional: named,
  single: scalar,
  list: z.union([scalar, z.array(scalar)]),
  pairs: z.record(z.string(), z.union([named, z.array(named)])),
  mapping: z.union([scalar, z.record(z.string(), scalar)]),
};

/** Keys of `sandtable.yaml` for the flags of each command that has a section in the file. */
export type CommandKeys = readonly (readonly [command: string, keys: readonly ConfigKey[]])[];

/** Returns the permitted texts of a flag. `undefined` if there is no list of permitted texts. */
type ChoicesOf = (key: ConfigKey, command: string) => readonly string[] | undefined;

interface Described {
  /** Identifier of a schema that several sections use. */
  readonly id?: string;
  readonly description?: string;
}

type Registry = ReturnType<typeof z.registry<Described>>;

/** Returns the schema of `sandtable.yaml`. A section may be empty. */
export function configSchema(
  commands: CommandKeys,
  choicesOf: ChoicesOf = () => undefined,
  registry: Registry = z.registry<Described>(),
): z.ZodType {
  const fields = new Map<string, z.ZodType>();
  const field = (key: ConfigKey, command: string): z.ZodType => {
    const id = key.path.join('.');
    const known = fields.get(id);
    if (known !== undefined) return known;
    const choices = choicesOf(key, command);
    const value = choices === undefined ? FORMS[key.kind] : z.union([z.enum(choices), reference]);
    // A description is registered for one schema object. Keys of the same kind share an object, so `z.union`
    // creates a new object for each key.
    const made = z.union([value]).register(registry, { id, description: key.option.description });
    fields.set(id, made);
    return made;
  };
  const known = new Map<string, z.ZodType>();
  const part = (name: string, inner: Record<string, z.ZodType>): z.ZodType => {
    const id = `${name}-section`;
    const names = `${id} ${Object.keys(inner).join(' ')}`;
    const made = known.get(names) ?? section(inner);
    // Identifiers must be unique. If commands have different sections with the same name, only the first
    // section gets the identifier.
    if (!known.has(names)) made.register(registry, known.has(id) ? {} : { id });
    known.set(names, made).set(id, made);
    return made;
  };
  const strategy = z.string().register(registry, {
    id: 'strategy',
    description: 'strategy file, unless the command line names a strategy or an agent',
  });
  const layout = (from: CommandKeys): Record<string, z.ZodType> => {
    const top: Record<string, z.ZodType> = { strategy: strategy.optional() };
    const sections: Record<string, Record<string, z.ZodType>> = {};
    for (const [command, keys] of from)
      for (const key of keys) {
        const [first = '', second] = key.path;
        if (second !== undefined) sections[first] ??= {};
        const place = second === undefined ? top : sections[first]!;
        place[second ?? first] ??= field(key, command).optional();
      }
    for (const [name, inner] of Object.entries(sections)) top[name] = part(name, inner);
    return top;
  };
  const changes = layout(commands);
  for (const [name, keys] of commands)
    changes[name] = section(layout([[name, keys]])).register(registry, {
      id: name,
      description: `keys that apply to sandtable ${name} only`,
    });
  const profiles = z.record(z.string(), section(changes)).nullish();
  return section({
    ...changes,
    profiles: profiles.register(registry, { description: 'named changes, selected by --profile NAME' }),
  });
}

function section(fields: Record<string, z.ZodType>): z.ZodType {
  return z.strictObject(fields).nullish();
}

/** Returns the JSON Schema of `sandtable.yaml` for editors. */
export function configJsonSchema(commands: CommandKeys, choicesOf: ChoicesOf): object {
  const registry = z.registry<Described>();
  const schema = configSchema(commands, choicesOf, registry);
  return { title: 'sandtable.yaml', ...z.toJSONSchema(schema, { io: 'input', metadata: registry }) };
}

/**
 * Sections of `sandtable.yaml`, named after the first word of a flag group. Keys of other groups are at the
 * top level.
 */
const SECTIONS: readonly string[] = ['account', 'costs', 'fills', 'risk', 'figures'];

/**
 * Flags that cannot be set in the file: help, flags that select the configuration itself, and folders to
 * resume.
 */
const WITHOUT_KEY: readonly string[] = ['help-all', 'config', 'no-config', 'profile', 'unset', 'resume'];

/**
 * Kind of a key's value. `switch`: true or false. `optional`: true, false or a scalar. `single`: a scalar.
 * `list`: a scalar or a list. `pairs`: scalars or lists by name. `mapping`: a text, or scalars by name.
 */
type KeyKind = 'switch' | 'optional' | 'single' | 'list' | 'pairs' | 'mapping';

/** Key of `sandtable.yaml` for one flag. */
export interface ConfigKey {
  /**
   * Path of the key in the file, for example `costs`, `commission`. The last segment is the name of the flag.
   */
  readonly path: readonly string[];
  readonly kind: KeyKind;
  readonly option: Option;
}

/** Returns the keys for the flags of a command, in the order of its help. */
export function keysOf(command: Command): ConfigKey[] {
  return command.options.flatMap((option): ConfigKey[] => {
    const name = option.long?.slice(2) ?? '';
    if (name === '' || option.hidden || WITHOUT_KEY.includes(name)) return [];
    const section = /^\w+/.exec(option.helpGroupHeading ?? '')?.[0].toLowerCase() ?? '';
    const path = SECTIONS.includes(section) ? [section, name] : [name];
    return [{ path, kind: kindOf(option), option }];
  });
}

/**
 * Returns the placeholder in the angle or square brackets of a flag, without `...`. Empty if there are no
 * brackets.
 */
export function placeholderOf({ flags }: Option): string {
  return /[<[]([^>\]]*?)(?:\.\.\.)?[>\]]/.exec(flags)?.[1] ?? '';
}

function kindOf(option: Option): KeyKind {
  const placeholder = placeholderOf(option);
  if (option.optional) return 'optional';
  if (!option.required) return 'switch';
  if (option.variadic) return placeholder.includes('=') ? 'pairs' : 'list';
  return placeholder === 'mapping' ? 'mapping' : 'single';
}
