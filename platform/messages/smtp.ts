import type { Transporter } from 'nodemailer';
import type { OutgoingMessage, Sender, SendOutcome } from './sender.ts';
import type { SmtpSettings } from './settings.ts';

const TIMEOUT_MS = 15_000;
const IMPLICIT_TLS_PORT = 465;
/** A reply 5yz is permanent; any other may succeed later (RFC 5321 §4.2.1). */
const FIRST_PERMANENT_CODE = 500;
/**
 * Replies about the login instead of the mail (RFC 4954 §6): once the login is corrected, the same mail can be sent.
 */
const LOGIN_CODES = new Set([530, 534, 535, 538]);

/**
 * Creates a sender of mails by SMTP. It reuses its connections until `close`. The mail library is loaded with the first
 * mail.
 */
export function createSmtpSender(settings: SmtpSettings): Sender & { close(): void } {
  let transport: Transporter | undefined;
  return {
    channels: ['mail'],
    async send(message, signal) {
      const { createTransport } = await import('nodemailer');
      signal.throwIfAborted();
      transport ??= createTransport(transportOptions(settings));
      return transport.sendMail({ ...mailOf(message, settings.sender), signal }).then((): SendOutcome => {
        return { isSent: true, providerId: undefined };
      }, refusalOf);
    },
    close: () => transport?.close(),
  };
}

/** Resolves if the mail server accepts the connection and the login. Rejects with the reason. */
export async function probeSmtp(settings: SmtpSettings): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(transportOptions(settings));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function transportOptions({ host, port, login }: SmtpSettings) {
  return {
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
  } as const;
}

/** Returns the mail of a message. Its id is the same in all attempts, so that mail clients show duplicates once. */
function mailOf(
  { id, recipient, subject, text_body, html_body }: OutgoingMessage,
  sender: SmtpSettings['sender'],
) {
  return {
    from: sender,
    // An object, so that no text in an address can become a second recipient.
    to: { name: '', address: recipient },
    subject: subject ?? '',
    text: text_body,
    ...(html_body === null ? {} : { html: html_body }),
    messageId: `<${id}@${sender.address.split('@')[1]}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/**
 * Converts an error to an outcome. An envelope that was rejected without asking the server (no `responseCode`) is
 * invalid for any server. The operator has to resolve a rejected login; until then the mail is retried.
 */
function refusalOf(error: Error & { code?: unknown; responseCode?: unknown }): SendOutcome {
  const { message: reason, code, responseCode } = error;
  const isLogin = code === 'EAUTH' || LOGIN_CODES.has(Number(responseCode));
  const isRefused =
    typeof responseCode === 'number' ? responseCode >= FIRST_PERMANENT_CODE : code === 'EENVELOPE';
  return { isSent: false, reason, isPermanent: isRefused && !isLogin };
}
