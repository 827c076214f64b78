import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { AppError, fileProblem } from '../../kernel/index.ts';

/** Environment variables that a strategy may refer to, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Merges the process's environment with the variables of the `.env` file in the current folder. A variable of
 * the process overrides the file.
 *
 * @throws AppError `env_unreadable`
 */
export function withEnvFile(environment: Environment, file = '.env'): Environment {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return environment;
    throw new AppError({
      code: 'env_unreadable',
      message: `Cannot read ${file}: ${fileProblem(cause)}.`,
      hint: 'Make it a readable file of lines NAME=value, or remove it.',
      cause,
    });
  }
  const given = Object.entries(environment).filter(([, value]) => value !== undefined);
  return { ...parseEnv(text), ...Object.fromEntries(given) };
}

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Hint in errors about a missing environment variable. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
export const SET_IT = 'set it, or write a default as ${NAME:-default}';

/**
 * Replaces `${NAME}` and `${NAME:-default}` by the variable's value. An empty variable counts as missing.
 *
 * @returns the text, and the names of variables that have neither a value nor a default
 */
export function fillIn(text: string, environment: Environment): { text: string; missing: string[] } {
  const missing: string[] = [];
  const filled = text.replaceAll(REFERENCE, (_, name: string, fallback: string | undefined) => {
    const value = environment[name] ?? '';
    if (value !== '') return value;
    if (fallback === undefined) missing.push(name);
    return fallback ?? '';
  });
  return { text: filled, missing };
}

/** Returns the environment's values of all variables that a text refers to. */
function valuesIn(text: string, environment: Environment): string[] {
  return [...text.matchAll(REFERENCE)]
    .map(([, name = '']) => environment[name] ?? '')
    .filter((value) => value !== '');
}

/** Returns true if the environment has a value for at least one `${NAME}` in a text. */
export function isSet(text: string, environment: Environment): boolean {
  return [...text.matchAll(REFERENCE)].some(([, name = '']) => (environment[name] ?? '') !== '');
}

const SHORTEST_SECRET = 6;

/**
 * Returns a function that replaces every secret in a text with `[redacted]`. Secrets shorter than 6
 * characters are too short to be a key and are ignored.
 */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = [...new Set(secrets)]
    .filter((secret): secret is string => secret !== undefined && secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .sort((one, other) => other.length - one.length);
  return (text) => known.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text);
}

/** Returns the secrets in an address: its password, and the values of its query except the API version. */
export function secretsOfUrl(baseUrl: string): string[] {
  const { password, search } = new URL(baseUrl);
  const values = [...new URLSearchParams(search)].flatMap(([name, value]) =>
    name === 'api-version' ? [] : [value],
  );
  return [decodeURIComponent(password), password, ...values].filter((part) => part !== '');
}

/** Names of HTTP headers whose value is usually an API key or another secret. */
const KEY_HEADERS = /^(authorization|proxy-authorization|cookie|.*api-?key|.*token|.*secret)$/i;

interface HeaderFault {
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
}

/**
 * Returns the faults of the HTTP headers in a strategy's settings.
 *
 * @param environment variables that headers may refer to. `undefined` for a resumed or replayed run. A replay
 *   sends no requests, so missing variables are then not faults of the strategy. `createExchanger` reports
 *   them if requests will be sent
 */
export function headerFaults(
  headers: Readonly<Record<string, string>>,
  environment: Environment | undefined,
): HeaderFault[] {
  return Object.entries(headers).flatMap(([name, text]): HeaderFault[] => {
    const { missing } = environment === undefined ? { missing: [] } : fillIn(text, environment);
    return [
      ...missing.map((variable) => ({ name, message: `the environment has no ${variable}`, hint: SET_IT })),
      ...(/^[\t\x20-\x7e\x80-\xff]*$/.test(text)
        ? []
        : [{ name, message: 'a header is one line of plain text' }]),
      // A key in plain text is a fault, because a copy of the strategy file is stored in every run folder.
      ...(KEY_HEADERS.test(name) && !text.includes('${')
        ? [
            {
              name,
              message: 'this is a key in plain text, which would be saved in the run folder',
              // biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
              hint: 'use the variable with the key: ${NAME}',
            },
          ]
        : []),
    ];
  });
}

/**
 * Returns a strategy's HTTP headers with variables filled in. `secrets` lists the values of these variables.
 * `missing` lists the names of variables that have neither a value nor a default.
 */
export function filledHeaders(
  headers: Readonly<Record<string, string>>,
  environment: Environment,
): {
  readonly values: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly missing: readonly string[];
} {
  const entries = Object.entries(headers);
  const filled = entries.map(([name, text]) => [name, fillIn(text, environment)] as const);
  return {
    values: Object.fromEntries(filled.map(([name, { text }]) => [name, text])),
    secrets: entries.flatMap(([, text]) => valuesIn(text, environment)),
    missing: [...new Set(filled.flatMap(([, { missing }]) => missing))],
  };
}

/** Returns true if a header of the strategy contains the API key, so that `api_key_env` is not needed. */
export function bringsKey(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => KEY_HEADERS.test(name));
}
