import { type MetaArgs, Page, PageHeader, pageMeta, TextLink } from 'greenroom/app';
import { data } from 'react-router';

export function loader() {
  return data({}, { status: 404 });
}

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Nicht gefunden', description: 'Diese Seite fehlt.', isPrivate: true, matches });
}

export default function NotFound() {
  return (
    <Page>
      <PageHeader title="Das Regal ist leer" />
      <TextLink to="/">Zum Eingang</TextLink>
    </Page>
  );
}
