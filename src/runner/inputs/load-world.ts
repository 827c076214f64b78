import {
  mergeSettings,
  type RunSettings,
  type RunSettingsInput,
  readRunSettings,
  type TradedMarket,
  tradedMarket,
  World,
} from '../../engine/index.ts';
import { AppError, type Fault, faultsError } from '../../kernel/index.ts';
import {
  type BarSeries,
  type CorporateAction,
  calendarReport,
  checkCovers,
  type DataSource,
  type FeatureSource,
  type FeatureTable,
  type FuturesSource,
  type LoadedActions,
  type LoadedFeatures,
  type LoadedPointInTime,
  loadActions,
  loadFeatures,
  loadFunding,
  loadPointInTime,
  loadRolls,
  loadSeries,
  type Market,
  NOTHING_GIVEN,
  orderOfActions,
  readCalendar,
  readHours,
  type SessionTerms,
  sessionSchema,
  sessionTerms,
  together,
  tradingCalendar,
  unlikelyYears,
} from '../../market/index.ts';
import { type RunObserver, readProgress } from '../context.ts';
import {
  type Instruments,
  loadInstruments,
  publishedFiles,
  type SideFile,
  unmatchedWarnings,
} from './instruments-file.ts';
import { loadBars, sourceOfSeries } from './load-bars.ts';
import { collectErrors } from './option-faults.ts';
import type { WorldOptions } from './options.ts';

/** Content of all files that the options of a run name, read and checked. */
export interface WorldFiles extends TradedMarket {
  /** Symbols in the data files that the options excluded. */
  readonly omitted: readonly string[];
  /** Sources of the data and of the exchange rates. */
  readonly sources: readonly DataSource[];
  readonly adjustments: readonly string[];
  /**
   * Notes about the inputs, for example adjustments that no option requested, or days of `--calendar` without
   * a bar.
   */
  readonly notes: readonly string[];
  /**
   * Warnings about possible errors in the inputs. Examples: a file of corporate actions names a symbol that
   * has no bars; the data have two columns of closes, of which one was chosen.
   */
  readonly warnings: readonly string[];
  readonly actions: readonly CorporateAction[];
  readonly actionsSource: LoadedActions['source'] | undefined;
  /** Sources of contract rolls and funding rates. Their content is included in `actions`. */
  readonly futuresSources: readonly FuturesSource[];
  /** Other time series. Each row becomes visible at its publication time. */
  readonly features: readonly FeatureTable[];
  readonly featureSources: readonly FeatureSource[];
  /** Context: series that the strategy can read but not trade. */
  readonly context: readonly BarSeries[];
  readonly contextSources: readonly DataSource[];
  /** Documents, fundamentals and the universe (tradable symbols over time), with their files. */
  readonly pointInTime: LoadedPointInTime;
  /** Settings of instruments from a file. `undefined` without a file. */
  readonly instruments?: Instruments | undefined;
  /** Session times of the bars. `undefined` if a session is a day in UTC. */
  readonly session: SessionTerms | undefined;
}

/** Receiver of notes and warnings about files. */
export type FileObserver = Pick<RunObserver, 'note' | 'warn'> & Partial<Pick<RunObserver, 'progress'>>;

/** Data in memory that a program passes instead of files. */
export interface GivenInputs {
  readonly market?: Market | undefined;
  readonly features?: LoadedFeatures | undefined;
  readonly context?: readonly BarSeries[] | undefined;
  readonly pointInTime?: LoadedPointInTime | undefined;
}

/**
 * Reads the data, exchange rates, corporate actions, features and other files that the options name.
 *
 * @param reading promise of the settings, including the settings of a strategy. They may need further columns
 *   of the data
 * @param asked settings of the request, without the settings of a strategy
 * @param observer receives notes and warnings about the files
 * @param given data in memory that replace files
 * @throws AppError with every fault of all files. If every file is valid, with the contradictions
 *   between files
 */
