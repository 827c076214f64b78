import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/index.ts';
import { folderSource, webSource } from './source-web.ts';
import { ensureWheels, type Wheel, type WheelSource } from './wheel-store.ts';

const WHEEL_BYTES = 100_000;

function fakeWheel(name: string): { wheel: Wheel; bytes: Buffer } {
  const bytes = Buffer.alloc(WHEEL_BYTES, name);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes, wheel: { name, version: '1', fileName: `${name}-1.whl`, sha256 } };
}

const numpy = fakeWheel('numpy');
const pandas = fakeWheel('pandas');
const wheels = [numpy.wheel, pandas.wheel];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'sandtable-wheels-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Source that delivers given wheels and records the requests. */
function scripted(
  label: string,
  holds: readonly { wheel: Wheel; bytes: Buffer }[],
): WheelSource & { asked: string[][] } {
  const asked: string[][] = [];
  return {
    label,
    asked,
    async deliver(missing, { accept }) {
      asked.push(missing.map((wheel) => wheel.name));
      for (const { wheel, bytes } of holds) if (missing.includes(wheel)) await accept(wheel, bytes);
    },
  };
}

async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

describe('ensureWheels', () => {
  it('requests from each source only the missing files, and stops when none are missing', async () => {
    const first = scripted('first', [numpy]);
    const second = scripted('second', [numpy, pandas]);
    const third = scripted('third', [pandas]);
    const paths = await ensureWheels({ folder, wheels, sources: [first, second, third] });
    expect(first.asked).toEqual([['numpy', 'pandas']]);
    expect(second.asked).toEqual([['pandas']]);
    expect(third.asked).toEqual([]);
    expect(await Promise.all(paths.map((file) => readFile(file)))).toEqual([numpy.bytes, pandas.bytes]);
  });

  it('requests nothing if the cache is complete', async () => {
    await ensureWheels({ folder, wheels, sources: [scripted('first', [numpy, pandas])] });
    await ensureWheels({ folder, wheels, sources: [] });
  });

  it('detects a damaged file in the cache and downloads it again', async () => {
    await ensureWheels({ folder, wheels, sources: [scripted('first', [numpy, pandas])] });
    await writeFile(path.join(folder, pandas.wheel.fileName), 'cut short');
    const again = scripted('again', [numpy, pandas]);
    await ensureWheels({ folder, wheels, sources: [again] });
    expect(again.asked).toEqual([['pandas']]);
    expect(await readFile(path.join(folder, pandas.wheel.fileName))).toEqual(pandas.bytes);
  });

  it('refuses bytes with another hash than in the lock', async () => {
    const liar = scripted('liar', [{ wheel: numpy.wheel, bytes: pandas.bytes }]);
    const error = await failure(ensureWheels({ folder, wheels, sources: [liar] }));
    expect(error.message).toContain(`liar: numpy-1.whl has SHA-256 ${pandas.wheel.sha256}`);
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports every source with its reason and every missing file, and stores verified files', async () => {
    const sources = [scripted('the first', [numpy]), folderSource(path.join(folder, 'nowhere'))];
    const error = await failure(ensureWheels({ folder, wheels, sources }));
    expect(error).toMatchObject({ code: 'no_python_wheels', kind: 'run' });
    expect(error.message).toContain('the first: does not contain pandas-1.whl');
    expect(error.message).toContain(`folder ${path.join(folder, 'nowhere')}: the folder does not exist`);
    expect(error.hint).toContain('SANDTABLE_WHEELS');
    expect(error.hint).toContain('pandas-1.whl');
    expect(error.hint).not.toContain('numpy-1.whl');
    expect(await readdir(folder)).toEqual(['numpy-1.whl']);
  });

  it('downloads once for two concurrent callers', async () => {
    const source = scripted('slow', [numpy, pandas]);
    const request = { folder, wheels, sources: [source] };
    const [one, other] = await Promise.all([ensureWheels(request), ensureWheels(request)]);
    expect(one).toEqual(other);
    expect(source.asked).toHaveLength(1);
  });
});

describe('folderSource', () => {
  it('uses available files and reports missing ones', async () => {
    const given = await mkdtemp(path.join(os.tmpdir(), 'sandtable-given-'));
    await writeFile(path.join(given, numpy.wheel.fileName), numpy.bytes);
    const error = await failure(ensureWheels({ folder, wheels, sources: [folderSource(given)] }));
    expect(error.message).toContain('pandas-1.whl is not there');
    expect(await readdir(folder)).toEqual(['numpy-1.whl']);
    await rm(given, { recursive: true });
  });
});

