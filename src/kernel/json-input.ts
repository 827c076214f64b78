import { isDeeperThan } from './nesting.ts';

/** Levels of objects and lists that a JSON or YAML input may have. Deeper values overflow the stack of their readers. */
export const DEEPEST_INPUT = 100;

/** Problem of an input that is nested too deep, as the end of a sentence. */
export const TOO_DEEP = `nested deeper than ${DEEPEST_INPUT} levels, which is the limit`;

/**
 * Parses the JSON of an input file or message.
 *
 * @throws SyntaxError if the text is not JSON, or is nested deeper than `DEEPEST_INPUT`
 */
export function parseJsonInput(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isDeeperThan(value, DEEPEST_INPUT)) throw new SyntaxError(TOO_DEEP);
  return value;
}
