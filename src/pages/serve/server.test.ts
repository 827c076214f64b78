import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { journalLines, textOfLines, writeJournal } from '../../../test/support/journal.ts';
import { readRun, sha256OfFile } from '../../runs/index.ts';
import { routeOf } from './routes.ts';
import type { RunRow } from './run-store.ts';
import { type RunningServer, startServer } from './server.ts';

let outside: string;
let root: string;
let server: RunningServer;
let problems: unknown[];

beforeEach(async () => {
  outside = mkdtempSync(join(tmpdir(), 'sandtable-serve-'));
  root = join(outside, 'runs');
  problems = [];
  addRun('first');
  addRun('second');
  server = await startServer({ folder: root, port: 0, onProblem: (error) => problems.push(error) });
});
afterEach(async () => {
  await server.close();
  rmSync(outside, { recursive: true, force: true });
});

function addRun(name: string, lines = journalLines(10)): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  return writeJournal(folder, lines);
}

/** A run with the files of its end; gives its journal. */
function finishedRun(name: string): string {
  const journal = addRun(name);
  const folder = join(root, name);
  writeFileSync(join(folder, 'summary.json'), JSON.stringify(readRun(folder).summary));
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ journal: { sha256: sha256OfFile(journal) } }),
  );
  utimesSync(join(folder, 'manifest.json'), 1, 1);
  return journal;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** By node:http, which sends a path as it is written: fetch would clean it first. */
function ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
  const { port } = new URL(server.url);
  return new Promise((done, failed) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', failed);
    sent.end(body);
  });
}

const token = (): Record<string, string> => ({
  'X-Sandtable-Token': new URL(server.url).hash.slice('#token='.length),
});
const own = (): string => new URL(server.url).host;

