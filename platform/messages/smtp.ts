/** Sends mails by SMTP. */
import type { SmtpSettings } from '@greenroom/config';
import { createTransport } from 'nodemailer';
import type { OutgoingMessage, Sender } from './delivery.ts';

const TIMEOUT_MS = 15_000;
const IMPLICIT_TLS_PORT = 465;

/** Creates a sender. Connections are kept and used again. */
export function createSmtpSender({ host, port, login, sender }: SmtpSettings): Sender & { close(): void } {
  const transport = createTransport({
    host,
    port,
    secure: port === IMPLICIT_TLS_PORT,
    ...(login && { auth: login }),
    pool: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ id, recipient, subject, text_body, html_body }: OutgoingMessage) {
      await transport.sendMail({
        from: sender,
        // An object, so that nothing in an address can become a second recipient.
        to: { name: '', address: recipient },
        subject: subject ?? '',
        text: text_body,
        ...(html_body === null ? {} : { html: html_body }),
        messageId: `<${id}@${sender.address.split('@')[1]}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    isPermanent: (error) => isRefusal((error as { responseCode?: unknown }).responseCode),
    close: () => transport.close(),
  };
}

/** 5yz says "never"; anything else may pass (RFC 5321 §4.2.1). */
function isRefusal(code: unknown): boolean {
  return typeof code === 'number' && code >= 500;
}
