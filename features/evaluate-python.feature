@python
Feature: evaluate_python, a small calculator over values and files
  An agent runs short Python code on values and on the files of its run. The code has no imports, no market and no
  access to the machine. Its writes are stored only if all of the code succeeds.

  Rule: Scripts run and return their last expression

    Scenario: The example of the specification returns the documented answer
      When the file agent calls evaluate_python with:
        """
        {
          "code": "total = 0\nfor value in range(5):\n    total += value\nprint(total)\ntotal",
          "globals": {},
          "reads": [],
          "writes": []
        }
        """
      Then the file agent gets exactly:
        """
        {
          "value_repr": "10",
          "stdout": "10\n",
          "stderr": "",
          "globals": {"total": "10", "value": "4"},
          "reads": [],
          "writes": []
        }
        """
      And the file agent's journal holds `{"type": "telemetry", "event": "asteval.run", "stdout_len": 3, "stderr_len": 0, "write_count": 0}`

    Scenario: One expression returns its value
      When the file agent evaluates `2 ** 10 + sqrt(16)`
      Then the file agent gets `{"value_repr": "1028.0", "stdout": "", "stderr": ""}`

    Scenario: A script without a value returns no repr
      When the file agent evaluates `x = 5`
      Then the file agent gets `{"value_repr": null, "globals": {"x": "5"}}`

    Scenario: Functions, comprehensions and exceptions work
      When the file agent evaluates:
        """
        def sharpe(returns, *, rate=0.0, **options):
            excess = [r - rate for r in returns]
            try:
                return mean(excess) / stdev(excess)
            except (ZeroDivisionError, statistics.StatisticsError) as problem:
                return f"none: {problem}"

        first, *rest = [sharpe(r) for r in ([0.01, 0.03], [0.01], [0.5, 0.5])]
        label = lambda value, width=8: f"{value!s:>{width}}"
        round(first, 4), [each[:5] if isinstance(each, str) else each for each in rest], label("ok")
        """
      Then the file agent gets `{"value_repr": "(1.4142, ['none:', 'none:'], '      ok')"}`

    Scenario: Variables do not survive between calls
      When the file agent evaluates `kept = 1`
      And the file agent evaluates `kept`
      Then the file agent gets an error and `{"stderr": "NameError: name 'kept' is not defined (line 1)"}`

    Scenario: Streams are cut at 4,096 characters
      When the file agent evaluates `print("x" * 10000)`
      Then the file agent gets `{"stdout": {"contains": "xxx…"}}`

  Rule: Globals are JSON on the way in and out

    Scenario: Numbers, texts and structures are converted
      When the file agent calls evaluate_python with `{"code": "double = [2 * each for each in values]\nname.upper()", "globals": {"values": "[1, 2.5]", "name": "\"ann\""}}`
      Then the file agent gets `{"value_repr": "'ANN'", "globals": {"double": "[2, 5.0]", "name": "\"ann\"", "values": "[1, 2.5]"}}`

    Scenario: Values that JSON cannot represent are returned as a repr
      When the file agent evaluates `pair = (1, 2)`
      Then the file agent gets `{"globals": {"pair": "!repr:(1, 2)"}}`

    Scenario: Invalid JSON is refused
      When the file agent calls evaluate_python with `{"code": "x", "globals": {"x": "five"}}`
      Then the file agent is refused with `Invalid JSON for global "x"`

  Rule: Files are written only if the script succeeds

    Scenario: A script reads files and writes templates
      Given the file agent has the file "notes/limits.txt" with "0.02"
      When the file agent calls evaluate_python with:
        """
        {
          "code": "risk = cash * float(reads['notes/limits.txt'])",
          "globals": {"cash": "25000"},
          "reads": [{"path": "notes/limits.txt"}],
          "writes": [{"path": "plan.md", "content": "Risk {risk:.2f} of {cash} ({notes/limits.txt})\n"}]
        }
        """
      Then the file agent gets `{"reads": [{"path": "notes/limits.txt"}], "writes": [{"path": "plan.md", "content": "Risk 500.00 of 25000 (0.02)\n", "mode": "create"}]}`
      And the file agent has the files:
        | notes/limits.txt | 0.02                             |
        | plan.md          | Risk 500.00 of 25000 (0.02)\\n |
      And the file agent's journal gives the same files back

    Scenario: The helpers read and write files
      Given the file agent has the file "log.txt" with "one"
      When the file agent evaluates:
        """
        text = read_text("log.txt")
        write_text("log.txt", " two", mode="append")
        write_text("copy.txt", text)
        read_text("log.txt")
        """
      Then the file agent gets `{"value_repr": "'one'"}`
      And the file agent has the files:
        | copy.txt | one     |
        | log.txt  | one two |

    Scenario: A failure discards the staged writes
      Given the file agent has the file "log.txt" with "one"
      When the file agent evaluates:
        """
        write_text("log.txt", "two")
        1 / 0
        """
      Then the file agent gets an error and `{"value_repr": null, "stderr": "ZeroDivisionError: division by zero (line 2)", "writes": []}`
      And the file agent has the files:
        | log.txt | one |

    Scenario: One invalid write discards all writes
      Given the file agent has the file "log.txt" with "one"
      When the file agent evaluates:
        """
        write_text("new.txt", "x")
        write_text("log.txt", "two", mode="create")
        """
      Then the file agent gets an error and `{"value_repr": null, "writes": [], "stderr": {"contains": "the file already exists"}}`
      And the file agent has the files:
        | log.txt | one |

    Scenario: Templates cannot read attributes of globals
      When the file agent calls evaluate_python with `{"code": "x = 1", "writes": [{"path": "a", "content": "{x.__class__}"}]}`
      Then the file agent gets an error and `{"stderr": {"contains": "reads an attribute or an item"}}`
      And the file agent has no files

    Scenario: A template with an unknown name is refused
      When the file agent calls evaluate_python with `{"code": "", "writes": [{"path": "a", "content": "{missing}"}]}`
      Then the file agent gets an error and `{"stderr": {"contains": "Missing template variable: 'missing'"}}`
      And the file agent has no files

  Rule: An endless loop is stopped after five seconds without side effects

    Scenario: A time-out returns an error and discards all writes
      When the file agent evaluates:
        """
        write_text("left.txt", "x")
        while True:
            pass
        """
      Then the file agent gets an error and `{"value_repr": null, "stdout": "", "stderr": "Execution timed out.", "globals": {}, "writes": []}`
      And the file agent has no files
      When the file agent evaluates `1 + 1`
      Then the file agent gets `{"value_repr": "2"}`

  Rule: Invalid arguments are refused before the script runs

    Scenario Outline: <what> is refused
      Given the file agent has the file "old.txt" with "x"
      When the file agent calls evaluate_python with `<arguments>`
      Then the file agent is refused with `<error>`
      And the file agent has the files:
        | old.txt | x |

      Examples:
        | what                      | arguments                                                                                                 | error                                                      |
        | code over the limit       | {"code": "x" * 2,001}                                                                                     | Code exceeds the maximum length of 2,000 characters        |
        | a control character       | {"code": "x\\u0000"}                                                                                      | Code contains unsupported control characters: U+0000       |
        | a missing file            | {"code": "", "reads": [{"path": "none"}]}                                                                 | File does not exist in the virtual file system             |
        | a file read twice         | {"code": "", "reads": [{"path": "old.txt"}, {"path": "old.txt"}]}                                         | Duplicate read targets detected: "old.txt"                 |
        | a file written twice      | {"code": "", "writes": [{"path": "a", "content": ""}, {"path": "a", "content": ""}]}                      | Duplicate write targets detected: "a"                      |
        | a file read and written   | {"code": "", "reads": [{"path": "old.txt"}], "writes": [{"path": "old.txt", "content": "", "mode": "append"}]} | Reads and writes must not target the same path: "old.txt" |
        | creating what exists      | {"code": "", "writes": [{"path": "old.txt", "content": ""}]}                                              | File already exists; use overwrite or append               |
        | an absolute path          | {"code": "", "writes": [{"path": "/a", "content": ""}]}                                                   | absolute paths are not allowed                             |
        | a path upwards            | {"code": "", "writes": [{"path": "../a", "content": ""}]}                                                 | paths may not contain ".."                                 |
        | a path beyond ASCII       | {"code": "", "writes": [{"path": "ü", "content": ""}]}                                                    | paths must be printable ASCII                              |
        | a part too long           | {"code": "", "writes": [{"path": "a" * 81, "content": ""}]}                                               | over the limit of 80                                       |
        | a path too deep           | {"code": "", "writes": [{"path": "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a", "content": ""}]}                    | over the limit of 16                                       |
        | a file too long           | {"code": "", "writes": [{"path": "a", "content": "x" * 48,001}]}                                          | over the limit of 48,000                                   |
        | an unknown mode           | {"code": "", "writes": [{"path": "a", "content": "", "mode": "w"}]}                                       | writes.0.mode                                              |

  Rule: Code can access only its values

    Scenario Outline: <code> is refused
      When the file agent evaluates `<code>`
      Then the file agent gets an error and `{"value_repr": null, "stderr": {"contains": "<error>"}}`

      Examples:
        | code                                | error                                         |
        | import os                           | import is not available                       |
        | __import__('os')                    | name '__import__' is not defined              |
        | open('/etc/hosts')                  | name 'open' is not defined                    |
        | ().__class__                        | __class__                                     |
        | '{0.__class__}'.format(1)           | __class__                                     |
        | (x for x in []).gi_frame            | gi_frame                                      |
        | df.close                            | close                                         |
        | read_text('../secret')              | there is no file '../secret'                  |
