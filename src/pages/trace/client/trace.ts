import { startTheme } from '../../report/client/theme.ts';
import type { TraceData } from '../step.ts';
import { sourceOf, stepsOfPage } from './source.ts';
import { TracePage } from './trace-page.ts';

startTheme();
const data = JSON.parse(document.getElementById('data')?.textContent ?? 'null') as TraceData;
void stepsOfPage().then((steps) => new TracePage(data, sourceOf(data), steps).start());
