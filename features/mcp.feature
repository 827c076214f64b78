@spawn
Feature: Trading over MCP
  Any MCP client can trade through history: it calls the tools at one bar, advances with next_bar, ends with finish, and
  a run folder records everything. The client sets the pace and never sees a bar that it has not reached.

  Scenario: A client receives the tools and their instructions
    Given the file "prices.csv" with 60 simulated bars
    When an MCP client connects to `sandtable mcp --data prices.csv --out runs --tools market_observe trade_execute compute`
    Then the client is offered the tools:
      | market_observe |
      | trade_execute  |
      | compute        |
      | next_bar       |
      | finish         |
    And the client receives the instructions for trading

  Scenario: A client buys, advances, closes and finishes, and the run folder records everything
    Given the file "prices.csv":
      """
      date,open,high,low,close,volume
      2020-01-06,100,102,99,101,1000
      2020-01-07,102,105,101,104,1000
      2020-01-08,103,104,98,99,1000
      2020-01-09,98,100,96,97,1000
      """
    When an MCP client connects to `sandtable mcp --data prices.csv --out runs --cash 5000`
    And the client calls market_observe
    Then the answer holds `{"symbol": "PRICES", "bar": 0, "close": 101}`
    When the client calls trade_execute with `{"action": "buy", "quantity": 10, "stop_loss": 50}`
    And the client calls next_bar
    Then the answer holds `{"moved": 1, "bar": 1, "date": "2020-01-07", "cash": 3980, "equity": 5020}`
    And the answer holds `{"bars": {"PRICES": {"open": 102, "high": 105, "low": 101, "close": 104, "volume": 1000}}}`
    And the answer holds `{"since_last_decision": {"bar": 0, "date": "2020-01-06", "profit": 20, "fills": [{"bar": 1, "order_id": 1, "symbol": "PRICES", "side": "buy", "quantity": 10, "price": 102}], "new_orders": [{"bar": 1, "order_id": 2, "symbol": "PRICES", "role": "stop-loss", "stop_price": 50}]}}`
    When the client calls compute with `{"code": "df.close.tolist()"}`
    Then the answer is `{"result": [101, 104]}`
    When the client calls trade_execute with `{"action": "close", "reason": "enough"}`
    And the client calls next_bar with `{"bars": 2}`
    Then the answer holds `{"moved": 2, "bar": 3, "cash": 5010, "equity": 5010}`
    And the answer holds `{"since_last_decision": {"bar": 1, "date": "2020-01-07", "profit": -10, "fills": [{"bar": 2, "order_id": 3, "symbol": "PRICES", "side": "sell", "quantity": 10, "price": 103, "reason": "enough"}], "closed_trades": [{"bar": 2, "symbol": "PRICES", "side": "long", "quantity": 10, "entry_bar": 1, "entry_price": 102, "exit_price": 103, "net_pnl": 10, "exit_reason": "enough"}], "cancelled": [{"bar": 2, "order_id": 2, "symbol": "PRICES", "code": "position_closed", "message": "The position it belongs to is closed."}]}}`
    When the client calls next_bar
    Then the answer holds `{"moved": 0, "bar": 3, "note": "This is the last bar of the data. Call finish."}`
    When the client calls finish
    Then the answer holds `{"finished": true, "outcome": "completed"}`
    When the client calls market_observe
    Then the answer is an error that says "The run is finished"
    When the client leaves
    Then the run folder holds:
      | manifest.json |
      | journal.jsonl |
      | equity.csv    |
      | trades.csv    |
      | summary.json  |
      | timing.json   |
      | report.html   |
    And the journal is whole and says completed after 4 bars
    And "equity.csv" has a row per bar, 4, under "bar,date,cash,equity,drawdown,exposure"

  Scenario: An invalid call returns an error, and the run continues
    Given the file "prices.csv" with 60 simulated bars
    And the file "risk.json":
      """
      { "risk": { "maxPosition": 0.1 } }
      """
    When an MCP client connects to `sandtable mcp --data prices.csv --out runs --cash 10000 --strategy-risk risk.json --budget market_observe=1`
    And the client calls trade_execute with `{"action": "buy", "quantity": 50}`
    Then the answer holds code "risk_max_position"
    When the client calls sell_everything
    Then the answer holds code "unknown_function"
    When the client calls next_bar with `{"bars": 0}`
    Then the answer is an error that says "next_bar was called with wrong arguments: bars: 0 is below the minimum, 1"
    When the client calls market_observe
    And the client calls market_observe
    Then the answer holds code "over_budget"
    When the client calls next_bar
    And the client calls market_observe
    Then the answer holds `{"bar": 1}`

  Scenario: A client that only lists the tools leaves no run
    Given the file "prices.csv" with 60 simulated bars
    When an MCP client connects to `sandtable mcp --data prices.csv --out runs`
    And the client leaves
    Then no run folder is left

  Scenario: The run of a client that disconnects is stored
    Given the file "prices.csv" with 60 simulated bars
    When an MCP client connects to `sandtable mcp --data prices.csv --out runs`
    And the client calls next_bar with `{"bars": 9}`
    And the client calls trade_execute with `{"action": "buy", "quantity": 1}`
    And the client leaves
    Then the journal is whole and says interrupted after 10 bars
    And the run folder holds:
      | manifest.json |
      | journal.jsonl |
      | equity.csv    |
      | trades.csv    |
      | summary.json  |
      | timing.json   |
      | report.html   |

  Scenario: The ledger lists the run of a client under its project
    Given the file "prices.csv" with 60 simulated bars
    When an MCP client connects to `sandtable mcp --data prices.csv --out runs --project desk`
    And the client calls next_bar with `{"bars": 4}`
    And the client leaves
    Then the journal is whole and says interrupted after 5 bars
    When the trader runs `sandtable ledger --reports runs`
    Then stdout says "desk"

  Scenario: The run of a server that is stopped is stored
    Given the file "prices.csv" with 60 simulated bars
    When an MCP client connects to `sandtable mcp --data prices.csv --out runs`
    And the client calls next_bar with `{"bars": 4}`
    And the server is asked to stop
    Then the journal is whole and says interrupted after 5 bars

  Scenario: No bar is shown before the client has reached it
    Given the file "prices.csv" with 60 simulated bars
    When an MCP client connects to `sandtable mcp --data prices.csv --out runs`
    And the client calls next_bar with `{"bars": 30}`
    And the client calls market_observe
    And the client calls market_history with `{"bars": 200}`
    And the client calls account_status
    And the client calls indicator_calc with `{"name": "sma", "length": 1}`
    And the client calls compute with `{"code": "[*df.close, *df.open, *df.high, *df.low]"}`
    And the client calls memory_recall with `{"query": ""}`
    And the client calls order_query
    Then no answer holds a price of "prices.csv" after bar 30

  Scenario: stdout contains only the protocol, and every request is answered at the end of input
    Given the file "prices.csv" with 60 simulated bars
    When the trader runs `sandtable mcp --data prices.csv --out runs` with the input:
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}
      {"jsonrpc":"2.0","method":"notifications/initialized"}
      {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"compute","arguments":{"code":"print('hello')"}}}
      {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"next_bar"}}
      """
    Then it ends with exit code 1
    And stdout holds nothing but the protocol
    And stdout says "hello"
    And stdout says '"id":3'
    And stderr says "interrupted after 2 bars"

  Scenario Outline: <what> is reported before the server starts
    Given the file "prices.csv" with 60 simulated bars
    When the trader runs `sandtable mcp <flags>`
    Then it ends with exit code 2
    And stdout is empty
    And stderr says '<says>'
    And there is no stack trace
    And no run folder is left

    Examples:
      | what                | flags                                          | says                              |
      | missing data        | --out runs                                     | is missing. Pass at least one data file |
      | a tool that is none | --data prices.csv --tools market_obsrve        | Did you mean market_observe       |
      | a bad budget        | --data prices.csv --budget compute             | "compute" is not a limit. Expected name=number |
      | an absent risk file | --data prices.csv --strategy-risk none.json    | the file or folder does not exist |

  @deep
  Scenario: Behind a mask a client sees no real symbol, date or price, and the run folder contains real values
    Given the file "GLOBEX.csv" with 40 simulated bars
    And the file "given/plan.md" that says `Buy GLOBEX.`
    When an MCP client connects to `sandtable mcp --data GLOBEX.csv --vfs given --mask symbols,dates,prices --out runs --tools market_observe market_history trade_execute vfs_read account_status`
    And the client calls market_history with `{"bars": 1}`
    And the client calls vfs_read with `{"path": "plan.md"}`
    Then the answer holds `{"content": "Buy S1."}`
    When the client calls trade_execute with `{"action": "buy", "equity_percent": 50}`
    And the client calls next_bar with `{"bars": 5}`
    Then the answer holds `{"moved": 5, "bar": 5}`
    When the client calls account_status
    And the client calls finish
    Then no answer holds the symbol "GLOBEX", a date or a price of "GLOBEX.csv"
    When the client leaves
    Then the run folder is about "GLOBEX" in real terms
    Given the file "news.ndjson" that says `{"id": "n1", "available_at": "2000-01-05T12:00:00Z", "symbols": ["GLOBEX"], "source": "wire", "kind": "news", "title": "Of Globex", "text": "It fell on Jan 4."}`
    When the trader runs `sandtable mcp --data GLOBEX.csv --documents news.ndjson --mask symbols,dates --out refused`
    Then it ends with exit code 2
    And stderr says "title: has the symbol Globex"
    And stderr says "text line 1: has the date Jan 4"
    When the trader runs `sandtable mcp --data GLOBEX.csv --mask names`
    Then it ends with exit code 2
    And stderr says "Expected one or more of symbols,dates,prices,shape"
