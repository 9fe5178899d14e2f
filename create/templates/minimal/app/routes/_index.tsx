import { ButtonLink, type MetaArgs, Page, PageHeader, pageMeta } from 'greenroom/app';

/** Visitors need no session. */
export const guard = 'public';

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Start', description: 'A list of todos for each user.', matches });
}

export default function Start() {
  return (
    <Page>
      <PageHeader
        title="Welcome"
        description="This page is app/routes/_index.tsx."
        actions={
          <ButtonLink to="/todos" variant="primary">
            Open your todos
          </ButtonLink>
        }
      />
    </Page>
  );
}
