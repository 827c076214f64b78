import { z } from 'zod';
import { type Fault, isObject, issueText, valueAt } from '../../../kernel/index.ts';
import { type Budget, budgetSchema } from '../../model/budget.ts';
import type { PlaceFault } from '../output/answer-schema.ts';
import type { OutputSettings } from '../output/settings.ts';
import { type LlmStrategy, type ReadContext, readPrompt } from '../read-prompt.ts';
import type { FrontMatter, StrategySettings } from '../schema.ts';

/** Settings that a role may override. Other settings apply to all roles. */
const OWN = [
  'model',
  'base_url',
  'api_key_env',
  'provider',
  'api',
  'stream',
  'headers',
  'extra_body',
  'text_tool_calls',
  'tools',
  'tool_manuals',
  'columns',
  'output',
  'rounds',
  'tool_output_chars',
  'context_tokens',
  'notes',
  'sampling',
  'request',
  'limits',
  'budget',
  'on_failure',
  'prices',
] as const;

const NAME = /^[a-z][a-z0-9_-]*$/;
const budgetsSchema = z
  .strictObject({ decision: budgetSchema.default({}), run: budgetSchema.default({}) })
  .prefault({});

type Fields = Readonly<Record<string, unknown>>;

/** Prompts of a strategy and all of its faults. */
export interface ReadPrompts {
  readonly faults: readonly Fault[];
  /** Prompts without faults. */
  readonly prompts: readonly LlmStrategy[];
  readonly flow?: readonly FlowStep[] | undefined;
  readonly budget?: StrategySettings['budget'] | undefined;
}

/** Reads a strategy with several roles: each prompt with its settings, the flow, and every fault. */
export function readRoles(front: FrontMatter, context: ReadContext): ReadPrompts {
  const { file } = context;
  const { roles: given, flow: order, budget, output, ...common } = front.value as Fields;
  const faults = new Faults(front, file);
  if (output !== undefined) faults.add(['output'], 'output: belongs to a role, such as roles.trader.output');
  const roles = isObject(given) ? given : {};
  const names = Object.keys(roles);
  if (names.length === 0)
    faults.add(['roles'], 'roles: name at least one role, such as roles: { analyst: {}, trader: {} }');
  for (const name of names) {
    if (!NAME.test(name)) faults.add(['roles', name], `roles: "${name}" is not a name such as trader`);
    const role = roles[name] ?? {};
    if (!isObject(role)) faults.add(['roles', name], `roles.${name}: is not an object of settings`);
    else
      for (const key of Object.keys(role))
        if (!(OWN as readonly string[]).includes(key))
          faults.add(
            ['roles', name, key],
            `roles.${name}.${key}: unknown setting of a role. Allowed: ${OWN.join(', ')}`,
          );
  }
  const budgets = faults.read(budgetsSchema, budget, ['budget']);
  const flow = faults.read(flowSchema, order ?? names, ['flow']);
  for (const { path, message } of flow === undefined ? [] : flowFaults(flow, names))
    faults.add(path, `${path[0]}: ${message}`);
  const vetoing = (flow ?? []).flatMap((step) =>
    typeof step === 'object' && 'veto' in step ? [step.veto] : [],
  );
  for (const name of vetoing)
    if (isObject(roles[name]) && 'output' in roles[name])
      faults.add(
        ['roles', name, 'output'],
        `roles.${name}.output: a role that may veto answers with approve and reason`,
      );
  const texts = textsOf(front, names, faults);
  const prompts = names.flatMap((name): LlmStrategy[] => {
    const own = isObject(roles[name]) ? roles[name] : {};
    const read = readRole(name, own, common, texts.get(name), { front, faults, context });
    return read === undefined ? [] : [read];
  });
  return { faults: faults.all, prompts, flow, budget: budgets };
}

function readRole(
  name: string,
  given: Fields,
  common: Fields,
  text: RoleText | undefined,
  { front, faults, context }: { front: FrontMatter; faults: Faults; context: ReadContext },
): LlmStrategy | undefined {
  if (text === undefined) {
    faults.add(['roles', name], `roles.${name}: there is no prompt under a line "# ${name}"`);
    return undefined;
  }
  const { budget, ...own } = Object.fromEntries(
    Object.entries(given).filter(([key]) => (OWN as readonly string[]).includes(key)),
  );
  const roleBudget: Budget | undefined = faults.read(budgetSchema.default({}), budget, [
    'roles',
    name,
    'budget',
  ]);
  const { resolved } = context;
  const { faults: found, prompt } = readPrompt(
    {
      value: { ...common, ...own },
      ...text,
      lineOf: (path) =>
        String(path[0]) in own ? front.lineOf(['roles', name, ...path]) : front.lineOf(path),
    },
    { ...context, resolved: resolved?.roles?.[name] ?? resolved },
  );
  for (const fault of found) faults.push(fault);
  if (prompt === undefined || roleBudget === undefined) return undefined;
  return { ...prompt, role: name, roleBudget, prompt: text.shown };
}

interface RoleText {
  /** Prompt as the model receives it. */
  readonly shown: string;
  /** Prompt in which each line has the same number as in the file, for error messages. */
  readonly body: string;
  readonly bodyLine: number;
}

/**
 * Splits a file into prompts. Each prompt starts with a line `# name`. Text before the first such line
 * belongs to every prompt.
 */
