@spawn
Feature: Sealed strategies
  A strategy could read the data file, and with it the future. With --seal it runs without access to files.

  Background:
    Given the file "prices.csv" with 40 simulated bars
    And the folder is a package of ECMAScript modules

  Scenario: A sealed run makes the same trades and is marked as sealed
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=3 slow=8 --out runs/open --quiet`
    And the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=3 slow=8 --seal --out runs/sealed --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | sealed    | true |
      | openDoors | []   |

  Scenario: A strategy that imports node:fs is refused
    Given the file "peeks.ts":
      """
      import { readFileSync } from 'node:fs';
      import { defineStrategy } from 'sandtable';

      const prices = readFileSync('prices.csv', 'utf8');
      export default defineStrategy({ name: 'peeks', summary: 'Looks ahead.', onBar: () => void prices });
      """
    When the trader runs `sandtable run peeks.ts --data prices.csv --seal --out runs`
    Then it ends with exit code 2
    And stderr says "a sealed strategy cannot import node:fs (peeks.ts:1)"
    And there is no stack trace

  Scenario: An endless loop is stopped together with its process
    Given the file "loops.ts":
      """
      import { defineStrategy } from 'sandtable';

      export default defineStrategy({
        name: 'loops',
        summary: 'Loops at bar 5.',
        onBar({ bar }) {
          if (bar === 5) for (;;);
        },
      });
      """
    When the trader runs `sandtable run loops.ts --data prices.csv --seal --decision-timeout 2 --out runs --json`
    Then it ends with exit code 1
    And stderr says "The decision at bar 5 exceeded the timeout of 2 s"
    And stdout is one JSON document with:
      | outcome | failed |
      | bars    | 5      |

  Scenario: An unhandled rejection fails the run and names its line
    Given the file "lost.ts":
      """
      import { defineStrategy } from 'sandtable';

      const later = async (bar: number): Promise<void> => {
        if (bar === 5) throw new Error('lost');
      };
      export default defineStrategy({
        name: 'lost',
        summary: 'Awaits nothing.',
        onBar({ bar }) {
          void later(bar);
        },
      });
      """
    When the trader runs `sandtable run lost.ts --data prices.csv --seal --out runs --json`
    Then it ends with exit code 1
    And stderr says "Uncaught error in lost.ts: lost (lost.ts:4), noticed at bar 5"
    And stdout is one JSON document with:
      | outcome | failed |
      | bars    | 5      |
