/** The caller of the SQL page. */
import type { MetaClient } from '../../../../session/meta-client.server.ts';
import type { Admin } from '../../shared/as-admin.server.ts';

/** An administrator with a backend that runs SQL. */
export type SqlAdmin = Pick<Admin, 'actor'> & { meta: MetaClient };
