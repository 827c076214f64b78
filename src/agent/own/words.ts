/**
 * Splits a command line into words without running a shell. Quotes preserve spaces. Outside single quotes, a
 * backslash escapes the next character.
 *
 * @returns `undefined` if a quote is not closed
 */
export function commandWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (letter === '\\' && process.platform !== 'win32' && quote !== "'" && at + 1 < text.length)
      word = (word ?? '') + text[++at];
    else if (quote !== '' && letter === quote) quote = '';
    else if (quote !== '') word = (word ?? '') + letter;
    else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + letter;
  }
  if (quote !== '') return undefined;
  if (word !== undefined) words.push(word);
  return words;
}
