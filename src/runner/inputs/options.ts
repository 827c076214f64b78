import { z } from 'zod';
import { agentBudgetSchema } from '../../agents/index.ts';
import { MASK_KINDS } from '../../engine/index.ts';
import { messageOf, parseInstant } from '../../kernel/index.ts';
import {
  type ColumnMapping,
  checkCalendarText,
  type DocumentRow,
  type FundamentalRow,
  isSessionText,
  isZone,
  type LoadedPointInTime,
  lagOf,
  type PointInTimeData,
  parseInterval,
  pointInTimeData,
  readColumns,
  type UniverseRow,
} from '../../market/index.ts';
import { type AvailableData, REPL_LIFETIMES } from '../../toolkit/index.ts';

const texts = z.array(z.string()).readonly();

const dateText = z.string().refine((text) => parseInstant(text) !== undefined, {
  error: ({ input }) =>
    `"${String(input)}" is not a date. Expected for example 2020-01-15 or 2020-01-15T09:30`,
});

const dayText = z
  .string()
  .refine((text) => parseInstant(text) !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text), {
    error: ({ input }) => `"${String(input)}" is not a date. Expected for example 2024-06-01`,
  });

const intervalText = z
  .string()
  .overwrite((text) => text.trim().toLowerCase())
  .check((context) => {
    try {
      parseInterval(context.value);
    } catch (error) {
      context.issues.push({ code: 'custom', message: messageOf(error), input: context.value });
    }
  });

const columnsText = z.custom<string | ColumnMapping>().check((context) => {
  try {
    readColumns(context.value);
  } catch (error) {
    context.issues.push({ code: 'custom', message: messageOf(error), input: context.value });
  }
});

const calendarText = z.string().check((context) => {
  try {
    checkCalendarText(context.value);
  } catch (error) {
    context.issues.push({ code: 'custom', message: messageOf(error), input: context.value });
  }
});

const lagText = z.string().check((context) => {
  try {
    lagOf(context.value);
  } catch (error) {
    context.issues.push({ code: 'custom', message: messageOf(error), input: context.value });
  }
});

/** Options that select bars and describe their files. */
export const dataOptions = {
  /** Data files, folders or globs with the bars to trade. */
  data: texts.optional(),
  /** Symbols to include. Default: all. For a single file without a symbol column: the name of its symbol. */
  symbol: texts.optional(),
  /** First date of the bars, inclusive. Default: first date in the data. */
  from: dateText.optional(),
  /** Last date of the bars, inclusive. Default: last date in the data. */
  to: dateText.optional(),
  /** If true, rows without a price are omitted. By default, a file with such a row is an error. */
  allowGaps: z.boolean().optional(),
  /** If true, rows are sorted by time. By default, an unsorted file is an error. */
  sort: z.boolean().optional(),
  /** If false, files without a volume column are accepted, and every bar has the volume 1. */
  volume: z.boolean().optional(),
  /**
   * Order of day and month in dates such as `03/04/2020`. Default: detected from dates with a day above 12.
   * An error if there is no such date.
   */
  dateOrder: z.enum(['mdy', 'dmy']).optional(),
  /** Time zone of timestamps without a zone, as an IANA name. Default: UTC. */
  timezone: z
    .string()
    .refine(isZone, {
      error: ({ input }) => `Unknown time zone "${String(input)}". Expected a name such as America/New_York`,
    })
    .optional(),
  /** Meaning of columns, or the preset of a source: `preset=dukascopy`. */
  columns: columnsText.optional(),
  /** Duration of a bar, for example `1h`. Default: detected from the steps between bars. */
  interval: intervalText.optional(),
  /** Maximum unpacked size of a .gz or Parquet file, in megabytes. Default: 256. */
  maxUnpacked: z.number().int().min(1).optional(),
};

/** Options for files other than the bars: exchange rates, corporate actions, features and more. */
export const worldOptions = {
  ...dataOptions,
  /** Files of bars of currency pairs, whose prices are used as exchange rates. */
  fx: texts.optional(),
  /** File of dividends, splits and delistings. */
  actions: z.string().optional(),
  /** File with the dates of contract rolls, as written by `data continuous`. */
  rolls: z.string().optional(),
  /** File of funding payments between holders of perpetual contracts. */
  funding: z.string().optional(),
  /** Files of other time series, for example of sentiment scores. Each row has a date. */
  features: texts.optional(),
  /**
   * Sessions by date: an exchange such as `XNYS`, or a file of closed days and early closes. Notes report
   * days on which the data differ from the calendar.
   */
  calendar: calendarText.optional(),
  /** Start and end of a session, for example `09:30-16:00`. */
  session: z
    .string()
    .refine(isSessionText, {
      error: ({ input }) =>
        `Invalid session "${String(input)}". Expected hours such as 09:30-16:00, or 18:00-17:00 overnight`,
    })
    .optional(),
  /**
   * Files of series that the strategy can read but not trade. The length of their bars may differ from the
   * length of the traded bars.
   */
  context: texts.optional(),
  /**
   * Delay from the end of the bar at a row's date until the row becomes visible, for rows of `features`
   * without a publication time. Default: 0 days.
   */
  featuresLag: lagText.optional(),
  /** Files of news, filings and other texts with their publication times. */
  documents: texts.optional(),
  /** Files of company figures such as revenue, by symbol and period, with their publication times. */
  fundamentals: texts.optional(),
  /** File that states from when to when each symbol can be traded. */
  universe: z.string().optional(),
  /** File of instrument settings: multipliers, ticks, margins and more. */
  instruments: z.string().optional(),
};

