/** Presented refresh tokens of version 2: signed, with a counter that reveals their age. */
import type { AuthContext } from '../context.ts';
import { failure } from '../errors.ts';
import { sessionKeyOf, signedTokenFor } from './issued-token.ts';
import type { LockedTokenSession, PresentedToken, RefreshDecision } from './presented-token.ts';
import { findSession, lockSession, setCounter } from './refresh-statements.ts';
import { isSignedWith, parseSignedToken, type SignedToken } from './signed-refresh-token.ts';
import { lastRefreshMs } from './validity.ts';

/** Parses a token; undefined if it is malformed or of another version. */
export function signedToken(text: string): PresentedToken | undefined {
  const token = parseSignedToken(text);
  if (token === undefined) return undefined;
  const { sessionId } = token;
  return {
    key: sessionId,
    async lock(context, tx) {
      const [locked] = await tx.query<LockedTokenSession>(lockSession(sessionId));
      // Verify before any check of the session: a response must not reveal whether the session exists.
      if (locked !== undefined) requireSignature(context, locked, token);
      return locked;
    },
    async requireExists({ database }) {
      const found = await database.query(findSession(sessionId));
      if (found.length === 0) throw failure('refresh_token_not_found');
    },
    decide: (context, locked) => decide(context, locked, token),
  };
}

function requireSignature(context: AuthContext, { session }: LockedTokenSession, token: SignedToken): void {
  if (session.counter !== null && isSignedWith(token, sessionKeyOf(context, session))) return;
  throw failure('refresh_token_not_found');
}

function decide(context: AuthContext, { session }: LockedTokenSession, token: SignedToken): RefreshDecision {
  const current = session.counter ?? 0;
  const generationsBehind = current - token.counter;
  if (generationsBehind < 0) {
    throw failure('validation_failed', { message: 'Invalid Refresh Token: Not Issued By This Server' });
  }
  const issued = (counter: number) => signedTokenFor(context, session, counter);
  if (generationsBehind === 0) {
    return {
      kind: 'issue',
      refreshToken: issued(current + 1),
      statements: [setCounter(session.id, current + 1)],
      audit: ['token_refreshed'],
      headers: { 'sb-auth-refresh-token-reuse': 'false' },
    };
  }
  const causes = causesOfReuse(generationsBehind, lastRefreshMs(session), context);
  if (causes.length === 0) return { kind: 'refuse' };
  // All concurrent requests get the same token.
  const headers = { 'sb-auth-refresh-token-reuse-cause': causes.join(',') };
  return {
    kind: 'issue',
    refreshToken: issued(current),
    statements: [],
    audit: ['token_refreshed'],
    headers,
    isRepeat: causes.every((cause) => cause === 'concurrent-refresh'),
  };
}

/** Returns why an old token may still be used, in GoTrue's terms; empty if it may not. */
function causesOfReuse(
  generationsBehind: number,
  lastRefresh: number,
  { config, now }: AuthContext,
): string[] {
  const { reuseIntervalMs, allowReuse } = config.refreshTokens;
  return [
    ...(Math.abs(now().getTime() - lastRefresh) < reuseIntervalMs ? ['concurrent-refresh'] : []),
    ...(generationsBehind === 1 ? ['fail-to-save'] : []),
    ...(allowReuse ? ['always-allow'] : []),
  ];
}
