/** A reply's text, and the thinking that came with it. */
export interface Thought {
  readonly text: string;
  readonly reasoning?: string;
}

const OPENED = /^\s*<(think|thinking|thought)>/;

/**
 * Keeps `<think>…</think>` apart from the answer, as servers without a parser for it leave it in. A text that ends in
 * its thoughts has no answer; one whose template had opened them begins with them.
 */
export function withoutThoughts(text: string): Thought {
  const opened = OPENED.exec(text);
  const closing = /<\/(?:think|thinking|thought)>/.exec(text);
  if (opened === null && closing === null) return { text };
  // A mark in the middle of an answer is about thinking, unless it closes what the template opened.
  if (opened === null && /<(?:think|thinking|thought)>/.test(text)) return { text };
  const begin = opened === null ? 0 : opened[0].length;
  const end = closing === null ? text.length : closing.index;
  const after = closing === null ? '' : text.slice(closing.index + closing[0].length);
  return { text: after.replace(/^\s+/, ''), reasoning: text.slice(begin, end).trim() };
}
