/** One row of the list: icon, name, size, age and actions. */
import { formatSize, Icon, useLanguage, useTexts } from 'greenroom/app';
import { Age } from 'greenroom/app/ui/age';
import type { ReactNode } from 'react';
import { filesTexts } from '../../texts/files.ts';
import type { Entry } from './file-entry.ts';
import { KIND_ICONS, kindOf } from './file-kind.ts';

interface EntryRowProps {
  entry: Entry;
  /** Seconds since 1970. */
  now: number;
  /** The name, as a link or a button that truncates long names. */
  title: ReactNode;
  /** Replaces the icon. */
  picture?: ReactNode;
  /** Attributes of the row element. */
  row?: Record<string, unknown> | undefined;
  children: ReactNode;
}

/** Renders a row; the caller adds its behaviour. */
export function EntryRow({ entry, now, title, picture, row, children }: EntryRowProps) {
  const texts = useTexts(filesTexts);
  const language = useLanguage();
  return (
    <li
      {...row}
      className="flex items-center gap-3 px-4 py-2.5 first:rounded-t-card last:rounded-b-card data-over:bg-primary-wash"
    >
      <span className="flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-control bg-sunken text-ink-muted">
        {picture ?? <EntryIcon entry={entry} />}
      </span>
      <div className="min-w-0 flex-1">
        {/* The title truncates itself: truncating here would cut off its focus outline. */}
        <p className="flex text-body font-medium">{title}</p>
        <p className="flex gap-x-2 text-small text-ink-muted">
          {entry.kind === 'folder' ? (
            texts.folder
          ) : (
            <>
              <span>{formatSize(entry.size, language)}</span>
              <Age seconds={entry.changedAt} now={now} />
            </>
          )}
        </p>
      </div>
      <div className="flex shrink-0 items-center">{children}</div>
    </li>
  );
}

/** The icon of an entry's type. */
export function EntryIcon({ entry }: { entry: Entry }) {
  const kind = entry.kind === 'folder' ? 'folder' : kindOf(entry.type, entry.name);
  return <Icon name={KIND_ICONS[kind]} className="size-5" />;
}
