import type { Fault } from '../../kernel/index.ts';

/** Variables of a prompt. They are replaced at every decision. */
export const PROMPT_VARIABLES = {
  bar: "the bar's number, from 0",
  date: "the bar's date",
  bars: 'bars of the first symbol known so far',
  symbol: 'the first symbol',
  symbols: 'all symbols, with commas',
  close: "the first symbol's last close",
  cash: 'cash of the account',
  equity: 'equity of the account',
  position: 'units of the first symbol held, negative when short',
  features: 'the newest value of each feature of --features, with when it was known',
  documents: 'titles of the documents of --documents that became known since the last decision',
  universe: 'the symbols that can be traded now, with commas',
  tools: "names of the model's tools, with commas",
  rounds: 'requests one decision may take',
} as const satisfies Record<string, string>;

export type PromptVariable = keyof typeof PROMPT_VARIABLES;

const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Returns the faults of a prompt's variables, with their lines in the file. */
export function promptFaults(
  body: string,
  bodyLine: number,
  file: string,
  parameters: Readonly<Record<string, unknown>>,
): Fault[] {
  const faults: Fault[] = [];
  for (const [index, line] of body.split('\n').entries()) {
    for (const [, name = ''] of line.matchAll(VARIABLE)) {
      if (isKnown(name, parameters)) continue;
      const known = [
        ...Object.keys(PROMPT_VARIABLES),
        ...Object.keys(parameters).map((parameter) => `parameters.${parameter}`),
      ];
      faults.push({
        where: `${file}:${bodyLine + index + 1}`,
        message: `unknown variable {{${name}}}`,
        hint: `available: ${known.join(', ')}`,
      });
    }
    if (line.replaceAll(VARIABLE, '').includes('{{')) {
      faults.push({
        where: `${file}:${bodyLine + index + 1}`,
        message: 'a {{ is not closed by }} on its line',
        hint: 'close it, as in {{date}}',
      });
    }
  }
  return faults;
}

function isKnown(name: string, parameters: Readonly<Record<string, unknown>>): boolean {
  if (Object.hasOwn(PROMPT_VARIABLES, name)) return true;
  return name.startsWith('parameters.') && Object.hasOwn(parameters, name.slice('parameters.'.length));
}

/** Returns the prompt with its variables replaced. */
export function renderPrompt(
  body: string,
  values: Readonly<Record<PromptVariable, string>>,
  parameters: Readonly<Record<string, unknown>>,
): string {
  return body.replaceAll(VARIABLE, (_, name: string) =>
    name.startsWith('parameters.')
      ? String(parameters[name.slice('parameters.'.length)])
      : values[name as PromptVariable],
  );
}
