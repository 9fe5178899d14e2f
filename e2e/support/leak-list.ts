/**
 * A list of leaked passwords, in the protocol of Have I Been Pwned: the suffixes of all SHA-1 hashes with the same
 * prefix.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PREFIX_LENGTH = 5;
/** A list is never empty: it contains padding lines with a count that is ignored. */
const PADDING = `${'0'.repeat(35)}:0`;

/** A running list. */
export interface LeakList {
  /** Settings of an instance that uses the list. */
  settings: Record<string, string>;
  close(): Promise<void>;
}

/** Starts a list of these passwords. */
export async function startLeakList(...passwords: string[]): Promise<LeakList> {
  const digests = passwords.map((password) =>
    createHash('sha1').update(password).digest('hex').toUpperCase(),
  );
  const server = createServer((request, response) => {
    const prefix = request.url?.slice(-PREFIX_LENGTH) ?? '';
    const found = digests.filter((digest) => digest.startsWith(prefix));
    response.end([PADDING, ...found.map((digest) => `${digest.slice(PREFIX_LENGTH)}:1`)].join('\r\n'));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    settings: {
      GOTRUE_PASSWORD_HIBP_ENABLED: 'true',
      GREENROOM_PASSWORD_HIBP_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/range`,
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
