const FENCE = /^\s*```[\w+-]*[ \t]*\n([\s\S]*?)\n?[ \t]*```\s*$/;

/**
 * Agent code as Python will parse it: out of its Markdown fence, its common indentation gone.
 *
 * Python does the same to what it gets (`program.tidy`), and compares what it then parses with what was proved.
 */
export function tidySource(source: string): string {
  const fenced = FENCE.exec(source);
  const text = (fenced?.[1] ?? source).replaceAll('\r\n', '\n');
  const lines = text.split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  const margin = Math.min(...filled.map((line) => /^ */.exec(line)![0].length));
  if (!Number.isFinite(margin) || margin === 0) return text.trimEnd();
  // Only where every line has it: otherwise it is left as it is, and not proved.
  return lines
    .map((line) => (line.trim() === '' ? '' : line.slice(margin)))
    .join('\n')
    .trimEnd();
}
