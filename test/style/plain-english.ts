/** Rules of plain English that a program can check. CONTRIBUTING.md describes the style in full. */

/** A place in a text that breaks a rule. */
export interface StyleFault {
  /** Line within the text, from 0. */
  readonly line: number;
  readonly problem: string;
}

/** Longest sentence, in words. The target is 25; a few more are allowed for lists of names. */
const LONGEST_SENTENCE = 30;

/** Words with their replacement. */
const AVOIDED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/(?<!\bthere )\b(is|are|was|were) no\b(?! longer)/i, 'is not a'],
  [/\bnone of\b/i, 'no'],
  [/\bnothing that\b/i, 'no'],
  [/\b(told|tells|says|said)\b/i, 'reported, states, shows'],
  [/\b(asks|asked)\b/i, 'requested, called'],
  [/\b(keeps|kept)\b/i, 'stores, retains'],
  [/\b(holds|held)\b(?![- ]out\b)/i, 'contains, stores'],
  [/\b(comes|came|come) to\b/i, 'result, total, returns'],
  [/\bof (its|their) own\b/i, 'its own, separate, custom'],
  [/\bbeside\b/i, 'next to, in addition to'],
  [/\b(anew|once more|by turns)\b/i, 'again, alternately'],
  [/\bat once\b/i, 'immediately, in one step'],
  [/\bleft out\b/i, 'omitted, missing'],
  [/\bthere (is|are) none\b/i, 'missing, absent'],
  [/\bgoes (on|by)\b/i, 'continues, uses'],
  [/\b(mend|mends|mended)\b/i, 'fix'],
  [/\b(whoever|whosoever)\b/i, 'the caller, the process'],
];
const RIDDLE = /^(What|Whoever|Whether|How|Where|When|Who|Which)\b/;

/** Returns the faults of a comment or docstring, given without its markers. */
export function faultsOfComment(text: string): StyleFault[] {
  const prose = withoutCode(text);
  const faults: StyleFault[] = [];
  const first = RIDDLE.exec(prose.trimStart());
  if (first !== null)
    faults.push({
      line: 0,
      problem: `begins with "${first[1]}": begin with a noun or a verb such as "Returns"`,
    });
  return [...faults, ...avoidedWords(prose), ...longSentences(prose)];
}

/** Terms of messages that contain an avoided word. */
const FINE_IN_MESSAGES = /\b(held-out|hold out)\b/gi;

/** Returns the faults of an error, hint, warning, manual or description. */
export function faultsOfMessage(text: string): StyleFault[] {
  const prose = proseOfMessage(text);
  // Indented lines of a manual list parameters.
  return [...avoidedWords(prose), ...longSentences(prose.replace(/\n(?= )/g, '\n\n'))];
}

/** Returns the faults of the name of a test or scenario, or of a line of a description. Sentences may be long. */
export const faultsOfName = (text: string): StyleFault[] => avoidedWords(proseOfMessage(text));

const proseOfMessage = (text: string): string =>
  withoutCode(text.replace(FINE_IN_MESSAGES, 'reserved')).replace(/"[^"\n]*"|\{[^{}\n]*\}/g, 'code');

const avoidedWords = (prose: string): StyleFault[] =>
  prose.split('\n').flatMap((words, line) =>
    AVOIDED.flatMap(([pattern, instead]) => {
      const match = pattern.exec(words);
      return match === null ? [] : [{ line, problem: `"${match[0]}": write ${instead}` }];
    }),
  );

/** Replaces code spans, addresses, examples and names of parameters, which are not prose. */
const withoutCode = (text: string): string =>
  text
    .replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`]*`/g, 'code')
    .replace(/@param +[\w.]+/g, '@param')
    .replace(/https?:\S+/g, 'address');

function longSentences(prose: string): StyleFault[] {
  const faults: StyleFault[] = [];
  let line = 0;
  // The parts alternate: a sentence, then what separates it from the next one.
  for (const part of prose.split(/((?<=[.:;!?])\s|\n\s*\n|\n\s*[-*|@])/)) {
    const words = part.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length;
    const blank = (/^\s*/.exec(part)?.[0] ?? '').split('\n').length - 1;
    if (words > LONGEST_SENTENCE)
      faults.push({
        line: line + blank,
        problem: `a sentence of ${words} words: split it, at most ${LONGEST_SENTENCE}`,
      });
    line += part.split('\n').length - 1;
  }
  return faults;
}
