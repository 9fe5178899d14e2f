/** The state of an upload as the screen shows it. Pure. ./upload-state.ts defines the transitions. */
import type { FilesProblem } from './files-data.ts';
import { type UploadEffect, type UploadEvent, type UploadState, uploadTransition } from './upload-state.ts';

type ShownState = Exclude<UploadState, 'removed'>;

/** The upload of one file. */
export interface Upload {
  id: string;
  ownerId: string;
  folder: string;
  name: string;
  /** Bytes. */
  size: number;
  /** Larger files are sent in parts; only those can be paused. */
  isResumable: boolean;
  state: ShownState;
  /** Bytes that were sent. */
  sent: number;
  /** Smoothed bytes per second; 0 while unknown. */
  rate: number;
  /** Start of the current measurement of the rate. `at`: in milliseconds. */
  mark: { sent: number; at: number };
  /** Consecutive attempts without a response. */
  failures: number;
  problem?: FilesProblem;
}

/** Details of an event. */
interface EventDetails {
  /** Time of the event, in milliseconds. */
  now?: number;
  problem?: FilesProblem | undefined;
}

/** Maximum number of concurrent uploads. */
const MAX_RUNNING = 2;
/** A shorter measurement of the rate is too inaccurate. */
const MEASURED_MS = 400;
/** Weight of the latest measurement in the smoothed rate. */
const NEW_SHARE = 0.3;

/** Creates an upload that has not started. */
export function newUpload(
  parts: Pick<Upload, 'id' | 'ownerId' | 'folder' | 'name' | 'size' | 'isResumable'>,
): Upload {
  return { ...parts, state: 'waiting', sent: 0, rate: 0, mark: { sent: 0, at: 0 }, failures: 0 };
}

/** Returns the upload after an event, undefined if it is removed, and the effect of the event. */
export function advance(
  upload: Upload,
  event: UploadEvent,
  details: EventDetails = {},
): readonly [changed: Upload | undefined, effect?: UploadEffect | undefined] {
  const [next, effect] = uploadTransition(upload.state, event);
  if (next === 'removed') return [undefined, effect];
  return [next === upload.state ? upload : enter(next, upload, details), effect];
}

function enter(state: ShownState, upload: Upload, { now = 0, problem }: EventDetails): Upload {
  const { problem: _, ...rest } = upload;
  switch (state) {
    case 'waiting':
      return { ...rest, state };
    case 'running':
      return { ...upload, state, rate: 0, mark: { sent: upload.sent, at: now } };
    case 'failed':
    case 'offline':
      return { ...rest, state, rate: 0, failures: upload.failures + 1, ...(problem && { problem }) };
    case 'done':
      return { ...rest, state, sent: upload.size, rate: 0 };
    case 'paused':
      return { ...upload, state, rate: 0 };
  }
}

/** Returns the upload after progress: `sent` bytes were sent until `now`, in milliseconds. */
export function withProgress(upload: Upload, sent: number, now: number): Upload {
  return measure({ ...upload, sent, failures: 0 }, now);
}

function measure(upload: Upload, now: number): Upload {
  const { mark, sent, rate } = upload;
  // A new attempt sends some bytes again.
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

/** Returns the next upload to start. */
export function nextUpload(uploads: readonly Upload[]): Upload | undefined {
  const running = uploads.filter(({ state }) => state === 'running');
  return running.length < MAX_RUNNING ? uploads.find(({ state }) => state === 'waiting') : undefined;
}

/** Returns whether an upload has ended. Leaving the page would abort any other upload. */
export function isOver({ state }: Upload): boolean {
  return state === 'done' || state === 'failed';
}

/** The overall progress. `percent` has steps of 25, for announcements. */
interface Summary {
  count: number;
  done: number;
  failed: number;
  percent: number;
}

/** Summarizes the overall progress. */
export function summarize(uploads: readonly Upload[]): Summary {
  const total = uploads.reduce((sum, { size }) => sum + size, 0);
  const sent = uploads.reduce((sum, upload) => sum + Math.min(upload.sent, upload.size), 0);
  const of = (state: ShownState) => uploads.filter((upload) => upload.state === state).length;
  return {
    count: uploads.length,
    done: of('done'),
    failed: of('failed'),
    percent: total === 0 ? 0 : Math.floor((sent / total) * 4) * 25,
  };
}

/** Returns the remaining seconds; undefined while the rate is unknown. */
export function secondsLeft({ size, sent, rate }: Upload): number | undefined {
  return rate > 0 ? Math.ceil((size - sent) / rate) : undefined;
}
