/** Email or phone: two links, so that the choice survives without scripts. */
import { Link } from 'react-router';
import { type Identifier, type LoginView, loginPath } from './credentials.ts';

const LABELS: Record<Identifier, string> = { email: 'Email', phone: 'Phone' };

/** See the head of this file. */
export function IdentifierSwitch({ view, login }: { view: LoginView; login: string }) {
  return (
    <nav aria-label="Sign in with" className="flex rounded-lg border border-line bg-sunken p-0.5 text-sm">
      {(['email', 'phone'] as const).map((by) => (
        <Link
          key={by}
          to={loginPath(login, { ...view, by })}
          replace
          preventScrollReset
          aria-current={view.by === by ? 'true' : undefined}
          className="flex-1 rounded-md py-1.5 text-center font-medium text-ink-muted transition-colors duration-150
            hover:text-ink aria-[current]:bg-raised aria-[current]:text-ink aria-[current]:shadow-xs"
        >
          {LABELS[by]}
        </Link>
      ))}
    </nav>
  );
}
