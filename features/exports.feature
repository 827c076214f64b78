@spawn
Feature: Runs taken elsewhere
  A run is there for spreadsheets, for pandas and DuckDB, for danfo.js, and for SQL over all runs.

  Background:
    Given the file "prices.csv" with 200 simulated bars
    And the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --commission 0.001 --out runs --quiet`

  Scenario: As CSV, chosen tables only
    When the trader exports the run with `--tables trades orders --out taken`
    Then it ends with exit code 0
    And stdout says "taken/trades.csv"
    And stdout says "taken/orders.csv"

  Scenario: As Parquet, and not written over without a word
    When the trader exports the run with `--format parquet --out taken`
    Then it ends with exit code 0
    And stdout says "taken/metrics.parquet"
    When the trader exports the run with `--format parquet --out taken`
    Then it ends with exit code 2
    And stderr says "Already present: taken/trades.parquet"
    And stderr says "--force"
    When the trader exports the run with `--format parquet --out taken --force`
    Then it ends with exit code 0

  Scenario: Every fault of the flags at once
    When the trader exports the run with `--format xlsx --tables trades profits`
    Then it ends with exit code 2
    And stderr says "--format: "
    And stderr says "--tables: "
    And there is no stack trace

  Scenario: What was ordered and filled, by SQL over all runs
    When the trader runs `sandtable query "select status, count(*) as n from orders group by status" --reports runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | 0.status | filled |
    When the trader runs `sandtable query "select profit from orders" --reports runs`
    Then it ends with exit code 2
    And stderr says "Columns of orders: runId, orderId, bar"
    When the trader runs `sandtable query "copy orders to 'stolen.csv'" --reports runs`
    Then it ends with exit code 2
    And there is no stack trace

  Scenario: The table against the benchmark, the same everywhere
    When the trader exports the run with `--tables spine --out taken`
    Then it ends with exit code 0
    And the exported "taken/spine.csv" has the table against the benchmark of the run's summary
    When the trader runs `sandtable query "select figure, strategy, benchmark from spine" --reports runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | 0.figure | totalReturn |
      | 8.figure | turnover    |

  Scenario: The example of docs/reports.md in danfo.js
    When the trader starts the program "docs/examples/analyse-in-danfo.ts"
    Then it ends with exit code 0
    And stdout says "example-sma-cross: 26 trades"
    And stdout says "Sharpe ratio: -0.3171"
    And stdout says "at bar 29: 30 bars, mean close 102.32"
