Feature: A run in the terminal
  The terminal speaks the report's language: the verdict with its reason and interval, what the account and its benchmark
  were worth, and the table against the benchmark. No number differs from the report's.

  Background:
    Given the file "prices.csv" with 400 simulated bars

  Scenario Outline: The same table as in the report, on a terminal of <columns> columns
    Given the environment has COLUMNS "<columns>"
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --commission 0.001 --out runs --verbose`
    Then it ends with exit code 0
    And stdout has the table against the benchmark that the report has
    And no line of stdout but that of the folder is wider than <columns> columns

    Examples:
      | columns |
      | 50      |
      | 80      |
      | 120     |

  Scenario Outline: A short summary on a terminal of <columns> columns
    Given the environment has COLUMNS "<columns>"
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --out runs`
    Then it ends with exit code 0
    And stdout has at most 24 lines
    And stdout says "No commission and no slippage"
    And stdout says "npx sandtable stress"

    Examples:
      | columns |
      | 80      |
      | 120     |

  Scenario: A dumb terminal gets ASCII alone
    Given the environment has TERM "dumb"
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --out runs --verbose`
    Then it ends with exit code 0
    And stdout is in ASCII alone
    And stdout says "Max drawdown"

  Scenario Outline: <what> in 80 columns and in a dumb terminal
    When the trader runs `sandtable <command>`
    Then it ends with exit code 0
    And no line of stdout but that of the folder is wider than 80 columns
    Given the environment has TERM "dumb"
    When the trader runs `sandtable <command>`
    Then it ends with exit code 0
    And stdout is in ASCII alone

    Examples:
      | what     | command                                                                                 |
      | A sweep  | sweep strategies/sma-cross.ts --data prices.csv --param fast=3:9:3 --out sweeps         |
      | A stress | stress strategies/sma-cross.ts --data prices.csv --kind permute --worlds 20 --out tests |

  Scenario: Two runs side by side in 80 columns and in a dumb terminal
    Given the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --out one --quiet`
    And the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=3 --out two --quiet`
    When the trader compares the runs in "one" and "two"
    Then it ends with exit code 0
    And no line of stdout but that of the folder is wider than 80 columns
    Given the environment has TERM "dumb"
    When the trader compares the runs in "one" and "two"
    Then stdout is in ASCII alone

  Scenario: A run without a trade has nothing to colour and nothing to hide
    Given the file "nothing.json":
      """
      { "cash": 1000, "orders": [] }
      """
    When the trader runs `sandtable run nothing.json --data prices.csv --out runs --verbose`
    Then it ends with exit code 0
    And stdout says "No evidence. Too few trades to judge: 0 closed, at least 30 needed."
    And stdout has the table against the benchmark that the report has