function textsOf(
  { body, bodyLine }: FrontMatter,
  names: readonly string[],
  faults: Faults,
): Map<string, RoleText> {
  const lines = body.split('\n');
  let fence = '';
  const heads = lines.flatMap((line, index) => {
    // A line inside a code block may also begin with #. Such a line is not a heading.
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    if (fence !== '' || mark !== '') return [];
    const name = /^# +(.+?)\s*$/.exec(line)?.[1];
    return name === undefined ? [] : [{ name, index }];
  });
  const preamble = lines.slice(0, heads[0]?.index ?? lines.length);
  const texts = new Map<string, RoleText>();
  for (const [at, { name, index }] of heads.entries()) {
    const line = bodyLine + index + 1;
    if (!names.includes(name)) {
      faults.line(
        line,
        `unknown role ${name}: a line that begins with one # names a role (${names.join(', ')})`,
      );
      continue;
    }
    if (texts.has(name)) faults.line(line, `${name} has two prompts`);
    const own = lines.slice(index + 1, heads[at + 1]?.index);
    if (own.join('').trim() === '') faults.line(line, `${name} has no prompt`);
    // Blank lines replace omitted lines, so that line numbers are the same as in the file.
    const gap = Array.from({ length: index + 1 - preamble.length }, () => '');
    const shown = [preamble, own].map((part) => part.join('\n').trim()).filter((part) => part !== '');
    texts.set(name, {
      shown: shown.join('\n\n'),
      body: [...preamble, ...gap, ...own].join('\n'),
      bodyLine,
    });
  }
  return texts;
}

/** Collects faults. A fault that several roles share is reported once. */
class Faults {
  readonly #front: FrontMatter;
  readonly #file: string;
  readonly #all = new Map<string, Fault>();

  constructor(front: FrontMatter, file: string) {
    this.#front = front;
    this.#file = file;
  }

  get all(): readonly Fault[] {
    return [...this.#all.values()];
  }

  push(fault: Fault): void {
    this.#all.set(`${fault.where} ${fault.message}`, fault);
  }

  line(line: number, message: string): void {
    this.push({ where: `${this.#file}:${line}`, message });
  }

  add(path: readonly PropertyKey[], message: string): void {
    this.line(this.#front.lineOf(path), message);
  }

  read<Value>(schema: z.ZodType<Value>, value: unknown, path: readonly PropertyKey[]): Value | undefined {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const where = [...path, ...issue.path];
      this.add(where, `${where.join('.')}: ${issueText(issue, valueAt(value, issue.path))}`);
    }
    return undefined;
  }
}

const name = z.string();

/**
 * Step of a decision. A role decides, several roles debate, or a role approves or vetoes the decision of the
 * previous role.
 */
const stepSchema = z.union(
  [
    name,
    z.strictObject({ debate: z.array(name).min(2), rounds: z.number().int().min(1).max(20).default(1) }),
    z.strictObject({ veto: name, again: z.number().int().min(0).max(5).default(0) }),
  ],
  { error: 'must be one of analyst, {debate: [bull, bear], rounds: 2}, {veto: risk, again: 1}' },
);

const flowSchema = z.array(stepSchema).min(1);
export type FlowStep = z.infer<typeof stepSchema>;

/** Required answer of a role that can veto a decision: its approval and the reason. */
export const VERDICT: OutputSettings = {
  schema: {
    type: 'object',
    properties: {
      approve: { type: 'boolean', description: 'true accepts the decision, false stops it' },
      reason: { type: 'string', description: 'why, in a sentence' },
    },
    required: ['approve', 'reason'],
    additionalProperties: false,
  },
  calls: [],
};

/** Returns the faults of a flow, with their places in the settings. */
function flowFaults(flow: readonly FlowStep[], roles: readonly string[]): PlaceFault[] {
  const faults: PlaceFault[] = [];
  const used = new Set<string>();
  for (const [index, step] of flow.entries()) {
    const path = ['flow', index];
    for (const role of speakersOf(step)) {
      used.add(role);
      if (!roles.includes(role))
        faults.push({ path, message: `unknown role ${role}. Roles: ${roles.join(', ')}` });
    }
    if (typeof step === 'object' && 'debate' in step && new Set(step.debate).size < step.debate.length)
      faults.push({ path, message: 'a role debates with itself' });
    if (typeof step !== 'object' || !('veto' in step)) continue;
    const before = flow[index - 1];
    if (typeof before !== 'string')
      faults.push({
        path,
        message: `${step.veto} has nobody to veto: the step before it has to be one role`,
      });
    else if (before === step.veto) faults.push({ path, message: `${step.veto} would veto itself` });
    if (
      flow.some(
        (other) => other !== step && speakersOf(other).includes(step.veto) && !isVetoOf(other, step.veto),
      )
    )
      faults.push({ path, message: `${step.veto} vetoes, and can do nothing else in the flow` });
  }
  for (const role of roles)
    if (!used.has(role)) faults.push({ path: ['roles', role], message: `${role} has no place in the flow` });
  return faults;
}

function isVetoOf(step: FlowStep, role: string): boolean {
  return typeof step === 'object' && 'veto' in step && step.veto === role;
}

function speakersOf(step: FlowStep): readonly string[] {
  if (typeof step === 'string') return [step];
  return 'debate' in step ? step.debate : [step.veto];
}

/** Describes a flow in one line: `analyst → bull / bear ×2 → trader → risk may veto`. */
export function flowText(flow: readonly FlowStep[]): string {
  return flow
    .map((step) => {
      if (typeof step === 'string') return step;
      if ('veto' in step)
        return `${step.veto} may veto${step.again === 0 ? '' : `, ${step.again} more tries`}`;
      return `${step.debate.join(' / ')}${step.rounds === 1 ? '' : ` ×${step.rounds}`}`;
    })
    .join(' → ');
}
