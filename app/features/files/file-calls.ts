/** Files in storage, by the official client: the same on the server and in the browser. Nothing here rejects. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { CONSTANTS } from '../../constants.ts';
import { below, folderOf, isTooDeep, numberedName, toSegment } from '../../session/file-name.ts';
import { type Entry, type ListedObject, PLACEHOLDER, toEntries } from './file-entry.ts';
import { FILES_BUCKET, type FilesData, type FilesProblem, PAGE_SIZE, UNKNOWN_TYPE } from './files-data.ts';
import { problemOf, type StorageFailure } from './files-problem.ts';

/** A person's own folder. */
export interface Owned {
  client: SupabaseClient;
  ownerId: string;
  /** That of files, unless another is named. */
  bucketName?: string;
}

/** What came of a call. */
export type Called<T> = { value: T; problem?: undefined } | { value?: undefined; problem: FilesProblem };

/** So many names are tried for one file. */
const MAX_NAMES = 100;
/** So many keys one request removes. */
const MAX_REMOVED = 1000;
/** So many files of a folder are moved at once. */
const MOVES_AT_ONCE = 4;
/** Of a list that is not for the screen. */
const WALK_SIZE = 1000;

/** A folder's entries from `offset` on. */
export async function listFolder(
  owned: Owned,
  folder: string,
  { offset = 0, patienceMs }: { offset?: number; patienceMs?: number } = {},
): Promise<FilesData> {
  // One more tells whether there are others.
  const listed = await list(owned, folder, { limit: PAGE_SIZE + 1, offset }, patienceMs);
  if (listed.problem) return { kind: 'problem', folder };
  const shown = listed.value.slice(0, PAGE_SIZE);
  return {
    kind: 'list',
    folder,
    entries: toEntries(shown, folder),
    hasMore: listed.value.length > PAGE_SIZE,
  };
}

function list(owned: Owned, folder: string, page: { limit: number; offset: number }, patienceMs?: number) {
  const options = { ...CONSTANTS.storage.list, sortBy: { ...CONSTANTS.storage.list.sortBy }, ...page };
  const signal = AbortSignal.timeout(patienceMs ?? CONSTANTS.realtime.requestTimeout);
  return call(bucket(owned).list(keyOf(owned, folder), options, { signal }));
}

/** Stores a small file under the first name that is free, from this number on. Gives its path. `headers` are for fetch. */
export async function addFile(
  owned: Owned,
  file: { folder: string; name: string; count?: number; content: Blob; headers?: Record<string, string> },
): Promise<Called<string>> {
  const { folder, name, count: first = 1, content, headers } = file;
  for (let count = first; count < first + MAX_NAMES; count++) {
    const path = below(folder, toSegment(numberedName(name, count)));
    const { problem } = await put(owned, path, content, headers);
    if (problem === undefined) return { value: path };
    if (problem !== 'nameTaken') return { problem };
  }
  return { problem: 'nameTaken' };
}

/** Makes a folder: what keeps it while it is empty. */
export async function addFolder(owned: Owned, path: string): Promise<Called<string>> {
  const { problem } = await put(owned, below(path, PLACEHOLDER), new Blob([]));
  return problem === undefined ? { value: path } : { problem };
}

function put(owned: Owned, path: string, content: Blob, headers: Record<string, string> = {}) {
  const cacheControl = String(CONSTANTS.storage.cacheControlSeconds);
  // The client takes the type of a form's part from the file itself.
  const typed = content.type === '' ? new Blob([content], { type: UNKNOWN_TYPE }) : content;
  return call(bucket(owned).upload(keyOf(owned, path), typed, { cacheControl, headers }));
}

/** Gives an entry another path, with all that is in it. */
export async function moveEntry(owned: Owned, entry: Entry, to: string): Promise<Called<undefined>> {
  if (entry.kind === 'file') return move(owned, entry.path, to);
  const found = await walk(owned, entry.path);
  if (found.problem) return found;
  const isDeep = (path: string) => isTooDeep(folderOf(to + path.slice(entry.path.length)));
  if (found.value.some(isDeep)) return { problem: 'tooDeep' };
  // What keeps the folder goes first: then the new one is there, whatever comes of the rest.
  const paths = found.value.toSorted(
    (a, b) => Number(b.endsWith(PLACEHOLDER)) - Number(a.endsWith(PLACEHOLDER)),
  );
  while (paths.length > 0) {
    const some = paths.splice(0, MOVES_AT_ONCE);
    const moved = await Promise.all(
      some.map((path) => move(owned, path, to + path.slice(entry.path.length))),
    );
    const failed = moved.find(({ problem }) => problem !== undefined);
    if (failed?.problem) return { problem: failed.problem };
  }
  return { value: undefined };
}

