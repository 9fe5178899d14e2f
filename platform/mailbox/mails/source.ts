/** The source of mails that the instance has composed, which the database stores as texts. */
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail } from './mail.ts';

/** The parts of a mail that its source contains. */
type Content = Pick<Mail, 'id' | 'from' | 'to' | 'subject' | 'text' | 'html' | 'messageId' | 'receivedAt'>;

/** Returns the same source for the same mail, so that sizes that POP3 has reported remain correct. */
export function composeSource(mail: Content): Promise<Buffer> {
  const { id, from, to, subject, text, html, messageId, receivedAt } = mail;
  const composer = new MailComposer({
    ...(from && { from }),
    to: [...to],
    subject,
    text,
    ...(html !== '' && { html }),
    date: receivedAt,
    messageId: `<${messageId}>`,
    baseBoundary: id,
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
