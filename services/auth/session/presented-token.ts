/** A refresh token as a client presents it. What depends on how tokens are made is behind this interface. */
import type { Statement, Transaction } from '@greenroom/postgres';
import type { AuditAction } from '../audit/entry.ts';
import type { AuthContext } from '../context.ts';
import type { UserRow } from '../user/user.ts';
import type { SessionRow } from './session.ts';

/** A session whose token was presented, with its user; locked. */
export interface HeldSession extends UserRow {
  session: SessionRow;
  /** When the token was changed last; undefined where tokens are not stored. */
  token_changed_at?: Date;
}

/** What a presented token leads to. */
export type NextStep =
  | {
      kind: 'issue';
      refreshToken: string;
      /** Written together with the note of the refresh. */
      statements: readonly Statement[];
      audit: readonly AuditAction[];
      headers: Readonly<Record<string, string>>;
      /**
       * The answer only repeats the session's current token for a concurrent client. It does not count as a refresh:
       * otherwise an old token could keep the reuse interval open that it needs.
       */
      isRepeat?: boolean;
    }
  /** An old token is used again, so one of two parties has stolen it. With rotation its session ends. */
  | { kind: 'refuse' };

/** A token of one of the versions. */
export interface PresentedToken<Held extends HeldSession = HeldSession> {
  /** Requests with the same key take turns. */
  key: string;
  /**
   * Locks the session; undefined where another request holds it, or where there is none. Throws where the token is
   * none of the session's.
   */
  lock(context: AuthContext, tx: Transaction): Promise<Held | undefined>;
  /** Throws where there is none. */
  requireExists(context: AuthContext): Promise<void>;
  /** Decides. Throws where the token cannot be the session's. */
  next(context: AuthContext, held: Held): NextStep;
}
