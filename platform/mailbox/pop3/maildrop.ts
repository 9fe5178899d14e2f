/** The mails of a POP3 session, as they were at its login (RFC 1939 §4). */
import type { Mails } from '../mails/mails.ts';
import { withCrlf } from './replies.ts';

/** A mail of a session. */
interface DroppedMail {
  id: string;
  /** Bytes of its source. */
  size: number;
  isDeleted: boolean;
}

/** The mails of a session, oldest first; their numbers start at 1. */
export interface Maildrop {
  /** The mails that are not marked as deleted, with their numbers. */
  present(): { number: number; id: string; size: number }[];
  /** Returns a mail that is not marked as deleted. */
  get(number: number): { id: string; size: number } | undefined;
  /** Returns the source of a mail; undefined if it was deleted since the login. */
  source(number: number): Promise<Buffer | undefined>;
  markDeleted(number: number): void;
  /** Removes all marks. */
  reset(): void;
  /** Deletes the marked mails. */
  expunge(): Promise<void>;
}

/** A session contains the newest mails up to this number. */
const MAX_MAILS = 1000;

/** Reads the sizes of all mails. */
export async function openMaildrop(mails: Pick<Mails, 'list' | 'find' | 'remove'>): Promise<Maildrop> {
  const { mails: newest } = await mails.list({ start: 0, limit: MAX_MAILS });
  const dropped: DroppedMail[] = [];
  for (const { id } of newest.toReversed()) {
    const mail = await mails.find(id);
    if (mail !== undefined) dropped.push({ id, size: withCrlf(mail.source).length, isDeleted: false });
  }
  const get = (number: number) => {
    const mail = dropped[number - 1];
    return mail === undefined || mail.isDeleted ? undefined : mail;
  };
  return {
    get,
    present: () =>
      dropped.flatMap(({ id, size, isDeleted }, index) =>
        isDeleted ? [] : [{ number: index + 1, id, size }],
      ),
    source: async (number) => {
      const mail = get(number);
      const found = mail && (await mails.find(mail.id));
      return found && withCrlf(found.source);
    },
    markDeleted(number) {
      const mail = get(number);
      if (mail !== undefined) mail.isDeleted = true;
    },
    reset() {
      for (const mail of dropped) mail.isDeleted = false;
    },
    expunge: async () =>
      void (await mails.remove(dropped.filter(({ isDeleted }) => isDeleted).map(({ id }) => id))),
  };
}
