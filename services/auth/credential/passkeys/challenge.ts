import type { AuthContext } from '../../context.ts';
import { failure } from '../../errors.ts';
import { isUuid } from '../../http/uuid.ts';
import { deleteChallenge } from './statements.ts';

/**
 * Consumes the challenge of a request and returns it. Throws `validation_failed`, `webauthn_challenge_not_found` or
 * `webauthn_challenge_expired`.
 * @param userId owner of the challenge; null for a sign-in
 */
export async function consumeChallenge(
  { database, now }: AuthContext,
  { challenge_id: id, credential }: { challenge_id: string; credential?: unknown },
  type: 'registration' | 'authentication',
  userId: string | null,
): Promise<string> {
  if (id === '') throw refused('challenge_id is required');
  if (credential === undefined || credential === null) throw refused('credential is required');
  if (!isUuid(id)) throw refused('challenge_id must be a valid UUID');
  const [challenge] = await database.query<{ challenge: string; expires_at: Date }>(
    deleteChallenge(id, type, userId),
  );
  if (challenge === undefined) throw failure('webauthn_challenge_not_found');
  if (challenge.expires_at < now()) throw failure('webauthn_challenge_expired');
  return challenge.challenge;
}

function refused(message: string) {
  return failure('validation_failed', { message });
}
