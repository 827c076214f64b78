// Parts of the chart library that the pages use. The build bundles them as the script `charts.js`, which
// precedes the scripts of the pages.
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
