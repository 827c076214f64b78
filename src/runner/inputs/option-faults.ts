import { z } from 'zod';
import { runSettingsSchema } from '../../engine/index.ts';
import {
  AppError,
  type Fault,
  faultsError,
  isObject,
  issueText,
  joinedError,
  nearest,
  valueAt,
} from '../../kernel/index.ts';
import { agentOptions, forwardOptions, runOptionsSchema, SINGLE_RUN_OPTIONS } from './options.ts';

/** Options for strategy files that a user's own agent does not support. */
const OF_STRATEGIES = ['seal', 'parameters'] as const;

/** Returns faults for agent options without an agent, and for strategy options together with an agent. */
function agentFaults(options: Readonly<Record<string, unknown>>): Fault[] {
  const given = (name: string): boolean => options[name] !== undefined;
  if (!given('agent')) {
    return Object.keys(agentOptions)
      .filter(given)
      .map((where) => ({ where, message: 'requires --agent' }));
  }
  return [
    ...(given('strategy')
      ? [{ where: 'strategy', message: 'cannot be combined with --agent. Use either a strategy or an agent' }]
      : []),
    ...OF_STRATEGIES.filter(given).map((where) => ({
      where,
      message: 'is for strategies and cannot be combined with --agent',
    })),
  ];
}

const callBack = z.custom<(...given: never[]) => void>((value) => typeof value === 'function', {
  error: 'is not a function',
});

const NO_STRATEGY = 'expected a strategy file, or a strategy made by defineStrategy';

const schema = runOptionsSchema.extend({
  // An object is accepted here. If it is not a strategy, the strategy loader reports this.
  strategy: z
    .custom<unknown>((value) => (typeof value === 'string' && value !== '') || isObject(value), {
      error: NO_STRATEGY,
    })
    .optional(),
  data: z.custom<unknown>((value) => dataFault(value) === undefined, {
    error: ({ input }) => dataFault(input) ?? '',
  }),
  features: pathsOrRows('files of features, or rows such as { date: "2024-01-31", sentiment: 0.3 }'),
  documents: pathsOrRows(
    'files of documents, or rows such as { id: "n1", available_at: "2024-01-31", text: "…" }',
  ),
  fundamentals: pathsOrRows(
    'files of fundamentals, or rows such as { symbol: "A", field: "revenue", period_end: "2023-12-31", available_at: "2024-02-01", value: 7 }',
  ),
  universe: pathsOrRows('a file, or rows such as { symbol: "A", from: "2020-01-01", to: "2024-01-31" }'),
  context: z
    .custom<unknown>((value) => contextFault(value) === undefined, {
      error: ({ input }) => contextFault(input) ?? '',
    })
    .optional(),
  // Only the type is checked here. The content is checked when settings and parameters are read.
  settings: z.custom<unknown>(isObject, { error: 'is not an object such as { cash: 10000 }' }).optional(),
  parameters: z.custom<unknown>(isObject, { error: 'is not an object such as { fast: 20 }' }).optional(),
  environment: z.custom<unknown>(isObject, { error: 'is not an object such as process.env' }).optional(),
  signal: z
    .custom<AbortSignal>((value) => value instanceof AbortSignal, { error: 'is not an AbortSignal' })
    .optional(),
  onProgress: callBack.optional(),
  onNote: callBack.optional(),
});

/** Options that select bars of files. They are an error if the bars are in memory. */
const OF_BARS_IN_FILES = ['symbol', 'from', 'to', 'interval'] as const;
/**
 * Options for reading files. If the bars are in memory, these options are an error unless finer bars or
 * exchange rates come from files.
 */
const OF_FILES = ['allowGaps', 'sort', 'volume', 'dateOrder', 'timezone', 'columns'] as const;

/** Options of a forward run that have no effect without a source of bars. */
const OF_FORWARD = Object.keys(forwardOptions).filter((name) => name !== 'feed' && name !== 'recorded');

/**
 * API function whose options are checked, and the differences between its options and those of `runStrategy`.
 */
interface CheckedCall {
  readonly name: string;
  /** Options of this function that `runStrategy` does not have. */
  readonly own?: z.ZodRawShape;
  /** Options of `runStrategy` that this function does not have. */
  readonly without?: readonly string[];
}

/**
 * Checks the options of `runStrategy`, or of another function with similar options.
 *
 * @throws AppError `bad_options` with every fault
 */
export function checkOptions(options: unknown, call: CheckedCall = { name: 'runStrategy' }): void {
  const faults = [...schemaFaults(options, call), ...contradictions(Object(options))];
  if (faults.length > 0)
    throw faultsError('bad_options', `The options of ${call.name}`, faults, 'Fix these options.');
}

function schemaFaults(options: unknown, { own = {}, without = [] }: CheckedCall): Fault[] {
  const shared = Object.entries(schema.shape).filter(([name]) => !without.includes(name));
  const shape: z.ZodRawShape = { ...Object.fromEntries(shared), ...own };
  return (z.strictObject(shape).safeParse(options).error?.issues ?? []).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((name) => unknownOption(name, Object.keys(shape)));
    const where = issue.path.join('.') || 'options';
    return [{ where, message: issueText(issue, valueAt(options, issue.path)) }];
  });
}

