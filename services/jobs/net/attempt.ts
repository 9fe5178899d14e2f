/** Attempts to send requests, also while the API of the instance starts or stops. */
import type { Outcome, QueuedRequest, SendRequest } from './request.ts';

/** An instance that does not accept its own requests for longer is an error. */
const MAX_OWN_START_MS = 60_000;

/** Options of {@link createAttempts}. */
interface AttemptOptions {
  /** Loads the function that sends requests; called for the first one. */
  loadSender: () => Promise<SendRequest>;
  /** Ends the attempts. */
  stop: AbortSignal;
}

/** Attempts of a node. */
interface Attempts {
  /** Sends a request. Never rejects. After `not-sent`, it has to be sent again. */
  send: (request: QueuedRequest) => Promise<Outcome>;
  /** Number of requests whose last attempt was `not-sent`. */
  notSent(): number;
}

export function createAttempts({ loadSender, stop }: AttemptOptions): Attempts {
  /** When the instance first did not accept a request. */
  const refusedAt = new Map<string, number>();
  let sender: Promise<SendRequest> | undefined;

  async function attempt(request: QueuedRequest): Promise<Outcome> {
    try {
      sender ??= loadSender();
      return await (await sender)(request, stop);
    } catch (error) {
      return { kind: 'error', message: (error as Error).message };
    }
  }

  return {
    async send(request) {
      const outcome = await attempt(request);
      const now = performance.now();
      const firstRefusal = refusedAt.get(request.key) ?? now;
      if (outcome.kind === 'not-sent' && now - firstRefusal < MAX_OWN_START_MS) {
        refusedAt.set(request.key, firstRefusal);
        return outcome;
      }
      refusedAt.delete(request.key);
      return outcome.kind === 'not-sent' ? { kind: 'error', message: "Couldn't connect to server" } : outcome;
    },
    notSent: () => refusedAt.size,
  };
}
