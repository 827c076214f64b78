import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { ROOT } from './blocks.ts';
import { PROGRAM } from './paste.ts';

/** Step of a reader of the page: writes a file, or pastes commands and compares their output. */
export interface Step {
  /** Line number of the block, from 1. */
  readonly line: number;
  /** File to write. Absent for commands. */
  readonly file?: string;
  readonly text: string;
  /** Lines of the next block of output. Each must be part of what the commands print. */
  readonly expected: readonly string[];
}

const BLOCK = /(?:^`([\w./-]+)`:\n\n)?^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm;

/**
 * Returns the steps of a page, in order.
 *
 * - A block after a line "`name`:" is the content of the file `name`.
 * - A block of `sh` is pasted, except `sh no-run`.
 * - A block of `text` is output of the block of `sh` before it.
 */
export function stepsOf(page: string): Step[] {
  const steps: Step[] = [];
  for (const match of page.matchAll(BLOCK)) {
    const [, file, language, words = '', text = ''] = match;
    const line = page.slice(0, match.index).split('\n').length;
    if (file !== undefined) steps.push({ line, file, text, expected: [] });
    else if (language === 'sh' && !words.includes('no-run')) steps.push({ line, text, expected: [] });
    else if (language === 'text' && steps.length > 0)
      steps.push({ ...steps.pop()!, expected: text.split('\n').filter((one) => one.trim() !== '') });
  }
  return steps;
}

/** Normalises what may differ between a page and a terminal: spacing and durations. */
export const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\b\d+(\.\d+)? (s|ms)\b/g, '… s')
    .trim();

export interface Done {
  readonly step: Step;
  readonly output: string;
  readonly status: number | null;
}

export interface WalkOptions {
  /** Paths of the checkout that are linked into the reader's folder. */
  readonly links?: readonly string[];
  /** Is called with the folder of the reader after the last step, before the folder is deleted. */
  readonly onEnd?: (folder: string) => void;
}

/** Follows a page in a new folder, in one shell per block. Stops at the first block that fails. */
export async function walk(
  page: string,
  onStep: (done: Done) => void,
  { links = [], onEnd }: WalkOptions = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-walk-'));
  try {
    // Replaces npx, which requests packages from the network if they are not installed.
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'npx'),
      `#!/bin/bash\n[ "$1" = sandtable ] || exec "${ROOT}node_modules/.bin/$1" "\${@:2}"\nshift\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`,
    );
    chmodSync(join(bin, 'npx'), 0o755);
    mkdirSync(join(folder, 'work', 'node_modules'), { recursive: true });
    for (const [name, place] of [
      ['sandtable', ROOT],
      ['@cucumber', `${ROOT}node_modules/@cucumber`],
    ] as const)
      symlinkSync(place, join(folder, 'work', 'node_modules', name));
    for (const name of links) symlinkSync(join(ROOT, name), join(folder, 'work', name));
    writeFileSync(join(folder, 'place'), join(folder, 'work'));
    const ports = new Map<string, string>();
    for (const [port] of page.matchAll(/\b8[01]\d\d\b/g))
      ports.set(port, ports.get(port) ?? String(await freePort()));
    for (const step of stepsOf(page)) {
      let { text } = step;
      for (const [port, free] of ports) text = text.replaceAll(port, free);
      const env = {
        ...process.env,
        // Makes the commands run as in a user's shell. With this variable, their servers would stop when the
        // npx that started the tests ends.
        npm_command: undefined,
        PATH: `${bin}:${process.env.PATH}`,
        COLUMNS: '80',
        PLACE: join(folder, 'place'),
        STATE: join(folder, 'state'),
      };
      if (step.file !== undefined) {
        const place = spawnSync('cat', [env.PLACE], { encoding: 'utf8' }).stdout.trim();
        const file = join(place, step.file);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        onStep({ step, output: '', status: 0 });
        continue;
      }
      // The folder and exported variables stay from block to block, as in a terminal.
      const script = `cd "$(cat "$PLACE")"\n[ -f "$STATE" ] && source "$STATE"\nset -e\n${text}\nset +e\npwd > "$PLACE"\nexport -p | grep -E '(OPENAI|SANDTABLE_MODEL)' > "$STATE"\ntrue`;
      const { stdout, stderr, status } = spawnSync('bash', ['-c', script], {
        encoding: 'utf8',
        env,
        // Vitest cannot end a test that waits for a synchronous call.
        timeout: 900_000,
      });
      onStep({ step, output: `${stdout}\n${stderr}`, status });
      if (status !== 0) break;
    }
    onEnd?.(join(folder, 'work'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
