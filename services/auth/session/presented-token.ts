/** A refresh token presented by a client. Hides the differences between stored and signed tokens. */
import type { Statement, Transaction } from '@greenroom/postgres';
import type { AuditAction } from '../audit/entry.ts';
import type { AuthContext } from '../context.ts';
import type { UserRow } from '../user/user.ts';
import type { SessionRow } from './session.ts';

/** The locked session of a presented token, with its user. */
export interface LockedTokenSession extends UserRow {
  session: SessionRow;
  /** When the token's row was last changed; undefined for signed tokens, which have none. */
  token_changed_at?: Date;
}

/** The outcome for a presented token. */
export type RefreshDecision =
  | {
      kind: 'issue';
      refreshToken: string;
      /** Sent in the same flush as the update of the session. */
      statements: readonly Statement[];
      audit: readonly AuditAction[];
      headers: Readonly<Record<string, string>>;
      /**
       * The response repeats the session's current token for a concurrent client. It does not count as a
       * refresh: otherwise an old token could extend the reuse interval that it depends on.
       */
      isRepeat?: boolean;
    }
  /** Reuse of an old token: the client or another party has stolen it. With rotation enabled, the session ends. */
  | { kind: 'refuse' };

export interface PresentedToken<Locked extends LockedTokenSession = LockedTokenSession> {
  /** Requests with the same key run one at a time. */
  key: string;
  /**
   * Locks the session. Returns undefined if another request holds the lock or the token does not exist. Throws
   * if the token does not belong to the session.
   */
  lock(context: AuthContext, tx: Transaction): Promise<Locked | undefined>;
  /** Throws if the token or its session does not exist. */
  requireExists(context: AuthContext): Promise<void>;
  /** Decides what to issue. Throws if the token cannot belong to the session. */
  decide(context: AuthContext, locked: Locked): RefreshDecision;
}
