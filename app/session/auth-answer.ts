/** Answers of endpoints of the auth service that the official client does not know. */
import type { AuthFailure } from './auth-errors.ts';

/** An answer that was read. */
interface AuthAnswer {
  /** Empty where it is no JSON object. */
  body: Readonly<Record<string, unknown>>;
  /** As the official client would tell it; undefined where the call went well. */
  failure: AuthFailure | undefined;
}

/** Reads an answer; one that is missing means that there is no session. Never rejects. */
export async function readAuthAnswer(answer: Response | undefined): Promise<AuthAnswer> {
  const parsed: unknown = await answer?.json().catch(() => undefined);
  const body = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  if (answer?.ok) return { body, failure: undefined };
  const failure = {
    name: 'AuthApiError',
    message: String(body.msg ?? body.message ?? ''),
    code: String(body.error_code ?? body.code ?? ''),
    status: answer?.status ?? 401,
  };
  return { body, failure };
}
