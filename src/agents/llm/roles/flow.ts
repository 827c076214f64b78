import { z } from 'zod';
import type { PlaceFault } from '../output/answer-schema.ts';
import type { OutputSettings } from '../output/settings.ts';

const name = z.string();

/**
 * Step of a decision: a role speaks, roles debate, or a role approves or vetoes the previous role's decision.
 */
const stepSchema = z.union(
  [
    name,
    z.strictObject({ debate: z.array(name).min(2), rounds: z.number().int().min(1).max(20).default(1) }),
    z.strictObject({ veto: name, again: z.number().int().min(0).max(5).default(0) }),
  ],
  { error: 'must be one of analyst, {debate: [bull, bear], rounds: 2}, {veto: risk, again: 1}' },
);

export const flowSchema = z.array(stepSchema).min(1);
export type FlowStep = z.infer<typeof stepSchema>;

/** Form of the answer of a role that may veto. */
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
export function flowFaults(flow: readonly FlowStep[], roles: readonly string[]): PlaceFault[] {
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

/** Describes a flow: `analyst → bull / bear ×2 → trader → risk may veto`. */
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
