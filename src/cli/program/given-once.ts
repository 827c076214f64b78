import type { Command } from 'commander';
import { AppError } from '../../kernel/index.ts';

/** Refuses a flag of one value that is given again, where the last would win without a word. */
export function refuseDoubledFlags(program: Command): void {
  for (const command of program.commands) {
    refuseDoubledFlags(command);
    for (const option of command.options) {
      if (option.variadic || !(option.required || option.optional)) continue;
      const given: unknown[] = [];
      command.on(`option:${option.name()}`, (value: unknown) => {
        given.push(value);
        if (given.length < 2) return;
        throw new AppError({
          code: 'bad_flags',
          message: `${option.long ?? option.flags} is given twice: ${given.map(String).join(' and ')}.`,
          hint: 'Give it once.',
        });
      });
    }
  }
}
