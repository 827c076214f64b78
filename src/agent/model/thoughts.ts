/** Text of a reply and its reasoning. */
export interface Thought {
  readonly text: string;
  readonly reasoning?: string;
}

const OPENED = /^\s*<(think|thinking|thought)>/;

/**
 * Separates `<think>…</think>` from the answer, for servers that do not parse it. A text that ends inside its
 * reasoning has no answer. If the template opened the mark, the text begins with reasoning.
 */
export function withoutThoughts(text: string): Thought {
  const opened = OPENED.exec(text);
  const closing = /<\/(?:think|thinking|thought)>/.exec(text);
  if (opened === null && closing === null) return { text };
  // A mark in the middle of an answer is part of the answer, unless it closes reasoning that the template
  // opened.
  if (opened === null && /<(?:think|thinking|thought)>/.test(text)) return { text };
  const begin = opened === null ? 0 : opened[0].length;
  const end = closing === null ? text.length : closing.index;
  const after = closing === null ? '' : text.slice(closing.index + closing[0].length);
  return { text: after.replace(/^\s+/, ''), reasoning: text.slice(begin, end).trim() };
}
