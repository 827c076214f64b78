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

/** What a test of the server has: a folder with the runs `first` and `second`, and the server that shows it. */
export interface ServedRuns {
  /** The folder around that of the runs. */
  readonly outside: string;
  readonly root: string;
  readonly server: RunningServer;
  /** What the server reported of itself. */
  readonly problems: readonly unknown[];
  /** Adds a run; gives its journal. */
  addRun(name: string, lines?: ReturnType<typeof journalLines>): string;
  /** A run with the files of its end; gives its journal. */
  finishedRun(name: string): string;
  /** By node:http, which sends a path as it is written: fetch would clean it first. */
  ask(path: string, asked?: Asked): Promise<Answer>;
  token(): Record<string, string>;
  own(): string;
}

/** Serves runs anew for each test of the file that calls it. */
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
