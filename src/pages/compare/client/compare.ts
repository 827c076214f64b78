import { startTheme } from '../../report/client/theme.ts';
import type { ComparisonData } from '../page.ts';
import { startBaseline } from './baseline.ts';
import { startFront } from './front.ts';
import { startOverlay } from './overlay.ts';
import { startSorting } from './sorting.ts';

startTheme();
const { curves } = JSON.parse(document.getElementById('data')?.textContent ?? 'null') as ComparisonData;
startOverlay(curves);
startBaseline();
startSorting();
startFront();
