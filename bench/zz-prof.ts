import { ruleDecider, runBacktest, simulateMarket } from 'sandtable';
import smaCross from '../strategies/sma-cross.ts';
const SETTINGS = { cash: '1000000', commissionRate: 0.0002 };
const market = simulateMarket({ seed: 4, bars: 100_000, interval: '1h' });
const n = Number(process.argv[2] ?? 30);
const times: number[] = [];
for (let i = 0; i < n; i++) {
  const t = performance.now();
  await runBacktest({ market, decider: ruleDecider(smaCross, smaCross.parameters.parse({ fast: 11, slow: 22 }), undefined), settings: SETTINGS });
  times.push(performance.now() - t);
}
times.sort((a, b) => a - b);
console.log('min', times[0], 'bars/s at min', Math.round(1e8 / times[0]!));
