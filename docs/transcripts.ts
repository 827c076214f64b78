import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { main } from '../src/cli/index.ts';

/** Pages that show what a run prints at its end. */
export const TRANSCRIPT_PAGES = ['README.md', 'docs/strategies.md'];

/** What a page shows of a run's end: some of its parts, whole. */
export interface Transcript {
  readonly text: string;
  /** As it is typed after `sandtable`. */
  readonly command: string;
}

const BLOCK = /^```\n(?:\$ npx sandtable (run .*)\n)?(Verdict [\s\S]*?)\n```$/gm;

/** The transcripts of a page; one without a command is of `npm start`. */
export function transcriptsOf(page: string): Transcript[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  const start = scripts.start.replace(/^.*bin\.js /, '');
  return [...page.matchAll(BLOCK)].map(([, command = start, text = '']) => ({ command, text }));
}

/** What the command prints on a terminal of 80 columns, into a folder of its own. */
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
    return printed.trimEnd();
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** A transcript as it is printed now: the same parts, but for the folder, which has a date. */
export function renewed(text: string, printed: string): string {
  const now = new Map(printed.split('\n\n').map((part) => [kindOf(part), part]));
  return text
    .split('\n\n')
    .map((part) => (kindOf(part) === 'folder' ? part : now.get(kindOf(part))))
    .filter((part) => part !== undefined)
    .join('\n\n');
}

const KINDS = {
  verdict: /^Verdict/,
  head: /^Strategy {2}\D/,
  curves: /^Strategy +\d/,
  table: /^ +Strategy/,
  counts: /^Trades/,
  folder: /^Folder/,
} as const;

function kindOf(part: string): string {
  return Object.entries(KINDS).find(([, begins]) => begins.test(part))?.[0] ?? 'notes';
}