describe('webSource', () => {
  let server: http.Server;
  let requests: string[];
  let answer: http.RequestListener;
  let url: string;

  beforeEach(async () => {
    requests = [];
    server = http.createServer((request, response) => {
      requests.push(`${path.basename(request.url ?? '')} ${request.headers.range ?? 'whole'}`);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/full`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const contentOf = (request: http.IncomingMessage): Buffer =>
    (request.url?.includes('numpy') ? numpy : pandas).bytes;

  /** Sends the requested range. Closes the connection after `limit` bytes if a limit is given. */
  function sendRange(request: http.IncomingMessage, response: http.ServerResponse, limit?: number): void {
    const content = contentOf(request);
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const range =
      start > 0 ? { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` } : {};
    response.writeHead(start > 0 ? 206 : 200, { 'content-length': content.length - start, ...range });
    if (limit === undefined) response.end(content.subarray(start));
    else
      response.write(content.subarray(start, start + limit), () => setTimeout(() => response.destroy(), 20));
  }

  it('downloads every file and reports the bytes', async () => {
    answer = sendRange;
    const done: number[] = [];
    const onProgress = (event: { done?: number }): void => void done.push(event.done ?? 0);
    await ensureWheels({ folder, wheels, sources: [webSource(url)], onProgress });
    expect(requests).toEqual(['numpy-1.whl whole', 'pandas-1.whl whole']);
    expect(done.at(-1)).toBe(WHEEL_BYTES);
    expect(await readdir(folder)).toEqual(['numpy-1.whl', 'pandas-1.whl']);
  });

  it('resumes a download whose connection was cut', async () => {
    answer = (request, response) => sendRange(request, response, requests.length === 1 ? 40_000 : undefined);
    await ensureWheels({ folder, wheels: [numpy.wheel], sources: [webSource(url)] });
    expect(requests).toEqual(['numpy-1.whl whole', 'numpy-1.whl bytes=40000-']);
  });

  it('resumes the download of an earlier process, and starts again if the server cannot resume', async () => {
    await writeFile(path.join(folder, 'numpy-1.whl.part'), numpy.bytes.subarray(0, 10));
    answer = (request, response) => response.end(contentOf(request));
    await ensureWheels({ folder, wheels: [numpy.wheel], sources: [webSource(url)] });
    expect(requests).toEqual(['numpy-1.whl bytes=10-']);
    expect(await readdir(folder)).toEqual(['numpy-1.whl']);
  });

  it('discards a partial file that does not belong to the file', async () => {
    await writeFile(path.join(folder, 'numpy-1.whl.part'), 'something else');
    answer = sendRange;
    const error = await failure(ensureWheels({ folder, wheels: [numpy.wheel], sources: [webSource(url)] }));
    expect(error.message).toMatch(/numpy-1.whl has SHA-256/);
    await ensureWheels({ folder, wheels: [numpy.wheel], sources: [webSource(url)] });
    expect(requests.at(-1)).toBe('numpy-1.whl whole');
  });

  it('reports the HTTP status without a retry', async () => {
    answer = (_request, response) => response.writeHead(404).end();
    const error = await failure(ensureWheels({ folder, wheels, sources: [webSource(url)] }));
    expect(error.message).toContain(`web ${url}/: numpy-1.whl: HTTP 404`);
    expect(requests).toHaveLength(1);
  });

  it('times out if the server does not respond', async () => {
    answer = () => {};
    const silent = webSource(url, { answerWithinMs: 50 });
    const error = await failure(ensureWheels({ folder, wheels, sources: [silent] }));
    expect(error.message).toContain('no response within 50 ms');
    expect(requests).toHaveLength(1);
  });

  it('continues with the next source if the server is unavailable', async () => {
    const down = webSource('http://127.0.0.1:9/');
    await ensureWheels({ folder, wheels, sources: [down, scripted('next', [numpy, pandas])] });
    const error = await failure(
      ensureWheels({ folder: path.join(folder, 'other'), wheels, sources: [down] }),
    );
    expect(error.message).toMatch(/ECONNREFUSED|bad port/);
  });
});
