Feature: The guide to orders

  Scenario: Its worked examples are true
    Then the 5 worked examples of docs/orders.md fill as it says
