import type { Message } from '../model/types.ts';

/** Minimum number of characters per token. Most texts have more; numbers have fewer. */
const CHARACTERS_PER_TOKEN = 3;
/** Characters added per message for its role and brackets. */
const OVERHEAD = 30;

export const DROPPED =
  '[This output was dropped to stay within the context; call the tool again if you need it.]';

/** Estimates the tokens of messages. The estimate is rather too high than too low. */
export function estimatedTokens(messages: readonly Message[], toolCharacters: number): number {
  let characters = toolCharacters;
  for (const message of messages) characters += OVERHEAD + charactersOf(message);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function charactersOf(message: Message): number {
  if (message.role !== 'assistant') return message.text.length;
  const { text, toolCalls, echo, items } = message;
  if (items !== undefined) return JSON.stringify(items).length;
  return (
    text.length + JSON.stringify(toolCalls).length + (echo === undefined ? 0 : JSON.stringify(echo).length)
  );
}

/**
 * Shortens a conversation to a number of tokens by dropping tool outputs, oldest first. Outputs of the last
 * round are dropped only after all older ones.
 *
 * @returns the messages, and true if they fit
 */
export function fitContext(
  messages: readonly Message[],
  toolCharacters: number,
  mostTokens: number,
): { readonly messages: readonly Message[]; readonly fits: boolean } {
  let tokens = estimatedTokens(messages, toolCharacters);
  if (tokens <= mostTokens) return { messages, fits: true };
  const kept = [...messages];
  for (const [index, message] of kept.entries()) {
    if (tokens <= mostTokens) break;
    if (message.role !== 'tool' || message.text.length <= DROPPED.length) continue;
    kept[index] = { ...message, text: DROPPED };
    tokens -= Math.floor((message.text.length - DROPPED.length) / CHARACTERS_PER_TOKEN);
  }
  return { messages: kept, fits: tokens <= mostTokens };
}
