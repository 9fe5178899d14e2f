/** A template from a file, read once at the start: what is wrong with it stops the start. */
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CompiledTemplate, compileHtml } from './template/index.ts';

/**
 * Reads a template. Throws an `Error` that says what is wrong: no such file, too long, or not a template.
 *
 * @param location a path, or a URL with scheme `file`
 */
export function readFileTemplate(location: string, maxBytes: number): CompiledTemplate {
  const path = /^file:/i.test(location) ? fileURLToPath(location) : location;
  if (statSync(path).size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
  return compileHtml(readFileSync(path, 'utf8'));
}
