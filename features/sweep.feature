Feature: Parameter sweeps
  A sweep tries combinations of parameters on all cores. It reports the best trial and the evidence for it.

  Background:
    Given the file "prices.csv" with 200 simulated bars

  Scenario: --json prints one document with the result
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5:15:5 --param slow=20,40 --keep none --jobs 1 --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | trials  | 6 |
      | refused | 0 |
      | failed  | 0 |

  Scenario: All faults of the request are reported together
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fats=1 --objective sharp --walk-forward train=1`
    Then it ends with exit code 2
    And stderr says "--param fats"
    And stderr says "did you mean sharpe?"
    And stderr says "--walk-forward train=1"
    And there is no stack trace

  Scenario: A sweep without a valid combination is refused
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --param fraction=-1 --jobs 1 --out runs`
    Then it ends with exit code 2
    And stderr says "accepts no combination"

  Scenario: Without a trial that meets the constraints there is no best trial
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --constraint "tradeCount >= 3000" --keep none --jobs 1 --out runs`
    Then it ends with exit code 0
    And stdout says "No trial has an objective and meets the constraints, so there is no best trial."
    And stdout says "2 without sharpe or short of a constraint"

  Scenario: Windows that are longer than the data are refused
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --walk-forward train=30y,test=1y,embargo=5d --jobs 1 --out runs`
    Then it ends with exit code 2
    And stderr says "No window of train=30y,test=1y,embargo=5d fits between 2000-01-03 and 2000-10-06."

  Scenario: A constraint on an unknown metric is refused
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --constraint "nope > 3" --out runs`
    Then it ends with exit code 2
    And stderr says "The objective and its constraints: 1 fault"
    And stderr says "--constraint: unknown figure nope"

  Scenario: An embargo that is longer than the groups of a cross-validation is refused
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --cross-validate cpcv:groups=4,test=2,embargo=2y --jobs 1 --out runs`
    Then it ends with exit code 2
    And stderr says "embargo=2y is too long for 4 groups of which 2 are tested. The longest possible embargo is"

  Scenario: Each window states its bars of history
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --walk-forward train=3m,test=2m --cross-validate cpcv:groups=4,test=1 --keep none --jobs 1 --out runs`
    Then it ends with exit code 0
    And stdout says "bars of history: 0 in training"
    And stdout says "Bars of history by group: "

  Scenario: The ledger lists the looks at the data of each research project
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --param slow=30 --keep none --jobs 1 --holdout 2m --project gaps --out runs --quiet`
    And the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --project gaps --out runs --quiet`
    And the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --out runs --quiet`
    And the trader runs `sandtable ledger --reports runs`
    Then it ends with exit code 0
    And stdout says "Project gaps: 3 looks, 3 different trials. The bars from "
    And stdout says " on are held out and have been looked at once."
    And stdout says "Default project of buy-and-hold on data "
    When the trader runs `sandtable ledger --reports runs --project gap`
    Then it ends with exit code 2
    And stderr says "Available projects: gaps, buy-and-hold."
    When the trader runs `sandtable ledger --reports nowhere`
    Then it ends with exit code 2
    And stderr says "Cannot read nowhere: the file or folder does not exist."

  Scenario: Warnings of the trials are printed, also with --quiet
    Given the file "idle.ts":
      """
      import { defineStrategy, z } from 'sandtable';
      export default defineStrategy({
        name: 'idle',
        parameters: z.object({ wait: z.coerce.number() }),
        onBar() {},
      });
      """
    When the trader runs `sandtable sweep idle.ts --data prices.csv --param wait=1,2,3 --keep none --jobs 1 --out runs --quiet`
    Then it ends with exit code 0
    And stdout is empty
    And stderr says "warning: No orders in 3 of 3 trials."

  Scenario: An invalid project name is refused
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --project ../gaps --out runs`
    Then it ends with exit code 2
    And stderr says "Invalid project name "

  Scenario: A folder without a sweep is refused
    When the trader runs `sandtable sweep status runs`
    Then it ends with exit code 2
    And stderr says "is not the folder of a sweep"
