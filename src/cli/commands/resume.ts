import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Budget, budgetSchema, recordingOf } from '../../agent/index.ts';
import { isResult } from '../../engine/index.ts';
import { continueJournal, linesToKeep, readEarlier } from '../../journal/index.ts';
import { type Fault, issueText } from '../../kernel/index.ts';
import { type RunInputs, readRunInputs, strategyFileOf } from '../../runs/index.ts';
import { readFlags } from '../flags.ts';
import { type Io, printLine } from '../io.ts';
import type { AskedRun } from '../run/asked-run.ts';
import { startRun } from '../run/start-run.ts';
import { lockRun } from '../run-lock.ts';

const flagsSchema = z.object({
  data: z.array(z.string()).optional(),
  budget: z.array(z.string()).optional(),
  replayOnly: z.boolean().optional(),
  json: z.boolean().optional(),
  quiet: z.boolean().optional(),
});

/** `sandtable resume`: continues a run that was killed, interrupted or stopped; gives the exit code. */
export async function resumeCommand(folder: string, given: unknown, io: Io): Promise<number> {
  const limits = readBudget((given as { budget?: string[] }).budget ?? []);
  const flags = readFlags(flagsSchema, given, 'resume', limits.faults);
  const inputs = readRunInputs(folder);
  const lock = lockRun(folder);
  try {
    const earlier = readEarlier(join(folder, 'journal.jsonl'));
    const last = earlier.events.at(-1);
    const isWhole = last?.type === 'run_finished' && isResult(last.outcome);
    if (isWhole && existsSync(join(folder, 'manifest.json'))) {
      printLine(io.stderr, `${folder} is complete: there is nothing to resume.`);
      return 0;
    }
    const keep = linesToKeep(earlier);
    const asked = askedAgain(folder, inputs, flags);
    const isLimited = Object.keys(limits.budget).length > 0;
    return await startRun({ ...asked, ...(isLimited ? { budget: limits.budget } : {}) }, io, {
      folder,
      inputs,
      journal: continueJournal(earlier, keep),
      recording: recordingOf(earlier.events.slice(0, keep)),
      replayOnly: flags.replayOnly === true,
    });
  } finally {
    lock.release();
  }
}

/** The run as it was asked for then, with the strategy's file where it is now. */
export function askedAgain(
  folder: string,
  inputs: RunInputs,
  flags: {
    readonly data?: string[] | undefined;
    readonly json?: boolean | undefined;
    readonly quiet?: boolean | undefined;
  },
): AskedRun {
  return {
    file: strategyFileOf(folder, inputs),
    parameters: inputs.strategy.parameters,
    flags: {
      ...(inputs.flags as AskedRun['flags']),
      ...(flags.data === undefined ? {} : { data: flags.data }),
      ...(flags.json === undefined ? {} : { json: flags.json }),
      ...(flags.quiet === undefined ? {} : { quiet: flags.quiet }),
    },
  };
}

function readBudget(texts: readonly string[]): { budget: Budget; faults: Fault[] } {
  const values: Record<string, number> = {};
  const faults: Fault[] = [];
  for (const text of texts) {
    const [name = '', amount = ''] = text.split('=');
    if (name === '' || amount === '' || !Number.isFinite(Number(amount))) {
      faults.push({ where: '--budget', message: `"${text}" is no limit such as usd=5 or tokens=200000` });
    } else values[name] = Number(amount);
  }
  const parsed = budgetSchema.safeParse(values);
  for (const issue of parsed.error?.issues ?? []) {
    faults.push({ where: '--budget', message: `${issue.path.join('.')} ${issueText(issue)}`.trim() });
  }
  return { budget: parsed.data ?? {}, faults };
}
