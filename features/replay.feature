Feature: Runs can be replayed and resumed
  The journal records every answer of a model before it takes effect. A replay repeats the run from the journal without
  a network and compares. A resumed run repeats the recorded part and continues, without paying twice.

  Background:
    Given the file "prices.csv" with 30 simulated bars

  Scenario: A replay repeats the run without requests
    Given a model that plays:
      """
      {"steps": [
        {"when": {"round": 1}, "times": 5, "reply": {"tool_calls": [{"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1}}]}},
        {"when": {"round": 2}, "times": 5, "reply": {"text": "Bought."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    When the model is switched off
    And the trader replays the run
    Then it ends with exit code 0
    And stdout says "10 model exchanges replayed, 5 tool calls made again"

  Scenario: A replay shows where a changed record differs
    Given a model that plays:
      """
      {"steps": [
        {"when": {"round": 1}, "times": 5, "reply": {"tool_calls": [{"name": "account_status"}]}},
        {"when": {"round": 2}, "times": 5, "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    When somebody changes `"cash":100000` to `"cash":100001` in the journal's first tool call
    And the trader replays the run
    Then it ends with exit code 1
    And stderr says "tool_called of bar 0 (account_status): result.cash"
    And stderr says "recorded: 100001"
    And stderr says "now:      100000"

  Scenario: A replay detects an edited field that it copies from the record
    Given a model that plays:
      """
      {"steps": [{"when": {"round": 1}, "times": 5, "raw": {"body": {"model": "trader-1", "system_fingerprint": "fp_first", "choices": [{"message": {"content": "Hold."}}]}}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    When somebody changes `fp_first` to `fp_other` in the journal's first exchange
    And the trader replays the run
    Then it ends with exit code 1
    And stderr says "the lines before it were changed after the run. Their hash differs from the recorded one"

  Scenario: A replay reports a missing exchange and extra lines after the end
    Given a model that plays:
      """
      {"steps": [
        {"when": {"round": 1}, "times": 5, "reply": {"tool_calls": [{"name": "account_status"}]}},
        {"when": {"round": 2}, "times": 5, "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    When somebody adds the last line of the journal a second time
    And the trader replays the run
    Then it ends with exit code 1
    And stderr says "before line 59 of 59, which is recorded as run_finished"
    When somebody takes the first "model_called" out of the journal
    And the trader replays the run
    Then it ends with exit code 1
    And stderr says "the run ended here"
    And stderr says "The record has no exchange at bar 0, round 1"

  Scenario: A model that is never called is reported
    Given the model's strategy "trader.md" with "warm_up_bars: 50"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs`
    Then it ends with exit code 0
    And stderr says "no bar was due for a decision"

  Scenario: A run of a rule can be replayed
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --param fast=2 --param slow=5 --out runs --quiet`
    Then it ends with exit code 0
    When the trader replays the run
    Then it ends with exit code 0
    And stdout says "The run repeats its record"

  Scenario: A run that is killed within a decision resumes with the same journal
    Given a model that plays:
      """
      {"steps": [
        {"when": {"round": 1}, "times": "any", "reply": {"tool_calls": [{"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1}}]}},
        {"when": {"round": 2}, "times": "any", "reply": {"text": "Bought."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    When the run's journal is cut in the middle of line 16
    And the model is switched off
    And the trader replays the run
    Then it ends with exit code 0
    And stdout says "up to the bar at which the record ends"
    And stdout says "The recorded run was cut off after bar 4: 5 of 30 bars were compared. The remaining bars were not recorded."
    When the trader resumes the run with "--replay-only --quiet"
    Then it ends with exit code 1
    And stderr says "The record has no exchange"
    And stderr says "Resume with: npx sandtable resume"
    When the model is switched on again
    And the trader resumes the run with "--quiet"
    Then it ends with exit code 0
    And the run's journal is as it was before the cut

  Scenario: Changed data or strategies are refused
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    Given the file "prices.csv" with 31 simulated bars
    When the trader replays the run
    Then it ends with exit code 2
    And stderr says "These are not the bars that this run used"

  Scenario: The example run of a model replays without a key
    When the trader runs `sandtable replay reports/example-llm-momentum`
    Then it ends with exit code 0
    And stdout says "115 model exchanges replayed, 62 tool calls made again"

  @spawn @deep
  Scenario: A repeatedly killed run resumes with the same result
    When a model's run is killed 5 times at random points, with seed 11, and resumed each time
    Then its journal is the uninterrupted run's, and nothing recorded was asked for again
