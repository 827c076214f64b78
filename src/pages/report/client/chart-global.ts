// The build replaces the package `lightweight-charts` with this module, so that page scripts do not each
// contain the library. The script `charts.js` provides it as the global `SandtableCharts`.
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
