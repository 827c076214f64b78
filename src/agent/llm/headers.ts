import { type Environment, fillIn, SET_IT, valuesIn } from './environment.ts';

/** Names of headers that contain a key. */
const KEY_HEADERS = /^(authorization|proxy-authorization|cookie|.*api-?key|.*token|.*secret)$/i;

interface HeaderFault {
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
}

/**
 * Returns the faults of a strategy's headers.
 *
 * @param environment `undefined` for a resumed run. Missing variables are then reported when a request is
 *   sent
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
      // A key in plain text would be copied into the folder of every run.
      ...(KEY_HEADERS.test(name) && !text.includes('${')
        ? [
            {
              name,
              message: 'this is a key in plain text, which would stay in the run’s folder',
              // biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
              hint: 'name the variable that holds it: ${NAME}',
            },
          ]
        : []),
    ];
  });
}

/** Returns a strategy's headers with variables filled in. Values from the environment are secrets. */
export function filledHeaders(
  headers: Readonly<Record<string, string>>,
  environment: Environment,
): { readonly values: Readonly<Record<string, string>>; readonly secrets: readonly string[] } {
  const entries = Object.entries(headers);
  return {
    values: Object.fromEntries(entries.map(([name, text]) => [name, fillIn(text, environment).text])),
    secrets: entries.flatMap(([, text]) => valuesIn(text, environment)),
  };
}

/** Returns true if the headers contain the key themselves. */
export function bringsKey(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => KEY_HEADERS.test(name));
}
