/** Finds or creates the account of a wallet with a verified message, and opens a session. */
import { randomUUID } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';
import { auditEntry } from '../../audit/entry.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { afterUserCreated } from '../../hooks/after-user-created.ts';
import { beforeUserCreated } from '../../hooks/before-user-created.ts';
import { isDatabaseError, violatedUniqueConstraint } from '../../lib/database-error.ts';
import { grantSession } from '../../session/grant.ts';
import { openSession, type PlannedSession } from '../../session/open.ts';
import { audienceOf } from '../../user/audience.ts';
import { findUserById } from '../../user/find.ts';
import type { IdentityData } from '../../user/identity.ts';
import { insertUser, type NewUser } from '../../user/insert.ts';
import { requireMetadataSize } from '../../user/metadata.ts';
import { mergeMetadata } from '../../user/update.ts';
import { isBanned, type UserRow } from '../../user/user.ts';
import { type ChainName, chains } from './chains.ts';
import type { SignInMessage } from './message.ts';
import { invalidGrant } from './protocol-error.ts';
import {
  consumeMessage,
  findWalletOwner,
  IDENTITY_CONSTRAINT,
  insertWallet,
  recordWalletUse,
  USED_MESSAGE_CONSTRAINT,
} from './statements.ts';

/** A message with a verified signature. */
interface SignedMessage {
  chainName: ChainName;
  parsed: SignInMessage;
  /** The signed text. */
  text: string;
  expiresAt: Date;
}

/** The statements of a sign-in. `session.statement` is one of them. */
interface SignInPlan {
  /** The account to create, if the wallet has none. */
  newUser?: NewUser;
  userId: string;
  session: PlannedSession;
  statements: Statement[];
}

/** Signs in and consumes the message. */
export async function signInWithWallet(
  context: AuthContext,
  request: AuthRequest,
  signed: SignedMessage,
): Promise<AuthResponse> {
  const ids = identityIds(signed);
  const [owner] = await context.database.query<UserRow>(findWalletOwner(ids));
  const plan =
    owner === undefined
      ? planNewAccount(context, request, signed)
      : planExistingAccount(context, request, signed, owner, ids);
  try {
    if (plan.newUser !== undefined) await beforeUserCreated(context, request, plan.newUser);
    return await execute(context, request, signed, plan);
  } catch (error) {
    const constraint = violatedUniqueConstraint(error);
    if (constraint === USED_MESSAGE_CONSTRAINT) throw invalidGrant('Signed message was used already');
    // A concurrent sign-in with another message has created the account.
    if (constraint === IDENTITY_CONSTRAINT && owner === undefined) {
      return signInWithWallet(context, request, signed);
    }
    if (!isDatabaseError(error)) throw error;
    throw failure('unexpected_failure', { message: 'Database error saving user', cause: error });
  }
}

async function execute(
  context: AuthContext,
  request: AuthRequest,
  { text, expiresAt }: SignedMessage,
  { userId, session, statements, newUser }: SignInPlan,
): Promise<AuthResponse> {
  let user: UserRow | undefined;
  const response = await grantSession(context, request, {
    // First: of two concurrent requests with one message, the second waits here and changes nothing.
    statements: [consumeMessage(text, expiresAt, context.now()), ...statements, findUserById(userId)],
    grantOf(results) {
      user = results.at(-1)?.[0] as UserRow | undefined;
      const isOpened = results[1 + statements.indexOf(session.statement)]?.length !== 0;
      if (user === undefined || !isOpened) {
        throw invalidGrant('The account was changed in the meantime, sign in again');
      }
      return { ...session, user };
    },
  });
  if (newUser !== undefined) await afterUserCreated(context, request, user);
  return response;
}

function planNewAccount(context: AuthContext, request: AuthRequest, signed: SignedMessage): SignInPlan {
  const { config } = context;
  if (config.disableSignup) throw failure('signup_disabled');
  const now = context.now();
  const data = identityData(signed);
  requireMetadataSize(data);
  const user = accountOf(audienceOf(request, config), config.jwt.defaultRole, data);
  const actor = { ...user, is_sso_user: false, raw_user_meta_data: data };
  const traits = auditTraits(signed);
  const session = openSession(context, request, {
    user: { id: user.id, encrypted_password: null },
    method: 'web3',
    audit: [auditEntry(actor, 'user_signedup', { provider: 'web3' }), auditEntry(actor, 'login', traits)],
  });
  const statements = [
    insertUser(user, now),
    insertWallet(user.id, identityId(signed), data, now),
    session.statement,
  ];
  return { userId: user.id, session, statements, newUser: user };
}

function planExistingAccount(
  context: AuthContext,
  request: AuthRequest,
  signed: SignedMessage,
  user: UserRow,
  ids: readonly string[],
): SignInPlan {
  const now = context.now();
  if (isBanned(user, now)) throw failure('user_banned');
  const data = identityData(signed);
  requireMetadataSize({ ...user.raw_user_meta_data, ...data });
  const audit = [auditEntry(user, 'login', auditTraits(signed))];
  const session = openSession(context, request, { user, method: 'web3', audit });
  const statements = [
    session.statement,
    recordWalletUse(user.id, ids, data, now),
    mergeMetadata(user.id, 'raw_user_meta_data', data, now),
  ];
  return { userId: user.id, session, statements };
}

function accountOf(aud: string, role: string, userMetadata: IdentityData): NewUser {
  return {
    id: randomUUID(),
    aud,
    role,
    email: null,
    phone: null,
    passwordHash: null,
    appMetadata: { provider: 'web3', providers: ['web3'] },
    userMetadata,
    isAnonymous: false,
  };
}

/** In GoTrue's format. */
function identityId({ chainName, parsed }: SignedMessage, address: string = parsed.address): string {
  return `web3:${chainName}:${address}`;
}

function identityIds(signed: SignedMessage): string[] {
  const { addressForms } = chains[signed.chainName];
  return addressForms(signed.parsed.address).map((address) => identityId(signed, address));
}

function identityData(signed: SignedMessage): IdentityData {
  const { address, chainId, domain, statement } = signed.parsed;
  return {
    sub: identityId(signed),
    custom_claims: {
      address,
      chain: signed.chainName,
      network: chainId ?? '',
      domain,
      statement: statement ?? '',
    },
    email_verified: false,
    phone_verified: false,
  };
}

function auditTraits({ chainName, parsed }: SignedMessage): Record<string, unknown> {
  const { address, chainId, domain, uri } = parsed;
  const network = chainId ?? '';
  return { provider: 'web3', chain: chainName, network, address, domain, uri: uri.href };
}
