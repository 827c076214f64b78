Feature: Fundamentals and the universe
  A figure is known from its publication, and a restated figure from its restatement. The universe contains the symbols
  that were members at the time, not only those that survived.

  Background:
    Given the file "acme.csv":
      """
      date,open,high,low,close,volume
      2024-01-01,10,11,9,10,1000
      2024-01-02,10,11,9,10,1000
      2024-01-03,10,11,9,10,1000
      2024-01-04,10,11,9,10,1000
      2024-01-05,10,11,9,10,1000
      """
    And the file "figures.csv":
      """
      symbol,field,period_end,available_at,value
      ACME,revenue,2023-09-30,2023-11-02,100
      ACME,revenue,2023-12-31,2024-01-03,120
      ACME,revenue,2023-09-30,2024-01-04 12:00,90
      ACME,revenue,2023-12-31,2030-01-01,1
      ACME,fraud_provision,2023-12-31,2030-01-01,999
      OTHER,revenue,2023-12-31,2024-01-02,7
      """

  Rule: Only published figures are visible

    Scenario Outline: Revenue at bar <bar> contains only published values
      When the trader runs `sandtable tools call fundamentals '{"field":"revenue"}' --data acme.csv --fundamentals figures.csv --bar <bar>`
      Then stdout says '<rows>'
      And stdout does not say '2030'

      Examples:
        | bar | rows |
        | 1   | "rows":[{"period_end":"2023-09-30","available_at":"2023-11-03","value":100}] |
        | 2   | "value":100},{"period_end":"2023-12-31","available_at":"2024-01-04","value":120}] |
        | 3   | "available_at":"2024-01-04T12:00:00","value":90},{"period_end":"2023-12-31","available_at":"2024-01-04","value":120}] |

    Scenario: Vintages are listed, and a field that is published later counts as unknown
      When the trader runs `sandtable tools call fundamentals '{"field":"revenue","vintages":true}' --data acme.csv --fundamentals figures.csv`
      Then stdout says '"value":100},{"period_end":"2023-09-30","available_at":"2024-01-04T12:00:00","value":90},'
      When the trader runs `sandtable tools call fundamentals '{}' --data acme.csv --fundamentals figures.csv`
      Then stdout says '"fields":["revenue"]'
      When the trader runs `sandtable tools call fundamentals '{"field":"fraud_provision"}' --data acme.csv --fundamentals figures.csv`
      Then stdout says 'Known figures of ACME: revenue.'

    @python
    Scenario Outline: Python returns only published figures at bar <bar>
      When the trader runs `sandtable tools call --data acme.csv --fundamentals figures.csv --bar <bar>` with the input:
        """
        {"name": "compute", "arguments": {"code": "[fundamentals('ACME', 'revenue', 9).value.tolist(), len(fundamentals('ACME', 'fraud_provision'))]"}}
        {"name": "compute", "arguments": {"code": "fundamentals('ACME', 'revenue', 9, vintages=True).value.tolist()"}}
        {"name": "exec_code", "arguments": {"source": "fundamentals('ACME', 'revenue').value.tolist()"}}
        """
      Then stdout says '{"result":[<values>,0]}'
      And stdout says '{"result":<vintages>}'
      And stdout says '"value_repr":"<newest>"'

      Examples:
        | bar | values      | vintages       | newest  |
        | 1   | [100]      | [100]         | [100.0] |
        | 2   | [100,120]   | [100,120]      | [120.0] |
        | 4   | [90,120]    | [100,90,120]   | [120.0] |

    Scenario: Faults are reported with their lines
      Given the file "bad.csv":
        """
        symbol,field,period_end,available_at,value
        ACME,revenue,2023-12-31,2023-11-02,100
        ACME,,2023-12-31,,ten
        """
      When the trader runs `sandtable tools call fundamentals '{}' --data acme.csv --fundamentals bad.csv`
      Then it ends with exit code 2
      And stderr says 'bad.csv line 2: available_at is before period_end'
      And stderr says 'bad.csv line 3: the field is empty'
      And stderr says 'bad.csv line 3: the available_at is empty'
      And stderr says 'bad.csv line 3: value "ten" is not a finite number'

  Rule: An order outside the universe is refused

    Scenario: Orders are refused before a symbol joins the universe and after it leaves
      Given the file "members.csv":
        """
        symbol,from,to
        ACME,2024-01-02,2024-01-03
        GONE,,2020-01-01
        """
      And the file "rules.ts":
        """
        import { defineStrategy } from 'sandtable';
        export default defineStrategy({
          name: 'member',
          summary: 'Buys every day and sells at the end.',
          onBar({ bar, orders, universe, record }) {
            const receipt = bar === 4 ? orders.close() : orders.buy(1);
            record({ type: 'note', bar, text: `${bar} ${universe()} ${receipt.accepted || receipt.refusal.code}` });
          },
        });
        """
      When the trader runs `sandtable run rules.ts --data acme.csv --universe members.csv --fundamentals figures.csv --out runs`
      Then it ends with exit code 0
      And stderr says 'members.csv: the data have no bars of GONE'
      And stderr says 'ignored 1 row of OTHER, not in the data'
      And the journal has the note "0  not_in_universe"
      And the journal has the note "1 ACME true"
      And the journal has the note "2 ACME true"
      And the journal has the note "3  not_in_universe"
      And the journal has the note "4  true"
      And the journal says '"code":"not_in_universe","message":"ACME is not in the universe on this bar'
      And the journal says '{"type":"universe_changed","bar":3,"entered":[],"left":["ACME"]}'
      And the manifest says '"kind": "universe"'
      When the trader replays the run
      Then it ends with exit code 0
