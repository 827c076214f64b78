import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Json } from '../../engine/index.ts';
import { isDeeperThan, messageOf, version, writeText } from '../../kernel/index.ts';
import { schemaOf, type ToolDefinition, toolWrites } from '../../toolkit/index.ts';
import { finishTool, nextBarTool } from './trading-session.ts';

const INSTRUCTIONS = `You trade historical bars in a backtest. The current time is the close of one bar. You see this bar and all earlier bars,
never a later one. Use the market and indicator tools, compute in Python, and place orders with trade_execute: they can fill
from the open of the next bar on. Then call next_bar, which reports all events. Call finish at the end: the run's reports are then
written. Every call is recorded in the run's journal.`;

/**
 * Creates an MCP server for the tools, `next_bar` and `finish`. The server starts when a transport is
 * connected.
 */
export function createMcpServer(
  tools: readonly ToolDefinition[],
  call: (name: string, given: unknown) => Promise<Json>,
): Server {
  const server = new Server(
    { name: 'sandtable', version: version() },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const listed = [
    ...tools.map(({ function: tool }) => entry(tool.name, tool.description, tool.parameters)),
    ...[nextBarTool, finishTool].map((tool) => entry(tool.name, tool.description, schemaOf(tool.parameters))),
  ];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const answer = await call(params.name, params.arguments);
    const failed = typeof answer === 'object' && answer !== null && 'error' in answer;
    return {
      content: [{ type: 'text', text: JSON.stringify(answer) }],
      ...(failed ? { isError: true } : {}),
    };
  });
  return server;
}

function entry(name: string, description: string, schema: ToolDefinition['function']['parameters']) {
  const moves = name === nextBarTool.name || name === finishTool.name;
  return {
    name,
    description,
    inputSchema: { ...schema, type: 'object' as const },
    annotations: { readOnlyHint: !moves && !toolWrites(name), openWorldHint: false },
  };
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
/** Maximum length in bytes of an object member's name or of an id. Longer names and ids are ignored. */
const KEPT = 256;

/**
 * Finds the `id` of a JSON-RPC request that is too long to be stored, so that an error can be sent as the
 * answer. The id may come before or after hundreds of megabytes of arguments. Only quotes and brackets are
 * counted, so invalid JSON does not stop the search.
 */
export class RequestIdScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /**
   * Bytes of the name or value of the current top-level member. `undefined` once there are more bytes than in
   * any valid id.
   */
  #text: number[] | undefined = [];
  #isId = false;
  #id: string | number | undefined;

  /** Id of the request. `undefined` until it has been read. */
  get id(): string | number | undefined {
    return this.#id;
  }

  read(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.#inString) this.#readString(byte);
      else this.#readStructure(byte);
    }
  }

  #readString(byte: number): void {
    if (this.#depth === 1) this.#keep(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #readStructure(byte: number): void {
    if (byte === QUOTE) this.#inString = true;
    if (OPENING.has(byte)) {
      if (this.#depth === 1) this.#text = undefined;
      this.#depth += 1;
    } else if (CLOSING.has(byte)) {
      if (this.#depth === 1) this.#endMember();
      this.#depth = Math.max(this.#depth - 1, 0);
    } else if (this.#depth !== 1) {
      return;
    } else if (byte === COLON && !this.#isId) {
      this.#isId = this.#value() === 'id';
      this.#text = [];
    } else if (byte === COMMA) this.#endMember();
    else this.#keep(byte);
  }

  #keep(byte: number): void {
    if (this.#text === undefined) return;
    if (this.#text.length < KEPT) this.#text.push(byte);
    else this.#text = undefined;
  }

  #endMember(): void {
    const value = this.#isId ? this.#value() : undefined;
    if (typeof value === 'string' || Number.isSafeInteger(value)) this.#id = value as string | number;
    this.#isId = false;
    this.#text = [];
  }

  #value(): unknown {
    if (this.#text === undefined) return undefined;
    try {
      return JSON.parse(Buffer.from(this.#text).toString('utf8'));
    } catch {
      return undefined;
    }
  }
}

const MEGABYTE = 1024 * 1024;
/** Maximum size of a message in bytes: about a hundred times the largest valid tool call. */
export const LONGEST_MESSAGE = 16 * MEGABYTE;
/**
 * Maximum nesting depth of objects and arrays in a message. Functions that process a message are recursive,
 * so deeper nesting could overflow the stack.
 */
const DEEPEST = 500;
const NEWLINE = 10;

/**
 * Transport for JSON-RPC messages, one per line. Answers every line, also invalid or very long ones. The
 * SDK's own transport stops at a long line and ignores invalid messages. Lines longer than `LONGEST_MESSAGE`
 * are skipped without buffering.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Scanner of the current line, if this line is too long to be buffered. */
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
   * Answers a request with an error.
   *
   * @param id absent if the id of the request could not be read, because MCP does not allow `null` as an id
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
