/** Messages of a server, from the view of their recipients. */
import { expect } from 'vitest';
import type { AuthServer } from './auth-server.ts';

/** A message with its code and the token of its link. */
interface Received {
  kind: string;
  recipient: string;
  subject: string | null;
  text: string;
  html: string | null;
  link: string | null;
  code: string;
  /** Token of the link, or ''. */
  token: string;
}

/** All messages to a recipient, oldest first. */
export async function messagesTo(server: AuthServer, recipient: string): Promise<Received[]> {
  const rows = await server.database.admin.query<Omit<Received, 'code' | 'token'>>({
    text: `select kind, recipient, subject, text_body as text, html_body as html, link
      from greenroom.messages where recipient = $1 order by created_at, id`,
    values: [recipient],
  });
  return rows.map((row) => ({
    ...row,
    code: /^(?:Your code is )?(\d{6,10})$/m.exec(row.text)?.[1] ?? '',
    token: row.link === null ? '' : (new URL(row.link).searchParams.get('token') ?? ''),
  }));
}

/** The newest message to a recipient; fails if there is none. */
export async function latestTo(server: AuthServer, recipient: string): Promise<Received> {
  const message = (await messagesTo(server, recipient)).at(-1);
  expect(message, `a message to ${recipient}`).toBeDefined();
  return message as Received;
}

/** Opens a link like a browser without following its redirect. Returns the location, its query and its fragment. */
export async function openLink(server: AuthServer, link: string) {
  const { search } = new URL(link);
  const response = await fetch(`${server.url}/verify${search}`, { redirect: 'manual' });
  const location = response.headers.get('location') ?? '';
  const url = location === '' ? undefined : new URL(location);
  return {
    status: response.status,
    headers: response.headers,
    location,
    query: Object.fromEntries(url?.searchParams ?? []),
    fragment: Object.fromEntries(new URLSearchParams(url?.hash.slice(1))),
  };
}
