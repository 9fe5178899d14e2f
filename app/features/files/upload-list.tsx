/** The uploads of this tab, with their progress and actions. */
import { useState, useSyncExternalStore } from 'react';
import { formatSize } from '../../lib/format/size.ts';
import type { Language } from '../../lib/language.ts';
import { findUnfinished, forgetUnfinished } from '../../session/unfinished-uploads.ts';
import { filesTexts } from '../../texts/files.ts';
import { type FilesToolsTexts, filesToolsTexts } from '../../texts/files-tools.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { isOver, secondsLeft, summarize, type Upload } from './upload.ts';
import { uploadQueue } from './upload-queue.ts';

/** Shows only the uploads of this user. */
export function UploadList({ ownerId }: { ownerId: string }) {
  const texts = useTexts(filesToolsTexts);
  const all = useSyncExternalStore(uploadQueue.subscribe, uploadQueue.getUploads, uploadQueue.getUploads);
  const uploads = all.filter((upload) => upload.ownerId === ownerId);
  return (
    <>
      <p role="status" className="sr-only">
        {announce(uploads, texts)}
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
            {uploads.some(isOver) && (
              <Button type="button" look="ghost" size="small" onClick={() => uploadQueue.clear()}>
                {texts.clear}
              </Button>
            )}
          </header>
          {/* Rendered in advance, because the icon is needed when there is no network to load it. */}
          <span hidden>
            <Icon name="lucide:rotate-cw" />
          </span>
          <ul aria-label={texts.uploadList} className="max-h-80 divide-y divide-line overflow-y-auto">
            {uploads.toSorted(byUrgency).map((upload) => (
              <UploadRow key={upload.id} upload={upload} />
            ))}
          </ul>
        </div>
      )}
      <UnfinishedList ownerId={ownerId} uploads={uploads} />
    </>
  );
}

const isDone = ({ state }: Upload) => state === 'done';

/** Sorts finished uploads last, and waiting ones before them. */
function byUrgency(a: Upload, b: Upload): number {
  return rankOf(a) - rankOf(b);
}

function rankOf({ state }: Upload): number {
  if (state === 'done') return 2;
  return state === 'waiting' ? 1 : 0;
}

/** Returns the text for screen readers. It changes in steps of 25 percent, to limit announcements. */
function announce(uploads: readonly Upload[], texts: FilesToolsTexts): string {
  const { count, done, failed, percent } = summarize(uploads);
  if (count === 0) return '';
  if (done + failed < count) return texts.running(count - done - failed, percent);
  return [done > 0 && texts.allDone(done), failed > 0 && texts.someFailed(failed)].filter(Boolean).join(' ');
}

function UploadRow({ upload }: { upload: Upload }) {
  const texts = useTexts(filesToolsTexts);
  const { problems } = useTexts(filesTexts);
  const language = useLanguage();
  const { id, name, size, sent, state, isResumable, problem } = upload;
  const words = state === 'failed' && problem ? problems[problem] : describe(upload, texts, language);
  return (
    <li className="grid grid-cols-1 gap-1.5 px-4 py-2.5">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate text-body font-medium">{name}</span>
        {isResumable && (state === 'running' || state === 'waiting') && (
          <IconButton
            size="small"
            icon="lucide:pause"
            label={texts.pause(name)}
            onClick={() => uploadQueue.pause(id)}
          />
        )}
        {state === 'paused' && (
          <IconButton
            size="small"
            icon="lucide:play"
            label={texts.resume(name)}
            onClick={() => uploadQueue.resume(id)}
          />
        )}
        {(state === 'offline' ||
          (state === 'failed' && problem !== 'tooLarge' && problem !== 'wrongType')) && (
          <IconButton
            size="small"
            icon="lucide:rotate-cw"
            label={texts.tryAgain(name)}
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
      {!isOver(upload) && (
        <Progress
          label={texts.progress(name)}
          {...(size > 0 || state !== 'running' ? { value: sent, max: size || 1 } : {})}
        />
      )}
      <p className={`text-small ${state === 'failed' ? 'text-danger-ink' : 'text-ink-muted'}`}>{words}</p>
    </li>
  );
}

function describe(upload: Upload, texts: FilesToolsTexts, language: Language): string {
  const { state, sent, size, rate } = upload;
  const whole = formatSize(size, language);
  if (state === 'done') return `${texts.states.done}, ${whole}`;
  if (state !== 'running' || sent === 0) return texts.states[state];
  const left = secondsLeft(upload);
  return [
    texts.of(formatSize(sent, language), whole),
    rate > 0 && texts.rate(formatSize(rate, language)),
    left !== undefined && texts.left(formatSeconds(left, language)),
  ]
    .filter(Boolean)
    .join(', ');
}

function formatSeconds(seconds: number, language: Language): string {
  const isLong = seconds >= 90;
  const value = isLong ? Math.round(seconds / 60) : seconds;
  const format = { style: 'unit', unit: isLong ? 'minute' : 'second', unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language, format).format(value);
}

/** Uploads that an earlier page has interrupted. */
function UnfinishedList({ ownerId, uploads }: { ownerId: string; uploads: readonly Upload[] }) {
  const texts = useTexts(filesToolsTexts);
  const [forgotten, setForgotten] = useState<readonly string[]>([]);
  // Finished and cancelled uploads are removed from the browser's list.
  const found = findUnfinished(window, ownerId);
  const left = found.filter(
    ({ key, folder, name }) =>
      !forgotten.includes(key) && !uploads.some((upload) => upload.folder === folder && upload.name === name),
  );
  if (left.length === 0) return null;
  return (
    <div className="card grid grid-cols-1 gap-1 px-4 py-3">
      <h3 className="text-body font-semibold">{texts.unfinished}</h3>
      <p className="text-small text-ink-muted">{texts.unfinishedText}</p>
      <ul aria-label={texts.unfinished}>
        {left.map(({ key, name }) => (
          <li key={key} className="flex items-center gap-2 text-body">
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <IconButton
              size="small"
              icon="close"
              label={texts.discard(name)}
              onClick={() => {
                forgetUnfinished(window, key);
                setForgotten([...forgotten, key]);
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
