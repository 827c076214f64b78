import { z } from 'zod';
import { agentBudgetSchema } from '../agent/index.ts';
import { MASK_KINDS } from '../engine/index.ts';
import { messageOf, parseInstant } from '../kernel/index.ts';
import {
  type ColumnMapping,
  checkCalendarText,
  isSessionText,
  isZone,
  lagOf,
  parseInterval,
  readColumns,
} from '../market/index.ts';
import { REPL_LIFETIMES } from '../toolkit/index.ts';

const texts = z.array(z.string()).readonly();

const dateText = z.string().refine((text) => parseInstant(text) !== undefined, {
  error: ({ input }) => `"${String(input)}" is no date such as 2020-01-15 or 2020-01-15T09:30`,
});

const dayText = z
  .string()
  .refine((text) => parseInstant(text) !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text), {
    error: ({ input }) => `"${String(input)}" is no date such as 2024-06-01`,
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

/** Which bars are read, and how their files are meant. */
export const dataOptions = {
  /** Files, folders or globs. */
  data: texts.optional(),
  /** Only these symbols; names the symbol of a single file. */
  symbol: texts.optional(),
  /** First date. */
  from: dateText.optional(),
  /** Last date, included. */
  to: dateText.optional(),
  /** Leaves out rows without a price instead of refusing the file. */
  allowGaps: z.boolean().optional(),
  /** Puts rows in order of time instead of refusing the file. */
  sort: z.boolean().optional(),
  /** `false` takes files without a volume column: every bar gets volume 1. */
  volume: z.boolean().optional(),
  /** How `03/04/2020` is meant. */
  dateOrder: z.enum(['mdy', 'dmy']).optional(),
  /** The zone of timestamps that name none, by its IANA name; UTC when left out. */
  timezone: z
    .string()
    .refine(isZone, {
      error: ({ input }) => `there is no time zone "${String(input)}", such as America/New_York`,
    })
    .optional(),
  /** Which header is what, or how the files of one source are written: `preset=dukascopy`. */
  columns: columnsText.optional(),
  /** How long a bar lasts, such as `1h`; by the steps between bars when left out. */
  interval: intervalText.optional(),
  /** What a .gz or Parquet file may unpack to, in megabytes. */
  maxUnpacked: z.number().int().min(1).optional(),
};

/** The files beside the bars that a world is made of. */
export const worldOptions = {
  ...dataOptions,
  /** Files with exchange rates. */
  fx: texts.optional(),
  /** File of dividends, splits and delistings. */
  actions: z.string().optional(),
  /** File of when the contract behind a symbol gave way to the next one, as `data continuous` writes it. */
  rolls: z.string().optional(),
  /** File of what holders of perpetual contracts paid one another. */
  funding: z.string().optional(),
  /** Files of what could be known beside the bars, each row with its date. */
  features: texts.optional(),
  /** Which days are sessions: an exchange such as `XNYS`, or a file of closed days and early closes; what the data have beside is reported. */
  calendar: calendarText.optional(),
  /** When sessions begin and end, such as `09:30-16:00`. */
  session: z
    .string()
    .refine(isSessionText, {
      error: ({ input }) => `"${String(input)}" is no session such as 09:30-16:00, or 18:00-17:00 overnight`,
    })
    .optional(),
  /** Files of series that are not traded, of any bar lengths. */
  context: texts.optional(),
  /** How long after the end of the bar of its date a row of those files is known that does not say so itself. */
  featuresLag: lagText.optional(),
  /** Files of news, filings and other texts, each with when it could be known. */
  documents: texts.optional(),
  /** Files of figures by symbol, field and period, each with when it could be known. */
  fundamentals: texts.optional(),
  /** File of who could be traded when. */
  universe: z.string().optional(),
  /** File of what symbols are traded in: multipliers, ticks, margins and more. */
  instruments: z.string().optional(),
};

/** What tools are given. */
export const toolExtraOptions = {
  /** Folder of the text files that an agent begins with. */
  vfs: z.string().optional(),
  /** How long the variables of `exec_code` live. */
  repl: z.enum(REPL_LIFETIMES).optional(),
  /** Whether `run_python_script` may run on this machine. */
  allowScripts: z.boolean().optional(),
  /** Whether every Python call is looked after. */
  paranoid: z.boolean().optional(),
  /** Folder of the skills whose scripts may run. */
  skills: z.string().optional(),
  /** Seconds of one script. */
  scriptTimeout: z.number().positive().max(3_600).optional(),
};

/** How figures are worked out: it changes no fill. */
export const figureOptions = {
  /** Sessions a year. */
  periodsPerYear: z.number().positive().max(1_000_000).optional(),
  /** Risk-free rate of Sharpe, annual: 0.03 is 3 %. */
  riskFree: z.number().min(-1).max(10).optional(),
  /** Minimum acceptable return of Sortino, annual. */
  minimumReturn: z.number().min(-1).max(10).optional(),
  /** One of the run's symbols, or a data file. */
  benchmark: z.string().optional(),
};

/** An agent of the user's own in the place of a strategy. */
export const agentOptions = {
  /** Its command, or its address. */
  agent: z.string().min(1).optional(),
  /** The tools it may call. */
  agentTools: texts.optional(),
  /** Bars from one decision to the next. */
  agentEvery: z.number().int().min(1).max(10_000).optional(),
  /** Bars that must have closed before its first decision. */
  agentWarmUp: z.number().int().min(0).optional(),
  /** Seconds it may take for one decision. */
  agentTimeout: z.number().positive().max(86_400).optional(),
  /** Calls of tools in one decision. */
  agentCalls: z.number().int().min(1).max(10_000).optional(),
  /** Failed decisions in a row that end the run. */
  agentFailures: z.number().int().min(1).max(10_000).optional(),
  /** What the run may spend: decisions, calls of tools, tokens, US dollars, seconds. */
  agentBudget: agentBudgetSchema.optional(),
};

/** The options of a run, whose flags in `sandtable run` are made from them. */
export const runOptionsSchema = z.strictObject({
  ...worldOptions,
  ...toolExtraOptions,
  ...figureOptions,
  ...agentOptions,
  /** Files of finer bars. */
  detail: texts.optional(),
  /** What is hidden from whoever decides. */
  mask: z.array(z.enum(MASK_KINDS)).readonly().optional(),
  /** The last date that the model was trained on. */
  modelCutoff: dayText.optional(),
  /** Whether a strategy of code runs in a process of its own that can read nothing but its bars. */
  seal: z.boolean().optional(),
  /** Research project that looks at the data belong to. Default: one project per strategy and data set. */
  project: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u, {
      error: ({ input }) =>
        `Invalid project name "${String(input)}". Expected up to 80 letters, digits, spaces, dots, hyphens or underscores, for example gap-fade`,
    })
    .optional(),
  /** Where run folders go. */
  out: z.string().optional(),
});

type Options<Shape extends z.ZodRawShape> = Readonly<z.infer<z.ZodObject<Shape>>>;

/** Which bars are read, and how their files are meant. */
export type DataOptions = Options<typeof dataOptions>;

/** The files beside the bars that a world is made of. */
export type WorldOptions = Options<typeof worldOptions>;

/** What tools are given. */
export type ToolExtraOptions = Options<typeof toolExtraOptions>;

/** What a run is made with beside its strategy and its settings. */
export type RunOptions = Readonly<z.infer<typeof runOptionsSchema>>;
