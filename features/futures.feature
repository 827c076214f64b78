Feature: Futures and perpetual contracts
  A futures trader holds dated contracts one after another: a continuous series says whose bars count when, and the rolls
  say what it costs to go on. Nothing of a later roll, or of a later rate, is there before its time.

  Background:
    Given the file "ESH4.csv":
      """
      date,open,high,low,close,volume
      2024-03-04,100,102,99,101,50
      2024-03-05,101,103,100,102,50
      2024-03-06,102,104,101,103,40
      2024-03-07,103,105,102,104,10
      2024-03-08,104,106,103,105,5
      """
    And the file "ESM4.csv":
      """
      date,open,high,low,close,volume
      2024-03-05,106,108,105,107,20
      2024-03-06,107,109,106,108,60
      2024-03-07,108.5,111,107,110,90
      2024-03-08,110,112,109,111,90
      2024-03-11,111,113,110,112,90
      """
    And the file "expiries.csv":
      """
      contract,expiry,roll
      ESH4,2024-03-08,2024-03-06
      ESM4,2024-06-21,2024-06-14
      """

  Rule: One series is made of dated contracts

    Scenario Outline: <rule>, <adjust>
      When the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries expiries.csv --roll <rule> --adjust <adjust> --out es.csv --rolls rolls.csv`
      Then it ends with exit code 0
      And stdout says "wrote 6 bars of ES to "
      And stdout says "wrote 1 roll to "
      And the file "es.csv" has the lines:
        """
        <first>
        <roll bar>
        """
      And the file "rolls.csv" has the lines:
        """
        symbol,date,from,to,from_price,to_price,gap,ratio
        <roll>
        """

      Examples: Wednesday the new contract trades more, and that is known when Wednesday is over
        | rule   | adjust | first                             | roll bar                       | roll                                                 |
        | volume | none   | 2024-03-04,100,102,99,101,50      | 2024-03-07,108.5,111,107,110,90 | ES,2024-03-07,ESH4,ESM4,103,108.5,5.5,1.053398058252 |
        | volume | back   | 2024-03-04,105.5,107.5,104.5,106.5,50 | 2024-03-07,108.5,111,107,110,90 | ES,2024-03-07,ESH4,ESM4,103,108.5,5.5,1.053398058252 |

      Examples: Two days before the eighth, and on the date that the file names
        | rule   | adjust | first                        | roll bar                    | roll                                              |
        | days:2 | none   | 2024-03-04,100,102,99,101,50 | 2024-03-06,107,109,106,108,60 | ES,2024-03-06,ESH4,ESM4,102,107,5,1.049019607843 |
        | dates  | back   | 2024-03-04,105,107,104,106,50 | 2024-03-06,107,109,106,108,60 | ES,2024-03-06,ESH4,ESM4,102,107,5,1.049019607843 |

    Scenario: A ratio keeps what a day made in per cent
      When the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries expiries.csv --roll dates --adjust ratio --out es.csv --rolls rolls.csv`
      Then the file "es.csv" has the lines:
        """
        2024-03-05,105.950980392,108.049019608,104.901960784,107,50
        """

    Scenario: Everything that is missing, at once
      When the trader runs `sandtable data continuous ESH4.csv --roll soon`
      Then it ends with exit code 2
      And stderr says '--roll: "soon" is no rule: use volume, days:5 (before expiry) or dates'
      And stderr says "--name: give the series a symbol, such as ES"
      And stderr says "--expiries: name a file with the last days of trading: contract,expiry"
      And stderr says "--adjust: say what is done to the bars before a roll: back, ratio or none"
      And stderr says "--rolls: say where the rolls go"
      And stderr says "--out: say where the bars go"

    Scenario: Expiries that are none, by line
      Given the file "bad.csv":
        """
        contract,expiry
        ESH4,2024-03-32
        ESM4,2024-06-21
        ESM4,2024-06-21
        """
      When the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries bad.csv --roll volume --adjust none --out es.csv --rolls rolls.csv`
      Then it ends with exit code 2
      And stderr says 'bad.csv line 2: expiry "2024-03-32" is no date'
      And stderr says "bad.csv line 4: repeats the contract ESM4 of "

    Scenario: A contract with bars after its last day
      Given the file "early.csv":
        """
        contract,expiry
        ESH4,2024-03-06
        """
      When the trader runs `sandtable data continuous ESH4.csv ESM4.csv --name ES --expiries early.csv --roll volume --adjust none --out es.csv --rolls rolls.csv`
      Then it ends with exit code 2
      And stderr says "ESH4: has a bar of 2024-03-07, after it expired on 2024-03-06"
      And stderr says "ESM4: has no expiry"

  Rule: Holders of a perpetual contract pay one another

    Background:
      Given 10000 in cash
      And these bars of BTC:
        | date             | open | high | low | close | volume |
        | 2024-01-01T00:00 | 100  | 102  | 99  | 101   | 1000   |
        | 2024-01-01T08:00 | 102  | 105  | 101 | 104   | 1000   |
        | 2024-01-01T16:00 | 103  | 104  | 98  | 99    | 1000   |
        | 2024-01-02T00:00 | 98   | 100  | 95  | 96    | 1000   |

    # Bought at 102 as the bar of 08:00 begins. The rate of 08:00 comes before that; the one of 12:00 lies inside the bar and
    # is charged at its close: 10 × 104 × 0.001. That of 16:00 comes at the open of 103, before anything fills there.
    Scenario: Who is long pays at each instant that it held through
      Given these funding rates of BTC:
        | date             | rate   |
        | 2024-01-01T08:00 | 0.01   |
        | 2024-01-01T12:00 | 0.001  |
        | 2024-01-01T16:00 | -0.002 |
        | 2024-01-02T00:00 | 0.01   |
      And the trader orders:
        | date             | action | quantity |
        | 2024-01-01T00:00 | buy    | 10       |
      When the backtest runs
      Then this cash is paid and received:
        | date             | kind    | symbol | time             | quantity | base | fundingRate | amount | cash    |
        | 2024-01-01T08:00:00 | funding | BTC | 2024-01-01T12:00:00 | 10  | 1040 | 0.001       | -1.04  | 8978.96 |
        | 2024-01-01T16:00:00 | funding | BTC | 2024-01-01T16:00:00 | 10  | 1030 | -0.002      | 2.06   | 8981.02 |
        | 2024-01-02       | funding | BTC    | 2024-01-02       | 10       | 980  | 0.01        | -9.8   | 8971.22 |
      And the final equity is 9931.22
      And the profits and all cash explain the equity, to the last decimal

    Scenario: Who is short receives it, and who sells at the open of that bar has paid
      Given these funding rates of BTC:
        | date             | rate |
        | 2024-01-01T16:00 | 0.01 |
      And the trader orders:
        | date             | action | quantity |
        | 2024-01-01T00:00 | sell   | 10       |
        | 2024-01-01T08:00 | close  |          |
      When the backtest runs
      Then this cash is paid and received:
        | date                | kind    | quantity | base | amount | cash    |
        | 2024-01-01T16:00:00 | funding | -10      | 1030 | 10.3   | 11030.3 |
      And the final equity is 10000.3

    Scenario: A time without a rate is no payment
      Given the trader orders:
        | date             | action | quantity |
        | 2024-01-01T00:00 | buy    | 10       |
      When the backtest runs
      Then no cash is paid or received beside the trades

  Rule: A rate has its place in the walk of a bar

    # Friday's bar is over at midnight. Saturday's rate is charged on what was carried from Friday, at Friday's close of 102,
    # before Monday's bar begins; that of Friday noon at Friday's close too.
    Scenario: A rate between two bars is charged at the mark of before
      Given 10000 in cash
      And these bars of PERP:
        | date       | open | high | low | close | volume |
        | 2020-01-02 | 100  | 102  | 99  | 101   | 1000   |
        | 2020-01-03 | 100  | 103  | 99  | 102   | 1000   |
        | 2020-01-06 | 110  | 112  | 98  | 99    | 1000   |
      And these funding rates of PERP:
        | date             | rate |
        | 2020-01-03T12:00 | 0.01 |
        | 2020-01-04T12:00 | 0.01 |
        | 2020-01-06T00:00 | 0.01 |
      And the trader orders:
        | date       | action | quantity |
        | 2020-01-02 | buy    | 10       |
      When the backtest runs
      Then this cash is paid and received:
        | date       | time                | base | amount |
        | 2020-01-03 | 2020-01-03T12:00:00 | 1020 | -10.2  |
        | 2020-01-06 | 2020-01-04T12:00:00 | 1020 | -10.2  |
        | 2020-01-06 | 2020-01-06          | 1100 | -11    |

  Rule: Files of funding rates

    Background:
      Given the file "btc.csv":
        """
        date,open,high,low,close,volume
        2024-01-01T00:00,100,102,99,101,1000
        2024-01-01T08:00,102,105,101,104,1000
        2024-01-01T16:00,103,104,98,99,1000
        2024-01-02T00:00,98,100,95,96,1000
        2024-01-02T08:00,96,97,95,96,1000
        """
      And the file "funding.csv":
        """
        symbol,date,rate
        BTC,2024-01-01T12:00,0.001
        BTC,2024-01-01T16:00,-0.002
        ETH,2024-01-01T16:00,0.5
        BTC,2024-01-02T08:00,0.01
        """
      And the file "orders.json":
        """
        { "cash": 10000, "orders": [{ "bar": 0, "side": "buy", "units": 10 }] }
        """

    # −1.04 + 2.06 − 9.6 = −8.58; the price took 10 × (96 − 102) = −60.
    Scenario: A run says what funding came to, and where
      When the trader runs `sandtable run orders.json --data btc.csv --funding funding.csv --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | funding     | -8.58   |
        | finalEquity | 9931.42 |
      And stderr says "ETH"
      When the trader replays the run
      Then it ends with exit code 0
      Given the file "funding.csv":
        """
        symbol,date,rate
        BTC,2024-01-01T12:00,0.002
        """
      When the trader replays the run
      Then it ends with exit code 2
      And stderr says "funding.csv"

    @spawn
    Scenario: Trials of a sweep pay it too
      Given the file "rules.ts":
        """
        import { defineStrategy, z } from 'sandtable';
        export default defineStrategy({
          name: 'holds',
          summary: 'Buys once.',
          parameters: z.object({ units: z.coerce.number().default(1) }),
          onBar({ bar, orders }, { parameters }) {
            if (bar === 0) orders.buy(parameters.units);
          },
        });
        """
      When the trader runs `sandtable sweep rules.ts --data btc.csv --funding funding.csv --cash 10000 --param units=10,20 --objective totalReturn --keep none --jobs 2 --out runs --quiet`
      Then it ends with exit code 0
      When the trader runs `sandtable query "select units, round(totalReturn * 10000, 6) as gained from trials order by units" --reports runs --csv`
      Then stdout says "10,-68.58"
      And stdout says "20,-137.16"

    Scenario: A client over MCP pays it
      When an MCP client connects to `sandtable mcp --data btc.csv --funding funding.csv --cash 10000`
      And the client calls trade_execute with `{"action": "buy", "quantity": 10}`
      And the client calls next_bar
      Then the answer holds `{"bar": 1, "cash": 8978.96}`

    Scenario: Rows that are doubled, out of order or no rates are refused by line
      Given the file "bad.csv":
        """
        symbol,date,rate
        BTC,2024-01-01T08:00,0.001
        BTC,2024-01-01T08:00,0.001
        BTC,2024-01-01T04:00,0.001
        BTC,2024-01-02T04:00,high
        BTC,2024-01-32T04:00,2
        """
      When the trader runs `sandtable run orders.json --data btc.csv --funding bad.csv --out runs`
      Then it ends with exit code 2
      And stderr says "bad.csv line 3: repeats the time 2024-01-01T08:00:00 of"
      And stderr says "bad.csv line 4: 2024-01-01T04:00:00 is earlier than 2024-01-01T08:00:00 of"
      And stderr says 'bad.csv line 5: rate "high": give a fraction between -1 and 1'
      And stderr says 'bad.csv line 6: date "2024-01-32T04:00" is no date'
      And stderr says 'bad.csv line 6: rate "2"'
