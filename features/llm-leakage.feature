Feature: A model does not know the future
  A model has read about the past. A mask hides the market and the years that it trades. A probe tests its memory. A
  cutoff separates the time that it may know from later time. A run that shows it a later bar fails.

  Scenario: No request reveals the symbol, the dates or the prices
    Given the file "GLOBEX.csv" with 40 simulated bars
    And a model that plays:
      """
      {"steps": [
        {"when": {"round": 1}, "times": "any", "reply": {"tool_calls": [
          {"name": "market_observe"}, {"name": "market_history", "arguments": {"bars": 200}},
          {"name": "market_history", "arguments": {"symbol": "NOPE"}},
          {"name": "compute", "arguments": {"code": "print(df.tail(3)); result = [str(v) for v in df.iloc[-1]] + [str(df.date.iloc[0])]"}},
          {"name": "compute", "arguments": {"code": "df_nope.close"}},
          {"name": "compute", "arguments": {"code": "[name for name in dir() if name.startswith('df')]"}},
          {"name": "indicator_calc", "arguments": {"name": "sma", "length": 2}},
          {"name": "account_status"},
          {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 3}},
          {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 999999999}},
          {"name": "trade_execute", "arguments": {"action": "sell", "quantity": 1, "order_type": "limit", "price": 1}}]}},
        {"when": {"round": 2}, "times": "any", "reply": {"text": "Bought."}}]}
      """
    And the model's strategy "trader.md" about "GLOBEX" with "schedule: { every_bars: 9 }, warm_up_bars: 3, tools: [market_observe, market_history, compute, indicator_calc, account_status, trade_execute]"
    When the trader runs `sandtable run trader.md --data GLOBEX.csv --mask symbols,dates,prices --out runs --quiet`
    Then it ends with exit code 0
    And no request contains the symbol "GLOBEX", a date or a price of "GLOBEX.csv"
    And the run's files contain the symbol "GLOBEX" and the dates of "GLOBEX.csv"
    When the model is switched off
    And the trader replays the run
    Then it ends with exit code 0

  Scenario Outline: A rule makes the same trades behind a mask, with <costs>
    Given the file "prices.csv" with 300 simulated bars
    And the file "terms.json" that says `<costs>`
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --settings terms.json --out runs --quiet`
    Then it ends with exit code 0
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --settings terms.json --mask <mask> --seed 7 --out runs --quiet`
    Then it ends with exit code 0
    And both runs made the same trades, and their equity is never <apart> % apart

    Examples:
      | mask                  | apart | costs                                                                             |
      | symbols,dates,prices  | 0.1   | {"commissionRate": 0.001, "slippageBps": 3}                                       |
      | prices                | 0.1   | {"commission": {"model": "per-share", "perShare": 0.01, "minimum": 1}, "tick": 0.01} |
      | symbols,prices        | 0.1   | {"commissionRate": 0.002, "slippage": {"model": "fixed", "amount": 0.02}, "participation": 0.001} |
      | symbols,dates,prices  | 0.1   | {"commission": {"model": "fixed", "amount": 2.5}, "risk": {"maxOrderNotional": 250000}} |
      | dates                 | 0     | {"financing": {"creditRate": 0.03, "debitRate": 0.05}}                            |

  Scenario: A rule earns the same behind a mask with currencies, finer bars, dividends and splits
    Given the file "prices.csv" with 300 simulated bars
    And the file "euro.csv" with the rates of a currency over the time of "prices.csv"
    And the file "finer.csv" with finer bars of "prices.csv"
    And the file "actions.csv":
      """
      symbol,date,kind,amount,ratio
      PRICES,2000-04-03,dividend,0.35,
      PRICES,2000-06-05,split,,2:1
      PRICES,2000-08-07,dividend,0.2,
      PRICES,2000-09-11,dividend,0.2,
      """
    And the file "terms.json" that says `{"commissionRate": 0.001, "slippageBps": 2, "instruments": {"PRICES": {"currency": "EUR"}}, "currencies": {"EUR": {"rate": "EURO"}}}`
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --fx euro.csv --detail finer.csv --symbol PRICES --actions actions.csv --settings terms.json --out runs --quiet`
    Then it ends with exit code 0
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --fx euro.csv --detail finer.csv --symbol PRICES --actions actions.csv --settings terms.json --mask symbols,dates,prices --seed 3 --out runs --quiet`
    Then it ends with exit code 0
    And both runs made the same trades, and their equity is never 0.1 % apart
    And the journals of both runs have a dividend, a split and rates

  Scenario: A mask rewrites the first files of an agent, or refuses them by line
    Given the file "GLOBEX.csv" with 40 simulated bars
    And a model that plays:
      """
      {"steps": [
        {"when": {"round": 1}, "times": "any", "reply": {"tool_calls": [{"name": "vfs_read", "arguments": {"path": "plan.md"}}]}},
        {"when": {"round": 2}, "times": "any", "reply": {"text": "Read."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 20 }, tools: [vfs_read]"
    And the file "given/plan.md" that says `Buy GLOBEX after 2000-01-12.`
    When the trader runs `sandtable run trader.md --data GLOBEX.csv --vfs given --mask symbols,dates,prices --out runs --quiet`
    Then it ends with exit code 0
    And no request contains the symbol "GLOBEX", a date or a price of "GLOBEX.csv"
    Given the file "given/plan.md" that says `Buy globex in January 2000.`
    When the trader runs `sandtable run trader.md --data GLOBEX.csv --vfs given --mask symbols,dates,prices --out refused`
    Then it ends with exit code 2
    And stderr says "plan.md:1: has the symbol globex"
    And stderr says "plan.md:1: has 2000, a year or a date of the data"

  Scenario: An order script is refused behind a mask
    Given the file "prices.csv" with 30 simulated bars
    And the file "orders.json" that says `{"orders": [{"bar": 0, "action": "buy", "quantity": 1}]}`
    When the trader runs `sandtable run orders.json --data prices.csv --mask prices --out runs`
    Then it ends with exit code 2
    And stderr says "do not exist behind a mask"

  Scenario: An invalid mask and an invalid cutoff are reported together
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --mask symbols,volume --model-cutoff soon`
    Then it ends with exit code 2
    And stderr says "is not a mask. Expected one or more of symbols,dates,prices,shape"
    And stderr says "is not a date. Expected for example 2024-06-01"

  Scenario: A request that shows a later bar ends the run
    Given the file "prices.csv" with 30 simulated bars
    And a model that plays:
      """
      {"steps": [{"times": "any", "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" about "91,827,364,509" with "schedule: every_bar"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --quiet`
    Then it ends with exit code 1
    And stderr says "a value from after the current bar (look-ahead)"
    And the model was asked nothing

  Scenario: Figures are split at the model's cutoff
    Given the file "prices.csv" with 300 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --model-cutoff 2000-06-30 --out runs --verbose`
    Then it ends with exit code 0
    And stdout says "Up to the model's cutoff of 2000-06-30"
    And stdout says "After the model's cutoff of 2000-06-30"
    And the two parts of the split earn what the whole run earns

  Scenario: A probe scores what a model remembers against chance
    Given the file "prices.csv" with 600 simulated bars
    And a model that plays:
      """
      {"steps": [{"times": "any", "reply": {"text": "{\"direction\": \"up\", \"close\": 1}"}}]}
      """
    And the model's strategy "trader.md" with "schedule: every_bar"
    When the trader runs `sandtable probe trader.md --data prices.csv --questions 10`
    Then it ends with exit code 0
    And stdout says "received 10 questions without data"
    And stdout says "Close within 2 %:          0 of 10 right"
    And stdout says "with all answers right, is p = "
    And stdout says "No sign that the model remembers"

  Scenario: A run with a mask of an earlier version is not replayed
    Given the file "prices.csv" with 60 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --mask symbols,dates,prices --out runs --quiet`
    Then it ends with exit code 0
    When the run's journal says that its mask was drawn by version 1
    And the trader replays the run
    Then it ends with exit code 2
    And stderr says "was recorded behind a mask of version 1, and this version draws masks of version 4"

  Scenario: A probe with too few questions is refused before the first request
    Given the file "prices.csv" with 600 simulated bars
    And a model that plays:
      """
      {"steps": [{"times": "any", "reply": {"text": "{}"}}]}
      """
    And the model's strategy "trader.md" with "schedule: every_bar"
    When the trader runs `sandtable probe trader.md --data prices.csv --questions 3`
    Then it ends with exit code 2
    And stderr says "3 questions cannot distinguish memory from chance: with all answers correct p would be 0.33"
    And stderr says "--questions"
    And the model was asked nothing
