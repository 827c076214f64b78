Feature: Downloading bars
  A trader fills a catalogue from data providers, and later requests only the missing bars. Rate limits of a provider
  are respected. Keys come from the environment and are never stored.

  Scenario: A symbol is downloaded once, updated later, and read by its name
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

  Scenario: A request over the rate limit is retried after the time that the server states
    Given a server that answers as stooq does
    And the server first answers 429 with Retry-After 1
    When the trader runs `sandtable data download stooq AAPL.US --from 2020-01-01 --to 2020-01-31 --rate 60000 --out desk`
    Then it ends with exit code 0
    And stderr says "responded with HTTP 429; next attempt in 1 s"

  Scenario: A missing key and other faults are reported together
    When the trader runs `sandtable data download alpaca AAPL --interval 7h --to soon`
    Then it ends with exit code 2
    And stderr says "--from: is missing. Pass the first date, for example 2015-01-01"
    And stderr says '--to: "soon" is not a date'
    And stderr says '--interval: alpaca has no bars of "7h"; it has 1min, 5min'
    And stderr says "APCA_API_KEY_ID: is not set in the environment"
    And stderr says "APCA_API_SECRET_KEY: is not set in the environment"

  Scenario: A key is sent to the provider, and neither stored nor printed
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

  Scenario: A series of FRED is stored with every vintage
    Given a server that answers as fred does
    And the environment has FRED_API_KEY "secret-key"
    When the trader runs `sandtable data download fred GDP --from 2020-01-01 --rate 60000 --out desk`
    Then it ends with exit code 0
    And stdout says "GDP: 2 values in"

  Scenario: An unknown provider and a missing library are reported with a fix
    When the trader runs `sandtable data download tingo AAPL --from 2020-01-01`
    Then it ends with exit code 2
    And stderr says "Did you mean tiingo?"
    When the trader runs `sandtable data download ccxt:kraken BTC/USD --from 2020-01-01 --out desk`
    Then it ends with exit code 2
    And stderr says "npm install ccxt@4.5.84"
