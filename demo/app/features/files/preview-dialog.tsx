/** A dialog that previews a file; the arrow keys select its neighbours. */
import { formatSize, useLanguage, useSiteUrls, useTexts } from 'greenroom/app';
import { buttonClass } from 'greenroom/app/ui/button';
import { DialogBase } from 'greenroom/app/ui/dialog';
import { IconButton } from 'greenroom/app/ui/icon-button';
import { Skeleton } from 'greenroom/app/ui/skeleton';
import { useEffect, useState } from 'react';
import { filesTexts } from '../../texts/files.ts';
import { filesToolsTexts } from '../../texts/files-tools.ts';
import { focusEntry } from './entry-focus.ts';
import { type OwnerStorage, readFile, signFile } from './file-calls.ts';
import type { FileEntry } from './file-entry.ts';
import { type FileKind, kindOf } from './file-kind.ts';
import type { FilesProblem } from './files-data.ts';
import { fileHref } from './files-path.ts';

/** `files` are all files of the list, in their order. */
interface PreviewDialogProps {
  ownerStorage: OwnerStorage;
  entry: FileEntry;
  files: readonly FileEntry[];
  onShow(entry: FileEntry): void;
  onClose(): void;
}

/** Longer texts are not previewed. */
const MAX_TEXT_BYTES = 256 * 1024;
const LINK_SECONDS = 3600;

/** Previews a file. */
export function PreviewDialog({ ownerStorage, entry, files, onShow, onClose }: PreviewDialogProps) {
  const texts = useTexts(filesToolsTexts);
  const language = useLanguage();
  const index = files.findIndex(({ path }) => path === entry.path);
  const showNeighbour = (step: 1 | -1) => {
    const next = files[index + step];
    if (index >= 0 && next) onShow(next);
  };
  useArrowKeys(showNeighbour);
  return (
    <DialogBase
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onCloseAutoFocus={(event) => focusEntry(entry.path, event)}
      title={entry.name}
      description={formatSize(entry.size, language)}
      position="items-end justify-center sm:items-center sm:p-6"
      panel="max-h-[92dvh] w-full max-w-4xl rounded-t-dialog sm:rounded-dialog"
      footer={
        files.length > 1 && (
          <>
            <p role="status" className="me-auto self-center text-small text-ink-muted">
              {texts.position(index + 1, files.length)}
            </p>
            <IconButton
              icon="lucide:chevron-left"
              label={texts.previousFile}
              disabled={index <= 0}
              onClick={() => showNeighbour(-1)}
            />
            <IconButton
              icon="lucide:chevron-right"
              label={texts.nextFile}
              disabled={index < 0 || index >= files.length - 1}
              onClick={() => showNeighbour(1)}
            />
          </>
        )
      }
    >
      <div className="grid min-h-40 place-items-center">
        <Preview key={`${entry.path} ${entry.version}`} ownerStorage={ownerStorage} entry={entry} />
      </div>
    </DialogBase>
  );
}

/**
 * Calls `onStep` for the left and right arrow keys. Listens on the document, because the focus may be on any element of
 * the dialog.
 */
function useArrowKeys(onStep: (step: 1 | -1) => void): void {
  useEffect(() => {
    const listen = ({ target, key, altKey, ctrlKey, metaKey }: KeyboardEvent) => {
      // The arrow keys control a focused media player.
      if (target instanceof HTMLMediaElement || altKey || ctrlKey || metaKey) return;
      if (key === 'ArrowLeft') onStep(-1);
      else if (key === 'ArrowRight') onStep(1);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [onStep]);
}

type Content = { address: string; text?: undefined } | { text: string; address?: undefined };

function Preview({ ownerStorage, entry }: { ownerStorage: OwnerStorage; entry: FileEntry }) {
  const texts = useTexts(filesToolsTexts);
  const { problems } = useTexts(filesTexts);
  const { base } = useSiteUrls();
  const kind = kindOf(entry.type, entry.name);
  const isTooLong = kind === 'text' && entry.size > MAX_TEXT_BYTES;
  const hasContent = kind !== 'other' && kind !== 'archive' && !isTooLong;
  const { content, problem } = useContent(ownerStorage, entry, hasContent ? kind : undefined);
  const [isBroken, setIsBroken] = useState(false);
  if (!hasContent) {
    return (
      <div className="grid justify-items-center gap-4 text-center">
        <p className="text-ink-muted">{isTooLong ? texts.textTooLong : texts.noPreview}</p>
        <a href={base.slice(0, -1) + fileHref(entry.path, true)} className={buttonClass({})}>
          {texts.download}
        </a>
      </div>
    );
  }
  if (isBroken || problem) {
    return <p role="alert">{problem ? problems[problem] : texts.previewFailed}</p>;
  }
  if (!content) return <Skeleton className="h-40 w-full" />;
  if (content.text !== undefined) {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
      <pre tabIndex={0} className="w-full overflow-x-auto rounded-card bg-sunken p-4 font-mono text-small">
        {content.text}
      </pre>
    );
  }
  return <Media kind={kind} name={entry.name} address={content.address} onError={() => setIsBroken(true)} />;
}

function Media(props: { kind: FileKind; name: string; address: string; onError(): void }) {
  const { kind, name, address, onError } = props;
  const texts = useTexts(filesToolsTexts);
  switch (kind) {
    case 'image':
      return (
        <img
          src={address}
          alt={name}
          onError={onError}
          className="max-h-[65dvh] max-w-full rounded-card object-contain"
        />
      );
    case 'audio':
      // biome-ignore lint/a11y/useMediaCaption: users' own files have no captions
      return <audio src={address} controls aria-label={name} onError={onError} className="w-full" />;
    case 'video':
      return (
        // biome-ignore lint/a11y/useMediaCaption: users' own files have no captions
        <video
          src={address}
          controls
          aria-label={name}
          onError={onError}
          className="max-h-[65dvh] min-w-64 max-w-full rounded-card"
        />
      );
    default:
      return (
        <div className="grid w-full justify-items-center gap-4 text-center">
          {navigator.pdfViewerEnabled ? (
            <iframe src={address} title={name} className="h-[65dvh] w-full rounded-card border-0 bg-sunken" />
          ) : (
            <p className="text-ink-muted">{texts.noPdfViewer}</p>
          )}
          <a href={address} target="_blank" rel="noreferrer" className={buttonClass({})}>
            {texts.openInNewTab}
          </a>
        </div>
      );
  }
}

function useContent(
  ownerStorage: OwnerStorage,
  { path }: FileEntry,
  kind: FileKind | undefined,
): { content?: Content; problem?: FilesProblem } {
  const [state, setState] = useState<{ content?: Content; problem?: FilesProblem }>({});
  useEffect(() => {
    if (kind === undefined) return;
    let isCancelled = false;
    void readContent(ownerStorage, path, kind).then((read) => isCancelled || setState(read));
    return () => {
      isCancelled = true;
    };
  }, [ownerStorage, path, kind]);
  return state;
}

async function readContent(
  ownerStorage: OwnerStorage,
  path: string,
  kind: FileKind,
): Promise<{ content?: Content; problem?: FilesProblem }> {
  if (kind === 'text') {
    const { value, problem } = await readFile(ownerStorage, path);
    return problem === undefined ? { content: { text: await value.text() } } : { problem };
  }
  const { value, problem } = await signFile(ownerStorage, path, LINK_SECONDS);
  return problem === undefined ? { content: { address: value } } : { problem };
}
