import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runSummarySchema } from '../../src/results/analysis/summary/summary-schema.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const runFolder = read('docs/run-folder.md');
const metrics = read('docs/metrics.md');
const said = `${runFolder}\n${metrics}`;

/** Names that the pages mark as code. */
const names = new Set([...said.matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => code!.split(/[,\s[\]().]+/)));

describe('docs/run-folder.md and docs/metrics.md', () => {
  it.each(Object.keys(runSummarySchema.shape))('document %s of summary.json', (field) => {
    expect(names).toContain(field);
  });

  it.each(['example-sma-cross', 'example-llm-momentum'])('document every field of %s', (example) => {
    const manifest = JSON.parse(read(`reports/${example}/manifest.json`)) as object;
    const events = read(`reports/${example}/journal.jsonl`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type: string });
    const fields = new Set([
      ...Object.keys(manifest),
      ...events.flatMap((event) => [event.type, ...Object.keys(event)]),
    ]);
    expect([...fields].filter((field) => !names.has(field))).toEqual([]);
  });
});
