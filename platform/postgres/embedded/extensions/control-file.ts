/**
 * Control files of extensions. Their syntax is that of postgresql.conf (PostgreSQL 18, "Packaging Related Objects into an
 * Extension"). PostgreSQL fails to list any extension if one control file has an error, so each is checked before it is
 * installed.
 */

/** Parameters that PostgreSQL 18 accepts. */
const PARAMETERS = new Set([
  'comment',
  'default_version',
  'directory',
  'encoding',
  'module_pathname',
  'no_relocate',
  'relocatable',
  'requires',
  'schema',
  'superuser',
  'trusted',
]);

const LINE = /^\s*(?:([A-Za-z_]\w*)\s*(?:=\s*|\s)('(?:[^'\\]|''|\\.)*'|[^\s'#=]+))?\s*(?:#.*)?$/;
const TRUSTED_LINE = /^\s*trusted\b/i;

/** A control file has an error. Its message names the file and the line. */
class ControlFileError extends Error {
  override readonly name = 'ControlFileError';
}

/**
 * Returns the parameters of a control file.
 * @param path for error messages
 * @throws ControlFileError
 */
export function parseControlFile(text: string, path: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const fail = (reason: string) => new ControlFileError(`${path}, line ${index + 1}: ${reason}`);
    const [matched, name, value] = LINE.exec(line) ?? [];
    if (matched === undefined) throw fail("syntax error; write name = 'value'");
    if (name === undefined || value === undefined) continue;
    const key = name.toLowerCase();
    if (!PARAMETERS.has(key)) {
      throw fail(`unknown parameter "${name}"; PostgreSQL 18 accepts ${[...PARAMETERS].join(', ')}`);
    }
    values.set(key, unquote(value));
  }
  requireSupported(values, path);
  return values;
}

function unquote(value: string): string {
  if (!value.startsWith("'")) return value;
  return value.slice(1, -1).replace(/''|\\(.)/g, (match, escaped) => (match === "''" ? "'" : escaped));
}

function requireSupported(values: ReadonlyMap<string, string>, path: string): void {
  if (values.has('directory')) {
    throw new ControlFileError(
      `${path}: the parameter "directory" is not supported; put the scripts beside it`,
    );
  }
  const library = values.get('module_pathname');
  if (library !== undefined && !/^(\$libdir\/)?[^/\\]+$/.test(library)) {
    throw new ControlFileError(
      `${path}: module_pathname is "${library}"; only the name of a library is allowed, e.g. "$libdir/${library.split(/[/\\]/).at(-1)}"`,
    );
  }
}

/**
 * Returns the text with `trusted = true`, so that every role that may create objects in a database can install the
 * extension: the operator has consented by adding its files.
 */
export function withTrust(text: string): string {
  const lines = text.split('\n').filter((line) => !TRUSTED_LINE.test(line));
  return `${lines.join('\n').trimEnd()}\ntrusted = true\n`;
}