export async function loadWorldFiles(
  options: WorldOptions,
  reading: Promise<RunSettingsInput>,
  asked: RunSettingsInput,
  observer: FileObserver,
  given: GivenInputs = {},
): Promise<WorldFiles> {
  const { fx, actions: file, rolls, funding: fundingFile } = options;
  const { features: paths, featuresLag: lag, context: beside } = options;
  const unpacking = options.maxUnpacked === undefined ? {} : { unpackedLimit: options.maxUnpacked };
  const zone = options.timezone === undefined ? {} : { timezone: options.timezone };
  const columns = {
    ...(options.columns === undefined ? {} : { columns: options.columns, columnsOptional: true }),
    ...zone,
  };
  const [data, rates, loaded, rolled, funding, known, context, published, session, terms] =
    await collectErrors(
      loadBars(options, reading, asked, {
        given: given.market,
        onRead: readProgress(observer, 'reading the data'),
      }),
      fx === undefined
        ? Promise.resolve(undefined)
        : loadSeries({ paths: fx, noVolume: true, ...unpacking, ...columns }),
      file === undefined ? Promise.resolve(undefined) : loadActions(file, options.maxUnpacked),
      rolls === undefined
        ? Promise.resolve(undefined)
        : loadRolls(rolls, options.maxUnpacked, options.timezone),
      fundingFile === undefined
        ? Promise.resolve(undefined)
        : loadFunding(fundingFile, options.maxUnpacked, options.timezone),
      paths === undefined
        ? Promise.resolve(given.features)
        : loadFeatures({ paths, ...(lag === undefined ? {} : { lag }), ...unpacking, ...zone }),
      beside === undefined
        ? Promise.resolve(undefined)
        : loadSeries({ paths: beside, noVolume: true, ...unpacking, ...columns }),
      loadPublished(options, given.pointInTime),
      loadSession(options, asked),
      options.instruments === undefined
        ? Promise.resolve(undefined)
        : loadInstruments(options.instruments, options.maxUnpacked),
    );
  if (file === undefined && (await reading.catch(() => asked)).adjust !== undefined)
    throw new AppError({
      code: 'bad_settings',
      message: 'adjust requires a file of splits and dividends.',
      hint: 'Pass one with --actions, or remove --adjust.',
    });
  checkNames(data.features ?? [], known?.tables ?? []);
  const symbols = new Set([...data.market.symbols, ...data.omitted]);
  const contexts = context?.series ?? given.context ?? [];
  const unmatched = unmatchedWarnings(
    [
      ...sideFile(file, loaded?.actions),
      ...sideFile(rolls, rolled?.rolls),
      ...sideFile(fundingFile, funding?.rates),
      ...(known?.tables ?? []).map(({ source, symbols: rows }) => ({ file: source, symbols: rows ?? [] })),
      ...publishedFiles(published),
      ...(terms === undefined ? [] : [terms.sideFile]),
    ],
    symbols,
    contexts.map(({ symbol }) => symbol),
  );
  const { notes, warnings: unlikely } =
    session === undefined ? NO_NOTES : calendarNotes(session, data.market);
  const warnings = [data, rates, context].flatMap((one) => one?.notes ?? []).concat(unmatched, unlikely);
  for (const note of notes) observer.note(note);
  for (const warning of warnings) observer.warn(warning);
  return {
    market: data.market,
    rates: rates?.series ?? [],
    omitted: data.omitted,
    sources: [...data.sources, ...(rates?.sources ?? [])],
    adjustments: [
      ...data.adjustments,
      ...warnings,
      ...notes,
      ...(rates?.adjustments ?? []),
      ...(context?.adjustments ?? []),
    ],
    notes,
    warnings,
    actions: [...(loaded?.actions ?? []), ...(rolled?.rolls ?? []), ...(funding?.rates ?? [])].sort(
      orderOfActions,
    ),
    actionsSource: loaded?.source,
    futuresSources: [rolled, funding].flatMap((one) => (one === undefined ? [] : [one.source])),
    features: [...(data.features ?? []), ...(known?.tables ?? [])],
    featureSources: known?.sources ?? [],
    context: contexts,
    contextSources: context?.sources ?? (given.context ?? []).map(sourceOfSeries),
    pointInTime: published,
    instruments: terms === undefined ? undefined : knownOf(terms.instruments, symbols),
    session,
  };
}

/** Returns the settings of those instruments that are in the data. */
function knownOf(instruments: Instruments, symbols: ReadonlySet<string>): Instruments {
  return Object.fromEntries(Object.entries(instruments).filter(([symbol]) => symbols.has(symbol)));
}

function sideFile(file: string | undefined, rows: readonly CorporateAction[] | undefined): SideFile[] {
  return file === undefined ? [] : [{ file, symbols: (rows ?? []).map(({ symbol }) => symbol) }];
}

/**
 * Checks that no feature has the same name as a column of the data.
 *
 * @throws AppError `bad_features`
 */
function checkNames(ofBars: readonly FeatureTable[], given: readonly FeatureTable[]): void {
  const taken = new Map(
    ofBars.flatMap(({ source, columns }) => columns.map(({ name }) => [name.toLowerCase(), source] as const)),
  );
  const faults = given.flatMap(({ source, columns }) =>
    columns.flatMap(({ name }): Fault[] => {
      const other = taken.get(name.toLowerCase());
      if (other === undefined) return [];
      return [
        { where: source, message: `has the feature ${name}, and ${other} has a column with the same name` },
      ];
    }),
  );
  if (faults.length > 0)
    throw faultsError('bad_features', 'The features cannot be used', faults, 'Rename one of them.');
}

