/** The password of the role that owns the database of an instance. It changes with the keys of the instance. */
import { canLogIn, setRolePassword } from './role-login.ts';

/**
 * Ensures that the role of `url` can log in with the password of `url`: if it still has one of the former passwords, it gets
 * the new one.
 */
export async function ensureOwnerPassword(url: string, formerPasswords: readonly string[]): Promise<void> {
  if (formerPasswords.length === 0 || (await canLogIn(url))) return;
  const { username, password } = new URL(url);
  for (const former of formerPasswords) {
    const login = new URL(url);
    login.password = encodeURIComponent(former);
    if (!(await canLogIn(login.href))) continue;
    await setRolePassword(login.href, decodeURIComponent(username), decodeURIComponent(password));
    return;
  }
}
