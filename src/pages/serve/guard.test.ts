import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journalLines, writeJournal } from '../../../test/support/journal.ts';
import { serveRuns } from '../../../test/support/served-runs.ts';

const served = serveRuns();
const { ask, token, own } = served;

describe('access control of the server', () => {
  it('accepts connections from this machine only', async () => {
    const { port } = new URL(served.server.url);
    // 127.0.0.2 is also a loopback address, but the server listens only on 127.0.0.1.
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

  it('refuses other host names and other sites', async () => {
    const { port } = new URL(served.server.url);
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

  it('serves nothing outside its folder, for any form of the path', async () => {
    mkdirSync(join(served.outside, 'secret'));
    writeJournal(join(served.outside, 'secret'), journalLines(3, 'secret'));
    symlinkSync(join(served.outside, 'secret'), join(served.root, 'link'));
    mkdirSync(join(served.root, 'linked-journal'));
    symlinkSync(
      join(served.outside, 'secret', 'journal.jsonl'),
      join(served.root, 'linked-journal', 'journal.jsonl'),
    );
    symlinkSync(join(served.outside, 'secret', 'journal.jsonl'), join(served.root, 'first', 'timing.json'));
    const names = [
      '../secret',
      '..%2fsecret',
      '..%2Fsecret',
      '%2e%2e%2fsecret',
      '%2e%2e/secret',
      '..%5csecret',
      '%252e%252e%252fsecret',
      encodeURIComponent(join(served.outside, 'secret')),
      join(served.outside, 'secret'),
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
        expect(text).not.toContain(served.outside);
      }
      const { status } = await ask(`/api/runs/${name}`, { method: 'DELETE', headers: token() });
      expect([name, status >= 400 && status < 500]).toEqual([name, true]);
    }
    expect(existsSync(join(served.outside, 'secret', 'journal.jsonl'))).toBe(true);
    expect(
      (JSON.parse((await ask('/api/runs')).text) as { runId: string }[]).map(({ runId }) => runId),
    ).toEqual(['second', 'first']);
    expect(served.problems).toEqual([]);
  });

  it('changes nothing without the token', async () => {
    const wrong = [{}, { 'X-Sandtable-Token': '' }, { 'X-Sandtable-Token': 'x'.repeat(32) }];
    for (const headers of wrong) {
      expect((await ask('/api/runs/first', { method: 'DELETE', headers })).status).toBe(401);
      expect(
        (await ask('/api/runs/first/notes', { method: 'PUT', headers, body: '{"tags":["a"],"notes":""}' }))
          .status,
      ).toBe(401);
    }
    expect(
      (await ask(`/api/runs/first?token=${token()['X-Sandtable-Token']}`, { method: 'DELETE' })).status,
    ).toBe(401);
    expect(existsSync(join(served.root, 'first', 'journal.jsonl'))).toBe(true);
    expect(existsSync(join(served.root, 'first', 'notes.json'))).toBe(false);
    const { text } = await ask('/');
    expect(text).not.toContain(token()['X-Sandtable-Token']);
  });

  it('accepts each address with its own method only', async () => {
    for (const [method, path] of [
      ['POST', '/'],
      ['GET', '/api/runs/first'],
      ['POST', '/api/runs/first'],
      ['DELETE', '/runs/first/report'],
      ['DELETE', '/api/runs'],
      ['GET', '/api/runs/first/notes'],
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
      '/api/runs/first/steps?since=1e9',
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 400]);
  });
});
