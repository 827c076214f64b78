import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../engine/index.ts';
import { version } from '../../kernel/index.ts';
import { toolDefinitions } from '../../toolkit/index.ts';
import { createMcpServer, LineTransport, LONGEST_MESSAGE, RequestIdScanner } from './mcp-server.ts';

interface Message {
  readonly id?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: Record<string, unknown>;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Starts a transport. Returns the messages that it received, and a function that sends text and returns the
 * answers.
 */
async function transport(isStarted = true) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines = new LineTransport(input, output);
  const received: unknown[] = [];
  lines.onmessage = (message) => received.push(message);
  if (isStarted) await lines.start();
  let text = '';
  output.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  const send = async (...pieces: (string | Buffer)[]): Promise<Message[]> => {
    text = '';
    for (const piece of pieces) input.write(piece);
    await turn();
    await turn();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Message);
  };
  return { lines, received, send, input, output };
}
const ping = (id: unknown, more = ''): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"ping"${more}}`;

describe('messages of one line each', () => {
  it('are received complete if they arrive in pieces', async () => {
    const { received, send } = await transport();
    expect(
      await send(`${ping(1)}\n${ping(2)}\n`, ping(3).slice(0, 9), ping(3).slice(9), '\n\n  \n', ping(4)),
    ).toEqual([]);
    expect(received).toEqual([1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
    await send('\n');
    expect(received).toHaveLength(4);
  });

  it('that are invalid are answered with their id', async () => {
    const { received, send } = await transport();
    const answers = await send(
      '{broken\n',
      '{"id":5,"a":tru\n',
      '[]\n',
      '{"jsonrpc":"2.0","id":"a","method":3}\n',
      `${' '.repeat(150)}x\n`,
    );
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [undefined, -32700],
      [5, -32700],
      [undefined, -32600],
      ['a', -32600],
      [undefined, -32700],
    ]);
    expect(answers[0]!.error!.message).toContain('The line is not JSON: ');
    expect(answers[2]!.error!.message).toBe('The line is not a JSON-RPC 2.0 message.');
    expect(received).toEqual([]);
  });

  it('may be nested 500 levels deep', async () => {
    const { received, send } = await transport();
    const nested = (levels: number): string => `,"params":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    // The outermost object is not counted. The parameters are one further level.
    expect(await send(`${ping(1, nested(499))}\n`)).toEqual([]);
    expect(received).toHaveLength(1);
    const [answer] = await send(`${ping(2, nested(500))}\n`);
    expect(answer).toEqual({
      ...{ jsonrpc: '2.0', id: 2 },
      error: { code: -32600, message: 'The message is nested deeper than 500 levels.' },
    });
  });

  it('may have 16 MB, and the error for a longer message states its size', async () => {
    const { received, send } = await transport();
    const filled = (bytes: number): Buffer[] => {
      const [head, tail] = ['{"jsonrpc":"2.0","method":"ping","params":{"a":"', '"},"id":7}'];
      return [Buffer.from(head), Buffer.alloc(bytes - head.length - tail.length, 'x'), Buffer.from(tail)];
    };
    expect(await send(...filled(LONGEST_MESSAGE), '\n')).toEqual([]);
    expect(received).toHaveLength(1);
    const [answer, ...others] = await send(...filled(LONGEST_MESSAGE + 1), `\n${ping(8)}\n`);
    expect([answer, others]).toEqual([
      {
        ...{ jsonrpc: '2.0', id: 7 },
        error: {
          code: -32600,
          message: 'The message has 16,777,217 bytes; a line may have at most 16 MB.',
        },
      },
      [],
    ]);
    expect(received).toHaveLength(2);
  });

  it('are not received after the transport is closed', async () => {
    const { lines, received, send, input } = await transport();
    let closed = 0;
    lines.onclose = () => closed++;
    await send(ping(1));
    await lines.close();
    expect([closed, input.isPaused()]).toEqual([1, true]);
    await send('\n');
    expect(received).toEqual([]);
  });
});

describe('the id of a request', () => {
  const idOf = (...pieces: string[]) => {
    const scanner = new RequestIdScanner();
    for (const piece of pieces) scanner.read(Buffer.from(piece));
    return scanner.id;
  };

  it('is read if it has at most 256 bytes, including its quotes', () => {
    const long = (letters: number): string => `{"id":"${'x'.repeat(letters)}"}`;
    expect(idOf(long(254))).toBe('x'.repeat(254));
    expect(idOf(long(255))).toBeUndefined();
    expect(idOf(`{"${'n'.repeat(300)}":1,"id":2}`)).toBe(2);
  });

  it('is read from the outermost object only', () => {
    expect(idOf('{"a":{"id":1},"b":[{"id":2}],"id":3}')).toBe(3);
    expect(idOf('{"a":[1,{"id":2}],', '"i', 'd": ', '"4" }')).toBe('4');
    expect(idOf('}]{"id":5}')).toBe(5);
    expect(idOf('{"a":"}","id":6}')).toBe(6);
    expect(idOf('{"a":"\\\\","id":7}')).toBe(7);
    expect(idOf('{"id":null}')).toBeUndefined();
    expect(idOf('{"id":9007199254740993}')).toBeUndefined();
    expect(idOf('{"other":1}')).toBeUndefined();
  });
});

describe('an MCP server', () => {
  async function connected(answer: (name: string, given: unknown) => Promise<Json>) {
    const { lines, send } = await transport(false);
    const server = createMcpServer(toolDefinitions(['market_observe', 'trade_execute']), answer);
    await server.connect(lines);
    const ask = async (id: number, method: string, params: object) => {
      const sent = await send(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      for (let wait = 0; wait < 20 && sent.length === 0; wait++) sent.push(...(await send('')));
      return sent.find((one) => one.id === id)?.result;
    };
    const hello = await ask(0, 'initialize', {
      ...{ protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    });
    await send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return { ask, hello };
  }

  it('lists its tools, and marks those that change nothing as read-only', async () => {
    const { ask, hello } = await connected(() => Promise.resolve({}));
    expect(hello).toMatchObject({
      serverInfo: { name: 'sandtable', version: version() },
      capabilities: { tools: {} },
    });
    const { tools } = (await ask(1, 'tools/list', {})) as { tools: Record<string, unknown>[] };
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['market_observe', { readOnlyHint: true, openWorldHint: false }],
      ['trade_execute', { readOnlyHint: false, openWorldHint: false }],
      ['next_bar', { readOnlyHint: false, openWorldHint: false }],
      ['finish', { readOnlyHint: false, openWorldHint: false }],
    ]);
    for (const { inputSchema } of tools) expect(inputSchema).toMatchObject({ type: 'object' });
  });

  it('returns answers as text, and marks failed calls as errors', async () => {
    const calls: unknown[] = [];
    const answers: Json[] = [{ close: 5 }, { error: 'no', code: 'x' }, null, 'text'];
    const { ask } = await connected((name, given) => {
      calls.push([name, given]);
      return Promise.resolve(answers[calls.length - 1]!);
    });
    const results: unknown[] = [];
    for (const id of [1, 2, 3, 4])
      results.push(await ask(id, 'tools/call', { name: 'a', arguments: { id } }));
    expect(calls).toEqual([1, 2, 3, 4].map((id) => ['a', { id }]));
    expect(results).toEqual([
      { content: [{ type: 'text', text: '{"close":5}' }] },
      { content: [{ type: 'text', text: '{"error":"no","code":"x"}' }], isError: true },
      { content: [{ type: 'text', text: 'null' }] },
      { content: [{ type: 'text', text: '"text"' }] },
    ]);
  });
});
