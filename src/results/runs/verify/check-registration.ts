import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunRecord } from '../../../journal/index.ts';
import { AppError, isObject, parseInstant } from '../../../kernel/index.ts';
import type { Registered } from '../../analysis/index.ts';
import { sha256OfFile } from '../files.ts';
import type { Manifest, RunInputs } from '../manifest.ts';
import { readRunInputs } from '../run-inputs.ts';

const name = 'registration';
const failed = (detail: string): Check => ({ name, outcome: 'failed', detail });

/**
 * Checks the registration of a run: the hypothesis and plan that were fixed before the run. The file must
 * have the recorded SHA-256, and the hypothesis and time in `inputs.json`. The run must follow the plan
 * except for the stated changes. The time must be plausible for the run, see `timeCheck`.
 *
 * @param publication place where the hash was published. `undefined` if unknown
 */
export function registrationChecks(
  folder: string,
  { started, bars }: RunRecord,
  manifest: Manifest | undefined,
  publication: Publication | undefined,
): Check[] {
  let inputs: RunInputs;
  try {
    inputs = readRunInputs(folder);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ name, outcome: 'not checked', detail: error.message.replace(/\.$/, '') }];
  }
  const { registration, strategy } = inputs;
  const file = join(folder, 'registration.json');
  if (registration === undefined)
    return [
      existsSync(file)
        ? failed('registration.json is in the folder, but inputs.json states no registration')
        : publication !== undefined
          ? failed(`the run was not registered, so its registration cannot be in ${publication.place}`)
          : { name, outcome: 'not checked', detail: 'the run was not registered before its start' },
    ];
  const stated = readStated(file, registration);
  if (typeof stated === 'string') return [failed(stated)];

  const { plan } = stated;
  const planned = isObject(plan.strategy) ? plan.strategy : {};
  const files = isObject(planned.files) ? planned.files : {};
  const main = basename(strategy.file ?? '');
  // Returns the paths at which the run differs from the plan. `evaluateFrom` is ignored, because a run on a
  // feed of live bars computes this date from the bars before its start.
  const differing = (path: string, then: unknown, used: unknown): string[] => {
    if (!isObject(then) || !isObject(used)) return isDeepStrictEqual(then, used) ? [] : [path];
    return [...new Set([...Object.keys(then), ...Object.keys(used)])]
      .filter((key) => key !== 'evaluateFrom' && !isDeepStrictEqual(then[key], used[key]))
      .map((key) => `${path}.${key}`);
  };
  const read = inputs.files.map(({ sha256 }) => sha256).sort();
  const { changes = [] } = registration;
  const hidden = [
    ...differing('strategy.name', planned.name, started.strategy.name),
    ...differing('strategy.parameters', planned.parameters, started.strategy.parameters),
    ...differing(`strategy.files.${main}`, files[main], strategy.sha256 ?? undefined),
    ...differing('data', plan.data, read),
    ...differing('symbols', plan.symbols, started.symbols),
    ...differing('settings', plan.settings, started.settings),
    // Differences that the run states as changes are removed. A stated change begins with the path of a
    // difference, or with a path below this path.
  ].filter(
    (path) => !changes.some((change) => change.startsWith(`${path}:`) || change.startsWith(`${path}.`)),
  );
  if (hidden.length > 0)
    return [failed(`the run differs from it in ${hidden.join(', ')}, and no change states this`)];
  const times = bars.map(({ date }) => parseInstant(date)).filter((time) => time !== undefined);
  const sources = manifest?.data.sources ?? [];
  return [
    followed(registration),
    timeCheck(folder, registration, {
      // Masked dates are not the real dates of the data, so they cannot be compared with the time of the
      // registration.
      bars: started.mask === undefined ? times : [],
      ends: sources.map(({ lastBar }) => parseInstant(lastBar)).filter((time) => time !== undefined),
      publication,
    }),
  ];
}

/**
 * Checks the registration of a study. The file must have the recorded SHA-256, and the study must have used
 * the data of the plan.
 *
 * @param data hashes of the data that the study read
 * @param windowEnds last dates of the study's windows
 */
