import type { Fault } from './errors.ts';

/** Matches whole strings (with the colon that makes them a key), brackets and braces. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g;

/**
 * Finds keys that occur twice in one object of a JSON text. `JSON.parse` silently uses the last of them.
 *
 * @param text valid JSON
 * @param file name that is placed before the line number
 */
export function doubledKeys(text: string, file: string): Fault[] {
  const faults: Fault[] = [];
  /** Keys found so far in each enclosing object. `undefined` for an enclosing list. */
  const around: (Set<string> | undefined)[] = [];
  for (const { 0: token, 1: colon, index } of text.matchAll(TOKEN)) {
    if (token === '{') around.push(new Set());
    else if (token === '[') around.push(undefined);
    else if (token === '}' || token === ']') around.pop();
    else if (colon !== undefined) {
      const name = token.slice(0, -colon.length);
      const key = JSON.parse(name) as string;
      const keys = around.at(-1);
      if (keys?.has(key) === true) {
        const line = text.slice(0, index).split('\n').length;
        faults.push({ where: `${file} line ${line}`, message: `${name} is given twice: keep one of them` });
      }
      keys?.add(key);
    }
  }
  return faults;
}
