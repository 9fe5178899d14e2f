/**
 * `greenroom/app`: components, hooks and types for the pages of a product, on the server and in the browser. Functions for
 * loaders and actions only are in `greenroom/app/server`.
 */
export * as constants from '../constants.ts';
export { backoffDelay } from '../lib/backoff.ts';
export { type DurationUnit, formatDuration } from '../lib/format/duration.ts';
export { formatList } from '../lib/format/list.ts';
export { formatNumber } from '../lib/format/number.ts';
export { formatPercent } from '../lib/format/percent.ts';
export { plural } from '../lib/format/plural.ts';
export { formatRate, formatSize } from '../lib/format/size.ts';
export { useIdleModule } from '../lib/idle/use-idle-module.ts';
export type { Language } from '../lib/language.ts';
export type { MaybePromise } from '../lib/maybe-promise.ts';
export { retriableImport } from '../lib/modules/retriable-import.ts';
export { Optional } from '../lib/optional.tsx';
export { payloadLoader } from '../lib/payload/client-payload.ts';
export { Resolved } from '../lib/resolved.tsx';
export { setRunningUploads } from '../lib/running-uploads.ts';
export {
  countUnsentEdits,
  deleteUnsentEdits,
  type StorageWindow,
  unsentEditKeys,
  unsentEditPrefix,
  withStorage,
} from '../lib/unsent-edits.ts';
export { useIsHydrated } from '../lib/use-is-hydrated.ts';
export { useOnline } from '../lib/use-online.ts';
export type { Claims, SessionSummary } from '../session/claims.ts';
export { observeUpload } from '../session/observable-fetch.ts';
export { chosenName, cleanName, displayPhone, personName } from '../session/person-name.ts';
export { useSession } from '../session/session-provider.tsx';
export { afterSignOut, beforeSignOut } from '../session/sign-out-events.ts';
export { pictureOwner, picturePath } from '../session/storage-address.ts';
export { unfinishedUploadKeys, uploadFingerprint } from '../session/unfinished-uploads.ts';
export { usePicture, usePictureUrl } from '../session/use-picture.ts';
export { languageOf, siteNameOf, useLanguage, useSiteName } from '../texts/use-texts.ts';
export { Alert } from '../ui/alert.tsx';
export { Avatar } from '../ui/avatar.tsx';
export { Badge, type BadgeTone } from '../ui/badge.tsx';
export { BrandLink, BrandLogo } from '../ui/brand.tsx';
export { Button, ButtonLink } from '../ui/button.tsx';
export { Card } from '../ui/card.tsx';
export { Checkbox } from '../ui/checkbox.tsx';
export { DescriptionItem, DescriptionList } from '../ui/description-list.tsx';
export { Dialog, DialogClose } from '../ui/dialog.tsx';
export { EmptyState } from '../ui/empty-state.tsx';
export { Field } from '../ui/field.tsx';
export { Icon } from '../ui/icon.tsx';
export { LocalTime } from '../ui/local-time.tsx';
export { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
export { Notice } from '../ui/notice.tsx';
export { Page } from '../ui/page.tsx';
export { PageHeader } from '../ui/page-header.tsx';
export { pageMeta } from '../ui/page-meta.ts';
export { Progress } from '../ui/progress.tsx';
export { Select } from '../ui/select.tsx';
export { Switch } from '../ui/switch.tsx';
export { Cell, Heading, Row, RowHeading, Table, TableHead } from '../ui/table.tsx';
export { Tabs } from '../ui/tabs.tsx';
export { TextArea } from '../ui/text-area.tsx';
export { TextLink } from '../ui/text-link.tsx';
export { useToast } from '../ui/use-toast.ts';
export { browserSupabase } from './browser-supabase.ts';
export { defineTexts, textsFor, useTexts } from './product-texts.ts';
export type { ActionArgs, LoaderArgs, MetaArgs, PageProps } from './route-types.ts';
export { useLiveData } from './use-live-data.ts';
export { type SiteUrls, useSiteUrls } from './use-site-urls.ts';
export { useUser } from './use-user.ts';
