/** Longest of what a list quotes, in characters. */
const LONGEST = 140;
/** A first sentence shorter than this says too little by itself. */
const SHORTEST_SENTENCE = 25;

/** The beginning of what somebody said, as a list has room for: whole sentences where that can be, else whole words. */
export function sensibleCut(text: string, longest = LONGEST): string {
  // What comes after cannot be shown, and texts may be of a megabyte.
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
  // No half of a pair of code units is left behind.
  return `${cut.replace(/[\uD800-\uDBFF]$/, '').replace(/[\s,;:–-]+$/, '')}…`;
}
