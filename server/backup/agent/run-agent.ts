/** The agent: opens sessions one after the other until it is closed, and reports its state to the instance. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { PendingList } from '@greenroom/backup';
import { AgentState } from './agent-state.ts';
import { type AgentOptions, type AgentStatus, type FromAgent, INITIAL_STATUS } from './protocol.ts';
import { type BackupSession, openSession } from './session.ts';

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
const STATUS_EVERY_MS = 1000;

/** A running agent. */
interface Agent {
  /** Stores the rest. */
  close(): Promise<void>;
}

/** Starts an agent. */
export function runAgent(
  agent: AgentOptions,
  pending: PendingList,
  send: (message: FromAgent) => void,
): Agent {
  const state = new AgentState((line) => send({ type: 'log', ...line }));
  const closing = new AbortController();
  let session: BackupSession | undefined;
  let sent: AgentStatus = INITIAL_STATUS;

  function sendStatus(): void {
    const status = { ...INITIAL_STATUS, ...session?.stored, ...state.counts };
    if (isDeepStrictEqual(status, sent)) return;
    sent = status;
    send({ type: 'status', status });
  }

  /** Resolves with whether the archive was opened. */
  async function runSession(): Promise<boolean> {
    try {
      session = await openSession({ agent, pending, onReport: (report) => state.report(report) });
    } catch (error) {
      state.interrupted(error as Error);
      return false;
    }
    state.opened();
    const aborted = new Promise<void>((resolve) =>
      closing.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    if (!closing.signal.aborted) await Promise.race([session.ended, aborted]);
    const reason = closing.signal.aborted ? undefined : await session.ended;
    await session.close();
    sendStatus();
    session = undefined;
    if (reason !== undefined) state.interrupted(reason);
    return true;
  }

  async function runSessions(): Promise<void> {
    let pauseMs = FIRST_RETRY_MS;
    while (!closing.signal.aborted) {
      const wasOpen = await runSession();
      pauseMs = wasOpen ? FIRST_RETRY_MS : Math.min(2 * pauseMs, MAX_RETRY_MS);
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const timer = setInterval(sendStatus, STATUS_EVERY_MS);
  const running = runSessions();
  return {
    async close() {
      closing.abort();
      await running;
      clearInterval(timer);
    },
  };
}
