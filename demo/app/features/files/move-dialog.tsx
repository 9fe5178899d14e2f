/** A dialog to choose the target folder of an entry, with navigation through folders. */
import { Button, Dialog, Icon, useLanguage, useTexts } from 'greenroom/app';
import { Skeleton } from 'greenroom/app/ui/skeleton';
import { useEffect, useState } from 'react';
import { filesTexts } from '../../texts/files.ts';
import { filesToolsTexts } from '../../texts/files-tools.ts';
import { focusEntry } from './entry-focus.ts';
import { listFolder, type OwnerStorage } from './file-calls.ts';
import { type Entry, sortEntries } from './file-entry.ts';
import { folderOf, segmentOf, toName } from './file-name.ts';
import type { FilesData } from './files-data.ts';
import type { FileActions } from './use-file-actions.ts';

/** `folder` is the current folder of the entry. */
interface MoveDialogProps {
  ownerStorage: OwnerStorage;
  entry: Entry;
  folder: string;
  actions: FileActions;
  onClose(): void;
}

const ROW = 'flex w-full items-center gap-2 px-3 py-2.5 text-start hover:bg-hover -outline-offset-2!';

/** Moves an entry. */
export function MoveDialog({ ownerStorage, entry, folder, actions, onClose }: MoveDialogProps) {
  const texts = useTexts(filesToolsTexts);
  const { rootFolder, problems } = useTexts(filesTexts);
  const [target, setTarget] = useState(folder);
  const [isPending, setIsPending] = useState(false);
  const data = useFolder(ownerStorage, target);
  const move = async () => {
    setIsPending(true);
    await actions.move(entry, target);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onCloseAutoFocus={(event) => focusEntry(entry.path, event)}
      title={texts.moveTitle(entry.name)}
      footer={
        <>
          <Button type="button" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button
            type="button"
            variant="primary"
            disabled={target === folder}
            isPending={isPending}
            onClick={move}
          >
            {texts.moveHere}
          </Button>
        </>
      }
    >
      <p role="status" className="mb-2 font-medium">
        {target === '' ? rootFolder : toName(segmentOf(target))}
      </p>
      <ul className="card divide-y divide-line overflow-hidden">
        {target !== '' && (
          <li>
            <button type="button" className={ROW} onClick={() => setTarget(folderOf(target))}>
              <Icon name="lucide:corner-left-up" className="size-4 opacity-70" />
              {folderOf(target) === '' ? rootFolder : toName(segmentOf(folderOf(target)))}
            </button>
          </li>
        )}
        <Folders data={data} entry={entry} onSelect={setTarget} />
        {data?.kind === 'problem' && <li className="px-3 py-2.5">{problems.unreachable}</li>}
      </ul>
    </Dialog>
  );
}

function Folders(props: { data: FilesData | undefined; entry: Entry; onSelect(path: string): void }) {
  const { data, entry, onSelect } = props;
  const texts = useTexts(filesToolsTexts);
  const language = useLanguage();
  if (!data) {
    return (
      <li className="px-3 py-3">
        <Skeleton className="h-4 w-40" />
      </li>
    );
  }
  if (data.kind === 'problem') return null;
  // A folder cannot be moved into itself.
  const folders = sortEntries(data.entries, language).filter(
    ({ kind, path }) => kind === 'folder' && path !== entry.path,
  );
  if (folders.length === 0) return <li className="px-3 py-2.5 text-ink-muted">{texts.noFolders}</li>;
  return folders.map(({ path, name }) => (
    <li key={path}>
      <button type="button" className={ROW} onClick={() => onSelect(path)}>
        <Icon name="lucide:folder" className="size-4 opacity-70" />
        {name}
      </button>
    </li>
  ));
}

function useFolder(ownerStorage: OwnerStorage, folder: string): FilesData | undefined {
  const [data, setData] = useState<FilesData>();
  useEffect(() => {
    let isCancelled = false;
    void listFolder(ownerStorage, folder).then((read) => isCancelled || setData(read));
    return () => {
      isCancelled = true;
    };
  }, [ownerStorage, folder]);
  return data?.folder === folder ? data : undefined;
}
