/** For people who may not enter, or not yet. */
import { ButtonLink } from '../ui/button.tsx';
import { Notice } from './notice.tsx';

const WORDS = {
  'not-admin': {
    title: 'Admins only',
    text: 'This part of Greenroom is for administrators. Your account is not one of them.',
  },
  'second-factor-needed': {
    title: 'Second step needed',
    text: 'Your account is protected by a second factor. Sign in with it to enter the admin area.',
  },
} as const;

/** `reason` is the guard's finding. */
export function AdminsOnly({ reason }: { reason: keyof typeof WORDS }) {
  return (
    <Notice icon="shield" {...WORDS[reason]}>
      <ButtonLink to="/">Go to your room</ButtonLink>
    </Notice>
  );
}
