Feature: Point-in-time adjusted prices
  Prices adjusted for later splits and dividends reveal the future. With --adjust point-in-time, history is adjusted at
  each split and dividend, never before. Fills and the account use the prices of the day.

  Background:
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2024-01-01,100,110,90,100,10
      2024-01-02,100,110,90,100,10
      2024-01-03,50,55,45,50,20
      2024-01-04,50,55,45,50,20
      2024-01-05,49,55,45,50,20
      """
    And the file "actions.csv":
      """
      symbol,date,kind,amount,ratio,price
      ACME,2024-01-03,split,,2:1,
      ACME,2024-01-05,dividend,1,,
      """

  Scenario Outline: <what>
    When the trader runs `sandtable tools call market_history --data acme.csv --actions actions.csv --adjust point-in-time --bar <bar>`
    Then stdout says '"bars":[["2024-01-01",<first>'

    Examples:
      | what                                                | bar | first               |
      | Before the split, history is as it was paid         | 1   | 100,110,90,100,10   |
      | From the split on it is halved, and its volume doubled | 2 | 50,55,45,50,20      |
      | Before the dividend nothing of it is there          | 3   | 50,55,45,50,20      |
      | From the dividend on its fiftieth is taken off      | 4   | 49,53.9,44.1,49,20  |

  Scenario: Adjustment without a file of actions is refused
    When the trader runs `sandtable tools call market_history --data acme.csv --adjust point-in-time`
    Then it ends with exit code 2
    And stderr says 'adjust requires a file of splits and dividends'

  Scenario: An unknown adjustment is refused
    When the trader runs `sandtable tools call market_history --data acme.csv --actions actions.csv --adjust back`
    Then it ends with exit code 2
    And stderr says '--adjust'

  Rule: Every kind of strategy sees the same prices

    Background:
      Given the file "rules.ts":
        """
        import { defineStrategy } from 'sandtable';
        export default defineStrategy({
          name: 'looks',
          summary: 'Notes what it is shown.',
          onBar({ window, bar, orders, record }) {
            record({ type: 'note', bar, text: `bar ${bar}: ${window.close.tail(9)} after ${window.rebasings.length}` });
            if (bar === 0) orders.buy(1);
          },
        });
        """

    Scenario: A strategy sees adjusted prices and pays the prices of the day
      When the trader runs `sandtable run rules.ts --data acme.csv --actions actions.csv --adjust point-in-time --out runs`
      Then it ends with exit code 0
      And the journal has the note "bar 1: 100,100 after 0"
      And the journal has the note "bar 3: 50,50,50,50 after 1"
      And the journal has the note "bar 4: 49,49,49,49,50 after 2"
      When the trader replays the run
      Then it ends with exit code 0

    @spawn
    Scenario: A sealed strategy sees the same prices
      When the trader runs `sandtable run rules.ts --data acme.csv --actions actions.csv --adjust point-in-time --seal --out runs`
      Then it ends with exit code 0
      And the journal has the note "bar 3: 50,50,50,50 after 1"
      And the journal has the note "bar 4: 49,49,49,49,50 after 2"
