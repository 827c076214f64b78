import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import { messageOf } from '../index.ts';
import { CONNECT_MS, dispatcherFor, HttpFailure, readAddress } from './request.ts';

/** First messages, limits and abort signal of a WebSocket. */
export interface SocketOptions {
  /** Messages sent when the socket opens. */
  readonly send: readonly string[];
  /** Maximum time without a received message, in ms. */
  readonly idleMs: number;
  /** Maximum number of characters of one message, and of all unread messages together. */
  readonly maxLength: number;
  readonly signal: AbortSignal;
}

/**
 * Opens a WebSocket, and yields `undefined` when it is open, then its text messages. The proxy rules are
 * those of `request`. Lost connections are not reopened.
 *
 * @param url address, `ws:` or `wss:`
 * @throws HttpFailure if the connection fails, closes or is idle. Returns if the signal aborts.
 */
export async function* socketMessages(
  url: string,
  options: SocketOptions,
): AsyncGenerator<string | undefined> {
  const { send, idleMs, maxLength, signal } = options;
  const { WebSocket } = await import('undici');
  const address = readAddress(url);
  address.protocol = address.protocol === 'wss:' ? 'https:' : 'http:';
  let connection: Duplex | undefined;
  const agent = await dispatcherFor(address, CONNECT_MS);
  const dispatcher = agent.compose((dispatch) => (asked, handler) => {
    const opened = (one: Duplex): void => {
      connection = one;
    };
    return dispatch(asked, withUpgrade(handler, opened));
  });
  const socket = new WebSocket(url, { dispatcher });
  const queue: (string | undefined)[] = [];
  let queued = 0;
  let failure: HttpFailure | undefined;
  let wake: () => void = () => undefined;
  const fail = (kind: HttpFailure['kind'], problem: string): void => {
    failure ??= new HttpFailure(kind, problem);
    wake();
  };
  socket.addEventListener('open', () => {
    for (const text of send) socket.send(text);
    queue.push(undefined);
    wake();
  });
  socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    if (typeof data !== 'string') return;
    queued += data.length;
    if (data.length > maxLength) fail('too_large', `a message has more than ${maxLength} characters`);
    else if (queued > maxLength)
      fail('too_large', `more than ${maxLength} characters arrived before they were read`);
    else queue.push(data);
    if (failure !== undefined) connection?.destroy();
    wake();
  });
  socket.addEventListener('error', (event) => fail('connection', messageOf(event.error) || 'no connection'));
  socket.addEventListener('close', ({ code }) => fail('connection', `the connection was closed (${code})`));
  const stop = (): void => wake();
  signal.addEventListener('abort', stop, { once: true });
  try {
    while (!signal.aborted) {
      if (queue.length > 0) {
        const text = queue.shift();
        queued -= text?.length ?? 0;
        yield text;
        continue;
      }
      if (failure !== undefined) throw failure;
      const timer = setTimeout(() => fail('timeout', `no message for ${idleMs} ms`), idleMs);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      clearTimeout(timer);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    socket.close();
    // Destroys the connection, because a server that does not close its side could otherwise send without
    // end.
    if (failure === undefined) connection?.end(() => connection?.destroy());
    else connection?.destroy();
  }
}

/** Returns a copy of an HTTP handler that also passes the WebSocket's connection to `opened`. */
function withUpgrade(
  handler: Dispatcher.DispatchHandlers,
  opened: (connection: Duplex) => void,
): Dispatcher.DispatchHandlers {
  return new Proxy(handler, {
    get(target, name): unknown {
      const own: unknown = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      return (...given: unknown[]): unknown => {
        if (name === 'onUpgrade') opened(given[2] as Duplex);
        return Reflect.apply(own, target, given);
      };
    },
  });
}
