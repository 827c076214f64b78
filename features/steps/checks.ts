import * as cucumber from '@cucumber/cucumber';
import { defineChecks } from '../../src/testing/steps/index.ts';

// Steps that users can use in their own features.
defineChecks(cucumber);
