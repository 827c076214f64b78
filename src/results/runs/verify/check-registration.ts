import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunRecord } from '../../../journal/index.ts';
import { AppError, isObject, parseInstant } from '../../../kernel/index.ts';
import type { Registered } from '../../analysis/index.ts';
import { sha256OfFile } from '../files.ts';
import type { Manifest, RunInputs } from '../manifest.ts';
import { readRunInputs } from '../run-inputs.ts';
import { type Check, type Publication, timeCheck } from './registered-time.ts';

const name = 'registration';
const failed = (detail: string): Check => ({ name, outcome: 'failed', detail });

/**
 * Checks the registration of a run: its file has the recorded SHA-256, `inputs.json` repeats it, the run followed
 * it except for the changes that are stated, and its time fits the run.
 *
 * @param publication place where the hash was published, if the caller names one
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
  // The start of a forward run's evaluation follows from its history.
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
    // A change begins with the path that differs, or with a path below it.
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
      // Masked dates are not those of the data.
      bars: started.mask === undefined ? times : [],
      ends: sources.map(({ lastBar }) => parseInstant(lastBar)).filter((time) => time !== undefined),
      publication,
    }),
  ];
}

/**
 * Checks the registration of a study: its file has the recorded SHA-256, and the data are those of the plan.
 *
 * @param data hashes of the data that the study read
 * @param windowEnds last dates of its windows
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

/** Reads the copy of a registration. Returns a problem in words if it does not agree with what is recorded of it. */
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