describe('the server', () => {
  it('answers pages and data, each with a policy that lets nothing else in', async () => {
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
    expect(problems).toEqual([]);
  });

  it('listens on this machine only', async () => {
    const { port } = new URL(server.url);
    // Another loopback address is this machine too, but not the one that was bound.
    const refused = await new Promise((done) => {
      const socket = connect({ host: '127.0.0.2', port: Number(port) });
      socket.on('connect', () => {
        socket.destroy();
        done('connected');
      });
      socket.on('error', (error: NodeJS.ErrnoException) => done(error.code));
    });
    expect(refused).not.toBe('connected');
  });

  it('refuses names that are not its own, and other sites', async () => {
    const { port } = new URL(server.url);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      '127.0.0.1:1',
      `0.0.0.0:${port}`,
    ])
      expect([host, (await ask('/', { headers: { Host: host } })).status]).toEqual([host, 421]);
    expect((await ask('/', { headers: { Host: `localhost:${port}` } })).status).toBe(200);
    expect((await ask('/', { headers: { Origin: 'http://evil.example' } })).status).toBe(403);
    expect((await ask('/', { headers: { Origin: 'null' } })).status).toBe(403);
    expect((await ask('/', { headers: { Origin: `http://${own()}` } })).status).toBe(200);
  });

  it('reaches nothing outside its folder, however the way is written', async () => {
    mkdirSync(join(outside, 'secret'));
    writeJournal(join(outside, 'secret'), journalLines(3, 'secret'));
    symlinkSync(join(outside, 'secret'), join(root, 'link'));
    mkdirSync(join(root, 'linked-journal'));
    symlinkSync(join(outside, 'secret', 'journal.jsonl'), join(root, 'linked-journal', 'journal.jsonl'));
    symlinkSync(join(outside, 'secret', 'journal.jsonl'), join(root, 'first', 'timing.json'));
    const names = [
      '../secret',
      '..%2fsecret',
      '..%2Fsecret',
      '%2e%2e%2fsecret',
      '%2e%2e/secret',
      '..%5csecret',
      '%252e%252e%252fsecret',
      encodeURIComponent(join(outside, 'secret')),
      join(outside, 'secret'),
      'first/../../secret',
      'first%2f..%2f..%2fsecret',
      '..',
      '.',
      '',
      '%00',
      'first%00',
      '%ff',
      'link',
      'linked-journal',
      '.sandtable-tags.json',
      '__proto__',
    ];
    for (const name of names) {
      for (const path of [
        `/runs/${name}/report`,
        `/runs/${name}/trace`,
        `/api/runs/${name}/bars/0`,
        `/api/runs/${name}/live`,
      ]) {
        const { status, text } = await ask(path);
        expect([path, status >= 400 && status < 500]).toEqual([path, true]);
        expect(text).not.toContain(outside);
      }
      const { status } = await ask(`/api/runs/${name}`, { method: 'DELETE', headers: token() });
      expect([name, status >= 400 && status < 500]).toEqual([name, true]);
    }
    expect(existsSync(join(outside, 'secret', 'journal.jsonl'))).toBe(true);
    expect(
      (JSON.parse((await ask('/api/runs')).text) as { runId: string }[]).map(({ runId }) => runId),
    ).toEqual(['second', 'first']);
    expect(problems).toEqual([]);
  });

  it('changes nothing without the token', async () => {
    const wrong = [{}, { 'X-Sandtable-Token': '' }, { 'X-Sandtable-Token': 'x'.repeat(32) }];
    for (const headers of wrong) {
      expect((await ask('/api/runs/first', { method: 'DELETE', headers })).status).toBe(401);
      expect((await ask('/api/runs/first/tags', { method: 'PUT', headers, body: '["a"]' })).status).toBe(401);
    }
    expect(
      (await ask(`/api/runs/first?token=${token()['X-Sandtable-Token']}`, { method: 'DELETE' })).status,
    ).toBe(401);
    expect(existsSync(join(root, 'first', 'journal.jsonl'))).toBe(true);
    expect(existsSync(join(root, '.sandtable-tags.json'))).toBe(false);
    const { text } = await ask('/');
    expect(text).not.toContain(token()['X-Sandtable-Token']);
  });

  it('takes each address by its own method only', async () => {
    for (const [method, path] of [
      ['POST', '/'],
      ['GET', '/api/runs/first'],
      ['POST', '/api/runs/first'],
      ['DELETE', '/runs/first/report'],
      ['DELETE', '/api/runs'],
      ['GET', '/api/runs/first/tags'],
    ] as const)
      expect([path, (await ask(path, { method, headers: token() })).status]).toEqual([path, 405]);
    for (const path of [
      '/nothing',
      '/runs',
      '/runs/first',
      '/runs/first/report/x',
      '/api',
      '/api/runs/first/x',
      '//',
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    for (const path of [
      '/api/runs/first/bars/x',
      '/api/runs/first/bars/-1',
      '/api/runs/first/steps?offset=1e9',
      '/api/runs/first/steps?trade=x',
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 400]);
  });

  it('deletes a run and its tags, and no run under way', async () => {
    expect(
      (await ask('/api/runs/first/tags', { method: 'PUT', headers: token(), body: '[" good ","good"]' }))
        .text,
    ).toBe('["good"]');
    expect(readFileSync(join(root, '.sandtable-tags.json'), 'utf8')).toContain('good');
    expect((await ask('/api/runs/first', { method: 'DELETE', headers: token() })).status).toBe(200);
    expect(existsSync(join(root, 'first'))).toBe(false);
    expect(readFileSync(join(root, '.sandtable-tags.json'), 'utf8')).not.toContain('good');
    expect((await ask('/api/runs/first', { method: 'DELETE', headers: token() })).status).toBe(404);

    const file = addRun('under-way', journalLines(10).slice(0, 8));
    expect((await ask('/api/runs/under-way', { method: 'DELETE', headers: token() })).status).toBe(409);
    utimesSync(file, 1, 1);
    expect((await ask('/api/runs/under-way', { method: 'DELETE', headers: token() })).status).toBe(200);
  });

  it('refuses what are no tags', async () => {
    const bodies = [
      '',
      '{',
      '{}',
      '[1]',
      '[""]',
      `["${'x'.repeat(41)}"]`,
      JSON.stringify(Array(21).fill('x')),
      `["${'x'.repeat(20_000)}"]`,
    ];
    for (const body of bodies) {
      const { status } = await ask('/api/runs/first/tags', { method: 'PUT', headers: token(), body });
      expect([body.slice(0, 30), status === 400 || status === 413]).toEqual([body.slice(0, 30), true]);
    }
    writeFileSync(join(root, '.sandtable-tags.json'), 'damaged');
    expect((await ask('/api/runs')).status).toBe(200);
  });

  it('says what is wrong with a journal, without a place of this machine', async () => {
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
      expect(text).not.toContain(outside);
      expect(text).toContain('run_started');
    }
    expect((await ask('/runs/damaged/report')).text).toContain('Line 5 is damaged: it and the');
    expect((await ask('/runs/damaged/trace')).text).toContain('Line 5 is damaged: it and the');
    const compared = await ask('/compare?run=first&run=damaged');
    expect(compared.status).toBe(422);
    expect(compared.text).toContain('damaged/journal.jsonl:5 is not a journal event');
    expect(compared.text).not.toContain(outside);
    expect((await ask('/')).status).toBe(200);
    expect(problems).toEqual([]);
  });

  it('takes the figures of a damaged run from what its journal still holds, and calls it damaged', async () => {
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

  it('works out the figures of a run whose summary is of another version', async () => {
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

  it('shows names as text, whatever is in them', async () => {
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

  it('tells of a growing journal until its end', async () => {
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
  it('says that a port is in use', async () => {
    const { port } = new URL(server.url);
    await expect(startServer({ folder: root, port: Number(port) })).rejects.toMatchObject({
      code: 'port_in_use',
    });
  });

  it('says that a folder cannot be read', async () => {
    for (const folder of ['nowhere', join(root, 'first', 'journal.jsonl')])
      await expect(startServer({ folder, port: 0 })).rejects.toMatchObject({ code: 'no_reports' });
  });

  it('has another token each time', async () => {
    const other = await startServer({ folder: root, port: 0 });
    await other.close();
    expect(new URL(other.url).hash).not.toBe(new URL(server.url).hash);
    expect(new URL(other.url).hash.length).toBeGreaterThan(30);
  });
});

describe('an address', () => {
  it('is read into the run and what is asked of it', () => {
    expect(routeOf('GET', '/runs/a%20b/report')).toEqual({ name: 'report', run: 'a b' });
    expect(routeOf('GET', '/compare?run=a&run=b%2Fc')).toEqual({ name: 'compare', runs: ['a', 'b/c'] });
    expect(routeOf('GET', '/api/runs/a/bars/12')).toEqual({ name: 'bar', run: 'a', bar: 12 });
    expect(routeOf('DELETE', '/api/runs/a')).toEqual({ name: 'run', run: 'a' });
  });
});
