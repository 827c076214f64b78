import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../engine/index.ts';
import { eventLine, readJournal } from '../../journal/index.ts';
import { runSummarySchema } from '../analysis/index.ts';
import { equityCsv, tradesCsv } from './export/run-csv.ts';
import { sha256OfFile } from './files.ts';

const reports = join(import.meta.dirname, '..', '..', '..', 'reports');
const examples = readdirSync(reports).filter((name) => name.startsWith('example-'));
const json = (run: string, name: string): unknown =>
  JSON.parse(readFileSync(join(reports, run, name), 'utf8'));

describe('recorded example runs', () => {
  it('exist', () => {
    expect(examples).toEqual(['example-llm-momentum', 'example-sma-cross']);
  });

  it.each(examples)('have summaries of this version, and the journal of their manifest: %s', (run) => {
    expect(runSummarySchema.safeParse(json(run, 'summary.json')).error?.issues ?? []).toEqual([]);
    expect(json(run, 'manifest.json')).toMatchObject({
      journal: { sha256: sha256OfFile(join(reports, run, 'journal.jsonl')) },
    });
  });

  it.each(examples)('have tables that this version reproduces byte for byte: %s', (run) => {
    const record = readJournal(join(reports, run, 'journal.jsonl'));
    const recorded = (name: string): string => readFileSync(join(reports, run, name), 'utf8');
    expect(equityCsv(record)).toBe(recorded('equity.csv'));
    expect(tradesCsv(record)).toBe(recorded('trades.csv'));
    const lines = recorded('journal.jsonl').trimEnd().split('\n');
    expect(lines.map((line) => eventLine(JSON.parse(line) as RunEvent))).toEqual(lines);
  });
});
