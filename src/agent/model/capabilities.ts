/** What a server and a model can take, where they differ. */
export interface Capabilities {
  /** The name of the limit on a reply's tokens. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Whether temperature and top_p are accepted. */
  readonly sampling: boolean;
  /** Whether a seed is accepted. */
  readonly seed: boolean;
  /** Whether `reasoning_effort` is accepted. */
  readonly reasoningEffort: boolean;
  /** Fields of an assistant message that must come back with it in the same decision. */
  readonly echo: readonly string[];
  /** How the last round keeps the model from calling tools: by their absence, or by a choice of none. */
  readonly finalRound: 'no-tools' | 'choice-none';
  /**
   * Whether a JSON schema for the answer is taken. Servers that hold a model to its grammar from the first token take
   * none beside tools: no tool could be called.
   */
  readonly answerSchema: 'always' | 'without-tools' | 'never';
  /** Whether `stream_options.include_usage` is accepted. */
  readonly streamUsage: boolean;
  /** Tokens of context where the strategy does not say. */
  readonly contextTokens: number;
}

export const PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'openrouter',
  'deepseek',
  'mistral',
  'groq',
  'moonshot',
  'ollama',
  'vllm',
  'lmstudio',
  'other',
] as const;

export type Provider = (typeof PROVIDERS)[number];

const COMMON: Capabilities = {
  maxTokensField: 'max_tokens',
  sampling: true,
  seed: true,
  reasoningEffort: true,
  echo: [],
  finalRound: 'no-tools',
  answerSchema: 'without-tools',
  streamUsage: true,
  contextTokens: 128_000,
};

// Thinking models want the reasoning of a tool round back with the next request, under the name they sent it.
const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details'];

const BY_PROVIDER: Readonly<Record<Provider, Partial<Capabilities>>> = {
  openai: { maxTokensField: 'max_completion_tokens', answerSchema: 'always' },
  // Anthropic refuses tool results in a request without tools.
  anthropic: { seed: false, finalRound: 'choice-none', answerSchema: 'never', contextTokens: 200_000 },
  google: { seed: false, contextTokens: 1_000_000 },
  openrouter: { echo: ['reasoning_details'] },
  deepseek: { seed: false, reasoningEffort: false, answerSchema: 'never' },
  mistral: { seed: false, reasoningEffort: false },
  groq: { reasoningEffort: false, answerSchema: 'never' },
  moonshot: { seed: false, reasoningEffort: false, answerSchema: 'never', echo: ['reasoning_content'] },
  // What Ollama gives a model where OLLAMA_CONTEXT_LENGTH does not say otherwise is small.
  ollama: { contextTokens: 8_192 },
  vllm: { contextTokens: 32_768 },
  lmstudio: { contextTokens: 8_192 },
  other: {},
};

/** Later rows win. */
const BY_MODEL: readonly {
  readonly provider?: Provider;
  readonly model: RegExp;
  readonly has: Partial<Capabilities>;
}[] = [
  { provider: 'openai', model: /^(o\d|gpt-5)/, has: { sampling: false, seed: false } },
  { provider: 'openai', model: /^gpt-5.*-chat/, has: { sampling: true, reasoningEffort: false } },
  { provider: 'openai', model: /^gpt-4/, has: { reasoningEffort: false } },
  { provider: 'openai', model: /^gpt-4\.1/, has: { contextTokens: 1_000_000 } },
  { provider: 'openai', model: /^(gpt-5|o3|o4)/, has: { contextTokens: 200_000 } },
  { model: /deepseek-(reasoner|v3\.[12]|v4)/i, has: { echo: ['reasoning_content'] } },
  { provider: 'deepseek', model: /reasoner/, has: { sampling: false } },
  // DeepSeek R1 itself refuses its reasoning back.
  { model: /deepseek-r1/i, has: { echo: [] } },
  { model: /kimi-k2|glm-4\.[5-9]|minimax-m2/i, has: { echo: REASONING_FIELDS } },
];

/** What a model at a provider can take. */
export function capabilitiesOf(provider: Provider, model: string): Capabilities {
  let found: Capabilities = { ...COMMON, ...BY_PROVIDER[provider] };
  for (const row of BY_MODEL) {
    if (row.provider !== undefined && row.provider !== provider) continue;
    if (row.model.test(bareName(model))) found = { ...found, ...row.has };
  }
  return found;
}

/** `openai/gpt-4.1` as routers name it, without the maker. */
function bareName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1);
}

const HOSTS: readonly (readonly [RegExp, Provider])[] = [
  [/(^|\.)openai\.com$/, 'openai'],
  [/(^|\.)openai\.azure\.com$/, 'openai'],
  [/(^|\.)anthropic\.com$/, 'anthropic'],
  [/(^|\.)googleapis\.com$/, 'google'],
  [/(^|\.)openrouter\.ai$/, 'openrouter'],
  [/(^|\.)deepseek\.com$/, 'deepseek'],
  [/(^|\.)mistral\.ai$/, 'mistral'],
  [/(^|\.)groq\.com$/, 'groq'],
  [/(^|\.)moonshot\.(ai|cn)$/, 'moonshot'],
];

const PORTS: Readonly<Record<string, Provider>> = { 11434: 'ollama', 8000: 'vllm', 1234: 'lmstudio' };

/** The provider behind an address, by its host, or by its port on a machine of one's own. */
export function providerOf(baseUrl: string): Provider {
  const { hostname, port } = new URL(baseUrl);
  const known = HOSTS.find(([host]) => host.test(hostname));
  return known?.[1] ?? PORTS[port] ?? 'other';
}
