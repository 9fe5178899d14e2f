/** Parameter `encoding-type`, which lists use to encode keys that XML cannot represent. */
import { failure } from '../../errors.ts';
import { encodeStrictly } from '../signature/query.ts';

/** Returns the encoder for keys of a list. Throws InvalidRequest for encodings other than `url`. */
export function encoderOf(query: ReadonlyMap<string, string>): (text: string) => string {
  const type = query.get('encoding-type');
  if (type === undefined || type === '') return (text) => text;
  if (type !== 'url') throw failure('InvalidRequest', { message: 'Querystring encoding-type must be url' });
  return (text) => encodeStrictly(text).replaceAll('%2F', '/');
}
