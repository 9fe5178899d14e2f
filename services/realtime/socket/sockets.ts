/** All sockets of a node: opened by handshakes, looked after while they are silent, and closed at the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Upgrade } from '@greenroom/http';
import type { FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { SocketClient } from '../limits/client.ts';
import type { ClientIdentity, Handshake } from './handshake.ts';
import { CLOSE, RealtimeSocket } from './socket.ts';

/** A larger frame closes its socket with 1009. */
const MAX_FRAME_BYTES = 5_000_000;
/** What closing a socket costs a turn of the event loop. */
const CLOSE_COST = 5000;
/** How often in the time of silence it is looked for those who are silent. */
const LOOKS = 4;

/** The sockets. */
export class Sockets {
  readonly #context: Context;
  readonly #sockets = new Set<RealtimeSocket>();
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    // Compression costs each socket memory, and each receiver of a broadcast a compression of its own.
    perMessageDeflate: false,
    clientTracking: false,
  });
  readonly #timer: NodeJS.Timeout;
  #isClosing = false;

  constructor(context: Context) {
    this.#context = context;
    this.#timer = setInterval(() => void this.#closeSilent(), context.timings.idleMs / LOOKS).unref();
  }

  /**
   * Makes room for a socket of a client, which holds it until the client is closed. Where all sockets are taken, the
   * client with the most sockets loses one to a client with fewer. Handshakes share the rate of the client's joins. Throws an
   * error of the catalogue.
   */
  admit(identity: ClientIdentity): SocketClient {
    const { limits } = this.#context;
    const client = new SocketClient({ ...identity, limits });
    if (this.#isClosing) throw failure('ConnectionRateLimitReached');
    const now = performance.now();
    if (limits.joins.waitMs(client.keys, now) > 0) throw failure('ClientJoinRateLimitReached');
    limits.joins.chargeClient(client.keys, now, 1);
    const exhausted = client.take(limits.sockets);
    if (exhausted === 'total') client.force(limits.sockets);
    const hasRoom = limits.sockets.total <= this.#context.config.maxConcurrentUsers;
    if (exhausted !== 'client' && (hasRoom || this.#evictFor(client))) return client;
    client.close();
    throw failure('ConnectionRateLimitReached');
  }

  /** Turns a handshake into a socket. What is no valid handshake of a WebSocket is answered 400. */
  open(request: FastifyRequest, { socket, head, take }: Upgrade, handshake: Handshake): void {
    take();
    // Before anything can fail: what the client holds is returned in any case.
    socket.once('close', () => handshake.client.close());
    this.#server.handleUpgrade(request.raw, socket, head, (connection) => {
      const context = this.#context;
      // Before anything is joined, so that joining has to wait the less.
      const releaseFeed = context.feed?.hold();
      const opened = new RealtimeSocket(connection, {
        ...handshake,
        context,
        stream: socket,
        onClosed: () => {
          this.#sockets.delete(opened);
          releaseFeed?.();
          context.metrics.sockets.dec();
        },
      });
      this.#sockets.add(opened);
      context.metrics.sockets.inc();
      if (this.#isClosing) this.#end(opened);
    });
  }

  /** Closes all of them, which makes clients connect again. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    for (const socket of [...this.#sockets]) this.#end(socket);
    const end = performance.now() + 2 * this.#context.timings.closeMs;
    while (this.#sockets.size > 0 && performance.now() < end) await sleep(5);
  }

  /** Closes a socket of the client with the most, one without channels first; false where the newcomer has as many. */
  #evictFor(newcomer: SocketClient): boolean {
    const { limits, metrics } = this.#context;
    const largest = limits.sockets.largest();
    if (largest === undefined || largest.count <= Math.max(1, limits.sockets.heldBy(newcomer.keys)))
      return false;
    const candidates = [...this.#sockets].filter(
      ({ client }) => client.keys[0] === largest.key && !client.isClosed,
    );
    const evicted = candidates.find(({ hasChannels }) => !hasChannels) ?? candidates.at(-1);
    if (evicted === undefined) return false;
    const code = 'ConnectionRateLimitReached';
    metrics.closed.inc({ code });
    evicted.close(CLOSE.tryAgainLater, failure(code).message);
    // Its room is free from now on, however long its connection takes to close.
    evicted.client.close();
    return true;
  }

  #end(socket: RealtimeSocket): void {
    socket.close(CLOSE.serviceRestart, failure('RealtimeRestarting').message);
  }

  /** Few in one turn of the event loop: a client can have a thousand that fall silent together. */
  async #closeSilent(): Promise<void> {
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
    if (now - socket.lastFrameAt > idleMs) return 'Nothing was received in time';
    const isUnused = !socket.hasChannels && now - socket.lastChannelAt > emptySocketMs;
    return isUnused ? 'No channel was joined' : undefined;
  }
}
