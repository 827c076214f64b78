@spawn
Feature: Exporting runs
  A run can be exported to spreadsheets, pandas, DuckDB and danfo.js, and queried with SQL over all runs.

  Background:
    Given the file "prices.csv" with 200 simulated bars
    And the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --commission 0.001 --out runs --quiet`

  Scenario: Chosen tables are exported as CSV
    When the trader exports the run with `--tables trades orders --out taken`
    Then it ends with exit code 0
    And stdout says "taken/trades.csv"
    And stdout says "taken/orders.csv"

  @deep
  Scenario: An export as Parquet overwrites files only with --force
    When the trader exports the run with `--format parquet --out taken`
    Then it ends with exit code 0
    And stdout says "taken/metrics.parquet"
    When the trader exports the run with `--format parquet --out taken`
    Then it ends with exit code 2
    And stderr says "Already present: taken/trades.parquet"
    And stderr says "--force"
    When the trader exports the run with `--format parquet --out taken --force`
    Then it ends with exit code 0

  Scenario: All invalid flags are reported together
    When the trader exports the run with `--format xlsx --tables trades profits`
    Then it ends with exit code 2
    And stderr says "--format: "
    And stderr says "--tables: "
    And there is no stack trace

  @deep
  Scenario: SQL over all runs returns the orders and their status
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

  @deep
  Scenario: The table against the benchmark is the same in exports and in SQL
    When the trader exports the run with `--tables spine --out taken`
    Then it ends with exit code 0
    And the exported "taken/spine.csv" has the table against the benchmark of the run's summary
    When the trader runs `sandtable query "select figure, strategy, benchmark from spine" --reports runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | 0.figure | totalReturn |
      | 8.figure | turnover    |

  @deep
  Scenario: The danfo.js example of docs/reports.md runs
    When the trader starts the program "docs/examples/analyse-in-danfo.ts"
    Then it ends with exit code 0
    And stdout says "example-sma-cross: 26 trades"
    And stdout says "Sharpe ratio: -0.3171"
    And stdout says "at bar 29: 30 bars, mean close 102.32"
