/** The list of a folder as the server renders it, with the actions that work without scripts. */
import { Alert, Button, EmptyState, formatSize, useLanguage, useSiteUrls, useTexts } from 'greenroom/app';
import { buttonClass } from 'greenroom/app/ui/button';
import { IconButton } from 'greenroom/app/ui/icon-button';
import { useState } from 'react';
import { Link } from 'react-router';
import { filesTexts } from '../../texts/files.ts';
import { EntryRow } from './entry-row.tsx';
import type { Entry } from './file-entry.ts';
import { toName } from './file-name.ts';
import { type FilesData, MAX_FILE_BYTES, PAGE_SIZE, PART_BYTES } from './files-data.ts';
import type { FilesOutcome } from './files-outcome.ts';
import { FILES_ID, fileHref, filesPath } from './files-path.ts';

export interface PlainFilesProps {
  data: FilesData;
  now: number;
  outcome: FilesOutcome | undefined;
}

/** The index route's action, with a parameter that allows the form to carry files. */
const ACTION = '?index&with-files';

/** The list without tools. */
export function PlainFiles({ data, now, outcome }: PlainFilesProps) {
  const { base } = useSiteUrls();
  const action = base + ACTION;
  const { folder } = data;
  return (
    <>
      {outcome && <FilesAlert {...outcome} />}
      <PlainForms action={action} folder={folder} />
      <Breadcrumb folder={folder} />
      {data.kind === 'problem' && <FailedList folder={folder} />}
      {data.kind === 'list' && data.entries.length === 0 && <NoFiles folder={folder} />}
      {data.kind === 'list' && data.entries.length > 0 && (
        <PlainList action={action} entries={data.entries} folder={folder} now={now} />
      )}
      {data.kind === 'list' && data.hasMore && <TruncationNote />}
    </>
  );
}

function PlainForms({ action, folder }: { action: string; folder: string }) {
  const texts = useTexts(filesTexts);
  const language = useLanguage();
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      {/* A plain form, so that scripts that are loaded later do not handle it. */}
      <form
        method="post"
        action={action}
        encType="multipart/form-data"
        className="flex flex-wrap items-center gap-2"
      >
        <Intent name="files-upload" folder={folder} />
        <input
          type="file"
          name="file"
          multiple
          aria-label={texts.chooseFiles}
          className="max-w-full text-small file:me-3 file:h-9 file:rounded-control file:border file:border-line-strong
            file:bg-surface file:px-3.5 file:text-body file:font-medium"
        />
        <Button type="submit">{texts.uploadFiles}</Button>
        <span className="text-small text-ink-muted">{texts.maxSize(formatSize(PART_BYTES, language))}</span>
      </form>
      <form method="post" action={action} className="flex items-center gap-2">
        <Intent name="files-folder" folder={folder} />
        <input
          name="name"
          aria-label={texts.newFolder}
          placeholder={texts.newFolder}
          className="control h-9 w-40 px-3"
        />
        <Button type="submit">{texts.createFolder}</Button>
      </form>
    </div>
  );
}

function Intent({ name, folder }: { name: string; folder: string }) {
  return (
    <>
      <input type="hidden" name="intent" value={name} />
      <input type="hidden" name="folder" value={folder} />
    </>
  );
}

function PlainList(props: { action: string; entries: readonly Entry[]; folder: string; now: number }) {
  const { action, entries, folder, now } = props;
  const texts = useTexts(filesTexts);
  const { base } = useSiteUrls();
  return (
    <ul aria-label={texts.list} className="card divide-y divide-line">
      {entries.map((entry) => {
        const { kind, path, name } = entry;
        const link = base.slice(0, -1) + fileHref(path, false);
        return (
          <EntryRow
            key={path}
            entry={entry}
            now={now}
            title={
              kind === 'folder' ? (
                <Link to={filesPath(path)} preventScrollReset className="min-w-0 truncate">
                  {name}
                </Link>
              ) : (
                <a href={link} className="min-w-0 truncate">
                  {name}
                </a>
              )
            }
          >
            {kind === 'file' && (
              <a
                href={`${link}&download`}
                aria-label={texts.download(name)}
                className={buttonClass({ variant: 'ghost', size: 'small' }, 'px-2!')}
              >
                ↓
              </a>
            )}
            <form method="post" action={action}>
              <Intent name="files-delete" folder={folder} />
              <input type="hidden" name="kind" value={kind} />
              <input type="hidden" name="path" value={path} />
              <IconButton type="submit" icon="lucide:trash-2" label={texts.delete(name)} />
            </form>
          </EntryRow>
        );
      })}
    </ul>
  );
}

