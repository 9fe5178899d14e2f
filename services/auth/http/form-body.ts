/** Parses bodies as `application/x-www-form-urlencoded`, regardless of their content type. */
import { failure } from '../errors.ts';

/** Much more than any protocol here uses. */
const MAX_FIELDS = 100;
const AMPERSAND = 0x26;

/** Parses a form. Throws `validation_failed` if it has too many fields; it counts them before it decodes them. */
export function parseForm(body: Uint8Array = new Uint8Array()): URLSearchParams {
  let fields = 1;
  for (let at = body.indexOf(AMPERSAND); at !== -1; at = body.indexOf(AMPERSAND, at + 1)) {
    fields += 1;
    if (fields > MAX_FIELDS) {
      throw failure('validation_failed', { message: `A form must not have more than ${MAX_FIELDS} fields` });
    }
  }
  return new URLSearchParams(Buffer.from(body).toString('utf8'));
}
