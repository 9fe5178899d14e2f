import { ProfileCard as Original } from 'greenroom/app/features/account/profile-card';
import type { ComponentProps } from 'react';

export function ProfileCard(props: ComponentProps<typeof Original>) {
  return (
    <section aria-label="Kundenkarte">
      <Original {...props} />
    </section>
  );
}
