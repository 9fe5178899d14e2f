/** The list of a folder: as it was loaded with the page, or as it was read since. */
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useLanguage } from '../../texts/use-texts.ts';
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

/** The list that was read, and the page data that it replaces. */
interface Reading {
  after: FilesData;
  data: FilesData;
}

const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/** Returns the list of a folder, and keeps it up to date. */
export function useFileList(ownerStorage: OwnerStorage, loaded: FilesData): FileList {
  const language = useLanguage();
  const { folder } = loaded;
  const [reading, setReading] = useState<Reading>();
  const [pages, setPages] = useState({ folder, count: 1 });
  const count = pages.folder === folder ? pages.count : 1;
  const data = reading?.after === loaded ? reading.data : loaded;
  const hidden = useSyncExternalStore(watchRemovals, hiddenKeys, () => NOTHING_HIDDEN);
  const read = useCallback(
    async (wanted: number) =>
      setReading({ after: loaded, data: await readPages(ownerStorage, folder, wanted) }),
    [ownerStorage, folder, loaded],
  );
  const all = data.kind === 'list' ? data.entries : undefined;
  const listed = useMemo(() => new Set(all?.map(({ path }) => path)), [all]);
  // Many uploads end in quick succession, and an older response must not replace a newer one.
  const refresh = useMemo(() => coalesce(() => read(count)), [read, count]);
  useEffect(() => {
    const onRemovedFrom = async (changed: string) => changed === folder && refresh();
    // The first file of a new folder adds the folder to the list.
    const isNews = (changed: string) => {
      const child = childOn(folder, changed);
      return changed === folder || (child !== undefined && !listed.has(child));
    };
    const stops = [
      uploadQueue.onDone((changed) => isNews(changed) && void refresh()),
      onRemoved(onRemovedFrom),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [folder, refresh, listed]);
  const entries = useMemo(
    () =>
      sortEntries(
        (all ?? []).filter(({ path }) => !hidden.has(keyOf(ownerStorage, path))),
        language,
      ),
    [all, hidden, language, ownerStorage],
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

/** Returns the entry of `folder` that contains `path`, if any. */
function childOn(folder: string, path: string): string | undefined {
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
