Feature: Context: series that are visible but not traded
  A slower series or another market. Each bar becomes visible when it has ended, whatever its length.

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

  Rule: A bar becomes visible when it has ended

    Scenario Outline: A week that ends on a Sunday becomes visible with Monday's bar: <day>
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
    Scenario: Python contains a context series by its symbol, up to the current bar
      When the trader runs `sandtable compute "[len(df), df_wk.close.tolist()]" --data acme.csv --context wk.csv --bar 2`
      Then stdout says '[3,[5,6,7]]'

    Scenario: market_history returns the history of a context series
      When the trader runs `sandtable tools call market_history '{"symbol": "WK", "bars": 200}' --data acme.csv --context wk.csv`
      Then stdout says '2024-01-08'
      And stdout does not say '777'

  Rule: A context series is not part of the market

    Scenario: An order for a context symbol is refused
      When the trader runs `sandtable tools call trade_execute '{"action": "buy", "quantity": 1, "symbol": "WK"}' --data acme.csv --context wk.csv`
      Then stdout says 'WK is a context symbol: it is visible but cannot be traded.'

    Scenario: A traded series cannot also be context
      When the trader runs `sandtable tools call market_observe --data acme.csv --context acme.csv`
      Then it ends with exit code 2
      And stderr says 'ACME: is traded, so it cannot also be context'

  Rule: Context is part of a run's record

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

    Scenario: Context is recorded, and a run with a changed file is not replayed
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

    Scenario: An interrupted run resumes with its context, and is refused with a changed file
      When the trader runs `sandtable run rules.ts --data acme.csv --context wk.csv --out runs --quiet`
      And the run's journal is cut in the middle of line 12
      And the trader resumes the run with "--quiet"
      Then it ends with exit code 0
      And the run's journal is as it was before the cut
      Given the file "wk.csv":
        """
        date,open,high,low,close,volume
        2024-01-01,6,8,6,7,500
        2024-01-08,7,9,7,8,501
        """
      When the run's journal is cut in the middle of line 12
      And the trader resumes the run with "--quiet"
      Then it ends with exit code 2
      And stderr says 'wk.csv'

    Scenario: Worlds of a stress test use the original context
      Given the file "prices.csv" with 60 simulated bars
      And the file "wk.csv":
        """
        date,open,high,low,close,volume
        1999-12-13,4,6,4,5,500
        1999-12-20,4,6,4,5,500
        1999-12-27,4,6,4,5,500
        2000-01-24,8,9,7,8,500
        2029-12-31,8,777,8,777,500
        """
      And the file "shown.ts":
        """
        import { defineStrategy } from 'sandtable';
        export default defineStrategy({
          name: 'shown',
          summary: 'Stops where the context of a world is not what it was.',
          onBar({ window, time, orders, account }) {
            const shown = window.context('WK').close.last;
            if (shown !== (time < Date.parse('2000-01-30') ? 5 : 8)) throw new Error(`shown ${shown}`);
            if (shown === 8 && account.units() === 0) orders.buy(1);
          },
        });
        """
      When the trader runs `sandtable stress shown.ts --data prices.csv --context wk.csv --worlds 12 --jobs 1 --out tests --json`
      Then it ends with exit code 0
      And stdout is one JSON document with:
        | worlds | 12 |
        | failed | 0  |

    @browser
    Scenario: The trace shows when context bars and feature rows became available
      Given a browser is at hand
      And the file "mood.csv":
        """
        date,available_at,mood
        2024-01-02,2024-01-03 12:00,3
        """
      When the trader runs `sandtable run rules.ts --data acme.csv --context wk.csv --features mood.csv --out runs --quiet`
      And the trader makes the trace of the run
      And the trader opens the trace of the run on a desktop
      And he goes to bar 0
      Then the bar shown has "WK 2023-12-25, available at 2024-01-01"
      And the bar shown has "available at 2024-01-03T12:00:00"

    @spawn
    Scenario: An MCP client sees a context bar once it has ended and cannot trade the series
      When an MCP client connects to `sandtable mcp --data acme.csv --context wk.csv --out runs --tools market_observe trade_execute`
      And the client calls next_bar with `{"bars": 7}`
      And the client calls market_observe with `{"symbol": "WK"}`
      Then the answer holds `{"symbol": "WK", "context": true}`
      When the client calls trade_execute with `{"action": "buy", "quantity": 1, "symbol": "WK"}`
      Then the answer is an error that says "WK is a context symbol: it is visible but cannot be traded."
      When the client calls finish
      And the client leaves
      Then the journal says '"type":"context_known"'

    Scenario: Later bars change no earlier decision
      When the trader runs `sandtable run rules.ts --data acme.csv --context wk.csv --to 2024-01-12 --out runs`
      Then it ends with exit code 0
      And the journal does not have the note "weeks 5,6,7,8 new"

    Scenario: A mask renames context, shifts its dates and scales its prices
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

    Scenario: Trials of a sweep receive context
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

    @spawn @deep
    Scenario: A sealed strategy sees the same context
      When the trader runs `sandtable run rules.ts --data acme.csv --context wk.csv --seal --out runs`
      Then it ends with exit code 0
      And the journal has the note "weeks 5,6,7,8 new"
      And the journal has the note "weeks 5,6,7,8"
