import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Block of TypeScript or JavaScript code in a page. */
export interface CodeBlock {
  /** Path relative to the root of the checkout. */
  readonly page: string;
  /** Line number of the first line of code, from 1. */
  readonly line: number;
  readonly code: string;
  /**
   * Words after the language. `fragment`: part of an `onBar` that uses the names of a turn. `no-run`:
   * compiled but not run.
   */
  readonly words: readonly string[];
}

export const WORDS = ['fragment', 'no-run'];

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const LANGUAGES = ['ts', 'typescript', 'js', 'javascript', 'mjs', 'mts'];
const FENCE = /^```(\w+)([^\n`]*)\n(.*?)^```$/gms;

/** Returns the code blocks in the text of a page. */
export function blocksOf(page: string, text: string): CodeBlock[] {
  return [...text.matchAll(FENCE)].flatMap((match) => {
    const [, language = '', words = '', code = ''] = match;
    if (!LANGUAGES.includes(language)) return [];
    const line = text.slice(0, match.index).split('\n').length + 1;
    return [{ page, line, code, words: words.split(/\s+/).filter((word) => word !== '') }];
  });
}

/** Returns all code blocks of README.md and docs/, by page and line. */
export function allBlocks(): CodeBlock[] {
  const pages = [
    'README.md',
    ...readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => `docs/${name}`),
  ];
  return pages.flatMap((page) => blocksOf(page, readFileSync(`${ROOT}${page}`, 'utf8')));
}
