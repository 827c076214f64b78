import { html } from '../shared/html.ts';

/** Returns a page that shows an error and how to fix it. */
export function errorPage(message: string, hint: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sandtable</title>
<link rel="icon" href="data:,">
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}h1{font-size:1.4rem}</style>
</head>
<body><main><h1>${message}</h1><p>${hint}</p><p><a href="/">All runs</a></p></main></body>
</html>
`.text;
}
