import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Given, Then, When } from '@cucumber/cucumber';
import { readEarlier } from '../../src/journal/index.ts';
import { SpawnedCommand } from '../support/command-line.ts';
import { McpClient } from '../support/mcp-client.ts';
import type { TradingWorld } from '../support/world.ts';

type Call = readonly [tool: string, given: Record<string, unknown>];

/** Tool calls by decision in the current scenario. */
let calls: readonly (readonly Call[])[] = [];
const BARS = 8;

Given('at its decisions an agent makes the calls {code}', (given: string) => {
  calls = JSON.parse(given) as typeof calls;
});

/** Source of an agent that makes the calls of each decision, one message at a time. */
const AGENT = `const calls = CALLS;
let rest = [];
const next = () => {
  const [call] = rest.splice(0, 1);
  return call === undefined ? { type: 'done' } : { type: 'call', id: 1, tool: call[0], arguments: call[1] };
};
const answer = (message) => {
  if (message.type === 'decide') rest = [...(calls[message.id - 1] ?? [])];
  return message.type === 'decide' || message.type === 'result' ? next() : undefined;
};
`;
const OVER_STDIO = `for await (const line of (await import('node:readline')).createInterface({ input: process.stdin })) {
  const said = answer(JSON.parse(line));
  if (said !== undefined) console.log(JSON.stringify(said));
}
`;

async function overStdio(world: TradingWorld, tools: string): Promise<void> {
  world.folder.write('agent.mjs', AGENT.replace('CALLS', JSON.stringify(calls)) + OVER_STDIO);
  await runAgent(world, 'node agent.mjs', tools, 'stdio');
}

async function overHttp(world: TradingWorld, tools: string): Promise<void> {
  let rest: Call[] = [];
  const server = createServer(async (request, response) => {
    const message = JSON.parse(await text(request)) as { type: string; id: number };
    if (message.type === 'decide') rest = [...(calls[message.id - 1] ?? [])];
    const isAsked = message.type === 'decide' || message.type === 'result';
    // The responses to `hello` and `bye` are ignored.
    if (!isAsked) response.statusCode = 404;
    const call = isAsked ? rest.shift() : undefined;
    const said =
      call === undefined ? { type: 'done' } : { type: 'call', id: 1, tool: call[0], arguments: call[1] };
    response.end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await runAgent(world, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, tools, 'http');
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function runAgent(world: TradingWorld, agent: string, tools: string, out: string): Promise<void> {
  const line = `sandtable run --agent "${agent}" --agent-tools ${tools} --data prices.csv --out ${out} --quiet`;
  const { code, stderr } = await new SpawnedCommand({ line, folder: world.folder.path }).result;
  assert.equal(code, 0, stderr);
}

async function overMcp(world: TradingWorld, tools: string): Promise<void> {
  const line = `sandtable mcp --data prices.csv --out mcp --tools ${tools}`;
  const client = await McpClient.connect(line, world.folder.path);
  for (let bar = 0; bar < BARS; bar++) {
    for (const [tool, given] of calls[bar] ?? []) await client.call(tool, given);
    await client.call('next_bar', {});
  }
  await client.call('finish', {});
  await client.leave();
}

When(
  'they are made over stdio, over HTTP and over MCP with the tools {string}',
  async function (this: TradingWorld, tools: string) {
    await overStdio(this, tools);
    await overHttp(this, tools);
    await overMcp(this, tools);
  },
);

const SAME = [
  'tool_called',
  'order_accepted',
  'order_rejected',
  'order_cancelled',
  'order_filled',
  'trade_closed',
];

Then('calls, answers, orders and fills of the three runs are the same', function (this: TradingWorld) {
  const eventsOf = (folder: string) => {
    const [run = ''] = this.folder.results(folder);
    const { events } = readEarlier(this.folder.file(`${folder}/${run}/journal.jsonl`));
    return events.filter(({ type }) => SAME.includes(type) || type === 'bar');
  };
  const overStdio = eventsOf('stdio');
  assert.equal(overStdio.filter(({ type }) => type === 'tool_called').length, calls.flat().length);
  assert.equal(overStdio.filter(({ type }) => type === 'bar').length, BARS);
  assert.deepEqual(eventsOf('http'), overStdio);
  assert.deepEqual(eventsOf('mcp'), overStdio);
});
