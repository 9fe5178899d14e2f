/** Uploads and their states, several at once. Pure. */
import type { FilesProblem } from './files-data.ts';

/** `offline`: it waits for another attempt. */
type UploadState = 'waiting' | 'running' | 'paused' | 'offline' | 'failed' | 'done';

/** One file on its way. */
export interface Upload {
  id: string;
  ownerId: string;
  folder: string;
  name: string;
  /** Bytes. */
  size: number;
  /** Larger files go in parts; only those can be paused. */
  isResumable: boolean;
  state: UploadState;
  /** Bytes that have left. */
  sent: number;
  /** Bytes a second, of late; 0 while it is not known. */
  rate: number;
  /** What the rate was measured from. */
  mark: { sent: number; at: number };
  /** Attempts in a row that had no answer. */
  failures: number;
  problem?: FilesProblem;
}

/** What can happen. Times are in milliseconds. */
export type UploadEvent =
  | { type: 'added'; uploads: readonly Upload[] }
  | { type: 'started'; id: string; now: number }
  | { type: 'progress'; id: string; sent: number; now: number }
  | { type: 'paused'; id: string }
  | { type: 'resumed'; id: string }
  | { type: 'failed'; id: string; problem: FilesProblem }
  | { type: 'done'; id: string }
  | { type: 'removed'; id: string }
  | { type: 'cleared' };

/** So many run at once. */
const MAX_RUNNING = 2;
/** Shorter times say little about the rate. */
const MEASURED_MS = 400;
/** How much of the rate is new each time. */
const NEW_SHARE = 0.3;

/** An upload that has not begun. */
export function newUpload(
  parts: Pick<Upload, 'id' | 'ownerId' | 'folder' | 'name' | 'size' | 'isResumable'>,
): Upload {
  return { ...parts, state: 'waiting', sent: 0, rate: 0, mark: { sent: 0, at: 0 }, failures: 0 };
}

/** The uploads after an event. */
export function reduceUploads(uploads: readonly Upload[], event: UploadEvent): readonly Upload[] {
  switch (event.type) {
    case 'added':
      return [...uploads, ...event.uploads];
    case 'removed':
      return uploads.filter(({ id }) => id !== event.id);
    case 'cleared':
      return uploads.filter(({ state }) => state !== 'done' && state !== 'failed');
    default:
      return uploads.map((upload) => (upload.id === event.id ? changeUpload(upload, event) : upload));
  }
}

type OwnEvent = Exclude<UploadEvent, { type: 'added' | 'removed' | 'cleared' }>;

function changeUpload(upload: Upload, event: OwnEvent): Upload {
  switch (event.type) {
    case 'started':
      return { ...upload, state: 'running', rate: 0, mark: { sent: upload.sent, at: event.now } };
    case 'progress':
      return measure({ ...upload, sent: event.sent, failures: 0 }, event.now);
    case 'paused':
      return isOver(upload) ? upload : { ...upload, state: 'paused', rate: 0 };
    case 'resumed': {
      const { problem: _, ...rest } = upload;
      return upload.state === 'done' ? upload : { ...rest, state: 'waiting' };
    }
    case 'failed': {
      const state = event.problem === 'unreachable' ? 'offline' : 'failed';
      return { ...upload, state, rate: 0, failures: upload.failures + 1, problem: event.problem };
    }
    case 'done': {
      const { problem: _, ...rest } = upload;
      return { ...rest, state: 'done', sent: upload.size, rate: 0 };
    }
  }
}

function measure(upload: Upload, now: number): Upload {
  const { mark, sent, rate } = upload;
  // What was there from an earlier attempt did not come now.
  if (sent < mark.sent) return { ...upload, mark: { sent, at: now } };
  const passed = now - mark.at;
  if (passed < MEASURED_MS) return upload;
  const latest = ((sent - mark.sent) * 1000) / passed;
  return {
    ...upload,
    rate: rate === 0 ? latest : rate * (1 - NEW_SHARE) + latest * NEW_SHARE,
    mark: { sent, at: now },
  };
}

/** The upload to be started now. */
export function nextUpload(uploads: readonly Upload[]): Upload | undefined {
  const running = uploads.filter(({ state }) => state === 'running');
  return running.length < MAX_RUNNING ? uploads.find(({ state }) => state === 'waiting') : undefined;
}

/** Neither done nor given up: leaving the page would break it off. */
export function isOver({ state }: Upload): boolean {
  return state === 'done' || state === 'failed';
}

/** How far all are together. `percent` goes in steps of 25, so that it can be read out. */
interface Summary {
  count: number;
  done: number;
  failed: number;
  percent: number;
}

/** See {@link Summary}. */
export function summarize(uploads: readonly Upload[]): Summary {
  const total = uploads.reduce((sum, { size }) => sum + size, 0);
  const sent = uploads.reduce((sum, upload) => sum + Math.min(upload.sent, upload.size), 0);
  const of = (state: UploadState) => uploads.filter((upload) => upload.state === state).length;
  return {
    count: uploads.length,
    done: of('done'),
    failed: of('failed'),
    percent: total === 0 ? 0 : Math.floor((sent / total) * 4) * 25,
  };
}

/** Seconds until it is there; undefined while nobody can say. */
export function secondsLeft({ size, sent, rate }: Upload): number | undefined {
  return rate > 0 ? Math.ceil((size - sent) / rate) : undefined;
}
