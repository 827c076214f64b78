@spawn
Feature: Comparing runs
  Two results are comparable only if they traded the same bars on the same terms. A difference is credible only if it is
  larger than chance. `sandtable compare` reports both.

  Background:
    Given the file "prices.csv" with 400 simulated bars

  Scenario: Figures are shown side by side, with the difference to the first run and its confidence
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --commission 0.001 --out runs/cross --quiet`
    And the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --commission 0.001 --out runs/hold --quiet`
    And the trader compares the runs in "runs/cross" and "runs/hold" with `--json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | runs.0.strategy       | sma-cross    |
      | runs.1.strategy       | buy-and-hold |
      | runs.1.sharedSessions | 400          |
      | runs.0.name           | sma-cross    |
      | runs.1.spine.0.name   | totalReturn  |
      | duplicates            | []           |
      | warnings              | []           |

  Scenario: Runs of one strategy are named by their parameters, and a repeated run is called a duplicate
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=10 --param slow=30 --out runs/quick --quiet`
    And the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=20 --param slow=50 --out runs/slow --quiet`
    And the trader compares the runs in "runs/quick" and "runs/slow" with `--json`
    Then stdout is one JSON document with:
      | runs.0.name | fast 10, slow 30 |
      | runs.1.name | fast 20, slow 50 |
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=10 --param slow=30 --out runs/again --quiet`
    And the trader compares the runs in "runs/quick" and "runs/again" with `--html compared.html`
    Then stdout says "sma-cross (2) is a duplicate of sma-cross:"

  @browser @deep
  Scenario: Different costs or trading terms give a warning
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --out runs/cheap --quiet`
    And the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --commission 0.01 --out runs/dear --quiet`
    And the trader compares the runs in "runs/cheap" and "runs/dear" with `--html compared.html`
    Then it ends with exit code 0
    And stdout says "WARNING: Costs or trading terms differ"
    Given a browser is at hand
    When the trader opens "compared.html" on a phone
    Then the page says "2 runs compared"
    And the page says "Compare with"
    And the page says "Beside each figure, its difference to commissionRate 0;"
    And nothing is wider than the screen
    And the page asks for nothing and complains of nothing
    And the page is accessible

  Scenario: A path that is not a run is skipped, and fewer than two runs are refused
    When the trader runs `sandtable compare nowhere prices.csv`
    Then it ends with exit code 2
    And stderr says "Skipped prices.csv: not a run folder (no journal.jsonl)."
    And stderr says "sandtable compare needs at least two runs; 1 given."
    And there is no stack trace
