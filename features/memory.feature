Feature: The memory of an agent
  An agent writes lines of a log and notes under keys. Each is dated by its bar and can be found by its words. The
  memory contains only what the agent wrote, and a resumed run restores it.

  Background:
    Given these bars of ACME:
      | date       | open | high | low | close | volume |
      | 2020-01-06 | 100  | 102  | 99  | 101   | 1000   |
      | 2020-01-07 | 102  | 105  | 101 | 104   | 1100   |
      | 2020-01-08 | 103  | 104  | 98  | 99    | 1200   |
    And the market has advanced to bar 0

  Rule: Entries are dated by the bar and can be found

    Scenario: A line of the log is found by its words
      When the agent calls memory_log with `{"content": "Bought on the breakout above 102."}`
      Then the answer is `{"logged": true, "bar": 0, "date": "2020-01-06", "lines": 1}`
      When the market advances to the next bar
      And the agent calls memory_recall with `{"query": "breakout"}`
      Then the answer is `{"found": 1, "entries": [{"kind": "log", "bar": 0, "date": "2020-01-06", "content": "Bought on the breakout above 102."}]}`

    Scenario: A note replaces the previous note of its key
      When the agent calls memory_note with `{"key": "plan", "content": "Wait."}`
      And the market advances to the next bar
      And the agent calls memory_note with `{"key": "plan", "content": "Buy dips."}`
      Then the answer is `{"key": "plan", "saved": true, "replaced": true, "bar": 1, "date": "2020-01-07", "notes": 1}`
      When the agent calls memory_recall with `{"query": "plan"}`
      Then the answer is `{"found": 1, "entries": [{"kind": "note", "key": "plan", "bar": 1, "date": "2020-01-07", "content": "Buy dips."}]}`

    Scenario: An empty note removes the note of its key
      When the agent calls memory_note with `{"key": "plan", "content": "Wait."}`
      And the agent calls memory_note with `{"key": "plan", "content": ""}`
      Then the answer is `{"key": "plan", "removed": true, "notes": 0}`
      When the agent calls memory_recall with `{"query": ""}`
      Then the answer is `{"found": 0, "entries": []}`

    Scenario: The best match comes first, and the newer of two equal matches
      When the agent calls memory_log with `{"content": "ACME fell on high volume"}`
      And the agent calls memory_log with `{"content": "volume dried up"}`
      And the agent calls memory_note with `{"key": "volume", "content": "above 1100 is high"}`
      And the agent calls memory_log with `{"content": "nothing new"}`
      And the agent calls memory_log with `{"content": "Volumes rise"}`
      And the agent calls memory_recall with `{"query": "High VOLUME"}`
      Then it recalls:
        | above 1100 is high       |
        | ACME fell on high volume |
        | volume dried up          |
        | Volumes rise             |

    Scenario: An empty query returns everything, newest first, up to a limit
      When the agent calls memory_log with `{"content": "one"}`
      And the agent calls memory_log with `{"content": "two"}`
      And the agent calls memory_log with `{"content": "three"}`
      And the agent calls memory_recall with `{"query": "", "limit": 2}`
      Then it recalls:
        | three |
        | two   |
      And the answer holds `{"found": 3, "left_out": 1}`

  Rule: The memory contains only what its agent wrote

    Scenario: Two agents have separate memories
      When Ann calls memory_note with `{"key": "plan", "content": "Sell."}`
      And Bob calls memory_recall with `{"query": ""}`
      Then the answer is `{"found": 0, "entries": []}`

    Scenario: A resumed run restores the memory
      When the agent calls memory_log with `{"content": "one"}`
      And the agent calls memory_note with `{"key": "plan", "content": "Wait."}`
      And the agent calls memory_note with `{"key": "old", "content": "Gone."}`
      And the agent calls memory_note with `{"key": "old", "content": ""}`
      And the agent calls memory_note with `{"key": "", "content": "refused"}`
      Then the answer is an error that says "key"
      When the run of the agent is resumed from its journal by Bob
      And the agent calls memory_recall with `{"query": ""}`
      And Bob calls memory_recall with `{"query": ""}`
      Then the answer is the same as before
      And it recalls:
        | Wait. |
        | one   |

  Rule: Entries outside the limits are refused

    Scenario Outline: The memory refuses <what>
      When the agent calls <tool> with `<arguments>`
      Then the answer is an error that says "<says>"

      Examples:
        | what              | tool          | arguments                       | says     |
        | an empty line     | memory_log    | {"content": ""}                 | content  |
        | a note without key | memory_note  | {"key": "", "content": "x"}     | key      |
        | no query          | memory_recall | {}                              | query    |
        | a limit of none   | memory_recall | {"query": "", "limit": 0}       | limit    |

    Scenario: The 201st note is refused, and no note is lost
      When the agent writes 200 notes
      And the agent calls memory_note with `{"key": "one more", "content": "x"}`
      Then the answer is an error that says "The limit of 200 notes is reached"
      When the agent calls memory_note with `{"key": "note 1", "content": "new"}`
      Then the answer holds `{"saved": true, "replaced": true, "notes": 200}`
