/**
 * The sessions of the user on the server: lists and ends them. Backends without these endpoints are
 * detected.
 */

import { redirect } from 'react-router';
import { languageContext, siteContext } from '../../shell/request/contexts.server.ts';
import { callAuth, forgetSession, type VisitorArgs } from '../../shell/request/visitor.server.ts';
import { devicesTexts } from '../../texts/account-devices.ts';
import { fieldOf, outcome } from './outcome.server.ts';

/** A session of the user. */
export interface OwnSession {
  id: string;
  isCurrent: boolean;
  userAgent: string;
  address: string;
  /** Seconds since 1970. */
  usedAt: number;
  isTwoFactor: boolean;
}

/** All sessions; or that the backend does not support the list, or that the request failed. */
export type SessionList =
  | { kind: 'list'; sessions: OwnSession[] }
  | { kind: 'unsupported' }
  | { kind: 'problem' };

/** Returns the user's sessions. Never rejects. */
export async function listSessions(args: VisitorArgs): Promise<SessionList> {
  try {
    const response = await callAuth(args, '/user/sessions');
    if (response?.status === 404 || response?.status === 405) return { kind: 'unsupported' };
    if (!response?.ok) return { kind: 'problem' };
    return { kind: 'list', sessions: readSessions(await response.json()) };
  } catch {
    return { kind: 'problem' };
  }
}

/** Parses the backend's response; ignores invalid entries. The current session comes first. */
export function readSessions(response: unknown): OwnSession[] {
  const rows = Array.isArray(response) ? (response as Record<string, unknown>[]) : [];
  const sessions = rows.flatMap((row) => (typeof row?.id === 'string' ? [toSession(row, row.id)] : []));
  return sessions.sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}

function toSession(row: Record<string, unknown>, id: string): OwnSession {
  return {
    id,
    isCurrent: row.is_current === true,
    userAgent: typeof row.user_agent === 'string' ? row.user_agent : '',
    address: typeof row.ip === 'string' ? row.ip : '',
    usedAt: Math.max(secondsOf(row.created_at), secondsOf(row.refreshed_at)),
    isTwoFactor: row.aal === 'aal2',
  };
}

function secondsOf(date: unknown): number {
  const milliseconds = typeof date === 'string' ? Date.parse(date) : 0;
  return Number.isFinite(milliseconds) ? Math.floor(milliseconds / 1000) : 0;
}

/** Ends a session. A session that no longer exists counts as ended, too. */
export async function endSession(args: VisitorArgs, form: FormData) {
  const id = fieldOf(form, 'sessionId', 64);
  const texts = devicesTexts[args.context.get(languageContext)];
  const response = await callAuth(args, `/user/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
  if (response?.status === 401 || response?.status === 403 || response === undefined) {
    forgetSession(args);
    return redirect(args.context.get(siteContext).options.guard.login);
  }
  if (response.ok || response.status === 404)
    return outcome({ card: 'sessions', success: texts.signedOut }, 200);
  return outcome({ card: 'sessions', problem: texts.signOutFailed }, response.status);
}
