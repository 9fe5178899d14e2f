/** A form of the page, with the administrator who sent it. */
import type { MetaClient } from '../../../session/meta-client.server.ts';
import type { Admin } from '../shared/as-admin.server.ts';
import type { Selection } from './selection.ts';

/** A form of the page. */
export interface FormWork {
  admin: Pick<Admin, 'actor'> & { meta: MetaClient };
  selection: Selection;
  form: FormData;
}

/** Returns a field as text without zero bytes, which PostgreSQL cannot store. */
export function textField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.replaceAll('\0', '') : '';
}
