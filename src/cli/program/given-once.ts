import type { Command } from 'commander';
import { AppError } from '../../kernel/index.ts';

/**
 * Rejects repeated flags that accept one value. Otherwise the last value would silently win. Reports all of
 * them together.
 */
export function refuseDoubledFlags(program: Command): void {
  const given = new Map<string, unknown[]>();
  watch(program, given);
  program.hook('preAction', () => {
    const doubled = [...given].filter(([, values]) => values.length > 1);
    if (doubled.length === 0) return;
    throw new AppError({
      code: 'bad_flags',
      message: doubled
        .map(
          ([flag, values]) =>
            `${flag} is given ${values.length === 2 ? 'twice' : `${values.length} times`}: ${values.map(String).join(' and ')}.`,
        )
        .join(' '),
      hint: doubled.length === 1 ? 'Pass it once.' : 'Pass each flag once.',
    });
  });
}

function watch(command: Command, given: Map<string, unknown[]>): void {
  for (const option of command.options) {
    if (option.variadic || !(option.required || option.optional)) continue;
    const flag = option.long ?? option.flags;
    command.on(`option:${option.name()}`, (value: unknown) => {
      given.set(flag, [...(given.get(flag) ?? []), value]);
    });
  }
  for (const child of command.commands) watch(child, given);
}
