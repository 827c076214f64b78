/** A JSON document with a line for each value, its numbers and texts as they were written; undefined for what is none. */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return undefined;
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  return text.replaceAll(PIECE, (piece, _gap, empty: string | undefined) => {
    if (empty !== undefined) return empty.replaceAll(/\s/g, '');
    switch (piece) {
      case '{':
      case '[':
        depth += 1;
        return piece + line();
      case '}':
      case ']':
        depth -= 1;
        return line() + piece;
      case ',':
        return piece + line();
      case ':':
        return ': ';
      default:
        return /^\s/.test(piece) ? '' : piece;
    }
  });
}

// A text as it is written, white space, an object or list without anything in it, and what changes the line.
const PIECE = /"(?:[^"\\]|\\.)*"|(\s+)|(\{\s*\}|\[\s*\])|[{}[\],:]/g;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
