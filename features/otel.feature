Feature: Runs as OpenTelemetry traces
  `report` and `trace` export a run as OpenTelemetry spans, in the conventions for generative AI: the run, each
  decision, each role's turn, each request to a model and each tool call.

  Background:
    Given the file "prices.csv" with 30 simulated bars
    And the desk's strategy "desk.md" with the flow "[analyst, trader]"
    And a model that plays:
      """
      {"steps": [
        {"when": {"contains": "You are the analyst", "round": 1}, "reply": {"tool_calls": [{"name": "market_history", "arguments": {"bars": 0}}]}},
        {"when": {"contains": "You are the analyst", "round": 2}, "reply": {"text": "Prices rise.", "usage": {"input": 120, "cached": 20, "output": 7}}},
        {"when": {"contains": "You are the trader."}, "reply": {"text": "I hold."}}
      ]}
      """
    When the trader runs `sandtable run desk.md --data prices.csv --out runs --quiet`
    Then it ends with exit code 0

  Scenario: Spans are written to a file, each within its parent
    When the trader exports the run's trace with "--otel spans.jsonl"
    Then it ends with exit code 0
    And stderr says "Wrote 8 OpenTelemetry spans to"
    And the spans in "spans.jsonl" are:
      | span                        | within                | attribute                   | value           |
      | sandtable run desk          |                       | sandtable.outcome           | completed       |
      | invoke_agent desk           | sandtable run desk    | sandtable.outcome           | answered        |
      | invoke_agent analyst        | invoke_agent desk     | gen_ai.operation.name       | invoke_agent    |
      | chat small                  | invoke_agent analyst  | gen_ai.request.model        | small           |
      | execute_tool market_history | invoke_agent analyst  | error.type                  | tool_error      |
      | chat small                  | invoke_agent analyst  | gen_ai.usage.input_tokens   | 120             |
      | invoke_agent trader         | invoke_agent desk     | gen_ai.agent.name           | trader          |
      | chat large                  | invoke_agent trader   | gen_ai.response.finish_reasons | stop         |

  Scenario: Spans are sent to a collector
    Given a collector of traces
    And the environment variable "OTEL_EXPORTER_OTLP_HEADERS" is "x-team=desk%20one,x-load=100%"
    When the trader exports the run's report to the collector
    Then it ends with exit code 0
    And stderr says "Wrote 8 OpenTelemetry spans to 127.0.0.1"
    And the collector was sent 8 spans at "/v1/traces" with the header "x-team" of "desk one"

  Scenario: A refusing and a missing collector are reported
    Given a collector of traces that answers 403
    When the trader exports the run's report to the collector
    Then it ends with exit code 1
    And stderr says "rejected the spans: HTTP 403, not here"
    When the trader exports the run's trace with "--otel http://127.0.0.1:9/"
    Then it ends with exit code 1
    And stderr says "The collector at 127.0.0.1:9 rejected the spans"
    And there is no stack trace
    When the trader exports the run's trace with "--otel nowhere/spans.jsonl"
    Then it ends with exit code 2
    And stderr says "nowhere/spans.jsonl"

  Scenario: Headers with keys are not sent to the target of a redirect
    Given a collector of traces
    And another address that redirects to the collector
    And the environment variable "OTEL_EXPORTER_OTLP_HEADERS" is "x-api-key=secret"
    When the trader exports the run's report to the other address
    Then it ends with exit code 1
    And stderr says "HTTP 307, and redirects are not followed"
    And the collector received no request

  Scenario: An unknown protocol is refused, not used as a folder
    When the trader exports the run's trace with "--otel ftp://collector/x"
    Then it ends with exit code 2
    And stderr says "--otel ftp://collector/x: ftp is not supported."

  Scenario: A manifest that is not JSON is refused with its file
    Given the run's manifest is cut in half
    When the trader exports the run's trace with "--otel spans.jsonl"
    Then it ends with exit code 2
    And stderr says "manifest.json is not JSON"
    And stderr says "Restore the file."
