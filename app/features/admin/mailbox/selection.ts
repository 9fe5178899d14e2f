/** The selection of the mailbox in the URL: filter, page and open message. */
import { parsePageNumber } from '../shared/page-number.ts';

/** Path of the mailbox. */
export const MAILBOX = '/admin/mailbox';

/** The channels of messages, by the backend's names. */
export const CHANNELS = ['mail', 'sms', 'whatsapp'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The selection. '' means not selected. */
export interface Selection {
  page: number;
  /** Part of recipient, subject or kind. */
  q: string;
  channel: Channel | '';
  /** Id of the open message. */
  message: string;
  /** The view of the message: emails are shown as HTML by default. */
  view: 'text' | '';
}

/** Limit of the backend. */
const MAX_SEARCH_LENGTH = 255;
/** Longer than any id. */
const MAX_ID_LENGTH = 64;

const DEFAULTS: Selection = { page: 1, q: '', channel: '', message: '', view: '' };

/** Parses a URL. Returns undefined if the page number is invalid; other invalid values are ignored. */
export function readSelection(search: URLSearchParams): Selection | undefined {
  const page = parsePageNumber(search.get('page'));
  if (page === undefined) return undefined;
  const message = search.get('message') ?? '';
  return {
    page,
    q: (search.get('q') ?? '').replaceAll('\0', '').trim().slice(0, MAX_SEARCH_LENGTH),
    channel: CHANNELS.find((channel) => channel === search.get('channel')) ?? '',
    message: message.length > MAX_ID_LENGTH ? '' : message,
    view: search.get('view') === 'text' ? 'text' : '',
  };
}

/** Returns the URL of a selection, without default values, followed by `more`. */
export function mailboxPath(selection: Partial<Selection> = {}, more: Record<string, string> = {}): string {
  const chosen = Object.entries({ ...DEFAULTS, ...selection }).filter(
    ([name, value]) => value !== DEFAULTS[name as keyof Selection],
  );
  const search = new URLSearchParams([
    ...chosen.map(([name, value]) => [name, String(value)]),
    ...Object.entries(more),
  ]);
  return search.size === 0 ? MAILBOX : `${MAILBOX}?${search}`;
}

/** Returns the selection without the open message. */
export function withoutMessage({ page, q, channel }: Selection): Partial<Selection> {
  return { page, q, channel };
}

/** Returns the path of an email's HTML, for a frame. */
export function mailPath(id: string): string {
  return `${MAILBOX}/mail?${new URLSearchParams({ message: id })}`;
}
