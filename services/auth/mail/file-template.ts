/** Templates from files. They are read once at the start; an invalid one stops the start. */
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CompiledTemplate, compileHtml } from './template/index.ts';

/**
 * Reads and compiles a template. Throws an `Error` with the reason: missing file, too large, or not a valid template.
 * @param location a path, or a URL with scheme `file`
 */
export function readFileTemplate(location: string, maxBytes: number): CompiledTemplate {
  const path = /^file:/i.test(location) ? fileURLToPath(location) : location;
  if (statSync(path).size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
  return compileHtml(readFileSync(path, 'utf8'));
}
