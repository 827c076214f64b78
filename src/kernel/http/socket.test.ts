import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { inDepth } from '../../../test/support/depth.ts';
import { HttpFailure } from './request.ts';
import { socketMessages } from './socket.ts';

const servers: http.Server[] = [];
const sockets: Duplex[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** Server that accepts a WebSocket and hands its connection to a function. */
async function socketServer(connected: (socket: Duplex) => void): Promise<string> {
  const server = http.createServer();
  servers.push(server);
  server.on('upgrade', (asked, socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    const key = `${String(asked.headers['sec-websocket-key'])}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const head = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n';
    socket.write(`${head}sec-websocket-accept: ${accept}\r\n\r\n`);
    connected(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A frame of a text message. `first` is 0x81 for a whole message, 0x01 or 0x00 for a part. */
function frame(first: number, length: number): Buffer {
  const head = Buffer.from([first, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 6);
  return Buffer.concat([head, Buffer.alloc(length, 'x')]);
}

/** Writes frames as long as the connection accepts them. Returns the number of bytes so far. */
function flood(socket: Duplex, one: Buffer): () => number {
  let sent = 0;
  const write = (): void => {
    while (!socket.destroyed && socket.writable && socket.write(one)) sent += one.length;
  };
  socket.on('drain', write);
  write();
  return () => sent;
}

const OPTIONS = { send: [], idleMs: 5_000, maxLength: 100_000, signal: new AbortController().signal };

async function failureOf(url: string, pause = 0): Promise<HttpFailure> {
  try {
    for await (const _ of socketMessages(url, OPTIONS))
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  } catch (error) {
    if (error instanceof HttpFailure) return error;
    throw error;
  }
  throw new Error('no failure');
}

it('refuses a message that is too long', async () => {
  const url = await socketServer((socket) => void socket.write(frame(0x81, 100_001)));
  expect(await failureOf(url)).toMatchObject({
    kind: 'too_large',
    message: 'a message has more than 100000 characters',
  });
});

it.runIf(inDepth(7))('ends a connection whose messages arrive faster than they are read', async () => {
  let sent = (): number => 0;
  const url = await socketServer((socket) => {
    sent = flood(socket, frame(0x81, 1_000));
  });
  expect(await failureOf(url, 50)).toMatchObject({
    kind: 'too_large',
    message: 'more than 100000 characters arrived before they were read',
  });
  expect(sent()).toBeLessThan(50_000_000);
  await vi.waitFor(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true), 10_000);
});

it.runIf(inDepth(7))('ends an endless message', async () => {
  let sent = (): number => 0;
  const url = await socketServer((socket) => {
    socket.write(frame(0x01, 1_000));
    sent = flood(socket, frame(0x00, 1_000_000));
  });
  // The WebSocket package limits a message to 128 MB. On a slow machine the timeout for a complete message
  // ends the connection earlier.
  expect(['connection', 'timeout']).toContain((await failureOf(url)).kind);
  expect(sent()).toBeLessThan(2_000_000_000);
  await vi.waitFor(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true), 10_000);
});

it('follows no redirect, and refuses a key in the address without showing it', async () => {
  let asked = 0;
  const target = http.createServer();
  servers.push(target);
  target.on('upgrade', (_request, socket) => {
    asked += 1;
    socket.destroy();
  });
  target.on('request', (_request, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const first = http.createServer((_request, response) => response.end());
  servers.push(first);
  first.on('upgrade', (_request, socket) => {
    sockets.push(socket);
    const { port } = target.address() as AddressInfo;
    socket.end(`HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${port}/\r\ncontent-length: 0\r\n\r\n`);
  });
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
  const { port } = first.address() as AddressInfo;
  expect((await failureOf(`ws://127.0.0.1:${port}/`)).kind).toBe('connection');
  expect(asked).toBe(0);
  const failure = await failureOf(`ws://user:geheim@127.0.0.1:${port}/`);
  expect(String(failure.stack)).not.toContain('geheim');
});
