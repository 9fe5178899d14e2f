/** Sign-in with OAuth providers. The code is loaded only on sites that offer some. */
import type { PageProvider } from '../../lib/page/page-provider.ts';
import { loginProviderTexts } from '../../texts/login-providers.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

interface ProviderLinksProps {
  providers: readonly PageProvider[];
  /** Path of the sign-in page. */
  login: string;
}

/** One link for each provider; the server redirects it to the provider. */
export default function ProviderLinks({ providers, login }: ProviderLinksProps) {
  const texts = useTexts(loginProviderTexts);
  return (
    <div className="grid gap-7">
      <div className="grid gap-3">
        {providers.map(({ name, title, icon }) => (
          // No prefetch: the request starts a sign-in.
          <ButtonLink
            key={name}
            to={`${login}?${new URLSearchParams({ provider: name })}`}
            reloadDocument
            discover="none"
            size="large"
            className="w-full"
          >
            <Icon name={icon} className="size-[1.1rem]" />
            {texts.continueWith(title)}
          </ButtonLink>
        ))}
      </div>
      <p className="flex items-center gap-3 text-caption text-ink-muted">
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
        {texts.or}
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
      </p>
    </div>
  );
}
