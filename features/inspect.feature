@python
Feature: list_globals, inspect and eval_expr examine the session
  Three tools answer questions of an agent about its objects. Every answer contains ok and result, or ok and error.

  Background:
    Given a strategy that names the tools exec_code, list_globals, inspect and eval_expr
    And 100000 in cash
    And 50 simulated bars
    And the market has advanced to bar 30

  Rule: list_globals lists the names of the session

    Scenario: list_globals lists a variable with its type
      When the agent runs `x = 41`
      And the agent calls list_globals with `{}`
      Then the names listed include `x` as int
      And the names listed include `df` as DataFrame
      And the names listed include `pd` as module

  Rule: eval_expr evaluates an expression

    Scenario: An expression uses the variables of the session
      When the agent runs `x = 41`
      And the agent evaluates `x + 1`
      Then the answer is exactly:
        """
        {
          "ok": true,
          "result": {
            "value_repr": "42",
            "stdout": "",
            "stderr": ""
          }
        }
        """

    Scenario: An exception is returned as an error of its kind
      When the agent evaluates `y + 1`
      Then the answer is a NameError
      And the failure has the code python_exception

  Rule: inspect describes one object

    Scenario: A number is described
      When the agent inspects `42`
      Then its kind is number
      And its repr section holds `{"text": "42", "truncated": false, "original_len": 2}`

    Scenario: None is described
      When the agent inspects `None`
      Then its kind is none
      And its repr section holds `{"text": "None"}`

    Scenario: A list is described with its size and a truncated sample
      When the agent inspects `list(range(100))`
      Then its kind is sequence
      And its size section holds `{"len": 100}`
      And its sample section holds `{"shown": 16, "total": 100, "truncated": true}`

    Scenario: A function is described with its signature and its source
      When the agent runs:
        """
        def next(x):
            x + 1
        """
      And the agent evaluates `next(42)`
      And the agent inspects `next`
      Then its kind is callable
      And its type section holds `{"name": "function", "module": "builtins", "qualified": "builtins.function"}`
      And its callable section holds `{"module": "__main__", "signature": "(x)", "doc": null, "source_preview": "def next(x):\n    x + 1", "source_truncated": false}`

    Scenario: A built-in function is described without source
      When the agent inspects `len`
      Then its kind is callable
      And its callable section holds `{"source_preview": null, "source_truncated": false}`

    Scenario: A caught exception is described
      When the agent runs:
        """
        try:
            1 / 0
        except Exception as problem:
            caught = problem
        """
      And the agent inspects `caught`
      Then its kind is exception
      And its exception section holds `{"exc_type": "ZeroDivisionError", "message": "division by zero"}`

    Scenario: A list that contains itself is described
      When the agent runs `loop = [1]; loop.append(loop)`
      And the agent inspects `loop`
      Then its sample section holds `{"items": ["1", "[1, [...]]"], "total": 2}`

    Scenario: An object with a broken repr is described
      When the agent runs:
        """
        class Broken:
            def __repr__(self):
                raise ValueError('no repr')
        broken = Broken()
        """
      And the agent inspects `broken`
      Then its kind is object
      And its repr section holds `{"repr_error": "ValueError: no repr"}`

    Scenario: A generator is not advanced
      When the agent runs `numbers = (n for n in (1, 2, 3))`
      And the agent inspects `numbers`
      Then its kind is generator
      And it has no sample section
      When the agent evaluates `list(numbers)`
      Then the answer holds `{"result": {"value_repr": "[1, 2, 3]", "stdout": "", "stderr": ""}}`

    Scenario: The bars are described with their columns
      When the agent inspects `df`
      Then its kind is object
      And its size section holds `{"len": 31, "shape": [31, 6]}`
      And its pandas section holds `{"columns": ["date", "open", "high", "low", "close", "volume"]}`
      And its sample section holds `{"shown": 5, "total": 31, "truncated": true}`
      And its limits section holds `{"repr_max_chars": 4096, "doc_max_chars": 4096, "sample_max_items": 16, "member_max_per_group": 24, "source_preview_max_chars": 1200}`

    Scenario: An array is described with its type and shape
      When the agent inspects `np.arange(6.0).reshape(2, 3)`
      Then its kind is object
      And its numpy section holds `{"dtype": "float64", "shape": [2, 3]}`

    Scenario: An endless repr is a time-out, and the session continues
      Given the agent has Python of its own with 500 ms a call
      When the agent runs:
        """
        class Slow:
            def __repr__(self):
                while True:
                    pass
        kept = 1
        """
      And the agent inspects `Slow()`
      Then the failure has the code inspect_timeout
      When the agent runs `kept`
      Then the value shown is `1`

  Rule: Removed tools are unknown

    Scenario Outline: <tool> is unknown
      When the agent calls <tool> with `{"expr": "x"}`
      Then the failure has the code unknown_function

      Examples:
        | tool               |
        | get_type           |
        | get_repr           |
        | get_dir            |
        | get_doc            |
        | get_last_exception |
