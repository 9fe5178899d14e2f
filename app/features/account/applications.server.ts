/** Other applications that somebody has let know who they are, on the server. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { languageContext } from '../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { applicationsTexts } from '../../texts/account-applications.ts';
import { plainName } from '../consent/application.ts';
import { fieldOf, outcome, refuse } from './outcome.server.ts';

/** One of them. */
export interface OwnApplication {
  id: string;
  /** Undefined where it does not say. */
  name: string | undefined;
  /** Host of its site; '' where it has none. It says so itself. */
  host: string;
  scopes: string[];
  /** Seconds since 1970. */
  grantedAt: number;
}

/** All of them; or that the backend lets no applications ask, or that they could not be had. */
export type ApplicationList =
  | { kind: 'list'; applications: OwnApplication[] }
  | { kind: 'unsupported' }
  | { kind: 'problem' };

/** Never rejects. */
export async function listApplications({ auth }: SupabaseClient): Promise<ApplicationList> {
  try {
    const { data: grants, error } = await auth.oauth.listGrants();
    if (error) return { kind: error.status === 404 ? 'unsupported' : 'problem' };
    return { kind: 'list', applications: readApplications(grants) };
  } catch {
    return { kind: 'problem' };
  }
}

/** Reads the backend's answer; what is no grant is left out. */
export function readApplications(grants: unknown): OwnApplication[] {
  const rows = Array.isArray(grants) ? (grants as unknown[]) : [];
  return rows.flatMap((row) => {
    const { client, scopes, granted_at: grantedAt } = toRecord(row);
    const { id, name, uri } = toRecord(client);
    if (typeof id !== 'string') return [];
    const granted = typeof grantedAt === 'string' ? Date.parse(grantedAt) : 0;
    return [
      {
        id,
        name: plainName(name),
        host: typeof uri === 'string' && URL.canParse(uri) ? new URL(uri).host : '',
        scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [],
        grantedAt: Number.isFinite(granted) ? Math.floor(granted / 1000) : 0,
      },
    ];
  });
}

/** One that is not allowed anything (any more) counts as taken back, too. */
export async function revokeApplication(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const texts = applicationsTexts[args.context.get(languageContext)];
  const { error } = await auth.oauth.revokeGrant({ clientId: fieldOf(form, 'clientId', 64) });
  const isGone = error?.code === 'oauth_consent_not_found' || error?.code === 'oauth_client_not_found';
  if (error && !isGone) return refuse(args, 'applications', error);
  return outcome({ section: 'applications', success: texts.revoked }, 200);
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
