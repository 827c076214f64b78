import { isObject } from '../../kernel/index.ts';
import { isPresent } from './present.ts';

/**
 * The error in an answer whose status said that all was well: under `error`, the answer itself where it says to be one,
 * or the first of a list, as Google sends it.
 *
 * @returns undefined where there is none
 */
export function errorIn(answer: unknown): unknown {
  if (Array.isArray(answer)) return errorIn(answer[0]);
  if (!isObject(answer)) return undefined;
  const { error, object } = answer;
  if (object === 'error') return answer;
  const isNone = !isPresent(error) || error === false || (isObject(error) && Object.keys(error).length === 0);
  return isNone ? undefined : error;
}
