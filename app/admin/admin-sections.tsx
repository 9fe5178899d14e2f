/** The way from one section of the admin area to another where no scripts run; with them, the sidebar is it. */

import { placePaths } from '../palette/places.ts';
import { navigationTexts } from '../texts/navigation.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Tabs } from '../ui/tabs.tsx';

const { users, mailbox, components } = placePaths('');

/** See the head of this file. */
export function AdminSections() {
  const { admin, adminSections: names } = useTexts(navigationTexts);
  return (
    <noscript>
      <Tabs
        label={admin}
        tabs={[
          { to: users, label: names.users },
          { to: mailbox, label: names.mailbox },
          { to: components, label: names.components },
        ]}
      />
    </noscript>
  );
}
