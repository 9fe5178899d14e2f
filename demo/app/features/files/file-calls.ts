/** Storage calls with the official client, for server and browser. None of them rejects. */

import type { SupabaseClient } from '@supabase/supabase-js';
import { constants } from 'greenroom/app';
import { type Entry, type ListedObject, PLACEHOLDER, toEntries } from './file-entry.ts';
import { folderOf, isTooDeep, joinPath, numberedName, toSegment } from './file-name.ts';
import { FILES_BUCKET, type FilesData, type FilesProblem, PAGE_SIZE, UNKNOWN_TYPE } from './files-data.ts';
import { problemOf, type StorageFailure } from './files-problem.ts';

/** The folder of a user in a bucket. */
export interface OwnerStorage {
  client: SupabaseClient;
  ownerId: string;
  /** Defaults to the bucket of files. */
  bucketName?: string;
}

/** The result of a call. */
export type CallResult<T> = { value: T; problem?: undefined } | { value?: undefined; problem: FilesProblem };

/** Maximum number of names that are tried for one file. */
const MAX_NAMES = 100;
/** Maximum number of keys per remove request. */
const MAX_REMOVED = 1000;
/** Number of files that are moved concurrently. */
const MAX_CONCURRENT_MOVES = 4;
/** Page size for reading all entries of a folder. */
const WALK_PAGE_SIZE = 1000;

/** Lists a folder's entries, starting at `offset`. */
export async function listFolder(
  ownerStorage: OwnerStorage,
  folder: string,
  { offset = 0, timeoutMs }: { offset?: number; timeoutMs?: number } = {},
): Promise<FilesData> {
  // Requests one more entry, which indicates whether there is a further page.
  const listed = await list(ownerStorage, folder, { limit: PAGE_SIZE + 1, offset }, timeoutMs);
  if (listed.problem) return { kind: 'problem', folder };
  const shown = listed.value.slice(0, PAGE_SIZE);
  return {
    kind: 'list',
    folder,
    entries: toEntries(shown, folder),
    hasMore: listed.value.length > PAGE_SIZE,
  };
}

function list(
  ownerStorage: OwnerStorage,
  folder: string,
  page: { limit: number; offset: number },
  timeoutMs?: number,
) {
  const options = { ...constants.storage.list, sortBy: { ...constants.storage.list.sortBy }, ...page };
  const signal = AbortSignal.timeout(timeoutMs ?? constants.realtime.requestTimeout);
  return call(bucket(ownerStorage).list(keyOf(ownerStorage, folder), options, { signal }));
}

/**
 * Stores a small file under the first free name, starting at `count`. Returns its path. `headers` are
 * passed to fetch.
 */
export async function addFile(
  ownerStorage: OwnerStorage,
  file: { folder: string; name: string; count?: number; content: Blob; headers?: Record<string, string> },
): Promise<CallResult<string>> {
  const { folder, name, count: first = 1, content, headers } = file;
  for (let count = first; count < first + MAX_NAMES; count++) {
    const path = joinPath(folder, toSegment(numberedName(name, count)));
    const { problem } = await put(ownerStorage, path, content, headers);
    if (problem === undefined) return { value: path };
    if (problem !== 'nameTaken') return { problem };
  }
  return { problem: 'nameTaken' };
}

/** Creates a folder, by storing a placeholder in it. */
export async function addFolder(ownerStorage: OwnerStorage, path: string): Promise<CallResult<string>> {
  const { problem } = await put(ownerStorage, joinPath(path, PLACEHOLDER), new Blob([]));
  return problem === undefined ? { value: path } : { problem };
}

function put(ownerStorage: OwnerStorage, path: string, content: Blob, headers: Record<string, string> = {}) {
  const cacheControl = String(constants.storage.cacheControlSeconds);
  // The official client takes the media type of a form part from the file itself.
  const typed = content.type === '' ? new Blob([content], { type: UNKNOWN_TYPE }) : content;
  return call(bucket(ownerStorage).upload(keyOf(ownerStorage, path), typed, { cacheControl, headers }));
}

/** Moves an entry with all of its content to another path. */
export async function moveEntry(
  ownerStorage: OwnerStorage,
  entry: Entry,
  to: string,
): Promise<CallResult<undefined>> {
  if (entry.kind === 'file') return move(ownerStorage, entry.path, to);
  const found = await walk(ownerStorage, entry.path);
  if (found.problem) return found;
  const isDeep = (path: string) => isTooDeep(folderOf(to + path.slice(entry.path.length)));
  if (found.value.some(isDeep)) return { problem: 'tooDeep' };
  // Moves the placeholder first, so that the new folder exists even if a later move fails.
  const paths = found.value.toSorted(
    (a, b) => Number(b.endsWith(PLACEHOLDER)) - Number(a.endsWith(PLACEHOLDER)),
  );
  while (paths.length > 0) {
    const batch = paths.splice(0, MAX_CONCURRENT_MOVES);
    const moved = await Promise.all(
      batch.map((path) => move(ownerStorage, path, to + path.slice(entry.path.length))),
    );
    const failed = moved.find(({ problem }) => problem !== undefined);
    if (failed?.problem) return { problem: failed.problem };
  }
  return { value: undefined };
}

