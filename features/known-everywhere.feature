Feature: The same data in every kind of research
  Trials of a sweep, samples of a prompt, resumed runs and worlds of a stress test receive the same documents,
  fundamentals and universe as a single run, and no data with a later publication time.

  Background:
    Given the file "prices.csv" with 60 simulated bars
    And the file "news.jsonl":
      """
      {"id": "n1", "available_at": "2000-01-20T14:30Z", "symbols": ["PRICES"], "title": "Prices raises guidance"}
      {"id": "n2", "available_at": "2000-02-10T14:30Z", "symbols": ["PRICES"], "title": "Strike is over"}
      {"id": "n9", "available_at": "2030-01-01", "symbols": ["PRICES"], "title": "The future has doubled"}
      """
    And the file "figures.csv":
      """
      symbol,field,period_end,available_at,value
      PRICES,eps,1999-12-31,2000-01-15,2
      PRICES,eps,2000-03-31,2030-01-01,9
      """
    And the file "members.csv":
      """
      symbol,from,to
      PRICES,2000-01-10,2000-02-20
      """
    And the file "rules.ts":
      """
      import { defineStrategy, z } from 'sandtable';
      export default defineStrategy({
        name: 'news',
        summary: 'Buys once on words in the news, of a company that earns enough, while it can be traded.',
        parameters: z.object({ words: z.string().default('guidance'), eps: z.coerce.number().default(1) }),
        onBar({ documents, fundamentals, universe, symbols, account, orders }, { parameters }) {
          const { total } = documents.search({ query: parameters.words, symbol: symbols[0] });
          const [figure] = fundamentals(symbols[0], 'eps');
          const earns = (figure?.value ?? 0) >= parameters.eps;
          if (total > 0 && earns && universe().length > 0 && account.units() === 0) orders.buy(1);
        },
      });
      """

  @spawn @deep
  Scenario: Trials of a sweep see the data of a run and no later data
    When the trader runs `sandtable sweep rules.ts --data prices.csv --documents news.jsonl --fundamentals figures.csv --universe members.csv --param words=guidance,strike,doubled --param eps=1,5 --objective totalReturn --keep none --jobs 2 --out runs --quiet`
    Then it ends with exit code 0
    When the trader runs `sandtable query "select words, eps, openTradeCount, totalReturn <> 0 as trades from trials order by words, eps" --reports runs --csv`
    Then it ends with exit code 0
    And stdout says "guidance,1,1,true"
    And stdout says "guidance,5,0,false"
    And stdout says "strike,1,1,true"
    And stdout says "doubled,1,0,false"
    And stdout says "doubled,5,0,false"

  Scenario: Worlds of a stress test receive the same data
    When the trader runs `sandtable stress rules.ts --data prices.csv --documents news.jsonl --fundamentals figures.csv --universe members.csv --worlds 12 --jobs 1 --out tests --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | worlds | 12 |
      | failed | 0  |

  Rule: Runs of a prompt

    Background:
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1}, "times": "any", "reply": {"tool_calls": [
            {"name": "document_search", "arguments": {"query": "guidance future"}},
            {"name": "fundamentals", "arguments": {"field": "eps"}},
            {"name": "universe"}]}},
          {"when": {"round": 2}, "times": "any", "reply": {"text": "Read."}}]}
        """
      And the model's strategy "trader.md" with "schedule: { every_bars: 20 }, tools: [document_search, fundamentals, universe]"

    Scenario: All samples receive the same data
      When the trader runs `sandtable run trader.md --data prices.csv --documents news.jsonl --fundamentals figures.csv --universe members.csv --samples 2 --concurrency 1 --out runs --quiet`
      Then it ends with exit code 0
      And a request contains 'Prices raises guidance'
      And a request contains '1999-12-31'
      And no request contains 'The future'
      And no request contains '2000-03-31'
      When the trader resumes the run with "--quiet"
      Then it ends with exit code 0

    Scenario: An interrupted run resumes with the same files, and is refused with changed files
      When the trader runs `sandtable run trader.md --data prices.csv --documents news.jsonl --fundamentals figures.csv --universe members.csv --out runs --quiet`
      Then it ends with exit code 0
      When the run's journal is cut in the middle of line 40
      And the trader resumes the run with "--quiet"
      Then it ends with exit code 0
      And the run's journal is as it was before the cut
      And no request contains 'The future'
      Given the file "figures.csv":
        """
        symbol,field,period_end,available_at,value
        PRICES,eps,1999-12-31,2000-01-15,3
        """
      When the run's journal is cut in the middle of line 40
      And the trader resumes the run with "--quiet"
      Then it ends with exit code 2
      And stderr says 'figures.csv'
