import { Readable, Writable } from 'node:stream';
import type { Io, Output } from '../../src/cli/io.ts';

/** Output stream that collects all text written to it. */
export class Captured extends Writable implements Output {
  readonly isTTY: boolean;
  readonly columns = 100;
  text = '';

  constructor(terminal = false) {
    super({ decodeStrings: false });
    this.isTTY = terminal;
  }

  override _write(chunk: string | Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Returns streams for a command that runs in this process. The output streams collect their text. */
export function testIo(
  options: { readonly terminal?: boolean; readonly env?: Io['env']; readonly stdin?: string } = {},
): Io & { readonly stdout: Captured; readonly stderr: Captured } {
  return {
    stdin: Readable.from([options.stdin ?? '']),
    stdout: new Captured(options.terminal),
    stderr: new Captured(options.terminal),
    env: options.env ?? {},
  };
}
