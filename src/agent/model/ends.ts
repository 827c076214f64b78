import type { ReplyEnd } from './types.ts';

const CUT = /^(length|max_tokens|max_output_tokens|model_length|model_context_window_exceeded)$/i;
/** Google adds the kind of filtered content: `content_filter: PROHIBITED_CONTENT`. */
const FILTERED = /^(content_filter|safety|sensitive|prohibited_content|recitation|blocklist|spii)\b/i;
const FAILED =
  /^(error|abort|insufficient_system_resource|network_error|function_call_filter|malformed_function_call)\b/i;

/** Returns true if the finish reason means that the server failed. */
export function isFailedEnd(reason: string | null | undefined): reason is string {
  return FAILED.test(reason ?? '');
}

/** Maps the finish reason of any server to the end of a reply. */
export function endOf(reason: string | null | undefined, called: boolean): ReplyEnd {
  const said = reason ?? '';
  if (CUT.test(said)) return 'length';
  if (FILTERED.test(said)) return 'filtered';
  if (/^refusal$/i.test(said)) return 'refused';
  // Servers disagree on the reason for a reply with tool calls, so the presence of calls decides.
  return called ? 'tool_calls' : 'stop';
}
