import { z } from 'zod';
import { type Json, openDoorsOf, platformDoors, type RunOutcome } from '../../engine/index.ts';
import type { RunRecord } from '../../journal/index.ts';
import { type HeldOut, registeredSchema, reportSettings } from '../analysis/index.ts';

const text = z.string();

/** Schema version of `inputs.json` and `manifest.json`. */
export const INPUTS_SCHEMA = 1;

const priceSchema = z.strictObject({
  // The fields have the same order as in the journal, because a replay compares them with the journal.
  table: text,
  input: z.number(),
  cached: z.number().optional(),
  output: z.number(),
});

const modelSchema = z.strictObject({
  model: text,
  provider: text,
  baseUrl: text,
  /** US dollars per million tokens. `null` if unknown, omitted by earlier versions. */
  price: priceSchema.nullable().optional(),
});

/**
 * `inputs.json`: inputs of a run, written before its first bar. Contains no API key and no wall-clock time.
 */
export const runInputsSchema = z.strictObject({
  schema: z.literal(INPUTS_SCHEMA),
  runId: text,
  strategy: z.strictObject({
    /** Path of the strategy as the user wrote it. `null` for a strategy given in code. */
    file: text.nullable(),
    sha256: text.nullable(),
    /** Name of the strategy's copy in the run folder. `null` for a strategy given in code. */
    copy: text.nullable(),
    /** Other files that the strategy reads. Their paths are relative to the strategy's folder. */
    files: z.array(z.strictObject({ file: text, sha256: text })).optional(),
    /** Values of the flag `--param` by parameter name, as texts. */
    parameters: z.record(text, text),
  }),
  /** Options of the run by flag name. `data` is empty if bars were given in code. */
  flags: z.looseObject({ data: z.array(text), seed: z.number().optional() }),
  /** Names and SHA-256 hashes of all files that the run read. */
  files: z.array(z.strictObject({ file: text, sha256: text })),
  /** Settings of the run, with all defaults filled in. */
  settings: z.record(text, z.unknown()),
  /** Model of the strategy. Omitted for a strategy without a model. */
  model: modelSchema.extend({ roles: z.record(text, modelSchema).optional() }).optional(),
  /**
   * Number of this run among several runs with the same inputs (samples), from 1. Omitted for a single run.
   */
  sample: z.number().int().min(1).optional(),
  /**
   * Earlier run whose recorded model replies were used instead of model requests. Omitted for a run with
   * model requests.
   */
  recording: z.strictObject({ folder: text, journalSha256: text }).optional(),
  /**
   * Limits on the usage of the model, such as its tokens or cost, from the flags. They override the limits of
   * the strategy.
   */
  budget: z.record(text, z.number()).optional(),
  /**
   * Pre-registration: hypothesis and plan that were fixed before the run. The run folder contains a copy,
   * `registration.json`.
   */
  registration: registeredSchema.optional(),
});

export type RunInputs = z.infer<typeof runInputsSchema>;

/**
 * File of features: time series in addition to the bars. Each row becomes visible at its publication time.
 */
interface FeatureSource {
  readonly file: string;
  readonly sha256: string;
  readonly features: readonly string[];
  readonly rows: number;
}

/**
 * File of documents, company fundamentals, tradable symbols by date, contract rolls or funding rates. `kind`
 * states the type.
 */
interface KindSource {
  readonly file: string;
  readonly sha256: string;
  readonly kind: string;
  readonly rows: number;
}

/** File of bars, or the bars of one simulation. */
export interface DataSource {
  /** Path as the user wrote it. `null` for simulated bars. */
  readonly file: string | null;
  readonly symbols: readonly string[];
  /** Hash of the file's bytes. `null` for simulated bars. */
  readonly sha256: string | null;
  readonly bars: number;
  readonly firstBar: string;
  readonly lastBar: string;
  /** Parameters of the simulation. */
  readonly simulation?: Json;
}

/** A file of dividends, splits and delistings. */
interface ActionsSource {
  readonly file: string;
  readonly sha256: string;
  /** Number of actions in the file, including actions of other symbols. */
  readonly actions: number;
}

interface StrategyFile {
  readonly file: string;
  readonly sha256: string;
}

/** Facts about a run that the journal does not contain. */
export interface RunDetails {
  readonly runId: string;
  /** Path of the strategy as the user wrote it. `null` for a strategy given in code. */
  readonly strategyFile: string | null;
  readonly strategySha256: string | null;
  /**
   * All code files of a strategy that runs in a sealed process (sandbox). Paths are relative to the
   * strategy's folder.
   */
  readonly strategyFiles?: readonly StrategyFile[];
  /** Versions of `sandtable`, `node`, `pyodide` and other software that affects results. */
  readonly versions: Readonly<Record<string, string>>;
  readonly sources: readonly DataSource[];
  /** Files of bars of a shorter interval, which resolve the order of events within a bar. */
  readonly detail?: readonly DataSource[];
  /** File of corporate actions, if any. */
  readonly actions?: ActionsSource | undefined;
  /** Files of contract rolls and funding rates. */
  readonly futures?: readonly KindSource[] | undefined;
  /** Files of features, which are time series in addition to the bars. */
  readonly features?: readonly FeatureSource[] | undefined;
  /** Files of series that are not traded. */
  readonly context?: readonly DataSource[] | undefined;
  /** Files of documents, company fundamentals, and the symbols that are tradable at each date (universe). */
  readonly pointInTime?: readonly KindSource[] | undefined;
  /** Descriptions of changes to the data during loading, for example dropped rows. */
  readonly adjustments: readonly string[];
  /** Hash of `journal.jsonl` after it was closed. `null` if no journal was written. */
  readonly journalSha256: string | null;
  /** Last hash of the journal's hash chain. `undefined` for a journal without a hash chain. */
  readonly journalHead?: string | undefined;
  /** Content of `inputs.json`. `null` for a run from code. */
  readonly inputs?: RunInputs | null;
  /** Named research project. Undefined for the default project. */
  readonly project?: string | undefined;
}

