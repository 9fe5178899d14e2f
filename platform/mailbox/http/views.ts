/** Pages of single mails, as in Mailpit: `/view/<id>.html` and `/view/<id>.txt`. */
import type { FastifyInstance } from 'fastify';
import type { Mails } from '../mails/mails.ts';
import { findMail } from './find.ts';
import type { SeenMails } from './seen.ts';

/** Dependencies of the routes. */
interface ViewOptions {
  mails: Mails;
  seen: SeenMails;
  /** URL of the page of the mailbox. */
  pageUrl: string;
}

/**
 * The content of a mail is untrusted, and browsers send the cookies of localhost to all of its ports. So the document has an
 * opaque origin, and can neither run scripts nor load anything.
 */
const MAIL_POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const FILE = /^(.+?)(?:\.(html|txt))?$/;

export function registerViews(server: FastifyInstance, options: ViewOptions): void {
  server.get<{ Params: { file: string } }>('/view/:file', async (request, reply) => {
    const [, id = '', format] = FILE.exec(request.params.file) ?? [];
    const mail = await findMail(request, id, options);
    if (mail === undefined) return reply.callNotFound();
    if (format === undefined) return reply.redirect(`${options.pageUrl}?message=${mail.id}`, 302);
    if (format === 'txt') return reply.type('text/plain; charset=utf-8').send(mail.text);
    if (mail.html === '') return reply.callNotFound();
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', MAIL_POLICY)
      .send(mail.html);
  });
}
