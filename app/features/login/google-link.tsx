/** The way to sign in with Google. Its code is loaded only where the site has it. */
import { loginGoogleTexts } from '../../texts/login-google.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** A link that leaves the app: the server prepares the way and sends the visitor on. */
export default function GoogleLink({ login }: { login: string }) {
  const texts = useTexts(loginGoogleTexts);
  return (
    <div className="grid gap-7">
      {/* Not to be fetched ahead: the server begins the sign-in when it is asked. */}
      <ButtonLink
        to={`${login}?provider=google`}
        reloadDocument
        discover="none"
        size="large"
        className="w-full"
      >
        <Icon name="google" className="size-[1.1rem]" />
        {texts.google}
      </ButtonLink>
      <p className="flex items-center gap-3 text-caption text-ink-muted">
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
        {texts.or}
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
      </p>
    </div>
  );
}
