/** Flows under PKCE that a mail is to finish. */
import type { Statement } from '@greenroom/postgres';
import { beginFlow, type Challenge } from './statements.ts';

/** What a mail is for → the authentication method of its flow. */
const METHODS = {
  signup: 'email/signup',
  invite: 'invite',
  recovery: 'recovery',
  magiclink: 'magiclink',
  email_change: 'email_change',
} as const;

/** A purpose whose link can end in a code. */
type FlowPurpose = keyof typeof METHODS;

/** Remembers a flow; nothing to send where the request brought no challenge. */
export function mailFlow(purpose: FlowPurpose, userId: string, challenge: Challenge, now: Date): Statement[] {
  if (challenge.code_challenge === '') return [];
  const method = METHODS[purpose];
  return [beginFlow({ challenge, provider: method, method, userId }, now)];
}

/** The method of flows that a link of this type finishes; undefined where there are none. */
export function flowMethodOf(type: string): string | undefined {
  return Object.hasOwn(METHODS, type) ? METHODS[type as FlowPurpose] : undefined;
}