/**
 * The path of the current folder, with links to its ancestors. `dropTargetOf` returns the attributes that
 * make a folder a drop target.
 */
export function Breadcrumb(props: {
  folder: string;
  dropTargetOf?: ((folder: string) => Record<string, unknown>) | undefined;
}) {
  const { folder, dropTargetOf } = props;
  const texts = useTexts(filesTexts);
  if (folder === '') return null;
  const segments = folder.split('/');
  const steps = segments.map((segment, index) => ({
    name: toName(segment),
    path: segments.slice(0, index + 1).join('/'),
  }));
  return (
    <nav aria-label={texts.breadcrumb}>
      <ol className="flex flex-wrap items-center gap-1 text-body">
        {[{ name: texts.rootFolder, path: '' }, ...steps].map(({ name, path }, index) => (
          <li key={path} className="flex min-w-0 items-center gap-1">
            {index > 0 && (
              <span aria-hidden="true" className="text-ink-faint">
                /
              </span>
            )}
            {path === folder ? (
              <span aria-current="location" className="truncate px-1 font-medium">
                {name}
              </span>
            ) : (
              <Link
                to={filesPath(path)}
                preventScrollReset
                {...dropTargetOf?.(path)}
                className="truncate rounded-control px-1 text-ink-muted hover:text-ink data-over:bg-primary-wash"
              >
                {name}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Message for an empty folder. */
export function NoFiles({ folder }: { folder: string }) {
  const texts = useTexts(filesTexts);
  const language = useLanguage();
  const acceptedFiles = texts.acceptedFiles(formatSize(MAX_FILE_BYTES, language));
  return (
    <div className="card">
      <EmptyState
        icon={folder === '' ? 'lucide:files' : 'lucide:folder-open'}
        title={folder === '' ? texts.emptyTitle : texts.emptyFolderTitle}
        text={`${texts.emptyText} ${acceptedFiles}`}
        level={3}
      />
    </div>
  );
}

/** Message for a list that could not be read. `onTryAgain` replaces the request of the page. */
export function FailedList(props: { folder: string; onTryAgain?: () => Promise<unknown> }) {
  const { folder, onTryAgain } = props;
  const texts = useTexts(filesTexts);
  const [isPending, setIsPending] = useState(false);
  return (
    <Alert kind="error" title={texts.failedTitle}>
      <p>{texts.failedText}</p>
      <form className="mt-2" action={`#${FILES_ID}`}>
        {folder !== '' && <input type="hidden" name="folder" value={folder} />}
        <Button
          type="submit"
          size="small"
          isPending={isPending}
          onClick={(event) => {
            if (!onTryAgain) return;
            event.preventDefault();
            setIsPending(true);
            void onTryAgain().finally(() => setIsPending(false));
          }}
        >
          {texts.tryAgain}
        </Button>
      </form>
    </Alert>
  );
}

/** Message for a failed form. */
export function FilesAlert({ problem, name }: Pick<FilesOutcome, 'problem' | 'name'>) {
  const texts = useTexts(filesTexts);
  const text = texts.problems[problem];
  return <Alert kind="error">{name ? texts.problemWith(name, text) : text}</Alert>;
}

function TruncationNote() {
  const { truncated } = useTexts(filesTexts);
  return <p className="text-small text-ink-muted">{truncated(PAGE_SIZE)}</p>;
}
