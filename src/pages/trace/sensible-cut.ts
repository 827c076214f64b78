/** Maximum length of a quotation in the list, in characters. */
const LONGEST = 140;
/** Minimum length of a first sentence that is quoted alone, in characters. */
const SHORTEST_SENTENCE = 25;

/**
 * Returns the beginning of a text with at most `longest` characters. Ends after a complete sentence if
 * possible, otherwise after a complete word.
 */
export function sensibleCut(text: string, longest = LONGEST): string {
  // Limits the work for texts that may be a megabyte long.
  const plain = text
    .slice(0, longest * 8)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (plain.length <= longest) return plain;
  const sentences = [...plain.slice(0, longest + 1).matchAll(/[.!?…](?=\s)/g)].map(({ index }) => index + 1);
  const end = sentences.findLast((at) => at >= SHORTEST_SENTENCE && at <= longest);
  if (end !== undefined) return plain.slice(0, end);
  const space = plain.lastIndexOf(' ', longest - 1);
  const cut = plain.slice(0, space > longest / 2 ? space : longest - 1);
  // Removes half of a surrogate pair at the end.
  return `${cut.replace(/[\uD800-\uDBFF]$/, '').replace(/[\s,;:–-]+$/, '')}…`;
}
