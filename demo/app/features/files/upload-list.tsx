/** The uploads of this tab, with their progress and actions. */
import {
  Button,
  formatDuration,
  formatPercent,
  formatRate,
  formatSize,
  Icon,
  type Language,
  useLanguage,
  useTexts,
} from 'greenroom/app';
import { IconButton } from 'greenroom/app/ui/icon-button';
import { Progress } from 'greenroom/app/ui/progress';
import { useState, useSyncExternalStore } from 'react';
import { filesTexts } from '../../texts/files.ts';
import { type FilesToolsTexts, filesToolsTexts } from '../../texts/files-tools.ts';
import { findUnfinished, forgetUnfinished } from './unfinished.ts';
import { hasEnded, secondsLeft, summarize, type Upload } from './upload.ts';
import { uploadQueue } from './upload-queue.ts';

/** Shows only the uploads of this user. */
export function UploadList({ ownerId }: { ownerId: string }) {
  const texts = useTexts(filesToolsTexts);
  const language = useLanguage();
  const allUploads = useSyncExternalStore(
    uploadQueue.subscribe,
    uploadQueue.getUploads,
    uploadQueue.getUploads,
  );
  const uploads = allUploads.filter((upload) => upload.ownerId === ownerId);
  return (
    <>
      <p role="status" className="sr-only">
        {announcementOf(uploads, texts, language)}
      </p>
      {uploads.length > 0 && (
        <div className="card">
          <header className="flex items-center justify-between gap-3 border-b border-line px-4 py-2.5">
            <h3 className="text-body font-semibold">
              {texts.uploads}{' '}
              {uploads.length > 1 && (
                <span className="ms-2 text-small font-normal text-ink-muted">
                  {texts.position(uploads.filter(isDone).length, uploads.length)}
                </span>
              )}
            </h3>
            {uploads.some(hasEnded) && (
              <Button type="button" variant="ghost" size="small" onClick={() => uploadQueue.clear()}>
                {texts.clearList}
              </Button>
            )}
          </header>
          {/* Loads the icon in advance, because it is needed without a network. */}
          <span hidden>
            <Icon name="lucide:rotate-cw" />
          </span>
          <ul aria-label={texts.uploads} className="max-h-80 divide-y divide-line overflow-y-auto">
            {uploads.toSorted(byState).map((upload) => (
              <UploadRow key={upload.id} upload={upload} />
            ))}
          </ul>
        </div>
      )}
      <InterruptedList ownerId={ownerId} uploads={uploads} />
    </>
  );
}

const isDone = ({ state }: Upload) => state === 'done';

/** Compares uploads: running ones first, then queued ones, then finished ones. */
function byState(a: Upload, b: Upload): number {
  return rankOf(a) - rankOf(b);
}

function rankOf({ state }: Upload): number {
  if (state === 'done') return 2;
  return state === 'queued' ? 1 : 0;
}

/** Returns the text for screen readers. It changes in steps of 25 percent, to limit announcements. */
function announcementOf(uploads: readonly Upload[], texts: FilesToolsTexts, language: Language): string {
  const { count, done, failed, share } = summarize(uploads);
  if (count === 0) return '';
  if (done + failed < count) {
    return texts.uploadsRunning(count - done - failed, formatPercent(share, language));
  }
  return [done > 0 && texts.uploadsDone(done), failed > 0 && texts.uploadsFailed(failed)]
    .filter(Boolean)
    .join(' ');
}

function UploadRow({ upload }: { upload: Upload }) {
  const texts = useTexts(filesToolsTexts);
  const { problems } = useTexts(filesTexts);
  const language = useLanguage();
  const { id, name, size, sent, state, isResumable, problem } = upload;
  const status = state === 'failed' && problem ? problems[problem] : statusOf(upload, texts, language);
  return (
    <li className="grid grid-cols-1 gap-1.5 px-4 py-2.5">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate text-body font-medium">{name}</span>
        {isResumable && (state === 'running' || state === 'queued') && (
          <IconButton
            size="small"
            icon="lucide:pause"
            label={texts.pauseUpload(name)}
            onClick={() => uploadQueue.pause(id)}
          />
        )}
        {state === 'paused' && (
          <IconButton
            size="small"
            icon="lucide:play"
            label={texts.resumeUpload(name)}
            onClick={() => uploadQueue.resume(id)}
          />
        )}
        {(state === 'offline' ||
          (state === 'failed' && problem !== 'tooLarge' && problem !== 'wrongType')) && (
          <IconButton
            size="small"
            icon="lucide:rotate-cw"
            label={texts.retryUpload(name)}
            onClick={() => uploadQueue.resume(id)}
          />
        )}
        {state !== 'done' && (
          <IconButton
            size="small"
            icon="close"
            label={texts.cancelUpload(name)}
            onClick={() => uploadQueue.cancel(id)}
          />
        )}
      </div>
      {!hasEnded(upload) && (
        <Progress
          label={texts.uploadProgress(name)}
          {...(size > 0 || state !== 'running' ? { value: sent, max: size || 1 } : {})}
        />
      )}
      <p className={`text-small ${state === 'failed' ? 'text-danger-ink' : 'text-ink-muted'}`}>{status}</p>
    </li>
  );
}

function statusOf(upload: Upload, texts: FilesToolsTexts, language: Language): string {
  const { state, sent, size, rate } = upload;
  const total = formatSize(size, language);
  if (state === 'done') return `${texts.uploadStates.done}, ${total}`;
  if (state !== 'running' || sent === 0) return texts.uploadStates[state];
  const left = secondsLeft(upload);
  return [
    texts.sentOfTotal(formatSize(sent, language), total),
    rate > 0 && formatRate(rate, language),
    left !== undefined && texts.timeLeft(formatTimeLeft(left, language)),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Rounds times of 90 seconds and more to minutes. */
function formatTimeLeft(seconds: number, language: Language): string {
  return seconds < 90
    ? formatDuration(seconds, 'second', language)
    : formatDuration(Math.round(seconds / 60), 'minute', language);
}

/** Uploads that were interrupted when the user left an earlier page. */
function InterruptedList({ ownerId, uploads }: { ownerId: string; uploads: readonly Upload[] }) {
  const texts = useTexts(filesToolsTexts);
  const [discarded, setDiscarded] = useState<readonly string[]>([]);
  // Finished and cancelled uploads are removed from the browser's list.
  const found = findUnfinished(window, ownerId);
  const interrupted = found.filter(
    ({ key, folder, name }) =>
      !discarded.includes(key) && !uploads.some((upload) => upload.folder === folder && upload.name === name),
  );
  if (interrupted.length === 0) return null;
  return (
    <div className="card grid grid-cols-1 gap-1 px-4 py-3">
      <h3 className="text-body font-semibold">{texts.interruptedUploads}</h3>
      <p className="text-small text-ink-muted">{texts.interruptedUploadsText}</p>
      <ul aria-label={texts.interruptedUploads}>
        {interrupted.map(({ key, name }) => (
          <li key={key} className="flex items-center gap-2 text-body">
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <IconButton
              size="small"
              icon="close"
              label={texts.discardUpload(name)}
              onClick={() => {
                forgetUnfinished(window, key);
                setDiscarded([...discarded, key]);
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
