/** Parameter `encoding-type`: keys that XML cannot say are sent encoded. */
import { failure } from '../../errors.ts';
import { encodeStrictly } from '../signature/query.ts';

/** How keys of a list are written. Throws InvalidRequest for another encoding than `url`. */
export function encoderOf(query: ReadonlyMap<string, string>): (text: string) => string {
  const type = query.get('encoding-type');
  if (type === undefined || type === '') return (text) => text;
  if (type !== 'url') throw failure('InvalidRequest', { message: 'Querystring encoding-type must be url' });
  return (text) => encodeStrictly(text).replaceAll('%2F', '/');
}
