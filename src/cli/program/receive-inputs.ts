import type { Command } from 'commander';
import { AppError, isFifo, receiveFifo } from '../../kernel/index.ts';
import { type Io, printLine } from '../io.ts';

/** Milliseconds without input after which the user is informed. */
const SOON = 1_000;

/**
 * Before a command starts, reads the named single files that are FIFOs, for example of `--settings <(…)`. Waiting
 * for the writer does not block signals: Ctrl-C and SIGTERM end the process.
 */
export function receiveInputs(program: Command, io: Io): void {
  program.hook('preAction', async (_, command) => {
    const [file] = command.args;
    const isStudy = command.name() === 'study';
    if (file !== undefined && isFifo(file) && ['run', 'sweep', 'stress'].includes(command.name()))
      throw new AppError({
        code: 'strategy_not_found',
        message: `Cannot read the strategy ${file}: it is a FIFO (named pipe), not a regular file.`,
        hint: 'Copy its content to a file. A strategy is read several times, and a FIFO only once.',
      });
    const { settings } = command.opts<{ readonly settings?: unknown }>();
    for (const input of [isStudy ? file : undefined, settings])
      if (typeof input === 'string' && isFifo(input)) await receive(input, io);
  });
}

async function receive(file: string, io: Io): Promise<void> {
  const reminder = setTimeout(() => {
    printLine(io.stderr, `note: Waiting for the end of ${file}, which is a FIFO (named pipe).`);
  }, SOON);
  try {
    await receiveFifo(file);
  } finally {
    clearTimeout(reminder);
  }
}

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
