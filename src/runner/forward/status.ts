import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnds } from '../../journal/index.ts';
import { processOf } from '../run-place.ts';
import { FEED_FILE, type FeedEntry, readFeed } from './feed-log.ts';

/** Any line of `feed.jsonl`. */
interface LooseEntry {
  readonly type: FeedEntry['type'];
  readonly bar?: number;
  readonly time?: string;
  readonly receivedAt?: string;
  readonly late?: readonly (string | null)[];
  readonly afterGap?: boolean;
  readonly problem?: string;
}

/** State of a forward run. Times are ISO texts of UTC; `null` before the first one. */
export interface ForwardStatus {
  readonly folder: string;
  /** `running`, or the outcome of the run. `stopped without an end` after a kill. */
  readonly state: string;
  /** Id of the process that is writing the run. `null` if no process is. */
  readonly pid: number | null;
  /** Received bars, and the time and the reception of the newest one. */
  readonly bars: number;
  readonly lastBar: string | null;
  readonly lastReceivedAt: string | null;
  /** Decisions that were made, made late, and skipped because a later bar was known. */
  readonly decided: number;
  readonly late: number;
  readonly missed: number;
  /** Bars that came revised or late and were not applied, and gaps. */
  readonly revised: number;
  readonly lateBars: number;
  readonly gaps: number;
  /** Lost connections and other problems, and the newest one. */
  readonly problems: number;
  readonly lastProblem: string | null;
  /** Equity at the newest recorded bar. `null` before the first one. */
  readonly equity: string | null;
}

/** @throws AppError `not_a_forward_run` */
export function forwardStatus(folder: string): ForwardStatus {
  readFeed(folder);
  const text = readFileSync(join(folder, FEED_FILE), 'utf8');
  const entries = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LooseEntry);
  const of = (...types: readonly FeedEntry['type'][]): readonly LooseEntry[] =>
    entries.filter(({ type }) => types.includes(type));
  const pid = processOf(folder) ?? null;
  const bars = of('bar');
  const newest = bars.at(-1);
  const problems = of('problem', 'lost', 'refused');
  const { outcome, equity } = endOf(join(folder, 'journal.jsonl'));
  return {
    folder,
    state: pid !== null ? 'running' : (outcome ?? 'stopped without an end'),
    pid,
    bars: bars.length,
    lastBar: newest?.time ?? null,
    lastReceivedAt: newest?.receivedAt ?? null,
    decided: new Set(of('decided').map(({ bar }) => bar)).size,
    late: of('decided').filter(({ late }) => late !== undefined).length,
    missed: of('missed').length,
    revised: of('revised').length,
    lateBars: of('late').length,
    gaps: bars.filter(({ afterGap }) => afterGap === true).length,
    problems: problems.length,
    lastProblem: problems.at(-1)?.problem ?? null,
    equity,
  };
}

/** Outcome and last equity of a journal of any size. */
function endOf(file: string): { readonly outcome: string | undefined; readonly equity: string | null } {
  const { tail } = readEnds(file);
  const finished = tail.findLast(({ type }) => type === 'run_finished');
  const bar = tail.findLast(({ type }) => type === 'bar');
  return {
    outcome: typeof finished?.outcome === 'string' ? finished.outcome : undefined,
    equity: typeof bar?.equity === 'string' ? bar.equity : null,
  };
}
