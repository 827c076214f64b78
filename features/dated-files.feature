Feature: Files with a publication time
  A file of --vfs may have an available_at, in its head or in a file next to it. The file becomes visible with the first
  bar that ends at or after that time. A file without one is visible from the start, and the run is not sealed.

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
    And the file "desk/letter.md":
      """
      ---
      available_at: 2024-01-03T12:30Z
      ---
      Orders are strong.
      """
    And the file "desk/table.csv":
      """
      rate
      5
      """
    And the file "desk/table.csv.meta.json":
      """
      {"available_at": "2024-01-04"}
      """
    And the file "desk/last.md":
      """
      ---
      available_at: 2030-01-01
      ---
      It doubled.
      """

  Scenario Outline: Only published files are visible at bar <bar>
    When the trader runs `sandtable tools call vfs_list --data acme.csv --vfs desk --bar <bar>`
    Then stdout says '{"count":<count>,'
    And stdout does not say 'last.md'
    And stdout does not say 'meta.json'
    When the trader runs `sandtable tools call vfs_read '{"path":"letter.md"}' --data acme.csv --vfs desk --bar <bar>`
    Then stdout says '<letter>'
    When the trader runs `sandtable tools call vfs_read '{"path":"last.md"}' --data acme.csv --vfs desk --bar <bar>`
    Then stdout says 'The file '

    Examples:
      | bar | count | letter                       |
      | 1   | 0     | The file          |
      | 2   | 1     | Orders are strong.           |
      | 3   | 2     | Orders are strong.           |

  Scenario: All invalid publication times are reported together
    Given the file "desk/bad.md":
      """
      ---
      available_at: soon
      ---
      """
    And the file "desk/gone.md.meta.json":
      """
      {"available_at": "2024-01-04"}
      """
    When the trader runs `sandtable tools call vfs_list --data acme.csv --vfs desk`
    Then it ends with exit code 2
    And stderr says 'bad.md: available_at "soon" is not a date'
    And stderr says 'gone.md.meta.json: it describes gone.md, which does not exist'
    And there is no stack trace

  Rule: A run with dated files is sealed

    Background:
      Given a model that plays:
        """
        {"steps": [
          {"when": {"round": 1}, "times": "any", "reply": {"tool_calls": [{"name": "vfs_list"}, {"name": "vfs_read", "arguments": {"path": "letter.md"}}]}},
          {"when": {"round": 2}, "times": "any", "reply": {"text": "Read."}}]}
        """
      And the model's strategy "trader.md" with "tools: [vfs_list, vfs_read]"

    Scenario: The journal records when each file becomes visible, and a replay needs the same times
      When the trader runs `sandtable run trader.md --data acme.csv --vfs desk --out runs --quiet`
      Then it ends with exit code 0
      And the journal says '"type":"file_written","bar":2,"path":"letter.md"'
      And the journal says '"availableAt":"2024-01-03T12:30:00"'
      And the journal says '"sealed":true'
      And the journal says '"files":{"count":3,"dated":3,'
      And the manifest says '"sealed": true'
      And stderr does not say 'available_at'
      And a request contains 'Orders are strong.'
      And no request contains 'It doubled.'
      When the model is switched off
      And the trader replays the run
      Then it ends with exit code 0
      Given the file "desk/table.csv.meta.json":
        """
        {"available_at": "2024-01-02"}
        """
      When the trader replays the run
      Then it ends with exit code 1

    Scenario: An interrupted run resumes with its dated files
      When the trader runs `sandtable run trader.md --data acme.csv --vfs desk --out runs --quiet`
      And the run's journal is cut in the middle of line 12
      And the trader resumes the run with "--quiet"
      Then it ends with exit code 0
      And the run's journal is as it was before the cut

    Scenario: An undated file is named, and the run is not sealed
      Given the file "desk/plan.md":
        """
        Buy and hold.
        """
      When the trader runs `sandtable run trader.md --data acme.csv --vfs desk --out runs --quiet`
      Then it ends with exit code 0
      And stderr says 'plan.md of --vfs has no available_at'
      And the manifest says '"undated files"'
      And the journal says '"sealed":false'

    Scenario: A mask shifts the publication times with the bars
      When the trader runs `sandtable run trader.md --data acme.csv --vfs desk --mask symbols,dates --out runs --quiet`
      Then it ends with exit code 0
      And the journal says '"type":"file_written","bar":2,"path":"letter.md"'
      And a request contains 'Orders are strong.'
      And no request contains '2024-01-03'
      And no request contains 'It doubled.'

    Scenario: Trials of a sweep see dated files from the same bar as a run
      Given the file "reader.ts":
        """
        import { defineStrategy, z } from 'sandtable';
        export default defineStrategy({
          name: 'reader',
          summary: 'Buys once there are so many files.',
          parameters: z.object({ files: z.coerce.number().default(1) }),
          tools: ['vfs_list'],
          async onBar({ account, orders }, { parameters, call }) {
            const { count } = await call('vfs_list', {});
            if (count >= parameters.files && account.units() === 0) orders.buy(1);
          },
        });
        """
      When the trader runs `sandtable sweep reader.ts --data acme.csv --vfs desk --param files=0,1,9 --objective finalEquity --keep none --jobs 1 --out runs --quiet`
      Then it ends with exit code 0
      When the trader runs `sandtable query "select files, openTradeCount from trials order by files" --reports runs --csv`
      Then it ends with exit code 0
      And stdout says "0,1"
      And stdout says "9,0"
