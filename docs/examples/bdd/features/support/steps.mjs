import * as cucumber from '@cucumber/cucumber';
import { defineSteps } from 'sandtable/steps';

defineSteps(cucumber);
