import { firstDifference } from '../features/support/reference/compare.ts';
import { runReference } from '../features/support/reference/exchange.ts';
import { randomPlay } from '../features/support/reference/random-play.ts';
import { runReal } from '../features/support/reference/real.ts';
import { shrink } from '../features/support/reference/shrink.ts';
import { tellPlay } from '../features/support/reference/tell.ts';

const key = (d: any) => {
  const k = d.where.replace(/\[\d+\]/, '');
  const f = (s: string) => s.replace(/^\d+ /, '').replace(/[\d]+/g, '#');
  if (k === 'refusals') return `${k}: ${f(d.broker)} | ${f(d.reference)}`;
  if (k.startsWith('trades') || k.startsWith('fills.')) return k;
  return `${k} ${d.broker === 'nothing' ? 'none' : 'some'} ${d.reference === 'nothing' ? 'none' : 'some'}`;
};
const diff = async (p: any) => {
  try {
    return firstDifference(await runReal(p), runReference(p));
  } catch (e: any) {
    return { where: 'throw', broker: String(e.stack).slice(0, 600), reference: '' };
  }
};
const [n, from, per] = process.argv.slice(2).map(Number);
const kinds = new Map<string, number[]>();
for (let i = 0; i < n!; i++) {
  const p = randomPlay(from! + i);
  const d = await diff(p);
  if (d) {
    const k = key(d);
    kinds.set(k, [...(kinds.get(k) ?? []), from! + i]);
  }
}
for (const [k, list] of [...kinds].sort((a, b) => b[1].length - a[1].length)) {
  console.log(`##### ${k}: ${list.length}`);
  for (const i of list.slice(0, per ?? 1)) {
    const p = randomPlay(i);
    const s = await shrink(p, async (q) => {
      const d = await diff(q);
      return !!d && key(d) === k;
    });
    const d = (await diff(s))!;
    if (d.where === 'throw') {
      console.log(JSON.stringify(s), d.broker);
      continue;
    }
    console.log(tellPlay(s, d, await runReal(s), runReference(s)));
  }
}
