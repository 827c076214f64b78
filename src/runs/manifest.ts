import { type HeldOut, reportSettings } from '../analysis/index.ts';
import { type Json, openDoorsOf, platformDoors, type RunOutcome } from '../engine/index.ts';
import type { RunRecord } from '../journal/index.ts';
import type { RunInputs } from './inputs-schema.ts';

/** One file of features. */
interface FeatureSource {
  readonly file: string;
  readonly sha256: string;
  readonly features: readonly string[];
  readonly rows: number;
}

/** One file of documents, of fundamentals, of who could be traded when, of rolls, or of funding rates. */
interface KindSource {
  readonly file: string;
  readonly sha256: string;
  readonly kind: string;
  readonly rows: number;
}

/** One file that bars were read from, or one simulation. */
export interface DataSource {
  /** As the user named it; null for simulated bars. */
  readonly file: string | null;
  readonly symbols: readonly string[];
  /** Of the file's bytes; null for simulated bars, which their parameters describe. */
  readonly sha256: string | null;
  readonly bars: number;
  readonly firstBar: string;
  readonly lastBar: string;
  /** How the bars were simulated. */
  readonly simulation?: Json;
}

/** A file of dividends, splits and delistings. */
interface ActionsSource {
  readonly file: string;
  readonly sha256: string;
  /** How many it holds, those of other symbols included. */
  readonly actions: number;
}

interface StrategyFile {
  readonly file: string;
  readonly sha256: string;
}

/** What the journal does not hold about a run. */
export interface RunDetails {
  readonly runId: string;
  /** The strategy's file as the user named it; null for one given in code. */
  readonly strategyFile: string | null;
  readonly strategySha256: string | null;
  /** All code of a sealed strategy, by its paths from the strategy's folder. */
  readonly strategyFiles?: readonly StrategyFile[];
  /** `sandtable`, `node`, `pyodide` and what else results depend on. */
  readonly versions: Readonly<Record<string, string>>;
  readonly sources: readonly DataSource[];
  /** Files of finer bars. */
  readonly detail?: readonly DataSource[];
  /** The file of corporate actions, where there was one. */
  readonly actions?: ActionsSource | undefined;
  /** The files of rolls and funding rates. */
  readonly futures?: readonly KindSource[] | undefined;
  /** The files of features. */
  readonly features?: readonly FeatureSource[] | undefined;
  /** The files of series that are not traded. */
  readonly context?: readonly DataSource[] | undefined;
  /** The files of documents, fundamentals and the universe. */
  readonly pointInTime?: readonly KindSource[] | undefined;
  /** What loading changed in the data: gaps allowed, rows dropped; in words. */
  readonly adjustments: readonly string[];
  /** Of `journal.jsonl` once it is closed; null where none was written. */
  readonly journalSha256: string | null;
  /** What the run was made from, as `inputs.json` has it; null for a run from code. */
  readonly inputs?: RunInputs | null;
  /** Named research project. Undefined for the default project. */
  readonly project?: string | undefined;
}

/** `manifest.json`: what a run was made of, enough to make it again. No wall-clock time is in it. */
export interface Manifest {
  readonly schema: 1;
  readonly runId: string;
  /** Named research project. Omitted for the default project. */
  readonly project?: string;
  readonly outcome: RunOutcome;
  /** Whether nothing beside the inputs named here could influence the run: no door is open. */
  readonly sealed: boolean;
  readonly openDoors: readonly string[];
  /** What a reader of the figures must know, such as "same-bar fills"; empty for a run by the ordinary rules. */
  readonly stamps: readonly string[];
  /** The files the run was given, where there are some. */
  readonly files?: { readonly count: number; readonly dated?: number; readonly sha256: string };
  readonly strategy: {
    readonly name: string;
    readonly kind: string;
    readonly file: string | null;
    readonly sha256: string | null;
    /** All of the code that was sealed, what the file imports included; only of a sealed strategy. */
    readonly files?: readonly StrategyFile[];
    readonly parameters: Json;
  };
  readonly settings: Json;
  readonly seed: number | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly data: {
    readonly symbols: readonly string[];
    /** Bars on the clock. */
    readonly bars: number;
    readonly sources: readonly DataSource[];
    readonly actions: ActionsSource | null;
    /** Files of rolls and funding rates; left out without any. */
    readonly futures?: readonly KindSource[];
    /** Files of what could be known beside the bars; left out without any. */
    readonly features?: readonly FeatureSource[];
    /** Files of series that are not traded; left out without any. */
    readonly context?: readonly DataSource[];
    /** Files of documents, fundamentals and the universe; left out without any. */
    readonly pointInTime?: readonly KindSource[];
    readonly adjustments: readonly string[];
    /** Files of finer bars that decided what bars left open; empty without any. */
    readonly detail: readonly DataSource[];
    /** Bars that a sweep set apart and this run has seen, and how often they had been looked at; left out for none. */
    readonly holdout?: HeldOut;
  };
  readonly journal: {
    readonly file: 'journal.jsonl';
    readonly sha256: string | null;
    readonly barsWalked: number;
  };
  readonly inputs: RunInputs | null;
}

/** Puts together a run's manifest from its journal and what only its starter knows. */
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
    journal: { file: 'journal.jsonl', sha256: details.journalSha256, barsWalked: record.bars.length },
    inputs: details.inputs ?? null,
  };
}

/** The manifest of a run that has seen bars which a sweep set apart. */
export function withHoldout(manifest: Manifest, holdout: HeldOut | undefined): Manifest {
  return holdout === undefined ? manifest : { ...manifest, data: { ...manifest.data, holdout } };
}
