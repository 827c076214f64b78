Feature: Several samples of a model
  One run of a model is weak evidence. Several independent runs show how much of a result is luck.

  Background:
    Given the file "prices.csv" with 30 simulated bars

  Scenario: Three samples report their agreement
    Given a model that plays:
      """
      {"steps": [
        {"when": {"round": 1}, "times": 8, "reply": {"tool_calls": [{"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1}}]}},
        {"when": {"round": 1}, "times": 7, "reply": {"text": "Hold."}},
        {"when": {"round": 2}, "times": 8, "reply": {"text": "Bought."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }"
    When the trader runs `sandtable run trader.md --data prices.csv --samples 3 --concurrency 1 --out runs`
    Then it ends with exit code 0
    And stdout says "Agreement 50.00%"
    And the model played its script to the end
    When the trader resumes the run with "--quiet"
    Then it ends with exit code 0

  Scenario: The same symbol in another size is not agreement
    Given a model that plays:
      """
      {"steps": [
        {"when": {"round": 1}, "times": 5, "reply": {"tool_calls": [{"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1}}]}},
        {"when": {"round": 1}, "times": 5, "reply": {"tool_calls": [{"name": "trade_execute", "arguments": {"action": "buy", "quantity": 8}}]}},
        {"when": {"round": 2}, "times": 10, "reply": {"text": "Bought."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }"
    When the trader runs `sandtable run trader.md --data prices.csv --samples 2 --concurrency 1 --out runs`
    Then it ends with exit code 0
    And stdout says "Agreement 0.00%"
    And stdout says "entropy 1.00 of 1.00 bits"

  Scenario: Unfinished samples resume, and no request is repeated
    Given a model that plays:
      """
      {"steps": [
        {"times": 7, "reply": {"text": "Hold."}},
        {"times": 2, "fail": {"status": 401}},
        {"times": 3, "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }"
    When the trader runs `sandtable run trader.md --data prices.csv --samples 2 --concurrency 1 --out runs --quiet`
    Then it ends with exit code 1
    And stderr says "Not complete: sample 2"
    When the trader resumes the run with "--quiet"
    Then it ends with exit code 1
    When the trader resumes the run with "--quiet"
    Then it ends with exit code 0
    And the model played its script to the end

  Scenario: Warnings of every sample are printed, also with --quiet
    Given a model that plays:
      """
      {"steps": [{"times": "any", "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }"
    When the trader runs `sandtable run trader.md --data prices.csv --samples 2 --concurrency 1 --out runs --quiet`
    Then it ends with exit code 0
    And stderr says "Sample 1: warning: No orders were placed in 30 bars."
    And stderr says "Sample 2: warning: No orders were placed in 30 bars."

  Scenario: Samples of a rule are refused
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --samples 3 --out runs`
    Then it ends with exit code 2
    And stderr says "all its runs are identical"

  Scenario: A run is answered from the record of another run
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
    And the trader answers a new run of "trader.md" from the record, with "--data prices.csv"
    Then it ends with exit code 0
    And both journals are the same, byte for byte
    When the trader answers a new run of "trader.md" from the record, with "--data prices.csv --cash 5000"
    Then it ends with exit code 1
    And stderr says "The record has no exchange"
    When the trader runs `sandtable run trader.md --data prices.csv --replay-only`
    Then it ends with exit code 2
    And stderr says "--replay-only: requires a recorded run"
