/** Which of the exposed schemas a request is about: Accept-Profile and Content-Profile. */
import { failure } from '../errors.ts';
import { type Header, headerBytes, headerText } from '../headers.ts';

/** The schema of a request. */
export interface Profile {
  schema: string;
  /** Whether the answer says which schema it was: the client named one, or could have. */
  isNegotiated: boolean;
}

/** Headers as Node.js has them. */
interface ProfileHeaders {
  acceptProfile: string | undefined;
  contentProfile: string | undefined;
}

const WITH_CONTENT = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/**
 * The schema that the header named which belongs to the method, else the first one.
 * @throws PGRST106 where that schema is not exposed
 */
export function chooseProfile(
  method: string,
  { acceptProfile, contentProfile }: ProfileHeaders,
  schemas: readonly [string, ...string[]],
): Profile {
  const named = WITH_CONTENT.has(method) ? contentProfile : acceptProfile;
  if (named === undefined) return { schema: schemas[0], isNegotiated: schemas.length > 1 };
  const schema = headerText(named);
  if (schemas.includes(schema)) return { schema, isNegotiated: true };
  throw failure('PGRST106', {
    message: `Invalid schema: ${schema}`,
    extra: { hint: `Only the following schemas are exposed: ${schemas.join(', ')}` },
  });
}

/** The header that says which schema the answer is from, where it does. */
export function profileHeaders({ schema, isNegotiated }: Profile): Header[] {
  return isNegotiated ? [['content-profile', headerBytes(schema)]] : [];
}
