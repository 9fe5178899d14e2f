import { type MetaArgs, Page, PageHeader, pageMeta } from 'greenroom/app';

export const guard = 'public';

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Start', description: 'Ein Laden.', matches });
}

export default function Start() {
  return (
    <Page>
      <PageHeader title="Willkommen im Laden" />
    </Page>
  );
}
