/** One word of an expression that only computes, with the spaces before it. */
const WORD =
  /\s*(?:(?:and|or|not)\b|@?[A-Za-z]\w*\b(?!\s*[.([])|\d+(?:\.\d+)?(?![\w.])|[<>!]=|==|\*\*|\/\/|[-+*/%<>&|~()])/y;
const TARGET = /^\s*[A-Za-z]\w*\s*=(?!=)/;
/**
 * Returns true if a line of `df.eval` or `df.query` consists only of names, numbers and operators.
 *
 * Matches word by word. One expression for the whole line would try every way of splitting it.
 */
export function isPlainExpression(line: string): boolean {
  const end = line.trimEnd().length;
  let place = TARGET.exec(line)?.[0].length ?? 0;
  if (place >= end) return false;
  while (place < end) {
    WORD.lastIndex = place;
    if (!WORD.test(line)) return false;
    place = WORD.lastIndex;
  }
  return true;
}
