import { editDistance } from '../kernel/index.ts';

/** Longest name, in characters, for which similar names are searched. */
const LONGEST = 80;

/**
 * Returns the known names that are most similar to a misspelt one, best first. May be empty.
 *
 * Names are similar if at most a third of the letters differ, one name contains the other, or both share a
 * word.
 */
function nearestNames(name: string, known: readonly string[], most = 3): string[] {
  const wanted = plain(name);
  if (wanted === '') return [];
  const words = wanted.split('_');
  return known
    .map((one) => {
      const candidate = plain(one);
      const edits = editDistance(wanted, candidate);
      const shares = candidate.split('_').some((word) => word.length > 2 && words.includes(word));
      const holds = wanted.length > 2 && (candidate.includes(wanted) || wanted.includes(candidate));
      const near = edits * 3 <= Math.max(wanted.length, candidate.length);
      return { one, score: near || holds || shares ? edits : Number.POSITIVE_INFINITY };
    })
    .filter(({ score }) => score !== Number.POSITIVE_INFINITY)
    .sort((a, b) => a.score - b.score || (a.one < b.one ? -1 : 1))
    .slice(0, most)
    .map(({ one }) => one);
}

/** Returns `Did you mean …? `, or an empty text. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known);
  return near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
}

function plain(name: string): string {
  return name
    .slice(0, LONGEST)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[\s.-]+/g, '_');
}