async function loadSession(
  { session, calendar, timezone, maxUnpacked }: WorldOptions,
  { session: given }: RunSettingsInput,
): Promise<SessionTerms | undefined> {
  // The settings of a resumed run already contain its sessions. The calendar's file is not read, because it
  // may have changed or may be missing. Faults in the settings are reported elsewhere.
  if (given !== undefined) return sessionSchema.safeParse(given).data;
  const days = calendar === undefined ? undefined : await readCalendar(calendar, maxUnpacked);
  return sessionTerms(session, days, timezone);
}

function loadPublished(
  { documents, fundamentals, universe, timezone, maxUnpacked: unpackedLimit }: WorldOptions,
  given: LoadedPointInTime = NOTHING_GIVEN,
): Promise<LoadedPointInTime> {
  if (documents === undefined && fundamentals === undefined && universe === undefined)
    return Promise.resolve(given);
  return loadPointInTime({ documents, fundamentals, universe, timezone, unpackedLimit }).then((read) =>
    together([read, given]),
  );
}

/**
 * Merges the settings of the instruments file into the settings of a run. Removes series that only provide
 * exchange rates from the market. Also checks that market and account can be created, so that faults are
 * reported before a run folder exists.
 *
 * @param given settings of the run. Instruments that `--symbol` excluded are removed from the result
 * @param asked settings that override a file of instruments. Settings of the strategy do not override the
 *   file
 * @throws AppError `bad_settings`, `bad_actions`, and errors for columns that settings name
 */
export function fitWorld<Files extends WorldFiles>(
  files: Files,
  given: RunSettings,
  asked: RunSettingsInput = given,
): { readonly settings: RunSettings; readonly loaded: Files } {
  // The settings may contain instruments that `--symbol` excluded, because other runs use the same settings.
  const { instruments: all = {} } =
    files.instruments === undefined
      ? given
      : mergeSettings(given, { instruments: files.instruments }, { instruments: asked.instruments ?? {} });
  const instruments = Object.entries(all).filter(([symbol]) => !files.omitted.includes(symbol));
  const merged = {
    ...given,
    instruments: Object.fromEntries(instruments),
    ...(given.session === undefined && files.session !== undefined ? { session: files.session } : {}),
  };
  // The settings and the instruments file may each be valid and still contradict each other. The merged
  // settings are therefore checked again.
  const settings = files.instruments === undefined ? (merged as RunSettings) : readRunSettings(merged);
  const loaded = { ...files, ...tradedMarket(files.market, settings, files.rates) };
  new World(loaded.market, settings, undefined, loaded);
  return { settings, loaded };
}

const MOST_DAYS = 5;

const NO_NOTES = { notes: [], warnings: [] };

/**
 * Describes days on which the data and the exchange's calendar differ, including half days.
 *
 * @throws AppError `bad_calendar` if most bars of a symbol are on closed days
 */
function calendarNotes(
  { calendar: terms, timezone, hours }: SessionTerms,
  { series }: Market,
): { readonly notes: readonly string[]; readonly warnings: readonly string[] } {
  if (terms === undefined) return NO_NOTES;
  const calendar = tradingCalendar(terms);
  checkCovers(calendar, series);
  const notes = series.flatMap((one) => {
    const { sessions, missing, closed, halfDays } = calendarReport(one, calendar, timezone, readHours(hours));
    const present = sessions - missing.length;
    if (closed.length > present)
      throw new AppError({
        code: 'bad_calendar',
        message: `${one.symbol} has bars on ${closed.length} days on which ${calendar.name} is closed, and on ${present} of its sessions.`,
        hint: 'Use the calendar of the exchange that trades the symbol. A calendar file lists the closed days, not the sessions.',
      });
    const named = (days: readonly string[], what: string): string[] =>
      days.length === 0
        ? []
        : [
            `${one.symbol}: ${what}: ${days.length} (${days.slice(0, MOST_DAYS).join(', ')}${days.length > MOST_DAYS ? ', …' : ''})`,
          ];
    return [
      ...named(missing, `sessions of ${calendar.name} without a bar`),
      ...named(closed, `days with bars though ${calendar.name} was closed`),
      ...named(halfDays, `half days of ${calendar.name}`),
    ];
  });
  return { notes, warnings: unlikelyYears(calendar, series) };
}
