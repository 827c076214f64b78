import { z } from 'zod';
import { loadStrategy, withEnvFile } from '../../agents/index.ts';
import { AppError, type Fault, isObject } from '../../kernel/index.ts';
import type { StartChoices, StartField, StartRequest } from '../../pages/index.ts';
import { flagNamed } from '../flags/flag-values.ts';
import { numberRulesOf, settingForms } from '../flags/settings-flags.ts';
import type { Io } from '../io.ts';

/** Maximum number of files that the form offers. The form starts runs from the page of `sandtable serve`. */
export const MOST_FILES = 500;

const text = z
  .string()
  .max(1_000)
  .regex(/^\P{Cc}*$/u, 'contains a control character');
export const requestSchema = z.strictObject({
  command: z.enum(['run', 'sweep']),
  strategy: text,
  data: z.array(text).min(1, 'is missing').max(MOST_FILES),
  values: z.record(text, text),
  parameters: z.record(text, text),
});

/** Fields of the form for flags that are not settings of a run, such as its period. */
const OTHER_FIELDS: readonly StartField[] = [
  { name: 'from', label: 'From', help: 'first date', group: 'Period', kind: 'date', initial: '' },
  { name: 'to', label: 'To', help: 'last date (inclusive)', group: 'Period', kind: 'date', initial: '' },
  ...(
    [
      ['trials', 'Trials', 'maximum number of combinations (default: the whole grid)'],
      ['objective', 'Objective', 'metric of summary.json, or an expression of several (default sharpe)'],
      ['walkForward', 'Walk-forward', 'for example train=3y,test=1y'],
      ['holdout', 'Holdout', 'reserve the end of the data, for example 2y'],
    ] as const
  ).map(
    ([name, label, help]): StartField => ({
      name,
      label,
      help,
      group: 'Sweep',
      kind: 'text',
      initial: '',
      isOfSweeps: true,
    }),
  ),
];

interface Form extends StartField {
  readonly flag: string;
}

const FORMS: ReadonlyMap<string, Form> = new Map(
  settingForms().map(({ name, flag, group, description, schema }) => {
    const kind = kindOf(schema);
    const label = words(flag);
    return [name, { ...kind, name, flag, label, group, help: description, initial: '' }] as const;
  }),
);

/** Returns the fields of the form in display order. */
export function fields(): readonly StartField[] {
  return [
    ...OTHER_FIELDS.filter(({ group }) => group === 'Period'),
    ...[...FORMS.values()].map(({ flag: _, ...field }) => field),
    ...OTHER_FIELDS.filter(({ group }) => group !== 'Period'),
  ];
}

function words(flag: string): string {
  const plain = flag.replace('--', '').replaceAll('-', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function kindOf(schema: unknown): Pick<StartField, 'kind' | 'choices' | 'min' | 'max' | 'isWhole'> {
  if (schema instanceof z.ZodEnum) return { kind: 'choice', choices: schema.options.map(String) };
  if (schema instanceof z.ZodBoolean) return { kind: 'switch' };
  if (!(schema instanceof z.ZodNumber)) return { kind: 'text' };
  const { min, max, whole = false } = numberRulesOf(schema);
  return {
    kind: 'number',
    ...(Number.isFinite(min) && Math.abs(min) < Number.MAX_SAFE_INTEGER ? { min } : {}),
    ...(Number.isFinite(max) && Math.abs(max) < Number.MAX_SAFE_INTEGER ? { max } : {}),
    isWhole: whole,
  };
}

/**
 * Parses a request from the form.
 *
 * @throws AppError `start_refused` with all problems of the request
 */
export function readRequest(given: unknown, offered: StartChoices): StartRequest {
  const parsed = requestSchema.safeParse(given);
  if (!parsed.success)
    throw refused(parsed.error.issues.map(({ path, message }) => ({ where: path.join('.'), message })));
  const request = parsed.data;
  const names = new Set(
    offered.fields.flatMap(({ name, isOfSweeps }) =>
      isOfSweeps === true && request.command === 'run' ? [] : [name],
    ),
  );
  const faults: Fault[] = [
    ...(offered.strategies.includes(request.strategy) ? [] : [notOffered('strategy', request.strategy)]),
    ...request.data.filter((path) => !offered.data.includes(path)).map((path) => notOffered('data', path)),
    ...Object.keys(request.values)
      .filter((name) => !names.has(name))
      .map((name) => ({ where: name, message: 'is not a field of this form' })),
    ...Object.keys(request.parameters)
      .filter((name) => !/^[A-Za-z_]\w*$/.test(name))
      .map((name) => ({ where: name, message: 'is not the name of a parameter' })),
  ];
  if (faults.length > 0) throw refused(faults);
  return request;
}

/** Returns the command line for a request, split into words. */
export function wordsOf(
  { command, strategy, data, values, parameters }: StartRequest,
  out: readonly string[],
): string[] {
  const flags = Object.entries(values).flatMap(([name, value]) => {
    const form = FORMS.get(name);
    const flag = form?.flag ?? flagNamed(name);
    if (form?.kind === 'switch') return value === 'true' ? [flag] : [];
    if (value === '') return [];
    return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
  });
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`);
  return [
    command,
    strategy,
    '--data',
    ...data,
    ...flags,
    ...(pairs.length === 0 ? [] : ['--param', ...pairs]),
    ...out,
  ];
}

/** Converts the values of a form to the types that the library commander gives to flags. */
export function flagValues(values: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => {
        if (FORMS.get(name)?.kind !== 'switch') return [name, value];
        return [name, name === 'short' ? value !== 'true' : value === 'true'];
      }),
  );
}

/** Returns the parameters of a strategy as fields of the form. */
export async function parametersOf(strategy: string, io: Io): Promise<readonly StartField[]> {
  const { schema, parameters } = await loadStrategy(strategy, {}, { environment: withEnvFile(io.env) });
  const described: unknown =
    schema === undefined ? {} : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const properties = isObject(described) && isObject(described.properties) ? described.properties : {};
  return Object.entries(parameters)
    .filter(([name]) => schema !== undefined || !['model', 'flow'].includes(name))
    .map(([name, value]) => {
      const found = properties[name];
      const about = isObject(found) ? found : {};
      const number = (key: string): number | undefined => {
        const bound = about[key];
        return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
      };
      const [min, max] = [number('minimum') ?? number('exclusiveMinimum'), number('maximum')];
      return {
        name,
        label: name,
        help: typeof about.description === 'string' ? about.description : '',
        group: 'Parameters',
        kind: Array.isArray(about.enum) ? 'choice' : typeof value === 'number' ? 'number' : 'text',
        ...(Array.isArray(about.enum) ? { choices: about.enum.map(String) } : {}),
        ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
        isWhole: about.type === 'integer',
        initial: typeof value === 'string' ? value : JSON.stringify(value),
      } satisfies StartField;
    });
}

/** Returns the fault for a file that the form does not offer. */
export function notOffered(where: string, path: string): Fault {
  return { where, message: `"${path}" is not a file that the form offers` };
}

/** Returns the error for a request with faults. */
export function refused(faults: readonly Fault[]): AppError {
  return new AppError({
    code: 'start_refused',
    message: `The run cannot be started: ${faults.map(({ where, message }) => `${where} ${message}`).join('; ')}.`,
    hint: 'Correct the form.',
  });
}