async function move(owned: Owned, from: string, to: string): Promise<Called<undefined>> {
  const { problem } = await call(bucket(owned).move(keyOf(owned, from), keyOf(owned, to)));
  return problem === undefined ? { value: undefined } : { problem };
}

/** Removes entries, with all that is in them. What is gone already needs nothing. */
export async function removeEntries(
  owned: Owned,
  entries: readonly Pick<Entry, 'kind' | 'path'>[],
): Promise<Called<undefined>> {
  const paths = await pathsOf(owned, entries);
  if (paths.problem) return paths;
  for (let index = 0; index < paths.value.length; index += MAX_REMOVED) {
    const keys = paths.value.slice(index, index + MAX_REMOVED).map((path) => keyOf(owned, path));
    const { problem } = await call(bucket(owned).remove(keys));
    if (problem !== undefined) return { problem };
  }
  return { value: undefined };
}

/** Every path that entries stand for: the files themselves, and what is in folders. */
async function pathsOf(
  owned: Owned,
  entries: readonly Pick<Entry, 'kind' | 'path'>[],
): Promise<Called<string[]>> {
  const paths: string[] = [];
  for (const { kind, path } of entries) {
    const found = kind === 'file' ? { value: [path] } : await walk(owned, path);
    if (found.value === undefined) return found;
    paths.push(...found.value);
  }
  return { value: paths };
}

/** The names of everything in a folder, however much it is. */
export async function listNames(owned: Owned, folder: string): Promise<Called<string[]>> {
  const listed = await listAll(owned, folder);
  return listed.problem ? listed : { value: toEntries(listed.value, folder).map(({ name }) => name) };
}

/** Every path below a folder. */
async function walk(owned: Owned, folder: string): Promise<Called<string[]>> {
  const listed = await listAll(owned, folder);
  if (listed.problem) return listed;
  const paths: string[] = [];
  for (const { name, id } of listed.value) {
    const path = below(folder, name);
    const found = id === null ? await walk(owned, path) : { value: [path] };
    if (found.value === undefined) return found;
    paths.push(...found.value);
  }
  return { value: paths };
}

async function listAll(owned: Owned, folder: string): Promise<Called<ListedObject[]>> {
  const all: ListedObject[] = [];
  for (let offset = 0; ; offset += WALK_SIZE) {
    const listed = await list(owned, folder, { limit: WALK_SIZE, offset });
    if (listed.problem) return listed;
    all.push(...listed.value);
    if (listed.value.length < WALK_SIZE) return { value: all };
  }
}

/** A picture as storage makes it from an image. */
interface Transform {
  width: number;
  height: number;
  resize: 'cover' | 'contain';
}

/** An address that shows a file to whoever has it, for so many seconds. */
export async function signFile(
  owned: Owned,
  path: string,
  seconds: number,
  transform?: Transform,
): Promise<Called<string>> {
  const options = transform ? { transform } : {};
  const { value, problem } = await call(bucket(owned).createSignedUrl(keyOf(owned, path), seconds, options));
  return problem === undefined ? { value: value.signedUrl } : { problem };
}

/** A file's content. */
export function readFile(owned: Owned, path: string): Promise<Called<Blob>> {
  return call(bucket(owned).download(keyOf(owned, path)));
}

/** The key of a path: the first folder is its owner's. */
export function keyOf({ ownerId }: Pick<Owned, 'ownerId'>, path: string): string {
  return below(ownerId, path).replace(/\/$/, '');
}

function bucket({ client, bucketName = FILES_BUCKET }: Owned) {
  return client.storage.from(bucketName);
}

async function call<T>(
  asked: PromiseLike<{ data: T; error: null } | { data: null; error: StorageFailure }>,
): Promise<Called<NonNullable<T>>> {
  try {
    const { data, error } = await asked;
    return data === null || data === undefined ? { problem: problemOf(error ?? {}) } : { value: data };
  } catch {
    return { problem: 'unreachable' };
  }
}
