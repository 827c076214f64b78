/**
 * Formats a JSON document with one line per value. Numbers and texts remain exactly as written. Undefined if
 * the text is not JSON.
 */
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

// Matches a string, white space, an empty object or list, and the characters that begin or end a line.
const PIECE = /"(?:[^"\\]|\\.)*"|(\s+)|(\{\s*\}|\[\s*\])|[{}[\],:]/g;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
