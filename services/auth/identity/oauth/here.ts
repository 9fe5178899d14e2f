/** Signs in who has proved who they are with the request itself, without a way through a provider's pages. */
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { afterUserCreated } from '../../hooks/after-user-created.ts';
import { isApprovalRequired, withApproval } from '../../hooks/approval.ts';
import { admit } from './admission.ts';
import type { ExternalProfile } from './external-profile.ts';
import { grantAdmission } from './grant.ts';
import { link } from './link.ts';
import { twice } from './twice.ts';

/**
 * Answers with a session. Throws what {@link admit} and {@link link} do, and `provider_email_needs_verification`.
 * @param linkTo id of the user whose account the identity is added to
 */
export async function signInHere(
  context: AuthContext,
  request: AuthRequest,
  arrival: ExternalProfile,
  linkTo: string | null,
): Promise<AuthResponse> {
  const { answer, admission } = await withApproval(context, request, (approved) =>
    twice(() =>
      context.hooks.transaction(async (tx) => {
        const admitted =
          linkTo === null
            ? await admit(tx, context, request, { ...arrival, approved })
            : await link(tx, context, request, arrival, linkTo);
        if (isApprovalRequired(admitted)) {
          await tx.rollback();
          return admitted;
        }
        return grantAdmission(tx, context, request, admitted);
      }),
    ),
  );
  if (admission.isNew) await afterUserCreated(context, request, admission.user);
  if (answer === undefined) throw needsVerification(arrival.provider);
  return answer;
}

/** The provider does not vouch for the address; a mail was sent to it. */
export function needsVerification(provider: string) {
  const message = `Unverified email with ${provider}. A confirmation email has been sent to your ${provider} email`;
  return failure('provider_email_needs_verification', { message });
}
