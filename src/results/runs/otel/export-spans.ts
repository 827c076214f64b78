import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEarlier } from '../../../journal/index.ts';
import { request } from '../../../kernel/http/index.ts';
import { AppError, messageOf, unwritable } from '../../../kernel/index.ts';
import { readRun } from '../read-run.ts';
import { otlpRequests } from './otlp.ts';
import { runSpans } from './run-spans.ts';

/** Maximum time of one request to a collector, in ms. */
const LONGEST = 30_000;
/** Maximum size of a collector's response, in bytes. */
const MAX_BYTES = 2 ** 20;

/** Number of exported spans, and the file or address that received them. */
export interface ExportedSpans {
  readonly spans: number;
  readonly place: string;
}

/**
 * Exports a run as OpenTelemetry spans.
 *
 * @param place path of a file, or address of a collector for OTLP over HTTP. A file contains one OTLP/JSON
 *   request per line
 * @param environment environment variables. The headers in `OTEL_EXPORTER_OTLP_HEADERS` are sent to a
 *   collector
 * @throws AppError `otel_unwritable`, `otel_refused`, and the errors of reading a run
 */
export async function exportSpans(
  folder: string,
  place: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ExportedSpans> {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(place) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    throw new AppError({
      code: 'bad_flags',
      message: `--otel ${place}: ${scheme} is not supported.`,
      hint: 'Pass the address of a collector, for example http://localhost:4318, or a file.',
    });
  const { runId, folder: found, timing } = readRun(folder, { salvage: true });
  const { events } = readEarlier(join(found, 'journal.jsonl'));
  const spans = runSpans({ runId, events, timing });
  const requests = otlpRequests(runId, spans);
  if (!/^https?:\/\//i.test(place)) {
    writeLines(place, requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
    return { spans: spans.length, place };
  }
  const address = addressOf(place);
  const headers = headersOf(environment.OTEL_EXPORTER_OTLP_HEADERS);
  for (const request of requests) await post(address, JSON.stringify(request), headers);
  return { spans: spans.length, place: address.host };
}

function writeLines(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw unwritable(file, cause, {
      code: 'otel_unwritable',
      hint: 'Pass a file in an existing folder, or the address of a collector, for example http://localhost:4318.',
    });
  }
}

/** Returns the address of a collector. Adds the standard path of traces if the address has no path. */
function addressOf(text: string): URL {
  if (!URL.canParse(text))
    throw new AppError({
      code: 'bad_flags',
      message: `--otel ${text} is not a valid address.`,
      hint: 'Pass an address such as http://localhost:4318, or a file.',
    });
  const address = new URL(text);
  if (address.pathname === '/') address.pathname = '/v1/traces';
  return address;
}

/**
 * Parses `name=value,name=value` with URL-encoded values. A value that is not valid URL encoding is sent
 * unchanged.
 */
function headersOf(text = ''): Record<string, string> {
  return Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.includes('='))
      .map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
      }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function post(address: URL, body: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const refused = (problem: string, cause?: unknown): AppError =>
    new AppError({
      code: 'otel_refused',
      message: `The collector at ${address.host} rejected the spans: ${problem}.`,
      hint: 'Check that it accepts OTLP over HTTP as JSON at this address, and check OTEL_EXPORTER_OTLP_HEADERS. Or write a file with --otel FILE.',
      kind: 'run',
      cause,
    });
  let response: Response;
  let text: string;
  try {
    response = await request(
      address,
      { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body },
      { maxBytes: MAX_BYTES, totalMs: LONGEST },
    );
    text = await response.text();
  } catch (cause) {
    throw refused(messageOf(cause), cause);
  }
  if (response.ok) return;
  const start = text.trim().slice(0, 200);
  const redirect = response.status >= 300 && response.status < 400 ? ', and redirects are not followed' : '';
  throw refused(`HTTP ${response.status}${redirect}${start === '' ? '' : `, ${start}`}`);
}
