import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Environment,
  readScript,
  readScriptFile,
  type ScriptedModel,
  startScriptedModel,
  withEnvFile,
} from '../../agents/index.ts';
import { outcomeText, readRunRequest, replayText } from '../../cli/index.ts';
import { isResult } from '../../engine/index.ts';
import { AppError, messageOf } from '../../kernel/index.ts';
import { type RunContext, replayRun, runRequested, SILENT } from '../../runner/index.ts';
import { CheckedRun, CheckFailed } from './checked-run.ts';

/** State of one Cucumber scenario: inputs of the next backtest, and all runs so far. */
export class Desk {
  readonly runs: CheckedRun[] = [];
  model: ScriptedModel | undefined;
  /** Error message of the last backtest that did not create a run. */
  refusal: string | undefined;
  #refusalSeen = false;
  #data: string[] = [];
  #strategy: string | undefined;
  #parameters = new Map<string, string>();
  /** Flags by name, in command-line notation. */
  #flags = new Map<string, string>();
  #environment: Record<string, string | undefined> = {};
  #folder: string | undefined;
  #keptIn: string | undefined;

  addData(path: string): void {
    // Data that are given after a backtest are for the next backtest. They replace the earlier data.
    if (this.#ran) this.#data = [];
    this.#ran = false;
    this.#data.push(path);
  }
  #ran = false;

  /** Sets the file of the strategy, and removes the parameters of the previous strategy. */
  set strategy(file: string) {
    this.#strategy = file;
    this.#parameters = new Map();
  }

  setParameter(name: string, value: string): void {
    this.#parameters.set(name, value);
  }

  /**
   * Sets a flag.
   *
   * @param name flag of `sandtable run`, with or without dashes, or in words: `slippage bps`
   */
  setFlag(name: string, value: string): void {
    this.#flags.set(name.trim().replace(/^-+/, '').replaceAll(' ', '-'), value.trim());
  }

  keepRunsIn(folder: string): void {
    this.#keptIn = folder;
  }

  /**
   * Starts a scripted model.
   *
   * @param script path of a file, or the JSON text of the script
   */
  async playModel(script: { readonly file: string } | { readonly text: string }): Promise<void> {
    await this.model?.close();
    const read = 'file' in script ? readScriptFile(script.file) : readScript(jsonOf(script.text));
    this.model = await startScriptedModel(read);
    // The key may be invalid, because requests are sent only to the server of the script.
    this.#environment = { OPENAI_BASE_URL: this.model.url, OPENAI_API_KEY: read.api_key };
  }

  /**
   * Runs the backtest like `sandtable run`.
   *
   * @param label name of the run for later steps
   * @param anyEnd if true, a refused backtest or an end before the last bar is not an error
   * @throws CheckFailed with the message of the command
   */
  async backtest(label: string | undefined, anyEnd: boolean): Promise<void> {
    if (this.#strategy === undefined)
      throw new CheckFailed(
        'No strategy is set. Add the step: Given the strategy "strategies/sma-cross.ts".',
      );
    if (this.#data.length === 0)
      throw new CheckFailed('No data are set. Add the step: Given the data "prices.csv".');
    this.#checkRefusal();
    const out = this.#runsFolder();
    const end = await runHere(
      [
        this.#strategy,
        `--out=${out}`,
        ...[...this.#flags].map(([name, value]) => flagText(name, value)),
        ...this.#data.map((path) => `--data=${path}`),
        ...[...this.#parameters].map(([name, value]) => `--param=${name}=${value}`),
      ],
      this.#environment,
    );
    this.#ran = true;
    this.refusal = end.folder === undefined ? end.words : undefined;
    this.#refusalSeen = false;
    if (end.folder !== undefined) this.runs.push(CheckedRun.open(end.folder, label, end.words));
    if (end.isResult || anyEnd) return;
    this.#refusalSeen = true;
    throw new CheckFailed(
      end.folder === undefined
        ? `The backtest of ${this.#strategy} was refused:\n${end.words}`
        : `The backtest of ${this.#strategy} did not reach its last bar:\n${end.words}`,
    );
  }

  /**
   * Replays a run. Returns a description of the difference, or `undefined` if the replay equals the record.
   */
  replay(folder: string): Promise<string | undefined> {
    return replayHere(folder, this.#environment);
  }

  /** Opens an existing run. */
  open(folder: string, label?: string): void {
    try {
      this.runs.push(CheckedRun.open(folder, label));
    } catch (error) {
      throw new CheckFailed(messageOf(error));
    }
  }

  /** Adds a run that was made in this process. If it ended early, this is not reported as unexpected. */
  note(run: CheckedRun): void {
    run.endSeen = true;
    this.runs.push(run);
  }

  /**
   * Returns the run that a check refers to. Default: the last run.
   *
   * @throws CheckFailed in two cases. Either no run has this name; the message then lists the existing runs.
   *   Or the run ended early and no step has checked this
   */
  run(name?: string | null, options: { readonly anyEnd?: boolean } = {}): CheckedRun {
    const run = this.#find(name ?? undefined);
    if (options.anyEnd === true || run.endSeen || isResult(run.record.outcome)) return run;
    throw new CheckFailed(
      `${run.name} is not a complete run: it ended "${run.record.outcome}" after ${run.record.bars.length} bars. ` +
        `If this is intended, first add the step: Then the run ended ${run.record.outcome}${run.place}`,
    );
  }

  #find(name: string | undefined): CheckedRun {
    const { runs } = this;
    this.#checkRefusal();
    if (runs.length === 0)
      throw new CheckFailed(
        'No backtest was run. Add the step: When the backtest runs, or: Given the run "reports/…".',
      );
    const found = name === undefined ? runs.slice(-1) : runs.filter((run) => run.names.includes(name));
    const [run] = found;
    if (run === undefined || found.length > 1) {
      const names = runs.map((one) => `"${one.name}"`).join(', ');
      throw new CheckFailed(
        run === undefined
          ? `Unknown run "${name}". Available: ${names}.`
          : `There are ${found.length} runs "${name}": distinguish them with the step: When the backtest runs as "…".`,
      );
    }
    return run;
  }

  #checkRefusal(): void {
    if (this.refusal === undefined || this.#refusalSeen) return;
    throw new CheckFailed(`The backtest was refused:\n${this.refusal}`);
  }

  /** Returns the message of a refused backtest, and marks the refusal as checked. */
  seeRefusal(): string | undefined {
    this.#refusalSeen = true;
    return this.refusal;
  }

  #runsFolder(): string {
    if (this.#keptIn !== undefined) return this.#keptIn;
    this.#folder ??= mkdtempSync(join(tmpdir(), 'sandtable-runs-'));
    return this.#folder;
  }

  /**
   * Ends the scenario: closes the scripted model and deletes the temporary folder of its runs. A folder set
   * with `keepRunsIn` is not deleted.
   *
   * @param keep if true, the temporary folder is not deleted, so that a failure can be examined
   */
  async clear(keep: boolean): Promise<void> {
    await this.model?.close();
    if (this.#folder !== undefined && !keep) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Formats a flag. In a table, the value `yes` stands for a flag without a value, such as `--no-short`. */
function flagText(name: string, value: string): string {
  return value === '' || value === 'yes' ? `--${name}` : `--${name}=${value}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CheckFailed(`The model's script is not JSON: ${messageOf(cause)}.`);
  }
}

/** Result of a backtest that ran in this process. */
interface RunHere {
  /** Folder of the run. `undefined` if the backtest was refused before it began. */
  readonly folder: string | undefined;
  readonly isResult: boolean;
  /** Message of the command with the reason why the backtest was refused or has no result. */
  readonly words: string;
}

/**
 * Runs a backtest in this process.
 *
 * @param argv arguments after `sandtable run`
 */
async function runHere(argv: readonly string[], environment: Environment): Promise<RunHere> {
  const warnings: string[] = [];
  try {
    const end = await runRequested(readRunRequest(argv), contextOf(environment, warnings));
    if (end === undefined) throw new Error('a run that is not a replay has files');
    const words = [...warnings, outcomeText(end)].filter((text) => text !== '').join('\n');
    return { folder: end.folder, isResult: isResult(end.outcome), words };
  } catch (error) {
    return { folder: undefined, isResult: false, words: errorText(error) };
  }
}

/**
 * Replays a run in this process. Returns a description of the difference, or `undefined` if the replay equals
 * the record.
 */
async function replayHere(folder: string, environment: Environment): Promise<string | undefined> {
  let words: string | undefined;
  try {
    await replayRun(folder, undefined, contextOf(environment), (end) => {
      const { repeats, text } = replayText(end);
      words = repeats ? undefined : text;
    });
    return words;
  } catch (error) {
    return errorText(error);
  }
}

function contextOf(environment: Environment, warnings: string[] = []): RunContext {
  return {
    environment: withEnvFile({ ...process.env, ...environment }),
    observer: { ...SILENT, warn: (text) => warnings.push(`note: ${text}`) },
    listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
  };
}

/**
 * Returns the text of an error as the command prints it.
 *
 * @throws the error itself if it is not an AppError
 */
function errorText(error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  return `error: ${error.message}\n  ${error.hint}`;
}
