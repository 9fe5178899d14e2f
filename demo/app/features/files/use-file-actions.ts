/** The actions on entries of a list, with toasts about their results. */
import { useSiteUrls, useTexts, useToast } from 'greenroom/app';
import { useEffect } from 'react';
import { filesTexts } from '../../texts/files.ts';
import { filesToolsTexts } from '../../texts/files-tools.ts';
import { confirmBeforeUnload } from './confirm-before-unload.ts';
import { addFolder, listNames, moveEntry, type OwnerStorage } from './file-calls.ts';
import type { Entry } from './file-entry.ts';
import {
  freeNumber,
  isTooDeep,
  joinPath,
  normalizeName,
  numberedName,
  segmentOf,
  toName,
  toSegment,
} from './file-name.ts';
import type { FilesProblem } from './files-data.ts';
import { type PendingRemoval, removeNow, scheduleRemoval } from './removals.ts';
import { consumeRemovals } from './saved-removals.ts';
import type { FileList } from './use-file-list.ts';

/** Actions return the problem, if any; dialogs show it. */
export interface FileActions {
  createFolder(name: string): Promise<FilesProblem | undefined>;
  /** Creates folders by their paths; toasts report failures. */
  createFolders(paths: readonly string[]): Promise<void>;
  rename(entry: Entry, name: string): Promise<FilesProblem | undefined>;
  /** Moves an entry to the folder with that path. */
  move(entry: Entry, folder: string): Promise<FilesProblem | undefined>;
  /** Hides an entry at once, and deletes it when the toast closes. */
  remove(entry: Entry): void;
}

/** Returns the actions of a list. */
export function useFileActions({
  ownerStorage,
  list,
}: {
  ownerStorage: OwnerStorage;
  list: FileList;
}): FileActions {
  const { problems } = useTexts(filesTexts);
  const texts = useTexts(filesToolsTexts);
  const toast = useToast();
  const { base } = useSiteUrls();
  const removalOf = (entry: Entry, onSent = () => {}): PendingRemoval => ({
    ownerStorage,
    entry,
    formAddress: `${base}?index`,
    onFailed: (problem) => showFailure(texts.deleteFailed(entry.name), problem),
    onSent,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: applies only to the initial list of the page
  useEffect(() => {
    for (const entry of consumeRemovals(ownerStorage.ownerId, list.entries)) removeNow(removalOf(entry));
  }, []);
  const isTaken = (name: string, except?: Entry) =>
    freeNumber(
      name,
      list.entries.filter((entry) => entry !== except).map((entry) => entry.name),
    ) > 1;
  const showFailure = (title: string, problem: FilesProblem) =>
    toast.add({ kind: 'error', title, description: problems[problem] });
  return {
    async createFolder(typed) {
      const name = normalizeName(typed);
      if (name === '') return 'noName';
      if (isTaken(name)) return 'nameTaken';
      const path = joinPath(list.folder, toSegment(name));
      if (isTooDeep(path)) return 'tooDeep';
      const { problem } = await addFolder(ownerStorage, path);
      await list.refresh();
      return problem;
    },
    async createFolders(paths) {
      for (const path of paths) {
        const { problem } = await addFolder(ownerStorage, path);
        // A folder that already exists is no failure.
        if (problem !== undefined && problem !== 'nameTaken')
          showFailure(texts.createFailed(toName(segmentOf(path))), problem);
      }
      await list.refresh();
    },
    async rename(entry, typed) {
      const name = normalizeName(typed);
      if (name === '') return 'noName';
      if (name === entry.name) return undefined;
      if (isTaken(name, entry)) return 'nameTaken';
      const { problem } = await confirmBeforeUnload(
        moveEntry(ownerStorage, entry, joinPath(list.folder, toSegment(name))),
      );
      await list.refresh();
      if (problem === undefined) toast.add({ kind: 'success', title: texts.renamed(name) });
      return problem;
    },
    async move(entry, folder) {
      if (folder === list.folder || folder === entry.path || folder.startsWith(`${entry.path}/`))
        return undefined;
      const problem = await confirmBeforeUnload(moveUnderFreeName(ownerStorage, entry, folder));
      await list.refresh();
      if (problem === undefined) toast.add({ kind: 'success', title: texts.moved(entry.name) });
      else showFailure(texts.moveFailed(entry.name), problem);
      return problem;
    },
    remove(entry) {
      const toastId = crypto.randomUUID();
      const { undo, commit } = scheduleRemoval(removalOf(entry, () => toast.remove(toastId)));
      toast.add({
        id: toastId,
        kind: 'info',
        title: texts.deleted(entry.name),
        action: { label: texts.undo, onSelect: undo },
        // After an undo, this has no effect.
        onClose: commit,
      });
    },
  };
}

const MAX_NAMES = 100;

/** Moves an entry without replacing others, and without merging folders of the same name. */
async function moveUnderFreeName(
  ownerStorage: OwnerStorage,
  entry: Entry,
  folder: string,
): Promise<FilesProblem | undefined> {
  const { value: names, problem } = await listNames(ownerStorage, folder);
  if (!names) return problem;
  const first = freeNumber(entry.name, names);
  for (let count = first; count < first + MAX_NAMES; count++) {
    const path = joinPath(folder, toSegment(numberedName(entry.name, count)));
    const moved = await moveEntry(ownerStorage, entry, path);
    // Another client has taken the name meanwhile. For a folder, only the move of its first file detects
    // that.
    if (moved.problem !== 'nameTaken' || entry.kind === 'folder') return moved.problem;
  }
  return 'nameTaken';
}
