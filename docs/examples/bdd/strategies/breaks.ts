// Fails at its tenth bar. Shows how a feature reports a failing strategy.
import { defineStrategy } from 'sandtable';

export default defineStrategy({
  name: 'breaks',
  summary: 'Throws at its tenth bar.',
  onBar({ bar }) {
    if (bar === 9) throw new Error('the tenth bar was too much');
  },
});
