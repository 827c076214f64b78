Feature: The observation of a decision
  Each decision begins with the events since the previous decision: the same block for a prompt, an external agent and
  an MCP client, and `turn.eventsSince` for a rule.

  Background:
    Given the file "AAPL.csv":
      """
      date,open,high,low,close,volume
      2020-01-06,100,100,100,100,1000
      2020-01-07,100,100,100,100,1000
      2020-01-08,110,110,110,110,1000
      2020-01-09,110,110,90,90,1000
      2020-01-10,90,90,90,90,1000
      """
    And the file "MSFT.csv":
      """
      date,open,high,low,close,volume
      2020-01-06,50,50,50,50,1000
      2020-01-07,50,50,50,50,1000
      2020-01-08,50,50,50,50,1000
      2020-01-09,60,60,60,60,1000
      2020-01-10,60,60,60,60,1000
      """

  Rule: Events since the last decision come first

    Scenario: The observation lists fills, an order cut to buying power, a refusal, an exit and a dividend
      Given the file "actions.csv":
        """
        symbol,date,kind,amount
        AAPL,2020-01-09,dividend,0.5
        """
      And a model that plays:
        """
        {"steps": [
          {"when": {"round": 1, "contains": "2020-01-07"}, "reply": {"tool_calls": [
            {"name": "trade_execute", "arguments": {"symbol": "AAPL", "action": "buy", "equity_percent": 100, "stop_loss": 95}},
            {"name": "trade_execute", "arguments": {"symbol": "MSFT", "action": "buy", "quantity": 100}}]}},
          {"when": {"round": 1}, "times": "any", "reply": {"text": "Nothing to do."}},
          {"when": {"round": 2}, "times": "any", "reply": {"text": "Ordered."}}]}
        """
      And the model's strategy "trader.md" with "schedule: { every_bars: 2 }, warm_up_bars: 2"
      When the trader runs `sandtable run trader.md --data AAPL.csv MSFT.csv --actions actions.csv --cash 10000 --commission 0.02 --out runs --quiet`
      Then it ends with exit code 0
      And decision 1 of the run was shown first:
        """
        {"bar": null, "profit": 0}
        """
      And decision 2 of the run was shown first:
        """
        {"bar": 1, "date": "2020-01-07", "profit": -1655.4,
         "fills": [
           {"bar": 2, "order_id": 1, "symbol": "AAPL", "side": "buy", "quantity": 89, "requested_quantity": 90,
            "why_less": "buying power, including commission, allowed no more", "price": 110, "commission": 195.8},
           {"bar": 3, "order_id": 3, "symbol": "AAPL", "side": "sell", "quantity": 89, "price": 95,
            "commission": 169.1, "reason": "stop-loss"}],
         "new_orders": [{"bar": 2, "order_id": 3, "symbol": "AAPL", "role": "stop-loss", "stop_price": 95}],
         "refused": [{"bar": 2, "order_id": 2, "symbol": "MSFT", "action": "buy", "code": "buying_power",
                      "message": "100 MSFT at the fill price of 50 exceed the buying power."}],
         "dividends": [{"bar": 3, "symbol": "AAPL", "amount": 44.5, "per_unit": 0.5}],
         "closed_trades": [{"bar": 3, "symbol": "AAPL", "side": "long", "quantity": 89, "entry_bar": 2, "entry_price": 110,
                            "exit_price": 95, "net_pnl": -1699.9, "exit_reason": "stop-loss"}]}
        """
      And a request contains 'buying power, including commission, allows no more at this close'
      When the model is switched off
      And the trader replays the run
      Then it ends with exit code 0

    Scenario: The observation shows the filled part of an order and the rest
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1, "contains": "2020-01-06"}, "reply": {"tool_calls": [
            {"name": "trade_execute", "arguments": {"symbol": "AAPL", "action": "buy", "quantity": 30}}]}},
          {"times": "any", "reply": {"text": "Nothing to do."}}]}
        """
      And the model's strategy "trader.md" with "settings: { participation: 0.02 }"
      When the trader runs `sandtable run trader.md --data AAPL.csv MSFT.csv --cash 10000 --out runs --quiet`
      Then it ends with exit code 0
      And decision 2 of the run was shown first:
        """
        {"bar": 0, "date": "2020-01-06", "profit": 0,
         "fills": [{"bar": 1, "order_id": 1, "symbol": "AAPL", "side": "buy", "quantity": 20, "price": 100, "still_to_fill": 10}]}
        """
      And decision 3 of the run was shown first:
        """
        {"bar": 1, "date": "2020-01-07", "profit": 200,
         "fills": [{"bar": 2, "order_id": 1, "symbol": "AAPL", "side": "buy", "quantity": 10, "price": 110}]}
        """

    Scenario: Behind a mask the observation contains no real symbol
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1}, "reply": {"tool_calls": [
            {"name": "trade_execute", "arguments": {"symbol": "S1", "action": "buy", "equity_percent": 100}}]}},
          {"times": "any", "reply": {"text": "Nothing to do."}}]}
        """
      And the model's strategy "trader.md" with "schedule: every_bar"
      When the trader runs `sandtable run trader.md --data AAPL.csv MSFT.csv --cash 10000 --commission 0.02 --mask symbols,dates,prices --out runs --quiet`
      Then it ends with exit code 0
      And a request contains 'buying power, including commission, allowed no more'
      And no request contains 'AAPL'
      And no request contains 'MSFT'
      When the model is switched off
      And the trader replays the run
      Then it ends with exit code 0

    @spawn @deep
    Scenario: An external agent receives the same observation
      Given the agent "buyer.py":
        """
        if number == 1:
            call("trade_execute", symbol="MSFT", action="buy", quantity=10)
        """
      When the trader runs `sandtable run --agent "python3 buyer.py" --agent-every 2 --data AAPL.csv MSFT.csv --out runs --quiet`
      Then it ends with exit code 0
      And decision 2 of the run was shown first:
        """
        {"bar": 0, "date": "2020-01-06", "profit": 0,
         "fills": [{"bar": 1, "order_id": 1, "symbol": "MSFT", "side": "buy", "quantity": 10, "price": 50}]}
        """

    Scenario: A sealed rule reads the same events
      Given the file "watching.ts":
        """
        import { defineStrategy } from 'sandtable';
        export default defineStrategy({
          name: 'watching',
          summary: 'Writes down what it finds.',
          onBar({ bar, orders, eventsSince, record }) {
            if (bar === 0) orders.submit({ action: 'buy', symbol: 'MSFT', quantity: 10, takeProfit: 60 });
            const fills = eventsSince.of('order_filled').map(({ side, quantity, price }) => `${side} ${quantity} at ${price}`);
            record({ type: 'note', bar, text: `since ${eventsSince.bar}: ${fills.join(', ') || 'nothing'}, profit ${eventsSince.profit}` });
          },
        });
        """
      When the trader runs `sandtable run watching.ts --data AAPL.csv MSFT.csv --seal --out runs`
      Then it ends with exit code 0
      And the journal has the note "since null: nothing, profit 0"
      And the journal has the note "since 0: buy 10 at 50, profit 0"
      And the journal has the note "since 2: sell 10 at 60, profit 100"

  Rule: The sales of an open pay for its purchases

    Scenario: A part of one position is moved into another symbol at one open
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1, "contains": "2020-01-06"}, "reply": {"tool_calls": [
            {"name": "trade_execute", "arguments": {"symbol": "MSFT", "action": "target", "target_percent": 100}}]}},
          {"when": {"round": 1, "contains": "2020-01-07"}, "reply": {"tool_calls": [
            {"name": "trade_execute", "arguments": {"symbol": "AAPL", "action": "target", "target_percent": 45}},
            {"name": "trade_execute", "arguments": {"symbol": "MSFT", "action": "target", "target_percent": 45}}]}},
          {"times": "any", "reply": {"text": "Nothing to do."}}]}
        """
      And the model's strategy "trader.md" with "schedule: every_bar"
      When the trader runs `sandtable run trader.md --data AAPL.csv MSFT.csv --cash 10000 --out runs --quiet`
      Then it ends with exit code 0
      And decision 3 of the run was shown first:
        """
        {"bar": 1, "date": "2020-01-07", "profit": 0,
         "fills": [
           {"bar": 2, "order_id": 3, "symbol": "MSFT", "side": "sell", "quantity": 110, "price": 50},
           {"bar": 2, "order_id": 2, "symbol": "AAPL", "side": "buy", "quantity": 40, "price": 110}],
         "closed_trades": [{"bar": 2, "symbol": "MSFT", "side": "long", "quantity": 110, "entry_bar": 1, "entry_price": 50,
                            "exit_price": 50, "net_pnl": 0, "exit_reason": "market"}]}
        """

  Rule: Notes contain the results of earlier decisions

    Scenario: A note contains the conclusion of a long answer
      Given a model that plays:
        """
        {"steps": [{"times": "any", "reply": {"text": "On the one hand the averages say that it rises, on the other they do not. On the one hand the averages say that it rises, on the other they do not. On the one hand the averages say that it rises, on the other they do not. On the one hand the averages say that it rises, on the other they do not. On the one hand the averages say that it rises, on the other they do not. On the one hand the averages say that it rises, on the other they do not. On the one hand the averages say that it rises, on the other they do not. On the one hand the averages say that it rises, on the other they do not. On the one hand the averages say that it rises, on the other they do not. \n\nConclusion: AAPL is held."}}]}
        """
      And the model's strategy "trader.md" with "schedule: { every_bars: 2 }, notes: 1"
      When the trader runs `sandtable run trader.md --data AAPL.csv MSFT.csv --out runs --quiet`
      Then it ends with exit code 0
      And decision 2 of the run was shown `{"notes": [{"date": "2020-01-06", "text": "AAPL is held."}]}`

  Rule: Many symbols are shown as a table

    Scenario: The strategy chooses the columns
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1, "contains": "2020-01-06"}, "reply": {"tool_calls": [
            {"name": "trade_execute", "arguments": {"symbol": "AAPL", "action": "buy", "quantity": 20}}]}},
          {"times": "any", "reply": {"text": "Nothing to do."}}]}
        """
      And the model's strategy "trader.md" with "columns: [close, return_1, weight, profit, last_trade]"
      When the trader runs `sandtable run trader.md --data AAPL.csv MSFT.csv --cash 10000 --out runs --quiet`
      Then it ends with exit code 0
      And decision 3 of the run was shown `{"table": {"columns": ["symbol", "close", "return_1", "weight", "profit", "last_trade"], "rows": [["AAPL", 110, 10, 21.57, 200, "buy 20 at 100, bar 1"], ["MSFT", 50, 0, 0, null, null]]}}`

    Scenario: Unknown columns are refused with the known ones
      Given the model's strategy "trader.md" with "columns: [close, sharpe]"
      When the trader runs `sandtable run trader.md --data AAPL.csv --out runs`
      Then it ends with exit code 2
      And stderr says "Expected open, high, low, close, volume, date, return_1, return_5, return_20, volatility, position, weight, profit, last_trade"

    Scenario: Six or more symbols are shown with default columns
      Given the file "A.csv" with 30 simulated bars
      And the file "B.csv" with 30 simulated bars
      And the file "C.csv" with 30 simulated bars
      And the file "D.csv" with 30 simulated bars
      And the file "E.csv" with 30 simulated bars
      And the file "F.csv" with 30 simulated bars
      And a model that plays:
        """
        {"steps": [{"times": "any", "reply": {"text": "Nothing to do."}}]}
        """
      And the model's strategy "trader.md" with "schedule: { every_bars: 25 }"
      When the trader runs `sandtable run trader.md --data A.csv B.csv C.csv D.csv E.csv F.csv --out runs --quiet`
      Then it ends with exit code 0
      And decision 2 of the run was shown the columns "symbol close return_1 return_5 return_20 volatility weight profit last_trade" of 6 symbols

    @spawn
    Scenario: An external agent and an MCP client receive the same table of six symbols
      Given the file "A.csv" with 30 simulated bars
      And the file "B.csv" with 30 simulated bars
      And the file "C.csv" with 30 simulated bars
      And the file "D.csv" with 30 simulated bars
      And the file "E.csv" with 30 simulated bars
      And the file "F.csv" with 30 simulated bars
      And the agent "looking.py":
        """
        if number == 1:
            call("trade_execute", symbol="C", action="buy", quantity=10)
        if number == 2:
            assert call("market_observe")["table"]["rows"][2][0] == "C"
            assert call("market_observe", symbol="C")["close"] > 0
        """
      When the trader runs `sandtable run --agent "python3 looking.py" --agent-every 25 --agent-tools trade_execute market_observe --data A.csv B.csv C.csv D.csv E.csv F.csv --out runs --quiet`
      Then it ends with exit code 0
      And decision 2 of the run was shown the columns "symbol close return_1 return_5 return_20 volatility weight profit last_trade" of 6 symbols
      When an MCP client connects to `sandtable mcp --data A.csv B.csv C.csv D.csv E.csv F.csv --out other --tools trade_execute market_observe`
      And the client calls trade_execute with `{"symbol": "C", "action": "buy", "quantity": 10}`
      And the client calls next_bar with `{"bars": 25}`
      Then the client was answered with the table that decision 2 of the agent's run was shown
      When the client leaves

  Rule: A run offers only the tools that it can use

    Scenario: A strategy without a list of tools gets the tools for its data
      Given a model that plays:
        """
        {"steps": [{"times": "any", "reply": {"text": "Nothing to do."}}]}
        """
      And the file "plain.md":
        """
        ---
        model: scripted
        base_url: ${OPENAI_BASE_URL}
        schedule: { every_bars: 10 }
        ---
        Trade {{symbols}} with {{tools}}.
        """
      When the trader runs `sandtable run plain.md --data AAPL.csv --out runs --quiet`
      Then it ends with exit code 0
      And a request contains 'Trade AAPL with market_history, compute, trade_execute.'
      When the trader runs `sandtable run plain.md --data AAPL.csv MSFT.csv --out more --quiet`
      Then it ends with exit code 0
      And a request contains 'Trade AAPL, MSFT with market_history, compute, trade_execute, portfolio_rebalance.'
