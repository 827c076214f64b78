import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import type { StudyReport } from '../../results/analysis/index.ts';
import { SILENT } from '../../runner/index.ts';
import { runStudy } from './study.ts';
import { readStudyFile } from './study-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-mcp-arms-'));
afterAll(() => rmSync(folder, { recursive: true }));
const context = {
  environment: process.env,
  observer: SILENT,
  listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
};
const CLIENT = `"${process.execPath}" "${resolve('test/fixtures/mcp-client.mjs')}" {config}`;

function studyFile(name: string, more: string): string {
  const file = join(folder, `${name}.yaml`);
  const data = resolve('data/spx-daily.csv');
  writeFileSync(
    file,
    `strategies:\n${more}windows: [{ from: 2019-01-01, to: 2019-03-31 }]\ndata: ${data}\noptions: { from: 2018-12-01 }\nrandom: 0\n`,
  );
  return file;
}

async function study(name: string, more: string): Promise<StudyReport> {
  const { report } = await runStudy(studyFile(name, more), { out: folder, jobs: 1 }, context);
  if (report === undefined) throw new Error('the study has not ended');
  return report;
}

describe.skipIf(!buildIsHere())('an MCP client as an arm of a study', () => {
  it('trades each window through a separate server', async () => {
    const { arms } = await study('trades', `  - { mcp: '${CLIENT}', name: tester }\nsamples: 2\n`);
    expect(arms[0]?.failures).toEqual([]);
    expect(arms).toMatchObject([
      { name: 'tester', kind: 'agent', failures: [], figures: { totalReturn: { runs: 2 } } },
    ]);
    expect(arms[0]!.figures.exposure.mean).toBeGreaterThan(0);
  });

  it('has no result if the client ends early, calls no tool or fails', async () => {
    const modes = ['early', 'idle', 'fail'].map(
      (mode) => `  - { mcp: '${CLIENT} ${mode}', name: ${mode} }\n`,
    );
    const { arms } = await study('fails', modes.join(''));
    expect(arms.map(({ failures }) => failures[0]?.error)).toEqual([
      'the client ended before the last bar (interrupted)',
      'the client called no tool, so there is no run',
      'the client called no tool, so there is no run. the client ended with code 1: no such model',
    ]);
  });

  it('refuses options that a server does not support', () => {
    const file = studyFile('options', `  - { mcp: client, name: tester }\n`);
    const text = readFileSync(file, 'utf8').replace('2018-12-01 }', '2018-12-01, riskFree: 0.02 }');
    writeFileSync(file, text);
    expect(() => readStudyFile(file)).toThrow('options.riskFree is not supported by MCP clients');
  });
});