/** Options for the tools of strategies and agents. */
export const toolExtraOptions = {
  /**
   * Folder of text files that an agent can read. A file with a publication time becomes visible at this time.
   * Other files are visible from the start.
   */
  vfs: z.string().optional(),
  /**
   * Lifetime of the variables of the tool `exec_code`: one decision or the whole run. Default: `decision`.
   */
  repl: z.enum(REPL_LIFETIMES).optional(),
  /**
   * If true, the tool `run_python_script` may run scripts on this machine, outside the sandbox. Default:
   * false.
   */
  allowScripts: z.boolean().optional(),
  /**
   * If true, checks after a Python call that no state remains in the sandbox. Only calls for which a static
   * analysis has proved this are checked. Ends the run if the proof was wrong.
   */
  paranoid: z.boolean().optional(),
  /**
   * With `all`, the function `signals` of a Python strategy is checked for look-ahead at every bar. By
   * default, it is checked at a sample of the bars.
   */
  verify: z.enum(['all']).optional(),
  /**
   * Folder with one subfolder per skill. A skill provides the Python environment of scripts. Default:
   * `skills`.
   */
  skills: z.string().optional(),
  /** Time limit of one script, in seconds. Default: 30. */
  scriptTimeout: z.number().positive().max(3_600).optional(),
};

/** Options for computing the figures (metrics) of a run. They do not affect fills. */
export const figureOptions = {
  /** Sessions per year, for annualised figures. Default: 252, 365, or derived from the bars. */
  periodsPerYear: z.number().positive().max(1_000_000).optional(),
  /** Annual risk-free rate for the Sharpe ratio: 0.03 is 3 %. Default: 0. */
  riskFree: z.number().min(-1).max(10).optional(),
  /** Minimum acceptable annual return for the Sortino ratio: 0.03 is 3 %. Default: 0. */
  minimumReturn: z.number().min(-1).max(10).optional(),
  /** Benchmark: one of the run's symbols, or a data file. Default: buy-and-hold of all symbols. */
  benchmark: z.string().optional(),
};

/** Options for an external agent: a program of the user that makes the decisions instead of a strategy. */
export const agentOptions = {
  /** Command that starts the agent, or its HTTP address. */
  agent: z.string().min(1).optional(),
  /** Tools that the agent may call. */
  agentTools: texts.optional(),
  /** Number of bars from one decision to the next. Default: 1. */
  agentEvery: z.number().int().min(1).max(10_000).optional(),
  /** Number of bars that must close before the first decision. Default: 0. */
  agentWarmUp: z.number().int().min(0).optional(),
  /** Time limit of one decision, in seconds, without the time of tool calls. Default: 60. */
  agentTimeout: z.number().positive().max(86_400).optional(),
  /** Maximum number of tool calls per decision. Default: 100. */
  agentCalls: z.number().int().min(1).max(10_000).optional(),
  /** Number of consecutive failed decisions after which the run ends. Default: 3. */
  agentFailures: z.number().int().min(1).max(10_000).optional(),
  /** Spending limits of the run: decisions, tool calls, tokens, US dollars, seconds. Default: no limits. */
  agentBudget: agentBudgetSchema.optional(),
};

