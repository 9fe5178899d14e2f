/**
 * `greenroom/app`: components, hooks and types for the pages of a product, on the server and in the browser. Functions for
 * loaders and actions only are in `greenroom/app/server`.
 */
export { payloadLoader } from '../lib/payload/client-payload.ts';
export type { Claims } from '../session/claims.ts';
export { useSession } from '../session/session-provider.tsx';
export { languageOf, siteNameOf, useLanguage, useSiteName } from '../texts/use-texts.ts';
export { Alert } from '../ui/alert.tsx';
export { Avatar } from '../ui/avatar.tsx';
export { Badge } from '../ui/badge.tsx';
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
export { Page } from '../ui/page.tsx';
export { PageHeader } from '../ui/page-header.tsx';
export { pageMeta } from '../ui/page-meta.ts';
export { Select } from '../ui/select.tsx';
export { Switch } from '../ui/switch.tsx';
export { Cell, Heading, Row, RowHeading, Table, TableHead } from '../ui/table.tsx';
export { TextArea } from '../ui/text-area.tsx';
export { TextLink } from '../ui/text-link.tsx';
export { useToast } from '../ui/use-toast.ts';
export { browserSupabase } from './browser-supabase.ts';
export { defineTexts, textsFor, useTexts } from './product-texts.ts';
export type { ActionArgs, LoaderArgs, MetaArgs, PageProps } from './route-types.ts';
export { useUser } from './use-user.ts';
