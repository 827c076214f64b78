Feature: Documents: news, filings and other texts
  Each text has a publication time. An agent searches and reads only published texts. A later text does not affect
  searches, scores or observations, and its id is unknown.

  Background:
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2024-01-01,10,11,9,10,1000
      2024-01-02,10,11,9,10,1000
      2024-01-03,10,11,9,10,1000
      2024-01-04,10,11,9,10,1000
      2024-01-05,10,11,9,10,1000
      """
    And the file "news.jsonl":
      """
      {"id": "n1", "available_at": "2024-01-02T14:30Z", "symbols": ["ACME"], "source": "Wire", "kind": "news", "title": "Acme raises guidance", "text": "Orders are strong."}
      {"id": "n2", "available_at": "2024-01-03", "symbols": ["ACME", "OTHER"], "source": "Daily", "kind": "news", "title": "Strike at Acme", "text": "Guidance is unchanged."}
      {"id": "n3", "available_at": "2024-01-04T22:00-05:00", "symbol": "ACME", "source": "Wire", "kind": "filing", "title": "8-K", "text": "Guidance withdrawn."}
      {"id": "n9", "available_at": "2030-01-01", "symbols": ["ACME"], "source": "Wire", "kind": "news", "title": "Acme guidance: the future", "text": "It doubled."}
      """

  Rule: Only published documents are visible

    Scenario Outline: A search at bar <bar> finds only published documents
      When the trader runs `sandtable tools call document_search '{"query":"guidance"}' --data acme.csv --documents news.jsonl --bar <bar>`
      Then stdout says '"total":<total>'
      And stdout says '<found>'
      And stdout does not say 'n9'

      Examples:
        | bar | total | found                                                                                 |
        | 0   | 0     | "documents":[]                                                                        |
        | 1   | 1     | {"id":"n1","date":"2024-01-02T14:30:00","source":"Wire","title":"Acme raises guidance"} |
        | 2   | 2     | {"id":"n2","date":"2024-01-04","source":"Daily","title":"Strike at Acme"}             |
        | 3   | 2     | n1                                                                                    |
        | 4   | 3     | {"id":"n3","date":"2024-01-05T03:00:00","source":"Wire","title":"8-K"}                |

    Scenario: The id of a later document gets the same answer as an unknown id
      When the trader runs `sandtable tools call document_read '{"id":"n9"}' --data acme.csv --documents news.jsonl`
      Then stdout says '{"error":"Unknown document '
      And stdout says '","remediation":"Find a document with document_search and use its id."}'
      When the trader runs `sandtable tools call document_read '{"id":"n8"}' --data acme.csv --documents news.jsonl`
      Then stdout says '{"error":"Unknown document '
      And stdout says '","remediation":"Find a document with document_search and use its id."}'
      When the trader runs `sandtable tools call document_read '{"id":"n3"}' --data acme.csv --documents news.jsonl`
      Then stdout says '"kind":"filing","title":"8-K","characters":19,"offset":0,"text":"Guidance withdrawn."'

    Scenario: Later texts change neither the results nor their order
      Given the file "more.jsonl":
        """
        {"id": "m1", "available_at": "2024-01-05", "title": "guidance guidance guidance", "text": "strike"}
        {"id": "m2", "available_at": "2030-01-05", "title": "strike", "text": "strike guidance"}
        """
      When the trader runs `sandtable tools call document_search '{"query":"guidance strike"}' --data acme.csv --documents news.jsonl --bar 3`
      Then stdout says '"documents":[{"id":"n2","date":"2024-01-04","source":"Daily","title":"Strike at Acme"},{"id":"n1",'
      When the trader runs `sandtable tools call document_search '{"query":"guidance strike"}' --data acme.csv --documents news.jsonl more.jsonl --bar 3`
      Then stdout says '{"total":2,"documents":[{"id":"n2","date":"2024-01-04","source":"Daily","title":"Strike at Acme"},{"id":"n1",'

    Scenario: Documents are filtered by symbol, kind and date, and are listed newest first without a query
      When the trader runs `sandtable tools call document_search '{"symbol":"OTHER"}' --data acme.csv --documents news.jsonl`
      Then stdout says '"total":1,"documents":[{"id":"n2"'
      When the trader runs `sandtable tools call document_search '{"kind":"filing"}' --data acme.csv --documents news.jsonl`
      Then stdout says '"total":1,"documents":[{"id":"n3"'
      When the trader runs `sandtable tools call document_search '{"since":"2024-01-04","limit":1}' --data acme.csv --documents news.jsonl`
      Then stdout says '"total":2,"documents":[{"id":"n3"'

    Scenario: An unknown symbol or kind is named, and that of a later document counts as unknown
      When the trader runs `sandtable tools call document_search '{"symbol":"ACNE","kind":"news"}' --data acme.csv --documents news.jsonl`
      Then stdout says '{"total":0,"note":"No document that is known is about the symbol ACNE.","documents":[]}'
      When the trader runs `sandtable tools call document_search '{"kind":"filing"}' --data acme.csv --documents news.jsonl --bar 2`
      Then stdout says '{"total":0,"note":"No document that is known is of the kind filing.","documents":[]}'

    @python
    Scenario Outline: Python contains the published documents, oldest first, at bar <bar>
      When the trader runs `sandtable tools call --data acme.csv --documents news.jsonl --bar <bar>` with the input:
        """
        {"name": "compute", "arguments": {"code": "[documents().id.tolist(), documents(symbol='ACME', kind='news', limit=1).title.tolist(), len(documents(since='2024-01-04'))]"}}
        {"name": "exec_code", "arguments": {"source": "int(documents(limit=None).text.str.contains('uidance').sum())"}}
        {"name": "compute", "arguments": {"code": "documents().iloc[-1].symbols if len(documents()) else documents().columns.tolist()"}}
        """
      Then stdout says '{"result":<compute>}'
      And stdout says '"value_repr":"<texts>"'
      And stdout says '{"result":<last>}'
      And stdout does not say 'n9'

      Examples:
 | bar | compute | texts | last |
 | 0 | [[],[],0] | 0 | ["id","available_at","symbols","source","kind","title","text"] |
 | 1 | [["n1"],["Acme raises guidance"],0] | 0 | ["ACME"] |
 | 2 | [["n1","n2"],["Strike at Acme"],1] | 1 | ["ACME","OTHER"] |
 | 4 | [["n1","n2","n3"],["Strike at Acme"],2] | 2 | ["ACME"] |

    @python
    Scenario: Python reports an invalid date, limit and symbol
      When the trader runs `sandtable tools call --data acme.csv --documents news.jsonl` with the input:
        """
        {"name": "compute", "arguments": {"code": "documents(since='soon')"}}
        {"name": "compute", "arguments": {"code": "documents(limit=0)"}}
        {"name": "compute", "arguments": {"code": "documents(symbol='NONE')"}}
        """
      Then stdout says "'soon' is not a date"
      And stdout says 'the limit 0 is not a whole number from 1'
      And stdout says "there is no symbol 'NONE'"

  Rule: Invalid documents are refused, with all faults together

    Scenario: Faults of two files are reported with their rows
      Given the file "bad.jsonl":
        """
        {"id": "n1", "available_at": "2024-01-02", "title": "Again"}
        {"id": "b2", "title": "Undated"}
        {"id": "", "available_at": "soon", "title": "Unnamed"}
        {"id": "b4", "available_at": "2024-01-02"}
        """
      When the trader runs `sandtable tools call document_search '{}' --data acme.csv --documents news.jsonl bad.jsonl`
      Then it ends with exit code 2
      And stderr says 'bad.jsonl row 1: repeats the id n1 of '
      And stderr says 'bad.jsonl row 2: the available_at is empty'
      And stderr says 'bad.jsonl row 3: the id is empty'
      And stderr says 'bad.jsonl row 3: available_at "soon" is not a date'
      And stderr says 'bad.jsonl row 4: has neither a title nor a text'
      And there is no stack trace

    Scenario: An unclosed quote and a duplicate key are refused
      Given the file "open.csv":
        """
        id,available_at,title,text
        c1,2024-01-02,Good,fine
        c2,2024-01-03,"Two, it says,fine
        """
      And the file "twice.jsonl":
        """
        {"id": "t1", "available_at": "2024-01-02", "title": "One"}
        {"id": "t2", "available_at": "2024-01-02", "title": "One", "title": "Two"}
        """
      When the trader runs `sandtable tools call document_search '{}' --data acme.csv --documents open.csv twice.jsonl`
      Then it ends with exit code 2
      And stderr says 'open.csv line 3: a cell begins with a quote and does not end with one (close it on the same line'
      And stderr says 'twice.jsonl row 2: has a key twice (remove one of them)'
      And there is no stack trace

    Scenario: Without documents their tools are not available
      When the trader runs `sandtable tools call document_search '{}' --data acme.csv`
      Then stdout says 'The tool document_search is not available here.'
      And stdout says 'It is available in runs with --documents.'

  Rule: Documents are part of a run's record

    Scenario: A strategy reads documents, the journal records their times, and a changed file is not replayed
      Given the file "rules.ts":
        """
        import { defineStrategy } from 'sandtable';
        export default defineStrategy({
          name: 'news',
          summary: 'Notes what it can find.',
          onBar({ documents, bar, record }) {
            const { hits } = documents.search({ query: 'guidance', symbol: 'ACME' });
            record({ type: 'note', bar, text: `found ${hits.map(({ id }) => id)} of ${documents.length}, ${documents.read('n9')?.title}` });
          },
        });
        """
      When the trader runs `sandtable run rules.ts --data acme.csv --documents news.jsonl --out runs`
      Then it ends with exit code 0
      And the journal has the note "found n2,n1 of 2, undefined"
      And the journal says '"id":"n2","availableAt":"2024-01-04"'
      And the manifest says '"kind": "documents"'
      When the trader replays the run
      Then it ends with exit code 0
      Given the file "news.jsonl":
        """
        {"id": "n1", "available_at": "2024-01-02T14:30Z", "title": "Acme cuts guidance"}
        """
      When the trader replays the run
      Then it ends with exit code 2
      And stderr says 'news.jsonl'

    @spawn @deep
    Scenario: A sealed strategy sees the same documents
      Given the file "rules.ts":
        """
        import { defineStrategy } from 'sandtable';
        export default defineStrategy({
          name: 'news',
          summary: 'Notes what it can find.',
          onBar({ documents, fundamentals, universe, bar, record }) {
            const { hits, total } = documents.search({ query: 'guidance' });
            const last = documents.tail(1).map(({ title }) => title);
            record({ type: 'note', bar, text: `${hits.map(({ id }) => id)} ${total} ${documents.length} ${last} ${documents.read('n9')} ${fundamentals('ACME', 'eps').length} ${universe()}` });
          },
        });
        """
      When the trader runs `sandtable run rules.ts --data acme.csv --documents news.jsonl --seal --out runs`
      Then it ends with exit code 0
      And the journal has the note "n1 1 1 Acme raises guidance undefined 0 ACME"

  Rule: A model receives the titles published since its last decision

    Scenario: A model sees each title once, and searches and reads with its tools
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1}, "times": "any", "reply": {"tool_calls": [
            {"name": "document_search", "arguments": {"query": "guidance"}},
            {"name": "document_read", "arguments": {"id": "n1"}}]}},
          {"when": {"round": 2}, "times": "any", "reply": {"text": "Read."}}]}
        """
      And the model's strategy "trader.md" with "schedule: { every_bars: 2 }, tools: [document_search, document_read, fundamentals]"
      When the trader runs `sandtable run trader.md --data acme.csv --documents news.jsonl --out runs --quiet`
      Then it ends with exit code 0
      And a request contains 'new_documents'
      And a request contains 'Orders are strong.'
      And no request contains 'the future'
      And no request contains 'fundamentals'
      When the model is switched off
      And the trader replays the run
      Then it ends with exit code 0

    Scenario: A mask rewrites names and dates, and refuses a text with another spelling by its line
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1}, "times": "any", "reply": {"tool_calls": [{"name": "document_search"}, {"name": "document_read", "arguments": {"id": "S1-1"}}]}},
          {"when": {"round": 2}, "times": "any", "reply": {"text": "Read."}}]}
        """
      And the model's strategy "trader.md" with "schedule: { every_bars: 4 }, tools: [document_search, document_read]"
      And the file "masked.jsonl":
        """
        {"id": "ACME-1", "available_at": "2024-01-02", "symbols": ["ACME", "OTHER"], "title": "ACME on 2024-01-02", "text": "ACME rose."}
        """
      When the trader runs `sandtable run trader.md --data acme.csv --documents masked.jsonl --mask symbols,dates,prices --out runs --quiet`
      Then it ends with exit code 0
      And stderr says 'The mask does not replace names of companies'
      And a request contains 'S1 rose.'
      And no request contains 'ACME'
      And no request contains 'OTHER'
      And no request contains '2024'
      When the trader runs `sandtable run trader.md --data acme.csv --documents news.jsonl --mask symbols,dates --out runs --quiet`
      Then it ends with exit code 2
      And stderr says 'news.jsonl row 1, title: has the symbol Acme'
      And stderr says 'news.jsonl row 2, title: has the symbol Acme'

    Scenario: A mask replaces the names of companies, people and products that the instrument lists
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1}, "times": "any", "reply": {"tool_calls": [{"name": "document_search"}]}},
          {"when": {"round": 2}, "times": "any", "reply": {"text": "Read."}}]}
        """
      And the model's strategy "trader.md" with "schedule: { every_bars: 4 }, tools: [document_search]"
      And the file "named.jsonl":
        """
        {"id": "n1", "available_at": "2024-01-02", "symbols": ["ACME"], "title": "Roadrunner Rockets sells more Jet Skates", "text": "Wile E. Coyote is pleased."}
        """
      And the file "terms.json" that says `{"instruments": {"ACME": {"names": ["Roadrunner Rockets", "Wile E. Coyote", "Jet Skates"]}}}`
      When the trader runs `sandtable run trader.md --data acme.csv --documents named.jsonl --settings terms.json --mask symbols,dates,prices --out runs --quiet`
      Then it ends with exit code 0
      And a request contains 'S1 sells more S1'
      And no request contains 'Coyote'
      And no request contains 'Roadrunner'
      Given the file "named.jsonl":
        """
        {"id": "n1", "available_at": "2024-01-02", "symbols": ["ACME"], "title": "ROADRUNNER ROCKETS sells", "text": "More."}
        """
      When the trader runs `sandtable run trader.md --data acme.csv --documents named.jsonl --settings terms.json --mask symbols,dates,prices --out refused --quiet`
      Then it ends with exit code 2
      And stderr says 'named.jsonl row 1, title: has the symbol ROADRUNNER ROCKETS'

  Rule: A prompt reads news and figures

    Scenario: A scripted model runs strategies/llm-news.md
      Given a model that plays:
        """
        {"steps": [
          {"name": "looks", "when": {"round": 1}, "times": 6, "reply": {"tool_calls": [
            {"name": "document_search", "arguments": {"query": "raises guidance", "limit": 3}},
            {"name": "fundamentals", "arguments": {"field": "revenue", "symbol": "SIM-2", "periods": 5}}]}},
          {"name": "warned", "when": {"round": 2, "contains": "SIM-1 cuts guidance"}, "times": "any", "reply": {"tool_calls": [
            {"name": "document_read", "arguments": {"id": "n011"}},
            {"name": "document_read", "arguments": {"id": "n012"}}]}},
          {"name": "buys", "when": {"round": 2, "contains": "SIM-2 raises guidance"}, "reply": {"tool_calls": [
            {"name": "trade_execute", "arguments": {"action": "buy", "symbol": "SIM-2", "quantity": 100, "reason": "raised its guidance"}}]}},
          {"name": "rests", "when": {"round": 2}, "times": "any", "reply": {"text": "Read the wire. Did nothing. I wait for orders."}},
          {"name": "done", "when": {"round": 3}, "times": "any", "reply": {"text": "Read the wire. Acted on it. I wait for orders."}}
        ]}
        """
      When the trader runs `sandtable run strategies/llm-news.md --data data/simulated-five --to 2000-04-28 --documents data/made-up/news.jsonl --fundamentals data/made-up/fundamentals.csv --universe data/made-up/universe.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | model.decisions         | 6 |
        | model.outcomes.answered | 6 |
      And the model played its script to the end
      And a request contains 'Orders came in slower than planned'
      And a request contains '1999-12-31'
      And a request contains 'Unknown document '
      And no request contains 'Central bank cuts its rate'
      And no request contains 'n013'
      When the trader replays the run
      Then it ends with exit code 0
