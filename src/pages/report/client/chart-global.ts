// The build puts this in the place of `lightweight-charts`: the page's own script finds the library already there.
declare const SandtableCharts: typeof import('./chart-library.ts');

export const {
  AreaSeries,
  BaselineSeries,
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  createTextWatermark,
  HistogramSeries,
  LineSeries,
  LineStyle,
  PriceScaleMode,
} = SandtableCharts;
