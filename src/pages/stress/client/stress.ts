import { startTheme } from '../../report/client/theme.ts';

startTheme();
