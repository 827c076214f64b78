import type { Decider } from '../engine/index.ts';
import { faultsError } from '../kernel/index.ts';
import { EARLIER_HINT, earlierFaults } from './order-script.ts';
import type { OrderScript, ScriptStep } from './order-script-schema.ts';

/** @throws AppError `bad_order_script` for orders at bars before the first decision */
function checkNotBefore({ orders }: OrderScript, bar: number): void {
  const faults = earlierFaults(orders, bar);
  if (faults.length > 0) throw faultsError('bad_order_script', 'The order script', faults, EARLIER_HINT);
}

/**
 * Creates a decider that places, cancels and replaces orders at the close of each line's bar, in the script's
 * order.
 */
export function orderScriptDecider(script: OrderScript): Decider {
  const byBar = new Map<number, ScriptStep[]>();
  for (const step of script.orders) {
    const steps = byBar.get(step.bar) ?? [];
    steps.push(step);
    byBar.set(step.bar, steps);
  }
  /** Order numbers by name. Rejected orders are absent. */
  const numbers = new Map<string, number>();
  let asked = false;
  return {
    decide({ bar, orders, record }) {
      if (!asked) checkNotBefore(script, bar);
      asked = true;
      for (const step of byBar.get(bar) ?? []) {
        if ('request' in step) {
          const receipt = orders.submit(step.request);
          if (step.id !== undefined && receipt.accepted) numbers.set(step.id, receipt.order.id);
          continue;
        }
        if ('rebalance' in step) {
          const receipt = orders.rebalance(step.rebalance);
          const texts = receipt.accepted
            ? receipt.shortfall.map(({ symbol, weight, reaches, message }) => {
                return `The rebalance brings ${symbol} to ${reaches} and not to ${weight}: ${message}`;
              })
            : [`The rebalance was refused: ${receipt.refusal.message} ${receipt.refusal.remedy}`];
          for (const text of texts) record({ type: 'note', bar, text });
          continue;
        }
        const name = 'cancel' in step ? step.cancel : step.replace;
        const number = numbers.get(name);
        const missed = `The order "${name}" was refused: there is nothing to ${'cancel' in step ? 'cancel' : 'replace'}.`;
        if (number === undefined) {
          record({ type: 'note', bar, text: missed });
        } else if ('cancel' in step) {
          const receipt = orders.cancel(number);
          if (!receipt.cancelled) record({ type: 'note', bar, text: receipt.refusal.message });
        } else {
          const receipt = orders.replace(number, step.changes);
          if (receipt.accepted) numbers.set(name, receipt.order.id);
        }
      }
      return undefined;
    },
  };
}