/** Options of a forward run, which receives bars while it runs. */
export const forwardOptions = {
  /** Source of new bars: `file:PATH`, `stdin`, `simulate`, `http://…`, `ws://…` or `provider:NAME`. */
  feed: z.string().min(1).optional(),
  /**
   * Clock of a forward run. With `wall`, the actual time counts. With `bars`, each bar arrives and is decided
   * on exactly at its end. Default: `wall`.
   */
  clock: z.enum(['bars', 'wall']).optional(),
  /** Number of new bars after which the run ends. Default: no limit. */
  bars: z.number().int().min(1).optional(),
  /** Last permitted date of a new bar. The run ends after this date. Default: no limit. */
  until: dateText.optional(),
  /**
   * Duration after the open of a bar in which an order still counts as placed before the open, in seconds.
   * Default: 10, or a tenth of a bar if this is shorter.
   */
  grace: z.number().min(0).max(86_400).optional(),
  /**
   * Seconds between two requests of a feed. Default: a tenth of a bar, within limits that depend on the feed.
   */
  poll: z.number().positive().max(86_400).optional(),
  /**
   * Messages to send when a WebSocket opens, such as a subscription. `${NAME}` is replaced by an environment
   * variable.
   */
  feedSend: texts.optional(),
  /**
   * Address for requesting bars that were missed while a WebSocket was closed. `{since}` is replaced by the
   * time of the newest bar.
   */
  feedBackfill: z
    .string()
    .regex(/^https?:\/\//, { error: 'must be an address http://… or https://…' })
    .optional(),
  /** Folder of an earlier forward run. Its recorded bars and times are used instead of a feed. */
  recorded: z.string().optional(),
};

/** Options of a run with its own folder. Sweeps and stress tests, which only evaluate trials, refuse them. */
export const SINGLE_RUN_OPTIONS: readonly string[] = [
  ...Object.keys(forwardOptions),
  'registration',
  'amend',
];
export type SingleRunOption = keyof typeof forwardOptions | 'registration' | 'amend';

/** Options of a run. The flags of `sandtable run` are derived from them. */
export const runOptionsSchema = z.strictObject({
  ...worldOptions,
  ...toolExtraOptions,
  ...figureOptions,
  ...agentOptions,
  ...forwardOptions,
  /** Files of finer bars, which determine the order of prices within a bar. */
  detail: texts.optional(),
  /**
   * Kinds of data that a mask hides from the strategy: symbols, dates, prices, or the shape of the market.
   */
  mask: z.array(z.enum(MASK_KINDS)).readonly().optional(),
  /** Last date of the model's training data. Metrics before and after this date are reported separately. */
  modelCutoff: dayText.optional(),
  /** If true, the strategy's code runs in a separate process that can read only the bars that it receives. */
  seal: z.boolean().optional(),
  /**
   * Research project of the run. Runs of a project that used the same data are counted (see "looks at the
   * data" in docs/research.md). Default: one project per strategy and data set.
   */
  project: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u, {
      error: ({ input }) =>
        `Invalid project name "${String(input)}". Expected up to 80 letters, digits, spaces, dots, hyphens or underscores, for example gap-fade`,
    })
    .optional(),
  /**
   * File of a registration, which states the plan of a run in advance. A run that differs from the plan is an
   * error.
   */
  registration: z.string().optional(),
  /** Reason for differences from the registration. With a reason, the result is marked as changed. */
  amend: z.string().min(1).optional(),
  /** Folder in which run folders are created. Default: `reports`. */
  out: z.string().optional(),
});

type Options<Shape extends z.ZodRawShape> = Readonly<z.infer<z.ZodObject<Shape>>>;

/** Options that select bars and describe their files. */
export type DataOptions = Options<typeof dataOptions>;

/** Options for files other than the bars: exchange rates, corporate actions, features and more. */
export type WorldOptions = Options<typeof worldOptions>;

/** Options for the tools of strategies and agents. */
export type ToolExtraOptions = Options<typeof toolExtraOptions>;

/** Options of a run, without its strategy and settings. */
export type RunOptions = Readonly<z.infer<typeof runOptionsSchema>>;

/** Data with publication times that a program passes: files, folders and globs, or rows in memory. */
export interface PointInTimeOptions {
  /** News, filings and other texts. */
  readonly documents?: string | readonly string[] | readonly DocumentRow[] | undefined;
  /** Company figures such as revenue, by symbol and period. */
  readonly fundamentals?: string | readonly string[] | readonly FundamentalRow[] | undefined;
  /** Tradable symbols over time: one file, or rows. */
  readonly universe?: string | readonly UniverseRow[] | undefined;
}

/**
 * Returns for each kind of published data whether the run has such data. Tools that need other kinds are not
 * offered.
 */
export function availableData({ documents, fundamentals, universe }: PointInTimeData): AvailableData {
  return {
    documents: documents.length > 0,
    fundamentals: fundamentals.length > 0,
    universe: universe !== undefined,
  };
}

/** Adds point-in-time data to a request: paths to its options, and rows to its data in memory. */
export function withPointInTime<Given extends { readonly options: RunOptions }>(
  { documents, fundamentals, universe }: PointInTimeOptions,
  given: Given,
): Given & { readonly pointInTime?: LoadedPointInTime } {
  const [texts, figures] = [pathsOrRows(documents), pathsOrRows(fundamentals)];
  const members = typeof universe === 'string' ? undefined : universe;
  const options = {
    ...given.options,
    ...(texts.paths === undefined ? {} : { documents: texts.paths }),
    ...(figures.paths === undefined ? {} : { fundamentals: figures.paths }),
    ...(typeof universe === 'string' ? { universe } : {}),
  };
  if ((texts.rows ?? figures.rows ?? members) === undefined) return { ...given, options };
  const rows = { documents: texts.rows, fundamentals: figures.rows, universe: members };
  return { ...given, options, pointInTime: pointInTimeData(rows, options.timezone) };
}

function pathsOrRows<Row extends object>(
  given: string | readonly string[] | readonly Row[] | undefined,
): { readonly paths?: readonly string[]; readonly rows?: readonly Row[] } {
  if (given === undefined) return {};
  if (typeof given === 'string') return { paths: [given] };
  const paths = given.filter((one) => typeof one === 'string');
  return paths.length > 0 ? { paths } : { rows: given as readonly Row[] };
}
