import { readFileSync } from 'node:fs';

/** Analysis code whose value is compared with native pandas. */
export interface PandasSnippet {
  readonly code: string;
  /** Text in docs/tools.md that explains how the value differs from native pandas. */
  readonly differs?: string;
  /** Kind of the error with which the sandbox refuses the code. */
  readonly refused?: string;
}

/**
 * Snippets of pandas-snippets.txt, separated by lines with `---`. The first line of a snippet may be `#
 * differs: reason` or `# refused: kind`.
 */
export const pandasSnippets: readonly PandasSnippet[] = readFileSync(
  new URL('pandas-snippets.txt', import.meta.url),
  'utf8',
)
  .split(/^---\n/m)
  .map((block) => {
    const [, mark, text, code] = /^(?:# (differs|refused): (.*)\n)?([\s\S]*)$/.exec(block.trimEnd())!;
    return { code: code!, ...(mark === undefined ? {} : { [mark]: text! }) };
  });
