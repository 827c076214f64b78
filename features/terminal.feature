Feature: A run in the terminal
  The terminal shows the same content as the report: the verdict with its reason and interval, the value of the account
  and its benchmark, and the table against the benchmark. All numbers are those of the report.

  Background:
    Given the file "prices.csv" with 400 simulated bars

  Scenario Outline: A terminal of <columns> columns shows the same table as the report
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

  Scenario Outline: A terminal of <columns> columns shows a short summary
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

  Scenario: A dumb terminal receives only ASCII
    Given the environment has TERM "dumb"
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --out runs --verbose`
    Then it ends with exit code 0
    And stdout is in ASCII alone
    And stdout says "Max drawdown"

  Scenario Outline: <what> fits 80 columns and a dumb terminal
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

  Scenario: A comparison of two runs fits 80 columns and a dumb terminal
    Given the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --out one --quiet`
    And the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=3 --out two --quiet`
    When the trader compares the runs in "one" and "two"
    Then it ends with exit code 0
    And no line of stdout but that of the folder is wider than 80 columns
    Given the environment has TERM "dumb"
    When the trader compares the runs in "one" and "two"
    Then stdout is in ASCII alone

  Scenario: A run without a trade shows its verdict and the whole table
    Given the file "nothing.json":
      """
      { "cash": 1000, "orders": [] }
      """
    When the trader runs `sandtable run nothing.json --data prices.csv --out runs --verbose`
    Then it ends with exit code 0
    And stdout says "No evidence. Too few trades to judge: 0 closed, at least 30 needed."
    And stdout has the table against the benchmark that the report has
