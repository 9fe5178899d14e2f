/** Reads the mails of a test instance by the HTTP API of its mailbox. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A mail. */
export interface TestMail {
  id: string;
  to: string[];
  subject: string;
  /** The plain text. */
  text: string;
  /** Empty if the mail has none. */
  html: string;
  /** The URLs of the mail, each once. */
  links: string[];
  /** The first number with six to ten digits, e.g. a one-time code. */
  code: string | undefined;
  sentAt: Date;
}

/** The mails of an instance. */
export interface TestMailbox {
  /** Returns the mails, newest first: to one address, or all. */
  list(to?: string): Promise<TestMail[]>;
  /**
   * Returns the newest mail to an address; waits until there is one.
   * @throws Error if none was sent within the time; its message has the addresses of the mails that were sent
   */
  waitFor(to: string, options?: WaitOptions): Promise<TestMail>;
  /** Deletes all mails. */
  clear(): Promise<void>;
}

/** Options of {@link TestMailbox.waitFor}. */
export interface WaitOptions {
  /** Default: 5000. */
  timeoutMs?: number;
  /** Only mails with this text in their subject. */
  subject?: string;
}

const DEFAULT_TIMEOUT_MS = 5000;
const POLL_MS = 25;
const CODE = /(?<![\w-])\d{6,10}(?![\w-])/;
const LINK = /https?:\/\/[^\s"'<>)\]]+/g;

/** The fields of Mailpit that are used. */
interface MailpitMessage {
  ID: string;
  To: { Address: string }[];
  Subject: string;
  Text: string;
  HTML: string;
  Date: string;
}

/** @param url URL of the HTTP API */
export function createMailbox(url: string): TestMailbox {
  async function get<T>(path: string): Promise<T> {
    const response = await fetch(new URL(path, url));
    if (!response.ok) throw new Error(`the mailbox responded with ${response.status} to ${path}`);
    return (await response.json()) as T;
  }
  const idsOf = async (to: string | undefined) => {
    const path =
      to === undefined
        ? 'messages?limit=1000'
        : `search?limit=1000&query=${encodeURIComponent(`to:"${to}"`)}`;
    const { messages } = await get<{ messages: { ID: string }[] }>(`/api/v1/${path}`);
    return messages.map(({ ID }) => ID);
  };
  const list = async (to?: string) => {
    const ids = await idsOf(to);
    const mails = await Promise.all(ids.map((id) => get<MailpitMessage>(`/api/v1/message/${id}`)));
    return mails.map(mailOf);
  };
  return {
    list,
    async waitFor(to, { timeoutMs = DEFAULT_TIMEOUT_MS, subject = '' } = {}) {
      const end = performance.now() + timeoutMs;
      for (;;) {
        const found = (await list(to)).find((mail) => mail.subject.includes(subject));
        if (found !== undefined) return found;
        if (performance.now() > end) throw await notFound(to, subject, list);
        await sleep(POLL_MS);
      }
    },
    async clear() {
      await fetch(new URL('/api/v1/messages', url), { method: 'DELETE' });
    },
  };
}

function mailOf({ ID, To, Subject, Text, HTML, Date: date }: MailpitMessage): TestMail {
  const ofText = [...Text.matchAll(LINK)].map(([link]) => link);
  const ofHtml = [...HTML.matchAll(LINK)].map(([link]) => link.replaceAll('&amp;', '&'));
  return {
    id: ID,
    to: To.map(({ Address }) => Address),
    subject: Subject,
    text: Text,
    html: HTML,
    links: [...new Set([...ofText, ...ofHtml])],
    code: CODE.exec(Text)?.[0],
    sentAt: new Date(date),
  };
}

async function notFound(to: string, subject: string, list: TestMailbox['list']): Promise<Error> {
  const others = (await list()).map((mail) => `${mail.to.join(', ')}: ${mail.subject}`);
  const sent = others.length === 0 ? 'No mail was sent.' : `Mails that were sent:\n${others.join('\n')}`;
  return new Error(`no mail to ${to}${subject && ` with subject "${subject}"`} was sent. ${sent}`);
}
