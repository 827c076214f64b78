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

  Scenario: A folder that is no sweep's
    When the trader runs `sandtable sweep status runs`
    Then it ends with exit code 2
    And stderr says "is no sweep's folder"
