/** Messages as the mailbox shows them, from what the backend says of them. */
import { CHANNELS, type Channel } from './selection.ts';

/** Messages on one page. */
export const MESSAGES_PER_PAGE = 25;

const STATUSES = ['queued', 'sent', 'kept', 'failed'] as const;
export type MessageStatus = (typeof STATUSES)[number];

/** One line of the list. Times are seconds since 1970. */
export interface MessageRow {
  id: string;
  channel: Channel;
  /** What it is for, e.g. `recovery`. */
  kind: string;
  recipient: string;
  /** '' where it has none, as an SMS. */
  subject: string;
  status: MessageStatus;
  createdAt: number;
}

/** One page of the list. */
export interface MessagePage {
  rows: MessageRow[];
  page: number;
  lastPage: number;
  total: number;
}

/** A whole message. */
export interface OpenMessage extends MessageRow {
  attempts: number;
  sentAt: number | null;
  lastError: string;
  /** '' once it was sent or given up. */
  text: string;
  hasHtml: boolean;
  /** http or https; '' where there is none. */
  link: string;
  /** '' where there is none. */
  code: string;
}

/** Makes a page; what is no message is left out. */
export function toMessagePage(answer: unknown, page: number, total: number): MessagePage {
  const rows = Array.isArray(answer) ? answer.flatMap(toRow) : [];
  const all = Math.max(total, rows.length > 0 ? (page - 1) * MESSAGES_PER_PAGE + rows.length : 0);
  return { rows, page, lastPage: Math.max(1, Math.ceil(all / MESSAGES_PER_PAGE)), total: all };
}

/** Makes a whole message; undefined where the answer is none. */
export function toOpenMessage(answer: unknown): OpenMessage | undefined {
  const [row] = toRow(answer);
  if (row === undefined) return undefined;
  const fields = answer as Record<string, unknown>;
  const text = textOf(fields.text);
  return {
    ...row,
    attempts: typeof fields.attempts === 'number' ? fields.attempts : 0,
    sentAt: secondsOf(fields.sent_at) || null,
    lastError: textOf(fields.last_error),
    text,
    hasHtml: textOf(fields.html) !== '',
    link: webLink(textOf(fields.link)),
    code: findCode(text, row.channel),
  };
}

/**
 * The code in a message: a line of nothing but 6 to 10 digits; in an SMS, which is one sentence, also such a number
 * inside of it. Digits in links and addresses are none.
 */
export function findCode(text: string, channel: Channel): string {
  const line = /^\s*(\d{6,10})\s*$/m.exec(text)?.[1];
  if (line !== undefined || channel === 'mail') return line ?? '';
  const words = text.replace(/\S*[/@]\S*/g, ' ');
  return /(?<![\w+.-])(\d{6,10})(?![\w-])/.exec(words)?.[1] ?? '';
}

function toRow(answer: unknown): MessageRow[] {
  const fields = (answer ?? {}) as Record<string, unknown>;
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
    },
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function secondsOf(moment: unknown): number {
  const milliseconds = typeof moment === 'string' ? Date.parse(moment) : 0;
  return Number.isFinite(milliseconds) ? Math.floor(milliseconds / 1000) : 0;
}

/** Nothing that runs in the page which it is opened from. */
function webLink(link: string): string {
  return URL.canParse(link) && /^https?:$/.test(new URL(link).protocol) ? link : '';
}
