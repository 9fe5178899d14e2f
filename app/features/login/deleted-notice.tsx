/** The last word to somebody who has deleted their account. */
import { loginWaysTexts } from '../../texts/login-ways.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';

/** See the head of this file. */
export default function DeletedNotice() {
  const texts = useTexts(loginWaysTexts);
  return (
    <Alert kind="success" title={texts.deleted}>
      {texts.deletedText}
    </Alert>
  );
}
