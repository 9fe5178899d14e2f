/** The notice after a user has deleted their account. */
import { loginWaysTexts } from '../../texts/login-ways.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';

/** Confirms that the account was deleted. */
export default function DeletedNotice() {
  const texts = useTexts(loginWaysTexts);
  return (
    <Alert kind="success" title={texts.deleted}>
      {texts.deletedText}
    </Alert>
  );
}
