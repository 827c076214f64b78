import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CostEstimate,
  collectErrors,
  type DecisionUsage,
  estimateDecisions,
  type RunContext,
  runRequested,
  sumOf,
} from '../../runner/index.ts';
import { type Arm, armsOf, hasSamples, loadStrategies } from './arms.ts';
import { readStudyFile, type StudyRequest } from './study-file.ts';
import { requestOfRun } from './study-runs.ts';
import { openGround } from './study-trials.ts';

/** Estimate of the model usage of a study: its total, and the estimate of each arm that calls models. */
export interface StudyEstimate {
  readonly name: string;
  readonly total: CostEstimate;
  readonly arms: readonly { readonly arm: string; readonly estimate: CostEstimate }[];
  /**
   * Number of questions that test what the models remember of the data (memory probes). `total` includes each
   * question as an average model request.
   */
  readonly probes: number;
  /** Names of arms whose costs are unknown, because an MCP client calls its model itself. */
  readonly unknown: readonly string[];
}

/**
 * Estimates the requests, tokens and costs of a study. Unless `known` is given, each arm makes one decision
 * with real model requests, which cost money. No files are written.
 *
 * @param known model usage per decision in earlier runs
 * @throws AppError with every fault of the file, then of the strategies and the data
 */
export async function estimateStudy(
  file: string,
  known: readonly DecisionUsage[] | undefined,
  context: RunContext,
): Promise<StudyEstimate> {
  const request = readStudyFile(file);
  const [strategies, ground] = await collectErrors(
    loadStrategies(request, context.environment),
    openGround(request, context),
  );
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-estimate-'));
  try {
    const arms = await armsOf(request, strategies, folder, context.environment);
    const found: { arm: string; estimate: CostEstimate; one: CostEstimate }[] = [];
    for (const arm of arms.filter((one) => hasSamples(one) && one.mcp === undefined)) {
      const [estimate, one] = await estimateArm(folder, request, arm, known, context);
      found.push({ arm: arm.name, estimate, one });
    }
    const models = new Set(arms.flatMap(({ kind, model }) => (kind === 'llm' ? [model] : [])));
    const probes = request.leakage.probe * models.size;
    const [first] = found;
    const asked = probes === 0 || first === undefined ? [] : [ofProbes(probes, first.one)];
    return {
      name: request.name,
      total: sumOf([...found.map(({ estimate }) => estimate), ...asked]),
      arms: found.map(({ arm, estimate }) => ({ arm, estimate })),
      probes,
      unknown: arms.flatMap(({ name, mcp }) => (mcp === undefined ? [] : [name])),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await ground.world.close();
  }
}

/** Returns the estimate of an arm, and the estimate of one of its decisions. */
async function estimateArm(
  folder: string,
  request: StudyRequest,
  arm: Arm,
  known: readonly DecisionUsage[] | undefined,
  context: RunContext,
): Promise<[all: CostEstimate, one: CostEstimate]> {
  const { counterfactual } = request.leakage;
  const times = arm.samples + (counterfactual?.worlds ?? 0);
  let usages = known;
  let basis: CostEstimate['basis'] = known === undefined ? 'one decision' : 'recorded runs';
  let decisions = 0;
  for (const window of request.windows) {
    const { sample: _, ...run } = requestOfRun(folder, 'estimate', request, { arm, window, sample: 1 });
    let found: CostEstimate | undefined;
    const onEstimate = (estimate: CostEstimate): void => {
      found = estimate;
    };
    await runRequested({ ...run, estimate: { known: usages, onEstimate } }, context);
    if (found === undefined) throw new Error('an estimate was requested');
    decisions += found.decisions * times;
    // One decision is made with the model, in the first window that contains a decision.
    if (usages === undefined && found.decisions > 0) {
      usages = [perDecision(found)];
      basis = 'one decision';
    }
  }
  return [estimateDecisions(decisions, usages ?? [], basis), estimateDecisions(1, usages ?? [], basis)];
}

function perDecision({ decisions, requests, tokens, usd }: CostEstimate): DecisionUsage {
  return {
    requests: requests.expected / decisions,
    tokens: tokens === null ? null : tokens.expected / decisions,
    usd: usd === null ? null : usd.expected / decisions,
  };
}

/** Estimates the usage of memory probes. Each question counts as one average model request of a decision. */
function ofProbes(questions: number, one: CostEstimate): CostEstimate {
  const of = (amount: CostEstimate['requests'] | null): CostEstimate['requests'] | null =>
    amount === null
      ? null
      : {
          expected: (questions * amount.expected) / Math.max(1, one.requests.expected),
          low: 0,
          high: (questions * amount.high) / Math.max(1, one.requests.expected),
        };
  return {
    ...one,
    decisions: 0,
    observed: 0,
    requests: { expected: questions, low: questions, high: questions },
    tokens: of(one.tokens),
    usd: of(one.usd),
  };
}
