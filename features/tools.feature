Feature: Tools for the market, the account and orders
  An agent sees its market only through tools. Each tool answers with the data known at the close of the current bar. An
  order can fill from the next bar on. A call that fails states a correct call.

  Background:
    Given 10000 in cash
    And these bars of ACME:
      | date       | open | high | low | close | volume |
      | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
      | 2020-01-07 | 102  | 105  | 101 | 104   | 1100   |
      | 2020-01-08 | 103  | 104  | 98  | 99    | 1200   |
      | 2020-01-09 | 98   | 101  | 95  | 100   | 1300   |
      | 2020-01-10 | 100  | 110  | 99  | 109   | 1400   |
    And the market has advanced to bar 1

  Rule: The market is shown up to the current bar

    Scenario: market_observe returns the current bar
      When the agent calls market_observe with `{}`
      Then the answer is `{"symbol": "ACME", "bar": 1, "date": "2020-01-07", "open": 102, "high": 105, "low": 101, "close": 104, "volume": 1100, "stale": false}`

    Scenario: market_history returns the last bars and never a later one
      When the agent calls market_history with `{"bars": 200}`
      Then the answer holds `{"symbol": "ACME", "columns": ["date", "open", "high", "low", "close", "volume"]}`
      And its "bars" are:
        | ["2020-01-06", 100, 102, 99, 101, 1000]  |
        | ["2020-01-07", 102, 105, 101, 104, 1100] |

    Scenario: A call returns at most 200 bars
      When the agent calls market_history with `{"bars": 201}`
      Then the answer is an error that says "bars: 201 is above the maximum, 200"

    Scenario: A symbol without a current bar shows its last bar and is marked as stale
      Given these bars of LATE:
        | date       | open | high | low | close | volume |
        | 2020-01-07 | 7    | 8    | 6   | 7     | 10     |
        | 2020-01-10 | 9    | 9    | 8   | 8     | 10     |
      And the market has advanced to bar 2
      When the agent calls market_observe with `{"symbol": "LATE"}`
      Then the answer holds `{"date": "2020-01-07", "close": 7, "stale": true, "bar": 2}`

  Rule: Orders of every type can be placed, listed, replaced and cancelled

    Scenario: A position is bought and closed
      When the agent calls trade_execute with `{"action": "buy", "quantity": 50, "reason": "breakout"}`
      Then the answer holds `{"status": "accepted", "order_id": 1, "fills": "at the next bar's open"}`
      When the agent calls account_status with `{}`
      Then the answer holds `{"cash": 10000, "positions": {}}`
      When the market advances to the next bar
      And the agent calls account_status with `{}`
      Then the answer holds `{"cash": 4850, "equity": 9800, "pending_orders": []}`
      And the answer holds `{"positions": {"ACME": {"size": 50, "avg_price": 103, "market_value": 4950, "unrealised_pnl": -200}}}`
      When the agent calls trade_execute with `{"action": "close"}`
      And the market advances to the next bar
      And the agent calls account_status with `{}`
      Then the answer holds `{"cash": 9750, "realised_pnl": -250, "positions": {}}`

    Scenario Outline: An order is filled by its terms: <order>
      When the agent calls trade_execute with `<arguments>`
      And the market advances to the next bar
      And the market advances to the next bar
      And the agent calls account_status with `{}`
      Then the answer holds `{"cash": <cash>}`

      Examples:
        | order                   | arguments                                                                                            | cash  |
        | a limit below           | {"action": "buy", "quantity": 10, "order_type": "limit", "price": 97}                                | 9030  |
        | a limit out of reach    | {"action": "buy", "quantity": 10, "order_type": "limit", "price": 90}                                | 10000 |
        | a limit for one bar     | {"action": "buy", "quantity": 10, "order_type": "limit", "price": 97, "valid_bars": 1}               | 10000 |
        | a sell stop             | {"action": "sell", "quantity": 10, "order_type": "stop", "stop_price": 99}                           | 10990 |
        | a stop-limit            | {"action": "sell", "quantity": 10, "order_type": "stop_limit", "stop_price": 99, "price": 98.5}      | 10990 |
        | a trailing stop         | {"action": "sell", "quantity": 10, "order_type": "trailing_stop", "trail": 5}                        | 10990 |
        | a trailing stop by 5 %  | {"action": "sell", "quantity": 10, "order_type": "trailing_stop", "trail_percent": 5}                | 10988 |
        | at the open             | {"action": "buy", "quantity": 10, "order_type": "market_on_open"}                                    | 8970  |
        | at the close            | {"action": "buy", "quantity": 10, "order_type": "market_on_close"}                                   | 9010  |
        | half the equity         | {"action": "buy", "equity_percent": 50}                                                              | 5056  |
        | by money                | {"action": "buy", "notional": 1030}                                                                  | 8970  |
        | to a target             | {"action": "target", "target_quantity": -20}                                                         | 12060 |
        | to a share of equity    | {"action": "target", "target_percent": 10.3}                                                         | 8970  |

    Scenario: The stop loss of a bracket closes the position and cancels the take profit
      When the agent calls trade_execute with `{"action": "buy", "quantity": 10, "stop_loss": 96, "take_profit": 120}`
      And the market advances to the next bar
      And the agent calls order_query with `{}`
      Then its orders are:
        | order_id | action | order_type | price | stop_price | role        | exit_of |
        | 2        | sell   | stop       |       | 96         | stop-loss   | 1       |
        | 3        | sell   | limit      | 120   |            | take-profit | 1       |
      When the market advances to the next bar
      And the agent calls account_status with `{}`
      Then the answer holds `{"cash": 9930, "positions": {}, "pending_orders": []}`

    Scenario: Exits may be set as distances from the fill
      When the agent calls trade_execute with `{"action": "buy", "quantity": 10, "stop_loss_percent": 10, "take_profit_percent": 10}`
      And the market advances to the next bar
      And the agent calls order_query with `{}`
      Then its orders are:
        | order_id | stop_price | price |
        | 2        | 92.7       |       |
        | 3        |            | 113.3 |

    Scenario: An order is listed with all its terms
      When the agent calls trade_execute with `{"action": "buy", "quantity": 10, "order_type": "limit", "price": 97, "valid_bars": 5, "stop_loss": 90, "group": "entries", "reason": "dip"}`
      And the agent calls order_query with `{"order_id": 1}`
      Then its orders are:
        | order_id | symbol | action | order_type | quantity | price | stop_loss | bars_left | group   | reason | placed_bar | role  |
        | 1        | ACME   | buy    | limit      | 10       | 97    | 90        | 5         | entries | dip    | 1          | order |

    Scenario: One order is cancelled
      When the agent calls trade_execute with `{"action": "buy", "quantity": 10, "order_type": "limit", "price": 97}`
      And the agent calls order_cancel with `{"order_id": 1}`
      Then the answer is `{"status": "cancelled", "cancelled": [1]}`
      When the agent calls order_cancel with `{"order_id": 1}`
      Then the answer is an error that says "Order 1 is not resting"
      When the agent calls order_query with `{}`
      Then the answer is `{"orders": []}`

    Scenario: All orders except the exits of a position are cancelled
      Given the agent bought 10 at bar 0
      When the agent calls trade_execute with `{"action": "buy", "quantity": 1, "stop_loss": 90}`
      And the market advances to the next bar
      And the agent calls trade_execute with `{"action": "buy", "quantity": 1, "order_type": "limit", "price": 50}`
      And the agent calls trade_execute with `{"action": "buy", "quantity": 1, "order_type": "limit", "price": 60}`
      And the agent calls order_cancel with `{"all": true}`
      Then the answer is `{"status": "cancelled", "cancelled": [4, 5]}`
      When the agent calls order_query with `{}`
      Then its orders are:
        | order_id | role      |
        | 3        | stop-loss |

    Scenario: An order replaces another
      When the agent calls trade_execute with `{"action": "buy", "quantity": 10, "order_type": "limit", "price": 97}`
      And the agent calls trade_execute with `{"action": "buy", "quantity": 20, "order_type": "stop", "stop_price": 106, "replaces": 1}`
      Then the answer holds `{"status": "accepted", "order_id": 2, "replaces": 1}`
      When the agent calls order_query with `{}`
      Then its orders are:
        | order_id | order_type | quantity | price | stop_price |
        | 2        | stop       | 20       |       | 106        |

    Scenario: A refused replacement leaves the old order unchanged
      When the agent calls trade_execute with `{"action": "buy", "quantity": 10, "order_type": "limit", "price": 97}`
      And the agent calls trade_execute with `{"action": "buy", "quantity": 10000, "replaces": 1}`
      Then the answer is an error that says "exceed the buying power"
      When the agent calls order_query with `{}`
      Then its orders are:
        | order_id | price |
        | 1        | 97    |

    Scenario Outline: A refusal uses the terms of the tool: <arguments>
      When the agent calls trade_execute with `<arguments>`
      Then the answer is an error that says "<says>"
      And its remedy says "<remedy>"
      And nothing is resting

      Examples:
        | arguments                                                               | says                                           | remedy                     |
        | {"action": "buy", "quantity": 1000}                                     | exceed the buying power                        | At most 96 would be        |
        | {"action": "buy"}                                                       | A buy needs a quantity                         | equity_percent 50 is half  |
        | {"action": "close"}                                                     | No position in ACME to close                   | account_status             |
        | {"action": "buy", "quantity": 1, "price": 5}                            | A market order does not allow price            | order_type limit           |
        | {"action": "buy", "quantity": 1, "order_type": "limit"}                 | needs a price above 0; it is missing           | Set a price                |
        | {"action": "buy", "quantity": 1, "order_type": "trailing_stop"}         | one of trail (above 0) and trail_percent       | trail_percent 5            |
        | {"action": "buy", "quantity": 1, "good_till": "2020-02-01"}             | good_till and time_in_force GTD require each   | Set both                   |
        | {"action": "buy", "quantity": 1, "stop_loss": 5, "stop_loss_percent": 5} | stop_loss is set in more than one way         | stop_loss_percent          |
        | {"action": "buy", "quantity": 1, "symbol": "ACNE"}                      | Unknown symbol ACNE                            | ACME                       |

  Rule: A call that fails states a correct call

    Scenario Outline: <tool> with <arguments> is refused
      When the agent calls <tool> with `<arguments>`
      Then the answer is an error that says '<says>'
      And its remedy says '<remedy>'

      Examples:
        | tool           | arguments                         | says                                       | remedy                       |
        | market_observ  | {}                                | Unknown tool market_observ                 | Did you mean market_observe  |
        | getPortfolio   | {}                                | Unknown tool getPortfolio                  | Use one of: compute          |
        | market_history | {"bars": "ten"}                   | bars: "ten" is not a number                | Call it like the example     |
        | market_history | {"bar": 10}                       | unknown field bar (Did you mean bars?)     | Call it like the example     |
        | trade_execute  | {"action": "hold"}                | action: invalid value "hold". Expected buy | Call it like the example     |
        | order_cancel   | {}                                | requires either order_id, or all           | {"all": true}                |
        | order_query    | {"order_id": 7}                   | Order 7 is not resting                     | No orders are resting        |

    Scenario: Arguments may be a text of JSON, as models send them
      When the agent calls market_history with the text `{"bars": 1}`
      Then its "bars" are:
        | ["2020-01-07", 102, 105, 101, 104, 1100] |
      When the agent calls market_history with the text `{"bars": 1`
      Then the answer is an error that says "The arguments are not JSON"

    Scenario: Nulls count as omitted arguments, as strict mode sends them
      When the agent calls market_history with `{"symbol": null, "bars": null}`
      Then the answer holds `{"symbol": "ACME"}`

  Rule: A strategy sets its tools and the number of calls

    Scenario: A tool that the strategy does not list cannot be called
      Given the agent has the tools market_observe and account_status
      When the agent calls trade_execute with `{"action": "buy", "quantity": 1}`
      Then the answer is an error that says "The tool trade_execute is not available here"
      And its remedy says "Use one of: market_observe, account_status."
      And nothing is resting

    Scenario: The number of calls per decision is limited
      Given a decision may call market_history 2 times
      When the agent calls market_history with `{"bars": 1}`
      And the agent calls market_history with `{"bars": 1}`
      And the agent calls market_history with `{"bars": 1}`
      Then the answer is an error that says "The limit of 2 calls of market_history per decision is reached"
      When the market advances to the next bar
      And the agent calls market_history with `{"bars": 1}`
      Then the answer holds `{"symbol": "ACME"}`
