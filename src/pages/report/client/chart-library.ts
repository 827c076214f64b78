// Parts of `lightweight-charts` that the pages use. The build bundles them as the script `charts.js`, which a
// page loads before its other scripts.
export {
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
} from 'lightweight-charts';
