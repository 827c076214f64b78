import { type Environment, withEnvFile } from '../agent/index.ts';
import { outcomeText, readRunRequest, replayText } from '../cli/index.ts';
import { isResult } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { type RunContext, replayRun, runRequested, SILENT } from '../runner/index.ts';

/** End of a backtest. */
export interface RunHere {
  /** `undefined` if the backtest was refused before it began. */
  readonly folder: string | undefined;
  readonly isResult: boolean;
  /** Message of the command: the reason why the backtest was refused or has no result. */
  readonly words: string;
}

/**
 * @param argv arguments after `sandtable run`
 */
export async function runHere(argv: readonly string[], environment: Environment): Promise<RunHere> {
  const warnings: string[] = [];
  try {
    const end = await runRequested(readRunRequest(argv), contextOf(environment, warnings));
    if (end === undefined) throw new Error('a run that is no replay has files');
    const words = [...warnings, outcomeText(end)].filter((text) => text !== '').join('\n');
    return { folder: end.folder, isResult: isResult(end.outcome), words };
  } catch (error) {
    return { folder: undefined, isResult: false, words: errorText(error) };
  }
}

/** Replays a run. Returns a description of the difference, or `undefined` if the run repeats its record. */
export async function replayHere(folder: string, environment: Environment): Promise<string | undefined> {
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
 * @throws errors that are not caused by the input
 */
function errorText(error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  return `error: ${error.message}\n  ${error.hint}`;
}
