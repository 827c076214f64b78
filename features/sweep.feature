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
    And stderr says "takes none of the combinations"

  Scenario: Constraints that no trial meets
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --constraint "tradeCount >= 3000" --keep none --jobs 1 --out runs`
    Then it ends with exit code 0
    And stdout says "No trial has an objective and meets the constraints: there is no best."
    And stdout says "2 without sharpe or short of a constraint"

  Scenario: Windows that the bars do not fill
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --walk-forward train=30y,test=1y,embargo=5d --jobs 1 --out runs`
    Then it ends with exit code 2
    And stderr says "No window of train=30y,test=1y,embargo=5d fits between 2000-01-03 and 2000-10-06."

  Scenario: A constraint on a figure that there is not
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --constraint "nope > 3" --out runs`
    Then it ends with exit code 2
    And stderr says "The objective and its constraints: 1 fault"
    And stderr says "--constraint: there is no figure nope"

  Scenario: A folder that is no sweep's
    When the trader runs `sandtable sweep status runs`
    Then it ends with exit code 2
    And stderr says "is no sweep's folder"
