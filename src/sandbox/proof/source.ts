/** Longer texts are not proved: what the tools take of code at most, in UTF-16 units. */
export const LONGEST_PROVED = 20_000;

const OPENING = /^\s*```[\w+-]*[ \t]*\n/;

/**
 * Agent code as Python will parse it: out of its Markdown fence, its common indentation gone.
 *
 * Python does the same to what it gets (`program.tidy`), and compares what it then parses with what was proved.
 */
export function tidySource(source: string): string {
  const text = withoutFence(source).replaceAll('\r\n', '\n');
  const lines = text.split('\n');
  let margin = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    if (line.trim() !== '') margin = Math.min(margin, /^ */.exec(line)![0].length);
  }
  if (!Number.isFinite(margin) || margin === 0) return text.trimEnd();
  // Only where every line has it: otherwise it is left as it is, and not proved.
  return lines
    .map((line) => (line.trim() === '' ? '' : line.slice(margin)))
    .join('\n')
    .trimEnd();
}

/** In steps and not by one expression, which would try every space of a long run of them as the last. */
function withoutFence(source: string): string {
  const opening = OPENING.exec(source)?.[0].length;
  const closed = source.trimEnd();
  const closing = closed.length - 3;
  if (opening === undefined || closing < opening || !closed.endsWith('```')) return source;
  let end = closing;
  while (end > opening && (closed[end - 1] === ' ' || closed[end - 1] === '\t')) end -= 1;
  if (end > opening && closed[end - 1] === '\n') end -= 1;
  return closed.slice(opening, end);
}
