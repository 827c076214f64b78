import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** Bar that the server sends. */
export interface ServedBar {
  readonly time: number;
  readonly values: readonly [open: number, high: number, low: number, close: number, volume: number];
}

/** Fault that the server simulates in one response. */
export type FeedFault = 'hang up' | 'rate limit' | 'error' | 'garbage' | 'repeat' | 'reorder' | 'revise';
export const FEED_FAULTS: readonly FeedFault[] = [
  ...(['hang up', 'rate limit', 'error', 'garbage', 'repeat', 'reorder', 'revise'] as const),
];

interface FeedServerOptions {
  readonly symbol: string;
  readonly bars: readonly ServedBar[];
  /** Maximum number of bars in one response. Default: 20. */
  readonly page?: number;
  /** Returns the fault of a response. `response`: number of earlier responses. */
  readonly faultOf?: (response: number) => FeedFault | undefined;
  /**
   * If true, `/klines` and `/bars` return only bars that were already sent over a WebSocket, and a new
   * WebSocket connection repeats no bars.
   */
  readonly live?: boolean;
  /** Milliseconds by which the server's clock is ahead of the local clock. */
  readonly skew?: number;
}

/**
 * Local server of bars. `/klines` responds like a crypto exchange, and `/bars` like a stock data provider. A
 * WebSocket sends candles like a crypto exchange.
 */
export class FeedServer {
  readonly #options: FeedServerOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  responses = 0;
  /** Messages that clients sent over WebSockets. */
  readonly received: string[] = [];
  #sent = 0;

  constructor(options: FeedServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.on('upgrade', (request, socket) => this.#upgrade(request, socket));
  }

  async start(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://local');
    const since = Number(url.searchParams.get('since') ?? 0);
    const { bars: all, page = 20, faultOf, symbol, skew = 0, live = false } = this.#options;
    const bars = live ? all.slice(0, this.#sent) : all;
    const fault = faultOf?.(this.responses++);
    if (fault === 'hang up') {
      request.socket.destroy();
      return;
    }
    response.setHeader('date', new Date(Date.now() + skew).toUTCString());
    if (fault === 'rate limit') response.writeHead(429, { 'retry-after-ms': '5' }).end('slow down');
    else if (fault === 'error') response.writeHead(503, { 'retry-after-ms': '5' }).end('busy');
    else if (fault === 'garbage') response.end('<html>login</html>');
    else {
      const next = bars.findIndex(({ time }) => time > since);
      const from = next < 0 ? bars.length : next;
      const found = withFault(bars.slice(from, from + page), bars.slice(Math.max(0, from - 2), from), fault);
      if (url.pathname === '/klines')
        response.end(
          JSON.stringify(found.map(({ time, values }) => [time, ...values.map(String), time + 1])),
        );
      else
        response.end(
          JSON.stringify({
            bars: {
              [symbol]: found.map(({ time, values: [o, h, l, c, v] }) => ({
                t: new Date(time).toISOString(),
                o,
                h,
                l,
                c,
                v,
              })),
            },
          }),
        );
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex): void {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    // The client's first message is a subscription, which the server records.
    socket.once('data', (frame: Buffer) => {
      this.received.push(textOfFrame(frame));
      void this.#send(socket);
    });
  }

  /**
   * Sends bars until the connection ends. A later connection repeats the last two bars, unless the server is
   * `live`.
   */
  async #send(socket: Duplex): Promise<void> {
    const { bars, symbol, faultOf, skew = 0, live = false } = this.#options;
    if (!live) this.#sent = Math.max(0, this.#sent - 2);
    while (this.#sent < bars.length && !socket.destroyed) {
      const { time, values } = bars[this.#sent]!;
      const [o, h, l, c, v] = values.map(String);
      const candle = (x: boolean, close = c) =>
        frameOf(
          JSON.stringify({
            e: 'kline',
            E: Date.now() + skew,
            s: symbol,
            k: { t: time, o, h, l, c: close, v, x },
          }),
        );
      const fault = faultOf?.(this.responses++);
      this.#sent += 1;
      socket.write(candle(false, o));
      if (fault === 'hang up') {
        socket.destroy();
        return;
      }
      if (fault === 'garbage') socket.write(frameOf('<html>'));
      const hasRoom = socket.write(candle(true));
      if (!hasRoom) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      if (fault === 'repeat') socket.write(candle(true));
    }
  }
}

function withFault(
  bars: readonly ServedBar[],
  earlier: readonly ServedBar[],
  fault: FeedFault | undefined,
): readonly ServedBar[] {
  const [first, second, ...rest] = bars;
  if (fault === 'repeat') return [...earlier, ...bars];
  if (fault === 'reorder' && first !== undefined && second !== undefined) return [second, first, ...rest];
  if (fault === 'revise')
    return [
      ...earlier.map(({ time, values: [open, high, low, close, volume] }) => ({
        time,
        values: [open, high, low, close, volume + 1] as const,
      })),
      ...bars,
    ];
  return bars;
}

function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head =
    body.length < 126
      ? Buffer.from([0x81, body.length])
      : Buffer.from([0x81, 126, body.length >> 8, body.length & 255]);
  return Buffer.concat([head, body]);
}

/** Returns the text of a short masked WebSocket frame. */
function textOfFrame(frame: Buffer): string {
  const length = frame[1]! & 127;
  const [mask, body] = [frame.subarray(2, 6), frame.subarray(6, 6 + length)];
  return Buffer.from(body.map((byte, at) => byte ^ mask[at % 4]!)).toString('utf8');
}
