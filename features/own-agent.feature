@spawn
Feature: External agents
  A program or an HTTP address takes the place of a strategy file. It receives the observation of each decision and
  calls the same tools as a prompt. The journal records its messages, so a replay needs no agent.

  Background:
    Given the file "prices.csv" with 30 simulated bars

  @deep
  Scenario: The client of the documentation trades, and its run replays without it
    Given the agent "my_agent.py" of the documentation
    When the trader runs `sandtable run --agent "python3 my_agent.py" --data prices.csv --out runs --agent-tools compute trade_execute --verbose`
    Then it ends with exit code 0
    And stdout says "Not sealed: an agent outside the engine decides."
    When the file "my_agent.py" is removed
    And the trader replays the agent's run
    Then it ends with exit code 0
    And stdout says "messages of the agent replayed"

  @deep
  Scenario: A LangGraph agent trades with the client of the documentation
    Given the agent "my_agent.py" of the documentation
    And the agent "langgraph_agent.py" of the documentation
    When the trader runs `sandtable run --agent "python3 langgraph_agent.py" --data prices.csv --out runs --json`
    Then it ends with exit code 0
    And the journal of the agent's run says "PRICES: buy"

  Scenario: An agent that fails its first decision is shown with its standard error, and leaves no run folder
    Given the agent "broken.py":
      """
      print("one moment", file=sys.stderr, flush=True)
      call("account_status")
      raise ValueError("no key")
      """
    When the trader runs `sandtable run --agent "python3 broken.py" --agent-tools account_status --data prices.csv --out runs`
    Then it ends with exit code 2
    And stderr says "failed its first decision, so the run was not started: crashed"
    And stderr says "one moment"
    And stderr says "in <module>"
    And stderr says "ValueError: no key"
    And no run folder is left

  @deep
  Scenario: Samples and a study of an agent that fails its first decision leave no folder
    Given the agent "broken.py":
      """
      raise ValueError("no key")
      """
    And the file "study.yaml":
      """
      strategies: [{ agent: python3 broken.py, name: mine, agentEvery: 10 }]
      windows: [{ name: spring, from: 2000-01-10, to: 2000-02-10 }]
      data: prices.csv
      """
    When the trader runs `sandtable run --agent "python3 broken.py" --samples 3 --data prices.csv --out runs`
    Then it ends with exit code 2
    And stderr says "ValueError: no key"
    And no run folder is left
    When the trader runs `sandtable study study.yaml --out runs`
    Then it ends with exit code 2
    And stderr says "ValueError: no key"
    And no run folder is left

  @deep
  Scenario: An agent that continues to trade after the end of the run changes nothing
    Given the agent "endless.py":
      """
      def go_on():
          while True:
              order = {"symbol": "SIM", "action": "buy", "quantity": 1}
              print(json.dumps({"type": "call", "id": 1, "tool": "trade_execute", "arguments": order}), flush=True)
              print(json.dumps({"type": "done", "id": number}), flush=True)
      if number == 1:
          import atexit, signal
          signal.signal(signal.SIGTERM, signal.SIG_IGN)
          atexit.register(go_on)
      """
    When the trader runs `sandtable run --agent "python3 endless.py" --agent-tools trade_execute --data prices.csv --out runs --verbose`
    Then it ends with exit code 0
    And stdout says "No orders were placed"
    And no process of "endless.py" is left

  Scenario: A crash, a malformed message and a timeout each cost one decision, and a print costs nothing
    Given the agent "fragile.py":
      """
      if number == 2:
          raise ValueError("no price today")
      if number == 4:
          print("I would buy, I think.", flush=True)
          print({"type": "thought"}, flush=True)
      if number == 5:
          print('{"type": "thought"}', flush=True)
      if number == 6:
          time.sleep(60)
      said = "well"
      """
    When the trader runs `sandtable run --agent "python3 fragile.py" --agent-tools account_status --agent-every 3 --agent-timeout 3 --data prices.csv --out runs --verbose`
    Then it ends with exit code 0
    And stdout says "3 agent failed"
    And the journal of the agent's run says "its process ended (exit code 1): ValueError: no price today"
    And stderr says 'The agent printed "I would buy, I think." to its standard output'
    And the journal of the agent's run says "has the type"
    And the journal of the agent's run says "it did not end its decision within 3 s"
    When the trader replays the agent's run
    Then it ends with exit code 0

  Scenario: A message before a request is not an answer to the next decision
    Given the agent "chatty.py":
      """
      if number == 2:
          sys.stdout.write('{"type": "done"}\n{"type": "done", "text": "once more"}\n')
          sys.stdout.flush()
          continue
      said = f"decision {number}"
      """
    When the trader runs `sandtable run --agent "python3 chatty.py" --agent-tools account_status --agent-every 8 --data prices.csv --out runs --verbose`
    Then it ends with exit code 0
    And stdout says "1 agent failed"
    And the journal of the agent's run says "before a decision was requested"

  @deep
  Scenario: An agent that fails repeatedly stops the run, which resumes once the agent is fixed
    Given the agent "broken.py":
      """
      if number > 1:
          raise ValueError("no key")
      """
    When the trader runs `sandtable run --agent "python3 broken.py" --agent-tools account_status --data prices.csv --out runs --quiet`
    Then it ends with exit code 1
    And stderr says "failed at 3 decisions in a row, last at bar 3: crashed"
    And stderr says "ValueError: no key"
    And there is no stack trace
    Given the agent "broken.py":
      """
      said = "fixed"
      """
    When the trader resumes the agent's run with ""
    Then it ends with exit code 0
    When the trader replays the agent's run
    Then it ends with exit code 0

  @deep
  Scenario: A run that is cut within a decision resumes at the beginning of the decision
    Given the agent "buyer.py":
      """
      call("trade_execute", action="buy", quantity=1)
      said = str(call("account_status")["cash"])
      """
    When the trader runs `sandtable run --agent "python3 buyer.py" --agent-tools trade_execute account_status --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    When the run's journal is cut in the middle of line 26
    And the trader replays the agent's run
    Then it ends with exit code 0
    And stdout says "up to the bar at which the record ends"
    When the trader resumes the agent's run with "--replay-only"
    Then it ends with exit code 1
    And stderr says "The record has no reply of the agent at bar 2"
    When the trader resumes the agent's run with ""
    Then it ends with exit code 0
    And the run's journal is as it was before the cut

  Scenario: A killed run of an agent resumes with the same result
    Given the agent "slow.py":
      """
      time.sleep(0.03)
      call("trade_execute", action="buy", quantity=1)
      time.sleep(0.03)
      """
    When the trader runs `sandtable run --agent "python3 slow.py" --agent-tools trade_execute --data prices.csv --out whole --quiet`
    Then it ends with exit code 0
    When the trader starts `sandtable run --agent "python3 slow.py" --agent-tools trade_execute --data prices.csv --out runs --quiet`
    And the file "runs/*/journal.jsonl" holds `"type":"agent_replied","bar":4`
    And the command is killed
    And the trader resumes the agent's run with ""
    Then it ends with exit code 0
    And the runs in "whole" and "runs" have the same journal

  Scenario: Behind a mask the agent sees no real symbol or date
    Given the agent "curious.py":
      """
      status = call("market_history", lookback=1)
      said = json.dumps([observation, status])
      """
    When the trader runs `sandtable run --agent "python3 curious.py" --agent-tools market_history --mask symbols,dates --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    And the journal of the agent's run has no "PRICES" and no "2000-" in what the agent said

  Scenario: An agent and an MCP client with the same calls make the same trades
    Given the agent "twice.py":
      """
      if number == 1:
          call("trade_execute", action="buy", quantity=10, stop_loss=1)
      if number == 2:
          call("account_status")
          call("trade_execute", action="close", reason="enough")
      """
    When the trader runs `sandtable run --agent "python3 twice.py" --agent-tools trade_execute account_status --data prices.csv --out runs --quiet`
    Then it ends with exit code 0
    When an MCP client connects to `sandtable mcp --data prices.csv --out other --tools trade_execute account_status`
    And the client calls trade_execute with `{"action": "buy", "quantity": 10, "stop_loss": 1}`
    And the client calls next_bar
    And the client calls account_status
    And the client calls trade_execute with `{"action": "close", "reason": "enough"}`
    And the client calls next_bar with `{"bars": 28}`
    And the client calls finish
    And the client leaves
    Then the runs in "runs" and "other" have the same calls and fills

  Scenario: Flags that contradict --agent are refused together
    When the trader runs `sandtable run trader.md --agent "python3 x.py" --seal --param a=1 --data prices.csv`
    Then it ends with exit code 2
    And stderr says "--agent: cannot be combined with the strategy file trader.md. Remove one of them"
    And stderr says "--seal: applies to strategy files and cannot be used with --agent"
    And stderr says "--param: applies to strategy files and cannot be used with --agent"
    When the trader runs `sandtable run --agent-calls 3 --data prices.csv`
    Then it ends with exit code 2
    And stderr says "<strategy>: is missing. Pass a strategy file, or an agent with --agent"
    And stderr says "--agent-calls: requires --agent"

  @deep
  Scenario: A run stops when its budget is exhausted, and a larger budget leads to the uninterrupted result
    Given the agent "paying.py":
      """
      exchange({"type": "call", "id": 1, "tool": "trade_execute", "arguments": {"action": "buy", "quantity": 1}, "usage": {"input_tokens": 1000, "output_tokens": 20}, "cost": 0.04})
      print(json.dumps({"type": "done", "text": "one more", "usage": {"prompt_tokens": 1200, "completion_tokens": 30}, "cost": 0.06}), flush=True)
      continue
      """
    When the trader runs `sandtable run --agent "python3 paying.py" --agent-tools trade_execute --data prices.csv --out whole --verbose`
    Then it ends with exit code 0
    And stdout says "66,000 tokens in, 1,500 out, $3.00"
    When the trader runs `sandtable run --agent "python3 paying.py" --agent-tools trade_execute --agent-budget usd=1 calls=500 --data prices.csv --out runs --quiet`
    Then it ends with exit code 1
    And stderr says "The run's budget of 1 usd is exhausted at bar 10."
    And stderr says "--budget usd=MORE"
    When the trader replays the agent's run
    Then it ends with exit code 0
    When the trader resumes the agent's run with ""
    Then it ends with exit code 1
    And stderr says "The run's budget of 1 usd is exhausted at bar 10."
    When the trader resumes the agent's run with "--budget decisions=20"
    Then it ends with exit code 1
    And stderr says "The run's budget of 20 decisions is exhausted at bar 20."
    When the trader resumes the agent's run with "--budget usd=50"
    Then it ends with exit code 0
    And the runs in "whole" and "runs" have the same journal
    When the trader replays the agent's run
    Then it ends with exit code 0

  Scenario: Invalid limits of a budget are refused together
    When the trader runs `sandtable run --agent "python3 x.py" --agent-budget usd=0 calls=1.5 hours=3 tokens --data prices.csv`
    Then it ends with exit code 2
    And stderr says "is not a limit. Expected for example usd=5 or tokens=200000"
    And stderr says "--agent-budget: usd"
    And stderr says "--agent-budget: calls"
    And stderr says "hours"
    And there is no stack trace

  Scenario: Each sample of an agent is a separate run with its own number
    Given the agent "sampled.py":
      """
      call("trade_execute", action="buy", quantity=hello["sample"])
      said = str(hello["sample"])
      """
    When the trader runs `sandtable run --agent "python3 sampled.py" --agent-tools trade_execute --agent-every 10 --samples 3 --data prices.csv --out runs --json`
    Then it ends with exit code 0
    And stdout is one JSON document with:
      | samples.0.decisions | 3 |
      | samples.2.decisions | 3 |
      | samples.2.tradeCount | 0 |
    And the samples in "runs" ordered 1, 2 and 3 units

  @deep
  Scenario: Ctrl-C during the trial decision leaves no run
    Given the agent "slow.py":
      """
      os.makedirs("seen/once")
      open("seen/once/asked.txt", "w").write("asked")
      time.sleep(60)
      """
    When the trader starts `sandtable run --agent "python3 slow.py" --data prices.csv --out runs`
    And the file "seen/*/asked.txt" holds `asked`
    And the trader presses Ctrl-C
    Then it ends with exit code 1
    And stderr says "Stopped on request while the agent was tried. No run was started."
    And no run folder is left
