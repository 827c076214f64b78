import type { ReplyHeader, RequestHeader } from './protocol.ts';

/** Message between the engine and a Python process. */
export interface Frame<Header> {
  readonly header: Header;
  readonly body: string;
  readonly binary: Uint8Array;
}

export const PREFIX_BYTES = 12;
/** Maximum bytes of a part. A larger part means that the other side is broken or hostile. */
const LARGEST_PART = 512 * 1024 * 1024;

const NOTHING = new Uint8Array(0);

export function encodeFrame(
  header: RequestHeader | ReplyHeader,
  body = '',
  binary: Uint8Array = NOTHING,
): Buffer {
  const head = JSON.stringify(header);
  const headBytes = Buffer.byteLength(head);
  const bodyBytes = Buffer.byteLength(body);
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + headBytes + bodyBytes + binary.length);
  frame.writeUInt32LE(headBytes, 0);
  frame.writeUInt32LE(bodyBytes, 4);
  frame.writeUInt32LE(binary.length, 8);
  frame.write(head, PREFIX_BYTES);
  frame.write(body, PREFIX_BYTES + headBytes);
  frame.set(binary, PREFIX_BYTES + headBytes + bodyBytes);
  return frame;
}

/** Returns the number of bytes of the frame that begins with this prefix. */
export function frameBytes(prefix: Buffer): number {
  const parts = [prefix.readUInt32LE(0), prefix.readUInt32LE(4), prefix.readUInt32LE(8)];
  if (parts.some((part) => part > LARGEST_PART)) throw new Error('a frame is larger than any honest one');
  return PREFIX_BYTES + parts[0]! + parts[1]! + parts[2]!;
}

export function decodeFrame<Header>(frame: Buffer): Frame<Header> {
  const headEnd = PREFIX_BYTES + frame.readUInt32LE(0);
  const bodyEnd = headEnd + frame.readUInt32LE(4);
  return {
    header: JSON.parse(frame.toString('utf8', PREFIX_BYTES, headEnd)) as Header,
    body: frame.toString('utf8', headEnd, bodyEnd),
    binary: frame.subarray(bodyEnd, frameBytes(frame)),
  };
}
