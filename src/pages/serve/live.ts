import type { ServerResponse } from 'node:http';
import { SAFE_HEADERS } from './guard.ts';

/** Milliseconds between two polls. */
const LOOK_EVERY = 500;
/**
 * Number of polls after which a line is sent even without events, so that a closed connection is detected.
 */
const BEAT_EVERY = 30;

/** Server-sent event. */
export interface LiveEvent {
  readonly name: string;
  readonly data: unknown;
}

/** Streams of server-sent events to open pages. */
export class LiveStreams {
  readonly #open = new Set<ServerResponse>();

  /**
   * Polls twice per second and sends the events, until the reader disconnects or the last events are sent.
   *
   * @param look returns the events to send, and whether they are the last ones
   */
  start(
    response: ServerResponse,
    look: () => Promise<{ readonly events: readonly LiveEvent[]; readonly last: boolean }>,
  ): void {
    response.writeHead(200, { ...SAFE_HEADERS, 'Content-Type': 'text/event-stream; charset=utf-8' });
    response.write('retry: 2000\n\n');
    this.#open.add(response);
    let beats = 0;
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      clearTimeout(timer);
      this.#open.delete(response);
    };
    const turn = async (): Promise<void> => {
      const { events, last } = await look();
      if (!this.#open.has(response)) return;
      // The data must be one line. JSON contains no line breaks.
      for (const { name, data } of events)
        response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      beats += 1;
      if (beats % BEAT_EVERY === 0) response.write(': here\n\n');
      if (last) {
        stop();
        response.end();
        return;
      }
      timer = setTimeout(() => void next(), LOOK_EVERY);
    };
    const next = (): Promise<void> =>
      turn().catch(() => {
        stop();
        response.end();
      });
    response.on('close', stop);
    void next();
  }

  closeAll(): void {
    for (const response of this.#open) response.end();
    this.#open.clear();
  }
}
