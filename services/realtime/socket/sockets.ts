/** All sockets of a node: opens them after handshakes, closes idle ones, and closes all at shutdown. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Upgrade } from '@greenroom/http';
import type { FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { SocketClient } from '../limits/client.ts';
import type { ClientIdentity, Handshake } from './handshake.ts';
import { CLOSE, RealtimeSocket } from './socket.ts';
import { openSocketLog } from './socket-log.ts';

/** A larger frame closes its socket with code 1009. */
const MAX_FRAME_BYTES = 5_000_000;
/** Cost of closing a socket in the budget of a turn of the event loop. */
const CLOSE_COST = 5000;
/** Number of checks for idle sockets within the idle timeout. */
const IDLE_CHECKS_PER_TIMEOUT = 4;

export class Sockets {
  readonly #context: Context;
  readonly #sockets = new Set<RealtimeSocket>();
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    // Compression would cost memory per socket, and one compression per receiver of a broadcast.
    perMessageDeflate: false,
    clientTracking: false,
  });
  readonly #timer: NodeJS.Timeout;
  #isClosing = false;

  constructor(context: Context) {
    this.#context = context;
    this.#timer = setInterval(
      () => void this.#closeIdle(),
      context.timings.idleMs / IDLE_CHECKS_PER_TIMEOUT,
    ).unref();
  }

  /**
   * Reserves a socket for a client, which holds it until the client is closed. If all sockets are in use, the client
   * with the most sockets loses one to a client with fewer. Handshakes count in the client's rate of joins. Throws an
   * error of the catalogue.
   */
  reserve(identity: ClientIdentity): SocketClient {
    const { limits } = this.#context;
    const client = new SocketClient({ ...identity, limits });
    if (this.#isClosing) throw failure('ConnectionRateLimitReached');
    const now = performance.now();
    if (limits.joins.waitMs(client.keys, now) > 0) throw failure('ClientJoinRateLimitReached');
    limits.joins.chargeClient(client.keys, now, 1);
    const exhausted = client.take(limits.sockets);
    if (exhausted === 'total') client.force(limits.sockets);
    const hasCapacity = limits.sockets.total <= this.#context.config.maxConcurrentUsers;
    if (exhausted !== 'client' && (hasCapacity || this.#evictFor(client))) return client;
    client.close();
    throw failure('ConnectionRateLimitReached');
  }

  /** Upgrades the connection to a socket. ws responds with 400 to an invalid WebSocket handshake. */
  open(request: FastifyRequest, { socket, head, detach }: Upgrade, handshake: Handshake): void {
    detach();
    // Registered before anything can fail, so that the reservation of the client is always released.
    socket.once('close', () => handshake.client.close());
    this.#server.handleUpgrade(request.raw, socket, head, (connection) => {
      const context = this.#context;
      // Held before the first join, so that the feed already reconnects and the join waits less.
      const releaseFeed = context.feed?.acquire();
      const opened = new RealtimeSocket(connection, {
        ...handshake,
        context,
        stream: socket,
        log: openSocketLog(context.log, request, handshake.session.subject),
        onClosed: () => {
          this.#sockets.delete(opened);
          releaseFeed?.();
          context.metrics.sockets.dec();
        },
      });
      this.#sockets.add(opened);
      context.metrics.sockets.inc();
      if (this.#isClosing) this.#closeForRestart(opened);
    });
  }

  /** Closes all sockets with a code that makes clients reconnect. Resolves when all have ended, or after a timeout. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    for (const socket of [...this.#sockets]) this.#closeForRestart(socket);
    const end = performance.now() + 2 * this.#context.timings.closeMs;
    while (this.#sockets.size > 0 && performance.now() < end) await sleep(5);
  }

  /**
   * Closes a socket of the client with the most sockets, preferably an unused one. Returns false if `client` has as many.
   */
  #evictFor(client: SocketClient): boolean {
    const { limits, metrics } = this.#context;
    const largest = limits.sockets.largest();
    if (largest === undefined || largest.count <= Math.max(1, limits.sockets.countOf(client.keys)))
      return false;
    const candidates = [...this.#sockets].filter(
      ({ client }) => client.keys[0] === largest.key && !client.isClosed,
    );
    const evicted = candidates.find(({ hasChannels }) => !hasChannels) ?? candidates.at(-1);
    if (evicted === undefined) return false;
    const code = 'ConnectionRateLimitReached';
    metrics.closed.inc({ code });
    evicted.close(CLOSE.tryAgainLater, failure(code).message);
    // Frees its place now, because the connection may take some time to close.
    evicted.client.close();
    return true;
  }

  #closeForRestart(socket: RealtimeSocket): void {
    socket.close(CLOSE.serviceRestart, failure('RealtimeRestarting').message);
  }

  /**
   * Closes idle sockets, spread over turns of the event loop: a client can have a thousand that become idle together.
   */
  async #closeIdle(): Promise<void> {
    const { turn } = this.#context.limits;
    for (const socket of [...this.#sockets]) {
      const reason = this.#reasonToClose(socket);
      if (reason === undefined) continue;
      if (!turn.spend(CLOSE_COST)) await turn.wait(CLOSE_COST);
      socket.close(CLOSE.normal, reason);
    }
  }

  #reasonToClose(socket: RealtimeSocket): string | undefined {
    const now = performance.now();
    const { idleMs, emptySocketMs } = this.#context.timings;
    if (now - socket.lastFrameAt > idleMs) return 'No frame was received in time';
    const isUnused = !socket.hasChannels && now - socket.lastChannelAt > emptySocketMs;
    return isUnused ? 'No channel was joined in time' : undefined;
  }
}
