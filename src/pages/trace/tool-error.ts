import { isObject, textOf } from '../../kernel/index.ts';

/** Returns the error in a tool's result. Undefined if the call succeeded. */
export function errorOf(result: unknown): string | undefined {
  return isObject(result) && 'error' in result ? textOf(result.error) || 'error' : undefined;
}
