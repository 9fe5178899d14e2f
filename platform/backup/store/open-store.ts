/** Opens the store that a text names: a path, or a URL of a folder, a file or a bucket. */
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ArchiveError } from '../errors.ts';
import type { ArchiveStore } from './archive-store.ts';
import { openFileStore } from './file.ts';
import { openFolderStore } from './folder.ts';
import { isName } from './names.ts';
import type { S3Place } from './s3/s3-client.ts';

const FILE_SUFFIX = '.tar';
const DEFAULT_REGION = 'us-east-1';
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/;
const PARAMETERS = ['endpoint', 'region', 'path-style'];
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]+):\/\//;
const FORMS =
  'a path, file:///path or s3://bucket/prefix?endpoint=https://host&region=name; a path that ends with .tar is one file';

/** Keys of an S3 store. */
interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Opens a store without creating anything. Rejects with kind `refused` if the text has another form.
 * @param where see `FORMS`
 * @param credentials for S3; undefined: the sources of AWS's tools
 */
export async function openStore(where: string, credentials?: S3Credentials): Promise<ArchiveStore> {
  const scheme = SCHEME.exec(where)?.[1]?.toLowerCase();
  if (scheme === 's3') {
    // Only archives in buckets load the client.
    const { openS3Store } = await import('./s3/s3.ts');
    return openS3Store(parseS3Url(where, credentials));
  }
  if (scheme !== undefined && scheme !== 'file') throw refused(`${scheme}:// is not supported`);
  return openPath(scheme === 'file' ? pathOf(where) : where);
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw refused(`${url} is not a URL of a local path, e.g. file:///backups`);
  }
}

async function openPath(path: string): Promise<ArchiveStore> {
  if (path.trim() === '') throw refused('the place is empty');
  const found = await stat(path).catch(() => undefined);
  const isFile = found === undefined ? path.endsWith(FILE_SUFFIX) : found.isFile();
  return isFile ? openFileStore(path) : openFolderStore(path);
}

/** Parses `s3://bucket/prefix?…`; throws kind `refused`. Messages do not contain the URL, which may contain a secret. */
export function parseS3Url(text: string, credentials: S3Credentials | undefined): S3Place {
  if (!URL.canParse(text)) throw refused('the URL of the bucket is invalid');
  const { username, password, host, pathname, searchParams, hash } = new URL(text);
  if (username !== '' || password !== '')
    throw refused(
      'a URL contains no keys: set them as GREENROOM_BACKUP_S3_ACCESS_KEY_ID and GREENROOM_BACKUP_S3_SECRET_ACCESS_KEY',
    );
  if (!BUCKET.test(host)) throw refused(`"${host}" is not the name of a bucket`);
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  if (prefix !== '' && !isName(prefix))
    throw refused(
      `"${prefix}" is not a prefix: allowed are A-Z a-z 0-9 . _ - in parts that do not begin with a dot`,
    );
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined || hash !== '')
    throw refused(`the URL has the unknown part "${unknown ?? hash}"; allowed are ${PARAMETERS.join(', ')}`);
  const endpoint = endpointIn(searchParams);
  return {
    bucket: host,
    prefix,
    endpoint,
    region: searchParams.get('region') ?? DEFAULT_REGION,
    forcePathStyle: pathStyleIn(searchParams) ?? endpoint !== undefined,
    credentials,
  };
}

function endpointIn(parameters: URLSearchParams): string | undefined {
  const endpoint = parameters.get('endpoint');
  if (endpoint === null) return undefined;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isValid =
    (url?.protocol === 'https:' || url?.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    url.search === '';
  if (!isValid) throw refused('endpoint= must be a URL such as https://s3.example.com');
  return endpoint.replace(/\/+$/, '');
}

function pathStyleIn(parameters: URLSearchParams): boolean | undefined {
  const value = parameters.get('path-style');
  if (value === null) return undefined;
  if (value !== 'true' && value !== 'false') throw refused('path-style= must be true or false');
  return value === 'true';
}

function refused(reason: string): ArchiveError {
  return new ArchiveError('refused', `${reason}: give ${FORMS}`);
}
