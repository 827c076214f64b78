import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import type { LoadedStrategy } from '../../agents/index.ts';
import { isJsonObject, type Json } from '../../engine/index.ts';
import { readEnds } from '../../journal/index.ts';
import {
  AppError,
  type Fault,
  faultsError,
  fileProblem,
  parseJsonInput,
  version,
} from '../../kernel/index.ts';
import { processOf } from '../../results/runs/index.ts';
import { filesOf } from '../run-place.ts';
import type { CheckedRegistration, PreparedRun } from '../run-request.ts';
import { isForward } from './enter-forward.ts';
import { FEED_FILE, type FeedEntry, readFeed } from './feed-log.ts';

/**
 * Hypothesis of a registration. A registration is a file with the plan and the hypothesis of a run or study,
 * written before the run starts.
 */
interface Hypothesis {
  readonly text: string;
  /** Field of `summary.json` that decides on the hypothesis, for example `sharpe`. */
  readonly primaryFigure: string;
  /** Value that `primaryFigure` must reach to confirm the hypothesis. */
  readonly threshold: string;
  /** Description of how the hypothesis is tested, in words. */
  readonly test: string;
}

const registrationSchema = z.strictObject({
  schema: z.literal(1),
  registeredAt: z.string(),
  sandtable: z.string(),
  hypothesis: z.record(z.string(), z.string()),
  plan: z.custom<Json>((value) => isJsonObject(value as Json), { error: 'is not an object' }),
});

/** Options whose values are paths. A registration contains hashes of the files instead of the paths. */
const PLACES = new Set([
  ...['data', 'out', 'fx', 'actions', 'rolls', 'funding', 'features', 'context', 'documents', 'fundamentals'],
  ...['universe', 'instruments', 'detail', 'vfs', 'skills', 'registration', 'amend', 'recorded'],
]);

/** Returns the options whose values are not paths. */
export function withoutPlaces(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !PLACES.has(name)));
}

/**
 * Returns the plan: the properties of a run that a registration fixes. These are strategy, parameters, model,
 * data, settings and options. Files are included by hash, not by path.
 */
export function planOf({ strategy, loaded, detail, request, settings }: PreparedRun): Json {
  const { model } = strategy;
  const { evaluateFrom, ...rest } = settings;
  const plan = {
    strategy: {
      name: strategy.name,
      kind: strategy.kind,
      files: strategyFiles(strategy),
      parameters: strategy.parameters,
    },
    model:
      model === undefined ? null : { model: model.model, provider: model.provider, baseUrl: model.baseUrl },
    symbols: loaded.market.symbols,
    data: filesOf(loaded, detail?.sources)
      .map(({ sha256 }) => sha256 ?? '')
      .sort(),
    options: withoutPlaces(request.options),
    // In a forward run, the evaluation begins at the end of the history. Its date is therefore not
    // registered.
    settings: isForward(request.options) || evaluateFrom === undefined ? rest : { ...rest, evaluateFrom },
  };
  // JSON cannot represent `undefined`, so this removes fields with this value.
  return JSON.parse(JSON.stringify(plan)) as Json;
}

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;
const ENDINGS = ['', '.ts', '.js', '.mjs', '.json', '/index.ts', '/index.js'];

/** Returns the hashes of a strategy's file and of its imports, by path relative to the strategy's folder. */
export function strategyFiles({
  kind,
  file: main,
  beside = [],
}: Pick<LoadedStrategy, 'kind' | 'file' | 'beside'>): Record<string, string> {
  if (kind === 'agent') return {};
  const folder = dirname(resolve(main));
  const hashes = new Map<string, string>();
  const waiting = [resolve(main), ...beside.map((file) => resolve(folder, file))];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const name = relative(folder, file).split('\\').join('/');
    if (hashes.has(name) || !existsSync(file)) continue;
    const bytes = readFileSync(file);
    hashes.set(name, createHash('sha256').update(bytes).digest('hex'));
    if (!/\.[cm]?[jt]s$/.test(file)) continue;
    for (const [, imported = ''] of bytes.toString('utf8').matchAll(IMPORT)) {
      const target = join(dirname(file), imported);
      const found = ENDINGS.map((ending) => `${target}${ending}`).find(
        (one) => existsSync(one) && /\.\w+$/.test(one),
      );
      if (found !== undefined) waiting.push(found);
    }
  }
  return Object.fromEntries(hashes);
}

/** Returns the text of a registration and its SHA-256. The text is canonical JSON with a line end. */
export function registrationOf(
  plan: Json,
  hypothesis: Hypothesis,
  now: Date,
): { readonly text: string; readonly sha256: string } {
  const content = {
    schema: 1,
    registeredAt: now.toISOString(),
    sandtable: version(),
    hypothesis: { ...hypothesis },
    plan,
  };
  const text = `${canonical(content)}\n`;
  return { text, sha256: hashOf(text) };
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns JSON with sorted keys and without spaces. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key]!)}`).join(',')}}`;
}

/**
 * Compares a run or a study with its registration. Returns the registration and the text of its file.
 *
 * @param plan result of `planOf`, or the plan of a study
 * @param reason reason for differences, from `--amend`. Without a reason, a difference is an error
 * @throws AppError `bad_registration`, `registration_differs` with every difference
 */
