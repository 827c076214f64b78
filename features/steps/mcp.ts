import assert from 'node:assert/strict';
import { After, type DataTable, Then, When } from '@cucumber/cucumber';
import type { Answer } from '../support/agent.ts';
import { McpClient } from '../support/mcp-client.ts';
import type { TradingWorld } from '../support/world.ts';

const CLIENTS = new WeakMap<TradingWorld, McpClient>();

function clientOf(world: TradingWorld): McpClient {
  const client = CLIENTS.get(world);
  assert.ok(client, 'no client is connected');
  return client;
}

After(async function (this: TradingWorld) {
  await CLIENTS.get(this)?.tidy();
});

When('an MCP client connects to {code}', async function (this: TradingWorld, line: string) {
  CLIENTS.set(this, await McpClient.connect(line, this.folder.path));
});

When('the client calls {word}', async function (this: TradingWorld, tool: string) {
  await call(this, tool, {});
});

When('the client calls {word} with {code}', async function (this: TradingWorld, tool: string, json: string) {
  await call(this, tool, JSON.parse(json) as Record<string, unknown>);
});

async function call(world: TradingWorld, tool: string, given: Record<string, unknown>): Promise<void> {
  const { answer, failed } = await clientOf(world).call(tool, given);
  assert.ok(typeof answer === 'object' && answer !== null, 'the answer is no object');
  world.answers.push(answer as Answer);
  assert.equal(failed, 'error' in answer, 'isError says something else than the answer');
  if (failed) world.problems.note(answer, `${tool} answered ${JSON.stringify(answer)}`);
}

When('the client leaves', async function (this: TradingWorld) {
  await clientOf(this).leave();
});

When('the server is asked to stop', async function (this: TradingWorld) {
  await clientOf(this).signal('SIGTERM');
});

Then('the client is offered the tools:', async function (this: TradingWorld, table: DataTable) {
  const tools = await clientOf(this).tools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    table
      .raw()
      .flat()
      .filter((name) => name !== ''),
  );
  for (const { description = '', inputSchema } of tools) {
    assert.ok(description.length > 50 && description.length < 2_000);
    assert.equal(inputSchema.type, 'object');
  }
});

Then('the client receives the instructions for trading', function (this: TradingWorld) {
  assert.match(clientOf(this).instructions, /next_bar.*finish/s);
});

// All closes of simulated bars are different, so the digits of a later close would reveal look-ahead.
Then(
  'no answer holds a price of {string} after bar {int}',
  function (this: TradingWorld, file: string, bar: number) {
    const later = this.folder
      .read(file)
      .trimEnd()
      .split('\n')
      .slice(bar + 2)
      .flatMap((row) => row.split(',').slice(1, 5));
    assert.ok(later.length > 0, 'there is no later bar');
    const earlier = new Set(
      this.folder
        .read(file)
        .split('\n')
        .slice(1, bar + 2)
        .flatMap((row) => row.split(',')),
    );
    for (const text of clientOf(this).texts) {
      const shown = new Set(text.match(/\d+\.\d{3,}/g) ?? []);
      for (const price of later) assert.ok(earlier.has(price) || !shown.has(price), `${price} in ${text}`);
    }
  },
);

Then('stdout holds nothing but the protocol', function (this: TradingWorld) {
  const lines = this.command.stdout.trimEnd().split('\n');
  assert.ok(lines.length > 0);
  for (const line of lines) assert.equal((JSON.parse(line) as { jsonrpc?: string }).jsonrpc, '2.0', line);
});
