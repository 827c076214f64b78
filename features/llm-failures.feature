Feature: Failures of models
  A request that fails temporarily is repeated, without repeating the decision. For other failures the trader chooses to
  hold and continue without a decision, or to stop and resume later. The journal records each failure and outcome.

  Background:
    Given the file "prices.csv" with 30 simulated bars

  Scenario Outline: A request is repeated after a failure: <what>
    Given a model that plays:
      """
      {"steps": [{"fail": <failure>}, {"reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "decision_start: 2000-02-10, schedule: { every_bars: 5 }, stream: <stream>"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | model.outcomes.answered | 1 |
      | model.requests          | 2 |
      | model.failedRequests    | 1 |
    And the journal records a failure "<kind>"

    Examples:
      | what                     | failure                                 | stream | kind         |
      | 429 with retry-after-ms  | {"status": 429, "retry_after_ms": 5}    | false  | rate_limited |
      | 429 with retry-after     | {"status": 429, "retry_after": 0.01}    | false  | rate_limited |
      | 500                      | {"status": 500}                         | false  | server_error |
      | 503 to a stream          | {"status": 503}                         | true   | server_error |
      | a dropped connection     | "drop"                                  | false  | connection   |
      | half an answer           | "truncate"                              | false  | connection   |
      | a stream that breaks off | "truncate"                              | true   | truncated    |
      | what is no JSON          | "malformed"                             | false  | malformed    |
      | a stream of no JSON      | "malformed"                             | true   | malformed    |
      | JSON that is no reply    | "empty"                                 | false  | malformed    |

  Scenario: A slow answer is a time-out
    Given a model that plays:
      """
      {"steps": [{"delay_ms": 3000, "reply": {"text": "Late."}}, {"reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "decision_start: 2000-02-10, schedule: { every_bars: 5 }, request: { timeout_seconds: 0.3, backoff_seconds: 0.001 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code 0
    And the journal records a failure "timeout"

  Scenario: With on_failure: hold, a run continues without the decision
    Given a model that plays:
      """
      {"steps": [{"times": 3, "fail": {"status": 503}}, {"times": 4, "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }, on_failure: hold, request: { retries: 2, backoff_seconds: 0.001 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | outcome                 | completed |
      | model.outcomes.held     | 1         |
      | model.outcomes.answered | 4         |

  Scenario: With on_failure: stop, a run stops and can be resumed
    Given a model that plays:
      """
      {"steps": [{"reply": {"text": "Hold."}}, {"times": 2, "fail": {"status": 503}}, {"times": 4, "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }, on_failure: stop, request: { retries: 1, backoff_seconds: 0.001 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code 1
    And stderr says "sandtable resume"
    And stdout is one JSON document with:
      | outcome | stopped |
    When the trader resumes the run with "--json"
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | outcome                 | completed |
      | model.outcomes.answered | 5         |
      | model.replayed.requests | 1         |
    And the model played its script to the end

  Scenario: A key appears in no file and in no output, also with samples
    Given a model that plays:
      """
      {"api_key": "sk-right-key-0123456789", "steps": [{"times": "any", "reply": {"text": "I know sk-right-key-0123456789."}}]}
      """
    And the model's key is "sk-right-key-0123456789"
    And the model's strategy "trader.md" with "schedule: { every_bars: 9 }"
    When the trader runs `sandtable run trader.md --data prices.csv --samples 2 --out runs`
    Then it ends with exit code 0
    And the key "sk-right-key-0123456789" is in no file and in nothing that was printed

  Scenario: A wrong key stops the run immediately and appears in no file
    Given a model that plays:
      """
      {"api_key": "sk-right-key-0123456789", "steps": [{"times": "any", "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "on_failure: hold"
    And the model's key is "sk-wrong-key-0123456789"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --verbose`
    Then it ends with exit code 1
    And stderr says "unauthorised"
    And the key "sk-wrong-key-0123456789" is in no file and in nothing that was printed
    And stdout says "not known"

  Scenario: An address with a password is refused and not printed
    Given the model's strategy "trader.md" with "base_url: 'https://me:sesame@example.com/v1'"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs`
    Then it ends with exit code 2
    And stderr says "trader.md:2"
    And stderr says "which would be stored in the run’s folder"
    And stderr does not say "sesame"

  Scenario: A number that arrives as text is converted
    Given a model that plays:
      """
      {"steps": [
        {"when": {"round": 1}, "times": "any", "reply": {"tool_calls": [{"name": "market_history", "arguments": {"bars": "2"}}]}},
        {"when": {"round": 2, "last_contains": "\"bars\""}, "times": "any", "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 20 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | activity.toolErrors | 0 |

  Scenario: A key that the server repeats does not reach the journal
    Given a model that plays:
      """
      {"api_key": "sk-right-key-0123456789", "steps": [
        {"fail": {"status": 500, "message": "upstream rejected sk-right-key-0123456789"}},
        {"reply": {"text": "Your key is sk-right-key-0123456789."}}]}
      """
    And the model's strategy "trader.md" with "decision_start: 2000-02-10, schedule: { every_bars: 5 }"
    And the model's key is "sk-right-key-0123456789"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs`
    Then it ends with exit code 0
    And the key "sk-right-key-0123456789" is in no file and in nothing that was printed

  Scenario: A conversation that is too long is sent again without its oldest outputs
    Given a model that plays:
      """
      {"steps": [
        {"when": {"round": 1}, "reply": {"tool_calls": [{"name": "market_history", "arguments": {"bars": 25}}]}},
        {"when": {"round": 2}, "fail": {"status": 400, "code": "context_length_exceeded", "message": "This model's maximum context length is 500 tokens."}},
        {"when": {"round": 2, "contains": "This output was dropped"}, "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "warm_up_bars: 30"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    And the journal records a failure "context_too_long"
    And the model played its script to the end

  Scenario: A conversation that cannot be shortened is a failure
    Given a model that plays:
      """
      {"steps": [{"times": "any", "fail": {"status": 413, "message": "too long"}}]}
      """
    And the model's strategy "trader.md" with "warm_up_bars: 30, on_failure: hold"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    And the journal records a failure "context_too_long"

  Scenario: An unexpected request fails the script
    Given a model that plays:
      """
      {"steps": [{"when": {"contains": "never said"}, "reply": {"text": "Hold."}}]}
      """
    And the model's strategy "trader.md" with "decision_start: 2000-02-10, schedule: { every_bars: 5 }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs`
    Then it ends with exit code 1
    And stderr says "The script did not expect this"
    And the scripted model reports 1 unexpected request and 1 step left over

  Scenario Outline: The outcome <outcome> is recognised in an answer of <server>
    Given a model that plays:
      """
      {"steps": [{"raw": <answer>}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 30 }, warm_up_bars: 30"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | model.outcomes.<outcome> | 1 |
      | model.failedRequests     | 0 |

    Examples:
      | outcome  | server     | answer |
      | cut      | Mistral    | {"body": {"choices": [{"message": {"content": "Bu"}, "finish_reason": "model_length"}]}} |
      | filtered | Gemini     | {"body": {"choices": [{"message": {"content": null}, "finish_reason": "content_filter: PROHIBITED_CONTENT"}]}} |
      | filtered | GLM        | {"body": {"choices": [{"message": {"content": "Bu"}, "finish_reason": "sensitive"}]}} |
      | filtered | Azure      | {"status": 400, "body": {"error": {"code": "content_filter", "message": "The prompt was filtered", "status": 400}}} |
      | filtered | OpenRouter | {"status": 403, "body": {"error": {"code": 403, "message": "Your input was flagged", "metadata": {"reasons": ["violence"], "flagged_input": "…"}}}} |
      | refused  | OpenAI     | {"body": {"choices": [{"message": {"content": null, "refusal": "I cannot help with that."}, "finish_reason": "stop"}]}} |
      | empty    | anybody    | {"body": {"choices": [{"message": {"content": null}, "finish_reason": "stop"}]}} |

  Scenario Outline: A budget of tokens works with a server that counts <how>
    Given a model that plays:
      """
      {"steps": [{"times": 3, "raw": {"body": {"choices": [{"message": {"content": "Hold."}}], "usage": <usage>}}}]}
      """
    And the model's strategy "trader.md" with "schedule: { every_bars: 6 }, budget: { run: { tokens: 700 } }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs --json`
    Then it ends with exit code 1
    And stdout is one JSON document with:
      | outcome       | budget_exhausted |
      | model.<field> | <value> |

    Examples:
      | how                    | field             | value | usage |
      | nothing but zeros      | estimatedRequests | 1     | {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0} |
      | below zero             | estimatedRequests | 1     | {"prompt_tokens": -50, "completion_tokens": 5} |
      | thoughts in the total  | outputTokens      | 510   | {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 530} |
      | thoughts beside        | outputTokens      | 510   | {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 530, "completion_tokens_details": {"reasoning_tokens": 500}} |

  Scenario: A key in a header is not sent to another address
    Given a model that plays:
      """
      {"steps": [{"raw": {"status": 308, "headers": {"location": "http://127.0.0.1:9/v1/chat/completions"}, "body": ""}}]}
      """
    And the environment has DESK_TOKEN "desk-secret-0123456789"
    And the model's strategy "trader.md" with "headers: { X-Desk-Token: '${DESK_TOKEN}' }"
    When the trader runs `sandtable run trader.md --data prices.csv --out runs`
    Then it ends with exit code 1
    And stderr says "base_url leads to another address, which is not followed"
    And the model played its script to the end
