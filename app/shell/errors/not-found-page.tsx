/** For a page that is not there: the way home, or back to where the visitor was in the app. */
import { useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { errorTexts } from '../../texts/errors.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import type { ErrorDescription } from './describe-error.ts';
import { ErrorMessage } from './error-message.tsx';

/** See the head of this file. */
export default function NotFoundPage(description: ErrorDescription) {
  return <ErrorMessage {...description}>{useHasPageBefore() ? <BackButton /> : <HomeLink />}</ErrorMessage>;
}

function HomeLink() {
  const { goHome } = useTexts(errorTexts);
  return (
    <ButtonLink to="/" look="primary">
      {goHome}
    </ButtonLink>
  );
}

function BackButton() {
  const navigate = useNavigate();
  const { goBack } = useTexts(errorTexts);
  return (
    <Button type="button" look="primary" onClick={() => navigate(-1)}>
      {goBack}
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
