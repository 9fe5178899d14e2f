/** The state of the instance on the server. */
import { siteContext } from '../../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { asAdmin } from '../shared/as-admin.server.ts';

/** The state of the instance. */
export interface Overview {
  kind: 'overview';
  /** Undefined if the backend reports none. */
  health: Health | undefined;
}

/** The response of `/health`. */
interface Health {
  status: 'ok' | 'unavailable';
  version: string;
  parts: Readonly<Record<string, 'ok' | 'unavailable'>>;
}

/** Loads the state. */
export function loadOverview(args: VisitorArgs) {
  return asAdmin(args, async (): Promise<Overview> => ({ kind: 'overview', health: await readHealth(args) }));
}

/** A backend that is hosted elsewhere reports nothing. */
async function readHealth({ context }: VisitorArgs): Promise<Health | undefined> {
  const response = await context
    .get(siteContext)
    .backend.callHealth()
    .catch(() => undefined);
  const body = (await response?.json().catch(() => undefined)) as Partial<Health> | undefined;
  return body?.parts && body.version && body.status ? (body as Health) : undefined;
}
