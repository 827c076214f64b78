Feature: A run folder contains its complete record
  A run folder can be moved to another machine. It contains the strategy with its name and lists the files that it
  needs. A folder of an incompatible version of Sandtable is not changed.

  Background:
    Given the file "prices.csv" with 30 simulated bars

  Scenario: A model's run replays and resumes without the files of its strategy
    Given a model that plays:
      """
      {"steps": [{"times": "any", "reply": {"text": "Hold."}}]}
      """
    And the file "when.mjs":
      """
      export default (turn) => turn.bar % 3 === 0;
      """
    And the file "prices.json":
      """
      {"version": "mine", "models": [{"model": "scripted", "input": 2, "output": 8}]}
      """
    And the model's strategy "weekly-trader.md" with "schedule: { module: ./when.mjs }, prices: ./prices.json"
    When the trader runs `sandtable run weekly-trader.md --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    When the file "weekly-trader.md" is removed
    And the file "when.mjs" is removed
    And the file "prices.json" is removed
    And the trader replays the run
    Then it ends with exit code 0
    And stdout says "10 model exchanges replayed"
    When the run's journal is cut in the middle of line 14
    And the trader resumes the run with "--quiet"
    Then it ends with exit code 0
    And the run's journal is as it was before the cut
    And the manifest says '"name": "weekly-trader"'

  Scenario: A run of an order script replays without its file
    Given the file "first.json":
      """
      {"orders": [{"bar": 0, "action": "buy", "quantity": 1}]}
      """
    When the trader runs `sandtable run first.json --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    When the file "first.json" is removed
    And the trader replays the run
    Then it ends with exit code 0

  Scenario: A run replays its recorded strategy, and does not resume with an edited one
    Given the file "first.json":
      """
      {"orders": [{"bar": 0, "action": "buy", "quantity": 1}]}
      """
    When the trader runs `sandtable run first.json --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    When the run's journal is cut in the middle of line 14
    Given the file "first.json":
      """
      {"orders": [{"bar": 0, "action": "buy", "quantity": 2}]}
      """
    When the trader replays the run
    Then it ends with exit code 0
    When the trader resumes the run with "--quiet"
    Then it ends with exit code 2
    And stderr says "first.json is not the file that this run used."

  Scenario: A replay reads data and side files from their new place
    Given the file "actions.csv":
      """
      symbol,date,kind,amount,ratio,price
      PRICES,2000-01-10,split,,2:1,
      """
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --actions actions.csv --out runs --quiet`
    Then it ends with exit code 0
    When the file "prices.csv" moves to "elsewhere/prices.csv"
    And the file "actions.csv" moves to "elsewhere/actions.csv"
    And the trader replays the run
    Then it ends with exit code 2
    And stderr says "Files of the run are missing"
    And stderr says "Pass the current path of the data with --data"
    When the trader replays the run with data "elsewhere/prices.csv"
    Then it ends with exit code 0

  Scenario Outline: A run of an incompatible version is refused, and its folder is not changed
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    When the run's "manifest.json" is of schema <schema> by version "<version>"
    And the trader replays the run
    Then it ends with exit code 2
    And stderr says "manifest.json has schema <schema>, written by <kind> Sandtable"
    And stderr says "Use npx sandtable@<version> for this run"
    When the trader resumes the run with "--quiet"
    Then it ends with exit code 2
    And the run's "manifest.json" is still of schema <schema>
    When the trader makes the trace of the run
    Then it ends with exit code 2
    And the run's folder has no "trace.html"

    Examples:
      | schema | version | kind     |
      | 7      | 4.1.0   | a newer  |
      | 0      | 0.0.3   | an older |

  Scenario: Comparing folders of samples compares all samples
    Given a model that plays:
      """
      {"steps": [{"times": "any", "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 10 }"
    When the trader runs `sandtable run trader.md --data prices.csv --samples 2 --out one --quiet`
    And the trader runs `sandtable run trader.md --data prices.csv --samples 2 --out two --quiet`
    And the trader compares the runs in "one" and "two" with `--json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | runs.0.runId    | sample-1 |
      | runs.1.runId    | sample-2 |
      | runs.2.runId    | sample-1 |
      | runs.3.runId    | sample-2 |
      | samples.0.runIds.3 | sample-2 |
    When the trader compares the runs in "one" and "two" with `--csv`
    Then it ends with exit code 0
    And stdout says "trader (4)"
