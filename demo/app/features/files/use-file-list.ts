/** The list of a folder: the one of the page data, or a newer one that the browser has read. */
import { useLanguage } from 'greenroom/app';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { coalesce } from './coalesce.ts';
import { keyOf, listFolder, type OwnerStorage } from './file-calls.ts';
import { type Entry, sortEntries } from './file-entry.ts';
import { type FilesData, PAGE_SIZE } from './files-data.ts';
import { hiddenKeys, onRemoved, watchRemovals } from './removals.ts';
import { uploadQueue } from './upload-queue.ts';

/** State and functions for components. */
export interface FileList {
  folder: string;
  /** Without the entries that are about to be removed. */
  entries: readonly Entry[];
  hasFailed: boolean;
  hasMore: boolean;
  /** Reads the list again. */
  refresh(): Promise<void>;
  readMore(): Promise<void>;
}

/** A list that the browser has read, and the page data that it replaces. */
interface RefreshedList {
  replaces: FilesData;
  data: FilesData;
}

const NO_HIDDEN_KEYS: ReadonlySet<string> = new Set();

/** Returns the list of a folder, and keeps it up to date. */
export function useFileList(ownerStorage: OwnerStorage, loaded: FilesData): FileList {
  const language = useLanguage();
  const { folder } = loaded;
  const [refreshed, setRefreshed] = useState<RefreshedList>();
  const [pages, setPages] = useState({ folder, count: 1 });
  const count = pages.folder === folder ? pages.count : 1;
  const data = refreshed?.replaces === loaded ? refreshed.data : loaded;
  const hidden = useSyncExternalStore(watchRemovals, hiddenKeys, () => NO_HIDDEN_KEYS);
  const read = useCallback(
    async (pageCount: number) =>
      setRefreshed({ replaces: loaded, data: await readPages(ownerStorage, folder, pageCount) }),
    [ownerStorage, folder, loaded],
  );
  const allEntries = data.kind === 'list' ? data.entries : undefined;
  const listedPaths = useMemo(() => new Set(allEntries?.map(({ path }) => path)), [allEntries]);
  // Many uploads end in quick succession, and an older response must not replace a newer one.
  const refresh = useMemo(() => coalesce(() => read(count)), [read, count]);
  useEffect(() => {
    const onRemovedFrom = async (changed: string) => changed === folder && refresh();
    // The first file of a new folder adds the folder to the list.
    const changesList = (changed: string) => {
      const child = entryPathOf(folder, changed);
      return changed === folder || (child !== undefined && !listedPaths.has(child));
    };
    const unsubscribes = [
      uploadQueue.onDone((changed) => changesList(changed) && void refresh()),
      onRemoved(onRemovedFrom),
    ];
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }, [folder, refresh, listedPaths]);
  const entries = useMemo(
    () =>
      sortEntries(
        (allEntries ?? []).filter(({ path }) => !hidden.has(keyOf(ownerStorage, path))),
        language,
      ),
    [allEntries, hidden, language, ownerStorage],
  );
  return {
    folder,
    entries,
    hasFailed: data.kind === 'problem',
    hasMore: data.kind === 'list' && data.hasMore,
    refresh,
    async readMore() {
      await read(count + 1);
      setPages({ folder, count: count + 1 });
    },
  };
}

/** Returns the path of the entry of `folder` that contains `path`, if any. */
function entryPathOf(folder: string, path: string): string | undefined {
  const start = folder === '' ? '' : `${folder}/`;
  if (!path.startsWith(start) || path === folder) return undefined;
  return start + path.slice(start.length).split('/', 1)[0];
}

async function readPages(ownerStorage: OwnerStorage, folder: string, count: number): Promise<FilesData> {
  const pages = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      listFolder(ownerStorage, folder, { offset: index * PAGE_SIZE }),
    ),
  );
  const lists = pages.filter((page) => page.kind === 'list');
  if (lists.length < pages.length) return { kind: 'problem', folder };
  return {
    kind: 'list',
    folder,
    entries: lists.flatMap(({ entries }) => entries),
    hasMore: lists.at(-1)?.hasMore ?? false,
  };
}
