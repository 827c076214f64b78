import { Command, CommanderError } from 'commander';
import { AppError, messageOf, version, writeText } from '../kernel/index.ts';
import { type Io, printLine } from './io.ts';
import { addCommands } from './program/groups.ts';
import { receiveInputs, refuseDoubledFlags } from './program/receive-inputs.ts';

/**
 * Runs the command line.
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
      // Loaded on use, which shortens the start of all other commands.
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
    // People get the entry with all causes. A log stays as short as it was.
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
