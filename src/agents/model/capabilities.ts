/** Features that differ between model servers. */
export interface Capabilities {
  /** Name of the request field that limits the tokens of a reply. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** True if temperature and top_p are accepted. */
  readonly sampling: boolean;
  /** True if a seed is accepted. */
  readonly seed: boolean;
  /** True if `reasoning_effort` is accepted. */
  readonly reasoningEffort: boolean;
  /**
   * Fields of an assistant message that later requests of the same decision must repeat, for example
   * reasoning.
   */
  readonly echo: readonly string[];
  /**
   * Method to prevent tool calls in a decision's last request: offer no tools, or set tool choice to none.
   */
  readonly finalRound: 'no-tools' | 'choice-none';
  /**
   * Support for a JSON schema of the answer. `without-tools`: some servers enforce the schema from the first
   * token on. The model could then not call a tool, so the schema is sent only without tools.
   */
  readonly answerSchema: 'always' | 'without-tools' | 'never';
  /** True if `stream_options.include_usage` is accepted. */
  readonly streamUsage: boolean;
  /** Default context size in tokens. A strategy can override this value. */
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

// If a reasoning model has called a tool, the next request must repeat the model's reasoning in the field in
// which the server sent it.
const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details'];

const BY_PROVIDER: Readonly<Record<Provider, Partial<Capabilities>>> = {
  openai: { maxTokensField: 'max_completion_tokens', answerSchema: 'always' },
  // Anthropic refuses a request that contains tool results but offers no tools.
  anthropic: { seed: false, finalRound: 'choice-none', answerSchema: 'never', contextTokens: 200_000 },
  google: { seed: false, contextTokens: 1_000_000 },
  openrouter: { echo: ['reasoning_details'] },
  deepseek: { seed: false, reasoningEffort: false, answerSchema: 'never' },
  mistral: { seed: false, reasoningEffort: false },
  groq: { reasoningEffort: false, answerSchema: 'never' },
  moonshot: { seed: false, reasoningEffort: false, answerSchema: 'never', echo: ['reasoning_content'] },
  // Ollama's default context is small. Users can change it with OLLAMA_CONTEXT_LENGTH.
  ollama: { contextTokens: 8_192 },
  vllm: { contextTokens: 32_768 },
  lmstudio: { contextTokens: 8_192 },
  other: {},
};

/** Features by model. Later entries override earlier ones. */
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
  // DeepSeek R1 refuses requests that repeat its reasoning.
  { model: /deepseek-r1/i, has: { echo: [] } },
  { model: /kimi-k2|glm-4\.[5-9]|minimax-m2/i, has: { echo: REASONING_FIELDS } },
];

/** Returns the features of a model at a provider. */
export function capabilitiesOf(provider: Provider, model: string): Capabilities {
  let found: Capabilities = { ...COMMON, ...BY_PROVIDER[provider] };
  for (const row of BY_MODEL) {
    if (row.provider !== undefined && row.provider !== provider) continue;
    if (row.model.test(bareName(model))) found = { ...found, ...row.has };
  }
  return found;
}

/** Removes the prefix with the maker's name that routers add, as in `openai/gpt-4.1`. */
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

/** Detects the provider from the host of an address, or from the port of a local server. */
export function providerOf(baseUrl: string): Provider {
  const { hostname, port } = new URL(baseUrl);
  const known = HOSTS.find(([host]) => host.test(hostname));
  return known?.[1] ?? PORTS[port] ?? 'other';
}
