@python
Feature: exec_code, a Python session with variables
  An agent that works step by step uses variables across tool calls. The session belongs to one agent and one decision.
  Its changes do not affect compute or later bars.

  Background:
    Given a strategy that names the tools exec_code, list_globals, inspect, eval_expr and compute
    And 100000 in cash
    And 50 simulated bars
    And the market has advanced to bar 30
    And the agent has Python of its own

  Rule: The session contains the names of compute

    Scenario: The bars, the account and the helpers are available
      When the agent runs `(len(df), cash, len(positions))`
      Then the value shown is `(31, 100000, 0)`
      When the agent runs `bool(abs(latest(ta.sma(df.close, 31)) - df.close.mean()) < 1e-9)`
      Then the value shown is `True`

    Scenario: A rebound name remains rebound in the session only
      When the agent runs `df = df.tail(3)`
      And the agent runs `len(df)`
      Then the value shown is `3`
      When the agent computes `len(df)`
      Then the result is `31`

  Rule: State persists across tool calls

    Scenario: Variables are created and changed across calls
      When the agent runs `x = 41`
      Then no value is shown
      When the agent runs `x = x + 1`
      And the agent runs `x`
      Then the value shown is `42`

    Scenario: A statistic is computed over several calls
      When the agent runs:
        """
        returns = df.close.pct_change().dropna()
        def spread(values):
            return values.max() - values.min()
        """
      And the agent runs `spread(returns) > 0, len(returns)`
      Then the value shown is `(np.True_, 30)`

    Scenario: Functions, classes and imports persist
      When the agent runs:
        """
        import statistics
        class Signal:
            def __init__(self, side):
                self.side = side
        def flip(signal):
            return Signal(-signal.side)
        """
      And the agent runs `statistics.mean([flip(Signal(1)).side, 3])`
      Then the value shown is `1`

  Rule: Streams are captured for each call

    Scenario: Printed output is returned with the value of the last expression
      When the agent runs:
        """
        import sys
        print('to the model')
        print('a warning', file=sys.stderr)
        6 * 7
        """
      Then the answer is exactly:
        """
        {"value_repr": "42", "stdout": "to the model\n", "stderr": "a warning\n"}
        """
      When the agent runs `y = 1`
      Then the answer is exactly:
        """
        {"stdout": "", "stderr": ""}
        """

  Rule: Errors do not damage the session

    Scenario: A syntax error runs nothing
      When the agent runs `kept = 1`
      And the agent runs:
        """
        kept = 2
        def (
        """
      Then the answer is a SyntaxError
      When the agent runs `kept`
      Then the value shown is `1`

    Scenario: Variables set before an exception persist
      When the agent runs:
        """
        first = 1
        1 / 0
        second = 2
        """
      Then the answer is a ZeroDivisionError
      When the agent runs `first`
      Then the value shown is `1`
      When the agent runs `second`
      Then the answer is a NameError

    Scenario: A traceback contains only the lines of the snippets
      When the agent runs:
        """
        def ratio(a, b):
            return a / b
        """
      And the agent runs `checks = df.close.map(lambda close: ratio(close, 0))`
      Then the answer is a ZeroDivisionError
      And stderr is:
        """
        Traceback (most recent call last):
          File "<cell 2>", line 1, in <module>
            checks = df.close.map(lambda close: ratio(close, 0))
          File "<cell 2>", line 1, in <lambda>
            checks = df.close.map(lambda close: ratio(close, 0))
          File "<cell 1>", line 2, in ratio
            return a / b
        ZeroDivisionError: float division by zero
        """

    Scenario: An endless loop is interrupted, and the session continues
      Given the agent has Python of its own with 500 ms a call
      When the agent runs `kept = 1`
      And the agent runs `while True: pass`
      Then the answer is a TimeoutError
      When the agent runs `kept`
      Then the value shown is `1`

  Rule: A session belongs to one agent and one decision

    Scenario: A session ends at the next bar
      When the agent runs `mine = 1`
      And the market advances to the next bar
      And the agent runs `mine`
      Then the answer is a NameError
      When the agent runs `len(df)`
      Then the value shown is `32`
      And the answer has no note

    Scenario: Two agents never share a namespace
      When Ann runs `name = 'Ann'`
      And Bob runs `name = 'Bob'`
      And Ann runs `name`
      Then the value shown is `'Ann'`

    @deep
    Scenario: Changes of a session to pandas do not affect compute
      When the agent runs `pd.set_option('display.max_rows', 7)`
      And the agent computes `pd.get_option('display.max_rows')`
      Then the result is `60`
      When the agent runs `pd.get_option('display.max_rows')`
      Then the value shown is `7`

    Scenario: A strategy that does not list exec_code cannot call it
      Given a strategy that names the tools compute
      When Ann runs `1`
      Then the answer is an error that says "The tool exec_code is not available here."

  Rule: A reset of Python is reported

    @deep
    Scenario: A session of one decision restarts empty
      When the agent runs `alpha = 1`
      And somebody kills the agent's Python
      And the agent runs `beta = 2`
      Then the answer has the note "Python was reset and this session restarted. Lost: alpha. Define what you need again."
      When the agent runs `beta`
      Then the value shown is `2`
      And the answer has no note

    Scenario: A session of the run is rebuilt from its earlier calls
      Given its sessions last for the run
      And the agent has Python of its own
      When the agent runs `seen = [len(df)]`
      And the market advances to the next bar
      And the agent runs `seen.append(len(df))`
      And somebody kills the agent's Python
      And the market advances to the next bar
      And the agent runs `(seen, len(df))`
      Then the value shown is `([31, 32], 33)`
      And the answer has the note "Python was reset, and this session was rebuilt: its 2 earlier calls were run again."

  Rule: A session can last for the whole run

    Scenario: Names follow the bar, except names that the agent rebinds
      Given its sessions last for the run
      And the agent has Python of its own
      When the agent runs:
        """
        cash = 'mine'
        def bars():
            return len(df)
        """
      And the market advances to the next bar
      And the agent runs `(bars(), len(df), cash)`
      Then the value shown is `(32, 32, 'mine')`

    Scenario: An invalid lifetime is refused
      When the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --repl forever`
      Then it ends with exit code 2
      And stderr says "--repl"
      And stderr says "decision, run"
