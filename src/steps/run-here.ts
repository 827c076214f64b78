import { type Environment, withEnvFile } from '../agent/index.ts';
import { outcomeText, readRunRequest, replayText } from '../cli/index.ts';
import { isResult } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { type RunContext, replayRun, runRequested, SILENT } from '../runner/index.ts';

/** How a backtest ended. */
export interface RunHere {
  /** Undefined where it was refused before it began. */
  readonly folder: string | undefined;
  readonly isResult: boolean;
  /** What a trader at the terminal would have read: why it was refused, or gave no result. */
  readonly words: string;
}

/** @param argv what follows `sandtable run` */
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

/** What is wrong where a run does not repeat its record; undefined where it does. */
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

/** @throws what is no fault of the input */
function errorText(error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  return `error: ${error.message}\n  ${error.hint}`;
}
