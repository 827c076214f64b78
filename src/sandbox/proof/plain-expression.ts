/** One word of an expression that only computes, with the spaces before it. */
const WORD =
  /\s*(?:(?:and|or|not)\b|@?[A-Za-z]\w*\b(?!\s*[.([])|\d+(?:\.\d+)?(?![\w.])|[<>!]=|==|\*\*|\/\/|[-+*/%<>&|~()])/y;
const TARGET = /^\s*[A-Za-z]\w*\s*=(?!=)/;
/**
 * Whether a line of `df.eval` or `df.query` is nothing but names, numbers and operators.
 *
 * Word by word, each as long as it can be: an expression for the whole line would try every other way to split it.
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
