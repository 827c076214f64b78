import { readFileSync } from 'node:fs';

/** Analysis code whose value is compared with native pandas. */
export interface PandasSnippet {
  readonly code: string;
  /** Difference of the values, as docs/tools.md explains it. */
  readonly differs?: string;
  /** Kind of the error that the sandbox answers with. */
  readonly refused?: string;
}

/** The snippets of pandas-snippets.txt: blocks of code, `# differs: reason` or `# refused: kind` on their first line. */
export const pandasSnippets: readonly PandasSnippet[] = readFileSync(
  new URL('pandas-snippets.txt', import.meta.url),
  'utf8',
)
  .split(/^---\n/m)
  .map((block) => {
    const [, mark, text, code] = /^(?:# (differs|refused): (.*)\n)?([\s\S]*)$/.exec(block.trimEnd())!;
    return { code: code!, ...(mark === undefined ? {} : { [mark]: text! }) };
  });
