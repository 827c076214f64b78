// The build replaces the package `lightweight-charts` by this module. The script `charts.js` has already
// loaded the library.
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
