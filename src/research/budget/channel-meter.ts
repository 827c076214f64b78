import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import { type Meter, SHARED_BUDGET_SPENT } from '../../agent/index.ts';
import { RunStop } from '../../engine/index.ts';
import { messageOf } from '../../kernel/index.ts';

type Question =
  | { readonly type: 'ask'; readonly id: string }
  | { readonly type: 'paid'; readonly id: string; readonly tokens: number; readonly usd: number };

type Answer =
  | { readonly type: 'go'; readonly id: string }
  | { readonly type: 'stop'; readonly id: string; readonly message: string; readonly isSpent: boolean };

/**
 * Serves a meter to the threads of this process.
 *
 * @returns the name of the channel, and a function that closes it
 */
export function serveMeter(meter: Meter): { readonly name: string; close(): void } {
  const name = `sandtable-meter-${randomUUID()}`;
  const channel = new BroadcastChannel(name);
  const answer = async (question: Question): Promise<Answer> => {
    const { id } = question;
    try {
      await (question.type === 'ask' ? meter.ask() : meter.paid(question.tokens, question.usd));
      return { type: 'go', id };
    } catch (error) {
      const isSpent = error instanceof RunStop && error.code === SHARED_BUDGET_SPENT;
      return { type: 'stop', id, message: messageOf(error), isSpent };
    }
  };
  let isOpen = true;
  channel.onmessage = (event): void => {
    const { data } = event as { readonly data: Question | Answer };
    if (data.type !== 'ask' && data.type !== 'paid') return;
    void answer(data).then((reply) => {
      if (isOpen) channel.postMessage(reply);
    });
  };
  channel.unref();
  return {
    name,
    close() {
      isOpen = false;
      channel.close();
    },
  };
}

/** Creates a thread's client of a meter that another thread serves. */
export function channelMeter(name: string): Meter {
  const channel = new BroadcastChannel(name);
  const waiting = new Map<string, (answer: Answer) => void>();
  channel.onmessage = (event): void => {
    const { data } = event as { readonly data: Question | Answer };
    if (data.type !== 'go' && data.type !== 'stop') return;
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  // The channel does not keep an otherwise idle thread alive.
  channel.unref();
  const exchange = async (question: (id: string) => Question): Promise<void> => {
    const id = randomUUID();
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    channel.postMessage(question(id));
    const answer = await answered;
    if (answer.type === 'go') return;
    throw new RunStop(answer.isSpent ? 'budget_exhausted' : 'stopped', {
      code: answer.isSpent ? SHARED_BUDGET_SPENT : 'budget_unknown',
      message: answer.message,
      hint: 'What has been done is kept: go on with --resume.',
    });
  };
  return {
    ask: () => exchange((id) => ({ type: 'ask', id })),
    paid: (tokens, usd) => exchange((id) => ({ type: 'paid', id, tokens, usd })),
  };
}
