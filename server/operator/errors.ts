/** The errors of the routes for operators. */
import { type CatalogueEntry, defineErrors } from '@greenroom/errors';

/** The catalogue: code → status and text. docs/reference/operator.md explains each code. */
export const operatorErrors = {
  service_key_required: { status: 403, message: 'This request needs the secret key or the service_role key' },
  address_not_allowed: {
    status: 403,
    message: 'This address may not use /operator/v1. Add it to GREENROOM_META_ALLOWED_ADDRESSES.',
  },
  invalid_request: { status: 400, message: 'The request is not valid' },
  too_many_requests: { status: 429, message: 'Too many readers follow the log' },
  changes_not_allowed: { status: 403, message: 'The settings of this instance may not be changed here' },
  config_changed: {
    status: 409,
    message: 'config.toml was changed in the meantime. Load the settings again.',
  },
  config_file_missing: { status: 409, message: 'The instance has no supabase/config.toml' },
  connection_not_found: { status: 404, message: 'This connection is not configured' },
  invalid_settings: { status: 400, message: 'The new settings are not valid' },
  key_not_changed: { status: 409, message: 'The keys cannot be changed' },
  setting_not_editable: { status: 409, message: 'This setting cannot be changed here' },
  setting_not_found: { status: 404, message: 'No setting has this name' },
  template_not_found: { status: 404, message: 'No template has this name' },
} as const satisfies Record<string, CatalogueEntry>;

/** Creates an error of the catalogue. */
export const failure = defineErrors(operatorErrors);
