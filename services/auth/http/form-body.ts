/** Bodies that are forms: `application/x-www-form-urlencoded`, whatever the content type says. */
import { failure } from '../errors.ts';

/** Far more than any protocol here defines. */
const MAX_FIELDS = 100;
const AMPERSAND = 0x26;

/** Reads a form. Throws `validation_failed` where it has too many fields, before they are decoded. */
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
