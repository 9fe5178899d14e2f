/** Log lines about one socket: its opening, the users of its tokens, and its end. */
import type { Logger } from '@greenroom/log';

/** The request of the handshake. */
interface HandshakeRequest {
  id: string;
  url: string;
  clientAddress: string;
}

/** Logs the events of one socket. */
export interface SocketLog {
  /** @param subject the claim `sub` of a verified token; empty for anonymous clients */
  signedIn(subject: string): void;
  /** @param code close code of the socket */
  closed(code: number): void;
}

/**
 * Logs the opening. A line about a user follows for each token with another user than before: official clients send the token of the
 * user with joins.
 * @param subject the claim `sub` of the token of the handshake
 */
export function openSocketLog(log: Logger, request: HandshakeRequest, subject: string): SocketLog {
  const openedAt = performance.now();
  const [path] = request.url.split('?', 1);
  const about = { reqId: request.id, path, client: request.clientAddress || undefined };
  let userId = subject || undefined;
  log.info({ ...about, userId }, 'realtime socket opened');
  return {
    signedIn(next) {
      if (next === '' || next === userId) return;
      userId = next;
      log.info({ ...about, userId }, 'realtime socket has a user');
    },
    closed(code) {
      const ms = Math.round(performance.now() - openedAt);
      log.info({ ...about, userId, code, ms }, 'realtime socket closed');
    },
  };
}
