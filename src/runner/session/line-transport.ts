import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { isDeeperThan, messageOf, writeText } from '../../kernel/index.ts';
import { RequestIdScanner } from './request-id.ts';

const MEGABYTE = 1024 * 1024;
/** Maximum size of a message in bytes: a hundred times the largest tool call. */
export const LONGEST_MESSAGE = 16 * MEGABYTE;
/** Maximum nesting depth of objects and arrays. Functions that traverse a message are recursive. */
const DEEPEST = 500;
const NEWLINE = 10;

/**
 * Transport for JSON-RPC messages, one per line. The SDK's transport ends at a long line and ignores invalid
 * messages. This transport answers every line. Lines longer than `LONGEST_MESSAGE` are skipped without
 * buffering.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Scanner of a line that is too long to be buffered. */
  #skipping: RequestIdScanner | undefined;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#receive);
  }

  async close(): Promise<void> {
    this.#input.off('data', this.#receive);
    this.#input.pause();
    this.#startLine();
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      if (writeText(this.#output, `${JSON.stringify(message)}\n`)) resolve();
      else this.#output.once('drain', resolve);
    });
  }

  readonly #receive = (chunk: Buffer): void => {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#take(chunk.subarray(from));
  };

  #take(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#skipping === undefined && this.#bytes > LONGEST_MESSAGE) {
      this.#skipping = new RequestIdScanner();
      for (const kept of this.#pieces) this.#skipping.read(kept);
      this.#pieces = [];
    }
    if (this.#skipping !== undefined) this.#skipping.read(piece);
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #startLine(): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#skipping = undefined;
  }

  #endLine(): void {
    const [bytes, skipped] = [this.#bytes, this.#skipping];
    const line = Buffer.concat(this.#pieces);
    this.#startLine();
    if (skipped !== undefined) {
      const limit = `${LONGEST_MESSAGE / MEGABYTE} MB`;
      const message = `The message has ${bytes.toLocaleString('en-US')} bytes; a line may have at most ${limit}.`;
      this.#refuse(skipped.id, ErrorCode.InvalidRequest, message);
    } else if (line.toString('latin1', 0, 100).trim() !== '' || line.toString('utf8').trim() !== '') {
      this.#read(line);
    }
  }

  #read(line: Buffer): void {
    let value: unknown;
    try {
      value = JSON.parse(line.toString('utf8'));
    } catch (error) {
      this.#refuse(
        idIn(line),
        ErrorCode.ParseError,
        `The line is not JSON: ${messageOf(error).slice(0, 200)}`,
      );
      return;
    }
    if (isDeeperThan(value, DEEPEST)) {
      const message = `The message is nested deeper than ${DEEPEST} levels.`;
      this.#refuse(idIn(line), ErrorCode.InvalidRequest, message);
      return;
    }
    const read = JSONRPCMessageSchema.safeParse(value);
    if (read.success) this.onmessage?.(read.data);
    else this.#refuse(idIn(line), ErrorCode.InvalidRequest, 'The line is not a JSON-RPC 2.0 message.');
  }

  /**
   * @param id absent if the request's id could not be read. Unlike plain JSON-RPC, MCP does not allow null
   */
  #refuse(id: string | number | undefined, code: ErrorCode, message: string): void {
    const answer = { jsonrpc: '2.0' as const, ...(id === undefined ? {} : { id }), error: { code, message } };
    this.send(answer).catch((error: unknown) => this.onerror?.(error as Error));
  }
}

function idIn(line: Buffer): string | number | undefined {
  const scanner = new RequestIdScanner();
  scanner.read(line);
  return scanner.id;
}
