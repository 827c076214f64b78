import { createWriteStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { request, retry } from '../../kernel/http/index.ts';
import { messageOf } from '../../kernel/index.ts';
import type { SourceContext, Wheel, WheelSource } from './wheel-store.ts';

interface WebSourceOptions {
  /** Maximum time until the headers of a response arrive, in ms. Short, because being offline must not cost more. */
  readonly answerWithinMs?: number;
  /** Time without a byte after which a download is stopped and resumed, in ms. */
  readonly stalledAfterMs?: number;
}

const ATTEMPTS = 4;
/** Maximum time of one attempt, in ms. */
const TOTAL_MS = 1_800_000;
/** Maximum size of one file, in bytes: the largest wheel of the lock file has 15 MB. */
const MAX_BYTES = 256 * 2 ** 20;

/** Source of wheels at an address: Pyodide's distribution, or a mirror of it. */
export function webSource(baseUrl: string, options: WebSourceOptions = {}): WheelSource {
  const folderUrl = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`;
  return {
    label: `web ${folderUrl}`,
    async deliver(missing, context) {
      for (const wheel of missing)
        await fetchWheel(new URL(wheel.fileName, folderUrl), wheel, context, options);
    },
  };
}

async function fetchWheel(
  url: URL,
  wheel: Wheel,
  context: SourceContext,
  options: WebSourceOptions,
): Promise<void> {
  const part = path.join(context.folder, `${wheel.fileName}.part`);
  let before = -1;
  try {
    await retry(
      {
        attempts: ATTEMPTS,
        signal: context.signal,
        // A retry helps a download that was interrupted, but not a server that does not respond.
        waitAfter: (error) => (error instanceof FinalError || error instanceof NoProgress ? undefined : 0),
      },
      async () => {
        try {
          await download(url, part, wheel, context, options);
        } catch (error) {
          context.signal?.throwIfAborted();
          const size = await sizeOf(part);
          if (error instanceof FinalError) throw error;
          if (size <= before || size === 0) throw new NoProgress(messageOf(error));
          before = size;
          throw error;
        }
      },
    );
  } catch (error) {
    context.signal?.throwIfAborted();
    throw new Error(`${wheel.fileName}: ${messageOf(error)}`);
  }
  try {
    await context.accept(wheel, await readFile(part));
  } finally {
    await rm(part, { force: true });
  }
}

/** Error that a further attempt cannot fix, for example a file that does not exist. */
class FinalError extends Error {}
/** A failed attempt that received no further bytes. */
class NoProgress extends Error {}

async function download(
  url: URL,
  part: string,
  wheel: Wheel,
  context: SourceContext,
  options: WebSourceOptions,
): Promise<void> {
  const { answerWithinMs = 5_000, stalledAfterMs = 20_000 } = options;
  const have = await sizeOf(part);
  const response = await request(
    url,
    {
      // A byte range of a compressed response would not be a range of the file.
      headers: { 'accept-encoding': 'identity', ...(have > 0 ? { range: `bytes=${have}-` } : {}) },
      signal: context.signal,
    },
    { maxBytes: MAX_BYTES, answerMs: answerWithinMs, idleMs: stalledAfterMs, totalMs: TOTAL_MS },
  );
  if (!response.ok) await response.body?.cancel();
  if (response.status === 416) {
    await rm(part, { force: true });
    throw new Error('the server refused to resume');
  }
  const location = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && location !== null)
    throw new FinalError(
      `HTTP ${response.status} redirects to ${location}, and redirects are not followed; set SANDTABLE_PYODIDE_URL to the final address`,
    );
  if (!response.ok || response.body === null) throw new FinalError(`HTTP ${response.status}`);
  const resumed =
    response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${have}-`);
  if (response.status === 206 && !resumed)
    throw new FinalError('the server sent a different part than requested');
  let done = resumed ? have : 0;
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const total = Number.isFinite(length) ? { total: done + length } : {};
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      done += chunk.length;
      context.onProgress({ stage: 'wheels', message: `downloading ${wheel.fileName}`, done, ...total });
      yield chunk;
    }
  };
  await pipeline(
    Readable.fromWeb(response.body as ReadableStream),
    counted,
    createWriteStream(part, { flags: resumed ? 'a' : 'w' }),
  );
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** Source of wheels in a folder filled by the user, for example on a machine without network. */
export function folderSource(folder: string): WheelSource {
  return {
    label: `folder ${folder}`,
    async deliver(missing, { accept }) {
      const found = await stat(folder).catch(() => undefined);
      if (!found?.isDirectory()) throw new Error('the folder does not exist');
      const faults: string[] = [];
      for (const wheel of missing) {
        try {
          await accept(wheel, await readFile(path.join(folder, wheel.fileName)));
        } catch (error) {
          const absent = (error as NodeJS.ErrnoException).code === 'ENOENT';
          faults.push(absent ? `${wheel.fileName} is not there` : messageOf(error));
        }
      }
      if (faults.length > 0) throw new Error(faults.join('; '));
    },
  };
}
