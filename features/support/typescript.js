// Loaded before every other support file: from here on steps and the sources they import are TypeScript.
import { register } from 'tsx/esm/api';

register();
