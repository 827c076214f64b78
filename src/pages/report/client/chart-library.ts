// Parts of `lightweight-charts` that pages use. The build makes the script `charts.js` from them, which a
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
