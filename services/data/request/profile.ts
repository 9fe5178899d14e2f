/** Selects one of the exposed schemas by the headers Accept-Profile and Content-Profile. */
import { failure } from '../errors.ts';
import { type Header, headerBytes, headerText } from '../headers.ts';

export interface Profile {
  schema: string;
  /** Whether the response has Content-Profile: the client named a schema, or several schemas are exposed. */
  isNegotiated: boolean;
}

/** Undecoded headers. */
interface ProfileHeaders {
  acceptProfile: string | undefined;
  contentProfile: string | undefined;
}

const WITH_CONTENT = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);

/**
 * Returns the schema that the header for this method names, or the first exposed schema.
 * @throws PGRST106 if the named schema is not exposed
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

/** Returns the header Content-Profile of a response, or an empty list if the profile is not negotiated. */
export function profileHeaders({ schema, isNegotiated }: Profile): Header[] {
  return isNegotiated ? [['content-profile', headerBytes(schema)]] : [];
}
