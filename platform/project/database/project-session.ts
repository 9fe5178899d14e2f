/** A connection that changes the database of a project. */
import { type Notice, openSession, type Session } from '@greenroom/postgres';
import { ensureHistory } from './history.ts';
import { lockProject } from './lock.ts';

/**
 * Resets the session. Files may change its role and settings, e.g. the search path in dumps; each begins with the
 * defaults.
 */
export const RESET_SESSION = ['reset session authorization', 'reset all'].map((text) => ({ text }));

/** Options of {@link withProjectSession}. */
interface ProjectSession {
  /** Connection URL of the owner of the database. */
  url: string;
  /** Receives notices of the server, and whether another node is waited for. */
  onProgress: (line: string) => void;
}

/** Runs `work` on a session that holds the lock of the project. The tables of the history exist. */
export async function withProjectSession<T>(
  { url, onProgress }: ProjectSession,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession({
    url,
    applicationName: 'greenroom project',
    onNotice: (notice) => showNotice(notice, onProgress),
  });
  try {
    await lockProject(session, () => onProgress('waiting for another node that applies migrations'));
    await ensureHistory(session);
    return await work(session);
  } finally {
    await session.close();
  }
}

/** PostgreSQL reports each `if exists` without effect; those would hide the others. */
function showNotice({ severity, message }: Notice, onProgress: (line: string) => void): void {
  if (!message.endsWith(', skipping')) onProgress(`${severity.toLowerCase()}: ${message}`);
}
