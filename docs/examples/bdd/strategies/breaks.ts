// Fails at its tenth bar, to show what a feature says of a strategy that does.
import { defineStrategy } from 'sandtable';

export default defineStrategy({
  name: 'breaks',
  summary: 'Throws at its tenth bar.',
  onBar({ bar }) {
    if (bar === 9) throw new Error('the tenth bar was too much');
  },
});
