Feature: No leak of future data
  Two runs read files that are the same up to a day and differ after it. For every kind of file, the journals are the
  same, byte for byte, up to the bar before that day. The strategy reads everything that it can and trades on it.

  Background:
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2024-01-01,10,11,9,10,1000
      2024-01-02,11,12,9,11,1000
      2024-01-03,10,11,9,10,1000
      2024-01-04,12,13,9,12,1000
      2024-01-05,10,11,9,10,1000
      2024-01-08,13,14,9,13,1000
      2024-01-09,10,11,9,10,1000
      2024-01-10,14,15,9,14,1000
      """
    And the file "nosy.ts":
      """
      import { defineStrategy } from 'sandtable';
      export default defineStrategy({
        name: 'nosy',
        summary: 'Looks at everything and trades on it.',
        tools: ['vfs_list'],
        async onBar({ bar, window, contextSymbols, context, documents, fundamentals, universe, orders, record }, { call }) {
          const seen = JSON.stringify([
            window.features.map((name) => window.feature(name).rows({ vintages: true })),
            Array.from(window.close.tail(9)),
            contextSymbols.map((symbol) => Array.from(context(symbol).close.tail(9))),
            documents.tail(9), documents.search({ query: 'guidance' }),
            fundamentals('ACME', 'eps', 9, { vintages: true }),
            universe(),
            await call('vfs_list', {}),
          ]);
          record({ type: 'note', bar, text: seen });
          if (seen.length % 2 === 0) orders.buy(1 + (seen.length % 7));
          else orders.close();
        },
      });
      """
    And the file "mood.csv":
      """
      date,available_at,mood
      2024-01-02,2024-01-02,1
      2024-01-03,2024-01-05 12:00,2
      """
    And the file "mood-other.csv":
      """
      date,available_at,mood
      2024-01-02,2024-01-02,1
      2024-01-03,2024-01-05 12:00,99
      2024-01-02,2024-01-05 12:00,98
      """
    And the file "news.jsonl":
      """
      {"id": "n1", "available_at": "2024-01-02T14:30Z", "symbols": ["ACME"], "title": "Acme raises guidance"}
      {"id": "n2", "available_at": "2024-01-05T12:00Z", "symbols": ["ACME"], "title": "A strike"}
      """
    And the file "news-other.jsonl":
      """
      {"id": "n1", "available_at": "2024-01-02T14:30Z", "symbols": ["ACME"], "title": "Acme raises guidance"}
      {"id": "x2", "available_at": "2024-01-05T12:00Z", "symbols": ["ACME"], "title": "guidance guidance"}
      {"id": "x3", "available_at": "2024-01-05T12:00Z", "title": "guidance", "text": "guidance of Acme"}
      """
    And the file "figures.csv":
      """
      symbol,field,period_end,available_at,value
      ACME,eps,2023-09-30,2023-11-01,1
      ACME,eps,2023-12-31,2024-01-05 12:00,2
      """
    And the file "figures-other.csv":
      """
      symbol,field,period_end,available_at,value
      ACME,eps,2023-09-30,2023-11-01,1
      ACME,eps,2023-09-30,2024-01-05 12:00,-1
      ACME,eps2,2023-12-31,2024-01-05 12:00,2
      """
    And the file "members.csv":
      """
      symbol,from,to
      ACME,,2024-01-08
      """
    And the file "members-other.csv":
      """
      symbol,from,to
      ACME,,2024-01-04
      ACME,2024-01-08,
      """
    And the file "day.csv":
      """
      symbol,date,open,high,low,close,volume
      DAY,2024-01-03,7,9,7,8,500
      DAY,2024-01-04,7,9,7,8,500
      DAY,2024-01-05,7,9,7,8,500
      """
    And the file "day-other.csv":
      """
      symbol,date,open,high,low,close,volume
      DAY,2024-01-03,7,9,7,8,500
      DAY,2024-01-04,7,9,7,8,500
      DAY,2024-01-05,7,999,7,777,500
      """
    And the file "splits.csv":
      """
      symbol,date,kind,amount,ratio,price
      ACME,2024-01-05,dividend,1,,
      """
    And the file "splits-other.csv":
      """
      symbol,date,kind,amount,ratio,price
      ACME,2024-01-05,split,,2:1,
      """
    And the file "rolls.csv":
      """
      symbol,date,from,to,from_price,to_price
      ACME,2024-01-05,ACF4,ACG4,9,10
      """
    And the file "rolls-other.csv":
      """
      symbol,date,from,to,from_price,to_price
      ACME,2024-01-05,ACF4,ACH4,7.5,10
      """
    And the file "funding.csv":
      """
      symbol,date,rate
      ACME,2024-01-02T12:00,0.001
      ACME,2024-01-05,0.001
      ACME,2024-01-08T12:00,0.001
      """
    And the file "funding-other.csv":
      """
      symbol,date,rate
      ACME,2024-01-02T12:00,0.001
      ACME,2024-01-05T12:00,-0.5
      ACME,2024-01-08,-0.5
      """
    And the file "desk/note.md":
      """
      ---
      available_at: 2024-01-05T12:00Z
      ---
      Guidance is unchanged.
      """
    And the file "desk-other/later.md":
      """
      ---
      available_at: 2024-01-05T12:00Z
      ---
      Guidance is withdrawn, for good.
      """

  Scenario Outline: Earlier bars do not depend on later data: <what>
    When the trader runs `sandtable run nosy.ts --data acme.csv <flag> <file> <more> --out runs --quiet`
    Then it ends with exit code 0
    When the trader runs `sandtable run nosy.ts --data acme.csv <flag> <other> <more> --out others --quiet`
    Then it ends with exit code 0
    And the runs in "runs" and "others" have the same journal up to bar 3 and another one from bar 4 on

    Examples:
      | what         | flag           | file         | other              | more                     |
      | Features     | --features     | mood.csv     | mood-other.csv     |                          |
      | Documents    | --documents    | news.jsonl   | news-other.jsonl   |                          |
      | Fundamentals | --fundamentals | figures.csv  | figures-other.csv  |                          |
      | A universe   | --universe     | members.csv  | members-other.csv  |                          |
      | Context      | --context      | day.csv      | day-other.csv      |                          |
      | Actions      | --actions      | splits.csv   | splits-other.csv   | --adjust point-in-time   |
      | Rolls        | --rolls        | rolls.csv    | rolls-other.csv    |                          |
      | Funding      | --funding      | funding.csv  | funding-other.csv  |                          |
      | Files        | --vfs          | desk         | desk-other         |                          |
