@spawn
Feature: Errors of a strategy
  A strategy may loop for ever, end the process or leave an error uncaught. The run still ends, with a message that
  states the cause, a run folder with the results so far, and exit code 1.

  Background:
    Given the file "prices.csv" with 20 simulated bars
    And the folder is a package of ECMAScript modules

  Scenario Outline: A run reports the failure of a strategy: <what>
    Given the file "odd.ts":
      """
      import { defineStrategy } from 'sandtable';

      export default defineStrategy({
        name: 'odd',
        summary: 'Does at bar 5 what it should not.',
        onBar({ bar, orders, account }): any {
          if (bar === 2) orders.buy(1);
          if (bar === 5) <does>
        },
      });
      """
    When the trader runs `sandtable run odd.ts --data prices.csv --decision-timeout <limit> --out runs --json`
    Then it ends with exit code 1
    And stderr says "<says>"
    And there is no stack trace
    And stdout is one JSON document with:
      | outcome | failed |
      | bars    | <bars> |
    And the journal is whole and says failed after <bars> bars

    Examples:
      | what                                | does                                          | limit | says                                                     | bars |
      | An endless loop                     | for (;;);                                     | 1     | The decision at bar 5 did not end within 1 s (odd.ts:8)  | 5    |
      | An end of the process               | process.exit(0);                              | 60    | odd.ts ended the process at bar 5                        | 5    |
      | An end behind its back              | (process as any).reallyExit(0);               | 60    | odd.ts ended the process at bar 5                        | 5    |
      | An exit code of its own             | { process.on('exit', () => { process.exitCode = 0; }); throw new Error('mine'); } | 60 | mine | 5 |
      | A promise that nothing settles      | return new Promise(() => undefined);          | 60    | a promise that never settles                             | 5    |
      | No error that is thrown             | throw undefined;                              | 60    | odd.ts failed at bar 5: it threw undefined, which is not an error | 5 |
      | A thing that cannot be looked at    | throw new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 2; } }); | 60 | odd.ts failed at bar 5: it threw an object, which is not an error | 5 |
      | An error whose message fails        | throw Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('no'); } }); | 60 | odd.ts failed at bar 5: an error whose message cannot be read | 5 |
      | An end of standard output           | { process.stdout.end('junk'); throw new Error('after it'); } | 60 | junk                                    | 5    |
      | Another current folder              | { process.chdir('/'); throw new Error('elsewhere'); } | 60 | odd.ts failed at bar 5: elsewhere             | 5    |
      | A position of no symbol             | account.position();                           | 60    | odd.ts failed at bar 5: account.position and account.units require the name of a symbol, and received undefined. (odd.ts: | 5 |
      | A rejection that nobody catches     | Promise.reject(new Error('lost'));            | 60    | Uncaught error in odd.ts: lost           | 20   |
      | A rejection after the last bar      | void 0; if (bar === 19) setImmediate(() => setImmediate(() => Promise.reject(new Error('lost')))); | 60 | Uncaught error in odd.ts: lost (odd.ts:8), noticed at bar 19 | 20 |
      | An answer that is no decision       | return 42;                                    | 60    | The decision at bar 5 is 42, which is not a decision     | 5    |
      | A record without a type             | (arguments[0] as any).record({ note: 'x' });  | 60    | odd.ts failed at bar 5: The event that turn.record was given at bar 5 has no type; its fields are note. (odd.ts:8) | 5 |

  Scenario: An endless loop before the first bar ends at the timeout
    Given the file "odd.ts":
      """
      import { defineStrategy } from 'sandtable';

      export default defineStrategy({
        name: 'odd',
        summary: 'Never has a state.',
        state() {
          for (;;);
        },
        onBar() {},
      });
      """
    When the trader runs `sandtable run odd.ts --data prices.csv --decision-timeout 1 --out runs --json`
    Then it ends with exit code 1
    And stderr says "did not end within 1 s (odd.ts:7)"
    And there is no stack trace

  Scenario: Output and open timers of a strategy disturb neither the results nor the end of the run
    Given the file "loud.ts":
      """
      import { defineStrategy } from 'sandtable';

      export default defineStrategy({
        name: 'loud',
        summary: 'Prints, and sets a timer that never stops.',
        onBar({ bar }) {
          console.log('bar', bar);
          if (bar === 3) setInterval(() => undefined, 1000);
        },
      });
      """
    When the trader runs `sandtable run loud.ts --data prices.csv --out runs --json`
    Then it ends with exit code 0
    And stderr says "bar 19"
    And stdout is one JSON document with:
      | outcome | completed |
      | bars    | 20        |

  Scenario: A timer that fires after the run has no effect
    Given the file "late.ts":
      """
      import { defineStrategy } from 'sandtable';

      export default defineStrategy({
        name: 'late',
        summary: 'Leaves a timer behind that fails after the last bar.',
        onBar({ bar }) {
          if (bar === 19) setTimeout(() => Promise.reject(new Error('too late')), 20);
        },
      });
      """
    When the trader runs `sandtable run late.ts --data prices.csv --out runs --json`
    Then it ends with exit code 0
    And stderr does not say "too late"
    And stdout is one JSON document with:
      | outcome | completed |
      | bars    | 20        |
    And the journal is whole and says completed after 20 bars

  Scenario: A second Ctrl-C ends a decision that does not return
    Given the file "waits.ts":
      """
      import { defineStrategy } from 'sandtable';

      export default defineStrategy({
        name: 'waits',
        summary: 'Waits at bar 5, for ever.',
        onBar: ({ bar }) => (bar === 5 ? new Promise((resolve) => setTimeout(resolve, 1e9)) : undefined) as undefined,
      });
      """
    When the trader starts `sandtable run waits.ts --data prices.csv --out runs --json`
    And the file "runs/*/journal.jsonl" holds `run_started`
    And the trader presses Ctrl-C twice
    Then it ends with exit code 1
    And stdout is one JSON document with:
      | outcome | interrupted |
    And the journal is whole and says interrupted after 5 bars

  Scenario: Ctrl-C while the files are read leaves no run folder
    Given the file "loads.ts":
      """
      import { mkdirSync, writeFileSync } from 'node:fs';
      import { defineStrategy } from 'sandtable';

      mkdirSync('signs/first', { recursive: true });
      writeFileSync('signs/first/loading.txt', 'I am being loaded');
      await new Promise((resolve) => setTimeout(resolve, 1e9));
      export default defineStrategy({ name: 'loads', summary: 'Takes its time.', onBar() {} });
      """
    When the trader starts `sandtable run loads.ts --data prices.csv --out runs`
    And the file "signs/*/loading.txt" holds `being loaded`
    And the trader presses Ctrl-C
    Then it ends with exit code 1
    And stdout is empty
    And stderr says "error: Interrupted before the run began: nothing was written."
    And no run folder is left

  Scenario: Empty and duplicate parameters are refused
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast= slow=20 --out runs`
    Then it ends with exit code 2
    And stderr says "--param fast: is empty: give a number"
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=5 fast=6 --out runs`
    Then it ends with exit code 2
    And stderr says "--param fast: is given twice"

  @python
  Scenario: A run reports that every compute call failed
    Given the file "scipy.ts":
      """
      import { defineStrategy } from 'sandtable';

      export default defineStrategy({
        name: 'scipy',
        summary: 'Imports a package that the sandbox does not have.',
        tools: ['compute'],
        async onBar({ orders }, { compute }) {
          const answer = await compute('import scipy\nresult = 1');
          if (answer.result === 1) orders.buy(1);
        },
      });
      """
    When the trader runs `sandtable run scipy.ts --data prices.csv --out runs --verbose`
    Then it ends with exit code 0
    And stdout says "All 20 calls of compute failed"
    And stdout says "scipy"
    And stdout says "No orders were placed in 20 bars."

  @python
  Scenario: A missing await on compute is reported
    Given the file "hasty.ts":
      """
      import { defineStrategy } from 'sandtable';

      export default defineStrategy({
        name: 'hasty',
        summary: 'Does not wait for its call.',
        tools: ['compute'],
        onBar({ orders }, { compute }) {
          const answer = compute('1') as any;
          if (answer.result === 1) orders.buy(1);
        },
      });
      """
    When the trader runs `sandtable run hasty.ts --data prices.csv --out runs`
    Then it ends with exit code 1
    And stderr says "The decision at bar 0 ended before its call of compute: its result was not used."
    And stderr says "Write await before the call"
    When the trader runs `sandtable run hasty.ts --data prices.csv --seal --out sealed`
    Then it ends with exit code 1
    And stderr says "Write await before the call"
