/** The frame of both parts of the log: its header, and links to the parts. */
import type { ReactNode } from 'react';
import { adminLogsTexts } from '../../../texts/admin-logs.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { SegmentedLinks } from '../../../ui/segmented-control.tsx';
import { changesPath, linesPath } from './selection.ts';

/** Shows the frame around one part. */
export function LogsFrame({ part, children }: { part: 'lines' | 'changes'; children: ReactNode }) {
  const { title, lead, tabs } = useTexts(adminLogsTexts);
  const links = [
    { to: linesPath(), label: tabs.lines, isCurrent: part === 'lines' },
    { to: changesPath(), label: tabs.changes, isCurrent: part === 'changes' },
  ];
  return (
    <Page>
      <PageHeader
        title={title}
        description={lead}
        actions={<SegmentedLinks label={tabs.label} links={links} />}
      />
      {children}
    </Page>
  );
}
