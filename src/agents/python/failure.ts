import { join } from 'node:path';
import { DecisionFault } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import type { PythonFailure } from './replies.ts';

/**
 * Returns the description of a failure: file and line, error, text of the line and the values on it.
 *
 * @param folder folder of the strategy, as the user named it
 */
function failureText({ error, file, line, text, values = {} }: PythonFailure, folder: string): string {
  const place = file === undefined ? '' : `${join(folder, file)}${line === undefined ? '' : `:${line}`}: `;
  const named = Object.entries(values).map(([name, value]) => `${name} = ${value}`);
  return [
    `${place}${error}`,
    ...(text === undefined ? [] : [`    ${text}`]),
    ...(named.length === 0 ? [] : [`    with ${named.join(', ')}`]),
  ].join('\n');
}

/** Returns the error for a strategy's file that cannot be loaded. */
export function loadError(failure: PythonFailure, folder: string): AppError {
  return new AppError({
    code: 'strategy_broken',
    message: failureText(failure, folder),
    hint: `${failure.remediation}. What a Python strategy may use is in docs/python-strategies.md.`,
  });
}

/** Returns the error for a failed call of the strategy. */
export function callError(
  failure: PythonFailure,
  folder: string,
  bar: number,
  seconds: number,
): DecisionFault {
  const text = failureText(failure, folder);
  if (failure.kind === 'TimeoutError' && failure.error.includes('computation timed out'))
    return new DecisionFault(
      'decision_timeout',
      `The decision at bar ${bar} did not end within ${seconds} s.\n${text.replace(/TimeoutError: computation timed out.*$/m, 'the code was here')}`,
      'Look for a loop that never ends; --decision-timeout SECONDS, or decision_timeout in the settings, allows more.',
    );
  return new DecisionFault(
    'decider_failed',
    `The decision at bar ${bar} failed.\n${text}`,
    `${failure.remediation}.`,
  );
}
