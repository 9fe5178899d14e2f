/** Mistakes in the files of pages, in development: their description, and the response in place of all pages. */
import { realpathSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { APP_FOLDER } from './build-folder.ts';
import { describeFailure } from './builder-output.ts';
import { FIXED_SECURITY_HEADERS } from './security-headers.ts';
import { escapeHtml } from './static-error-page.ts';

/** The client of the bundler opens a socket, and shows errors in an element with styles. */
const POLICY =
  "default-src 'self'; connect-src 'self' ws: wss:; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** An error of the bundler, or of a module that it runs. */
interface BundlerError {
  message: string;
  stack?: string;
  /** Path of the module. */
  id?: string;
  /** `line` begins with 1. */
  loc?: { file?: string; line: number; column: number };
}

/**
 * Returns the message for the author, which begins with the place of the mistake if the error has one. Files of the product have
 * the names that they have for the author.
 * @param appFolder the folder `app/` of the product; undefined for none
 */
export function describeProblem(error: unknown, appFolder: string | undefined): string {
  const details: BundlerError = isBundlerError(error) ? error : { message: String(error) };
  const { message } = details;
  if (appFolder === undefined) return message;
  const folder = realpathSync(appFolder);
  const place = message.includes(folder) ? undefined : placeOf(details, folder);
  const text = place === undefined ? message : `${place}\n${message}`;
  return describeFailure(text, { root: fileURLToPath(APP_FOLDER), appFolder });
}

function isBundlerError(error: unknown): error is BundlerError {
  return typeof error === 'object' && error !== null && 'message' in error;
}

function placeOf({ id, loc, stack = '' }: BundlerError, appFolder: string): string | undefined {
  const file = loc?.file ?? id;
  if (file?.includes(appFolder)) return loc ? `${file}:${loc.line}:${loc.column + 1}` : file;
  return stack
    .split('\n')
    .find((line) => /^\s+at /.test(line) && line.includes(appFolder))
    ?.trim();
}

/** Responds with the message. The page reloads when the bundler requests it. @param baseURL base path of the app */
export function sendProblem(response: ServerResponse, message: string, baseURL: string): void {
  response.writeHead(500, {
    ...FIXED_SECURITY_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
  });
  if (response.req.method === 'HEAD') return void response.end();
  response.end(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>The pages cannot be loaded</title>
<script type="module" src="${escapeHtml(baseURL)}@vite/client"></script></head>
<body><main><h1>The pages cannot be loaded</h1>
<pre>${escapeHtml(message)}</pre>
<p>Correct the file; this page reloads then.</p></main></body>
</html>
`);
}
