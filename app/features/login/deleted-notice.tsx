/** The notice after a user has deleted their account. */
import { loginMethodsTexts } from '../../texts/login-methods.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';

/** Confirms that the account was deleted. */
export default function DeletedNotice() {
  const texts = useTexts(loginMethodsTexts);
  return (
    <Alert kind="success" title={texts.deletedTitle}>
      {texts.deletedText}
    </Alert>
  );
}
