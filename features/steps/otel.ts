import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { After, type DataTable, Given, Then, When } from '@cucumber/cucumber';
import { runHere } from '../support/command-line.ts';
import type { TradingWorld } from '../support/world.ts';

interface Otlp {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** Request received by a collector. */
interface Came {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly spans: readonly OtlpSpan[];
}

let collector: Server | undefined;
let redirecting: Server | undefined;
let came: Came[] = [];

After(() => {
  for (const server of [collector, redirecting]) {
    server?.closeAllConnections();
    server?.close();
  }
  collector = undefined;
  redirecting = undefined;
  came = [];
});

function addressOf(server: Server | undefined): string {
  assert.ok(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function spansOf(request: Otlp): OtlpSpan[] {
  return request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

async function collect(status: number): Promise<void> {
  collector = createServer(async (request, response) => {
    const spans = spansOf(JSON.parse(await text(request)) as Otlp);
    came.push({ path: request.url ?? '', headers: request.headers, spans });
    response.writeHead(status).end(status === 200 ? '{}' : 'not here');
  });
  await new Promise<void>((resolve) => collector?.listen(0, '127.0.0.1', resolve));
}

Given('a collector of traces', () => collect(200));
Given('a collector of traces that answers {int}', (status: number) => collect(status));

Given("the run's manifest is cut in half", function (this: TradingWorld) {
  const file = join(this.folder.path, 'runs', this.folder.results('runs')[0]!, 'manifest.json');
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, whole.slice(0, whole.length / 2));
});

Given(
  'the environment variable {string} is {string}',
  function (this: TradingWorld, name: string, value: string) {
    this.environment[name] = value;
  },
);

async function exported(world: TradingWorld, command: string, flags: string): Promise<void> {
  const [run = ''] = world.folder.results('runs');
  world.noteCommand(
    await runHere({
      line: `sandtable ${command} "${world.folder.file(`runs/${run}`)}" ${flags}`,
      folder: world.folder.path,
      environment: world.environment,
    }),
  );
}

When("the trader exports the run's trace with {string}", function (this: TradingWorld, flags: string) {
  return exported(this, 'trace', flags);
});

When("the trader exports the run's report to the collector", function (this: TradingWorld) {
  return exported(this, 'report', `--otel ${addressOf(collector)}`);
});

Given('another address that redirects to the collector', async () => {
  const location = `${addressOf(collector)}/v1/traces`;
  redirecting = createServer((_request, response) => response.writeHead(307, { location }).end());
  await new Promise<void>((resolve) => redirecting?.listen(0, '127.0.0.1', resolve));
});

When("the trader exports the run's report to the other address", function (this: TradingWorld) {
  return exported(this, 'report', `--otel ${addressOf(redirecting)}`);
});

Then('the collector received no request', () => assert.equal(came.length, 0));

Then('the spans in {string} are:', function (this: TradingWorld, name: string, table: DataTable) {
  const spans = this.folder
    .read(name)
    .trim()
    .split('\n')
    .flatMap((line) => spansOf(JSON.parse(line) as Otlp));
  const nameOf = (id: string | undefined): string => spans.find(({ spanId }) => spanId === id)?.name ?? '';
  const wanted = table.hashes() as Record<'span' | 'within' | 'attribute' | 'value', string>[];
  assert.deepEqual(
    spans.map((span, index) => ({
      span: span.name,
      within: nameOf(span.parentSpanId),
      value: attributeOf(span, wanted[index]?.attribute ?? ''),
    })),
    wanted.map(({ span, within, value }) => ({ span, within, value })),
  );
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
  for (const { traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano } of spans) {
    assert.match(traceId, /^[0-9a-f]{32}$/);
    assert.match(spanId, /^[0-9a-f]{16}$/);
    const parent = spans.find((span) => span.spanId === parentSpanId);
    assert.ok(BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano));
    if (parent === undefined) continue;
    assert.ok(BigInt(parent.startTimeUnixNano) <= BigInt(startTimeUnixNano));
    assert.ok(BigInt(endTimeUnixNano) <= BigInt(parent.endTimeUnixNano));
  }
});

function attributeOf({ attributes }: OtlpSpan, key: string): string {
  const value = attributes.find((one) => one.key === key)?.value ?? {};
  const [plain] = Object.values(value);
  const { values } = (plain ?? {}) as { readonly values?: readonly { readonly stringValue: string }[] };
  return values === undefined ? String(plain) : values.map(({ stringValue }) => stringValue).join();
}

Then(
  'the collector was sent {int} spans at {string} with the header {string} of {string}',
  (count: number, path: string, header: string, value: string) => {
    assert.deepEqual(
      came.map((one) => [one.path, one.headers[header], one.spans.length]),
      [[path, value, count]],
    );
  },
);
