import { basename, dirname, join, relative } from 'node:path';
import { otherRecording, recordingOf } from '../../agent/index.ts';
import type { RunSummary } from '../../analysis/index.ts';
import { readEarlier } from '../../journal/index.ts';
import { linkedReport, sideBySideText } from '../../pages/index.ts';
import { readRun, readRunInputs, sha256OfFile, writeOtherAnswer, writeWhole } from '../../runs/index.ts';
import { type Io, mayColour, printLine, widthOf } from '../io.ts';
import type { AskedRun } from '../run/asked-run.ts';
import { startRun } from '../run/start-run.ts';
import type { OtherRecord } from './recording.ts';

interface Settled {
  readonly folder: string;
  readonly summary: RunSummary;
}

/**
 * `sandtable run --resolve both`: the run with the worse answer to its ambiguous bars and, where it has some, once more
 * with the better; a model is answered from the record of the first. Gives the exit code.
 */
export async function runBoth(asked: AskedRun, io: Io): Promise<number> {
  const { json, quiet, ...flags } = asked.flags;
  const settled: Settled[] = [];
  const walk = (resolve: 'worst' | 'best', change: Partial<AskedRun>): Promise<number> =>
    startRun(
      {
        ...asked,
        ...change,
        flags: { ...flags, resolve, quiet: quiet === true || json === true },
        onSettled: (run) => settled.push(run),
      },
      io,
    );
  const code = await walk('worst', {});
  const worst = settled[0];
  if (worst === undefined) return code;
  const ambiguous = worst.summary.ambiguousBars > 0;
  if (code === 0 && ambiguous) {
    const second = await walk('best', { ...recordOf(worst, asked), again: 'best' });
    const best = settled[1];
    if (second !== 0 || best === undefined) return second;
    link(worst, best);
    if (json === true)
      printLine(io.stdout, JSON.stringify({ worst: worst.summary, best: best.summary }, null, 2));
    else if (quiet !== true)
      printLine(
        io.stdout,
        sideBySideText(worst.summary, best.summary, {
          width: widthOf(io.stdout, io.env),
          colour: mayColour(io.stdout, io.env),
          ascii: io.env.TERM === 'dumb',
        }),
      );
    return 0;
  }
  if (json === true)
    printLine(io.stdout, JSON.stringify({ worst: worst.summary, best: worst.summary }, null, 2));
  else if (quiet !== true && code === 0)
    printLine(io.stdout, 'No bar allows several outcomes: both answers are this run.');
  return code;
}

/** What a model was asked in the first run answers the second, as long as the requests stay the same. */
function recordOf({ folder, summary }: Settled, { record }: AskedRun): { readonly record?: OtherRecord } {
  if (summary.activity.decisions === 0 && record === undefined) return {};
  const inputs = readRunInputs(folder);
  if (inputs.model === undefined) return {};
  const file = join(folder, 'journal.jsonl');
  return {
    record: {
      recording: otherRecording(recordingOf(readEarlier(file).events), inputs.sample ?? 1),
      replayOnly: true,
      model: inputs.model,
      source: { folder, journalSha256: sha256OfFile(file) },
    },
  };
}

/** Each run's folder holds what the other came to, and its report shows both. */
function link(worst: Settled, best: Settled): void {
  const sides = [
    { own: worst, other: best, resolve: 'best' },
    { own: best, other: worst, resolve: 'worst' },
  ] as const;
  for (const { own, other, resolve } of sides) {
    const folder = relative(own.folder, other.folder) || basename(other.folder);
    writeOtherAnswer(own.folder, { resolve, folder, summary: other.summary });
    const page = join(own.folder, 'report.html');
    writeWhole(page, linkedReport(readRun(own.folder), dirname(page)));
  }
}
