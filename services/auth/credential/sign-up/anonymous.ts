/**
 * Signs up without an address. The user can only use the account with this session, and can add an address later to
 * make it permanent.
 */
import { randomUUID } from 'node:crypto';
import { CatalogueError } from '@greenroom/errors';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { afterUserCreated } from '../../hooks/after-user-created.ts';
import { beforeUserCreated } from '../../hooks/before-user-created.ts';
import { grantSession } from '../../session/grant.ts';
import { openSession } from '../../session/open.ts';
import { audienceOf } from '../../user/audience.ts';
import { findUserById } from '../../user/find.ts';
import { insertUser, type NewUser } from '../../user/insert.ts';
import { type Metadata, requireMetadataSize } from '../../user/metadata.ts';
import type { UserRow } from '../../user/user.ts';

/**
 * Creates an anonymous account and responds with a session. Throws `anonymous_provider_disabled` or `signup_disabled`.
 */
export async function signUpAnonymously(
  context: AuthContext,
  request: AuthRequest,
  userMetadata: Metadata,
): Promise<AuthResponse> {
  const { config } = context;
  if (!config.external.anonymousUsers) throw failure('anonymous_provider_disabled');
  const now = context.now();
  context.limits.check('anonymous', request, now);
  if (config.disableSignup) throw failure('signup_disabled');
  requireMetadataSize(userMetadata);
  const user = anonymousUser(audienceOf(request, config), config.jwt.defaultRole, userMetadata);
  await beforeUserCreated(context, request, user);
  const opening = openSession(context, request, {
    user: { id: user.id, encrypted_password: null },
    method: 'anonymous',
    audit: [],
  });
  let row: UserRow | undefined;
  const response = await grantSession(context, request, {
    statements: [insertUser(user, now), opening.statement, findUserById(user.id)],
    grantOf(results) {
      row = results.at(-1)?.[0] as UserRow | undefined;
      if (row === undefined) throw translateSaveError(undefined);
      return { ...opening, user: row };
    },
  }).catch((error: unknown) => {
    throw translateSaveError(error);
  });
  await afterUserCreated(context, request, row);
  return response;
}

function anonymousUser(aud: string, role: string, userMetadata: Metadata): NewUser {
  return {
    id: randomUUID(),
    aud,
    role,
    email: null,
    phone: null,
    passwordHash: null,
    appMetadata: {},
    userMetadata,
    isAnonymous: true,
  };
}

function translateSaveError(cause: unknown): unknown {
  if (cause instanceof CatalogueError) return cause;
  return failure('unexpected_failure', { message: 'Database error creating anonymous user', cause });
}
