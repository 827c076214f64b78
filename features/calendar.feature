Feature: Time zones and calendars of exchanges
  Timestamps without a zone are read as local times of the zone that the trader sets. The calendar of an exchange
  distinguishes holidays from missing bars. Prices that are already adjusted for a later split are reported.

  Scenario: Local times of New York are converted to UTC in winter and in summer
    Given the file "spy.csv":
      """
      date,open,high,low,close,volume
      2020-03-06 09:30,100,102,99,101,1000
      2020-03-06 10:30,100,102,99,101,1000
      2020-03-09 09:30,100,102,99,101,1000
      2020-03-09 10:30,100,102,99,101,1000
      """
    When the trader runs `sandtable data check spy.csv --timezone America/New_York`
    Then it ends with exit code 0
    And stdout says "SPY: 4 bars, 2020-03-06T14:30:00 to 2020-03-09T14:30:00"
    When the trader runs `sandtable data check spy.csv --timezone Amerika/New_York`
    Then it ends with exit code 2
    And stderr says 'Unknown time zone "Amerika/New_York"'

  Scenario: A local time that daylight saving skips is refused
    Given the file "spy.csv":
      """
      date,open,high,low,close,volume
      2020-03-08 01:30,100,102,99,101,1000
      2020-03-08 02:30,100,102,99,101,1000
      """
    When the trader runs `sandtable data check spy.csv --timezone America/New_York`
    Then it ends with exit code 2
    And stderr says 'line 3: "2020-03-08 02:30" does not exist in America/New_York'

  Scenario: A calendar distinguishes holidays from missing sessions
    Given the file "spy.csv":
      """
      date,open,high,low,close,volume
      2019-07-02,100,102,99,101,1000
      2019-07-03,100,102,99,101,1000
      2019-07-05,100,102,99,101,1000
      2019-07-06,100,102,99,101,1000
      2019-07-09,100,102,99,101,1000
      """
    When the trader runs `sandtable data check spy.csv --calendar XNYS`
    Then it ends with exit code 0
    And stdout says "XNYS has 5 sessions in this period"
    And stdout says "1 session without a bar: 2019-07-08"
    And stdout says "1 day with bars on which XNYS is closed: 2019-07-06"
    And stdout says "1 half day: 2019-07-03"
    When the trader runs `sandtable data check spy.csv --calendar XNYX`
    Then it ends with exit code 2
    And stderr says "Did you mean XNYS?"

  Scenario: Prices that are already adjusted for a later split are reported
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2020-08-28,125,127,124,126,1000
      2020-08-31,127,131,126,129,1000
      """
    And the file "raw.csv":
      """
      date,open,high,low,close,volume
      2020-08-28,500,508,496,504,1000
      2020-08-31,127,131,126,129,1000
      """
    And the file "actions.csv":
      """
      symbol,date,kind,amount,ratio
      ACME,2020-08-31,split,,4:1
      RAW,2020-08-31,split,,4:1
      """
    When the trader runs `sandtable data check acme.csv --actions actions.csv`
    Then it ends with exit code 0
    And stdout says "prices do not jump at the 4:1 split of 2020-08-31: they look adjusted for it already"
    When the trader runs `sandtable data check raw.csv --actions actions.csv`
    Then stdout says "RAW: 2 bars"
    And stdout is without "look adjusted"

  Scenario: A run reports the days that differ from the calendar and continues
    Given the file "days.csv":
      """
      date,open,high,low,close,volume
      2024-11-27,10,11,9,10,1000
      2024-11-28,10,11,9,10,1000
      2024-11-29,10,11,9,10,1000
      2024-12-03,10,11,9,10,1000
      """
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data days.csv --calendar XNYS --out runs`
    Then it ends with exit code 0
    And stderr says 'DAYS: sessions of XNYS without a bar: 1 (2024-12-02)'
    And stderr says 'DAYS: days with bars though XNYS was closed: 1 (2024-11-28)'
    And stderr says 'DAYS: half days of XNYS: 1 (2024-11-29)'
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data days.csv --calendar XNYE --out runs`
    Then it ends with exit code 2
    And stderr says 'Unknown calendar "XNYE"'
    And stderr says "Known calendars: XNYS, XNAS, XLON, XETR, XTKS"

  Scenario: A calendar file that lists the sessions instead of the closed days is refused
    Given the file "open.csv":
      """
      date,closes
      2024-11-27,
      2024-11-28,
      2024-11-29,
      """
    And the file "days.csv":
      """
      date,open,high,low,close,volume
      2024-11-27,10,11,9,10,1000
      2024-11-28,10,11,9,10,1000
      2024-11-29,10,11,9,10,1000
      2024-12-02,10,11,9,10,1000
      """
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data days.csv --calendar open.csv --out runs`
    Then it ends with exit code 2
    And stderr says "DAYS has bars on 3 days on which open.csv is closed, and on 1 of its sessions."
    And stderr says "A calendar file lists the closed days, not the sessions."

  Scenario: A calendar file with one row for a year gives a warning
    Given the file "own.csv":
      """
      date,closes
      2024-11-28,
      """
    And the file "days.csv":
      """
      date,open,high,low,close,volume
      2024-11-27,10,11,9,10,1000
      2024-11-29,10,11,9,10,1000
      """
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data days.csv --calendar own.csv --out runs --quiet`
    Then it ends with exit code 0
    And stderr says "The calendar own.csv has 261 sessions in 2024."
    When the trader runs `sandtable data check days.csv --calendar own.csv`
    Then stdout says "The calendar own.csv has 261 sessions in 2024."

  Scenario: A run uses a custom calendar and replays without its file
    Given the file "own.csv":
      """
      date,closes
      2024-11-28,
      2024-11-29,13:00
      2024-11-30,12:00
      """
    And the file "days.csv":
      """
      date,open,high,low,close,volume
      2024-11-27,10,11,9,10,1000
      2024-11-28,10,11,9,10,1000
      2024-11-29,10,11,9,10,1000
      2024-12-02,10,11,9,10,1000
      """
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data days.csv --calendar own.csv --out runs`
    Then it ends with exit code 0
    And stderr says 'DAYS: sessions of own.csv without a bar: 1 (2024-11-30)'
    And stderr says 'DAYS: days with bars though own.csv was closed: 1 (2024-11-28)'
    And stderr says 'DAYS: half days of own.csv: 2 (2024-11-29, 2024-11-30)'
    And the journal says '"closed":["2024-11-28"],"early":{"2024-11-29":"13:00","2024-11-30":"12:00"}'
    When the trader runs `sandtable data check days.csv --calendar own.csv`
    Then stdout says "own.csv has 4 sessions in this period"
    # The run stores the days, so a replay does not need the calendar file.
    Given the file "own.csv":
      """
      nothing
      """
    When the trader replays the run
    Then it ends with exit code 0

  Scenario: A calendar can be a JSON file
    Given the file "own.json":
      """
      [{"date": "2024-11-28"}, {"date": "2024-11-29", "closes": "13:00"}]
      """
    And the file "days.csv":
      """
      date,open,high,low,close,volume
      2024-11-27,10,11,9,10,1000
      2024-11-29,10,11,9,10,1000
      """
    When the trader runs `sandtable data check days.csv --calendar own.json`
    Then stdout says "own.json has 2 sessions in this period"

  Scenario: All faults of a calendar are reported together
    Given the file "own.csv":
      """
      date,closes
      2024-02-30,
      2024-11-29,1 pm
      2024-12-24,13:00
      2024-12-24,
      2024-12-25T10:00,
      """
    And the file "days.csv":
      """
      date,open,high,low,close,volume
      2024-11-27,10,11,9,10,1000
      """
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data days.csv --calendar own.csv --out runs`
    Then it ends with exit code 2
    And stderr says 'The calendar cannot be used: 4 faults'
    And stderr says 'own.csv line 2: date "2024-02-30" is not a date'
    And stderr says 'own.csv line 3: "1 pm" is not a time of day such as 13:00'
    And stderr says 'own.csv line 5: repeats 2024-12-24 of '
    And stderr says 'own.csv line 6: "2024-12-25T10:00" has a time of day: give the date only'
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data days.csv --calendar none.csv --out runs`
    Then it ends with exit code 2
    And stderr says 'none.csv: the file or folder does not exist'

  Scenario: Invalid session hours are refused
    Given the file "days.csv":
      """
      date,open,high,low,close,volume
      2024-11-27,10,11,9,10,1000
      """
    When the trader runs `sandtable run strategies/buy-and-hold.ts --data days.csv --session 9-16 --out runs`
    Then it ends with exit code 2
    And stderr says 'Invalid session "9-16". Expected hours such as 09:30-16:00'

  # New York is closed on 4 July 2019, London on 26 August. London's order of 3 July fills on the 4th, New York's on the 5th.
  Scenario: Two symbols with different holidays fill at their own next bars
    Given the file "apple.csv":
      """
      date,open,high,low,close,volume
      2019-07-03,10,11,9,10,1000
      2019-07-05,12,13,11,12,1000
      2019-07-08,12,13,11,12,1000
      """
    And the file "shell.csv":
      """
      date,open,high,low,close,volume
      2019-07-03,20,21,19,20,1000
      2019-07-04,22,23,21,22,1000
      2019-07-05,22,23,21,22,1000
      2019-07-08,22,23,21,22,1000
      """
    And the file "stale.ts":
      """
      import { defineStrategy } from 'sandtable';

      export default defineStrategy({
        name: 'holidays',
        summary: 'Says who rests.',
        onBar: ({ bar, orders, account, windowOf, record }) => {
          const stale = ['APPLE', 'SHELL'].filter((symbol) => windowOf(symbol).isStale);
          record({ type: 'note', bar, text: `${bar} stale: ${stale}; has ${account.units('APPLE')} and ${account.units('SHELL')}` });
          if (bar > 0) return;
          orders.buy(1, { symbol: 'APPLE', timeInForce: 'DAY' });
          orders.buy(1, { symbol: 'SHELL', timeInForce: 'DAY' });
        },
      });
      """
    When the trader runs `sandtable run stale.ts --data apple.csv shell.csv --calendar XNYS --out runs --json`
    Then it ends with exit code 0
    And stderr says 'SHELL: days with bars though XNYS was closed: 1 (2019-07-04)'
    And the journal has the note "1 stale: APPLE; has 0 and 1"
    And the journal has the note "2 stale: ; has 1 and 1"

  # Thanksgiving's week in New York: Wednesday until 16:00, Thursday closed, Friday until 13:00, which is 18:00 in UTC.
  Rule: Longer bars follow sessions

    Background:
      Given the file "hours.csv":
        """
        date,open,high,low,close,volume
        2024-11-27T14:30,10,13,9,12,100
        2024-11-27T15:30,10,13,9,10,100
        2024-11-27T16:30,10,13,9,11,100
        2024-11-27T17:30,10,13,9,12,100
        2024-11-27T18:30,10,13,9,10,100
        2024-11-27T19:30,10,13,9,11,100
        2024-11-27T20:30,10,13,9,12,100
        2024-11-29T14:30,10,13,9,11,100
        2024-11-29T15:30,10,13,9,12,100
        2024-11-29T16:30,10,13,9,10,100
        2024-11-29T17:30,10,13,9,11,100
        2024-12-02T14:30,10,13,9,10,100
        """
      And the file "longer.ts":
        """
        import { defineStrategy } from 'sandtable';

        export default defineStrategy({
          name: 'longer',
          summary: 'Says how many longer bars are over.',
          onBar({ bar, window, record }) {
            const over = ['4h', '1d', '1w'].map((rule) => window.resample(rule).length);
            record({ type: 'note', bar, text: `bar ${bar}: ${over.join(' ')}` });
          },
        });
        """

    Scenario Outline: A daily bar ends at the close, also on a half day, and a weekly bar with its last session: <flags> <seal>
      When the trader runs `sandtable run longer.ts --data hours.csv <flags> --out runs <seal> --json`
      Then it ends with exit code 0
      And the journal has the note "bar 3: <fourth>"
      And the journal has the note "bar 6: <wednesday>"
      And the journal has the note "bar 9: <noon>"
      And the journal has the note "bar 10: <friday>"

      Examples:
        | flags                                             | seal   | fourth | wednesday | noon  | friday |
        | --calendar XNYS                                   |        | 1 0 0  | 2 1 0     | 2 1 0 | 3 2 1  |
        | --calendar XNYS                                   | --seal | 1 0 0  | 2 1 0     | 2 1 0 | 3 2 1  |
        | --session 14:30-21:00                             |        | 1 0 0  | 2 1 0     | 2 1 0 | 3 1 0  |
        |                                                   |        | 1 0 0  | 2 0 0     | 4 1 0 | 4 1 0  |

    @python @deep
    Scenario: Resampled bars in Python follow sessions
      When the trader runs `sandtable compute "[len(df.resample_bars(r)) for r in ('4h', '1d', '1w')]" --data hours.csv --calendar XNYS --bar 10`
      Then stdout says '[3,2,1]'
