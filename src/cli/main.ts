import { Command, CommanderError } from 'commander';
import { AppError, isFifo, messageOf, receiveFifo, version, writeText } from '../kernel/index.ts';
import { type Io, printLine } from './io.ts';
import { addCommands } from './program/groups.ts';

/**
 * Runs a command of the command line.
 *
 * @param argv arguments without the program's name
 * @returns the exit code: 0 for success, 1 for a failed run, 2 for wrong usage or input
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = 0;
  const program = createProgram(io);
  try {
    await addCommands(program, argv, io, (code) => {
      exitCode = code;
    });
    refuseDoubledFlags(program);
    program.hook('preAction', async (_, command) => {
      if (!command.options.some(({ long }) => long === '--config')) return;
      // Loaded only when a command runs, so that `--help` and `--version` are fast.
      const { applyConfig } = await import('./config/apply-config.ts');
      await applyConfig(program, command, io);
    });
    receiveInputs(program, io);
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return report(error, io);
  }
}

/** Prints an error on stderr and returns the exit code. */
function report(error: unknown, io: Io): number {
  if (error instanceof AppError) {
    printLine(io.stderr, `error: ${error.message}\n  ${error.hint}`);
    // On a terminal, prints the command that shows the documentation of the error. Otherwise, for example in
    // a log, this line is omitted.
    if (io.stderr.isTTY === true && error.code !== 'unknown_topic')
      printLine(io.stderr, `  More: npx sandtable docs ${error.code}`);
    return error.kind === 'input' ? 2 : 1;
  }
  printLine(io.stderr, `error: Internal error of Sandtable: ${messageOf(error)}`);
  printLine(
    io.stderr,
    '  Please report it with the command you ran. SANDTABLE_DEBUG=1 prints the stack trace.',
  );
  if ((io.env.SANDTABLE_DEBUG ?? '') !== '' && error instanceof Error)
    printLine(io.stderr, error.stack ?? '');
  return 1;
}

function createProgram(io: Io): Command {
  const program = new Command('sandtable')
    .description('A backtesting engine with an agent inside.')
    .version(version(), '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => writeText(io.stdout, text),
      writeErr: (text) => writeText(io.stderr, text),
      outputError: (text, write) =>
        write(
          text.includes("argument 'strategy'")
            ? `${text}  Put the strategy before --data: every word after --data is read as a data file.\n`
            : text,
        ),
    })
    .showHelpAfterError('(add --help for usage)')
    .addHelpText(
      'after',
      '\nFirst steps:\n  npm start                        a backtest of 5,105 real bars, computing in Python\n  npx sandtable doctor             is everything in place?\n  npx sandtable run --help         all about backtests',
    );
  return program;
}

/** Milliseconds without input after which a note names the file for which the command waits. */
const SOON = 1_000;

/**
 * Reads arguments that are FIFOs, for example `--settings <(…)`, before a command starts. Waiting for the
 * writer of a FIFO does not block signals, so Ctrl-C and SIGTERM end the process.
 */
function receiveInputs(program: Command, io: Io): void {
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
 * Rejects a flag with one value that is given several times, because all values but the last would be
 * ignored. Reports all such flags together.
 */
function refuseDoubledFlags(program: Command): void {
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
