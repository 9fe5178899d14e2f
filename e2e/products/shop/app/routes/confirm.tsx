import { type MetaArgs, pageMeta } from 'greenroom/app';

export { action, default, loader } from 'greenroom/app/routes/confirm';

export function meta({ matches }: MetaArgs) {
  return pageMeta({ title: 'Kundenlink', description: 'Ein Link des Ladens.', isPrivate: true, matches });
}
