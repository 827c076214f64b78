import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError, fileProblem } from '../../kernel/index.ts';
import { html } from '../shared/html.ts';
import { policyOf } from '../shared/shell.ts';
import type { Launcher } from './launcher.ts';
import {
  checkHost,
  checkToken,
  GUARDED,
  HttpError,
  jsonBody,
  LiveStreams,
  type Route,
  routeOf,
  SAFE_HEADERS,
} from './routes.ts';
import { Site } from './site.ts';

export interface ServeOptions {
  /** Results folder, which contains the run folders. */
  readonly folder: string;
  /** Port number. 0 selects any free port. */
  readonly port: number;
  /** Starts runs for the pages. If omitted, the pages cannot start runs. */
  readonly launcher?: Launcher | undefined;
  /** If true, every request that would change something is rejected. */
  readonly readOnly?: boolean | undefined;
  /** Called with unexpected errors. Browsers do not receive their details. */
  readonly onProblem?: (error: unknown) => void;
}

export interface RunningServer {
  /**
   * Address to open in a browser. The part after `#` is the token that is required for changes. Browsers do
   * not send this part to a server.
   */
  readonly url: string;
  readonly runs: number;
  close(): Promise<void>;
}

const ADDRESS = '127.0.0.1';

/**
 * Starts a server that shows the runs of a folder. Only browsers on this machine can connect.
 *
 * @throws AppError `no_reports`, `port_in_use`, `port_unusable`
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { folder, port, onProblem, readOnly = false } = options;
  const launcher = readOnly ? undefined : options.launcher;
  const site = new Site(folder, launcher, readOnly);
  const token = randomBytes(24).toString('base64url');
  const streams = new LiveStreams();
  const server = createServer((request, response) => {
    const own = (server.address() as AddressInfo | null)?.port ?? port;
    answer({ site, token, streams, port: own, launcher, readOnly }, request, response).catch(
      (error: unknown) => {
        if (!(error instanceof AppError)) onProblem?.(error);
        fail(site, request, response, error);
      },
    );
  });
  server.requestTimeout = 30_000;
  const { port: listening } = await listen(server, port);
  // The runs are read before the first request, because reading thousands of runs takes seconds.
  setImmediate(() => {
    try {
      site.warmUp();
    } catch (error) {
      onProblem?.(error);
    }
  });
  return {
    url: `http://${ADDRESS}:${listening}/#token=${token}`,
    runs: site.store.names().length,
    close() {
      streams.closeAll();
      server.closeAllConnections();
      return new Promise((done) => {
        server.close(() => done());
      });
    },
  };
}

function listen(server: Server, port: number): Promise<AddressInfo> {
  return new Promise((done, failed) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE';
      failed(
        new AppError({
          code: taken ? 'port_in_use' : 'port_unusable',
          message: taken
            ? `Port ${port} is in use by another program.`
            : `Port ${port} cannot be used: ${fileProblem(cause)}.`,
          hint: 'Choose another with --port, or --port 0 for any that is free.',
          cause,
        }),
      );
    });
    server.listen(port, ADDRESS, () => done(server.address() as AddressInfo));
  });
}

interface Context {
  readonly site: Site;
  readonly token: string;
  readonly streams: LiveStreams;
  readonly port: number;
  readonly launcher: Launcher | undefined;
  readonly readOnly: boolean;
}

async function answer(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  checkHost(request, context.port);
  const route = routeOf(request.method ?? '', request.url ?? '');
  const { site, streams } = context;
  switch (route.name) {
    case 'list':
      return sendPage(response, site.listPage());
    case 'report':
      return sendPage(response, site.reportPage(route.run));
    case 'trace':
      return sendPage(response, await site.tracePage(route.run));
    case 'compare':
      return sendPage(response, site.comparisonPage(route.runs));
    case 'research': {
      const { page, policy } = site.researchPage(route.folder);
      return sendPage(response, page, 200, policy);
    }
    case 'live':
      return streams.start(response, site.followAll(route.since));
    case 'runLive':
      site.store.folder(route.run);
      return streams.start(response, site.followRun(route.run));
    default:
      return sendJson(response, 200, (await answerJson(context, request, route)) ?? null);
  }
}

async function answerJson(
  { site, token, launcher, readOnly }: Context,
  request: IncomingMessage,
  route: Route,
): Promise<unknown> {
  const { name } = route;
  if (GUARDED.has(name)) {
    checkToken(request, token);
    if (readOnly)
      throw new HttpError(
        403,
        'read_only',
        'This server only shows runs.',
        'Start sandtable serve without --read-only.',
      );
  }
  switch (name) {
    case 'choices':
      return launching(launcher).choices();
    case 'parameters':
      return launching(launcher).parameters(await jsonBody(request));
    case 'check':
      return launching(launcher).check(await jsonBody(request));
    case 'start':
      return launching(launcher).start(await jsonBody(request));
    case 'request':
      return launching(launcher).requestOf(site.store.folder(route.run));
    case 'pause':
    case 'stop':
      return launching(launcher).end(site.store.folder(route.run), name);
    case 'resume':
      return launching(launcher).resume(site.store.folder(route.run));
    case 'runs':
      return site.rows();
    case 'curves':
      return site.curves(route.runs);
    case 'steps':
      return site.steps(route.run, route.query);
    case 'bar':
      return site.view(route.run, route.bar);
    case 'overview':
      return site.overview(route.run, route.symbol);
    case 'run':
      return site.delete(route.run);
    case 'notes':
      return site.setNotes(route.run, await jsonBody(request));
    default:
      return undefined;
  }
}

/**
 * Returns the launcher.
 *
 * @throws HttpError 404 if this server cannot start runs
 */
