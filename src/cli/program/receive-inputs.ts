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
