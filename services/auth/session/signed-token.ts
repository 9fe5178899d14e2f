/** Refresh tokens of version 2 as they are presented: signed, and with a counter that tells how old they are. */
import type { AuthContext } from '../context.ts';
import { failure } from '../errors.ts';
import { sessionKeyOf, tokenOfCounter } from './issued-token.ts';
import type { HeldSession, NextStep, PresentedToken } from './presented-token.ts';
import { findSession, lockSession, setCounter } from './refresh-statements.ts';
import { isSignedWith, parseSignedToken, type SignedToken } from './signed-refresh-token.ts';
import { lastRefreshMs } from './validity.ts';

/** Reads a token; undefined where it is of another version, or none. */
export function signedToken(text: string): PresentedToken | undefined {
  const token = parseSignedToken(text);
  if (token === undefined) return undefined;
  const { sessionId } = token;
  return {
    key: sessionId,
    async lock(context, tx) {
      const [held] = await tx.query<HeldSession>(lockSession(sessionId));
      // Before any check of the session: an answer must not say whether there is one.
      if (held !== undefined) requireSignature(context, held, token);
      return held;
    },
    async requireExists({ database }) {
      const found = await database.query(findSession(sessionId));
      if (found.length === 0) throw failure('refresh_token_not_found');
    },
    next: (context, held) => next(context, held, token),
  };
}

function requireSignature(context: AuthContext, { session }: HeldSession, token: SignedToken): void {
  if (session.counter !== null && isSignedWith(token, sessionKeyOf(context, session))) return;
  throw failure('refresh_token_not_found');
}

function next(context: AuthContext, { session }: HeldSession, token: SignedToken): NextStep {
  const current = session.counter ?? 0;
  const behind = current - token.counter;
  if (behind < 0) {
    throw failure('validation_failed', { message: 'Invalid Refresh Token: Not Issued By This Server' });
  }
  const issued = (counter: number) => tokenOfCounter(context, session, counter);
  if (behind === 0) {
    return {
      kind: 'issue',
      refreshToken: issued(current + 1),
      statements: [setCounter(session.id, current + 1)],
      audit: ['token_refreshed'],
      headers: { 'sb-auth-refresh-token-reuse': 'false' },
    };
  }
  const causes = causesOfReuse(behind, lastRefreshMs(session), context);
  if (causes.length === 0) return { kind: 'refuse' };
  // All that ask at the same time come to the same token again.
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

/** Why an old token may still be used, in GoTrue's words; empty where it may not. */
function causesOfReuse(behind: number, lastRefresh: number, { config, now }: AuthContext): string[] {
  const { reuseIntervalMs, allowReuse } = config.refreshTokens;
  return [
    ...(Math.abs(now().getTime() - lastRefresh) < reuseIntervalMs ? ['concurrent-refresh'] : []),
    ...(behind === 1 ? ['fail-to-save'] : []),
    ...(allowReuse ? ['always-allow'] : []),
  ];
}
