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
  /**
   * Maximum time in ms until the headers of a response arrive. Short, so that a machine without network does
   * not wait long.
   */
  readonly answerWithinMs?: number;
  /**
   * Time in ms without new bytes after which a download is aborted. The next attempt resumes the download.
   */
  readonly stalledAfterMs?: number;
}

const ATTEMPTS = 4;
/** Maximum duration of one attempt to download a file, in ms. */
const TOTAL_MS = 1_800_000;
/** Maximum size of one file in bytes. The largest wheel of the lock file has 15 MB. */
const MAX_BYTES = 256 * 2 ** 20;

/** Returns the source that downloads wheels from an address: Pyodide's distribution, or a mirror of it. */
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
        // An attempt that received new bytes and was interrupted is followed by another one. If the server
        // sent no new bytes, the download fails without another attempt.
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

/** Error for which another attempt cannot help, for example if a file does not exist. */
class FinalError extends Error {}
/** Error of an attempt that received no new bytes. */
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
      // Prevents compression, because a byte range of a compressed response is not a range of the file.
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

/**
 * Returns the source that reads wheels from a folder. The user fills the folder, for example on a machine
 * without network.
 */
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