function unknownOption(name: string, known: readonly string[]): Fault {
  const settings = Object.keys(runSettingsSchema.shape);
  if (settings.includes(name))
    return { where: name, message: 'it is a setting', hint: `pass it as settings: { ${name}: … }` };
  const meant = nearest(name, [...known, ...settings]);
  const place = meant !== undefined && settings.includes(meant) ? `settings.${meant}` : meant;
  const hint = place === undefined ? `available: ${known.join(', ')}` : `did you mean ${place}?`;
  return { where: name, message: 'unknown option', hint };
}

/** Returns faults of options that contradict each other. */
function contradictions(options: Readonly<Record<string, unknown>>): Fault[] {
  const { strategy, data, detail, fx, actions, rolls, funding, seal, allowScripts, agent } = options;
  const { session, calendar } = options;
  const given = (names: readonly string[], message: string): Fault[] =>
    names.filter((name) => options[name] !== undefined).map((where) => ({ where, message }));
  const faults: Fault[] = agentFaults(options);
  if (strategy === undefined && agent === undefined) faults.push({ where: 'strategy', message: NO_STRATEGY });
  if (seal === true && isObject(strategy))
    faults.push({
      where: 'seal',
      message: 'requires a strategy file. Pass the path of the file as the strategy',
    });
  if (options.feed === undefined && options.recorded === undefined)
    faults.push(...given(OF_FORWARD, 'is for forward runs and requires feed, the source of new bars'));
  if (options.registration === undefined) faults.push(...given(['amend'], 'requires registration'));
  if (options.out === false)
    faults.push(
      ...given(SINGLE_RUN_OPTIONS, 'requires a run folder, which out: false does not write. Remove out'),
    );
  if (allowScripts !== true) faults.push(...given(['skills', 'scriptTimeout'], 'requires allowScripts'));
  if (!isInMemory(data)) return faults;
  faults.push(...given(OF_BARS_IN_FILES, 'applies to data files only. Select bars in memory before the run'));
  const message = 'applies to data files only, and these bars are in memory';
  // A time zone is also used for the times of `session` and `calendar`, so it is permitted together with
  // them.
  const hasSession = session !== undefined || calendar !== undefined;
  const ofFiles = OF_FILES.filter((name) => name !== 'timezone' || !hasSession);
  if (detail === undefined) faults.push(...given(ofFiles, message));
  if ([detail, fx, actions, rolls, funding].every((files) => files === undefined))
    faults.push(...given(['maxUnpacked'], message));
  return faults;
}

function isInMemory(data: unknown): boolean {
  return isObject(data) || (Array.isArray(data) && data.some(isObject));
}

function pathsOrRows(what: string): z.ZodType {
  return z.custom<unknown>(isPathsOrRows, { error: () => `name ${what}` }).optional();
}

function isPathsOrRows(value: unknown): boolean {
  if (typeof value === 'string' && value !== '') return true;
  const given = Array.isArray(value) ? value : [];
  const isOfOne = given.every((one) => typeof one === 'string' && one !== '') || given.every(isObject);
  return given.length > 0 && isOfOne;
}

function contextFault(context: unknown): string | undefined {
  if (typeof context === 'string' && context !== '') return undefined;
  const given = Array.isArray(context) ? context : [];
  const isOfOne = given.every((one) => typeof one === 'string' && one !== '') || given.every(isObject);
  return given.length > 0 && isOfOne ? undefined : 'expected files of bars, or series made by barSeries';
}

function dataFault(data: unknown): string | undefined {
  if (typeof data === 'string')
    return data === '' ? 'is missing. Pass at least one data file, folder or glob' : undefined;
  if (isObject(data)) return undefined;
  if (!Array.isArray(data) || data.length === 0)
    return 'is missing. Pass at least one data file, folder or glob, or pass a market or series';
  const paths = data.filter((one) => typeof one === 'string' && one !== '').length;
  const series = data.filter(isObject).length;
  if (paths + series < data.length) return 'contains a value that is neither a path nor a series of bars';
  return paths > 0 && series > 0 ? 'contains both paths and series in memory. Use one kind' : undefined;
}

/**
 * Waits until all promises have settled before an error is thrown, so that a user sees the faults of strategy
 * and data together.
 *
 * @throws AppError with all messages, or the first error that is not an AppError
 */
export async function collectErrors<Reading extends readonly Promise<unknown>[]>(
  ...reading: Reading
): Promise<{ -readonly [Index in keyof Reading]: Awaited<Reading[Index]> }> {
  const results = await Promise.allSettled(reading);
  const reasons = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (reasons.length === 0) return Promise.all(reading);
  const unexpected = reasons.find((reason) => !(reason instanceof AppError));
  if (unexpected !== undefined || reasons.length === 1) throw unexpected ?? reasons[0];
  throw joinedError(reasons as [AppError, ...AppError[]]);
}
