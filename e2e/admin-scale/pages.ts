/** The pages that are measured. */

/** Query that selects the table with the rows. */
export const EVENTS = 'schema=public&table=events';

const PAGE_KB = 180;
const EDITOR_KB = 300;

/** Lists whose first answers are measured. With `isData`, the path itself has the data. */
export const LISTS: readonly { name: string; path: string; isData?: true }[] = [
  { name: 'Overview', path: '/admin' },
  { name: 'Users', path: '/admin/users' },
  { name: 'Users, a complete address', path: '/admin/users?q=user777777@example.org' },
  { name: 'Users, by role', path: '/admin/users?role=editor' },
  { name: 'Tables', path: '/admin/tables' },
  { name: 'Rows', path: `/admin/tables?${EVENTS}` },
  { name: 'Structure', path: `/admin/tables/structure?${EVENTS}` },
  { name: 'Diagram', path: '/admin/tables/diagram?schema=auth' },
  { name: 'Policies', path: '/admin/policies' },
  { name: 'Policies of a table', path: `/admin/policies?${EVENTS}` },
  { name: 'SQL', path: '/admin/sql' },
  { name: 'Mailbox', path: '/admin/mailbox' },
  { name: 'Logs', path: '/admin/logs' },
  { name: 'Changes', path: '/admin/logs?tab=changes' },
  { name: 'Settings', path: '/admin/settings' },
  { name: 'Palette, an address', path: '/admin/palette/hits?q=user7777', isData: true },
  { name: 'Palette, a text without hits', path: '/admin/palette/hits?q=pelican', isData: true },
];

/** Pages whose scripts are measured. */
export const PAGES = [
  { name: 'Overview', path: '/admin', maxKilobytes: PAGE_KB },
  { name: 'Users', path: '/admin/users', maxKilobytes: PAGE_KB },
  { name: 'Rows', path: `/admin/tables?${EVENTS}`, maxKilobytes: PAGE_KB },
  { name: 'Structure', path: `/admin/tables/structure?${EVENTS}`, maxKilobytes: PAGE_KB },
  { name: 'Diagram', path: '/admin/tables/diagram?schema=auth', maxKilobytes: EDITOR_KB },
  { name: 'Policies', path: '/admin/policies', maxKilobytes: PAGE_KB },
  { name: 'SQL', path: '/admin/sql', maxKilobytes: EDITOR_KB },
  { name: 'Logs', path: '/admin/logs', maxKilobytes: PAGE_KB },
  { name: 'Settings', path: '/admin/settings', maxKilobytes: PAGE_KB },
] as const;

/** Lists that scroll, with an element in them. */
export const SCROLLED = [
  { name: 'Rows', path: `/admin/tables?${EVENTS}`, selector: '[role=grid]' },
  { name: 'Users', path: '/admin/users', selector: 'table' },
  { name: 'Logs', path: '/admin/logs', selector: 'main ul, main table, main [role=list]' },
] as const;
