// Replacement for the package `lightweight-charts` in page scripts, so that they do not all contain the
// library. The script `charts.js` contains the library and defines the global `SandtableCharts`.
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
