/** The way to sign in with Google. Its code is loaded only where the site has it. */
import { loginGoogleTexts } from '../texts/login-google.ts';
import { useTexts } from '../texts/use-texts.ts';
import { ButtonLink } from '../ui/button.tsx';

/** A link that leaves the app: the server prepares the way and sends the visitor on. */
export default function GoogleLink({ login }: { login: string }) {
  const texts = useTexts(loginGoogleTexts);
  return (
    <div className="grid gap-7">
      <ButtonLink to={`${login}?provider=google`} reloadDocument size="large" className="w-full">
        <GoogleSign />
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

function GoogleSign() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true" className="size-[1.1rem]">
      <path
        fill="#4285f4"
        d="M17.6 9.2c0-.6 0-1.2-.2-1.7H9v3.4h4.8a4.1 4.1 0 0 1-1.8 2.7v2.2h2.9c1.7-1.6 2.7-3.9 2.7-6.6Z"
      />
      <path
        fill="#34a853"
        d="M9 18c2.4 0 4.5-.8 6-2.2l-2.9-2.2a5.4 5.4 0 0 1-8.1-2.9H1v2.3A9 9 0 0 0 9 18Z"
      />
      <path fill="#fbbc05" d="M4 10.7a5.4 5.4 0 0 1 0-3.4V5H1a9 9 0 0 0 0 8l3-2.3Z" />
      <path fill="#ea4335" d="M9 3.6c1.3 0 2.5.5 3.4 1.3L15 2.3A9 9 0 0 0 1 5l3 2.3a5.4 5.4 0 0 1 5-3.7Z" />
    </svg>
  );
}
