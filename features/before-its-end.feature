@spawn
Feature: A bar is not visible before it has ended
  A daily bar with the timestamp midnight would reveal its whole day to hourly bars. All bars of a run have the same
  length, and all bars before the first decision are history.

  Background:
    Given the file "daily.csv":
      """
      date,open,high,low,close,volume
      2024-01-02,100,104,99,103,1000
      2024-01-03,103,105,101,104,1000
      2024-01-04,104,109,103,108,1000
      2024-01-05,108,110,105,106,1000
      2024-01-08,110,112,104,111,1000
      """

  Scenario: A run that mixes hourly and daily files is refused, with the length of both
    Given the file "hourly.csv":
      """
      time,open,high,low,close,volume
      2024-01-02 09:00,100,102,99,101,1000
      2024-01-02 10:00,101,103,100,102,1000
      2024-01-02 11:00,102,104,101,103,1000
      2024-01-02 12:00,103,104,102,103,1000
      2024-01-02 13:00,103,104,102,103,1000
      """
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data hourly.csv daily.csv --out runs`
    Then it ends with exit code 2
    And stderr says "DAILY: its bars last 1 day, and those of HOURLY last 1 hour"
    And no run folder is left
    And there is no stack trace
    When the trader runs `sandtable data check hourly.csv daily.csv`
    Then it ends with exit code 0
    And stdout says "DAILY: its bars last 1 day, and those of HOURLY last 1 hour"

  Scenario: Bars before --evaluate-from are history
    Given the file "buys.json":
      """
      { "orders": [{ "bar": 2, "side": "buy", "units": 10 }] }
      """
    When the trader runs `sandtable run buys.json --data daily.csv --evaluate-from 2024-01-05 --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | evaluatedFrom | 2024-01-05 |
      | finalEquity   | 100030     |
      | tradeCount    | 0          |

  Scenario: A scripted order before the first decision is reported as a fault
    Given the file "early.json":
      """
      { "orders": [{ "bar": 0, "side": "buy", "units": 10 }] }
      """
    When the trader runs `sandtable run early.json --data daily.csv --evaluate-from 2024-01-05 --out runs`
    Then it ends with exit code 2
    And stderr says "orders[0].bar: 0 is before bar 2, the bar of the first decision"
    And no run folder is left

  Scenario: --mark open values positions at opens
    # Bought at 108; at the open of 2024-01-08 worth 110, at its close 111.
    Given the file "buys.json":
      """
      { "orders": [{ "bar": 2, "side": "buy", "units": 10 }] }
      """
    When the trader runs `sandtable run buys.json --data daily.csv --mark open --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | finalEquity | 100020 |
    When the trader runs `sandtable run buys.json --data daily.csv --mark close --out runs --json`
    Then stdout is one JSON document with:
      | finalEquity | 100030 |

  Scenario: Twenty shares in equal parts are valued at opens
    Given the shared file "data/djia" is at hand
    And the file "equal.ts":
      """
      import { defineStrategy } from 'sandtable';

      export default defineStrategy({
        name: 'equal-parts',
        summary: 'Buys every share for the same money, and holds.',
        onBar({ account, orders, symbols }) {
          if (account.positions().length > 0 || orders.pending().length > 0) return;
          for (const symbol of symbols) orders.submit({ action: 'buy', symbol, notional: 50_000 });
        },
      });
      """
    And the folder is a package of ECMAScript modules
    When the trader runs `sandtable run equal.ts --data ../shared/data/djia --to 2025-06-30 --evaluate-from 2025-03-03 --mark open --cash 1000000 --lot 0.000000001 --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | evaluatedFrom | 2025-03-03 |
    And its "totalReturn" is 0.0040823 to within 0.0000001
    And its "maxDrawdown" is -0.152097 to within 0.000001
