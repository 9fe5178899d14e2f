import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { mailFlow } from '../../flow-state/mail-flow.ts';
import type { Challenge } from '../../flow-state/statements.ts';
import type { Step } from '../../hooks/step.ts';
import { countMessage } from '../../one-time/count-message.ts';
import { planMail } from '../../one-time/mail.ts';
import type { UserRow } from '../../user/user.ts';

/**
 * Plans a mail that confirms the address of a user. Its link completes the flow: with PKCE, the client that
 * began it gets a code. Throws if too many mails were requested.
 */
export async function planConfirmation(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  challenge: Challenge | undefined,
): Promise<Step[]> {
  countMessage(context, request, { channel: 'email', recipient: user.email ?? '' });
  const order = { user, purpose: 'signup', isPkce: challenge !== undefined } as const;
  const { steps } = await planMail(context, request, order);
  return challenge ? [...steps, ...mailFlow('signup', user.id, challenge, context.now())] : steps;
}
