Feature: Features: time series in addition to the bars
  Sentiment, economic figures, estimates: each row has a date and, if known, a publication time. A row becomes visible
  with the first bar that ends at or after its publication, whatever the date format.

  Background:
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume,Trades,Adj Close
      2024-01-01,10,11,9,10,1000,7,5
      2024-01-02,10,11,9,10,1000,8,5
      2024-01-03,10,11,9,10,1000,,5
      2024-01-04,10,11,9,10,1000,3,5
      2024-01-05,10,11,9,10,1000,4,5
      """

  Rule: A row becomes visible with the first bar that ends at or after its publication

    Scenario Outline: <case>
      Given the file "mood.csv":
        """
        date,available_at,mood
        2024-01-02,<available>,0.5
        """
      When the trader runs `sandtable tools call market_observe --data acme.csv --features mood.csv --bar <before>`
      Then stdout says '"mood":null'
      When the trader runs `sandtable tools call market_observe --data acme.csv --features mood.csv --bar <from>`
      Then stdout says '"mood":{"value":0.5,"date":"2024-01-02","available_at":"<known>"}'

      Examples:
        | case                                             | available           | before | from | known               |
        | Left out: the end of the bar of its date         |                     | 0      | 1    | 2024-01-03          |
        | A day alone is known when it is over             | 2024-01-03          | 1      | 2    | 2024-01-04          |
        | A midnight in a column of days is that day       | 2024-01-03 00:00:00 | 1      | 2    | 2024-01-04          |
        | In the evening, before that day's bar has ended  | 2024-01-03 20:00    | 1      | 2    | 2024-01-03T20:00:00 |
        | In New York's evening it is the next day already | 2024-01-03 20:00-05 | 2      | 3    | 2024-01-04T01:00:00 |

    Scenario: A lag delays rows without a publication time
      Given the file "mood.csv":
        """
        date,mood
        2024-01-02,0.5
        """
      When the trader runs `sandtable tools call market_observe --data acme.csv --features mood.csv --features-lag 2d --bar 2`
      Then stdout says '"mood":null'
      When the trader runs `sandtable tools call market_observe --data acme.csv --features mood.csv --features-lag 2d --bar 3`
      Then stdout says '"value":0.5'

    Scenario: A revision is not visible before its publication
      Given the file "growth.ndjson":
        """
        {"date": "2024-01-01", "available_at": "2024-01-02T08:30", "growth": 1.1}
        {"date": "2024-01-01", "available_at": "2024-01-04T08:30", "growth": 1.7}
        {"date": "2024-01-02", "available_at": "2030-01-01", "growth": 9.9}
        """
      When the trader runs `sandtable tools call market_observe --data acme.csv --features growth.ndjson --bar 2`
      Then stdout says '"growth":{"value":1.1'
      When the trader runs `sandtable tools call market_observe --data acme.csv --features growth.ndjson`
      Then stdout says '"growth":{"value":1.7'

  Rule: Extra columns of a file of bars are features

    Scenario: Extra columns are known with their bar, under names that are valid in code
      When the trader runs `sandtable tools call market_observe --data acme.csv --bar 1`
      Then stdout says '"trades":{"value":8,"date":"2024-01-02","available_at":"2024-01-03"}'
      And stdout does not say "adj_close"
      When the trader runs `sandtable tools call market_observe --data acme.csv --bar 2`
      Then stdout says '"trades":{"value":null'

  Rule: Invalid features are refused, with all faults together

    Scenario: Faults of a file are reported with their lines
      Given the file "mood.csv":
        """
        date,available_at,mood,tone
        2024-01-02,,0.5,calm
        2024-01-02,,0.6,calm
        soon,,0.7,loud
        2024-01-04,later,abc,loud
        2024-01-05,,0.9
        2024-01-06,,1e999,odd
        """
      When the trader runs `sandtable run rules.ts --data acme.csv --features mood.csv`
      Then it ends with exit code 2
      And stderr says 'mood.csv line 3: repeats the date 2024-01-02'
      And stderr says 'mood.csv line 4: date "soon" is not a date'
      And stderr says 'mood.csv line 5: available_at "later" is not a date'
      And stderr says 'mood.csv line 5: mood: "abc" is not a number'
      And stderr says 'mood.csv line 6: has 3 cells where the header has 4'
      And stderr says 'mood.csv line 7: mood: "1e999" is not a finite number'
      And there is no stack trace

    Scenario: Reserved and duplicate column names are refused
      Given the file "mood.csv":
        """
        date,close,class,my mood,Mood,mood
        2024-01-02,1,2,3,4,5
        """
      When the trader runs `sandtable run rules.ts --data acme.csv --features mood.csv`
      Then it ends with exit code 2
      And stderr says 'the column "close" has the name of a column of the bars (call it close_2)'
      And stderr says 'the column "class" is a word of Python'
      And stderr says 'call it my_mood'
      And stderr says 'two columns are called "mood"'

    Scenario: A feature with the name of a data column is refused
      Given the file "mood.csv":
        """
        date,trades
        2024-01-02,1
        """
      When the trader runs `sandtable tools call market_observe --data acme.csv --features mood.csv`
      Then it ends with exit code 2
      And stderr says 'has the feature trades, and '
      And stderr says 'acme.csv has a column with the same name'

  Rule: Features are part of a run's record

    Scenario: A run is not replayed with a changed file of features
      Given the file "mood.csv":
        """
        date,mood
        2024-01-02,0.5
        """
      And the file "rules.ts":
        """
        import { defineStrategy } from 'sandtable';
        export default defineStrategy({
          name: 'mood',
          summary: 'Buys when the mood is good.',
          onBar({ window, orders, account }) {
            const mood = window.feature('mood');
            if (mood.last > 0 && account.units() === 0) orders.buy(1, { reason: `mood ${mood.last}` });
          },
        });
        """
      When the trader runs `sandtable run rules.ts --data acme.csv --features mood.csv --out runs`
      Then it ends with exit code 0
      When the trader replays the run
      Then it ends with exit code 0
      Given the file "mood.csv":
        """
        date,mood
        2024-01-02,0.6
        """
      When the trader replays the run
      Then it ends with exit code 2
      And stderr says 'mood.csv'

    @spawn
    Scenario: A sealed strategy sees the same features
      Given the file "mood.csv":
        """
        date,available_at,mood,tone
        2024-01-01,2024-01-02 10:00,0.5,calm
        2024-01-01,2024-01-04 10:00,0.7,loud
        2024-01-02,2030-01-01,0.9,odd
        """
      And the file "rules.ts":
        """
        import { defineStrategy } from 'sandtable';
        export default defineStrategy({
          name: 'mood',
          summary: 'Notes the mood.',
          onBar({ window, bar, record }) {
            const rows = window.feature('mood').rows({ vintages: true }).map(({ value }) => value);
            record({ type: 'note', bar, text: `${window.feature('mood').tail(9)} ${window.feature('tone').last} of ${rows}` });
          },
        });
        """
      When the trader runs `sandtable run rules.ts --data acme.csv --features mood.csv --seal --out runs`
      Then it ends with exit code 0
      When the trader runs `sandtable tools call market_observe --data acme.csv --features mood.csv`
      Then stdout says '"tone":{"value":"loud"'
      And the journal has the note "NaN,0.5,0.5,0.7,0.7 loud of 0.5,0.7"

    Scenario: Times of features are read in the time zone of the bars
      Given the file "hours.csv":
        """
        date,open,high,low,close,volume
        2024-01-02 09:30,10,11,9,10,1000
        2024-01-02 10:30,10,11,9,10,1000
        2024-01-02 11:30,10,11,9,10,1000
        2024-01-02 12:30,10,11,9,10,1000
        """
      And the file "wire.csv":
        """
        date,available_at,tone
        2024-01-02,2024-01-02 12:45,0.5
        """
      When the trader runs `sandtable tools call market_observe --data hours.csv --features wire.csv --timezone America/New_York --bar 2`
      Then stdout says '"features":{"tone":null}'
      When the trader runs `sandtable tools call market_observe --data hours.csv --features wire.csv --timezone America/New_York --bar 3`
      Then stdout says '"available_at":"2024-01-02T17:45:00"'

    Scenario: A feature that is dated by day is visible after that day ends in the time zone of the bars
      Given the file "hours.csv":
        """
        date,open,high,low,close,volume
        2024-01-02 17:30,10,11,9,10,1000
        2024-01-02 18:30,10,11,9,10,1000
        2024-01-02 19:30,10,11,9,10,1000
        2024-01-03 09:30,10,11,9,10,1000
        """
      And the file "wire.csv":
        """
        date,available_at,tone
        2024-01-01,2024-01-02,0.5
        """
      When the trader runs `sandtable tools call market_observe --data hours.csv --features wire.csv --timezone America/New_York --bar 2`
      Then stdout says '"features":{"tone":null}'
      When the trader runs `sandtable tools call market_observe --data hours.csv --features wire.csv --timezone America/New_York --bar 3`
      Then stdout says '"available_at":"2024-01-03T05:00:00"'