function launching(launcher: Launcher | undefined): Launcher {
  if (launcher !== undefined) return launcher;
  throw new HttpError(
    404,
    'no_launcher',
    'This server starts no runs.',
    'Use sandtable serve in the folder of your project.',
  );
}

function sendPage(response: ServerResponse, page: string, status = 200, policy = policyOf(page)): void {
  response.writeHead(status, {
    ...SAFE_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
  });
  response.end(page);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    ...SAFE_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  });
  response.end(JSON.stringify(value));
}

/** Sends an error response. The response does not contain paths of this machine. */
function fail(site: Site, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  const { status, code, message, remedy } = answerFor(site, error);
  // The rest of an incompletely read request body would be parsed as the next request, so the connection is
  // closed.
  if (!request.complete) response.setHeader('Connection', 'close');
  if (request.url?.startsWith('/api/') === true)
    sendJson(response, status, { error: { code, message, remedy } });
  else sendPage(response, errorPage(message, remedy), status);
}

const STATUS: Readonly<Record<string, number>> = {
  no_run: 404,
  run_under_way: 409,
  bad_tags: 400,
  start_refused: 400,
  bad_flags: 400,
  bad_parameters: 400,
  start_failed: 422,
  start_pending: 409,
  not_started_here: 409,
  too_many_runs: 429,
  not_a_run: 422,
  journal_unreadable: 404,
  not_a_journal: 422,
  journal_damaged: 422,
};

function answerFor({ store }: Site, error: unknown) {
  if (!(error instanceof AppError))
    return {
      status: 500,
      code: 'failed',
      message: 'Internal error of Sandtable.',
      remedy: 'See the terminal that runs sandtable serve for details.',
    };
  const status = error instanceof HttpError ? error.status : (STATUS[error.code] ?? 500);
  const plain = (text: string): string => text.replaceAll(`${store.root}/`, '').replaceAll(store.root, '');
  return { status, code: error.code, message: plain(error.message), remedy: plain(error.hint) };
}

/** Returns a page with an error message and a hint. */
function errorPage(message: string, hint: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sandtable</title>
<link rel="icon" href="data:,">
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}h1{font-size:1.4rem}</style>
</head>
<body><main><h1>${message}</h1><p>${hint}</p><p><a href="/">All runs</a></p></main></body>
</html>
`.text;
}
