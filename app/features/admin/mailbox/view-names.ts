/** The views of the mailbox in the URL. `view=text` belongs to the view of messages. */
import { MAILBOX } from './selection.ts';

export const VIEWS = ['messages', 'templates', 'deliveries'] as const;
export type MailboxViewName = (typeof VIEWS)[number];

/** Reads the view of a URL. Default: messages. */
export function readView(search: URLSearchParams): MailboxViewName {
  return VIEWS.find((view) => view === search.get('view')) ?? 'messages';
}

/** Returns the URL of a view. Empty values are omitted. */
export function viewPath(view: MailboxViewName, more: Record<string, string> = {}): string {
  const chosen = Object.entries(more).filter(([, value]) => value !== '');
  return `${MAILBOX}?${new URLSearchParams([['view', view], ...chosen])}`;
}
