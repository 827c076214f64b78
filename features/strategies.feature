Feature: The strategies that come with Sandtable
  Each strategy shows one way of trading. The strategies are examples and do not claim to be profitable.

  Scenario: rsi-reversion buys falls and sells recoveries
    When the strategy rsi-reversion trades data/spx-daily.csv
    Then at least 50 trades are closed
    And all its trades are long
    And its trades end for these reasons, at least so often:
      | reason    | times |
      | recovered | 50    |
      | patience  | 1     |

  Scenario: bracket-atr exits only by its bracket
    When the strategy bracket-atr trades data/spx-daily.csv
    Then at least 50 trades are closed
    And all its trades are long
    And its trades end for these reasons, at least so often:
      | reason      | times |
      | stop-loss   | 20    |
      | take-profit | 20    |
    And every stop-loss costs money and every take-profit brings some

  Scenario: bollinger-limit places limit orders, some of which expire
    When the strategy bollinger-limit trades data/spx-daily.csv
    Then at least 50 trades are closed
    And all its trades are long
    And some of its orders expire
    And its trades end for these reasons, at least so often:
      | reason      | times |
      | stop-loss   | 10    |
      | take-profit | 50    |
    And every stop-loss costs money and every take-profit brings some

  Scenario: trend-trailing exits only by its trailing stop
    When the strategy trend-trailing trades data/spx-daily.csv
    Then at least 10 trades are closed
    And all its trades are long
    And its trades end for these reasons, at least so often:
      | reason        | times |
      | trailing stop | 10    |

  @python @deep
  Scenario: pairs is long one symbol and short the other
    When the strategy pairs trades data/simulated-pair
    Then at least 20 trades are closed
    And every long of one symbol is entered with a short of the other
    And its trades end for these reasons, at least so often:
      | reason         | times |
      | together again | 20    |

  Scenario: inverse-volatility invests in all symbols and rebalances once a month
    When the strategy inverse-volatility trades data/simulated-five
    Then at least 10 trades are closed
    And all its trades are long
    And it trades in at most one bar a month
    And its trades end for these reasons, at least so often:
      | reason    | times |
      | rebalance | 10    |

  Scenario: rotation invests in the strongest symbols and changes them once a month
    When the strategy rotation trades data/simulated-five
    Then at least 10 trades are closed
    And all its trades are long
    And at every close it holds at most 2 symbols
    And it trades in at most one bar a month
    And its trades end for these reasons, at least so often:
      | reason     | times |
      | overtaken  | 5     |
      | rebalanced | 5     |

  @spawn
  Scenario: A strategy in TypeScript declares its indicators
    Given the file "steps.csv":
      """
      date,open,high,low,close,volume
      2020-01-06,10,10,10,10,1000
      2020-01-07,10,10,10,10,1000
      2020-01-08,10,10,10,10,1000
      2020-01-09,10,13,10,13,1000
      2020-01-10,13,13,13,13,1000
      2020-01-13,13,13,8,8,1000
      2020-01-14,8,8,8,8,1000
      """
    And the folder is a package of ECMAScript modules
    And the file "mean.ts":
      """
      import { defineStrategy, z } from 'sandtable';

      export default defineStrategy({
        name: 'mean',
        summary: 'Long above the mean.',
        parameters: z.object({ length: z.coerce.number().int().default(3) }),
        indicators: ({ p, sma, highest }) => ({ mean: sma(p.length), top: highest(p.length) }),
        onBar({ bar, window, orders, account, record }, { indicators: { mean, top } }) {
          record({ type: 'note', bar, text: `${bar} ${mean.last} ${top.last}` });
          if (window.close.last > mean.last && account.units() === 0) orders.buy(10);
          if (window.close.last < mean.last && account.units() > 0) orders.close();
        },
      });
      """
    When the trader runs `sandtable run mean.ts --data steps.csv --cash 1000 --out runs --json`
    Then it ends with exit code 0
    And the journal has the note "1 NaN NaN"
    And the journal has the note "3 11 13"
    And stdout is one JSON document with:
      | tradeCount  | 1   |
      | finalEquity | 950 |

  @spawn
  Scenario: The files that a strategy imports are part of its run
    Given the file "prices.csv":
      """
      date,open,high,low,close,volume
      2020-01-06,10,10,10,10,1000
      2020-01-07,10,11,10,11,1000
      2020-01-08,11,12,11,12,1000
      2020-01-09,12,13,12,13,1000
      """
    And the folder is a package of ECMAScript modules
    And the file "lib/sizes.ts":
      """
      export const UNITS = 10;
      """
    And the file "sized.ts":
      """
      import { defineStrategy } from 'sandtable';
      import { UNITS } from './lib/sizes.ts';

      export default defineStrategy({
        name: 'sized',
        summary: 'Buys once.',
        onBar({ bar, orders }) {
          if (bar === 0) orders.buy(UNITS);
        },
      });
      """
    When the trader runs `sandtable run sized.ts --data prices.csv --cash 1000 --out runs --json`
    Then it ends with exit code 0
    Given the file "lib/sizes.ts":
      """
      export const UNITS = 20;
      """
    When the trader replays the agent's run
    Then it ends with exit code 0
    When the run's journal is cut in the middle of line 9
    And the trader resumes the agent's run with ""
    Then it ends with exit code 2
    And stderr says "lib/sizes.ts is not the file that this run used."
    Given the file "lib/sizes.ts":
      """
      export const UNITS = 10;
      """
    When the trader resumes the agent's run with ""
    Then it ends with exit code 0
