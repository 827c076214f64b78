@spawn
Feature: Every agent uses the same interface
  An agent over stdio, an agent over HTTP and an MCP client make the same calls at the same bars. Answers, orders and
  fills are the same.

  Scenario Outline: <what> gets the same answer over stdio, HTTP and MCP
    Given the file "prices.csv" with 8 simulated bars
    And at its decisions an agent makes the calls <calls>
    When they are made over stdio, over HTTP and over MCP with the tools "trade_execute account_status order_cancel order_query market_history portfolio_rebalance memory_log memory_recall"
    Then calls, answers, orders and fills of the three runs are the same

    Examples:
      | what                     | calls |
      | An order with exits      | `[[["trade_execute", {"action": "buy", "quantity": 10, "stop_loss_percent": 0.1}]], [["account_status", {}]], [["trade_execute", {"action": "close"}]]]` |
      | A refused order          | `[[["trade_execute", {"action": "buy", "quantity": -5}], ["trade_execute", {"action": "buy", "quantity": 100000000}]]]` |
      | A rebalancing            | `[[["portfolio_rebalance", {"weights": {"PRICES": 50}, "cash": 5}]], [], [["portfolio_rebalance", {"weights": {"PRICES": 130}}], ["portfolio_rebalance", {"weights": {"PRICES": 10}}]]]` |

    @deep
    Examples:
      | what                     | calls |
      | Arguments of wrong types | `[[["trade_execute", {"action": "buy", "quantity": "7"}], ["market_history", {"bars": true}], ["market_history", {"bras": 2}]]]` |
      | Numbers as texts         | `[[["portfolio_rebalance", {"weights": {"PRICES": "40"}, "cash": "5"}], ["portfolio_rebalance", {"weights": "{\"PRICES\": \"60\"}"}], ["portfolio_rebalance", {"weights": {"PRICES": "half"}}]]]` |
      | A symbol nobody knows    | `[[["trade_execute", {"action": "buy", "quantity": 1, "symbol": "GOLD"}]]]` |
      | A resting order          | `[[["trade_execute", {"action": "buy", "quantity": 1, "order_type": "limit", "price": 1}], ["order_query", {}]], [["order_cancel", {"order_id": 1}], ["order_query", {}]]]` |
      | Memory                   | `[[["memory_log", {"content": "a breakout"}]], [], [["memory_recall", {"query": "breakout"}]]]` |
