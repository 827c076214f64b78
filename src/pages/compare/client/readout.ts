import type { IChartApi, ISeriesApi } from 'lightweight-charts';
import { time } from '../../report/client/data.ts';
import { dateText } from '../../report/model/dates.ts';
import { signedPercent } from '../../shared/number-formats.ts';
import type { ComparisonCurve } from '../curves.ts';

/** Number of points that an arrow key moves the crosshair while Shift is pressed. */
const FAR = 20;

/** Shows the return of each run at the crosshair as text. The mouse and the arrow keys move the crosshair. */
export function startReadout(
  chart: IChartApi,
  curves: readonly ComparisonCurve[],
  drawn: ISeriesApi<'Line'> | undefined,
): void {
  const said = document.getElementById('equity-said');
  const times = [...new Set(curves.flatMap((curve) => curve.times))].sort((one, other) => one - other);
  if (said === null || drawn === undefined || times.length === 0) return;
  let at = times.length - 1;
  const say = (): void => {
    const texts = curves.map(({ name, times: own, equity }) => {
      const point = own.findLastIndex((seconds) => seconds <= times[at]!);
      return `${name} ${point < 0 ? '–' : signedPercent(equity[point]! / 100)}`;
    });
    said.textContent = `${dateText(times[at]!)}: ${texts.join(' · ')}`;
  };
  chart.subscribeCrosshairMove((event) => {
    const place = times.indexOf(Number(event.time));
    if (place < 0) return;
    at = place;
    say();
  });
  document.getElementById('equity-chart')?.addEventListener('keydown', ({ key, shiftKey }) => {
    const step = shiftKey ? FAR : 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: at - step,
      ArrowRight: at + step,
      Home: 0,
      End: times.length - 1,
    };
    const to = moves[key];
    if (to === undefined) return;
    at = Math.min(Math.max(to, 0), times.length - 1);
    const [first] = curves;
    const point = first!.times.findLastIndex((seconds) => seconds <= times[at]!);
    chart.setCrosshairPosition(first!.equity[Math.max(point, 0)]!, time(times[at]!), drawn);
    say();
  });
}
