/** Which paths files of a bundle may have: they are written below a folder, on systems of all kinds. */
import { failure } from '../errors.ts';

const MAX_PATH_BYTES = 500;
/** Characters that separate folders, name drives or streams, or are invisible. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters, which are refused.
const REFUSED = /[\\:\u0000-\u001f\u007f]/;

/** Returns why a path is refused; undefined if it is allowed. */
function refusalOfPath(path: string): string | undefined {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `it is longer than ${MAX_PATH_BYTES} bytes`;
  if (REFUSED.test(path)) return 'it contains a backslash, a colon or a control character';
  if (path.startsWith('/')) return 'it is absolute';
  const segments = path.split('/');
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) return 'it has an empty part, . or ..';
  return undefined;
}

/**
 * Throws an error of the catalogue for a path that is refused, for two paths that some systems do not distinguish, and for a
 * file that is also a folder.
 */
export function requirePaths(paths: readonly string[]): void {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const path of paths) {
    const reason = refusalOfPath(path);
    if (reason !== undefined) throw refused(path, reason);
    const folded = foldedName(path);
    const other = files.get(folded);
    if (other !== undefined) throw refused(path, `${JSON.stringify(other)} has the same name`);
    files.set(folded, path);
    for (let end = folded.lastIndexOf('/'); end > 0; end = folded.lastIndexOf('/', end - 1))
      folders.set(folded.slice(0, end), path);
  }
  for (const [folded, path] of files) {
    const inside = folders.get(folded);
    if (inside !== undefined) throw refused(path, `it is also the folder of ${JSON.stringify(inside)}`);
  }
}

/** Names that file systems of other systems do not distinguish have the same result. */
function foldedName(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function refused(path: string, reason: string): Error {
  return failure('INVALID_BUNDLE', {
    message: `The bundle is not valid: the path ${JSON.stringify(path.slice(0, MAX_PATH_BYTES))} is refused: ${reason}`,
  });
}
