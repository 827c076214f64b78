Feature: Downloading bars
  A desk fills its catalogue from the providers it has accounts with, and later asks only for what is missing. What a
  provider says about limits is heeded; keys come from the environment and are written nowhere.

  Scenario: A symbol is downloaded once, brought up to date later, and found by its name
    Given a server that answers as stooq does
    When the trader runs `sandtable data download stooq AAPL.US --from 2020-01-01 --to 2020-06-30 --rate 60000 --out desk`
    Then it ends with exit code 0
    And stdout says "AAPL.US: 130 new bars, 0 revised, 1 request"
    When the trader runs `sandtable data download stooq AAPL.US --from 2020-01-01 --to 2020-06-30 --rate 60000 --out desk`
    Then stdout says "AAPL.US: already complete, 0 requests"
    When the trader runs `sandtable data download stooq AAPL.US --from 2020-01-01 --to 2020-12-31 --rate 60000 --out desk`
    Then stdout says "AAPL.US: 132 new bars, 0 revised, 1 request"
    And the server was asked 2 times, last for "d1=20200701"
    When the trader loads the catalogue "desk" by "@AAPL.US"
    Then 262 bars are loaded

  Scenario: A server that is asked too often is asked again when it says so
    Given a server that answers as stooq does
    And the server first answers 429 with Retry-After 1
    When the trader runs `sandtable data download stooq AAPL.US --from 2020-01-01 --to 2020-01-31 --rate 60000 --out desk`
    Then it ends with exit code 0
    And stderr says "responded with HTTP 429; next attempt in 1 s"

  Scenario: A provider that wants a key, and other things that are missing, all at once
    When the trader runs `sandtable data download alpaca AAPL --interval 7h --to soon`
    Then it ends with exit code 2
    And stderr says "--from: is missing. Pass the first date, for example 2015-01-01"
    And stderr says '--to: "soon" is not a date'
    And stderr says '--interval: alpaca has no bars of "7h"; it has 1min, 5min'
    And stderr says "APCA_API_KEY_ID: is not set in the environment"
    And stderr says "APCA_API_SECRET_KEY: is not set in the environment"

  Scenario: A key is sent, and shown to nobody
    Given a server that answers as alphavantage does
    And the environment has ALPHAVANTAGE_API_KEY "secret-key"
    When the trader runs `sandtable data download alphavantage AAPL --from 2020-01-01 --to 2020-01-31 --rate 60000 --out desk`
    Then it ends with exit code 0
    And the server was asked 1 times, last for "apikey=secret-key"
    And nothing under "desk" holds "secret-key"
    When the trader runs `sandtable data download alphavantage NOBODY --from 2020-01-01 --to 2020-01-31 --rate 60000 --out desk`
    Then it ends with exit code 2
    And stderr says "alphavantage: unknown symbol NOBODY for these settings"
    And stderr does not say "secret-key"

  Scenario: A series of FRED is kept with every vintage
    Given a server that answers as fred does
    And the environment has FRED_API_KEY "secret-key"
    When the trader runs `sandtable data download fred GDP --from 2020-01-01 --rate 60000 --out desk`
    Then it ends with exit code 0
    And stdout says "GDP: 2 values in"

  Scenario: A provider that nobody knows, and a library that is not installed
    When the trader runs `sandtable data download tingo AAPL --from 2020-01-01`
    Then it ends with exit code 2
    And stderr says "Did you mean tiingo?"
    When the trader runs `sandtable data download ccxt:kraken BTC/USD --from 2020-01-01 --out desk`
    Then it ends with exit code 2
    And stderr says "npm install ccxt@4.5.84"
