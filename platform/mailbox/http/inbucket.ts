/**
 * Inbucket's API v1, which the Supabase CLI had before Mailpit: https://github.com/inbucket/inbucket/wiki/REST-API. A mailbox
 * is the local part of an address, without what follows `+`.
 */
import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { attachmentsOf } from '../mails/attachments.ts';
import { headersOf } from '../mails/headers.ts';
import type { Mail, MailAddress, MailSummary } from '../mails/mail.ts';
import type { Mails } from '../mails/mails.ts';
import type { SeenMails } from './seen.ts';

/** Dependencies of the routes. */
interface InbucketOptions {
  mails: Mails;
  seen: SeenMails;
}

type OfMailbox = { Params: { name: string } };
type OfMail = { Params: { name: string; id: string } };

const PATH = '/api/v1/mailbox/:name';

export function registerInbucket(server: FastifyInstance, options: InbucketOptions): void {
  const { mails } = options;
  server.get<OfMailbox>(PATH, async ({ params: { name } }) => {
    const listed = await mailsOf(mails, name);
    return listed.map((mail) => headerOf(mail, name, options));
  });
  server.delete<OfMailbox>(PATH, async ({ params: { name } }, reply) => {
    await mails.remove((await mailsOf(mails, name)).map(({ id }) => id));
    return reply.type('application/json').send('"OK"');
  });
  server.get<OfMail>(`${PATH}/:id`, async ({ params }, reply) => {
    const mail = await findIn(params, options);
    return mail === undefined ? reply.callNotFound() : messageOf(mail, params.name, options);
  });
  server.get<OfMail>(`${PATH}/:id/source`, async ({ params }, reply) => {
    const mail = await findIn(params, options);
    return mail === undefined ? reply.callNotFound() : reply.type('text/plain').send(mail.source);
  });
  server.delete<OfMail>(`${PATH}/:id`, async ({ params }, reply) => {
    const mail = await findIn(params, options);
    if (mail === undefined) return reply.callNotFound();
    await mails.remove([mail.id]);
    return reply.type('application/json').send('"OK"');
  });
}

/** Returns the mails of a mailbox, oldest first, as in Inbucket. */
async function mailsOf(mails: Mails, name: string): Promise<MailSummary[]> {
  const mailbox = mailboxOf(name);
  const all = await mails.search([]);
  return all.filter(({ recipients }) => recipients.some((each) => mailboxOf(each) === mailbox)).reverse();
}

/** Returns a mail of a mailbox; `latest` names the newest one. */
async function findIn(
  { name, id }: OfMail['Params'],
  { mails, seen }: InbucketOptions,
): Promise<Mail | undefined> {
  const listed = await mailsOf(mails, name);
  const found = id === 'latest' ? listed.at(-1) : listed.find((mail) => mail.id === id);
  const mail = found && (await mails.find(found.id));
  if (mail !== undefined) seen.add(mail.id);
  return mail;
}

/** The mailbox of an address, or of a name. */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const [local = ''] = (at === -1 ? address : address.slice(0, at)).toLowerCase().split('+');
  return local;
}

function headerOf(mail: MailSummary, name: string, { seen }: InbucketOptions) {
  return {
    mailbox: mailboxOf(name),
    id: mail.id,
    from: mail.from === undefined ? '' : shown(mail.from),
    to: mail.to.map(shown),
    subject: mail.subject,
    date: mail.receivedAt,
    'posix-millis': mail.receivedAt.getTime(),
    size: mail.size,
    seen: seen.has(mail.id),
  };
}

async function messageOf(mail: Mail, name: string, options: InbucketOptions) {
  const header: Record<string, string[]> = Object.create(null);
  for (const [key, value] of headersOf(mail.source)) header[key] = [...(header[key] ?? []), value];
  return {
    ...headerOf(mail, name, options),
    body: { text: mail.text, html: mail.html },
    header,
    attachments: (await attachmentsOf(mail)).map(({ id, fileName, type, content }) => {
      const link = `/api/v1/message/${mail.id}/part/${id}`;
      const md5 = hash('md5', content);
      return { filename: fileName, 'content-type': type, 'download-link': link, 'view-link': link, md5 };
    }),
  };
}

function shown({ name, address }: MailAddress): string {
  return name === '' ? `<${address}>` : `${name} <${address}>`;
}
