@spawn
Feature: A catalogue of bars
  A catalogue stores bars in one folder, by interval, symbol and year. A run names a symbol and reads only the bars that
  it needs. Files of any source are converted once, joined where they overlap, and adjusted for splits and dividends.

  Background:
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2019-12-30,100,102,99,101,1000
      2019-12-31,101,103,100,102,1100
      2020-01-02,102,104,101,103,1200
      2020-01-03,26,27,25,26.5,5000
      """

  Scenario: A run reads a symbol of the catalogue by its name
    When the trader runs `sandtable data convert acme.csv --out data/catalog`
    Then it ends with exit code 0
    And stdout says "wrote 4 bars of ACME to data/catalog/interval=1d/symbol=ACME"
    When the trader runs `sandtable data check @ACME --from 2019-12-31 --to 2020-01-02`
    Then it ends with exit code 0
    And stdout says "ACME: 2 bars, 2019-12-31 to 2020-01-02"
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data @ACME --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | bars | 4 |

  @deep
  Scenario: Minute bars are stored by year, and only the years of the run are read
    Given the file "tick.csv":
      """
      date,open,high,low,close,volume
      2019-12-31 20:59,10,11,9,10,5
      2020-01-02 14:30,10,11,9,10,5
      2020-01-02 14:31,10,11,9,10.5,5
      """
    When the trader runs `sandtable data convert tick.csv --interval 1min --out desk`
    Then it ends with exit code 0
    When the bars of "desk/interval=1min/symbol=TICK/2019.parquet" are destroyed
    And the trader runs `sandtable data check desk/@TICK --from 2020-01-01`
    Then it ends with exit code 0
    And stdout says "TICK: 2 bars"
    When the trader runs `sandtable data check desk/@TICK`
    Then it ends with exit code 2
    And stderr says "2019.parquet does not match manifest.json"

  Scenario: All unknown names are reported together
    When the trader runs `sandtable data convert acme.csv --out data/catalog`
    And the trader runs `sandtable data check @ACMEE @ACME:1h nowhere/@ACME`
    Then it ends with exit code 2
    And stderr says "did you mean @ACME?"
    And stderr says "the catalogue in data/catalog has no such symbol in bars of 1h"
    And stderr says "no catalogue found in nowhere"

  Scenario: Overlapping files of one symbol are merged
    Given the file "newer/acme.csv":
      """
      date,open,high,low,close,volume
      2020-01-02,102,104,101,103,1200
      2020-01-03,26,27,25,26.4,5000
      2020-01-06,26,28,26,27,4000
      """
    When the trader runs `sandtable data merge acme.csv newer/acme.csv --out all.csv`
    Then it ends with exit code 2
    And stderr says "newer/acme.csv: 1 bar of ACME differs from those of an earlier file: 2020-01-03"
    When the trader runs `sandtable data merge acme.csv newer/acme.csv --prefer last --symbol ACME --out all.csv`
    Then it ends with exit code 0
    When the trader loads "all.csv"
    Then the bars are:
      | date       | close |
      | 2019-12-30 | 101   |
      | 2019-12-31 | 102   |
      | 2020-01-02 | 103   |
      | 2020-01-03 | 26.4  |
      | 2020-01-06 | 27    |

  Scenario: Prices are adjusted for a split and a dividend
    Given the file "actions.csv":
      """
      symbol,date,kind,amount,ratio
      ACME,2020-01-03,split,,4:1
      ACME,2020-01-02,dividend,10.20,
      """
    When the trader runs `sandtable data adjust acme.csv --actions actions.csv --out adjusted.parquet`
    Then it ends with exit code 0
    When the trader loads "adjusted.parquet"
    Then the bars are:
      | symbol | date       | open   | high  | low  | close  | volume |
      | ACME   | 2019-12-30 | 22.5   | 22.95 | 22.275 | 22.725 | 4000 |
      | ACME   | 2019-12-31 | 22.725 | 23.175 | 22.5 | 22.95 | 4400 |
      | ACME   | 2020-01-02 | 25.5   | 26    | 25.25 | 25.75 | 4800 |
      | ACME   | 2020-01-03 | 26     | 27    | 25   | 26.5   | 5000 |

  Scenario: Prices are adjusted by a vendor's factors
    Given the file "factors.csv":
      """
      symbol,date,price factor,split factor
      ACME,2019-12-31,0.9,0.25
      ACME,2020-01-02,1,0.25
      """
    When the trader runs `sandtable data adjust acme.csv --factors factors.csv --out adjusted.csv`
    Then it ends with exit code 0
    When the trader loads "adjusted.csv"
    Then the bars are:
      | date       | close  | volume |
      | 2019-12-30 | 22.725 | 4000   |
      | 2019-12-31 | 22.95  | 4400   |
      | 2020-01-02 | 25.75  | 4800   |
      | 2020-01-03 | 26.5   | 5000   |

  Scenario: Missing and invalid flags of data adjust are reported together
    When the trader runs `sandtable data adjust --for some`
    Then it ends with exit code 2
    And stderr says "--data: is missing. Pass at least one data file"
    And stderr says "--out: is missing. Pass an output file"
    And stderr says "--actions: is missing. Pass a file of actions"
    And stderr says "--for"

  @deep
  Scenario: Features, documents, fundamentals and context are read from the catalogue by name
    Given the file "data/catalog/source=desk/mood.csv":
      """
      date,mood
      2019-12-30,0.3
      """
    And the file "data/catalog/source=fred/rate.csv":
      """
      date,rate
      2019-12-30,1.5
      """
    And the file "data/catalog/source=desk/rate.csv":
      """
      date,own_rate
      2019-12-30,1.6
      """
    And the file "data/catalog/source=desk/news.jsonl":
      """
      {"id": "n1", "available_at": "2019-12-30", "title": "Acme raises guidance"}
      """
    And the file "data/catalog/source=desk/figures.csv":
      """
      symbol,field,period_end,available_at,value
      ACME,revenue,2019-09-30,2019-11-02,100
      """
    And the file "wk.csv":
      """
      date,open,high,low,close,volume
      2019-12-23,7,9,7,8,500
      """
    When the trader runs `sandtable data convert acme.csv --out data/catalog`
    And the trader runs `sandtable data convert wk.csv --interval 1w --out data/catalog`
    And the trader runs `sandtable tools call --data @ACME --features @mood @fred/rate --documents @news --fundamentals @figures --context @WK` with the input:
      """
      {"name": "market_observe"}
      {"name": "document_search", "arguments": {"query": "guidance"}}
      {"name": "fundamentals", "arguments": {"field": "revenue"}}
      {"name": "market_observe", "arguments": {"symbol": "WK"}}
      """
    Then it ends with exit code 0
    And stdout says '"mood":{"value":0.3,'
    And stdout says '"rate":{"value":1.5,'
    And stdout says '"total":1'
    And stdout says '"value":100'
    And stdout says '"context":true'
    When the trader runs `sandtable tools call market_observe --data @ACME --features @moods @rate nowhere/@mood`
    Then it ends with exit code 2
    And stderr says '@moods: the catalogue in data/catalog has no such table (did you mean @MOOD?)'
    And stderr says '@rate: the catalogue in data/catalog has several of them (choose one: @desk/RATE or @fred/RATE)'
    And stderr says 'nowhere/@mood: the catalogue in nowhere has only bars, no other table'