export function checkRegistration(
  file: string,
  plan: Json,
  reason: string | undefined,
  now: Date,
): CheckedRegistration {
  const text = readText(file);
  const { registeredAt, hypothesis, plan: registered } = readRegistration(text, file);
  const faults = differences(registered, plan, '');
  if (faults.length > 0 && reason === undefined)
    throw faultsError(
      'registration_differs',
      `The ${isJsonObject(plan) && 'study' in plan ? 'study' : 'run'} differs from the registration ${file}`,
      faults,
      'Undo these changes, register the run again, or pass --amend REASON, which marks the result as changed.',
    );
  if (now.getTime() < Date.parse(registeredAt))
    throw badRegistration(file, `it is of ${registeredAt}, which is in the future`);
  const changes = faults.map(({ where, message }) => `${where}: ${message}`);
  return {
    text,
    writtenAt: statSync(file).mtime.toISOString(),
    registered: {
      sha256: hashOf(text),
      registeredAt,
      hypothesis,
      ...(changes.length === 0 ? {} : { changes, reason: reason ?? '' }),
    },
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw badRegistration(file, fileProblem(cause), cause);
  }
}

function readRegistration(text: string, file: string): z.infer<typeof registrationSchema> {
  let value: unknown;
  try {
    value = parseJsonInput(text);
  } catch (cause) {
    throw badRegistration(file, 'it is not JSON', cause);
  }
  const parsed = registrationSchema.safeParse(value);
  if (parsed.success) {
    // Only canonical text has the published hash. Added spaces or another order of keys would change the
    // hash.
    if (text !== `${canonical(value as Json)}\n`)
      throw badRegistration(file, 'its text was edited, so its SHA-256 is not the published one');
    return parsed.data;
  }
  throw badRegistration(file, `${parsed.error.issues[0]?.path.join('.')} is missing or has another form`);
}

function badRegistration(file: string, problem: string, cause?: unknown): AppError {
  return new AppError({
    code: 'bad_registration',
    message: `Cannot use the registration ${file}: ${problem}.`,
    hint: 'Pass a file that npx sandtable register wrote.',
    cause,
  });
}

function differences(registered: Json | undefined, now: Json | undefined, path: string): Fault[] {
  if (isJsonObject(registered) && isJsonObject(now)) {
    const keys = [...new Set([...Object.keys(registered), ...Object.keys(now)])].sort();
    return keys.flatMap((key) =>
      differences(registered[key], now[key], path === '' ? key : `${path}.${key}`),
    );
  }
  const [then, current] = [shown(registered), shown(now)];
  return then === current ? [] : [{ where: path, message: `registered ${then}, now ${current}` }];
}

function shown(value: Json | undefined): string {
  return value === undefined ? '(nothing)' : canonical(value);
}

/** Line of `feed.jsonl`, with the fields that `forwardStatus` needs. */
interface LooseEntry {
  readonly type: FeedEntry['type'];
  readonly bar?: number;
  readonly time?: string;
  readonly receivedAt?: string;
  readonly late?: readonly (string | null)[];
  readonly afterGap?: boolean;
  readonly problem?: string;
  readonly clock?: string;
}

/** State of a forward run. Times are ISO texts in UTC, or `null` if the event has not happened yet. */
export interface ForwardStatus {
  readonly folder: string;
  /** `running`, the outcome of the run, or `stopped without an end` if its process was killed. */
  readonly state: string;
  /** Id of the process that writes the run. `null` if the run is not being written. */
  readonly pid: number | null;
  /**
   * Number of received bars. `lastBar` is the time of the newest bar, `lastReceivedAt` the time at which it
   * arrived.
   */
  readonly bars: number;
  readonly lastBar: string | null;
  readonly lastReceivedAt: string | null;
  /**
   * `decided` counts the decisions that were made, and `late` those with a late order. `missed` counts
   * decisions that were skipped because a later bar was already known.
   */
  readonly decided: number;
  readonly late: number;
  readonly missed: number;
  /**
   * `revised` counts bars that were changed after their arrival, and `lateBars` bars that arrived too late.
   * Both were ignored. `gaps` counts gaps between bars.
   */
  readonly revised: number;
  readonly lateBars: number;
  readonly gaps: number;
  /** Number of lost connections and other problems. `lastProblem` describes the newest problem. */
  readonly problems: number;
  readonly lastProblem: string | null;
  /** Equity at the newest recorded bar. `null` if no bar has been recorded. */
  readonly equity: string | null;
}

/**
 * Returns the state of a forward run.
 *
 * @throws AppError `not_a_forward_run`
 */
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
  const isTimed = of('started').every(({ clock }) => clock !== 'bars');
  const problems = of('problem', 'lost', 'refused');
  const { outcome, equity } = endOf(join(folder, 'journal.jsonl'));
  return {
    folder,
    state: pid !== null ? 'running' : (outcome ?? 'stopped without an end'),
    pid,
    bars: bars.length,
    lastBar: newest?.time ?? null,
    lastReceivedAt: newest?.receivedAt ?? null,
    // With `--clock bars`, decisions are not recorded, because each bar has one decision, which is always in
    // time.
    decided: isTimed ? new Set(of('decided').map(({ bar }) => bar)).size : bars.length,
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

/** Returns the outcome and the last equity. Reads only the end of the journal. */
function endOf(file: string): { readonly outcome: string | undefined; readonly equity: string | null } {
  const { tail } = readEnds(file);
  const finished = tail.findLast(({ type }) => type === 'run_finished');
  const bar = tail.findLast(({ type }) => type === 'bar');
  return {
    outcome: typeof finished?.outcome === 'string' ? finished.outcome : undefined,
    equity: typeof bar?.equity === 'string' ? bar.equity : null,
  };
}
