import { isIP } from 'node:net';
import type { Redis } from 'ioredis';
import { AppError, messageOf } from '../../kernel/index.ts';
import { optionalPackages } from '../optional-packages.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Address of the queue, parsed from `--queue`. */
export interface QueueAddress {
  /** Address without its password, for messages and files. */
  readonly shown: string;
  readonly options: {
    readonly host: string;
    readonly port: number;
    readonly db: number;
    readonly password?: string;
    readonly username?: string;
    readonly tls?: { readonly servername?: string };
  };
  /** Warnings about mistakes in the address that do not prevent its use. */
  readonly warnings: readonly string[];
}

const HINT =
  'Write redis://host:6379 or rediss://host:6379, with the password in SANDTABLE_REDIS_PASSWORD (docs/cluster.md).';

/**
 * Parses the address of the queue. The password belongs in SANDTABLE_REDIS_PASSWORD. A password in the
 * address also works. Messages and files never contain the password.
 *
 * @throws AppError `bad_queue`
 */
export function readQueueAddress(text: string, environment: Environment): QueueAddress {
  const bad = (problem: string): AppError =>
    new AppError({ code: 'bad_queue', message: `--queue ${maskPassword(text)}: ${problem}.`, hint: HINT });
  if (!/^rediss?:\/\//.test(text)) throw bad('it does not begin with redis:// or rediss://');
  const url = tryUrl(text);
  if (url === null) throw bad('it cannot be read as an address');
  if (url.hostname === '') throw bad('it has no host');
  if (url.search !== '' || url.hash !== '') throw bad('it has a part after ? or #, which is not supported');
  const [, number = '0', wrong] = /^\/(\d{0,4})$/.exec(url.pathname || '/') ?? ['', '', 'wrong'];
  if (wrong !== undefined) throw bad(`${url.pathname} is not a database number from 0 to 15`);
  const inAddress = decode(url.password);
  const password = inAddress || environment.SANDTABLE_REDIS_PASSWORD || '';
  const username = decode(url.username) || environment.SANDTABLE_REDIS_USERNAME || '';
  const secure = url.protocol === 'rediss:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  url.password = '';
  const shown = url.href;
  return {
    shown,
    options: {
      host,
      port: url.port === '' ? 6379 : Number(url.port),
      db: Number(number || '0'),
      ...(password === '' ? {} : { password }),
      ...(username === '' ? {} : { username }),
      ...(secure ? { tls: isIP(host) === 0 ? { servername: host } : {} } : {}),
    },
    warnings: [
      ...(secure
        ? []
        : [`${shown} is not encrypted: anyone on the network can read the sweep. Use rediss://.`]),
      ...(inAddress === ''
        ? []
        : [
            'The password in --queue is visible in the list of processes. Set SANDTABLE_REDIS_PASSWORD instead.',
          ]),
    ],
  };
}

function tryUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Replaces the password of every address in a text with `***`. */
export function maskPassword(text: string): string {
  return text.replace(/\b([a-z][a-z0-9+.-]*:\/\/)(\S*)@/gi, (_, scheme: string, user: string) => {
    const [name = ''] = user.split(':');
    return user.includes(':') ? `${scheme}${name}:***@` : `${scheme}${name}@`;
  });
}

/** Timeout of a connection attempt in milliseconds. */
const FIRST = 10_000;
/** Longest wait between two attempts to reconnect to Redis, in milliseconds. */
const AGAIN = 1_000;

/**
 * Connection to Redis. While Redis is unreachable, commands wait. The user is informed once per interruption.
 */
export interface QueueConnection {
  readonly redis: Redis;
  readonly shown: string;
  /** Returns the number of times that the connection was lost and restored. */
  returns(): number;
  close(): void;
}

/**
 * Connects to the queue.
 *
 * @param note called with messages for the user
 * @throws AppError `queue_unreachable`, `queue_refused`, `package_missing`
 */
export async function connectQueue(
  address: QueueAddress,
  note: (text: string) => void,
): Promise<QueueConnection> {
  const { Redis: Client } = await optionalPackages('A queue', ['bullmq', 'ioredis'], async () => {
    await import('bullmq');
    return import('ioredis');
  });
  const { shown } = address;
  let [away, returns, ready, closed, last] = [false, 0, false, false, 'no answer'];
  const redis = new Client({
    ...address.options,
    lazyConnect: true,
    // Without this setting, ioredis would reject a command after some attempts. Commands must wait until
    // Redis is reachable again.
    maxRetriesPerRequest: null,
    connectTimeout: FIRST,
    retryStrategy: (times) => Math.min(AGAIN, 50 * times),
  });
  redis.on('error', (error: Error) => {
    last = messageOf(error) || last;
    if (ready && !away) {
      away = true;
      note(`The queue ${shown} is unreachable (${last}); waiting.`);
    }
  });
  redis.on('close', () => {
    if (ready && !away && !closed) {
      away = true;
      note(`The queue ${shown} is unreachable; waiting.`);
    }
  });
  redis.on('ready', () => {
    if (away) {
      returns += 1;
      note(`The queue ${shown} is reachable again.`);
    }
    [away, ready] = [false, true];
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(last)), FIRST);
  });
  const refused = new Promise<never>((_resolve, reject) => {
    redis.on('error', (error: Error) => {
      if (!ready && /WRONGPASS|NOAUTH|NOPERM|ERR AUTH|certificate|altname|SSL/i.test(`${error.message}`))
        reject(error);
      // At the start, a refused connection or an unknown host is an error immediately. Waiting would not
      // help.
      if (!ready && /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(`${error.message}`)) reject(error);
    });
  });
  try {
    redis.connect().catch(() => undefined);
    await Promise.race([redis.ping(), late, refused]);
  } catch (error) {
    redis.disconnect();
    const text = maskPassword(messageOf(error));
    throw new AppError({
      code: 'queue_unreachable',
      message: `The queue ${shown} cannot be used: ${text}.`,
      hint: hintFor(text),
      kind: 'run',
    });
  } finally {
    clearTimeout(timer);
    refused.catch(() => undefined);
    late.catch(() => undefined);
  }
  return {
    redis,
    shown,
    returns: () => returns,
    close() {
      closed = true;
      redis.disconnect();
    },
  };
}

