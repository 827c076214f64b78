import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { JournalEvent } from '../../journal/index.ts';
import { AppError, isObject, textOf } from '../../kernel/index.ts';
import { REPORT_FILE } from '../report/report-page.ts';
import { TraceIndex } from './trace-index.ts';
import { wholeTracePage } from './trace-page.ts';

/**
 * Returns the trace of a run as a page that works offline. The page will be stored in the folder `beside`. If
 * this folder contains a report, the page has a link to it.
 *
 * @param folder folder of the run
 * @returns the page, and descriptions of unreadable parts of the journal
 * @throws AppError `no_run`, `trace_too_large`, `journal_unreadable`, `not_a_journal`
 */
export async function traceOfRun(
  folder: string,
  beside: string = folder,
): Promise<{ readonly page: string; readonly damage: readonly string[] }> {
  const journal = join(folder, 'journal.jsonl');
  if (!existsSync(journal)) {
    throw new AppError({
      code: 'no_run',
      message: `There is no run in ${folder}: journal.jsonl is missing.`,
      hint: 'Pass the path of a run folder, for example reports/20261121-215900-sma-cross-3fa9c1.',
    });
  }
  const index = await TraceIndex.open(journal);
  return {
    page: await wholeTracePage(index, {
      runId: basename(resolve(folder)),
      timing: jsonOf(folder, 'timing.json'),
      timezone: timezoneOf(index.started, jsonOf(folder, 'inputs.json')),
      ...(existsSync(join(beside, REPORT_FILE)) ? { links: [{ text: 'Report', href: REPORT_FILE }] } : {}),
    }),
    damage: [
      ...index.damage,
      ...(index.finished === undefined && !index.isDamaged
        ? ['The journal has no run_finished event: the run was killed.']
        : []),
    ],
  };
}

function jsonOf(folder: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, file), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Returns the time zone for the times of a run: the value of `--timezone`, or else the common time zone of
 * its instruments, or else UTC.
 */
export function timezoneOf(started: JournalEvent | undefined, inputs: unknown): string {
  const flags = isObject(inputs) && isObject(inputs.flags) ? inputs.flags : {};
  const settings = isObject(started?.settings) ? started.settings : {};
  const instruments = isObject(settings.instruments) ? Object.values(settings.instruments) : [];
  const zones = new Set(instruments.filter(isObject).map(({ timezone }) => textOf(timezone)));
  const [only = ''] = zones.size === 1 ? zones : [];
  return [textOf(flags.timezone), only].find(isZone) ?? 'UTC';
}

function isZone(name: string): boolean {
  if (name === '') return false;
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
