export { type Bar, type BarSeries, barSeries, mapColumns, PRICE_COLUMNS } from './bar-series.ts';
export { checkData, type DataReport, type SeriesReport } from './check.ts';
export { toCsv } from './csv.ts';
export { type DataSource, type LoadedMarket, type LoadOptions, loadMarket } from './load.ts';
export { createMarket, type Market } from './market.ts';
export { resample } from './resample.ts';
export { type SimulationOptions, simulateMarket } from './simulate.ts';
export { type Column, SeriesCursor, type Window } from './window.ts';
