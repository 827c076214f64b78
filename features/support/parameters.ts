import { defineParameterType } from '@cucumber/cucumber';

// Code, JSON and command lines are written between backticks, so that they can contain quotes.
defineParameterType({ name: 'code', regexp: /`([^`]+)`/, transformer: (text: string) => text });

defineParameterType({ name: 'agent', regexp: /the agent|Ann|Bob/, transformer: (text: string) => text });

defineParameterType({
  name: 'symbols',
  regexp: /[A-Z0-9.^-]+(?:(?:, | and )[A-Z0-9.^-]+)*/,
  transformer: (text: string) => text.split(/, | and /),
});

defineParameterType({
  name: 'date',
  regexp: /\d{4}-\d{2}-\d{2}/,
  transformer: (text: string) => text,
});

defineParameterType({
  name: 'words',
  regexp: /[a-z_]+(?:(?:, | and )[a-z_]+)*/,
  transformer: (text: string) => text.split(/, | and /),
});
