Feature: Studies
  One run of a model is weak evidence. A study runs strategies, models, tool sets and masks in several windows and
  samples, next to baselines and random agents. It reports the confidence of each difference and the limits of its
  metrics.

  Background:
    Given the file "prices.csv" with 140 simulated bars
    And a model that plays:
      """
      {"steps": [
        {"when": {"round": 1, "body_contains": "-04-"}, "times": "any", "reply": {"tool_calls": [{"name": "trade_execute", "arguments": {"action": "buy", "quantity": 10}}]}},
        {"when": {"round": 1}, "times": "any", "reply": {"tool_calls": [{"name": "trade_execute", "arguments": {"action": "sell", "quantity": 5}}]}},
        {"when": {"round": 2}, "times": "any", "reply": {"text": "Done."}}]}
      """
    And the model's strategy "trader.md" with "schedule: week_end"

  Scenario: A study compares a prompt and a rule with four baselines and random agents
    Given the file "rule.ts" is the example "sma-cross.ts"
    And the file "study.yaml":
      """
      strategies: [trader.md, rule.ts]
      samples: 2
      windows:
        - { name: first, from: 2000-02-01, to: 2000-03-15 }
        - { name: second, from: 2000-03-18, to: 2000-04-30 }
      data: prices.csv
      random: 10
      budget: { calls: 500 }
      """
    When the trader runs `sandtable study study.yaml --out studies --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | name                            | study                |
      | arms.0.name                     | trader               |
      | arms.0.figures.totalReturn.runs | 4                    |
      | arms.0.figures.totalReturn.over | windows and samples  |
      | arms.0.agreement.mean           | 1                    |
      | arms.0.random.draws             | 10                   |
      | arms.1.kind                     | rules                |
      | arms.1.figures.totalReturn.runs | 2                    |
      | baselines.0.name                | buy-and-hold         |
      | baselines.1.name                | equal-weight         |
      | baselines.2.name                | sma                  |
      | baselines.3.name                | momentum             |
      | comparisons.0.kind              | baseline             |
      | comparisons.0.primary           | true                 |
      | comparisons.8.kind              | strategy             |
      | comparisons.8.primary           | false                |
    And every p of a primary comparison is corrected to one no smaller
    When the trader compares the windows "first" and "second" of "trader" of the study in "studies"
    Then it ends with exit code 0
    And stdout says "evaluateFrom 2000-03-18 (2)"
    And the folder of the study in "studies" holds "study.json study.csv comparisons.csv study.html study-manifest.json"
    When the trader replays a run of the study in "studies"
    Then it ends with exit code 0

  Scenario: Warnings of the runs of a study are printed, also with --quiet
    Given the file "idle.ts":
      """
      import { defineStrategy } from 'sandtable';
      export default defineStrategy({ name: 'idle', onBar() {} });
      """
    And the file "study.yaml":
      """
      strategies: [idle.ts]
      windows:
        - { name: first, from: 2000-02-01, to: 2000-03-15 }
        - { name: second, from: 2000-03-18, to: 2000-04-30 }
      data: prices.csv
      random: 2
      """
    When the trader runs `sandtable study study.yaml --out studies --quiet`
    Then it ends with exit code 0
    And stderr says "warning: No orders in 2 of 2 runs."

  @spawn
  Scenario: A study compares an external agent and a rule, with tool sets and masks
    Given the file "rule.ts" is the example "sma-cross.ts"
    And the agent "buyer.py":
      """
      call("trade_execute", action="buy" if number % 2 else "sell", quantity=2)
      said = "done"
      """
    And the file "study.yaml":
      """
      strategies:
        - rule.ts
        - { agent: python3 buyer.py, name: mine, agentEvery: 10, agentTools: [trade_execute, account_status], cutoff: 2000-03-01 }
      samples: 2
      windows: [{ name: spring, from: 2000-02-01, to: 2000-04-30 }]
      masks: [none, [symbols]]
      tools: [own, off]
      data: prices.csv
      random: 5
      leakage: { counterfactual: { worlds: 1 } }
      """
    When the trader runs `sandtable study study.yaml --out studies --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | arms.1.name                     | mine · own · none |
      | arms.1.kind                     | agent             |
      | arms.1.figures.totalReturn.runs | 2                 |
      | arms.1.agreement.mean           | 1                 |
      | arms.1.cutoff.date              | 2000-03-01        |
      | arms.4.name                     | mine · off · symbols |
      | arms.4.random.draws             | 5                 |
      | counterfactuals.0.arm           | mine · own · none |
      | counterfactuals.0.consistency   | 1                 |
      | audit.1.answers.0.state         | not testable      |
      | audit.1.answers.1.state         | failed            |
      | audit.1.answers.2.state         | not testable      |

  @spawn @deep
  Scenario: The budget of a study includes usage that agents report, and a resumed study has the same result
    Given the agent "dear.py":
      """
      call("trade_execute", action="buy" if number % 2 else "sell", quantity=2)
      print(json.dumps({"type": "done", "text": "done", "usage": {"input_tokens": 90, "output_tokens": 10}, "cost": 0.25}), flush=True)
      continue
      """
    And the file "study.yaml":
      """
      strategies: [{ agent: python3 dear.py, name: mine, agentEvery: 10 }]
      samples: 2
      windows: [{ name: spring, from: 2000-02-01, to: 2000-04-30 }]
      data: prices.csv
      random: 5
      leakage: { counterfactual: { worlds: 1 } }
      budget: { usd: 100 }
      """
    When the trader runs `sandtable study study.yaml --out whole --jobs 2 --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | arms.0.usage.requests | 14   |
      | arms.0.usage.tokens   | 1400 |
      | arms.0.usage.cost     | 3.5  |
    When the trader runs `sandtable study study.yaml --out cut --budget usd=2 --quiet`
    Then it ends with exit code 1
    And stderr says "is exhausted: 2 usd"
    When the trader goes on with the study in "cut", with "--budget usd=4 --quiet"
    Then it ends with exit code 1
    And stderr says "is exhausted: 4 usd"
    When the trader goes on with the study in "cut", with "--budget usd=100 --quiet"
    Then it ends with exit code 0
    And both studies in "whole" and "cut" came to the same, byte for byte

  Scenario: Faults of an agent in a study are reported with their lines
    Given the file "study.yaml":
      """
      strategies:
        - trader.md
        - { agent: python3 buyer.py, agentEvry: 10 }
        - { agent: "python3 'buyer.py" }
        - { file: trader.md, nmae: other }
      windows: [{ from: 2000-02-01, to: 2000-04-30 }]
      data: prices.csv
      budget: { calls: 1000 }
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 2
    And stderr says "study.yaml:3: unknown setting strategies.1.agentEvry. Did you mean agentEvery?"
    And stderr says "study.yaml:5: unknown setting strategies.3.nmae. Expected file, name, parameters"
    Given the file "study.yaml":
      """
      strategies:
        - { agent: "python3 'buyer.py" }
        - { agent: python3 buyer.py, agentTools: [magic] }
      windows: [{ from: 2000-02-01, to: 2000-04-30 }]
      data: prices.csv
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 2
    And stderr says "has a quote that is not closed"
    And stderr says "study.yaml:3: "

  Scenario: A window without a result is named, and its arm has no rank
    Given the file "fragile.ts":
      """
      import { defineStrategy } from 'sandtable';
      export default defineStrategy({
        name: 'fragile',
        summary: 'Fails in March.',
        onBar({ bar, orders }) {
          if (bar > 58) throw new Error('no quote');
          if (bar % 5 === 0) orders.submit({ action: 'buy', quantity: 1 });
        },
      });
      """
    And the file "study.yaml":
      """
      strategies: [fragile.ts]
      windows:
        - { name: first, from: 2000-02-01, to: 2000-03-15 }
        - { name: second, from: 2000-03-18, to: 2000-04-30 }
      data: prices.csv
      random: 5
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 0
    And stdout says "fragile: 1 run failed and is in no figure"
    And stdout says "fragile: no run has a result in second. Its figures cover 1 of 2 windows"
    And stdout says "fragile*"
    When the trader runs `sandtable leaderboard studies --json`
    Then stdout is one JSON document with:
      | groups.0.rows.0.rank | null |

  @deep
  Scenario: The number of jobs does not change the result, also when a rule ends its process
    Given the file "rule.ts" is the example "sma-cross.ts"
    And the file "leaver.ts":
      """
      import { defineStrategy } from 'sandtable';
      export default defineStrategy({
        name: 'leaver',
        summary: 'Ends its process in April.',
        onBar({ bar }) {
          if (bar > 70) process.exit(0);
        },
      });
      """
    And the file "study.yaml":
      """
      strategies: [rule.ts, leaver.ts]
      windows: { rolling: { from: 2000-02-01, to: 2000-05-31, length: 1m } }
      data: prices.csv
      random: 30
      """
    When the trader runs `sandtable study study.yaml --out one --jobs 1 --quiet`
    Then it ends with exit code 0
    When the trader runs `sandtable study study.yaml --out several --jobs 3`
    Then it ends with exit code 0
    And stdout says "leaver: 2 runs failed and are in no figure: the strategy ended its thread"
    And stdout says "leaver: no run has a result in 2000-04-01, 2000-05-01"
    And both studies in "one" and "several" came to the same, byte for byte

  Scenario: All faults of a study are reported together, with their lines
    Given the file "study.yaml":
      """
      strategies: [missing.md]
      sample: 3
      windows: [{ from: 2000-05-01, to: 2000-02-01 }]
      masks: [everything]
      settings: { cahs: 5 }
      tools:
        - own
        - { name: few, tools: [market_histroy, trade_execute, trade_execute] }
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 2
    And stderr says "study.yaml:1: strategies: the file missing.md does not exist"
    And stderr says "study.yaml:2: unknown setting sample. Did you mean samples?"
    And stderr says "study.yaml:3: windows: 2000-05-01 ends on 2000-02-01, before it begins on 2000-05-01"
    And stderr says "study.yaml:4: masks.0: is neither none nor a list of symbols, dates, prices, shape"
    And stderr says "study.yaml:5: unknown setting settings.cahs"
    And stderr says "study.yaml:8: tools.1.tools.0: unknown tool market_histroy; did you mean market_history?"
    And stderr says "study.yaml:8: tools.1.tools.2: duplicate trade_execute"

  Scenario: A model that does not fit a prompt is reported with the trader's file
    Given the file "study.yaml":
      """
      strategies: [trader.md]
      models: [own, { model: other, name: dear, prices: nowhere.json }]
      windows: [{ from: 2000-02-01, to: 2000-04-30 }]
      data: prices.csv
      budget: { calls: 5 }
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 2
    And stderr says "trader.md: prices: "
    And stderr says "nowhere.json"
    And stderr does not say "prompts/"

  Scenario: The same mask in another order is refused as a duplicate
    Given the file "study.yaml":
      """
      strategies: [trader.md]
      windows: [{ from: 2000-02-01, to: 2000-04-30 }]
      masks: [[symbols, dates], none, [dates, symbols]]
      data: prices.csv
      budget: { calls: 500 }
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 2
    And stderr says "study.yaml:3: masks: dates+symbols is a duplicate name"

  Scenario: A study of models requires a budget
    Given the file "study.yaml":
      """
      strategies: [trader.md]
      windows: [{ from: 2000-02-01, to: 2000-04-30 }]
      data: prices.csv
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 2
    And stderr says "the study has no budget"

  Scenario: Windows outside the data are named
    Given the file "study.yaml":
      """
      strategies: [trader.md]
      windows: { preset: look-ahead-bench }
      data: prices.csv
      budget: { calls: 5 }
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 2
    And stderr says "P1 (2021-04-01 to 2021-09-30), P2 (2024-07-01 to 2024-12-31)"

  @deep
  Scenario: A study that is interrupted by its budget and a kill resumes with the same result, without repeated requests
    Given the file "study.yaml":
      """
      strategies: [trader.md]
      samples: 2
      windows: [{ name: spring, from: 2000-02-01, to: 2000-04-30 }]
      tools: [own, off]
      data: prices.csv
      random: 5
      leakage: { counterfactual: { worlds: 1 } }
      budget: { calls: 1000 }
      """
    When the trader runs `sandtable study study.yaml --out whole --quiet`
    Then it ends with exit code 0
    When the model counts its requests from now on
    And the trader runs `sandtable study study.yaml --out cut --budget calls=60 --quiet`
    Then it ends with exit code 1
    And stderr says "Resume with: npx sandtable study --resume"
    When the last run of the study in "cut" loses its end and half a line
    And the trader goes on with the study in "cut", with "--budget calls=1000 --quiet"
    Then it ends with exit code 0
    And both studies in "whole" and "cut" came to the same, byte for byte
    And the model was asked as often for "cut" as for "whole", but for what was lost

  Scenario: Primary comparisons must name arms and baselines of the study
    Given the file "study.yaml":
      """
      strategies: [trader.md]
      windows: [{ name: spring, from: 2000-02-01, to: 2000-04-30 }]
      data: prices.csv
      primary: [[trader, holding], [tradr, sma]]
      budget: { calls: 1000 }
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 2
    And stderr says "primary: \"holding\" is not another arm or a baseline. Expected one of buy-and-hold, equal-weight, sma, momentum"
    And stderr says "primary: \"tradr\" is not an arm. Expected one of trader"

  Scenario: A strategy must not have the name of a baseline
    Given the file "study.yaml":
      """
      strategies: [{ file: trader.md, name: sma }]
      windows: [{ name: spring, from: 2000-02-01, to: 2000-04-30 }]
      data: prices.csv
      budget: { calls: 1000 }
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 2
    And stderr says "sma is the name of a baseline. Expected another name for the strategy. Add name: my-sma to it"

  Scenario: A study reports what the model may have known and which tests are impossible
    Given the file "study.yaml":
      """
      strategies: [trader.md]
      models: [{ model: scripted, cutoff: 2000-03-15 }]
      samples: 2
      windows: [{ name: spring, from: 2000-02-01, to: 2000-04-30 }]
      masks: [none, [symbols, dates]]
      data: prices.csv
      random: 0
      leakage: { probe: 3, counterfactual: { worlds: 2 } }
      budget: { calls: 1000 }
      """
    When the trader runs `sandtable study study.yaml --out studies --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | arms.0.name                     | trader · none                   |
      | arms.1.name                     | trader · symbols+dates          |
      | arms.0.cutoff.date              | 2000-03-15                      |
      | comparisons.8.kind              | mask                            |
      | counterfactuals.0.worlds        | 2                               |
      | probes.0.remembers              | false                           |
      | audit.0.answers.0.state         | passed                          |
      | audit.0.answers.1.test          | Temporal integrity of the model |
      | audit.0.answers.1.state         | failed                          |
      | audit.0.answers.2.state         | not testable                    |
      | audit.1.answers.4.test          | Counterfactual paths            |
      | audit.1.answers.4.state         | not testable                    |
      | audit.0.answers.8.test          | Predictive calibration          |
      | audit.0.answers.8.state         | not testable                    |
    And the probe of the study was refused because "3 questions cannot distinguish memory from chance"

  Scenario: Stated confidence is compared with the outcomes of decisions
    Given a model that plays:
      """
      {"steps": [
        {"when": {"round": 1, "body_contains": "-04-"}, "times": "any", "reply": {"text": "{\"action\": \"buy\", \"sure\": 0.8}"}},
        {"when": {"round": 1}, "times": "any", "reply": {"text": "{\"action\": \"sell\", \"sure\": 0.6}"}}]}
      """
    And the file "sure.md":
      """
      ---
      model: scripted
      output:
        schema: { type: object, properties: { action: { type: string }, sure: { type: number } }, required: [action, sure], additionalProperties: false }
        calls:
          - { tool: trade_execute, arguments: { action: $.action, quantity: 1 } }
      ---
      Buy or sell, and say how sure you are.
      """
    And the file "study.yaml":
      """
      strategies: [sure.md]
      windows: [{ name: spring, from: 2000-02-01, to: 2000-04-30 }]
      masks: [[symbols, dates, prices]]
      data: prices.csv
      random: 0
      calibration: { field: sure, states: right, horizon: 1 }
      budget: { calls: 1000 }
      """
    When the trader runs `sandtable study study.yaml --out studies --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | arms.0.calibration.unusable | 0                      |
      | audit.0.answers.8.test      | Predictive calibration |
      | audit.0.answers.8.state     | failed                 |
    And its "arms.0.calibration.forecasts" is 62 to within 2
    Given the file "study.yaml":
      """
      strategies: [sure.md]
      windows: [{ name: spring, from: 2000-02-01, to: 2000-04-30 }]
      data: prices.csv
      calibration: { field: sure, states: often, horizon: 0 }
      budget: { calls: 1000 }
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 2
    And stderr says "study.yaml:4: calibration.states: "

  Scenario: A window that is too short for resampled prices is refused before the first request
    Given the file "study.yaml":
      """
      strategies: [trader.md]
      windows: [{ name: short, from: 2000-02-01, to: 2000-02-10 }, { name: long, from: 2000-03-01, to: 2000-06-15 }]
      data: prices.csv
      leakage:
        counterfactual: { worlds: 2 }
      budget: { calls: 1000 }
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 2
    And stderr says "study.yaml:5: the window short: "
    And stderr does not say "window long"

  @browser
  Scenario Outline: The page shows the answer first, on a <device>
    Given a browser is at hand
    And the file "study.yaml":
      """
      strategies: [trader.md]
      samples: 2
      windows: { rolling: { from: 2000-02-01, to: 2000-04-30, length: 1m } }
      masks: [none, [symbols]]
      data: prices.csv
      random: 5
      budget: { calls: 1000 }
      """
    When the trader runs `sandtable study study.yaml --out studies --quiet`
    And the trader opens the page of the study in "studies" on a <device>
    Then the page says "None is ahead beyond luck"
    And the page says "Audit sheet"
    And the page says "Masked against unmasked"
    And nothing is wider than the screen
    And the page asks for nothing and complains of nothing
    And the page is accessible
    When he changes the theme
    Then the page is accessible

    Examples:
      | device |
      | phone  |

    @deep
    Examples:
      | device  |
      | desktop |

  Scenario: The leaderboard ranks arms with the same data, windows and settings
    Given the file "one.yaml":
      """
      name: one
      strategies: [trader.md]
      windows: [{ from: 2000-02-01, to: 2000-04-30 }]
      data: prices.csv
      random: 0
      budget: { calls: 500 }
      """
    And the file "rule.ts" is the example "sma-cross.ts"
    And the file "two.yaml":
      """
      name: two
      strategies: [rule.ts]
      windows: [{ from: 2000-02-01, to: 2000-04-30 }]
      data: prices.csv
      random: 0
      """
    When the trader runs `sandtable study one.yaml --out studies --quiet`
    And the trader runs `sandtable study two.yaml --out studies --quiet`
    And the trader runs `sandtable leaderboard studies --json`
    Then it ends with exit code 0
    And the leaderboard has 1 group of 2 arms, the largest excess over holding first
    And the file "studies/leaderboard.csv" has a row for "trader" and one for "rule"
    Given the file "dear.yaml":
      """
      name: dear
      strategies: [rule.ts]
      windows: [{ from: 2000-02-01, to: 2000-04-30 }]
      data: prices.csv
      random: 0
      settings: { commission: { model: rate, rate: 0.01 } }
      """
    When the trader runs `sandtable study dear.yaml --out studies --quiet`
    And the trader runs `sandtable leaderboard studies`
    Then stdout says "commission: {model: rate, rate: 0.01}"
    When the trader runs `sandtable leaderboard studies --json`
    Then the leaderboard has 2 groups, each at costs of its own
    When the trader runs `sandtable query "select study, arm, runs from arms where kind = 'llm' union all select study, a, sessions from comparisons where b = 'momentum' and study = 'two'" --reports studies`
    Then it ends with exit code 0
    And stdout says "trader"
    When the trader runs `sandtable query "select a.arm, r.sample, r.outcome, r.totalReturn - a.totalReturn as off from study_runs r join arms a using (studyId, arm) where a.study = 'one'" --reports studies --csv`
    Then it ends with exit code 0
    And stdout says "trader,1,completed,0"
    When the trader runs `sandtable leaderboard nowhere`
    Then it ends with exit code 2
    And stderr says "Cannot read nowhere"

  @deep
  Scenario: A study of twenty symbols runs from end to end
    Given the shared file "data/djia" is at hand
    And a model that plays:
      """
      {"steps": [
        {"when": {"round": 1, "last_contains": "2025-04"}, "times": "any", "reply": {"tool_calls": [{"name": "portfolio_rebalance", "arguments": {"weights": {"JNJ": 40, "PG": 40}, "tolerance": 2}}]}},
        {"when": {"round": 1}, "times": "any", "reply": {"tool_calls": [{"name": "portfolio_rebalance", "arguments": {"weights": {"AAPL": 30, "MSFT": 30, "JPM": 20}, "tolerance": 2}}]}},
        {"when": {"round": 2}, "times": "any", "reply": {"text": "Done."}}]}
      """
    And the model's strategy "portfolio.md" with "schedule: week_end, tools: [market_history, portfolio_rebalance]"
    And the file "djia.yaml" about the shared data "djia":
      """
      name: djia-spring
      strategies: [portfolio.md]
      samples: 2
      windows: [{ name: spring, from: 2025-03-03, to: 2025-06-30 }]
      masks: [none, [symbols, dates, prices]]
      data: DATA
      settings: { cash: 100000, commission: { model: rate, rate: 0.001 } }
      random: 10
      budget: { calls: 1000 }
      """
    When the trader runs `sandtable study djia.yaml --out studies --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | windows.0.sessions              | 83        |
      | arms.0.figures.totalReturn.runs | 2         |
      | arms.0.figures.exposure.over    | samples   |
      | arms.1.mask                     | symbols+dates+prices |
      | baselines.0.name                | buy-and-hold |
      | comparisons.8.kind              | mask      |
    And its "arms.0.costs.paidBasisPoints" is 10.0 to within 0.000001
    And its "baselines.0.figures.totalReturn.mean" is 0.0048 to within 0.002

  Scenario: A model that changes within a study is named above its metrics
    Given a model that plays:
      """
      {"steps": [
        {"times": 3, "raw": {"body": {"model": "trader-1", "system_fingerprint": "fp_a", "choices": [{"message": {"content": "Hold."}}]}}},
        {"times": "any", "raw": {"body": {"model": "trader-1", "system_fingerprint": "fp_b", "choices": [{"message": {"content": "Hold."}}]}}}]}
      """
    And the model's strategy "trader.md" with "schedule: week_end"
    And the file "study.yaml":
      """
      strategies: [trader.md]
      windows: [{ from: 2000-02-01, to: 2000-04-30 }]
      data: prices.csv
      budget: { calls: 500 }
      """
    When the trader runs `sandtable study study.yaml --out studies`
    Then it ends with exit code 0
    And stdout says "trader: the model changed within the study. It was answered by trader-1 fp_a (1 run), trader-1 fp_b (1 run)."
