/** The files and settings of a function on their way to an instance, and in its database. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { failure } from '../errors.ts';
import { requirePaths } from './bundle-paths.ts';

/** A function. All paths are relative to the folder of its project, with slashes. */
export interface FunctionBundle {
  entrypoint: string;
  /** Its import map or `deno.json`; undefined if it has none. */
  importMap: string | undefined;
  /** The files that it reads. */
  staticFiles: readonly string[];
  verifiesJwt: boolean;
  files: readonly BundleFile[];
}

/** A file of a bundle. */
export interface BundleFile {
  path: string;
  content: Buffer;
}

/** As on the hosted platform. */
const MAX_SOURCE_BYTES = 20 * 1024 * 1024;
const MAX_FILES = 2000;

/** Maximum size of a bundle as JSON: the files in base64, with their names. */
const MAX_JSON_BYTES = Math.ceil(MAX_SOURCE_BYTES * 1.4) + 2 * 1024 * 1024;

/** Maximum size of a compressed bundle. Content that cannot be compressed becomes slightly larger. */
export const MAX_ARCHIVE_BYTES = MAX_JSON_BYTES;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Returns a bundle as compressed JSON. */
export function archiveOf(bundle: FunctionBundle): Promise<Buffer> {
  return compress(JSON.stringify(jsonOf(bundle)));
}

/** Identifies the content of a bundle. */
export function hashOfBundle(bundle: FunctionBundle): string {
  const { files, ...settings } = bundle;
  const list = files.map(({ path, content }) => [path, hash('sha256', content)]).sort();
  const { entrypoint, importMap = null, staticFiles, verifiesJwt } = settings;
  return hash('sha256', JSON.stringify([list, entrypoint, importMap, [...staticFiles].sort(), verifiesJwt]));
}

/** The size of the files, in bytes. */
export function sizeOf({ files }: Pick<FunctionBundle, 'files'>): number {
  return files.reduce((sum, { content }) => sum + content.length, 0);
}

/** Reads compressed JSON. Rejects with an error of the catalogue if it is not a bundle, or exceeds a limit. */
export async function readArchive(archive: Buffer): Promise<FunctionBundle> {
  const json = await decompress(archive, { maxOutputLength: MAX_JSON_BYTES }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
      throw invalid('it is not compressed by gzip');
    },
  );
  return bundleOf(parsed(json));
}

function parsed(json: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw invalid('it is not a JSON object');
}

function jsonOf({ entrypoint, importMap, staticFiles, verifiesJwt, files }: FunctionBundle) {
  return {
    entrypoint,
    import_map: importMap ?? null,
    static_files: staticFiles,
    verify_jwt: verifiesJwt,
    files: files.map(({ path, content }) => ({ path, content: content.toString('base64') })),
  };
}

function bundleOf(value: Record<string, unknown>): FunctionBundle {
  const {
    entrypoint,
    import_map: importMap,
    static_files: staticFiles = [],
    verify_jwt: verifiesJwt,
  } = value;
  const files = filesOf(value.files);
  requirePaths(files.map(({ path }) => path));
  const paths = new Set(files.map(({ path }) => path));
  if (typeof verifiesJwt !== 'boolean') throw invalid('verify_jwt must be true or false');
  if (!Array.isArray(staticFiles)) throw invalid('static_files must be a list of paths');
  const contained = (path: unknown, key: string): string => {
    if (typeof path === 'string' && paths.has(path)) return path;
    throw invalid(`${key} names ${JSON.stringify(path)}, which is none of its files`);
  };
  return {
    entrypoint: contained(entrypoint, 'entrypoint'),
    importMap: importMap === null || importMap === undefined ? undefined : contained(importMap, 'import_map'),
    staticFiles: (staticFiles as unknown[]).map((path) => contained(path, 'static_files')),
    verifiesJwt,
    files,
  };
}

function filesOf(value: unknown): BundleFile[] {
  if (!Array.isArray(value)) throw invalid('files must be a list');
  if (value.length > MAX_FILES) throw failure('BUNDLE_TOO_LARGE', { message: tooManyFiles(value.length) });
  let bytes = 0;
  return (value as unknown[]).map((entry) => {
    const { path, content } = (entry ?? {}) as Record<string, unknown>;
    if (typeof path !== 'string' || typeof content !== 'string')
      throw invalid('each of its files must have path and content');
    const decoded = Buffer.from(content, 'base64');
    bytes += decoded.length;
    if (bytes > MAX_SOURCE_BYTES) throw tooLarge();
    return { path, content: decoded };
  });
}

function tooManyFiles(count: number): string {
  return `The function has ${count} files; at most ${MAX_FILES} are allowed`;
}

function tooLarge(): Error {
  return failure('BUNDLE_TOO_LARGE');
}

function invalid(reason: string): Error {
  return failure('INVALID_BUNDLE', { message: `The bundle is not valid: ${reason}` });
}
