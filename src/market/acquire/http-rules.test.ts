import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { DataServer, type Received, type Reply } from '../../../test/support/data-server.ts';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { Http, type HttpOptions } from './http.ts';

let server: DataServer | undefined;
afterEach(() => server?.stop());

async function httpTo(answer: (received: Received) => Reply, own: Partial<HttpOptions> = {}) {
  server = await new DataServer(answer).start();
  const notes: string[] = [];
  const options = { provider: 'x', baseUrl: `${server.url}/base`, spacing: 0, environment: {}, second: 0.1 };
  const http = new Http({ ...options, onNote: (text) => notes.push(text), ...own });
  return { http, notes, received: server.received, host: server.url.replace('http://', '') };
}

describe('a request to a provider', () => {
  it('has its query, secrets and headers, and returns the hash of the response', async () => {
    const { http, received, notes } = await httpTo(() => 'größer');
    const query = { a: '1', b: 'x y' };
    const answer = await http.get({ path: '/p', query, secret: { key: 'k' }, headers: { 'x-own': 'h' } });
    expect(answer).toEqual({
      status: 200,
      text: 'größer',
      sha256: createHash('sha256').update('größer').digest('hex'),
    });
    expect(received).toMatchObject([{ path: '/base/p', query: { ...query, key: 'k' } }]);
    expect(received[0]!.headers).toMatchObject({ 'user-agent': 'sandtable', 'x-own': 'h' });
    expect([notes, http.second, http.baseUrl.endsWith('/base')]).toEqual([[], 0.1, true]);
    expect(new Http({ provider: 'x', baseUrl: '', spacing: 0, environment: {} }).second).toBe(1000);
  });

  it('returns the error statuses that the caller expects, and throws for others', async () => {
    const { http } = await httpTo(() => ({ status: 404, text: 'none' }));
    expect(await http.get({ path: '/', expected: [400, 404] })).toMatchObject({ status: 404, text: 'none' });
    expect((await rejectionOf(http.get({ path: '/', expected: [400] }))).code).toBe('download_refused');
  });

  it('is sent six times to a busy server, with a note before each wait', async () => {
    const { http, notes, received, host } = await httpTo(() => ({ status: 500 }));
    const error = await rejectionOf(http.get({ path: '/p', secret: { key: 'geheim' } }));
    expect([error.code, error.kind, received.length]).toEqual(['download_failed', 'run', 6]);
    expect(error.message).toBe(`x: ${host}/base/p responded with HTTP 500.`);
    expect(error.hint).toBe(
      'The data received so far are saved. Run the same command again: it requests only the rest.',
    );
    // In this test a second lasts 0.1 ms, so the first wait is shown as 0 s.
    expect(notes).toHaveLength(5);
    expect(notes[0]).toBe(`x: ${host}/base/p responded with HTTP 500; next attempt in 0 s`);
    const waits: string[] = [];
    const stop = new AbortController();
    const slow = await httpTo(() => ({ status: 503 }), {
      ...{ second: 400, signal: stop.signal },
      onNote(text) {
        waits.push(text);
        stop.abort();
      },
    });
    await slow.http.get({ path: '/' }).catch(() => undefined);
    expect(waits).toEqual([expect.stringMatching(/next attempt in 0\.4 s$/)]);
  });

  it.each([
    [429, '120', true],
    [429, '121', false],
    [500, '7200', false],
  ])('after status %i with a requested wait of %s s is retried: %s', async (status, wait, isRetried) => {
    const stop = new AbortController();
    const { http, received } = await httpTo(() => ({ status, headers: { 'retry-after': wait } }), {
      ...{ signal: stop.signal },
      onNote: () => stop.abort(),
    });
    const error = await http.get({ path: '/' }).catch((thrown: unknown) => thrown as { hint?: string });
    // The note before a retry stops the request.
    expect(received).toHaveLength(1);
    if (!isRetried) expect((error as { hint: string }).hint).toContain(`again in ${wait} s: it requests`);
    else expect((error as { hint?: string }).hint).toBeUndefined();
  });

  it.each<[Reply, RegExp, RegExp]>([
    [{ status: 401 }, /HTTP 401: the key is missing, wrong/, /Keys are read from the environment/],
    [{ status: 403 }, /HTTP 403: the key is missing, wrong/, /Keys are read from the environment/],
    [{ status: 404 }, /responded with HTTP 404\.$/, /Check the symbol/],
    [{ status: 400 }, /responded with HTTP 400\.$/, /Check the symbol/],
    [
      { status: 302, headers: { location: 'http://other.example/x' } },
      /redirects to other\.example, and/,
      /proxy/,
    ],
    [{ status: 300, headers: { location: '/x' } }, /redirects to 127\.0\.0\.1:\d+, and/, /proxy/],
    [{ status: 399 }, /redirects to another address, and/, /proxy/],
  ])('is not retried after %j', async (reply, message, hint) => {
    const { http, received } = await httpTo(() => reply);
    const error = await rejectionOf(http.get({ path: '/p' }));
    expect([error.code, received.length]).toEqual(['download_refused', 1]);
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
  });

  it('is not retried if the response is too large', async () => {
    const { http, received } = await httpTo(() => 'x'.repeat(101), { maxBytes: 100 });
    expect((await rejectionOf(http.get({ path: '/p' }))).hint).toBe(
      'Request a shorter period with --from and --to.',
    );
    expect(received).toHaveLength(1);
    expect(
      (await (await httpTo(() => 'x'.repeat(100), { maxBytes: 100 })).http.get({ path: '/' })).text,
    ).toHaveLength(100);
  });

  it('is retried if the server does not respond', async () => {
    const { http, notes } = await httpTo(() => 'late');
    server!.troubles.push('hang up', 'hang up');
    expect((await http.get({ path: '/p' })).text).toBe('late');
    expect(notes).toHaveLength(2);
    expect(notes[0]).toMatch(/^x: no response from 127\.0\.0\.1:\d+\/base\/p \(.*\); next attempt in 0 s$/);
  });

  it('uses the key of the environment without surrounding spaces, and fails without a key', async () => {
    const http = new Http({ provider: 'x', baseUrl: '', spacing: 0, environment: { A: ' k ', B: ' ' } });
    expect(http.key('A')).toBe('k');
    for (const name of ['B', 'C'])
      expect(() => http.key(name)).toThrow(`x: the environment variable ${name} is not set.`);
  });

  it('reports a pause with its reason and length', async () => {
    const { http, notes } = await httpTo(() => '');
    await http.pause(1, 'the limit is reached');
    expect(notes).toEqual(['x: the limit is reached; waiting 0 s']);
    const aborted = new Http({
      ...{ provider: 'x', baseUrl: '', spacing: 0, environment: {} },
      ...{ signal: AbortSignal.abort(), onNote: (text: string) => notes.push(text) },
    });
    await aborted.pause(1_260_000, 'limit').catch(() => undefined);
    expect(notes[1]).toBe('x: limit; waiting 1260 s');
  });
});
