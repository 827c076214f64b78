import * as cucumber from '@cucumber/cucumber';
import { defineChecks } from '../../src/steps/index.ts';

// The steps that users have for their own features.
defineChecks(cucumber);
