import assert from 'node:assert/strict';
import { Then } from '@cucumber/cucumber';
import { checkScriptFits, parseOrderScript } from '../../src/agents/strategies/order-script.ts';
import { AppError } from '../../src/kernel/index.ts';
import type { TradingWorld } from '../support/world.ts';

Then(
  'this order script is refused as a file, saying {string}:',
  function (this: TradingWorld, says: string, text: string) {
    const { clock, symbols } = this.market;
    assert.throws(
      () =>
        checkScriptFits(parseOrderScript(text, 'orders.json', clock), 'orders.json', clock.length, symbols),
      (error) => {
        assert.ok(error instanceof AppError, `not an error for users: ${error}`);
        assert.equal(error.code, 'bad_order_script');
        assert.notEqual(error.hint, '');
        assert.ok(error.message.includes(says), error.message);
        return true;
      },
    );
  },
);
