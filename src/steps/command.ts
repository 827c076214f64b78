import { Readable, Writable } from 'node:stream';
import { main } from '../cli/index.ts';

/** How a command of `sandtable` ended. */
export interface CommandEnd {
  /** 0 good, 1 the run failed, 2 bad usage or input. */
  readonly code: number;
  /** What it printed. */
  readonly printed: string;
  /** What it said beside that: notes and errors. */
  readonly words: string;
}

/** Runs a command in this process, so that a feature sees exactly what a trader at the terminal would. */
export async function sandtable(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<CommandEnd> {
  const [stdout, stderr] = [new Kept(), new Kept()];
  const code = await main(argv, { stdin: Readable.from([]), stdout, stderr, env });
  return { code, printed: stdout.text.trimEnd(), words: stderr.text.trimEnd() };
}

class Kept extends Writable {
  text = '';

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
