@spawn
Feature: A sweep on many machines
  A sweep can run on several machines that share a queue and a store. The command and the result are the same as on one
  machine, whichever workers take part and whatever fails.

  Background:
    Given a queue and a store that all machines reach
    And the file "prices.csv" with 120 simulated bars

  Scenario: A sweep on several workers returns the same rows as one machine, including failed trials
    Given the file "moody.ts":
      """
      import { defineStrategy, z } from 'sandtable';
      export default defineStrategy({
        name: 'moody',
        parameters: z.object({ mood: z.coerce.number().int().default(1) }),
        onBar({ bar, orders }, { parameters: { mood } }) {
          if (bar % (mood + 2) === 0) orders.buy(mood);
          if (bar === 30 && mood === 3) throw new Error('in no mood to trade');
          if (bar === 30 && mood === 5) process.exit(0);
          while (bar === 30 && mood === 7);
        },
      });
      """
    When the trader runs `sandtable sweep moody.ts --data prices.csv --param mood=1:8:1 --decision-timeout 2 --keep none --out alone --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | trials | 8 |
      | failed | 3 |
    Given 2 workers serve the queue
    When the trader has the workers run `sandtable sweep moody.ts --data prices.csv --param mood=1:8:1 --decision-timeout 2 --keep none --out together --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | trials | 8 |
      | failed | 3 |
    And the sweeps in "alone" and "together" have the same rows, byte for byte

  @deep
  Scenario: All workers share one model budget, which is never exceeded
    Given a model that plays:
      """
      {"steps": [{"times": 60, "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 30 }, parameters: { style: 1 }"
    And 2 workers serve the queue
    When the trader has the workers run `sandtable sweep trader.md --data prices.csv --param style=1:6:1 --budget calls=13 --out runs --quiet`
    Then it ends with exit code 1
    And stderr says "The shared budget of all trials is exhausted: 13 calls."
    And stderr says "npx sandtable sweep --resume"
    And 13 requests have reached the model
    When the trader goes on with the sweep in "runs" with "--budget calls=13"
    Then it ends with exit code 1
    And stderr says "is exhausted: 13 calls"
    And 13 requests have reached the model
    When the trader goes on with the sweep in "runs" with "--budget calls=100 --json"
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | trials | 6 |
      | failed | 0 |
    And no more than 30 requests have reached the model

  Scenario: A budget for a rule is refused, because a rule calls no model
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5 --budget usd=5 --out runs`
    Then it ends with exit code 2
    And stderr says "calls no model, so a budget has no effect"

  @deep
  Scenario: A worker without the secret runs no trial
    Given a worker of somebody who guesses the secret
    And 1 workers serve the queue
    When the trader has the workers run `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --param slow=20 --keep none --out runs --json`
    Then it ends with exit code 0
    And the worker who guesses ran nothing
