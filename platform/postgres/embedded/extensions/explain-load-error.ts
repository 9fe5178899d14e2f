/** Explains why PostgreSQL could not load a library. */

const MESSAGE = /^(?:ERROR|FATAL|PANIC):\s+(.*)$/m;
const DETAIL = /^DETAIL:\s+(.*)$/m;

/** Errors of the loader: the file is not a library for this PostgreSQL and this system. */
const LOADER_ERROR =
  /^(could not load library|incompatible library|could not access file)|process ended with/;

const OTHER_SYSTEM =
  'The file was built for a newer system: use a package for the release of this system, or build it here.';

/** A problem with a library. */
interface LoadProblem {
  /** `warnings` means that the library was loaded, and that its own code reported an error. */
  kind: 'errors' | 'warnings';
  message: string;
}

/**
 * Returns the problem that the log of a server reports after `LOAD`; undefined if there is none.
 * @param library file name
 * @param log without a prefix before its lines
 */
export function explainLoadError(library: string, log: string): LoadProblem | undefined {
  const [, message] = MESSAGE.exec(log) ?? [];
  if (message === undefined) return undefined;
  if (!LOADER_ERROR.test(message)) {
    return { kind: 'warnings', message: `${library} was loaded and reports: ${message}` };
  }
  const [, detail = ''] = DETAIL.exec(log) ?? [];
  return { kind: 'errors', message: `${library} ${reasonOf(message, detail)}` };
}

function reasonOf(message: string, detail: string): string {
  const [, server, library] = /Server is version (\S+), library is version ([^\s.]+)/.exec(detail) ?? [];
  if (server !== undefined) return `was built for PostgreSQL ${library}; this is PostgreSQL ${server}`;
  if (message.includes('missing magic block')) return 'is not an extension of PostgreSQL (no magic block)';
  const [, symbol] = /version `(\w+_[\d.]+)' not found/.exec(message) ?? [];
  if (symbol !== undefined) return `needs ${symbol}${installedVersion(symbol)}. ${OTHER_SYSTEM}`;
  const [, dependency] = /: (\S+): cannot open shared object file/.exec(message) ?? [];
  if (dependency !== undefined) {
    return `needs the library ${dependency}, which this system does not have; install it first`;
  }
  return `cannot be loaded: ${message.replace(/^could not load library "[^"]*": /, '')}${detail && ` (${detail})`}`;
}

function installedVersion(symbol: string): string {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const version = header?.glibcVersionRuntime;
  return symbol.startsWith('GLIBC_') && version !== undefined ? `, but this system has glibc ${version}` : '';
}
