/** Runs the file with the values of a product. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ProductError } from './product-error.ts';

/** Default of the time that the top-level `await` of the file may take. */
export const LOAD_TIMEOUT_MS = 10_000;

/**
 * Returns the default export of a file. Node.js keeps each module for ever, so the time of the last change is part of the URL.
 * @throws ProductError with the line of the mistake, if the error has one
 */
export async function loadConfigFile(path: string, timeoutMs: number): Promise<unknown> {
  const url = pathToFileURL(path);
  const { mtimeNs } = await stat(path, { bigint: true });
  url.search = String(mtimeNs);
  const timeout = Promise.withResolvers<never>();
  // The timer also keeps the process alive, which would end without a message otherwise.
  const timer = setTimeout(() => timeout.reject(tooSlow(timeoutMs)), timeoutMs);
  try {
    return await Promise.race([defaultExportOf(url), timeout.promise]);
  } catch (error) {
    throw new ProductError(`${path}${placeIn(path, error)} cannot be loaded: ${reasonOf(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for a promise that is the default export. */
async function defaultExportOf(url: URL): Promise<unknown> {
  const module: { default?: unknown } = await import(url.href);
  return module.default;
}

function tooSlow(timeoutMs: number): Error {
  const seconds = timeoutMs / 1000;
  return new Error(`its top-level await has not finished after ${seconds} s. Allowed: up to ${seconds} s`);
}

/** Returns `:` and the line; an empty text if the error names none. */
function placeIn(path: string, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const [, after] = stack.split(basename(path), 2);
  const [, line] = /^(?:\?\d+)?:(\d+)/.exec(after ?? '') ?? [];
  return line === undefined ? '' : `:${line}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
