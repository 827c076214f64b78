import { spawnSync } from 'node:child_process';
import { When } from '@cucumber/cucumber';
import { projectPath, SpawnedCommand } from '../support/command-line.ts';
import type { TradingWorld } from '../support/world.ts';

When('the trader exports the run with {code}', async function (this: TradingWorld, flags: string) {
  const line = `sandtable export "runs/${this.folder.results('runs')[0]}" ${flags}`;
  this.noteCommand(await new SpawnedCommand({ line, folder: this.folder.path }).result);
});

When('the trader starts the program {string}', function (this: TradingWorld, file: string) {
  const line = `node --import tsx ${file}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', file], {
    cwd: projectPath('.'),
    encoding: 'utf8',
  });
  this.noteCommand({ line, code: status, stdout, stderr });
});
