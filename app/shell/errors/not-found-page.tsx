/**
 * The page for a path that does not exist, with a link home, or a button back if the tab's history has a
 * page of the app.
 */
import { useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { errorTexts } from '../../texts/errors.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import type { ErrorDescription } from './describe-error.ts';
import { ErrorMessage } from './error-message.tsx';

/** Shows the error with a link home or a back button. */
export default function NotFoundPage(description: ErrorDescription) {
  return <ErrorMessage {...description}>{useHasPageBefore() ? <BackButton /> : <HomeLink />}</ErrorMessage>;
}

function HomeLink() {
  const { goHome } = useTexts(errorTexts);
  return (
    <ButtonLink to="/" variant="primary">
      {goHome}
    </ButtonLink>
  );
}

function BackButton() {
  const navigate = useNavigate();
  const { goBack } = useTexts(errorTexts);
  return (
    <Button type="button" variant="primary" onClick={() => navigate(-1)}>
      {goBack}
    </Button>
  );
}

/**
 * Returns whether the history has an earlier page of the app. The router numbers the entries that it
 * created in this tab.
 */
function useHasPageBefore(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => window.history.state?.idx > 0,
    () => false,
  );
}
