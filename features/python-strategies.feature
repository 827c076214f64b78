@spawn
Feature: Strategies in Python
  One Python file is a strategy. It runs in a sandbox that contains only past data.

  Background:
    Given the file "prices.csv" with 60 simulated bars

  Scenario: A file with on_bar is a strategy, and its run is sealed
    Given the file "dip.py":
      """
      "Buys a dip and sells the recovery."
      parameters = {"low": 45, "high": 55}
      warm_up = 15

      def on_bar(bar):
          rsi = latest(ta.rsi(bar.df.close, 14))
          if bar.flat and rsi < bar.p.low:
              bar.buy(equity_fraction=0.95, stop_loss={"fraction": 0.08}, reason=f"RSI {rsi:.0f}")
          elif not bar.flat and rsi > bar.p.high:
              bar.close(reason="recovered")
      """
    When the trader runs `sandtable run dip.py --data prices.csv --param low=50 --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | outcome   | completed |
      | sealed    | true      |
      | openDoors | []        |

  Scenario: A misspelt variable without effect is reported, and a used one is not
    Given the file "odd.py":
      """
      warmup = 20
      params = {"size": 3}

      def on_bar(bar):
          if bar.flat:
              bar.buy(params["size"])
      """
    When the trader runs `sandtable run odd.py --data prices.csv --out runs`
    Then it ends with exit code 0
    And stderr says "odd.py: the variable warmup has no effect. Did you mean warm_up?"
    And stderr does not say "the variable params"

  Scenario: An exception names the file, the line, its text and its values
    Given the file "fails.py":
      """
      def on_bar(bar):
          risk = bar.index - 5
          size = 100 / risk
      """
    When the trader runs `sandtable run fails.py --data prices.csv --out runs`
    Then it ends with exit code 1
    And stderr says "fails.py:3: ZeroDivisionError: division by zero"
    And stderr says "size = 100 / risk"
    And stderr says "with risk = 0"
    And there is no stack trace

  Scenario: A strategy has no access to files, network or host
    Given the file "peeks.py":
      """
      prices = open("prices.csv").read()

      def on_bar(bar):
          pass
      """
    When the trader runs `sandtable run peeks.py --data prices.csv --out runs`
    Then it ends with exit code 2
    And stderr says "peeks.py:1: NameError: name 'open' is not defined"

  Scenario: Signals of a whole history are checked for look-ahead
    Given the file "cross.py":
      """
      parameters = {"fast": 3, "slow": 8}

      def signals(df, p):
          above = df.close.rolling(p.fast).mean() > df.close.rolling(p.slow).mean()
          return above.astype(float)
      """
    When the trader runs `sandtable run cross.py --data prices.csv --verify all --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | outcome   | completed                                                                                                         |
      | sealed    | false                                                                                                             |
      | openDoors | ["signals are computed on all bars, and checked at every bar"] |

  Scenario: Signals that look ahead end the run
    Given the file "ahead.py":
      """
      def signals(df):
          return (df.close.shift(-1) > df.close).astype(float)
      """
    When the trader runs `sandtable run ahead.py --data prices.csv --out runs`
    Then it ends with exit code 1
    And stderr says "look-ahead: at bar"
    And there is no stack trace

  @deep
  Scenario: A sweep searches the parameters of a Python strategy
    Given the file "dip.py":
      """
      parameters = {"low": {"default": 45, "min": 10, "max": 60}, "high": 55}
      warm_up = 15

      def on_bar(bar):
          rsi = latest(ta.rsi(bar.df.close, 14))
          if bar.flat and rsi < bar.p.low:
              bar.buy(equity_fraction=0.95)
          elif not bar.flat and rsi > bar.p.high:
              bar.close()
      """
    When the trader runs `sandtable sweep dip.py --data prices.csv --param low=40,45,50,70 --walk-forward train=20d,test=10d --jobs 1 --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | trials                        | 3  |
      | refused                       | 1  |
      | failed                        | 0  |
      | walkForward.windows.0.trials   | 3  |
      | warnings.0                     | 1 combination was refused: low: "70" is above the maximum, 60. |

  @deep
  Scenario Outline: The best trial of a sweep is checked like a run for look-ahead <keep>
    Given the file "rare.py":
      """
      parameters = {"n": 5}

      def signals(df, p):
          above = (df.close > df.close.rolling(p.n).mean()).astype(float)
          ahead = (df.close.shift(-1) > df.close).astype(float)
          return above.where((df.index < 20) | (df.index > 22), ahead)
      """
    When the trader runs `sandtable sweep rare.py --data prices.csv --param n=3,4,5,6 --jobs 1 --out runs <keep>`
    Then it ends with exit code 1
    And stderr says "look-ahead: at bar 2"
    And stdout says "The best trial failed when it was run again, so there is no best trial."

    Examples:
      | keep        |
      |             |
      | --keep none |

  @deep
  Scenario: A study compares Python strategies
    Given the file "hold.py":
      """
      def on_bar(bar):
          if bar.flat:
              bar.buy(equity_fraction=0.9)
      """
    And the file "cross.py":
      """
      parameters = {"n": 5}

      def signals(df, p):
          return (df.close > df.close.rolling(p.n).mean()).astype(float)
      """
    And the file "study.yaml":
      """
      strategies: [hold.py, cross.py, { file: cross.py, name: slower, parameters: { n: 12 } }]
      windows: [{ name: one, from: 2000-01-20, to: 2000-03-20 }]
      data: prices.csv
      random: 5
      """
    When the trader runs `sandtable study study.yaml --out studies --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | arms.0.name                     | hold   |
      | arms.0.kind                     | rules  |
      | arms.1.figures.totalReturn.runs | 1      |
      | arms.2.name                     | slower |
    When the trader replays a run of the study in "studies"
    Then it ends with exit code 0

  @deep
  Scenario: A killed run behind a mask resumes with the same result and module state
    Given the file "counts.py":
      """
      closes = []

      def on_bar(bar):
          closes.append(bar.price)
          for each in range(200_000):
              pass
          if bar.index % 7 == 3:
              bar.buy(len(closes), reason=f"{len(closes)} closes, {np.random.rand():.6f}")
      """
    When the trader runs `sandtable run counts.py --data prices.csv --mask symbols,dates,prices --out whole --quiet`
    Then it ends with exit code 0
    When the trader starts `sandtable run counts.py --data prices.csv --mask symbols,dates,prices --out runs --quiet`
    And the file "runs/*/journal.jsonl" holds `"type":"bar","bar":9`
    And the command is killed
    And the trader resumes the agent's run with ""
    Then it ends with exit code 0
    And the runs in "whole" and "runs" have the same journal

  @deep
  Scenario: A strategy reads published features and sibling files, and its run can be replayed
    Given the file "mood.csv":
      """
      date,available_at,mood
      2000-01-05,2000-01-06,0.5
      2090-01-05,2090-01-06,0.9
      """
    And the file "helpers.py":
      """
      def newest(bar):
          return bar.features("mood").value.tolist()
      """
    And the file "moods.py":
      """
      from helpers import newest

      def on_bar(bar):
          if newest(bar) == [0.5] and bar.flat:
              bar.buy(10, reason="mood")
      """
    When the trader runs `sandtable run moods.py --data prices.csv --features mood.csv --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | outcome | completed |
      | sealed  | true      |
    Given the file "helpers.py":
      """
      def newest(bar):
          return []
      """
    When the trader replays the agent's run
    Then it ends with exit code 0
    When the run's journal is cut in the middle of line 14
    And the trader resumes the agent's run with ""
    Then it ends with exit code 2
    And stderr says "helpers.py is not the file that this run used."
