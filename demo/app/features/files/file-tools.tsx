/** The files on the home page with all tools, in place of the plain list. */

import type { SupabaseClient } from '@supabase/supabase-js';
import { Button, formatSize, Icon, useLanguage, useSiteUrls, useTexts, useToast } from 'greenroom/app';
import { type DragEvent, useId, useMemo, useRef, useState } from 'react';
import { filesTexts } from '../../texts/files.ts';
import { filesToolsTexts } from '../../texts/files-tools.ts';
import { DRAGGED_PATH } from './dragged-path.ts';
import { type DroppedItem, itemsOf, readDropped } from './dropped.ts';
import { entryElementId, NEW_FOLDER } from './entry-focus.ts';
import type { OwnerStorage } from './file-calls.ts';
import { FileDialogs } from './file-dialogs.tsx';
import type { Entry } from './file-entry.ts';
import { FileRow } from './file-row.tsx';
import { type FilesData, MAX_FILE_BYTES } from './files-data.ts';
import type { FilesOutcome } from './files-outcome.ts';
import type { OpenDialog } from './open-dialog.ts';
import { Breadcrumb, FailedList, FilesAlert, NoFiles } from './plain-files.tsx';
import { UploadList } from './upload-list.tsx';
import { uploadQueue } from './upload-queue.ts';
import { type FileActions, useFileActions } from './use-file-actions.ts';
import { useFileList } from './use-file-list.ts';

export interface FileToolsProps {
  client: SupabaseClient;
  ownerId: string;
  loaded: FilesData;
  now: number;
  outcome: FilesOutcome | undefined;
}

/** The files with all tools. */
export function FileTools({ client, ownerId, loaded, now, outcome }: FileToolsProps) {
  const texts = useTexts(filesToolsTexts);
  const ownerStorage = useMemo<OwnerStorage>(() => ({ client, ownerId }), [client, ownerId]);
  const storageUrl = new URL(useSiteUrls().storage, location.origin).href;
  const list = useFileList(ownerStorage, loaded);
  const [open, setOpen] = useState<OpenDialog>();
  const actions = useFileActions({ ownerStorage, list });
  const toast = useToast();
  const uploadTo = (folder: string, files: readonly File[]) =>
    uploadQueue.add(files, {
      ownerStorage,
      storageUrl,
      folder,
      takenNames: folder === list.folder ? list.entries.map(({ name }) => name) : [],
    });
  const dropZone = useDropZone(async (items) => {
    const { files, emptyFolders, isIncomplete } = await readDropped(items, list.folder);
    for (const [folder, group] of files) uploadTo(folder, group);
    if (emptyFolders.length > 0) await actions.createFolders(emptyFolders);
    if (isIncomplete)
      toast.add({ kind: 'error', title: texts.dropIncomplete, description: texts.dropIncompleteText });
  });
  return (
    <div {...dropZone.handlers} className="relative grid grid-cols-1 gap-4">
      {outcome && <FilesAlert {...outcome} />}
      <Toolbar
        onAdd={(files) => uploadTo(list.folder, files)}
        onNewFolder={() => setOpen({ kind: 'folder' })}
      />
      <UploadList ownerId={ownerId} />
      <Breadcrumb
        folder={list.folder}
        dropTargetOf={(folder) => folderDropTarget(folder, list.entries, actions)}
      />
      {list.hasFailed ? (
        <FailedList folder={list.folder} onTryAgain={list.refresh} />
      ) : list.entries.length === 0 ? (
        <NoFiles folder={list.folder} />
      ) : (
        <EntryList {...{ ownerStorage, now, actions }} entries={list.entries} onOpen={setOpen} />
      )}
      {list.hasMore && <ShowMoreButton onShowMore={list.readMore} />}
      <FileDialogs
        {...{ open, ownerStorage, actions }}
        entries={list.entries}
        folder={list.folder}
        onOpen={setOpen}
      />
      {dropZone.isOver && (
        <p
          aria-hidden="true"
          className="pointer-events-none absolute inset-0 flex items-start justify-center rounded-card border-2 border-dashed
            border-primary bg-primary-wash/90 text-lead font-semibold text-primary-ink"
        >
          {/* Sticky, because only a part of a long list is visible. */}
          <span className="sticky top-[45dvh] py-12">{texts.dropToUpload}</span>
        </p>
      )}
    </div>
  );
}

