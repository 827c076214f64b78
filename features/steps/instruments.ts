import { type DataTable, Given } from '@cucumber/cucumber';
import { loadInstruments } from '../../src/runner/index.ts';
import type { TradingWorld } from '../support/world.ts';

// The table has the format of an --instruments file.
Given('these instruments:', async function (this: TradingWorld, table: DataTable) {
  const lines = table
    .raw()
    .map((cells) => cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(','));
  const file = this.folder.write('instruments.csv', `${lines.join('\n')}\n`);
  const { instruments } = await loadInstruments(file);
  this.settings = { ...this.settings, instruments: { ...this.settings.instruments, ...instruments } };
});
