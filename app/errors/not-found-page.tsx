/** For a page that is not there: the way home, or back to where the visitor was in the app. */
import { useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { Button, ButtonLink } from '../ui/button.tsx';
import type { ErrorDescription } from './describe-error.ts';
import { ErrorMessage } from './error-message.tsx';

/** See the head of this file. */
export default function NotFoundPage(description: ErrorDescription) {
  return (
    <ErrorMessage {...description}>
      <div className="mt-4">{useHasPageBefore() ? <BackButton /> : <HomeLink />}</div>
    </ErrorMessage>
  );
}

function HomeLink() {
  return (
    <ButtonLink to="/" look="primary">
      Go back home
    </ButtonLink>
  );
}

function BackButton() {
  const navigate = useNavigate();
  return (
    <Button type="button" look="primary" onClick={() => navigate(-1)}>
      Go back
    </Button>
  );
}

/** The router numbers the entries that it made in this tab's history. */
function useHasPageBefore(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => window.history.state?.idx > 0,
    () => false,
  );
}
