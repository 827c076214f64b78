Feature: A model trades
  A strategy for a model is a Markdown file with settings and a prompt. At each decision the model receives the bar, the
  account and its tools, and trades with the tools. The scenarios use a scripted model over HTTP, through the same
  client as a real one.

  Background:
    Given the file "prices.csv" with 30 simulated bars

  Rule: A decision is a conversation of rounds

    Scenario: The model reads data, trades and gives its reason
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1}, "times": 5, "reply": {"tool_calls": [
            {"name": "market_history", "arguments": {"bars": 3}},
            {"name": "trade_execute", "arguments": {"action": "buy", "quantity": 2}}]}},
          {"when": {"round": 2, "contains": "accepted"}, "times": 5, "reply": {"text": "Bought two."}}
        ]}
        """
      And the model's strategy "trader.md" with "schedule: { every_bars: 6 }"
      When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | strategy                | trader       |
        | outcome                 | completed    |
        | toolCalls               | 10           |
        | model.model             | scripted     |
        | model.decisions         | 5            |
        | model.outcomes.answered | 5            |
        | model.requests          | 10           |
        | model.replayed.requests | 0            |
      And the model played its script to the end

    Scenario Outline: An answer that is not a decision never trades
      Given a model that plays:
        """
        {"steps": [{"reply": <reply>}]}
        """
      And the model's strategy "trader.md" with "decision_start: 2000-02-10, schedule: { every_bars: 5 }"
      When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | model.decisions         | 1 |
        | model.outcomes.<ending> | 1 |
        | tradeCount              | 0 |
        | openTradeCount          | 0 |
        | toolCalls               | 0 |

      Examples:
        | ending   | reply                                                                                                                   |
        | refused  | {"refusal": "I cannot give financial advice."}                                                                          |
        | empty    | {"text": "  "}                                                                                                          |
        | cut      | {"finish": "length", "tool_calls": [{"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1}}]}            |
        | filtered | {"finish": "content_filter", "tool_calls": [{"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1}}]}    |

    Scenario: The last round has no tools, and calls in it are not executed
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1, "tools": true}, "reply": {"tool_calls": [{"name": "account_status"}]}},
          {"when": {"round": 2, "tools": false, "last_contains": "last round"},
           "reply": {"tool_calls": [{"name": "trade_execute", "arguments": {"action": "buy", "quantity": 1}}]}}
        ]}
        """
      And the model's strategy "trader.md" with "decision_start: 2000-02-10, schedule: { every_bars: 5 }, rounds: 2"
      When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | model.outcomes.rounds_exhausted | 1 |
        | toolCalls                       | 1 |

  Rule: Malformed calls are repaired if they are unambiguous

    Scenario Outline: A model receives an answer to a call with <what>
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1}, "reply": {"tool_calls": [<call>]}},
          {"when": {"round": 2, "last_contains": "<answer>"}, "reply": {"text": "Well."}}
        ]}
        """
      And the model's strategy "trader.md" with "decision_start: 2000-02-10, schedule: { every_bars: 5 }"
      When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And the model played its script to the end

      Examples:
        | what                          | call                                                                             | answer                    |
        | arguments as an object        | {"name": "market_history", "arguments": {"bars": 1}, "as_object": true}          | columns                   |
        | a text within a text          | {"name": "market_history", "arguments": "\"{\\\\\"bars\\\\\": 1}\""}                 | columns                   |
        | a trailing comma              | {"name": "market_history", "arguments": "{\"bars\": 1,}"}                        | columns                   |
        | no id                         | {"name": "market_history", "id": null}                                           | columns                   |
        | a name in another spelling    | {"name": "functions.MarketHistory"}                                              | columns                   |
        | broken JSON                   | {"name": "market_history", "arguments": "{\"bars\": "}                           | not JSON                  |
        | an unknown tool               | {"name": "buy_everything"}                                                       | Unknown tool              |
        | arguments that do not fit     | {"name": "market_history", "arguments": {"bars": 0}}                             | wrong arguments           |

  Rule: Both protocols work with and without streaming

    Scenario Outline: A decision over <api>, stream <stream>
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1}, "reply": {"reasoning": "Let me look first.", "tool_calls": [
            {"name": "market_history", "arguments": {"bars": 3}}, {"name": "account_status"}]}},
          {"when": {"round": 2, "contains": "columns"}, "reply": {"text": "I hold.", "usage": {"input": 100, "cached": 40, "output": 20, "reasoning": 5}}}
        ]}
        """
      And the model's strategy "trader.md" with "decision_start: 2000-02-10, schedule: { every_bars: 5 }, api: <api>, stream: <stream>"
      When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | model.outcomes.answered | 1  |
        | model.cachedTokens      | 40 |
        | model.reasoningTokens   | 5  |
        | toolCalls               | 2  |

      Examples:
        | api       | stream |
        | chat      | false  |
        | chat      | true   |
        | responses | false  |
        | responses | true   |

  Rule: The cost of a run is counted

    Scenario: Cost is exact at the price of the strategy
      Given a model that plays:
        """
        {"steps": [{"times": 2, "reply": {"text": "Hold.", "usage": {"input": 1000, "cached": 400, "output": 50}}}]}
        """
      And the model's strategy "trader.md" with "schedule: { every_bars: 15 }, prices: { input: 2.5, cached: 1.25, output: 10 }"
      When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | model.inputTokens   | 2000  |
        | model.cost          | 0.005 |
        | model.incurred.cost | 0.005 |

    Scenario: Cost is null if the price is unknown
      Given a model that plays:
        """
        {"steps": [{"reply": {"text": "Hold."}}]}
        """
      And the model's strategy "trader.md" with "decision_start: 2000-02-10, schedule: { every_bars: 5 }"
      When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | model.cost   | null |
        | model.prices | null |

    Scenario: A run stops when its budget is exhausted, and resumes with a larger budget
      Given a model that plays:
        """
        {"steps": [{"times": 5, "reply": {"text": "Hold.", "usage": {"input": 100, "output": 10}}}]}
        """
      And the model's strategy "trader.md" with "schedule: { every_bars: 6 }, budget: { run: { calls: 2 } }"
      When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
      Then it ends with exit code 1
      And stderr says "budget of 2 calls is exhausted"
      And stdout is one JSON document with:
        | outcome        | budget_exhausted |
        | model.requests | 2                |
      When the trader resumes the run with "--budget calls=100 --json"
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | outcome                 | completed |
        | model.requests          | 5         |
        | model.replayed.requests | 2         |
        | model.incurred.requests | 3         |
      And the model played its script to the end

  Rule: All faults of a strategy are reported together, with their lines

    Scenario: Unknown settings, tools and variables are reported
      Given the file "broken.md":
        """
        ---
        model: scripted
        base_url: nowhere
        api_key: sk-secret
        tools: [compute, fortune_teller, compute]
        rounds: 0
        ---
        Trade {{symbols}} with {{luck}} on {{date}.
        """
      When the trader runs `sandtable run broken.md --data prices.csv --out runs`
      Then it ends with exit code 2
      And stderr says "broken.md:4: unknown setting api_key"
      And stderr says "broken.md:6: rounds: 0 is below the minimum, 1"
      And stderr says "broken.md:5: tools: unknown tool fortune_teller"
      And stderr says "broken.md:5: tools: compute is named twice"
      And stderr says "broken.md:8: unknown variable {{luck}}"
      And stderr says "broken.md:8: a {{ is not closed by }} on its line"
      And there is no stack trace
