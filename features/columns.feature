Feature: Files from any source
  Column names differ between sources. Common names are recognised. For other files the trader maps the headers or names
  the source. An unknown header is refused with the flag to type.

  Scenario: An unknown header is refused with the mapping to type
    Given the file "acme.csv":
      """
      Handelstag (Date),Eröffnung (open price EUR),Tageshoch (high),Tagestief (low),Schluss (close),Stück (volume)
      2020-01-06,100,102,99,101,1000
      """
    When the trader loads "acme.csv"
    Then loading is refused as bad_data
    And the refusal says '--columns date="Handelstag (Date)",open="Eröffnung (open price EUR)",high="Tageshoch (high)",low="Tagestief (low)",close="Schluss (close)",volume="Stück (volume)"'

  Scenario: A mapping assigns headers to fields
    Given the file "acme.csv":
      """
      Gmt time,Open,High,Low,Close,Adj Close,Volume
      2020-01-06,100,102,99,101,50.5,1000
      """
    When the trader loads "acme.csv" with the columns 'date="Gmt time",close=Close'
    Then the bars are:
      | symbol | date       | open | high | low | close | volume |
      | ACME   | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
    And it is said that 'columns read as set with --columns date="Gmt time",close=Close'

  Scenario: The refusal names a known source
    Given the file "eurusd.csv":
      """
      Gmt time,Open,High,Low,Close,Volume
      03.02.2020 00:00:00.000,1.10,1.12,1.09,1.11,1000.5
      """
    When the trader loads "eurusd.csv"
    Then loading is refused as bad_data
    And the refusal says "--columns preset=dukascopy"

  Scenario Outline: A file of <preset> is read: <what>
    Given the file "<file>" as <preset> writes it, <what>
    When the trader loads "<file>" with the columns 'preset=<preset>'
    Then the first bar is of <symbol> at <time>: open <open>, close <close>, volume <volume>
    And 2 bars are loaded

    Examples:
      | preset       | what                   | file       | symbol  | time                | open    | close   | volume  |
      | yfinance     | one header line        | aapl.csv   | AAPL    | 2020-01-02          | 74.06   | 75.09   | 1354804 |
      | yfinance     | three header lines     | aapl.csv   | AAPL    | 2020-01-02          | 74.06   | 75.09   | 1354804 |
      | yfinance     | hours with offsets     | aapl.csv   | AAPL    | 2020-01-02T14:30:00 | 74.06   | 75.09   | 1354804 |
      | dukascopy    | Gmt time               | eurusd.csv | EURUSD  | 2020-02-03          | 1.1     | 1.11    | 1000.5  |
      | dukascopy    | Local time             | eurusd.csv | EURUSD  | 2020-02-02T23:00:00 | 1.1     | 1.11    | 1000.5  |
      | binance      | without a header       | btcusdt.csv | BTCUSDT | 2020-01-02         | 7200.24 | 7254.74 | 642.4   |
      | binance      | with a header          | btcusdt.csv | BTCUSDT | 2020-01-02         | 7200.24 | 7254.74 | 642.4   |
      | binance      | in microseconds        | btcusdt.csv | BTCUSDT | 2025-01-01         | 7200.24 | 7254.74 | 642.4   |
      | metatrader   | MT5                    | eurusd.csv | EURUSD  | 2020-01-02T01:00:00 | 1.1     | 1.11    | 321     |
      | metatrader   | MT4                    | eurusd.csv | EURUSD  | 2020-01-02T01:00:00 | 1.1     | 1.11    | 321     |
      | stooq        | one symbol             | aapl.csv   | AAPL    | 2020-01-02          | 74.06   | 75.09   | 1354804 |
      | stooq        | bulk                   | any.txt    | AAPL.US | 2020-01-02T15:30:00 | 74.06   | 75.09   | 1354804 |
      | alphavantage | daily                  | aapl.csv   | AAPL    | 2020-01-02          | 74.06   | 75.09   | 1354804 |
      | kraken       | OHLCVT                 | xbtusd.csv | XBTUSD  | 2020-01-02          | 7200.24 | 7254.74 | 642.4   |
      | ib           | ib_insync              | aapl.csv   | AAPL    | 2020-01-02          | 74.06   | 75.09   | 1354804 |

  Scenario: Columns without a header are mapped by number
    Given the file "acme.csv":
      """
      ACME,2020-01-06,100,102,99,101
      ACME,2020-01-07,101,103,100,102
      """
    When the trader loads "acme.csv" with the columns 'header=none,symbol=1,date=2,open=3,high=4,low=5,close=6,volume=none'
    Then the bars are:
      | symbol | date       | open | high | low | close | volume |
      | ACME   | 2020-01-06 | 100  | 102  | 99  | 101   | 1      |
      | ACME   | 2020-01-07 | 101  | 103  | 100 | 102   | 1      |

  Scenario: All faults of a mapping are reported together
    Given the file "acme.csv":
      """
      Day,Open,High,Low,Close,Last,Volume
      2020-01-06,100,102,99,101,101,1000
      """
    When the trader loads "acme.csv" with the columns 'close=Last,date=Dya,volume=Vloume'
    Then loading is refused as bad_data
    And the refusal says 'no column "Dya", which --columns assigns to date'
    And the refusal says 'no column "Vloume", which --columns assigns to volume'
    When the trader loads "acme.csv" with the columns 'close=Adjusted'
    Then loading is refused as bad_data
    And the refusal says "no file has a column that close=Adjusted names"

  Scenario: Timestamps with and without a zone in one column are refused
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2020-01-06 09:30,100,102,99,101,1000
      2020-01-06T15:30:00Z,100,102,99,101,1000
      """
    When the trader loads "acme.csv"
    Then loading is refused as bad_data
    And the refusal says 'acme.csv line 3: "2020-01-06T15:30:00Z" and "2020-01-06 09:30" of line 2: one has a UTC offset and the other does not'

  Scenario: Every command that reads bars accepts a mapping
    Given the file "eurusd.csv" as dukascopy writes it, Gmt time
    When the trader runs `sandtable data check eurusd.csv --columns preset=dukascopy`
    Then it ends with exit code 0
    When the trader runs `sandtable data check eurusd.csv --columns preset=dukascop,open=Open,open=Close`
    Then it ends with exit code 2
    And stderr says "--columns"
    And stderr says "open is given twice"
    And stderr says "did you mean dukascopy?"
