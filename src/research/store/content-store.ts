import { createHash } from 'node:crypto';
import { AppError } from '../../kernel/index.ts';

/** SHA-256 of an object's bytes, in lower-case hexadecimal: its name. */
export type ContentHash = string;

/** Where bundles, data and plans lie for all machines of a sweep, each under the hash of its content. */
export interface ContentStore {
  /** As the user gave it, for messages. */
  readonly name: string;
  /**
   * Puts an object where it is not there yet.
   *
   * @throws AppError `store_damaged` where other bytes lie under its name, `store_full`, `store_unreachable`
   */
  put(bytes: Uint8Array): Promise<ContentHash>;
  /**
   * Fetches an object and compares it with its name.
   *
   * @throws AppError `store_missing`, `store_damaged`, `store_unreachable`
   */
  get(hash: ContentHash): Promise<Buffer>;
  close(): void;
}

export function contentHash(bytes: Uint8Array | string): ContentHash {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Whether a text can be the name of an object; what comes over the network must not become a path. */
export function isContentHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** The place of an object below the store, with `/`: at most some thousand objects share a folder. */
export function objectPath(hash: ContentHash): string {
  if (!isContentHash(hash))
    throw new AppError({
      code: 'bad_object_name',
      message: `"${hash.slice(0, 80)}" is no SHA-256.`,
      hint: 'Objects of a store are named by the SHA-256 of their content, in lower-case hexadecimal.',
    });
  return `sha256/${hash.slice(0, 2)}/${hash}`;
}

/** @throws AppError `store_damaged` where bytes are not those that their name tells */
export function checkObject(hash: ContentHash, bytes: Buffer, place: string): Buffer {
  const found = contentHash(bytes);
  if (found === hash) return bytes;
  throw new AppError({
    code: 'store_damaged',
    message: `The object ${place} is damaged: its ${bytes.length} bytes have the SHA-256 ${found}.`,
    hint: 'Delete the object and start the sweep again with --resume: it is put there anew.',
    kind: 'run',
  });
}

export function missingObject(hash: ContentHash, store: string): AppError {
  return new AppError({
    code: 'store_missing',
    message: `${store} holds no object ${hash}.`,
    hint: 'Give the worker the same --store as the sweep; where the object was deleted, start the sweep again with --resume.',
    kind: 'run',
  });
}

export function fullStore(place: string, problem: string, cause: unknown): AppError {
  return new AppError({
    code: 'store_full',
    message: `Cannot write ${place}: ${problem}.`,
    hint: 'Make room, or name another folder; then start again.',
    kind: 'run',
    cause,
  });
}

/** How long one step of a store may take, in milliseconds. */
export const STORE_TIMEOUT = 60_000;

/**
 * Gives up on a step of a store that does not answer, as a network folder may.
 *
 * @throws AppError `store_unreachable`
 */
export async function withinTime<Value>(
  work: Promise<Value>,
  store: string,
  milliseconds: number,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(unreachable(store, `no answer within ${milliseconds / 1000} s`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function unreachable(store: string, problem: string, cause?: unknown): AppError {
  return new AppError({
    code: 'store_unreachable',
    message: `The store ${store} cannot be used: ${problem}.`,
    hint: 'Check --store, the network, and for s3:// the AWS environment variables (docs/cluster.md).',
    kind: 'run',
    ...(cause === undefined ? {} : { cause }),
  });
}
