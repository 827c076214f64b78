Feature: Invalid orders
  An invalid order of a trader, an order script or an agent is refused or reported as a fault of the file. The message
  states what is wrong, where, and how to fix it. Nothing is guessed or ignored silently.

  Rule: An order in a run

    Background:
      Given 10000 in cash
      And these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-07 | 102  | 105  | 101 | 104   | 1000   |
        | 2020-01-08 | 103  | 104  | 98  | 99    | 1000   |

    Scenario Outline: <what> is refused as <code>
      When this order script runs:
        """
        {"cash": 10000, "orders": [{"bar": 0, <order>}]}
        """
      Then the order of 2020-01-06 is refused on 2020-01-06 as <code>
      And the refusal of 2020-01-06 says "<says>"
      And nothing is filled
      And the final equity is 10000

      Examples:
        | what                       | order                                                                        | code               | says                                |
        | more than there is         | "side": "buy", "units": 1e308                                                | buying_power       | At most 99 would be accepted        |
        | less than there can be     | "side": "buy", "units": 1e-300                                               | below_lot          | Order at least 1                    |
        | a price of 40 digits       | "side": "buy", "units": 1, "type": "limit", "limit": "99.1234567890123456789012345678901234567890" | bad_price | cannot be stored exactly |
        | a date that is none        | "side": "buy", "units": 1, "timeInForce": "GTD", "goodTill": "2020-02-31"    | bad_order          | Use a date such as 2020-03-31       |
        | nothing to close           | "side": "close"                                                              | nothing_to_close   | No position                         |
        | nothing to reduce          | "side": "sell", "notional": 500, "reduceOnly": true                          | nothing_to_reduce  | No long position                    |
        | a target between two lots  | "side": "target", "targetQuantity": 2.5                                      | not_a_lot_multiple | Use 2 or 3                          |
        | an unknown symbol          | "side": "buy", "units": 1, "symbol": "constructor"                           | unknown_symbol     | Use one of: ACME                    |

  Rule: An order script as a file

    Scenario Outline: <what> is reported as a fault of the file
      Given these bars of ACME:
        | date       | open | high | low | close | volume |
        | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
      Then this order script is refused as a file, saying "<says>":
        """
        <text>
        """

      Examples:
        | what                        | text                                                                            | says                         |
        | an order after the data     | {"orders": [{"bar": 100000, "side": "buy", "units": 1}]}                        | orders[0].bar                |
        | a symbol that is not there  | {"orders": [{"bar": 0, "side": "buy", "units": 1, "symbol": "__proto__"}]}      | orders[0].symbol             |
        | an order with a number      | {"orders": [{"id": 1, "bar": 0, "side": "buy", "units": 1}]}                    | orders[0]                    |
        | a smuggled prototype        | {"orders": [{"bar": 0, "side": "buy", "units": 1, "__proto__": {"units": 5}}]}  | __proto__                    |
        | a constructor               | {"orders": [{"bar": 0, "side": "buy", "units": 1, "constructor": 1}]}           | constructor                  |
        | an infinite quantity        | {"orders": [{"bar": 0, "side": "buy", "units": 1e999}]}                         | orders[0].units              |
        | NaN, which JSON has not     | {"orders": [{"bar": 0, "side": "buy", "units": NaN}]}                           | not JSON                     |
        | two words for one quantity  | {"orders": [{"bar": 0, "side": "buy", "units": 1, "quantity": 2}]}              | has both units and quantity  |
        | a bar before the first      | {"orders": [{"bar": -1, "side": "buy", "units": 1}]}                            | orders[0].bar                |
        | a negative quantity         | {"orders": [{"bar": 0, "side": "sell", "units": -5}]}                           | -5 is below 0: the action defines the side |
        | a negative price            | {"orders": [{"bar": 0, "side": "buy", "units": 5, "type": "limit", "limit": "-1"}]} | orders[0].limit: -1 is below 0 |
        | half a bar                  | {"orders": [{"bar": 0.5, "side": "buy", "units": 1}]}                           | orders[0].bar                |
        | a quantity of nothing | {"orders": [{"bar": 0, "side": "buy", "units": 0}]} | orders[0].units: The quantity is 0 |
        | a word for a quantity | {"orders": [{"bar": 0, "side": "buy", "units": "abc"}]} | orders[0].units: The quantity is |
        | an empty quantity | {"orders": [{"bar": 0, "side": "buy", "units": ""}]} | orders[0].units: The quantity is |
        | a hexadecimal quantity | {"orders": [{"bar": 0, "side": "buy", "units": "0x10"}]} | orders[0].units: The quantity is |
        | two amounts | {"orders": [{"bar": 0, "side": "buy", "units": 1, "notional": 500}]} | exactly one of |
        | a limit without its price | {"orders": [{"bar": 0, "side": "buy", "units": 1, "type": "limit"}]} | orders[0].limitPrice: A limit order needs a limitPrice |
        | a price without its type | {"orders": [{"bar": 0, "side": "buy", "units": 1, "limit": 99}]} | use type limit |
        | two trails | {"orders": [{"bar": 0, "side": "sell", "units": 1, "type": "trailing_stop", "trailAmount": 1, "trailFraction": 0.1}]} | orders[0].trailAmount |
        | GTD without its date | {"orders": [{"bar": 0, "side": "buy", "units": 1, "timeInForce": "GTD"}]} | orders[0].timeInForce: goodTill |
        | an IOC order for the close | {"orders": [{"bar": 0, "side": "buy", "units": 1, "type": "market_on_close", "timeInForce": "IOC"}]} | Remove timeInForce |
        | an exit above the debt | {"orders": [{"bar": 0, "side": "buy", "units": 1, "stopLoss": {"fraction": 1.5}}]} | below 1 |
        | no number | {"orders": [{"bar": 0, "side": "buy", "units": "NaN"}]} | orders[0].units: The quantity is |
        | nothing with a sign | {"orders": [{"bar": 0, "side": "buy", "units": "-0"}]} | orders[0].units: The quantity is |
        | two orders that cannot be | {"orders": [{"bar": 0, "side": "buy", "units": "0"}, {"bar": 0, "side": "buy", "units": 1, "type": "stop"}]} | orders[1].stopPrice: A stop order needs a stopPrice |
        | neither a bar nor a date | {"orders": [{"side": "buy", "units": 1}]} | orders[0].bar: is missing. Give bar or date |
        | a bar and a date | {"orders": [{"bar": 0, "date": "2020-01-06", "side": "buy", "units": 1}]} | orders[0].date: has both bar and date |
        | a word for a date | {"orders": [{"date": "Monday", "side": "buy", "units": 1}]} | Expected YYYY-MM-DD |
        | a day that does not exist | {"orders": [{"date": "2020-02-30", "side": "buy", "units": 1}]} | is not a date |
        | a day without a bar | {"orders": [{"date": "2020-01-04", "side": "buy", "units": 1}]} | orders[0].date: the data have no bar on 2020-01-04 (nearest: 2020-01-06) |
        | an exit of two kinds        | {"orders": [{"bar": 0, "side": "buy", "units": 1, "stopLoss": {"price": 1, "distance": 2}}]} | orders[0].stopLoss |

  @spawn
  Rule: The agent's tool

    Scenario: trade_execute answers every bad order with an error, and the session continues
      Given the file "acme.csv":
        """
        date,open,high,low,close,volume
        2020-01-06,100,102,99,101,1000
        2020-01-07,102,105,101,104,1000
        """
      When the trader runs `sandtable tools call --data acme.csv --bar 1 --cash 5000` with the input:
        """
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 0}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": -3}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1e999}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": "abc"}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": ""}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1e308}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1e-300}}
        {"name": "trade_execute", "arguments": {"action": "constructor", "quantity": 1}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1, "symbol": "__proto__"}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1, "__proto__": {"quantity": 9}}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1, "order_type": "limit"}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1, "price": 99}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1, "stop_loss": -1}}
        {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1, "valid_bars": 0.5}}
        {"name": "trade_execute", "arguments": {"action": "close"}}
        {"name": "account_status"}
        """
      Then it ends with exit code 0
      And stdout answers line by line:
        | error: not a positive number                 |
        | error: not a positive number                 |
        | error: quantity                              |
        | error: quantity                              |
        | error: quantity                              |
        | error: exceed the buying power               |
        | error: below the lot of 1                    |
        | error: action                                |
        | error: Unknown symbol __proto__              |
        | error: __proto__                             |
        | error: limit order needs a price above 0     |
        | error: does not allow price                  |
        | error: stop_loss                             |
        | error: valid_bars                            |
        | error: No position in                        |
        | {"cash": 5000, "positions": {}, "pending_orders": []} |
