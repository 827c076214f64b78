import { isObject, textOf } from '../../kernel/index.ts';

/** What a tool's result says went wrong; undefined where nothing did. */
export function errorOf(result: unknown): string | undefined {
  return isObject(result) && 'error' in result ? textOf(result.error) || 'error' : undefined;
}