/** `manifest.json`: all inputs that are needed to repeat a run. Contains no wall-clock time. */
export interface Manifest {
  readonly schema: 1;
  readonly runId: string;
  /** Named research project. Omitted for the default project. */
  readonly project?: string;
  readonly outcome: RunOutcome;
  /**
   * True if only the inputs in this manifest could influence the run. In this case, `openDoors` is empty.
   * Otherwise `openDoors` describes other possible influences.
   */
  readonly sealed: boolean;
  readonly openDoors: readonly string[];
  /**
   * Warnings that affect how the figures should be read, for example "same-bar fills". Empty with default
   * rules.
   */
  readonly stamps: readonly string[];
  /**
   * Files given to the strategy of the run: their number, the number of files that become visible on a date
   * (`dated`), and a hash over all files. Omitted without files.
   */
  readonly files?: { readonly count: number; readonly dated?: number; readonly sha256: string };
  readonly strategy: {
    readonly name: string;
    readonly kind: string;
    readonly file: string | null;
    readonly sha256: string | null;
    /**
     * All code files of a strategy that runs in a sealed process (sandbox), including imported files. Omitted
     * for other strategies.
     */
    readonly files?: readonly StrategyFile[];
    readonly parameters: Json;
  };
  readonly settings: Json;
  readonly seed: number | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly data: {
    readonly symbols: readonly string[];
    /** Number of bars of the market. */
    readonly bars: number;
    readonly sources: readonly DataSource[];
    readonly actions: ActionsSource | null;
    /** Files of contract rolls and funding rates. Omitted if empty. */
    readonly futures?: readonly KindSource[];
    /** Files of features, which are time series in addition to the bars. Omitted if empty. */
    readonly features?: readonly FeatureSource[];
    /** Files of series that are not traded. Omitted if empty. */
    readonly context?: readonly DataSource[];
    /**
     * Files of documents, company fundamentals, and the symbols that are tradable at each date (universe).
     * Omitted if empty.
     */
    readonly pointInTime?: readonly KindSource[];
    readonly adjustments: readonly string[];
    /** Files of bars of a shorter interval, which resolve the order of events within a bar. May be empty. */
    readonly detail: readonly DataSource[];
    /**
     * Held-out bars, which a sweep reserved for a final test, that this run used. Also states how many
     * earlier evaluations used such bars. Omitted if the run used no held-out bars.
     */
    readonly holdout?: HeldOut;
  };
  readonly journal: {
    readonly file: 'journal.jsonl';
    readonly sha256: string | null;
    /** Last hash of the hash chain over the journal's lines. Omitted for a journal without a hash chain. */
    readonly head?: string;
    readonly barsWalked: number;
  };
  readonly inputs: RunInputs | null;
  /** Hashes of the other files that the run wrote to its folder. Omitted by earlier versions. */
  readonly folder?: readonly StrategyFile[];
  /** SHA-256 of this file without this field. Omitted by earlier versions. */
  readonly sha256?: string;
}

/** Builds the manifest of a run from its journal and from details that only the caller knows. */
export function manifestOf(record: RunRecord, details: RunDetails): Manifest {
  const { started } = record;
  const { futures = [], features = [], context = [], pointInTime = [] } = details;
  const { name, kind, parameters } = started.strategy;
  const openDoors = [...openDoorsOf(started), ...platformDoors(details.versions)];
  return {
    schema: 1,
    runId: details.runId,
    ...(details.project === undefined ? {} : { project: details.project }),
    outcome: record.outcome,
    sealed: openDoors.length === 0,
    openDoors,
    stamps: started.stamps ?? [],
    ...(started.files === undefined ? {} : { files: started.files }),
    strategy: {
      name,
      kind,
      file: details.strategyFile,
      sha256: details.strategySha256,
      ...(details.strategyFiles === undefined ? {} : { files: details.strategyFiles }),
      parameters,
    },
    settings: started.settings,
    seed: reportSettings(record).seed,
    versions: details.versions,
    data: {
      symbols: started.symbols,
      bars: started.bars,
      sources: details.sources,
      actions: details.actions ?? null,
      ...(futures.length === 0 ? {} : { futures }),
      ...(features.length === 0 ? {} : { features }),
      ...(context.length === 0 ? {} : { context }),
      ...(pointInTime.length === 0 ? {} : { pointInTime }),
      adjustments: details.adjustments,
      detail: details.detail ?? [],
    },
    journal: {
      file: 'journal.jsonl',
      sha256: details.journalSha256,
      ...(details.journalHead === undefined ? {} : { head: details.journalHead }),
      barsWalked: record.bars.length,
    },
    inputs: details.inputs ?? null,
  };
}

/**
 * Returns the manifest with `holdout`, the held-out bars that the run used. If `holdout` is `undefined`,
 * returns the manifest unchanged.
 */
export function withHoldout(manifest: Manifest, holdout: HeldOut | undefined): Manifest {
  return holdout === undefined ? manifest : { ...manifest, data: { ...manifest.data, holdout } };
}
