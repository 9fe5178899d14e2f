/** The confirmation of a change that was just made. */
import { useLocation } from 'react-router';
import { adminUsersTexts } from '../../../texts/admin-users.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';

/** The URL names the change. */
export function Notice() {
  const { notices } = useTexts(adminUsersTexts);
  const notice = new URLSearchParams(useLocation().search).get('notice') ?? '';
  if (!Object.hasOwn(notices, notice)) return null;
  return <Alert kind="success">{notices[notice as keyof typeof notices]}</Alert>;
}
