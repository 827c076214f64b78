import type { MaskKind } from '../engine/index.ts';
import type { ReplLifetime } from '../toolkit/index.ts';

/** Which bars are read, and how their files are meant. */
export interface DataOptions {
  /** Files, folders or globs. */
  readonly data?: readonly string[] | undefined;
  /** Only these symbols; names the symbol of a single file. */
  readonly symbol?: readonly string[] | undefined;
  /** First date. */
  readonly from?: string | undefined;
  /** Last date, included. */
  readonly to?: string | undefined;
  /** Leaves out rows without a price instead of refusing the file. */
  readonly allowGaps?: boolean | undefined;
  /** Puts rows in order of time instead of refusing the file. */
  readonly sort?: boolean | undefined;
  /** `false` takes files without a volume column: every bar gets volume 1. */
  readonly volume?: boolean | undefined;
  /** How `03/04/2020` is meant. */
  readonly dateOrder?: 'mdy' | 'dmy' | undefined;
  /** How long a bar lasts, such as `1h`; by the steps between bars when left out. */
  readonly interval?: string | undefined;
  /** What a .gz file may unpack to, in megabytes. */
  readonly maxUnpacked?: number | undefined;
}

/** The files beside the bars that a world is made of. */
export interface WorldOptions extends DataOptions {
  /** Files with exchange rates. */
  readonly fx?: readonly string[] | undefined;
  /** File of dividends, splits and delistings. */
  readonly actions?: string | undefined;
}

/** What tools are given. */
export interface ToolExtraOptions {
  /** Folder of the text files that an agent begins with. */
  readonly vfs?: string | undefined;
  /** How long the variables of `exec_code` live. */
  readonly repl?: ReplLifetime | undefined;
  /** Whether `run_python_script` may run on this machine. */
  readonly allowScripts?: boolean | undefined;
  /** Whether every Python call is looked after. */
  readonly paranoid?: boolean | undefined;
  /** Folder of the skills whose scripts may run. */
  readonly skills?: string | undefined;
  /** Seconds of one script. */
  readonly scriptTimeout?: number | undefined;
}

/** How figures are worked out: it changes no fill. */
interface FigureOptions {
  /** Sessions a year. */
  readonly periodsPerYear?: number | undefined;
  /** Risk-free rate of Sharpe, annual: 0.03 is 3 %. */
  readonly riskFree?: number | undefined;
  /** Minimum acceptable return of Sortino, annual. */
  readonly minimumReturn?: number | undefined;
  /** One of the run's symbols, or a data file. */
  readonly benchmark?: string | undefined;
}

/** What a run is made with beside its strategy and its settings. */
export interface RunOptions extends WorldOptions, ToolExtraOptions, FigureOptions {
  /** Files of finer bars. */
  readonly detail?: readonly string[] | undefined;
  /** What is hidden from whoever decides. */
  readonly mask?: readonly MaskKind[] | undefined;
  /** The last date that the model was trained on. */
  readonly modelCutoff?: string | undefined;
  /** Whether a strategy of code runs in a process of its own that can read nothing but its bars. */
  readonly seal?: boolean | undefined;
  /** Where run folders go. */
  readonly out?: string | undefined;
}
