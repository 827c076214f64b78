import { join } from 'node:path';
import { z } from 'zod';
import { recordingOf } from '../../agent/index.ts';
import type { RunOutcome } from '../../engine/index.ts';
import { compareJournal, readEarlier } from '../../journal/index.ts';
import { AppError, messageOf } from '../../kernel/index.ts';
import { readRunInputs } from '../../runs/index.ts';
import { readFlags } from '../flags.ts';
import { type Io, printLine } from '../io.ts';
import { startRun } from '../run/start-run.ts';
import { askedAgain } from './resume.ts';
import { holdsSamples } from './samples.ts';

const flagsSchema = z.object({ data: z.array(z.string()).optional(), quiet: z.boolean().optional() });

/** `sandtable replay`: walks a run again from its records, with no network, and holds it against its journal. */
export async function replayCommand(folder: string, given: unknown, io: Io): Promise<number> {
  const flags = readFlags(flagsSchema, given, 'replay');
  if (holdsSamples(folder)) {
    throw new AppError({
      code: 'bad_flags',
      message: `${folder} holds samples: each is a run of its own.`,
      remedy: `Replay one of them, such as ${join(folder, 'sample-1')}.`,
    });
  }
  const inputs = readRunInputs(folder);
  const earlier = readEarlier(join(folder, 'journal.jsonl'));
  const ended = new AbortController();
  const journal = compareJournal(earlier, () => ended.abort());
  const recording = recordingOf(earlier.events);
  const tools = earlier.events.filter(({ type }) => type === 'tool_called').length;

  const report = (outcome: RunOutcome, error: unknown): number => {
    if (journal.difference !== undefined) {
      printLine(io.stderr, `error: ${messageOf(error)}`);
      if (error instanceof AppError) printLine(io.stderr, `  ${error.remedy}`);
      return 1;
    }
    if (journal.matched < journal.lines) {
      const next = earlier.events[journal.matched]?.type;
      const why = error === undefined ? '' : `: ${messageOf(error)}`;
      printLine(
        io.stderr,
        `error: The run ended (${outcome}) before line ${journal.matched + 1} of ${journal.lines}, which is recorded as ${next}${why}`,
      );
      printLine(io.stderr, '  Restore the journal from a copy, or run the backtest again.');
      return 1;
    }
    const cut = ended.signal.aborted ? ', as far as it went' : '';
    printLine(
      io.stdout,
      `The run repeats its record${cut}: ${journal.matched} events, ${recording.exchanges} model exchanges replayed, ${tools} tool calls made again.`,
    );
    return 0;
  };

  return startRun(askedAgain(folder, inputs, flags), io, {
    folder,
    inputs,
    journal,
    recording,
    replayOnly: true,
    signal: ended.signal,
    report,
  });
}
