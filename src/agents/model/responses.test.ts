import { describe, expect, it } from 'vitest';
import { capabilitiesOf } from './capabilities.ts';
import { responsesProtocol } from './responses.ts';
import { AnsweredError } from './types.ts';

const protocol = responsesProtocol({
  model: 'm',
  capabilities: capabilitiesOf('other', 'm'),
  sampling: {},
  stream: true,
});
const ITEM = { type: 'function_call', call_id: 'a', name: 'compute', arguments: '{}' };

async function* events(...given: readonly unknown[]): AsyncGenerator<unknown> {
  yield* given;
}

describe('the Responses API', () => {
  it.each([[], undefined])('reads the items of the stream if its last event has %j', async (output) => {
    const answer = await protocol.assemble(
      events(
        { type: 'response.output_item.done', item: ITEM },
        { type: 'response.completed', response: { status: 'completed', output } },
      ),
      () => true,
    );
    expect(protocol.reply(answer).reply).toMatchObject({
      end: 'tool_calls',
      toolCalls: [{ name: 'compute' }],
    });
  });

  it.each([
    { error: { code: 429, message: 'slow' } },
    { status: 'failed', error: null, output: [] },
    { status: 'cancelled', output: [] },
  ])('reports %j as a failure', (answer) => {
    expect(() => protocol.reply(answer)).toThrow(AnsweredError);
  });
});
