import type { Fault } from './errors.ts';

/** Strings whole, with the colon that makes one a key, and what opens and closes. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g;

/**
 * Keys that an object of a JSON text has twice: the reader of JSON keeps the last and says nothing.
 *
 * @param text JSON that can be read
 * @param file named in front of the line
 */
export function doubledKeys(text: string, file: string): Fault[] {
  const faults: Fault[] = [];
  /** Keys so far of the objects around, undefined for a list. */
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
