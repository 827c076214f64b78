Feature: Servers that vary the protocol
  Compatible servers differ in the details of their answers. The trader's decision is the same on every server, required
  fields are sent back, and text that is not a decision does not become one.

  Background:
    Given the file "prices.csv" with 30 simulated bars

  Scenario Outline: A decision is the same on a server with <quirk>
    Given a model that plays:
      """
      {"steps": [
        {"when": {"round": 1}, "raw": <answer>},
        {"when": {"round": 2, "last_contains": "\"bars\"", "body_contains": <back>}, "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 30 }, warm_up_bars: 30, stream: <stream>"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | model.outcomes.answered | 1 |
      | model.requests          | 2 |
      | activity.toolErrors     | 0 |
    And the model played its script to the end

    Examples: Whole answers
      | quirk                        | stream | back                | answer |
      | signatures of thoughts       | false  | "signed-thought"    | {"body": {"choices": [{"message": {"tool_calls": [{"id": "a", "function": {"name": "market_history", "arguments": "{\"bars\": 2}"}, "extra_content": {"google": {"thought_signature": "signed-thought"}}}]}}]}} |
      | numbers for ids              | false  | "\"7\""             | {"body": {"choices": [{"message": {"tool_calls": [{"id": 7, "function": {"name": "market_history", "arguments": "{\"bars\": 2}"}}]}}]}} |
      | the older function_call      | false  | "market_history"    | {"body": {"choices": [{"finish_reason": "function_call", "message": {"function_call": {"name": "market_history", "arguments": "{\"bars\": 2}"}}}]}} |
      | a harmony suffix             | false  | "\"market_history\"" | {"body": {"choices": [{"message": {"tool_calls": [{"id": "a", "function": {"name": "functions.market_history<\|channel\|>commentary", "arguments": "{\"bars\": 2}"}}]}}]}} |
      | Python's dicts               | false  | "{\\\\\"bars\\\\\":2,"  | {"body": {"choices": [{"message": {"tool_calls": [{"id": "a", "function": {"name": "market_history", "arguments": "{'bars': 2, 'symbol': None}"}}]}}]}} |
      | JSON as plain text           | false  | "market_history"    | {"content_type": "text/plain", "body": {"choices": [{"message": {"tool_calls": [{"id": "a", "function": {"name": "market_history", "arguments": {"bars": 2}}}]}}]}} |
      | JSON where a stream is due   | true   | "market_history"    | {"body": {"choices": [{"message": {"tool_calls": [{"id": "a", "function": {"name": "market_history", "arguments": {"bars": 2}}}]}}]}} |
      | a stream where none is due   | false  | "market_history"    | {"chunks": [{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "market_history", "arguments": "{\"bars\": 2}"}}]}, "finish_reason": "tool_calls"}]}]} |
      | a mark of the order of bytes | false | "market_history" | {"body": "\\ufeff{\\"choices\\": [{\\"message\\": {\\"tool_calls\\": [{\\"id\\": \\"a\\", \\"function\\": {\\"name\\": \\"market_history\\", \\"arguments\\": \\"{\\\\\\"bars\\\\\\": 2}\\"}}]}}]}"} |
      | blank lines before its JSON | false | "market_history" | {"body": "\\n\\n\\n  {\\"choices\\": [{\\"message\\": {\\"tool_calls\\": [{\\"id\\": \\"a\\", \\"function\\": {\\"name\\": \\"market_history\\", \\"arguments\\": \\"{\\\\\\"bars\\\\\\": 2}\\"}}]}}]}"} |
      | a compressed answer | false | "market_history" | {"gzip": true, "body": {"choices": [{"message": {"tool_calls": [{"id": "a", "function": {"name": "market_history", "arguments": "{\\"bars\\": 2}"}}]}}]}} |

    Examples: Streams
      | quirk                        | stream | back             | answer |
      | all calls numbered 0         | true   | ["\"a\"", "\"b\""] | {"chunks": [{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "account_status", "arguments": "{}"}}]}}]}, {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "b", "function": {"name": "market_history", "arguments": "{\"bars\": 2}"}}]}}]}, {"choices": [{"delta": {}, "finish_reason": "stop"}]}]} |
      | calls without ids            | true   | "account_status" | {"chunks": [{"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "account_status", "arguments": "{}"}}]}}]}, {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "market_history", "arguments": "{\"bars\": 2}"}}]}}]}, {"choices": [{"delta": {}, "finish_reason": "stop"}]}]} |
      | the name in every piece      | true   | "\"market_history\"" | {"chunks": [{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "market_history", "arguments": "{\"ba"}}]}}]}, {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "market_history", "arguments": "rs\": 2}"}}]}}]}, {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}]} |
      | no reason for the end        | true   | "market_history" | {"chunks": [{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "market_history", "arguments": "{\"bars\": 2}"}}]}}]}]} |
      | signatures in pieces         | true   | "signed-thought" | {"chunks": [{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "extra_content": {"google": {"thought_signature": "signed-thought"}}, "function": {"name": "market_history", "arguments": "{\"bars\": 2}"}}]}}]}, {"choices": [{"delta": {}, "finish_reason": "stop"}]}]} |
      | a stream named plain text    | true   | "market_history" | {"content_type": "text/plain", "chunks": [{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "market_history", "arguments": "{\"bars\": 2}"}}]}, "finish_reason": "tool_calls"}]}]} |
      | lines that end as on Windows | true | "market_history" | {"content_type": "text/event-stream", "body": "data: {\\"choices\\": [{\\"delta\\": {\\"tool_calls\\": [{\\"index\\": 0, \\"id\\": \\"a\\", \\"function\\": {\\"name\\": \\"market_history\\", \\"arguments\\": \\"{\\\\\\"bars\\\\\\": 2}\\"}}]}, \\"finish_reason\\": \\"tool_calls\\"}]}\\r\\n\\r\\ndata: [DONE]\\r\\n\\r\\n"} |
      | comments and named events | true | "market_history" | {"content_type": "text/event-stream", "body": ": OPENROUTER PROCESSING\\n\\nretry: 100\\nid: 1\\nevent: message\\ndata: {\\"choices\\": [{\\"delta\\": {\\"tool_calls\\": [{\\"index\\": 0, \\"id\\": \\"a\\", \\"function\\": {\\"name\\": \\"market_history\\", \\"arguments\\": \\"{\\\\\\"bars\\\\\\": 2}\\"}}]}, \\"finish_reason\\": \\"tool_calls\\"}]}\\n\\n: ping\\n\\ndata:[DONE]\\n\\n"} |
      | a mark before a stream named plain text | true | "market_history" | {"content_type": "text/plain", "body": "\\ufeffdata: {\\"choices\\": [{\\"delta\\": {\\"tool_calls\\": [{\\"index\\": 0, \\"id\\": \\"a\\", \\"function\\": {\\"name\\": \\"market_history\\", \\"arguments\\": \\"{\\\\\\"bars\\\\\\": 2}\\"}}]}, \\"finish_reason\\": \\"tool_calls\\"}]}\\n\\ndata: [DONE]\\n\\n"} |
      | null ids in later pieces | true | "market_history" | {"chunks": [{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "market_history", "arguments": ""}}]}}]}, {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": null, "type": null, "function": {"name": null, "arguments": "{\\"ba"}}]}}]}, {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "", "function": {"name": "", "arguments": "rs\\": 2}"}}]}}]}, {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}]} |
      | another id in each piece | true | "market_history" | {"chunks": [{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "market_history", "arguments": "{\\"ba"}}]}}]}, {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "b", "function": {"arguments": "rs\\": 2}"}}]}}]}, {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}]} |
      | thoughts in lists of parts | true | "market_history" | {"chunks": [{"choices": [{"delta": {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]}}]}, {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "market_history", "arguments": "{\\"bars\\": 2}"}}]}, "finish_reason": "tool_calls"}]}]} |
      | empty choices and usage apart | true | "market_history" | {"chunks": [{"choices": [], "prompt_filter_results": []}, {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "market_history", "arguments": "{\\"bars\\": 2}"}}]}, "finish_reason": "tool_calls"}]}, {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}}]} |
      | a second choice beside the first | true | "market_history" | {"chunks": [{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "market_history", "arguments": "{\\"bars\\": 2}"}}]}, "finish_reason": "tool_calls"}]}, {"choices": [{"index": 1, "delta": {"content": "Sell all.", "tool_calls": [{"index": 0, "id": "z", "function": {"name": "account_status", "arguments": "{"}}]}}]}]} |

  Scenario Outline: A failure is recognised as <where>
    Given a model that plays:
      """
      {"steps": [{"raw": <answer>}, {"when": {"round": 1}, "times": "any", "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 30 }, warm_up_bars: 30, on_failure: hold, stream: <stream>"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code <code>
    And the journal records a failure "<kind>"

    Examples:
      | where                              | code | kind               | stream | answer |
      | Google's list                      | 0    | rate_limited       | false  | {"status": 429, "body": [{"error": {"code": 429, "message": "Resource has been exhausted", "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "0.01s"}]}}]} |
      | Google's key                       | 1    | unauthorised       | false  | {"status": 400, "body": [{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}]} |
      | an error in a good answer          | 0    | rate_limited       | false  | {"body": {"error": {"code": 429, "message": "Provider returned error"}}} |
      | an error of the choice             | 0    | server_error       | false  | {"body": {"choices": [{"message": {"content": "Bu"}, "finish_reason": "error", "error": {"code": 502, "message": "Bad gateway"}}]}} |
      | an error at the end of a stream    | 0    | server_error       | true   | {"chunks": [{"choices": [{"delta": {"content": "Bu"}}]}, {"error": {"code": 502, "message": "Bad gateway"}, "choices": [{"delta": {}, "finish_reason": "error"}]}]} |
      | DeepSeek's lack of machines        | 0    | server_error       | false  | {"body": {"choices": [{"message": {"content": "Bu"}, "finish_reason": "insufficient_system_resource"}]}} |
      | an empty purse                     | 1    | insufficient_quota | false  | {"status": 429, "body": {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota, please check your plan and billing details."}}} |
      | an empty purse at DeepSeek         | 1    | insufficient_quota | false  | {"status": 402, "body": {"error": {"message": "Insufficient Balance"}}} |
      | llama.cpp's full context           | 0    | context_too_long   | false  | {"status": 400, "body": {"error": {"code": 400, "message": "the request exceeds the available context size, try increasing it", "type": "exceed_context_size_error"}}} |
      | Google's full context              | 0    | context_too_long   | false  | {"status": 400, "body": [{"error": {"code": 400, "message": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}}]} |
      | Moonshot's full context            | 0    | context_too_long   | false  | {"status": 400, "body": {"error": {"message": "Invalid request: Your request exceeded model token limit: 8192"}}} |
      | an error without its wrapping      | 0    | rejected           | false  | {"status": 400, "body": {"object": "error", "message": "top_k is not supported", "code": 400}} |
      | a page instead of an answer        | 0    | malformed          | false  | {"content_type": "text/html", "body": "<html>Welcome</html>"} |
      | an error beside choices | 0 | server_error | false | {"body": {"error": {"code": 502, "message": "upstream"}, "choices": [{"message": {"content": "Bu"}}]}} |
      | an object named error | 0 | server_error | false | {"body": {"object": "error", "message": "overloaded", "code": 503}} |
      | an object named error, in a stream | 0 | server_error | true | {"chunks": [{"object": "error", "message": "overloaded", "code": 503}]} |
      | Google's list in a good answer | 0 | rate_limited | false | {"body": [{"error": {"code": 429, "message": "Resource has been exhausted"}}]} |
      | an event named error | 0 | server_error | true | {"content_type": "text/event-stream", "body": "event: error\\ndata: {\\"type\\":\\"error\\",\\"error\\":{\\"type\\":\\"overloaded_error\\",\\"message\\":\\"Overloaded\\"}}\\n\\n"} |
      | Anthropic's overload | 0 | server_error | false | {"status": 529, "body": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}} |
      | Groq's lack of machines | 0 | rate_limited | false | {"status": 498, "body": {"error": {"message": "Flex tier capacity exceeded"}}} |
      | a wait until a date | 0 | rate_limited | false | {"status": 429, "headers": {"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, "body": {"error": {"message": "Slow down"}}} |
      | GLM's broken network | 0 | server_error | false | {"body": {"choices": [{"message": {"content": "Bu"}, "finish_reason": "network_error"}]}} |
      | Gemini's broken call | 0 | server_error | false | {"body": {"choices": [{"message": {"content": null}, "finish_reason": "function_call_filter: MALFORMED_FUNCTION_CALL"}]}} |
      | no choices | 0 | malformed | false | {"body": {"choices": []}} |
      | a stream cut within its JSON | 0 | truncated | true | {"content_type": "text/event-stream", "body": "data: {\\"choices\\": [{\\"delta\\": {\\"con"} |
      | an empty body | 0 | malformed | false | {"body": ""} |
      | another address | 0 | rejected | false | {"status": 307, "headers": {"location": "/v1/chat/completions"}, "body": ""} |

  Scenario: A used-up quota is reported as such
    Given a model that plays:
      """
      {"steps": [{"raw": {"status": 429, "body": {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota."}}}}]}
      """
    And the model's strategy "trader.md" with "on_failure: hold"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs`
    Then it ends with exit code 1
    And stderr says "insufficient_quota (HTTP 429)"
    And stderr says "Check the credit and the quota of the account"

  Scenario: Two permanently refused requests stop the run, whatever the failure policy
    Given a model that plays:
      """
      {"steps": [{"times": 2, "fail": {"status": 400, "message": "top_p is not supported"}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }, on_failure: hold"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code 1
    And stdout is one JSON document with:
      | outcome             | stopped |
      | model.outcomes.held | 1       |
    And stderr says "top_p is not supported"
    And the model played its script to the end

  Scenario Outline: Calls in text are executed if the strategy allows them: <notation>
    Given a model that plays:
      """
      {"steps": [
        {"when": {"round": 1}, "reply": {"text": <text>}},
        {"when": {"round": 2, "last_contains": "\"bars\""}, "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 30 }, warm_up_bars: 30, text_tool_calls: true"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | model.outcomes.answered | 1 |
      | activity.toolErrors     | 0 |
    And the model played its script to the end
    When the trader replays the run
    Then it ends with exit code 0

    Examples:
      | notation    | text                                                                                             |
      | marked JSON | "<tool_call>{\"name\": \"market_history\", \"arguments\": {\"bars\": 2}}</tool_call>"            |
      | fenced JSON | "I look first.\\n```json\\n{\"name\": \"market_history\", \"arguments\": {\"bars\": 2}}\\n```"      |
      | Mistral's   | "[TOOL_CALLS][{\"name\": \"market_history\", \"arguments\": {\"bars\": 2}}]"                     |
      | Python      | "[market_history(bars=2)]"                                                                       |

  Scenario: Calls in text are otherwise neither executed nor accepted as an answer
    Given a model that plays:
      """
      {"steps": [{"times": 5, "reply": {"text": "<tool_call>{\"name\": \"trade_execute\", \"arguments\": {\"action\": \"buy\", \"quantity\": 1}}</tool_call>"}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --verbose`
    Then it ends with exit code 0
    And stdout says "5 decisions ended with tool calls written as text"
    And stdout says "text_tool_calls: true"
    And stdout says "5 text tool calls"

  Scenario: Thoughts in the text are removed from the answer
    Given a model that plays:
      """
      {"steps": [{"reply": {"text": "<think>\nSecret of the trade.\n</think>\n\nHold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 30 }, warm_up_bars: 30"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs`
    Then it ends with exit code 0
    And the last decision's text is "Hold."

  Scenario: A budget of tokens works with a server that counts none
    Given a model that plays:
      """
      {"steps": [{"times": 3, "reply": {"text": "Hold.", "usage": null}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }, budget: { run: { tokens: 700 } }, prices: { input: 1, output: 2 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code 1
    And stdout is one JSON document with:
      | outcome                 | budget_exhausted |
      | model.estimatedRequests | 1                |

  Scenario: Impossible numbers of cached tokens are charged at the full price
    Given a model that plays:
      """
      {"steps": [{"reply": {"text": "Hold.", "usage": {"input": 1000000, "cached": 2000000, "output": 0}}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 30 }, warm_up_bars: 30, prices: { input: 3, cached: 0.1, output: 2 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | model.cost         | 3 |
      | model.cachedTokens | 0   |

  Scenario: Azure receives its API version and its key
    Given a model that plays:
      """
      {"api_key": "azure-key-0123456789", "steps": [{"when": {"headers": {"api-key": "azure-key-0123456789"}, "query": {"api-version": "2024-10-21"}}, "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 30 }, warm_up_bars: 30, base_url: '${OPENAI_BASE_URL:-http://localhost:1/v1}?api-version=2024-10-21'"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs`
    Then it ends with exit code 0
    And the model played its script to the end
    And the key "azure-key-0123456789" is in no file and in nothing that was printed

  Scenario: Custom headers and fields may contain a secret from the environment
    Given a model that plays:
      """
      {"steps": [{"when": {"headers": {"x-title": "desk", "x-desk-token": "desk-secret-0123456789"}, "body_contains": ["\"top_k\":20", "\"provider\":{\"order\":[\"a\"]}"]}, "reply": {"text": "My token is desk-secret-0123456789."}}]}
      """
    And the environment has DESK_TOKEN "desk-secret-0123456789"
    And the model's strategy "trader.md" with "schedule: { every_bars: 30 }, warm_up_bars: 30, headers: { X-Title: desk, X-Desk-Token: '${DESK_TOKEN}' }, extra_body: { top_k: 20, provider: { order: [a] } }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs`
    Then it ends with exit code 0
    And the model played its script to the end
    And the key "desk-secret-0123456789" is in no file and in nothing that was printed

  Scenario: Faults of headers and fields are reported before the run
    Given the model's strategy "trader.md" with "headers: { Authorization: Bearer sk-0123456789, X-Desk: '${DESK_NAME}' }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs`
    Then it ends with exit code 2
    And stderr says "headers.Authorization: this is a key in plain text"
    And stderr says "headers.X-Desk: the environment has no DESK_NAME"
    And stderr does not say "sk-0123456789"

  Scenario: A custom field that the run sets itself is refused
    Given the model's strategy "trader.md" with "extra_body: { messages: [] }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs`
    Then it ends with exit code 2
    And stderr says "extra_body.messages: is a field that the run fills in itself"

  Scenario: A model that changes within a run is named next to the metrics
    Given a model that plays:
      """
      {"steps": [
        {"times": 2, "raw": {"body": {"model": "trader-1", "system_fingerprint": "fp_a", "choices": [{"message": {"content": "Hold."}}]}}},
        {"times": 3, "raw": {"body": {"model": "trader-1", "system_fingerprint": "fp_b", "choices": [{"message": {"content": "Hold."}}]}}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --verbose`
    Then it ends with exit code 0
    And stdout says "trader-1 fp_a (2 requests from bar"
    And stdout says "the model changed within the run"
