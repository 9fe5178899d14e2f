/** A folder's list in a component: as it was loaded with the page, and as it was read since. */
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useLanguage } from '../../texts/use-texts.ts';
import { coalesce } from './coalesce.ts';
import { keyOf, listFolder, type Owned } from './file-calls.ts';
import { type Entry, sortEntries } from './file-entry.ts';
import { type FilesData, PAGE_SIZE } from './files-data.ts';
import { hiddenKeys, onRemoved, watchRemovals } from './removals.ts';
import { uploadQueue } from './upload-queue.ts';

/** What components do with it. */
export interface FileList {
  folder: string;
  /** Without those that are about to be removed. */
  entries: readonly Entry[];
  hasFailed: boolean;
  hasMore: boolean;
  /** Reads it again. */
  refresh(): Promise<void>;
  readMore(): Promise<void>;
}

/** What was read, and after which state of the page. */
interface Reading {
  after: FilesData;
  data: FilesData;
}

const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/** See the head of this file. */
export function useFileList(owned: Owned, loaded: FilesData): FileList {
  const language = useLanguage();
  const { folder } = loaded;
  const [reading, setReading] = useState<Reading>();
  const [pages, setPages] = useState({ folder, count: 1 });
  const count = pages.folder === folder ? pages.count : 1;
  const data = reading?.after === loaded ? reading.data : loaded;
  const hidden = useSyncExternalStore(watchRemovals, hiddenKeys, () => NOTHING_HIDDEN);
  const read = useCallback(
    async (wanted: number) => setReading({ after: loaded, data: await readPages(owned, folder, wanted) }),
    [owned, folder, loaded],
  );
  const all = data.kind === 'list' ? data.entries : undefined;
  const listed = useMemo(() => new Set(all?.map(({ path }) => path)), [all]);
  // Many uploads end one after the other, and an older list must not come last.
  const refresh = useMemo(() => coalesce(() => read(count)), [read, count]);
  useEffect(() => {
    const look = async (changed: string) => changed === folder && refresh();
    // The first file of a folder makes the folder.
    const isNews = (changed: string) => {
      const child = childOn(folder, changed);
      return changed === folder || (child !== undefined && !listed.has(child));
    };
    const stops = [uploadQueue.onDone((changed) => isNews(changed) && void refresh()), onRemoved(look)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [folder, refresh, listed]);
  const entries = useMemo(
    () =>
      sortEntries(
        (all ?? []).filter(({ path }) => !hidden.has(keyOf(owned, path))),
        language,
      ),
    [all, hidden, language, owned],
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

/** The entry of `folder` through which the way to `path` leads, if it leads through it. */
function childOn(folder: string, path: string): string | undefined {
  const start = folder === '' ? '' : `${folder}/`;
  if (!path.startsWith(start) || path === folder) return undefined;
  return start + path.slice(start.length).split('/', 1)[0];
}

async function readPages(owned: Owned, folder: string, count: number): Promise<FilesData> {
  const pages = await Promise.all(
    Array.from({ length: count }, (_, index) => listFolder(owned, folder, { offset: index * PAGE_SIZE })),
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
