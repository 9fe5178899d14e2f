/** The uploads as the page shows them, and their progress. Pure. ./upload-state.ts defines the transitions. */
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
  measuredFrom: { sent: number; at: number };
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
/** Minimum duration of a measurement of the rate; a shorter one is too inaccurate. */
const MIN_MEASUREMENT_MS = 400;
/** Weight of the latest measurement in the smoothed rate. */
const SMOOTHING_FACTOR = 0.3;

/** Creates an upload that has not started. */
export function newUpload(
  parts: Pick<Upload, 'id' | 'ownerId' | 'folder' | 'name' | 'size' | 'isResumable'>,
): Upload {
  return { ...parts, state: 'queued', sent: 0, rate: 0, measuredFrom: { sent: 0, at: 0 }, failures: 0 };
}

/** Returns the upload after an event, undefined if it is removed, and the effect of the event. */
export function applyUploadEvent(
  upload: Upload,
  event: UploadEvent,
  details: EventDetails = {},
): readonly [changed: Upload | undefined, effect?: UploadEffect | undefined] {
  const [next, effect] = uploadTransition(upload.state, event);
  if (next === 'removed') return [undefined, effect];
  return [next === upload.state ? upload : enterState(next, upload, details), effect];
}

function enterState(state: ShownState, upload: Upload, { now = 0, problem }: EventDetails): Upload {
  const { problem: _, ...rest } = upload;
  switch (state) {
    case 'queued':
      return { ...rest, state };
    case 'running':
      return { ...upload, state, rate: 0, measuredFrom: { sent: upload.sent, at: now } };
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
  return measureRate({ ...upload, sent, failures: 0 }, now);
}

function measureRate(upload: Upload, now: number): Upload {
  const { measuredFrom, sent, rate } = upload;
  // A retry sends some bytes again.
  if (sent < measuredFrom.sent) return { ...upload, measuredFrom: { sent, at: now } };
  const passed = now - measuredFrom.at;
  if (passed < MIN_MEASUREMENT_MS) return upload;
  const latest = ((sent - measuredFrom.sent) * 1000) / passed;
  return {
    ...upload,
    rate: rate === 0 ? latest : rate * (1 - SMOOTHING_FACTOR) + latest * SMOOTHING_FACTOR,
    measuredFrom: { sent, at: now },
  };
}

/** Returns the next upload to start. */
export function nextUpload(uploads: readonly Upload[]): Upload | undefined {
  const running = uploads.filter(({ state }) => state === 'running');
  return running.length < MAX_RUNNING ? uploads.find(({ state }) => state === 'queued') : undefined;
}

/** Returns whether an upload has ended. Leaving the page would abort any other upload. */
export function hasEnded({ state }: Upload): boolean {
  return state === 'done' || state === 'failed';
}

/** The overall progress. `share` of the bytes, from 0 to 1, has steps of 0.25 to limit announcements. */
interface Summary {
  count: number;
  done: number;
  failed: number;
  share: number;
}

/** Summarizes the overall progress. */
export function summarize(uploads: readonly Upload[]): Summary {
  const total = uploads.reduce((sum, { size }) => sum + size, 0);
  const sent = uploads.reduce((sum, upload) => sum + Math.min(upload.sent, upload.size), 0);
  const countOf = (state: ShownState) => uploads.filter((upload) => upload.state === state).length;
  return {
    count: uploads.length,
    done: countOf('done'),
    failed: countOf('failed'),
    share: total === 0 ? 0 : Math.floor((sent / total) * 4) / 4,
  };
}

/** Returns the remaining seconds; undefined while the rate is unknown. */
export function secondsLeft({ size, sent, rate }: Upload): number | undefined {
  return rate > 0 ? Math.ceil((size - sent) / rate) : undefined;
}
