Feature: A strategy for a model, without a model
  A script answers in its place, so that the feature costs nothing and gives the same run every time.

  Background:
    Given the data "prices.csv"
    And the strategy "strategies/trader.md"

  Scenario: Two decisions, one trade
    Given the bars from "2000-01-03" to "2000-02-29"
    And a scripted model that plays "model.json"
    When the backtest runs
    Then the run ended completed
    And the model was asked 3 times
    And the scripted model played to its end
    And the number of open trades is 1
    And the cost of the model is below 0.01
    And the run repeats byte for byte

  Scenario: A model that only ever holds
    Given a scripted model that plays:
      """
      {"steps": [{"times": "any", "reply": {"text": "I hold."}}]}
      """
    When the backtest runs
    Then nothing is filled
    And the total return is exactly 0%
