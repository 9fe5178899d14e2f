/** Renders the open dialog of the files. */

import type { OwnerStorage } from './file-calls.ts';
import type { Entry } from './file-entry.ts';
import { LinkDialog } from './link-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { NameDialog } from './name-dialog.tsx';
import type { OpenDialog } from './open-dialog.ts';
import { PreviewDialog } from './preview-dialog.tsx';
import type { FileActions } from './use-file-actions.ts';

interface FileDialogsProps {
  open: OpenDialog | undefined;
  ownerStorage: OwnerStorage;
  folder: string;
  entries: readonly Entry[];
  actions: FileActions;
  onOpen(dialog: OpenDialog | undefined): void;
}

/** Renders the open dialog, if any. */
export function FileDialogs({ open, ownerStorage, folder, entries, actions, onOpen }: FileDialogsProps) {
  const close = () => onOpen(undefined);
  switch (open?.kind) {
    case 'folder':
      return <NameDialog onSave={actions.createFolder} onClose={close} />;
    case 'rename':
      return (
        <NameDialog entry={open.entry} onSave={(name) => actions.rename(open.entry, name)} onClose={close} />
      );
    case 'move':
      return <MoveDialog {...{ ownerStorage, folder, actions }} entry={open.entry} onClose={close} />;
    case 'link':
      return <LinkDialog ownerStorage={ownerStorage} entry={open.entry} onClose={close} />;
    case 'preview':
      return (
        <PreviewDialog
          ownerStorage={ownerStorage}
          entry={open.entry}
          files={entries.filter((entry) => entry.kind === 'file')}
          onShow={(entry) => onOpen({ kind: 'preview', entry })}
          onClose={close}
        />
      );
    default:
      return null;
  }
}
