import type { BarContext, Decider } from '../../engine/index.ts';
import { SinceDecision, type Toolkit } from '../../toolkit/index.ts';
import { Spending } from '../model/budget.ts';
import type { RunServices } from '../run-services.ts';
import { maskedSettings } from './masked-settings.ts';
import { Role, type Shared } from './role.ts';
import { Desk } from './roles/desk.ts';
import { VERDICT } from './roles/flow.ts';
import { TradeOutcomes } from './roles/trade-outcomes.ts';
import { createSchedule } from './schedule.ts';
import type { LlmFile } from './strategy-file.ts';

/**
 * Creates the decider of a Markdown strategy. It has one prompt, or several roles that speak in the order of
 * their flow. Every decision starts new conversations.
 *
 * @param symbols number of tradable symbols
 * @param importModule imports a module relative to the strategy's file and returns its default export
 * @throws AppError `api_key_missing`
 */
export function llmDecider(
  file: LlmFile,
  toolkit: Toolkit,
  services: RunServices,
  symbols: number,
  importModule: (name: string) => Promise<unknown>,
): Decider {
  const { prompts, flow, budget } = file;
  const settings = maskedSettings(file.settings, services.mask);
  const hasPrices = prompts.every(({ price }) => price !== null);
  const since = new SinceDecision();
  const trades = new TradeOutcomes(toolkit);
  const shared: Shared = {
    toolkit,
    services,
    symbols,
    since,
    budget: { decision: budget.decision, run: services.budget ?? budget.run },
    spent: { decision: new Spending(hasPrices), run: new Spending(hasPrices) },
    outcomesFor: (role) => trades.takeFor(role),
  };
  const vetoes = new Set(
    flow?.flatMap((step) => (typeof step === 'object' && 'veto' in step ? [step.veto] : [])),
  );
  const roles = prompts.map(
    (prompt) => new Role(prompt, shared, vetoes.has(prompt.role ?? '') ? VERDICT : prompt.settings.output),
  );
  const desk = new Desk(roles, flow, shared, trades);
  const decisions = createSchedule({
    schedule: settings.schedule,
    warmUpBars: settings.warm_up_bars,
    decisionStart: settings.decision_start,
    toolkit,
    importModule,
  });
  let configured = false;

  const decideNow = async (turn: BarContext): Promise<void> => {
    if (!configured) for (const role of roles) role.configure(turn);
    configured = true;
    shared.spent.decision = new Spending(hasPrices);
    for (const role of roles) role.begin();
    const { sample = 1 } = services;
    const end = await desk.decide(turn);
    since.decided(turn);
    const { usage, cost } = shared.spent.decision;
    turn.record({ type: 'decision_made', bar: turn.bar, sample, ...end, usage, cost });
  };

  return {
    readsEvents: true,
    waitedMs: () => toolkit.waitedMs(),
    watch: (turn) => decisions.watch(turn),
    decide(turn) {
      trades.note(turn, turn.eventsSince);
      const due = decisions.isDue(turn);
      if (due === false) return since.pass(turn);
      if (due === true) return decideNow(turn);
      return due.then((yes) => (yes ? decideNow(turn) : since.pass(turn)));
    },
  };
}
