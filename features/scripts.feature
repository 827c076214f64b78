@python
Feature: run_python_script, scripts on the real machine
  A skill is a folder with its own Python. Its scripts run on the real machine, so they require the permission of the
  user. A run that may use scripts is marked as not sealed.

  Rule: Scripts run as real processes

    Scenario: A successful script returns its output
      Given the skill "calculator" with a venv
      When the file agent calls run_python_script with:
        """
        {"skill_name": "calculator", "script": "result = 2 + 2\nprint(f'Result: {result}')"}
        """
      Then the file agent gets exactly:
        """
        {"skill_name": "calculator", "stdout": "Result: 4\n", "stderr": "", "returncode": 0, "timed_out": false}
        """

    Scenario: A script with a syntax error returns the error
      Given the skill "calculator" with a venv
      When the file agent calls run_python_script with `{"skill_name": "calculator", "script": "print(2 + )"}`
      Then the file agent gets `{"skill_name": "calculator", "stdout": "", "returncode": 1, "timed_out": false}`
      And the file agent gets `{"stderr": {"contains": "  File \"<string>\", line 1\n    print(2 + )\n"}}`
      And the file agent gets `{"stderr": {"contains": "SyntaxError: invalid syntax\n"}}`

    Scenario: A script with a runtime error returns the traceback
      Given the skill "calculator" with a venv
      When the file agent calls run_python_script with `{"skill_name": "calculator", "script": "x = 1 / 0"}`
      Then the file agent gets `{"skill_name": "calculator", "stdout": "", "returncode": 1, "timed_out": false}`
      And the file agent gets `{"stderr": {"contains": "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\n"}}`
      And the file agent gets `{"stderr": {"contains": "ZeroDivisionError: division by zero\n"}}`

    Scenario: A script over the time limit is stopped
      Given the skill "calculator" with a venv
      And scripts may run for 2 seconds
      When the file agent calls run_python_script with:
        """
        {"skill_name": "calculator", "script": "import time\nwhile True:\n    time.sleep(1)"}
        """
      Then the file agent gets exactly:
        """
        {
          "skill_name": "calculator",
          "stdout": "",
          "stderr": "",
          "returncode": -1,
          "timed_out": true,
          "error": "Script execution exceeded timeout of 2 seconds"
        }
        """

    Scenario: A script writes files in the skill folder
      Given the skill "calculator" with a venv
      When the file agent calls run_python_script with:
        """
        {
          "skill_name": "calculator",
          "script": "with open('output.txt', 'w') as f:\n    f.write('Result: 42')\nprint('File written')"
        }
        """
      Then the file agent gets exactly:
        """
        {"skill_name": "calculator", "stdout": "File written\n", "stderr": "", "returncode": 0, "timed_out": false}
        """
      And the skill "calculator" has the file "output.txt" with "Result: 42"

    Scenario: Modules in the skill folder can be imported
      Given the skill "data_analysis" with a venv
      And the file "skills/data_analysis/frames.py":
        """
        def total(values):
            return sum(values)
        """
      When the file agent calls run_python_script with `{"skill_name": "data_analysis", "script": "import frames\nprint(frames.total([1, 2, 3]))"}`
      Then the file agent gets `{"stdout": "6\n", "returncode": 0}`

  Rule: A refused script states the reason

    Scenario: A skill without a venv is refused
      Given the skill "no_venv_skill" without a venv
      When the file agent calls run_python_script with `{"skill_name": "no_venv_skill", "script": "print('hello')"}`
      Then the file agent gets exactly:
        """
        {"error": "Skill 'no_venv_skill' does not have a venv. Cannot execute script."}
        """

    Scenario: An invalid skill name is refused
      When the file agent calls run_python_script with `{"skill_name": "../../../etc", "script": "print('hello')"}`
      Then the file agent gets exactly:
        """
        {"error": "Invalid skill name: '../../../etc'. Skill names must not contain '/', '\\', or '..'"}
        """

    Scenario: An unknown skill is refused
      When the file agent calls run_python_script with `{"skill_name": "nowhere", "script": "1"}`
      Then the file agent gets exactly:
        """
        {"error": "Skill 'nowhere' not found in skills folder"}
        """

    Scenario: A venv without Python is refused
      Given the skill "hollow" with a venv without Python
      When the file agent calls run_python_script with `{"skill_name": "hollow", "script": "1"}`
      Then the file agent gets exactly:
        """
        {"error": "Python interpreter not found in venv for skill 'hollow'"}
        """

  Rule: Scripts require the permission of the user

    Scenario: Scripts are refused in a run without permission
      Given a run that does not allow scripts
      And the skill "calculator" with a venv
      When the file agent calls run_python_script with `{"skill_name": "calculator", "script": "print(1)"}`
      Then the file agent is refused with `Scripts are not allowed in this run`

    @spawn
    Scenario: A strategy that needs scripts is refused without --allow-scripts
      Given the file "prices.csv" with 300 simulated bars
      When the trader runs `sandtable run strategies/skill-sizing.ts --data prices.csv --out runs`
      Then it ends with exit code 2
      And stderr says "add --allow-scripts"
      And no run folder is left

    @spawn
    Scenario: A run that may use scripts is marked as not sealed
      Given the file "prices.csv" with 300 simulated bars
      And the skill "calculator" with a venv
      And the example skill "calculator" is there too
      When the trader runs `sandtable run strategies/skill-sizing.ts --data prices.csv --allow-scripts --skills skills --out runs --verbose`
      Then it ends with exit code 0
      And stdout says "Not sealed: strategy code runs with your rights, scripts."
      And the run has the file "manifest.json" that says "\"sealed\": false"
      And the run has the file "summary.json" that says "\"sealed\": false"

    @spawn
    Scenario: Flags of scripts require --allow-scripts
      Given the file "prices.csv" with 60 simulated bars
      When the trader runs `sandtable run strategies/buy-and-hold.ts --data prices.csv --skills skills --out runs`
      Then it ends with exit code 2
      And stderr says "--skills: requires --allow-scripts"
