import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { main } from '../src/cli/index.ts';

/** Pages that show the output at the end of a run. */
export const TRANSCRIPT_PAGES = ['README.md', 'docs/strategies.md'];

/** Excerpt of a run's output in a page. It contains some sections of the output completely. */
export interface Transcript {
  readonly text: string;
  /** Command line after `sandtable`. */
  readonly command: string;
}

const BLOCK = /^```\n(?:\$ npx sandtable (run .*)\n)?(Verdict [\s\S]*?)\n```$/gm;

/** Returns the transcripts of a page. A transcript without a command belongs to `npm start`. */
export function transcriptsOf(page: string): Transcript[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  const start = scripts.start.replace(/^.*bin\.js /, '');
  return [...page.matchAll(BLOCK)].map(([, command = start, text = '']) => ({ command, text }));
}

/**
 * Returns the output of the command on a terminal with 80 columns. The run is written to a temporary folder.
 */
export async function printedBy(command: string): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'sandtable-transcript-'));
  let printed = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      printed += String(chunk);
      done();
    },
  });
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    const words = [...command.split(' '), '--out', out];
    const code = await main(words, { stdin: Readable.from([]), stdout, stderr, env: process.env });
    if (code !== 0) throw new Error(`sandtable ${command} ended with exit code ${code}`);
    return printed.trimEnd().replaceAll(` --out ${out}`, '').replaceAll(out, 'reports');
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/**
 * Returns the transcript with its sections updated. The folder remains unchanged, because its name contains a
 * date.
 */
export function renewed(text: string, printed: string): string {
  const now = new Map(printed.split('\n\n').map((part) => [kindOf(part), part]));
  return text
    .split('\n\n')
    .map((part) => {
      const kind = kindOf(part);
      if (kind === 'folder') return part;
      const folder = FOLDER.exec(part)?.[0];
      return folder === undefined ? now.get(kind) : now.get(kind)?.replace(FOLDER, folder);
    })
    .filter((part) => part !== undefined)
    .join('\n\n');
}

/** A long path has a separate line. */
const FOLDER = /^Folder\s+\S+$/m;

const KINDS = {
  verdict: /^Verdict/,
  head: /^Strategy {2}\D/,
  curves: /^Strategy +\d/,
  table: /^ +Strategy/,
  counts: /^Trades/,
  run: /^Run/,
  next: /^Next/,
  folder: /^Folder/,
} as const;

function kindOf(part: string): string {
  return Object.entries(KINDS).find(([, begins]) => begins.test(part))?.[0] ?? 'notes';
}
