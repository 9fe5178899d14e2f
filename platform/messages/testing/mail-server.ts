/** A real mail server for tests, which can reject mails, hang, stop and restart. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A received mail. */
interface ReceivedMail {
  from: string;
  to: string[];
  source: string;
}

export interface MailServer {
  readonly port: number;
  readonly arrived: ReceivedMail[];
  /** Resolves with the next mail. */
  next(): Promise<ReceivedMail>;
  /** Responds to the content of the next mails with this code, e.g. 451; undefined accepts them. */
  refuseWith(code: number | undefined): void;
  /** Does not respond to the content of the next mails; resolves when one has been transmitted. */
  hang(): Promise<void>;
  stop(): Promise<void>;
  /** Restarts on the same port. */
  start(): Promise<void>;
}

/** Starts a server on 127.0.0.1, without TLS unless `options` specify it. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const arrived: ReceivedMail[] = [];
  let refusal: Error | undefined;
  let onArrived: ((mail: ReceivedMail) => void) | undefined;
  let onHanging: (() => void) | undefined;
  let server: SMTPServer | undefined;
  let port = 0;

  const create = () =>
    new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      ...options,
      async onData(stream, session, done) {
        const chunks: Buffer[] | undefined = await stream.toArray().catch(() => undefined);
        // The client disconnected during the transmission.
        if (chunks === undefined) return;
        if (onHanging) return onHanging();
        if (refusal) return done(refusal);
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
        };
        arrived.push(mail);
        onArrived?.(mail);
        done();
      },
    }).on('error', () => {});

  const start = async () => {
    const starting = create();
    await new Promise<void>((done) => starting.listen(port, '127.0.0.1', done));
    port = (starting.server.address() as AddressInfo).port;
    server = starting;
  };
  await start();
  return {
    get port() {
      return port;
    },
    arrived,
    next: () =>
      new Promise((resolve) => {
        onArrived = resolve;
      }),
    refuseWith(responseCode) {
      refusal =
        responseCode === undefined ? undefined : Object.assign(new Error('refused'), { responseCode });
    },
    hang: () =>
      new Promise((resolve) => {
        onHanging = resolve;
      }),
    async stop() {
      const stopping = server;
      server = undefined;
      if (stopping) await new Promise<void>((done) => stopping.close(done));
    },
    start: () => {
      onHanging = undefined;
      return start();
    },
  };
}
