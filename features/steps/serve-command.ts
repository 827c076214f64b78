import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { Then, When } from '@cucumber/cucumber';
import { projectPath, SpawnedCommand } from '../support/command-line.ts';
import type { TradingWorld } from '../support/world.ts';

const serving = new WeakMap<TradingWorld, { readonly child: ChildProcess; code?: number | null }>();

When('the trader serves {string} until it says where', async function (this: TradingWorld, folder: string) {
  const child = spawn(process.execPath, [projectPath('dist/cli/bin.js'), 'serve', folder, '--port', '0'], {
    cwd: this.folder.path,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  serving.set(this, { child });
  const said = await new Promise<string>((done, failed) => {
    child.stdout.once('data', (piece: Buffer) => done(piece.toString('utf8')));
    child.once('exit', (code) => failed(new Error(`it ended with ${code} before it said where`)));
  });
  assert.match(said, /^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}\n$/);
  const answer = await fetch(said.trim());
  assert.equal(answer.status, 200);
});

When('the trader ends the serving with Ctrl-C', async function (this: TradingWorld) {
  const own = serving.get(this);
  assert.ok(own, 'nothing is served');
  const ended = new Promise<number | null>((done) => {
    own.child.once('exit', done);
  });
  own.child.kill('SIGINT');
  own.code = await ended;
});

Then('the serving ended with exit code {int}', function (this: TradingWorld, code: number) {
  assert.equal(serving.get(this)?.code, code);
});

When('the trader serves {string} on the same port', async function (this: TradingWorld, folder: string) {
  const line = `sandtable serve ${folder} --port ${new URL(this.server?.url ?? '').port}`;
  this.noteCommand(await new SpawnedCommand({ line, folder: this.folder.path }).result);
});