async function move(ownerStorage: OwnerStorage, from: string, to: string): Promise<CallResult<undefined>> {
  const { problem } = await call(
    bucket(ownerStorage).move(keyOf(ownerStorage, from), keyOf(ownerStorage, to)),
  );
  return problem === undefined ? { value: undefined } : { problem };
}

/** Removes entries with all of their content. Missing entries are ignored. */
export async function removeEntries(
  ownerStorage: OwnerStorage,
  entries: readonly Pick<Entry, 'kind' | 'path'>[],
): Promise<CallResult<undefined>> {
  const paths = await pathsOf(ownerStorage, entries);
  if (paths.problem) return paths;
  for (let index = 0; index < paths.value.length; index += MAX_REMOVED) {
    const keys = paths.value.slice(index, index + MAX_REMOVED).map((path) => keyOf(ownerStorage, path));
    const { problem } = await call(bucket(ownerStorage).remove(keys));
    if (problem !== undefined) return { problem };
  }
  return { value: undefined };
}

/** Returns the paths of all files in the entries. */
async function pathsOf(
  ownerStorage: OwnerStorage,
  entries: readonly Pick<Entry, 'kind' | 'path'>[],
): Promise<CallResult<string[]>> {
  const paths: string[] = [];
  for (const { kind, path } of entries) {
    const found = kind === 'file' ? { value: [path] } : await walk(ownerStorage, path);
    if (found.value === undefined) return found;
    paths.push(...found.value);
  }
  return { value: paths };
}

/** Returns the names of all entries of a folder. */
export async function listNames(ownerStorage: OwnerStorage, folder: string): Promise<CallResult<string[]>> {
  const listed = await listAll(ownerStorage, folder);
  return listed.problem ? listed : { value: toEntries(listed.value, folder).map(({ name }) => name) };
}

/** Returns the paths of all files below a folder. */
async function walk(ownerStorage: OwnerStorage, folder: string): Promise<CallResult<string[]>> {
  const listed = await listAll(ownerStorage, folder);
  if (listed.problem) return listed;
  const paths: string[] = [];
  for (const { name, id } of listed.value) {
    const path = joinPath(folder, name);
    const found = id === null ? await walk(ownerStorage, path) : { value: [path] };
    if (found.value === undefined) return found;
    paths.push(...found.value);
  }
  return { value: paths };
}

async function listAll(ownerStorage: OwnerStorage, folder: string): Promise<CallResult<ListedObject[]>> {
  const all: ListedObject[] = [];
  for (let offset = 0; ; offset += WALK_PAGE_SIZE) {
    const listed = await list(ownerStorage, folder, { limit: WALK_PAGE_SIZE, offset });
    if (listed.problem) return listed;
    all.push(...listed.value);
    if (listed.value.length < WALK_PAGE_SIZE) return { value: all };
  }
}

/** Image transformation by storage. */
interface Transform {
  width: number;
  height: number;
  resize: 'cover' | 'contain';
}

/** Returns a signed URL of a file that is valid for `seconds`. */
export async function signFile(
  ownerStorage: OwnerStorage,
  path: string,
  seconds: number,
  transform?: Transform,
): Promise<CallResult<string>> {
  const options = transform ? { transform } : {};
  const { value, problem } = await call(
    bucket(ownerStorage).createSignedUrl(keyOf(ownerStorage, path), seconds, options),
  );
  return problem === undefined ? { value: value.signedUrl } : { problem };
}

/** Downloads a file. */
export function readFile(ownerStorage: OwnerStorage, path: string): Promise<CallResult<Blob>> {
  return call(bucket(ownerStorage).download(keyOf(ownerStorage, path)));
}

/** Returns the storage key of a path: its first segment is the owner's id. */
export function keyOf({ ownerId }: Pick<OwnerStorage, 'ownerId'>, path: string): string {
  return joinPath(ownerId, path).replace(/\/$/, '');
}

function bucket({ client, bucketName = FILES_BUCKET }: OwnerStorage) {
  return client.storage.from(bucketName);
}

async function call<T>(
  promise: PromiseLike<{ data: T; error: null } | { data: null; error: StorageFailure }>,
): Promise<CallResult<NonNullable<T>>> {
  try {
    const { data, error } = await promise;
    return data === null || data === undefined ? { problem: problemOf(error ?? {}) } : { value: data };
  } catch {
    return { problem: 'unreachable' };
  }
}
