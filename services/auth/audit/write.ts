import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { NIL_UUID } from '../user/find.ts';
import type { AuditEntry } from './entry.ts';

/** Returns the statement that writes audit entries, or an empty list if the audit log is disabled. */
export function writeAudit(
  { config, now }: Pick<AuthContext, 'now'> & { config: Pick<AuthContext['config'], 'auditLog'> },
  { address }: Pick<AuthRequest, 'address'>,
  entries: readonly AuditEntry[],
): Statement[] {
  if (!config.auditLog || entries.length === 0) return [];
  return [
    {
      name: 'auth_write_audit',
      text: `insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
        select '${NIL_UUID}', gen_random_uuid(), entry, $2, $3 from json_array_elements($1::json) entry`,
      values: [JSON.stringify(entries), now(), address],
    },
  ];
}