export function studyRegistrationChecks(
  folder: string,
  registration: Registered | undefined,
  data: readonly string[],
  windowEnds: readonly string[],
  publication: Publication | undefined,
): Check[] {
  const file = join(folder, 'registration.json');
  if (registration === undefined)
    return existsSync(file)
      ? [failed('registration.json is in the folder, but study-manifest.json states no registration')]
      : publication === undefined
        ? [{ name, outcome: 'not checked', detail: 'the study was not registered before its start' }]
        : [failed(`the study was not registered, so its registration cannot be in ${publication.place}`)];
  const stated = readStated(file, registration);
  if (typeof stated === 'string') return [failed(stated)];
  const { changes = [] } = registration;
  const isChanged = changes.some((change) => change.startsWith('data'));
  const planned = Array.isArray(stated.plan.data) ? stated.plan.data : [];
  const missing = data.filter((sha256) => !planned.includes(sha256));
  if (missing.length > 0 && !isChanged)
    return [failed(`the study read data that the registration does not name: ${missing.join(', ')}`)];
  const ends = windowEnds.map(parseInstant).filter((time) => time !== undefined);
  return [followed(registration), timeCheck(folder, registration, { bars: [], ends, publication })];
}

function followed({
  sha256,
  registeredAt,
  hypothesis: { text, primaryFigure, threshold, test },
  changes = [],
  reason,
}: Registered): Check {
  const agreed =
    changes.length === 0
      ? 'The run followed it'
      : `CHANGED since, because: ${reason}. Changes: ${changes.join('; ')}`;
  return {
    name,
    outcome: 'verified',
    detail: `registered at ${registeredAt}, SHA-256 ${sha256}: ${text}. Primary figure ${primaryFigure}, threshold ${threshold}, test: ${test}. ${agreed}`,
  };
}

interface Stated {
  readonly registeredAt: unknown;
  readonly hypothesis: unknown;
  readonly plan: Record<string, unknown>;
}

/**
 * Reads the copy of a registration. Returns a description of the problem if the copy differs from the
 * recorded hash, time or hypothesis.
 */
function readStated(file: string, { sha256, registeredAt, hypothesis }: Registered): Stated | string {
  if (!existsSync(file)) return 'registration.json is missing, but a registration is stated';
  const now = sha256OfFile(file);
  if (now !== sha256) return `the SHA-256 of registration.json is ${now}, but the run followed ${sha256}`;
  const stated = parsed(file);
  if (stated === undefined) return 'registration.json is not a registration';
  if (stated.registeredAt !== registeredAt || !isDeepStrictEqual(stated.hypothesis, hypothesis))
    return 'another time or hypothesis is stated than in registration.json';
  return stated;
}

function parsed(file: string): Stated | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) && isObject(value.plan) ? (value as unknown as Stated) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Public place, such as a Git tag, where the hash of a registration was published. Given by the user who
 * verifies the run.
 */
export interface Publication {
  /** Description of the place, for example `the tag forward-1`. */
  readonly place: string;
  /** Hashes that the place contains, in hex. */
  readonly hashes: readonly string[];
  /** Time that the place states, in milliseconds since 1970. `undefined` if the place states no time. */
  readonly at?: number | undefined;
  /** Facts about the place, one sentence each. */
  readonly notes: readonly string[];
}

interface Facts {
  /** Times of all bars of the journal. Empty if the journal has no real dates. */
  readonly bars: readonly number[];
  /** Times of the newest bar of each data file. */
  readonly ends: readonly number[];
  readonly publication: Publication | undefined;
}

const timeName = 'time of registration';

/**
 * Checks the time of a registration. The author's machine writes this time, so only a publication can verify
 * the time.
 *
 * The check fails if the time is before the last bar of the planned data, after the start of the feed of live
 * bars, or after the publication. It also fails if the publication is later than the start of the feed.
 */
