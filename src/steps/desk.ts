import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readScript, readScriptFile, type ScriptedModel, startScriptedModel } from '../agent/index.ts';
import { isResult } from '../engine/index.ts';
import { messageOf } from '../kernel/index.ts';
import { CheckFailed } from './check-failed.ts';
import { CheckedRun } from './checked-run.ts';
import { replayHere, runHere } from './run-here.ts';

/** What one scenario has on its desk: what the next backtest is made of, and the runs there are. */
export class Desk {
  readonly runs: CheckedRun[] = [];
  model: ScriptedModel | undefined;
  /** How the last backtest ended that left no run. */
  refusal: string | undefined;
  #refusalSeen = false;
  #data: string[] = [];
  #strategy: string | undefined;
  #parameters = new Map<string, string>();
  /** By name, as they stand on a command line. */
  #flags = new Map<string, string>();
  #environment: Record<string, string | undefined> = {};
  #folder: string | undefined;
  #keptIn: string | undefined;

  addData(path: string): void {
    // Data named before a backtest replace those of the backtest before.
    if (this.#ran) this.#data = [];
    this.#ran = false;
    this.#data.push(path);
  }
  #ran = false;

  /** A strategy begins with its own parameters. */
  set strategy(file: string) {
    this.#strategy = file;
    this.#parameters = new Map();
  }

  setParameter(name: string, value: string): void {
    this.#parameters.set(name, value);
  }

  /** @param name a flag of `sandtable run`, with or without its dashes, or in words: `slippage bps` */
  setFlag(name: string, value: string): void {
    this.#flags.set(name.trim().replace(/^-+/, '').replaceAll(' ', '-'), value.trim());
  }

  keepRunsIn(folder: string): void {
    this.#keptIn = folder;
  }

  /** @param script a file, or the script's own JSON text */
  async playModel(script: { readonly file: string } | { readonly text: string }): Promise<void> {
    await this.model?.close();
    const read = 'file' in script ? readScriptFile(script.file) : readScript(jsonOf(script.text));
    this.model = await startScriptedModel(read);
    // Never a real key: nothing but the script answers.
    this.#environment = { OPENAI_BASE_URL: this.model.url, OPENAI_API_KEY: read.api_key };
  }

  /**
   * Runs the backtest as `sandtable run` does.
   *
   * @param anyEnd whether it may end before its last bar, or be refused
   * @throws CheckFailed with the command's words
   */
  async backtest(label: string | undefined, anyEnd: boolean): Promise<void> {
    if (this.#strategy === undefined)
      throw new CheckFailed('There is no strategy to run: say Given the strategy "strategies/sma-cross.ts".');
    if (this.#data.length === 0)
      throw new CheckFailed('There are no data to run on: say Given the data "prices.csv".');
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
        : `The backtest of ${this.#strategy} did not come to its last bar:\n${end.words}`,
    );
  }

  /** What is wrong where a run does not repeat its record; undefined where it does. */
  replay(folder: string): Promise<string | undefined> {
    return replayHere(folder, this.#environment);
  }

  /** Opens a run that is there already. */
  open(folder: string, label?: string): void {
    try {
      this.runs.push(CheckedRun.open(folder, label));
    } catch (error) {
      throw new CheckFailed(messageOf(error));
    }
  }

  /** Adds a run of this process. */
  note(run: CheckedRun): void {
    run.endSeen = true;
    this.runs.push(run);
  }

  /**
   * The run that a check is about: the last one where none is named.
   *
   * @throws CheckFailed where there is none, where it ended early and no step has said so, and naming those there are
   */
  run(name?: string | null, options: { readonly anyEnd?: boolean } = {}): CheckedRun {
    const run = this.#find(name ?? undefined);
    if (options.anyEnd === true || run.endSeen || isResult(run.record.outcome)) return run;
    throw new CheckFailed(
      `${run.name} is not a whole run: it ended "${run.record.outcome}" after ${run.record.bars.length} bars. ` +
        `Where that is meant, say first: Then the run ended ${run.record.outcome}${run.place}`,
    );
  }

  #find(name: string | undefined): CheckedRun {
    const { runs } = this;
    this.#checkRefusal();
    if (runs.length === 0)
      throw new CheckFailed('No backtest was run: say When the backtest runs, or Given the run "reports/…".');
    const found = name === undefined ? runs.slice(-1) : runs.filter((run) => run.names.includes(name));
    const [run] = found;
    if (run === undefined || found.length > 1) {
      const names = runs.map((one) => `"${one.name}"`).join(', ');
      throw new CheckFailed(
        run === undefined
          ? `There is no run "${name}"; there are ${names}.`
          : `There are ${found.length} runs "${name}": distinguish them with When the backtest runs as "…".`,
      );
    }
    return run;
  }

  #checkRefusal(): void {
    if (this.refusal === undefined || this.#refusalSeen) return;
    throw new CheckFailed(`The backtest was refused:\n${this.refusal}`);
  }

  /** A step has looked at the refusal. */
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
   * Puts the desk away.
   *
   * @param keep leaves the run folders, for somebody who wants to see what failed
   */
  async clear(keep: boolean): Promise<void> {
    await this.model?.close();
    if (this.#folder !== undefined && !keep) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A flag without a value, such as `--no-short`, stands in a table with `yes`. */
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
