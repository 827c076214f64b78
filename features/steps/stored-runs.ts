import { hostname } from 'node:os';
import { Given, When } from '@cucumber/cucumber';
import { barLine, journalLines, linesOf, textOfLines } from '../../test/support/journal.ts';
import type { TradingWorld } from '../support/world.ts';

const HOSTILE = '<img src=x onerror=alert(1)></script><script>alert(2)</script>';

function writeRun(world: TradingWorld, folder: string, name: string, text: string): void {
  world.folder.write(`${folder}/${name}/journal.jsonl`, text);
}

Given(
  'the run {string} of {int} bars in {string}',
  function (this: TradingWorld, name: string, bars: number, folder: string) {
    writeRun(this, folder, name, textOfLines(journalLines(bars)));
  },
);

Given(
  'the run {string} of {int} quiet bars in {string}',
  function (this: TradingWorld, name: string, bars: number, folder: string) {
    const lines = [journalLines(0)[0]!, ...Array.from({ length: bars }, (_, bar) => barLine(bar))];
    writeRun(this, folder, name, textOfLines(lines));
  },
);

Given(
  'the run {string} of {int} bars in {string}, of which the last {int} characters are lost',
  function (this: TradingWorld, name: string, bars: number, folder: string, lost: number) {
    writeRun(this, folder, name, textOfLines(journalLines(bars)).slice(0, -lost));
    this.folder.write(`${folder}/${name}/run.lock`, '0 \n');
  },
);

Given(
  'the run {string} of {int} bars in {string}, with HTML and script in every name',
  function (this: TradingWorld, name: string, bars: number, folder: string) {
    const lines = journalLines(bars, HOSTILE, HOSTILE).map((line) =>
      line.type === 'tool_called'
        ? { ...line, name: HOSTILE, arguments: { code: `# ${HOSTILE}` }, result: { error: HOSTILE } }
        : line.type === 'order_accepted'
          ? { ...line, reason: HOSTILE, role: undefined }
          : line,
    );
    writeRun(this, folder, name, textOfLines(lines));
  },
);

Given(
  'the run {string} of {int} bars in {string}, with a damaged line {int}',
  function (this: TradingWorld, name: string, bars: number, folder: string, line: number) {
    const lines = textOfLines(journalLines(bars)).split('\n');
    writeRun(this, folder, name, lines.toSpliced(line - 1, 1, '{"type":').join('\n'));
  },
);

Given(
  'the run {string} of {int} bars in {string}, of which {int} bars are processed',
  function (this: TradingWorld, name: string, bars: number, folder: string, processed: number) {
    const lines = [journalLines(bars)[0]!, ...range(0, processed).flatMap((bar) => linesOf(bar))];
    writeRun(this, folder, name, textOfLines(lines));
    // Without a lock, the run would count as killed after a while.
    this.folder.write(`${folder}/${name}/run.lock`, `${process.pid} ${hostname()}`);
  },
);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

When(
  'the run {string} in {string} goes on to {int} bars',
  function (this: TradingWorld, name: string, folder: string, bars: number) {
    const lines = [journalLines(10)[0]!, ...range(0, bars).flatMap((bar) => linesOf(bar))];
    writeRun(this, folder, name, textOfLines(lines));
  },
);

When(
  'the run {string} in {string} goes on to its end',
  function (this: TradingWorld, name: string, folder: string) {
    writeRun(this, folder, name, textOfLines(journalLines(10)));
  },
);
