/** The server side of OAuth applications with access to the account. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { languageContext } from '../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { connectedAppsTexts } from '../../texts/account-connected-apps.ts';
import { plainName } from '../consent/application.ts';
import { fieldOf, outcome, refuse } from './outcome.server.ts';

/** An application with access to the account. */
export interface OwnApplication {
  id: string;
  /** Undefined if it has no name. */
  name: string | undefined;
  /** Host of its site, as the application declares it; '' without a site. */
  host: string;
  scopes: string[];
  /** Seconds since 1970. */
  grantedAt: number;
}

/** All applications; or that the backend does not support them, or that the request failed. */
export type ApplicationList =
  | { kind: 'list'; applications: OwnApplication[] }
  | { kind: 'unsupported' }
  | { kind: 'problem' };

/** Returns the user's applications. Never rejects. */
export async function listApplications({ auth }: SupabaseClient): Promise<ApplicationList> {
  try {
    const { data: grants, error } = await auth.oauth.listGrants();
    if (error) return { kind: error.status === 404 ? 'unsupported' : 'problem' };
    return { kind: 'list', applications: readApplications(grants) };
  } catch {
    return { kind: 'problem' };
  }
}

/** Parses the backend's response; ignores invalid entries. */
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

/** Revokes an application's access. Missing access counts as revoked, too. */
export async function revokeApplication(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const texts = connectedAppsTexts[args.context.get(languageContext)];
  const { error } = await auth.oauth.revokeGrant({ clientId: fieldOf(form, 'clientId', 64) });
  const isNotFound = error?.code === 'oauth_consent_not_found' || error?.code === 'oauth_client_not_found';
  if (error && !isNotFound) return refuse(args, 'applications', error);
  return outcome({ card: 'applications', success: texts.revoked }, 200);
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
