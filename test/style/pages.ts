import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlacedFault } from './faults.ts';
import { faultsOfMessage } from './plain-english.ts';

/** Folders of pages that are generated or are copies of files of the root. */
const GENERATED = /^(\.vitepress|api|reference|repository|public|examples)\//;

/** Returns all written pages of docs/, relative to the project. */
export function writtenPages(): string[] {
  return readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md') && !GENERATED.test(name))
    .map((name) => `docs/${name}`)
    .sort();
}

/** Returns the cells of a row of a table, each as a sentence. Empty for the line below the head. */
function rowOf(line: string): string {
  const cells = line
    .replaceAll('\\|', ' ')
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '' && !/^:?-+:?$/.test(cell));
  return cells.length === 0 ? '' : `${cells.join(' ; ')} ;`;
}

/** Replaces everything that is not prose. The number of lines remains the same. */
function proseOf(page: string): string {
  const blank = (text: string): string => text.replaceAll(/[^\n]+/g, '');
  return (
    page
      .replace(/^---\n[\s\S]*?\n---\n/, blank)
      .replaceAll(/^( *)(```+)[^\n]*\n[\s\S]*?^\1\2$/gm, blank)
      .replaceAll(/<!--[\s\S]*?-->/g, blank)
      .replaceAll(/`[^`\n]*`/g, 'code')
      .replaceAll(/!?\[([^\]]*)\]\([^()\s]*\)(\{[^}]*\})?/g, '$1')
      // A list of names counts as one word.
      .replaceAll(/code(,? (and |or )?code)+/g, 'code')
      .split('\n')
      .map((line) => (line.startsWith('|') ? rowOf(line) : line.replace(/^\s*([-*]|\d+\.|#+)\s+/, '; ')))
      .join('\n')
  );
}

/** Returns the style faults of a page in Markdown, with line numbers from 0. */
export function faultsOfPage(page: string): readonly { line: number; problem: string }[] {
  return faultsOfMessage(proseOf(page));
}

/** Returns the style faults of pages, relative to the project. */
export function faultsOfPages(pages: readonly string[]): PlacedFault[] {
  return pages.flatMap((file) =>
    faultsOfPage(readFileSync(join(file), 'utf8')).map(({ line, problem }) => ({
      file,
      line: line + 1,
      problem,
    })),
  );
}
