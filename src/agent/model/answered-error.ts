import { isObject } from '../../kernel/index.ts';
import { isPresent } from './present.ts';

/**
 * Finds the error in an answer with a successful HTTP status. The error is the field `error`, or the answer
 * itself if it is marked as one. Google sends a list whose first item is the error.
 *
 * @returns undefined if the answer is not an error
 */
export function errorIn(answer: unknown): unknown {
  if (Array.isArray(answer)) return errorIn(answer[0]);
  if (!isObject(answer)) return undefined;
  const { error, object } = answer;
  if (object === 'error') return answer;
  const isNone = !isPresent(error) || error === false || (isObject(error) && Object.keys(error).length === 0);
  return isNone ? undefined : error;
}