export function timeCheck(
  folder: string,
  { sha256, registeredAt }: Registered,
  { bars, ends, publication }: Facts,
): Check {
  const failed = (detail: string): Check => ({ name: timeName, outcome: 'failed', detail });
  const at = Date.parse(registeredAt);
  if (Number.isNaN(at)) return failed(`${registeredAt} is not a time`);
  const feed = feedTimes(folder);
  // A plan contains the hashes of its data, so the plan must be newer than the last bar of the data.
  const known = feed === undefined ? bars : bars.slice(0, feed.firstBar ?? bars.length);
  const newest = Math.max(...ends, known.at(-1) ?? Number.NEGATIVE_INFINITY);
  if (newest > at)
    return failed(
      `it states ${registeredAt}, but it names data whose last bar is of ${isoOf(newest)}, so it was written later`,
    );
  const started = feed?.started;
  if (started !== undefined && started < at)
    return failed(`it states ${registeredAt}, but the run received since ${isoOf(started)}`);
  if (publication !== undefined) {
    const { place, hashes, at: published } = publication;
    if (!hashes.includes(sha256)) return failed(`its SHA-256, ${sha256}, is not in ${place}`);
    if (published !== undefined && Math.floor(published / 1_000) < Math.floor(at / 1_000))
      return failed(`it states ${registeredAt}, but ${place} is of ${isoOf(published)}, which is earlier`);
    if (published !== undefined && started !== undefined && published > started)
      return failed(`${place} is of ${isoOf(published)}, but the run received since ${isoOf(started)}`);
  }
  const facts = [
    ...(Number.isFinite(newest) ? [`the last bar of its data is of ${isoOf(newest)}`] : []),
    ...(started === undefined ? [] : [`the feed started at ${isoOf(started)}`]),
    ...(feed?.writtenAt === undefined ? [] : [`the run found its file last written at ${feed.writtenAt}`]),
  ];
  const later =
    bars.length === 0 && Number.isFinite(newest)
      ? 'All of its data existed before it, so this is not a forward test'
      : feed?.isSimulated === true
        ? 'The received bars are simulated, so this is a rehearsal and not a forward test'
        : barsAfter(bars, at, feed?.firstBar);
  if (publication !== undefined)
    return {
      name: timeName,
      outcome: 'verified',
      detail: [
        `its SHA-256 is in ${publication.place}`,
        ...publication.notes,
        ...facts.map(sentence),
        later,
      ].join('. '),
    };
  return {
    name: timeName,
    outcome: 'not checked',
    detail: [
      `${registeredAt} is of the author's clock, which the author can set`,
      ...facts.map(sentence),
      later,
      'Compare its SHA-256 with a published one: --published HASH, or --tag NAME',
    ].join('. '),
  };
}

/** Returns a text with the number of traded bars that are later than the registration. */
function barsAfter(bars: readonly number[], at: number, firstBar: number | undefined): string {
  if (bars.length === 0) return 'How many bars are later is unknown';
  const traded = bars.slice(firstBar ?? 0);
  const later = traded.filter((time) => time >= at).length;
  const what = firstBar === undefined ? 'bars' : 'received bars';
  return later === 0
    ? `None of the ${traded.length} ${what} is later than it: all of them existed before, so this is not a forward test`
    : `${later} of ${traded.length} ${what} are later than it`;
}

interface FeedTimes {
  /** Time at which a process first started to receive live bars, according to the machine's clock. */
  readonly started: number | undefined;
  /** Index of the first received bar. `undefined` if no bar was received. */
  readonly firstBar: number | undefined;
  /** True if the bars were simulated (`--feed simulate`). */
  readonly isSimulated: boolean;
  /** Time at which the registration file was last written, recorded when the run started. */
  readonly writtenAt: string | undefined;
}

/**
 * Reads times from `feed.jsonl` of a run folder. `undefined` if the run did not receive its bars from a feed.
 */
function feedTimes(folder: string): FeedTimes | undefined {
  const file = join(folder, 'feed.jsonl');
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  const started = Date.parse(/"type":"started","at":"([^"]+)"/.exec(text)?.[1] ?? '');
  const firstBar = /\{"type":"bar","bar":(\d+),/.exec(text)?.[1];
  return {
    started: Number.isNaN(started) ? undefined : started,
    firstBar: firstBar === undefined ? undefined : Number(firstBar),
    isSimulated: /"type":"started",[^\n]*"feed":"simulate"/.test(text),
    writtenAt: /"registrationWrittenAt":"([^"]+)"/.exec(text)?.[1],
  };
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}

/** Result of one check of a run. */
export interface Check {
  /** File or property that was checked. */
  readonly name: string;
  readonly outcome: 'verified' | 'failed' | 'not checked';
  /**
   * Description of what was compared, of the first difference, or of the reason why the check was skipped.
   */
  readonly detail: string;
}
