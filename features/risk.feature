Feature: Risk limits
  A trader sets limits that apply to every order of a strategy. A refusal states the limit, the number, and the largest
  acceptable order. Limits apply to opening, never to closing. See docs/risk.md.

  Background:
    Given 10000 in cash
    And these bars of ACME:
      | date       | open | high | low | close | volume |
      | 2020-01-06 | 100  | 101  | 99  | 100   | 1000   |
      | 2020-01-07 | 100  | 101  | 99  | 100   | 1000   |
      | 2020-01-08 | 90   | 91   | 79  | 80    | 1000   |
      | 2020-01-09 | 80   | 81   | 79  | 80    | 1000   |
      | 2020-01-10 | 80   | 81   | 79  | 80    | 1000   |
    And these bars of ZINC:
      | date       | open | high | low | close | volume |
      | 2020-01-06 | 50   | 50   | 50  | 50    | 1000   |
      | 2020-01-07 | 50   | 50   | 50  | 50    | 1000   |
      | 2020-01-08 | 50   | 50   | 50  | 50    | 1000   |
      | 2020-01-09 | 50   | 50   | 50  | 50    | 1000   |
      | 2020-01-10 | 50   | 50   | 50  | 50    | 1000   |

  Rule: Limits of size

    Scenario: A position is limited to a fifth of the equity
      Given no position above 20% of equity
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | buy    | 21       | ACME   |
      When the backtest runs
      Then the order of 2020-01-06 is refused on 2020-01-06 as risk_max_position
      And the refusal of 2020-01-06 says "Opening 21 ACME at 100 is 2100.00, and the position limit of 0.2 × equity leaves 2000.00. At most 20 would be accepted."

    Scenario: The largest acceptable order is accepted
      Given no position above 20% of equity
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | buy    | 20       | ACME   |
      When the backtest runs
      Then these fills happen:
        | date       | side | quantity | price |
        | 2020-01-07 | buy  | 20       | 100   |

    Scenario: Long, short and waiting orders add up to the gross exposure
      Given gross exposure of at most 50% of equity
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | buy    | 30       | ACME   |
        | 2020-01-06 | sell   | 50       | ZINC   |
      When the backtest runs
      Then the order of 2020-01-06 is refused on 2020-01-06 as risk_gross_exposure
      And the refusal of 2020-01-06 says "At most 40 would be accepted."

    Scenario: Short positions reduce the net exposure
      Given net exposure of at most 30% of equity
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | sell   | 20       | ZINC   |
        | 2020-01-06 | buy    | 40       | ACME   |
      When the backtest runs
      Then these fills happen:
        | date       | symbol | side | quantity |
        | 2020-01-07 | ZINC   | sell | 20       |
        | 2020-01-07 | ACME   | buy  | 40       |

    Scenario: The value of one order is limited
      Given no order worth more than 1500
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | buy    | 16       | ACME   |
      When the backtest runs
      Then the order of 2020-01-06 is refused on 2020-01-06 as risk_order_notional
      And the refusal of 2020-01-06 says "At most 15 would be accepted."

    Scenario: The number of open positions is limited
      Given at most 1 open position
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | buy    | 10       | ACME   |
        | 2020-01-07 | buy    | 10       | ZINC   |
      When the backtest runs
      Then the order of 2020-01-07 is refused on 2020-01-07 as risk_open_positions

    Scenario: Short positions are refused
      Given no short positions by the risk limits
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | sell   | 1        | ACME   |
      When the backtest runs
      Then the order of 2020-01-06 is refused on 2020-01-06 as short_not_allowed

    Scenario: A limit is checked again at the price of the fill
      Given no position above 20% of equity
      And these bars of GAPS:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 40   | 40   | 40  | 40    | 1000   |
        | 2020-01-07 | 50   | 50   | 50  | 50    | 1000   |
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | buy    | 50       | GAPS   |
      When the backtest runs
      Then the order of 2020-01-06 is refused on 2020-01-07 as risk_max_position
      And the refusal of 2020-01-07 says "At most 40 would have filled."

  Rule: Limits after losses

    Scenario: After a daily loss nothing is opened until the next day
      Given a daily loss limit of 5%
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | buy    | 50       | ACME   |
        | 2020-01-08 | buy    | 10       | ZINC   |
        | 2020-01-09 | buy    | 10       | ZINC   |
      When the backtest runs
      Then the run is halted on 2020-01-08 as risk_daily_loss
      And the order of 2020-01-08 is refused on 2020-01-08 as risk_daily_loss
      And these fills happen:
        | date       | symbol | quantity |
        | 2020-01-07 | ACME   | 50       |
        | 2020-01-10 | ZINC   | 10       |

    Scenario: After a drawdown nothing is opened, and closing is allowed
      Given a drawdown limit of 10%
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | buy    | 50       | ACME   |
        | 2020-01-08 | buy    | 10       | ZINC   |
        | 2020-01-09 | close  |          | ACME   |
      When the backtest runs
      Then the run is halted on 2020-01-08 as risk_drawdown
      And the order of 2020-01-08 is refused on 2020-01-08 as risk_drawdown
      And these fills happen:
        | date       | symbol | side | quantity | price |
        | 2020-01-07 | ACME   | buy  | 50       | 100   |
        | 2020-01-10 | ACME   | sell | 50       | 80    |

    Scenario: A drawdown limit can close everything at the next open
      Given a drawdown limit of 10%
      And everything is closed when the drawdown limit is reached
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | buy    | 50       | ACME   |
        | 2020-01-06 | sell   | 20       | ZINC   |
      When the backtest runs
      Then these fills happen:
        | date       | symbol | side | quantity | price | reason        |
        | 2020-01-07 | ACME   | buy  | 50       | 100   |               |
        | 2020-01-07 | ZINC   | sell | 20       | 50    |               |
        | 2020-01-09 | ACME   | sell | 50       | 80    | risk_drawdown |
        | 2020-01-09 | ZINC   | buy  | 20       | 50    | risk_drawdown |
      And the final equity is 9000

    Scenario: A symbol with a loss is not traded during the cooldown
      Given a cooldown of 1 bar after a loss
      And the trader orders:
        | date       | action | quantity | symbol |
        | 2020-01-06 | buy    | 10       | ACME   |
        | 2020-01-07 | close  |          | ACME   |
        | 2020-01-08 | buy    | 10       | ACME   |
        | 2020-01-09 | buy    | 10       | ACME   |
      When the backtest runs
      Then the order of 2020-01-08 is refused on 2020-01-08 as risk_cooldown
      And these fills happen:
        | date       | side | quantity | price |
        | 2020-01-07 | buy  | 10       | 100   |
        | 2020-01-08 | sell | 10       | 90    |
        | 2020-01-10 | buy  | 10       | 80    |

  @spawn
  Rule: Sources of limits

    Scenario: A strategy sets its own limits, and a flag overrides them
      Given the folder is a package of ECMAScript modules
      And the file "careful.mts":
        """
        import { defineStrategy } from 'sandtable';
        export default defineStrategy({
          name: 'careful',
          summary: 'Buys ten a bar.',
          settings: { cash: 5000, risk: { maxPosition: 0.2, maxOpenPositions: 1 } },
          costs: { commission: ({ quantity }) => 1 + 0.01 * quantity },
          onBar: ({ orders }) => void orders.buy(10),
        });
        """
      And the file "prices.csv" with 20 simulated bars
      When the trader runs `sandtable run careful.mts --data prices.csv --max-position 0.5 --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | initialCash | 5000                        |
        | stamps      | ["custom commission model"] |
      And the manifest says "\"maxPosition\": 0.5"
      And the manifest says "\"maxOpenPositions\": 1"
      And the manifest says "custom commission model"

    Scenario: All invalid settings are reported together, with the nearest names
      Given the file "prices.csv" with 20 simulated bars
      And the file "terms.json":
        """
        { "leverge": 2, "risk": { "maxPositon": 0.2, "maxDrawdown": 3 }, "slippage": { "model": "spred" } }
        """
      When the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --settings terms.json --max-gross 0 --commission-model per-shares:perShare=1 --tick NaN --lot 1e308`
      Then it ends with exit code 2
      And stderr says "8 faults"
      And stderr says "terms.json leverge: unknown setting (did you mean leverage?)"
      And stderr says "terms.json risk.maxPositon: unknown setting (did you mean maxPosition?)"
      And stderr says "terms.json risk.maxDrawdown: 3 is above the maximum, 1"
      And stderr says "terms.json slippage.model: \"spred\" is not a model (available: bps, fixed, spread, volume-impact)"
      And stderr says "--max-gross: \"0\" is not a number above 0 and at most 1000"
      And stderr says "--commission-model: invalid model \"per-shares\". Expected rate, fixed, per-share, tiered, maker-taker; did you mean per-share?"
      And stderr says "--tick: \"NaN\" is not a number"
      And stderr says "--lot: \"1e308\" is not a number"
      And there is no stack trace
