/** How long a request has been in each of its phases, which the message of its timeout reports. */

/**
 * `dns`: resolving the name of the host. `handshake`: waiting for a connection, with TLS. `http`: sending the request and
 * receiving the response.
 */
type Phase = 'dns' | 'handshake' | 'http';

/** The phases of one request and of its redirects, which repeat them. */
export interface PhaseTimes {
  current(): Phase;
  /** Ends the current phase. */
  enter(phase: Phase): void;
  /** Returns the milliseconds in each phase until now. */
  read(): Readonly<Record<Phase, number>>;
}

/** Starts to measure, in the phase `handshake`. @param now returns milliseconds */
export function createPhaseTimes(now: () => number = () => performance.now()): PhaseTimes {
  const times = { dns: 0, handshake: 0, http: 0 };
  let current: Phase = 'handshake';
  let since = now();

  function enter(phase: Phase): void {
    const at = now();
    times[current] += at - since;
    current = phase;
    since = at;
  }

  return {
    current: () => current,
    enter,
    read() {
      enter(current);
      return { ...times };
    },
  };
}

/** Returns the message for a request that its timeout has ended, in the words of pg_net. */
export function timeoutMessage(limitMs: number, times: ReturnType<PhaseTimes['read']>): string {
  const { dns, handshake, http } = times;
  const total = format(dns + handshake + http);
  const parts = `DNS time: ${format(dns)}, TCP/SSL handshake time: ${format(handshake)}, HTTP Request/Response time: ${format(http)}`;
  return `Timeout of ${limitMs} ms reached. Total time: ${total} (${parts})`;
}

function format(ms: number): string {
  return `${ms.toFixed(6)} ms`;
}
