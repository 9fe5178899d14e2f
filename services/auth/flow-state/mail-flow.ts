/** PKCE flows that the link of a mail completes. */
import type { Statement } from '@greenroom/postgres';
import { beginFlow, type Challenge } from './statements.ts';

/** Purpose of a mail → authentication method of its flow. */
const METHODS = {
  signup: 'email/signup',
  invite: 'invite',
  recovery: 'recovery',
  magiclink: 'magiclink',
  email_change: 'email_change',
} as const;

/** Purpose of a mail whose link can end in an authorization code. */
type FlowPurpose = keyof typeof METHODS;

/** Returns the statement that stores the flow, or an empty list if the request has no code challenge. */
export function mailFlow(purpose: FlowPurpose, userId: string, challenge: Challenge, now: Date): Statement[] {
  if (challenge.code_challenge === '') return [];
  const method = METHODS[purpose];
  return [beginFlow({ challenge, provider: method, method, userId }, now)];
}

/** The authentication method of flows that a link of this type completes; undefined if the type has none. */
export function flowMethodOf(type: string): string | undefined {
  return Object.hasOwn(METHODS, type) ? METHODS[type as FlowPurpose] : undefined;
}
