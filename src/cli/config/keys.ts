import type { Command, Option } from 'commander';

/** Sections of `sandtable.yaml`: first words of flag groups. Keys of all other groups are at the top level. */
const SECTIONS: readonly string[] = ['account', 'costs', 'fills', 'risk', 'figures'];

/** Flags without a key: help, flags that select the configuration itself, and resumed folders. */
const WITHOUT_KEY: readonly string[] = ['help-all', 'config', 'no-config', 'profile', 'unset', 'resume'];

/**
 * Form of a key's value. `switch`: true or false. `optional`: true, false or a scalar. `single`: a scalar.
 * `list`: a scalar or a list. `pairs`: scalars or lists by name. `mapping`: a text, or scalars by name.
 */
type KeyKind = 'switch' | 'optional' | 'single' | 'list' | 'pairs' | 'mapping';

/** Key of `sandtable.yaml` for one flag. */
export interface ConfigKey {
  /** Path in the file, for example `costs`, `commission`. The last part is the flag's name. */
  readonly path: readonly string[];
  readonly kind: KeyKind;
  readonly option: Option;
}

/** Returns the keys of a command's flags, in the order of its help. */
export function keysOf(command: Command): ConfigKey[] {
  return command.options.flatMap((option): ConfigKey[] => {
    const name = option.long?.slice(2) ?? '';
    if (name === '' || option.hidden || WITHOUT_KEY.includes(name)) return [];
    const section = /^\w+/.exec(option.helpGroupHeading ?? '')?.[0].toLowerCase() ?? '';
    const path = SECTIONS.includes(section) ? [section, name] : [name];
    return [{ path, kind: kindOf(option), option }];
  });
}

/** Returns the text between the angle brackets of a flag. */
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
