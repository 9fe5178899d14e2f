/** The claims of a verified access token that the app reads, and the session's summary for the browser. */

/** A method by which the session was authenticated, and its time (seconds since 1970). */
interface AuthenticationMethod {
  method: string;
  timestamp: number;
}

/** Claims of a verified access token. Texts are empty, never absent. */
export interface Claims {
  /** User id. */
  sub: string;
  email: string;
  phone: string;
  /** Assurance level: `aal1`, or `aal2` after a second factor was verified in this session. */
  aal: string;
  /**
   * The session was opened by a passkey whose device verified its user, which counts as two factors. A
   * claim that only Greenroom issues.
   */
  user_verified: boolean;
  /** Newest first. */
  amr: AuthenticationMethod[];
  session_id: string;
  /** Database role, normally `authenticated`. The product's roles are in `app_metadata`. */
  role: string;
  /** Seconds since 1970. */
  exp: number;
  is_anonymous: boolean;
  app_metadata: Record<string, unknown>;
  user_metadata: Record<string, unknown>;
}

/** Returns whether two factors were verified in a session. */
export function hasVerifiedTwoFactors({
  aal,
  user_verified,
}: Pick<Claims, 'aal' | 'user_verified'>): boolean {
  return aal === 'aal2' || user_verified;
}

/** Returns whether an administrator uses the site as the user. */
export function isImpersonated({ amr }: Pick<Claims, 'amr'>): boolean {
  return amr.some(({ method }) => method === 'impersonation');
}

/** The session without its tokens and its user, for the browser. */
export interface SessionSummary {
  token_type: string;
  /** Lifetime of the access token in seconds. */
  expires_in: number;
  /** Seconds since 1970. */
  expires_at: number;
}

/**
 * Reads the claims from a payload whose signature was verified. Returns undefined if it names no user, or
 * if it belongs to an OAuth application (claim `client_id`): the user allowed the application to read some
 * claims, not to use the pages.
 */
export function toClaims(payload: Record<string, unknown>): Claims | undefined {
  if (typeof payload.sub !== 'string' || payload.sub === '') return undefined;
  if (payload.client_id !== undefined && payload.client_id !== null) return undefined;
  return {
    sub: payload.sub,
    email: toText(payload.email),
    phone: toText(payload.phone),
    aal: toText(payload.aal),
    user_verified: payload.user_verified === true,
    amr: Array.isArray(payload.amr) ? payload.amr.filter(isAuthenticationMethod).map(toMethod) : [],
    session_id: toText(payload.session_id),
    role: toText(payload.role),
    exp: toNumber(payload.exp),
    is_anonymous: payload.is_anonymous === true,
    app_metadata: toRecord(payload.app_metadata),
    user_metadata: toRecord(payload.user_metadata),
  };
}

/** Reduces a session to its summary. */
export function toSummary(session: {
  token_type?: unknown;
  expires_in?: unknown;
  expires_at?: unknown;
}): SessionSummary {
  return {
    token_type: toText(session.token_type),
    expires_in: toNumber(session.expires_in),
    expires_at: toNumber(session.expires_at),
  };
}

function isAuthenticationMethod(value: unknown): value is AuthenticationMethod {
  const { method, timestamp } = toRecord(value);
  return typeof method === 'string' && typeof timestamp === 'number';
}

function toMethod({ method, timestamp }: AuthenticationMethod): AuthenticationMethod {
  return { method, timestamp };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
