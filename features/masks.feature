Feature: Masks of the market
  A mask shows another market than that of the data: other names, other dates, other prices. The strategy runs in the
  masked market, and the report is about the real one. A mask of names, dates and prices does not hide the shape of
  returns. A mask of shape changes the market itself.

  Background:
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2023-12-18,100.10,102.20,99.30,101.40,1000
      2023-12-19,101.40,103.30,100.20,102.10,1200
      2023-12-20,102.10,103.00,101.10,102.60,900
      2023-12-21,102.60,104.40,102.30,104.10,1300
      2023-12-22,104.10,105.50,103.20,105.00,1100
      2023-12-26,105.00,106.30,104.40,106.20,700
      2023-12-27,106.20,107.10,105.10,105.60,800
      2023-12-28,105.60,106.60,104.90,106.10,900
      2023-12-29,106.10,106.90,105.30,105.90,1000
      2024-01-02,105.90,107.70,105.00,107.20,1400
      """
    And the file "notes.ts":
      """
      import { defineStrategy } from 'sandtable';
      const DAY = 86_400_000;
      let before = Number.NaN;
      export default defineStrategy({
        name: 'notes',
        summary: 'Notes the weekday of each bar, and the days since the one before; buys once.',
        onBar({ bar, time, symbols, windowOf, orders, account, record }) {
          const weekday = new Date(time).getUTCDay();
          const hour = new Date(time).toISOString().slice(11, 16);
          const steps = Number.isNaN(before) ? 0 : (time - before) / DAY;
          before = time;
          const isNext = steps === 0 || steps < 1 || steps === (weekday === 1 ? 3 : 1);
          record({ type: 'note', bar, text: `${weekday > 0 && weekday < 6 && isNext ? 'next trading day' : 'a gap'} at ${hour}` });
          if (bar === 1) orders.submit({ action: 'buy', symbol: symbols[0], equityFraction: 0.5 });
          if (bar === 5) {
            const { close } = windowOf(symbols[0]);
            const worth = account.units() * close.last;
            record({ type: 'note', bar, text: `half of the money is ${Math.round(worth / 1000)} thousand` });
          }
        },
      });
      """

  Scenario: A mask removes holidays, leaves amounts of money realistic, and reports real dates
    When the trader runs `sandtable run notes.ts --data acme.csv --mask symbols,dates,prices --out runs --verbose`
    Then it ends with exit code 0
    And the journal has the note "next trading day at 00:00"
    And the journal does not have the note "a gap at 00:00"
    And the journal has the note "half of the money is 52 thousand"
    And stdout says "2023-12-18 → 2024-01-02"

  Scenario: Hourly bars remain at the same distance from the first bar of their day
    Given the file "hours.csv":
      """
      date,open,high,low,close,volume
      2023-12-21 14:30,100.10,102.20,99.30,101.40,1000
      2023-12-21 15:30,101.40,103.30,100.20,102.10,1200
      2023-12-21 16:30,102.10,103.00,101.10,102.60,900
      2023-12-22 14:30,102.60,104.40,102.30,104.10,1300
      2023-12-22 15:30,104.10,105.50,103.20,105.00,1100
      2023-12-22 16:30,104.10,105.50,103.20,105.00,1100
      2023-12-26 14:30,105.00,106.30,104.40,106.20,700
      2023-12-26 15:30,106.20,107.10,105.10,105.60,800
      """
    When the trader runs `sandtable run notes.ts --data hours.csv --mask dates --out runs --verbose`
    Then it ends with exit code 0
    And the journal has the note "next trading day at 09:00"
    And the journal has the note "next trading day at 11:00"
    And stdout says "2023-12-21"

  Scenario: An interrupted run resumes behind its mask and can be replayed
    When the trader runs `sandtable run notes.ts --data acme.csv --mask symbols,dates,prices --out runs --quiet`
    And the run's journal is cut in the middle of line 9
    And the trader resumes the run with "--quiet"
    Then it ends with exit code 0
    And the run's journal is as it was before the cut
    When the trader replays the run
    Then it ends with exit code 0

  Scenario: A mask of shape makes another market, and the report states this
    Given the file "prices.csv" with 200 simulated bars
    When the trader runs `sandtable run strategies/sma-cross.ts --data prices.csv --mask symbols,dates,prices,shape --out runs --verbose`
    Then it ends with exit code 0
    And stdout says "market of another shape"
    When the trader replays the run
    Then it ends with exit code 0

  Scenario: A mask of shape refuses data that belongs to real days
    Given the file "actions.csv":
      """
      symbol,date,kind,amount,ratio
      ACME,2023-12-21,dividend,0.35,
      """
    When the trader runs `sandtable run notes.ts --data acme.csv --actions actions.csv --mask shape --out runs`
    Then it ends with exit code 2
    And stderr says "--mask shape changes the order of returns"
    And stderr says "--actions: belongs to days of the real market"

  Scenario: A sweep runs behind a mask
    Given the file "prices.csv" with 200 simulated bars
    When the trader runs `sandtable sweep strategies/sma-cross.ts --data prices.csv --param fast=5,10 --param slow=20,40 --mask symbols,dates,prices --out runs --quiet`
    Then it ends with exit code 0

  Scenario: A feature whose name reveals a symbol is refused
    Given the file "mood.csv":
      """
      date,symbol,acme_mood
      2023-12-19,ACME,0.5
      """
    When the trader runs `sandtable run notes.ts --data acme.csv --features mood.csv --mask symbols --out runs`
    Then it ends with exit code 2
    And stderr says "the name of acme_mood has the symbol acme"
