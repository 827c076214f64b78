Feature: A model answers in the form of the strategy
  `output` in a strategy's settings is a JSON schema. An answer that does not match the schema may be corrected once,
  and a second failure ends the decision. The strategy also defines the orders for an answer, as calls of tools.

  Background:
    Given the file "prices.csv" with 30 simulated bars

  Rule: The form is requested in the way that the server supports

    Scenario Outline: The form is requested from <provider>, tools <tools>
      Given a model that plays:
        """
        {"steps": [{"when": {"body_contains": <sent>}, "reply": <reply>}]}
        """
      And the model's strategy "weights.md" that answers with weights and "<settings>, decision_start: 2000-02-10, schedule: { every_bars: 5 }"
      When the trader runs `sandtable run weights.md --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | model.outcomes.answered | 1 |
        | tradeCount              | 0 |
        | openTradeCount          | 1 |
        | toolCalls               | 1 |
      And the model played its script to the end
      And the answer of the decision is `{"weights":{"PRICES":40},"reason":"up"}`

      Examples:
        | provider  | tools | settings                                                        | sent                                                                        | reply                                                                                                           |
        | openai    | none  | provider: openai, tools: []                                     | ["\"response_format\":{\"type\":\"json_schema\"", "\"PRICES\":{\"type\":\"number\"", "\"strict\":true"] | {"text": "{\"weights\": {\"PRICES\": 40}, \"reason\": \"up\"}"}                                                   |
        | openai    | some  | provider: openai, tools: [account_status]                       | ["\"response_format\"", "account_status"]                                   | {"text": "{\"weights\": {\"PRICES\": 40}, \"reason\": \"up\"}"}                                                   |
        | openai    | Responses | provider: openai, api: responses, tools: []                 | ["\"text\":{\"format\":{\"type\":\"json_schema\""]                          | {"text": "{\"weights\": {\"PRICES\": 40}, \"reason\": \"up\"}"}                                                   |
        | ollama    | some  | provider: ollama, tools: [account_status]                       | ["\"name\":\"answer\"", "account_status"]                                   | {"tool_calls": [{"name": "answer", "arguments": {"weights": {"PRICES": 40}, "reason": "up"}}]}                   |
        | anthropic | none  | provider: anthropic, tools: []                                  | ["\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"answer\"}}"] | {"tool_calls": [{"name": "answer", "arguments": {"weights": {"PRICES": 40}, "reason": "up"}}]}                   |
        | anthropic | Responses | provider: anthropic, api: responses, tools: []              | ["\"tool_choice\":{\"type\":\"function\",\"name\":\"answer\"}"]             | {"tool_calls": [{"name": "functions.answer", "arguments": {"weights": {"PRICES": 40}, "reason": "up"}}]}         |
        | fenced    | some  | provider: ollama, tools: [account_status]                       | ["\"name\":\"answer\""]                                                     | {"text": "I think so:\\n```json\\n{\"weights\": {\"PRICES\": 40}, \"reason\": \"up\"}\\n```\\nThat is all."}           |

    Scenario: The model uses its tools first and must answer in the last round
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1}, "reply": {"tool_calls": [{"name": "account_status"}]}},
          {"when": {"round": 2, "contains": "last round with tools", "body_contains": "\"tool_choice\""},
           "reply": {"tool_calls": [{"name": "answer", "arguments": {"weights": {"PRICES": 40}, "reason": "up"}}]}}
        ]}
        """
      And the model's strategy "weights.md" that answers with weights and "tools: [account_status], rounds: 2, decision_start: 2000-02-10, schedule: { every_bars: 5 }"
      When the trader runs `sandtable run weights.md --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | model.outcomes.answered | 1 |
        | toolCalls               | 2 |
        | openTradeCount          | 1 |
      And the model played its script to the end

  Rule: An answer that does not match the schema may be corrected once

    Scenario Outline: The answer is corrected after <what>
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1}, "reply": <reply>},
          {"when": {"round": 2, "last_contains": ["The answer was not taken", "<fault>"]}, "reply": {"text": "{\"weights\": {\"PRICES\": 40}, \"reason\": \"up\"}"}}
        ]}
        """
      And the model's strategy "weights.md" that answers with weights and "tools: [], rounds: 1, decision_start: 2000-02-10, schedule: { every_bars: 5 }"
      When the trader runs `sandtable run weights.md --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | model.outcomes.answered | 1 |
        | openTradeCount          | 1 |
      And the model played its script to the end
      When the model is switched off
      And the trader replays the run
      Then it ends with exit code 0

      Examples:
        | what              | reply                                                                     | fault                                                     |
        | too much          | {"text": "{\"weights\": {\"PRICES\": 140}, \"reason\": \"up\"}"}           | weights.PRICES is 140, above 100                          |
        | a wrong type      | {"text": "{\"weights\": {\"PRICES\": \"much\"}, \"reason\": \"up\"}"}     | weights.PRICES is \"much\", not a number                  |
        | a missing field   | {"text": "{\"weights\": {\"PRICES\": 40}}"}                                | reason is missing                                         |
        | an unknown symbol | {"text": "{\"weights\": {\"PRICES\": 40, \"GOLD\": 1}, \"reason\": \"\"}"} | weights.GOLD is not a field of this object, which has PRICES |
        | mere words        | {"text": "I would buy a little."}                                         | is not JSON                                               |
        | nothing           | {"text": " "}                                                             | the answer is empty                                       |
        | two that differ   | {"tool_calls": [{"name": "answer", "arguments": {"weights": {"PRICES": 0}, "reason": "flat"}}, {"name": "answer", "arguments": {"weights": {"PRICES": 90}, "reason": "up"}}]} | 2 answers came, and they are not the same |

    Scenario: An answer whose orders are refused may be corrected too
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1}, "reply": {"text": "{\"weights\": {\"PRICES\": -40}, \"reason\": \"down\"}"}},
          {"when": {"round": 2, "last_contains": "could not be carried out: portfolio_rebalance answered"}, "reply": {"text": "{\"weights\": {\"PRICES\": 0}, \"reason\": \"flat\"}"}}
        ]}
        """
      And the model's strategy "weights.md" that answers with weights and "tools: [], settings: { allowShort: false }, decision_start: 2000-02-10, schedule: { every_bars: 5 }"
      When the trader runs `sandtable run weights.md --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | model.outcomes.answered | 1 |
        | toolCalls               | 2 |
        | openTradeCount          | 0 |
      And the model played its script to the end

    Scenario: A second mismatch fails the decision with a clear reason
      Given a model that plays:
        """
        {"steps": [{"times": 2, "reply": {"text": "{\"weights\": {\"PRICES\": 140}, \"reason\": \"up\"}"}}]}
        """
      And the model's strategy "weights.md" that answers with weights and "tools: [], decision_start: 2000-02-10, schedule: { every_bars: 5 }"
      When the trader runs `sandtable run weights.md --data prices.csv --out runs --verbose`
      Then it ends with exit code 0
      And stdout says "1 malformed answer"
      And stdout says "answer not in the requested form"
      And the journal says "The answer was not taken: it is not of that form: weights.PRICES is 140, above 100."
      And the model played its script to the end

  Rule: The strategy defines the orders for an answer

    Scenario: Each entry of a list becomes an order if the answer meets the condition
      Given a model that plays:
        """
        {"steps": [
          {"times": 1, "reply": {"text": "{\"action\": \"hold\", \"orders\": []}"}},
          {"times": 1, "reply": {"text": "{\"action\": \"trade\", \"orders\": [{\"side\": \"buy\", \"units\": 2, \"limit\": null}, {\"side\": \"buy\", \"units\": 3, \"limit\": 1}]}"}}
        ]}
        """
      And the file "orders.md":
        """
        ---
        model: scripted
        base_url: ${OPENAI_BASE_URL}
        tools: []
        decision_start: 2000-02-07
        schedule: { every_bars: 3 }
        output:
          schema:
            type: object
            properties:
              action: { enum: [trade, hold] }
              orders:
                type: array
                items:
                  type: object
                  properties:
                    side: { enum: [buy, sell] }
                    units: { type: integer, minimum: 1 }
                    limit: { type: [number, "null"] }
          calls:
            - tool: trade_execute
              when: { $.action: trade }
              each: $.orders
              arguments: { action: "@.side", quantity: "@.units", price: "@.limit", order_type: market, reason: from the list }
        ---
        Trade {{symbols}}.
        """
      When the trader runs `sandtable run orders.md --data prices.csv --out runs --json`
      Then it ends with exit code 0
      And the journal says '"name":"trade_execute","arguments":{"action":"buy","quantity":2,"order_type":"market","reason":"from the list"}'
      And the journal says "The answer was not taken"

    Scenario: All faults of an output are reported together, with their lines
      Given the file "broken.md":
        """
        ---
        model: scripted
        base_url: http://localhost:1/v1
        tools: []
        extra_body: { response_format: { type: text } }
        output:
          schema:
            type: object
            properties:
              weights: { type: object, additionalProperties: { type: number } }
              orders: { type: array, items: { type: object, properties: { side: { type: string } } } }
          calls:
            - tool: portfolio_rebalanse
            - tool: portfolio_rebalance
              arguments: { weigths: $.weights, reason: $.why }
            - tool: trade_execute
              each: $.orders
              arguments: { action: "@.sied" }
            - tool: trade_execute
              arguments: { action: "@.side" }
        ---
        Trade {{symbols}}.
        """
      When the trader runs `sandtable run broken.md --data prices.csv`
      Then it ends with exit code 2
      And stderr says "broken.md:5: extra_body.response_format: output already defines the form of the answer"
      And stderr says "broken.md:13: output.calls.0.tool: unknown tool portfolio_rebalanse"
      And stderr says "broken.md:15: output.calls.1.arguments.weigths: portfolio_rebalance has no parameter weigths. Parameters: weights"
      And stderr says "broken.md:15: output.calls.1.arguments.reason: output.schema has no field why for $.why"
      And stderr says "broken.md:18: output.calls.2.arguments.action: output.schema has no field sied for @.sied"
      And stderr says "broken.md:20: output.calls.3.arguments.action: @.side has a meaning only in a call with each"

    Scenario: Unknown and invalid keywords of a schema are refused
      Given the file "broken.md":
        """
        ---
        model: scripted
        base_url: http://localhost:1/v1
        output:
          schema:
            type: object
            required: [reasons]
            properties:
              weight: { typ: number, minimum: none }
              reason: { type: text }
        ---
        Trade {{symbols}}.
        """
      When the trader runs `sandtable run broken.md --data prices.csv`
      Then it ends with exit code 2
      And stderr says "broken.md:9: output.schema.properties.weight.typ: this keyword is not known"
      And stderr says "broken.md:9: output.schema.properties.weight.minimum: is not a number"
      And stderr says 'broken.md:10: output.schema.properties.reason.type: invalid value "text". Expected object'
      And stderr says "broken.md:7: output.schema.required: reasons is not a property"

  Rule: A mask applies to the form

    Scenario: The schema contains the masked symbols
      Given a model that plays:
        """
        {"steps": [{"when": {"body_contains": ["\"S1\":{\"type\":\"number\"", "of S1 alone"]}, "reply": {"text": "{\"weights\": {\"S1\": 40}, \"reason\": \"up\"}"}}]}
        """
      And the model's strategy "weights.md" that answers with weights and "tools: [], decision_start: 2000-02-10, schedule: { every_bars: 5 }"
      When the trader runs `sandtable run weights.md --data prices.csv --out runs --json --mask symbols`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | model.outcomes.answered | 1 |
        | openTradeCount          | 1 |
      And the model played its script to the end

    Scenario: A schema that reveals masked data is refused
      Given the model's strategy "leaky.md" that answers with weights and "model: scripted" for "the crash of January 2000"
      When the trader runs `sandtable run leaky.md --data prices.csv --out runs --mask symbols,dates`
      Then it ends with exit code 2
      And stderr says "leaky.md:2, output.schema: has 2000, a year or a date of the data"
