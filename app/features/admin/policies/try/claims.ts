/** The claims of the caller that a statement is tried as. */
import type { Assurance, PersonRow } from '../access/model.ts';

/** A role and its claims. */
export interface Caller {
  role: string;
  claims: Record<string, unknown>;
}

/** Returns the caller of a request without a session. */
export function anonymousCaller(): Caller {
  return { role: 'anon', claims: { role: 'anon' } };
}

/**
 * Returns a person as their access token describes them. Claims of a session (`session_id`, `amr`, `iat`) and those of a hook are
 * not part of it.
 */
export function callerOf(person: PersonRow, aal: Assurance): Caller {
  const role = person.role || 'authenticated';
  return {
    role,
    claims: {
      sub: person.id,
      aud: person.aud ?? 'authenticated',
      role,
      email: person.email ?? '',
      phone: person.phone ?? '',
      aal,
      app_metadata: person.app_metadata ?? {},
      user_metadata: person.user_metadata ?? {},
      is_anonymous: person.is_anonymous,
    },
  };
}

/** Parses claims that were written as JSON. Without the claim `role`, the role is `anon`. Undefined if they are no object. */
export function parseClaims(text: string): Caller | undefined {
  try {
    const claims: unknown = JSON.parse(text);
    if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) return undefined;
    const { role } = claims as { role?: unknown };
    return { role: typeof role === 'string' && role !== '' ? role : 'anon', claims: { ...claims } };
  } catch {
    return undefined;
  }
}
