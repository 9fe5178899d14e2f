/** The kinds of one-time tokens, and their columns in a user's row. */

/** Kind (as in `auth.one_time_tokens`) → columns of `auth.users`. */
export const TOKEN_KINDS = {
  confirmation_token: { token: 'confirmation_token', sentAt: 'confirmation_sent_at' },
  recovery_token: { token: 'recovery_token', sentAt: 'recovery_sent_at' },
  email_change_token_new: { token: 'email_change_token_new', sentAt: 'email_change_sent_at' },
  email_change_token_current: { token: 'email_change_token_current', sentAt: 'email_change_sent_at' },
  phone_change_token: { token: 'phone_change_token', sentAt: 'phone_change_sent_at' },
  reauthentication_token: { token: 'reauthentication_token', sentAt: 'reauthentication_sent_at' },
} as const;

export type TokenKind = keyof typeof TOKEN_KINDS;
