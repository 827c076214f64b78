import { type Environment, fillIn, SET_IT, valuesIn } from './environment.ts';

/** Headers that carry a key. */
const KEY_HEADERS = /^(authorization|proxy-authorization|cookie|.*api-?key|.*token|.*secret)$/i;

interface HeaderFault {
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
}

/**
 * What is wrong with a strategy's headers.
 *
 * @param environment undefined where a run goes on that began elsewhere: what is missing then is asked for when it is sent
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
      // It would be copied into the folder of every run.
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

/** A strategy's headers, filled in; what the environment says in them is secret. */
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

/** Whether the headers bring the key themselves. */
export function bringsKey(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => KEY_HEADERS.test(name));
}
