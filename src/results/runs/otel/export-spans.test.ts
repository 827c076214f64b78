import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rejectionOf } from '../../../../test/support/error-of.ts';
import { journalLines, writeJournal } from '../../../../test/support/journal.ts';
import { exportSpans } from './export-spans.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-export-spans-'));
writeJournal(root, journalLines(4));
afterAll(() => rmSync(root, { recursive: true }));

/** Response of the collector, and the last request that it received. */
let [status, answer] = [200, ''];
let received: {
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  body: string;
};
const server = createServer((request, response) => {
  received = { url: request.url, headers: request.headers, body: '' };
  request.on('data', (chunk: Buffer) => {
    received.body += chunk.toString();
  });
  request.on('end', () => response.writeHead(status).end(answer));
});
let host = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe('an export of spans', () => {
  it('to a file writes one request per line', async () => {
    const file = join(root, 'spans.jsonl');
    // One span for the run, one for the decision, two for requests and one for the tool call.
    expect(await exportSpans(root, file, {})).toEqual({ spans: 5, place: file });
    const lines = readFileSync(file, 'utf8').split('\n');
    expect([lines.length, lines[1]]).toEqual([2, '']);
    expect(lines[0]).toMatch(/^\{"resourceSpans":/);
    const error = await rejectionOf(exportSpans(root, join(root, 'missing', 'x.jsonl'), {}));
    expect(error.code).toBe('otel_unwritable');
  });

  it('to a collector sends the headers of the environment variable', async () => {
    const environment = { OTEL_EXPORTER_OTLP_HEADERS: 'x-key = a%20b=c ,broken, x-raw=%zz' };
    expect(await exportSpans(root, `HTTP://${host}`, environment)).toEqual({ spans: 5, place: host });
    expect(received.url).toBe('/v1/traces');
    expect(received.headers).toMatchObject({
      ...{ 'x-key': 'a b=c', 'x-raw': '%zz', 'content-type': 'application/json' },
    });
    expect(received.headers).not.toHaveProperty('broken');
    expect(received.body).toMatch(/^\{"resourceSpans":/);
    await exportSpans(root, `http://${host}/own/path`, {});
    expect(received.url).toBe('/own/path');
  });

  it.each([
    [302, '', 'HTTP 302, and redirects are not followed.'],
    [299, '', undefined],
    [400, ` ${'x'.repeat(201)} `, `HTTP 400, ${'x'.repeat(200)}.`],
    [401, '', 'HTTP 401.'],
  ])('reports a response with status %d', async (code, text, problem) => {
    [status, answer] = [code, text];
    const exported = exportSpans(root, `http://${host}`, {});
    if (problem === undefined) expect((await exported).spans).toBe(5);
    else
      expect(await rejectionOf(exported)).toMatchObject({
        code: 'otel_refused',
        message: `The collector at ${host} rejected the spans: ${problem}`,
      });
  });

  it('is refused for another scheme and for an invalid address', async () => {
    for (const place of ['grpc://localhost:4317', 'http://'])
      expect((await rejectionOf(exportSpans(root, place, {}))).code).toBe('bad_flags');
  });
});
