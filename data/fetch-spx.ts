/**
 * Makes data/spx-daily.csv from the npm package vega-datasets: `node --import tsx data/fetch-spx.ts`.
 *
 * The package and the file in it are pinned; a file with another hash is refused rather than written.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'vega-datasets@3.2.1';
const FILE = 'package/data/sp500-2000.csv';
const SHA256 = '9409e9342d0657c747324e4cfabce8a8c7f663bc485b95a3378f36b0a160f8c8';
const HEADER = 'date,open,high,low,close,adjclose,volume';
const BARS = 5105;

function download(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'sandtable-spx-'));
  try {
    // On Windows npm is a .cmd file, which only a shell can start.
    const packed = execFileSync('npm', ['pack', PACKAGE, '--silent'], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    execFileSync('tar', ['-xzf', packed.trim().split('\n').at(-1)!, FILE], { cwd: folder });
    return readFileSync(path.join(folder, FILE), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Drops the adjusted close and the zeros that pad every price to six decimals; no value changes. */
function convert(source: string): string {
  const [header, ...lines] = source.trim().split(/\r?\n/);
  if (header !== HEADER) throw new Error(`Expected the columns ${HEADER}, found ${header}.`);
  if (lines.length !== BARS) throw new Error(`Expected ${BARS} bars, found ${lines.length}.`);
  const bars = lines.map((line) => {
    const [date, open, high, low, close, , volume] = line.split(',');
    return [date, ...[open, high, low, close, volume].map(Number)].join(',');
  });
  return `date,open,high,low,close,volume\n${bars.join('\n')}\n`;
}

const source = download();
const found = createHash('sha256').update(source).digest('hex');
if (found !== SHA256)
  throw new Error(`${FILE} of ${PACKAGE} has SHA-256 ${found}, not ${SHA256}: nothing was written.`);
const target = path.join(path.dirname(fileURLToPath(import.meta.url)), 'spx-daily.csv');
writeFileSync(target, convert(source));
console.log(`${BARS} bars written to data/spx-daily.csv`);
