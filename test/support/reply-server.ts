import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Server of a model in this process. It answers each request with the same text, for 90 and 10 tokens. */
export interface ReplyServer {
  readonly url: string;
  /** Number of requests so far. */
  readonly requests: number;
  text: string;
  close(): Promise<void>;
}

export async function startReplyServer(text: string): Promise<ReplyServer> {
  const state = { text, requests: 0 };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      state.requests += 1;
      const message = { role: 'assistant', content: state.text };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          model: 'm-1',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage: { prompt_tokens: 90, completion_tokens: 10 },
        }),
      );
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  });
}
