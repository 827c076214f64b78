import { inspectable, thrownText } from '../kernel/index.ts';
import { DecisionFault } from './decision.ts';

/** Returns ` (file:line)` of the strategy's stack frame in an error. Empty if the error has no such frame. */
export function placeIn(thrown: unknown, file: string): string {
  const error = inspectable(thrown);
  const name = file.split(/[\\/]/).at(-1) ?? file;
  const stack: unknown = error instanceof Error ? error.stack : undefined;
  if (typeof stack !== 'string') return '';
  const frame = stack.split('\n').find((line) => line.includes(name) && /:\d+:\d+\)?$/.test(line.trim()));
  const line = frame === undefined ? null : /:(\d+):\d+\)?$/.exec(frame.trim());
  return line === null ? '' : ` (${file}:${line[1]})`;
}

/**
 * Returns the error of a run whose strategy caused an unhandled rejection or an uncaught error in a callback.
 *
 * @param bar last bar with a decision; `undefined` before the first
 */
export function strategyUncaught(file: string, error: unknown, bar: number | undefined): DecisionFault {
  const when = bar === undefined ? '' : `, noticed at bar ${bar}`;
  return new DecisionFault(
    'strategy_uncaught',
    `${file} left an error that nobody catches: ${thrownText(error)}${placeIn(error, file)}${when}`,
    'Await every promise, and catch errors in timers and callbacks.',
  );
}
