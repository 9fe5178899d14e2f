/** What of the mailbox is shown, as its address says it: which messages, which of them, and what is asked about them. */
import { parsePageNumber } from '../page-number.ts';

/** The page itself. */
export const MAILBOX = '/admin/mailbox';

/** The ways in which messages travel, as the backend names them. */
export const CHANNELS = ['mail', 'sms', 'whatsapp'] as const;
export type Channel = (typeof CHANNELS)[number];

/** See the head of this file. What is '' is not chosen. */
export interface Selection {
  page: number;
  /** Part of recipient, subject or kind. */
  q: string;
  channel: Channel | '';
  /** Id of the open message. */
  message: string;
  /** How it is shown; a mail as it looks, unless the text is asked for. */
  view: 'text' | '';
}

/** As long as the backend takes. */
const MAX_SEARCH_LENGTH = 255;
/** Longer than any id. */
const MAX_ID_LENGTH = 64;

const DEFAULTS: Selection = { page: 1, q: '', channel: '', message: '', view: '' };

/** Reads an address. Undefined where the page has no number; what else makes no sense is not chosen. */
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

/** The address of a selection, with `more` at its end. What is as by default is left out. */
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

/** The list around an open message. */
export function withoutMessage({ page, q, channel }: Selection): Partial<Selection> {
  return { page, q, channel };
}

/** Where the HTML of a mail is found, for a frame. */
export function mailPath(id: string): string {
  return `${MAILBOX}/mail?${new URLSearchParams({ message: id })}`;
}
