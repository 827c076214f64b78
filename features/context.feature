Feature: Context: series that are shown and not traded
  A slower series, or another market: each of its bars is shown when it has ended, and never before, however long it lasts.

  Background:
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2024-01-04,10,11,9,10,1000
      2024-01-05,10,11,9,10,1000
      2024-01-08,10,11,9,10,1000
      2024-01-09,10,11,9,10,1000
      2024-01-10,10,11,9,10,1000
      2024-01-12,10,11,9,10,1000
      2024-01-15,10,13,9,12,1000
      2024-01-16,10,13,9,12,1000
      """
    And the file "wk.csv":
      """
      date,open,high,low,close,volume
      2023-12-18,4,6,4,5,500
      2023-12-25,5,7,5,6,500
      2024-01-01,6,8,6,7,500
      2024-01-08,7,9,7,8,500
      2024-01-15,8,777,8,777,500
      """

  Rule: A bar is shown when it has ended

    Scenario Outline: The week that ends on a Sunday is shown with Monday's bar, on <day>
      When the trader runs `sandtable tools call market_observe '{"symbol": "WK"}' --data acme.csv --context wk.csv --bar <bar>`
      Then stdout says '"date":"<week>"'
      And stdout says '"context":true'

      Examples:
        | day        | bar | week       |
        | 2024-01-04 | 0   | 2023-12-25 |
        | 2024-01-05 | 1   | 2023-12-25 |
        | 2024-01-08 | 2   | 2024-01-01 |
        | 2024-01-12 | 5   | 2024-01-01 |
        | 2024-01-15 | 6   | 2024-01-08 |
        | 2024-01-16 | 7   | 2024-01-08 |

    @python
    Scenario: Python has it by its symbol, and no row more
      When the trader runs `sandtable compute "[len(df), df_wk.close.tolist()]" --data acme.csv --context wk.csv --bar 2`
      Then stdout says '[3,[5,6,7]]'

    Scenario: A tool gives its history
      When the trader runs `sandtable tools call market_history '{"symbol": "WK", "bars": 200}' --data acme.csv --context wk.csv`
      Then stdout says '2024-01-08'
      And stdout does not say '777'

  Rule: It is no symbol of the market

    Scenario: An order for it is refused by name
      When the trader runs `sandtable tools call trade_execute '{"action": "buy", "quantity": 1, "symbol": "WK"}' --data acme.csv --context wk.csv`
      Then stdout says 'WK is context: it is shown and cannot be traded.'

    Scenario: A series that is traded cannot be context too
      When the trader runs `sandtable tools call market_observe --data acme.csv --context acme.csv`
      Then it ends with exit code 2
      And stderr says 'ACME: is traded, and cannot be context too'

  Rule: A run is its context too

    Background:
      Given the file "rules.ts":
        """
        import { defineStrategy } from 'sandtable';
        export default defineStrategy({
          name: 'weeks',
          summary: 'Buys while the weeks rise.',
          onBar({ window, bar, orders, account, record }) {
            const weeks = window.context('WK');
            record({ type: 'note', bar, text: `weeks ${weeks.close.tail(9)}${weeks.isStale ? '' : ' new'}` });
            if (weeks.close.last > 7 && account.units() === 0) orders.buy(1);
          },
        });
        """

    Scenario: It is in the manifest and the trace, and another file is not replayed
      When the trader runs `sandtable run rules.ts --data acme.csv --context wk.csv --out runs`
      Then it ends with exit code 0
      And the journal has the note "weeks 5,6,7,8 new"
      And the journal has the note "weeks 5,6,7"
      When the trader replays the run
      Then it ends with exit code 0
      Given the file "wk.csv":
        """
        date,open,high,low,close,volume
        2024-01-01,6,8,6,7,500
        2024-01-08,7,9,7,8,501
        """
      When the trader replays the run
      Then it ends with exit code 2
      And stderr says 'wk.csv'

    Scenario: Bars that end later change nothing that was decided before
      When the trader runs `sandtable run rules.ts --data acme.csv --context wk.csv --to 2024-01-12 --out runs`
      Then it ends with exit code 0
      And the journal does not have the note "weeks 5,6,7,8 new"

    Scenario: Behind a mask it is renamed, moved and multiplied
      Given the file "masked.ts":
        """
        import { defineStrategy } from 'sandtable';
        export default defineStrategy({
          name: 'masked',
          summary: 'Notes what it sees.',
          onBar({ contextSymbols: [name = ''], context, bar, record }) {
            const same = context(name).close.last === 8;
            record({ type: 'note', bar, text: `${name} ${same ? 'shows' : 'hides'} its price` });
          },
        });
        """
      When the trader runs `sandtable run masked.ts --data acme.csv --context wk.csv --mask symbols,dates,prices --out runs`
      Then it ends with exit code 0
      And the journal has the note "C1 hides its price"

    Scenario: A sweep is given it
      Given the file "level.ts":
        """
        import { defineStrategy, z } from 'sandtable';
        export default defineStrategy({
          name: 'level',
          summary: 'Buys once the weeks are above a level.',
          parameters: z.object({ level: z.coerce.number().default(7) }),
          onBar({ window, orders, account }, { parameters }) {
            if (window.context('WK').close.last > parameters.level && account.units() === 0) orders.buy(1);
          },
        });
        """
      When the trader runs `sandtable sweep level.ts --data acme.csv --context wk.csv --param level=4,700 --objective finalEquity --keep none --jobs 1 --out runs --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | trials | 2 |
        | failed | 0 |
      And stdout says '"level": 4'

    @spawn
    Scenario: A sealed strategy is shown the same, and no more
      When the trader runs `sandtable run rules.ts --data acme.csv --context wk.csv --seal --out runs`
      Then it ends with exit code 0
      And the journal has the note "weeks 5,6,7,8 new"
      And the journal has the note "weeks 5,6,7,8"
