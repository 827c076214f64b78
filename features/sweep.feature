Feature: Many parameters, and whether the best of them holds
  A sweep tries combinations on all cores, says which did best, and how far that can be believed.

  Background:
    Given the file "prices.csv" with 200 simulated bars

  Scenario: One document says what came of it
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5:15:5 --param slow=20,40 --keep none --jobs 1 --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | trials  | 6 |
      | refused | 0 |
      | failed  | 0 |

  Scenario: Every slip of what was asked at once
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fats=1 --objective sharp --walk-forward train=1`
    Then it ends with exit code 2
    And stderr says "--param fats"
    And stderr says "did you mean sharpe?"
    And stderr says "--walk-forward train=1"
    And there is no stack trace

  Scenario: No combination that the strategy takes
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --param fraction=-1 --jobs 1 --out runs`
    Then it ends with exit code 2
    And stderr says "accepts no combination"

  Scenario: Constraints that no trial meets
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --constraint "tradeCount >= 3000" --keep none --jobs 1 --out runs`
    Then it ends with exit code 0
    And stdout says "No trial has an objective and meets the constraints, so there is no best trial."
    And stdout says "2 without sharpe or short of a constraint"

  Scenario: Windows that the bars do not fill
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --walk-forward train=30y,test=1y,embargo=5d --jobs 1 --out runs`
    Then it ends with exit code 2
    And stderr says "No window of train=30y,test=1y,embargo=5d fits between 2000-01-03 and 2000-10-06."

  Scenario: A constraint on a figure that there is not
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --constraint "nope > 3" --out runs`
    Then it ends with exit code 2
    And stderr says "The objective and its constraints: 1 fault"
    And stderr says "--constraint: unknown figure nope"

  Scenario: An embargo longer than the groups of a cross-validation
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --cross-validate cpcv:groups=4,test=2,embargo=2y --jobs 1 --out runs`
    Then it ends with exit code 2
    And stderr says "embargo=2y is too long for 4 groups of which 2 are tested. The longest possible embargo is"

  Scenario: Each window states its bars of history
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --walk-forward train=3m,test=2m --cross-validate cpcv:groups=4,test=1 --keep none --jobs 1 --out runs`
    Then it ends with exit code 0
    And stdout says "bars of history: 0 in training"
    And stdout says "Bars of history by group: "

  Scenario: The ledger lists who looked at the data of each research project
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

  Scenario: Alarms of the trials, with --quiet too
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

  Scenario: A project without a usable name
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --project ../gaps --out runs`
    Then it ends with exit code 2
    And stderr says "Invalid project name "

  Scenario: A folder that is no sweep's
    When the trader runs `sandtable sweep status runs`
    Then it ends with exit code 2
    And stderr says "is not the folder of a sweep"
