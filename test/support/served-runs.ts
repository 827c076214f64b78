import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type RunningServer, startServer } from '../../src/pages/serve/server.ts';
import { readRun, sha256OfFile } from '../../src/results/runs/index.ts';
import { journalLines, writeJournal } from './journal.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Fixture for tests of the server: a results folder (`root`) with the runs `first` and `second`, and a server
 * that shows it.
 */
export interface ServedRuns {
  /** Parent folder of `root`. Its files must not be served. */
  readonly outside: string;
  readonly root: string;
  readonly server: RunningServer;
  /** Errors that the server has reported. */
  readonly problems: readonly unknown[];
  /** Adds a run that has only a journal. Returns the path of the journal. */
  addRun(name: string, lines?: ReturnType<typeof journalLines>): string;
  /** Adds a run with summary and manifest, as after its end. Returns the path of the journal. */
  finishedRun(name: string): string;
  /** Sends a request with `node:http`, which does not normalise the path. `fetch` would normalise it. */
  ask(path: string, asked?: Asked): Promise<Answer>;
  token(): Record<string, string>;
  own(): string;
}

/** Starts a server with a new results folder before each test of the file that calls this function. */
export function serveRuns(): ServedRuns {
  let outside: string;
  let root: string;
  let server: RunningServer;
  let problems: unknown[];

  beforeEach(async () => {
    outside = mkdtempSync(join(tmpdir(), 'sandtable-serve-'));
    root = join(outside, 'runs');
    problems = [];
    addRun('first');
    addRun('second');
    server = await startServer({ folder: root, port: 0, onProblem: (error) => problems.push(error) });
  });
  afterEach(async () => {
    await server.close();
    rmSync(outside, { recursive: true, force: true });
  });

  function addRun(name: string, lines = journalLines(10)): string {
    const folder = join(root, name);
    mkdirSync(folder, { recursive: true });
    return writeJournal(folder, lines);
  }

  function finishedRun(name: string): string {
    const journal = addRun(name);
    const folder = join(root, name);
    writeFileSync(join(folder, 'summary.json'), JSON.stringify(readRun(folder).summary));
    writeFileSync(
      join(folder, 'manifest.json'),
      JSON.stringify({ journal: { sha256: sha256OfFile(journal) } }),
    );
    utimesSync(join(folder, 'manifest.json'), 1, 1);
    return journal;
  }

  function ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
    const { port } = new URL(server.url);
    return new Promise((done, failed) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.on('error', failed);
      sent.end(body);
    });
  }

  const token = (): Record<string, string> => ({
    'X-Sandtable-Token': new URL(server.url).hash.slice('#token='.length),
  });
  const own = (): string => new URL(server.url).host;

  return {
    get outside() {
      return outside;
    },
    get root() {
      return root;
    },
    get server() {
      return server;
    },
    get problems() {
      return problems;
    },
    addRun,
    finishedRun,
    ask,
    token,
    own,
  };
}
