/** The files on the server: the first list, the redirect to a file, and the forms without scripts. */

import type { ActionArgs, LoaderArgs, MaybePromise } from 'greenroom/app';
import {
  backendUnreachable,
  currentUser,
  invalidRoute,
  languageFor,
  needsWholePage,
  publicStorageUrl,
  refused,
  resolveWithin,
  supabase,
} from 'greenroom/app/server';
import { data, redirect } from 'react-router';
import {
  addFile,
  addFolder,
  type CallResult,
  listFolder,
  type OwnerStorage,
  removeEntries,
  signFile,
} from './file-calls.ts';
import { sortEntries } from './file-entry.ts';
import {
  folderOf,
  isTooDeep,
  joinPath,
  normalizeName,
  parseFolder,
  parsePath,
  segmentOf,
  toName,
  toSegment,
} from './file-name.ts';
import type { FilesData, FilesProblem } from './files-data.ts';
import type { FilesOutcome } from './files-outcome.ts';
import { filesPath } from './files-path.ts';
import { loadPlainFiles } from './lazy-plain-files.tsx';

/** Data of the page. `now` is the time of rendering, in seconds since 1970. */
export interface FilesLoad {
  folder: string;
  files: MaybePromise<FilesData>;
  now: number;
}

/** Timeout of the list, and the time that the page waits for it. */
const TIMEOUT_MS = 5000;
const PAGE_TIMEOUT_MS = 1000;

/** The link is followed at once. */
const LINK_SECONDS = 60;

/** Lists the folder in the URL; undefined for a visitor without a session. */
export async function loadFiles(args: LoaderArgs): Promise<FilesLoad | undefined> {
  const ownerStorage = await ownerStorageOf(args);
  if (!ownerStorage) return undefined;
  const folder = parseFolder(new URL(args.request.url).searchParams.get('folder') ?? '');
  if (folder === undefined) throw invalidRoute(args.context);
  const language = languageFor(args.context);
  const listed = listFolder(ownerStorage, folder, { timeoutMs: TIMEOUT_MS }).then((files) =>
    files.kind === 'list' ? { ...files, entries: sortEntries(files.entries, language) } : files,
  );
  await loadPlainFiles();
  const isWholePage = needsWholePage(args.request);
  const { value: files } = await resolveWithin(listed, isWholePage ? TIMEOUT_MS : PAGE_TIMEOUT_MS);
  return { folder, files, now: Math.floor(Date.now() / 1000) };
}

/** Redirects to a file's content, which browsers save if the URL has the parameter `download`. */
export async function openFile(args: LoaderArgs): Promise<Response> {
  const search = new URL(args.request.url).searchParams;
  const path = parsePath(search.get('path') ?? '');
  const ownerStorage = await ownerStorageOf(args);
  if (!path || !ownerStorage) throw invalidRoute(args.context);
  const { value, problem } = await signFile(ownerStorage, path, LINK_SECONDS);
  if (problem === 'unreachable') throw backendUnreachable();
  if (problem !== undefined) throw invalidRoute(args.context);
  const address = publicStorageUrl(value, args.context);
  // The official client does not escape all characters of a name, and some would end the parameter.
  if (search.has('download')) address.searchParams.set('download', toName(segmentOf(path)));
  return redirect(address.href);
}

/** Returns whether a form is about files. */
export function isFilesForm(form: FormData): boolean {
  return String(form.get('intent') ?? '').startsWith('files-');
}

/** Runs the form's change, and redirects to its folder. */
export async function changeFiles(args: ActionArgs, form: FormData) {
  const ownerStorage = await ownerStorageOf(args);
  const folder = parseFolder(String(form.get('folder') ?? ''));
  const intent = String(form.get('intent'));
  const change = Object.hasOwn(CHANGES, intent) ? CHANGES[intent as keyof typeof CHANGES] : undefined;
  if (!ownerStorage || folder === undefined || !change) throw refused({ status: 400, code: 'unclearForm' });
  const failed = await change(ownerStorage, folder, form);
  return failed ? data(failed, { status: STATUSES[failed.problem] }) : redirect(filesPath(folder));
}

const STATUSES: Readonly<Record<FilesProblem, number>> = {
  tooLarge: 413,
  wrongType: 415,
  nameTaken: 409,
  noName: 422,
  noFile: 422,
  tooDeep: 422,
  notSetUp: 404,
  refused: 403,
  gone: 404,
  unreachable: 503,
};

type Change = (
  ownerStorage: OwnerStorage,
  folder: string,
  form: FormData,
) => Promise<FilesOutcome | undefined>;

const CHANGES: Readonly<Record<string, Change>> = {
  'files-upload': upload,
  'files-folder': createFolder,
  'files-delete': remove,
};

async function upload(
  ownerStorage: OwnerStorage,
  folder: string,
  form: FormData,
): Promise<FilesOutcome | undefined> {
  // Browsers send a file without a name if none was selected.
  const files = form.getAll('file').filter((value) => value instanceof File && value.name !== '') as File[];
  if (files.length === 0) return { kind: 'files', problem: 'noFile' };
  for (const content of files) {
    const name = normalizeName(content.name) || 'file';
    const outcome = outcomeOf(await addFile(ownerStorage, { folder, name, content }), name);
    if (outcome) return outcome;
  }
  return undefined;
}

async function createFolder(
  ownerStorage: OwnerStorage,
  folder: string,
  form: FormData,
): Promise<FilesOutcome | undefined> {
  const name = normalizeName(String(form.get('name') ?? ''));
  if (name === '') return { kind: 'files', problem: 'noName' };
  const path = joinPath(folder, toSegment(name));
  if (isTooDeep(path)) return { kind: 'files', problem: 'tooDeep', name };
  return outcomeOf(await addFolder(ownerStorage, path), name);
}

async function remove(
  ownerStorage: OwnerStorage,
  folder: string,
  form: FormData,
): Promise<FilesOutcome | undefined> {
  const path = parsePath(String(form.get('path') ?? ''));
  if (!path || folderOf(path) !== folder) throw refused({ status: 400, code: 'unclearForm' });
  const kind = form.get('kind') === 'folder' ? 'folder' : 'file';
  return outcomeOf(await removeEntries(ownerStorage, [{ kind, path }]), toName(segmentOf(path)));
}

function outcomeOf({ problem }: CallResult<unknown>, name: string): FilesOutcome | undefined {
  return problem && { kind: 'files', problem, name };
}

async function ownerStorageOf({ context }: Pick<LoaderArgs, 'context'>): Promise<OwnerStorage | undefined> {
  const user = currentUser(context);
  return user && { client: await supabase(context), ownerId: user.sub };
}
