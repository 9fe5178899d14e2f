/** A server in place of Twilio Verify. Like there, a code belongs to a number and can be used once. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received request. */
interface VerifyRequest {
  path: string;
  authorization: string | undefined;
  form: Record<string, string>;
}

/** The server, and the code that it sends to every number. */
export interface TwilioVerify {
  url: string;
  requests: VerifyRequest[];
  code: string;
  /** Responds to all requests with this status; undefined responds as Twilio does. */
  failsWith: number | undefined;
  /** Resolves once a code was requested for a number. */
  sentTo(phone: string): Promise<VerifyRequest>;
  close(): Promise<void>;
}

const PATH = /^\/v2\/Services\/VA1\/(Verifications|VerificationCheck)$/;

/** Starts the server on 127.0.0.1. */
export async function startTwilioVerify(): Promise<TwilioVerify> {
  const pending = new Set<string>();
  const waiting = new Set<() => void>();

  function answer({ path, form }: VerifyRequest): [status: number, body: object] {
    const { To: to = '', Code: code } = form;
    const [, resource] = PATH.exec(path) ?? [];
    if (verify.failsWith !== undefined) return [verify.failsWith, { code: 20_003, message: 'Authenticate' }];
    if (resource === 'Verifications') {
      pending.add(to);
      return [201, { sid: 'VE1', to, status: 'pending', valid: false }];
    }
    if (resource === undefined || !pending.has(to)) {
      return [404, { code: 20_404, message: 'The requested resource was not found', status: 404 }];
    }
    const valid = code === verify.code;
    if (valid) pending.delete(to);
    return [200, { sid: 'VE1', to, status: valid ? 'approved' : 'pending', valid }];
  }

  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const { url: path = '', headers } = request;
    const received = { path, authorization: headers.authorization, form };
    verify.requests.push(received);
    const [status, body] = answer(received);
    response.writeHead(status, { connection: 'close' }).end(JSON.stringify(body));
    for (const check of waiting) check();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const verify: TwilioVerify = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    code: '424242',
    failsWith: undefined,
    sentTo: (phone) =>
      new Promise((resolve) => {
        const check = () => {
          const found = verify.requests.find(
            ({ path, form }) => path.endsWith('/Verifications') && form.To === `+${phone}`,
          );
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return verify;
}