function hintFor(problem: string): string {
  if (/WRONGPASS|NOAUTH|ERR AUTH/.test(problem))
    return 'Set the password in SANDTABLE_REDIS_PASSWORD, and the user, if any, in SANDTABLE_REDIS_USERNAME.';
  if (/certificate|altname/i.test(problem))
    return 'Set NODE_EXTRA_CA_CERTS to the certificate file of your certificate authority. The server’s certificate must be valid for the host in --queue.';
  return 'Check --queue, and that Redis is running and reachable.';
}

/**
 * Oldest major version of Redis with every command of the queue, for example streams. BullMQ does not use
 * newer commands, or replaces them on older versions.
 */
const OLDEST = 5;
/** Oldest version that BullMQ recommends. BullMQ supports older versions but is less tested on them. */
const RECOMMENDED = [6, 2] as const;

/**
 * Returns warnings about the version and the settings of Redis that do not prevent its use but endanger a
 * sweep.
 *
 * @throws AppError `queue_too_old` if the version of Redis is older than 5
 */
export async function queueWarnings({ redis, shown }: QueueConnection): Promise<string[]> {
  // Some Redis services do not allow the command `INFO`. Their version and settings are not checked.
  const info = await redis.info().catch(() => '');
  const value = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
  const version = value('redis_version');
  const [major = Number.NaN, minor = 0] = version === '' ? [] : version.split('.').map(Number);
  if (major < OLDEST)
    throw new AppError({
      code: 'queue_too_old',
      message: `The queue ${shown} is Redis ${version}. It must be Redis ${OLDEST} or later.`,
      hint: `Upgrade it, if possible to Redis ${RECOMMENDED.join('.')} or later.`,
      kind: 'run',
    });
  const isOld = major < RECOMMENDED[0] || (major === RECOMMENDED[0] && minor < RECOMMENDED[1]);
  const policy = value('maxmemory_policy');
  return [
    ...(isOld
      ? [`${shown} is Redis ${version}. Redis ${RECOMMENDED.join('.')} or later is recommended.`]
      : []),
    ...(value('aof_enabled') === '0'
      ? [
          `${shown} has no append-only file: if it stops, running trials are run again. Start it with --appendonly yes.`,
        ]
      : []),
    ...(policy === '' || policy === 'noeviction'
      ? []
      : [
          `${shown} may delete jobs when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`,
        ]),
  ];
}
