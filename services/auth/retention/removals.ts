/**
 * The rows that are removed after a time: one entry per kind, with its cutoff and its statement. A statement examines
 * one batch of candidates in the order of their times and returns a {@link BatchRow}. Its work is therefore bounded,
 * even if all candidates must stay.
 */

import type { Statement } from '@greenroom/postgres';
import type { AuthConfig } from '../settings/settings.ts';

/** The settings that determine the age of removed rows. */
export type RetentionConfig = Pick<
  AuthConfig,
  'retention' | 'sessions' | 'refreshTokens' | 'flowLifetimeMs' | 'jwt'
> & {
  codes: { email: Pick<AuthConfig['codes']['email'], 'lifetimeMs'> };
  saml: Pick<AuthConfig['saml'], 'relayStateMs'>;
};

/**
 * The last candidate of a batch; the next batch begins after it. `time` is a text, because a `Date` has no
 * microseconds.
 */
export interface Cursor {
  time: string;
  id: string;
}

/** The result of one batch. Counts are bigints, which pg returns as texts. */
export interface BatchRow {
  examined: string;
  removed: string;
  last_time: string | null;
  last_id: string | null;
}

/** One kind of rows. */
export interface Removal {
  name: string;
  /** How long after its time a row may be removed, in milliseconds; undefined keeps all rows. */
  ageMs(config: RetentionConfig): number | undefined;
  table: string;
  time: string;
  idType: 'uuid' | 'bigint';
  /** Excludes rows from the candidates. Must not depend on other rows. */
  candidates?: string;
  /** Must be true for a candidate `r` to be removed. `$1` is the cutoff. */
  condition?: string;
}

/** Removes ended sessions only after their last access token has expired. */
function afterSession({ retention, jwt }: RetentionConfig, limitMs: number | undefined): number | undefined {
  if (retention.sessionMs === undefined || limitMs === undefined) return undefined;
  return retention.sessionMs + limitMs + jwt.expirySeconds * 1000;
}

/** All kinds. Deleting a session deletes its refresh tokens, so sessions come first. */
export const REMOVALS: readonly Removal[] = [
  {
    name: 'audit entries',
    ageMs: ({ retention }) => retention.auditMs,
    table: 'audit_log_entries',
    time: 'created_at',
    idType: 'uuid',
  },
  {
    name: 'ended sessions',
    ageMs: (config) => afterSession(config, 0),
    table: 'sessions',
    time: 'not_after',
    idType: 'uuid',
  },
  {
    name: 'sessions past their maximum lifetime',
    ageMs: (config) => afterSession(config, config.sessions.timeboxMs),
    table: 'sessions',
    time: 'created_at',
    idType: 'uuid',
  },
  {
    name: 'inactive sessions',
    ageMs: (config) => afterSession(config, config.sessions.inactivityTimeoutMs),
    table: 'sessions',
    time: 'created_at',
    idType: 'uuid',
    // A session that was never refreshed counts from the time of its token.
    condition: `coalesce(r.refreshed_at at time zone 'utc' < $1, true) and coalesce(r.updated_at < $1, true)
      and not exists (select from auth.refresh_tokens t where t.session_id = r.id and t.updated_at >= $1)`,
  },
  {
    name: 'revoked refresh tokens',
    ageMs: ({ retention, refreshTokens }) =>
      retention.refreshTokenMs && Math.max(retention.refreshTokenMs, refreshTokens.reuseIntervalMs),
    table: 'refresh_tokens',
    time: 'updated_at',
    idType: 'bigint',
    candidates: 'r.revoked',
    // A client that missed the last response may present the parent of the active token at any time. If the session
    // continues with signed tokens, it may present the newest stored token.
    condition: `(r.session_id is null or (
        exists (select from auth.refresh_tokens t where t.session_id = r.session_id and t.id > r.id)
        and not exists (
          select from auth.refresh_tokens t
          where t.session_id = r.session_id and t.revoked is not true and t.parent = r.token
        )
      ))`,
  },
  {
    name: 'expired flow states',
    // A flow first waits for the link of its mail or for the identity provider, and then for the exchange of its code.
    ageMs: ({ retention, flowLifetimeMs, codes, saml }) =>
      retention.flowStateMs &&
      retention.flowStateMs +
        flowLifetimeMs +
        Math.max(flowLifetimeMs, codes.email.lifetimeMs, saml.relayStateMs),
    table: 'flow_state',
    time: 'created_at',
    idType: 'uuid',
  },
];

/**
 * Examines one batch of rows older than `before` and deletes those that meet the condition. Skips rows that another
 * transaction has locked. Returns one {@link BatchRow}.
 * @param after the last candidate of the previous batch; undefined for the first batch
 */
export function removeBatch(
  { table, time, idType, candidates = 'true', condition = 'true' }: Removal,
  before: Date,
  after: Cursor | undefined,
  limit: number,
): Statement {
  return {
    text: `with candidates as materialized (
        select r.id, r.${time} as time from auth.${table} r
        where r.${time} < $1 and ${candidates}
          and (r.${time}, r.id) > ($2::timestamptz, $3::${idType})
        order by r.${time}, r.id limit $4
      ), doomed as materialized (
        select r.id from auth.${table} r
        where r.id = any (array(select id from candidates)) and r.${time} < $1 and ${candidates} and ${condition}
        for update skip locked
      ), removed as (
        delete from auth.${table} where id = any (array(select id from doomed)) returning id
      )
      select (select count(*) from candidates) as examined, (select count(*) from removed) as removed,
        last.time::text as last_time, last.id::text as last_id
      from (select) one
      left join lateral (select time, id from candidates order by time desc, id desc limit 1) last on true`,
    values: [before, after?.time ?? '-infinity', after?.id ?? FIRST_ID[idType], limit],
  };
}

const FIRST_ID = { uuid: '00000000-0000-0000-0000-000000000000', bigint: '0' } as const;
