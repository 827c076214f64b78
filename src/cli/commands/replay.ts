import { z } from 'zod';
import { AppError, messageOf } from '../../kernel/index.ts';
import { type ReplayEnd, replayRun } from '../../runner/index.ts';
import { readFlags } from '../flags.ts';
import { type Io, printLine } from '../io.ts';
import { runContext } from '../run-context.ts';

const flagsSchema = z.object({ data: z.array(z.string()).optional(), quiet: z.boolean().optional() });

/** `sandtable replay`: runs a run again from its records, with no network, and compares it with its journal. */
export async function replayCommand(folder: string, given: unknown, io: Io): Promise<number> {
  const { data, quiet = false } = readFlags(flagsSchema, given, 'replay');
  let code = 0;
  await replayRun(folder, data, runContext(io, quiet), (end) => {
    code = printReplay(end, io);
  });
  return code;
}

function printReplay(end: ReplayEnd, io: Io): number {
  const { error, matched, lines } = end;
  if (end.differs) {
    printLine(io.stderr, `error: ${messageOf(error)}`);
    if (error instanceof AppError) printLine(io.stderr, `  ${error.remedy}`);
    return 1;
  }
  if (matched < lines) {
    const why = error === undefined ? '' : `: ${messageOf(error)}`;
    printLine(
      io.stderr,
      `error: The run ended (${end.outcome}) before line ${matched + 1} of ${lines}, which is recorded as ${end.nextEvent}${why}`,
    );
    printLine(io.stderr, '  Restore the journal from a copy, or run the backtest again.');
    return 1;
  }
  const cut = end.recordCut ? ', as far as it went' : '';
  printLine(
    io.stdout,
    `The run repeats its record${cut}: ${matched} events, ${end.exchanges} model exchanges replayed, ${end.toolCalls} tool calls made again.`,
  );
  return 0;
}
