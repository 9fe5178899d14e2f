/** The part of Mailpit's API v1 that tests use: https://mailpit.axllent.org/docs/api-v1/view.html */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { attachmentsOf } from '../mails/attachments.ts';
import { headersOf } from '../mails/headers.ts';
import type { Mail, MailAddress, MailSummary } from '../mails/mail.ts';
import type { Mails, Page } from '../mails/mails.ts';
import { parseSearch, SearchError } from '../mails/search.ts';
import { findMail, queryText } from './find.ts';
import type { SeenMails } from './seen.ts';

/** Dependencies of the routes. */
interface MailpitOptions {
  mails: Mails;
  seen: SeenMails;
  version: string;
}

type ById = { Params: { id: string } };

const DEFAULT_LIMIT = 50;
const SNIPPET_LENGTH = 250;

export function registerMailpit(server: FastifyInstance, options: MailpitOptions): void {
  const { mails, version } = options;
  registerLists(server, options);
  registerMail(server, options);
  server.get('/api/v1/info', async () => {
    const { total } = await mails.list({ start: 0, limit: 0 });
    return { Version: `Greenroom ${version}`, Messages: total, Unread: await countUnread(options, total) };
  });
}

function registerLists(server: FastifyInstance, options: MailpitOptions): void {
  const { mails, seen } = options;
  server.get('/api/v1/messages', async (request) => {
    const page = readPage(request);
    const listed = await mails.list(page);
    return summaryOf({
      ...options,
      page,
      listed,
      matching: listed.total,
      unread: await countUnread(options, listed.total),
    });
  });
  server.get('/api/v1/search', async (request) => {
    const page = readPage(request);
    const found = await mails.search(readSearch(request));
    const { total } = await mails.list({ start: 0, limit: 0 });
    const listed = { mails: found.slice(page.start, page.start + page.limit), total };
    const unread = found.filter(({ id }) => !seen.has(id)).length;
    return summaryOf({ ...options, page, listed, matching: found.length, unread });
  });
  server.delete('/api/v1/messages', async (request, reply) => {
    const ids = readIds(request.body);
    if (ids.length === 0) await mails.clear();
    else await mails.remove(ids);
    return done(reply);
  });
  server.delete('/api/v1/search', async (request, reply) => {
    const found = await mails.search(readSearch(request));
    await mails.remove(found.map(({ id }) => id));
    return done(reply);
  });
}

function registerMail(server: FastifyInstance, options: MailpitOptions): void {
  server.get<ById>('/api/v1/message/:id', async (request, reply) => {
    const mail = await findMail(request, request.params.id, options);
    return mail === undefined ? reply.callNotFound() : messageOf(mail);
  });
  server.get<ById>('/api/v1/message/:id/headers', async (request, reply) => {
    const mail = await findMail(request, request.params.id, options);
    return mail === undefined ? reply.callNotFound() : headerLists(mail);
  });
  server.get<ById>('/api/v1/message/:id/raw', async (request, reply) => {
    const mail = await findMail(request, request.params.id, options);
    return mail === undefined
      ? reply.callNotFound()
      : reply.type('text/plain; charset=utf-8').send(mail.source);
  });
  server.get<{ Params: { id: string; partId: string } }>(
    '/api/v1/message/:id/part/:partId',
    async (request, reply) => {
      const { id, partId } = request.params;
      const mail = await findMail(request, id, options);
      const parts = mail === undefined ? [] : await attachmentsOf(mail);
      const part = parts.find((each) => each.id === partId);
      if (part === undefined) return reply.callNotFound();
      return reply
        .type('application/octet-stream')
        .header('content-disposition', 'attachment')
        .send(part.content);
    },
  );
}

/** Values of the wrong kind are ignored, as in Mailpit. */
function readPage(request: FastifyRequest): Page {
  const [start = 0, limit = DEFAULT_LIMIT] = ['start', 'limit'].map((name) => {
    const text = queryText(request, name);
    return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
  });
  return { start, limit };
}

function readSearch(request: FastifyRequest) {
  const terms = parseSearch(queryText(request, 'query'));
  if (terms.length === 0) throw new SearchError('no search query');
  return terms;
}

/** Reads the ids of a body; without a body, the request is about all mails. */
function readIds(body: unknown): string[] {
  if (typeof body !== 'string' || body.trim() === '') return [];
  const { IDs: ids = [] } = parseObject(body);
  if (Array.isArray(ids) && ids.every((id) => typeof id === 'string')) return ids;
  throw Object.assign(new Error('IDs must be a list of texts'), { statusCode: 400 });
}

function parseObject(body: string): { IDs?: unknown } {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The error below names the problem.
  }
  throw Object.assign(new Error('the body must be a JSON object'), { statusCode: 400 });
}

async function countUnread({ mails, seen }: MailpitOptions, total: number): Promise<number> {
  return total - (await mails.count(seen.ids()));
}

interface Listing extends MailpitOptions {
  page: Page;
  listed: { mails: readonly MailSummary[]; total: number };
  /** Number of mails that match the search, and of those that were not read. */
  matching: number;
  unread: number;
}

function summaryOf({ page, listed, matching, unread, seen }: Listing) {
  return {
    total: listed.total,
    unread,
    count: listed.mails.length,
    messages_count: matching,
    messages_unread: unread,
    start: page.start,
    tags: [],
    messages: listed.mails.map((mail) => ({
      ID: mail.id,
      MessageID: mail.messageId,
      Read: seen.has(mail.id),
      ...addresses(mail),
      Subject: mail.subject,
      Created: mail.receivedAt,
      Username: '',
      Tags: [],
      Size: mail.size,
      Attachments: mail.attachmentCount,
      Snippet: mail.textStart.replace(/\s+/g, ' ').trim().slice(0, SNIPPET_LENGTH),
    })),
  };
}

async function messageOf(mail: Mail) {
  return {
    ID: mail.id,
    MessageID: mail.messageId,
    ...addresses(mail),
    ReturnPath: mail.from?.address ?? '',
    Subject: mail.subject,
    ListUnsubscribe: { Header: '', Links: [], Errors: '', HeaderPost: '' },
    Date: mail.receivedAt,
    Tags: [],
    Username: '',
    Text: mail.text,
    HTML: mail.html,
    Size: mail.size,
    Inline: [],
    Attachments: (await attachmentsOf(mail)).map(({ id, fileName, type, contentId, content }) => ({
      PartID: id,
      FileName: fileName,
      ContentType: type,
      ContentID: contentId,
      Size: content.length,
    })),
  };
}

function addresses({ from, to, cc, bcc, replyTo }: MailSummary) {
  const listOf = (list: readonly MailAddress[]) => list.map(addressOf);
  return {
    From: from === undefined ? null : addressOf(from),
    To: listOf(to),
    Cc: listOf(cc),
    Bcc: listOf(bcc),
    ReplyTo: listOf(replyTo),
  };
}

function addressOf({ name, address }: MailAddress) {
  return { Name: name, Address: address };
}

/** The values of each header; names as in `Message-Id`. */
function headerLists({ source }: Mail): Record<string, string[]> {
  const lists: Record<string, string[]> = Object.create(null);
  for (const [name, value] of headersOf(source)) {
    const key = name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
    lists[key] = [...(lists[key] ?? []), value];
  }
  return lists;
}

function done(reply: FastifyReply) {
  return reply.type('text/plain').send('ok');
}
