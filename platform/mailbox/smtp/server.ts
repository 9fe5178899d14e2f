/**
 * An SMTP server that puts mails into the mailbox, for programs of a project that send mails to a local server. Every name
 * and password is accepted, because only this machine can connect.
 */
import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { type LoopbackServer, serveLoopback } from '../loopback.ts';
import type { Mails } from '../mails/mails.ts';
import { parseReceived } from '../mails/received.ts';

/** Options of {@link startSmtpServer}. */
interface SmtpOptions {
  port: number;
  mails: Pick<Mails, 'add'>;
  onError: (error: unknown) => void;
}

/** Largest mail in bytes. */
export const MAX_MAIL_BYTES = 10 * 1024 * 1024;
/** A client that ignores the limit is disconnected after this many bytes of a mail. */
const MAX_TRANSMITTED_BYTES = 2 * MAX_MAIL_BYTES;
const MAX_CONNECTIONS = 10;
const MAX_RECIPIENTS = 100;
/** RFC 5321 §4.5.3.1.3, with the local part and the domain at their limits. */
const MAX_ADDRESS_LENGTH = 320;
const MAX_COMMAND_LENGTH = 4096;
const IDLE_MS = 60_000;
const LIFETIME_MS = 10 * 60_000;

/** Starts the server. Rejects if the port is taken. */
export async function startSmtpServer({ port, mails, onError }: SmtpOptions): Promise<LoopbackServer> {
  const sockets = new Map<number, Socket>();
  const disconnect = ({ remotePort }: SMTPServerSession) => sockets.get(remotePort)?.destroy();
  const protocol = createProtocol({ mails, onError, disconnect });
  const server = await serveLoopback({
    port,
    maxConnections: MAX_CONNECTIONS,
    idleMs: IDLE_MS,
    lifetimeMs: LIFETIME_MS,
    onConnection(socket) {
      const { remotePort = 0 } = socket;
      sockets.set(remotePort, socket);
      socket.once('close', () => sockets.delete(remotePort));
      protocol.connect(socket);
    },
  });
  return server;
}

interface ProtocolOptions extends Omit<SmtpOptions, 'port'> {
  disconnect: (session: SMTPServerSession) => void;
}

/** The protocol itself; {@link serveLoopback} accepts the connections. */
function createProtocol({ mails, onError, disconnect }: ProtocolOptions): SMTPServer {
  const protocol = new SMTPServer({
    name: 'localhost',
    banner: 'Greenroom',
    size: MAX_MAIL_BYTES,
    rejectOversized: true,
    maxCommandLength: MAX_COMMAND_LENGTH,
    socketTimeout: IDLE_MS,
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: ({ username }, _session, done) => done(null, { user: username || 'local' }),
    onRcptTo({ address }, { envelope }, done) {
      if (envelope.rcptTo.length >= MAX_RECIPIENTS) return done(refusal(452, 'too many recipients'));
      if (address.length > MAX_ADDRESS_LENGTH) return done(refusal(501, 'the address is too long'));
      done();
    },
    onData(stream, session, done) {
      readMail(stream, () => disconnect(session))
        .then((source) => source && addMail(source, session, mails))
        .then(
          () => done(),
          (error: unknown) => {
            if (!(error instanceof MailRefusal)) onError(error);
            done(error instanceof MailRefusal ? error : refusal(451, 'the mailbox is not available'));
          },
        );
    },
  });
  // Connections that end early, and input that is no SMTP.
  protocol.on('error', () => undefined);
  return protocol;
}

/** Reads a mail; undefined if it is too large, which the protocol reports, or if the client has disconnected. */
async function readMail(stream: SMTPServerDataStream, disconnect: () => void): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (stream.byteLength > MAX_TRANSMITTED_BYTES) disconnect();
      if (stream.sizeExceeded) chunks.length = 0;
      else chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return stream.sizeExceeded ? undefined : Buffer.concat(chunks);
}

async function addMail(
  source: Buffer,
  { envelope }: SMTPServerSession,
  mails: Pick<Mails, 'add'>,
): Promise<void> {
  const recipients = envelope.rcptTo.map(({ address }) => address);
  const mail = await parseReceived(source, recipients).catch((error: Error) => {
    throw refusal(554, `the mail cannot be read: ${error.message}`);
  });
  await mails.add(mail);
}

/** A mail or recipient that is rejected with a reply. */
class MailRefusal extends Error {
  override readonly name = 'MailRefusal';
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

function refusal(responseCode: number, message: string): MailRefusal {
  return new MailRefusal(responseCode, `Error: ${message}`);
}
