/** Converts the backend's messages for the mailbox. */
import { CHANNELS, type Channel } from './selection.ts';

export const MESSAGES_PER_PAGE = 25;

const STATUSES = ['queued', 'sent', 'kept', 'failed'] as const;
export type MessageStatus = (typeof STATUSES)[number];

/** One row of the list. Times are seconds since 1970. */
export interface MessageRow {
  id: string;
  channel: Channel;
  /** The purpose, e.g. `recovery`. */
  kind: string;
  recipient: string;
  /** '' if there is none, as for an SMS. */
  subject: string;
  status: MessageStatus;
  createdAt: number;
  attempts: number;
  /** '' if there is none. */
  lastError: string;
  /** When a queued message is due; null for the other states. */
  nextAttemptAt: number | null;
}

/** One page of the list. */
export interface MessagePage {
  rows: MessageRow[];
  page: number;
  lastPage: number;
  total: number;
}

/** A complete message. */
export interface OpenMessage extends MessageRow {
  sentAt: number | null;
  /** '' after it was sent or has failed finally. */
  text: string;
  hasHtml: boolean;
  /** http or https; '' if there is none. */
  link: string;
  /** '' if there is none. */
  code: string;
}

/** Converts a list; ignores invalid messages. */
export function toMessagePage(response: unknown, page: number, total: number): MessagePage {
  const rows = Array.isArray(response) ? response.flatMap(toRow) : [];
  const all = Math.max(total, rows.length > 0 ? (page - 1) * MESSAGES_PER_PAGE + rows.length : 0);
  return { rows, page, lastPage: Math.max(1, Math.ceil(all / MESSAGES_PER_PAGE)), total: all };
}

/** Converts a complete message; undefined if it is invalid. */
export function toOpenMessage(response: unknown): OpenMessage | undefined {
  const [row] = toRow(response);
  if (row === undefined) return undefined;
  const fields = response as Record<string, unknown>;
  const text = textOf(fields.text);
  return {
    ...row,
    sentAt: secondsOf(fields.sent_at) || null,
    text,
    hasHtml: textOf(fields.html) !== '',
    link: webLink(textOf(fields.link)),
    code: findCode(text, row.channel),
  };
}

/**
 * Returns the code in a message: a line with only 6 to 10 digits; in an SMS, which is one sentence, also
 * such a number within the text. Digits in links and addresses are ignored.
 */
export function findCode(text: string, channel: Channel): string {
  const line = /^\s*(\d{6,10})\s*$/m.exec(text)?.[1];
  if (line !== undefined || channel === 'mail') return line ?? '';
  const words = text.replace(/\S*[/@]\S*/g, ' ');
  return /(?<![\w+.-])(\d{6,10})(?![\w-])/.exec(words)?.[1] ?? '';
}

function toRow(response: unknown): MessageRow[] {
  const fields = (response ?? {}) as Record<string, unknown>;
  const channel = CHANNELS.find((known) => known === fields.channel);
  const status = STATUSES.find((known) => known === fields.status);
  if (typeof fields.id !== 'string' || channel === undefined || status === undefined) return [];
  return [
    {
      id: fields.id,
      channel,
      kind: textOf(fields.kind),
      recipient: textOf(fields.recipient),
      subject: textOf(fields.subject),
      status,
      createdAt: secondsOf(fields.created_at),
      attempts: typeof fields.attempts === 'number' ? fields.attempts : 0,
      lastError: textOf(fields.last_error),
      // A message is due at 1970 if it was never tried.
      nextAttemptAt: typeof fields.next_attempt_at === 'string' ? secondsOf(fields.next_attempt_at) : null,
    },
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function secondsOf(date: unknown): number {
  const milliseconds = typeof date === 'string' ? Date.parse(date) : 0;
  return Number.isFinite(milliseconds) ? Math.floor(milliseconds / 1000) : 0;
}

/** Accepts only http and https, so that a link cannot run a script in the page. */
function webLink(link: string): string {
  return URL.canParse(link) && /^https?:$/.test(new URL(link).protocol) ? link : '';
}