function Toolbar({ onAdd, onNewFolder }: { onAdd(files: readonly File[]): void; onNewFolder(): void }) {
  const { dropHint } = useTexts(filesToolsTexts);
  const texts = useTexts(filesTexts);
  const language = useLanguage();
  const input = useRef<HTMLInputElement>(null);
  const hintId = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={texts.chooseFiles}
        onChange={({ currentTarget }) => {
          onAdd([...(currentTarget.files ?? [])]);
          // Reset, so that the same file can be selected again.
          currentTarget.value = '';
        }}
      />
      <Button type="button" aria-describedby={hintId} onClick={() => input.current?.click()}>
        <Icon name="lucide:upload" />
        {texts.uploadFiles}
      </Button>
      <Button type="button" id={entryElementId(NEW_FOLDER)} onClick={onNewFolder}>
        <Icon name="lucide:folder-plus" />
        {texts.newFolder}
      </Button>
      <p id={hintId} className="basis-full text-small text-ink-muted">
        {texts.acceptedFiles(formatSize(MAX_FILE_BYTES, language))}
        <span className="pointer-coarse:hidden"> {dropHint}</span>
      </p>
    </div>
  );
}

function EntryList(props: {
  ownerStorage: OwnerStorage;
  entries: readonly Entry[];
  now: number;
  actions: FileActions;
  onOpen(dialog: OpenDialog): void;
}) {
  const { ownerStorage, entries, now, actions, onOpen } = props;
  const { list } = useTexts(filesTexts);
  return (
    <ul aria-label={list} className="card divide-y divide-line">
      {entries.map((entry) => (
        <FileRow
          key={entry.path}
          {...{ ownerStorage, entry, now, actions, onOpen }}
          dropTarget={entry.kind === 'folder' ? folderDropTarget(entry.path, entries, actions) : undefined}
        />
      ))}
    </ul>
  );
}

function ShowMoreButton({ onShowMore }: { onShowMore(): Promise<void> }) {
  const texts = useTexts(filesToolsTexts);
  const [isPending, setIsPending] = useState(false);
  return (
    <Button
      type="button"
      isPending={isPending}
      className="justify-self-center"
      onClick={() => {
        setIsPending(true);
        void onShowMore().finally(() => setIsPending(false));
      }}
    >
      {texts.showMore}
    </Button>
  );
}

/** Returns attributes that make a folder a drop target for entries of the list. */
function folderDropTarget(
  folder: string,
  entries: readonly Entry[],
  actions: FileActions,
): Record<string, unknown> {
  const accepts = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(DRAGGED_PATH);
  const highlight = (event: DragEvent<HTMLElement>, isOver: boolean) => {
    if (isOver) event.currentTarget.dataset.over = '';
    else delete event.currentTarget.dataset.over;
  };
  return {
    onDragOver(event: DragEvent<HTMLElement>) {
      if (!accepts(event)) return;
      event.preventDefault();
      highlight(event, true);
    },
    onDragLeave: (event: DragEvent<HTMLElement>) => highlight(event, false),
    onDrop(event: DragEvent<HTMLElement>) {
      if (!accepts(event)) return;
      event.preventDefault();
      highlight(event, false);
      const dragged = event.dataTransfer.getData(DRAGGED_PATH);
      const entry = entries.find(({ path }) => path === dragged);
      if (entry && entry.path !== folder) void actions.move(entry, folder);
    },
  };
}

/** Handles files and folders that are dropped from other windows. */
function useDropZone(onItems: (items: readonly DroppedItem[]) => Promise<void>) {
  const [isOver, setIsOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsOver(true);
      },
      onDragLeave(event: DragEvent<HTMLElement>) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      },
      onDrop(event: DragEvent) {
        setIsOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        void onItems(itemsOf(event.dataTransfer));
      },
    },
  };
}
