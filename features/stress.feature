Feature: Stress tests against luck
  A good metric may be luck. A stress test runs the strategy on worlds made from its data without its edge. The share of
  worlds with an equal or better result shows how much of the metric luck explains.

  Background:
    Given the file "walk.csv" with 150 simulated bars

  Scenario: A strategy on a random walk is compared with permuted bars
    When the trader runs `sandtable stress strategies/sma-cross.ts --data walk.csv --worlds 20 --out tests --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | kind                        | permute |
      | worlds                      | 20      |
      | failed                      | 0       |
      | figures.sharpe.better       | 1       |
      | figures.drawdownDays.better | -1      |
      | figures.tradeCount.p        | null    |
    And the p of every figure that has one is between 1/21 and 1
    And the folder of the stress test holds "manifest.json worlds.parquet stress.json stress.html"

  @browser
  Scenario Outline: The page shows the answer first, on a <device>
    Given a browser is at hand
    When the trader runs `sandtable stress strategies/sma-cross.ts --data walk.csv --worlds 20 --shuffle-trades 20 --out tests --quiet`
    And the trader opens the page of the stress test on a <device>
    Then the page says "of the worlds without this edge did as well"
    And the page says "Actual result and worlds without an edge"
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

  Scenario: The terminal shows the answer in one sentence and a short table
    When the trader runs `sandtable stress strategies/sma-cross.ts --data walk.csv --worlds 20 --out tests`
    Then it ends with exit code 0
    And stdout says "of the worlds without this edge did as well"
    And stdout says "20 worlds of the same bars in another order"
    And stdout says "Max drawdown"

  Scenario: The number of jobs does not change the result
    When the trader runs `sandtable stress strategies/sma-cross.ts --data walk.csv --worlds 12 --kind block-bootstrap --jobs 1 --out one --quiet`
    Then it ends with exit code 0
    When the trader runs `sandtable stress strategies/sma-cross.ts --data walk.csv --worlds 12 --kind block-bootstrap --jobs 3 --out three --quiet`
    Then it ends with exit code 0
    And both stress tests in "one" and "three" came to the same, byte for byte

  Scenario: A killed stress test resumes with the same result
    When the trader runs `sandtable stress strategies/sma-cross.ts --data walk.csv --worlds 12 --out whole --quiet`
    And the trader runs `sandtable stress strategies/sma-cross.ts --data walk.csv --worlds 12 --out cut --quiet`
    And the stress test in "cut" is cut back to its first 5 worlds and half a line
    And the trader goes on with the stress test in "cut"
    Then it ends with exit code 0
    And the stress test in "cut" ran each of 12 worlds once
    And both stress tests in "whole" and "cut" came to the same, byte for byte

  Scenario: Noise gives a band and no p-value
    When the trader runs `sandtable stress strategies/sma-cross.ts --data walk.csv --worlds 10 --kind noise --noise 20bp --out tests --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | verdict.state   | band                               |
      | made.noise      | {"unit":"basis-points","size":20} |
    And no figure has a p

  Scenario: Worlds can be queried with SQL and exported
    When the trader runs `sandtable stress strategies/sma-cross.ts --data walk.csv --worlds 6 --out tests --quiet`
    And the trader runs `sandtable query "select strategy, kind, count(*) as n, min(world) as first, count(sharpe) as rated from stress group by all" --reports tests --csv`
    Then it ends with exit code 0
    And stdout says "sma-cross,permute,6,1,6"
    When the trader exports the stress test in "tests" with "--out taken --format csv"
    Then it ends with exit code 0
    And "taken/worlds.csv" has a row for each of 6 worlds
    When the trader exports the stress test in "tests" with "--tables trades"
    Then it ends with exit code 2
    And stderr says "--tables: "

  Scenario: Trades of the run are reordered and resampled
    When the trader runs `sandtable stress strategies/sma-cross.ts --data walk.csv --worlds 5 --shuffle-trades 40 --out tests --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | shuffledTrades.repeats | 40 |

  Scenario: A run with too few trades is not reordered
    When the trader runs `sandtable stress strategies/buy-and-hold.ts --data walk.csv --worlds 5 --shuffle-trades 40 --out tests`
    Then it ends with exit code 0
    And stdout says "The order of trades is not shuffled: the run closed none, and at least two are needed."

  @deep
  Scenario: A strategy with Python runs in simulated regimes
    When the trader runs `sandtable stress strategies/compute-sma-cross.ts --data walk.csv --worlds 3 --jobs 1 --kind regime --out tests --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | worlds | 3 |
      | failed | 0 |

  Scenario: Worlds in which a strategy crashes count against it
    Given the file "brittle.ts":
      """
      import { defineStrategy } from 'sandtable';
      export default defineStrategy({
        name: 'brittle',
        onBar({ bar, window, orders }) {
          if (bar === 3) orders.buy(1);
          if (bar === 40 && window.close.at(-1) !== ACTUAL) throw new Error('not the price I know');
        },
      });
      """
    And the price that "brittle.ts" knows is the close of bar 40 of "walk.csv"
    When the trader runs `sandtable stress brittle.ts --data walk.csv --worlds 6 --out tests --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | failed               | 6 |
      | figures.totalReturn.p | 1 |

  Scenario: A stress test of a prompt stops at the budget of all worlds and resumes
    Given a model that plays:
      """
      {"steps": [{"times": 12, "reply": {"text": "Hold."}}, {"times": 5, "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 30 }"
    When the trader runs `sandtable stress trader.md --data walk.csv --worlds 2 --out tests --budget calls=12 --quiet`
    Then it ends with exit code 1
    And stderr says "The budget is exhausted: 1 of 2 worlds have been run"
    When the trader goes on with the stress test in "tests" with "--budget calls=17"
    Then it ends with exit code 0
    And the stress test in "tests" ran each of 2 worlds once
    And the model played its script to the end

  Scenario: All invalid flags are reported together
    When the trader runs `sandtable stress prompt.md --data walk.csv --worlds 0 --kind shuffle --noise loud --block 0 --jobs none --shuffle-trades 0`
    Then it ends with exit code 2
    And stderr says "--worlds: "
    And stderr says "--kind: "
    And stderr says "--noise: "
    And stderr says "--block: "
    And stderr says "--jobs: "
    And stderr says '--shuffle-trades: "0" is not a whole number'
    And stderr says "--budget: is missing. prompt.md calls a model on every world"
    And there is no stack trace

  Scenario: Too few bars for worlds are refused
    Given the file "short.csv" with 60 simulated bars
    When the trader runs `sandtable stress strategies/sma-cross.ts --data short.csv --kind regime --out tests`
    Then it ends with exit code 2
    And stderr says "regime needs 100 bars after the history, and there are 59"

  Scenario: A resumed stress test refuses changed data and flags
    When the trader runs `sandtable stress strategies/sma-cross.ts --data walk.csv --worlds 3 --out tests --quiet`
    And the file "walk.csv" loses its last bar
    And the trader goes on with the stress test in "tests"
    Then it ends with exit code 2
    And stderr says "does not contain the data of the first worlds"
    When the trader runs `sandtable stress --resume tests --kind regime --worlds 9`
    Then it ends with exit code 2
    And stderr says "--kind: cannot be combined with --resume, which reads the request from its folder"
    And stderr says "--worlds: cannot be combined with --resume, which reads the request from its folder"
    When the trader runs `sandtable stress --resume nowhere`
    Then it ends with exit code 2
    And stderr says "Pass a folder that sandtable stress made"
