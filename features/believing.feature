@spawn
Feature: Evidence for a result
  A good result may be luck, and more variants make luck more likely. Trials are counted in the results folder, not
  entered by hand. Every run of the same strategy on the same data and period is a trial, compared or not.

  Background:
    Given the file "prices.csv" with 400 simulated bars

  @deep
  Scenario: Trials are counted, and the Sharpe ratio is judged by their number
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=5 slow=20 --out runs/tried --quiet`
    And the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=8 slow=30 --out runs/tried --quiet`
    And the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=8 slow=30 --out runs/tried --quiet`
    And the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=12 slow=40 --out runs/tried --quiet`
    And the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=15 slow=60 --out runs/last --quiet`
    And the trader compares the runs in "runs/tried" and "runs/last" with `--json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | searches.0.strategy                | sma-cross |
      | searches.0.runs                    | 5         |
      | searches.0.trials                  | 4         |
      | searches.0.crossValidation.blocks  | 16        |
      | searches.0.crossValidation.returns | 399       |
    And its "searches.0.compared.1.dsr.value" is 0.5 to within 0.5
    And its "searches.0.pbo.value" is 0.5 to within 0.5
    When the trader compares the runs in "runs/tried" and "runs/last" with `--md`
    Then stdout says "4 different trials of sma-cross"
    And stdout says "(PBO)"

  Scenario: A single run is not treated as chosen among trials
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --out runs/one --quiet`
    And the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --out runs/other --quiet`
    And the trader compares the runs in "runs/one" and "runs/other" with `--json`
    Then stdout is one JSON document with:
      | searches.0.trials              | 1                                             |
      | searches.0.compared.0.dsr.value  | null                                          |
      | searches.0.compared.0.dsr.reason | one trial: nothing was chosen among others    |
      | searches.0.pbo.reason          | fewer than 4 trials (1)                       |

  Scenario: The trader sets the periods per year, the risk-free rate and the benchmark
    Given the file "index.csv" with 400 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --periods-per-year 365 --risk-free 0.02 --benchmark index.csv --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | periodsPerYear | 365   |
      | riskFreeRate   | 0.02  |
      | benchmark      | INDEX |
    And its "psr" is 0.5 to within 0.5

  Scenario: A missing benchmark is refused before the run
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --benchmark PRICE --out runs`
    Then it ends with exit code 2
    And stderr says "--benchmark PRICE: PRICES is the symbol of the run; did you mean PRICES?"
    And there is no stack trace
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --benchmark nowhere.csv --out runs`
    Then it ends with exit code 2
    And stderr says "the file or folder does not exist"
    And no run folder is left

  Scenario: A benchmark of other years is refused, and a partial benchmark gives a warning
    Given the file "years-ago.csv":
      """
      date,open,high,low,close
      1990-01-02,100,102,99,101
      1990-01-03,102,105,101,104
      """
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --benchmark years-ago.csv --out runs`
    Then it ends with exit code 2
    And stderr says "YEARS-AGO has closes from 1990-01-02 to 1990-01-03, the run is from"
    And no run folder is left
    Given the file "early.csv" with 100 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --benchmark early.csv --out runs --verbose`
    Then it ends with exit code 0
    And stdout says "The benchmark covers only"
    And stdout says "No evidence."

  Scenario: The buy-and-hold benchmark includes dividends, splits and exchange rates
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2020-01-02,300,306,297,303,1000
      2020-01-03,306,315,303,312,1000
      2020-01-06,103,104,98,99,1000
      2020-01-07,98,100,95,96,1000
      2020-01-08,97,101,96,100,1000
      """
    And the file "sap.csv":
      """
      date,open,high,low,close,volume
      2020-01-02,100,102,99,101,1000
      2020-01-03,102,105,101,104,1000
      2020-01-06,103,104,98,99,1000
      2020-01-07,98,100,95,96,1000
      2020-01-08,97,101,96,100,1000
      """
    And the file "eurusd.csv":
      """
      date,open,high,low,close
      2020-01-02,1.10,1.12,1.10,1.12
      2020-01-03,1.12,1.12,1.10,1.10
      2020-01-06,1.08,1.08,1.05,1.05
      2020-01-07,1.06,1.07,1.06,1.07
      2020-01-08,1.07,1.08,1.07,1.08
      """
    And the file "actions.csv":
      """
      symbol,date,kind,amount,ratio,price
      ACME,2020-01-06,split,,3:1,
      ACME,2020-01-07,dividend,0.50,,
      SAP,2020-01-08,dividend,2,,
      """
    And the file "settings.json":
      """
      {"instruments": {"SAP": {"currency": "EUR"}}}
      """
    And the file "orders.json":
      """
      {"cash": 10000, "orders": [{"bar": 0, "side": "buy", "symbol": "ACME", "units": 10}]}
      """
    # ACME: 5000 / 303 shares become three each, worth 100, with a dividend of 0.50: 4975.25.
    # SAP: 5000 / (101 × 1.12) shares, at the close and its rate, worth 100 × 1.08, with a dividend of 2 × 1.07: 4868.28. Together 9843.53.
    When the trader runs `sandtable run orders.json --data acme.csv sap.csv --fx eurusd.csv --actions actions.csv --settings settings.json --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | benchmark | null |
    And its "benchmarkReturn" is -0.015647100 to within 0.00000001
    When the trader runs `sandtable run orders.json --data acme.csv sap.csv --fx eurusd.csv --actions actions.csv --settings settings.json --benchmark SAP --out runs --json`
    Then stdout is one JSON document with:
      | benchmark | SAP |
    And its "benchmarkReturn" is -0.026343706 to within 0.00000001
