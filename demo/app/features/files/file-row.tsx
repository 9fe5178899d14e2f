/** A row of the list with its tools: open, drag, and a menu of further actions. */

import { useSiteUrls, useTexts } from 'greenroom/app';
import { IconButton } from 'greenroom/app/ui/icon-button';
import { Menu, MenuItem, MenuSeparator } from 'greenroom/app/ui/menu';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { filesToolsTexts } from '../../texts/files-tools.ts';
import { DRAGGED_PATH } from './dragged-path.ts';
import { entryElementId } from './entry-focus.ts';
import { EntryIcon, EntryRow } from './entry-row.tsx';
import { type OwnerStorage, signFile } from './file-calls.ts';
import type { Entry, FileEntry } from './file-entry.ts';
import { kindOf } from './file-kind.ts';
import { fileHref, filesPath } from './files-path.ts';
import type { OpenDialog } from './open-dialog.ts';
import type { FileActions } from './use-file-actions.ts';

interface FileRowProps {
  ownerStorage: OwnerStorage;
  entry: Entry;
  now: number;
  actions: FileActions;
  /** Attributes that make a folder a drop target. */
  dropTarget: Record<string, unknown> | undefined;
  onOpen(dialog: OpenDialog): void;
}

const TITLE = 'min-w-0 truncate rounded-control text-start hover:underline underline-offset-2';

/** A row with its tools. */
export function FileRow({ ownerStorage, entry, now, actions, dropTarget, onOpen }: FileRowProps) {
  const { path, name } = entry;
  const row = {
    ...dropTarget,
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.setData(DRAGGED_PATH, path);
      dataTransfer.effectAllowed = 'move';
    },
  };
  return (
    <EntryRow
      {...{ entry, now, row }}
      {...(entry.kind === 'file' && kindOf(entry.type, name) === 'image'
        ? { picture: <Thumbnail ownerStorage={ownerStorage} entry={entry} /> }
        : {})}
      title={
        entry.kind === 'folder' ? (
          <Link
            id={entryElementId(path)}
            to={filesPath(path)}
            preventScrollReset
            draggable={false}
            className={TITLE}
          >
            {name}
          </Link>
        ) : (
          <button
            type="button"
            id={entryElementId(path)}
            className={TITLE}
            onClick={() => onOpen({ kind: 'preview', entry })}
          >
            {name}
          </button>
        )
      }
    >
      <RowMenu {...{ entry, actions, onOpen }} />
    </EntryRow>
  );
}

function RowMenu({ entry, actions, onOpen }: Pick<FileRowProps, 'entry' | 'actions' | 'onOpen'>) {
  const texts = useTexts(filesToolsTexts);
  const { base } = useSiteUrls();
  const open = (kind: 'rename' | 'move') => () => onOpen({ kind, entry });
  return (
    <Menu trigger={<IconButton icon="lucide:ellipsis" label={texts.actions(entry.name)} />}>
      {entry.kind === 'file' && (
        <>
          <MenuItem
            icon="lucide:download"
            onSelect={() => location.assign(base.slice(0, -1) + fileHref(entry.path, true))}
          >
            {texts.download}
          </MenuItem>
          <MenuItem icon="lucide:link" onSelect={() => onOpen({ kind: 'link', entry })}>
            {texts.shareLink}
          </MenuItem>
        </>
      )}
      <MenuItem icon="lucide:pencil" onSelect={open('rename')}>
        {texts.rename}
      </MenuItem>
      <MenuItem icon="lucide:folder-input" onSelect={open('move')}>
        {texts.move}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon="lucide:trash-2" isDangerous onSelect={() => actions.remove(entry)}>
        {texts.delete}
      </MenuItem>
    </Menu>
  );
}

/** Twice its displayed size, for high-density screens. */
const THUMBNAIL = { width: 80, height: 80, resize: 'cover' } as const;
const THUMBNAIL_SECONDS = 3600;

/** A thumbnail that storage creates when the row becomes visible; the icon of its type if there is none. */
function Thumbnail({ ownerStorage, entry }: { ownerStorage: OwnerStorage; entry: FileEntry }) {
  const frame = useRef<HTMLSpanElement>(null);
  const [address, setAddress] = useState<string>();
  const { path, version } = entry;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the content needs a new thumbnail
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let isCancelled = false;
    const observer = new IntersectionObserver(([intersection]) => {
      if (!intersection?.isIntersecting) return;
      observer.disconnect();
      void signFile(ownerStorage, path, THUMBNAIL_SECONDS, THUMBNAIL).then(({ value }) => {
        if (!isCancelled) setAddress(value);
      });
    });
    observer.observe(element);
    return () => {
      isCancelled = true;
      observer.disconnect();
    };
  }, [ownerStorage, path, version]);
  return (
    <span ref={frame} className="flex size-full items-center justify-center">
      {address ? (
        <img
          src={address}
          alt=""
          draggable={false}
          className="size-full object-cover"
          onError={() => setAddress(undefined)}
        />
      ) : (
        <EntryIcon entry={entry} />
      )}
    </span>
  );
}
