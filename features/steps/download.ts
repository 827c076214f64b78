import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { After, Given, Then, When } from '@cucumber/cucumber';
import { loadMarket } from '../../src/market/index.ts';
import { ANSWERS, DataServer } from '../../test/support/data-server.ts';
import type { TradingWorld } from '../support/world.ts';

const servers = new WeakMap<TradingWorld, DataServer>();

function serverOf(world: TradingWorld): DataServer {
  const server = servers.get(world);
  assert.ok(server, 'there is no server');
  return server;
}

Given('a server that answers as {word} does', async function (this: TradingWorld, provider: string) {
  const answer = ANSWERS[provider];
  assert.ok(answer, `nothing is known of ${provider}`);
  const server = await new DataServer(answer).start();
  servers.set(this, server);
  this.environment[`SANDTABLE_${provider.toUpperCase()}_URL`] = server.url;
});

Given('the environment has {word} {string}', function (this: TradingWorld, name: string, value: string) {
  this.environment[name] = value;
});

Given(
  'the server first answers {int} with Retry-After {int}',
  function (this: TradingWorld, status: number, seconds: number) {
    serverOf(this).troubles.push({ status, headers: { 'retry-after': String(seconds) } });
  },
);

When(
  'the trader loads the catalogue {string} by {string}',
  async function (this: TradingWorld, folder: string, name: string) {
    this.loaded = await loadMarket({ paths: [`${this.folder.file(folder)}/${name}`] });
  },
);

Then(
  'the server was asked {int} times, last for {string}',
  function (this: TradingWorld, times: number, query: string) {
    const { received } = serverOf(this);
    assert.equal(received.length, times);
    const asked = new URLSearchParams(received.at(-1)?.query).toString();
    assert.ok(asked.includes(query), asked);
  },
);

Then('nothing under {string} holds {string}', function (this: TradingWorld, folder: string, text: string) {
  const root = this.folder.file(folder);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(root, name))
    .filter((file) => statSync(file).isFile());
  assert.notEqual(files.length, 0);
  for (const file of files) assert.ok(!readFileSync(file, 'latin1').includes(text), file);
});

After(async function (this: TradingWorld) {
  await servers.get(this)?.stop();
});

Then('stdout is without {string}', function (this: TradingWorld, text: string) {
  assert.ok(!this.command.stdout.includes(text), this.command.stdout);
});
