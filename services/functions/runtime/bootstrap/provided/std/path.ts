/** Stands for `path` of Deno's standard library, without its patterns. */
import { sep } from 'node:path';

export {
  basename,
  delimiter,
  delimiter as DELIMITER,
  dirname,
  extname,
  format,
  isAbsolute,
  join,
  normalize,
  parse,
  posix,
  relative,
  resolve,
  sep,
  sep as SEPARATOR,
  toNamespacedPath,
  win32,
} from 'node:path';
export { fileURLToPath as fromFileUrl, pathToFileURL as toFileUrl } from 'node:url';

/** Formerly, names of the separators. */
export const SEP = sep;
export const SEP_PATTERN = sep === '/' ? /\/+/ : /[\\/]+/;
export const SEPARATOR_PATTERN = SEP_PATTERN;
