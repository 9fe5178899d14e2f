/** Sign-ins whose request contains the proof of identity, so no redirect to a provider is needed. */
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { afterUserCreated } from '../../hooks/after-user-created.ts';
import { isApprovalRequired, withApproval } from '../../hooks/approval.ts';
import type { ExternalProfile } from './external-profile.ts';
import { findOrCreateAccount } from './find-or-create-account.ts';
import { completeSignIn } from './grant.ts';
import { linkIdentity } from './link-identity.ts';
import { retryOnUniqueViolation } from './retry-on-unique-violation.ts';

/**
 * Responds with a session. Throws the errors of {@link findOrCreateAccount} and {@link linkIdentity}, and
 * `provider_email_needs_verification`.
 * @param linkTo id of the user to whose account the identity is added
 */
export async function signInDirectly(
  context: AuthContext,
  request: AuthRequest,
  external: ExternalProfile,
  linkTo: string | null,
): Promise<AuthResponse> {
  const { response, account } = await withApproval(context, request, (approved) =>
    retryOnUniqueViolation(() =>
      context.hooks.transaction(async (tx) => {
        const account =
          linkTo === null
            ? await findOrCreateAccount(tx, context, request, { ...external, approved })
            : await linkIdentity(tx, context, request, external, linkTo);
        if (isApprovalRequired(account)) {
          await tx.rollback();
          return account;
        }
        return completeSignIn(tx, context, request, account);
      }),
    ),
  );
  if (account.isNew) await afterUserCreated(context, request, account.user);
  if (response === undefined) throw verificationRequired(external.provider);
  return response;
}

/** The error for an address that the provider has not verified, after a confirmation mail was sent. */
export function verificationRequired(provider: string) {
  const message = `Unverified email with ${provider}. A confirmation email has been sent to your ${provider} email`;
  return failure('provider_email_needs_verification', { message });
}
