import { createWriteStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { messageOf } from '../../kernel/index.ts';
import type { Wheel } from './wheel-lock.ts';
import type { SourceContext, WheelSource } from './wheel-store.ts';

export interface WebSourceOptions {
  /** Time to wait for the first byte of an answer, in ms: being offline must not cost more. */
  readonly answerWithinMs?: number;
  /** Time without a byte after which a download is cut and resumed, in ms. */
  readonly stalledAfterMs?: number;
}

const ATTEMPTS = 4;

/** Pyodide's own distribution, or a mirror of it. */
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
  for (let attempt = 1; ; attempt += 1) {
    try {
      await download(url, part, wheel, context, options);
      break;
    } catch (error) {
      context.signal?.throwIfAborted();
      const size = await sizeOf(part);
      // Trying again helps a download that was cut on its way, not a host that does not answer.
      if (error instanceof FinalError || size <= before || size === 0 || attempt === ATTEMPTS) {
        throw new Error(`${wheel.fileName}: ${reasonOf(error)}`);
      }
      before = size;
    }
  }
  try {
    await context.accept(wheel, await readFile(part));
  } finally {
    await rm(part, { force: true });
  }
}

/** A refusal that trying again will not change. */
class FinalError extends Error {}

async function download(
  url: URL,
  part: string,
  wheel: Wheel,
  context: SourceContext,
  options: WebSourceOptions,
): Promise<void> {
  const { answerWithinMs = 5_000, stalledAfterMs = 20_000 } = options;
  const have = await sizeOf(part);
  const idle = new AbortController();
  const idleAfter = (ms: number, what: string): NodeJS.Timeout =>
    setTimeout(() => idle.abort(new Error(what)), ms);
  let timer = idleAfter(answerWithinMs, `no answer within ${answerWithinMs} ms`);
  try {
    const response = await fetch(url, {
      // Compressed on the way, a byte range would count other bytes than the file's.
      headers: { 'accept-encoding': 'identity', ...(have > 0 ? { range: `bytes=${have}-` } : {}) },
      signal: context.signal ? AbortSignal.any([idle.signal, context.signal]) : idle.signal,
    });
    if (response.status === 416) {
      await rm(part, { force: true });
      throw new Error('the server refused to resume');
    }
    if (!response.ok || response.body === null) throw new FinalError(`HTTP ${response.status}`);
    const resumed =
      response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${have}-`);
    if (response.status === 206 && !resumed)
      throw new FinalError('the server sent another part than was asked for');
    let done = resumed ? have : 0;
    const length = Number(response.headers.get('content-length') ?? Number.NaN);
    const total = Number.isFinite(length) ? { total: done + length } : {};
    const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        clearTimeout(timer);
        timer = idleAfter(stalledAfterMs, `no data for ${stalledAfterMs} ms`);
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
  } finally {
    clearTimeout(timer);
  }
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** `fetch` says only "fetch failed" and hides why in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause === undefined) return messageOf(error);
  const code = (cause as NodeJS.ErrnoException).code;
  return messageOf(cause) || code || messageOf(error);
}
