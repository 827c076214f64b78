import { createHash } from 'node:crypto';
import { isJsonObject, type Json } from '../../../engine/index.ts';
import { version } from '../../../kernel/index.ts';

/** Attributes of a span. The caller converts other values, such as objects, to JSON texts. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Span before its conversion to OTLP. */
export interface Span {
  readonly name: string;
  /** Kind as defined by OTLP. 1: internal operation. 3: request to another program. */
  readonly kind: 1 | 3;
  readonly parent: Span | undefined;
  /** Milliseconds since 1970. */
  readonly start: number;
  end: number;
  attributes: Attributes;
  /** Error message of a failed span. */
  error?: string | undefined;
}

/** Largest number of spans per request. Collectors reject larger requests. */
const MOST = 500;

/** Returns OTLP/JSON requests with the spans of a run. Each request is a complete JSON object. */
export function otlpRequests(runId: string, spans: readonly Span[]): Json[] {
  const traceId = hex(runId, 32);
  const ids = new Map(spans.map((span, index) => [span, hex(`${runId}/${index}`, 16)]));
  const encoded = spans.map((span): Json => {
    const parentId = span.parent === undefined ? undefined : ids.get(span.parent);
    return {
      traceId,
      spanId: ids.get(span)!,
      ...(parentId === undefined ? {} : { parentSpanId: parentId }),
      name: span.name,
      kind: span.kind,
      startTimeUnixNano: nanoseconds(span.start),
      endTimeUnixNano: nanoseconds(span.end),
      attributes: keyValues(span.attributes),
      status: span.error === undefined ? {} : { code: 2, message: span.error },
    };
  });
  return Array.from({ length: Math.ceil(encoded.length / MOST) }, (_, index) => ({
    resourceSpans: [
      {
        resource: { attributes: keyValues({ 'service.name': 'sandtable', 'service.version': version() }) },
        scopeSpans: [
          {
            scope: { name: 'sandtable', version: version() },
            spans: encoded.slice(index * MOST, (index + 1) * MOST),
          },
        ],
      },
    ],
  }));
}

function keyValues(attributes: Attributes): Json[] {
  return Object.entries(attributes).flatMap(([key, value]): Json[] =>
    value === undefined ? [] : [{ key, value: otlpValue(value) }],
  );
}

function otlpValue(value: string | number | boolean | readonly string[]): Json {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  // OTLP/JSON represents 64-bit integers as texts.
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
}

function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}

// The id is a hash, so the same run always has the same ids. A collector therefore merges repeated exports
// into one trace.
function hex(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/**
 * Converts the messages of a model request to the format of the OpenTelemetry conventions: a role and parts.
 */
export function inputMessages(added: Json): Json[] {
  return (Array.isArray(added) ? (added as readonly Json[]) : []).filter(isJsonObject).map((message) => {
    const { role = 'user', text = '', callId } = message;
    if (role !== 'tool') return { role, parts: [{ type: 'text', content: text }] };
    return { role, parts: [{ type: 'tool_call_response', id: callId ?? '', response: text }] };
  });
}

/** Converts a model's reply to the format of the OpenTelemetry conventions. */
export function outputMessages(reply: Json): Json[] {
  if (!isJsonObject(reply)) return [];
  const { text = '', reasoning, toolCalls, end = 'stop' } = reply;
  const calls = (Array.isArray(toolCalls) ? (toolCalls as readonly Json[]) : []).filter(isJsonObject);
  const parts: Json[] = [
    ...(typeof reasoning === 'string' ? [{ type: 'reasoning', content: reasoning }] : []),
    ...(text === '' ? [] : [{ type: 'text', content: text }]),
    ...calls.map(({ id = '', name = '', arguments: given = {} }) => ({
      type: 'tool_call',
      id,
      name,
      arguments: given,
    })),
  ];
  return [{ role: 'assistant', parts, finish_reason: end }];
}
