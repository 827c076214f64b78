import { appendFileSync, existsSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journalLines, textOfLines } from '../../../test/support/journal.ts';
import { serveRuns } from '../../../test/support/served-runs.ts';
import { readRun } from '../../results/runs/index.ts';
import type { RunRow } from './run-store.ts';
import { startServer } from './server.ts';

const served = serveRuns();
const { addRun, finishedRun, ask, token } = served;

describe('the server', () => {
  it('serves pages and data, each with a policy that blocks everything else', async () => {
    const pages = ['/', '/runs/first/report', '/runs/first/trace', '/compare?run=first&run=second'];
    const data = [
      '/api/runs',
      '/api/runs/first/steps',
      '/api/runs/first/bars/2',
      '/api/runs/first/overview?symbol=0',
    ];
    for (const path of [...pages, ...data]) {
      const { status, headers } = await ask(path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).not.toContain("script-src 'unsafe");
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(served.problems).toEqual([]);
  });

  it('deletes a run, but not one in progress', async () => {
    expect((await ask('/api/runs/first', { method: 'DELETE', headers: token() })).status).toBe(200);
    expect(existsSync(join(served.root, 'first'))).toBe(false);
    expect((await ask('/api/runs/first', { method: 'DELETE', headers: token() })).status).toBe(404);

    const file = addRun('under-way', journalLines(10).slice(0, 8));
    expect((await ask('/api/runs/under-way', { method: 'DELETE', headers: token() })).status).toBe(409);
    utimesSync(file, 1, 1);
    expect((await ask('/api/runs/under-way', { method: 'DELETE', headers: token() })).status).toBe(200);
  });

  const rowOfFirst = async () =>
    (JSON.parse((await ask('/api/runs')).text) as RunRow[]).find(({ runId }) => runId === 'first');

  it('stores notes and tags in the folder of the run', async () => {
    writeFileSync(join(served.root, '.sandtable-tags.json'), '{"first": ["earlier"]}');
    expect(await rowOfFirst()).toMatchObject({ tags: ['earlier'], notes: '' });
    const body = JSON.stringify({ tags: [' good ', 'good'], notes: ' Look at March.\nAgain. ' });
    const answer = await ask('/api/runs/first/notes', { method: 'PUT', headers: token(), body });
    const stored = { tags: ['good'], notes: 'Look at March.\nAgain.' };
    expect(JSON.parse(answer.text)).toEqual(stored);
    expect(JSON.parse(readFileSync(join(served.root, 'first', 'notes.json'), 'utf8'))).toEqual(stored);
    const report = (await ask('/runs/first/report')).text;
    expect(report).toContain('<p dir="auto">Look at March.\nAgain.</p>');
    expect(report).toContain('<bdi>good</bdi>');
    expect(await rowOfFirst()).toMatchObject(stored);
    writeFileSync(join(served.root, 'first', 'notes.json'), 'damaged');
    expect(await rowOfFirst()).toMatchObject({ tags: ['earlier'], notes: '' });
  });

  it('never follows a link in place of the notes', async () => {
    const secret = join(served.outside, 'secret.json');
    writeFileSync(secret, '{"tags":["secret"],"notes":""}');
    symlinkSync(secret, join(served.root, 'first', 'notes.json'));
    expect(await rowOfFirst()).toMatchObject({ tags: [] });
    const body = '{"tags":["mine"],"notes":""}';
    await ask('/api/runs/first/notes', { method: 'PUT', headers: token(), body });
    expect(readFileSync(secret, 'utf8')).toContain('secret');
    expect(await rowOfFirst()).toMatchObject({ tags: ['mine'] });
  });

  it('refuses notes and tags that are not valid', async () => {
    const tags = (...list: unknown[]): string => JSON.stringify({ tags: list, notes: '' });
    const bodies = [
      '',
      '{',
      '{}',
      '[]',
      tags(1),
      tags(''),
      tags('x'.repeat(41)),
      tags(...Array<string>(21).fill('x')),
      tags('x'.repeat(20_000)),
      JSON.stringify({ tags: [], notes: 'x'.repeat(4_001) }),
      JSON.stringify({ tags: [], notes: '', more: 1 }),
    ];
    for (const body of bodies) {
      const { status } = await ask('/api/runs/first/notes', { method: 'PUT', headers: token(), body });
      expect([body.slice(0, 30), status === 400 || status === 413]).toEqual([body.slice(0, 30), true]);
    }
    writeFileSync(join(served.root, '.sandtable-tags.json'), 'damaged');
    expect((await ask('/api/runs')).status).toBe(200);
  });

  it('reports faults of a journal without paths of this machine', async () => {
    addRun('empty', []);
    const lines = textOfLines(journalLines(10)).split('\n');
    lines[4] = '{"type":"bar","bar"';
    const file = addRun('damaged');
    writeFileSync(file, lines.join('\n'));
    for (const path of [
      '/runs/empty/report',
      '/runs/empty/trace',
      '/api/runs/empty/steps',
      '/compare?run=empty&run=first',
    ]) {
      const { status, text } = await ask(path);
      expect([path, status]).toEqual([path, 422]);
      expect(text).not.toContain(served.outside);
      expect(text).toMatch(/The journal is empty|run_started/);
    }
    expect((await ask('/runs/damaged/report')).text).toContain('Line 5 is damaged');
    expect((await ask('/runs/damaged/trace')).text).toContain('Line 5 is damaged');
    const compared = await ask('/compare?run=first&run=damaged');
    expect(compared.status).toBe(422);
    expect(compared.text).toContain('damaged/journal.jsonl:5 is not a journal event');
    expect(compared.text).not.toContain(served.outside);
    expect((await ask('/')).status).toBe(200);
    expect(served.problems).toEqual([]);
  });

  it('computes the figures of a damaged run from the readable part of its journal, and marks it as damaged', async () => {
    const rowOf = async (name: string) =>
      (JSON.parse((await ask('/api/runs')).text) as RunRow[]).find(({ runId }) => runId === name);
    const journal = finishedRun('run');
    const whole = await rowOf('run');
    expect(whole).toMatchObject({ state: 'completed', bars: 10, equity: '1009' });

    const text = readFileSync(journal, 'utf8');
    const lines = text.split('\n');
    const third = lines.findIndex((line) => line.startsWith('{"type":"bar","bar":3'));
    lines[third] = 'garbage';
    writeFileSync(journal, lines.join('\n'));
    expect(await rowOf('run')).toMatchObject({ state: 'damaged', bars: 3, planned: 10, equity: '1002' });
    writeFileSync(journal, `${text.split('\n').slice(0, third).join('\n')}\n`);
    expect(await rowOf('run')).toMatchObject({ state: 'damaged', bars: 3, equity: '1002' });
    writeFileSync(journal, 'garbage\n');
    expect(await rowOf('run')).toMatchObject({ state: 'damaged', bars: 0, equity: '', totalReturn: null });

    writeFileSync(journal, text);
    expect(await rowOf('run')).toEqual({ ...whole, changed: expect.any(Number) as number });
  });

  it('computes the figures of a run whose summary has another version', async () => {
    const journal = finishedRun('older');
    const { psr: _, ...older } = readRun(dirname(journal)).summary;
    writeFileSync(join(dirname(journal), 'summary.json'), JSON.stringify({ ...older, totalReturn: 7 }));
    const rows = JSON.parse((await ask('/api/runs')).text) as RunRow[];
    const { totalReturn, sharpe } = readRun(dirname(journal)).summary;
    expect(sharpe).not.toBeNull();
    expect(rows.find(({ runId }) => runId === 'older')).toMatchObject({
      state: 'completed',
      totalReturn,
      sharpe,
    });
  });

  it('escapes all names', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    addRun(hostile, journalLines(10, hostile, hostile));
    for (const path of [
      '/',
      `/runs/${encodeURIComponent(hostile)}/report`,
      `/runs/${encodeURIComponent(hostile)}/trace`,
    ]) {
      const { status, text } = await ask(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toContain('<img');
    }
    expect((await ask('/runs/%3Cimg%20src=x%3E/report')).text).not.toContain('<img');
  });

  it('streams a growing journal until its end', async () => {
    const lines = journalLines(10);
    const file = addRun('growing', lines.slice(0, 3));
    const answer = ask('/api/runs/growing/live');
    await new Promise((done) => setTimeout(done, 700));
    appendFileSync(file, textOfLines(lines.slice(3)));
    const { text, headers } = await answer;
    expect(headers['content-type']).toContain('text/event-stream');
    const progress = [...text.matchAll(/^event: progress\ndata: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data ?? '') as { bars: number; outcome: string | null },
    );
    expect(progress[0]).toMatchObject({ bars: 2, planned: 10, outcome: null });
    expect(progress.at(-1)).toMatchObject({ bars: 10, outcome: 'completed', equity: '1009' });
  });
});

describe('starting the server', () => {
  it('reports that a port is in use', async () => {
    const { port } = new URL(served.server.url);
    await expect(startServer({ folder: served.root, port: Number(port) })).rejects.toMatchObject({
      code: 'port_in_use',
    });
  });

  it('reports that a folder cannot be read', async () => {
    for (const folder of ['nowhere', join(served.root, 'first', 'journal.jsonl')])
      await expect(startServer({ folder, port: 0 })).rejects.toMatchObject({ code: 'no_reports' });
  });

  it('creates a new token each time', async () => {
    const other = await startServer({ folder: served.root, port: 0 });
    await other.close();
    expect(new URL(other.url).hash).not.toBe(new URL(served.server.url).hash);
    expect(new URL(other.url).hash.length).toBeGreaterThan(30);
  });
});
