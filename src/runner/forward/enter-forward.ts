import type { Environment, LoadedStrategy } from '../../agents/index.ts';
import type { RunSettings } from '../../engine/index.ts';
import { AppError, DAY, type Fault, faultsError, formatInstant, parseInstant } from '../../kernel/index.ts';
import {
  type FeedSource,
  fileFeed,
  httpFeed,
  providerFeed,
  simulatedFeed,
  socketFeed,
  stdinFeed,
} from '../../market/acquire/index.ts';
import { growingMarket, type Interval } from '../../market/index.ts';
import type { WorldFiles } from '../inputs/load-world.ts';
import type { RunOptions } from '../inputs/options.ts';
import type { EarlierRun } from '../run-request.ts';
import { NO_RECORD, readFeed } from './feed-log.ts';
import { ForwardFeed } from './forward-feed.ts';

/**
 * Default grace period: the smaller of `GRACE` milliseconds and `GRACE_SHARE` of a bar's duration. An order
 * in the grace period after the open of a bar still counts as placed before the open.
 */
const GRACE = 10_000;
const GRACE_SHARE = 0.1;

/** True if the run receives bars from a feed, or repeats a recorded run that received bars from a feed. */
export function isForward({ feed, recorded }: RunOptions): boolean {
  return feed !== undefined || recorded !== undefined;
}

/** Files, settings and feed of a forward run. */
export interface Entered {
  readonly files: WorldFiles;
  readonly settings: RunSettings;
  readonly feed: ForwardFeed;
}

/**
 * Prepares a forward run, in which a feed appends new bars to the market. The evaluation begins after the
 * bars of the history.
 *
 * @throws AppError `bad_forward` for options and settings that a forward run does not support
 */
export function enterForward(
  options: RunOptions,
  files: WorldFiles,
  settings: RunSettings,
  strategy: Pick<LoadedStrategy, 'kind' | 'seesAllBars' | 'name'>,
  earlier: EarlierRun | undefined,
  environment: Environment,
): Entered {
  checkForward(options, files, settings, strategy, earlier !== undefined);
  const { barTimes } = settings;
  const { interval, clock } = files.market;
  if (interval === undefined) throw noInterval();
  const growing = growingMarket(files.market);
  const folder = earlier?.folder ?? options.recorded;
  const record = folder === undefined ? NO_RECORD : readFeed(folder);
  const repeats = options.recorded !== undefined || earlier?.replayOnly === true;
  const { clock: kind = 'wall', feed: name = '', bars, until, grace } = options;
  const feed = new ForwardFeed({
    growing,
    interval,
    barTimes,
    clock: options.recorded === undefined ? kind : 'wall',
    grace: record.grace ?? (grace === undefined ? defaultGrace(interval) : grace * 1_000),
    bars,
    until: until === undefined ? undefined : lastTimeOf(until),
    name,
    record,
    source: repeats ? undefined : feedSource(options, settings.seed, environment),
  });
  const last = clock.at(-1)!;
  const evaluateFrom =
    settings.evaluateFrom ??
    formatInstant(barTimes === 'end' ? last : last + Math.min(1_000, interval.milliseconds / 2));
  if (options.recorded !== undefined) feed.appendRecorded();
  return {
    files: { ...files, market: growing.market, features: [], featureSources: [] },
    settings: { ...settings, evaluateFrom },
    feed,
  };
}

function defaultGrace({ milliseconds }: Interval): number {
  return Math.min(GRACE, Math.round(milliseconds * GRACE_SHARE));
}

/** Returns the last permitted time of a bar. A date without a time includes its whole day. */
function lastTimeOf(until: string): number {
  const time = parseInstant(until)!;
  return /^\d{4}-\d{2}-\d{2}$/.test(until) ? time + DAY - 1 : time;
}

/**
 * Creates the source of bars that `--feed` names.
 *
 * @throws AppError `bad_feed`
 */
function feedSource(
  { feed = '', feedSend: send, feedBackfill: backfill, poll: seconds }: RunOptions,
  seed: number,
  environment: Environment,
): FeedSource {
  if (feed === 'stdin') return stdinFeed;
  if (feed === 'simulate') return simulatedFeed(seed);
  if (feed.startsWith('file:') && feed.length > 5) return fileFeed(feed.slice(5));
  const poll = seconds === undefined ? undefined : seconds * 1_000;
  const remote = { environment, send, backfill, poll };
  if (/^https?:\/\//.test(feed)) return httpFeed(feed, remote);
  if (/^wss?:\/\//.test(feed)) return socketFeed(feed, remote);
  if (feed.startsWith('provider:')) return providerFeed(feed.slice(9), remote);
  throw new AppError({
    code: 'bad_feed',
    message: `Unknown feed "${feed}".`,
    hint: 'Use file:PATH, stdin, simulate, http://…, https://…, ws://…, wss://… or provider:NAME.',
  });
}

const WITHOUT = [
  'detail',
  'mask',
  'features',
  'documents',
  'fundamentals',
  'universe',
  'context',
  'fx',
  'actions',
  'rolls',
  'funding',
  'modelCutoff',
] as const;

function checkForward(
  options: RunOptions,
  { market }: WorldFiles,
  settings: RunSettings,
  { kind, seesAllBars, name }: Pick<LoadedStrategy, 'kind' | 'seesAllBars' | 'name'>,
  isContinued: boolean,
): void {
  const faults: Fault[] = WITHOUT.filter((option) => options[option] !== undefined).map((option) => ({
    where: `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    message: 'is not supported: these data would have to arrive during the run',
  }));
  const add = (where: string, message: string): void => void faults.push({ where, message });
  const { benchmark } = options;
  if (benchmark !== undefined && !market.symbols.includes(benchmark))
    add('--benchmark', 'must be a symbol of the run. A file has no bars of the future');
  if (settings.fillOn === 'close') add('fillOn', 'must be "open". The close of a decision has passed');
  if (settings.evaluateFrom !== undefined && !isContinued && options.recorded === undefined)
    add('evaluateFrom', 'is set by the run: evaluation begins after the history');
  const rates = Object.values(settings.currencies).filter(({ rate }) => typeof rate === 'string');
  if (rates.length > 0) add('currencies', 'must have fixed rates');
  for (const [symbol, { hours, firstTrade, expiry }] of Object.entries(settings.instruments))
    if ((hours ?? firstTrade ?? expiry) !== undefined)
      add(`instruments.${symbol}`, 'hours, firstTrade and expiry are not supported');
  if (market.series.some(({ extra }) => extra !== undefined))
    add('--slippage', 'a column of the data is not supported: a feed has prices and volume only');
  if (kind === 'order-script') add(name, 'an order script makes no decisions. Use another strategy');
  if (seesAllBars !== undefined)
    add(name, 'signals(df) reads all bars at once. Use on_bar, which sees the bars up to now');
  if (faults.length > 0)
    throw faultsError(
      'bad_forward',
      'A forward run',
      faults,
      'Remove or replace these. See docs/forward.md.',
    );
}

function noInterval(): AppError {
  return new AppError({
    code: 'bad_forward',
    message: 'The length of a bar is unknown: the history has fewer than two bars.',
    hint: 'Pass a longer history with --data, or state the length with --interval, for example --interval 1h.',
  });
}
